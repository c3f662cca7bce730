// SPDX-License-Identifier: Apache-2.0
#include "solve/friction_lcp.h"

#include "base/memory.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

enum { MOST_ORDER = 16384 }; // a dense tableau of 2 GB

struct StickFrictionLcp {
    StickContext *ctx;
    int facets;   // in 3D
    int room_dim; // what there is room for
    int room_contacts;
    double *M, *q;      // n x n by columns, n
    double *direction;  // m x (dim - 1): d_k with the eliminated ones first, or v_k
    double *L;          // (m + 2) x dim by rows: the same for all contacts but for its length
    double *R;          // dim x (m + 2) by rows, of one contact
    double *WR;         // dim x (m + 2)
    double *scale;      // per contact: sqrt(w)
    double *unit, *col; // dim * nc, and dim of them: columns of W given by its action
    int *offset;        // nc + 1: first unknown of a contact

    // of the present problem
    const StickFrictionProblem *problem;
    StickLcpForm form;
    int m; // number of facets: 0, 2, or facets
    int n;
};

StickStatus stick_friction_lcp_create(StickContext *ctx, int facets, StickFrictionLcp **lcp)
{
    StickFrictionLcp *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->facets = facets;
    *lcp = created;
    return STICK_OK;
}

static void free_workspace(StickFrictionLcp *lcp)
{
    double *reals[] = {lcp->M,  lcp->q,     lcp->direction, lcp->L,  lcp->R,
                       lcp->WR, lcp->scale, lcp->unit,      lcp->col};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        stick_free(lcp->ctx, reals[k]);
    stick_free(lcp->ctx, lcp->offset);
    *lcp = (StickFrictionLcp){.ctx = lcp->ctx, .facets = lcp->facets};
}

void stick_friction_lcp_destroy(StickFrictionLcp *lcp)
{
    if (!lcp)
        return;
    free_workspace(lcp);
    stick_free(lcp->ctx, lcp);
}

static int count_facets(const StickFrictionLcp *lcp, int dim)
{
    return dim == 1 ? 0 : dim == 2 ? 2 : lcp->facets;
}

// Unknowns of a contact with friction.
static int contact_size(StickLcpForm form, int m)
{
    return m == 0 ? 1 : form == STICK_LCP_FACETS ? m + 1 : m + 2;
}

int stick_friction_lcp_order(const StickFrictionLcp *lcp, int dim, int ncontacts)
{
    long size = contact_size(STICK_LCP_VERTICES, count_facets(lcp, dim));
    return size * ncontacts <= MOST_ORDER ? (int)(size * ncontacts) : -1;
}

static StickStatus take_workspace(StickFrictionLcp *lcp, size_t dim, size_t count, size_t n)
{
    StickContext *ctx = lcp->ctx;
    size_t size = (size_t)contact_size(STICK_LCP_VERTICES, count_facets(lcp, (int)dim));
    STICK_ALLOC(ctx, lcp->M, n * n);
    STICK_ALLOC(ctx, lcp->q, n);
    STICK_ALLOC(ctx, lcp->direction, 2 * size);
    STICK_ALLOC(ctx, lcp->L, size * dim);
    STICK_ALLOC(ctx, lcp->R, size * dim);
    STICK_ALLOC(ctx, lcp->WR, size * dim);
    STICK_ALLOC(ctx, lcp->scale, count);
    STICK_ALLOC(ctx, lcp->unit, dim * count);
    STICK_ALLOC(ctx, lcp->col, dim * dim * count);
    STICK_ALLOC(ctx, lcp->offset, count + 1);
    return STICK_OK;
}

StickStatus stick_friction_lcp_reserve(StickFrictionLcp *lcp, int dim, int ncontacts)
{
    if (dim == lcp->room_dim && ncontacts <= lcp->room_contacts)
        return STICK_OK;
    int n = stick_friction_lcp_order(lcp, dim, ncontacts);
    STICK_CHECK(lcp->ctx, n >= 0, STICK_BAD_INPUT, "%d contacts in dimension %d are too many for a dense LCP",
                ncontacts, dim);
    free_workspace(lcp);
    STICK_TRY(take_workspace(lcp, (size_t)dim, (size_t)ncontacts, (size_t)n));
    lcp->room_dim = dim;
    lcp->room_contacts = ncontacts;
    return STICK_OK;
}

// ---- the maps of one contact

