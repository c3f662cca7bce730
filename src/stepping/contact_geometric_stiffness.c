// SPDX-License-Identifier: Apache-2.0
#include "stepping/contact_geometric_stiffness.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/contact_set.h"
#include "stepping/contact_problem.h"
#include "stepping/contact_regularization.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

// In the plane: a node on a piece with two corners.
enum { NODE_ON_PIECE = 6 };

void stick_contact_geometric_stiffness_destroy(StickContext *ctx, StickContactGeometricStiffness *turning)
{
    stick_contact_set_destroy(ctx, &turning->rows);
    stick_blocks_destroy(ctx, &turning->W);
    stick_free(ctx, turning->of);
    stick_free(ctx, turning->slope);
    stick_free(ctx, turning->bend);
    stick_free(ctx, turning->spring);
    stick_free(ctx, turning->G);
    stick_free(ctx, turning->D);
    stick_free(ctx, turning->Y);
    stick_free(ctx, turning->y);
    stick_free(ctx, turning->force);
    stick_free(ctx, turning->pivot);
    *turning = (StickContactGeometricStiffness){0};
}

// ---- which contacts take part

static double pressing(const StickSimulation *run, const StickContact *contact, const double *r)
{
    return r[stick_memory_slot(&run->state.memory, contact) * run->system->dim];
}

static bool is_between_bodies(const StickSimulation *run, const StickContact *contact)
{
    return contact->body[1] >= 0 && !run->system->body[contact->body[0]].rigid &&
           !run->system->body[contact->body[1]].rigid;
}

// Between deformable bodies in the plane the number of entries tells: a node has its own two and those of each corner that
// takes a share of its force, 6 within a piece and 4 at a corner, where nothing turns. Integrated surfaces have those of
// all nodes of a side of the slave and of one of the master, 8 at least.
static bool turns(const StickContactSet *set, const StickContact *contact)
{
    return set->dim == 2 && contact->count == NODE_ON_PIECE;
}

static void tell(StickSimulation *run, StickContactGeometricStiffness *turning, int rows)
{
    if (turning->told)
        return;
    turning->told = true;
    stick_warn(
        run->ctx,
        "t = %g: %d contacts have %d rows, more than %d, so that frames that turn with the surfaces and "
        "springs that hold bodies up are left out of the tangent between deformable bodies. Results are "
        "as exact as with them, but take more iterations, and increments may be cut or refused: if they "
        "are, take more increments, so that fewer nodes are near enough to touch, or a coarser first "
        "surface of 'between'",
        run->state.next.t, run->contacts.ncontacts, rows, turning->most);
}

// Corner k of the piece that a contact is on.
static void corner_place(const StickSimulation *run, const StickContact *contact, int k, const double *q,
                         double place[3])
{
    const StickBody *body = &run->system->body[contact->body[1]];
    int dof = run->contacts.dof[contact->first + 2 * (k + 1)];
    // nodes of the second body may be on pieces of the first
    if (dof < body->first || dof >= body->first + body->ndofs)
        body = &run->system->body[contact->body[0]];
    stick_body_place(body, 2, (dof - body->first) / 2, q, place);
}

// H_0 of a piece on the degrees of freedom of its contact.
static StickStatus add_piece(StickSimulation *run, StickContactGeometricStiffness *turning, int c, double r_N,
                             const double *q)
{
    const StickContact *contact = &run->contacts.contact[c];
    double from[3], to[3], along[3], H[2 * NODE_ON_PIECE] = {0};
    corner_place(run, contact, 0, q, from);
    corner_place(run, contact, 1, q, to);
    stick_vec_sub(to, from, along);
    double length = stick_vec_norm(along);
    for (int a = 0; a < 2; a++) {
        H[2 * (2 + a)] = -contact->frame[0][a];
        H[2 * (4 + a)] = contact->frame[0][a];
    }
    int j = turning->nturned++;
    turning->of[j] = c;
    turning->slope[j] = copysign(r_N / length, stick_vec_dot(along, contact->frame[1]));
    turning->bend[j] = r_N * contact->gap / (length * length);
    return stick_contact_set_append(run->ctx, &turning->rows, contact, contact->count,
                                    run->contacts.dof + contact->first, H);
}

