// SPDX-License-Identifier: Apache-2.0
// stickslip compare: runs side by side, for people to look at or as a test that nothing has changed.
#include "study/compare.h"

#include "base/file.h"
#include "cli/commands.h"
#include "report/page.h"

#include <stdio.h>

// ---- files

// Files of a run are never mixed with those of a comparison.
static StickStatus check_folder(StickContext *ctx, const StickArguments *arguments)
{
    const char *folder = arguments->folder;
    bool run = false;
    if (!folder)
        return STICK_OK;
    STICK_CHECK(ctx, folder[0], STICK_USAGE, "the name of the folder is empty");
    if (!stick_file_exists(folder))
        return STICK_OK;
    STICK_CHECK(ctx, stick_folder_exists(folder), STICK_USAGE, "'%s' is a file, not a folder", folder);
    STICK_TRY(stick_folder_holds(ctx, folder, "model.yaml", &run));
    STICK_CHECK(ctx, !run, STICK_USAGE, "'%s' holds the results of a run; -o NAME takes another folder",
                folder);
    STICK_CHECK(ctx, arguments->force, STICK_USAGE, "'%s' is there already; --force writes into it", folder);
    return STICK_OK;
}

static StickStatus write_page_to(StickContext *ctx, const StickArguments *arguments,
                                 const StickPageOptions *verdict)
{
    StickPageOptions options = *verdict;
    StickPageInfo info;
    char *path = stick_path_join(ctx, arguments->folder, "compare.html");
    if (!path)
        return STICK_NO_MEMORY;
    options.folder = arguments->operand;
    options.nfolders = arguments->noperands;
    options.path = path;
    StickStatus status = stick_page_write(ctx, &options, &info);
    stick_free(ctx, path);
    if (status == STICK_OK && info.left_out[0])
        stick_note(ctx, "left out of compare.html to keep it small: %s", info.left_out);
    if (status == STICK_OK && info.unreadable[0])
        stick_warn(ctx, "compare.html can't show what can't be read: %s", info.unreadable);
    return status;
}

// Its top says what the comparison says, not only how the runs ended.
static StickStatus write_page(const StickArguments *arguments, const StickComparison *comparison)
{
    StickContext *ctx = comparison->ctx;
    StickText headline, detail;
    if (!stick_page_is_there()) {
        stick_note(ctx, "there is no compare.html: this stickslip was built without the page");
        return STICK_OK;
    }
    stick_text_init(&headline, ctx);
    stick_text_init(&detail, ctx);
    StickPageOptions options = {.level = stick_compare_page(comparison, &headline, &detail)};
    options.headline = options.level ? headline.bytes : NULL;
    options.detail = options.level ? detail.bytes : NULL;
    StickStatus status = stick_text_status(&headline);
    if (status == STICK_OK)
        status = stick_text_status(&detail);
    if (status == STICK_OK)
        status = write_page_to(ctx, arguments, &options);
    stick_text_destroy(&headline);
    stick_text_destroy(&detail);
    return status;
}

static StickStatus write_files(const StickArguments *arguments, const StickComparison *comparison)
{
    if (!arguments->folder)
        return STICK_OK;
    STICK_TRY(stick_compare_write(comparison, arguments->folder));
    STICK_TRY(write_page(arguments, comparison));
    if (!arguments->json)
        printf("comparison in %s: %scompare.csv, a picture of every history\n", arguments->folder,
               stick_page_is_there() ? "compare.html to look at, " : "");
    return STICK_OK;
}

// ---- the command

static StickStatus print(const StickArguments *arguments, const StickComparison *comparison)
{
    StickText text;
    stick_text_init(&text, comparison->ctx);
    if (arguments->json)
        stick_compare_json(comparison, &text);
    else
        stick_compare_text(comparison, &text);
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK && text.bytes)
        fputs(text.bytes, stdout);
    stick_text_destroy(&text);
    return status;
}

static StickStatus conclude(StickContext *ctx, const StickComparison *comparison)
{
    int more = comparison->nreasons - 1;
    if (comparison->verdict != STICK_COMPARE_DIFFERENT)
        return STICK_OK;
    if (more == 0)
        return stick_fail(ctx, STICK_CHECK_FAILED, "the runs differ: %s", comparison->reason[0]);
    return stick_fail(ctx, STICK_CHECK_FAILED, "the runs differ: %s; and %d more reason%s",
                      comparison->reason[0], more, more == 1 ? "" : "s");
}

StickStatus stick_command_compare(StickContext *ctx, const StickArguments *arguments)
{
    StickComparison comparison;
    StickCompareOptions options = {
        .folder = arguments->operand,
        .nfolders = arguments->noperands,
        .base = arguments->base,
        .tolerance = arguments->tolerance,
    };
    STICK_CHECK(ctx, arguments->noperands > 0, STICK_USAGE,
                "'stickslip compare' takes result folders; see 'stickslip compare --help'");
    STICK_TRY(check_folder(ctx, arguments));
    STICK_TRY(stick_compare(ctx, &options, &comparison));
    StickStatus status = print(arguments, &comparison);
    if (status == STICK_OK)
        status = write_files(arguments, &comparison);
    if (status == STICK_OK)
        status = conclude(ctx, &comparison);
    stick_comparison_destroy(&comparison);
    return status;
}
