// SPDX-License-Identifier: Apache-2.0
// Solves one friction problem with every solver of the library and has each answer certified.
//
// A rigid block stands on its two lower corners, falls with velocity 1 and slides with 0.5: u = W r + u_free.
#include <stickslip/stickslip.h>

#include <stdio.h>

enum { CONTACTS = 2, DIM = 2 };

// W = H' M^-1 H; corner c at (x_c, -1) from the mass centre: column N of H is (0, 1, x_c), column T is (1, 0, 1).
static void fill_blocks(double *value)
{
    const double mass = 2, inertia = 4.0 / 3, x[CONTACTS] = {-1, 1};
    for (int c = 0; c < CONTACTS; c++) {
        for (int d = 0; d < CONTACTS; d++) {
            double *block = value + (c * CONTACTS + d) * DIM * DIM;
            block[0] = 1 / mass + x[c] * x[d] / inertia; // N, N
            block[1] = x[c] / inertia;                   // N, T
            block[2] = x[d] / inertia;                   // T, N
            block[3] = 1 / mass + 1 / inertia;           // T, T
        }
    }
}

static StickStatus solve(StickContext *ctx, StickSolver *solver, const char *name,
                         const StickFrictionProblem *problem)
{
    double r[CONTACTS * DIM] = {0}, u[CONTACTS * DIM];
    StickSolveInfo info;
    StickCertificate certificate;
    StickStatus status = stick_solver_reserve(solver, problem);
    if (status == STICK_OK)
        status = stick_solver_solve(solver, problem, r, u, &info);
    if (status == STICK_OK)
        status = stick_certify(ctx, problem, r, info.facets, 1e-8, &certificate);
    if (status != STICK_OK)
        return status;
    printf("%s: %s after %d iterations, error %.1e, %s\n", name, stick_solve_end_name(info.end),
           info.iterations, certificate.error, certificate.certified ? "certified" : "NOT certified");
    for (int c = 0; c < CONTACTS; c++)
        printf("  contact %d: r = (%.4f, %.4f), u = (%.4f, %.4f)\n", c + 1, r[DIM * c], r[DIM * c + 1],
               u[DIM * c], u[DIM * c + 1]);
    return certificate.certified ? STICK_OK : STICK_NOT_SOLVED;
}

int main(void)
{
    double value[CONTACTS * CONTACTS * DIM * DIM], u_free[] = {-1, 0.5, -1, 0.5}, mu[] = {0.3, 0.3};
    int start[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
    StickBlocks W = {.d = DIM, .n = CONTACTS, .start = start, .col = col, .value = value};
    StickFrictionProblem problem = {.dim = DIM, .ncontacts = CONTACTS, .W = &W, .u_free = u_free, .mu = mu};
    StickSolverOptions options = stick_solver_options_default();
    fill_blocks(value);

    StickContext *ctx = stick_context_create(NULL);
    StickStatus status = ctx ? STICK_OK : STICK_NO_MEMORY;
    for (int k = 0; status == STICK_OK && stick_solver_name(k); k++) {
        if (stick_solver_needs_bodies(k))
            continue; // of a problem that is given by W alone
        StickSolver *solver = NULL;
        status = stick_solver_create(ctx, stick_solver_name(k), &options, &solver);
        if (status == STICK_OK)
            status = solve(ctx, solver, stick_solver_name(k), &problem);
        stick_solver_destroy(solver);
    }
    if (status != STICK_OK)
        fprintf(stderr, "%s\n", ctx ? stick_last_error(ctx) : "no memory");
    stick_context_destroy(ctx);
    return status;
}
