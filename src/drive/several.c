// SPDX-License-Identifier: Apache-2.0
#include "drive/several.h"

#include "solve/solutions.h"

static void tell(const StickRun *run, int count)
{
    int of[3] = {0};
    for (int c = 0; c < run->contacts.ncontacts; c++)
        of[stick_run_status(run, c)]++;
    stick_warn(run->ctx,
               "t = %g: friction at body '%s' is so large that the contact problem has %d solutions; taken "
               "was the one with "
               "%d sticking, %d slipping and %d open contacts. Rigid bodies don't decide which one is right: "
               "compare with another solver, or let a body be deformable. More such steps are only counted "
               "(contact.several)",
               run->state.next.t, run->system->body[run->contacts.contact[0].body[0]].name, count,
               of[STICK_STICKING], of[STICK_SLIPPING], of[STICK_APART]);
}

void stick_several_look(StickRun *run)
{
    StickFrictionProblem problem = stick_run_problem(run);
    StickRecord *record = &run->record;
    StickSolutions solutions;
    if (!stick_solutions_may_differ(&problem))
        return;
    stick_solutions_find(&problem, &solutions);
    if (solutions.count < 2)
        return;
    if (record->several++ == 0)
        tell(run, solutions.count);
    record->several_most = record->several_most > solutions.count ? record->several_most : solutions.count;
}
