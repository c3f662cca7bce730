// SPDX-License-Identifier: Apache-2.0
#include "solve/friction_lcp.h"

#include "base/memory.h"
#include "solve/friction_maps.h"
#include "solve/problem.h"
#include "solve/residual.h"
#include "solve/section.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_ORDER = 16384 };         // beyond it the factors of a basis do not fit
static const double on_facet = 1e-9; // of mu r_N: distance from a facet of the cone at which a guess is on it

struct StickFrictionLcp {
    StickContext *ctx;
    int facets;   // in 3D
    int room_dim; // what there is room for
    int room_contacts;
    int room_facets; // of a contact
    bool room_sections;
    StickSparse M;                            // n x n
    size_t entries, rows, blocks, block_rows; // room of M's values and rows, and of the blocks below
    double *q;                                // n
    StickFrictionMaps maps;                   // of the contact that is looked at
    double *vertex; // nc x the most facets x (dim - 1): with sections, the v_k of each contact, mu in them
    double *WR;     // dim x (m + 2)
    double *scale;  // per contact: sqrt(w)
    double *unit, *col; // dim * nc, and dim of them: columns of W given by its action
    int *offset;        // nc + 1: first unknown of a contact
    int *block_start;   // nc + 1: W by block columns: ...
    int *block_row;     // ... its rows
    int *block;         // ... its blocks
    int *fill;          // m + 2: ends of the columns of a contact so far

    // of the present problem
    const StickFrictionProblem *problem;
    bool sections;
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
    double *reals[] = {lcp->M.value, lcp->q,     lcp->maps.direction, lcp->maps.L, lcp->maps.R, lcp->WR,
                       lcp->maps.N,  lcp->scale, lcp->unit,           lcp->col,    lcp->vertex};
    int *integers[] = {lcp->M.start,   lcp->M.row, lcp->offset, lcp->block_start,
                       lcp->block_row, lcp->block, lcp->fill};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        stick_free(lcp->ctx, reals[k]);
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++)
        stick_free(lcp->ctx, integers[k]);
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

static int count_facets_of(const StickFrictionLcp *lcp, const StickFrictionProblem *problem, int c)
{
    const StickSection *section = stick_section_of(problem, c);
    bool polygon = section && section->kind == STICK_SECTION_POLYGON;
    return polygon ? section->nvertices : count_facets(lcp, problem->dim);
}

// Of any contact.
static int most_facets(const StickFrictionLcp *lcp, const StickFrictionProblem *problem)
{
    int most = count_facets(lcp, problem->dim);
    for (int c = 0; problem->section && c < problem->ncontacts; c++) {
        int count = count_facets_of(lcp, problem, c);
        most = count > most ? count : most;
    }
    return most;
}

int stick_friction_lcp_order(const StickFrictionLcp *lcp, const StickFrictionProblem *problem)
{
    long size = stick_friction_maps_size(STICK_LCP_VERTICES, most_facets(lcp, problem)),
         count = problem->ncontacts;
    return size * count <= MOST_ORDER ? (int)(size * count) : -1;
}

int stick_friction_lcp_most_basic(int dim, int ncontacts)
{
    return (dim == 1 ? 1 : dim == 2 ? 4 : 5) * ncontacts + 1;
}

static size_t count_blocks(const StickFrictionProblem *problem)
{
    size_t count = (size_t)problem->ncontacts;
    return problem->W ? (size_t)problem->W->start[problem->ncontacts] : count * count;
}

// For the vertex form, which has most entries: every unknown of a contact except gamma is coupled to those of its
// neighbours.
size_t stick_friction_lcp_entries(const StickFrictionLcp *lcp, const StickFrictionProblem *problem)
{
    size_t m = (size_t)most_facets(lcp, problem), seen = m + 1;
    return count_blocks(problem) * seen * seen + (size_t)problem->ncontacts * (2 * m + 1);
}

