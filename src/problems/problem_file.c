// SPDX-License-Identifier: Apache-2.0
#include "problems/problem_file.h"

#include "base/file.h"
#include "base/text.h"
#include "problems/dat.h"
#include "problems/fclib.h"

#include <string.h>

static const char *const kind_names[] = {"auto", "lcp", "friction", "global", "mates"};
enum { KINDS = sizeof kind_names / sizeof *kind_names };

const char *stick_problem_kind_name(StickProblemKind kind)
{
    return kind_names[kind];
}

StickStatus stick_problem_kind_parse(StickContext *ctx, const char *name, StickProblemKind *kind)
{
    for (int k = 0; k < KINDS; k++) {
        if (stick_text_equal(name, kind_names[k])) {
            *kind = (StickProblemKind)k;
            return STICK_OK;
        }
    }
    return stick_fail(ctx, STICK_BAD_INPUT,
                      "'%s' is not a type of problem: use auto, lcp, friction, global or mates%s", name,
                      stick_suggestion(name, kind_names, KINDS).text);
}

static StickStatus read_bytes(const char *path, StickProblemKind as, StickProblemFile *file)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    char *bytes;
    size_t count;
    STICK_TRY(stick_file_read(file->ctx, path, &bytes, &count));
    bool hdf5 = count >= 8 && memcmp(bytes, signature, 8) == 0;
    if (hdf5) {
        file->image = bytes;
        file->image_bytes = count;
        return stick_fclib_read(path, bytes, count, as, file);
    }
    StickStatus status = stick_dat_read(path, bytes, count, as, file);
    stick_free(file->ctx, bytes);
    return status;
}

StickStatus stick_problem_read(StickContext *ctx, const char *path, StickProblemKind as,
                               StickProblemFile **file)
{
    StickProblemFile *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    StickStatus status = read_bytes(path, as, made);
    if (status != STICK_OK) {
        stick_problem_destroy(made);
        return status;
    }
    *file = made;
    return STICK_OK;
}

void stick_problem_destroy(StickProblemFile *file)
{
    if (!file)
        return;
    stick_lcp_data_destroy(file->ctx, &file->lcp);
    stick_friction_data_destroy(file->ctx, &file->friction);
    stick_mixed_data_destroy(file->ctx, &file->mixed);
    stick_global_data_destroy(file->ctx, &file->global);
    stick_mlcp_data_destroy(file->ctx, &file->mates);
    stick_solution_data_destroy(file->ctx, &file->solution);
    for (int k = 0; k < file->nguesses; k++)
        stick_solution_data_destroy(file->ctx, &file->guess[k]);
    stick_free(file->ctx, file->guess);
    stick_free(file->ctx, file->title);
    stick_free(file->ctx, file->image);
    stick_free(file->ctx, file);
}

int stick_problem_size(const StickProblemFile *file)
{
    if (file->kind == STICK_PROBLEM_LCP)
        return file->lcp.n;
    if (file->kind == STICK_PROBLEM_MATES)
        return file->mates.m;
    return file->kind == STICK_PROBLEM_GLOBAL ? file->global.ncontacts : file->friction.ncontacts;
}

int stick_problem_entries(const StickProblemFile *file)
{
    if (file->kind == STICK_PROBLEM_LCP || file->kind == STICK_PROBLEM_MATES)
        return stick_problem_size(file);
    return stick_problem_size(file) *
           (file->kind == STICK_PROBLEM_GLOBAL ? file->global.dim : file->friction.dim);
}

int stick_problem_unknowns(const StickProblemFile *file)
{
    if (file->kind == STICK_PROBLEM_MATES)
        return file->mates.l;
    return file->kind == STICK_PROBLEM_GLOBAL ? file->global.M.rows : 0;
}

int stick_problem_bilateral(const StickProblemFile *file)
{
    if (file->kind == STICK_PROBLEM_LCP)
        return 0;
    return file->kind == STICK_PROBLEM_GLOBAL ? file->global.G.cols : file->mixed.R.cols;
}

StickLcp stick_problem_lcp(const StickProblemFile *file)
{
    return (StickLcp){.n = file->lcp.n, .M = file->lcp.M, .q = file->lcp.q};
}

StickFrictionProblem stick_problem_friction(const StickProblemFile *file)
{
    const StickFrictionData *data = &file->friction;
    return (StickFrictionProblem){
        .dim = data->dim,
        .ncontacts = data->ncontacts,
        .W = &data->W,
        .u_free = data->u_free,
        .mu = data->mu,
        .bodies = data->bodies.ndofs > 0 ? &data->bodies : NULL,
    };
}

StickMixedLcp stick_problem_mates(const StickProblemFile *file)
{
    const StickMlcpData *data = &file->mates;
    return (StickMixedLcp){.m = data->m,
                           .l = data->l,
                           .A = data->A,
                           .B = data->B,
                           .C = data->C,
                           .eps = data->eps,
                           .lambda = data->lambda,
                           .motion = (const char *const *)data->motion};
}

void stick_lcp_data_destroy(StickContext *ctx, StickLcpData *lcp)
{
    stick_free(ctx, lcp->M);
    stick_free(ctx, lcp->q);
    *lcp = (StickLcpData){0};
}

void stick_friction_data_destroy(StickContext *ctx, StickFrictionData *friction)
{
    stick_blocks_destroy(ctx, &friction->W);
    stick_free(ctx, friction->u_free);
    stick_free(ctx, friction->mu);
    stick_free(ctx, friction->S);
    stick_free(ctx, friction->H);
    stick_free(ctx, friction->sides);
    stick_free(ctx, friction->joint);
    *friction = (StickFrictionData){0};
}

void stick_mixed_data_destroy(StickContext *ctx, StickMixedData *mixed)
{
    stick_sparse_destroy(ctx, &mixed->W);
    stick_sparse_destroy(ctx, &mixed->V);
    stick_sparse_destroy(ctx, &mixed->R);
    stick_free(ctx, mixed->q);
    stick_free(ctx, mixed->s);
    *mixed = (StickMixedData){0};
}

void stick_solution_data_destroy(StickContext *ctx, StickSolutionData *solution)
{
    stick_free(ctx, solution->v);
    stick_free(ctx, solution->u);
    stick_free(ctx, solution->r);
    stick_free(ctx, solution->l);
    *solution = (StickSolutionData){0};
}

void stick_mlcp_data_destroy(StickContext *ctx, StickMlcpData *mates)
{
    double *const numbers[] = {mates->A, mates->B, mates->C, mates->eps, mates->lambda};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        stick_free(ctx, numbers[k]);
    for (int k = 0; mates->motion && k < mates->l; k++)
        stick_free(ctx, mates->motion[k]);
    stick_free(ctx, mates->motion);
    *mates = (StickMlcpData){0};
}

void stick_global_data_destroy(StickContext *ctx, StickGlobalData *global)
{
    stick_sparse_destroy(ctx, &global->M);
    stick_sparse_destroy(ctx, &global->H);
    stick_sparse_destroy(ctx, &global->G);
    stick_free(ctx, global->f);
    stick_free(ctx, global->w);
    stick_free(ctx, global->b);
    stick_free(ctx, global->mu);
    *global = (StickGlobalData){0};
}
