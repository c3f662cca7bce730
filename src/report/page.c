// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "base/file.h"
#include "report/bundle.h"
#include "report/html.h"
#include "report/run_part.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Page {
    StickContext *ctx;
    const StickPageOptions *options;
    StickBundle bundle;
    StickPageRuns runs;
    StickPageVerdict *verdict; // of each run
    StickRunPart *part;        // of each run
    StickPageVerdict all;
    const char *level, *word, *headline, *detail; // what the page says at its top
    StickBlobs blocks;
    StickText html;
} Page;

static const char *title_of(const Page *page)
{
    return page->options->title ? page->options->title : page->runs.title;
}

// ---- the frame

// By these a page is known as one of ours.
static const char head[] = "<!doctype html>\n<html lang=\"en\">\n<head>\n";
static const char generator[] = "<meta name=\"generator\" content=\"stickslip ";

static void add_policy(const Page *page, StickText *html)
{
    stick_text_add(html,
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "script-src '%s'; style-src '%s'; img-src data: blob:; media-src data: blob:; "
                   "base-uri 'none'; form-action 'none'\">\n",
                   page->bundle.script_hash, page->bundle.style_hash);
}

static void add_head(const Page *page, StickText *html)
{
    stick_text_add(html, "%s", head);
    stick_text_add(html, "<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    add_policy(page, html);
    stick_text_add(html, "%s%s\">\n<title>", generator, STICKSLIP_VERSION);
    stick_html_add(html, title_of(page));
    stick_text_add(html, "</title>\n<style>");
    stick_text_add_bytes(html, page->bundle.style, page->bundle.style_length);
    stick_text_add(html, "</style>\n</head>\n");
}

static void add_verdict(const Page *page, StickText *html)
{
    stick_text_add(html, "<header id=\"verdict\" data-level=\"");
    stick_html_add(html, page->level);
    stick_text_add(html, "\">\n<h1>");
    stick_html_add(html, title_of(page));
    stick_text_add(html, "</h1>\n<p class=\"headline\">");
    stick_html_add(html, page->headline);
    stick_text_add(html, "</p>\n<p class=\"detail\">");
    stick_html_add(html, page->detail);
    stick_text_add(html, "</p>\n</header>\n");
}

// Without a program the verdict of each run is told, too.
static void add_noscript(const Page *page, StickText *html)
{
    enum { MOST = 200 };
    stick_text_add(
        html, "<noscript>\n<p>Curves, animations and tables of this page need JavaScript; the verdict does "
              "not. Nothing is loaded from anywhere.</p>\n");
    if (page->runs.count > 1)
        stick_text_add(html, "<ul>\n");
    for (int k = 0; page->runs.count > 1 && k < page->runs.count && k < MOST; k++) {
        stick_text_add(html, "<li>");
        stick_html_add(html, page->runs.run[k].name);
        stick_text_add(html, ": ");
        stick_html_add(html, stick_verdict_headline(&page->verdict[k]));
        stick_text_add(html, ". ");
        stick_html_add(html, page->verdict[k].detail);
        stick_text_add(html, "</li>\n");
    }
    if (page->runs.count > MOST)
        stick_text_add(html, "<li>and %d more</li>\n", page->runs.count - MOST);
    if (page->runs.count > 1)
        stick_text_add(html, "</ul>\n");
    stick_text_add(html, "</noscript>\n");
}

static const char *kind_of(const Page *page)
{
    return page->options->nfolders > 1 ? "comparison" : page->runs.cases ? "study" : "run";
}

static void add_json(const Page *page, StickText *html)
{
    StickJson json;
    stick_text_add(html, "<script type=\"application/json\" id=\"report\">");
    stick_json_init_html(&json, html);
    stick_json_object(&json);
    stick_json_key(&json, "format");
    stick_json_integer(&json, 1);
    stick_json_key(&json, "stickslip");
    stick_json_text(&json, STICKSLIP_VERSION);
    stick_json_key(&json, "title");
    stick_json_text(&json, title_of(page));
    stick_json_key(&json, "kind");
    stick_json_text(&json, kind_of(page));
    stick_json_key(&json, "verdict");
    stick_verdict_words_json(&json, page->level, page->word, page->headline, page->detail);
    stick_json_key(&json, "runs");
    stick_json_list(&json);
    for (int k = 0; k < page->runs.count; k++)
        stick_json_raw(&json, page->part[k].text.bytes, page->part[k].text.length);
    stick_json_end_list(&json);
    stick_json_end_object(&json);
    stick_text_add(html, "</script>\n");
}

static void add_blocks(const Page *page, StickText *html)
{
    for (int k = 0; k < page->blocks.count; k++) {
        stick_text_add(html, "<script type=\"text/plain\" id=\"block-%d\">", k);
        stick_text_add_bytes(html, page->blocks.block[k].base64, page->blocks.block[k].length);
        stick_text_add(html, "</script>\n");
    }
}

static StickStatus assemble(Page *page)
{
    StickText *html = &page->html;
    stick_text_clear(html);
    add_head(page, html);
    stick_text_add(html, "<body>\n");
    add_verdict(page, html);
    add_noscript(page, html);
    stick_text_add(html, "<main id=\"panels\"></main>\n");
    add_json(page, html);
    add_blocks(page, html);
    stick_text_add(html, "<script>");
    stick_text_add_bytes(html, page->bundle.script, page->bundle.script_length);
    stick_text_add(html, "</script>\n</body>\n</html>\n");
    return stick_text_status(html);
}

// ---- what fits

enum {
    TABLE_NUMBERS = 40000, // of one table
    EXTREMES = 600,        // of one that has room for fewer
    PAGE_NUMBERS = 600000, // of all tables: 6.4 MB at most
    TABLES_OF_A_RUN = 6,   // about so many
    RUN_TEXT = 100000,     // bytes of each text of a run
    PAGE_TEXT = 4000000,   // of all runs
    RUN_MESSAGES = 500,
    PAGE_SHAPES = 4000000,  // bytes of the shapes of modes of all runs
    PAGE_SAMPLES = 1500000, // of the sounds of all runs: 4 MB at most, 34 s at 44100 a second
    FRAME_BYTES = 20000,    // of what is neither a run nor a block
};

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

// A page of many runs has less room for each; share is 2, 4, ... after it became too large.
static StickPartLimits limits_of(const Page *page, size_t share)
{
    size_t runs = (size_t)page->runs.count * share;
    if (page->options->full)
        return (StickPartLimits){0};
    return (StickPartLimits){
        .table = {.numbers = least_of(TABLE_NUMBERS / share, PAGE_NUMBERS / (runs * TABLES_OF_A_RUN)) + 1,
                  .extremes = EXTREMES / share},
        .text = least_of(RUN_TEXT / share, PAGE_TEXT / (2 * runs)) + 1,
        .messages = (int)(RUN_MESSAGES / share) + 1,
        .shapes = PAGE_SHAPES / runs + 1,
        .samples = PAGE_SAMPLES / runs + 1,
    };
}

// Bytes of the page as far as it is made; a block has some bytes around it.
static size_t bytes_so_far(const Page *page)
{
    size_t bytes = page->bundle.script_length + page->bundle.style_length + FRAME_BYTES;
    bytes += page->blocks.bytes + 64 * (size_t)page->blocks.count;
    for (int k = 0; k < page->runs.count; k++)
        bytes += page->part[k].text.length;
    return bytes;
}

// What is left over, shared by the runs from this one on.
static size_t animation_budget(const Page *page, int k, size_t share)
{
    size_t used = bytes_so_far(page), limit = STICK_PAGE_BYTES;
    size_t left = used < limit ? limit - used : 0;
    return left / (size_t)(page->runs.count - k) / share * 19 / 20; // some for the JSON of meshes
}

static void drop_parts(Page *page)
{
    for (int k = 0; page->part && k < page->runs.count; k++)
        stick_run_part_destroy(&page->part[k]);
    stick_blobs_cut(&page->blocks, 0);
}

// What the caller says comes before what the runs say.
static void judge(Page *page)
{
    const StickPageOptions *options = page->options;
    stick_verdict_gather(page->runs.group, page->runs.ngroups, page->verdict, &page->all);
    page->level = options->level ? options->level : stick_verdict_level(page->all.ending);
    page->headline = options->headline ? options->headline : stick_verdict_headline(&page->all);
    page->word = options->headline ? options->headline : stick_verdict_word(page->all.ending);
    page->detail = options->detail ? options->detail : page->all.detail;
}

static StickStatus fill(Page *page, size_t share)
{
    StickPartLimits limits = limits_of(page, share);
    drop_parts(page);
    for (int k = 0; k < page->runs.count; k++) {
        STICK_TRY(
            stick_run_part_begin(page->ctx, &page->runs.run[k], &limits, &page->blocks, &page->part[k]));
        page->verdict[k] = page->part[k].verdict;
    }
    judge(page);
    for (int k = 0; k < page->runs.count; k++) {
        StickAnimationOptions options = {page->options->full, animation_budget(page, k, share)};
        STICK_TRY(stick_run_part_end(page->ctx, &page->runs.run[k], &options, &page->blocks, &page->part[k]));
    }
    return assemble(page);
}

static StickStatus fill_to_fit(Page *page)
{
    enum { LEAST_SHARE = 64 };
    size_t share = 1;
    STICK_TRY(fill(page, share));
    while (!page->options->full && page->html.length > STICK_PAGE_BYTES && share < LEAST_SHARE) {
        share *= 2;
        STICK_TRY(fill(page, share));
    }
    if (!page->options->full && page->html.length > STICK_PAGE_BYTES)
        stick_warn(page->ctx, "the page has %.0f MB: %d runs are too many for a smaller one",
                   1e-6 * (double)page->html.length, page->runs.count);
    return STICK_OK;
}

// ---- writing

// One kind of text of all parts, by its place in them.
static void tell_of(const Page *page, size_t place, char *told, size_t size)
{
    int cut = 0, runs = page->runs.count;
    const StickText *last = NULL;
    for (int k = 0; k < runs; k++) {
        const StickText *text = (const StickText *)((const char *)&page->part[k] + place);
        if (text->length > 0)
            cut++, last = text;
    }
    told[0] = '\0';
    if (last && runs == 1)
        snprintf(told, size, "%.250s", last->bytes);
    else if (last)
        snprintf(told, size, "in %d of %d runs; in the last of these %.200s", cut, runs, last->bytes);
}

static void tell(const Page *page, StickPageInfo *info)
{
    *info = (StickPageInfo){.bytes = page->html.length, .runs = page->runs.count};
    tell_of(page, offsetof(StickRunPart, left_out), info->left_out, sizeof info->left_out);
    tell_of(page, offsetof(StickRunPart, unreadable), info->unreadable, sizeof info->unreadable);
}

// Whether a file begins as add_head begins it.
static bool is_ours(const char *path)
{
    enum { BEGINNING = 2048 };
    char bytes[BEGINNING + 1] = {0};
    FILE *stream = stick_file_is_regular(path) ? fopen(path, "rb") : NULL;
    if (!stream)
        return false;
    size_t count = fread(bytes, 1, BEGINNING, stream);
    fclose(stream);
    return strlen(bytes) == count && strncmp(bytes, head, strlen(head)) == 0 && strstr(bytes, generator);
}

// A page replaces nothing but a page, whatever it was told to replace.
static StickStatus check_place(const Page *page)
{
    const char *path = page->options->path;
    STICK_CHECK(page->ctx, !stick_file_exists(path) || is_ours(path), STICK_USAGE,
                "'%s' is there and is no page of stickslip: it is not replaced", path);
    return STICK_OK;
}

static StickStatus make(Page *page)
{
    STICK_TRY(check_place(page));
    STICK_TRY(stick_page_runs_find(page->ctx, page->options, &page->runs));
    STICK_ALLOC(page->ctx, page->verdict, page->runs.count);
    STICK_ALLOC(page->ctx, page->part, page->runs.count);
    STICK_TRY(fill_to_fit(page));
    return stick_file_write(page->ctx, page->options->path, page->html.bytes, page->html.length);
}

static StickStatus check_bundle(StickContext *ctx, const StickBundle *bundle)
{
    STICK_CHECK(
        ctx, bundle->script, STICK_INTERNAL,
        "this stickslip was built without the report page: install Node.js and npm, then configure and "
        "build it again ('./run build' does all of this)");
    return STICK_OK;
}

bool stick_page_is_there(void)
{
    return stick_bundle().script != NULL;
}

StickStatus stick_page_write(StickContext *ctx, const StickPageOptions *options, StickPageInfo *info)
{
    Page page = {.ctx = ctx, .options = options, .bundle = stick_bundle()};
    STICK_TRY(check_bundle(ctx, &page.bundle));
    STICK_CHECK(ctx, options->nfolders > 0, STICK_USAGE, "a report needs a result folder");
    stick_blobs_init(&page.blocks, ctx);
    stick_text_init(&page.html, ctx);
    StickStatus status = make(&page);
    if (status == STICK_OK)
        tell(&page, info);
    drop_parts(&page);
    stick_free(ctx, page.part);
    stick_free(ctx, page.verdict);
    stick_page_runs_destroy(ctx, &page.runs);
    stick_blobs_destroy(&page.blocks);
    stick_text_destroy(&page.html);
    return status;
}
