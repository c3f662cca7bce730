// SPDX-License-Identifier: Apache-2.0
// A search for other motions that solve a friction problem with more contacts than solutions.h can enumerate. The
// problem is solved again by sweeps and by Newton's method, from starting points far from the known solution (no
// force, strong wedging, friction reversed, random forces of the cone), and from the known solution, which removes
// its own error. The search finds motions that attract one of these methods. It can miss others: a search without
// result proves nothing.
#ifndef SOLVE_SOLUTIONS_SEARCH_H
#define SOLVE_SOLUTIONS_SEARCH_H

#include <stickslip/friction.h>

#include <stdbool.h>

// Largest problem that is searched.
enum { STICK_SOLUTIONS_SEARCH_CONTACTS = 100 };

// Two solutions are different motions if a relative velocity differs by more than this share of the largest free velocity:
// smaller differences cannot be distinguished from the error of the contact solve.
#define STICK_OTHER_MOTION 1e-4

typedef struct StickSolutionsSearch StickSolutionsSearch;

StickStatus stick_solutions_search_create(StickContext *ctx, StickSolutionsSearch **search);
void stick_solutions_search_destroy(StickSolutionsSearch *search);

// r, u: a solution of the problem. difference: largest difference of a relative velocity of another solution,
// relative to the largest free velocity; 0 if no other motion was found. The same input gives the same result.
StickStatus stick_solutions_search(StickSolutionsSearch *search, const StickFrictionProblem *problem,
                                   const double *r, const double *u, double *difference);

#endif
