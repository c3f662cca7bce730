// SPDX-License-Identifier: Apache-2.0
#include "output/nodal.h"

#include "output/rigid_values.h"
#include "output/trajectory_values.h"

#include <math.h>
#include <string.h>

StickQuantity stick_nodal_quantity(const StickResult *what)
{
    static const StickQuantity quantity[STICK_NRESULTS] = {
        [STICK_RESULT_DISPLACEMENT] = STICK_LENGTH,
        [STICK_RESULT_VELOCITY] = STICK_VELOCITY,
        [STICK_RESULT_CONTACT_FORCE] = STICK_FORCE,
        [STICK_RESULT_REACTION] = STICK_FORCE,
        [STICK_RESULT_CONTACT_PRESSURE] = STICK_PRESSURE,
        [STICK_RESULT_GAP] = STICK_LENGTH,
        [STICK_RESULT_STATUS] = STICK_NO_UNIT,
        [STICK_RESULT_POSITION] = STICK_LENGTH,
        [STICK_RESULT_ANGLE] = STICK_NO_UNIT,
        [STICK_RESULT_ANGULAR_VELOCITY] = STICK_RATE,
        [STICK_RESULT_KINETIC_ENERGY] = STICK_ENERGY,
        [STICK_RESULT_DISTANCE] = STICK_LENGTH,
        [STICK_RESULT_FORCE] = STICK_FORCE,
        [STICK_RESULT_MOMENT] = STICK_ENERGY,
        [STICK_RESULT_TENSION] = STICK_FORCE,
        [STICK_RESULT_POWER] = STICK_POWER,
        [STICK_RESULT_SHIFT] = STICK_LENGTH,
        [STICK_RESULT_ROTATION] = STICK_NO_UNIT,
        [STICK_RESULT_FRAME_FORCE] = STICK_FORCE,
        [STICK_RESULT_FRAME_MOMENT] = STICK_ENERGY,
        [STICK_RESULT_CONTACT_LOAD] = STICK_FORCE,
        [STICK_RESULT_PEAK_PRESSURE] = STICK_PRESSURE,
        [STICK_RESULT_STRIPS] = STICK_NO_UNIT,
        [STICK_RESULT_STICKING] = STICK_NO_UNIT,
        [STICK_RESULT_TRANSMISSION_ERROR] = STICK_LENGTH,
        [STICK_RESULT_INPUT_TORQUE] = STICK_ENERGY,
        [STICK_RESULT_ROLL] = STICK_LENGTH,
    };
    return quantity[what->kind];
}

static void component_of(const StickSimulation *run, const double *vector, int component, int body,
                         double *values)
{
    const StickBody *own = &run->system->body[body];
    int dim = run->system->dim;
    for (int i = 0; i < own->mesh.nnodes; i++)
        values[i] = vector[own->first + i * dim + component];
}

// Normal force, or tangential one: signed along t1 in the plane, its length in space.
static double frame_force(const StickSimulation *run, int contact, int component)
{
    int dim = run->system->dim;
    const double *r = &run->r[contact * dim];
    double force = stick_simulation_force(run);
    if (component == STICK_NORMAL_COMPONENT)
        return force * r[0];
    return dim == 3 ? force * hypot(r[1], r[2]) : dim == 2 ? force * r[1] : 0;
}

static double contact_value(const StickSimulation *run, StickResultKind what, int component, int contact)
{
    int dim = run->system->dim;
    double area = run->contacts.contact[contact].area;
    switch (what) {
    case STICK_RESULT_CONTACT_FORCE:
        return frame_force(run, contact, component);
    case STICK_RESULT_CONTACT_PRESSURE:
        return area > 0 ? stick_simulation_force(run) * run->r[contact * dim] / area : 0;
    default:
        return (double)stick_simulation_status(run, contact);
    }
}

static void by_slave_node(const StickSimulation *run, StickResultKind what, int component, int body,
                          double *values)
{
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        double *value = &values[contact->node];
        if (contact->pair < 0 || contact->body[0] != body)
            continue;
        if (what == STICK_RESULT_CONTACT_FORCE)
            *value += contact_value(run, what, component, c);
        else
            *value = fmax(*value, contact_value(run, what, component, c));
    }
}

