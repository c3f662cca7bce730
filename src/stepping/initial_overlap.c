// SPDX-License-Identifier: Apache-2.0
#include "stepping/initial_overlap.h"

#include "base/memory.h"
#include "contact/parting.h"

StickStatus stick_initial_overlap(StickSimulation *run)
{
    StickParting parting = {.ctx = run->ctx,
                            .system = run->system,
                            .overlap = run->spec->overlap,
                            .prescribed = run->prescribed,
                            .pairs = run->pairs,
                            .where = {.t = run->state.now.t, .h = run->h, .q = run->state.now.q},
                            .q = run->state.now.q,
                            .set = &run->contacts};
    return stick_part_bodies(&parting, false);
}

static const StickStepSpec *first_step(const StickModel *model)
{
    int k = 0;
    while (k < model->nsteps - 1 && model->step[k].kind == STICK_STEP_STABILITY)
        k++;
    return &model->step[k];
}

StickStatus stick_initial_overlap_over_step(StickSimulation *run)
{
    const StickSystem *system = run->system;
    double *q, *v;
    if (run->spec != first_step(system->model) || run->spec->kind == STICK_STEP_TRAJECTORY)
        return STICK_OK;
    q = stick_alloc(run->ctx, (size_t)system->ndofs, sizeof *q);
    v = stick_alloc(run->ctx, (size_t)system->ndofs, sizeof *v);
    StickStatus status = q && v ? stick_system_initial(system, q, v) : STICK_NO_MEMORY;
    // dynamics starts where supports are prescribed
    for (int k = 0; k < run->supports.count && status == STICK_OK && !stick_simulation_is_quasistatic(run);
         k++)
        if (run->supports.support[k].displacement)
            status = stick_support_value(&run->supports.support[k], 0, &q[run->supports.support[k].dof]);
    if (status == STICK_OK)
        status = stick_pairs_resolve(run->pairs, q, run->spec->step,
                                     run->spec->kind == STICK_STEP_SLIDING ? 0 : run->spec->end);
    stick_free(run->ctx, q);
    stick_free(run->ctx, v);
    return status;
}
