// SPDX-License-Identifier: Apache-2.0
// A run: one step of the model's sequence, from its initial state through time, one contact solve per time
// step.
#ifndef STEPPING_SIMULATION_H
#define STEPPING_SIMULATION_H

#include "bodies/loads.h"
#include "bodies/supports.h"
#include "condense/delassus.h"
#include "stepping/first_hits.h"
#include "stepping/joint_step.h"
#include "stepping/ledger.h"
#include "stepping/penetration.h"
#include "stepping/persistence.h"
#include "stepping/rotation.h"
#include "stepping/step_laws.h"
#include "stepping/velocity_refinement.h"

#include <stickslip/certificate.h>
#include <stickslip/friction.h>

typedef enum StickContactStatus { STICK_APART, STICK_STICKING, STICK_SLIPPING } StickContactStatus;

// Processor seconds by phase.
typedef struct StickPhases {
    double matrix, free, detect, condense, solve, verify, apply, ledger;
} StickPhases;

// Worst and total of what was certified. All of it doubles: a checkpoint keeps it as one array.
typedef struct StickStatistics {
    double solves; // contact problems with at least one contact
    double iterations;
    double worst_error, worst_scale_free; // of the certificates
    double worst_guarded;     // of steps that were accepted: velocities^2, cone^2, penetration^4, consistency
    double worst_contact;     // the same of a contact in its own scale
    double accepted;          // solves whose error is above the tolerance, and within `accept`
    double worst_exact;       // against the exact cone, where a faceted one was used
    double worst_consistency; // of W r + u_free with H'v, relative
    double held; // steps in which gaps were made good in part only, because more would have given energy
    double held_depth; // the deepest gap that was left so
    double most_contacts;
    double most_active;
    double buried;     // nodes of second surfaces inside of first bodies, when there were first any
    double rotation;   // largest angle by which a body has turned
    double depth;      // largest depth that a contact was first seen with and that is not recovered ...
    double depth_part; // ... of rigid bodies in Moreau's step, by the thinner of both
    double sunk;       // by how much such a contact became deeper than it was first seen ...
    double sunk_part;  // ... and by the thinner of both
    double cuts;       // increments that were halved because they could not be solved
    double jumps;      // of contact forces, however short the increment ...
    double jump_time;  // ... and the time of the last
    double chatter;    // increments in which friction went to and fro
    double passes;     // contact problems that were solved again because frames turned
    double gap_error;  // of the gaps at the ends of increments, where frames turn; relative to the motion
    double events;     // changes of status that were followed
    // Bodies under finite deformation.
    double newton, newton_most; // iterations of all steps that were taken, and most of one
    double newton_residual;     // what they left out of balance, of the largest force
    double damped;              // iterations that went a part of their way only
    double indefinite;          // tangents that were not positive definite
    double augmentations;       // of pressures, until changes of volume were small enough ...
    double volume;              // ... which at the ends of steps were this at most, |theta - 1|
    // Steps whose contact problem has several solutions, and the most that one of its islands had.
    double several, several_most;
    double forces_told; // 1: that the solver does not select one of several distributions of forces
    // Most strips that stick at a position of a trajectory.
    double most_sticking;
    // Dead points of linkages: the last steps in a row in which rows may be off, with changes of velocities that count as
    // such, and all steps in which one was off.
    double strays, strayed;
    // Steps with contacts of a sweep, those in which restitution was not applied because of several hits, those in which
    // bodies still pass through each other, and those in which long chains of hits were stopped at the start.
    double swept, inelastic, passed, stopped;
    // Rigid bodies in space, not balls: largest angle by which one turned in a time step.
    double turned_most;
    // Deepest penetration in the last time step; the largest one for the thinner of both bodies (of a body and an obstacle,
    // for the body), by its thickness and by itself, its body, and the other one or -1 - the obstacle.
    double penetration, penetration_part, penetration_there, penetrating, penetrated;
} StickStatistics;

// How far a quasistatic step has come: pieces are its increments, a part of one is a sum of halves of halves.
// All of it doubles: a checkpoint keeps it as one array.
typedef struct StickAdvance {
    double piece; // increments that are done
    double part;  // of the present one that is done
    double level; // it is cut into 2^level
    double good;  // of these were solved in a row
    double taken; // states of its walk from event to event that were taken
    double rate;  // by which contact forces changed in what was taken last, per time; 0: not known
} StickAdvance;

