// SPDX-License-Identifier: Apache-2.0
// All elements of a body under finite deformation. Elements of one colour share no node: they add to the result at the
// same time, colour after colour, and the order of every sum is the same for any number of threads.
#include "fem/finite.h"

#include "base/memory.h"
#include "base/pool.h"
#include "fem/finite_body.h"
#include "fem/tensor.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// ---- reference configuration

static size_t reference_size(const StickFinite *finite, int e)
{
    const StickMesh *mesh = finite->continuum->mesh;
    int points = stick_element_quadrature(finite->continuum, mesh->shape[e])->count;
    int nodes = stick_shape_info(mesh->shape[e])->nodes;
    return (size_t)(points * stick_finite_point_size(mesh->dim, nodes, finite->ring));
}

static void keep_points(const StickFinite *finite, const StickElement *element,
                        const StickElementPoints *points, double *to)
{
    for (int p = 0; p < points->count; p++) {
        const StickElementPoint *point = &points->point[p];
        *to++ = point->dV;
        for (int k = 0; k < element->dim; k++)
            for (int a = 0; a < element->nnodes; a++)
                *to++ = point->g[a][k];
        for (int a = 0; a < element->nnodes && finite->ring; a++)
            *to++ = point->hoop[a];
    }
}

// Stores element data consecutively, in the order of evaluation.
static StickStatus lay_out(StickFinite *finite)
{
    const StickContinuum *continuum = finite->continuum;
    const StickMesh *mesh = continuum->mesh;
    size_t values = 0, blocks = 0;
    STICK_ALLOC(finite->ctx, finite->first_value, mesh->nelements);
    STICK_ALLOC(finite->ctx, finite->first_block, mesh->nelements);
    STICK_ALLOC(finite->ctx, finite->first_point, mesh->nelements + 1);
    for (int k = 0; k < mesh->nelements; k++) {
        int e = finite->order[k];
        size_t n = (size_t)(mesh->start[e + 1] - mesh->start[e]);
        finite->first_value[e] = values, values += reference_size(finite, e);
        finite->first_block[e] = blocks, blocks += n * n;
    }
    for (int e = 0; e < mesh->nelements; e++)
        finite->first_point[e + 1] =
            finite->first_point[e] + stick_element_quadrature(continuum, mesh->shape[e])->count;
    STICK_ALLOC(finite->ctx, finite->reference, values);
    STICK_ALLOC(finite->ctx, finite->block, blocks);
    return STICK_OK;
}

static StickStatus measure_elements(StickFinite *finite)
{
    const StickContinuum *continuum = finite->continuum;
    const StickMesh *mesh = continuum->mesh;
    StickShapeTable table = {0};
    StickElementPoints points;
    for (int e = 0; e < mesh->nelements; e++) {
        StickElement element = stick_element_at(continuum, e);
        if (e == 0 || mesh->shape[e] != mesh->shape[e - 1])
            stick_shape_tabulate(element.shape, stick_element_quadrature(continuum, element.shape), &table);
        STICK_TRY(stick_element_points(finite->ctx, &element, &table, &points));
        keep_points(finite, &element, &points, finite->reference + finite->first_value[e]);
    }
    return STICK_OK;
}

// ---- places in the pattern

// Of the block of nodes (a, b): where it begins within each column of node b.
static StickStatus find_blocks(StickFinite *finite)
{
    const StickMesh *mesh = finite->continuum->mesh;
    const StickSparse *pattern = finite->pattern;
    for (int e = 0; e < mesh->nelements; e++) {
        const int *node = mesh->node + mesh->start[e];
        int n = mesh->start[e + 1] - mesh->start[e];
        int *block = finite->block + finite->first_block[e];
        for (int k = 0; k < n * n; k++) {
            int row = node[k % n] * mesh->dim, column = node[k / n] * mesh->dim;
            int place = stick_sparse_find(pattern, row, column);
            STICK_CHECK(finite->ctx, place >= 0, STICK_BAD_INPUT,
                        "the pattern of the tangent has no entry (%d, %d): take the one of the stiffness",
                        row, column);
            block[k] = place - pattern->start[column];
        }
    }
    return STICK_OK;
}

// ---- colours

enum { COLOURS_OF_A_ROUND = 64 };

// Gives every element that has none yet the lowest of 64 colours that is free at its nodes, if there is one.
static int colour_round(const StickMesh *mesh, int first, int *colour, uint64_t *taken)
{
    int left = 0;
    memset(taken, 0, (size_t)mesh->nnodes * sizeof *taken);
    for (int e = 0; e < mesh->nelements; e++) {
        uint64_t used = 0;
        if (colour[e] >= 0)
            continue;
        for (int k = mesh->start[e]; k < mesh->start[e + 1]; k++)
            used |= taken[mesh->node[k]];
        if (used == UINT64_MAX) {
            left++;
            continue;
        }
        int lowest = 0;
        while (used >> lowest & 1)
            lowest++;
        colour[e] = first + lowest;
        for (int k = mesh->start[e]; k < mesh->start[e + 1]; k++)
            taken[mesh->node[k]] |= (uint64_t)1 << lowest;
    }
    return left;
}

