// SPDX-License-Identifier: Apache-2.0
#include "gears/gear_mesh.h"

#include "base/memory.h"
#include "base/pi.h"
#include "gears/gear_blocks.h"
#include "gears/pair.h"
#include "mesh/halving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    LEAST_COLUMNS = 3, // of a flank before cells are cut
    DEPTH = 3,         // rows of a size
    TIP_CUTS = 4,      // how much finer corners of tips are, ...
    MET_CUTS = 2,      // ... and the place of a flank that the corner of the mate's tip touches
    ROOT_CELLS = 32,   // along a fillet, by default and if flanks are finer
    MOST_FLANK_CELLS = 1 << 14,
    MOST_LINES = 1 << 12, // of rings
};
// Rings are so thick, by the width of their cells and by their depth below the root circle.
static const double by_width = 0.75, by_depth = 0.35;
// Their cells are divided while they are thicker than this fraction of their depth.
static const double too_thick = 0.8;
// This number of columns on each side of the contact point of the mate's tip is refined further.
static const double met_columns = 0.1;
// Maximum angle of a cell at the bore.
static const double most_chord = 5 * STICK_PI / 180;

// How often cells are cut.
typedef struct Cuts {
    int body; // everywhere
    int flank, root, tip, met;
} Cuts;

enum { BORE, FILLETS, TIPS, SIDES, FLANKS, NTAGS = FLANKS }; // flanks: two tags for each tooth

typedef struct Gear {
    StickContext *ctx;
    const StickGearPairSpec *pair;
    StickGearPair meshing;
    int g;
    StickGearBlocks blocks;
    int teeth; // of the mesh
    bool whole;
    double met; // column at which the corner of the mate's tip touches the flank
    Cuts fine, coarse;
    int *strip;     // teeth x 2 x (columns + 1) x (rows + 1): nodes + 1
    int nlines;     // of rings
    double *radius; // nlines
    int *per_pitch; // nlines: cells of each line
    int *ring;      // nlines x (teeth + 1) x 2 CORE_COLUMNS: nodes + 1
    StickHalving halving;
} Gear;

// Number of the tooth on place t of the mesh: those of a sector lie about tooth 0.
static int tooth_number(const Gear *gear, int t)
{
    int z = gear->blocks.tooth.teeth;
    return gear->whole ? t : (t - gear->teeth / 2 + z) % z;
}

// ---- how fine

bool stick_gear_is_about(int z, int k, int count)
{
    int from = k > z / 2 ? k - z : k;
    return count <= 0 || count >= z || (from >= -(count / 2) && from < count - count / 2);
}

static int cuts_for(double cells)
{
    return cells > 1 ? (int)ceil(log2(cells) - 1e-9) : 0;
}

static double flank_length(const StickTooth *tooth)
{
    return fabs(tooth->s_tip - tooth->s_form) * (tooth->s_tip + tooth->s_form) / (2 * tooth->base);
}

// The column of the active flank's end at the root: lengths of the involute go with the square of rolled ones.
static double find_met(const Gear *gear)
{
    const StickTooth *tooth = &gear->blocks.tooth;
    double ends[2], tip = tooth->s_tip * tooth->s_tip, form = tooth->s_form * tooth->s_form;
    stick_gear_active(&gear->meshing, gear->g, ends);
    double end = tooth->internal ? ends[1] : ends[0];
    return gear->blocks.flank_columns * (tip - end * end) / (tip - form);
}

// Teeth out of mesh are coarse. The interior is refined half as much as the surface.
static void choose_cuts(Gear *gear, int flank)
{
    const StickGearSpec *spec = &gear->pair->gear[gear->g];
    const StickGearBlocks *blocks = &gear->blocks;
    double cell = flank_length(&blocks->tooth) / spec->flank_cells;
    double edge = spec->fillet > 0 ? spec->fillet : fmax(cell, blocks->root_length / ROOT_CELLS);
    double longest =
        fmax(blocks->corner_length, blocks->root_length - blocks->corner_length) / STICK_GEAR_CORE_COLUMNS;
    int body = flank < 2 ? 1 : (flank + 1) / 2;
    gear->fine = (Cuts){
        .body = body,
        .flank = flank,
        .root = cuts_for(longest / edge),
        .tip = flank + TIP_CUTS,
        .met = flank + MET_CUTS,
    };
    gear->coarse = (Cuts){.body = 1, .flank = 1, .root = 1, .tip = 1, .met = 1};
}

// The finer all is, the thinner rings are for their depth.
static bool is_thick(const Gear *gear, const StickHalvingCell *cell, int body)
{
    double depth = fabs(0.5 * (cell->v[0] + cell->v[1]) - gear->blocks.tooth.root);
    return fabs(cell->v[1] - cell->v[0]) > ldexp(too_thick, 1 - body) * depth;
}

