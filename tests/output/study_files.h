// SPDX-License-Identifier: Apache-2.0
// Files of fields that a study writes, as a reader finds them.
#ifndef TESTS_OUTPUT_STUDY_FILES_H
#define TESTS_OUTPUT_STUDY_FILES_H

#include "output/scratch.h"

#include "output/pvd.h"
#include "output/vtu_read.h"

#include <stickslip/study.h>

static inline void run_model(Scratch *scratch, const char *model)
{
    char path[512], folder[512];
    snprintf(path, sizeof path, "%s/model.yaml", scratch->folder);
    snprintf(folder, sizeof folder, "%s/out", scratch->folder);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, model, strlen(model)));
    setenv("PATH", "/nowhere", 1); // no gnuplot
    StickStudyOptions options = {.model = path, .folder = folder};
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
}

// The file of a series at its last time.
static inline StickVtuFile *last_of(Scratch *scratch, const char *series, size_t files)
{
    StickPvd pvd;
    StickVtuFile *file;
    char path[256];
    snprintf(path, sizeof path, "out/%.200s.pvd", series);
    stick_pvd_init(&pvd, scratch->ctx);
    assert_ok(scratch->ctx, stick_pvd_read(&pvd, scratch_path(scratch, path)));
    assert_int_equal(pvd.count, files);
    snprintf(path, sizeof path, "out/%.200s", pvd.entry[pvd.count - 1].file);
    assert_ok(scratch->ctx, stick_vtu_open(scratch->ctx, scratch_path(scratch, path), &file));
    assert_true(stick_vtu_time(file) == pvd.entry[pvd.count - 1].time);
    stick_pvd_destroy(&pvd);
    return file;
}

#endif
