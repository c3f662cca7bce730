// SPDX-License-Identifier: Apache-2.0
#include "fem/continuum.h"

#include <math.h>
#include <string.h>

static bool is_plane_stress(const StickContinuum *continuum)
{
    return continuum->mesh->dim == 2 && continuum->plane == STICK_PLANE_STRESS;
}

// ---- moduli

StickModuli stick_moduli_elastic(const StickContinuum *continuum)
{
    double E = continuum->material->young, nu = continuum->material->poisson;
    double G = E / (2 * (1 + nu));
    if (continuum->mesh->dim == 1)
        return (StickModuli){.lame = E};
    if (is_plane_stress(continuum))
        return (StickModuli){.lame = 2 * G * nu / (1 - nu), .shear = G};
    return (StickModuli){.lame = 2 * G * nu / (1 - 2 * nu), .shear = G, .bulk = E / (3 * (1 - 2 * nu))};
}

StickModuli stick_moduli_viscous(const StickContinuum *continuum)
{
    double G = continuum->material->viscosity_shear, bulk = continuum->material->viscosity_bulk;
    double nu = continuum->material->poisson, lame = bulk - 2 * G / 3;
    double k = nu / (1 - nu); // of the lateral contraction in the plane
    if (continuum->mesh->dim == 1)
        return (StickModuli){.lame = 4 * G * (1 + nu) * (1 + nu) / 3 + bulk * (1 - 2 * nu) * (1 - 2 * nu)};
    if (is_plane_stress(continuum))
        return (StickModuli){.lame = 2 * G * k * k + lame * (1 - k) * (1 - k), .shear = G};
    return (StickModuli){.lame = lame, .shear = G, .bulk = bulk};
}

void stick_moduli_matrix(const StickContinuum *continuum, const StickModuli *moduli, double D[6][6])
{
    int dim = continuum->mesh->dim;
    int normals = dim == 1 ? 1 : is_plane_stress(continuum) ? 2 : 3;
    int shears = dim == 1 ? 0 : dim == 2 ? 1 : 3;
    memset(D, 0, 36 * sizeof(double));
    for (int i = 0; i < normals; i++) {
        for (int j = 0; j < normals; j++)
            D[i][j] = moduli->lame;
        D[i][i] += 2 * moduli->shear;
    }
    for (int i = 0; i < shears; i++)
        D[3 + i][3 + i] = moduli->shear;
}

// ---- checks

#define NEED(ctx, continuum, condition, status, ...)                          \
    do {                                                                      \
        if (!(condition))                                                     \
            return STICK_CONTINUUM_FAIL(ctx, continuum, status, __VA_ARGS__); \
    } while (0)

static StickStatus check_material(StickContext *ctx, const StickContinuum *continuum)
{
    const StickMaterial *m = continuum->material;
    const char *name = m->name ? m->name : "";
    const struct {
        const char *name;
        double value;
    } not_negative[] = {
        {"density", m->density},
        {"viscosity_shear", m->viscosity_shear},
        {"viscosity_bulk", m->viscosity_bulk},
        {"rayleigh_mass", m->rayleigh_mass},
        {"rayleigh_stiffness", m->rayleigh_stiffness},
    };
    if (!(m->young > 0 && isfinite(m->young)))
        return stick_fail_at(ctx, STICK_BAD_INPUT, m->mark,
                             "material '%s': young is %g, but must be positive", name, m->young);
    bool half = continuum->mesh->dim == 1 || is_plane_stress(continuum);
    if (!(m->poisson > -1 && (m->poisson < 0.5 || (half && m->poisson == 0.5))))
        return stick_fail_at(ctx, STICK_BAD_INPUT, m->mark,
                             "material '%s': poisson is %g, but must be above -1 and %s 0.5", name,
                             m->poisson, half ? "at most" : "below");
    for (size_t k = 0; k < sizeof not_negative / sizeof *not_negative; k++)
        if (!(not_negative[k].value >= 0 && isfinite(not_negative[k].value)))
            return stick_fail_at(ctx, STICK_BAD_INPUT, m->mark,
                                 "material '%s': %s is %g, but must not be negative", name,
                                 not_negative[k].name, not_negative[k].value);
    return STICK_OK;
}

