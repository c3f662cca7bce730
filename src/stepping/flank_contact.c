// SPDX-License-Identifier: Apache-2.0
#include "stepping/flank_contact.h"

#include <string.h>

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

void stick_flank_contact_direction(const StickFacetPair *pair, int side, StickFlankContactAxis axis,
                                   double direction[2])
{
    const double *n = pair->side[side].normal;
    direction[0] = axis == STICK_MATING_TANGENT ? -n[1] : n[0];
    direction[1] = axis == STICK_MATING_TANGENT ? n[0] : n[1];
    if (axis == STICK_MATING_FORCE)
        stick_facet_force(pair, side, direction);
}

// ---- forces

// Displacements of all surface nodes of a side's body by a unit force of the pair, in the axes of the system.
static StickStatus respond(StickTrajectory *trajectory, const StickFacetPair *pair, int side,
                           StickFlankContactAxis axis_of_force)
{
    const StickFacetSide *own = &pair->side[side];
    const StickFacetSet *set = &trajectory->set;
    StickSurfaceCompliance *compliance = trajectory->compliance[own->body];
    int rows = 2 * stick_surface_compliance_count(compliance);
    double g[2], force[2];
    stick_flank_contact_direction(pair, side, axis_of_force, g);
    stick_frame_unturn(&trajectory->frames.frame[own->body], g, force);
    memset(trajectory->response, 0, (size_t)rows * sizeof *trajectory->response);
    for (int k = own->first; k < own->first + own->count; k++)
        for (int axis = 0; axis < 2; axis++) {
            const double *column;
            double part = stick_flank_contact_sign(side) * set->weight[k] * force[axis];
            STICK_TRY(stick_surface_compliance_column(compliance, set->node[k], axis, &column));
            for (int r = 0; r < rows; r++)
                trajectory->response[r] += part * column[r];
        }
    return STICK_OK;
}

// How far the mate moves from the strip along an axis by one of the sides, as its body responds.
static double parted(const StickTrajectory *trajectory, const StickFacetPair *pair, int side,
                     StickFlankContactAxis axis_of_way)
{
    const StickFacetSide *own = &pair->side[side];
    const StickFacetSet *set = &trajectory->set;
    double direction[2], along[2], sum[2] = {0, 0};
    stick_flank_contact_direction(pair, side, axis_of_way, direction);
    stick_frame_unturn(&trajectory->frames.frame[own->body], direction, along);
    for (int k = own->first; k < own->first + own->count; k++) {
        int place = stick_surface_compliance_place(trajectory->compliance[own->body], set->node[k]);
        for (int axis = 0; axis < 2; axis++)
            sum[axis] += set->weight[k] * trajectory->response[2 * place + axis];
    }
    return stick_flank_contact_sign(side) * dot(along, sum);
}

StickStatus stick_flank_contact_fill(StickTrajectory *trajectory)
{
    const StickFacetSet *set = &trajectory->set;
    size_t m = (size_t)set->npairs;
    memset(trajectory->A, 0, m * m * sizeof *trajectory->A);
    for (size_t k = 0; k < m; k++)
        for (int side = 0; side < 2; side++) {
            STICK_TRY(respond(trajectory, &set->pair[k], side, STICK_MATING_FORCE));
            for (size_t i = 0; i < m; i++)
                for (int other = 0; other < 2; other++)
                    if (set->pair[i].side[other].body == set->pair[k].side[side].body)
                        trajectory->A[k * m + i] +=
                            parted(trajectory, &set->pair[i], other, STICK_MATING_NORMAL);
        }
    return STICK_OK;
}

// What the last response adds to both rows of all blocks of a column of W.
static void add_column(const StickTrajectory *trajectory, int body, size_t k, StickFlankContactAxis along,
                       double *W)
{
    const StickFacetSet *set = &trajectory->set;
    size_t m = (size_t)set->npairs;
    for (size_t i = 0; i < m; i++)
        for (int other = 0; other < 2; other++) {
            const StickFacetPair *pair = &set->pair[i];
            double *block = &W[4 * (i * m + k)];
            if (pair->side[other].body != body)
                continue;
            block[along] += parted(trajectory, pair, other, STICK_MATING_NORMAL);
            block[2 + along] += parted(trajectory, pair, other, STICK_MATING_TANGENT);
        }
}

StickStatus stick_flank_contact_fill_both(StickTrajectory *trajectory, double *W)
{
    const StickFacetSet *set = &trajectory->set;
    size_t m = (size_t)set->npairs;
    memset(W, 0, 4 * m * m * sizeof *W);
    for (size_t k = 0; k < m; k++)
        for (int side = 0; side < 2; side++)
            for (StickFlankContactAxis along = STICK_MATING_NORMAL; along <= STICK_MATING_TANGENT; along++) {
                STICK_TRY(respond(trajectory, &set->pair[k], side, along));
                add_column(trajectory, set->pair[k].side[side].body, k, along, W);
            }
    return STICK_OK;
}

// ---- motions

double stick_flank_contact_couple(const StickTrajectory *trajectory, const StickFacetPair *pair, int body,
                                  StickFrameMotion motion, StickFlankContactAxis axis)
{
    double unit[2], direction[2], sum = 0;
    for (int side = 0; side < 2; side++)
        if (pair->side[side].body == body) {
            stick_frame_unit(&trajectory->frames.frame[body], motion, pair->side[side].x, unit);
            stick_flank_contact_direction(pair, side, axis, direction);
            sum += stick_flank_contact_sign(side) * dot(unit, direction);
        }
    return sum;
}

// Forces of contact balance the loads: lambda = -load
void stick_flank_contact_motions(StickTrajectory *trajectory)
{
    const StickFrames *frames = &trajectory->frames;
    size_t m = (size_t)trajectory->set.npairs, l = (size_t)frames->nmotions;
    for (size_t j = 0; j < l; j++) {
        int b = frames->body[j];
        trajectory->lambda[j] = -frames->frame[b].load[frames->motion[j]];
        for (size_t i = 0; i < m; i++) {
            const StickFacetPair *pair = &trajectory->set.pair[i];
            trajectory->C[j * m + i] =
                stick_flank_contact_couple(trajectory, pair, b, frames->motion[j], STICK_MATING_NORMAL);
            trajectory->B[i * l + j] =
                stick_flank_contact_couple(trajectory, pair, b, frames->motion[j], STICK_MATING_FORCE);
        }
    }
}

double stick_flank_contact_mean(const StickTrajectory *trajectory, const StickFacetPair *pair, int side,
                                const double *u, const double direction[2])
{
    const StickFacetSide *own = &pair->side[side];
    const StickFacetSet *set = &trajectory->set;
    const double *of_body = &u[trajectory->frames.system->body[own->body].first];
    double along[2], sum = 0;
    stick_frame_unturn(&trajectory->frames.frame[own->body], direction, along);
    for (int k = own->first; k < own->first + own->count; k++)
        sum += set->weight[k] * dot(along, &of_body[2 * set->node[k]]);
    return sum;
}

double stick_flank_contact_parting(const StickTrajectory *trajectory, const StickFacetPair *pair,
                                   const double *u, StickFlankContactAxis axis)
{
    double direction[2], sum = 0;
    for (int side = 0; side < 2; side++) {
        stick_flank_contact_direction(pair, side, axis, direction);
        sum +=
            stick_flank_contact_sign(side) * stick_flank_contact_mean(trajectory, pair, side, u, direction);
    }
    return sum;
}
