// SPDX-License-Identifier: Apache-2.0
#include "report/signals_part.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "report/summary_tree.h"
#include "report/wav_file.h"

#include <string.h>

typedef struct Part {
    StickContext *ctx, *quiet;
    const char *folder;
    const StickYaml *summary;
    const StickSignalsRoom *room;
    StickBlobs *blocks;
    StickJson *json;
    StickSignalsLoss *loss;
    size_t used; // samples
} Part;

// A summary may say anything: what is no plain name leads out of the folder.
static bool is_plain(const char *name)
{
    return name && name[0] != '\0' && name[0] != '.' && !strchr(name, '/');
}

static const StickYaml *map_of(const Part *part, const char *key)
{
    const StickYaml *map = stick_summary_find(part->summary, key);
    return map && map->kind == STICK_YAML_MAP ? map : NULL;
}

// ---- tables

// A portrait with gaps would be another curve: of a long one the last rows are kept, where the motion is what it became.
static size_t keep_last(const StickColumns *columns, size_t most, bool *keep, bool *blunt)
{
    size_t nrows = columns->nrows, kept = most < nrows ? most : nrows;
    for (size_t row = 0; row < nrows; row++)
        keep[row] = row + kept >= nrows;
    *blunt = kept < nrows;
    return kept;
}

// The file is before<name>behind.
static StickStatus add_table(const Part *part, const char *kind, const char *before, const char *name,
                             const char *behind)
{
    StickText path;
    stick_text_init(&path, part->ctx);
    stick_text_add(&path, "%s/%s%s%s", part->folder, before, name, behind);
    StickStatus status = stick_text_status(&path);
    StickTablesFile file = {.path = path.bytes,
                            .name = name,
                            .kind = kind,
                            .choose = strcmp(kind, "portrait") == 0 ? keep_last : NULL};
    if (status == STICK_OK)
        status = stick_tables_add_file(part->ctx, &file, &part->room->table, part->blocks, part->json,
                                       &part->loss->tables);
    stick_text_destroy(&path);
    return status;
}

// A table of each that a map of the summary names.
static StickStatus add_tables(const Part *part, const char *key, const char *map, const char *kind,
                              const char *before, const char *behind)
{
    const StickYaml *named = map_of(part, map);
    stick_json_key(part->json, key);
    stick_json_list(part->json);
    for (const StickYaml *one = named ? named->first : NULL; one; one = one->next)
        if (is_plain(one->key))
            STICK_TRY(add_table(part, kind, before, one->key, behind));
    stick_json_end_list(part->json);
    return STICK_OK;
}

// ---- sounds

// Samples that there is room for.
static size_t room_for(const Part *part, size_t count)
{
    size_t room = part->room->samples, left = room > part->used ? room - part->used : 0;
    return room == 0 || count < left ? count : left;
}

// A tone changes little from one sample to the next.
static StickStatus pack(const Part *part, const StickWavFile *sound, size_t kept, int *block)
{
    StickBlobsScale scale = {STICK_BLOB_INT16, 1.0 / 32768, 0};
    return stick_blobs_add_frames(part->blocks, &scale, sound->sample, kept, 1, block);
}

static StickStatus add_samples(Part *part, const char *file, const StickWavFile *sound, size_t kept)
{
    int block;
    part->used += kept;
    STICK_TRY(pack(part, sound, kept, &block));
    stick_json_object(part->json);
    stick_json_add_text(part->json, "file", file);
    stick_json_add_integer(part->json, "rate", sound->rate);
    stick_json_add_integer(part->json, "samples", (long long)sound->count);
    stick_json_add_integer(part->json, "kept", (long long)kept);
    stick_json_key(part->json, "data");
    stick_blobs_json(part->json, part->blocks, block);
    stick_json_end_object(part->json);
    return STICK_OK;
}

static StickStatus add_sound(Part *part, const char *file, const StickWavFile *sound)
{
    size_t kept = room_for(part, sound->count);
    if (kept < sound->count) {
        part->loss->cut_sounds++;
        part->loss->seconds += (double)sound->count / sound->rate;
        part->loss->heard += (double)kept / sound->rate;
    }
    if (kept > 0)
        return add_samples(part, file, sound, kept);
    stick_json_text(part->json, NULL);
    return STICK_OK;
}

static StickStatus read_sound(Part *part, const char *file)
{
    StickWavFile sound = {0};
    char *path = stick_path_join(part->ctx, part->folder, file);
    StickStatus status = path ? stick_wav_file_read(part->quiet, path, &sound) : STICK_NO_MEMORY;
    if (status != STICK_OK && status != STICK_NO_MEMORY) {
        part->loss->unreadable_sounds++;
        stick_diagnostic_filter_warn(part->quiet, part->ctx, "a sound is left out");
        stick_json_text(part->json, NULL);
        status = STICK_OK;
    } else if (status == STICK_OK) {
        status = add_sound(part, file, &sound);
    }
    stick_wav_file_destroy(part->quiet, &sound);
    stick_free(part->ctx, path);
    return status;
}

// "sound": {"file": "squeal.wav", ...} of a signal in the summary
static const char *file_of(const StickYaml *signal)
{
    const char *file = stick_summary_text(stick_summary_find(signal, "sound"), "file");
    return is_plain(file) ? file : NULL;
}

// ---- signals

static StickStatus add_signal(Part *part, const StickYaml *signal)
{
    const char *file = file_of(signal);
    stick_json_object(part->json);
    stick_json_add_text(part->json, "name", signal->key);
    stick_json_key(part->json, "spectrum");
    STICK_TRY(add_table(part, "amplitudes", "motion/", signal->key, "/spectrum.csv"));
    stick_json_key(part->json, "sound");
    if (file)
        STICK_TRY(read_sound(part, file));
    else
        stick_json_text(part->json, NULL);
    stick_json_end_object(part->json);
    return STICK_OK;
}

static StickStatus add(Part *part)
{
    const StickYaml *signals = map_of(part, "signals");
    stick_json_key(part->json, "all");
    stick_json_list(part->json);
    for (const StickYaml *one = signals ? signals->first : NULL; one; one = one->next)
        if (is_plain(one->key))
            STICK_TRY(add_signal(part, one));
    stick_json_end_list(part->json);
    STICK_TRY(add_tables(part, "portraits", "portraits", "portrait", "history/", ".csv"));
    return add_tables(part, "contacts", "statistics", "contacts", "motion/", "/contacts.csv");
}

StickStatus stick_signals_part_add(StickContext *ctx, const char *folder, const StickYaml *summary,
                                   const StickSignalsRoom *room, StickBlobs *blocks, StickJson *json,
                                   StickSignalsLoss *loss)
{
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    *loss = (StickSignalsLoss){0};
    Part part = {ctx, quiet, folder, summary, room, blocks, json, loss, 0};
    stick_json_object(json);
    StickStatus status = add(&part);
    stick_json_end_object(json);
    stick_context_destroy(quiet);
    return status;
}
