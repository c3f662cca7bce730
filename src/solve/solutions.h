// SPDX-License-Identifier: Apache-2.0
// All motions that solve a small friction problem. In the plane each contact is open, sticks, or slides in one of two
// directions, and each combination gives a linear problem. In space one contact is supported, and its sliding
// direction is a root of a quartic. With large friction several solutions may exist, as for Painleve's rod, whose
// lower end may lift, slide on or stop.
#ifndef SOLVE_SOLUTIONS_H
#define SOLVE_SOLUTIONS_H

#include <stickslip/friction.h>

enum { STICK_SOLUTIONS_CONTACTS = 3, STICK_SOLUTIONS_MOST = 64 };

typedef struct StickSolutions {
    int count;
    double u[STICK_SOLUTIONS_MOST][2 * STICK_SOLUTIONS_CONTACTS];
    double r[STICK_SOLUTIONS_MOST][2 * STICK_SOLUTIONS_CONTACTS]; // one of those that have this u
} StickSolutions;

// Whether the problem is suitable and may have several solutions: W by blocks, with friction, few contacts in the
// plane or one in space with a round section; a single contact can wedge if mu |W_NT| >= W_NN.
bool stick_solutions_may_differ(const StickFrictionProblem *problem);

// Finds solutions that differ in u, in the order of the statuses open, sliding along -T, along T, stuck, the first
// contact changing fastest. Allocates no memory.
void stick_solutions_find(const StickFrictionProblem *problem, StickSolutions *solutions);

// The same of one contact in space: open, sliding, stuck.
void stick_solutions_find_space(const StickFrictionProblem *problem, StickSolutions *solutions);

#endif
