// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "contact/contact.h"
#include "contact/integrated.h"
#include "contact/matching.h"
#include "contact/node_facet.h"
#include "contact/overclosure.h"
#include "contact/reentrant_edge.h"
#include "contact/rigid_pairs.h"
#include "contact/rigid_sweep.h"
#include "contact/surface_sweep.h"
#include "contact/two_pass.h"

#include <math.h>

typedef struct Pair {
    const StickContactSpec *spec;
    StickSurface slave;
    StickObstacle *obstacle; // of the list of obstacles, or NULL: a master surface
    StickSurface master;
    StickBvh tree;
    bool integrated;
    StickIntegral integral;
    bool mutual; // the model has it in the other order, too
    StickTwoPass second;
    double scale; // of contact/surface_sweep.h
} Pair;

struct StickPairs {
    StickContext *ctx;
    const StickSystem *system;
    int npairs;
    Pair *pair;
    int nobstacles;
    StickObstacle *obstacle; // those of the model that a pair uses, each once
    int ndofs;
    int *dof;
    StickInterior *interior; // by body, of those that touch another body
    StickLost lost;
    StickHits hits;
    StickRigidPairs *rigid; // NULL: no body is rigid
    StickOverclosures overclosures;
    StickRigidSweep *sweep;
    StickSurfaceSweep *surfaces; // that move far in a step
};

static void destroy_pair(Pair *pair)
{
    stick_surface_destroy(&pair->slave);
    stick_surface_destroy(&pair->master);
    stick_bvh_destroy(&pair->tree);
    stick_integral_destroy(&pair->integral);
    stick_two_pass_destroy(&pair->second);
}

void stick_pairs_destroy(StickPairs *pairs)
{
    if (!pairs)
        return;
    StickContext *ctx = pairs->ctx;
    for (int i = 0; i < pairs->npairs && pairs->pair; i++)
        destroy_pair(&pairs->pair[i]);
    for (int b = 0; b < pairs->system->nbodies && pairs->interior; b++)
        if (pairs->interior[b].body)
            stick_interior_destroy(&pairs->interior[b]);
    stick_rigid_sweep_destroy(pairs->sweep);
    stick_surface_sweep_destroy(pairs->surfaces);
    stick_rigid_pairs_destroy(pairs->rigid);
    stick_overclosures_destroy(ctx, &pairs->overclosures);
    stick_free(ctx, pairs->interior);
    stick_free(ctx, pairs->pair);
    stick_free(ctx, pairs->obstacle);
    stick_free(ctx, pairs->dof);
    stick_free(ctx, pairs->hits.item);
    stick_free(ctx, pairs);
}

double stick_pairs_panel(const StickModel *model)
{
    double panel = INFINITY;
    for (int i = 0; i < model->nsteps; i++)
        if (model->step[i].step > 0)
            panel = fmin(panel, model->step[i].step);
    return isfinite(panel) ? panel : 1e-3;
}

static StickStatus use_obstacle(StickPairs *pairs, int index, StickObstacle **used)
{
    const StickModel *model = pairs->system->model;
    const StickObstacleSpec *spec = &model->obstacle[index];
    for (int i = 0; i < pairs->nobstacles; i++) {
        if (pairs->obstacle[i].spec == spec) {
            *used = &pairs->obstacle[i];
            return STICK_OK;
        }
    }
    StickObstacle *added = &pairs->obstacle[pairs->nobstacles];
    STICK_TRY(stick_obstacle_init(pairs->ctx, spec, pairs->system->dim, stick_pairs_panel(model), added));
    pairs->nobstacles++;
    *used = added;
    return STICK_OK;
}

static StickStatus need_facets(StickPairs *pairs, const StickTarget *target, const StickGroup *group,
                               const char *use)
{
    if (group->nfacets > 0)
        return STICK_OK;
    return stick_fail_at(pairs->ctx, STICK_BAD_MESH, target->mark,
                         "group '%s' of body '%s' has nodes only: a surface with sides is needed %s",
                         group->name, pairs->system->body[target->body].name, use);
}

