// SPDX-License-Identifier: Apache-2.0
#include "stability/conditions.h"

#include "base/text.h"
#include "linalg/sparse_product.h"

#include <complex.h>
#include <math.h>

static const double ZERO = 1e-9; // of the size of a matrix: an eigenvalue whose sign is not sure by itself

StickStabilityOptions stick_stability_default(void)
{
    return (StickStabilityOptions){.spectrum = stick_spectrum_default(), .tolerance = 1e-6, .unit = " Hz"};
}

const char *stick_verdict_name(StickVerdict verdict)
{
    static const char *const names[] = {
        [STICK_VERDICT_UNDECIDED] = "undecided",
        [STICK_VERDICT_NO_GROWTH] = "no growth",
        [STICK_VERDICT_DIVERGENCE_POSSIBLE] = "divergence possible",
        [STICK_VERDICT_FLUTTER] = "flutter",
        [STICK_VERDICT_DIVERGENCE] = "divergence",
        [STICK_VERDICT_BOTH] = "divergence and flutter",
    };
    return names[verdict];
}

void stick_stability_destroy(StickContext *ctx, StickStability *stability)
{
    stick_reduced_destroy(ctx, &stability->reduced);
    stick_spectrum_destroy(ctx, &stability->spectrum);
    stick_free(ctx, stability->smallest_vector);
    stick_free(ctx, stability->minimum_vector);
    stick_free(ctx, stability->text);
    *stability = (StickStability){0};
}

// ---- condition (105)

static double fastest(const StickSliding *sliding)
{
    double speed = 0;
    for (int c = 0; c < sliding->contacts->ncontacts; c++)
        if (sliding->motion[c].status == STICK_SLIPPING && isfinite(sliding->motion[c].speed))
            speed = fmax(speed, sliding->motion[c].speed);
    return speed;
}

static bool is_grazing(const StickSliding *sliding, int c, double room, double gap)
{
    if (sliding->motion[c].status == STICK_APART)
        return gap > 0 && sliding->contacts->contact[c].gap <= gap;
    return sliding->has_forces && sliding->motion[c].r[0] <= room;
}

static bool is_at_rest_on_cone(const StickSliding *sliding, int c, double room, double slow)
{
    const StickContactMotion *motion = &sliding->motion[c];
    if (stick_sliding_rubs(sliding, c))
        return motion->speed <= slow;
    return sliding->has_forces && motion->status == STICK_STICKING && stick_sliding_tangents(sliding) > 0 &&
           motion->mu > 0 && stick_sliding_friction(sliding, c) >= motion->mu * motion->r[0] - room;
}

static void note(int c, int *count, int first[STICK_IRREGULAR_NAMED])
{
    if (*count < STICK_IRREGULAR_NAMED)
        first[*count] = c;
    (*count)++;
}

StickIrregular stick_stability_irregular(const StickSliding *sliding, const StickStabilityOptions *options)
{
    StickIrregular found = {0};
    double room = options->tolerance * stick_sliding_scale(sliding);
    double slow = options->tolerance * fastest(sliding), gap = options->tolerance * options->length;
    for (int c = 0; c < sliding->contacts->ncontacts; c++) {
        if (is_grazing(sliding, c, room, gap))
            note(c, &found.grazing, found.first_grazing);
        else if (is_at_rest_on_cone(sliding, c, room, slow))
            note(c, &found.at_rest, found.first_at_rest);
    }
    return found;
}

// ---- necessary condition for divergence

// A Cholesky factor is sufficient; the eigenvalue is only computed if the factorisation fails.
static StickStatus judge_mass_form(StickContext *ctx, const StickSparse *M, StickStability *s)
{
    double *vector;
    STICK_TRY(stick_definite_sign(ctx, M, &s->mass));
    if (s->mass == STICK_POSITIVE_DEFINITE)
        return STICK_OK;
    STICK_ALLOC(ctx, vector, s->reduced.n);
    StickStatus status = stick_definite_smallest(ctx, M, &s->smallest_mass, vector);
    stick_free(ctx, vector);
    return status;
}

static StickStatus judge_mass(StickContext *ctx, StickStability *s)
{
    StickSparse M;
    STICK_TRY(stick_sparse_symmetric(ctx, &s->reduced.M, &M));
    StickStatus status = judge_mass_form(ctx, &M, s);
    stick_sparse_destroy(ctx, &M);
    return status;
}

