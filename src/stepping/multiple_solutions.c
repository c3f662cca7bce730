// SPDX-License-Identifier: Apache-2.0
#include "stepping/multiple_solutions.h"

#include "base/memory.h"
#include "solve/compliant.h"
#include "solve/cone.h"
#include "solve/islands.h"
#include "solve/solutions.h"
#include "solve/solutions_search.h"

#include <math.h>
#include <string.h>

// What the search in larger islands needs.
struct StickMultipleSolutions {
    StickSolutionsSearch *search;
    StickIslands islands;
    double *r, *u, *sorted_r, *sorted_u, *dense;
    unsigned char *is_counted; // of bodies
    size_t counted_room, r_room, u_room, sorted_r_room, sorted_u_room, dense_room;
};

// An island of few contacts, and its problem.
enum { FEW = STICK_SOLUTIONS_CONTACTS, MOST_VALUES = 4 * FEW * FEW }; // in space there is one contact

typedef struct Small {
    int count;
    int contact[FEW]; // ascending
    int start[FEW + 1], col[FEW * FEW];
    double value[MOST_VALUES], u_free[2 * FEW], mu[FEW];
    const StickSection *section[FEW];
    StickBlocks W;
    StickFrictionProblem problem;
} Small;

// Ascending; its place.
static int insert(Small *small, int contact)
{
    int at = small->count++;
    for (; at > 0 && small->contact[at - 1] > contact; at--)
        small->contact[at] = small->contact[at - 1];
    small->contact[at] = contact;
    return at;
}

static int place_of(const Small *small, int contact)
{
    for (int k = 0; k < small->count; k++)
        if (small->contact[k] == contact)
            return k;
    return -1;
}

// The island whose first contact this is, if it has no more than so many: what blocks couple is looked at until
// nothing new comes up.
static bool find_small(const StickBlocks *W, int first, int most, Small *small)
{
    small->count = 0;
    insert(small, first);
    for (int k = 0; k < small->count;) {
        int c = small->contact[k++];
        for (int e = W->start[c]; e < W->start[c + 1]; e++) {
            if (place_of(small, W->col[e]) >= 0)
                continue;
            if (small->count == most || W->col[e] < first)
                return false;
            int at = insert(small, W->col[e]);
            k = at < k ? at : k;
        }
    }
    return true;
}

static void take_row(const StickFrictionProblem *problem, int place, Small *small)
{
    const StickBlocks *W = problem->W;
    int d = problem->dim, c = small->contact[place], at = small->start[place];
    for (int e = W->start[c]; e < W->start[c + 1]; e++, at++) {
        small->col[at] = place_of(small, W->col[e]);
        memcpy(&small->value[at * d * d], &W->value[(size_t)e * (size_t)(d * d)],
               (size_t)(d * d) * sizeof *small->value);
    }
    small->start[place + 1] = at;
    small->mu[place] = problem->mu[c];
    small->section[place] = problem->section ? problem->section[c] : NULL;
    memcpy(&small->u_free[place * d], &problem->u_free[c * d], (size_t)d * sizeof *small->u_free);
}

static void take(const StickFrictionProblem *problem, Small *small)
{
    small->start[0] = 0;
    for (int k = 0; k < small->count; k++)
        take_row(problem, k, small);
    small->W = (StickBlocks){problem->dim, small->count, small->start, small->col, small->value};
    small->problem = (StickFrictionProblem){.dim = problem->dim,
                                            .ncontacts = small->count,
                                            .W = &small->W,
                                            .u_free = small->u_free,
                                            .mu = small->mu,
                                            .section = problem->section ? small->section : NULL};
}

// That of both bodies of a contact which can move by itself: a prescribed one may be part of many islands.
static const char *name_at(const StickSimulation *run, int c)
{
    const int *body = run->contacts.contact[c].body;
    bool is_held = stick_step_matrix_order(run->matrix, body[0]) == 0;
    return run->system->body[is_held && body[1] >= 0 ? body[1] : body[0]].name;
}

// What can decide between motions. A body that deforms already does not; contacts of a face that share a load do.
static const char *advice(const StickSimulation *run, const int *contact, int count)
{
    for (int k = 0; k < count; k++) {
        const StickContact *own = &run->contacts.contact[contact ? contact[k] : k];
        for (int side = 0; side < 2; side++)
            if (own->body[side] >= 0 && !run->system->body[own->body[side]].rigid)
                return "The contact laws alone do not determine which motion is right: compare with a "
                       "shorter time step "
                       "and a finer mesh";
    }
    return "Rigid bodies do not determine which motion is right: compare with a deformable body";
}

static void report(const StickSimulation *run, const Small *small, int count, double difference)
{
    int of[3] = {0};
    for (int k = 0; k < small->count; k++)
        of[stick_simulation_status(run, small->contact[k])]++;
    stick_warn(
        run->ctx,
        "t = %g: the contact problem at body '%s' (%d contact%s) has %d solutions, because of friction; "
        "velocities differ by up to %.2g of the largest free velocity. The result is the one with %d "
        "sticking, "
        "%d slipping and %d open contacts. %s. Further steps are only counted (contact.several)",
        run->state.next.t, name_at(run, small->contact[0]), small->count, small->count == 1 ? "" : "s", count,
        difference, of[STICK_STICKING], of[STICK_SLIPPING], of[STICK_APART],
        advice(run, small->contact, small->count));
}

