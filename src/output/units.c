// SPDX-License-Identifier: Apache-2.0
#include "output/units.h"

#include <stdio.h>

void stick_unit(const StickUnits *units, StickQuantity quantity, char text[STICK_UNIT_TEXT])
{
    const char *length = units->length, *time = units->time, *force = units->force;
    switch (quantity) {
    case STICK_NO_UNIT:
        text[0] = '\0';
        break;
    case STICK_TIME:
        snprintf(text, STICK_UNIT_TEXT, "%s", time);
        break;
    case STICK_LENGTH:
        snprintf(text, STICK_UNIT_TEXT, "%s", length);
        break;
    case STICK_AREA:
        snprintf(text, STICK_UNIT_TEXT, "%s^2", length);
        break;
    case STICK_VELOCITY:
        snprintf(text, STICK_UNIT_TEXT, "%s/%s", length, time);
        break;
    case STICK_FORCE:
        snprintf(text, STICK_UNIT_TEXT, "%s", force);
        break;
    case STICK_PRESSURE:
        snprintf(text, STICK_UNIT_TEXT, "%s/%s^2", force, length);
        break;
    case STICK_ENERGY:
        snprintf(text, STICK_UNIT_TEXT, "%s %s", force, length);
        break;
    case STICK_POWER:
        snprintf(text, STICK_UNIT_TEXT, "%s %s/%s", force, length, time);
        break;
    case STICK_IMPULSE:
        snprintf(text, STICK_UNIT_TEXT, "%s %s", force, time);
        break;
    case STICK_ANGULAR_IMPULSE:
        snprintf(text, STICK_UNIT_TEXT, "%s %s %s", force, length, time);
        break;
    case STICK_STIFFNESS:
        snprintf(text, STICK_UNIT_TEXT, "%s/%s", force, length);
        break;
    case STICK_RATE:
        snprintf(text, STICK_UNIT_TEXT, "1/%s", time);
        break;
    case STICK_RATE_SQUARE:
        snprintf(text, STICK_UNIT_TEXT, "1/%s^2", time);
        break;
    }
}

void stick_label(const StickUnits *units, const char *name, StickQuantity quantity,
                 char text[STICK_LABEL_TEXT])
{
    char unit[STICK_UNIT_TEXT];
    stick_unit(units, quantity, unit);
    snprintf(text, STICK_LABEL_TEXT, unit[0] ? "%s [%s]" : "%s", name, unit);
}
