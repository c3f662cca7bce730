// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "fem/interpolation.h"

#include <stdbool.h>

// A place inside of the reference element, different for every k.
static void some_place(StickShape shape, int k, double place[3])
{
    const StickShapeInfo *info = stick_shape_info(shape);
    bool simplex = shape == STICK_TRI3 || shape == STICK_TRI6 || shape == STICK_TET4;
    for (int l = 0; l < 3; l++) {
        double s = sin(1.0 + 3 * k + 7 * l);
        place[l] = l >= info->dim ? 0 : simplex ? 0.3 * s * s : 0.9 * s;
    }
}

static void values_sum_to_one_and_reproduce_the_place(void **state)
{
    (void)state;
    for (StickShape shape = 0; shape < STICK_NSHAPES; shape++) {
        for (int k = 0; k < 5; k++) {
            double x[3], N[STICK_MOST_ELEMENT_NODES], sum = 0, y[3] = {0};
            some_place(shape, k, x);
            stick_shape_values(shape, x, N);
            for (int a = 0; a < stick_shape_info(shape)->nodes; a++) {
                double place[3];
                stick_shape_node_place(shape, a, place);
                sum += N[a];
                for (int l = 0; l < 3; l++)
                    y[l] += N[a] * place[l];
            }
            assert_near(sum, 1, 1e-15);
            for (int l = 0; l < 3; l++)
                assert_near(y[l], x[l], 1e-15);
        }
    }
}

static void a_value_is_one_at_its_node_and_zero_at_others(void **state)
{
    (void)state;
    for (StickShape shape = 0; shape < STICK_NSHAPES; shape++) {
        int n = stick_shape_info(shape)->nodes;
        for (int a = 0; a < n; a++) {
            double x[3], N[STICK_MOST_ELEMENT_NODES];
            stick_shape_node_place(shape, a, x);
            stick_shape_values(shape, x, N);
            for (int b = 0; b < n; b++)
                assert_near(N[b], a == b, 1e-15);
        }
    }
}

// Shape functions are polynomials of degree 3 at most: central differences of fourth order are exact.
static void derivatives_are_those_of_the_values(void **state)
{
    (void)state;
    double h = 0.01;
    for (StickShape shape = 0; shape < STICK_NSHAPES; shape++) {
        const StickShapeInfo *info = stick_shape_info(shape);
        double x[3], dN[STICK_MOST_ELEMENT_NODES][3], N[4][STICK_MOST_ELEMENT_NODES];
        some_place(shape, 1, x);
        stick_shape_derivatives(shape, x, dN);
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 4; l++) {
                double y[3] = {x[0], x[1], x[2]};
                y[k] += (k < info->dim) * h * (l < 2 ? l - 2 : l - 1);
                stick_shape_values(shape, y, N[l]);
            }
            for (int a = 0; a < info->nodes; a++) {
                double difference = (N[0][a] - 8 * N[1][a] + 8 * N[2][a] - N[3][a]) / (12 * h);
                assert_near(dN[a][k], difference, 1e-12);
            }
        }
    }
}

// Nodes of a side lie where the side's own interpolation puts them: the middle node is between its ends.
static void sides_are_numbered_for_their_shape(void **state)
{
    (void)state;
    for (StickShape shape = STICK_BAR2; shape < STICK_NSHAPES; shape++) {
        const StickShapeInfo *info = stick_shape_info(shape);
        if (info->side_shape != STICK_BAR3)
            continue;
        for (int s = 0; s < info->nsides; s++) {
            double end[2][3], middle[3];
            stick_shape_node_place(shape, info->side[s][0], end[0]);
            stick_shape_node_place(shape, info->side[s][1], end[1]);
            stick_shape_node_place(shape, info->side[s][2], middle);
            for (int k = 0; k < 3; k++)
                assert_near(middle[k], 0.5 * (end[0][k] + end[1][k]), 0);
        }
    }
}

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