// Elements by colours, within each ascending.
static StickStatus order_by_colour(StickFinite *finite, const int *colour)
{
    int n = finite->continuum->mesh->nelements;
    for (int e = 0; e < n; e++)
        finite->ncolours = colour[e] >= finite->ncolours ? colour[e] + 1 : finite->ncolours;
    STICK_ALLOC(finite->ctx, finite->first_of_colour, finite->ncolours + 2);
    int *fill = finite->first_of_colour + 1;
    for (int e = 0; e < n; e++)
        fill[colour[e] + 1]++;
    for (int k = 0; k < finite->ncolours; k++)
        fill[k + 1] += fill[k];
    for (int e = 0; e < n; e++)
        finite->order[fill[colour[e]]++] = e;
    return STICK_OK;
}

static StickStatus colour_elements(StickFinite *finite, int *colour, uint64_t *taken)
{
    const StickMesh *mesh = finite->continuum->mesh;
    for (int e = 0; e < mesh->nelements; e++)
        colour[e] = -1;
    int first = 0;
    while (colour_round(mesh, first, colour, taken) > 0)
        first += COLOURS_OF_A_ROUND;
    return order_by_colour(finite, colour);
}

static StickStatus find_colours(StickFinite *finite)
{
    const StickMesh *mesh = finite->continuum->mesh;
    STICK_ALLOC(finite->ctx, finite->order, mesh->nelements);
    int *colour = stick_alloc(finite->ctx, (size_t)mesh->nelements, sizeof *colour);
    uint64_t *taken = stick_alloc(finite->ctx, (size_t)mesh->nnodes, sizeof *taken);
    StickStatus status = colour && taken ? colour_elements(finite, colour, taken) : STICK_NO_MEMORY;
    stick_free(finite->ctx, colour);
    stick_free(finite->ctx, taken);
    return status;
}

// ---- history: lambda of every element (mean dilatation), then that of the points, element by element

static size_t multipliers(const StickFinite *finite)
{
    return finite->continuum->mean_dilatation ? (size_t)finite->continuum->mesh->nelements : 0;
}

static size_t history_at(const StickFinite *finite, int e)
{
    return multipliers(finite) + (size_t)finite->first_point[e] * (size_t)finite->per_point;
}

// ---- creation

static StickStatus check(StickContext *ctx, const StickContinuum *continuum)
{
    STICK_TRY(stick_continuum_check(ctx, continuum));
    if (continuum->mesh->dim == 1)
        return STICK_CONTINUUM_FAIL(ctx, continuum, STICK_BAD_INPUT,
                                    "a bar is linear elastic, but material '%s' has a law of finite strains: "
                                    "take a plane or solid mesh, or young and poisson without a law",
                                    continuum->material->name);
    if (continuum->mesh->dim == 2 && continuum->plane == STICK_PLANE_STRESS)
        return STICK_CONTINUUM_FAIL(ctx, continuum, STICK_BAD_INPUT,
                                    "plane stress is linear elastic, but material '%s' has a law of finite "
                                    "strains: take plane strain, a ring or a solid mesh",
                                    continuum->material->name);
    for (int e = 0; e < continuum->mesh->nelements; e++)
        if (continuum->mesh->shape[e] == STICK_QUAD5)
            return STICK_CONTINUUM_FAIL(
                ctx, continuum, STICK_BAD_INPUT,
                "element %lld is a quad5, which is linear elastic, but material '%s' has a "
                "law of finite strains: take young and poisson without a law",
                stick_mesh_element_tag(continuum->mesh, e), continuum->material->name);
    return stick_continuum_check_elements(ctx, continuum);
}

static StickStatus fill(StickFinite *finite)
{
    const StickMesh *mesh = finite->continuum->mesh;
    STICK_TRY(find_colours(finite));
    STICK_TRY(lay_out(finite));
    STICK_TRY(measure_elements(finite));
    STICK_CHECK(finite->ctx, history_at(finite, mesh->nelements) <= INT_MAX, STICK_NO_MEMORY,
                "%d elements keep more numbers from step to step than can be counted", mesh->nelements);
    STICK_TRY(find_blocks(finite));
    STICK_ALLOC(finite->ctx, finite->result, mesh->nelements);
    STICK_ALLOC(finite->ctx, finite->augmenting, multipliers(finite));
    return STICK_OK;
}