// Facet normals (half a step turned) or vertices of the m-gon; in 2D -1 and 1 are both.
static void choose_directions(StickFrictionLcp *lcp)
{
    int m = lcp->m, quarter = m / 4;
    double half = lcp->form == STICK_LCP_FACETS ? 0.5 : 0;
    if (m == 2) {
        lcp->direction[0] = -1;
        lcp->direction[1] = 1;
        return;
    }
    for (int k = 0; k < m; k++) {
        // The second place is for the facet orthogonal to the first; those between move up by one.
        int place = k == 0 || k > quarter ? k : k == quarter ? 1 : k + 1;
        double angle = 2 * acos(-1) * (k + half) / m;
        lcp->direction[2 * place] = cos(angle);
        lcp->direction[2 * place + 1] = sin(angle);
    }
    if (lcp->form == STICK_LCP_FACETS && m > 2) {
        lcp->direction[2] = -lcp->direction[1];
        lcp->direction[3] = lcp->direction[0];
    }
}

static double dot_directions(const StickFrictionLcp *lcp, int j, int k)
{
    int d = lcp->problem->dim - 1;
    double sum = 0;
    for (int a = 0; a < d; a++)
        sum += lcp->direction[j * d + a] * lcp->direction[k * d + a];
    return sum;
}

// Half the angle of a facet seen from the axis: d_j.r_T <= mu cos(pi / m) r_N; 1 in 2D.
static double facet_distance(const StickFrictionLcp *lcp)
{
    return lcp->m == 2 ? 1 : cos(acos(-1) / lcp->m);
}

// Rows of w that see u: u_N; -d_k.u_T for the eliminated facets, or v_k.u_T for all vertices.
static void fill_L(StickFrictionLcp *lcp)
{
    int dim = lcp->problem->dim, d = dim - 1, size = contact_size(lcp->form, lcp->m);
    int rows = lcp->form == STICK_LCP_FACETS ? d : lcp->m;
    double sign = lcp->form == STICK_LCP_FACETS ? -1 : 1;
    memset(lcp->L, 0, (size_t)(size * dim) * sizeof *lcp->L);
    lcp->L[0] = 1;
    for (int k = 0; k < rows; k++)
        for (int a = 0; a < d; a++)
            lcp->L[(k + 1) * dim + 1 + a] = sign * lcp->direction[k * d + a];
}

// r = R z: r_N = z_0; r_T = sum (mu c r_N - Phi_k) d_k over the eliminated facets, or sum beta_k v_k.
static void fill_R(StickFrictionLcp *lcp, double mu, int size)
{
    int dim = lcp->problem->dim, d = dim - 1;
    memset(lcp->R, 0, (size_t)(size * dim) * sizeof *lcp->R);
    lcp->R[0] = 1;
    if (size == 1)
        return;
    double *R_T = lcp->R + size, c = facet_distance(lcp);
    for (int a = 0; a < d; a++) {
        if (lcp->form == STICK_LCP_VERTICES) {
            for (int k = 0; k < lcp->m; k++)
                R_T[a * size + 1 + k] = lcp->direction[k * d + a];
            continue;
        }
        for (int k = 0; k < d; k++) {
            R_T[a * size] += mu * c * lcp->direction[k * d + a];
            R_T[a * size + 1 + k] = -lcp->direction[k * d + a];
        }
    }
}

static double *entry(const StickFrictionLcp *lcp, int i, int j)
{
    return lcp->M + (size_t)j * (size_t)lcp->n + (size_t)i;
}

// lambda_k = -d_k.(u_T + sum lambda_j d_j), Phi_j = mu c r_N - d_j.r_T
static void add_facet_rows(StickFrictionLcp *lcp, double mu, int first)
{
    int d = lcp->problem->dim - 1;
    double c = facet_distance(lcp);
    for (int j = d; j < lcp->m; j++) {
        double along = 1;
        for (int k = 0; k < d; k++) {
            double cosine = dot_directions(lcp, j, k);
            along -= cosine;
            *entry(lcp, first + 1 + k, first + 1 + j) -= cosine;
            *entry(lcp, first + 1 + j, first + 1 + k) += cosine;
        }
        *entry(lcp, first + 1 + j, first) += mu * c * along;
    }
}

// gamma + v_k.u_T, mu r_N - sum beta_k
static void add_vertex_rows(StickFrictionLcp *lcp, double mu, int first)
{
    int gamma = first + lcp->m + 1;
    *entry(lcp, gamma, first) += mu;
    for (int k = 1; k <= lcp->m; k++) {
        *entry(lcp, first + k, gamma) += 1;
        *entry(lcp, gamma, first + k) -= 1;
    }
}

// ---- assembly

