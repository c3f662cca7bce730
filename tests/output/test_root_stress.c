// SPDX-License-Identifier: Apache-2.0
// The largest tension in fillets: exact where strains are even, and elsewhere what the stresses of the whole gear say.
#include "output/root_stress.h"
#include "stepping/scene.h"

static const char gears[] =
    "materials: {steel: {young: 206000, poisson: 0.3, density: 1}}\n"
    "gears: {pair: {teeth: 20, module: 2, material: steel, mesh: {flank-nodes: 9, teeth: 3}}}\n"
    "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
    "contacts: [{between: pair, max-distance: 0.1}]\n"
    "steps: [{trajectory: {cycle: tooth, positions: 3, torque: {pair.2: 1}}}]\n";

// u = G x + bend (y^2, x y)
static void displace(const StickMesh *mesh, const double G[4], double bend, double *u)
{
    for (int i = 0; i < mesh->nnodes; i++) {
        double x = mesh->x[2 * i], y = mesh->x[2 * i + 1];
        u[2 * i] = G[0] * x + G[1] * y + bend * y * y;
        u[2 * i + 1] = G[2] * x + G[3] * y + bend * x * y;
    }
}

static double largest(StickContext *ctx, const StickBody *body, const double *u)
{
    StickRootStress root;
    double tension;
    assert_ok(ctx, stick_root_stress_create(ctx, body, &root));
    assert_ok(ctx, stick_root_stress_largest(ctx, &root, u, &tension));
    stick_root_stress_destroy(ctx, &root);
    return tension;
}

static void even_strains_have_one_tension(void **state)
{
    static double u[100000];
    Scene scene;
    scene_open(&scene, *state, gears);
    const StickBody *body = &scene.system->body[0];
    assert_true(2 * body->mesh.nnodes <= 100000);
    // shear strain 1e-3: the principal stress is G 1e-3; turning alone has none
    double shear = 206000 / 2.6;
    displace(&body->mesh, (double[4]){0, 1e-3, 0, 0}, 0, u);
    assert_near(largest(*state, body, u), 1e-3 * shear, 1e-9 * shear);
    displace(&body->mesh, (double[4]){0, 1e-3, -1e-3, 0}, 0, u);
    assert_near(largest(*state, body, u), 0, 1e-9 * shear);
    // plane strain along x: lambda + 2 G; pressed together, what is left is the lesser pressure
    double lame = 206000 * 0.3 / (1.3 * 0.4);
    displace(&body->mesh, (double[4]){1e-3, 0, 0, 0}, 0, u);
    assert_near(largest(*state, body, u), 1e-3 * (lame + 2 * shear), 1e-9 * shear);
    displace(&body->mesh, (double[4]){-1e-3, 0, 0, 0}, 0, u);
    assert_near(largest(*state, body, u), -1e-3 * lame, 1e-9 * shear);
    scene_close(&scene);
}

static void it_is_the_largest_of_the_whole_gear_in_its_fillets(void **state)
{
    static double u[100000], stress[300000];
    Scene scene;
    scene_open(&scene, *state, gears);
    const StickBody *body = &scene.system->body[0];
    const StickGroup *fillets = scene_group(&scene, 0, "fillets");
    assert_true(2 * body->mesh.nnodes <= 100000);
    displace(&body->mesh, (double[4]){1e-4, 0, 2e-4, 0}, 1e-4, u);
    assert_ok(*state, stick_fem_stress(*state, &body->continuum, u, NULL, stress));
    double most = -INFINITY;
    for (int k = 0; k < fillets->nnodes; k++) {
        const double *s = &stress[6 * fillets->node[k]];
        most = fmax(most, 0.5 * (s[0] + s[1]) + sqrt(0.25 * (s[0] - s[1]) * (s[0] - s[1]) + s[3] * s[3]));
    }
    assert_near(largest(*state, body, u), most, 1e-12 * most);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(even_strains_have_one_tension),
        test_with_context(it_is_the_largest_of_the_whole_gear_in_its_fillets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