// Chords of the bore deviate from its circle.
static bool is_flat(const Gear *gear, const StickHalvingCell *cell)
{
    return cell->tag[2] == BORE &&
           (cell->u[1] - cell->u[0]) * STICK_PI / gear->blocks.tooth.teeth > most_chord;
}

// Cells along the surface are divided, DEPTH rows of each size; cells near a tip corner are refined further.
static bool is_wanted(const void *user, const StickHalvingCell *cell)
{
    const Gear *gear = user;
    int t = cell->block / STICK_GEAR_BLOCKS, z = gear->blocks.tooth.teeth;
    bool fine = stick_gear_is_about(z, tooth_number(gear, t), gear->pair->gear[gear->g].fine_teeth);
    const Cuts *cuts = fine ? &gear->fine : &gear->coarse;
    if (cell->block % STICK_GEAR_BLOCKS == STICK_GEAR_RINGS)
        return is_flat(gear, cell) || (cell->level < cuts->body && is_thick(gear, cell, cuts->body));
    if (cell->level < cuts->body)
        return true;
    double row = ldexp(cell->v[0] * STICK_GEAR_ROWS, cell->level), column = ldexp(cell->u[0], cell->level);
    if (row > DEPTH - 0.5)
        return false;
    if (column < DEPTH - 0.5 && cell->level < cuts->tip)
        return true;
    if (fabs(0.5 * (cell->u[0] + cell->u[1]) - gear->met) < met_columns + 0.5 * (cell->u[1] - cell->u[0]) &&
        cell->level < cuts->met)
        return true;
    return cell->level < (cell->u[0] < gear->blocks.flank_columns ? cuts->flank : cuts->root);
}

static void place(const void *user, int block, double u, double v, double x[2])
{
    const Gear *gear = user;
    stick_gear_blocks_place(&gear->blocks, tooth_number(gear, block / STICK_GEAR_BLOCKS),
                            (StickGearBlock)(block % STICK_GEAR_BLOCKS), u, v, x);
}

// ---- rings

// Lines of rings between core and bore, half as many cells on each as on the one before, down to one for a tooth.
// Sizes are those that are wanted, all a little larger or smaller so that the last line is the bore.
static StickStatus make_lines(Gear *gear)
{
    double core = gear->blocks.core, rim = gear->blocks.tooth.rim, r = core, sign = rim > core ? 1 : -1;
    STICK_ALLOC(gear->ctx, gear->radius, MOST_LINES);
    STICK_ALLOC(gear->ctx, gear->per_pitch, MOST_LINES);
    gear->radius[0] = core;
    gear->per_pitch[0] = 2 * STICK_GEAR_CORE_COLUMNS;
    gear->nlines = 1;
    while (gear->nlines < MOST_LINES) {
        int n = gear->nlines++, count = gear->per_pitch[n - 1] > 1 ? gear->per_pitch[n - 1] / 2 : 1;
        double step = fmax(by_width * 2 * STICK_PI * r / (gear->blocks.tooth.teeth * count),
                           by_depth * fabs(r - gear->blocks.tooth.root));
        step = fmin(step, 2 * fabs(rim - r));
        gear->per_pitch[n] = count;
        gear->radius[n] = r += sign * step;
        if (sign * (rim - r) < 0.5 * step)
            break;
    }
    int last = gear->nlines - 1;
    double scale = (rim - core) / (gear->radius[last] - core);
    for (int n = 1; n < last; n++)
        gear->radius[n] = core + scale * (gear->radius[n] - core);
    gear->radius[last] = rim;
    return STICK_OK;
}

// ---- nodes that cells share

static StickStatus node_of(Gear *gear, int *number, int t, StickGearBlock block, double u, double v,
                           int *node)
{
    if (*number == 0) {
        double x[2];
        place(gear, t * STICK_GEAR_BLOCKS + (int)block, u, v, x);
        STICK_TRY(stick_halving_add_node(&gear->halving, x, number));
        ++*number;
    }
    *node = *number - 1;
    return STICK_OK;
}

static bool has_next(const Gear *gear, int t)
{
    return gear->whole || t + 1 < gear->teeth;
}