// By how much the solutions differ as motions: several contacts of almost one point share its force in many ways, and
// nothing else changes.
static double difference_of(const Small *small, const StickSolutions *solutions)
{
    int n = small->problem.dim * small->count;
    double scale = 0, apart = 0;
    for (int i = 0; i < n; i++)
        scale = fmax(scale, fabs(small->u_free[i]));
    for (int k = 1; k < solutions->count; k++)
        for (int j = 0; j < k; j++)
            for (int i = 0; i < n; i++)
                apart = fmax(apart, fabs(solutions->u[k][i] - solutions->u[j][i]));
    return scale > 0 ? apart / scale : 0;
}

// How many solutions an island has, 1 if they are one motion, or if there cannot be several.
static int look_at(const StickSimulation *run, const Small *small, bool is_reported)
{
    StickSolutions solutions;
    if (!stick_solutions_may_differ(&small->problem))
        return 1;
    stick_solutions_find(&small->problem, &solutions);
    double difference = difference_of(small, &solutions);
    if (!(difference > STICK_OTHER_MOTION))
        return 1;
    if (!is_reported)
        report(run, small, solutions.count, difference);
    return solutions.count;
}

// Islands of few contacts: all solutions. The most that one of them has.
static int enumerate(const StickSimulation *run, const StickFrictionProblem *problem)
{
    int most = 1, few = problem->dim == 3 ? 1 : FEW;
    for (int c = 0; c < problem->ncontacts; c++) {
        Small small;
        if (problem->W->start[c + 1] - problem->W->start[c] > few || !find_small(problem->W, c, few, &small))
            continue;
        take(problem, &small);
        int found = look_at(run, &small, run->record.several > 0 || most > 1);
        most = most > found ? most : found;
    }
    return most;
}

static bool selects(const StickSimulation *run)
{
    return strcmp(run->solver_name, "auto") == 0;
}

// More forces than velocities: contacts that press count with all directions if they stick inside of the cone,
// else with one.
static StickStatus has_more_forces(StickSimulation *run, const StickFrictionProblem *island, const double *r,
                                   bool *has_more)
{
    StickMultipleSolutions *several = run->several;
    const StickBodies *bodies = island->bodies;
    int d = island->dim, forces = 0, velocities = 0;
    *has_more = false;
    if (!bodies)
        return STICK_OK;
    STICK_RESERVE(run->ctx, several->is_counted, several->counted_room, bodies->nbodies);
    memset(several->is_counted, 0, (size_t)bodies->nbodies);
    for (int c = 0; c < island->ncontacts; c++) {
        const double *own = r + d * c;
        bool sticks =
            d > 1 && !island->section && stick_cone_tangent(d, own) < 0.999 * island->mu[c] * own[0];
        forces += !(own[0] > 0) ? 0 : sticks ? d : 1;
        for (int s = 0; s < 2; s++) {
            int body = bodies->sides[c].body[s];
            if (body < 0 || several->is_counted[body])
                continue;
            several->is_counted[body] = 1;
            velocities += bodies->ndofs;
        }
    }
    *has_more = forces > velocities;
    return STICK_OK;
}

// Named solvers return one of several distributions of forces, which depends on where they start.
static StickStatus report_forces(StickSimulation *run, const StickFrictionProblem *island, int contact,
                                 const double *r)
{
    StickMultipleSolutions *several = run->several;
    size_t n = (size_t)(island->dim * island->ncontacts);
    bool has_more;
    if (selects(run) || run->record.forces_told || island->ncontacts < 2)
        return STICK_OK;
    double mu = 0;
    for (int c = 0; c < island->ncontacts; c++)
        mu = fmax(mu, island->mu[c]);
    if (n <= STICK_COMPLIANT_ORDER && mu > 0 && !island->section) {
        STICK_RESERVE(run->ctx, several->dense, several->dense_room, n * n);
        has_more = !stick_compliant_is_regular(island, several->dense);
    } else {
        STICK_TRY(has_more_forces(run, island, r, &has_more));
    }
    if (!has_more)
        return STICK_OK;
    run->record.forces_told = 1;
    stick_warn(
        run->ctx,
        "t = %g: the contact forces at body '%s' are not unique (%d coupled contacts). Solver '%s' "
        "returns one of several distributions, and with friction the motion may depend on it. The default "
        "solver 'auto' returns the one of equal small compliance at all contacts",
        run->state.next.t, name_at(run, contact), island->ncontacts, run->solver_name);
    return STICK_OK;
}

