// SPDX-License-Identifier: Apache-2.0
// The tables of the model file's sections, each in the file that knows its subject.
#ifndef MODEL_TABLES_H
#define MODEL_TABLES_H

#include "model/schema.h"

extern const StickSchema stick_material_table;
extern const StickSchema stick_body_table;
extern const StickSchema stick_mesh_table;
extern const StickSchema stick_gears_table;
extern const StickSchema stick_patch_table;
extern const StickSchema stick_rigid_table;
extern const StickSchema stick_flank_table;
extern const StickSchema stick_frame_table;
extern const StickSchema stick_trajectory_table;
extern const StickSchema stick_obstacle_table;
extern const StickSchema stick_support_table;
extern const StickSchema stick_load_table;
extern const StickSchema stick_contact_table;
extern const StickSchema stick_joint_table;
extern const StickSchema stick_time_history_table;
extern const StickSchema stick_step_table;
extern const StickSchema stick_stability_table;
extern const StickSchema stick_perturb_table;
extern const StickSchema stick_steady_table;
extern const StickSchema stick_check_table;
extern const StickSchema stick_outcome_table;
extern const StickSchema stick_output_table;
extern const StickSchema stick_signal_table;
extern const StickSchema stick_sound_table;
extern const StickSchema stick_portrait_table;

// Ranges that many keys share.
#define STICK_POSITIVE                  \
    {                                   \
        .bounds = STICK_ABOVE, .low = 0 \
    }
#define STICK_NOT_NEGATIVE                 \
    {                                      \
        .bounds = STICK_AT_LEAST, .low = 0 \
    }

// parameters and cases have grammars of their own
StickStatus stick_read_parameters(StickReader *reader, const StickField *field, StickYaml *node, void *item);
StickStatus stick_read_cases(StickReader *reader, const StickField *field, StickYaml *node, void *item);

// Says so unless a member has the name of a parameter.
StickStatus stick_check_parameter(StickReader *reader, const StickYaml *node);

// If parameters vary later, puts the original expressions of parameters that are not overridden back into the tree.
void stick_keep_expressions(StickModel *model);

// The state that a dynamic step starts from.
StickStatus stick_read_from(StickReader *reader, const StickField *field, StickYaml *node, void *item);

// Checks of steady sliding and of the steps after it, if its keys are valid.
void stick_finish_steady(StickReader *reader, const StickYaml *node, StickStepSpec *step);
void stick_finish_from(StickReader *reader, const StickYaml *node, StickStepSpec *step);

// Of a step along a trajectory, once its keys are good; and whether a solver's name is one of its methods.
void stick_finish_trajectory(StickReader *reader, const StickYaml *node, StickStepSpec *step);
bool stick_is_mates_method(const char *name);

// A contact of bodies on trajectories, once its keys are good: it goes to their list.
StickStatus stick_add_mating(StickReader *reader, const StickYaml *node, const StickContactSpec *contact);
// Index of the gear pair of that name, or -1.
int stick_find_gears(const StickModel *model, const char *name);

// Of a stability step, once its keys are good: the step that it speaks of.
void stick_finish_stability(StickReader *reader, const StickYaml *node, StickStepSpec *step);

// {parameter: [values]} or {parameter: {from: a, to: b, by: c}}
StickStatus stick_read_vary(StickReader *reader, const StickField *field, StickYaml *node,
                            StickVarySpec *vary);

// "where" and "what" of a history, and whether they can be combined.
StickStatus stick_read_followed(StickReader *reader, const StickField *field, StickYaml *node, void *item);
StickStatus stick_read_what(StickReader *reader, const StickField *field, StickYaml *node, void *item);
StickStatus stick_finish_history(StickReader *reader, const StickYaml *node, void *item);
// The node of it that is nearest to a place, of histories and of all that begins with one.
#define STICK_NEAREST_FIELD                                                                                \
    {                                                                                                      \
        .key = "at", .type = STICK_FIELD_NUMBERS, .of_space = true, .unit = "length",                      \
        .text = "for a group of a body only the node closest to this position in the undeformed mesh (in " \
                "case of a "                                                                               \
                "tie the first one)",                                                                      \
        .at = STICK_AT(StickHistorySpec, at),                                                              \
    }
