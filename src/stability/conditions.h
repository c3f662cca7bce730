// SPDX-License-Identifier: Apache-2.0
// The conditions under which small disturbances of a sliding state grow [RBV02 section 4], and their conclusions.
#ifndef STABILITY_CONDITIONS_H
#define STABILITY_CONDITIONS_H

#include "stability/compatible.h"
#include "stability/definite.h"
#include "stability/spectrum.h"

typedef enum StickVerdict {
    STICK_VERDICT_UNDECIDED,           // (105) does not hold: statuses may change at once
    STICK_VERDICT_NO_GROWTH,           // no divergence by Proposition 4, and no mode grows
    STICK_VERDICT_DIVERGENCE_POSSIBLE, // no mode grows, but Proposition 4 does not exclude divergence
    STICK_VERDICT_FLUTTER,             // a complex mode grows: Propositions 2, 6
    STICK_VERDICT_DIVERGENCE,          // a real mode grows, and its vector is compatible: Propositions 1, 5
    STICK_VERDICT_BOTH,
} StickVerdict;

enum { STICK_IRREGULAR_NAMED = 4 };

// Contacts that (105) forbids, and the first of each kind.
typedef struct StickIrregular {
    int grazing; // closed without a force, or open without a gap
    int at_rest; // on Coulomb's cone without sliding
    int first_grazing[STICK_IRREGULAR_NAMED], first_at_rest[STICK_IRREGULAR_NAMED];
} StickIrregular;

typedef struct StickStability {
    StickReduced reduced;
    StickIrregular irregular;

    // Necessary condition for divergence [RBV02 (116), (117), Proposition 4]
    StickSign mass, stiffness; // of M_S*, K_S*
    StickSign damping;         // of C_S*, where damping takes part; else semidefinite
    double smallest_mass;      // eigenvalue of M_S*, where it is not positive definite
    double smallest;           // eigenvalue of K_S* ...
    double *smallest_vector;   // ... n, and the number of contacts that its sliding contradicts (121)
    int smallest_violations;
    bool cholesky;            // K_S* has a Cholesky factor
    StickConeMinimum minimum; // of a*(v, v) under (121) and |v| = 1
    double *minimum_vector;   // n

    // Modes [RBV02 (120), (122), (123)]
    StickSpectrum spectrum;
    double smallest_real;      // Lambda that is real; INFINITY: none, damping is general, or not looked for
    int diverging, fluttering; // modes that grow: real ones, complex pairs
    int divergence;            // index of the first diverging mode that is compatible, or -1
    int divergence_violations; // of the most compatible one
    int flutter;               // index of the first fluttering mode, or -1
    int strongest;             // index of the one that grows most, or -1

    StickVerdict verdict;
    char *text; // the verdict in words
} StickStability;

typedef struct StickStabilityOptions {
    StickSpectrumOptions spectrum;
    double tolerance; // of forces, over the largest; of speeds, over the largest; of gaps, over `length`
    double length;    // reference length of gaps; 0: gaps are not judged
    char unit[STICK_FREQUENCY_TEXT]; // unit after frequencies in the text; empty without mass
} StickStabilityOptions;

StickStabilityOptions stick_stability_default(void);

StickStatus stick_stability_create(StickContext *ctx, const StickSliding *sliding,
                                   const StickStabilityOptions *options, StickStability *stability);
void stick_stability_destroy(StickContext *ctx, StickStability *stability);

// One word for a verdict, such as "flutter".
const char *stick_verdict_name(StickVerdict verdict);

// Condition (105): names and counts.
StickIrregular stick_stability_irregular(const StickSliding *sliding, const StickStabilityOptions *options);

#endif
