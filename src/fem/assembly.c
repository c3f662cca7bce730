// SPDX-License-Identifier: Apache-2.0
// Matrices of a body. The pattern comes from the nodes that share an element; values are added in place, so
// that memory is that of the result and the order of summation is that of the elements.
#include "fem/element.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

// Neighbours of every node, itself among them, ascending.
typedef struct Neighbours {
    int nnodes;
    int *start; // nnodes + 1
    int *node;  // start[nnodes]
} Neighbours;

static void destroy_neighbours(StickContext *ctx, Neighbours *list)
{
    stick_free(ctx, list->start);
    stick_free(ctx, list->node);
    *list = (Neighbours){0};
}

// Counts in start[k + 1] become starts.
static void accumulate(int *start, int count)
{
    for (int k = 0; k < count; k++)
        start[k + 1] += start[k];
}

// ---- neighbours

// Elements of every node.
static StickStatus collect_elements(StickContext *ctx, const StickMesh *mesh, Neighbours *elements)
{
    int entries = mesh->start[mesh->nelements];
    elements->nnodes = mesh->nnodes;
    STICK_ALLOC(ctx, elements->start, mesh->nnodes + 2);
    STICK_ALLOC(ctx, elements->node, entries);
    // Shifted by one place, so that filling moves start[k + 1] to its end, which is the next start.
    int *fill = elements->start + 1;
    for (int k = 0; k < entries; k++)
        fill[mesh->node[k] + 1]++;
    accumulate(elements->start, mesh->nnodes + 1);
    for (int e = 0; e < mesh->nelements; e++)
        for (int k = mesh->start[e]; k < mesh->start[e + 1]; k++)
            elements->node[fill[mesh->node[k]]++] = e;
    return STICK_OK;
}

// Visits the neighbours of a node in the order in which elements name them: counts them, and lists them if `list` is
// not NULL.
static int visit(const StickMesh *mesh, const Neighbours *elements, int node, int *seen, int *list)
{
    int count = 1;
    seen[node] = node + 1;
    if (list)
        list[0] = node;
    for (int k = elements->start[node]; k < elements->start[node + 1]; k++) {
        int e = elements->node[k];
        for (int l = mesh->start[e]; l < mesh->start[e + 1]; l++) {
            int other = mesh->node[l];
            if (seen[other] == node + 1)
                continue;
            seen[other] = node + 1;
            if (list)
                list[count] = other;
            count++;
        }
    }
    return count;
}

static StickStatus list_neighbours(StickContext *ctx, const StickMesh *mesh, const Neighbours *elements,
                                   int *seen, Neighbours *list)
{
    size_t most = INT_MAX / (size_t)(mesh->dim * mesh->dim), entries = 0;
    list->nnodes = mesh->nnodes;
    STICK_ALLOC(ctx, list->start, mesh->nnodes + 1);
    for (int node = 0; node < mesh->nnodes; node++) {
        entries += (size_t)visit(mesh, elements, node, seen, NULL);
        STICK_CHECK(ctx, entries <= most, STICK_NO_MEMORY, "a mesh of %d nodes is too large for one matrix",
                    mesh->nnodes);
        list->start[node + 1] = (int)entries;
    }
    STICK_ALLOC(ctx, list->node, entries);
    memset(seen, 0, (size_t)mesh->nnodes * sizeof *seen);
    for (int node = 0; node < mesh->nnodes; node++)
        visit(mesh, elements, node, seen, list->node + list->start[node]);
    return STICK_OK;
}

// Neighbourhood is symmetric: appending in the order of the nodes gives the same lists, sorted.
static StickStatus sort_neighbours(StickContext *ctx, int *fill, Neighbours *list)
{
    int *sorted;
    STICK_ALLOC(ctx, sorted, list->start[list->nnodes]);
    memcpy(fill, list->start, (size_t)list->nnodes * sizeof *fill);
    for (int node = 0; node < list->nnodes; node++)
        for (int k = list->start[node]; k < list->start[node + 1]; k++)
            sorted[fill[list->node[k]]++] = node;
    stick_free(ctx, list->node);
    list->node = sorted;
    return STICK_OK;
}