static StickStatus copy_contacts(StickSimulation *run, StickContactGeometricStiffness *turning)
{
    const StickContactSet *set = &run->contacts;
    turning->rows.ctx = set->ctx;
    turning->rows.dim = set->dim;
    turning->rows.ncontacts = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        int first = set->contact[c].first;
        STICK_TRY(stick_contact_set_append(run->ctx, &turning->rows, &set->contact[c], set->contact[c].count,
                                           set->dof + first, set->H + (size_t)first * (size_t)set->dim));
    }
    return STICK_OK;
}

StickStatus stick_contact_geometric_stiffness_begin(StickSimulation *run,
                                                    StickContactGeometricStiffness *turning, const double *r,
                                                    double rho, const double *q)
{
    const StickContactSet *set = &run->contacts;
    size_t count = (size_t)set->ncontacts;
    int rows = set->ncontacts * (set->dim + 1);
    bool any = false;
    turning->nturned = 0;
    turning->n = set->ncontacts * set->dim;
    STICK_RESERVE(run->ctx, turning->spring, turning->spring_capacity, count);
    for (int c = 0; c < set->ncontacts; c++) {
        bool presses = is_between_bodies(run, &set->contact[c]) && pressing(run, &set->contact[c], r) > 0;
        turning->spring[c] = presses ? rho : 0;
        any |= presses && !turning->off;
    }
    turning->on = any && rows <= turning->most;
    turning->used |= turning->on;
    if (any && !turning->on)
        tell(run, turning, rows);
    if (!turning->on)
        return STICK_OK;
    STICK_RESERVE(run->ctx, turning->of, turning->of_capacity, count);
    STICK_RESERVE(run->ctx, turning->slope, turning->slope_capacity, count);
    STICK_RESERVE(run->ctx, turning->bend, turning->bend_capacity, count);
    STICK_TRY(copy_contacts(run, turning));
    for (int c = 0; c < set->ncontacts && q; c++)
        if (turning->spring[c] > 0 && turns(set, &set->contact[c]))
            STICK_TRY(add_piece(run, turning, c, pressing(run, &set->contact[c], r), q));
    turning->m = turning->n + turning->nturned;
    return STICK_OK;
}

// ---- the condensed problem

static StickStatus reserve(StickSimulation *run, StickContactGeometricStiffness *turning)
{
    size_t n = (size_t)turning->n, m = (size_t)turning->m, count = (size_t)run->contacts.ncontacts;
    size_t d = (size_t)run->system->dim;
    STICK_RESERVE(run->ctx, turning->G, turning->G_capacity, m * m);
    STICK_RESERVE(run->ctx, turning->D, turning->D_capacity, m * m);
    STICK_RESERVE(run->ctx, turning->Y, turning->Y_capacity, m * (1 + n));
    STICK_RESERVE(run->ctx, turning->y, turning->y_capacity, m);
    STICK_RESERVE(run->ctx, turning->force, turning->force_capacity, d * (count + (size_t)turning->nturned));
    STICK_RESERVE(run->ctx, turning->pivot, turning->pivot_capacity, m);
    STICK_RESERVE(run->ctx, turning->W.start, turning->start_capacity, count + 1);
    STICK_RESERVE(run->ctx, turning->W.col, turning->col_capacity, count * count);
    STICK_RESERVE(run->ctx, turning->W.value, turning->value_capacity, count * count * d * d);
    return STICK_OK;
}

