// SPDX-License-Identifier: Apache-2.0
#include "contact/adjust.h"

#include "base/memory.h"
#include "bodies/supports.h"
#include "contact/parting.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

// Nodes within this part of the size of their body are on the surface.
static const double on_surface = 1e-13;
enum { MOST_PASSES = 40 };

// The middle node of a side of a quadratic element, and the ends of this side.
typedef struct Middle {
    int node, end[2];
} Middle;

typedef struct Adjuster {
    StickContext *ctx;
    StickSystem *system;
    StickModel model; // a copy in which contacts are found at nodes
    double *q, *v;
    bool *moved;     // by body
    double *size;    // by body: largest extent along an axis from its first node
    double *start;   // ndofs: where nodes of deformable bodies were
    Middle **middle; // by body: of its quadratic elements; those of two elements twice
    int *nmiddles;
    bool *is_middle; // by degree of freedom
} Adjuster;

static void measure(Adjuster *adjuster)
{
    for (int b = 0; b < adjuster->system->nbodies; b++) {
        const StickBody *body = &adjuster->system->body[b];
        for (int k = 0; k < body->ndofs && !body->rigid; k++) {
            double x = body->mesh.x[k];
            adjuster->start[body->first + k] = x;
            adjuster->size[b] = fmax(adjuster->size[b], fabs(x - body->mesh.x[k % adjuster->system->dim]));
        }
    }
}

// ---- middle nodes of quadratic elements

static bool is_quadratic(StickShape shape)
{
    return stick_shape_info(shape)->side_shape == STICK_BAR3;
}

static StickStatus list_middles(Adjuster *adjuster, int b)
{
    const StickBody *body = &adjuster->system->body[b];
    const StickMesh *mesh = &body->mesh;
    int count = 0, dim = adjuster->system->dim;
    for (int e = 0; e < mesh->nelements; e++)
        count += is_quadratic(mesh->shape[e]) ? stick_shape_info(mesh->shape[e])->nsides : 0;
    if (count == 0)
        return STICK_OK;
    STICK_ALLOC(adjuster->ctx, adjuster->middle[b], count);
    for (int e = 0; e < mesh->nelements; e++)
        for (int side = 0; is_quadratic(mesh->shape[e]) && side < stick_shape_info(mesh->shape[e])->nsides;
             side++) {
            int node[STICK_MOST_FACET_NODES];
            stick_mesh_facet_nodes(mesh, (StickFacet){e, side}, node);
            adjuster->middle[b][adjuster->nmiddles[b]++] = (Middle){node[2], {node[0], node[1]}};
            adjuster->is_middle[body->first + node[2] * dim] = true;
        }
    return STICK_OK;
}

// Where corners move, middle nodes go with both ends of their side: sides keep their shape, also those inside of the body.
static void middles_follow(const Adjuster *adjuster, int b)
{
    const StickBody *body = &adjuster->system->body[b];
    int dim = adjuster->system->dim;
    double *x = body->mesh.x;
    const double *start = adjuster->start + body->first;
    for (int i = 0; i < adjuster->nmiddles[b]; i++) {
        Middle middle = adjuster->middle[b][i];
        for (int k = 0; k < dim; k++) {
            int m = middle.node * dim + k, p = middle.end[0] * dim + k, q = middle.end[1] * dim + k;
            x[m] = start[m] + ((x[p] - start[p]) + (x[q] - start[q])) / 2;
        }
    }
}

// By how much a node of a body was moved at most, in all passes.
static double farthest(const Adjuster *adjuster, int b)
{
    const StickBody *body = &adjuster->system->body[b];
    int dim = adjuster->system->dim;
    double most = 0;
    for (int i = 0; i < body->mesh.nnodes; i++) {
        double square = 0;
        for (int k = dim * i; k < dim * (i + 1); k++)
            square += (body->mesh.x[k] - adjuster->start[body->first + k]) *
                      (body->mesh.x[k] - adjuster->start[body->first + k]);
        most = fmax(most, sqrt(square));
    }
    return most;
}

// The model of a system is constant: contacts by nodes are those of a copy.
static StickStatus find(const Adjuster *adjuster, StickContactSet *set)
{
    StickSystem seen = *adjuster->system;
    StickPairs *pairs;
    StickDetection where = {.h = 1, .q = adjuster->q};
    seen.model = &adjuster->model;
    STICK_TRY(stick_pairs_create(adjuster->ctx, &seen, &pairs));
    StickStatus status = stick_pairs_detect(pairs, &where, set);
    const StickLost *lost = stick_pairs_lost(pairs);
    if (status == STICK_OK && lost->count > 0 &&
        adjuster->model.contact[lost->pair].overclosure == STICK_OVERCLOSURE_ADJUST)
        status = stick_fail_at(
            adjuster->ctx, STICK_BAD_INPUT, adjuster->model.contact[lost->pair].mark,
            "overlap of %g is deeper than an element: it cannot be adjusted; move the bodies", lost->depth);
    stick_pairs_destroy(pairs);
    return status;
}

