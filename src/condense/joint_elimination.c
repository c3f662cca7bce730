// SPDX-License-Identifier: Apache-2.0
#include "condense/joint_elimination.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Of a pivot that is less than this part of its diagonal nothing is left.
static const double round_off = 1e-14;

// ---- groups

static int find(const int *group, int b)
{
    while (group[b] != b)
        b = group[b];
    return b;
}

static void join(int *group, int a, int b)
{
    int x = find(group, a), y = find(group, b);
    group[x > y ? x : y] = x > y ? y : x;
}

static void make_groups(StickJointElimination *links)
{
    const StickModel *model = links->system->model;
    for (int b = 0; b < links->system->nbodies; b++)
        links->group[b] = b;
    for (int k = 0; k < model->njoints; k++)
        if (model->joint[k].other_body >= 0)
            join(links->group, model->joint[k].body, model->joint[k].other_body);
    for (int b = 0; b < links->system->nbodies; b++)
        links->group[b] = find(links->group, b);
}

// Joints by groups, in the order of the model within each: then S has blocks.
static StickStatus order_joints(StickJointElimination *links)
{
    const StickModel *model = links->system->model;
    int *order, *start;
    STICK_ALLOC(links->ctx, order, model->njoints);
    start = links->first;
    memset(start, 0, (size_t)links->system->nbodies * sizeof *start);
    for (int k = 0; k < model->njoints; k++)
        start[links->group[model->joint[k].body]]++;
    for (int b = 0, sum = 0; b < links->system->nbodies; b++) {
        int own = start[b];
        start[b] = sum;
        sum += own;
    }
    for (int k = 0; k < model->njoints; k++)
        order[start[links->group[model->joint[k].body]]++] = k;
    stick_joint_rows_order(links->joints, order);
    stick_free(links->ctx, order);
    return STICK_OK;
}

static bool shares_body(const StickRow *x, const StickRow *y)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (x->body[i] >= 0 && x->body[i] == y->body[j])
                return true;
    return false;
}

// Which rows a row is coupled to: the pattern of S, and of L.
static StickStatus make_pattern(StickJointElimination *links)
{
    size_t entries = 0;
    for (int b = 0; b < links->system->nbodies; b++)
        links->first[b] = links->last[b] = 0;
    for (int i = 0; i < links->count; i++) {
        int group = links->group[links->row[i].body[0]];
        if (links->last[group] == 0)
            links->first[group] = i;
        links->last[group] = i + 1;
        int low = links->first[group];
        while (low < i && !shares_body(&links->row[low], &links->row[i]))
            low++;
        links->low[i] = low;
        links->at[i] = entries;
        entries += (size_t)(i - low + 1);
    }
    STICK_ALLOC(links->ctx, links->L, entries);
    STICK_ALLOC(links->ctx, links->L_shape, entries);
    return STICK_OK;
}

static StickStatus fill(StickJointElimination *links, const double *rest, double panel)
{
    StickContext *ctx = links->ctx;
    STICK_TRY(stick_joint_rows_create(ctx, links->system, panel, &links->joints));
    int n = links->count = stick_joint_rows_count(links->joints), nbodies = links->system->nbodies;
    STICK_ALLOC(ctx, links->c, n);
    STICK_ALLOC(ctx, links->lambda, n);
    STICK_ALLOC(ctx, links->D, n);
    STICK_ALLOC(ctx, links->dropped, n);
    STICK_ALLOC(ctx, links->left, n);
    STICK_ALLOC(ctx, links->group, nbodies);
    STICK_ALLOC(ctx, links->first, nbodies);
    STICK_ALLOC(ctx, links->last, nbodies);
    STICK_ALLOC(ctx, links->shaped, nbodies);
    STICK_ALLOC(ctx, links->low, n);
    STICK_ALLOC(ctx, links->at, n);
    STICK_ALLOC(ctx, links->AG, n);
    STICK_ALLOC(ctx, links->work, n);
    STICK_ALLOC(ctx, links->z, 3 * n);
    make_groups(links);
    STICK_TRY(stick_joint_rows_share(links->joints, links->group));
    STICK_TRY(order_joints(links));
    STICK_TRY(stick_joint_rows_rows(links->joints, rest, 0, &links->row));
    return make_pattern(links);
}