// Row of component k of a contact of the set of rows; -1: it has none.
static int row_of(const StickContactGeometricStiffness *turning, int contact, int k)
{
    int dim = turning->rows.dim, row = contact * dim + k, piece = contact - turning->n / dim;
    return row < turning->n ? row : k == 0 && piece < turning->nturned ? turning->n + piece : -1;
}

// W_G from the blocks of W, by columns.
static void fill_dense(const StickBlocks *W, StickContactGeometricStiffness *turning)
{
    size_t m = (size_t)turning->m, d = (size_t)W->d;
    memset(turning->G, 0, m * m * sizeof *turning->G);
    for (int i = 0; i < W->n; i++)
        for (int e = W->start[i]; e < W->start[i + 1]; e++)
            for (size_t k = 0; k < d * d; k++) {
                int row = row_of(turning, i, (int)(k / d)), col = row_of(turning, W->col[e], (int)(k % d));
                if (row >= 0 && col >= 0)
                    turning->G[(size_t)col * m + (size_t)row] = W->value[(size_t)e * d * d + k];
            }
}

// to += factor * column of W_G
static void add_column(const StickContactGeometricStiffness *turning, double factor, int column, double *to)
{
    const double *from = &turning->G[(size_t)column * (size_t)turning->m];
    for (int i = 0; i < turning->m; i++)
        to[i] += factor * from[i];
}

// D = I + W_G C
static void fill_system(StickContactGeometricStiffness *turning)
{
    int m = turning->m, dim = turning->rows.dim;
    memset(turning->D, 0, (size_t)m * (size_t)m * sizeof *turning->D);
    for (int i = 0; i < m; i++)
        turning->D[(size_t)i * (size_t)m + (size_t)i] = 1;
    for (int c = 0; c < turning->n / dim; c++)
        add_column(turning, turning->spring[c], c * dim, &turning->D[(size_t)(c * dim) * (size_t)m]);
    for (int j = 0; j < turning->nturned; j++) {
        int tangent = turning->of[j] * dim + 1, piece = turning->n + j;
        add_column(turning, turning->slope[j], piece, &turning->D[(size_t)tangent * (size_t)m]);
        add_column(turning, turning->slope[j], tangent, &turning->D[(size_t)piece * (size_t)m]);
        add_column(turning, turning->bend[j], piece, &turning->D[(size_t)piece * (size_t)m]);
    }
}

// y_free = G' (x_free - x), and the part of it that pieces see.
static void free_motions(const StickSimulation *run, StickContactGeometricStiffness *turning, const double *x,
                         double *y)
{
    const StickContactSet *rows = &turning->rows;
    for (int c = 0; c < rows->ncontacts; c++)
        for (int k = 0; k < rows->dim; k++) {
            int row = row_of(turning, c, k);
            double sum = 0;
            for (int i = rows->contact[c].first; i < rows->contact[c].first + rows->contact[c].count; i++)
                sum += rows->H[i * rows->dim + k] * (run->dq_free[rows->dof[i]] - x[rows->dof[i]]);
            if (row >= 0)
                y[row] = sum;
        }
}

// The rows of the contacts alone, as a full matrix by blocks that is symmetric to the last bit.
static void keep_blocks(const StickSimulation *run, StickContactGeometricStiffness *turning)
{
    StickBlocks *W = &turning->W;
    size_t m = (size_t)turning->m, d = (size_t)run->system->dim, n = (size_t)run->contacts.ncontacts;
    const double *Y = turning->Y + m;
    W->d = (int)d;
    W->n = (int)n;
    W->start[0] = 0;
    for (size_t i = 0; i < n; i++) {
        W->start[i + 1] = (int)((i + 1) * n);
        for (size_t j = 0; j < n; j++) {
            W->col[i * n + j] = (int)j;
            for (size_t k = 0; k < d * d; k++) {
                size_t row = i * d + k / d, col = j * d + k % d;
                W->value[(i * n + j) * d * d + k] = 0.5 * (Y[col * m + row] + Y[row * m + col]);
            }
        }
    }
}

