// SPDX-License-Identifier: Apache-2.0
#include "stepping/velocity_refinement.h"

#include "base/atomic_max.h"
#include "base/memory.h"
#include "contact/rigid_pairs.h"
#include "solve/problem.h"
#include "stepping/contact_problem.h"
#include "stepping/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Velocities are rounded to this multiple of the largest free velocity: less is not refined.
static const double rounded = 16 * DBL_EPSILON;

// What round-off makes of a zero, by sum_j |W_ij| |r_j|.
static const double lost = 32 * DBL_EPSILON;

// Of what its own impulse does to a contact, the velocity below which its normal part is an error; of the cone's radius, how far
// inside a contact sticks.
static const double little = 1e-4, inside = 1e-6;

// Below this ratio of sum_j |W_ij| |r_j| to the free velocity round-off does not matter.
static const double least_cancellation = 1e4;

// Refinements, and iterations in each.
enum { ROUNDS = 3, MOST_ITERATIONS = 200 };
static const double most_products = 3e7; // of entries of W, in all iterations
static const double reduction = 1e-6;

void stick_velocity_refinement_destroy(StickContext *ctx, StickVelocityRefinement *refinement)
{
    stick_free(ctx, refinement->is_zero);
    stick_free(ctx, refinement->dr);
    stick_free(ctx, refinement->p);
    stick_free(ctx, refinement->Wp);
    stick_free(ctx, refinement->u);
    stick_free(ctx, refinement->We);
    stick_free(ctx, refinement->limit);
    *refinement = (StickVelocityRefinement){0};
}

static StickStatus reserve(StickSimulation *run)
{
    StickVelocityRefinement *own = &run->refinement;
    size_t n = (size_t)run->contacts.ncontacts * (size_t)run->system->dim;
    STICK_RESERVE(run->ctx, own->is_zero, own->zero_room, n);
    STICK_RESERVE(run->ctx, own->dr, own->dr_room, n);
    STICK_RESERVE(run->ctx, own->p, own->p_room, n);
    STICK_RESERVE(run->ctx, own->Wp, own->Wp_room, n);
    STICK_RESERVE(run->ctx, own->u, own->u_room, n);
    STICK_RESERVE(run->ctx, own->We, own->We_room, n);
    STICK_RESERVE(run->ctx, own->limit, own->limit_room, n);
    return STICK_OK;
}

// The velocity with which a closed contact loses its gap, or its penetration, until the middle of the next step: no more than round-off,
// which is where this came from.
static double closing_of(const StickSimulation *run, int c, double most)
{
    const StickContact *contact = &run->contacts.contact[c];
    const StickKeyedMemory *known = contact->pair < 0 ? stick_contact_problem_known(run, c) : NULL;
    if (!known || known->kept > 0 || known->depth < 0 || run->bias[c] != 0 ||
        fabs(contact->gap) > stick_rigid_touching(run->system, contact))
        return 0;
    return fmax(-most, fmin(contact->gap / run->h, most));
}

// u = H'v + u_drive + bias, the velocity of the contact law
static void find_velocities(const StickSimulation *run, double *u)
{
    const StickContactSet *set = &run->contacts;
    int dim = set->dim;
    stick_contact_velocity(set, run->state.next.v, u);
    for (int c = 0; c < set->ncontacts; c++) {
        for (int k = 0; k < dim; k++)
            u[c * dim + k] += set->contact[c].u_drive[k];
        u[c * dim] += run->bias[c];
    }
}

// sum_j |W_ij| |r_j| of each component of a contact
static void find_pushes(const StickSimulation *run, int c, double push[3])
{
    const StickBlocks *W = run->W;
    int d = W->d;
    memset(push, 0, 3 * sizeof *push);
    for (int e = W->start[c]; e < W->start[c + 1]; e++)
        for (int k = 0; k < d * d; k++)
            push[k / d] +=
                fabs(W->value[(size_t)e * (size_t)(d * d) + (size_t)k] * run->r[W->col[e] * d + k % d]);
}

// Z: normal velocities of contacts that press, and tangential ones of those that stick: inside of the cone, or on it with no more
// than round-off. Returns whether something in it is worth a refinement.
static bool find_zeros(StickSimulation *run, double scale)
{
    StickVelocityRefinement *own = &run->refinement;
    int dim = run->system->dim;
    bool any = false;
    StickFrictionProblem problem = stick_simulation_problem(run);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        double push[3], speed = 0, tangential = 0;
        const double *u = own->u + c * dim, *r = run->r + c * dim;
        bool *is_zero = own->is_zero + c * dim, is_slow = true;
        find_pushes(run, c, push);
        for (int k = 0; k < dim; k++)
            own->limit[c * dim + k] = lost * push[k] + 0.5 * run->spec->tolerance * scale;
        for (int k = 1; k < dim; k++) {
            is_slow = is_slow && fabs(u[k]) <= lost * push[k];
            speed += u[k] * u[k];
            tangential += r[k] * r[k];
        }
        double w = stick_friction_weight(&problem, c);
        is_zero[0] = r[0] > 0 && fabs(u[0]) <= little * w * r[0];
        bool is_inside =
            sqrt(tangential) < (1 - inside) * run->mu[c] * r[0] && sqrt(speed) <= little * w * r[0];
        for (int k = 1; k < dim; k++)
            is_zero[k] = is_zero[0] && run->mu[c] > 0 && (is_slow || is_inside);
        if (is_zero[0])
            own->u[c * dim] += closing_of(run, c, lost * push[0]);
        for (int k = 0; k < dim; k++)
            any |= is_zero[k] && fabs(u[k]) > rounded * scale && push[k] > least_cancellation * scale;
    }
    return any;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// y = W_ZZ x
