// SPDX-License-Identifier: Apache-2.0
//
// Linear elements lock in two ways. Nearly incompressible material: an element that keeps its volume at every
// integration point can hardly deform. Bending of one layer: curvature k requires a shear k x in a linear element of
// length a, but not in a bent plate of thickness t. The energy of this shear is
//     G k^2 a^2/12  compared with that of bending,  E/(1 - nu^2) k^2 t^2/12:   ratio (1 - nu)/2 (a/t)^2.
// The strain across the layer is constant, where Poisson's ratio requires a linear one: ratio (1 - nu)^2/(1 - 2 nu).
#include "bodies/locking.h"

#include "base/memory.h"
#include "base/vec.h"
#include "fem/material.h"
#include "mesh/sides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// From this Poisson's ratio on.
static const double incompressible = 0.49;
// A part is thin if its length is at least this multiple of its thickness; too stiff by less than 5 % is not reported.
static const double thin = 5, too_stiff = 1.05;

static bool is_linear(StickShape shape)
{
    return stick_shape_info(shape)->dim > 1 &&
           stick_shape_info(shape)->nodes == stick_shape_info(shape)->corners;
}

static void warn_of_volume(const StickSystem *system, const StickBody *body)
{
    const StickMaterial *material = body->continuum.material;
    const StickMesh *mesh = &body->mesh;
    int plain = 0, simplices = 0;
    for (int e = 0; e < mesh->nelements; e++) {
        plain += is_linear(mesh->shape[e]);
        simplices += mesh->shape[e] == STICK_TRI3 || mesh->shape[e] == STICK_TET4;
    }
    bool free_volume = mesh->dim == 1 || (mesh->dim == 2 && body->spec->plane == STICK_PLANE_STRESS);
    if (material->poisson < incompressible || free_volume || body->continuum.mean_dilatation || plain == 0)
        return;
    stick_warn_at(
        system->ctx, body->spec->mark,
        "body '%s' is much too stiff: its material '%s' hardly changes its volume (Poisson's ratio %.6g), "
        "with which linear elements lock; give it 'element: mean-dilatation'%s%s",
        body->name, material->name, material->poisson,
        simplices > 0 ? mesh->dim == 2 ? " on quadrilaterals" : " on hexahedra" : "",
        mesh->dim == 2 ? ", or 'element: quadratic'" : "");
}

static void warn_of_plane(const StickSystem *system, const StickBody *body)
{
    static const struct {
        unsigned stated;
        const char *types, *word;
    } planes[] = {[STICK_PLANE_STRAIN] = {STICK_MESH_PLANE_STRAIN, "CPE (plane strain)", "strain"},
                  [STICK_PLANE_STRESS] = {STICK_MESH_PLANE_STRESS, "CPS (plane stress)", "stress"},
                  [STICK_AXISYMMETRIC] = {STICK_MESH_AXISYMMETRIC, "CAX (axisymmetric)", "axisymmetric"}};
    for (int k = 0; k < 3; k++)
        if (body->mesh.planes & planes[k].stated && k != (int)body->spec->plane) {
            stick_warn_at(system->ctx, body->spec->mark,
                          "the mesh file of body '%s' has elements of type %s, but the body has 'plane: %s', "
                          "which counts",
                          body->name, planes[k].types, planes[body->spec->plane].word);
            return;
        }
}

// ---- parts of one layer

typedef struct Layer {
    const StickMesh *mesh;
    bool *held;        // nnodes: in a group of a support
    int *parent;       // nnodes: a node of the same part
    double *thickness; // nelements: of an element that is a single layer; 0: it is not
    double *factor;    // nelements: how many times too stiff it bends
} Layer;

// Opposite sides of quadrilaterals and hexahedra.
static const int opposite[2][3][2] = {{{0, 2}, {1, 3}, {-1, -1}}, {{0, 1}, {2, 4}, {5, 3}}};

