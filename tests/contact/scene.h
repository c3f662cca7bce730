// SPDX-License-Identifier: Apache-2.0
// A small world for tests of contact: bodies with built-in meshes, one contact, detection and its
// derivatives.
#ifndef TESTS_CONTACT_SCENE_H
#define TESTS_CONTACT_SCENE_H

#include "check.h"

#include "base/random.h"
#include "base/vec.h"
#include "contact/laws.h"
#include "mesh/generate.h"

enum { SCENE_BODIES = 3, SCENE_CONTACTS = 2 };

typedef struct Scene {
    StickContext *ctx;
    StickMaterial material;
    StickModel model;
    StickContactSpec contact[SCENE_CONTACTS];
    StickObstacleSpec obstacle[1];
    StickStepSpec step[1];
    StickBody body[SCENE_BODIES];
    StickSystem system;
    StickPairs *pairs;
    StickContactSet set;
    double *q, *v, *work; // over all degrees of freedom
} Scene;

static inline void scene_init(Scene *scene, StickContext *ctx, int dim)
{
    *scene = (Scene){.ctx = ctx, .material = {.young = 1, .poisson = 0.3, .density = 1}};
    scene->step[0].step = 0.125;
    scene->model = (StickModel){.ctx = ctx, .contact = scene->contact, .obstacle = scene->obstacle};
    scene->model.nsteps = 1;
    scene->model.step = scene->step;
    scene->system = (StickSystem){.ctx = ctx, .model = &scene->model, .dim = dim, .body = scene->body};
}

static inline void scene_destroy(Scene *scene)
{
    stick_contact_set_destroy(scene->ctx, &scene->set);
    stick_pairs_destroy(scene->pairs);
    for (int b = 0; b < scene->system.nbodies; b++)
        stick_mesh_destroy(scene->ctx, &scene->body[b].mesh);
    stick_free(scene->ctx, scene->q);
    stick_free(scene->ctx, scene->v);
    stick_free(scene->ctx, scene->work);
}

static inline StickStatus scene_body(Scene *scene, const char *name, const StickMeshSpec *mesh,
                                     StickElementKind element)
{
    StickBody *body = &scene->body[scene->system.nbodies];
    *body = (StickBody){.name = name, .first = scene->system.ndofs};
    STICK_TRY(stick_mesh_generate(scene->ctx, mesh, element, &body->mesh));
    body->continuum = (StickContinuum){
        .mesh = &body->mesh, .material = &scene->material, .plane = STICK_PLANE_STRAIN, .thickness = 0.5};
    body->ndofs = body->mesh.nnodes * scene->system.dim;
    scene->system.ndofs += body->ndofs;
    scene->system.nbodies = ++scene->model.nbodies;
    return STICK_OK;
}

static inline StickMeshSpec rectangle(double x, double y, double width, double height, int nx, int ny)
{
    return (StickMeshSpec){
        .kind = STICK_MESH_RECTANGLE, .origin = {x, y}, .size = {width, height}, .cells = {nx, ny}};
}

static inline StickMeshSpec box(const double origin[3], const double size[3], int nx, int ny, int nz)
{
    StickMeshSpec spec = {.kind = STICK_MESH_BOX, .cells = {nx, ny, nz}};
    memcpy(spec.origin, origin, sizeof spec.origin);
    memcpy(spec.size, size, sizeof spec.size);
    return spec;
}

static inline void scene_against_body(Scene *scene, int slave, const char *slave_group, int master,
                                      const char *master_group, StickContactMethod method)
{
    scene->contact[scene->model.ncontacts++] = (StickContactSpec){
        .slave = {.body = slave, .obstacle = -1, .group = (char *)slave_group},
        .master = {.body = master, .obstacle = -1, .group = (char *)master_group},
        .method = method,
    };
}

static inline void scene_against_obstacle(Scene *scene, int slave, const char *group,
                                          StickContactMethod method)
{
    scene->model.nobstacles = 1;
    scene->contact[scene->model.ncontacts++] = (StickContactSpec){
        .slave = {.body = slave, .obstacle = -1, .group = (char *)group},
        .master = {.body = -1, .obstacle = 0},
        .method = method,
    };
}

static inline StickStatus scene_start(Scene *scene)
{
    STICK_ALLOC(scene->ctx, scene->q, scene->system.ndofs);
    STICK_ALLOC(scene->ctx, scene->v, scene->system.ndofs);
    STICK_ALLOC(scene->ctx, scene->work, scene->system.ndofs);
    return stick_pairs_create(scene->ctx, &scene->system, &scene->pairs);
}

static inline StickStatus scene_detect(Scene *scene, double t, double h)
{
    StickDetection where = {.t = t, .h = h, .q = scene->q, .all = true};
    return stick_pairs_detect(scene->pairs, &where, &scene->set);
}

static inline void scene_random_velocity(Scene *scene, uint64_t seed)
{
    StickRandom random = stick_random_seed(seed);
    for (int d = 0; d < scene->system.ndofs; d++)
        scene->v[d] = stick_random_uniform(&random, -1, 1);
}