static StickStatus take_workspace(StickFrictionLcp *lcp, const StickFrictionProblem *problem, size_t n)
{
    StickContext *ctx = lcp->ctx;
    size_t dim = (size_t)problem->dim, count = (size_t)problem->ncontacts;
    size_t size = (size_t)stick_friction_maps_size(STICK_LCP_VERTICES, most_facets(lcp, problem));
    if (stick_section_any(problem))
        STICK_ALLOC(ctx, lcp->vertex, 2 * size * count);
    STICK_ALLOC(ctx, lcp->q, n);
    STICK_ALLOC(ctx, lcp->M.start, n + 1);
    STICK_ALLOC(ctx, lcp->maps.direction, 2 * size);
    STICK_ALLOC(ctx, lcp->maps.L, size * dim);
    STICK_ALLOC(ctx, lcp->maps.R, size * dim);
    STICK_ALLOC(ctx, lcp->WR, size * dim);
    STICK_ALLOC(ctx, lcp->maps.N, size * size);
    STICK_ALLOC(ctx, lcp->fill, size);
    STICK_ALLOC(ctx, lcp->scale, count);
    STICK_ALLOC(ctx, lcp->unit, dim * count);
    STICK_ALLOC(ctx, lcp->col, dim * dim * count);
    STICK_ALLOC(ctx, lcp->offset, count + 1);
    STICK_ALLOC(ctx, lcp->block_start, count + 1);
    return STICK_OK;
}

static StickStatus reserve_contacts(StickFrictionLcp *lcp, const StickFrictionProblem *problem)
{
    int dim = problem->dim, ncontacts = problem->ncontacts, facets = most_facets(lcp, problem);
    bool sections = stick_section_any(problem);
    if (dim == lcp->room_dim && ncontacts <= lcp->room_contacts && facets <= lcp->room_facets &&
        sections <= lcp->room_sections)
        return STICK_OK;
    int n = stick_friction_lcp_order(lcp, problem);
    STICK_CHECK(lcp->ctx, n >= 0, STICK_BAD_INPUT, "%d contacts in dimension %d are too many for an LCP",
                ncontacts, dim);
    free_workspace(lcp);
    STICK_TRY(take_workspace(lcp, problem, (size_t)n));
    lcp->room_dim = dim;
    lcp->room_contacts = ncontacts;
    lcp->room_facets = facets;
    lcp->room_sections = sections;
    return STICK_OK;
}

StickStatus stick_friction_lcp_reserve(StickFrictionLcp *lcp, const StickFrictionProblem *problem)
{
    STICK_TRY(reserve_contacts(lcp, problem));
    size_t blocks = count_blocks(problem), entries = stick_friction_lcp_entries(lcp, problem);
    STICK_CHECK(lcp->ctx, entries <= INT_MAX, STICK_BAD_INPUT, "%zu blocks of W are too many for an LCP",
                blocks);
    STICK_RESERVE(lcp->ctx, lcp->block, lcp->blocks, blocks);
    STICK_RESERVE(lcp->ctx, lcp->block_row, lcp->block_rows, blocks);
    STICK_RESERVE(lcp->ctx, lcp->M.value, lcp->entries, entries);
    STICK_RESERVE(lcp->ctx, lcp->M.row, lcp->rows, entries);
    return STICK_OK;
}

// ---- sections

// The vertices of the section of one contact, or of the polygon in it, with mu.
static void put_vertices(const StickFrictionLcp *lcp, int c, double *vertex)
{
    const StickSection *section = stick_section_of(lcp->problem, c);
    int m = count_facets_of(lcp, lcp->problem, c);
    double mu = lcp->problem->mu[c], B[4] = {mu, 0, 0, mu};
    if (lcp->problem->dim == 2) {
        vertex[0] = section ? -section->mu[0] : -mu;
        vertex[1] = section ? section->mu[1] : mu;
        return;
    }
    if (section && section->kind == STICK_SECTION_POLYGON) {
        memcpy(vertex, section->vertex, 2 * (size_t)m * sizeof *vertex);
        return;
    }
    if (section)
        stick_section_map(section, B);
    for (int k = 0; k < m; k++) {
        double angle = 2 * acos(-1) * k / m, x = cos(angle), y = sin(angle);
        vertex[2 * k] = B[0] * x + B[1] * y;
        vertex[2 * k + 1] = B[2] * x + B[3] * y;
    }
}

