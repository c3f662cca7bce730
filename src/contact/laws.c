// SPDX-License-Identifier: Apache-2.0
#include "contact/laws.h"

#include "base/pool.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

// ---- which law holds

static int number_of(const StickModel *model, const StickContact *contact)
{
    return contact->pair >= 0 ? contact->pair : model->ncontacts + contact->rule;
}

static const StickLawSpec *law_of(const StickModel *model, const StickContact *contact)
{
    return stick_model_law(model, number_of(model, contact));
}

static StickMark mark_of(const StickModel *model, const StickContact *contact)
{
    return stick_model_law_mark(model, number_of(model, contact));
}

bool stick_laws_have_sections(const StickModel *model)
{
    for (int k = 0; k < stick_model_laws(model); k++)
        if (stick_model_law(model, k)->section != STICK_LAW_DISK)
            return true;
    return false;
}

bool stick_laws_have_restitution(const StickModel *model)
{
    for (int k = 0; k < stick_model_laws(model); k++)
        if (stick_model_law(model, k)->restitution)
            return true;
    return false;
}

bool stick_laws_have_cohesion(const StickModel *model)
{
    for (int k = 0; k < stick_model_laws(model); k++)
        if (stick_model_law(model, k)->cohesion)
            return true;
    return false;
}

bool stick_laws_have_state(const StickModel *model)
{
    for (int k = 0; k < stick_model_laws(model); k++)
        if (stick_model_law(model, k)->state_start)
            return true;
    return false;
}

int stick_laws_corners(const StickModel *model)
{
    int most = 0;
    for (int k = 0; k < stick_model_laws(model); k++)
        most = stick_model_law(model, k)->ncorners > most ? stick_model_law(model, k)->ncorners : most;
    return most;
}

// ---- what it sees

// The reference place of the slave node, or the place where rigid bodies touch.
static void see_place(const StickSystem *system, const StickContact *contact, StickVariables *seen)
{
    int dim = system->dim;
    const double *x = contact->place;
    if (contact->pair >= 0) {
        int slave = system->model->contact[contact->pair].slave.body;
        x = system->body[slave].mesh.x + contact->node * dim;
    }
    seen->x = x[0];
    seen->y = dim > 1 ? x[1] : 0;
    seen->z = dim > 2 ? x[2] : 0;
}

static StickVariables seen_by(const StickSystem *system, const StickContactSet *set, const StickSight *sight,
                              int c)
{
    StickVariables seen = {
        .t = sight->t,
        .v = sight->speed ? sight->speed[c] : 0,
        .p = sight->pressure ? sight->pressure[c] : 0,
        .approach = sight->approach ? sight->approach[c] : 0,
        .state = sight->state ? sight->state[c] : 0,
    };
    see_place(system, &set->contact[c], &seen);
    return seen;
}

// ---- what it says

// The coefficient of a law that needs not be asked at each contact; below 0: it has to be.
static double constant_friction(const StickLawSpec *law)
{
    double value = 0;
    if (!law->friction)
        return 0;
    if (!stick_expression_is_constant(law->friction) ||
        stick_expression_value(law->friction, &(StickVariables){0}, &value) != STICK_OK)
        return -1;
    return value;
}

static bool is_friction_constant(const StickModel *model)
{
    for (int k = 0; k < stick_model_laws(model); k++)
        if (!(constant_friction(stick_model_law(model, k)) >= 0))
            return false;
    return true;
}

typedef struct Frictions {
    const StickModel *model;
    const StickContactSet *set;
    double *mu;
} Frictions;

static void friction_of_range(void *data, int from, int to)
{
    const Frictions *asked = data;
    for (int c = from; c < to; c++)
        asked->mu[c] = constant_friction(law_of(asked->model, &asked->set->contact[c]));
}

StickStatus stick_laws_friction(const StickSystem *system, const StickContactSet *set,
                                const StickSight *sight, double *mu)
{
    if (is_friction_constant(system->model)) {
        stick_threads_range(set->ctx, set->ncontacts, friction_of_range,
                            &(Frictions){system->model, set, mu});
        return STICK_OK;
    }
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        const StickLawSpec *law = law_of(system->model, contact);
        StickVariables seen = seen_by(system, set, sight, c);
        double value = 0;
        if (law->friction)
            STICK_TRY(stick_expression_value(law->friction, &seen, &value));
        if (!(value >= 0))
            return stick_fail_at(system->ctx, STICK_BAD_INPUT, mark_of(system->model, contact),
                                 "friction must not be negative: it is %g at t = %g, speed %g, pressure %g",
                                 value, seen.t, seen.v, seen.p);
        mu[c] = value;
    }
    return STICK_OK;
}