// Integral of x^p y^q z^r over the reference element.
static double exact_integral(StickShape shape, const int power[3])
{
    int dim = stick_shape_info(shape)->dim, sum = 0;
    double product = 1;
    if (shape == STICK_TRI3 || shape == STICK_TRI6 || shape == STICK_TET4) {
        for (int k = 0; k < dim; k++) {
            product *= factorial(power[k]);
            sum += power[k];
        }
        return product / factorial(sum + dim);
    }
    for (int k = 0; k < dim; k++)
        product *= power[k] % 2 ? 0 : 2.0 / (power[k] + 1);
    return product;
}

static void assert_exact(StickShape shape, const StickQuadrature *quadrature, int degree)
{
    bool simplex = shape == STICK_TRI3 || shape == STICK_TRI6 || shape == STICK_TET4;
    int dim = stick_shape_info(shape)->dim, count = degree + 1;
    for (int m = 0; m < count * count * count; m++) {
        int power[3] = {m % count, m / count % count, m / count / count};
        bool wanted = !simplex || power[0] + power[1] + power[2] <= degree;
        for (int k = dim; k < 3; k++)
            wanted = wanted && power[k] == 0;
        if (!wanted)
            continue;
        double sum = 0;
        for (int p = 0; p < quadrature->count; p++) {
            double term = quadrature->weight[p];
            for (int k = 0; k < dim; k++)
                term *= pow(quadrature->place[p][k], power[k]);
            assert_true(quadrature->weight[p] > 0);
            sum += term;
        }
        assert_near(sum, exact_integral(shape, power), 4e-15);
    }
}

// Degree: of each variable on bars, quads and hexes, in all on triangles and tetrahedra.
static void quadratures_are_exact_to_their_degree(void **state)
{
    (void)state;
    static const struct {
        StickShape shape;
        int stiffness, mass, stress;
    } degree[] = {
        {STICK_BAR2, 1, 3, 1}, {STICK_BAR3, 3, 5, 3},  {STICK_TRI3, 1, 5, 1},
        {STICK_TRI6, 2, 5, 2}, {STICK_QUAD4, 3, 5, 3}, {STICK_QUAD8, 5, 7, 3},
        {STICK_TET4, 1, 2, 1}, {STICK_HEX8, 3, 5, 3},  {STICK_QUAD5, 3, 5, 3},
    };
    for (size_t k = 0; k < sizeof degree / sizeof *degree; k++) {
        StickShape shape = degree[k].shape;
        assert_exact(shape, stick_stiffness_quadrature(shape), degree[k].stiffness);
        assert_exact(shape, stick_mass_quadrature(shape), degree[k].mass);
        assert_exact(shape, stick_stress_quadrature(shape), degree[k].stress);
    }
    assert_int_equal(stick_mass_quadrature(STICK_POINT1)->count, 1);
    assert_near(stick_mass_quadrature(STICK_POINT1)->weight[0], 1, 0);
}

static double linear_field(const double x[3])
{
    return 2 + 0.7 * x[0] - 1.3 * x[1] + 0.4 * x[2];
}

static void extrapolation_is_exact_for_linear_fields(void **state)
{
    (void)state;
    for (StickShape shape = STICK_BAR2; shape < STICK_NSHAPES; shape++) {
        const StickQuadrature *points = stick_stress_quadrature(shape);
        for (int a = 0; a < stick_shape_info(shape)->nodes; a++) {
            double weight[STICK_MOST_ELEMENT_NODES], place[3], sum = 0, value = 0;
            stick_shape_node_place(shape, a, place);
            stick_stress_extrapolation(shape, a, weight);
            for (int p = 0; p < points->count; p++) {
                sum += weight[p];
                value += weight[p] * linear_field(points->place[p]);
            }
            assert_near(sum, 1, 1e-14);
            if (points->count > 1)
                assert_near(value, linear_field(place), 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_sum_to_one_and_reproduce_the_place),
        cmocka_unit_test(a_value_is_one_at_its_node_and_zero_at_others),
        cmocka_unit_test(derivatives_are_those_of_the_values),
        cmocka_unit_test(sides_are_numbered_for_their_shape),
        cmocka_unit_test(quadratures_are_exact_to_their_degree),
        cmocka_unit_test(extrapolation_is_exact_for_linear_fields),
    };
    return cmocka_run_group_tests_name("fem.interpolation", tests, NULL, NULL);
}
