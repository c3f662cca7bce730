// SPDX-License-Identifier: Apache-2.0
#include "output/rigid_values.h"

#include "base/vec.h"

#include <math.h>

static bool is_of(const StickContact *contact, int body)
{
    return contact->body[0] == body || contact->body[1] == body;
}

// Largest status, least gap, or sum of normal or tangential forces over all contacts of a body.
typedef struct OverContacts {
    double status, gap, force;
} OverContacts;

static void see_contact(OverContacts *seen, const StickContact *contact, int status, const double *r, int dim,
                        int component)
{
    seen->status = fmax(seen->status, status);
    seen->gap = fmin(seen->gap, contact->gap);
    seen->force += component == STICK_NORMAL_COMPONENT ? r[0] : dim == 3 ? hypot(r[1], r[2]) : r[1];
}

static double over_contacts(const StickSimulation *run, StickResultKind what, int component, int body)
{
    int dim = run->system->dim;
    const StickFirstHits *hits = &run->first_hits;
    OverContacts seen = {.gap = NAN};
    for (int c = 0; c < run->contacts.ncontacts; c++)
        if (is_of(&run->contacts.contact[c], body))
            see_contact(&seen, &run->contacts.contact[c], stick_simulation_status(run, c), &run->r[c * dim],
                        dim, component);
    for (int c = 0; c < hits->count; c++)
        if (is_of(&hits->contact[c], body))
            see_contact(&seen, &hits->contact[c], hits->status[c], &hits->r[c * dim], dim, component);
    return what == STICK_RESULT_STATUS ? seen.status
           : what == STICK_RESULT_GAP  ? seen.gap
                                       : stick_simulation_force(run) * seen.force;
}

static double kinetic_energy(const StickSimulation *run, const StickBody *body)
{
    double sum = 0;
    for (int i = body->first; i < body->first + body->ndofs; i++)
        sum += 0.5 * run->state.now.v[i] * run->state.now.Mv[i];
    return sum;
}

double stick_rigid_value(const StickSimulation *run, const StickResult *what, int component, int b)
{
    const StickBody *body = &run->system->body[b];
    const StickMotion *now = &run->state.now;
    int at = body->first, dim = run->system->dim;
    switch (what->kind) {
    case STICK_RESULT_DISPLACEMENT:
        return now->q[at + component];
    case STICK_RESULT_VELOCITY:
        return now->v[at + component];
    case STICK_RESULT_POSITION:
        return body->rigid->centre[component] + now->q[at + component];
    case STICK_RESULT_ANGLE:
        return dim == 2 ? now->q[at + 2] : stick_vec_norm(now->q + at + 3);
    case STICK_RESULT_ANGULAR_VELOCITY:
        return dim == 2 ? now->v[at + 2] : now->v[at + 3 + component];
    case STICK_RESULT_KINETIC_ENERGY:
        return kinetic_energy(run, body);
    case STICK_RESULT_REACTION:
        return now->reaction[at + component];
    case STICK_RESULT_CONTACT_FORCE:
        if (component < STICK_NORMAL_COMPONENT)
            return stick_simulation_force(run) * (run->p_N[at + component] + run->p_T[at + component]);
        return over_contacts(run, what->kind, component, b);
    case STICK_RESULT_GAP:
    case STICK_RESULT_STATUS:
        return over_contacts(run, what->kind, component, b);
    default: // of others
        return 0;
    }
}

StickStatus stick_rigid_distance(const StickSimulation *run, const StickTarget *one, const StickTarget *other,
                                 double *distance)
{
    const StickTarget *a = one->body >= 0 ? one : other, *b = one->body >= 0 ? other : one;
    StickDetection where = {.t = run->state.now.t, .h = run->h, .q = run->state.now.q};
    return stick_pairs_distance(run->pairs, &where, a->body, b->body, b->obstacle, distance);
}

double stick_joint_value(const StickSimulation *run, const StickResult *what, int component, int joint)
{
    const StickEffort *effort = &run->joint_step->effort[joint];
    double value = what->kind == STICK_RESULT_FORCE     ? effort->impulse[component]
                   : what->kind == STICK_RESULT_MOMENT  ? effort->twist[component < 0 ? 2 : component]
                   : what->kind == STICK_RESULT_TENSION ? effort->pull
                                                        : effort->work;
    return value / run->h;
}
