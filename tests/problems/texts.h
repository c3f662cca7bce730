// SPDX-License-Identifier: Apache-2.0
// Reads a problem from a text that stands in a test.
#ifndef TESTS_PROBLEMS_TEXTS_H
#define TESTS_PROBLEMS_TEXTS_H

#include "check.h"
#include "problems/dat.h"

static inline StickStatus read_text(StickContext *ctx, const char *text, StickProblemKind as,
                                    StickProblemFile **file)
{
    StickProblemFile *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    StickStatus status = stick_dat_read("text.dat", text, strlen(text), as, made);
    if (status == STICK_OK)
        *file = made;
    else
        stick_problem_destroy(made);
    return status;
}

// Two contacts in the plane, the same W in every storage:
//   4 1 0 0
//   2 5 0 0
//   0 7 3 0
//   0 0 0 6
#define TWO_CONTACTS "2 2\n"
#define TWO_VECTORS "\n-1 0.5 -2 0.25\n0.3 0.7\n"
#define TWO_DENSE "0\n4 4\n4 4\n4 2 0 0\n1 5 7 0\n0 0 3 0\n0 0 0 6\n"
// The blocks of the second row stand in the wrong order.
#define TWO_BLOCKS                                                     \
    "1\n4 4\n3\n2 2\n2 4\n2 4\n3\n3\n0 1 3\n0 1 0\n0\n4 2\n1 5\n1\n3 " \
    "0 0 6\n2\n0 0 7 0\n"
#define TWO_TRIPLETS                                                                            \
    "2\n4 4\n1\nCSparse Version 3\ntriplet: 4-by-4, nzmax: 9 nnz: 8\n    0 0 : 1.5\n    3 3 : " \
    "6\n    0 1 : 1\n    1 0 : 2\n    1 1 : 5\n    2 1 : 7\n    2 2 : 3\n    0 0 : 2.5\n"
#define TWO_COLUMNS                                                                                   \
    "2\n4 4\n2\nCSparse Version 3\n4-by-4, nzmax: 7 nnz: 7, 1-norm: 13\n    col 0 : locations 0 to "  \
    "1\n      0 : 4\n      1 : 2\n    col 1 : locations 2 to 4\n      0 : 1\n      1 : 5\n      2 : " \
    "7\n    col 2 : locations 5 to 5\n      2 : 3\n    col 3 : locations 6 to 6\n      3 : 6\n"
#define TWO_ROWS                                                                                       \
    "2\n4 4\n3\nCSparse Version 3\ncsr: 4-by-4, nzmax: 7 nnz: 7, 1-norm: 13\n    row 0 : locations 0 " \
    "to 1\n      0 : 4\n      1 : 1\n    row 1 : locations 2 to 3\n      0 : 2\n      1 : 5\n    row " \
    "2 : locations 4 to 5\n      1 : 7\n      2 : 3\n    row 3 : locations 6 to 6\n      3 : 6\n"

// Two masses, one contact each: the first of M = [2 1; 1 2] (+) 4 I, H = I.
#define ONE_GLOBAL                                                                                 \
    "2 2\n0\n4 4\n4 4\n2 1 0 0 1 2 0 0 0 0 4 0 0 0 0 4\n0\n4 4\n4 4\n1 0 0 0 0 1 0 0 0 0 1 0 0 0 " \
    "0 1\n3 0 4 8\n0.5 0 0 0\n0.1 0.2\n"

#define SMALL_LCP "2\n0\n2 2\n2 2\n2 1 0 3\n-1 -2\n# a comment\n"

#endif