StickStatus stick_finite_create(StickContext *ctx, const StickContinuum *continuum,
                                const StickSparse *pattern, StickFinite **finite)
{
    StickFinite *created;
    STICK_TRY(check(ctx, continuum));
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->continuum = continuum;
    created->pattern = pattern;
    created->ring = stick_continuum_is_ring(continuum);
    created->per_point = stick_material_history(continuum->material);
    StickStatus status = fill(created);
    if (status != STICK_OK) {
        stick_finite_destroy(created);
        return status;
    }
    *finite = created;
    return STICK_OK;
}

void stick_finite_destroy(StickFinite *finite)
{
    if (!finite)
        return;
    StickContext *ctx = finite->ctx;
    stick_free(ctx, finite->reference);
    stick_free(ctx, finite->first_value);
    stick_free(ctx, finite->first_point);
    stick_free(ctx, finite->first_block);
    stick_free(ctx, finite->block);
    stick_free(ctx, finite->first_of_colour);
    stick_free(ctx, finite->order);
    stick_free(ctx, finite->result);
    stick_free(ctx, finite->augmenting);
    stick_free(ctx, finite);
}

// ---- history at rest

int stick_finite_history(const StickFinite *finite)
{
    return (int)history_at(finite, finite->continuum->mesh->nelements);
}

void stick_finite_rest(const StickFinite *finite, double *history)
{
    int npoints = finite->first_point[finite->continuum->mesh->nelements];
    double *of_points = history + history_at(finite, 0);
    for (size_t k = 0; k < multipliers(finite); k++)
        history[k] = 0;
    for (int p = 0; p < npoints && finite->per_point > 0; p++)
        stick_material_rest(finite->continuum->material, of_points + (size_t)p * (size_t)finite->per_point);
}

// ---- evaluation

void stick_finite_take(const StickFinite *finite, int e, const double *q, StickFiniteElement *element)
{
    const StickMesh *mesh = finite->continuum->mesh;
    const int *node = mesh->node + mesh->start[e];
    element->material = finite->continuum->material;
    element->dim = mesh->dim;
    element->nnodes = mesh->start[e + 1] - mesh->start[e];
    element->npoints = finite->first_point[e + 1] - finite->first_point[e];
    element->ring = finite->ring;
    element->mean = finite->continuum->mean_dilatation;
    element->nhistory = finite->per_point;
    element->reference = finite->reference + finite->first_value[e];
    for (int a = 0; a < element->nnodes; a++)
        for (int k = 0; k < mesh->dim; k++)
            element->u[k][a] = q[node[a] * mesh->dim + k];
}

void stick_finite_take_history(const StickFinite *finite, int e, const double *past, double *next,
                               StickFiniteElement *element)
{
    element->lambda = element->mean ? past[e] : 0;
    element->past = past + history_at(finite, e);
    element->next = next;
}

STICK_KERNEL void add_blocks(int dim, int n, const StickFinite *finite, int e,
                             const StickFiniteElement *element, double *value)
{
    const int *node = finite->continuum->mesh->node + finite->continuum->mesh->start[e],
              *block = finite->block + finite->first_block[e];
    for (int b = 0; b < n; b++) {
        for (int j = 0; j < dim; j++) {
            double *column = value + finite->pattern->start[node[b] * dim + j];
            for (int a = 0; a < n; a++)
                for (int i = 0; i < dim; i++)
                    column[block[b * n + a] + i] += stick_finite_entry(element, a, i, b, j);
        }
    }
}

static void add_tangent(const StickFinite *finite, int e, const StickFiniteElement *element, double *value)
{
    int n = element->nnodes;
    if (element->dim == 2 && n == 4)
        add_blocks(2, 4, finite, e, element, value);
    else if (element->dim == 2)
        add_blocks(2, n, finite, e, element, value);
    else
        add_blocks(3, n, finite, e, element, value);
}

static void add_force(const StickFinite *finite, int e, const StickFiniteElement *element, double *force)
{
    const StickMesh *mesh = finite->continuum->mesh;
    const int *node = mesh->node + mesh->start[e];
    for (int a = 0; a < element->nnodes; a++)
        for (int k = 0; k < mesh->dim; k++)
            force[node[a] * mesh->dim + k] += element->force[k][a];
}

typedef struct Pass {
    StickFinite *finite;
    StickFiniteTask *task;
    const int *order; // elements of the colour
} Pass;

