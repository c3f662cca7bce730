// SPDX-License-Identifier: Apache-2.0
#include "study/transient_check.h"

#include "base/file.h"
#include "base/memory.h"
#include "bodies/products.h"
#include "output/growth_table.h"
#include "stability/disturbance.h"
#include "stability/sliding_state.h"
#include "study/step_files.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// What a contact does in the state that is disturbed.
typedef struct Contact {
    StickContactStatus status;
    double mu;
    double r[2], u[2]; // along the tangents
} Contact;

struct StickTransientCheck {
    StickContext *ctx;
    StickTransientCheckTask task;
    StickDisturbance mode;
    int n;
    double t0;        // where the path ends
    double *start;    // n: displacements to begin with; NULL: along the mode, or none
    double *d, *rate; // n: of the disturbance now
    int slots;
    Contact *contact;   // slots
    bool *seen;         // slots
    double least_speed; // of all contacts that slip; 0: none does
    StickBook book;
    StickTable *table;
};

// ---- the mode

static void keep_contacts(StickTransientCheck *confirm, const StickPathRecord *path, int k)
{
    const StickPathTouch *touch = stick_path_record_touches(path, k);
    for (int j = 0; j < (int)path->status[k].count; j++) {
        Contact *contact = &confirm->contact[(int)touch[j].slot];
        double speed = hypot(touch[j].u[1], touch[j].u[2]);
        *contact = (Contact){.status = (StickContactStatus)touch[j].status, .mu = touch[j].mu};
        memcpy(contact->r, touch[j].r + 1, sizeof contact->r);
        memcpy(contact->u, touch[j].u + 1, sizeof contact->u);
        bool slower = confirm->least_speed == 0 || speed < confirm->least_speed;
        if (contact->status == STICK_SLIPPING && contact->mu > 0 && slower)
            confirm->least_speed = speed;
    }
}

static const StickStabilitySpec *judged_by(const StickTransientCheck *confirm)
{
    return &confirm->task.system->model->step[confirm->task.step->perturb.of].stability;
}

// Numbers are those of the modes that the stability step has found.
static StickStatus use_reduced(StickTransientCheck *confirm, const StickReduced *reduced,
                               const StickSpectrumOptions *options)
{
    const StickPerturbSpec *perturb = &confirm->task.step->perturb;
    STICK_TRY(stick_disturbance_create(confirm->ctx, reduced, options, perturb->mode, &confirm->mode));
    if (!(perturb->random > 0))
        return STICK_OK;
    STICK_ALLOC(confirm->ctx, confirm->start, confirm->n);
    return stick_disturbance_random(confirm->ctx, reduced, (uint64_t)perturb->seed, confirm->start);
}

static StickStatus use_state(StickTransientCheck *confirm, const StickSlidingSource *source,
                             const StickSlidingState *state)
{
    StickStabilityOptions options =
        stick_sliding_state_options(source, judged_by(confirm), source->record->count - 1);
    StickReduced reduced;
    STICK_TRY(stick_sliding_check(confirm->ctx, &state->sliding, options.tolerance));
    STICK_TRY(stick_reduced_create(confirm->ctx, &state->sliding, &reduced));
    StickStatus status = use_reduced(confirm, &reduced, &options.spectrum);
    stick_reduced_destroy(confirm->ctx, &reduced);
    return status;
}

static StickStatus use_whole(StickTransientCheck *confirm, const StickGlobalMatrices *whole)
{
    const StickPathRecord *path = confirm->task.path;
    StickSlidingSource source = {.record = path, .whole = whole, .no_slope = judged_by(confirm)->no_slope};
    StickSlidingState state;
    const StickFromSpec *from = &confirm->task.step->from;
    STICK_TRY(stick_simulation_create(confirm->ctx, confirm->task.system, path->of, &source.run));
    // of a family: the law as it is in the motion
    StickStatus status =
        from->parameter ? stick_step_laws_vary(source.run, from->parameter, from->value) : STICK_OK;
    if (status == STICK_OK)
        status = stick_sliding_state_create(confirm->ctx, &source, path->count - 1, &state);
    if (status == STICK_OK) {
        status = use_state(confirm, &source, &state);
        stick_sliding_state_destroy(confirm->ctx, &state);
    }
    confirm->slots = source.run->state.memory.count;
    stick_simulation_destroy(source.run);
    return status;
}

static StickStatus find_mode(StickTransientCheck *confirm)
{
    const StickPerturbSpec *perturb = &confirm->task.step->perturb;
    StickGlobalMatrices whole;
    const StickPathRecord *path = confirm->task.path;
    const StickStabilitySpec own = {.mass = STICK_MASS_MODEL};
    STICK_TRY(
        stick_sliding_state_whole(confirm->ctx, confirm->task.system, path, &own, path->count - 1, &whole));
    StickStatus status = use_whole(confirm, &whole);
    stick_global_matrices_destroy(confirm->ctx, &whole);
    if (status == STICK_BAD_INPUT)
        return stick_fail_at(confirm->ctx, status, perturb->mark,
                             "step '%s' cannot start with a disturbance of the state that '%s' has judged",
                             confirm->task.step->name, confirm->task.system->model->step[perturb->of].name);
    return status;
}