// The middle lines of a tooth and of a gap belong to the strip on their right.
static StickStatus strip_node(Gear *gear, int t, StickGearBlock side, int i, int j, int *node)
{
    const StickGearBlocks *blocks = &gear->blocks;
    if (side == STICK_GEAR_LEFT && i == blocks->columns && has_next(gear, t)) {
        t = (t + 1) % gear->teeth;
        side = STICK_GEAR_RIGHT;
    } else if (side == STICK_GEAR_LEFT && j == STICK_GEAR_ROWS && i <= blocks->corner) {
        side = STICK_GEAR_RIGHT;
    }
    size_t at = (size_t)((t * 2 + (int)side) * (blocks->columns + 1) + i) * (STICK_GEAR_ROWS + 1) + (size_t)j;
    return node_of(gear, &gear->strip[at], t, side, i, (double)j / STICK_GEAR_ROWS, node);
}

// Node c of a line; the first one is that of the strips.
static StickStatus ring_node(Gear *gear, int t, int line, int c, int *node)
{
    int count = gear->per_pitch[line], corner = gear->blocks.corner;
    if (line == 0 && c < STICK_GEAR_CORE_COLUMNS)
        return strip_node(gear, t, STICK_GEAR_RIGHT, gear->blocks.columns - c, STICK_GEAR_ROWS, node);
    if (line == 0)
        return strip_node(gear, t, STICK_GEAR_LEFT, corner + c - STICK_GEAR_CORE_COLUMNS, STICK_GEAR_ROWS,
                          node);
    int at = t, first = c;
    if (c == count) {
        at = has_next(gear, t) ? (t + 1) % gear->teeth : t + 1;
        first = 0;
    }
    int *number =
        &gear->ring[(size_t)(line * (gear->teeth + 1) + at) * 2 * STICK_GEAR_CORE_COLUMNS + (size_t)first];
    return node_of(gear, number, t, STICK_GEAR_RINGS, -1 + 2.0 * c / count, gear->radius[line], node);
}

// ---- cells

static StickStatus add_strip_cell(Gear *gear, int t, StickGearBlock side, int i, int j)
{
    const StickGearBlocks *blocks = &gear->blocks;
    bool end = side == STICK_GEAR_LEFT ? !has_next(gear, t) : !gear->whole && t == 0;
    StickHalvingCell cell = {
        .block = t * STICK_GEAR_BLOCKS + (int)side,
        .u = {i, i + 1},
        .v = {(double)j / STICK_GEAR_ROWS, (double)(j + 1) / STICK_GEAR_ROWS},
        .tag = {-1, -1, -1, -1},
        .mirrored = (side == STICK_GEAR_RIGHT) != blocks->tooth.internal,
    };
    if (j == 0)
        cell.tag[0] = i < blocks->flank_columns ? FLANKS + 2 * t + (int)side : FILLETS;
    if (i == blocks->columns - 1 && end)
        cell.tag[1] = SIDES;
    if (i == 0)
        cell.tag[3] = TIPS;
    for (int c = 0; c < 4; c++)
        STICK_TRY(strip_node(gear, t, side, i + (c == 1 || c == 2), j + (c > 1), &cell.node[c]));
    return stick_halving_add_cell(&gear->halving, &cell);
}

// A cell between two lines, adjacent to one or two cells of the previous line.
static StickStatus add_ring_cell(Gear *gear, int t, int line, int c)
{
    int count = gear->per_pitch[line + 1], ratio = gear->per_pitch[line] / count, middle;
    StickHalvingCell cell = {
        .block = t * STICK_GEAR_BLOCKS + STICK_GEAR_RINGS,
        .u = {-1 + 2.0 * c / count, -1 + 2.0 * (c + 1) / count},
        .v = {gear->radius[line], gear->radius[line + 1]},
        .tag = {-1, -1, line + 2 == gear->nlines ? BORE : -1, -1},
        .mirrored = gear->blocks.tooth.internal,
    };
    if (!has_next(gear, t) && c == count - 1)
        cell.tag[1] = SIDES;
    if (!gear->whole && t == 0 && c == 0)
        cell.tag[3] = SIDES;
    for (int k = 0; k < 2; k++) {
        STICK_TRY(ring_node(gear, t, line, (c + k) * ratio, &cell.node[k]));
        STICK_TRY(ring_node(gear, t, line + 1, c + 1 - k, &cell.node[2 + k]));
    }
    if (ratio == 2) {
        STICK_TRY(ring_node(gear, t, line, 2 * c + 1, &middle));
        STICK_TRY(stick_halving_set_middle(&gear->halving, cell.node[0], cell.node[1], middle));
    }
    return stick_halving_add_cell(&gear->halving, &cell);
}