// M_ij += L W_ij R / (s_i s_j)
static void add_block(StickFrictionLcp *lcp, int i, int j, const double *block)
{
    int dim = lcp->problem->dim, first_i = lcp->offset[i], first_j = lcp->offset[j];
    int size_i = lcp->offset[i + 1] - first_i, size_j = lcp->offset[j + 1] - first_j;
    double scale = 1 / (lcp->scale[i] * lcp->scale[j]);
    fill_R(lcp, lcp->problem->dim == 1 ? 0 : lcp->problem->mu[j], size_j);
    for (int a = 0; a < dim; a++)
        for (int k = 0; k < size_j; k++) {
            double sum = 0;
            for (int b = 0; b < dim; b++)
                sum += block[a * dim + b] * lcp->R[b * size_j + k];
            lcp->WR[a * size_j + k] = sum * scale;
        }
    for (int k = 0; k < size_j; k++)
        for (int l = 0; l < size_i; l++) {
            double sum = 0;
            for (int a = 0; a < dim; a++)
                sum += lcp->L[l * dim + a] * lcp->WR[a * size_j + k];
            *entry(lcp, first_i + l, first_j + k) += sum;
        }
}

// Columns of W by its action on unit vectors, one contact at a time.
static void add_operator(StickFrictionLcp *lcp)
{
    const StickFrictionProblem *problem = lcp->problem;
    int dim = problem->dim, count = problem->ncontacts;
    size_t length = (size_t)dim * (size_t)count;
    double block[9];
    memset(lcp->unit, 0, length * sizeof *lcp->unit);
    for (int j = 0; j < count; j++) {
        for (int b = 0; b < dim; b++) {
            lcp->unit[dim * j + b] = 1;
            stick_friction_apply(problem, lcp->unit, lcp->col + (size_t)b * length);
            lcp->unit[dim * j + b] = 0;
        }
        for (int i = 0; i < count; i++) {
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++)
                    block[a * dim + b] = lcp->col[(size_t)b * length + (size_t)(dim * i + a)];
            add_block(lcp, i, j, block);
        }
    }
}

static void add_blocks(StickFrictionLcp *lcp)
{
    const StickBlocks *W = lcp->problem->W;
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++)
            add_block(lcp, i, W->col[k], W->value + (size_t)k * (size_t)(W->d * W->d));
}

static void lay_out(StickFrictionLcp *lcp)
{
    const StickFrictionProblem *problem = lcp->problem;
    lcp->offset[0] = 0;
    for (int c = 0; c < problem->ncontacts; c++) {
        int with_friction = problem->dim > 1 && problem->mu[c] > 0;
        lcp->offset[c + 1] = lcp->offset[c] + (with_friction ? contact_size(lcp->form, lcp->m) : 1);
        int exponent;
        frexp(sqrt(stick_friction_weight(problem, c)), &exponent);
        lcp->scale[c] = ldexp(1, exponent);
    }
    lcp->n = lcp->offset[problem->ncontacts];
}

// N and q = L u_free of one contact
static void add_contact(StickFrictionLcp *lcp, int c)
{
    const StickFrictionProblem *problem = lcp->problem;
    int dim = problem->dim, first = lcp->offset[c], size = lcp->offset[c + 1] - first;
    for (int l = 0; l < size; l++) {
        lcp->q[first + l] = 0;
        for (int a = 0; a < dim; a++)
            lcp->q[first + l] += lcp->L[l * dim + a] * problem->u_free[dim * c + a] / lcp->scale[c];
    }
    if (size == 1)
        return;
    if (lcp->form == STICK_LCP_FACETS)
        add_facet_rows(lcp, problem->mu[c], first);
    else
        add_vertex_rows(lcp, problem->mu[c], first);
}

StickStatus stick_friction_lcp_build(StickFrictionLcp *lcp, const StickFrictionProblem *problem,
                                     StickLcpForm form, StickLcp *dense)
{
    STICK_TRY(stick_friction_lcp_reserve(lcp, problem->dim, problem->ncontacts));
    lcp->problem = problem;
    lcp->form = form;
    lcp->m = count_facets(lcp, problem->dim);
    lay_out(lcp);
    choose_directions(lcp);
    fill_L(lcp);
    memset(lcp->M, 0, (size_t)lcp->n * (size_t)lcp->n * sizeof *lcp->M);
    for (int c = 0; c < problem->ncontacts; c++)
        add_contact(lcp, c);
    if (problem->W)
        add_blocks(lcp);
    else
        add_operator(lcp);
    *dense = (StickLcp){lcp->n, lcp->M, lcp->q};
    return STICK_OK;
}

void stick_friction_lcp_recover(StickFrictionLcp *lcp, const double *z, double *r)
{
    int dim = lcp->problem->dim;
    for (int c = 0; c < lcp->problem->ncontacts; c++) {
        int first = lcp->offset[c], size = lcp->offset[c + 1] - first;
        fill_R(lcp, dim == 1 ? 0 : lcp->problem->mu[c], size);
        for (int a = 0; a < dim; a++) {
            double sum = 0;
            for (int k = 0; k < size; k++)
                sum += lcp->R[a * size + k] * z[first + k];
            r[dim * c + a] = sum / lcp->scale[c];
        }
    }
}
