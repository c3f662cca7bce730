// SPDX-License-Identifier: Apache-2.0
#include "base/quaternion.h"
#include "base/random.h"
#include "bodies/hull.h"
#include "bodies/polytope.h"
#include "check.h"

static StickCloud cloud_of(int count, const double *x)
{
    return (StickCloud){.who = "body 'stone'", .count = count, .x = x};
}

static StickConvex hull_of(StickContext *ctx, int count, const double *x)
{
    StickCloud cloud = cloud_of(count, x);
    StickConvex shape;
    assert_ok(ctx, stick_hull_create(ctx, &cloud, &shape));
    return shape;
}

static int corners_of(const StickConvex *shape, int face)
{
    return shape->face_start[face + 1] - shape->face_start[face];
}

// Every point is inside, every vertex is a point that is on the faces around it and strictly below all others
// (so that the hull without it would be smaller), and edges lie on their faces.
static void assert_hull(const StickConvex *shape, int count, const double *x, double tolerance)
{
    for (int i = 0; i < count; i++)
        assert_below(-tolerance, stick_hull_depth(shape, &x[3 * i]));
    for (int v = 0; v < shape->nvertices; v++) {
        int on = 0, is_point = 0;
        for (int f = 0; f < shape->nfaces; f++) {
            bool corner = false;
            for (int k = shape->face_start[f]; k < shape->face_start[f + 1]; k++)
                corner |= shape->face_vertex[k] == v;
            double depth = shape->face[4 * f + 3] - stick_vec_dot(&shape->face[4 * f], &shape->vertex[3 * v]);
            if (corner)
                assert_near(depth, 0, tolerance);
            else
                assert_true(depth > 0);
            on += corner;
        }
        for (int i = 0; i < count; i++)
            is_point |= memcmp(&x[3 * i], &shape->vertex[3 * v], 3 * sizeof *x) == 0;
        assert_true(on >= 3);
        assert_true(is_point);
    }
    assert_int_equal(shape->nvertices - shape->nedges + shape->nfaces, 2);
    for (int e = 0; e < shape->nedges; e++) {
        const int *edge = &shape->edge[4 * e];
        assert_true(edge[0] < edge[1] && edge[2] != edge[3]);
        for (int side = 0; side < 2; side++) {
            int f = edge[2 + side], n = corners_of(shape, f), found = 0;
            const int *corner = &shape->face_vertex[shape->face_start[f]];
            for (int k = 0; k < n; k++)
                found += corner[k] == edge[side] && corner[(k + 1) % n] == edge[1 - side];
            assert_int_equal(found, 1);
        }
    }
}

static void turn_points(int count, double *x)
{
    double turn[4];
    stick_quaternion_about((double[]){1, 2, -3}, 0.7, turn);
    for (int i = 0; i < count; i++) {
        stick_quaternion_rotate(turn, &x[3 * i], &x[3 * i]);
        x[3 * i] += 100;
    }
}

// ---- closed forms

static void test_cube_has_six_faces_of_four(void **state)
{
    double x[24];
    for (int turned = 0; turned < 2; turned++) {
        for (int i = 0; i < 8; i++)
            x[3 * i] = i & 1, x[3 * i + 1] = i >> 1 & 1, x[3 * i + 2] = i >> 2;
        if (turned)
            turn_points(8, x);
        StickConvex cube = hull_of(*state, 8, x);
        assert_int_equal(cube.nvertices, 8);
        assert_int_equal(cube.nfaces, 6);
        assert_int_equal(cube.nedges, 12);
        for (int f = 0; f < 6; f++)
            assert_int_equal(corners_of(&cube, f), 4);
        assert_hull(&cube, 8, x, turned ? 1e-13 : 0);
        stick_polytope_destroy(*state, &cube);
    }
}

