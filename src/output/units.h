// SPDX-License-Identifier: Apache-2.0
// Labels of quantities in the units of a model: "m/s", "N", "N m".
#ifndef OUTPUT_UNITS_H
#define OUTPUT_UNITS_H

#include "model/model.h"

typedef enum StickQuantity {
    STICK_NO_UNIT,
    STICK_TIME,
    STICK_LENGTH,
    STICK_AREA,
    STICK_VELOCITY,
    STICK_FORCE,
    STICK_PRESSURE,
    STICK_ENERGY,
    STICK_POWER,
    STICK_IMPULSE,
    STICK_ANGULAR_IMPULSE,
    STICK_STIFFNESS,
    STICK_RATE,
    STICK_RATE_SQUARE,
} StickQuantity;

enum { STICK_UNIT_TEXT = 96, STICK_LABEL_TEXT = 256 };

// "N/m^2" and the like; "" for numbers without a unit.
void stick_unit(const StickUnits *units, StickQuantity quantity, char text[STICK_UNIT_TEXT]);

// "name [unit]", or the name alone.
void stick_label(const StickUnits *units, const char *name, StickQuantity quantity,
                 char text[STICK_LABEL_TEXT]);

#endif