static void evaluate_one(const Pass *pass, int e)
{
    const StickFinite *finite = pass->finite;
    const StickFiniteTask *task = pass->task;
    StickFiniteElement element;
    StickFiniteResult *result = &pass->finite->result[e];
    stick_finite_take(finite, e, task->q, &element);
    stick_finite_take_history(finite, e, task->past, task->next + history_at(finite, e), &element);
    element.h = task->h;
    element.tangent = task->tangent != NULL;
    element.no_loss = task->no_loss;
    *result = (StickFiniteResult){.bad = !stick_finite_element(&element)};
    if (result->bad)
        return;
    if (element.mean)
        task->next[e] = element.lambda;
    result->energy = element.energy;
    result->multiplier = element.lambda * element.change * element.volume;
    result->loss = element.loss;
    result->worst = element.worst;
    add_force(finite, e, &element, task->force);
    if (task->tangent)
        add_tangent(finite, e, &element, task->tangent);
}

static void evaluate_some(void *data, int from, int to)
{
    const Pass *pass = data;
    for (int k = from; k < to; k++)
        evaluate_one(pass, pass->order[k]);
}

static void sum_up(const StickFinite *finite, StickFiniteTask *task)
{
    task->energy = task->multiplier_energy = task->loss = task->worst_volume = 0;
    task->bad_element = -1;
    for (int e = 0; e < finite->continuum->mesh->nelements; e++) {
        const StickFiniteResult *result = &finite->result[e];
        if (result->bad && task->bad_element < 0)
            task->bad_element = e;
        task->energy += result->energy;
        task->multiplier_energy += result->multiplier;
        task->loss += result->loss;
        task->worst_volume = fmax(task->worst_volume, result->worst);
    }
}

StickStatus stick_finite_evaluate(StickFinite *finite, StickFiniteTask *task)
{
    const StickSparse *pattern = finite->pattern;
    memset(task->force, 0, (size_t)pattern->cols * sizeof *task->force);
    if (task->tangent)
        memset(task->tangent, 0, (size_t)pattern->start[pattern->cols] * sizeof *task->tangent);
    for (int k = 0; k < finite->ncolours; k++) {
        int first = finite->first_of_colour[k], count = finite->first_of_colour[k + 1] - first;
        Pass pass = {.finite = finite, .task = task, .order = finite->order + first};
        stick_threads_range(finite->ctx, count, evaluate_some, &pass);
    }
    sum_up(finite, task);
    return STICK_OK;
}

// ---- augmentation

// theta - 1 of an element; -1 where it is inverted.
static double dilatation(const StickFinite *finite, int e, const double *q, double *V)
{
    StickFiniteElement element;
    stick_finite_take(finite, e, q, &element);
    bool good = stick_finite_dilatation(&element);
    *V = element.volume;
    return good ? element.change : -1;
}

double stick_finite_volume_change(const StickFinite *finite, const double *q)
{
    double worst = 0, V;
    for (int e = 0; e < (int)multipliers(finite); e++) {
        double change = dilatation(finite, e, q, &V);
        worst = fmax(worst, change > -1 ? fabs(change) : INFINITY);
    }
    return worst;
}

// Multipliers are increased by a multiple of U': the factor one is safe, but slow where inertia resists more than the
// bulk modulus does. The factor follows from the change of U' in the last round, in the mean over the volume (the
// shorter of the two lengths of [BB88]).
static double find_factor(const StickFinite *finite, int round)
{
    static const double most = 10; // times the one before
    double mixed = 0, square = 0;
    for (int e = 0; e < (int)multipliers(finite) && round > 0; e++) {
        const StickAugmenting *at = &finite->augmenting[e];
        double change = at->before - at->pressure;
        mixed += at->volume * at->before * change;
        square += at->volume * change * change;
    }
    double last = finite->augment_factor;
    return mixed > 0 ? fmax(last * fmin(mixed / square, most), 1) : 1;
}

StickStatus stick_finite_augment(StickFinite *finite, const double *q, int round, double *history)
{
    const StickContinuum *continuum = finite->continuum;
    int n = (int)multipliers(finite);
    for (int e = 0; e < n; e++) {
        double change = dilatation(finite, e, q, &finite->augmenting[e].volume);
        if (!(change > -1))
            return STICK_CONTINUUM_FAIL(finite->ctx, continuum, STICK_BAD_INPUT,
                                        "element %lld is inverted: its pressure cannot be augmented",
                                        stick_mesh_element_tag(continuum->mesh, e));
        finite->result[e].worst = stick_volume_pressure_by(continuum->material->bulk, change);
    }
    for (int e = 0; e < n; e++) {
        finite->augmenting[e].before = finite->augmenting[e].pressure;
        finite->augmenting[e].pressure = finite->result[e].worst;
    }
    finite->augment_factor = find_factor(finite, round);
    for (int e = 0; e < n; e++)
        history[e] += finite->augment_factor * finite->augmenting[e].pressure;
    return STICK_OK;
}