// The slave body of a contact that is to be adjusted by its node; -1 if there is none.
static int adjustable_body(const Adjuster *adjuster, const StickContactSet *set, int c)
{
    const StickContact *contact = &set->contact[c];
    // what is between nodes is kept
    if (contact->pair < 0 || contact->feature != contact->node ||
        adjuster->model.contact[contact->pair].overclosure != STICK_OVERCLOSURE_ADJUST)
        return -1;
    int b = adjuster->model.contact[contact->pair].slave.body;
    const StickContact *other = c + 1 < set->ncontacts ? contact + 1 : NULL;
    bool twin = other && other->pair == contact->pair && other->feature == contact->feature;
    // of two contacts of a node the deeper one first
    bool deeper = !(twin && other->gap < contact->gap);
    bool deep = contact->gap < -on_surface * adjuster->size[b];
    return !adjuster->system->body[b].rigid && deeper && deep ? b : -1;
}

// Every node that is too deep goes along the normal to the surface. Middle nodes follow their corners first; then those that
// are still too deep, as on a curved surface, go to it by themselves.
static bool move_nodes(Adjuster *adjuster, const StickContactSet *set, bool middles)
{
    StickSystem *system = adjuster->system;
    int dim = system->dim;
    bool any = false;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        int b = adjustable_body(adjuster, set, c);
        if (b < 0 || adjuster->is_middle[system->body[b].first + contact->feature * dim] != middles)
            continue;
        for (int k = 0; k < dim; k++)
            system->body[b].mesh.x[contact->feature * dim + k] -= contact->gap * contact->frame[0][k];
        adjuster->moved[b] = any = true;
    }
    for (int b = 0; b < system->nbodies && any && !middles; b++)
        if (adjuster->moved[b])
            middles_follow(adjuster, b);
    return any;
}

// Elastic energy that the displacements of the nodes would have taken.
static double energy_of(Adjuster *adjuster, int b)
{
    const StickBody *body = &adjuster->system->body[b];
    double *d = adjuster->q + body->first;
    for (int i = 0; i < body->ndofs; i++)
        d[i] = body->mesh.x[i] - adjuster->start[body->first + i];
    return 0.5 * stick_sparse_form(&body->K, d, d);
}

static StickStatus check_elements(const Adjuster *adjuster, int b)
{
    const StickBody *body = &adjuster->system->body[b];
    const StickMesh *mesh = &body->mesh;
    for (int e = 0; e < mesh->nelements; e++) {
        double x[STICK_MOST_ELEMENT_NODES][3] = {{0}};
        int where;
        for (int i = mesh->start[e]; i < mesh->start[e + 1]; i++)
            memcpy(x[i - mesh->start[e]], &mesh->x[(size_t)mesh->node[i] * (size_t)mesh->dim],
                   (size_t)mesh->dim * sizeof(double));
        if (mesh->dim > 1 && !(stick_mesh_worst_angle((const double(*)[3])x, mesh->shape[e], &where) > 1e-10))
            return stick_fail_at(
                adjuster->ctx, STICK_BAD_INPUT, body->spec->mark,
                "body '%s': its nodes had to be moved by up to %g to adjust an overlap, which turns "
                "element %lld over; move the body, or resolve the overlap",
                body->name, farthest(adjuster, b), stick_mesh_element_tag(mesh, e));
    }
    return STICK_OK;
}

// Supports of dynamics start where they are prescribed.
static StickStatus place_supports(const Adjuster *adjuster, const StickSupports *supports,
                                  const StickStepSpec *step, bool *prescribed)
{
    for (int k = 0; k < supports->count; k++) {
        const StickSupport *support = &supports->support[k];
        prescribed[support->dof] = true;
        if (step->kind == STICK_STEP_DYNAMICS && support->displacement)
            STICK_TRY(stick_support_value(support, 0, &adjuster->q[support->dof]));
    }
    return STICK_OK;
}

static StickStatus part_bodies(const Adjuster *adjuster, const StickStepSpec *step, const bool *prescribed)
{
    StickPairs *pairs;
    StickContactSet set = {0};
    STICK_TRY(stick_pairs_create(adjuster->ctx, adjuster->system, &pairs));
    stick_pairs_hold(pairs, prescribed);
    StickParting parting = {.ctx = adjuster->ctx,
                            .system = adjuster->system,
                            .overlap = step->overlap,
                            .prescribed = prescribed,
                            .pairs = pairs,
                            .where = {.h = step->step, .q = adjuster->q},
                            .q = adjuster->q,
                            .set = &set};
    StickStatus status = stick_pairs_detect(pairs, &parting.where, &set);
    if (status == STICK_OK)
        status = stick_part_bodies(&parting, true);
    stick_contact_set_destroy(adjuster->ctx, &set);
    stick_pairs_destroy(pairs);
    return status;
}