static StickStatus make_slave(StickPairs *pairs, Pair *pair, const StickGroup **group)
{
    const StickTarget *target = &pair->spec->slave;
    if (target->body < 0)
        return stick_fail_at(
            pairs->ctx, STICK_BAD_INPUT, target->mark,
            "the first of 'between' must be a group of a body, not an obstacle: turn them round");
    STICK_TRY(stick_system_group(pairs->system, target, group));
    return stick_surface_create(pairs->ctx, &pairs->system->body[target->body], pairs->system->dim, *group,
                                &pair->slave);
}

static StickStatus use_interior(StickPairs *pairs, int b)
{
    if (pairs->interior[b].body)
        return STICK_OK;
    return stick_interior_create(pairs->ctx, &pairs->system->body[b], pairs->system->dim,
                                 &pairs->interior[b]);
}

// A body's own nodes are on its skin: nothing of it can be lost in itself.
static StickStatus use_interiors(StickPairs *pairs, const Pair *pair)
{
    int slave = pair->spec->slave.body, master = pair->spec->master.body;
    if (slave == master)
        return STICK_OK;
    STICK_TRY(use_interior(pairs, slave));
    return use_interior(pairs, master);
}

static StickStatus make_master(StickPairs *pairs, Pair *pair, const StickGroup *slave_group,
                               const double *zero)
{
    const StickTarget *target = &pair->spec->master;
    const StickGroup *group;
    if (target->body < 0)
        return use_obstacle(pairs, target->obstacle, &pair->obstacle);
    STICK_TRY(stick_system_group(pairs->system, target, &group));
    if (group == slave_group)
        return stick_fail_at(pairs->ctx, STICK_BAD_INPUT, target->mark,
                             "group '%s' of body '%s' cannot be in contact with itself", group->name,
                             pairs->system->body[target->body].name);
    STICK_TRY(need_facets(pairs, target, group, "as the second of 'between'"));
    STICK_TRY(stick_surface_create(pairs->ctx, &pairs->system->body[target->body], pairs->system->dim, group,
                                   &pair->master));
    stick_surface_update(&pair->master, zero);
    STICK_TRY(stick_reentrant_edge_layers(pairs->ctx, &pair->master));
    STICK_TRY(stick_surface_tree(pairs->ctx, &pair->master, &pair->tree));
    return use_interiors(pairs, pair);
}

static bool is_same(const StickTarget *left, const StickTarget *right)
{
    return left->body == right->body && left->obstacle == right->obstacle &&
           stick_text_equal(left->group, right->group);
}

// Whether another pair has the same two surfaces in the other order: then each pass sees its own corners alone.
static bool is_given_in_both_orders(const StickModel *model, const StickContactSpec *spec)
{
    for (int i = 0; i < model->ncontacts; i++)
        if (&model->contact[i] != spec && is_same(&model->contact[i].slave, &spec->master) &&
            is_same(&model->contact[i].master, &spec->slave))
            return true;
    return false;
}

// Stability is judged of contacts by nodes alone.
static bool is_judged(const StickModel *model)
{
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_STABILITY)
            return true;
    return false;
}

