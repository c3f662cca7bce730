// SPDX-License-Identifier: Apache-2.0
#include "output/profile.h"

#include "base/memory.h"
#include "stepping/event_driven.h"

#include <math.h>

static const double same_time = 1e-9; // of the way between two states

// ---- the line of nodes

// Facets of the group by the node that they begin at; -1: none.
typedef struct Chain {
    const StickMesh *mesh;
    const StickGroup *group;
    int *begins; // nnodes of the mesh
    bool *ends;  // nnodes: a facet ends here
    bool *taken; // nfacets
} Chain;

static void add_node(StickProfile *profile, const StickMesh *mesh, int node)
{
    StickProfileNode *next = &profile->node[profile->count];
    const double *x = &mesh->x[2 * (size_t)node];
    *next = (StickProfileNode){.node = node, .place = {x[0], x[1]}};
    if (profile->count > 0)
        next->s = next[-1].s + hypot(x[0] - next[-1].place[0], x[1] - next[-1].place[1]);
    profile->row_of[node] = profile->count++;
}

// From facet to facet, with their middles, to the end of the chain or round to its begin.
static void follow(const Chain *chain, int start, StickProfile *profile)
{
    int node = start;
    for (int f = chain->begins[node]; f >= 0 && !chain->taken[f]; f = chain->begins[node]) {
        int corner[STICK_MOST_FACET_NODES];
        int count = stick_mesh_facet_nodes(chain->mesh, chain->group->facet[f], corner);
        add_node(profile, chain->mesh, corner[0]);
        if (count > 2)
            add_node(profile, chain->mesh, corner[2]);
        chain->taken[f] = true;
        node = corner[1];
    }
    if (profile->row_of[node] < 0)
        add_node(profile, chain->mesh, node);
}

// Open chains first, then closed ones; each begins at its lowest node. False: some begin at the same node.
static bool follow_all(const Chain *chain, StickProfile *profile)
{
    for (int closed = 0; closed < 2; closed++)
        for (int i = 0; i < chain->mesh->nnodes; i++) {
            int f = chain->begins[i];
            if (f >= 0 && !chain->taken[f] && (closed || !chain->ends[i]))
                follow(chain, i, profile);
        }
    for (int f = 0; f < chain->group->nfacets; f++)
        if (!chain->taken[f])
            return false;
    return true;
}

static StickStatus line_up(StickContext *ctx, const StickMesh *mesh, const StickGroup *group,
                           StickProfile *profile)
{
    Chain chain = {.mesh = mesh, .group = group};
    STICK_ALLOC(ctx, profile->row_of, mesh->nnodes);
    STICK_ALLOC(ctx, profile->node, group->nnodes);
    chain.begins = stick_alloc(ctx, (size_t)mesh->nnodes, sizeof *chain.begins);
    chain.ends = stick_alloc(ctx, (size_t)mesh->nnodes, sizeof *chain.ends);
    chain.taken = stick_alloc(ctx, (size_t)group->nfacets, sizeof *chain.taken);
    bool room = chain.begins && chain.ends && chain.taken, all = true;
    for (int i = 0; room && i < mesh->nnodes; i++)
        chain.begins[i] = profile->row_of[i] = -1;
    for (int f = 0; room && f < group->nfacets; f++) {
        int corner[STICK_MOST_FACET_NODES];
        stick_mesh_facet_nodes(mesh, group->facet[f], corner);
        chain.begins[corner[0]] = f;
        chain.ends[corner[1]] = true;
    }
    if (room)
        all = follow_all(&chain, profile);
    stick_free(ctx, chain.begins);
    stick_free(ctx, chain.ends);
    stick_free(ctx, chain.taken);
    if (!all)
        return stick_fail_at(ctx, STICK_BAD_INPUT, profile->spec->mark,
                             "profile '%s': '%s' branches and is no line", profile->spec->name, group->name);
    return room ? STICK_OK : STICK_NO_MEMORY;
}

