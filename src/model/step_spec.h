// SPDX-License-Identifier: Apache-2.0
// Steps: dynamics, quasistatics, steady sliding, trajectories, and the stability of their states.
#ifndef MODEL_STEP_SPEC_H
#define MODEL_STEP_SPEC_H

#include "model/expression.h"

typedef enum StickSchemeKind {
    STICK_SCHEME_THETA,
    STICK_SCHEME_THETA_EULER,
    STICK_SCHEME_MODIFIED_THETA,
    STICK_SCHEME_NEWMARK,
    STICK_SCHEME_MOREAU, // contacts at q_I + h/2 u_I, law on u_F; the only one for rigid bodies
} StickSchemeKind;

// Bodies that are in each other at the start.
typedef enum StickStartOverlap {
    STICK_OVERLAP_REFUSE,
    STICK_OVERLAP_SEPARATE, // push apart
    STICK_OVERLAP_ACCEPT,
} StickStartOverlap;

typedef enum StickStepKind {
    STICK_STEP_DYNAMICS,
    STICK_STEP_QUASISTATIC,
    STICK_STEP_STABILITY,  // analyses the states of an earlier step; does not change the state
    STICK_STEP_SLIDING,    // states of steady sliding, each found directly
    STICK_STEP_TRAJECTORY, // positions on an ideal motion, each an independent problem
} StickStepKind;

typedef enum StickModeTracking {
    STICK_FOLLOW_INCREMENTS,
    STICK_FOLLOW_EVENTS, // every change of status where it is
} StickModeTracking;

typedef enum StickJudged {
    STICK_JUDGE_STATUSES, // of the path, each as long as nothing changes
    STICK_JUDGE_END,
    STICK_JUDGE_TIMES,
} StickJudged;

// Mass matrix of modes.
typedef enum StickMass {
    STICK_MASS_MODEL,      // as every body has it
    STICK_MASS_CONSISTENT, // of the elements' own shape functions, also where a body is lumped
    STICK_MASS_LUMPED,     // diagonal, as of bodies that have it so
    STICK_MASS_UNIT,       // none: M* is the unit matrix, for results that depend on the stiffness alone
} StickMass;

// A parameter that a stability step varies: the model is read again for each of its values.
typedef struct StickVarySpec {
    char *parameter; // NULL: none
    int count;
    double *value; // ascending or descending
} StickVarySpec;

// Stability of the states of a path.
typedef struct StickStabilitySpec {
    int of; // index of the quasistatic step
    char *of_name;
    StickMark of_mark;
    StickJudged at;
    int ntimes;
    double *times;
    int modes;              // that are listed; 0: all that are found
    double lowest, highest; // frequencies of the window in which modes are looked for; 0, 0: all
    StickMass mass;
    double alpha, beta; // C += alpha M + beta K
    bool no_slope;      // friction is taken as constant in the disturbance
    int shapes;         // modes whose shapes are written, at most
    StickVarySpec vary; // then the end of the path is judged
    bool family;        // vary is that of the steady sliding that is judged, state by state
    bool no_locate;     // events between two values are not located
} StickStabilitySpec;

// A small disturbance of a judged state, from which a dynamic step starts; its growth is compared with the prediction.
typedef struct StickPerturbSpec {
    bool given;
    StickMark mark;
    char *of_name;
    StickMark of_mark;
    int of;           // index of the stability step
    int mode;         // number of the mode that is followed; 0: the one that grows most
    double amplitude; // largest displacement of that mode at the start; 0: no disturbance by this mode
    double random;    // largest displacement of a random disturbance; 0: none
    int seed;         // of it
    bool rounding;    // nothing is added
} StickPerturbSpec;

// How friction enters a state of steady sliding.
typedef enum StickSteadyMethod {
    STICK_STEADY_NEWTON,      // r_T = -mu r_N in the linearised problem
    STICK_STEADY_FIXED_POINT, // r_T of the iterate before  [RBV02 (85)]
} StickSteadyMethod;

// A moment against the ideal motion of a gear.
typedef struct StickTorqueSpec {
    int body;
    StickExpression *value; // sees t
} StickTorqueSpec;

// Positions of an ideal motion, each a separate equilibrium.
typedef struct StickTrajectorySpec {
    StickMark mark;
    bool by_tooth;   // t counts cycles of a tooth of the model's gears
    double from, to; // of t; by tooth the last position lies before `to`, else at it
    int positions;
    bool actual; // pairs are those of the places that frames are found at, not of the ideal ones
    int ntorques;
    StickTorqueSpec *torque;
} StickTrajectorySpec;

// The state of a family of steady sliding that a dynamic step starts from; it keeps the friction of that state.
typedef struct StickFromSpec {
    bool given;
    StickMark mark;
    char *step_name;
    StickMark step_mark;
    int step;        // index of the step
    char *parameter; // NULL: that step varies none
    double value;
} StickFromSpec;

typedef struct StickStepSpec {
    char *name;
    StickMark mark;
    StickStepKind kind;
    StickSchemeKind scheme;       // dynamics
    double theta;                 // theta schemes
    double beta, gamma;           // Newmark
    StickExpression *dissipation; // delta of moreau, sees t: of the step, or of the contacts; NULL: 1
    StickStartOverlap overlap;
    int increments; // quasistatics
    StickModeTracking follow;
    double step, end; // quasistatics: step is the length of an increment
    char *solver;     // name of a solver; NULL: the default one
    double tolerance; // of the certificate
    double
        accept; // error up to which a step goes on with a warning; 0: 100 times the tolerance, at most 1e-3
    int iterations;        // most iterations or pivots; 0: the solver's own limit
    int facets;            // of a faceted cone in 3D
    int threads;           // 0: one. Not of the file: results do not depend on it
    StickMark solver_mark; // where the solver is named; line 0 where it is not
    bool has_fields;       // field files come ...
    // ... every this number of time steps or increments, instead of the setting of the output; 0: none
    int fields_every;
    bool has_friction;  // all contacts have ...
    double friction;    // ... this, instead of their own
    StickVarySpec vary; // steady sliding: a parameter of friction, one state for each of its values
    StickSteadyMethod method;
    StickFromSpec from; // dynamics
    StickStabilitySpec stability;
    StickPerturbSpec perturb; // dynamics
    StickTrajectorySpec trajectory;
} StickStepSpec;

#endif
