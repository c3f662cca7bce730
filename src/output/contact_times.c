// SPDX-License-Identifier: Apache-2.0
#include "output/contact_times.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 40, NEVER = -1 };

// What is summed up over the time steps of a part.
enum { STUCK, SLID, IMPACTS, FORCE, FORCE_SQUARE, FORCE_MOST, SPEED, SUMS };

void stick_contact_times_init(StickContext *ctx, const StickStepSpec *step, StickContactTimes *times)
{
    *times = (StickContactTimes){.ctx = ctx, .step = step};
}

void stick_contact_times_destroy(StickContactTimes *times)
{
    StickContext *ctx = times->ctx;
    stick_free(ctx, times->row_of);
    stick_free(ctx, times->slot);
    stick_free(ctx, times->before);
    stick_free(ctx, times->now);
    stick_free(ctx, times->force);
    stick_free(ctx, times->speed);
    stick_free(ctx, times->sum);
    stick_free(ctx, times->count);
    *times = (StickContactTimes){0};
}

static size_t row_size(const StickContactTimes *times)
{
    return (size_t)times->parts * SUMS;
}

static StickStatus reserve_rows(StickContactTimes *times, int rows)
{
    StickContext *ctx = times->ctx;
    STICK_RESERVE(ctx, times->slot, times->slot_capacity, rows);
    STICK_RESERVE(ctx, times->before, times->before_capacity, rows);
    STICK_RESERVE(ctx, times->now, times->now_capacity, rows);
    STICK_RESERVE(ctx, times->force, times->force_capacity, rows);
    STICK_RESERVE(ctx, times->speed, times->speed_capacity, rows);
    STICK_RESERVE(ctx, times->sum, times->sum_capacity, (size_t)rows * row_size(times));
    return STICK_OK;
}

// Parts have at least one time step each.
static StickStatus begin(StickContactTimes *times, int slots, double t_start, double h, double nsteps)
{
    times->slots = slots;
    times->t_start = t_start;
    times->h = h;
    times->nsteps = nsteps;
    times->parts = (int)fmax(1, fmin(PARTS, nsteps));
    if (!times->row_of)
        STICK_ALLOC(times->ctx, times->row_of, times->slots + 1);
    if (!times->count)
        STICK_ALLOC(times->ctx, times->count, times->parts);
    times->begun = true;
    return STICK_OK;
}

// ---- one time step

// Nodes of the bodies of first surfaces, pair by pair.
static int slots_of(const StickSystem *system, int pair)
{
    return system->body[system->model->contact[pair].slave.body].mesh.nnodes;
}

// A node is one, also where it stands in a corner and has two contacts.
static int slot_of(const StickSimulation *run, const StickContact *contact)
{
    int first = 0;
    for (int pair = 0; pair < contact->pair; pair++)
        first += slots_of(run->system, pair);
    return first + contact->node;
}

static StickStatus add_row(StickContactTimes *times, int slot, double before)
{
    int row = times->nrows;
    STICK_TRY(reserve_rows(times, row + 1));
    memset(&times->sum[(size_t)row * row_size(times)], 0, row_size(times) * sizeof *times->sum);
    times->slot[row] = slot;
    times->before[row] = before;
    times->now[row] = STICK_APART;
    times->force[row] = times->speed[row] = 0;
    times->row_of[slot] = ++times->nrows;
    return STICK_OK;
}

static StickStatus look(StickContactTimes *times, const StickSimulation *run)
{
    int dim = run->system->dim;
    double force = stick_simulation_force(run), before = run->state.step > 1 ? STICK_APART : NEVER;
    for (int row = 0; row < times->nrows; row++)
        times->now[row] = times->force[row] = times->speed[row] = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        if (contact->pair < 0)
            continue;
        int slot = slot_of(run, contact);
        if (times->row_of[slot] == 0)
            STICK_TRY(add_row(times, slot, before));
        int row = times->row_of[slot] - 1;
        const double *u = &run->u[c * dim];
        double speed = dim == 3 ? hypot(u[1], u[2]) : dim == 2 ? fabs(u[1]) : 0;
        times->now[row] = fmax(times->now[row], stick_simulation_status(run, c));
        times->force[row] += force * run->r[c * dim];
        times->speed[row] = fmax(times->speed[row], speed);
    }
    return STICK_OK;
}