// By facets at rest: where no contact tells it.
static StickStatus share_area(StickContext *ctx, const StickBody *body, const StickGroup *group,
                              StickProfile *profile)
{
    double *area;
    STICK_ALLOC(ctx, area, body->mesh.nnodes);
    StickStatus status = stick_fem_facet_areas(ctx, &body->continuum, group->facet, group->nfacets, area);
    for (int k = 0; status == STICK_OK && k < profile->count; k++)
        profile->node[k].area_at_rest = area[profile->node[k].node];
    stick_free(ctx, area);
    return status;
}

// ---- contacts of the line

static bool has_facet(const StickGroup *group, StickFacet facet)
{
    for (int f = 0; f < group->nfacets; f++)
        if (group->facet[f].element == facet.element && group->facet[f].side == facet.side)
            return true;
    return false;
}

// Which contacts have sides of the group as their first surface; covered: the sides that are in any.
static StickStatus find_contacts(const StickSystem *system, const StickGroup *group, StickProfile *profile,
                                 bool *covered)
{
    const StickModel *model = system->model;
    for (int k = 0; k < model->ncontacts; k++) {
        const StickGroup *surface;
        if (model->contact[k].slave.body != profile->body)
            continue;
        STICK_TRY(stick_system_group(system, &model->contact[k].slave, &surface));
        for (int f = 0; f < group->nfacets; f++)
            if (surface == group || has_facet(surface, group->facet[f]))
                covered[f] = profile->has_contact[k] = true;
    }
    return STICK_OK;
}

// Stresses are known where a contact is: elsewhere there may be any, from supports and loads.
static StickStatus refuse_uncovered(StickContext *ctx, const StickProfileSpec *spec, const StickGroup *group,
                                    const bool *covered)
{
    int bare = 0;
    for (int f = 0; f < group->nfacets; f++)
        bare += !covered[f];
    if (bare == 0)
        return STICK_OK;
    if (bare == group->nfacets)
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, spec->mark,
            "profile '%s': stresses are known on the first surface of a contact, and '%s' is "
            "in no contact the first",
            spec->name, group->name);
    return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                         "profile '%s': stresses are known on the first surface of a contact, and %d of the "
                         "%d sides of '%s' are in no contact: take a surface that is",
                         spec->name, bare, group->nfacets, group->name);
}

static StickStatus cover(StickContext *ctx, const StickSystem *system, const StickGroup *group,
                         StickProfile *profile)
{
    bool *covered;
    STICK_ALLOC(ctx, profile->has_contact, system->model->ncontacts);
    STICK_ALLOC(ctx, covered, group->nfacets);
    StickStatus status = find_contacts(system, group, profile, covered);
    if (status == STICK_OK)
        status = refuse_uncovered(ctx, profile->spec, group, covered);
    stick_free(ctx, covered);
    return status;
}

// Friction of nodes that are too far from anything to be candidates, where it is a number.
static StickStatus find_friction(const StickSystem *system, StickProfile *profile)
{
    const StickModel *model = system->model;
    for (int k = 0; k < model->ncontacts; k++) {
        const StickGroup *surface;
        const StickLawSpec *law = &model->contact[k].law;
        double mu = 0;
        if (!profile->has_contact[k])
            continue;
        if (law->section != STICK_LAW_DISK || (law->friction && !stick_expression_is_constant(law->friction)))
            mu = NAN;
        else if (law->friction)
            STICK_TRY(stick_expression_value(law->friction, NULL, &mu));
        STICK_TRY(stick_system_group(system, &model->contact[k].slave, &surface));
        for (int i = 0; i < surface->nnodes; i++) {
            int row = profile->row_of[surface->node[i]];
            if (row >= 0 && (isnan(mu) || mu > profile->node[row].mu_at_rest))
                profile->node[row].mu_at_rest = mu;
        }
    }
    return STICK_OK;
}

// ---- what is asked for