// Without friction nothing is pushed along a surface, and may be as unstable there as it is: solvers need not see it.
static void free_tangents(const StickSimulation *run, StickBlocks *W)
{
    size_t d = (size_t)W->d, n = (size_t)W->n;
    for (size_t c = 0; c < n; c++) {
        double *block = &W->value[(c * n + c) * d * d];
        for (size_t k = 1; k < d && run->mu[c] == 0; k++)
            block[k * d + k] = fmax(block[k * d + k], fabs(block[0]));
    }
}

// Y and W with the pieces that there are.
static StickStatus eliminate(StickSimulation *run, StickContactGeometricStiffness *turning, const double *x,
                             const double *shift)
{
    int n = turning->n, m = turning->m;
    double *Y = turning->Y;
    fill_dense(turning->all, turning);
    fill_system(turning);
    free_motions(run, turning, x, turning->y);
    memcpy(Y, turning->y, (size_t)m * sizeof *Y);
    for (int i = 0; i < n; i++)
        add_column(turning, -shift[i], i, Y);
    memcpy(Y + m, turning->G, (size_t)m * (size_t)n * sizeof *Y);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, turning->D, m, turning->pivot) != 0 ||
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, 1 + n, turning->D, m, turning->pivot, Y, m) != 0)
        return stick_simulation_refuse(run, "t = %g: contact between bodies leaves their tangent singular",
                                       run->state.next.t);
    keep_blocks(run, turning);
    free_tangents(run, &turning->W);
    run->W = &turning->W;
    return STICK_OK;
}

// Nodes that pieces which turn would let slide off, against friction: then this iteration has the frames as they are.
StickStatus stick_contact_geometric_stiffness_condense(StickSimulation *run,
                                                       StickContactGeometricStiffness *turning,
                                                       const double *x, const double *shift)
{
    turning->all = run->W;
    STICK_TRY(reserve(run, turning));
    STICK_TRY(eliminate(run, turning, x, shift));
    if (turning->nturned > 0 && !stick_contact_regularization_is_stable(run)) {
        turning->nturned = 0;
        turning->m = turning->n;
        STICK_TRY(eliminate(run, turning, x, shift));
    }
    for (int i = 0; i < turning->n; i++)
        run->u_free[i] += turning->Y[i] - turning->y[i];
    return STICK_OK;
}

// ---- the solution

// y = y without R + sum of what each R_i moves.
static void find_motions(const StickSimulation *run, StickContactGeometricStiffness *turning)
{
    size_t m = (size_t)turning->m;
    memcpy(turning->y, turning->Y, m * sizeof *turning->y);
    for (int j = 0; j < turning->n; j++)
        for (size_t i = 0; i < m; i++)
            turning->y[i] += turning->Y[(size_t)(1 + j) * m + i] * run->r[j];
}

StickStatus stick_contact_geometric_stiffness_apply(StickSimulation *run,
                                                    StickContactGeometricStiffness *turning,
                                                    const double *shift)
{
    int dim = turning->rows.dim, n = turning->n;
    double *force = turning->force;
    const double *y = turning->y;
    find_motions(run, turning);
    memset(force, 0, (size_t)(dim * turning->rows.ncontacts) * sizeof *force);
    for (int i = 0; i < n; i++)
        force[i] = run->r[i] - shift[i] - (i % dim == 0 ? turning->spring[i / dim] * y[i] : 0);
    for (int j = 0; j < turning->nturned; j++) {
        int tangent = turning->of[j] * dim + 1, piece = n + j;
        force[tangent] -= turning->slope[j] * y[piece];
        force[n + j * dim] -= turning->slope[j] * y[tangent] + turning->bend[j] * y[piece];
    }
    memset(run->work, 0, (size_t)run->state.n * sizeof *run->work);
    stick_contact_scatter(&turning->rows, force, STICK_WHOLE, run->work);
    return stick_contact_problem_correct(run);
}