// Notes whether it is given, and complains where it makes no sense.
void stick_finish_nearest(StickReader *reader, const StickYaml *node, StickHistorySpec *history);
// One sound or a list of them.
StickStatus stick_read_sounds(StickReader *reader, const StickField *field, StickYaml *node, void *item);
// Steps of signals and portraits; their values become histories.
StickStatus stick_settle_signals(StickReader *reader);

// A list of times, in the model's memory.
StickStatus stick_read_times(StickReader *reader, const StickField *field, const StickYaml *list,
                             double **times, int *ntimes);

// "body.group", "body", "body[0,1]", "body[*,1].group" or "obstacle"; bodies of a repeat may be several. If the text is
// none of these, reports the error and sets body and obstacle to -1.
StickStatus stick_read_target(StickReader *reader, const StickYaml *node, StickTarget *target);
// The same, but one body at most.
StickStatus stick_read_single(StickReader *reader, const StickYaml *node, StickTarget *target);
// The same where a joint could have been named as well.
StickStatus stick_read_watched(StickReader *reader, const StickYaml *node, StickTarget *target);
// Side of a contact: a target, a material or all.
StickStatus stick_read_side(StickReader *reader, const StickYaml *node, StickSideSpec *side);
// Target of a support or load: "body.group", or one or several rigid bodies.
StickStatus stick_read_acted(StickReader *reader, const StickYaml *node, StickTarget *target);

// Pairs of gears; each adds two bodies after all others.
StickStatus stick_read_gears(StickReader *reader, const StickField *field, StickYaml *node, void *item);

// key 'rigid' of a body; bodies of a repeat share equal shapes
StickStatus stick_read_rigid(StickReader *reader, const StickField *field, StickYaml *node, void *item);
// An angle in the plane; in space axis times angle as a list, or {axis: ..., angle: ...}.
StickStatus stick_read_turn(StickReader *reader, const StickField *field, const StickYaml *node, int dim,
                            double turn[3]);
// One record or a list of them, of an obstacle.
StickStatus stick_read_records(StickReader *reader, const StickField *field, StickYaml *node, void *item);
// Warns, where there are rigid bodies, of obstacles and supports whose motion starts with a jump of the velocity, of
// records that move nothing while the model runs, ...
StickStatus stick_warn_of_motions(StickReader *reader);
// ... and about bodies and obstacles without contact.
void stick_warn_of_no_contact(StickReader *reader);
// Warns of units that are not of one set, and of materials that nothing is made of in them.
void stick_warn_of_units(StickReader *reader);

// The material of a body; NULL: it has none, or its name was an error in a file without any.
const StickMaterial *stick_material_of(const StickModel *model, const StickBodySpec *body);

// Checks and sets the values on which the laws of all contacts and the steps must agree.
void stick_settle_laws(StickReader *reader);
// Finds the index of a material; reports an error if no material has this name.
StickStatus stick_read_material(StickReader *reader, const StickField *field, const StickYaml *node,
                                int *index);
// Path of a file, relative to the model file; in the tree it becomes an absolute one.
StickStatus stick_read_path(StickReader *reader, const StickField *field, StickYaml *node, char **path);

// Complains if two arrays of three prescribe the same component.
void stick_check_prescribed(StickReader *reader, const StickYaml *node,
                            StickExpression *const displacement[3], StickExpression *const velocity[3]);

// Complains if a name occurs twice among count items of the given size, at the offset of their char *name.
typedef struct StickNamed {
    const void *items;
    size_t size;
    int count;
    size_t name_at;
    size_t mark_at;
} StickNamed;
void stick_check_unique(StickReader *reader, const char *what, const StickNamed *named);

#endif
