// SPDX-License-Identifier: Apache-2.0
#include "output/frames.h"

#include "bodies/finite.h"
#include "fem/finite.h"
#include "output/nodal.h"
#include "stepping/trajectory.h"

enum {
    DISPLACEMENT,
    VELOCITY,
    STRESS,
    VON_MISES,
    CONTACT_FORCE,
    CONTACT_PRESSURE,
    GAP,
    STATUS,
    PLASTIC_STRAIN, // if a material flows
    POINT_FIELDS
};

// Of cells; all but the first if a body is under finite deformation.
enum { BODY, PRESSURE, VOLUME, CELL_FIELDS };

static const char *const stress_names[] = {"xx", "yy", "zz", "xy", "yz", "zx"};

// A field by its name in output/nodal.h: components of a vector, or one number.
static StickStatus nodal_field(StickArena *arena, const StickSimulation *run, const char *name, int body,
                               const StickContactSet *gaps, const void **field)
{
    const StickResult *what = stick_result(name);
    int nodes = run->system->body[body].mesh.nnodes, components = what->by_component ? run->system->dim : 1;
    double *values, *all;
    STICK_TAKE(arena, values, nodes);
    STICK_TAKE(arena, all, (size_t)nodes * (size_t)components);
    for (int k = 0; k < components; k++) {
        stick_nodal_values(run, what, what->by_component ? k : -1, body, gaps, values);
        for (int i = 0; i < nodes; i++)
            all[i * components + k] = values[i];
    }
    *field = all;
    return STICK_OK;
}

static bool is_plastic(const StickBody *body)
{
    return body->finite && body->continuum.material->law == STICK_MATERIAL_J2;
}

// Of a body under finite deformation: stresses are Cauchy's, and cells have pressures and volumes.
static StickStatus finite_fields(StickArena *arena, const StickSimulation *run, const StickBody *body,
                                 double *stress, const void **point, const void **cell)
{
    const StickMotion *now = &run->state.now;
    double *plastic, *pressure, *volume;
    STICK_TAKE(arena, plastic, body->mesh.nnodes);
    STICK_TAKE(arena, pressure, body->mesh.nelements);
    STICK_TAKE(arena, volume, body->mesh.nelements);
    point[PLASTIC_STRAIN] = is_plastic(body) ? plastic : NULL;
    cell[PRESSURE] = pressure;
    cell[VOLUME] = volume;
    StickFiniteFields fields = {.stress = stress, .plastic = plastic, .pressure = pressure, .volume = volume};
    return stick_finite_fields(body->finite, now->q + body->first, now->history + body->first_history,
                               &fields);
}

// Of a body on a trajectory: from its own axes, in which it is deformed, to those of space.
static void turn_stresses(const StickSimulation *run, int b, double *stress)
{
    double c[2];
    stick_simulation_axes(run, b, c);
    for (int i = 0; run->trajectory && i < run->system->body[b].mesh.nnodes; i++) {
        double *at = &stress[6 * i], xx = at[0], yy = at[1], xy = at[3];
        at[0] = c[0] * c[0] * xx + c[1] * c[1] * yy - 2 * c[0] * c[1] * xy;
        at[1] = c[1] * c[1] * xx + c[0] * c[0] * yy + 2 * c[0] * c[1] * xy;
        at[3] = c[0] * c[1] * (xx - yy) + (c[0] * c[0] - c[1] * c[1]) * xy;
    }
}

static StickStatus stress_fields(StickArena *arena, const StickSimulation *run, int b, const void **point,
                                 const void **cell)
{
    const StickBody *body = &run->system->body[b];
    double *stress, *mises;
    STICK_TAKE(arena, stress, 6 * (size_t)body->mesh.nnodes);
    STICK_TAKE(arena, mises, body->mesh.nnodes);
    const StickMotion *now = &run->state.now;
    point[STRESS] = stress;
    point[VON_MISES] = mises;
    if (body->rigid) // has none
        return STICK_OK;
    if (body->finite)
        STICK_TRY(finite_fields(arena, run, body, stress, point, cell));
    else
        STICK_TRY(stick_fem_stress(run->ctx, &body->continuum,
                                   stick_simulation_deformation(run) + body->first, now->v + body->first,
                                   stress));
    turn_stresses(run, b, stress);
    for (int i = 0; i < body->mesh.nnodes; i++)
        mises[i] = stick_von_mises(&stress[6 * i]);
    return STICK_OK;
}

StickVtuField stick_frame_body_field(void)
{
    return (StickVtuField){"body", STICK_VTU_INTEGER, 1, 1, NULL};
}

