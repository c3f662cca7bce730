// SPDX-License-Identifier: Apache-2.0
#include "study/unstable_shapes.h"

#include "base/memory.h"
#include "output/mode_shape.h"
#include "stability/mode_tracking.h"

#include <complex.h>
#include <stdio.h>

// A complex pair stands side by side, and its second one moves as the first.
static bool is_second(const StickSpectrum *spectrum, int k)
{
    const StickMode *mode = &spectrum->mode[k], *before = k > 0 ? mode - 1 : NULL;
    return before && cimag(mode->Lambda) != 0 && cimag(mode->Lambda) == -cimag(before->Lambda) &&
           creal(mode->Lambda) == creal(before->Lambda);
}

static bool is_unstable(const StickSpectrum *spectrum, int k)
{
    return stick_mode_grows(&spectrum->mode[k]) && !is_second(spectrum, k);
}

// How many grow more; of equal ones those before.
static int rank_of(const StickSpectrum *spectrum, int k)
{
    int rank = 0;
    for (int j = 0; j < spectrum->count; j++) {
        double more = spectrum->mode[j].growth - spectrum->mode[k].growth;
        rank += j != k && (more > 0 || (more == 0 && j < k)) && is_unstable(spectrum, j);
    }
    return rank;
}

StickStatus stick_unstable_shapes_write(StickContext *ctx, StickUnstableShapes *shapes,
                                        const StickSystem *system, const double *q,
                                        const StickReduced *reduced, const StickSpectrum *spectrum)
{
    double complex *a = NULL;
    bool fluttered = false;
    StickStatus status = STICK_OK;
    if (system->ndofs != shapes->ndofs)
        return STICK_OK;
    for (int k = 0; k < spectrum->count && shapes->left > 0 && status == STICK_OK; k++) {
        const StickMode *mode = &spectrum->mode[k];
        char name[64];
        if (!is_unstable(spectrum, k))
            continue;
        bool first = mode->kind == STICK_MODE_FLUTTER && !fluttered;
        fluttered |= first;
        if (!first && rank_of(spectrum, k) >= STICK_STRONGEST_SHAPES)
            continue;
        if (!a)
            STICK_ALLOC(ctx, a, (size_t)system->ndofs + 1);
        stick_reduced_expand_complex(reduced, spectrum->vector + (size_t)k * (size_t)spectrum->n, a);
        StickModeShape shape = {system, q, a, mode->frequency, first ? 1 : STICK_SHAPE_PHASES / 4};
        snprintf(name, sizeof name, "status-%03d-mode-%d", shapes->number, mode->number);
        status = stick_mode_shape_write(ctx, shapes->folder, name, &shape);
    }
    shapes->left -= a != NULL;
    stick_free(ctx, a);
    return status;
}