// By default quadratic sides are integrated, because forces at their nodes alone have no definite sign [JM91
// section 8], and sides of two deformable bodies whose meshes do not match, because forces at nodes alone would not pass
// a uniform pressure. Under finite strains the tangent has the rotation of frames for nodes only (stepping/contact_geometric_stiffness.c), and
// Newton's method does not reach as far without it; stability is judged of nodes alone: there nodes remain the default, with a
// note.
static StickStatus choose_method(StickPairs *pairs, Pair *pair, const StickGroup *slave_group,
                                 const double *zero)
{
    StickContactMethod method = pair->spec->method;
    bool rigid = pair->slave.body->rigid || (pair->master.body && pair->master.body->rigid);
    if (rigid && method == STICK_CONTACT_INTEGRATED)
        return stick_fail_at(
            pairs->ctx, STICK_BAD_INPUT, pair->spec->mark,
            "surfaces of rigid bodies are not integrated: their nodes touch (method: nodes)");
    if (method == STICK_CONTACT_INTEGRATED)
        STICK_TRY(need_facets(pairs, &pair->spec->slave, slave_group, "for integrated contact"));
    bool integrate = pair->slave.quadratic || pair->master.quadratic;
    if (method == STICK_CONTACT_DEFAULT && pair->master.body && pair->master.body != pair->slave.body &&
        !rigid && !integrate && slave_group->nfacets > 0 && pairs->system->dim > 1) {
        bool match, finite = pair->slave.body->finite || pair->master.body->finite,
                    judged = is_judged(pairs->system->model);
        stick_surface_update(&pair->slave, zero);
        STICK_TRY(stick_surfaces_match(pairs->ctx, &pair->slave, &pair->master, &match));
        integrate = !match && !finite && !judged;
        if (!match && !integrate)
            stick_note_once_at(
                pairs->ctx, pair->spec->mark,
                "meshes of '%s' and '%s' do not match, and contact is by nodes %s: pressures alternate from "
                "node to node; use meshes that match, a finer first surface%s",
                pair->slave.body->name, pair->master.body->name,
                judged ? "because a stability step judges it" : "because strains are finite",
                judged ? "" : ", or 'method: integrated' where bodies are not pressed hard");
    }
    pair->integrated = method == STICK_CONTACT_INTEGRATED ||
                       (method == STICK_CONTACT_DEFAULT && integrate && slave_group->nfacets > 0);
    // Two points have nothing to integrate over.
    if (pairs->system->dim == 1 || rigid)
        pair->integrated = false;
    stick_surface_update(&pair->slave, zero);
    return pair->integrated ? stick_integral_create(pairs->ctx, &pair->slave,
                                                    pair->obstacle ? NULL : &pair->master, &pair->integral)
                            : STICK_OK;
}

static StickStatus make_pair(StickPairs *pairs, Pair *pair, const double *zero)
{
    const StickGroup *group;
    STICK_TRY(make_slave(pairs, pair, &group));
    STICK_TRY(make_master(pairs, pair, group, zero));
    STICK_TRY(choose_method(pairs, pair, group, zero));
    pair->scale = stick_surface_sweep_scale(&pair->slave, pair->obstacle, &pair->master);
    stick_surface_update(&pair->slave, zero);
    STICK_TRY(stick_two_pass_create(pairs->ctx, &pair->slave, pair->obstacle,
                                    pair->obstacle ? NULL : &pair->master, &pair->second));
    return stick_two_pass_features(&pair->second) > 0 ? use_interior(pairs, pair->spec->slave.body)
                                                      : STICK_OK;
}

static void mark_dofs(const StickSurface *surface, int *marked)
{
    for (int i = 0; i < surface->nnodes && !surface->body->rigid; i++)
        for (int k = 0; k < surface->dim; k++)
            marked[stick_surface_dof(surface, i) + k] = 1;
}

static StickStatus list_dofs(StickPairs *pairs)
{
    int *marked;
    STICK_ALLOC(pairs->ctx, pairs->dof, pairs->system->ndofs);
    STICK_ALLOC(pairs->ctx, marked, pairs->system->ndofs);
    for (int i = 0; i < pairs->npairs; i++) {
        mark_dofs(&pairs->pair[i].slave, marked);
        mark_dofs(&pairs->pair[i].master, marked);
    }
    for (int b = 0; b < pairs->system->nbodies; b++)
        for (int i = 0; i < pairs->system->body[b].ndofs && pairs->system->body[b].rigid; i++)
            marked[pairs->system->body[b].first + i] = 1;
    for (int d = 0; d < pairs->system->ndofs; d++)
        if (marked[d])
            pairs->dof[pairs->ndofs++] = d;
    stick_free(pairs->ctx, marked);
    return STICK_OK;
}