static void add_up(StickContactTimes *times, int part)
{
    times->count[part]++;
    for (int row = 0; row < times->nrows; row++) {
        double *sum = &times->sum[(size_t)row * row_size(times) + (size_t)part * SUMS];
        double status = times->now[row], force = times->force[row];
        sum[STUCK] += status == STICK_STICKING;
        sum[SLID] += status == STICK_SLIPPING;
        sum[IMPACTS] += status != STICK_APART && times->before[row] == STICK_APART;
        sum[FORCE] += force;
        sum[FORCE_SQUARE] += force * force;
        sum[FORCE_MOST] = fmax(sum[FORCE_MOST], force);
        sum[SPEED] += status == STICK_SLIPPING ? times->speed[row] : 0;
        times->before[row] = status;
    }
}

StickStatus stick_contact_times_see(StickContactTimes *times, const StickSimulation *run)
{
    if (run->spec != times->step || run->state.step < 1)
        return STICK_OK;
    if (!times->begun)
        STICK_TRY(begin(times, run->state.memory.count, run->t_start, run->spec->step, (double)run->nsteps));
    STICK_TRY(look(times, run));
    double part = floor((double)(run->state.step - 1) / (double)run->nsteps * times->parts);
    add_up(times, (int)fmin(part, times->parts - 1));
    return STICK_OK;
}

// ---- checkpoints

enum { NAME_TEXT = 64, HEAD = 4 };

static void name_part(int number, const char *part, char name[NAME_TEXT])
{
    snprintf(name, NAME_TEXT, "times/%d/%s", number, part);
}

StickStatus stick_contact_times_put(StickCheckpointWriter *writer, int number, const StickContactTimes *times)
{
    char name[NAME_TEXT];
    size_t rows = (size_t)times->nrows;
    if (!times->begun)
        return STICK_OK;
    const double head[HEAD] = {times->nrows, times->t_start, times->h, times->nsteps};
    name_part(number, "head", name);
    STICK_TRY(stick_checkpoint_put_doubles(writer, name, head, HEAD));
    name_part(number, "count", name);
    STICK_TRY(stick_checkpoint_put_doubles(writer, name, times->count, (size_t)times->parts));
    if (rows == 0)
        return STICK_OK;
    name_part(number, "slot", name);
    STICK_TRY(stick_checkpoint_put_doubles(writer, name, times->slot, rows));
    name_part(number, "before", name);
    STICK_TRY(stick_checkpoint_put_doubles(writer, name, times->before, rows));
    name_part(number, "sum", name);
    return stick_checkpoint_put_doubles(writer, name, times->sum, rows * row_size(times));
}

// What comes from a file must not lead out of the arrays.
static StickStatus map_rows(StickContactTimes *times)
{
    for (int row = 0; row < times->nrows; row++) {
        double slot = times->slot[row];
        STICK_CHECK(times->ctx, slot >= 0 && slot < times->slots && slot == floor(slot), STICK_BAD_INPUT,
                    "the checkpoint has a contact that the model has not");
        times->row_of[(int)slot] = row + 1;
    }
    return STICK_OK;
}

static StickStatus get_rows(const StickCheckpoint *checkpoint, int number, StickContactTimes *times)
{
    char name[NAME_TEXT];
    size_t rows = (size_t)times->nrows;
    STICK_TRY(reserve_rows(times, times->nrows));
    name_part(number, "slot", name);
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, name, times->slot, rows));
    name_part(number, "before", name);
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, name, times->before, rows));
    name_part(number, "sum", name);
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, name, times->sum, rows * row_size(times)));
    return map_rows(times);
}

StickStatus stick_contact_times_get(const StickCheckpoint *checkpoint, int number, const StickSimulation *run,
                                    StickContactTimes *times)
{
    char name[NAME_TEXT];
    double head[HEAD];
    name_part(number, "head", name);
    if (!stick_checkpoint_has(checkpoint, name))
        return STICK_OK;
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, name, head, HEAD));
    STICK_CHECK(times->ctx, head[0] >= 0 && head[0] <= run->state.memory.count, STICK_BAD_INPUT,
                "the checkpoint has more contacts than the model");
    STICK_TRY(begin(times, run->state.memory.count, head[1], head[2], head[3]));
    times->nrows = (int)head[0];
    name_part(number, "count", name);
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, name, times->count, (size_t)times->parts));
    return times->nrows > 0 ? get_rows(checkpoint, number, times) : STICK_OK;
}

// ---- the table

