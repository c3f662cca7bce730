// SPDX-License-Identifier: Apache-2.0
// The frames of a result folder: values of its field files at the visible nodes of deformable bodies, and where rigid
// ones are.
#ifndef REPORT_REEL_H
#define REPORT_REEL_H

#include "report/rigid_frame.h"

typedef enum StickReelField {
    STICK_REEL_DISPLACEMENT,
    STICK_REEL_VELOCITY,
    STICK_REEL_VON_MISES,
    STICK_REEL_CONTACT_PRESSURE,
    STICK_REEL_STATUS,
    STICK_REEL_GAP,
    STICK_REEL_CONTACT_FORCE,
    STICK_REEL_FIELDS,
} StickReelField;

typedef struct StickReelSpan {
    double least, most; // NaN where there is no value
} StickReelSpan;

typedef struct StickReelFrame {
    double time;
    float *value; // field after field, node after node, components together; NaN where a file has none
    // as exact as the file is: values of the visible nodes, of a vector its length
    StickReelSpan span[STICK_REEL_FIELDS];
    double *total; // of the contact forces, bodies x dim
    StickRigidFrame rigid;
} StickReelFrame;

typedef struct StickReel {
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
    StickReelFrame *frame;
    size_t first[STICK_REEL_FIELDS]; // of a field in a frame
    size_t width[STICK_REEL_FIELDS]; // numbers of it
    size_t size;                     // numbers of a frame
} StickReel;

typedef struct StickReelSource {
    const char *folder;
    const StickModel *model; // of the run
    bool full; // all frames, whatever memory they take; otherwise only so many as fit into some 256 MB
    StickContext *hear; // hears warnings of frames that cannot be read and are left out
} StickReelSource;

// ctx is quiet (base/quiet.h). The reel has count = 0 and no scene where there is no series, or no frame in
// it that can be read.
StickStatus stick_reel_create(StickContext *ctx, const StickReelSource *source, StickReel *reel);
void stick_reel_destroy(StickReel *reel);

// Name in the files, and components in space of this dimension.
const char *stick_reel_name(StickReelField field);
int stick_reel_components(StickReelField field, int dim);

// Values of a field in a frame, at the nodes in soft.
const float *stick_reel_values(const StickReel *reel, StickReelField field, int frame);

// Whether any number of a field is neither zero nor NaN.
bool stick_reel_shows(const StickReel *reel, StickReelField field);

// Whether a contact ever watches a node, given by its number in soft: it has a gap or a status other than zero in some
// frame.
bool stick_reel_watches(const StickReel *reel, int node);

#endif
