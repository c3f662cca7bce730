// SPDX-License-Identifier: Apache-2.0
#include "output/mode_shape.h"

#include "base/file.h"
#include "base/pi.h"
#include "output/frames.h"
#include "output/pvd.h"

#include <math.h>
#include <stdio.h>

enum { DISPLACEMENT = 0, MODE = 1, FIELDS = 2 };

// Largest length that any node's motion has in a whole oscillation: of its ellipse the longer half axis.
static double longest(const StickModeShape *shape)
{
    int dim = shape->system->dim;
    double most = 0;
    for (int i = 0; i < shape->system->ndofs; i += dim) {
        double squares = 0;
        double complex square = 0;
        for (int k = 0; k < dim; k++) {
            double complex a = shape->a[i + k];
            squares += creal(a) * creal(a) + cimag(a) * cimag(a);
            square += a * a;
        }
        most = fmax(most, sqrt((squares + cabs(square)) / 2));
    }
    return most;
}

// The bodies once; values of the mode are filled in phase by phase.
typedef struct Film {
    StickArena arena;
    StickVtuPiece *piece;
    double *mode; // ndofs
} Film;

static StickStatus prepare(Film *film, const StickModeShape *shape)
{
    const StickSystem *system = shape->system;
    STICK_TAKE(&film->arena, film->piece, system->nbodies);
    STICK_TAKE(&film->arena, film->mode, system->ndofs);
    for (int b = 0; b < system->nbodies; b++) {
        const void **data;
        STICK_TRY(stick_frame_piece(&film->arena, system, b, &film->piece[b]));
        STICK_TAKE(&film->arena, data, FIELDS);
        data[DISPLACEMENT] = shape->q + system->body[b].first;
        data[MODE] = film->mode + system->body[b].first;
        film->piece[b].point_data = data;
    }
    return STICK_OK;
}

static StickStatus write_phase(StickContext *ctx, const Film *film, const StickModeShape *shape, double time,
                               const char *path)
{
    const StickVtuField fields[FIELDS] = {
        [DISPLACEMENT] = {"displacement", STICK_VTU_REAL, shape->system->dim, 3, NULL},
        [MODE] = {"mode", STICK_VTU_SINGLE, shape->system->dim, 3, NULL},
    };
    const StickVtuField body_field = stick_frame_body_field();
    StickVtu grid = {
        .time = time,
        .npieces = shape->system->nbodies,
        .piece = film->piece,
        .npoint_fields = FIELDS,
        .point_field = fields,
        .ncell_fields = 1,
        .cell_field = &body_field,
    };
    return stick_vtu_write(ctx, path, &grid);
}

static void fill_phase(Film *film, const StickModeShape *shape, double scale, double part)
{
    double complex turn = scale * cexp(I * 2 * STICK_PI * part);
    for (int i = 0; i < shape->system->ndofs; i++)
        film->mode[i] = creal(shape->a[i] * turn);
}

static double scale_of(const StickModeShape *shape)
{
    double size = longest(shape);
    return size > 0 ? 1 / size : 0;
}

static StickStatus write_phases(StickContext *ctx, Film *film, const char *folder, const char *name,
                                const StickModeShape *shape, StickPvd *pvd)
{
    double scale = scale_of(shape);
    int every = shape->every > 1 ? shape->every : 1;
    char path[STICK_PATH_TEXT], file[512];
    for (int k = 0; k < STICK_SHAPE_PHASES; k += every) {
        double part = (double)k / STICK_SHAPE_PHASES;
        double time = shape->frequency > 0 ? part / shape->frequency : part;
        fill_phase(film, shape, scale, part);
        snprintf(file, sizeof file, "%.400s/phase-%02d.vtu", name, k);
        STICK_TRY(stick_path_in(ctx, folder, file, path));
        STICK_TRY(write_phase(ctx, film, shape, time, path));
        STICK_TRY(stick_pvd_add(pvd, time, file));
    }
    snprintf(file, sizeof file, "%.400s.pvd", name);
    STICK_TRY(stick_path_in(ctx, folder, file, path));
    return stick_pvd_write(pvd, path);
}

StickStatus stick_mode_shape_write(StickContext *ctx, const char *folder, const char *name,
                                   const StickModeShape *shape)
{
    char path[STICK_PATH_TEXT];
    Film film = {0};
    StickPvd pvd;
    STICK_TRY(stick_path_in(ctx, folder, name, path));
    STICK_TRY(stick_folder_create(ctx, path));
    stick_arena_init(&film.arena, ctx);
    stick_pvd_init(&pvd, ctx);
    StickStatus status = prepare(&film, shape);
    if (status == STICK_OK)
        status = write_phases(ctx, &film, folder, name, shape, &pvd);
    stick_pvd_destroy(&pvd);
    stick_arena_destroy(&film.arena);
    return status;
}

StickStatus stick_mode_shape_write_still(StickContext *ctx, const char *folder, const char *name,
                                         const StickModeShape *shape)
{
    char path[STICK_PATH_TEXT];
    Film film = {0};
    STICK_TRY(stick_path_in(ctx, folder, name, path));
    stick_arena_init(&film.arena, ctx);
    StickStatus status = prepare(&film, shape);
    if (status == STICK_OK) {
        fill_phase(&film, shape, scale_of(shape), 0);
        status = write_phase(ctx, &film, shape, 0, path);
    }
    stick_arena_destroy(&film.arena);
    return status;
}