// Nodes all over a box, as those of a mesh: only the corners are left, however it is turned.
static void test_points_on_faces_and_edges_are_left_out(void **state)
{
    enum { N = 12 };
    static double x[3 * (N + 1) * (N + 1) * (N + 1)];
    for (int turned = 0; turned < 2; turned++) {
        int count = 0;
        for (int i = 0; i <= N; i++)
            for (int j = 0; j <= N; j++)
                for (int k = 0; k <= N; k++, count++)
                    x[3 * count] = i / 7.0, x[3 * count + 1] = j / 13.0, x[3 * count + 2] = k / 17.0;
        if (turned)
            turn_points(count, x);
        StickConvex box = hull_of(*state, count, x);
        assert_int_equal(box.nvertices, 8);
        assert_int_equal(box.nfaces, 6);
        assert_hull(&box, count, x, 1e-12);
        stick_polytope_destroy(*state, &box);
    }
}

static void test_prism_has_faces_of_many_corners(void **state)
{
    enum { N = 40 };
    double x[6 * N];
    for (int i = 0; i < 2 * N; i++) {
        x[3 * i] = cos(i / 2 * 6.283185307179586 / N);
        x[3 * i + 1] = sin(i / 2 * 6.283185307179586 / N);
        x[3 * i + 2] = i % 2;
    }
    turn_points(2 * N, x);
    StickConvex prism = hull_of(*state, 2 * N, x);
    int many = 0, four = 0;
    for (int f = 0; f < prism.nfaces; f++) {
        many += corners_of(&prism, f) == N;
        four += corners_of(&prism, f) == 4;
    }
    assert_int_equal(many, 2);
    assert_int_equal(four, N);
    assert_int_equal(prism.nvertices, 2 * N);
    assert_hull(&prism, 2 * N, x, 1e-12);
    stick_polytope_destroy(*state, &prism);
}

// ---- any points

static void test_random_points(void **state)
{
    static double x[3 * 400];
    StickRandom random = stick_random_seed(7);
    for (int run = 0; run < 40; run++) {
        int count = 4 + 10 * run;
        for (int i = 0; i < count; i++) {
            double *p = &x[3 * i];
            for (int k = 0; k < 3; k++)
                p[k] = stick_random_uniform(&random, -1, 1) * (run % 3 == 2 && k == 2 ? 1e-3 : 1);
            if (run % 3 == 1)
                stick_vec_normalise(p);
        }
        StickConvex shape = hull_of(*state, count, x);
        assert_hull(&shape, count, x, 1e-9);
        // all points of a sphere are needed
        if (run % 3 == 1)
            assert_int_equal(shape.nvertices, count);
        stick_polytope_destroy(*state, &shape);
    }
}

// Points of a coarse grid: nearly all are coplanar with many others, and many are repeated.
static void test_points_with_many_coincidences(void **state)
{
    static double x[3 * 200];
    StickRandom random = stick_random_seed(8);
    for (int run = 0; run < 60; run++) {
        int count = 20 + 3 * run;
        for (int i = 0; i < 3 * count; i++)
            x[i] = floor(stick_random_uniform(&random, 0, 2 + run / 10.0));
        if (run % 2)
            turn_points(count, x);
        StickConvex shape = hull_of(*state, count, x);
        assert_hull(&shape, count, x, 1e-10);
        for (int v = 0; v < shape.nvertices; v++)
            for (int w = 0; w < v; w++)
                assert_memory_not_equal(&shape.vertex[3 * v], &shape.vertex[3 * w], 3 * sizeof *x);
        stick_polytope_destroy(*state, &shape);
    }
}

// Noise of the size of the flatness tolerance must not tear the surface.
static void test_noisy_box_stays_closed(void **state)
{
    static double x[3 * 600];
    StickRandom random = stick_random_seed(9);
    for (double noise = 1e-14; noise < 1e-3; noise *= 10)
        for (int run = 0; run < 5; run++) {
            for (int i = 0; i < 600; i++) {
                for (int k = 0; k < 3; k++)
                    x[3 * i + k] = stick_random_uniform(&random, -1, 1);
                x[3 * i + i % 3] = (i / 3 % 2 ? 1 : -1) + noise * stick_random_uniform(&random, -1, 1);
            }
            StickConvex shape = hull_of(*state, 600, x);
            for (int i = 0; i < 600; i++)
                assert_below(-1e-8, stick_hull_depth(&shape, &x[3 * i]));
            assert_int_equal(shape.nvertices - shape.nedges + shape.nfaces, 2);
            stick_polytope_destroy(*state, &shape);
        }
}

