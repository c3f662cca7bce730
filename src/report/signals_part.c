// SPDX-License-Identifier: Apache-2.0
#include "report/signals_part.h"

#include "base/file.h"
#include "base/quiet.h"
#include "report/listing.h"
#include "report/sound.h"

#include <stdio.h>
#include <string.h>

// By what their names begin with (docs/results.md).
static const char spectrum[] = "spectrum-", portrait[] = "phase-", contacts[] = "contact-statistics";

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

bool stick_signals_have(const char *name)
{
    return begins(name, spectrum) || begins(name, portrait) || begins(name, contacts);
}

typedef struct Part {
    StickContext *ctx, *quiet;
    const char *folder;
    const StickSignalsRoom *room;
    StickPack *blocks;
    StickJson *json;
    StickSignalsLoss *loss;
    size_t used; // samples
} Part;

// ---- tables

// A portrait with gaps would be another curve: of a long one the last rows are kept, where the motion is what it has become.
static size_t keep_last(const StickColumns *columns, size_t most, bool *keep, bool *blunt)
{
    size_t nrows = columns->nrows, kept = most < nrows ? most : nrows;
    for (size_t row = 0; row < nrows; row++)
        keep[row] = row + kept >= nrows;
    *blunt = kept < nrows;
    return kept;
}

static StickStatus add_table(const Part *part, const char *name, const char *kind, const char *shown)
{
    StickText path;
    stick_text_init(&path, part->ctx);
    stick_text_add(&path, "%s/history/%s.csv", part->folder, name);
    StickStatus status = stick_text_status(&path);
    StickTablesFile file = {.path = path.bytes,
                            .name = shown,
                            .kind = kind,
                            .choose = strcmp(kind, "portrait") == 0 ? keep_last : NULL};
    if (status == STICK_OK)
        status = stick_tables_add_file(part->ctx, &file, &part->room->table, part->blocks, part->json,
                                       &part->loss->tables);
    stick_text_destroy(&path);
    return status;
}

static StickStatus add_tables(const Part *part, const StickListing *listing, const char *key,
                              const char *kind, const char *prefix)
{
    stick_json_key(part->json, key);
    stick_json_list(part->json);
    for (int k = 0; k < listing->count; k++) {
        const char *name = listing->name[k], *behind = name + strlen(prefix);
        if (begins(name, prefix))
            STICK_TRY(add_table(part, name, kind, *behind == '-' ? behind + 1 : behind));
    }
    stick_json_end_list(part->json);
    return STICK_OK;
}

static StickStatus list(const Part *part, const char *folder, const char *ending, StickListing *listing)
{
    char *path = stick_path_join(part->ctx, part->folder, folder);
    StickStatus status = path ? stick_listing_read(part->ctx, path, ending, listing) : STICK_NO_MEMORY;
    stick_free(part->ctx, path);
    return status;
}

static StickStatus add_all_tables(const Part *part)
{
    StickListing listing;
    STICK_TRY(list(part, "history", ".csv", &listing));
    StickStatus status = add_tables(part, &listing, "spectra", "spectrum", spectrum);
    if (status == STICK_OK)
        status = add_tables(part, &listing, "portraits", "portrait", portrait);
    if (status == STICK_OK)
        status = add_tables(part, &listing, "contacts", "contacts", contacts);
    stick_listing_destroy(part->ctx, &listing);
    return status;
}

// ---- sounds

// Samples that there is room for.
static size_t room_for(const Part *part, size_t count)
{
    size_t room = part->room->samples, left = room > part->used ? room - part->used : 0;
    return room == 0 || count < left ? count : left;
}

// A tone changes little from one sample to the next.
static StickStatus pack(const Part *part, const StickSound *sound, size_t kept, int *block)
{
    StickPackScale scale = {STICK_PACK_INT16, 1.0 / 32768, 0};
    return stick_pack_add_frames(part->blocks, &scale, sound->sample, kept, 1, block);
}

static StickStatus add_sound(Part *part, const char *name, const StickSound *sound)
{
    int block;
    size_t kept = room_for(part, sound->count);
    if (kept < sound->count) {
        part->loss->cut_sounds++;
        part->loss->seconds += (double)sound->count / sound->rate;
        part->loss->heard += (double)kept / sound->rate;
    }
    if (kept == 0)
        return STICK_OK;
    part->used += kept;
    STICK_TRY(pack(part, sound, kept, &block));
    stick_json_object(part->json);
    stick_json_add_text(part->json, "name", name);
    stick_json_add_integer(part->json, "rate", sound->rate);
    stick_json_add_integer(part->json, "samples", (long long)sound->count);
    stick_json_add_integer(part->json, "kept", (long long)kept);
    stick_json_key(part->json, "data");
    stick_pack_json(part->json, part->blocks, block);
    stick_json_end_object(part->json);
    return STICK_OK;
}

static StickStatus add_sound_file(Part *part, const char *name)
{
    StickText path;
    StickSound sound = {0};
    stick_text_init(&path, part->ctx);
    stick_text_add(&path, "%s/%s.wav", part->folder, name);
    StickStatus status = stick_text_status(&path);
    if (status == STICK_OK)
        status = stick_sound_read(part->quiet, path.bytes, &sound);
    if (status != STICK_OK && status != STICK_NO_MEMORY) {
        part->loss->unreadable_sounds++;
        stick_quiet_warn(part->quiet, part->ctx, "a sound is left out");
        status = STICK_OK;
    } else if (status == STICK_OK) {
        status = add_sound(part, name, &sound);
    }
    stick_sound_destroy(part->quiet, &sound);
    stick_text_destroy(&path);
    return status;
}

static StickStatus add_sounds(Part *part)
{
    StickListing listing;
    StickStatus status = STICK_OK;
    STICK_TRY(list(part, "", ".wav", &listing));
    stick_json_key(part->json, "sounds");
    stick_json_list(part->json);
    for (int k = 0; k < listing.count && status == STICK_OK; k++)
        status = add_sound_file(part, listing.name[k]);
    stick_json_end_list(part->json);
    stick_listing_destroy(part->ctx, &listing);
    return status;
}

StickStatus stick_signals_part_add(StickContext *ctx, const char *folder, const StickSignalsRoom *room,
                                   StickPack *blocks, StickJson *json, StickSignalsLoss *loss)
{
    StickContext *quiet = stick_quiet_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    *loss = (StickSignalsLoss){0};
    Part part = {ctx, quiet, folder, room, blocks, json, loss, 0};
    stick_json_object(json);
    StickStatus status = add_all_tables(&part);
    if (status == STICK_OK)
        status = add_sounds(&part);
    stick_json_end_object(json);
    stick_context_destroy(quiet);
    return status;
}