enum { STICK_REASON = 1024 };

typedef struct StickForceControl StickForceControl;           // stepping/force_control.h
typedef struct StickMultipleSolutions StickMultipleSolutions; // stepping/multiple_solutions.h
typedef struct StickNewtonContact StickNewtonContact;         // stepping/newton_contact.h
typedef struct StickSteady StickSteady;                       // stepping/steady.h
typedef struct StickEventDriven StickEventDriven;             // stepping/event_driven.h
typedef struct StickTrajectory StickTrajectory;               // stepping/trajectory.h

struct StickSimulation {
    StickContext *ctx;
    const StickSystem *system;
    const StickStepSpec *spec;
    size_t memory_before; // bytes that were taken when the run had been made
    StickScheme scheme;   // dynamics
    double t_start;       // time at the start of this run
    double h;             // time step, or the present increment
    double span;          // moreau: from the present detection, ...
    double span_start;    // ... at this time, to the next one
    long nsteps;          // in all; quasistatics: increments
    StickAdvance advance;
    bool trying;               // what goes wrong may still be made good by a smaller increment ...
    char reason[STICK_REASON]; // ... and is only kept here

    StickSupports supports;
    StickForceControl *hold; // quasistatics: forces that are held; NULL: none
    bool *prescribed;        // ndofs
    double *thickness;       // nbodies
    bool *carried; // ndofs: prescribed, or of a body that moves by modes, which carry what these do not feel
    StickLoads loads;
    StickPairs *pairs;
    StickStepMatrix *matrix;
    StickDelassus *delassus;
    StickJointStep *joint_step; // joints; NULL: none
    StickSolver *solver;
    const char *solver_name; // that of the model, or the default
    StickSolver *local;      // quasistatics: finds what is near its guess ...
    bool near;               // ... and is asked before the other one where that is cheap ...
    bool suspected;          // ... or where the other one may have left the path
    StickRotation rotation;

    StickState state;
    StickLedger ledger;
    StickStatistics record;
    StickPhases phases;

    // Contacts of the last step: dim values each, in the local frame.
    StickContactSet contacts;
    StickContactSet hits;   // of sweeps in this step (stepping/surface_rounds.h)
    StickContactSet middle; // as found half a step later, or where an iteration has led
    const StickBlocks *W;
    double *r;                // impulses
    double *guess;            // of them, that the solver started from
    bool has_problem;         // the last step came as far as its contact problem ...
    bool solve_failed;        // ... and failed because a solver did not solve it
    double *u;                // relative velocities at the end of the step
    double *u_free;           // with the bias of the gap
    double *u_end;            // H' v at the end of the step
    double *bias;             // ncontacts
    double *gap_bias;         // ncontacts: as the gaps ask for
    double *passive_bias;     // ncontacts: the least with which a contact gives no energy
    double *depth;            // ncontacts: depth of the gap that is not recovered
    double *mu;               // ncontacts
    double *speed, *pressure; // ncontacts: of the last step, for the law of friction
    unsigned char *settled;   // ncontacts: StickFrictionProblem.settled
    int *keyed; // ncontacts, rigid bodies: its place among what contacts remember of the last step; -1: new
    size_t r_capacity, guess_capacity, u_capacity, u_free_capacity, u_end_capacity, bias_capacity,
        gap_bias_capacity, passive_bias_capacity, depth_capacity, mu_capacity, speed_capacity,
        pressure_capacity, keyed_capacity, settled_capacity;
    StickStepLaws laws;
    StickPersistence persistence; // moreau ...
    StickPenetration penetration; // ... too ...
    StickFirstHits first_hits;    // ... and before its first step
    StickVelocityRefinement refinement;
    StickSolveInfo info;
    StickCertificate certificate;

