// SPDX-License-Identifier: Apache-2.0
#include "bodies/finite.h"

#include "fem/finite.h"

#include <math.h>

bool stick_system_is_finite(const StickSystem *system)
{
    for (int b = 0; b < system->nbodies && !stick_system_is_rigid(system); b++)
        if (system->body[b].finite)
            return true;
    return false;
}

bool stick_system_relaxes(const StickSystem *system)
{
    for (int b = 0; b < system->nbodies; b++)
        if (system->body[b].finite && system->body[b].continuum.material->nprony > 0)
            return true;
    return false;
}

void stick_system_rest(const StickSystem *system, double *history)
{
    for (int b = 0; b < system->nbodies; b++)
        if (system->body[b].finite)
            stick_finite_rest(system->body[b].finite, history + system->body[b].first_history);
}

StickStatus stick_system_forces(const StickSystem *system, StickFiniteForces *task)
{
    task->bad_body = task->bad_element = -1;
    task->energy = task->multiplier_energy = task->loss = task->worst_volume = 0;
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        if (!body->finite)
            continue;
        StickFiniteTask own = {
            .q = task->q + body->first,
            .h = task->h,
            .past = task->past + body->first_history,
            .next = task->next + body->first_history,
            .force = task->force + body->first,
            .tangent = task->tangent ? task->tangent[b] : NULL,
            .no_loss = task->no_loss,
        };
        STICK_TRY(stick_finite_evaluate(body->finite, &own));
        if (own.bad_element >= 0) {
            task->bad_body = b;
            task->bad_element = own.bad_element;
            return STICK_OK;
        }
        task->energy += own.energy;
        task->multiplier_energy += own.multiplier_energy;
        task->loss += own.loss;
        task->worst_volume = fmax(task->worst_volume, own.worst_volume);
    }
    return STICK_OK;
}

StickStatus stick_system_augment(const StickSystem *system, const double *q, int count, double *history,
                                 StickAugmentation *augmentation)
{
    *augmentation = (StickAugmentation){.missed = -1};
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        const StickVolumeSpec *volume = &body->spec->volume;
        if (!body->finite || !volume->given)
            continue;
        double change = stick_finite_volume_change(body->finite, q + body->first);
        if (change <= volume->tolerance)
            continue;
        if (count >= volume->augmentations) {
            augmentation->missed = b;
            augmentation->change = change;
            continue;
        }
        STICK_TRY(stick_finite_augment(body->finite, q + body->first, count, history + body->first_history));
        augmentation->again = true;
    }
    return STICK_OK;
}
