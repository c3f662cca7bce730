// SPDX-License-Identifier: Apache-2.0
#include "stepping/singular_configuration.h"

#include "base/memory.h"
#include "base/random.h"
#include "stepping/simulation.h"

#include <math.h>
#include <string.h>

// How far bodies are moved, by their size or as an angle: of rows that follow in a dead point only, pivots are of its
// square then. Less where joints cannot be held so far away, as close to a dead point.
static const double aside = 1e-3, shorter = 0.25;

enum { TRIES = 16, PASSES = 12 };

// What joints are off at most where they are held, by the size of places.
static const double little = 1e-12;

typedef struct Beside {
    StickSimulation *run;
    StickJointElimination *links;
    double *way;   // ndofs: a motion that joints admit at first, by size at most 1 in each group
    double *s, *q; // ndofs: the motion to where joints are held, and the place there
    double *gap;   // rows
    double *far;   // nbodies, by the first of a group: by how much of its way it is moved
} Beside;

static bool is_motor(const StickJointElimination *links, int i)
{
    return stick_joint_rows_spec(links->joints, i)->kind == STICK_JOINT_MOTOR;
}

// Springs hold nothing, and motors only where they are asked.
static StickStatus set_rows(StickJointElimination *links, bool with_motors, const double *q, double t)
{
    for (int i = 0; i < links->count; i++) {
        bool is_out = links->row[i].kind == STICK_ROW_SPRING || (!with_motors && is_motor(links, i));
        links->D[i] = is_out ? -1 : 0;
        links->c[i] = 0;
    }
    links->dependent = STICK_LINKS_DEPENDENT;
    return stick_joint_elimination_set(links, q, t);
}

// What a degree of freedom is measured by: the size of the bodies that are held together, or an angle; 0: not held.
static double unit_of(const StickJointElimination *links, int b, int k)
{
    int group = links->group[b], first = links->first[group];
    if (links->last[group] == first)
        return 0;
    return k < links->system->dim ? stick_joint_rows_size(links->joints, first) : 1;
}

static void scale_way(Beside *beside, const double *most)
{
    const StickJointElimination *links = beside->links;
    for (int b = 0; b < links->system->nbodies; b++) {
        const StickBody *body = &links->system->body[b];
        double by = most[links->group[b]];
        for (int i = body->first; i < body->first + body->ndofs; i++)
            beside->way[i] = by > 0 ? beside->way[i] / by : 0;
    }
}

// Any motion, less what joints do not admit. far: for a while the largest of each group.
static void choose_way(Beside *beside)
{
    StickJointElimination *links = beside->links;
    StickRandom random = stick_random_seed(1);
    for (int b = 0; b < links->system->nbodies; b++)
        for (int k = 0, i = links->system->body[b].first; k < links->system->body[b].ndofs; k++, i++)
            beside->way[i] =
                beside->run->prescribed[i] ? 0 : unit_of(links, b, k) * stick_random_uniform(&random, -1, 1);
    stick_joint_elimination_hold(links, beside->way);
    stick_joint_elimination_hold(links, beside->way); // a second time for the last digits
    for (int b = 0; b < links->system->nbodies; b++)
        for (int k = 0, i = links->system->body[b].first; k < links->system->body[b].ndofs; k++, i++) {
            double unit = unit_of(links, b, k), *most = &beside->far[links->group[b]];
            *most = unit > 0 ? fmax(*most, fabs(beside->way[i]) / unit) : 0;
        }
    scale_way(beside, beside->far);
}

static void move(Beside *beside)
{
    const StickSystem *system = beside->links->system;
    const double *q = beside->run->state.now.q;
    memcpy(beside->q, q, (size_t)system->ndofs * sizeof *q);
    for (int b = 0; b < system->nbodies; b++) {
        int at = system->body[b].first;
        if (system->body[b].rigid)
            stick_rigid_move(system->dim, q + at, beside->s + at, beside->q + at);
    }
}

// gap(q) = 0 of the rows that do not follow, by Newton's method with the rows of the start
static StickStatus hold(Beside *beside)
{
    StickJointElimination *links = beside->links;
    const StickSystem *system = links->system;
    for (int b = 0; b < system->nbodies; b++)
        for (int i = system->body[b].first; i < system->body[b].first + system->body[b].ndofs; i++)
            beside->s[i] = beside->far[links->group[b]] * beside->way[i];
    memset(links->c, 0, (size_t)links->count * sizeof *links->c);
    for (int pass = 0;; pass++) {
        move(beside);
        STICK_TRY(stick_joint_rows_gaps(links->joints, beside->q, beside->run->state.now.t, beside->gap));
        if (pass == PASSES)
            return STICK_OK;
        for (int i = 0; i < links->count; i++)
            links->c[i] -= links->row[i].kind == STICK_ROW_PLACE ? beside->gap[i] : 0;
        stick_joint_elimination_hold(links, beside->s);
    }
}

// Groups whose joints are not held are moved less, at last not at all; whether there are any.
static bool shorten(Beside *beside, bool is_last)
{
    const StickJointElimination *links = beside->links;
    bool any = false;
    for (int i = 0; i < links->count; i++) {
        double *far = &beside->far[links->group[links->row[i].body[0]]];
        double most = little * stick_joint_rows_scale(links->joints, beside->q, i);
        if (links->dropped[i] || links->row[i].kind != STICK_ROW_PLACE || fabs(beside->gap[i]) <= most)
            continue;
        *far = is_last ? 0 : -fabs(*far); // once for each group
        any = true;
    }
    for (int b = 0; b < links->system->nbodies; b++)
        beside->far[b] *= beside->far[b] < 0 ? -shorter : 1;
    return any;
}

static StickStatus look(Beside *beside, bool *follows)
{
    StickJointElimination *links = beside->links;
    double t = beside->run->state.now.t;
    bool again = true;
    STICK_TRY(set_rows(links, false, beside->run->state.now.q, t));
    choose_way(beside);
    for (int b = 0; b < links->system->nbodies; b++)
        beside->far[b] = aside;
    for (int k = 0; k <= TRIES && again; k++) {
        STICK_TRY(hold(beside));
        again = shorten(beside, k == TRIES - 1);
    }
    STICK_TRY(set_rows(links, true, beside->q, t));
    for (int i = 0; i < links->count; i++)
        follows[i] = links->dropped[i] && links->D[i] == 0;
    return STICK_OK;
}

StickStatus stick_singular_configuration_look(StickSimulation *run, bool *follows)
{
    StickJointElimination *links = run->joint_step->links;
    int n = links->system->ndofs;
    double *work;
    STICK_ALLOC(run->ctx, work, 3 * n + links->count + links->system->nbodies);
    Beside beside = {.run = run,
                     .links = links,
                     .way = work,
                     .s = work + n,
                     .q = work + 2 * n,
                     .gap = work + 3 * n,
                     .far = work + 3 * n + links->count};
    StickStatus status = look(&beside, follows);
    stick_free(run->ctx, work);
    return status;
}
