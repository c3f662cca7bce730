// SPDX-License-Identifier: Apache-2.0
#include "drive/several.h"

#include "solve/solutions.h"

static int contact_at(const StickRun *run, int place)
{
    return run->islands.count > 1 ? run->islands.order[place] : place;
}

// That of both bodies of a contact which can move by itself: a prescribed one may be part of many islands.
static const char *name_at(const StickRun *run, int c)
{
    const int *body = run->contacts.contact[c].body;
    bool is_held = stick_step_matrix_order(run->matrix, body[0]) == 0;
    return run->system->body[is_held && body[1] >= 0 ? body[1] : body[0]].name;
}

static void tell(const StickRun *run, const StickIsland *island, int count)
{
    int of[3] = {0};
    for (int k = 0; k < island->problem.ncontacts; k++)
        of[stick_run_status(run, contact_at(run, island->first + k))]++;
    stick_warn(run->ctx,
               "t = %g: friction at body '%s' is so large that the contact problem has %d solutions; taken "
               "was the one with "
               "%d sticking, %d slipping and %d open contacts. Rigid bodies don't decide which one is right: "
               "compare with another solver, or let a body be deformable. More such steps are only counted "
               "(contact.several)",
               run->state.next.t, name_at(run, contact_at(run, island->first)), count, of[STICK_STICKING],
               of[STICK_SLIPPING], of[STICK_APART]);
}

// How many solutions an island has, 1 if that is not asked.
static int look_at(const StickRun *run, const StickIsland *island, bool is_told)
{
    StickSolutions solutions;
    if (!stick_solutions_may_differ(&island->problem))
        return 1;
    stick_solutions_find(&island->problem, &solutions);
    if (solutions.count > 1 && !is_told)
        tell(run, island, solutions.count);
    return solutions.count;
}

StickStatus stick_several_look(StickRun *run)
{
    StickFrictionProblem problem = stick_run_problem(run);
    StickIslands *islands = &run->islands;
    StickRecord *record = &run->record;
    int most = 1;
    STICK_TRY(stick_islands_find(run->ctx, &problem, islands));
    if (islands->count > 1)
        stick_islands_load(islands, &problem);
    for (int k = 0; k < islands->count; k++) {
        StickIsland island = {.problem = problem};
        if (islands->count > 1)
            stick_islands_take(islands, k, &island);
        int found = look_at(run, &island, record->several > 0 || most > 1);
        most = most > found ? most : found;
    }
    if (most < 2)
        return STICK_OK;
    record->several++;
    record->several_most = most > record->several_most ? most : record->several_most;
    return STICK_OK;
}
