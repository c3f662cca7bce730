// SPDX-License-Identifier: Apache-2.0
// Results that can be followed: their names, their components and how the values of a group become one
// number.
//
// This is the only list: the reader knows names by it, src/output/nodal.c adds units and values.
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include <stdbool.h>

typedef enum StickResultKind {
    STICK_RESULT_DISPLACEMENT,
    STICK_RESULT_VELOCITY,
    STICK_RESULT_CONTACT_FORCE,
    STICK_RESULT_REACTION,
    STICK_RESULT_CONTACT_PRESSURE,
    STICK_RESULT_GAP,
    STICK_RESULT_STATUS,
    // of rigid bodies
    STICK_RESULT_POSITION,         // of the mass centre
    STICK_RESULT_ANGLE,            // since the start; in space of the whole turn
    STICK_RESULT_ANGULAR_VELOCITY, // in the plane without component
    STICK_RESULT_KINETIC_ENERGY,
    STICK_RESULT_DISTANCE, // shortest one of two bodies, below 0 where they are in each other
    // joints: force on the first body, mean over a step
    STICK_RESULT_FORCE,
    STICK_RESULT_MOMENT,  // about the place of the joint; in the plane without component
    STICK_RESULT_TENSION, // of distances and springs: above 0 where they pull
    STICK_RESULT_POWER,   // given to the bodies
    // of bodies on trajectories
    STICK_RESULT_SHIFT,         // of a frame from its ideal motion
    STICK_RESULT_ROTATION,      // of a frame from its ideal motion
    STICK_RESULT_FRAME_FORCE,   // what holds a frame
    STICK_RESULT_FRAME_MOMENT,  // about its origin
    STICK_RESULT_CONTACT_LOAD,  // sum of normal forces
    STICK_RESULT_PEAK_PRESSURE, // of strips
    STICK_RESULT_STRIPS,        // how many press, ...
    STICK_RESULT_STICKING,      // ... and how many of these stick
    // of pairs of gears
    STICK_RESULT_TRANSMISSION_ERROR, // lag of the output, along its rolling circle
    STICK_RESULT_INPUT_TORQUE,
    STICK_RESULT_ROLL, // place on the line of action
    STICK_NRESULTS,
} StickResultKind;

typedef enum StickGather {
    STICK_GATHER_MEAN, // by mass where the group has elements, by nodes elsewhere
    STICK_GATHER_SUM,
    STICK_GATHER_LEAST,
    STICK_GATHER_MOST,
} StickGather;

// Components of a vector: 0, 1, 2 are x, y, z.
enum { STICK_NORMAL_COMPONENT = 3, STICK_TANGENTIAL_COMPONENT = 4 };

typedef struct StickResult {
    const char *name; // as in the model file
    StickResultKind kind;
    StickGather gather;
    bool by_component; // x, y, z; otherwise one number
    bool by_frame;     // normal and tangential, too
    bool of_first; // known for the first body of a contact only; by_frame: known for bodies with a frame only
    bool of_obstacle;
    bool of_rigid; // of rigid bodies only
    bool of_two;   // of two bodies
    bool of_joint; // of joints only
    bool of_frame; // of bodies on trajectories only, as a whole; of_surface: or of a surface
    bool of_surface;
    bool of_gears; // of pairs of gears only
} StickResult;

// NULL if no result has this name.
const StickResult *stick_result(const char *name);
const char *stick_result_name(int index); // NULL past the last

#endif