static StickStatus find_neighbours(StickContext *ctx, const StickMesh *mesh, Neighbours *list)
{
    Neighbours elements = {0};
    int *seen = stick_alloc(ctx, (size_t)mesh->nnodes, sizeof *seen);
    StickStatus status = seen ? collect_elements(ctx, mesh, &elements) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = list_neighbours(ctx, mesh, &elements, seen, list);
    if (status == STICK_OK)
        status = sort_neighbours(ctx, seen, list);
    destroy_neighbours(ctx, &elements);
    stick_free(ctx, seen);
    return status;
}

static int place_of(const Neighbours *list, int column, int row)
{
    int low = list->start[column], high = list->start[column + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list->node[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low - list->start[column];
}

// ---- matrices

// A zero matrix with a block of dim x dim for every pair of neighbours.
static StickStatus make_matrix(StickContext *ctx, const Neighbours *list, int dim, StickSparse *A)
{
    int n = list->nnodes * dim, entries = dim * dim * list->start[list->nnodes];
    *A = (StickSparse){.rows = n, .cols = n};
    STICK_ALLOC(ctx, A->start, n + 1);
    STICK_ALLOC(ctx, A->row, entries);
    STICK_ALLOC(ctx, A->value, entries);
    int place = 0;
    for (int column = 0; column < n; column++) {
        int node = column / dim;
        for (int k = list->start[node]; k < list->start[node + 1]; k++)
            for (int i = 0; i < dim; i++)
                A->row[place++] = list->node[k] * dim + i;
        A->start[column + 1] = place;
    }
    return STICK_OK;
}

// Contribution of one element to the matrices.
typedef struct ElementMatrices {
    double K[STICK_MOST_ELEMENT_DOFS][STICK_MOST_ELEMENT_DOFS];
    double C[STICK_MOST_ELEMENT_DOFS][STICK_MOST_ELEMENT_DOFS];
    double M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES];
} ElementMatrices;

typedef struct Assembly {
    const StickContinuum *continuum;
    Neighbours neighbours;
    StickModuli elastic, viscous;
    bool is_viscous;
    StickSparse M, C, K;
    StickShapeTable stiffness, mass; // of the shape at hand
    StickElementPoints points;
    ElementMatrices at_hand;
} Assembly;

// Consecutive elements usually have the same shape.
static void take_shape(Assembly *assembly, StickShape shape)
{
    const StickQuadrature *quadrature = stick_element_quadrature(assembly->continuum, shape);
    stick_shape_tabulate(shape, quadrature, &assembly->stiffness);
    stick_shape_tabulate(shape, stick_mass_quadrature(shape), &assembly->mass);
}

static StickStatus compute_element(StickContext *ctx, const StickElement *element, Assembly *assembly)
{
    ElementMatrices *at_hand = &assembly->at_hand;
    StickElementPoints *points = &assembly->points;
    STICK_TRY(stick_element_points(ctx, element, &assembly->stiffness, points));
    stick_element_stiffness(element, points, &assembly->elastic, at_hand->K);
    if (assembly->is_viscous)
        stick_element_stiffness(element, points, &assembly->viscous, at_hand->C);
    return stick_element_mass(ctx, element, &assembly->mass, at_hand->M);
}

// Adds the block of nodes (a, b) of the element; column is the first of node b, its block at a place among
// neighbours.
static void add_block(Assembly *assembly, int dim, int a, int b, int column, int place)
{
    const ElementMatrices *from = &assembly->at_hand;
    for (int j = 0; j < dim; j++) {
        int first = assembly->K.start[column + j] + place * dim;
        for (int i = 0; i < dim; i++)
            assembly->K.value[first + i] += from->K[a * dim + i][b * dim + j];
        for (int i = 0; i < dim && assembly->is_viscous; i++)
            assembly->C.value[first + i] += from->C[a * dim + i][b * dim + j];
        assembly->M.value[first + j] += from->M[a][b];
    }
}

static void add_element(const StickElement *element, Assembly *assembly)
{
    int dim = element->dim;
    for (int b = 0; b < element->nnodes; b++) {
        for (int a = 0; a < element->nnodes; a++) {
            int place = place_of(&assembly->neighbours, element->node[b], element->node[a]);
            add_block(assembly, dim, a, b, element->node[b] * dim, place);
        }
    }
}

// C += rayleigh_mass M + rayleigh_stiffness K
static void add_rayleigh(const StickMaterial *material, Assembly *assembly)
{
    double by_mass = material->rayleigh_mass, by_stiffness = material->rayleigh_stiffness;
    int entries = assembly->K.start[assembly->K.cols];
    if (by_mass == 0 && by_stiffness == 0)
        return;
    for (int k = 0; k < entries; k++)
        assembly->C.value[k] += by_mass * assembly->M.value[k] + by_stiffness * assembly->K.value[k];
}

static StickStatus assemble(StickContext *ctx, Assembly *assembly)
{
    const StickMesh *mesh = assembly->continuum->mesh;
    STICK_TRY(find_neighbours(ctx, mesh, &assembly->neighbours));
    STICK_TRY(make_matrix(ctx, &assembly->neighbours, mesh->dim, &assembly->M));
    STICK_TRY(make_matrix(ctx, &assembly->neighbours, mesh->dim, &assembly->C));
    STICK_TRY(make_matrix(ctx, &assembly->neighbours, mesh->dim, &assembly->K));
    for (int e = 0; e < mesh->nelements; e++) {
        StickElement element = stick_element_at(assembly->continuum, e);
        if (e == 0 || mesh->shape[e] != mesh->shape[e - 1])
            take_shape(assembly, element.shape);
        STICK_TRY(compute_element(ctx, &element, assembly));
        add_element(&element, assembly);
    }
    add_rayleigh(assembly->continuum->material, assembly);
    return STICK_OK;
}

StickStatus stick_fem_matrices(StickContext *ctx, const StickContinuum *continuum, StickSparse *M,
                               StickSparse *C, StickSparse *K)
{
    STICK_TRY(stick_continuum_check(ctx, continuum));
    STICK_TRY(stick_continuum_check_elements(ctx, continuum));
    Assembly assembly = {
        .continuum = continuum,
        .elastic = stick_moduli_elastic(continuum),
        .viscous = stick_moduli_viscous(continuum),
    };
    assembly.is_viscous = assembly.viscous.lame != 0 || assembly.viscous.shear != 0;
    StickStatus status = assemble(ctx, &assembly);
    destroy_neighbours(ctx, &assembly.neighbours);
    if (status == STICK_OK) {
        *M = assembly.M, *C = assembly.C, *K = assembly.K;
        return STICK_OK;
    }
    stick_sparse_destroy(ctx, &assembly.M);
    stick_sparse_destroy(ctx, &assembly.C);
    stick_sparse_destroy(ctx, &assembly.K);
    return status;
}

// ---- masses of nodes

static StickStatus add_masses(StickContext *ctx, const StickContinuum *continuum, int number, double *sum)
{
    StickElement element = stick_element_at(continuum, number);
    StickShapeTable table;
    double M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES];
    stick_shape_tabulate(element.shape, stick_mass_quadrature(element.shape), &table);
    STICK_TRY(stick_element_mass(ctx, &element, &table, M));
    for (int a = 0; a < element.nnodes; a++)
        for (int b = 0; b < element.nnodes; b++)
            sum[element.node[a]] += M[a][b];
    return STICK_OK;
}

StickStatus stick_fem_masses(StickContext *ctx, const StickContinuum *continuum, const int *element,
                             int nelements, double *mass)
{
    int nnodes = continuum->mesh->nnodes;
    double *sum;
    StickStatus status = STICK_OK;
    STICK_TRY(stick_continuum_check(ctx, continuum));
    for (int k = 0; k < nelements; k++)
        STICK_TRY(stick_continuum_check_element(ctx, continuum, element[k]));
    STICK_ALLOC(ctx, sum, nnodes);
    for (int k = 0; k < nelements && status == STICK_OK; k++)
        status = add_masses(ctx, continuum, element[k], sum);
    if (status == STICK_OK)
        memcpy(mass, sum, (size_t)nnodes * sizeof *mass);
    stick_free(ctx, sum);
    return status;
}