void stick_contact_times_book(const StickSystem *system, StickBook *book)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const char *const shares[] = {"stick", "slip", "apart", "impacts"};
    *book = (StickBook){.name = "contacts"};
    stick_book_add(book, system, "t", STICK_TIME);
    stick_book_add(book, system, "end", STICK_TIME);
    stick_book_add(book, system, "pair", STICK_NO_UNIT);
    stick_book_add(book, system, "body", STICK_NO_UNIT);
    stick_book_add(book, system, "node", STICK_NO_UNIT);
    for (int k = 0; k < system->dim; k++)
        stick_book_add(book, system, axes[k], STICK_LENGTH);
    for (int k = 0; k < 4; k++)
        stick_book_add(book, system, shares[k], STICK_NO_UNIT);
    stick_book_add(book, system, "normal_force", STICK_FORCE);
    stick_book_add(book, system, "normal_force_rms", STICK_FORCE);
    stick_book_add(book, system, "normal_force_most", STICK_FORCE);
    stick_book_add(book, system, "sliding_speed", STICK_VELOCITY);
}

// Parts first ... end - 1 of the step.
static void parts_of(const StickContactTimes *times, double from, double to, int *first, int *end)
{
    double length = times->h * times->nsteps / times->parts;
    double a = ceil((from - times->t_start) / length - 1e-6),
           b = floor((to - times->t_start) / length + 1e-6);
    *first = (int)fmax(0, fmin(a, times->parts - 1));
    *end = (int)fmax(*first + 1, fmin(b, times->parts));
}

// Nodes in the order of the model: pairs, then their numbers. The next slot that was seen behind one, or -1.
static int next_slot(const StickContactTimes *times, int slot)
{
    for (slot++; slot < times->slots; slot++)
        if (times->row_of[slot] > 0)
            return slot;
    return -1;
}

static bool touched(const StickContactTimes *times, int row)
{
    const double *sum = &times->sum[(size_t)row * row_size(times)];
    double all = 0;
    for (int part = 0; part < times->parts; part++)
        all += sum[part * SUMS + STUCK] + sum[part * SUMS + SLID];
    return all > 0;
}

static double sum_up(const StickContactTimes *times, int row, int first, int end, double total[SUMS])
{
    double count = 0;
    memset(total, 0, SUMS * sizeof *total);
    for (int part = first; part < end; part++) {
        const double *sum = &times->sum[(size_t)row * row_size(times) + (size_t)part * SUMS];
        count += times->count[part];
        for (int k = 0; k < SUMS; k++)
            total[k] = k == FORCE_MOST ? fmax(total[k], sum[k]) : total[k] + sum[k];
    }
    return count;
}

static void fill_place(const StickSystem *system, int slot, double *row, int *column)
{
    const StickModel *model = system->model;
    int pair = 0, first = 0, body = model->contact[0].slave.body;
    while (slot >= first + slots_of(system, pair)) {
        first += slots_of(system, pair);
        body = model->contact[++pair].slave.body;
    }
    const StickMesh *mesh = &system->body[body].mesh;
    row[(*column)++] = pair + 1;
    row[(*column)++] = body;
    row[(*column)++] = (double)stick_mesh_node_tag(mesh, slot - first);
    for (int k = 0; k < system->dim; k++)
        row[(*column)++] = mesh->x[(slot - first) * system->dim + k];
}

static void fill_row(const StickContactTimes *times, const StickSystem *system, int slot, int first, int end,
                     double row[STICK_BOOK_COLUMNS])
{
    double total[SUMS], n = sum_up(times, times->row_of[slot] - 1, first, end, total);
    double mean = total[FORCE] / n, square = fmax(0, total[FORCE_SQUARE] / n - mean * mean);
    double length = times->h * times->nsteps / times->parts;
    int column = 0;
    row[column++] = times->t_start + first * length;
    row[column++] = times->t_start + end * length;
    fill_place(system, slot, row, &column);
    const double rest[] = {total[STUCK] / n,
                           total[SLID] / n,
                           (n - total[STUCK] - total[SLID]) / n,
                           total[IMPACTS],
                           mean,
                           sqrt(square),
                           total[FORCE_MOST],
                           total[SLID] > 0 ? total[SPEED] / total[SLID] : 0};
    memcpy(&row[column], rest, sizeof rest);
}

StickStatus stick_contact_times_rows(const StickContactTimes *times, const StickSystem *system, double from,
                                     double to, StickContactTimesRow take, void *user)
{
    double row[STICK_BOOK_COLUMNS];
    int first, end;
    if (!times->begun)
        return STICK_OK;
    parts_of(times, from, to, &first, &end);
    for (int slot = next_slot(times, -1); slot >= 0; slot = next_slot(times, slot)) {
        if (!touched(times, times->row_of[slot] - 1))
            continue;
        fill_row(times, system, slot, first, end, row);
        STICK_TRY(take(user, row));
    }
    return STICK_OK;
}