static void middle_of(const StickMesh *mesh, StickFacet facet, double x[3])
{
    int node[STICK_MOST_FACET_NODES], count = stick_mesh_facet_nodes(mesh, facet, node);
    memset(x, 0, 3 * sizeof *x);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < mesh->dim; k++)
            x[k] += mesh->x[(size_t)node[i] * (size_t)mesh->dim + (size_t)k] / count;
}

static bool is_held(const Layer *layer, StickFacet facet)
{
    int node[STICK_MOST_FACET_NODES], count = stick_mesh_facet_nodes(layer->mesh, facet, node), held = 0;
    for (int i = 0; i < count; i++)
        held += layer->held[node[i]];
    return held == count;
}

// Both ends of a direction are free sides, neither of which is held: the element is a layer by itself.
static void look_at_cell(Layer *layer, const StickSides *sides, int e, double poisson)
{
    const StickMesh *mesh = layer->mesh;
    double thickness = HUGE_VAL, length = 0;
    for (int k = 0; k < mesh->dim; k++) {
        const int *pair = opposite[mesh->dim - 2][k];
        StickFacet from = {e, pair[0]}, to = {e, pair[1]};
        double a[3], b[3], across[3];
        middle_of(mesh, from, a);
        middle_of(mesh, to, b);
        stick_vec_sub(b, a, across);
        double size = stick_vec_norm(across);
        if (!stick_sides_is_free(sides, mesh, from) || !stick_sides_is_free(sides, mesh, to))
            length = fmax(length, size);
        else if (!is_held(layer, from) && !is_held(layer, to))
            thickness = fmin(thickness, size);
    }
    if (thickness == HUGE_VAL || length == 0)
        return;
    double nu = fmin(poisson, incompressible), ratio = length / thickness;
    layer->thickness[e] = thickness;
    layer->factor[e] = (1 - nu) * (1 - nu) / (1 - 2 * nu) + (1 - nu) / 2 * ratio * ratio;
}

// Free sides at each node, by their normals: a triangle or tetrahedron is a layer if its nodes see opposite ones.
typedef struct Normals {
    int *start; // nnodes + 1
    int *side;
    double *n; // three numbers per free side; not of unit length
    bool *held;
} Normals;

static StickStatus find_normals(StickContext *ctx, const Layer *layer, const StickSides *sides,
                                Normals *normals)
{
    const StickMesh *mesh = layer->mesh;
    int node[STICK_MOST_FACET_NODES], count = 0, nsides = 0;
    STICK_ALLOC(ctx, normals->start, mesh->nnodes + 2);
    STICK_ALLOC(ctx, normals->n, 3 * (size_t)sides->count);
    STICK_ALLOC(ctx, normals->held, sides->count);
    for (int pass = 0; pass < 2; pass++) {
        nsides = 0;
        for (int s = 0, alike; s < sides->count; s += alike) {
            StickFacet facet = sides->side[s].facet;
            alike = stick_sides_alike(sides, s);
            if (alike > 1)
                continue;
            count = stick_mesh_facet_nodes(mesh, facet, node);
            for (int i = 0; i < count; i++) {
                if (pass == 0)
                    normals->start[node[i] + 2]++;
                else
                    normals->side[normals->start[node[i] + 1]++] = nsides;
            }
            double x[3][3] = {{0}}, edge[2][3], *n = &normals->n[3 * (size_t)nsides];
            for (int i = 0; i < 3 && i < count; i++)
                for (int k = 0; k < mesh->dim; k++)
                    x[i][k] = mesh->x[(size_t)node[i] * (size_t)mesh->dim + (size_t)k];
            stick_vec_sub(x[1], x[0], edge[0]);
            stick_vec_sub(x[2], x[0], edge[1]);
            if (mesh->dim == 2)
                edge[1][0] = edge[1][1] = 0, edge[1][2] = 1;
            stick_vec_cross(edge[0], edge[1], n);
            normals->held[nsides++] = is_held(layer, facet);
        }
        if (pass == 1)
            break;
        for (int i = 0; i < mesh->nnodes; i++)
            normals->start[i + 2] += normals->start[i + 1];
        STICK_ALLOC(ctx, normals->side, normals->start[mesh->nnodes + 1]);
    }
    return STICK_OK;
}

