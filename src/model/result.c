// SPDX-License-Identifier: Apache-2.0
#include "model/result.h"

#include <stddef.h>

static const StickResult all[STICK_NRESULTS] = {
    {"displacement", STICK_RESULT_DISPLACEMENT, STICK_GATHER_MEAN, .by_component = true},
    {"velocity", STICK_RESULT_VELOCITY, STICK_GATHER_MEAN, .by_component = true},
    {"contact_force", STICK_RESULT_CONTACT_FORCE, STICK_GATHER_SUM, .by_component = true, .by_frame = true,
     .of_obstacle = true},
    {"reaction", STICK_RESULT_REACTION, STICK_GATHER_SUM, .by_component = true},
    {"contact_pressure", STICK_RESULT_CONTACT_PRESSURE, STICK_GATHER_MOST, .of_first = true,
     .of_obstacle = true},
    {"gap", STICK_RESULT_GAP, STICK_GATHER_LEAST, .of_first = true, .of_obstacle = true},
    {"status", STICK_RESULT_STATUS, STICK_GATHER_MOST, .of_first = true, .of_obstacle = true},
    {"position", STICK_RESULT_POSITION, STICK_GATHER_MEAN, .by_component = true, .of_rigid = true},
    {"angle", STICK_RESULT_ANGLE, STICK_GATHER_MEAN, .of_rigid = true},
    {"angular_velocity", STICK_RESULT_ANGULAR_VELOCITY, STICK_GATHER_MEAN, .by_component = true,
     .of_rigid = true},
    {"kinetic_energy", STICK_RESULT_KINETIC_ENERGY, STICK_GATHER_SUM, .of_rigid = true},
    {"distance", STICK_RESULT_DISTANCE, STICK_GATHER_LEAST, .of_rigid = true, .of_two = true},
    {"force", STICK_RESULT_FORCE, STICK_GATHER_SUM, .by_component = true, .of_joint = true},
    {"moment", STICK_RESULT_MOMENT, STICK_GATHER_SUM, .by_component = true, .of_joint = true},
    {"tension", STICK_RESULT_TENSION, STICK_GATHER_SUM, .of_joint = true},
    {"power", STICK_RESULT_POWER, STICK_GATHER_SUM, .of_joint = true},
    {"shift", STICK_RESULT_SHIFT, STICK_GATHER_MEAN, .by_component = true, .of_frame = true},
    {"rotation", STICK_RESULT_ROTATION, STICK_GATHER_MEAN, .of_frame = true},
    {"frame_force", STICK_RESULT_FRAME_FORCE, STICK_GATHER_SUM, .by_component = true, .of_frame = true},
    {"frame_moment", STICK_RESULT_FRAME_MOMENT, STICK_GATHER_SUM, .of_frame = true},
    {"contact_load", STICK_RESULT_CONTACT_LOAD, STICK_GATHER_SUM, .of_frame = true, .of_surface = true},
    {"peak_pressure", STICK_RESULT_PEAK_PRESSURE, STICK_GATHER_MOST, .of_frame = true, .of_surface = true},
    {"strips", STICK_RESULT_STRIPS, STICK_GATHER_SUM, .of_frame = true, .of_surface = true},
    {"sticking", STICK_RESULT_STICKING, STICK_GATHER_SUM, .of_frame = true, .of_surface = true},
    {"transmission_error", STICK_RESULT_TRANSMISSION_ERROR, STICK_GATHER_MEAN, .of_gears = true},
    {"input_torque", STICK_RESULT_INPUT_TORQUE, STICK_GATHER_SUM, .of_gears = true},
    {"roll", STICK_RESULT_ROLL, STICK_GATHER_MEAN, .of_gears = true},
};

// A hyphen is as good as a low line.
static bool same_name(const char *known, const char *name)
{
    while (*known && (*known == *name || (*known == '_' && *name == '-')))
        known++, name++;
    return *known == *name;
}

const StickResult *stick_result(const char *name)
{
    for (int k = 0; k < STICK_NRESULTS; k++)
        if (same_name(all[k].name, name))
            return &all[k];
    return NULL;
}

const char *stick_result_name(int index)
{
    return index >= 0 && index < STICK_NRESULTS ? all[index].name : NULL;
}