static void gaps_of(const StickSimulation *run, const StickContactSet *gaps, int body, double *values)
{
    for (int i = 0; i < run->system->body[body].mesh.nnodes; i++)
        values[i] = NAN;
    for (int c = 0; c < gaps->ncontacts; c++) {
        const StickContact *contact = &gaps->contact[c];
        if (contact->pair >= 0 && contact->body[0] == body)
            values[contact->node] = fmin(values[contact->node], contact->gap);
    }
}

// Rigid bodies: nodes move with them, forces are spread evenly, and nothing else is known at nodes.
static void rigid_nodes(const StickSimulation *run, const StickResult *what, int component, int b,
                        double *values)
{
    const StickBody *body = &run->system->body[b];
    const StickMesh *skin = &body->rigid->solid->skin;
    int nodes = body->mesh.nnodes, dim = run->system->dim;
    bool moves = what->kind == STICK_RESULT_DISPLACEMENT || what->kind == STICK_RESULT_VELOCITY;
    double all = what->kind == STICK_RESULT_GAP ? NAN : 0;
    if (!moves && what->gather == STICK_GATHER_SUM)
        all = stick_rigid_value(run, what, component, b) / nodes;
    StickPose pose = stick_rigid_pose(body->rigid, run->state.now.q + body->first);
    for (int i = 0; i < nodes; i++) {
        double x[3] = {0}, place[3], velocity[3];
        values[i] = all;
        if (!moves)
            continue;
        memcpy(x, &skin->x[i * dim], (size_t)dim * sizeof *x);
        stick_pose_place(&pose, x, place);
        stick_rigid_velocity(body->rigid, run->state.now.v + body->first, pose.centre, place, velocity);
        values[i] = what->kind == STICK_RESULT_VELOCITY
                        ? velocity[component]
                        : place[component] - body->mesh.x[i * dim + component];
    }
}

void stick_nodal_values(const StickSimulation *run, const StickResult *what, int component, int body,
                        const StickContactSet *gaps, double *values)
{
    const StickMotion *now = &run->state.now;
    const StickBody *own = &run->system->body[body];
    StickResultKind which = what->kind;
    int dim = run->system->dim;
    double force = stick_simulation_force(run);
    if (own->rigid) {
        rigid_nodes(run, what, component, body, values);
        return;
    }
    memset(values, 0, (size_t)own->mesh.nnodes * sizeof *values);
    switch (which) {
    case STICK_RESULT_DISPLACEMENT:
        component_of(run, now->q, component, body, values);
        return;
    case STICK_RESULT_VELOCITY:
        component_of(run, now->v, component, body, values);
        return;
    case STICK_RESULT_REACTION:
        component_of(run, now->reaction, component, body, values);
        return;
    case STICK_RESULT_GAP:
        gaps_of(run, gaps, body, values);
        return;
    case STICK_RESULT_CONTACT_FORCE:
        if (component < STICK_NORMAL_COMPONENT) {
            for (int i = 0; i < own->mesh.nnodes; i++) {
                int dof = own->first + i * dim + component;
                values[i] = force * (run->p_N[dof] + run->p_T[dof]);
            }
            return;
        }
        break;
    default:
        break;
    }
    if (run->trajectory)
        stick_trajectory_nodes(run, what, body, values);
    else
        by_slave_node(run, which, component, body, values);
}

double stick_nodal_obstacle(const StickSimulation *run, const StickResult *what, int component, int obstacle,
                            const StickContactSet *gaps)
{
    StickResultKind which = what->kind;
    int dim = run->system->dim;
    const StickContactSet *set = which == STICK_RESULT_GAP ? gaps : &run->contacts;
    double value = which == STICK_RESULT_GAP ? NAN : 0, force = stick_simulation_force(run);
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (contact->body[1] >= 0 || contact->obstacle != obstacle)
            continue;
        if (which == STICK_RESULT_GAP) {
            value = fmin(value, contact->gap);
        } else if (which == STICK_RESULT_CONTACT_FORCE && component < STICK_NORMAL_COMPONENT) {
            for (int k = 0; k < dim; k++)
                value -= force * run->r[c * dim + k] * contact->frame[k][component];
        } else if (which == STICK_RESULT_CONTACT_FORCE) {
            value += frame_force(run, c, component);
        } else {
            value = fmax(value, contact_value(run, which, component, c));
        }
    }
    return value;
}
