// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include "base/file.h"
#include "report/page.h"

#include <stdio.h>
#include <string.h>

static void print_page(const char *path, const StickPageInfo *info)
{
    bool small = info->bytes < 1000000;
    printf("%s: %.*f %s, opens in any browser\n", path, small ? 0 : 1,
           (double)info->bytes / (small ? 1e3 : 1e6), small ? "kB" : "MB");
    if (info->left_out[0])
        printf("left out to keep it small: %s; 'stickslip report --full' keeps everything\n", info->left_out);
    if (info->unreadable[0])
        printf("left out because it can't be read: %s\n", info->unreadable);
}

static StickStatus write_page(StickContext *ctx, const StickPageOptions *options, bool quiet)
{
    StickPageInfo info;
    STICK_TRY(stick_page_write(ctx, options, &info));
    if (!quiet)
        print_page(options->path, &info);
    return STICK_OK;
}

// DIR/report.html
static StickStatus write_inside(StickContext *ctx, const char *folder, bool full, bool quiet)
{
    size_t length = strlen(folder);
    bool slash = length > 0 && folder[length - 1] == '/';
    char *path = stick_alloc(ctx, length + 16, 1);
    if (!path)
        return STICK_NO_MEMORY;
    snprintf(path, length + 16, slash ? "%sreport.html" : "%s/report.html", folder);
    StickPageOptions options = {.folder = &folder, .nfolders = 1, .path = path, .full = full};
    StickStatus status = write_page(ctx, &options, quiet);
    stick_free(ctx, path);
    return status;
}

StickStatus stick_report_check(StickContext *ctx)
{
    STICK_CHECK(
        ctx, stick_page_is_there(), STICK_INTERNAL,
        "this stickslip was built without the report page: install Node.js and npm, then configure and "
        "build it again; without --report it runs as it is");
    return STICK_OK;
}

StickStatus stick_report_run(StickContext *ctx, const StickArguments *arguments, const char *folder,
                             StickStatus status)
{
    if (!arguments->report)
        return status;
    StickStatus written = write_inside(ctx, folder, false, arguments->quiet);
    return status == STICK_OK ? written : status;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), most = strlen(ending);
    return length > most && strcmp(text + length - most, ending) == 0;
}

// Among the files of a run a page is known by its name.
static StickStatus check_name(StickContext *ctx, const char *path)
{
    static const char *const ours[] = {"history", "cases", "summary.json"};
    bool there = false;
    if (ends_with(path, ".html"))
        return STICK_OK;
    char *folder = stick_path_folder(ctx, path);
    StickStatus status = folder ? STICK_OK : STICK_NO_MEMORY;
    for (size_t k = 0; k < sizeof ours / sizeof *ours && status == STICK_OK && !there; k++)
        status = stick_folder_holds(ctx, folder, ours[k], &there);
    stick_free(ctx, folder);
    STICK_TRY(status);
    STICK_CHECK(ctx, !there, STICK_USAGE,
                "'%s' is in a result folder: the name of a page there ends with .html", path);
    return STICK_OK;
}

// A page elsewhere does not replace anything unless it is asked to; then only a page.
static StickStatus check_path(StickContext *ctx, const StickArguments *arguments)
{
    const char *path = arguments->folder;
    STICK_CHECK(ctx, path || arguments->noperands == 1, STICK_USAGE,
                "the page of %d result folders needs a name: -o FILE.html", arguments->noperands);
    if (!path)
        return STICK_OK;
    STICK_CHECK(ctx, path[0], STICK_USAGE, "the name of the page is empty");
    STICK_CHECK(ctx, !stick_folder_exists(path), STICK_USAGE, "'%s' is a folder; -o takes a file", path);
    STICK_TRY(check_name(ctx, path));
    STICK_CHECK(ctx, arguments->force || !stick_file_exists(path), STICK_USAGE,
                "'%s' is there already; --force replaces it", path);
    return STICK_OK;
}

StickStatus stick_command_report(StickContext *ctx, const StickArguments *arguments)
{
    STICK_CHECK(ctx, arguments->noperands > 0, STICK_USAGE,
                "'stickslip report' takes a result folder; see 'stickslip report --help'");
    STICK_TRY(check_path(ctx, arguments));
    if (!arguments->folder)
        return write_inside(ctx, arguments->operand[0], arguments->full, arguments->quiet);
    StickPageOptions options = {
        .folder = arguments->operand,
        .nfolders = arguments->noperands,
        .path = arguments->folder,
        .full = arguments->full,
    };
    return write_page(ctx, &options, arguments->quiet);
}