static void test_size_and_place_do_not_matter(void **state)
{
    static double x[3 * 100], y[3 * 100];
    StickRandom random = stick_random_seed(10);
    for (int i = 0; i < 300; i++)
        x[i] = floor(stick_random_uniform(&random, 0, 6));
    StickConvex one = hull_of(*state, 100, x);
    for (int e = -60; e <= 60; e += 40) {
        for (int i = 0; i < 300; i++)
            y[i] = ldexp(x[i] - 1000 * (i % 3), e);
        StickConvex other = hull_of(*state, 100, y);
        assert_int_equal(other.nfaces, one.nfaces);
        assert_int_equal(other.nedges, one.nedges);
        assert_memory_equal(other.edge, one.edge, 4 * (size_t)one.nedges * sizeof *one.edge);
        stick_polytope_destroy(*state, &other);
    }
    stick_polytope_destroy(*state, &one);
}

static void test_large_hull(void **state)
{
    enum { N = 20000 };
    double *x = malloc(3 * N * sizeof *x);
    StickRandom random = stick_random_seed(11);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = stick_random_uniform(&random, -1, 1);
        stick_vec_normalise(&x[3 * i]);
    }
    StickConvex sphere = hull_of(*state, N, x);
    assert_int_equal(sphere.nvertices - sphere.nedges + sphere.nfaces, 2);
    assert_true(sphere.nvertices > 0.99 * N);
    stick_polytope_destroy(*state, &sphere);
    free(x);
}

// ---- refusals

static void assert_refused(StickContext *ctx, int count, const double *x, const char *text)
{
    StickCloud cloud = cloud_of(count, x);
    StickConvex shape;
    assert_int_equal(stick_hull_create(ctx, &cloud, &shape), STICK_BAD_INPUT);
    assert_string_equal(stick_last_error(ctx), text);
}

static void test_degenerate_points_are_refused(void **state)
{
    const double three[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double flat[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.5, 1e-9};
    const double line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    const double same[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double nan[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0, 1, 1, 1};
    assert_refused(*state, 3, three, "body 'stone': a hull in space needs 4 points or more, not 3");
    assert_refused(*state, 5, flat,
                   "body 'stone': its 5 points lie in a plane: they are 1e-09 thick at a size of 1");
    assert_refused(*state, 4, line,
                   "body 'stone': its 4 points lie on a line: they are 0 thick at a size of 3");
    assert_refused(*state, 4, same,
                   "body 'stone': its 4 points lie at one place: they are 0 thick at a size of 0");
    assert_refused(*state, 4, nan, "body 'stone': point 3 has y = nan");
}

static StickStatus hull_of_some(StickContext *ctx, void *data)
{
    StickCloud cloud = cloud_of(100, data);
    StickConvex shape;
    STICK_TRY(stick_hull_create(ctx, &cloud, &shape));
    stick_polytope_destroy(ctx, &shape);
    return STICK_OK;
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    static double x[300];
    StickRandom random = stick_random_seed(12);
    for (int i = 0; i < 300; i++)
        x[i] = stick_random_uniform(&random, 0, 1);
    assert_survives_failing_memory(hull_of_some, x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_cube_has_six_faces_of_four),
        test_with_context(test_points_on_faces_and_edges_are_left_out),
        test_with_context(test_prism_has_faces_of_many_corners),
        test_with_context(test_random_points),
        test_with_context(test_points_with_many_coincidences),
        test_with_context(test_noisy_box_stays_closed),
        test_with_context(test_size_and_place_do_not_matter),
        test_with_context(test_large_hull),
        test_with_context(test_degenerate_points_are_refused),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