static StickStatus refuse(StickContext *ctx, const StickSystem *system, const StickProfileSpec *spec,
                          const StickGroup *group)
{
    const StickModel *model = system->model;
    double end = 0;
    for (int k = 0; k < model->nsteps; k++)
        end = fmax(end, model->step[k].end);
    if (system->dim != 2)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "profile '%s': surfaces are followed in the plane only, not in dimension %d",
                             spec->name, system->dim);
    if (group->nfacets == 0)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark, "profile '%s': '%s' has nodes, but no sides",
                             spec->name, group->name);
    double last = spec->ntimes ? spec->times[spec->ntimes - 1] : 0;
    if (last > end * (1 + same_time))
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "profile '%s': the time %g is behind the end %g of the last step", spec->name,
                             last, end);
    return STICK_OK;
}

static StickStatus fill(StickContext *ctx, const StickSystem *system, StickProfile *profile)
{
    const StickProfileSpec *spec = profile->spec;
    const StickBody *body = &system->body[spec->of.body];
    const StickGroup *group;
    STICK_TRY(stick_system_group(system, &spec->of, &group));
    STICK_TRY(refuse(ctx, system, spec, group));
    STICK_TRY(cover(ctx, system, group, profile));
    STICK_TRY(line_up(ctx, &body->mesh, group, profile));
    STICK_TRY(find_friction(system, profile));
    STICK_ALLOC(ctx, profile->kept, stick_profile_kept(profile));
    return share_area(ctx, body, group, profile);
}

StickStatus stick_profile_create(StickContext *ctx, const StickSystem *system, const StickProfileSpec *spec,
                                 StickProfile *profile)
{
    *profile = (StickProfile){.spec = spec, .body = spec->of.body, .t = -HUGE_VAL, .t_before = -HUGE_VAL};
    StickStatus status = fill(ctx, system, profile);
    if (status != STICK_OK)
        stick_profile_destroy(ctx, profile);
    return status;
}

void stick_profile_destroy(StickContext *ctx, StickProfile *profile)
{
    stick_free(ctx, profile->node);
    stick_free(ctx, profile->row_of);
    stick_free(ctx, profile->has_contact);
    stick_free(ctx, profile->kept);
    *profile = (StickProfile){0};
}

// ---- columns

static const struct {
    const char *name;
    StickQuantity quantity;
} columns[STICK_PROFILE_COLUMNS] = {
    {"t", STICK_TIME},
    {"node", STICK_NO_UNIT},
    {"s", STICK_LENGTH},
    {"x", STICK_LENGTH},
    {"y", STICK_LENGTH},
    {"area", STICK_AREA},
    {"pressure", STICK_PRESSURE},
    {"shear", STICK_PRESSURE},
    {"friction", STICK_NO_UNIT},
    {"reserve", STICK_NO_UNIT},
    {"status", STICK_NO_UNIT},
};

const char *stick_profile_column(int column)
{
    return column >= 0 && column < STICK_PROFILE_COLUMNS ? columns[column].name : NULL;
}

void stick_profile_labels(const StickModel *model, char label[STICK_PROFILE_COLUMNS][STICK_LABEL_TEXT])
{
    for (int k = 0; k < STICK_PROFILE_COLUMNS; k++) {
        stick_label(&model->units, columns[k].name, columns[k].quantity, label[k]);
        for (char *c = label[k]; *c; c++) // a comma would start the next column
            *c = *c == ',' ? ';' : *c;
    }
}

// ---- states

// The area that the force of a contact stands for is its own: that of its base function, where surfaces are integrated.
// Contacts that touch nothing count where no other does.
static void see_area(StickProfileNode *node, const StickContact *contact, bool active)
{
    if (active)
        node->area = (node->active ? node->area : 0) + contact->area;
    else if (!node->active)
        node->area = fmax(node->area, contact->area);
    node->active |= active;
}