// lambda^2 M_S* + lambda C_S* + K_S* is positive for all lambda >= 0 only if friction that falls with speed does not
// make C_S* indefinite.
static StickStatus judge_damping(StickContext *ctx, const StickStabilityOptions *options, StickStability *s)
{
    StickSparse C;
    s->damping = STICK_SEMIDEFINITE;
    if (!s->reduced.damped || options->spectrum.undamped)
        return STICK_OK;
    STICK_TRY(stick_sparse_symmetric(ctx, &s->reduced.C, &C));
    StickStatus status = stick_definite_sign(ctx, &C, &s->damping);
    stick_sparse_destroy(ctx, &C);
    return status;
}

// Three methods for the sign of K_S*; where two of them apply, they must agree.
static StickStatus judge_form(StickContext *ctx, const StickSparse *K, StickStability *s)
{
    double size, sign;
    STICK_ALLOC(ctx, s->smallest_vector, s->reduced.n);
    STICK_ALLOC(ctx, s->minimum_vector, s->reduced.n);
    STICK_TRY(stick_definite_size(ctx, K, &size));
    STICK_TRY(stick_definite_sign(ctx, K, &s->stiffness));
    STICK_TRY(stick_definite_above(ctx, K, 0, &s->cholesky));
    STICK_TRY(stick_definite_smallest(ctx, K, &s->smallest, s->smallest_vector));
    STICK_CHECK(ctx, fabs(s->smallest) <= ZERO * size || s->cholesky == (s->smallest > 0), STICK_INTERNAL,
                "K_S* %s a Cholesky factor, but its smallest eigenvalue is %g", s->cholesky ? "has" : "lacks",
                s->smallest);
    STICK_TRY(stick_compatible_violations(ctx, &s->reduced.slip, s->smallest_vector, &sign,
                                          &s->smallest_violations));
    for (int i = 0; i < s->reduced.n; i++)
        s->smallest_vector[i] *= sign;
    return stick_compatible_minimum(ctx, K, &s->reduced.slip, s->smallest, s->smallest_vector,
                                    s->minimum_vector, &s->minimum);
}

static StickStatus judge_stiffness(StickContext *ctx, StickStability *s)
{
    StickSparse K;
    STICK_TRY(stick_sparse_symmetric(ctx, &s->reduced.K, &K));
    StickStatus status = judge_form(ctx, &K, s);
    stick_sparse_destroy(ctx, &K);
    return status;
}

// ---- modes

static StickStatus violations_of(StickContext *ctx, const StickStability *s, int k, double *room,
                                 int *violations)
{
    double sign;
    size_t n = (size_t)s->spectrum.n;
    for (size_t i = 0; i < n; i++)
        room[i] = creal(s->spectrum.vector[(size_t)k * n + i]);
    return stick_compatible_violations(ctx, &s->reduced.slip, room, &sign, violations);
}

static StickStatus judge_mode(StickContext *ctx, const StickStabilityOptions *options, StickStability *s,
                              int k, double *room)
{
    const StickMode *mode = &s->spectrum.mode[k];
    int violations;
    bool real = s->spectrum.damping != STICK_DAMPING_GENERAL && s->spectrum.lowest == 0 &&
                fabs(cimag(mode->Lambda)) <= options->spectrum.growth * cabs(mode->Lambda);
    if (real)
        s->smallest_real = fmin(s->smallest_real, creal(mode->Lambda));
    if (mode->kind == STICK_MODE_FLUTTER) {
        s->fluttering += cimag(mode->lambda) > 0;
        s->flutter = s->flutter < 0 ? k : s->flutter;
    } else if (mode->kind == STICK_MODE_DIVERGES) {
        STICK_TRY(violations_of(ctx, s, k, room, &violations));
        if (s->diverging++ == 0 || violations < s->divergence_violations)
            s->divergence_violations = violations;
        s->divergence = s->divergence < 0 && violations == 0 ? k : s->divergence;
    } else {
        return STICK_OK;
    }
    if (s->strongest < 0 || mode->growth > s->spectrum.mode[s->strongest].growth)
        s->strongest = k;
    return STICK_OK;
}

