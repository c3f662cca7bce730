// SPDX-License-Identifier: Apache-2.0
// Helpers of the mesh tests: volumes from the sides of elements, lookups, files in a separate folder.
#ifndef TESTS_MESH_MESHES_H
#define TESTS_MESH_MESHES_H

#include "check.h"

#include "base/file.h"
#include "mesh/mesh.h"

#include <unistd.h>

static inline const double *place_of(const StickMesh *mesh, int node)
{
    return &mesh->x[(size_t)node * (size_t)mesh->dim];
}

static inline double cross2(const double *a, const double *b)
{
    return a[0] * b[1] - a[1] * b[0];
}

// 1/2 of the integral of x dy - y dx along a side; the integrand of a quadratic side is cubic: Simpson is
// exact.
static inline double swept_area(const double *a, const double *m, const double *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double t = k / 2.0, weight = k == 1 ? 4 / 6.0 : 1 / 6.0, x[2], dx[2];
        for (int d = 0; d < 2; d++) {
            x[d] = (1 - t) * (1 - 2 * t) * a[d] + 4 * t * (1 - t) * m[d] + t * (2 * t - 1) * b[d];
            dx[d] = (4 * t - 3) * a[d] + 4 * (1 - 2 * t) * m[d] + (4 * t - 1) * b[d];
        }
        sum += weight * cross2(x, dx) / 2;
    }
    return sum;
}

static inline double swept_volume(const double *a, const double *b, const double *c)
{
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
            a[2] * (b[0] * c[1] - b[1] * c[0])) /
           6;
}

// The part of the integral of div x / dim that a side gives: summed over outward sides it is the volume
// inside.
static inline double swept(const StickMesh *mesh, StickFacet facet)
{
    int node[STICK_MOST_FACET_NODES];
    const double *x[STICK_MOST_FACET_NODES];
    int count = stick_mesh_facet_nodes(mesh, facet, node);
    for (int k = 0; k < count; k++)
        x[k] = place_of(mesh, node[k]);
    if (mesh->dim == 1)
        return facet.side == 1 ? x[0][0] : -x[0][0];
    if (mesh->dim == 2)
        return count == 3 ? swept_area(x[0], x[2], x[1]) : cross2(x[0], x[1]) / 2;
    return swept_volume(x[0], x[1], x[2]) + (count == 4 ? swept_volume(x[0], x[2], x[3]) : 0);
}

static inline double element_volume(const StickMesh *mesh, int element)
{
    double sum = 0;
    for (int s = 0; s < stick_shape_info(mesh->shape[element])->nsides; s++)
        sum += swept(mesh, (StickFacet){element, s});
    return sum;
}

// Sum over the elements, each of which must be positive; the free sides must enclose the same.
static inline double mesh_volume(const StickMesh *mesh)
{
    const StickGroup *boundary = stick_mesh_group(mesh, "boundary");
    double sum = 0, enclosed = 0;
    for (int e = 0; e < mesh->nelements; e++) {
        assert_true(element_volume(mesh, e) > 0);
        sum += element_volume(mesh, e);
    }
    for (int k = 0; k < boundary->nfacets; k++)
        enclosed += swept(mesh, boundary->facet[k]);
    assert_near(enclosed, sum, 1e-12 * fabs(sum));
    return sum;
}

static inline const StickGroup *need_group(const StickMesh *mesh, const char *name)
{
    const StickGroup *group = stick_mesh_group(mesh, name);
    if (!group)
        fail_msg("there is no group '%s'", name);
    return group;
}

// Counts of nodes, elements and facets of a group.
static inline void assert_group(const StickMesh *mesh, const char *name, int nnodes, int nelements,
                                int nfacets)
{
    const StickGroup *group = need_group(mesh, name);
    if (group->nnodes != nnodes || group->nelements != nelements || group->nfacets != nfacets)
        fail_msg("group '%s' has %d nodes, %d elements, %d facets; not %d, %d, %d", name, group->nnodes,
                 group->nelements, group->nfacets, nnodes, nelements, nfacets);
    for (int k = 1; k < group->nnodes; k++)
        assert_true(group->node[k - 1] < group->node[k]);
}

static inline void assert_same_mesh(const StickMesh *a, const StickMesh *b)
{
    assert_int_equal(a->dim, b->dim);
    assert_int_equal(a->nnodes, b->nnodes);
    assert_int_equal(a->nelements, b->nelements);
    assert_int_equal(a->ngroups, b->ngroups);
    for (int k = 0; k < a->nnodes * a->dim; k++)
        assert_near(a->x[k], b->x[k], 1e-12);
    assert_memory_equal(a->shape, b->shape, (size_t)a->nelements * sizeof *a->shape);
    assert_memory_equal(a->node, b->node, (size_t)a->start[a->nelements] * sizeof *a->node);
    for (int g = 0; g < a->ngroups; g++) {
        const StickGroup *one = &a->group[g], *two = need_group(b, one->name);
        assert_group(b, one->name, one->nnodes, one->nelements, one->nfacets);
        assert_memory_equal(one->node, two->node, (size_t)one->nnodes * sizeof *one->node);
        if (one->nfacets > 0)
            assert_memory_equal(one->facet, two->facet, (size_t)one->nfacets * sizeof *one->facet);
    }
}

// ---- files

// A folder for the files of a test program; gone at the end.
static inline const char *test_folder(void)
{
    static char folder[] = "/tmp/stickslip-test-XXXXXX";
    static int made;
    if (!made && !mkdtemp(folder))
        fail_msg("no folder for files");
    made = 1;
    return folder;
}

static inline int remove_test_folder(void **state)
{
    (void)state;
    StickContext *ctx = stick_context_create(NULL);
    stick_folder_remove(ctx, test_folder());
    stick_context_destroy(ctx);
    return 0;
}

static inline const char *test_path(const char *name)
{
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", test_folder(), name);
    return path[next];
}

static inline const char *write_bytes(const char *name, const void *bytes, size_t count)
{
    const char *path = test_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
    return path;
}

static inline const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

// Whether one of the errors, warnings or notes so far holds this text.
static inline bool was_said(const StickContext *ctx, const char *text)
{
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        if (strstr(stick_diagnostic(ctx, k)->text, text))
            return true;
    return false;
}

#define assert_said(ctx, text)                                                            \
    do {                                                                                  \
        if (!was_said(ctx, text)) {                                                       \
            print_error("not said: '%s'; last error: %s\n", text, stick_last_error(ctx)); \
            fail();                                                                       \
        }                                                                                 \
    } while (0)

#endif
