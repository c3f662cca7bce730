// SPDX-License-Identifier: Apache-2.0
#include "stepping/gap_bias.h"

#include "stepping/surface_rounds.h"

#include <math.h>

// ---- candidates

enum { BURIED_EVERY = 8 }; // steps: a corner sinks in slowly

StickStatus stick_gap_bias_watch_buried(StickSimulation *run)
{
    StickLost buried;
    if (run->state.step % BURIED_EVERY != 0 || run->record.buried > 0)
        return STICK_OK;
    STICK_TRY(stick_pairs_buried(run->pairs, run->state.now.t, &buried));
    run->record.buried = buried.count;
    if (buried.count == 0)
        return STICK_OK;
    const StickContactSpec *spec = &run->system->model->contact[buried.pair];
    const StickBody *slave = &run->system->body[spec->slave.body],
                    *master = &run->system->body[spec->master.body];
    stick_warn_at(run->ctx, spec->mark,
                  "t = %g: node %lld of body '%s' lies inside of body '%s', and this pair does not see it: "
                  "results become "
                  "wrong; give the pair in the other order too",
                  run->state.now.t, stick_mesh_node_tag(&master->mesh, buried.feature), master->name,
                  slave->name);
    return STICK_OK;
}

void stick_gap_bias_middle(const StickSimulation *run, const double *v_free, double *q)
{
    const StickMotion *now = &run->state.now;
    double h = run->h, kappa = run->scheme.kappa;
    double carried = run->scheme.kind == STICK_SCHEME_NEWMARK ? h * (0.5 - kappa) : 0;
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickBody *body = &run->system->body[b];
        for (int i = body->first; i < body->first + body->ndofs && !body->rigid; i++) {
            double v = kappa * (v_free[i] + now->kick[i]) + (1 - kappa) * now->v[i] + carried * now->a[i];
            q[i] = now->q[i] + 0.5 * h * (run->newton_contact ? now->v[i] : v);
        }
    }
}

// Frames and H in the middle of the step.
static StickStatus turn_frames(StickSimulation *run, StickDetection where)
{
    if (run->contacts.ncontacts == 0 || !stick_pairs_turn(run->pairs))
        return STICK_OK;
    stick_gap_bias_middle(run, run->state.next.v, run->work);
    where.q = run->work;
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->middle));
    return stick_contact_set_turn(run->ctx, &run->contacts, &run->middle);
}

// Candidates and gaps at q^i [VPJR98 section 4]: all that could touch within this step.
StickStatus stick_gap_bias_detect(StickSimulation *run)
{
    const StickMotion *now = &run->state.now, *next = &run->state.next;
    double fastest = fmax(stick_simulation_largest(now->v, run->state.n),
                          stick_simulation_largest(next->v, run->state.n)),
           obstacles;
    STICK_TRY(
        stick_pairs_obstacle_speed(run->pairs, now->t + run->scheme.ahead * run->h, run->h, &obstacles));
    bool is_carried;
    STICK_TRY(stick_surface_rounds_carry(run, &is_carried));
    StickDetection where = {
        .t = now->t + run->scheme.ahead * run->h,
        .h = run->h,
        .q = is_carried ? run->q_M : now->q,
        .reach = 4 * run->h * fmax(fastest, obstacles) * sqrt((double)run->system->dim),
    };
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    STICK_TRY(stick_simulation_refuse_lost(run, STICK_NOT_SOLVED));
    STICK_TRY(stick_gap_bias_watch_buried(run));
    for (int c = 0; c < run->contacts.ncontacts; c++)
        run->contacts.contact[c].carried = is_carried;
    return turn_frames(run, where);
}

// ---- gaps

// The gap at t^i: the modified theta-method is told that of an obstacle which is ahead by a part of a step.
static double gap_now(const StickSimulation *run, const StickContact *contact)
{
    return contact->gap - (contact->carried ? 0 : run->scheme.ahead * run->h * contact->u_drive[0]);
}

// To push it out would take a velocity of depth / h.
double stick_gap_bias_depth(const StickSimulation *run, const StickContact *contact)
{
    const StickContactMemory *memory = &run->state.memory;
    int slot = stick_memory_slot(memory, contact);
    if (contact->swept)
        return 0;
    double gap = gap_now(run, contact), old = memory->known[slot] > 0 ? memory->depth[slot] : gap;
    // steady sliding has overlaps resolved that contacts resolve
    if (run->spec->kind == STICK_STEP_SLIDING &&
        run->system->model->contact[contact->pair].overclosure == STICK_OVERCLOSURE_RESOLVE)
        return 0;
    return fmin(0, fmax(old, gap));
}