static void see_contact(StickProfile *profile, const StickSimulation *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    int row = profile->has_contact[contact->pair] ? profile->row_of[contact->node] : -1;
    if (row < 0)
        return;
    StickProfileNode *node = &profile->node[row];
    int status = stick_simulation_status(run, c);
    int way = run->walk
                  ? (int)stick_event_driven_between(run->walk, stick_memory_slot(&run->state.memory, contact))
                  : status;
    for (int k = 0; k < 2; k++)
        node->force[k] += stick_simulation_force(run) * run->r[c * 2 + k];
    see_area(node, contact, run->r[c * 2] > 0);
    node->mu = fmax(node->mu, stick_simulation_friction(run, c));
    node->status = status > node->status ? status : node->status;
    node->status_before = way > node->status_before ? way : node->status_before;
}

void stick_profile_see(StickProfile *profile, const StickSimulation *run)
{
    for (int k = 0; k < profile->count; k++) {
        StickProfileNode *node = &profile->node[k];
        for (int j = 0; j < 2; j++) {
            node->before[j] = node->force[j];
            node->force[j] = 0;
        }
        node->mu = NAN;
        node->area = 0;
        node->active = false;
        node->status = node->status_before = STICK_APART;
    }
    profile->t_before = profile->t;
    profile->t = run->state.now.t;
    profile->straight = stick_simulation_is_quasistatic(run) && profile->t_before > -HUGE_VAL;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        see_contact(profile, run, c);
    for (int k = 0; k < profile->count; k++) {
        StickProfileNode *node = &profile->node[k];
        node->area = node->area > 0 ? node->area : node->area_at_rest;
        node->mu = isnan(node->mu) ? node->mu_at_rest : node->mu;
    }
}

// Part of the way from the state before to the present one.
static double way_of(const StickProfile *profile, double t)
{
    double h = profile->t - profile->t_before;
    double part = profile->straight && h > 0 ? (t - profile->t_before) / h : 1;
    return part > 1 - same_time ? 1 : fmax(part, 0);
}

bool stick_profile_is_due(const StickProfile *profile)
{
    if (profile->written >= profile->spec->ntimes)
        return false;
    double h = profile->t_before > -HUGE_VAL ? profile->t - profile->t_before : 0;
    return profile->spec->times[profile->written] <= profile->t + same_time * h;
}

void stick_profile_row(const StickProfile *profile, int k, double row[STICK_PROFILE_COLUMNS])
{
    const StickProfileNode *node = &profile->node[k];
    double t = profile->spec->times[profile->written], part = way_of(profile, t), stress[2];
    for (int j = 0; j < 2; j++)
        stress[j] =
            (part < 1 ? (1 - part) * node->before[j] + part * node->force[j] : node->force[j]) / node->area;
    int status = part < 1 ? node->status_before : node->status;
    // what is left of friction: 1 without any, 0 where it slips
    double most = node->mu * stress[0];
    double reserve = status != STICK_APART && most > 0 ? 1 - fabs(stress[1]) / most : NAN;
    const double values[STICK_PROFILE_COLUMNS] = {
        t,         node->node + 1, node->s,  node->place[0], node->place[1], node->area,
        stress[0], stress[1],      node->mu, reserve,        status,
    };
    for (int j = 0; j < STICK_PROFILE_COLUMNS; j++)
        row[j] = values[j];
}

void stick_profile_next(StickProfile *profile)
{
    profile->written++;
}

// ---- checkpoints

size_t stick_profile_kept(const StickProfile *profile)
{
    return 2 + 2 * (size_t)profile->count;
}

void stick_profile_keep(const StickProfile *profile)
{
    double *kept = profile->kept;
    kept[0] = profile->written;
    kept[1] = profile->t;
    for (int k = 0; k < 2 * profile->count; k++)
        kept[2 + k] = profile->node[k / 2].force[k % 2];
}

StickStatus stick_profile_recall(StickContext *ctx, StickProfile *profile)
{
    const double *kept = profile->kept;
    STICK_CHECK(ctx, kept[0] >= 0 && kept[0] <= profile->spec->ntimes, STICK_BAD_INPUT,
                "the checkpoint has a profile that makes no sense");
    profile->written = (int)kept[0];
    profile->t = kept[1];
    for (int k = 0; k < 2 * profile->count; k++)
        profile->node[k / 2].force[k % 2] = kept[2 + k];
    return STICK_OK;
}