static double *vertices_of(const StickFrictionLcp *lcp, int c)
{
    return lcp->vertex + 2 * (size_t)lcp->room_facets * (size_t)c;
}

// With sections: sets the maps to those of contact c, with mu in its vertices. Returns the mu to use with them.
static double turn_to(StickFrictionLcp *lcp, int c)
{
    if (!lcp->sections)
        return lcp->problem->dim == 1 ? 0 : lcp->problem->mu[c];
    lcp->maps.m = count_facets_of(lcp, lcp->problem, c);
    memcpy(lcp->maps.direction, vertices_of(lcp, c),
           (size_t)(lcp->maps.m * (lcp->problem->dim - 1)) * sizeof *lcp->maps.direction);
    stick_friction_maps_fill_L(&lcp->maps);
    return 1;
}

// ---- assembly

static int size_of(const StickFrictionLcp *lcp, int c)
{
    return lcp->offset[c + 1] - lcp->offset[c];
}

// The first rows of a contact depend on u, and its first columns affect u; the others belong to N alone.
static int seen_of(const StickFrictionLcp *lcp, int c)
{
    if (size_of(lcp, c) == 1)
        return 1;
    return lcp->maps.form == STICK_LCP_FACETS ? lcp->problem->dim : size_of(lcp, c) - 1;
}

static void put(StickFrictionLcp *lcp, int k, int row, double value)
{
    lcp->M.row[lcp->fill[k]] = row;
    lcp->M.value[lcp->fill[k]++] = value;
}

// M_ij = L W_ij R / (s_i s_j), in the columns that move u; R is the one of j
static void put_block(StickFrictionLcp *lcp, int i, int j, const double *block)
{
    int dim = lcp->problem->dim, size_j = size_of(lcp, j), seen_i = seen_of(lcp, i), seen_j = seen_of(lcp, j);
    double scale = 1 / (lcp->scale[i] * lcp->scale[j]);
    if (lcp->sections)
        turn_to(lcp, i);
    for (int k = 0; k < seen_j; k++)
        for (int a = 0; a < dim; a++) {
            double sum = 0;
            for (int b = 0; b < dim; b++)
                sum += block[a * dim + b] * lcp->maps.R[b * size_j + k];
            lcp->WR[k * dim + a] = sum * scale;
        }
    for (int k = 0; k < seen_j; k++)
        for (int l = 0; l < seen_i; l++) {
            double sum = 0;
            for (int a = 0; a < dim; a++)
                sum += lcp->maps.L[l * dim + a] * lcp->WR[k * dim + a];
            put(lcp, k, lcp->offset[i] + l, sum);
        }
}

// N of contact j: the rows independent of u in the columns that affect it, and vice versa.
static void put_N(StickFrictionLcp *lcp, int j)
{
    int size = size_of(lcp, j), seen = seen_of(lcp, j);
    for (int k = 0; k < size; k++)
        for (int l = k < seen ? seen : 1; l < (k < seen ? size : seen); l++)
            put(lcp, k, lcp->offset[j] + l, *stick_friction_maps_N(&lcp->maps, l, k));
}

// Columns of W by its action on unit vectors.
static void apply_to_units(StickFrictionLcp *lcp, int j)
{
    const StickFrictionProblem *problem = lcp->problem;
    int dim = problem->dim;
    size_t length = (size_t)dim * (size_t)problem->ncontacts;
    memset(lcp->unit, 0, length * sizeof *lcp->unit);
    for (int b = 0; b < dim; b++) {
        lcp->unit[dim * j + b] = 1;
        stick_friction_apply(problem, lcp->unit, lcp->col + (size_t)b * length);
        lcp->unit[dim * j + b] = 0;
    }
}