    double *rhs, *work, *p_N, *p_T; // ndofs; p: impulses of contact, or forces
    double *q_H;                    // ndofs, moreau: where H of surfaces is taken
    double *q_M;                    // ndofs, moreau: place in the middle of the step, and ...
    double *v_I, *v_L, *v_F;        // ... velocities: first, loose, after contact
    double *restitution;            // ncontacts, moreau
    size_t restitution_capacity;
    double bounce;          // moreau: r of the step by r of its problem
    double *stiffness;      // ndofs, quasistatics: diagonal of K
    double *dq_free;        // ndofs, quasistatics: the displacements of the increment if nothing touched
    double *relaxed;        // ndofs, quasistatics: where passes that alternate are linearised ...
    double *missed;         // ... how far the last of them led away from there ...
    double relaxation;      // ... and which part of that was gone
    double *pass_r;         // quasistatics: r by slots of the memory, of the last pass over the frames ...
    double *start_depth;    // ... and depths at the start of the increment
    double *probe_r;        // quasistatics, 4 x (slots x dim or ndofs): forces while a jump is looked for
    bool jumped;            // the last increment was a jump
    StickEventDriven *walk; // from event to event; NULL: by increments
    StickSteady *steady;    // steady sliding; NULL: another kind of step
    StickMultipleSolutions *several; // search for other motions; NULL until there was one
    StickNewtonContact
        *newton_contact;         // Newton's method of bodies under finite deformation; NULL: there are none
    StickTrajectory *trajectory; // NULL: another kind of step
};

StickStatus stick_simulation_create(StickContext *ctx, const StickSystem *system, const StickStepSpec *spec,
                                    StickSimulation **run);
void stick_simulation_destroy(StickSimulation *run);

// Puts the system into its initial state at t = 0, or into the state in which the run before it ended.
StickStatus stick_simulation_start(StickSimulation *run, const StickSimulation *before);

// After q, v (and Newmark's a, contact and support forces) of state.now were set from outside: the rest
// follows.
StickStatus stick_simulation_refresh(StickSimulation *run);

// One time step, or one increment.
StickStatus stick_simulation_step(StickSimulation *run);

// Whether the end is reached; and how many of the time steps or increments are done.
bool stick_simulation_is_done(const StickSimulation *run);
long stick_simulation_done(const StickSimulation *run);

bool stick_simulation_is_quasistatic(const StickSimulation *run);

// Says why a step cannot be taken, STICK_NOT_SOLVED; where a smaller one may be tried, the reason is kept instead.
__attribute__((format(printf, 2, 3))) StickStatus stick_simulation_refuse(StickSimulation *run,
                                                                          const char *format, ...);
__attribute__((format(printf, 3, 4))) StickStatus
stick_simulation_refuse_at(StickSimulation *run, StickMark mark, const char *format, ...);

// Force on the slave per unit of r, and the status of a contact of the last step.
double stick_simulation_force(const StickSimulation *run);
StickContactStatus stick_simulation_status(const StickSimulation *run, int contact);
StickContactStatus stick_simulation_status_of(int dim, const double *r, double mu);

// The friction coefficient of a contact of the last step in the direction of its friction; of a section that has none
// the factor.
double stick_simulation_friction(const StickSimulation *run, int contact);

// After a detection: a node that lies too deep inside of what it may touch is found no more, and the bodies would pass
// through each other. The status is that of the error.
StickStatus stick_simulation_refuse_lost(StickSimulation *run, StickStatus status);

// Size of a body, and of the largest one, to judge lengths by.
double stick_simulation_body_size(const StickBody *body);
double stick_simulation_size(const StickSimulation *run);

// The largest |x_i|.
double stick_simulation_largest(const double *x, int n);

// What was found in middle becomes the contacts of the problem.
void stick_simulation_exchange_sets(StickSimulation *run);

// Where the last step failed, or none was made since the run was resumed: contacts, forces and friction (mu, by slots of
// the memory) of the present state of a quasistatic run are there again as at its end, for output.
StickStatus stick_simulation_recall(StickSimulation *run, const double *mu);

// What a contact of a set is called in a text: " at node 12 of body 'block'"
enum { STICK_CONTACT_NAME = 160 };
void stick_simulation_contact_name(const StickSimulation *run, const StickContact *contact,
                                   char name[STICK_CONTACT_NAME]);

// The error up to which a step goes on, with a warning: as given, or 100 times the tolerance, at most 1e-3.
double stick_simulation_accept(const StickStepSpec *step);

// The friction problem of the last step, for export and replay, and its solution (dim * ncontacts), from which r of the
// step follows by cohesion and by the dissipation index.
StickFrictionProblem stick_simulation_problem(const StickSimulation *run);
void stick_simulation_solution(const StickSimulation *run, double *r);

#endif
