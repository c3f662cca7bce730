// SPDX-License-Identifier: Apache-2.0
// The laws of all contacts and rules of a model: values that must agree with each other and with the steps.
#include "model/tables.h"

#include <stickslip/friction.h>

#include <stdio.h>
#include <string.h>

int stick_model_laws(const StickModel *model)
{
    return model->ncontacts + model->nrules;
}

const StickLawSpec *stick_model_law(const StickModel *model, int k)
{
    return k < model->ncontacts ? &model->contact[k].law : &model->rule[k - model->ncontacts].law;
}

StickMark stick_model_law_mark(const StickModel *model, int k)
{
    return k < model->ncontacts ? model->contact[k].mark : model->rule[k - model->ncontacts].mark;
}

// ---- dissipation

static bool dissipates_most(const StickExpression *dissipation)
{
    double value = 0;
    return !dissipation ||
           (stick_expression_is_constant(dissipation) &&
            stick_expression_value((StickExpression *)dissipation, NULL, &value) == STICK_OK && value == 1);
}

// One index for the whole system [JM91 section 6]: values given by contacts and steps must agree.
static StickExpression *agreed_dissipation(StickReader *reader)
{
    const StickModel *model = reader->model;
    StickExpression *agreed = NULL;
    for (int k = 0; k < stick_model_laws(model); k++) {
        StickExpression *own = stick_model_law(model, k)->dissipation;
        if (own && agreed && !stick_expression_is_same(own, agreed))
            STICK_COMPLAIN(reader, stick_model_law_mark(model, k),
                           "'dissipation' applies to the whole system, but another contact has a different "
                           "value: give the same one, or use 'restitution', which belongs to one contact");
        agreed = agreed ? agreed : own;
    }
    return agreed;
}

static void check_dissipation(StickReader *reader, const StickExpression *dissipation)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < stick_model_laws(model) && !dissipates_most(dissipation); k++) {
        const StickLawSpec *law = stick_model_law(model, k);
        if (law->restitution || law->cohesion)
            STICK_COMPLAIN(reader, stick_model_law_mark(model, k),
                           "'%s' requires a 'dissipation' of 1, but the system has a different one",
                           law->restitution ? "restitution" : "cohesion");
    }
}

static bool is_above_zero(const StickExpression *given)
{
    double value = 0;
    return given && stick_expression_is_constant(given) &&
           stick_expression_value((StickExpression *)given, NULL, &value) == STICK_OK && value > 0;
}

// A step's own index, where it is known before the run.
static void check_step_dissipation(StickReader *reader, const StickStepSpec *step)
{
    const StickModel *model = reader->model;
    if (dissipates_most(step->dissipation) || !stick_expression_is_constant(step->dissipation))
        return;
    for (int k = 0; k < stick_model_laws(model); k++) {
        const StickLawSpec *law = stick_model_law(model, k);
        bool restitution = is_above_zero(law->restitution);
        if (restitution || is_above_zero(law->cohesion))
            STICK_COMPLAIN(
                reader, stick_model_law_mark(model, k),
                "'%s' requires a 'dissipation' of 1, but step '%s' has a different one: remove one of them",
                restitution ? "restitution" : "cohesion", step->name ? step->name : "");
    }
}

static void settle_dissipation(StickReader *reader)
{
    StickModel *model = reader->model;
    StickExpression *agreed = agreed_dissipation(reader);
    bool used = false;
    for (int k = 0; k < model->nsteps; k++) {
        StickStepSpec *step = &model->step[k];
        if (step->kind != STICK_STEP_DYNAMICS || step->scheme != STICK_SCHEME_MOREAU)
            continue;
        if (step->dissipation && agreed && !stick_expression_is_same(step->dissipation, agreed))
            STICK_COMPLAIN(reader, step->mark,
                           "the contacts and this step have different values of 'dissipation'");
        if (!agreed)
            check_step_dissipation(reader, step);
        step->dissipation = step->dissipation ? step->dissipation : agreed;
        used = true;
    }
    check_dissipation(reader, agreed);
    for (int k = 0; k < model->ncontacts && agreed && !used; k++)
        if (stick_model_law(model, k)->dissipation)
            stick_warn_at(reader->ctx, stick_model_law_mark(model, k),
                          "'dissipation' has no effect without the scheme 'moreau'");
}

// ---- sections

enum { NAMES = 400 };

static bool takes_sections(const char *solver)
{
    for (int k = 0; stick_solver_name(k); k++)
        if (strcmp(stick_solver_name(k), solver) == 0)
            return stick_solver_takes_sections(k);
    return true; // an unknown name was reported already
}

// "auto, ..."
static void name_solvers(char names[NAMES])
{
    size_t length = 0;
    names[0] = '\0';
    for (int k = 0; stick_solver_name(k) && length < NAMES; k++)
        if (stick_solver_takes_sections(k))
            length += (size_t)snprintf(names + length, NAMES - length, "%s%s", length ? ", " : "",
                                       stick_solver_name(k));
}

static void complain_of_solver(StickReader *reader, const StickStepSpec *step)
{
    char names[NAMES];
    name_solvers(names);
    STICK_COMPLAIN(
        reader, step->solver_mark,
        "a contact has anisotropic friction, which the solver '%s' does not support; use one of: %s",
        step->solver, names);
}

// Only some solvers know other sections than the disk, and paths of equilibria none.
static void check_sections(StickReader *reader, const StickStepSpec *step)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < stick_model_laws(model); k++) {
        if (stick_model_law(model, k)->section == STICK_LAW_DISK)
            continue;
        if (step->kind != STICK_STEP_DYNAMICS)
            STICK_COMPLAIN(reader, stick_model_law_mark(model, k),
                           "anisotropic friction is for dynamic steps only, but step '%s' is not dynamic: "
                           "give one coefficient",
                           step->name);
        else if (step->solver && step->solver[0] && !takes_sections(step->solver))
            complain_of_solver(reader, step);
        else
            continue;
        return;
    }
}

void stick_settle_laws(StickReader *reader)
{
    settle_dissipation(reader);
    for (int k = 0; k < reader->model->nsteps; k++)
        check_sections(reader, &reader->model->step[k]);
}