static StickStatus add_tooth(Gear *gear, int t)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < gear->blocks.columns; i++)
            for (int j = 0; j < STICK_GEAR_ROWS; j++)
                STICK_TRY(add_strip_cell(gear, t, (StickGearBlock)side, i, j));
    for (int line = 0; line + 1 < gear->nlines; line++)
        for (int c = 0; c < gear->per_pitch[line + 1]; c++)
            STICK_TRY(add_ring_cell(gear, t, line, c));
    return STICK_OK;
}

static StickStatus add_cells(Gear *gear)
{
    size_t strip = 2 * (size_t)(gear->blocks.columns + 1) * (STICK_GEAR_ROWS + 1);
    STICK_TRY(make_lines(gear));
    STICK_ALLOC(gear->ctx, gear->strip, (size_t)gear->teeth * strip);
    STICK_ALLOC(gear->ctx, gear->ring,
                (size_t)gear->nlines * (size_t)(gear->teeth + 1) * 2 * STICK_GEAR_CORE_COLUMNS);
    for (int t = 0; t < gear->teeth; t++)
        STICK_TRY(add_tooth(gear, t));
    return stick_halving_cut(&gear->halving);
}

// ---- groups

typedef struct Name {
    char text[32];
} Name;

static Name flank_name(const Gear *gear, int t, int side)
{
    Name name;
    snprintf(name.text, sizeof name.text, "tooth-%d-%s", tooth_number(gear, t),
             side == STICK_GEAR_LEFT ? "left" : "right");
    return name;
}

static StickStatus make_groups(const Gear *gear, StickMeshBuilder *builder, int (*of)[2])
{
    const char *names[NTAGS] = {gear->blocks.tooth.internal ? "rim" : "bore", "fillets", "tips", "sides"};
    int flanks;
    for (int k = 0; k < NTAGS; k++) {
        of[k][0] = of[k][1] = -1;
        if (k != SIDES || !gear->whole)
            STICK_TRY(stick_builder_group(builder, names[k], &of[k][0]));
    }
    STICK_TRY(stick_builder_group(builder, "flanks", &flanks));
    for (int k = 0; k < 2 * gear->teeth; k++) {
        of[FLANKS + k][0] = flanks;
        STICK_TRY(stick_builder_group(builder, flank_name(gear, k / 2, k % 2).text, &of[FLANKS + k][1]));
    }
    return STICK_OK;
}

static StickStatus build(const Gear *gear, StickMeshBuilder *builder, StickMesh *mesh)
{
    int(*of)[2];
    STICK_ALLOC(gear->ctx, of, (size_t)FLANKS + 2 * (size_t)gear->teeth);
    StickStatus status = make_groups(gear, builder, of);
    if (status == STICK_OK)
        status = stick_halving_build(&gear->halving, (const int(*)[2])of, builder);
    stick_free(gear->ctx, of);
    STICK_TRY(status);
    return stick_builder_finish(builder, mesh);
}

// ---- true shapes of flanks

typedef struct Parameter {
    double s;
    int node;
} Parameter;

static int compare_parameters(const void *left, const void *right)
{
    const Parameter *a = left, *b = right;
    return a->s != b->s ? (a->s > b->s) - (a->s < b->s) : (a->node > b->node) - (a->node < b->node);
}

static StickStatus order_nodes(StickContext *ctx, const StickMesh *mesh, const StickTooth *tooth,
                               const StickGroup *group, StickMeshFlank *flank)
{
    Parameter *at;
    STICK_ALLOC(ctx, flank->node, group->nnodes);
    STICK_ALLOC(ctx, flank->s, group->nnodes);
    STICK_ALLOC(ctx, at, group->nnodes);
    for (int k = 0; k < group->nnodes; k++) {
        const double *x = &mesh->x[2 * (size_t)group->node[k]];
        at[k] = (Parameter){stick_tooth_rolled(tooth, hypot(x[0], x[1])), group->node[k]};
    }
    qsort(at, (size_t)group->nnodes, sizeof *at, compare_parameters);
    for (int k = 0; k < group->nnodes; k++) {
        flank->node[k] = at[k].node;
        flank->s[k] = at[k].s;
    }
    flank->nnodes = group->nnodes;
    flank->s[0] = flank->flank.from;
    flank->s[group->nnodes - 1] = flank->flank.to;
    stick_free(ctx, at);
    return STICK_OK;
}

// Straight lines through the points of the curve at the nodes' parameters.
static StickStatus straighten(StickContext *ctx, StickMeshFlank *flank)
{
    StickFlank *chain = &flank->flank;
    STICK_ALLOC(ctx, chain->point, 2 * (size_t)flank->nnodes);
    STICK_ALLOC(ctx, chain->s, flank->nnodes);
    for (int k = 0; k < flank->nnodes; k++) {
        StickFlankPoint point;
        STICK_TRY(stick_flank_at(chain, flank->s[k], &point));
        chain->point[2 * k] = point.x[0];
        chain->point[2 * k + 1] = point.x[1];
        chain->s[k] = flank->s[k];
    }
    chain->npoints = flank->nnodes;
    chain->kind = STICK_FLANK_CHAIN;
    return STICK_OK;
}