StickStatus stick_laws_restitution(const StickSystem *system, const StickContactSet *set,
                                   const StickSight *sight, double *restitution)
{
    if (!stick_laws_have_restitution(system->model)) {
        memset(restitution, 0, (size_t)set->ncontacts * sizeof *restitution);
        return STICK_OK;
    }
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        const StickLawSpec *law = law_of(system->model, contact);
        restitution[c] = 0;
        if (!law->restitution)
            continue;
        StickVariables seen = seen_by(system, set, sight, c);
        STICK_TRY(stick_expression_value(law->restitution, &seen, &restitution[c]));
        if (!(restitution[c] >= 0 && restitution[c] <= 1))
            return stick_fail_at(system->ctx, STICK_BAD_INPUT, mark_of(system->model, contact),
                                 "restitution must be from 0 to 1: it is %g at t = %g, speed of approach %g",
                                 restitution[c], seen.t, seen.approach);
    }
    return STICK_OK;
}

StickStatus stick_laws_cohesion(const StickSystem *system, const StickContactSet *set,
                                const StickSight *sight, double *cohesion)
{
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        const StickLawSpec *law = law_of(system->model, contact);
        cohesion[c] = 0;
        if (!law->cohesion)
            continue;
        StickVariables seen = seen_by(system, set, sight, c);
        STICK_TRY(stick_expression_value(law->cohesion, &seen, &cohesion[c]));
        if (!(cohesion[c] >= 0))
            return stick_fail_at(system->ctx, STICK_BAD_INPUT, mark_of(system->model, contact),
                                 "cohesion must not be negative: it is %g at t = %g, speed %g", cohesion[c],
                                 seen.t, seen.v);
    }
    return STICK_OK;
}

// ---- state

StickStatus stick_laws_start(const StickSystem *system, const StickContactSet *set, double t, int contact,
                             double *state)
{
    const StickLawSpec *law = law_of(system->model, &set->contact[contact]);
    StickVariables seen = seen_by(system, set, &(StickSight){.t = t}, contact);
    *state = 0;
    return law->state_start ? stick_expression_value(law->state_start, &seen, state) : STICK_OK;
}

StickStatus stick_laws_rate(const StickSystem *system, const StickContactSet *set, const StickSight *sight,
                            double *rate)
{
    for (int c = 0; c < set->ncontacts; c++) {
        const StickLawSpec *law = law_of(system->model, &set->contact[c]);
        StickVariables seen = seen_by(system, set, sight, c);
        rate[c] = 0;
        if (law->state_rate)
            STICK_TRY(stick_expression_value(law->state_rate, &seen, &rate[c]));
    }
    return STICK_OK;
}

// ---- sections

// Where the axis is along the normal, the first tangent is as good as any.
static const double least_projection = 1e-9;

// The angle from the first tangent to the projection of the axis.
static double angle_of(const StickLawSpec *law, const StickContact *contact)
{
    double x = stick_vec_dot(law->axis, contact->frame[1]), y = stick_vec_dot(law->axis, contact->frame[2]);
    return hypot(x, y) > least_projection ? atan2(y, x) : 0;
}

bool stick_laws_section(const StickSystem *system, const StickContact *contact, double factor,
                        StickSection *section, double *vertex)
{
    const StickLawSpec *law = law_of(system->model, contact);
    // without friction in any direction it has no interior
    if (law->section == STICK_LAW_DISK || factor == 0)
        return false;
    if (law->section == STICK_LAW_INTERVAL) {
        bool along = stick_vec_dot(law->axis, contact->frame[1]) >= 0;
        *section = (StickSection){.kind = STICK_SECTION_INTERVAL,
                                  .mu = {factor * law->interval[!along], factor * law->interval[along]}};
        return true;
    }
    double angle = angle_of(law, contact), c = cos(angle), s = sin(angle);
    if (law->section == STICK_LAW_ELLIPSE) {
        *section = (StickSection){.kind = STICK_SECTION_ELLIPSE,
                                  .mu = {factor * law->ellipse[0], factor * law->ellipse[1]},
                                  .angle = angle};
        return true;
    }
    for (int k = 0; k < law->ncorners; k++) {
        const double *corner = law->corner + 2 * k;
        vertex[2 * k] = factor * (c * corner[0] - s * corner[1]);
        vertex[2 * k + 1] = factor * (s * corner[0] + c * corner[1]);
    }
    *section = (StickSection){.kind = STICK_SECTION_POLYGON, .nvertices = law->ncorners, .vertex = vertex};
    return true;
}