static StickStatus make_pairs(StickPairs *pairs, const double *zero)
{
    const StickModel *model = pairs->system->model;
    STICK_ALLOC(pairs->ctx, pairs->pair, model->ncontacts);
    STICK_ALLOC(pairs->ctx, pairs->obstacle, model->nobstacles);
    STICK_ALLOC(pairs->ctx, pairs->interior, pairs->system->nbodies);
    for (int i = 0; i < model->ncontacts; i++) {
        pairs->npairs = i + 1;
        pairs->pair[i].spec = &model->contact[i];
        pairs->pair[i].mutual = is_given_in_both_orders(model, &model->contact[i]);
        STICK_TRY(make_pair(pairs, &pairs->pair[i], zero));
    }
    STICK_TRY(stick_surface_sweep_create(pairs->ctx, pairs->system->dim, &pairs->surfaces));
    if (pairs->system->nrigid > 0) {
        STICK_TRY(
            stick_rigid_pairs_create(pairs->ctx, pairs->system, stick_pairs_panel(model), &pairs->rigid));
        STICK_TRY(stick_rigid_sweep_create(pairs->ctx, pairs->rigid, &pairs->sweep));
    }
    return list_dofs(pairs);
}

StickStatus stick_pairs_create(StickContext *ctx, const StickSystem *system, StickPairs **pairs)
{
    double *zero;
    StickPairs *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    made->system = system;
    zero = stick_alloc(ctx, (size_t)system->ndofs, sizeof *zero);
    StickStatus status = zero ? make_pairs(made, zero) : STICK_NO_MEMORY;
    stick_free(ctx, zero);
    if (status != STICK_OK)
        stick_pairs_destroy(made);
    else
        *pairs = made;
    return status;
}

int stick_pairs_ndofs(const StickPairs *pairs)
{
    return pairs->ndofs;
}

const int *stick_pairs_dofs(const StickPairs *pairs)
{
    return pairs->dof;
}

StickStatus stick_pairs_obstacle_speed(StickPairs *pairs, double t, double h, double *speed)
{
    double largest = stick_overclosures_speed(&pairs->overclosures, t, h);
    for (int i = 0; i < pairs->nobstacles; i++) {
        double displacement[3], velocity[3];
        STICK_TRY(stick_translation_at(&pairs->obstacle[i].translation, t, h, displacement, velocity));
        largest = fmax(largest, stick_vec_norm(velocity));
    }
    *speed = largest;
    if (!pairs->rigid)
        return STICK_OK;
    STICK_TRY(stick_rigid_pairs_obstacle_speed(pairs->rigid, t, h, speed));
    *speed = fmax(*speed, largest);
    return STICK_OK;
}

void stick_pairs_hold(StickPairs *pairs, const bool *prescribed)
{
    if (pairs->rigid)
        stick_rigid_pairs_hold(pairs->rigid, prescribed);
}

bool stick_pairs_turn(const StickPairs *pairs)
{
    for (int i = 0; i < pairs->npairs; i++) {
        const StickObstacle *obstacle = pairs->pair[i].obstacle;
        if (pairs->system->dim > 1 && (!obstacle || obstacle->spec->kind != STICK_OBSTACLE_PLANE))
            return true;
    }
    return false;
}

static bool is_flat(const StickObstacle *obstacle)
{
    return obstacle &&
           (obstacle->spec->kind == STICK_OBSTACLE_PLANE || obstacle->spec->kind == STICK_OBSTACLE_POLYLINE);
}

int stick_pairs_round(const StickPairs *pairs)
{
    for (int i = 0; i < pairs->npairs && pairs->system->dim > 1; i++)
        if (!is_flat(pairs->pair[i].obstacle))
            return i;
    return -1;
}