static void look_at_simplex(Layer *layer, const Normals *normals, int e)
{
    const StickMesh *mesh = layer->mesh;
    const int *node = &mesh->node[mesh->start[e]];
    int corners = mesh->dim + 1;
    for (int i = 0; i < corners; i++)
        if (normals->start[node[i]] == normals->start[node[i] + 1])
            return;
    for (int i = 0; i < corners; i++)
        for (int j = 0; j < i; j++)
            for (int k = normals->start[node[i]]; k < normals->start[node[i] + 1]; k++)
                for (int l = normals->start[node[j]]; l < normals->start[node[j] + 1]; l++) {
                    int s = normals->side[k], r = normals->side[l];
                    const double *n = &normals->n[3 * (size_t)s], *m = &normals->n[3 * (size_t)r];
                    double cosine = stick_vec_dot(n, m) / (stick_vec_norm(n) * stick_vec_norm(m)),
                           edge[3] = {0};
                    if (cosine > -0.95 || normals->held[s] || normals->held[r])
                        continue;
                    for (int d = 0; d < mesh->dim; d++)
                        edge[d] = mesh->x[(size_t)node[i] * (size_t)mesh->dim + (size_t)d] -
                                  mesh->x[(size_t)node[j] * (size_t)mesh->dim + (size_t)d];
                    double across = fabs(stick_vec_dot(edge, n)) / stick_vec_norm(n);
                    if (layer->thickness[e] == 0 || across < layer->thickness[e])
                        layer->thickness[e] = across;
                    layer->factor[e] = HUGE_VAL;
                }
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

typedef struct Part {
    int count;
    double thickness, factor, low[3], high[3]; // sum, largest
} Part;

// Connected parts with a single layer: reports the largest one that is long compared with its thickness.
static void report_parts(const StickSystem *system, const StickBody *body, const Layer *layer, Part *part)
{
    const StickMesh *mesh = layer->mesh;
    for (int i = 0; i < mesh->nnodes; i++) {
        layer->parent[i] = i;
        for (int d = 0; d < 3; d++)
            part[i].low[d] = HUGE_VAL, part[i].high[d] = -HUGE_VAL;
    }
    for (int e = 0; e < mesh->nelements; e++)
        for (int k = mesh->start[e] + 1; k < mesh->start[e + 1] && layer->thickness[e] > 0; k++) {
            int a = root_of(layer->parent, mesh->node[k]), b = root_of(layer->parent, mesh->node[k - 1]);
            layer->parent[a > b ? a : b] = a > b ? b : a;
        }
    for (int e = 0; e < mesh->nelements; e++) {
        Part *of = &part[root_of(layer->parent, mesh->node[mesh->start[e]])];
        if (layer->thickness[e] == 0)
            continue;
        of->count++;
        of->thickness += layer->thickness[e];
        of->factor = fmax(of->factor, layer->factor[e]);
        for (int k = mesh->start[e]; k < mesh->start[e + 1]; k++)
            for (int d = 0; d < mesh->dim; d++) {
                double x = mesh->x[(size_t)mesh->node[k] * (size_t)mesh->dim + (size_t)d];
                of->low[d] = fmin(of->low[d], x);
                of->high[d] = fmax(of->high[d], x);
            }
    }
    const Part *worst = NULL;
    for (int i = 0; i < mesh->nnodes; i++) {
        double extent = 0;
        for (int d = 0; d < mesh->dim && part[i].count > 0; d++)
            extent = fmax(extent, part[i].high[d] - part[i].low[d]);
        if (part[i].count > (worst ? worst->count : 0) && part[i].factor >= too_stiff &&
            extent >= thin * part[i].thickness / part[i].count)
            worst = &part[i];
    }
    if (!worst)
        return;
    char place[120] = "", much[80] = "";
    for (int d = 0; d < mesh->dim; d++)
        snprintf(place + strlen(place), sizeof place - strlen(place), "%s%.4g to %.4g", d > 0 ? ", " : "",
                 worst->low[d], worst->high[d]);
    if (worst->factor < HUGE_VAL)
        snprintf(much, sizeof much, " (here by a factor of about %.2g)", worst->factor);
    bool simplex = worst->factor == HUGE_VAL;
    const char *name = mesh->dim == 2 ? simplex ? "tri3" : "quad4" : simplex ? "tet4" : "hex8";
    const char *more =
        simplex ? "use several layers of hexahedra that are no longer than a third of the thickness"
        : mesh->dim == 3
            ? "use two layers or more, of elements along the part that are no longer than a third "
              "of the thickness"
            : "use 'element: quadratic'";
    stick_warn_at(
        system->ctx, body->spec->mark,
        "body '%s' has one layer of %s elements through its thickness of %.3g, %d of them within (%s): "
        "they lock in bending, which is too stiff%s; %s",
        body->name, name, worst->thickness / worst->count, worst->count, place, much, more);
}

static StickStatus find_held(const StickSystem *system, const StickBody *body, bool *held)
{
    const StickModel *model = system->model;
    for (int k = 0; k < model->nsupports; k++) {
        const StickGroup *group;
        if (model->support[k].on.body != (int)(body - system->body))
            continue;
        STICK_TRY(stick_system_group(system, &model->support[k].on, &group));
        for (int i = 0; i < group->nnodes; i++)
            held[group->node[i]] = true;
    }
    return STICK_OK;
}

static StickStatus warn_of_layers(const StickSystem *system, const StickBody *body)
{
    StickContext *ctx = system->ctx;
    const StickMesh *mesh = &body->mesh;
    Layer layer = {.mesh = mesh};
    Normals normals = {0};
    StickSides sides;
    Part *part = NULL;
    STICK_TRY(stick_sides_create(ctx, mesh, &sides));
    layer.held = stick_alloc(ctx, (size_t)mesh->nnodes, sizeof *layer.held);
    layer.parent = stick_alloc(ctx, (size_t)mesh->nnodes, sizeof *layer.parent);
    layer.thickness = stick_alloc(ctx, (size_t)mesh->nelements, sizeof *layer.thickness);
    layer.factor = stick_alloc(ctx, (size_t)mesh->nelements, sizeof *layer.factor);
    part = stick_alloc(ctx, (size_t)mesh->nnodes, sizeof *part);
    bool taken = layer.held && layer.parent && layer.thickness && layer.factor && part;
    StickStatus status = taken ? find_held(system, body, layer.held) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = find_normals(ctx, &layer, &sides, &normals);
    for (int e = 0; e < mesh->nelements && status == STICK_OK; e++) {
        StickShape shape = mesh->shape[e];
        if (shape == STICK_QUAD4 || shape == STICK_HEX8)
            look_at_cell(&layer, &sides, e, body->continuum.material->poisson);
        else if (shape == STICK_TRI3 || shape == STICK_TET4)
            look_at_simplex(&layer, &normals, e);
    }
    if (status == STICK_OK)
        report_parts(system, body, &layer, part);
    stick_free(ctx, part);
    stick_free(ctx, layer.factor);
    stick_free(ctx, layer.thickness);
    stick_free(ctx, layer.parent);
    stick_free(ctx, layer.held);
    stick_free(ctx, normals.held);
    stick_free(ctx, normals.n);
    stick_free(ctx, normals.side);
    stick_free(ctx, normals.start);
    stick_sides_destroy(ctx, &sides);
    return status;
}

StickStatus stick_locking_warn(const StickSystem *system)
{
    const StickBody *last = NULL;
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        if (body->rigid || body->mesh.dim == 1)
            continue;
        // bodies of one `repeat` stand at the same place of the file
        const StickMark *mark = &body->spec->mark;
        if (last && mark->line == last->spec->mark.line && mark->column == last->spec->mark.column &&
            mark->line > 0)
            continue;
        last = body;
        warn_of_volume(system, body);
        warn_of_plane(system, body);
        STICK_TRY(warn_of_layers(system, body));
    }
    return STICK_OK;
}
