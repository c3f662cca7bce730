// SPDX-License-Identifier: Apache-2.0
#include "drive/mating.h"

#include <string.h>

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

// ---- forces

// Displacements of all surface nodes of a side's body by a force of the pair in space, in the axes of the system.
static StickStatus respond(StickTrajectory *trajectory, const StickStripPair *pair, int side,
                           const double g[2])
{
    const StickStripSide *own = &pair->side[side];
    const StickStripSet *set = &trajectory->set;
    StickSurfaceCompliance *compliance = trajectory->compliance[own->body];
    int rows = 2 * stick_surface_compliance_count(compliance);
    double force[2];
    stick_frame_unturn(&trajectory->frames.frame[own->body], g, force);
    memset(trajectory->response, 0, (size_t)rows * sizeof *trajectory->response);
    for (int k = own->first; k < own->first + own->count; k++)
        for (int axis = 0; axis < 2; axis++) {
            const double *column;
            double part = stick_mating_sign(side) * set->weight[k] * force[axis];
            STICK_TRY(stick_surface_compliance_column(compliance, set->node[k], axis, &column));
            for (int r = 0; r < rows; r++)
                trajectory->response[r] += part * column[r];
        }
    return STICK_OK;
}

// How far the mate moves from the strip along a direction in space by one of the sides, as its body responds.
static double parted(const StickTrajectory *trajectory, const StickStripPair *pair, int side,
                     const double direction[2])
{
    const StickStripSide *own = &pair->side[side];
    const StickStripSet *set = &trajectory->set;
    double along[2], sum[2] = {0, 0};
    stick_frame_unturn(&trajectory->frames.frame[own->body], direction, along);
    for (int k = own->first; k < own->first + own->count; k++) {
        int place = stick_surface_compliance_place(trajectory->compliance[own->body], set->node[k]);
        for (int axis = 0; axis < 2; axis++)
            sum[axis] += set->weight[k] * trajectory->response[2 * place + axis];
    }
    return stick_mating_sign(side) * dot(along, sum);
}

StickStatus stick_mating_fill(StickTrajectory *trajectory)
{
    const StickStripSet *set = &trajectory->set;
    size_t m = (size_t)set->npairs;
    memset(trajectory->A, 0, m * m * sizeof *trajectory->A);
    for (size_t k = 0; k < m; k++)
        for (int side = 0; side < 2; side++) {
            double g[2];
            stick_strip_force(&set->pair[k], g);
            STICK_TRY(respond(trajectory, &set->pair[k], side, g));
            for (size_t i = 0; i < m; i++)
                for (int other = 0; other < 2; other++)
                    if (set->pair[i].side[other].body == set->pair[k].side[side].body)
                        trajectory->A[k * m + i] +=
                            parted(trajectory, &set->pair[i], other, set->pair[i].normal);
        }
    return STICK_OK;
}

// What the last response adds to both rows of all blocks of a column of W.
static void add_column(const StickTrajectory *trajectory, int body, size_t k, size_t along, double *W)
{
    const StickStripSet *set = &trajectory->set;
    size_t m = (size_t)set->npairs;
    for (size_t i = 0; i < m; i++)
        for (int other = 0; other < 2; other++) {
            const StickStripPair *pair = &set->pair[i];
            double tangent[2], *block = &W[4 * (i * m + k)];
            if (pair->side[other].body != body)
                continue;
            stick_mating_tangent(pair, tangent);
            block[along] += parted(trajectory, pair, other, pair->normal);
            block[2 + along] += parted(trajectory, pair, other, tangent);
        }
}

StickStatus stick_mating_fill_both(StickTrajectory *trajectory, double *W)
{
    const StickStripSet *set = &trajectory->set;
    size_t m = (size_t)set->npairs;
    memset(W, 0, 4 * m * m * sizeof *W);
    for (size_t k = 0; k < m; k++)
        for (int side = 0; side < 2; side++) {
            double tangent[2];
            stick_mating_tangent(&set->pair[k], tangent);
            for (size_t along = 0; along < 2; along++) {
                STICK_TRY(respond(trajectory, &set->pair[k], side, along ? tangent : set->pair[k].normal));
                add_column(trajectory, set->pair[k].side[side].body, k, along, W);
            }
        }
    return STICK_OK;
}

// ---- motions

double stick_mating_couple(const StickTrajectory *trajectory, const StickStripPair *pair, int body,
                           StickFrameMotion motion, const double direction[2])
{
    double unit[2], sum = 0;
    stick_frame_unit(&trajectory->frames.frame[body], motion, pair->x, unit);
    for (int side = 0; side < 2; side++)
        if (pair->side[side].body == body)
            sum += stick_mating_sign(side) * dot(unit, direction);
    return sum;
}

// Forces of contact balance the loads: lambda = -load
void stick_mating_motions(StickTrajectory *trajectory)
{
    const StickFrames *frames = &trajectory->frames;
    size_t m = (size_t)trajectory->set.npairs, l = (size_t)frames->nmotions;
    for (size_t j = 0; j < l; j++) {
        int b = frames->body[j];
        trajectory->lambda[j] = -frames->frame[b].load[frames->motion[j]];
        for (size_t i = 0; i < m; i++) {
            const StickStripPair *pair = &trajectory->set.pair[i];
            double g[2];
            stick_strip_force(pair, g);
            trajectory->C[j * m + i] =
                stick_mating_couple(trajectory, pair, b, frames->motion[j], pair->normal);
            trajectory->B[i * l + j] = stick_mating_couple(trajectory, pair, b, frames->motion[j], g);
        }
    }
}

double stick_mating_mean(const StickTrajectory *trajectory, const StickStripPair *pair, int side,
                         const double *u, const double direction[2])
{
    const StickStripSide *own = &pair->side[side];
    const StickStripSet *set = &trajectory->set;
    const double *of_body = &u[trajectory->frames.system->body[own->body].first];
    double along[2], sum = 0;
    stick_frame_unturn(&trajectory->frames.frame[own->body], direction, along);
    for (int k = own->first; k < own->first + own->count; k++)
        sum += set->weight[k] * dot(along, &of_body[2 * set->node[k]]);
    return sum;
}
