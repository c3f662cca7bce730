// SPDX-License-Identifier: Apache-2.0
// The frames of a result folder: values of its field files at the visible nodes of deformable bodies, and where rigid
// ones are.
#ifndef REPORT_ANIMATION_FRAMES_H
#define REPORT_ANIMATION_FRAMES_H

#include "report/rigid_frame.h"

typedef enum StickAnimationFramesField {
    STICK_ANIMATION_DISPLACEMENT,
    STICK_ANIMATION_VELOCITY,
    STICK_ANIMATION_VON_MISES,
    STICK_ANIMATION_CONTACT_PRESSURE,
    STICK_ANIMATION_STATUS,
    STICK_ANIMATION_GAP,
    STICK_ANIMATION_CONTACT_FORCE,
    STICK_ANIMATION_FIELDS,
} StickAnimationFramesField;

typedef struct StickAnimationFramesSpan {
    double least, most; // NaN where there is no value
} StickAnimationFramesSpan;

typedef struct StickAnimationFrame {
    double time;
    float *value; // field after field, node after node, components together; NaN where a file has none
    // as exact as the file is: values of the visible nodes, of a vector its length
    StickAnimationFramesSpan span[STICK_ANIMATION_FIELDS];
    double *total; // of the contact forces, bodies x dim
    StickRigidFrame rigid;
} StickAnimationFrame;

typedef struct StickAnimationFrames {
    StickContext *ctx;
    const StickModel *model;
    StickScene scene; // rigid bodies have their origins at their mass centres
    int nsoft;
    int *soft;      // visible nodes of deformable bodies, ascending
    bool broken;    // there is a series, but it can't be read
    int all;        // frames that the series names
    int unreadable; // of these
    int count;      // frames that are here
    size_t room;
    StickAnimationFrame *frame;
    size_t first[STICK_ANIMATION_FIELDS]; // of a field in a frame
    size_t width[STICK_ANIMATION_FIELDS]; // numbers of it
    size_t size;                          // numbers of a frame
} StickAnimationFrames;

typedef struct StickAnimationFramesSource {
    const char *folder;
    const StickModel *model; // of the run
    bool full;          // all frames, whatever memory they take; otherwise as many as fit into about 256 MB
    StickContext *hear; // hears warnings of frames that cannot be read and are left out
} StickAnimationFramesSource;

// ctx is quiet (base/diagnostic_filter.h). The reel has count = 0 and no scene where there is no series, or no frame in
// it that can be read.
StickStatus stick_animation_frames_create(StickContext *ctx, const StickAnimationFramesSource *source,
                                          StickAnimationFrames *reel);
void stick_animation_frames_destroy(StickAnimationFrames *reel);

// Name in the files, and components in space of this dimension.
const char *stick_animation_frames_name(StickAnimationFramesField field);
int stick_animation_frames_components(StickAnimationFramesField field, int dim);

// Values of a field in a frame, at the nodes in soft.
const float *stick_animation_frames_values(const StickAnimationFrames *reel, StickAnimationFramesField field,
                                           int frame);

// Whether any number of a field is neither zero nor NaN.
bool stick_animation_frames_shows(const StickAnimationFrames *reel, StickAnimationFramesField field);

// Whether a contact ever watches a node, given by its number in soft: it has a gap or a status other than zero in some
// frame.
bool stick_animation_frames_watches(const StickAnimationFrames *reel, int node);

#endif