StickStatus stick_joint_elimination_create(StickContext *ctx, const StickSystem *system,
                                           StickStepMatrix *matrix, double panel,
                                           StickJointElimination **links)
{
    StickJointElimination *made;
    double *rest;
    *links = NULL;
    if (system->model->njoints == 0)
        return STICK_OK;
    STICK_ALLOC(ctx, rest, system->ndofs);
    made = stick_alloc(ctx, 1, sizeof *made);
    StickStatus status = made ? STICK_OK : STICK_NO_MEMORY;
    if (made) {
        *made = (StickJointElimination){
            .ctx = ctx, .system = system, .matrix = matrix, .dependent = STICK_LINKS_DEPENDENT};
        status = fill(made, rest, panel);
    }
    stick_free(ctx, rest);
    if (status != STICK_OK)
        stick_joint_elimination_destroy(made);
    else
        *links = made;
    return status;
}

void stick_joint_elimination_destroy(StickJointElimination *links)
{
    if (!links)
        return;
    StickContext *ctx = links->ctx;
    void *owned[] = {links->c,    links->lambda,  links->D,      links->dropped, links->group, links->first,
                     links->last, links->low,     links->at,     links->L,       links->AG,    links->work,
                     links->z,    links->L_shape, links->shaped, links->left};
    stick_joint_rows_destroy(links->joints);
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        stick_free(ctx, owned[k]);
    stick_free(ctx, links);
}

// ---- S and its factor

// y = A^-1 x over the degrees of freedom of a body; zero for prescribed ones.
static void give_way(const StickJointElimination *links, int b, const double *x, int stride, double *y)
{
    const double *inverse = stick_step_matrix_rigid(links->matrix, b);
    int order = stick_step_matrix_order(links->matrix, b), ndofs = links->system->body[b].ndofs;
    for (int i = 0; i < ndofs; i++) {
        int row = stick_step_matrix_free(links->matrix, b, i);
        y[i] = 0;
        for (int j = 0; j < ndofs && row >= 0; j++) {
            int column = stick_step_matrix_free(links->matrix, b, j);
            if (column >= 0)
                y[i] += inverse[row * order + column] * x[j * stride];
        }
    }
}

// x.G of the row on a body
static double on_body(const StickRow *row, int body, const double *x)
{
    double sum = 0;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < STICK_RIGID_DOFS && row->body[end] == body; k++)
            sum += row->G[end][k] * x[k];
    return sum;
}

static double mass_of(const StickJointElimination *links, int b)
{
    return links->system->body[b].rigid->mass;
}

// G_i A^-1 G_j'; of the shape alone every body has the mass 1.
static double coupling(const StickJointElimination *links, bool is_shape, int i, int j)
{
    const StickRow *row = &links->row[i];
    double sum = 0;
    for (int end = 0; end < 2; end++) {
        int b = row->body[end];
        if (b >= 0)
            sum += on_body(&links->row[j], b, links->AG[i][end]) * (is_shape ? mass_of(links, b) : 1);
    }
    return sum;
}

// Springs hold nothing by their shape.
static bool is_out(const StickJointElimination *links, bool is_shape, int i)
{
    return links->dropped[i] || (is_shape && links->D[i] > 0);
}

// Row i of L from the rows before it; returns its pivot as part of its diagonal.
static double factor_row(StickJointElimination *links, bool is_shape, int i)
{
    double *L = is_shape ? links->L_shape : links->L, *own = L + links->at[i];
    int low = links->low[i];
    for (int j = low; j < i; j++) {
        const double *other = L + links->at[j];
        double sum = is_out(links, is_shape, j) ? 0 : coupling(links, is_shape, i, j);
        for (int k = low > links->low[j] ? low : links->low[j]; k < j; k++)
            sum -= own[k - low] * other[k - links->low[j]];
        own[j - low] = is_out(links, is_shape, j) ? 0 : sum / other[j - links->low[j]];
    }
    double diagonal = coupling(links, is_shape, i, i) + (is_shape ? 0 : links->D[i]), pivot = diagonal;
    for (int k = low; k < i; k++)
        pivot -= own[k - low] * own[k - low];
    own[i - low] = sqrt(fmax(pivot, 0));
    return diagonal > 0 ? pivot / diagonal : 0;
}

// The factor by shape of rows of a group before one of them.
static void factor_shape(StickJointElimination *links, int group, int end)
{
    int *done = &links->shaped[group];
    for (*done = *done > links->first[group] ? *done : links->first[group]; *done < end; ++*done)
        factor_row(links, true, *done);
}

