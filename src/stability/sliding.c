// SPDX-License-Identifier: Apache-2.0
#include "stability/sliding.h"

#include <math.h>
#include <stdio.h>

// Length of a direction of sliding.
static const double UNIT = 1e-6;

static const StickBody *body_of(const StickSystem *system, int dof)
{
    for (int b = 0; b < system->nbodies; b++)
        if (dof >= system->body[b].first && dof < system->body[b].first + system->body[b].ndofs)
            return &system->body[b];
    return NULL;
}

void stick_sliding_name(const StickSliding *sliding, int c, char text[STICK_SLIDING_NAME])
{
    const StickContactSet *set = sliding->contacts;
    int dof = set->dof[set->contact[c].first];
    const StickBody *body = sliding->system ? body_of(sliding->system, dof) : NULL;
    if (body)
        snprintf(text, STICK_SLIDING_NAME, "contact %d (node %lld of body '%.80s')", c + 1,
                 stick_mesh_node_tag(&body->mesh, (dof - body->first) / set->dim), body->name);
    else
        snprintf(text, STICK_SLIDING_NAME, "contact %d (degree of freedom %d)", c + 1, dof + 1);
}

double stick_sliding_along(const StickSliding *sliding, int c)
{
    const StickContactMotion *motion = &sliding->motion[c];
    double along = 0;
    for (int k = 0; k < stick_sliding_tangents(sliding); k++)
        along += motion->r[1 + k] * motion->slip[k];
    return along;
}

double stick_sliding_friction(const StickSliding *sliding, int c)
{
    double square = 0;
    for (int k = 0; k < stick_sliding_tangents(sliding); k++)
        square += sliding->motion[c].r[1 + k] * sliding->motion[c].r[1 + k];
    return sqrt(square);
}

double stick_sliding_scale(const StickSliding *sliding)
{
    double scale = 0;
    for (int c = 0; c < sliding->contacts->ncontacts && sliding->has_forces; c++)
        scale = fmax(scale, fabs(sliding->motion[c].r[0]));
    return scale;
}

static StickStatus check_matrix(StickContext *ctx, const StickSparse *A, int n, const char *name)
{
    if (!A)
        return STICK_OK;
    STICK_CHECK(ctx, A->rows == n && A->cols == n, STICK_BAD_INPUT, "%s is %d x %d, but K has order %d", name,
                A->rows, A->cols, n);
    for (int j = 0; j < n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            STICK_CHECK(ctx, isfinite(A->value[k]), STICK_BAD_INPUT, "entry (%d, %d) of %s is %g",
                        A->row[k] + 1, j + 1, name, A->value[k]);
    return STICK_OK;
}

static StickStatus check_law(StickContext *ctx, const StickSliding *sliding, int c, const char *name)
{
    const StickContactMotion *motion = &sliding->motion[c];
    STICK_CHECK(ctx, isfinite(motion->mu) && motion->mu >= 0, STICK_BAD_INPUT, "%s: mu is %g", name,
                motion->mu);
    STICK_CHECK(ctx, isfinite(motion->slope), STICK_BAD_INPUT, "%s: the slope of mu is %g", name,
                motion->slope);
    STICK_CHECK(ctx, isfinite(motion->press), STICK_BAD_INPUT, "%s: the slope of mu over pressure is %g",
                name, motion->press);
    for (int k = 0; k < sliding->contacts->dim && sliding->has_forces; k++)
        STICK_CHECK(ctx, isfinite(motion->r[k]), STICK_BAD_INPUT, "%s: component %d of its force is %g", name,
                    k + 1, motion->r[k]);
    return STICK_OK;
}

static StickStatus check_slip(StickContext *ctx, const StickSliding *sliding, int c, const char *name)
{
    const StickContactMotion *motion = &sliding->motion[c];
    int tangents = stick_sliding_tangents(sliding);
    double square = 0;
    for (int k = 0; k < tangents; k++)
        square += motion->slip[k] * motion->slip[k];
    STICK_CHECK(ctx, fabs(sqrt(square) - 1) <= UNIT, STICK_BAD_INPUT,
                "%s slips, but its direction of sliding has length %g", name, sqrt(square));
    STICK_CHECK(ctx, motion->speed >= 0, STICK_BAD_INPUT, "%s slips at speed %g", name, motion->speed);
    STICK_CHECK(ctx, sliding->has_forces || motion->slope == 0, STICK_BAD_INPUT,
                "%s: a slope of mu (%g) requires the normal force, which is not given", name, motion->slope);
    return STICK_OK;
}

static StickStatus check_forces(StickContext *ctx, const StickSliding *sliding, int c, const char *name,
                                double room)
{
    const StickContactMotion *motion = &sliding->motion[c];
    double N = motion->r[0], T = stick_sliding_friction(sliding, c), limit = motion->mu * N;
    bool slips = stick_sliding_rubs(sliding, c);
    room *= 1 + motion->mu;
    if (motion->status == STICK_APART) {
        STICK_CHECK(ctx, fabs(N) + T <= room, STICK_BAD_INPUT, "%s is open, but has a force of %g", name,
                    fabs(N) + T);
        return STICK_OK;
    }
    STICK_CHECK(ctx, N >= -room, STICK_BAD_INPUT, "%s pulls: its normal force is %g", name, N);
    STICK_CHECK(ctx, T <= limit + room, STICK_BAD_INPUT,
                "%s is outside of Coulomb's cone: |r_T| = %g, mu r_N = %g", name, T, limit);
    STICK_CHECK(ctx, !slips || T >= limit - room, STICK_BAD_INPUT,
                "%s slips inside of Coulomb's cone: |r_T| = %g, mu r_N = %g", name, T, limit);
    // r_T = -mu r_N slip; with |r_T| = mu r_N its direction is wrong to first order where this is.
    double along = stick_sliding_along(sliding, c);
    STICK_CHECK(ctx, !slips || along <= -limit * (1 - UNIT) + room, STICK_BAD_INPUT,
                "%s slips, but its friction does not oppose the slip: r_T along it is %g, not %g", name,
                along, -limit);
    return STICK_OK;
}

static StickStatus check_contact(StickContext *ctx, const StickSliding *sliding, int c, double room)
{
    char name[STICK_SLIDING_NAME];
    stick_sliding_name(sliding, c, name);
    STICK_TRY(check_law(ctx, sliding, c, name));
    if (stick_sliding_rubs(sliding, c))
        STICK_TRY(check_slip(ctx, sliding, c, name));
    return sliding->has_forces ? check_forces(ctx, sliding, c, name, room) : STICK_OK;
}

StickStatus stick_sliding_check(StickContext *ctx, const StickSliding *sliding, double tolerance)
{
    const StickContactSet *set = sliding->contacts;
    int n = sliding->K->rows;
    double room = tolerance * stick_sliding_scale(sliding);
    STICK_TRY(check_matrix(ctx, sliding->K, n, "K"));
    STICK_TRY(check_matrix(ctx, sliding->M, n, "M"));
    STICK_TRY(check_matrix(ctx, sliding->C, n, "C"));
    for (int c = 0; c < set->ncontacts; c++) {
        for (int e = 0; e < set->contact[c].count; e++) {
            int dof = set->dof[set->contact[c].first + e];
            STICK_CHECK(ctx, dof >= 0 && dof < n, STICK_BAD_INPUT,
                        "contact %d touches degree of freedom %d of %d", c + 1, dof + 1, n);
        }
        STICK_TRY(check_contact(ctx, sliding, c, room));
    }
    return STICK_OK;
}
