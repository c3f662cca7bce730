// SPDX-License-Identifier: Apache-2.0
#include "drive/several.h"

#include "solve/solutions.h"

#include <string.h>

// An island of few contacts, and its problem.
enum { FEW = STICK_SOLUTIONS_CONTACTS, MOST_VALUES = 4 * FEW * FEW }; // in space there is one contact

typedef struct Small {
    int count;
    int contact[FEW]; // ascending
    int start[FEW + 1], col[FEW * FEW];
    double value[MOST_VALUES], u_free[2 * FEW], mu[FEW];
    const StickSection *section[FEW];
    StickBlocks W;
    StickFrictionProblem problem;
} Small;

// Ascending; its place.
static int insert(Small *small, int contact)
{
    int at = small->count++;
    for (; at > 0 && small->contact[at - 1] > contact; at--)
        small->contact[at] = small->contact[at - 1];
    small->contact[at] = contact;
    return at;
}

static int place_of(const Small *small, int contact)
{
    for (int k = 0; k < small->count; k++)
        if (small->contact[k] == contact)
            return k;
    return -1;
}

// The island whose first contact this is, if it has no more than so many: what blocks couple is looked at until nothing
// new comes up.
static bool find_small(const StickBlocks *W, int first, int most, Small *small)
{
    small->count = 0;
    insert(small, first);
    for (int k = 0; k < small->count;) {
        int c = small->contact[k++];
        for (int e = W->start[c]; e < W->start[c + 1]; e++) {
            if (place_of(small, W->col[e]) >= 0)
                continue;
            if (small->count == most || W->col[e] < first)
                return false;
            int at = insert(small, W->col[e]);
            k = at < k ? at : k;
        }
    }
    return true;
}

static void take_row(const StickFrictionProblem *problem, int place, Small *small)
{
    const StickBlocks *W = problem->W;
    int d = problem->dim, c = small->contact[place], at = small->start[place];
    for (int e = W->start[c]; e < W->start[c + 1]; e++, at++) {
        small->col[at] = place_of(small, W->col[e]);
        memcpy(&small->value[at * d * d], &W->value[(size_t)e * (size_t)(d * d)],
               (size_t)(d * d) * sizeof *small->value);
    }
    small->start[place + 1] = at;
    small->mu[place] = problem->mu[c];
    small->section[place] = problem->section ? problem->section[c] : NULL;
    memcpy(&small->u_free[place * d], &problem->u_free[c * d], (size_t)d * sizeof *small->u_free);
}

static void take(const StickFrictionProblem *problem, Small *small)
{
    small->start[0] = 0;
    for (int k = 0; k < small->count; k++)
        take_row(problem, k, small);
    small->W = (StickBlocks){problem->dim, small->count, small->start, small->col, small->value};
    small->problem = (StickFrictionProblem){.dim = problem->dim,
                                            .ncontacts = small->count,
                                            .W = &small->W,
                                            .u_free = small->u_free,
                                            .mu = small->mu,
                                            .section = problem->section ? small->section : NULL};
}

// That of both bodies of a contact which can move by itself: a prescribed one may be part of many islands.
static const char *name_at(const StickRun *run, int c)
{
    const int *body = run->contacts.contact[c].body;
    bool is_held = stick_step_matrix_order(run->matrix, body[0]) == 0;
    return run->system->body[is_held && body[1] >= 0 ? body[1] : body[0]].name;
}

static void tell(const StickRun *run, const Small *small, int count)
{
    int of[3] = {0};
    for (int k = 0; k < small->count; k++)
        of[stick_run_status(run, small->contact[k])]++;
    stick_warn(run->ctx,
               "t = %g: friction at body '%s' is so large that the contact problem has %d solutions; taken "
               "was the one with "
               "%d sticking, %d slipping and %d open contacts. Rigid bodies don't decide which one is right: "
               "compare with another solver, or let a body be deformable. More such steps are only counted "
               "(contact.several)",
               run->state.next.t, name_at(run, small->contact[0]), count, of[STICK_STICKING],
               of[STICK_SLIPPING], of[STICK_APART]);
}

// How many solutions an island has, 1 if that is not asked.
static int look_at(const StickRun *run, const Small *small, bool is_told)
{
    StickSolutions solutions;
    if (!stick_solutions_may_differ(&small->problem))
        return 1;
    stick_solutions_find(&small->problem, &solutions);
    if (solutions.count > 1 && !is_told)
        tell(run, small, solutions.count);
    return solutions.count;
}

void stick_several_look(StickRun *run)
{
    StickFrictionProblem problem = stick_run_problem(run);
    StickRecord *record = &run->record;
    int most = 1, few = problem.dim == 3 ? 1 : FEW;
    for (int c = 0; c < problem.ncontacts; c++) {
        Small small;
        if (problem.W->start[c + 1] - problem.W->start[c] > few || !find_small(problem.W, c, few, &small))
            continue;
        take(&problem, &small);
        int found = look_at(run, &small, record->several > 0 || most > 1);
        most = most > found ? most : found;
    }
    if (most < 2)
        return;
    record->several++;
    record->several_most = most > record->several_most ? most : record->several_most;
}