static StickStatus add_flank(const Gear *gear, int t, int side, StickMesh *mesh)
{
    StickMeshFlank *flank = &mesh->flank[mesh->nflanks++];
    Name name = flank_name(gear, t, side);
    flank->group = stick_copy_text(gear->ctx, name.text);
    if (!flank->group)
        return STICK_NO_MEMORY;
    flank->flank = stick_gear_flank(&gear->meshing, gear->g, tooth_number(gear, t), side == STICK_GEAR_LEFT);
    STICK_TRY(order_nodes(gear->ctx, mesh, &gear->blocks.tooth, stick_mesh_group(mesh, name.text), flank));
    return gear->pair->flanks == STICK_FLANKS_STRAIGHT ? straighten(gear->ctx, flank) : STICK_OK;
}

static StickStatus add_flanks(const Gear *gear, StickMesh *mesh)
{
    STICK_ALLOC(gear->ctx, mesh->flank, 2 * (size_t)gear->teeth);
    for (int t = 0; t < gear->teeth; t++)
        for (int side = 0; side < 2; side++)
            STICK_TRY(add_flank(gear, t, side, mesh));
    return STICK_OK;
}

// ---- all of it

static StickStatus check_numbers(StickContext *ctx, const StickGearPairSpec *pair, int g)
{
    const StickGearSpec *spec = &pair->gear[g];
    if (spec->flank_cells < 1 || spec->flank_cells > MOST_FLANK_CELLS)
        return stick_fail_at(ctx, STICK_BAD_INPUT, pair->mark,
                             "gear '%s.%d': a mesh of %d cells along a flank: take from 1 to %d", pair->name,
                             g + 1, spec->flank_cells, MOST_FLANK_CELLS);
    if (spec->mesh_teeth < 0 || spec->mesh_teeth > spec->teeth)
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, pair->mark,
            "gear '%s.%d': a mesh of %d teeth, but the gear has %d: take 0 for the whole gear, or "
            "up to all of them for a sector",
            pair->name, g + 1, spec->mesh_teeth, spec->teeth);
    if (!(spec->rim > 0))
        return stick_fail_at(ctx, STICK_BAD_INPUT, pair->mark,
                             "gear '%s.%d': its bore has the radius %g: a mesh needs one above 0", pair->name,
                             g + 1, spec->rim);
    return STICK_OK;
}

static StickStatus make(Gear *gear, StickMesh *mesh)
{
    const StickGearSpec *spec = &gear->pair->gear[gear->g];
    int cuts = 0;
    while (LEAST_COLUMNS << (cuts + 1) <= spec->flank_cells)
        cuts++;
    stick_gear_blocks_make(&gear->meshing.tooth[gear->g], (spec->flank_cells + (1 << cuts) - 1) >> cuts,
                           &gear->blocks);
    gear->whole = spec->mesh_teeth == 0 || spec->mesh_teeth == spec->teeth;
    gear->teeth = gear->whole ? spec->teeth : spec->mesh_teeth;
    gear->met = find_met(gear);
    choose_cuts(gear, cuts);
    STICK_TRY(add_cells(gear));
    StickMeshBuilder builder;
    stick_builder_init(&builder, gear->ctx, 2);
    StickStatus status = build(gear, &builder, mesh);
    stick_builder_destroy(&builder);
    STICK_TRY(status);
    return add_flanks(gear, mesh);
}

StickStatus stick_gear_mesh(StickContext *ctx, const StickMeshSpec *spec, StickMesh *mesh)
{
    Gear gear = {.ctx = ctx, .pair = spec->gears, .g = spec->gear};
    StickMesh made = {0};
    STICK_TRY(check_numbers(ctx, gear.pair, gear.g));
    STICK_TRY(stick_gear_pair_make(ctx, gear.pair, &gear.meshing));
    stick_halving_init(&gear.halving, ctx, (StickHalvingRule){&gear, place, is_wanted});
    StickStatus status = make(&gear, &made);
    stick_halving_destroy(&gear.halving);
    stick_free(ctx, gear.strip);
    stick_free(ctx, gear.radius);
    stick_free(ctx, gear.per_pitch);
    stick_free(ctx, gear.ring);
    if (status == STICK_OK)
        *mesh = made;
    else
        stick_mesh_destroy(ctx, &made);
    return status;
}