StickStatus stick_continuum_check(StickContext *ctx, const StickContinuum *continuum)
{
    int dim = continuum->mesh->dim;
    NEED(ctx, continuum, dim >= 1 && dim <= 3, STICK_BAD_MESH,
         "mesh of dimension %d, but space has 1, 2 or 3", dim);
    if (continuum->material) // the skin of a rigid body has none
        STICK_TRY(check_material(ctx, continuum));
    bool needs_thickness = dim < 3 && !stick_continuum_is_ring(continuum);
    NEED(ctx, continuum, !needs_thickness || (continuum->thickness > 0 && isfinite(continuum->thickness)),
         STICK_BAD_INPUT, "%s is %g, but must be positive", dim == 1 ? "section of a bar" : "thickness",
         continuum->thickness);
    NEED(ctx, continuum, !(continuum->mean_dilatation && is_plane_stress(continuum)), STICK_BAD_INPUT,
         "%s makes no sense in plane stress: its volume is free to change", "mean dilatation");
    return STICK_OK;
}

static StickStatus check_nodes(StickContext *ctx, const StickContinuum *continuum, int element)
{
    const StickMesh *mesh = continuum->mesh;
    const StickShapeInfo *info = stick_shape_info(mesh->shape[element]);
    long long tag = stick_mesh_element_tag(mesh, element);
    int count = mesh->start[element + 1] - mesh->start[element];
    NEED(ctx, continuum, count == info->nodes, STICK_BAD_MESH, "element %lld (%s) has %d nodes, but needs %d",
         tag, info->name, count, info->nodes);
    for (int k = mesh->start[element]; k < mesh->start[element + 1]; k++) {
        int node = mesh->node[k];
        NEED(ctx, continuum, node >= 0 && node < mesh->nnodes, STICK_BAD_MESH,
             "element %lld (%s) names node %d of %d", tag, info->name, node, mesh->nnodes);
        NEED(ctx, continuum, !stick_continuum_is_ring(continuum) || mesh->x[2 * node] >= 0, STICK_BAD_MESH,
             "element %lld (%s) has node %lld at radius %g, but a ring has no negative radius", tag,
             info->name, stick_mesh_node_tag(mesh, node), mesh->x[2 * node]);
    }
    return STICK_OK;
}

StickStatus stick_continuum_check_element(StickContext *ctx, const StickContinuum *continuum, int element)
{
    const StickMesh *mesh = continuum->mesh;
    StickShape shape = mesh->shape[element];
    long long tag = stick_mesh_element_tag(mesh, element);
    NEED(ctx, continuum, (int)shape >= 0 && shape < STICK_NSHAPES, STICK_BAD_MESH,
         "element %lld has unknown shape %d", tag, (int)shape);
    const StickShapeInfo *info = stick_shape_info(shape);
    NEED(ctx, continuum, info->dim == mesh->dim, STICK_BAD_MESH,
         "element %lld is a %s of dimension %d, but the mesh has dimension %d", tag, info->name, info->dim,
         mesh->dim);
    NEED(ctx, continuum, !continuum->mean_dilatation || shape == STICK_QUAD4 || shape == STICK_HEX8,
         STICK_BAD_MESH, "element %lld is a %s, but mean dilatation is made for quad4 and hex8", tag,
         info->name);
    return check_nodes(ctx, continuum, element);
}

StickStatus stick_continuum_check_elements(StickContext *ctx, const StickContinuum *continuum)
{
    for (int e = 0; e < continuum->mesh->nelements; e++)
        STICK_TRY(stick_continuum_check_element(ctx, continuum, e));
    return STICK_OK;
}