static StickStatus judge_modes(StickContext *ctx, const StickStabilityOptions *options, StickStability *s)
{
    double *room;
    StickStatus status = STICK_OK;
    STICK_TRY(stick_spectrum_create(ctx, &s->reduced, &options->spectrum, &s->spectrum));
    s->divergence = s->flutter = s->strongest = -1;
    s->smallest_real = INFINITY;
    STICK_ALLOC(ctx, room, s->spectrum.n);
    for (int k = 0; k < s->spectrum.count && status == STICK_OK; k++)
        status = judge_mode(ctx, options, s, k, room);
    stick_free(ctx, room);
    return status;
}

// ---- conclusions

static bool is_divergence_excluded(const StickStability *s)
{
    return s->stiffness == STICK_POSITIVE_DEFINITE && s->mass != STICK_INDEFINITE &&
           s->damping != STICK_INDEFINITE;
}

static StickVerdict verdict_of(const StickStability *s)
{
    if (s->irregular.grazing || s->irregular.at_rest)
        return STICK_VERDICT_UNDECIDED;
    if (s->divergence >= 0)
        return s->flutter >= 0 ? STICK_VERDICT_BOTH : STICK_VERDICT_DIVERGENCE;
    if (s->flutter >= 0)
        return STICK_VERDICT_FLUTTER;
    return is_divergence_excluded(s) ? STICK_VERDICT_NO_GROWTH : STICK_VERDICT_DIVERGENCE_POSSIBLE;
}

// Bodies that touch nothing vibrate all the same, but friction has no part in it.
static void say_contacts(const StickSliding *sliding, const StickReduced *reduced, StickText *text)
{
    stick_text_add(text, "Contacts: %d stuck, %d slipping, %d open. ", reduced->stuck, reduced->slipping,
                   reduced->open);
    if (sliding->contacts->ncontacts == 0)
        stick_text_add(text, "There are no contacts: these are the bodies' own vibrations. ");
    else if (reduced->stuck + reduced->slipping == 0)
        stick_text_add(text, "All contacts are open: these are the bodies' own vibrations. ");
}

static void say_names(const StickSliding *sliding, const char *what, int count, const int *first,
                      StickText *text)
{
    char name[STICK_SLIDING_NAME];
    if (count == 0)
        return;
    stick_text_add(text, "Condition (105) does not hold: contacts %s: %d, ", what, count);
    for (int k = 0; k < count && k < STICK_IRREGULAR_NAMED; k++) {
        stick_sliding_name(sliding, first[k], name);
        stick_text_add(text, "%s%s", k > 0 ? ", " : count == 1 ? "" : "first ", name);
    }
    stick_text_add(text, ". ");
}

static void say_irregular(const StickSliding *sliding, const StickIrregular *irregular, StickText *text)
{
    say_names(sliding, "that graze", irregular->grazing, irregular->first_grazing, text);
    say_names(sliding, "on Coulomb's cone at rest", irregular->at_rest, irregular->first_at_rest, text);
}

static void say_necessary(const StickStability *s, StickText *text)
{
    if (s->reduced.n == 0)
        stick_text_add(text, "Nothing is free to move: supports and stuck contacts hold all. ");
    else if (is_divergence_excluded(s))
        stick_text_add(text,
                       "K_S* is positive definite (smallest eigenvalue %.4g): divergence cannot occur "
                       "(Proposition 4). ",
                       s->smallest);
    else if (s->stiffness == STICK_POSITIVE_DEFINITE && s->damping == STICK_INDEFINITE)
        stick_text_add(
            text, "K_S* is positive definite, but C_S* is not semi-definite: Proposition 4 says nothing. ");
    else if (s->stiffness == STICK_POSITIVE_DEFINITE)
        stick_text_add(text,
                       "K_S* is positive definite, but M_S* is not semi-definite (smallest eigenvalue %.4g): "
                       "Proposition 4 says nothing. ",
                       s->smallest_mass);
    else if (s->stiffness == STICK_SEMIDEFINITE)
        stick_text_add(text, "K_S* has an eigenvalue of zero: a motion that nothing resists. ");
    else
        stick_text_add(text,
                       "K_S* has the eigenvalue %.4g, with a vector that %s (121): the necessary condition "
                       "for divergence is met. ",
                       s->smallest, s->smallest_violations ? "contradicts" : "is compatible with");
}