static StickStatus fill(StickTransientCheck *confirm)
{
    const StickPathRecord *path = confirm->task.path;
    STICK_CHECK(confirm->ctx, path && path->count > 0 && path->end_v, STICK_IO,
                "the path that step '%s' starts from is not in the checkpoint", confirm->task.step->name);
    confirm->t0 = path->of->end;
    STICK_TRY(find_mode(confirm));
    STICK_ALLOC(confirm->ctx, confirm->d, confirm->n);
    STICK_ALLOC(confirm->ctx, confirm->rate, confirm->n);
    STICK_ALLOC(confirm->ctx, confirm->contact, confirm->slots);
    STICK_ALLOC(confirm->ctx, confirm->seen, confirm->slots);
    keep_contacts(confirm, path, path->count - 1);
    stick_growth_book_init(&confirm->book, confirm->task.system);
    return STICK_OK;
}

StickStatus stick_transient_check_create(StickContext *ctx, const StickTransientCheckTask *task,
                                         StickTransientCheck **confirm)
{
    StickTransientCheck *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->task = *task;
    created->n = task->system->ndofs;
    StickStatus status = fill(created);
    if (status != STICK_OK) {
        stick_transient_check_destroy(created);
        return status;
    }
    *confirm = created;
    return STICK_OK;
}

void stick_transient_check_destroy(StickTransientCheck *confirm)
{
    if (!confirm)
        return;
    StickContext *ctx = confirm->ctx;
    stick_table_close(confirm->table);
    stick_disturbance_destroy(ctx, &confirm->mode);
    stick_free(ctx, confirm->start);
    stick_free(ctx, confirm->d);
    stick_free(ctx, confirm->rate);
    stick_free(ctx, confirm->contact);
    stick_free(ctx, confirm->seen);
    stick_free(ctx, confirm);
}

// ---- the start

// q, v of the path and of the disturbance; supports have what is prescribed.
static void disturb(const StickTransientCheck *confirm, StickSimulation *run)
{
    const StickPerturbSpec *perturb = &confirm->task.step->perturb;
    StickMotion *now = &run->state.now;
    double complex lambda = confirm->mode.mode.lambda;
    for (int i = 0; i < confirm->n; i++) {
        double complex d = perturb->amplitude > 0 ? perturb->amplitude * confirm->mode.shape[i] : 0;
        if (run->prescribed[i])
            continue;
        now->v[i] = confirm->task.path->end_v[i] + creal(lambda * d);
        now->q[i] += creal(d) + (confirm->start ? perturb->random * confirm->start[i] : 0);
        now->a[i] = creal(lambda * lambda * d);
    }
}

// Newmark's scheme also has accelerations, and forces that belong to the start. What disturbs those of contact is
// entered as tangential.
static void set_forces(StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    if (run->scheme.kind != STICK_SCHEME_NEWMARK) {
        memset(now->a, 0, (size_t)run->state.n * sizeof *now->a);
        return;
    }
    stick_system_products(run->system, now->q, now->a, now->Ma, run->work, run->rhs);
    for (int i = 0; i < run->state.n; i++) {
        double force = now->Ma[i] + now->Cv[i] + now->Kq[i] - now->F[i] - now->contact_N[i];
        if (run->prescribed[i])
            now->reaction[i] = force - now->contact_T[i];
        else
            now->contact_T[i] = force;
    }
}

static const char growth_file[] = "history/%.400s-growth.csv";

static StickStepFiles files_of(const StickTransientCheck *confirm)
{
    return (StickStepFiles){confirm->ctx, confirm->task.folder, confirm->task.step};
}

static StickStatus write_mode(StickTransientCheck *confirm)
{
    StickStepFiles files = files_of(confirm);
    StickBook book;
    StickTable *table;
    char *folder;
    STICK_TRY(stick_step_files_folder(&files, &folder));
    stick_free(confirm->ctx, folder);
    stick_growth_mode_init(&book, confirm->task.system);
    stick_growth_mode_fill(&book, confirm->t0, &confirm->mode.mode,
                           DBL_EPSILON * stick_simulation_largest(confirm->task.path->end_q, confirm->n));
    STICK_TRY(stick_step_files_table(&files, "stability/%.400s/mode.csv", &book, &table));
    StickStatus status = stick_table_row(table, book.row);
    StickStatus closed = stick_table_close(table);
    return status != STICK_OK ? status : closed;
}

StickStatus stick_transient_check_start(StickTransientCheck *confirm, StickSimulation *run)
{
    StickStepFiles files = files_of(confirm);
    disturb(confirm, run);
    STICK_TRY(stick_simulation_refresh(run));
    set_forces(run);
    stick_ledger_disturb(&run->ledger, run->system, &run->state.now);
    STICK_TRY(write_mode(confirm));
    STICK_TRY(stick_step_files_table(&files, growth_file, &confirm->book, &confirm->table));
    return stick_transient_check_see(confirm, run);
}