// Masses differ so much that the rank was tested with unit masses.
static bool is_uneven(const StickJointElimination *links, int group)
{
    return links->shaped[group] > links->first[group];
}

// A heavy body on a light one also causes small pivots: then the test with unit masses decides.
static bool is_dependent(StickJointElimination *links, int i)
{
    int group = links->group[links->row[i].body[0]];
    double left = links->left[i] = factor_row(links, false, i);
    bool is_clear = left > links->dependent && !is_uneven(links, group);
    if (is_clear || !(left > round_off) || links->D[i] > 0)
        return !(left > round_off);
    factor_shape(links, group, i);
    return !(factor_row(links, true, i) > links->dependent);
}

StickStatus stick_joint_elimination_set(StickJointElimination *links, const double *q, double t)
{
    STICK_TRY(stick_joint_rows_rows(links->joints, q, t, &links->row));
    memset(links->shaped, 0, (size_t)links->system->nbodies * sizeof *links->shaped);
    for (int i = 0; i < links->count; i++) {
        links->lambda[i] = 0;
        for (int end = 0; end < 2; end++) {
            memset(links->AG[i][end], 0, sizeof links->AG[i][end]);
            if (links->row[i].body[end] >= 0)
                give_way(links, links->row[i].body[end], links->row[i].G[end], 1, links->AG[i][end]);
        }
        links->dropped[i] = links->D[i] < 0 || is_dependent(links, i);
    }
    return STICK_OK;
}

// b = L^-1 b over rows from first to last; stride: distance of the numbers in b
static void forward(const StickJointElimination *links, bool is_shape, int first, int last, int stride,
                    double *b)
{
    for (int i = first; i < last; i++) {
        const double *own = (is_shape ? links->L_shape : links->L) + links->at[i];
        int low = links->low[i];
        double sum = b[(i - first) * stride];
        for (int k = low; k < i; k++)
            sum -= own[k - low] * b[(k - first) * stride];
        b[(i - first) * stride] = is_out(links, is_shape, i) ? 0 : sum / own[i - low];
    }
}

static void backward(const StickJointElimination *links, double *b)
{
    for (int i = links->count; i-- > 0;) {
        const double *own = links->L + links->at[i];
        int low = links->low[i];
        b[i] = links->dropped[i] ? 0 : b[i] / own[i - low];
        for (int k = low; k < i; k++)
            b[k] -= own[k - low] * b[i];
    }
}

double stick_joint_elimination_velocity(const StickJointElimination *links, int row, const double *v)
{
    const StickRow *own = &links->row[row];
    double sum = 0;
    for (int end = 0; end < 2; end++) {
        if (own->body[end] < 0)
            continue;
        const StickBody *body = &links->system->body[own->body[end]];
        for (int k = 0; k < body->ndofs; k++)
            sum += own->G[end][k] * v[body->first + k];
    }
    return sum;
}

double stick_joint_elimination_terms(const StickJointElimination *links, int row, const double *v)
{
    const StickRow *own = &links->row[row];
    double sum = 0;
    for (int end = 0; end < 2 && own->body[end] >= 0; end++) {
        const StickBody *body = &links->system->body[own->body[end]];
        for (int k = 0; k < body->ndofs; k++)
            sum += fabs(own->G[end][k] * v[body->first + k]);
    }
    return sum;
}

int stick_joint_elimination_followers(const StickJointElimination *links)
{
    int count = 0;
    for (int i = 0; i < links->count; i++)
        count += links->dropped[i] && links->D[i] == 0;
    return count;
}

void stick_joint_elimination_hold(StickJointElimination *links, double *v)
{
    double *x = links->work;
    for (int i = 0; i < links->count; i++)
        x[i] = links->dropped[i] ? 0
                                 : links->c[i] - links->D[i] * links->lambda[i] -
                                       stick_joint_elimination_velocity(links, i, v);
    forward(links, false, 0, links->count, 1, x);
    backward(links, x);
    for (int i = 0; i < links->count; i++) {
        links->lambda[i] += x[i];
        for (int end = 0; end < 2; end++) {
            int b = links->row[i].body[end];
            for (int k = 0; b >= 0 && k < links->system->body[b].ndofs; k++)
                v[links->system->body[b].first + k] += x[i] * links->AG[i][end][k];
        }
    }
}