static void read_block(const StickFrictionLcp *lcp, int i, double *block)
{
    int dim = lcp->problem->dim;
    size_t length = (size_t)dim * (size_t)lcp->problem->ncontacts;
    for (int a = 0; a < dim; a++)
        for (int b = 0; b < dim; b++)
            block[a * dim + b] = lcp->col[(size_t)b * length + (size_t)(dim * i + a)];
}

static void put_column_of_operator(StickFrictionLcp *lcp, int j)
{
    double block[9];
    apply_to_units(lcp, j);
    for (int i = 0; i < lcp->problem->ncontacts; i++) {
        read_block(lcp, i, block);
        put_block(lcp, i, j, block);
        if (i == j)
            put_N(lcp, j);
    }
}

static void put_column_of_blocks(StickFrictionLcp *lcp, int j)
{
    const StickBlocks *W = lcp->problem->W;
    for (int k = lcp->block_start[j]; k < lcp->block_start[j + 1]; k++) {
        put_block(lcp, lcp->block_row[k], j, W->value + (size_t)lcp->block[k] * (size_t)(W->d * W->d));
        if (lcp->block_row[k] == j)
            put_N(lcp, j);
    }
}

// Where the blocks of each block column stand.
static void transpose_blocks(StickFrictionLcp *lcp)
{
    const StickBlocks *W = lcp->problem->W;
    int *start = lcp->block_start;
    memset(start, 0, (size_t)(W->n + 1) * sizeof *start);
    for (int k = 0; k < W->start[W->n]; k++)
        start[W->col[k]]++;
    for (int j = 0, sum = 0; j <= W->n; j++) {
        sum += start[j];
        start[j] = sum - start[j];
    }
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++) {
            int at = start[W->col[k]]++;
            lcp->block[at] = k;
            lcp->block_row[at] = i;
        }
    memmove(start + 1, start, (size_t)W->n * sizeof *start);
    start[0] = 0;
}

// Rows in the columns of contact j that move u, without those of its own N.
static int count_seen(const StickFrictionLcp *lcp, int j)
{
    int count = 0;
    if (!lcp->problem->W) {
        for (int i = 0; i < lcp->problem->ncontacts; i++)
            count += seen_of(lcp, i);
        return count;
    }
    for (int k = lcp->block_start[j]; k < lcp->block_start[j + 1]; k++)
        count += seen_of(lcp, lcp->block_row[k]);
    return count;
}

static void put_columns(StickFrictionLcp *lcp, int j, int *start)
{
    const StickFrictionProblem *problem = lcp->problem;
    int size = size_of(lcp, j), seen = seen_of(lcp, j), count = count_seen(lcp, j);
    for (int k = 0; k < size; k++) {
        lcp->M.start[lcp->offset[j] + k] = lcp->fill[k] = *start;
        *start += k < seen ? count + size - seen : seen - 1;
    }
    double mu = turn_to(lcp, j);
    stick_friction_maps_fill_R(&lcp->maps, mu, size);
    if (size > 1)
        stick_friction_maps_fill_N(&lcp->maps, mu);
    if (problem->W)
        put_column_of_blocks(lcp, j);
    else
        put_column_of_operator(lcp, j);
}

static void lay_out(StickFrictionLcp *lcp)
{
    const StickFrictionProblem *problem = lcp->problem;
    lcp->offset[0] = 0;
    for (int c = 0; c < problem->ncontacts; c++) {
        bool with_friction = problem->dim > 1 && (problem->mu[c] > 0 || stick_section_of(problem, c));
        int m = count_facets_of(lcp, problem, c);
        lcp->offset[c + 1] =
            lcp->offset[c] + (with_friction ? stick_friction_maps_size(lcp->maps.form, m) : 1);
        if (lcp->sections)
            put_vertices(lcp, c, vertices_of(lcp, c));
        int exponent;
        frexp(sqrt(stick_friction_weight(problem, c)), &exponent);
        lcp->scale[c] = ldexp(1, exponent);
    }
    lcp->n = lcp->offset[problem->ncontacts];
}