// ---- resume

// Bytes of the header and of so many rows; 0 if there are fewer.
static StickStatus measure_rows(StickTransientCheck *confirm, const char *path, long rows, int64_t *position)
{
    char *bytes;
    size_t count;
    long lines = 0;
    *position = 0;
    STICK_TRY(stick_file_read(confirm->ctx, path, &bytes, &count));
    for (size_t k = 0; k < count && lines < rows + 1; k++) {
        lines += bytes[k] == '\n';
        if (lines == rows + 1)
            *position = (int64_t)k + 1;
    }
    stick_free(confirm->ctx, bytes);
    STICK_CHECK(confirm->ctx, *position > 0, STICK_IO, "'%s' has fewer rows than its checkpoint knows, %ld",
                path, rows);
    return STICK_OK;
}

// There is a row of the start and one of each time step.
StickStatus stick_transient_check_resume(StickTransientCheck *confirm, const StickSimulation *run)
{
    char name[512];
    const char *columns[STICK_BOOK_COLUMNS];
    int64_t position;
    for (int k = 0; k < confirm->book.ncolumns; k++)
        columns[k] = confirm->book.column[k];
    stick_table_close(confirm->table);
    confirm->table = NULL;
    snprintf(name, sizeof name, growth_file, confirm->task.step->name);
    char *path = stick_path_join(confirm->ctx, confirm->task.folder, name);
    StickStatus status = path ? measure_rows(confirm, path, run->state.step + 1, &position) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = stick_table_resume(confirm->ctx, path, columns, confirm->book.ncolumns, position,
                                    &confirm->table);
    stick_free(confirm->ctx, path);
    return status;
}

// ---- every step

// What is left of the path, which goes on straight.
static void subtract_path(StickTransientCheck *confirm, const StickSimulation *run)
{
    const StickPathRecord *path = confirm->task.path;
    const StickMotion *now = &run->state.now;
    double t = now->t - run->t_start;
    for (int i = 0; i < confirm->n; i++) {
        confirm->d[i] = run->prescribed[i] ? 0 : now->q[i] - path->end_q[i] - t * path->end_v[i];
        confirm->rate[i] = run->prescribed[i] ? 0 : now->v[i] - path->end_v[i];
    }
}

// Frictionless ones are open or closed, all others are also told apart by what their friction does.
static bool is_changed(const Contact *before, StickContactStatus status, const double *r, int tangents)
{
    double along = 0;
    if (before->mu == 0 && status != STICK_APART)
        return before->status == STICK_APART;
    for (int k = 0; k < tangents; k++)
        along += before->r[k] * r[1 + k];
    return status != before->status || (status == STICK_SLIPPING && along < 0);
}

static double sliding_change(const Contact *before, const double *u, int tangents)
{
    double square = 0;
    for (int k = 0; k < tangents; k++)
        square += (u[1 + k] - before->u[k]) * (u[1 + k] - before->u[k]);
    return sqrt(square);
}

// Contacts that are not what they were, and how much faster or slower those slide that are.
static int look_at_contacts(StickTransientCheck *confirm, const StickSimulation *run, double *fastest)
{
    int changed = 0, dim = run->system->dim;
    *fastest = 0;
    memset(confirm->seen, 0, (size_t)confirm->slots * sizeof *confirm->seen);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int slot = stick_memory_slot(&run->state.memory, &run->contacts.contact[c]);
        const Contact *before = &confirm->contact[slot];
        confirm->seen[slot] = true;
        changed += is_changed(before, stick_simulation_status(run, c), &run->r[c * dim], dim - 1);
        if (before->status == STICK_SLIPPING)
            *fastest = fmax(*fastest, sliding_change(before, &run->u[c * dim], dim - 1));
    }
    for (int slot = 0; slot < confirm->slots; slot++)
        changed += !confirm->seen[slot] && confirm->contact[slot].status != STICK_APART;
    return changed;
}

StickStatus stick_transient_check_see(StickTransientCheck *confirm, const StickSimulation *run)
{
    StickGrowthRow row = {.t = run->state.now.t, .speed_ratio = NAN};
    double fastest;
    subtract_path(confirm, run);
    row.a = stick_disturbance_measure(&confirm->mode, confirm->d, confirm->rate);
    row.largest = stick_simulation_largest(confirm->d, confirm->n);
    if (run->state.step > 0) { // before, nothing is known of forces
        row.changed = look_at_contacts(confirm, run, &fastest);
        row.speed_ratio = confirm->least_speed > 0 ? fastest / confirm->least_speed : 0;
    }
    stick_growth_book_fill(&confirm->book, &row);
    return stick_table_row(confirm->table, confirm->book.row);
}

StickStatus stick_transient_check_save(StickTransientCheck *confirm, const StickTable **table)
{
    int64_t position;
    *table = confirm->table;
    return stick_table_position(confirm->table, &position);
}