// v of a rigid motion of the present configuration: velocity at the origin and turning rate.
static inline void scene_rigid_velocity(Scene *scene, const double velocity[3], const double turning[3])
{
    int dim = scene->system.dim;
    for (int b = 0; b < scene->system.nbodies; b++) {
        for (int i = 0; i < scene->body[b].mesh.nnodes; i++) {
            double place[3], turned[3];
            stick_body_place(&scene->body[b], dim, i, scene->q, place);
            stick_vec_cross(turning, place, turned);
            for (int k = 0; k < dim; k++)
                scene->v[scene->body[b].first + i * dim + k] = velocity[k] + turned[k];
        }
    }
}

// Shifts a body by a displacement.
static inline void scene_shift(Scene *scene, int b, double x, double y, double z)
{
    const double shift[3] = {x, y, z};
    int dim = scene->system.dim;
    for (int i = 0; i < scene->body[b].mesh.nnodes; i++)
        for (int k = 0; k < dim; k++)
            scene->q[scene->body[b].first + i * dim + k] += shift[k];
}

static inline const StickContact *scene_contact(const Scene *scene, int pair, int feature)
{
    for (int c = 0; c < scene->set.ncontacts; c++)
        if (scene->set.contact[c].pair == pair && scene->set.contact[c].feature == feature)
            return &scene->set.contact[c];
    return NULL;
}

// Largest |d gap / dt - u_N| over the contacts, by central differences of the gap along v and time.
static inline double scene_gap_rate_error(Scene *scene, double t)
{
    enum { MOST = 500 };
    const double epsilon = 1e-6;
    double rate[MOST], u[3 * MOST], error = 0;
    int dim = scene->system.dim, n = scene->system.ndofs;
    memcpy(scene->work, scene->q, (size_t)n * sizeof *scene->q);
    for (int side = -1; side <= 1; side += 2) {
        for (int d = 0; d < n; d++)
            scene->q[d] = scene->work[d] + side * epsilon * scene->v[d];
        assert_ok(scene->ctx, scene_detect(scene, t + side * epsilon, epsilon));
        assert_in_range(scene->set.ncontacts, 1, MOST);
        for (int c = 0; c < scene->set.ncontacts; c++)
            rate[c] = (side > 0 ? rate[c] : 0) + side * scene->set.contact[c].gap / (2 * epsilon);
    }
    memcpy(scene->q, scene->work, (size_t)n * sizeof *scene->q);
    assert_ok(scene->ctx, scene_detect(scene, t, epsilon));
    stick_contact_velocity(&scene->set, scene->v, u);
    for (int c = 0; c < scene->set.ncontacts; c++)
        error = fmax(error, fabs(rate[c] - u[c * dim] - scene->set.contact[c].u_drive[0]));
    return error;
}

// Largest |u| of the contacts under v.
static inline double scene_largest_velocity(Scene *scene, int components)
{
    double u[3 * 500], largest = 0;
    int dim = scene->system.dim;
    stick_contact_velocity(&scene->set, scene->v, u);
    for (int c = 0; c < scene->set.ncontacts; c++)
        for (int k = 0; k < components; k++)
            largest = fmax(largest, fabs(u[c * dim + k]));
    return largest;
}

// Resultant force and moment about the origin of nodal forces p over all bodies.
static inline void scene_resultant(const Scene *scene, const double *p, double force[3], double moment[3])
{
    int dim = scene->system.dim;
    for (int k = 0; k < 3; k++)
        force[k] = moment[k] = 0;
    for (int b = 0; b < scene->system.nbodies; b++) {
        for (int i = 0; i < scene->body[b].mesh.nnodes; i++) {
            double place[3], f[3] = {0}, m[3];
            stick_body_place(&scene->body[b], dim, i, scene->q, place);
            for (int k = 0; k < dim; k++)
                f[k] = p[scene->body[b].first + i * dim + k];
            stick_vec_cross(place, f, m);
            stick_vec_axpy(force, 1, f, force);
            stick_vec_axpy(moment, 1, m, moment);
        }
    }
}

// A pressure of 1 on the facets of a group, as consistent nodal forces over the system.
static inline StickStatus unit_pressure(void *user, const double place[3], const double normal[3],
                                        double traction[3])
{
    (void)user, (void)place;
    for (int k = 0; k < 3; k++)
        traction[k] = -normal[k];
    return STICK_OK;
}

static inline StickStatus scene_pressure(Scene *scene, int b, const char *name, double *p)
{
    const StickBody *body = &scene->body[b];
    const StickGroup *group = stick_mesh_group(&body->mesh, name);
    return stick_fem_facet_load(scene->ctx, &body->continuum, group->facet, group->nfacets, unit_pressure,
                                NULL, p + body->first);
}

// Largest difference between H r for a uniform pressure of 1 and the consistent forces of that pressure.
static inline double scene_patch_error(Scene *scene, const char *slave_group, const char *master_group)
{
    double r[3 * 500] = {0}, error = 0;
    assert_in_range(scene->set.ncontacts, 1, 500);
    memset(scene->work, 0, (size_t)scene->system.ndofs * sizeof *scene->work);
    assert_ok(scene->ctx, scene_pressure(scene, 0, slave_group, scene->work));
    assert_ok(scene->ctx, scene_pressure(scene, 1, master_group, scene->work));
    for (int c = 0; c < scene->set.ncontacts; c++)
        r[c * scene->system.dim] = -scene->set.contact[c].area;
    stick_contact_scatter(&scene->set, r, STICK_WHOLE, scene->work);
    for (int d = 0; d < scene->system.ndofs; d++)
        error = fmax(error, fabs(scene->work[d]));
    return error;
}

#endif