static void multiply(const StickSimulation *run, const double *x, double *y)
{
    const bool *is_zero = run->refinement.is_zero;
    stick_blocks_apply(run->W, 0, run->contacts.ncontacts, x, y);
    for (int i = 0; i < run->contacts.ncontacts * run->system->dim; i++)
        y[i] = is_zero[i] ? y[i] : 0;
}

// W_ZZ dr = -u_Z by conjugate residuals: rows may be redundant, and gaps not quite consistent. u becomes what is left. Returns
// the part of the solution that velocities may change by.
static double solve(StickSimulation *run, double scale)
{
    StickVelocityRefinement *own = &run->refinement;
    const StickBlocks *W = run->W;
    int n = run->contacts.ncontacts * run->system->dim;
    double products = most_products / ((double)W->start[W->n] * W->d * W->d);
    int most = products < MOST_ITERATIONS ? (int)products : MOST_ITERATIONS;
    double *e = own->u, little_u = 0.1 * rounded * scale;
    for (int i = 0; i < n; i++) {
        own->dr[i] = 0;
        own->p[i] = e[i] = own->is_zero[i] ? -e[i] : 0;
    }
    multiply(run, e, own->We);
    memcpy(own->Wp, own->We, (size_t)n * sizeof *own->We);
    double power = dot(n, e, own->We),
           enough = fmax(n * little_u * little_u, reduction * reduction * dot(n, e, e));
    for (int k = 0; k < most && power > 0 && dot(n, e, e) > enough; k++) {
        double step = power / dot(n, own->Wp, own->Wp), before = power;
        for (int i = 0; i < n; i++) {
            own->dr[i] += step * own->p[i];
            e[i] -= step * own->Wp[i];
        }
        multiply(run, e, own->We);
        power = dot(n, e, own->We);
        for (int i = 0; i < n; i++) {
            own->p[i] = e[i] + power / before * own->p[i];
            own->Wp[i] = own->We[i] + power / before * own->Wp[i];
        }
    }
    // the part of it that velocities may change by
    double part = 1;
    stick_blocks_apply(W, 0, run->contacts.ncontacts, own->dr, own->Wp);
    for (int i = 0; i < n; i++)
        part = fabs(own->Wp[i]) > own->limit[i] ? fmin(part, own->limit[i] / fabs(own->Wp[i])) : part;
    for (int i = 0; i < n; i++)
        own->dr[i] *= part;
    return part;
}

// r += dr, as far as it can be represented, and v += A^-1 H dr, with joints held
static StickStatus apply(StickSimulation *run)
{
    StickJointElimination *links = run->joint_step ? run->joint_step->links : NULL;
    memset(run->work, 0, (size_t)run->state.n * sizeof *run->work);
    stick_contact_scatter(&run->contacts, run->refinement.dr, STICK_NORMAL, run->work);
    stick_contact_scatter(&run->contacts, run->refinement.dr, STICK_TANGENTIAL, run->work);
    STICK_TRY(stick_contact_problem_correct(run));
    for (int i = 0; i < run->contacts.ncontacts * run->system->dim; i++)
        run->r[i] += run->refinement.dr[i];
    stick_contact_problem_press(run);
    if (links)
        stick_joint_elimination_hold(links, run->state.next.v);
    return STICK_OK;
}

double stick_velocity_scale(const StickSimulation *run)
{
    const StickSystem *system = run->system;
    double force = 0, mass = 0;
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        double own = 0;
        for (int i = body->first; i < body->first + system->dim && body->rigid; i++)
            own = hypot(own, run->state.next.F[i]);
        force += own;
        mass += own > 0 ? body->rigid->mass : 0;
    }
    return force > 0 ? run->h * force / mass : 0;
}

StickStatus stick_velocity_refine(StickSimulation *run)
{
    int n = run->contacts.ncontacts * run->system->dim;
    if (n == 0 || !run->W || run->system->nrigid == 0 || run->bounce != 1 || run->laws.has_cohesion)
        return STICK_OK;
    // the certificate knows the largest sum of impulses that cancel
    double scale = stick_velocity_scale(run), push = run->certificate.round_off / (8 * DBL_EPSILON);
    if (!(scale > 0) || !(push * stick_atomic_max_of(run->ctx, run->u_free, n) > least_cancellation * scale))
        return STICK_OK;
    STICK_TRY(reserve(run));
    find_velocities(run, run->refinement.u);
    double part = 1;
    for (int round = 0; round < ROUNDS && part == 1 && find_zeros(run, scale); round++) {
        part = solve(run, scale);
        STICK_TRY(apply(run));
        find_velocities(run, run->refinement.u);
    }
    return STICK_OK;
}