// q = L u_free of one contact
static void put_q(StickFrictionLcp *lcp, int c)
{
    int dim = lcp->problem->dim, first = lcp->offset[c];
    turn_to(lcp, c);
    for (int l = 0; l < size_of(lcp, c); l++) {
        lcp->q[first + l] = 0;
        for (int a = 0; a < dim; a++)
            lcp->q[first + l] += lcp->maps.L[l * dim + a] * lcp->problem->u_free[dim * c + a] / lcp->scale[c];
    }
}

StickStatus stick_friction_lcp_build(StickFrictionLcp *lcp, const StickFrictionProblem *problem,
                                     StickLcpForm form, StickSparseLcp *built)
{
    STICK_TRY(stick_friction_lcp_reserve(lcp, problem));
    lcp->problem = problem;
    lcp->maps.dim = problem->dim;
    lcp->sections = stick_section_any(problem);
    lcp->maps.form = lcp->sections ? STICK_LCP_VERTICES : form;
    lcp->maps.m = count_facets(lcp, problem->dim);
    lay_out(lcp);
    stick_friction_maps_directions(&lcp->maps);
    stick_friction_maps_fill_L(&lcp->maps);
    if (problem->W)
        transpose_blocks(lcp);
    int start = 0;
    for (int c = 0; c < problem->ncontacts; c++) {
        put_q(lcp, c);
        put_columns(lcp, c, &start);
    }
    lcp->M.start[lcp->n] = start;
    lcp->M.rows = lcp->M.cols = lcp->n;
    *built = (StickSparseLcp){&lcp->M, lcp->q};
    return STICK_OK;
}

void stick_friction_lcp_recover(StickFrictionLcp *lcp, const double *z, double *r)
{
    int dim = lcp->problem->dim;
    for (int c = 0; c < lcp->problem->ncontacts; c++) {
        int first = lcp->offset[c], size = lcp->offset[c + 1] - first;
        stick_friction_maps_fill_R(&lcp->maps, turn_to(lcp, c), size);
        for (int a = 0; a < dim; a++) {
            double sum = 0;
            for (int k = 0; k < size; k++)
                sum += lcp->maps.R[a * size + k] * z[first + k];
            r[dim * c + a] = sum / lcp->scale[c];
        }
    }
}

// ---- guess

// Facets that r_T lies on, or, where there is no contact, those that the sliding pushes against: Phi = 0 there.
static bool is_on_facet(const StickFrictionLcp *lcp, int k, const double *r, const double *u, double mu)
{
    int d = lcp->problem->dim - 1, nearer = 0;
    const double *direction = lcp->maps.direction;
    double along = 0, pushed = 0;
    for (int a = 0; a < d; a++) {
        along += direction[k * d + a] * r[1 + a];
        pushed -= direction[k * d + a] * u[1 + a];
    }
    if (r[0] > 0)
        return mu * stick_friction_maps_distance(&lcp->maps) * r[0] - along <= on_facet * mu * r[0];
    for (int j = 0; j < lcp->maps.m; j++) {
        double other = 0;
        for (int a = 0; a < d; a++)
            other -= direction[j * d + a] * u[1 + a];
        nearer += other > pushed || (other == pushed && j < k);
    }
    return pushed > 0 && nearer < d;
}

void stick_friction_lcp_guess(StickFrictionLcp *lcp, const double *r, double *z)
{
    const StickFrictionProblem *problem = lcp->problem;
    int dim = problem->dim;
    double *u = lcp->unit;
    memset(z, 0, (size_t)lcp->n * sizeof *z);
    if (lcp->maps.form != STICK_LCP_FACETS)
        return;
    stick_residual_velocity(problem, r, u);
    for (int c = 0; c < problem->ncontacts; c++) {
        double *own = z + lcp->offset[c];
        own[0] = r[dim * c] > 0;
        // Phi of the eliminated facets is a z, lambda of the others
        for (int k = 0; k < size_of(lcp, c) - 1; k++)
            own[1 + k] = is_on_facet(lcp, k, r + dim * c, u + dim * c, problem->mu[c]) == (k >= dim - 1);
    }
}