// One larger island; its contacts by their numbers in the set (NULL: all of them).
static StickStatus search_island(StickSimulation *run, const StickFrictionProblem *island, const int *contact,
                                 const double *r, const double *u, double *most)
{
    double difference, mu = 0;
    for (int c = 0; c < island->ncontacts; c++)
        mu = fmax(mu, island->mu[c]);
    if (!(mu > 0) || island->section)
        return STICK_OK;
    STICK_TRY(stick_solutions_search(run->several->search, island, r, u, &difference));
    if (difference > 0 && run->record.several == 0 && *most == 0)
        stick_warn(
            run->ctx,
            "t = %g: different motions satisfy the contact laws at body '%s' (%d coupled contacts); "
            "velocities "
            "differ by up to %.2g of the largest free velocity. %s. %s. Further steps are only counted "
            "(contact.several)",
            run->state.next.t, name_at(run, contact ? contact[0] : 0), island->ncontacts, difference,
            selects(run)
                ? "The result is the motion for equal small compliance at all contacts"
                : "The solver returned one of them; the default solver 'auto' returns the motion for equal "
                  "small compliance at all contacts",
            advice(run, contact, island->ncontacts));
    *most = fmax(*most, difference);
    return STICK_OK;
}

// Islands of more contacts, as far as the work is bounded: contacts searched in one step.
enum { SEARCHED = 400 };

static StickStatus search(StickSimulation *run, const StickFrictionProblem *problem, double *most)
{
    StickMultipleSolutions *several = run->several;
    int d = problem->dim, few = d == 3 ? 1 : FEW, searched = 0;
    size_t n = (size_t)(d * problem->ncontacts);
    STICK_RESERVE(run->ctx, several->r, several->r_room, n);
    STICK_RESERVE(run->ctx, several->u, several->u_room, n);
    STICK_RESERVE(run->ctx, several->sorted_r, several->sorted_r_room, n);
    STICK_RESERVE(run->ctx, several->sorted_u, several->sorted_u_room, n);
    STICK_TRY(stick_islands_find(run->ctx, problem, &several->islands));
    stick_simulation_solution(run, several->r);
    for (size_t i = 0; i < n; i++)
        several->u[i] = problem->u_free[i] + (run->u[i] - problem->u_free[i]) / run->bounce;
    const StickIslands *islands = &several->islands;
    if (islands->count < 2) {
        STICK_TRY(report_forces(run, problem, 0, several->r));
        if (problem->ncontacts > few && problem->ncontacts <= STICK_SOLUTIONS_SEARCH_CONTACTS)
            STICK_TRY(search_island(run, problem, NULL, several->r, several->u, most));
        return STICK_OK;
    }
    stick_islands_load(&several->islands, problem);
    stick_islands_sort(islands, several->r, several->sorted_r);
    stick_islands_sort(islands, several->u, several->sorted_u);
    for (int k = 0; k < islands->count; k++) {
        StickIsland island;
        stick_islands_take(islands, k, &island);
        STICK_TRY(report_forces(run, &island.problem, islands->order[island.first],
                                several->sorted_r + d * island.first));
        if (searched >= SEARCHED || island.ncontacts <= few ||
            island.ncontacts > STICK_SOLUTIONS_SEARCH_CONTACTS)
            continue;
        searched += island.ncontacts;
        STICK_TRY(search_island(run, &island.problem, &islands->order[island.first],
                                several->sorted_r + d * island.first, several->sorted_u + d * island.first,
                                most));
    }
    return STICK_OK;
}

// The search costs as much as a few solves: in steps 1, 2, 4, 8 ... 64, then every 64th.
static bool is_searched(const StickSimulation *run, const StickFrictionProblem *problem)
{
    int step = run->state.step + 1;
    return problem->ncontacts > 1 && !run->laws.has_cohesion &&
           (step % 64 == 0 || (step < 64 && (step & (step - 1)) == 0));
}

static StickStatus create(StickSimulation *run)
{
    if (run->several)
        return STICK_OK;
    StickMultipleSolutions *several;
    STICK_ALLOC(run->ctx, several, 1);
    *several = (StickMultipleSolutions){0};
    run->several = several;
    return stick_solutions_search_create(run->ctx, &several->search);
}

void stick_multiple_solutions_destroy(StickContext *ctx, StickMultipleSolutions *several)
{
    if (!several)
        return;
    stick_solutions_search_destroy(several->search);
    stick_islands_destroy(&several->islands);
    double *vector[] = {several->r, several->u, several->sorted_r, several->sorted_u, several->dense};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        stick_free(ctx, vector[k]);
    stick_free(ctx, several->is_counted);
    stick_free(ctx, several);
}

StickStatus stick_multiple_solutions_look(StickSimulation *run)
{
    StickFrictionProblem problem = stick_simulation_problem(run);
    StickStatistics *record = &run->record;
    int most = enumerate(run, &problem);
    double difference = 0;
    if (is_searched(run, &problem)) {
        STICK_TRY(create(run));
        STICK_TRY(search(run, &problem, &difference));
        most = difference > 0 && most < 2 ? 2 : most;
    }
    if (most < 2)
        return STICK_OK;
    record->several++;
    record->several_most = most > record->several_most ? most : record->several_most;
    return STICK_OK;
}
