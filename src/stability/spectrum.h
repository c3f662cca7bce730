// SPDX-License-Identifier: Apache-2.0
// Small motions about a sliding state: a = exp(lambda t) A with
//
//     (lambda^2 M* + K*) A = 0,  K* A = Lambda M* A,  lambda = sqrt(-Lambda)      [RBV02 (120), (122)]
//     (lambda^2 M* + lambda C* + K*) A = 0                                        [RBV02 (123)]
//
// Modes are counted from 1 by ascending real part of Lambda. Every eigenvalue counts, so that a complex pair takes two
// numbers; a pair is named by the first of them. Where damping is not proportional there is no Lambda: pairs of lambda
// are counted by ascending |lambda|, each once.
//
// A window from frequency f1 to f2 has the modes with |Lambda - m| < r, the circle whose diameter are the real Lambda
// from (2 pi f1)^2 to (2 pi f2)^2; from f1 = 0 all with |Lambda| < (2 pi f2)^2. For the quadratic problem it is
// |lambda - i pi (f1 + f2)| < pi (f2 - f1), or |lambda| < 2 pi f2. Modes are then numbered within the window,
// together with growing modes a little above it if f1 = 0.
#ifndef STABILITY_SPECTRUM_H
#define STABILITY_SPECTRUM_H

#include "linalg/arnoldi.h"
#include "stability/matrices.h"

typedef enum StickModeKind {
    STICK_MODE_NEUTRAL,    // a motion without stiffness but for rounding
    STICK_MODE_OSCILLATES, // without growth
    STICK_MODE_FLUTTER,    // oscillates and grows
    STICK_MODE_DIVERGES,   // grows without oscillation
} StickModeKind;

typedef struct StickMode {
    int number;
    StickModeKind kind;
    double _Complex Lambda; // -lambda^2 where damping is not proportional
    double _Complex lambda; // of its roots the one that grows most, above the real axis for one of a pair
    double frequency;       // |Im lambda| / 2 pi
    double growth;          // Re lambda
    double residual;        // of the eigenproblem that was solved
    double noise;           // round-off bound of Lambda, where it may matter: parts below it count as zero
} StickMode;

typedef enum StickDamping {
    STICK_DAMPING_NONE, // (122)
    STICK_DAMPING_PROPORTIONAL, // C* = alpha M* + beta K*, (122): lambda^2 + lambda (alpha + beta Lambda) + Lambda = 0
    STICK_DAMPING_GENERAL, // (123)
} StickDamping;

typedef struct StickSpectrum {
    int n;
    int count;
    StickMode *mode;         // count
    double _Complex *vector; // n x count, by columns
    StickDamping damping;
    double alpha, beta;     // of proportional damping
    bool complete;          // all modes; else at least those that the window holds
    double lowest, highest; // frequencies of the window
    int infinite;           // motions without mass
    double rcond;           // 1/condition of M*, where it was divided by
} StickSpectrum;

typedef struct StickSpectrumOptions {
    bool undamped;          // leaves C* out
    double lowest, highest; // frequencies of a window of modes, found by sparse methods; highest = 0: none
    int count; // of lowest modes, where the order is above `most` and there is no window; 0: all of them
    int most;  // order up to which dense matrices are taken
    StickArnoldiProof proof;
    double growth; // |Re lambda| up to this share of |lambda| counts as zero, as does round-off
} StickSpectrumOptions;

StickSpectrumOptions stick_spectrum_default(void);

// Whether this number of modes can be found by sparse methods.
bool stick_spectrum_is_few(const StickSpectrumOptions *options, int count);

StickStatus stick_spectrum_create(StickContext *ctx, const StickReduced *reduced,
                                  const StickSpectrumOptions *options, StickSpectrum *spectrum);
void stick_spectrum_destroy(StickContext *ctx, StickSpectrum *spectrum);

// Root of lambda^2 + lambda (alpha + beta Lambda) + Lambda = 0 that grows most.
double _Complex stick_spectrum_root(double _Complex Lambda, double alpha, double beta);

// Lowest mode of a kind, or NULL.
const StickMode *stick_spectrum_first(const StickSpectrum *spectrum, StickModeKind kind);

#endif