int stick_pairs_integrated(const StickPairs *pairs)
{
    for (int i = 0; i < pairs->npairs; i++)
        if (pairs->pair[i].integrated)
            return i;
    return -1;
}

static StickStatus detect_pair(StickPairs *pairs, int index, const StickDetection *where,
                               StickContactSet *set)
{
    Pair *pair = &pairs->pair[index];
    StickSearch search = {
        .pair = index, .slave = &pair->slave, .obstacle = pair->obstacle, .lost = &pairs->lost};
    // Less than what moves in the step would let contacts be missed.
    search.reach = where->all ? INFINITY : fmax(pair->spec->reach, where->reach);
    if (where->ahead)
        search.reach += where->ahead[pair->spec->slave.body] +
                        (pair->obstacle ? 0 : where->ahead[pair->spec->master.body]);
    stick_surface_update(&pair->slave, where->q);
    if (!pair->obstacle) {
        stick_surface_update(&pair->master, where->q);
        stick_surface_refit(&pair->master, &pair->tree);
        search.master = &pair->master;
        search.tree = &pair->tree;
        search.interior =
            pair->slave.body == pair->master.body ? NULL : &pairs->interior[pair->spec->master.body];
    }
    bool own = !pair->obstacle && pair->slave.body == pair->master.body;
    StickTwoPassTask second = {
        .search = &search,
        .integrated = pair->integrated,
        .mutual = pair->mutual,
        .slave_interior = own ? NULL : &pairs->interior[pair->spec->slave.body],
        .first = set->ncontacts,
    };
    if (pair->integrated)
        STICK_TRY(stick_integrated_detect(&pair->integral, &search, &pairs->hits, set));
    else
        STICK_TRY(stick_node_facet_detect(pairs->ctx, &search, &pairs->hits, set));
    STICK_TRY(stick_two_pass_detect(&pair->second, &second, set));
    if (!pair->integrated)
        return STICK_OK;
    int tips = pair->slave.body->mesh.nnodes + stick_two_pass_features(&pair->second);
    return stick_integrated_tips(&pair->integral, &search, tips, pair->second.has_node, &pairs->hits, set);
}

static void name_bodies(const StickContactSpec *spec, int from, StickContactSet *set)
{
    for (int c = from; c < set->ncontacts; c++) {
        StickContact *contact = &set->contact[c];
        contact->rule = -1;
        contact->body[0] = spec->slave.body;
        contact->body[1] = spec->master.body;
        contact->obstacle = spec->master.body < 0 ? spec->master.obstacle : -1;
    }
}

static StickStatus detect_all(StickPairs *pairs, const StickDetection *where, StickContactSet *set)
{
    for (int i = 0; i < pairs->npairs; i++) {
        int from = set->ncontacts;
        STICK_TRY(detect_pair(pairs, i, where, set));
        name_bodies(pairs->pair[i].spec, from, set);
    }
    return pairs->rigid && !where->all ? stick_rigid_pairs_detect(pairs->rigid, where, set) : STICK_OK;
}

StickStatus stick_pairs_detect(StickPairs *pairs, const StickDetection *where, StickContactSet *set)
{
    set->ctx = pairs->ctx;
    set->dim = pairs->system->dim;
    set->ncontacts = 0;
    pairs->lost = (StickLost){0};
    for (int b = 0; b < pairs->system->nbodies; b++)
        if (pairs->interior[b].body)
            stick_interior_move(&pairs->interior[b], where->q);
    for (int i = 0; i < pairs->nobstacles; i++)
        STICK_TRY(stick_obstacle_move(&pairs->obstacle[i], where->t, where->h));
    StickStatus status = detect_all(pairs, where, set);
    if (status != STICK_OK)
        set->ncontacts = 0;
    stick_overclosures_apply(&pairs->overclosures, where->t, where->h, set);
    return status;
}