// A node that came around an edge and is first seen this deep, in distances to its neighbours, is held at a wrong place.
static const double much_depth = 0.1;

double stick_gap_bias_spacing(const StickSimulation *run, const StickContact *contact)
{
    const StickContinuum *slave =
        &run->system->body[run->system->model->contact[contact->pair].slave.body].continuum;
    bool ring = slave->plane == STICK_AXISYMMETRIC && run->system->dim == 2;
    if (!(contact->area > 0) || run->system->dim == 1 || ring)
        return much_depth * stick_simulation_size(run);
    return run->system->dim == 2 ? contact->area / slave->thickness : sqrt(contact->area);
}

StickStatus stick_gap_bias_refuse_deep(StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    for (int c = 0; c < set->ncontacts && run->state.step > 0; c++) {
        const StickContact *contact = &set->contact[c];
        if (contact->swept || gap_now(run, contact) >= -much_depth * stick_gap_bias_spacing(run, contact) ||
            run->state.memory.known[stick_memory_slot(&run->state.memory, contact)] > 0)
            continue;
        const StickContactSpec *spec = &run->system->model->contact[contact->pair];
        const StickMesh *mesh = &run->system->body[spec->slave.body].mesh;
        return stick_simulation_refuse_at(
            run, spec->mark,
            "t = %g: node %lld of body '%s' came around an edge and is %g inside of what it touches: "
            "let the body whose edge lies on the other one be the first of 'between' (where each has an "
            "edge on the other, give the pair in both orders), name all sides that may be met, or take "
            "a smaller time step",
            run->state.now.t, stick_mesh_node_tag(mesh, contact->node),
            run->system->body[spec->slave.body].name, -gap_now(run, contact));
    }
    return STICK_OK;
}

// Pairs of surfaces with a contact that overlapped at the start.
static bool keeps_depth(const StickSimulation *run, const StickContact *contact, double depth)
{
    const StickContactMemory *memory = &run->state.memory;
    int slot = stick_memory_slot(memory, contact), first = memory->first[contact->pair],
        end = first + STICK_LAYERS * memory->features[contact->pair];
    if (memory->known[slot] > 0 || !(depth < -STICK_LITTLE_DEPTH * stick_gap_bias_spacing(run, contact)))
        return memory->kept[slot] > 0;
    bool keeps = run->state.step == 0 && run->advance.part == 0;
    for (slot = first; slot < end && !keeps; slot++)
        keeps = memory->kept[slot] > 0;
    return keeps;
}

// Overlap of bodies at the start is kept. Any other depth fades, whatever the name of the contact, where it carries load or
// is new: as far as what that gives the bodies is paid for (stepping/step.c). Newmark's method pays for nothing.
static double faded_depth(const StickSimulation *run, StickContact *contact)
{
    const StickContactMemory *memory = &run->state.memory;
    int slot = stick_memory_slot(memory, contact);
    double depth = stick_gap_bias_depth(run, contact);
    contact->keeps_depth = keeps_depth(run, contact, depth);
    bool rests = memory->known[slot] > 0 && !(memory->r[slot * run->system->dim] > 0);
    if (contact->keeps_depth || rests || run->scheme.kind == STICK_SCHEME_NEWMARK)
        return depth;
    bool little = STICK_FADING * depth > -STICK_LITTLE_DEPTH * stick_gap_bias_spacing(run, contact);
    return little ? 0 : (1 - STICK_FADING) * depth;
}

void stick_gap_bias_bias(StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    bool newmark = run->scheme.kind == STICK_SCHEME_NEWMARK;
    stick_contact_velocity(set, run->state.now.v, run->u);
    if (newmark)
        stick_contact_velocity(set, run->state.now.a, run->r);
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact *contact = &set->contact[c];
        double a0 = newmark ? run->r[c * dim] : 0, u0 = run->u[c * dim];
        run->depth[c] = faded_depth(run, contact);
        double gap = contact->gap - run->depth[c];
        if (!contact->carried)
            gap = stick_scheme_gap(&run->scheme, run->h, gap, u0);
        run->bias[c] = stick_scheme_bias(&run->scheme, run->h, gap, u0, a0, contact->u_drive[0]);
        run->passive_bias[c] = stick_scheme_passive_bias(&run->scheme, u0 + contact->u_drive[0]);
    }
}

void stick_gap_bias_velocity(StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    stick_contact_velocity(set, run->state.next.v, run->u_free);
    for (int c = 0; c < set->ncontacts; c++) {
        for (int k = 0; k < dim; k++)
            run->u_free[c * dim + k] += set->contact[c].u_drive[k];
        run->u_free[c * dim] += run->bias[c];
    }
}
