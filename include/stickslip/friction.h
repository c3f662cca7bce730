// SPDX-License-Identifier: Apache-2.0
// Discrete friction problems: find r, u = W r + u_free with r in Coulomb's cone, u_N >= 0, r_N >= 0,
// r_N u_N = 0 and r_T against u_T. Contact c owns entries dim*c ... dim*c + dim - 1, the normal one first.
#ifndef STICKSLIP_FRICTION_H
#define STICKSLIP_FRICTION_H

#include <stickslip/context.h>
#include <stickslip/options.h>
#include <stickslip/solve_info.h>

#include <stdbool.h>

// A matrix by block rows: block k of row i is value + k * d * d, by rows, at block column col[k].
typedef struct StickBlocks {
    int d;         // order of a block
    int n;         // number of block rows and columns
    int *start;    // n + 1
    int *col;      // start[n], ascending in every row; the diagonal block is always there
    double *value; // start[n] x d x d
} StickBlocks;

// W given by its action: sufficient for methods that do not need its entries.
typedef struct StickOperator {
    void (*apply)(const void *data, const double *r, double *Wr);   // Wr = W r
    void (*diagonal)(const void *data, int contact, double *block); // W_cc, d x d by rows
    const void *data;
} StickOperator;

// Admissible friction at a normal impulse of 1: the convex set D_1 of tangential impulses, with 0 in its interior.
// r_T is in r_N D_1, and no other point of this set dissipates more power with u_T [JM91 4]. Must stay in memory as
// long as the problems that refer to it.
typedef enum StickSectionKind {
    STICK_SECTION_ELLIPSE, // in space: semi-axes mu[0] and mu[1], the first turned by angle from T1 towards T2
    STICK_SECTION_POLYGON,  // in space: the convex one with these vertices, counter-clockwise
    STICK_SECTION_INTERVAL, // in the plane: -mu[0] <= r_T / r_N <= mu[1]; so mu[0] is that of u_T > 0
} StickSectionKind;

typedef struct StickSection {
    StickSectionKind kind;
    double mu[2];         // ellipse and interval
    double angle;         // ellipse
    int nvertices;        // polygon ...
    const double *vertex; // ... nvertices x 2
} StickSection;

// W in its factored form, W = H' S H: each contact acts on at most two bodies with few velocities each. Methods that
// eliminate impulses need it; W, u_free and mu alone define the problem.
typedef struct StickBodySides {
    int body[2];  // that the contact acts on; -1: none
    int entry[2]; // the rows of H of each of them begin at entry * dim in StickBodies.H
} StickBodySides;

// One row G v + compliance lambda = 0 of a joint (compliance 0) or a spring; rows must be independent.
typedef struct StickJointRow {
    int body[2];    // -1: none
    double G[2][6]; // over the velocities of each body
    double compliance;
} StickJointRow;

typedef struct StickBodies {
    int nbodies;
    int ndofs;       // velocities of a body: 3 or 6
    const double *S; // nbodies x ndofs x ndofs: inverse masses, zero rows and columns where prescribed
    const double *H; // ndofs x dim by rows for each contact and body
    const StickBodySides *sides; // ncontacts
    int njoints;                 // W = H' (S - S G' (G S G' + compliance)^-1 G S) H with these rows
    const StickJointRow *joint;
} StickBodies;

typedef struct StickFrictionProblem {
    int dim; // 1 (no friction), 2 or 3
    int ncontacts;
    const StickBlocks *W;         // by blocks ...
    const StickOperator *apply_W; // ... or, where W is NULL, by operator
    const double *u_free;         // dim * ncontacts
    const double *mu;             // ncontacts; unused with dim = 1, and where there is a section
    // Anisotropic friction: ncontacts, NULL where it is the disk of mu; or NULL, where all are.
    const StickSection *const *section;
    // Scale of velocities at each contact (ncontacts): the largest |u_free| of its island, i.e. of the contacts that
    // chains of blocks of W connect with it, but at least 1e-6 of the largest of all. NULL: the largest of all
    // contacts. stick_solver_solve sets it for its methods.
    const double *velocity_scale;
    const StickBodies *bodies; // NULL: W is not known in its factored form
    // ncontacts, or NULL: 1 where the guess is the solution of an earlier problem that returned
    // StickSolveInfo.settled = true. `auto` returns this guess if it still solves an island of such contacts.
    const unsigned char *settled;
} StickFrictionProblem;

// Errors that must be below the tolerance before a solve ends.
typedef enum StickMeasure {
    STICK_MEASURE_BOTH, // the shared one, its scale-free form, and each contact in its own scale: as a certificate
    STICK_MEASURE_SHARED, // the shared one alone, to compare with other codes
} StickMeasure;

typedef struct StickSolverOptions {
    double
        tolerance; // of the error measure of verify/, of its scale-free form, and of each contact in its own scale
    double aim;     // error that `auto` aims at if that costs little; 0: the tolerance
    int measure;    // StickMeasure
    int iterations; // most sweeps, Newton steps or pivots
    int threads;    // of sweeps and products; results have the same bits for every number of them
    // Of methods that relax: the factor on a contact's change, or the first step; 0: found by the method.
    double relaxation;
    // Of the method that smooths friction: sliding speed below which it is regularised, relative to the largest
    // free velocity.
    double regularization;
    // Of the cone in 3D, for methods that need a polyhedral one: a multiple of 4. Its section is the regular
    // polygon inscribed in the circle with a vertex on the first tangent, at the angles 2 pi k / facets.
    int facets;
} StickSolverOptions;

StickSolverOptions stick_solver_options_default(void);
extern const StickOption stick_solver_options_table[];

typedef struct StickSolver StickSolver;

// Names and one-line texts of all solvers, for --help and the documentation; NULL past the last.
const char *stick_solver_name(int index);
const char *stick_solver_text(int index);

// Whether it takes problems with sections; the others refuse them.
bool stick_solver_takes_sections(int index);

// Whether it needs W in its factored form, StickFrictionProblem.bodies.
bool stick_solver_needs_bodies(int index);

// An unknown name is STICK_BAD_INPUT with the nearest one.
StickStatus stick_solver_create(StickContext *ctx, const char *name, const StickSolverOptions *options,
                                StickSolver **solver);
void stick_solver_destroy(StickSolver *solver);

// Makes room for problems of this size and pattern of W, whose values are not looked at, so that a solve
// allocates nothing. A smaller one that follows needs no new room.
StickStatus stick_solver_reserve(StickSolver *solver, const StickFrictionProblem *problem);

// Solves the problem, which is not changed. r is the initial guess on input (zeros if unknown) and the solution on
// output; u is its velocity. If the solve did not converge, r is the best point found, or the guess. info->residual
// is the shared error measure; with info->facets > 0 it is that of the complementarity problem solved, and the detail
// gives that of the exact cone. STICK_INTERRUPTED if the context was stopped: r and u are then invalid.
StickStatus stick_solver_solve(StickSolver *solver, const StickFrictionProblem *problem, double *r, double *u,
                               StickSolveInfo *info);

// y = W r (by blocks or by operator)
void stick_friction_apply(const StickFrictionProblem *problem, const double *r, double *y);

void stick_blocks_destroy(StickContext *ctx, StickBlocks *blocks);

#endif