StickStatus stick_pairs_resolve(StickPairs *pairs, const double *q, double h, double end)
{
    StickContactSet set = {0};
    StickDetection where = {.h = h, .q = q};
    stick_overclosures_destroy(pairs->ctx, &pairs->overclosures);
    if (!stick_overclosures_are_resolved(pairs->system->model))
        return STICK_OK;
    StickStatus status = stick_pairs_detect(pairs, &where, &set);
    if (status == STICK_OK)
        status = stick_overclosures_create(pairs->ctx, pairs->system->model, pairs, &set, end,
                                           &pairs->overclosures);
    stick_contact_set_destroy(pairs->ctx, &set);
    return status;
}

static StickSweptPair swept_pair(StickPairs *pairs, int index)
{
    Pair *pair = &pairs->pair[index];
    return (StickSweptPair){.pair = index,
                            .spec = pair->spec,
                            .slave = &pair->slave,
                            .obstacle = pair->obstacle,
                            .master = pair->obstacle ? NULL : &pair->master,
                            .master_tree = &pair->tree,
                            .second = &pair->second,
                            .mutual = pair->mutual,
                            .scale = pair->scale};
}

static StickStatus sweep_surfaces(StickPairs *pairs, const StickMotionSweep *sweep, StickContactSet *set,
                                  int *changed)
{
    stick_surface_sweep_clear(pairs->surfaces);
    for (int i = 0; i < pairs->nobstacles; i++)
        STICK_TRY(stick_obstacle_move(&pairs->obstacle[i], sweep->t, sweep->h));
    for (int i = 0; i < pairs->npairs; i++) {
        StickSweptPair pair = swept_pair(pairs, i);
        bool is_fast;
        STICK_TRY(stick_surface_sweep_begin(pairs->surfaces, &pair, sweep, &is_fast));
        if (is_fast)
            STICK_TRY(stick_surface_sweep_find(pairs->surfaces, set));
    }
    return stick_surface_sweep_merge(pairs->surfaces, set, changed);
}

void stick_pairs_drive(const StickPairs *pairs, StickContact *contact)
{
    if (contact->obstacle >= 0)
        stick_contact_drive(contact,
                            stick_rigid_pairs_view(pairs->rigid).obstacle[contact->obstacle].velocity);
}

StickStatus stick_pairs_sweep(StickPairs *pairs, const StickMotionSweep *sweep, StickContactSet *set,
                              int *changed)
{
    int surfaces = 0;
    *changed = 0;
    if (pairs->npairs > 0)
        STICK_TRY(sweep_surfaces(pairs, sweep, set, &surfaces));
    if (pairs->sweep)
        STICK_TRY(stick_rigid_sweep_add(pairs->sweep, sweep, set, changed));
    *changed += surfaces;
    return STICK_OK;
}

StickStatus stick_pairs_insert(StickPairs *pairs, const StickContactSet *hits, StickContactSet *set)
{
    stick_surface_sweep_clear(pairs->surfaces);
    return stick_surface_sweep_insert(pairs->surfaces, hits, set);
}

// Planes have no other side, and one normal.
static StickStatus is_fast(StickPairs *pairs, int index, const StickMotionSweep *sweep, bool *fast)
{
    StickSweptPair pair = swept_pair(pairs, index);
    *fast = false;
    if (pair.obstacle && pair.obstacle->spec->kind == STICK_OBSTACLE_PLANE)
        return STICK_OK;
    if (pair.obstacle)
        STICK_TRY(stick_obstacle_move(pairs->pair[index].obstacle, sweep->t, sweep->h));
    return stick_surface_sweep_begin(pairs->surfaces, &pair, sweep, fast);
}

StickStatus stick_pairs_are_fast(StickPairs *pairs, const StickMotionSweep *sweep, bool *fast)
{
    *fast = false;
    for (int i = 0; i < pairs->npairs && !*fast; i++)
        STICK_TRY(is_fast(pairs, i, sweep, fast));
    return STICK_OK;
}

