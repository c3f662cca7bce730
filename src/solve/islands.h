// SPDX-License-Identifier: Apache-2.0
// Islands of a friction problem: contacts that no chain of blocks of W couples are problems of their own. They are
// found from the pattern, and laid out one after the other, in the order of their first contacts; inside an island
// contacts keep their order, so that each is a problem with rows of W as they were.
#ifndef SOLVE_ISLANDS_H
#define SOLVE_ISLANDS_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickIslands {
    StickContext *ctx;
    int dim, ncontacts;
    int count;  // of islands; with less than two of them nothing else is filled
    int *order; // ncontacts: the contact at each place
    int *first; // count + 1: the place where each island begins
    // Room, and the problem in the new order: block rows count from the first place of their island.
    int *root, *place, *start, *block, *col;
    double *value, *u_free, *mu;
    const StickSection **section;
    bool sections; // the problem has them
    unsigned char *settled;
    bool has_settled;
    StickBodies bodies;
    StickBodySides *sides;
    bool has_bodies;
    size_t order_room, first_room, root_room, place_room, start_room, block_room, col_room, value_room,
        u_free_room, mu_room, section_room, sides_room, settled_room;
} StickIslands;

// One of them as a problem of its own: it points into the islands and to its own W.
typedef struct StickIsland {
    int first, ncontacts; // places
    StickBlocks W;
    StickBodies bodies;
    StickFrictionProblem problem;
} StickIsland;

// Islands of a pattern, and room for the rest. W by its action is one island.
StickStatus stick_islands_find(StickContext *ctx, const StickFrictionProblem *problem, StickIslands *islands);
void stick_islands_destroy(StickIslands *islands);

// Takes the numbers of the problem whose islands were found.
void stick_islands_load(StickIslands *islands, const StickFrictionProblem *problem);

// The first contact of the island of each contact (W->n).
void stick_islands_roots(const StickBlocks *W, int *root);

// The largest |u_free| of the island of each contact (ncontacts), at least 1e-6 of the largest of all; root is work
// space of the same length.
void stick_islands_velocity(const StickFrictionProblem *problem, int *root, double *velocity);

void stick_islands_take(const StickIslands *islands, int island, StickIsland *taken);

// Vectors of dim * ncontacts from the order of the problem to that of the islands, and back.
void stick_islands_sort(const StickIslands *islands, const double *vector, double *sorted);
void stick_islands_put_back(const StickIslands *islands, const double *sorted, double *vector);

#endif
