// SPDX-License-Identifier: Apache-2.0
// What the contact of two shapes in space costs: pairs per second of one thread for each two kinds, turned anyhow and just
// touching, and for boxes that stand on each other. The goals are 5e6 pairs of balls and 2e5 of boxes.
#include "../tests/contact/shapes.h"
#include "base/clock.h"
#include "contact/manifold_3d.h"

#include <stdio.h>

enum { PAIRS = 256, ROUNDS = 5 };

static const char *const name[] = {"ball", "capsule", "cylinder", "box", "hull of 12", "hull of 24"};

typedef struct Pair {
    StickPlacedShape a, b;
} Pair;

static void place(StickRandom *random, const StickConvex *shape, double far, StickPlacedShape *at)
{
    *at = placed(shape, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        at->centre[k] = stick_random_uniform(random, -far, far);
    turn_anyhow(random, at);
}

// Along the normal until the gap is 1e-3 or -1e-3.
static void bring_together(Pair *pair, bool overlap)
{
    StickManifold m;
    stick_manifold_3d(&pair->a, &pair->b, 10, &m);
    double gap = m.point[0].gap;
    for (int k = 1; k < m.count; k++)
        gap = fmin(gap, m.point[k].gap);
    for (int k = 0; k < 3; k++)
        pair->a.centre[k] -= (gap - (overlap ? -1e-3 : 1e-3)) * m.normal[k];
}

// Pairs per second, best of several rounds, and points per pair.
static double measure(const Pair *pair, double *points)
{
    double best = INFINITY;
    long count = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = stick_clock_cpu();
        long done = 0;
        count = 0;
        while (stick_clock_cpu() < start + 0.01)
            for (int k = 0; k < PAIRS; k++, done++) {
                StickManifold m;
                stick_manifold_3d(&pair[k].a, &pair[k].b, 0.01, &m);
                count += m.count;
            }
        best = fmin(best, (stick_clock_cpu() - start) / (double)done);
        *points = (double)count / (double)done;
    }
    return 1 / best;
}

int main(void)
{
    static Solid box, hull[2];
    static Pair pair[PAIRS];
    StickConvex round = ball(0.6), rod = capsule(0.3, 0.7), drum = cylinder(0.6, 0.5);
    StickRandom random = stick_random_seed(1);
    double points;
    make_box(1, 1, 1, &box);
    make_hull(&random, 12, 1, &hull[0]);
    make_hull(&random, 24, 1, &hull[1]);
    const StickConvex *shape[] = {&round, &rod, &drum, &box.convex, &hull[0].convex, &hull[1].convex};
    printf("%-12s %-12s %12s %8s\n", "a", "b", "pairs/s", "points");
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < PAIRS; k++) {
                place(&random, shape[i], 2, &pair[k].a);
                place(&random, shape[j], 0.1, &pair[k].b);
                bring_together(&pair[k], k % 2);
            }
            double rate = measure(pair, &points);
            printf("%-12s %-12s %12.3g %8.2f\n", name[i], name[j], rate, points);
        }
    for (int k = 0; k < PAIRS; k++) {
        pair[k].a = placed(&box.convex, 0.2, 0.3, 1 + 1e-9 * (k % 3 - 1));
        pair[k].b = placed(&box.convex, 0, 0, 0);
        move_both(&pair[k].a, &pair[k].b, (double[]){1, 2, 3}, k, (double[]){k, 0, 0});
    }
    double rate = measure(pair, &points);
    printf("%-25s %12.3g %8.2f\n", "boxes that stand", rate, points);
    return 0;
}