// Rigid bodies first: the run moves them apart before its first step, from the same places by the same amounts, and nodes
// have to meet them where they are then.
static StickStatus start(Adjuster *adjuster)
{
    const StickSystem *system = adjuster->system;
    const StickModel *model = system->model;
    const StickStepSpec *step = model->step;
    STICK_TRY(stick_system_initial(system, adjuster->q, adjuster->v));
    while (step < model->step + model->nsteps - 1 && step->kind == STICK_STEP_STABILITY)
        step++;
    if (system->nrigid == 0 || step->kind != STICK_STEP_DYNAMICS)
        return STICK_OK;
    StickSupports supports;
    STICK_TRY(stick_supports_create(adjuster->ctx, system, &supports));
    bool *prescribed = stick_alloc(adjuster->ctx, (size_t)system->ndofs, sizeof *prescribed);
    StickStatus status = prescribed ? place_supports(adjuster, &supports, step, prescribed) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = part_bodies(adjuster, step, prescribed);
    stick_free(adjuster->ctx, prescribed);
    stick_supports_destroy(adjuster->ctx, &supports);
    return status;
}

static StickStatus adjust(Adjuster *adjuster)
{
    StickContext *ctx = adjuster->ctx;
    StickSystem *system = adjuster->system;
    StickContactSet set = {0};
    STICK_ALLOC(ctx, adjuster->q, system->ndofs);
    STICK_ALLOC(ctx, adjuster->v, system->ndofs);
    STICK_ALLOC(ctx, adjuster->moved, system->nbodies);
    STICK_ALLOC(ctx, adjuster->size, system->nbodies);
    STICK_ALLOC(ctx, adjuster->start, system->ndofs);
    STICK_ALLOC(ctx, adjuster->middle, system->nbodies);
    STICK_ALLOC(ctx, adjuster->nmiddles, system->nbodies);
    STICK_ALLOC(ctx, adjuster->is_middle, system->ndofs);
    STICK_ALLOC(ctx, adjuster->model.contact, adjuster->model.ncontacts);
    for (int i = 0; i < adjuster->model.ncontacts; i++) {
        adjuster->model.contact[i] = system->model->contact[i];
        if (adjuster->model.contact[i].overclosure == STICK_OVERCLOSURE_ADJUST)
            adjuster->model.contact[i].method = STICK_CONTACT_NODES;
    }
    for (int b = 0; b < system->nbodies; b++)
        if (!system->body[b].rigid)
            STICK_TRY(list_middles(adjuster, b));
    measure(adjuster);
    STICK_TRY(start(adjuster));
    bool more = true;
    for (int pass = 0; pass < MOST_PASSES && more; pass++) {
        StickStatus status = find(adjuster, &set);
        more = status == STICK_OK && (move_nodes(adjuster, &set, false) || move_nodes(adjuster, &set, true));
        stick_contact_set_destroy(ctx, &set);
        set = (StickContactSet){0};
        STICK_TRY(status);
    }
    for (int b = 0; b < system->nbodies; b++) {
        if (!adjuster->moved[b])
            continue;
        STICK_TRY(check_elements(adjuster, b));
        STICK_TRY(stick_system_renew(system, b));
        system->adjusted += energy_of(adjuster, b); // q is not used any more
        stick_note(ctx, "body '%s': nodes are moved by up to %.3g to adjust an overlap", system->body[b].name,
                   farthest(adjuster, b));
    }
    return STICK_OK;
}

StickStatus stick_adjusted_system_create(StickContext *ctx, const StickModel *model, StickSystem **system)
{
    bool any = false;
    STICK_TRY(stick_system_create(ctx, model, system));
    for (int i = 0; i < model->ncontacts; i++)
        any = any || model->contact[i].overclosure == STICK_OVERCLOSURE_ADJUST;
    if (!any)
        return STICK_OK;
    Adjuster adjuster = {.ctx = ctx, .system = *system, .model = *model};
    adjuster.model.contact = NULL;
    StickStatus status = adjust(&adjuster);
    stick_free(ctx, adjuster.q);
    stick_free(ctx, adjuster.v);
    stick_free(ctx, adjuster.moved);
    stick_free(ctx, adjuster.size);
    stick_free(ctx, adjuster.start);
    for (int b = 0; b < (*system)->nbodies && adjuster.middle; b++)
        stick_free(ctx, adjuster.middle[b]);
    stick_free(ctx, adjuster.middle);
    stick_free(ctx, adjuster.nmiddles);
    stick_free(ctx, adjuster.is_middle);
    stick_free(ctx, adjuster.model.contact);
    if (status != STICK_OK) {
        stick_system_destroy(*system);
        *system = NULL;
    }
    return status;
}
