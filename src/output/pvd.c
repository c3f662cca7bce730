// SPDX-License-Identifier: Apache-2.0
#include "output/pvd.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "output/manifest.h"
#include "output/xml.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                           "<Collection>\n";
static const char before_time[] = "<DataSet timestep=\"";
static const char before_file[] = "\" part=\"0\" file=\"";
static const char behind_file[] = "\"/>";
static const char tail[] = "</Collection>\n</VTKFile>\n";

void stick_pvd_init(StickPvd *pvd, StickContext *ctx)
{
    *pvd = (StickPvd){.ctx = ctx};
}

static void drop_entries(StickPvd *pvd)
{
    for (size_t k = 0; k < pvd->count; k++)
        stick_free(pvd->ctx, pvd->entry[k].file);
    pvd->count = 0;
}

void stick_pvd_destroy(StickPvd *pvd)
{
    drop_entries(pvd);
    stick_free(pvd->ctx, pvd->entry);
    *pvd = (StickPvd){.ctx = pvd->ctx};
}

StickStatus stick_pvd_add(StickPvd *pvd, double time, const char *file)
{
    STICK_CHECK(pvd->ctx, isfinite(time), STICK_BAD_INPUT, "the time %g of '%s' is no number", time, file);
    STICK_RESERVE(pvd->ctx, pvd->entry, pvd->capacity, pvd->count + 1);
    char *copy = stick_copy_text(pvd->ctx, file);
    if (!copy)
        return STICK_NO_MEMORY;
    pvd->entry[pvd->count++] = (StickPvdEntry){time, copy};
    return STICK_OK;
}

void stick_pvd_truncate(StickPvd *pvd, double time)
{
    size_t kept = 0;
    for (size_t k = 0; k < pvd->count; k++) {
        if (pvd->entry[k].time <= time)
            pvd->entry[kept++] = pvd->entry[k];
        else
            stick_free(pvd->ctx, pvd->entry[k].file);
    }
    pvd->count = kept;
}

// All but the end, which a longer series has later.
static void add_entries(const StickPvd *pvd, StickText *text)
{
    stick_text_add(text, "%s", head);
    for (size_t k = 0; k < pvd->count; k++) {
        stick_text_add(text, "%s", before_time);
        stick_text_add_number(text, pvd->entry[k].time);
        stick_text_add(text, "%s", before_file);
        stick_xml_add(text, pvd->entry[k].file);
        stick_text_add(text, "%s\n", behind_file);
    }
}

StickStatus stick_pvd_list(const StickPvd *pvd, const char *name, StickText *manifest)
{
    StickText text;
    stick_text_init(&text, pvd->ctx);
    add_entries(pvd, &text);
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        stick_manifest_add(manifest, name, (int64_t)text.length,
                           stick_hash(STICK_HASH_START, text.bytes, text.length));
    stick_text_destroy(&text);
    return status;
}

StickStatus stick_pvd_write(const StickPvd *pvd, const char *path)
{
    StickText text;
    stick_text_init(&text, pvd->ctx);
    add_entries(pvd, &text);
    stick_text_add(&text, "%s", tail);
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        status = stick_file_write(pvd->ctx, path, text.bytes, text.length);
    stick_text_destroy(&text);
    return status;
}

// ---- reading

// Cuts the text off at the first mark and returns what follows it, or NULL.
static char *cut(char *text, const char *mark)
{
    char *found = strstr(text, mark);
    if (!found)
        return NULL;
    *found = '\0';
    return found + strlen(mark);
}

static StickStatus read_entry(StickPvd *pvd, char *line, StickMark mark)
{
    char *time = strncmp(line, before_time, strlen(before_time)) == 0 ? line + strlen(before_time) : NULL;
    char *file = time ? cut(time, before_file) : NULL;
    char *rest = file ? cut(file, behind_file) : NULL;
    double value;
    if (!rest || *rest != '\0')
        return stick_fail_at(pvd->ctx, STICK_IO, mark, "this is no <DataSet timestep=... file=.../>");
    if (!stick_parse_number(time, &value))
        return stick_fail_at(pvd->ctx, STICK_IO, mark, "the timestep '%s' is no number", time);
    stick_xml_unescape(file);
    return stick_pvd_add(pvd, value, file);
}

static StickStatus read_entries(StickPvd *pvd, const char *path, char *bytes)
{
    StickMark mark = {path, 1, 1};
    if (strncmp(bytes, head, strlen(head)) != 0)
        return stick_fail_at(pvd->ctx, STICK_IO, mark, "this is no series of times (.pvd) of ours");
    mark.line = 4; // behind the head
    for (char *line = bytes + strlen(head); strcmp(line, tail) != 0; mark.line++) {
        char *next = cut(line, "\n");
        if (!next)
            return stick_fail_at(pvd->ctx, STICK_IO, mark, "the file is cut off");
        STICK_TRY(read_entry(pvd, line, mark));
        line = next;
    }
    return STICK_OK;
}

StickStatus stick_pvd_read(StickPvd *pvd, const char *path)
{
    assert(pvd->count == 0);
    char *bytes;
    size_t count;
    STICK_TRY(stick_file_read(pvd->ctx, path, &bytes, &count));
    StickStatus status = read_entries(pvd, path, bytes);
    if (status != STICK_OK)
        drop_entries(pvd);
    stick_free(pvd->ctx, bytes);
    return status;
}