// The gap up to which contacts of a pair stand for the span.
static StickStatus find_near(StickPairs *pairs, int index, const StickMotionSweep *sweep, double *near)
{
    bool fast;
    STICK_TRY(is_fast(pairs, index, sweep, &fast));
    *near = fast ? stick_surface_sweep_near(pairs->surfaces) : INFINITY;
    return STICK_OK;
}

StickStatus stick_pairs_near(StickPairs *pairs, const StickMotionSweep *sweep, double *near)
{
    for (int i = 0; i < pairs->npairs; i++)
        STICK_TRY(find_near(pairs, i, sweep, &near[i]));
    return STICK_OK;
}

StickStatus stick_pairs_drop_far(StickPairs *pairs, const StickMotionSweep *sweep, StickContactSet *set)
{
    int kept = 0, c = 0;
    for (int i = 0; i < pairs->npairs; i++) {
        double near;
        STICK_TRY(find_near(pairs, i, sweep, &near));
        for (; c < set->ncontacts && set->contact[c].pair == i; c++)
            if (set->contact[c].gap <= near)
                set->contact[kept++] = set->contact[c];
    }
    for (; c < set->ncontacts; c++)
        set->contact[kept++] = set->contact[c];
    set->ncontacts = kept;
    return STICK_OK;
}

int stick_pairs_features(const StickPairs *pairs, int pair)
{
    const Pair *of = &pairs->pair[pair];
    int tips = of->integrated ? of->slave.nnodes : 0;
    return of->slave.body->mesh.nnodes + stick_two_pass_features(&of->second) + tips;
}

StickStatus stick_pairs_distance(StickPairs *pairs, const StickDetection *where, int a, int b, int obstacle,
                                 double *distance)
{
    return stick_rigid_pairs_distance(pairs->rigid, where, a, b, obstacle, distance);
}

const StickLost *stick_pairs_lost(const StickPairs *pairs)
{
    return &pairs->lost;
}

// Nearer to the skin than this part of a side, nodes between those of the other mesh are not buried.
static const double CLEAR = 0.05;

static double largest_side(const StickSurface *surface)
{
    double largest = 0;
    for (int k = 0; k < surface->npieces; k++)
        largest = fmax(largest, surface->piece[k].size);
    return largest;
}

static StickStatus look_for_buried(StickPairs *pairs, int index, StickLost *buried)
{
    const Pair *pair = &pairs->pair[index];
    StickInterior *slave = &pairs->interior[pair->spec->slave.body];
    double margin = CLEAR * largest_side(&pair->slave);
    for (int i = 0; i < pair->master.nnodes; i++) {
        const double *place = pair->master.place + 3 * i;
        bool inside = stick_interior_may_hold(slave, place);
        if (inside)
            STICK_TRY(stick_interior_buries(slave, place, margin, &pairs->hits, &inside));
        if (!inside || buried->count++ > 0)
            continue;
        buried->pair = index;
        buried->feature = pair->master.node[i];
        for (int k = 0; k < 3; k++)
            buried->place[k] = place[k];
    }
    return STICK_OK;
}

StickStatus stick_pairs_buried(StickPairs *pairs, double t, StickLost *buried)
{
    *buried = (StickLost){0};
    for (int i = 0; i < pairs->npairs; i++) {
        const Pair *pair = &pairs->pair[i];
        bool apart = pair->obstacle || pair->spec->slave.body == pair->spec->master.body;
        // nodes of both sides are inside of each other while their overlap is resolved
        bool overlaps = pair->spec->overclosure == STICK_OVERCLOSURE_RESOLVE && t < pairs->overclosures.end;
        if (!apart && !overlaps && !is_given_in_both_orders(pairs->system->model, pair->spec))
            STICK_TRY(look_for_buried(pairs, i, buried));
    }
    return STICK_OK;
}