static void say_sufficient(const StickStability *s, const char *unit, StickText *text)
{
    if (s->divergence >= 0)
        stick_text_add(text, "Mode %d diverges with growth rate %.4g (Propositions 1 and 5). ",
                       s->spectrum.mode[s->divergence].number, s->spectrum.mode[s->divergence].growth);
    else if (s->diverging)
        stick_text_add(
            text, "Real modes that grow: %d, but their vectors contradict (121), in %d contacts at least. ",
            s->diverging, s->divergence_violations);
    if (s->flutter >= 0) {
        const StickMode *first = &s->spectrum.mode[s->flutter], *most = &s->spectrum.mode[s->strongest];
        stick_text_add(
            text,
            "Modes that flutter: %d, first mode %d at %.5g%s with growth rate %.4g; the largest growth rate "
            "is %.4g at %.5g%s (Propositions 2 and 6). ",
            s->fluttering, first->number, first->frequency, unit, first->growth, most->growth,
            most->frequency, unit);
    }
    if (!s->diverging && s->flutter < 0 && s->reduced.n > 0)
        stick_text_add(text, "No mode grows. ");
    if (s->spectrum.infinite)
        stick_text_add(text, "M* is singular: motions without mass: %d. ", s->spectrum.infinite);
    if (s->spectrum.lowest > 0)
        stick_text_add(text, "Only modes from %.5g to %.5g%s were computed and counted. ", s->spectrum.lowest,
                       s->spectrum.highest, unit);
    else if (!s->spectrum.complete && s->reduced.n > 0)
        stick_text_add(text, "Modes above %.5g%s were not computed. ", s->spectrum.highest, unit);
}

static void say_verdict(const StickSliding *sliding, const StickStability *s, StickText *text)
{
    bool grows = s->divergence >= 0 || s->flutter >= 0;
    if (s->irregular.grazing || s->irregular.at_rest)
        stick_text_add(text,
                       "The modes are valid only while contact statuses do not change; judge another state "
                       "of the path, before or after this one. ");
    else if (grows && sliding->steady)
        stick_text_add(text, "The state is unstable (Proposition 3).");
    else if (grows)
        stick_text_add(
            text,
            "Disturbances grow while the path stays straight; Proposition 3 requires this for all times.");
}

static StickStatus say(StickContext *ctx, const StickSliding *sliding, const StickStabilityOptions *options,
                       StickStability *s)
{
    StickText text;
    stick_text_init(&text, ctx);
    say_contacts(sliding, &s->reduced, &text);
    say_irregular(sliding, &s->irregular, &text);
    say_necessary(s, &text);
    say_sufficient(s, options->unit, &text);
    say_verdict(sliding, s, &text);
    while (text.length > 0 && text.bytes[text.length - 1] == ' ')
        text.bytes[--text.length] = '\0';
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK) {
        s->text = text.bytes;
        text.bytes = NULL;
    }
    stick_text_destroy(&text);
    return status;
}

// Supports and stuck contacts hold everything.
static StickStatus judge_nothing(StickContext *ctx, const StickSliding *sliding,
                                 const StickStabilityOptions *options, StickStability *s)
{
    s->smallest = s->minimum.value = NAN;
    s->smallest_real = INFINITY;
    s->divergence = s->flutter = s->strongest = -1;
    s->stiffness = STICK_POSITIVE_DEFINITE;
    s->verdict = verdict_of(s);
    return say(ctx, sliding, options, s);
}

static StickStatus judge(StickContext *ctx, const StickSliding *sliding, const StickStabilityOptions *options,
                         StickStability *s)
{
    STICK_TRY(stick_sliding_check(ctx, sliding, options->tolerance));
    STICK_TRY(stick_reduced_create(ctx, sliding, &s->reduced)); // M*, C*, K*             (114)
    s->irregular = stick_stability_irregular(sliding, options); // grazing, cone at rest  (105)
    if (s->reduced.n == 0)
        return judge_nothing(ctx, sliding, options, s);
    STICK_TRY(judge_mass(ctx, s));             // M_S*                   (116)
    STICK_TRY(judge_damping(ctx, options, s)); // C_S*
    STICK_TRY(judge_stiffness(ctx, s));        // K_S*                   (117), (121)
    STICK_TRY(judge_modes(ctx, options, s));   // modes                  (120), (123)
    s->verdict = verdict_of(s);
    return say(ctx, sliding, options, s);
}

StickStatus stick_stability_create(StickContext *ctx, const StickSliding *sliding,
                                   const StickStabilityOptions *options, StickStability *stability)
{
    StickStability made = {0};
    StickStatus status = judge(ctx, sliding, options, &made);
    if (status == STICK_OK)
        *stability = made;
    else
        stick_stability_destroy(ctx, &made);
    return status;
}
