// SPDX-License-Identifier: Apache-2.0
// Numbers of the model file: constants or expressions in Lua's syntax, in a sandbox without input, output or
// endless loops.
//
// An expression sees the parameters, its variables, pi and the functions sin cos tan asin acos atan sqrt exp
// log abs floor ceil min max by bare name, and deg(20), 20 degrees in radians. It can change nothing, and its
// numbers are all floating point.
#ifndef MODEL_EXPRESSION_H
#define MODEL_EXPRESSION_H

#include <stickslip/context.h>

#include <stdbool.h>

// Variables of an expression, in addition to the parameters, pi and the mathematical functions.
typedef enum StickVariable {
    STICK_SEES_NOTHING = 0,
    STICK_SEES_TIME = 1,    // t
    STICK_SEES_PLACE = 2,   // x, y, z (reference place of a node)
    STICK_SEES_SLIDING = 4, // v (sliding speed), p (contact pressure) at the start of the step
    // indices of a repeated item; where they are not seen, a parameter may have their name
    STICK_SEES_I = 8,
    STICK_SEES_J = 16,
    STICK_SEES_K = 32,
    // as these: a parameter may have their name where they are not seen
    STICK_SEES_APPROACH =
        64, // approach: speed with which bodies come towards each other at the start of the step
    STICK_SEES_STATE = 128, // state: the state variable of a contact
    STICK_SEES_PATCH = 256, // xi, eta, zeta: place in a patch of a mesh, each in 0 .. 1
    STICK_SEES_CURVE = 512, // s: parameter of a curve
} StickVariable;

typedef struct StickVariables {
    double t;
    double x, y, z;
    double v, p;
    double i, j, k;
    double approach, state;
    double xi, eta, zeta;
    double s;
} StickVariables;

typedef struct StickExpressions StickExpressions; // the sandbox: a Lua state with parameters
typedef struct StickExpression StickExpression;   // one compiled number, owned by its sandbox

StickStatus stick_expressions_create(StickContext *ctx, StickExpressions **sandbox);
void stick_expressions_destroy(StickExpressions *sandbox);

// Defines a parameter, a number or a text, for all later expressions. Setting it again replaces its value.
StickStatus stick_expressions_set_number(StickExpressions *sandbox, const char *name, double value);
StickStatus stick_expressions_set_text(StickExpressions *sandbox, const char *name, const char *value);

// Compiles a text; sees is a set of StickVariable. Anything that does not mention a variable is evaluated at
// once and becomes a constant, so that errors show at reading. Errors name the place and the text.
StickStatus stick_expression_compile(StickExpressions *sandbox, const char *text, unsigned sees,
                                     StickMark mark, StickExpression **expression);

bool stick_expression_is_constant(const StickExpression *expression);

// Whether it mentions any of a set of StickVariable.
bool stick_expression_mentions(const StickExpression *expression, unsigned sees);

// Whether two expressions of one sandbox have the same value for the same variables: equal constants, or the
// same text. False means unknown.
bool stick_expression_is_same(const StickExpression *a, const StickExpression *b);

// Evaluates an expression; a constant costs nothing. Not thread-safe. Returns STICK_BAD_INPUT with the place of the
// expression if the value is not a finite number or the evaluation takes too long.
StickStatus stick_expression_value(StickExpression *expression, const StickVariables *variables,
                                   double *value);

// The text of a parameter that is a text (a scheme chosen by a parameter, say); NULL if there is no such
// parameter.
StickStatus stick_expressions_text(StickExpressions *sandbox, const char *name, const char **value);

typedef enum StickValueKind { STICK_VALUE_NUMBER, STICK_VALUE_TEXT, STICK_VALUE_BOOL } StickValueKind;

typedef struct StickValue {
    StickValueKind kind;
    double number; // finite
    bool truth;
    const char *text; // lives as long as the sandbox
} StickValue;

// Evaluates an expression that sees only parameters and may give a number, a text, true or false.
StickStatus stick_expressions_evaluate(StickExpressions *sandbox, const char *text, StickMark mark,
                                       StickValue *value);

// Whether a name is a parameter or something that expressions see anyway.
bool stick_expressions_knows(const StickExpressions *sandbox, const char *name);

// Whether a parameter must not have this name: functions, pi, variables, words of Lua.
bool stick_expressions_reserves(const char *name);

#endif