StickStatus stick_frame_piece(StickArena *arena, const StickSystem *system, int b, StickVtuPiece *piece)
{
    const StickMesh *mesh = &system->body[b].mesh;
    unsigned char *type;
    int *owner;
    const void **data;
    STICK_TAKE(arena, type, mesh->nelements);
    STICK_TAKE(arena, owner, mesh->nelements);
    STICK_TAKE(arena, data, 1);
    for (int e = 0; e < mesh->nelements; e++) {
        type[e] = (unsigned char)stick_shape_info(mesh->shape[e])->vtk;
        owner[e] = b;
    }
    data[0] = owner;
    *piece = (StickVtuPiece){
        .dim = system->dim,
        .npoints = mesh->nnodes,
        .x = mesh->x,
        .ncells = mesh->nelements,
        .start = mesh->start,
        .node = mesh->node,
        .type = type,
        .cell_data = data,
    };
    return STICK_OK;
}

static StickStatus fill_piece(StickArena *arena, const StickSimulation *run, int b,
                              const StickContactSet *gaps, StickVtuPiece *piece)
{
    const void **data, **cell;
    STICK_TAKE(arena, data, POINT_FIELDS);
    STICK_TAKE(arena, cell, CELL_FIELDS);
    STICK_TRY(nodal_field(arena, run, "displacement", b, gaps, &data[DISPLACEMENT]));
    STICK_TRY(nodal_field(arena, run, "velocity", b, gaps, &data[VELOCITY]));
    STICK_TRY(stress_fields(arena, run, b, data, cell));
    STICK_TRY(nodal_field(arena, run, "contact_force", b, gaps, &data[CONTACT_FORCE]));
    STICK_TRY(nodal_field(arena, run, "contact_pressure", b, gaps, &data[CONTACT_PRESSURE]));
    STICK_TRY(nodal_field(arena, run, "gap", b, gaps, &data[GAP]));
    STICK_TRY(nodal_field(arena, run, "status", b, gaps, &data[STATUS]));
    STICK_TRY(stick_frame_piece(arena, run->system, b, piece));
    piece->point_data = data;
    cell[BODY] = piece->cell_data[0];
    piece->cell_data = cell;
    return STICK_OK;
}

static StickStatus write_grid(StickArena *arena, const StickSimulation *run, const StickContactSet *gaps,
                              const char *path)
{
    int dim = run->system->dim;
    const StickVtuField point_fields[POINT_FIELDS] = {
        [DISPLACEMENT] = {"displacement", STICK_VTU_REAL, dim, 3, NULL},
        [VELOCITY] = {"velocity", STICK_VTU_REAL, dim, 3, NULL},
        [STRESS] = {"stress", STICK_VTU_SINGLE, 6, 6, stress_names},
        [VON_MISES] = {"von_mises", STICK_VTU_SINGLE, 1, 1, NULL},
        [CONTACT_FORCE] = {"contact_force", STICK_VTU_REAL, dim, 3, NULL},
        [CONTACT_PRESSURE] = {"contact_pressure", STICK_VTU_SINGLE, 1, 1, NULL},
        [GAP] = {"gap", STICK_VTU_REAL, 1, 1, NULL},
        [STATUS] = {"status", STICK_VTU_SINGLE, 1, 1, NULL},
        [PLASTIC_STRAIN] = {"plastic_strain", STICK_VTU_SINGLE, 1, 1, NULL},
    };
    const StickVtuField cell_fields[CELL_FIELDS] = {
        [BODY] = stick_frame_body_field(),
        [PRESSURE] = {"pressure", STICK_VTU_SINGLE, 1, 1, NULL},
        [VOLUME] = {"volume", STICK_VTU_REAL, 1, 1, NULL},
    };
    bool plastic = false;
    StickVtuPiece *piece;
    STICK_TAKE(arena, piece, run->system->nbodies);
    for (int b = 0; b < run->system->nbodies; b++) {
        STICK_TRY(fill_piece(arena, run, b, gaps, &piece[b]));
        plastic = plastic || is_plastic(&run->system->body[b]);
    }
    StickVtu grid = {
        .time = run->state.now.t,
        .npieces = run->system->nbodies,
        .piece = piece,
        .npoint_fields = plastic ? POINT_FIELDS : PLASTIC_STRAIN,
        .point_field = point_fields,
        .ncell_fields = stick_system_is_finite(run->system) ? CELL_FIELDS : PRESSURE,
        .cell_field = cell_fields,
    };
    return stick_vtu_write(run->ctx, path, &grid);
}

StickStatus stick_frame_write(StickContext *ctx, const StickSimulation *run, const StickContactSet *gaps,
                              const char *path)
{
    StickArena arena;
    stick_arena_init(&arena, ctx);
    StickStatus status = write_grid(&arena, run, gaps, path);
    stick_arena_destroy(&arena);
    return status;
}
