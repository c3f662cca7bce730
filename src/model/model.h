// SPDX-License-Identifier: Apache-2.0
// The model: the checked contents of the model file, with every number evaluated or compiled.
//
// A model is read once and then constant. It contains no mesh: names of groups are kept as words with their place in
// the file, and are resolved when the mesh is built. Each list of the file has its own header (*_spec.h).
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/arena.h"
#include "base/text.h"
#include "model/body_spec.h"
#include "model/contact_spec.h"
#include "model/expression.h"
#include "model/gear_spec.h"
#include "model/joint_spec.h"
#include "model/load_spec.h"
#include "model/material_spec.h"
#include "model/obstacle_spec.h"
#include "model/output_spec.h"
#include "model/step_spec.h"
#include "model/study_spec.h"

#include <stickslip/study.h>

typedef struct StickUnits {
    char *length, *mass, *time, *force; // labels of a consistent set; m, kg, s, N by default
} StickUnits;

// A vector that must have as many components as space has dimensions.
typedef struct StickVectorSpec {
    StickMark mark;
    const char *key;
    int components;
} StickVectorSpec;

struct StickYaml;

typedef struct StickModel {
    StickContext *ctx;
    StickArena arena;            // every text and array of the model
    size_t first_said, end_said; // diagnostics of the context that reading it gave
    struct StickYaml *tree;      // the file with its parameters and paths resolved
    bool one_case;               // an override set a parameter that the cases vary
    char *case_text; // of a study: its file without the list of cases; NULL: they cannot be cut out by lines
    size_t case_text_length;
    int dim; // dimension of space, from the built-in meshes; 0: known only after reading mesh files
    size_t nvectors;
    size_t vector_capacity;
    StickVectorSpec *vector;
    char *file; // path as given
    char *title;
    StickUnits units;
    StickExpressions *expressions;
    int nmaterials;
    StickMaterial *material;
    int nbodies; // those of a `repeat` one by one, side by side
    StickBodySpec *body;
    int nrigid; // how many of them are rigid
    int ngears;
    StickGearPairSpec *gears;
    int nobstacles;
    StickObstacleSpec *obstacle;
    int nsupports;
    StickSupportSpec *support;
    int nloads;
    StickLoadSpec *load;
    StickExpression *gravity[3]; // sees t; NULL: none
    int ncontacts;
    StickContactSpec *contact; // between named surfaces
    int nmatings;
    size_t mating_capacity;
    StickContactSpec *mating; // of bodies on trajectories
    int nframes;
    StickFrameSpec *frame;
    int nrules;
    size_t rule_capacity;
    StickRuleSpec *rule;
    int njoints;
    StickJointSpec *joint;
    int nsteps;
    StickStepSpec *step;
    int ncases;
    StickCaseSpec *cases;
    int nchecks;
    StickCheckSpec *check;
    int noutcomes;
    StickCheckSpec *outcome;
    StickOutputSpec output;
} StickModel;

// Reads and checks a model file and reports all errors of the file. On an error all memory is freed. Values of cases
// are only checked for their form: each case is read again with its values as overrides.
StickStatus stick_model_read(StickContext *ctx, const char *path, const StickOverride *overrides,
                             int noverrides, StickModel **model);

// One case of a study that was read from the same file, its values among the overrides. The list of cases is not read again,
// so that reading all of them takes a time that is linear in their number.
StickStatus stick_model_read_case(StickContext *ctx, const StickModel *study, const char *path,
                                  const StickOverride *overrides, int noverrides, StickModel **model);
void stick_model_destroy(StickModel *model);

// Whether the motion of a dynamic step is analysed: it starts with a disturbance, or a signal or phase portrait uses
// it.
bool stick_step_is_told(const StickModel *model, int step);

// The unit after a frequency: " Hz" if time is in s, else " 1/ms" and the like.
enum { STICK_FREQUENCY_TEXT = 64 };
void stick_frequency_unit(const StickUnits *units, char text[STICK_FREQUENCY_TEXT]);

// A model that is in memory already.
typedef struct StickModelSource {
    const char *name;   // for messages
    const char *folder; // of the files that it names
    const char *bytes;
    size_t count;
    const StickOverride *overrides;
    int noverrides;
} StickModelSource;
StickStatus stick_model_read_text(StickContext *ctx, const StickModelSource *source, StickModel **model);

// Checks all vectors against the dimension of space, once it is known from a mesh file; with built-in meshes
// it is done at reading.
StickStatus stick_model_check_dim(const StickModel *model, int dim);

// The model as YAML that reads back to the same model from any folder: parameters have their final values (where
// cases or steps vary one, those that depend on it stay expressions), paths of mesh files are absolute, and of a run
// that is one case the list of cases is left out.
StickStatus stick_model_resolved(const StickModel *model, StickText *out);

// Reads the model again with a different value of a parameter that cases or steps vary.
StickStatus stick_model_vary(StickContext *ctx, const StickModel *model, const char *parameter, double value,
                             StickModel **varied);

// Index of the rule for a rigid body and another one, or an obstacle (other -1); -1 if they do not touch. Each side of a
// rule counts 0 for all, 1 for a material, 2 for several bodies, 3 for one body or obstacle: the largest sum holds, and
// of equals the first of the file.
int stick_model_rule(const StickModel *model, int body, int other, int obstacle);

// The laws of all contacts, followed by those of all rules.
int stick_model_laws(const StickModel *model);
const StickLawSpec *stick_model_law(const StickModel *model, int k);
StickMark stick_model_law_mark(const StickModel *model, int k);

// The pair of gears of that name, or NULL.
const StickGearPairSpec *stick_model_gears(const StickModel *model, const char *name, size_t length);

#endif