void stick_joint_elimination_scatter(const StickJointElimination *links, const double *lambda, double *p)
{
    for (int i = 0; i < links->count; i++)
        for (int end = 0; end < 2; end++) {
            int b = links->row[i].body[end];
            for (int k = 0; b >= 0 && k < links->system->body[b].ndofs; k++)
                p[links->system->body[b].first + k] += lambda[i] * links->row[i].G[end][k];
        }
}

// ---- contacts

// Columns of H of a contact on a body, over its degrees of freedom: ndofs x dim; false if the contact does not act on
// the body.
static bool columns_of(const StickJointElimination *links, int b, const StickContactSet *set, int contact,
                       double *H)
{
    const StickContact *own = &set->contact[contact];
    const StickBody *body = &links->system->body[b];
    bool any = false;
    memset(H, 0, STICK_RIGID_DOFS * 3 * sizeof *H);
    for (int e = own->first; e < own->first + own->count; e++) {
        int local = set->dof[e] - body->first;
        if (local < 0 || local >= body->ndofs)
            continue;
        any = true;
        for (int k = 0; k < set->dim; k++)
            H[local * set->dim + k] += set->H[(size_t)e * (size_t)set->dim + (size_t)k];
    }
    return any;
}

// z of a contact, by shape or with masses
static void reach(const StickJointElimination *links, bool is_shape, int group, const StickContactSet *set,
                  int contact, double *z)
{
    int first = links->first[group], last = links->last[group], dim = set->dim;
    double H[STICK_RIGID_DOFS * 3], y[STICK_RIGID_DOFS] = {0};
    memset(z, 0, (size_t)((last - first) * dim) * sizeof *z);
    for (int end = 0; end < 2; end++) {
        int b = set->contact[contact].body[end];
        bool is_again = end == 1 && b == set->contact[contact].body[0];
        if (b < 0 || is_again || links->group[b] != group || !columns_of(links, b, set, contact, H))
            continue;
        for (int k = 0; k < dim; k++) {
            give_way(links, b, H + k, dim, y);
            for (int i = first; i < last; i++)
                z[(i - first) * dim + k] +=
                    on_body(&links->row[i], b, y) * (is_shape ? mass_of(links, b) : 1);
        }
    }
    for (int k = 0; k < dim; k++)
        forward(links, is_shape, first, last, dim, z + k);
}

void stick_joint_elimination_contact(StickJointElimination *links, int group, const StickContactSet *set,
                                     int contact, double *z)
{
    reach(links, false, group, set, contact, z);
}

// Of the compliance that a contact would have without joints: less is round-off.
static const double blocked = 1e-8;

// What joints leave of the compliance of a contact along its normal.
static double left_to(StickJointElimination *links, bool is_shape, const StickContactSet *set, int contact)
{
    const StickContact *own = &set->contact[contact];
    double H[STICK_RIGID_DOFS * 3], y[STICK_RIGID_DOFS], compliance = 0, taken = 0;
    for (int end = 0; end < 2; end++) {
        int b = own->body[end], group = b >= 0 ? links->group[b] : -1;
        bool is_again = end == 1 && b == own->body[0];
        if (b < 0 || is_again)
            continue;
        columns_of(links, b, set, contact, H);
        give_way(links, b, H, set->dim, y);
        for (int k = 0; k < links->system->body[b].ndofs; k++)
            compliance += H[k * set->dim] * y[k] * (is_shape ? mass_of(links, b) : 1);
        if (end == 1 && own->body[0] >= 0 && links->group[own->body[0]] == group)
            continue;
        if (is_shape)
            factor_shape(links, group, links->last[group]);
        reach(links, is_shape, group, set, contact, links->z);
        for (int i = 0; i < links->last[group] - links->first[group]; i++)
            taken += links->z[i * set->dim] * links->z[i * set->dim];
    }
    return taken > 0 ? (compliance - taken) / compliance : 1;
}

bool stick_joint_elimination_block(StickJointElimination *links, const StickContactSet *set, int contact)
{
    const int *body = set->contact[contact].body;
    bool uneven = false;
    for (int end = 0; end < 2; end++) {
        if (body[end] >= 0 && !links->system->body[body[end]].rigid)
            return false;
        uneven = uneven || (body[end] >= 0 && is_uneven(links, links->group[body[end]]));
    }
    if (!uneven && left_to(links, false, set, contact) > blocked)
        return false;
    return left_to(links, true, set, contact) <= blocked;
}
