// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "output/pvd.h"

static void fill(StickPvd *pvd, StickContext *ctx)
{
    stick_pvd_init(pvd, ctx);
    assert_ok(ctx, stick_pvd_add(pvd, 0, "fields/0000.vtu"));
    assert_ok(ctx, stick_pvd_add(pvd, 0.1, "fields/it's <1> & \"2\".vtu"));
    assert_ok(ctx, stick_pvd_add(pvd, 0.30000000000000004, "fields/0002.vtu"));
}

static void the_file_is_what_paraview_reads(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "fields.pvd");
    StickPvd pvd;
    fill(&pvd, scratch->ctx);
    assert_ok(scratch->ctx, stick_pvd_write(&pvd, path));
    assert_file_is(
        scratch->ctx, path,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n"
        "<DataSet timestep=\"0\" part=\"0\" file=\"fields/0000.vtu\"/>\n"
        "<DataSet timestep=\"0.1\" part=\"0\" file=\"fields/it&#39;s &lt;1&gt; &amp; &quot;2&quot;.vtu\"/>\n"
        "<DataSet timestep=\"0.30000000000000004\" part=\"0\" file=\"fields/0002.vtu\"/>\n"
        "</Collection>\n"
        "</VTKFile>\n");
    assert_well_formed_xml(path);
    stick_pvd_destroy(&pvd);
}

static void a_series_reads_back_and_is_truncated_exactly(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "fields.pvd");
    StickPvd pvd, back;
    fill(&pvd, scratch->ctx);
    assert_ok(scratch->ctx, stick_pvd_write(&pvd, path));
    stick_pvd_init(&back, scratch->ctx);
    assert_ok(scratch->ctx, stick_pvd_read(&back, path));
    assert_int_equal(back.count, 3);
    for (int k = 0; k < 3; k++) {
        assert_true(back.entry[k].time == pvd.entry[k].time);
        assert_string_equal(back.entry[k].file, pvd.entry[k].file);
    }
    stick_pvd_truncate(&back, 0.30000000000000004);
    assert_int_equal(back.count, 3);
    stick_pvd_truncate(&back, 0.3);
    assert_int_equal(back.count, 2);
    stick_pvd_truncate(&back, -1);
    assert_int_equal(back.count, 0);
    stick_pvd_destroy(&back);
    stick_pvd_destroy(&pvd);
}

// Cut off anywhere, the file is an error and the series stays empty.
static void damaged_files_are_refused_at_their_line(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "fields.pvd");
    StickPvd pvd, back;
    char *bytes;
    size_t count;
    fill(&pvd, scratch->ctx);
    assert_ok(scratch->ctx, stick_pvd_write(&pvd, path));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, &count));
    stick_pvd_init(&back, scratch->ctx);
    for (size_t length = 0; length < count; length++) {
        assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, bytes, length));
        assert_int_equal(stick_pvd_read(&back, path), STICK_IO);
        assert_int_equal(back.count, 0);
    }
    memcpy(strstr(bytes, "\"0.1\""), "\"x.1\"", 5);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, bytes, count));
    assert_int_equal(stick_pvd_read(&back, path), STICK_IO);
    assert_error_says(scratch->ctx, "'x.1' is no number");
    const StickDiagnostic *said = stick_diagnostic(scratch->ctx, stick_diagnostic_count(scratch->ctx) - 1);
    assert_int_equal(said->line, 5);
    assert_int_equal(stick_pvd_read(&back, scratch_path(scratch, "none.pvd")), STICK_IO);
    assert_int_equal(stick_pvd_add(&back, INFINITY, "x.vtu"), STICK_BAD_INPUT);
    stick_pvd_destroy(&back);
    stick_pvd_destroy(&pvd);
    stick_free(scratch->ctx, bytes);
}

static StickStatus write_and_read(StickContext *ctx, void *path)
{
    StickPvd pvd, back;
    stick_pvd_init(&pvd, ctx);
    stick_pvd_init(&back, ctx);
    StickStatus status = stick_pvd_add(&pvd, 1, "a.vtu");
    if (status == STICK_OK)
        status = stick_pvd_write(&pvd, path);
    if (status == STICK_OK)
        status = stick_pvd_read(&back, path);
    stick_pvd_destroy(&back);
    stick_pvd_destroy(&pvd);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(*state, "fields.pvd"));
    assert_survives_failing_memory(write_and_read, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(the_file_is_what_paraview_reads),
        test_with_scratch(a_series_reads_back_and_is_truncated_exactly),
        test_with_scratch(damaged_files_are_refused_at_their_line),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("output.pvd", tests, NULL, NULL);
}
