// SPDX-License-Identifier: Apache-2.0
// All motions that solve a small friction problem. In the plane each contact is open, stuck, or slides to one of both
// sides, and what every choice asks for is linear; in space there may be one contact, and how it slides is a quartic. Where friction is large there may be several, as for Painleve's rod,
// whose lower end may lift, slide on or stop.
#ifndef SOLVE_SOLUTIONS_H
#define SOLVE_SOLUTIONS_H

#include <stickslip/friction.h>

enum { STICK_SOLUTIONS_CONTACTS = 3, STICK_SOLUTIONS_MOST = 64 };

typedef struct StickSolutions {
    int count;
    double u[STICK_SOLUTIONS_MOST][2 * STICK_SOLUTIONS_CONTACTS];
    double r[STICK_SOLUTIONS_MOST][2 * STICK_SOLUTIONS_CONTACTS]; // one of those that have this u
} StickSolutions;

// Whether it is one that can be asked, and may have several: W by blocks, with friction, of few contacts in the plane or of
// one in space, round there; a single one wedges itself in where mu |W_NT| >= W_NN.
bool stick_solutions_may_differ(const StickFrictionProblem *problem);

// Solutions by their u, each once, by contacts open, sliding along -T, along T, stuck, the first contact changing fastest.
// Takes no memory.
void stick_solutions_find(const StickFrictionProblem *problem, StickSolutions *solutions);

// The same of one contact in space: open, sliding, stuck.
void stick_solutions_find_space(const StickFrictionProblem *problem, StickSolutions *solutions);

#endif
