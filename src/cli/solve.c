// SPDX-License-Identifier: Apache-2.0
// stickslip solve: problems of files by one solver or by all, each answer certified.
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "linalg/threads.h"
#include "problems/fclib.h"
#include "problems/probe.h"
#include "problems/task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 44 };

// What goes on while the files are solved.
typedef struct Session {
    StickContext *ctx;
    const StickArguments *arguments;
    StickProblemKind as;
    int name_width;
    StickJson json;
    StickText text;     // of the JSON
    bool is_all;        // --solver all: answers are compared
    StickStatus status; // smallest reason to fail so far
} Session;

// Several reasons: the smallest code.
static void add_reason(Session *session, StickStatus status)
{
    if (status != STICK_OK && (session->status == STICK_OK || status < session->status))
        session->status = status;
}

// ---- for people

void stick_seconds_text(double seconds, char text[32])
{
    double us = 1e6 * seconds;
    if (us < 999.5)
        snprintf(text, 32, us < 9.995 ? "%.2f us" : us < 99.95 ? "%.1f us" : "%.0f us", us);
    else if (us < 999.5e3)
        snprintf(text, 32, us < 9.995e3 ? "%.2f ms" : us < 99.95e3 ? "%.1f ms" : "%.0f ms", us / 1e3);
    else
        snprintf(text, 32, seconds < 99.95 ? "%.2f s" : "%.0f s", seconds);
}

static void print_heading(const Session *session)
{
    printf("%-*s  %-10s %12s  %-22s %-16s %10s  %8s  %10s  %-10s %10s\n", session->name_width, "file", "kind",
           "size", "solver", "end", "iterations", "error", "scale-free", "certified", "time");
}

static void size_text(const StickProblemFile *file, char text[32])
{
    if (file->kind == STICK_PROBLEM_LCP)
        snprintf(text, 32, "order %d", file->lcp.n);
    else if (file->kind == STICK_PROBLEM_MATES)
        snprintf(text, 32, "%d and %d", file->mates.m, file->mates.l);
    else
        snprintf(text, 32, "%d in %dD", stick_problem_size(file),
                 file->kind == STICK_PROBLEM_GLOBAL ? file->global.dim : file->friction.dim);
}

// The name of a file, its end if it is long.
static const char *short_name(const Session *session, const char *path)
{
    const char *name = stick_path_name(path);
    size_t length = strlen(name), width = (size_t)session->name_width;
    return length > width ? name + (length - width) : name;
}

static void certified_text(const StickAttempt *attempt, char text[32])
{
    if (attempt->certified && attempt->info.facets > 0)
        snprintf(text, 32, "%d facets", attempt->info.facets);
    else
        snprintf(text, 32, "%s", attempt->certified ? "yes" : "NO");
}

static void print_row(const Session *session, const char *path, const StickProblemFile *file,
                      const StickAttempt *attempt)
{
    char size[32], seconds[32], certified[32], scale_free[32] = "-";
    if (session->arguments->json)
        return;
    size_text(file, size);
    stick_seconds_text(attempt->seconds, seconds);
    certified_text(attempt, certified);
    if (!isnan(attempt->error_scale_free))
        snprintf(scale_free, sizeof scale_free, "%.1e", attempt->error_scale_free);
    printf("%-*s  %-10s %12s  %-22s %-16s %10d  %8.1e  %10s  %-10s %10s\n", session->name_width,
           short_name(session, path), stick_problem_kind_name(file->kind), size, attempt->solver,
           stick_solve_end_name(attempt->info.end), attempt->info.iterations, attempt->error, scale_free,
           certified, seconds);
    if (attempt->info.facets > 0)
        printf("%-*s  (of a cone with %d facets; error of the exact cone: %.1e, scale-free %.1e)\n",
               session->name_width, "", attempt->info.facets, attempt->certificate.exact_error,
               attempt->certificate.exact_error_scale_free);
    if ((file->kind == STICK_PROBLEM_FRICTION || file->kind == STICK_PROBLEM_GLOBAL) &&
        attempt->certificate.contact_error > attempt->tolerance)
        printf("%-*s  (contact %d: error %.1e in its own scale; round-off: up to %.1e)\n",
               session->name_width, "", attempt->certificate.worst_contact,
               attempt->certificate.contact_error, attempt->certificate.round_off);
    if (file->kind != STICK_PROBLEM_MATES && attempt->equilibrium > attempt->tolerance)
        printf("%-*s  (misses the rows of the file by %.1e)\n", session->name_width, "",
               attempt->equilibrium);
    if ((!attempt->certified || file->kind == STICK_PROBLEM_MATES) && attempt->info.detail[0])
        printf("%-*s  (%s)\n", session->name_width, "", attempt->info.detail);
    fflush(stdout);
}

// ---- for machines

static void json_problem(StickJson *json, const StickProblemFile *file)
{
    stick_json_add_text(json, "kind", stick_problem_kind_name(file->kind));
    stick_json_add_text(json, "title", file->title);
    if (file->kind == STICK_PROBLEM_LCP) {
        stick_json_add_integer(json, "order", file->lcp.n);
        return;
    }
    if (file->kind == STICK_PROBLEM_MATES) {
        stick_json_add_integer(json, "pairs", file->mates.m);
        stick_json_add_integer(json, "motions", file->mates.l);
        return;
    }
    bool global = file->kind == STICK_PROBLEM_GLOBAL;
    stick_json_add_integer(json, "dimension", global ? file->global.dim : file->friction.dim);
    stick_json_add_integer(json, "contacts", stick_problem_size(file));
    stick_json_add_integer(json, "bilateral_rows", stick_problem_bilateral(file));
    stick_json_add_integer(json, "guesses", file->nguesses);
}

static void json_numbers(StickJson *json, const char *key, int count, const double *x)
{
    stick_json_key(json, key);
    stick_json_list(json);
    for (int k = 0; k < count; k++)
        stick_json_number(json, x[k]);
    stick_json_end_list(json);
}

// Forces, separations and motions of an answer, or the free motion of what has none.
static void json_mates(StickJson *json, const StickMlcpData *mates, const StickAttempt *attempt)
{
    stick_json_add_number(json, "equilibrium", attempt->equilibrium);
    if (attempt->solution.l)
        json_numbers(json, "free_motion", mates->l, attempt->solution.l);
    if (attempt->info.end != STICK_SOLVE_CONVERGED)
        return;
    json_numbers(json, "p", mates->m, attempt->solution.r);
    json_numbers(json, "d", mates->m, attempt->solution.u);
    json_numbers(json, "theta", mates->l, attempt->solution.v);
}

static void json_attempt(StickJson *json, const StickProblemFile *file, const StickAttempt *attempt)
{
    stick_json_object(json);
    stick_json_add_text(json, "solver", attempt->solver);
    stick_json_add_text(json, "end", stick_solve_end_name(attempt->info.end));
    stick_json_add_text(json, "detail", attempt->info.detail[0] ? attempt->info.detail : NULL);
    stick_json_add_integer(json, "iterations", attempt->info.iterations);
    stick_json_add_number(json, "tolerance", attempt->tolerance);
    stick_json_add_number(json, "error", attempt->error);
    stick_json_add_number(json, "error_scale_free", attempt->error_scale_free);
    if (file->kind == STICK_PROBLEM_MATES) {
        json_mates(json, &file->mates, attempt);
    } else if (file->kind != STICK_PROBLEM_LCP) {
        stick_json_add_number(json, "contact_error", attempt->certificate.contact_error);
        stick_json_add_integer(json, "worst_contact", attempt->certificate.worst_contact);
        stick_json_add_number(json, "round_off", attempt->certificate.round_off);
        stick_json_add_number(json, "velocity_error", attempt->certificate.velocity_error);
        stick_json_add_number(json, "exact_error", attempt->certificate.exact_error);
        stick_json_add_integer(json, "facets", attempt->info.facets);
    }
    if (file->kind == STICK_PROBLEM_GLOBAL || stick_problem_bilateral(file) > 0)
        stick_json_add_number(json, "equilibrium", attempt->equilibrium);
    stick_json_key(json, "certified");
    stick_json_bool(json, attempt->certified);
    stick_json_add_number(json, "seconds", attempt->seconds);
    stick_json_end_object(json);
}

static void json_refusal(StickJson *json, const char *solver, StickStatus status, const char *message)
{
    stick_json_object(json);
    stick_json_add_text(json, "solver", solver);
    stick_json_add_text(json, "end", "refused");
    stick_json_add_integer(json, "status", status);
    stick_json_add_text(json, "detail", message);
    stick_json_key(json, "certified");
    stick_json_bool(json, false);
    stick_json_end_object(json);
}

// ---- one file

static StickStatus choose_guess(const Session *session, const StickProblemFile *file, const char *path,
                                const double **guess)
{
    const StickArguments *arguments = session->arguments;
    int number = arguments->guess > 0 ? arguments->guess : 1;
    *guess = NULL;
    STICK_CHECK(session->ctx, arguments->guess == 0 || arguments->guess <= file->nguesses, STICK_USAGE,
                "'%s' has %d guesses: there is no --guess %d", path, file->nguesses, arguments->guess);
    if (!arguments->cold && number <= file->nguesses)
        *guess = file->guess[number - 1].r;
    return STICK_OK;
}

// Certified for the exact cone, for a cone with facets, or not at all.
static int rank(const StickAttempt *attempt)
{
    return !attempt->certified ? 0 : attempt->info.facets > 0 ? 1 : 2;
}

static double exact_error(const StickAttempt *attempt)
{
    return attempt->info.facets > 0 ? attempt->certificate.exact_error : attempt->error;
}

// The answer that is kept: the higher rank, then the smaller error where that is not the exact cone's.
static bool is_better(const StickAttempt *attempt, const StickAttempt *best)
{
    if (!best->solver || rank(attempt) != rank(best))
        return !best->solver || rank(attempt) > rank(best);
    return rank(attempt) < 2 && exact_error(attempt) < exact_error(best);
}

static StickStatus try_solver(Session *session, const char *path, const StickTask *task, const char *solver,
                              const StickAttemptOptions *options, StickAttempt *best)
{
    StickAttempt attempt;
    STICK_TRY(stick_task_attempt(task, solver, options, &attempt));
    StickStatus status = stick_task_complete(task, &attempt);
    if (status != STICK_OK) {
        stick_attempt_destroy(session->ctx, &attempt);
        return status;
    }
    print_row(session, path, task->file, &attempt);
    json_attempt(&session->json, task->file, &attempt);
    bool better = is_better(&attempt, best);
    stick_attempt_destroy(session->ctx, better ? best : &attempt);
    if (better)
        *best = attempt;
    return STICK_OK;
}

// With all solvers, one that refuses the problem does not stop the others.
static StickStatus try_solvers(Session *session, const char *path, const StickTask *task,
                               const StickAttemptOptions *options, StickAttempt *best)
{
    const char *named = session->arguments->solver;
    if (!session->is_all)
        return try_solver(session, path, task, named ? named : stick_task_default_solver(task), options,
                          best);
    StickStatus status = STICK_OK;
    for (int k = 0; stick_task_solver(task, k) && status != STICK_NO_MEMORY; k++) {
        status = try_solver(session, path, task, stick_task_solver(task, k), options, best);
        if (status == STICK_OK)
            continue;
        stick_note(session->ctx, "'%s' refuses '%s'", stick_task_solver(task, k), path);
        json_refusal(&session->json, stick_task_solver(task, k), status, stick_last_error(session->ctx));
    }
    return best->solver ? STICK_OK : status;
}

static StickStatus save_answer(const Session *session, StickProblemFile *file, StickAttempt *best)
{
    const char *path = session->arguments->folder;
    if (!path)
        return STICK_OK;
    StickSolutionData read = file->solution;
    file->solution = best->solution;
    StickStatus status = stick_fclib_save(session->ctx, path, file);
    file->solution = read;
    if (status == STICK_OK && best->info.facets > 0)
        stick_warn(
            session->ctx,
            "'%s' holds the answer of '%s' for a cone with %d facets; its error for the exact cone is %.1e",
            path, best->solver, best->info.facets, best->certificate.exact_error);
    return status;
}

static StickAttemptOptions attempt_options(const StickArguments *arguments)
{
    return (StickAttemptOptions){
        .tolerance = arguments->tolerance,
        .threads = arguments->threads,
        .set = arguments->set,
        .nset = arguments->nsets,
    };
}

static StickStatus solve_task(Session *session, const char *path, StickProblemFile *file,
                              const StickTask *task)
{
    StickAttemptOptions options = attempt_options(session->arguments);
    StickAttempt best = {0};
    STICK_TRY(choose_guess(session, file, path, &options.guess));
    stick_json_key(&session->json, "solves");
    stick_json_list(&session->json);
    StickStatus status = try_solvers(session, path, task, &options, &best);
    stick_json_end_list(&session->json);
    if (status == STICK_OK)
        status = save_answer(session, file, &best);
    if (status == STICK_OK && !best.certified)
        status = STICK_NOT_SOLVED;
    stick_attempt_destroy(session->ctx, &best);
    return status;
}

static StickStatus solve_file(Session *session, const char *path)
{
    StickProblemFile *file;
    StickTask task = {0};
    STICK_TRY(stick_problem_read_apart(session->ctx, path, session->as, &file));
    json_problem(&session->json, file);
    StickStatus status = stick_task_create(session->ctx, file, &task);
    if (status == STICK_OK)
        status = solve_task(session, path, file, &task);
    stick_task_destroy(&task);
    stick_problem_destroy(file);
    return status;
}

// A file that cannot be read or solved does not stop the next one.
static void solve_next(Session *session, const char *path)
{
    size_t said = stick_error_count(session->ctx);
    stick_json_object(&session->json);
    stick_json_add_text(&session->json, "file", path);
    StickStatus status = solve_file(session, path);
    stick_json_add_integer(&session->json, "status", status);
    stick_json_add_text(
        &session->json, "message",
        status != STICK_OK && stick_error_count(session->ctx) > said ? stick_last_error(session->ctx) : NULL);
    stick_json_end_object(&session->json);
    add_reason(session, status);
}

// ---- the command

// The name of a method of any kind; whether it suits a file is seen there.
static StickStatus check_solver(const Session *session, const char *name)
{
    enum { MOST = 128 };
    const char *known[MOST] = {"all"};
    size_t count = 1;
    for (int kind = 0; kind < STICK_METHOD_KINDS; kind++)
        for (int k = 0; stick_method_name_of((StickMethodKind)kind, k) && count < MOST; k++)
            known[count++] = stick_method_name_of((StickMethodKind)kind, k);
    for (size_t k = 0; k < count; k++)
        if (stick_text_equal(known[k], name))
            return STICK_OK;
    return stick_fail(session->ctx, STICK_USAGE, "unknown solver '%s'%s; see 'stickslip solvers'", name,
                      stick_suggestion(name, known, count).text);
}

// Options that no method of the kinds in question takes are wrong whatever the files hold.
static StickStatus check_options(const Session *session)
{
    StickAttemptOptions options = attempt_options(session->arguments);
    const char *solver = session->is_all ? NULL : session->arguments->solver;
    bool kinds[STICK_METHOD_KINDS];
    for (int kind = 0; kind < STICK_METHOD_KINDS; kind++)
        kinds[kind] =
            (session->as == STICK_PROBLEM_AUTO || stick_method_kind(session->as) == (StickMethodKind)kind) &&
            (!solver || stick_method_exists((StickMethodKind)kind, solver));
    return stick_attempt_check(session->ctx, &options, kinds);
}

static StickStatus check_arguments(Session *session)
{
    const StickArguments *arguments = session->arguments;
    STICK_CHECK(session->ctx, arguments->noperands > 0, STICK_USAGE,
                "'stickslip solve' takes files; see 'stickslip solve --help'");
    STICK_CHECK(session->ctx, !arguments->folder || arguments->noperands == 1, STICK_USAGE,
                "-o takes the answer of one file, not of %d", arguments->noperands);
    STICK_CHECK(session->ctx, !arguments->folder || arguments->force || !stick_file_exists(arguments->folder),
                STICK_USAGE, "'%s' is there already; --force replaces it", arguments->folder);
    STICK_CHECK(session->ctx, !arguments->cold || arguments->guess == 0, STICK_USAGE,
                "--cold and --guess exclude each other");
    if (arguments->as)
        STICK_CHECK(session->ctx,
                    stick_problem_kind_parse(session->ctx, arguments->as, &session->as) == STICK_OK,
                    STICK_USAGE, "--as takes lcp, friction, global or mates");
    if (arguments->solver)
        STICK_TRY(check_solver(session, arguments->solver));
    session->is_all = arguments->solver && stick_text_equal(arguments->solver, "all");
    STICK_TRY(check_options(session));
    for (int k = 0; k < arguments->noperands; k++) {
        int length = (int)strlen(stick_path_name(arguments->operand[k]));
        session->name_width = length > session->name_width ? length : session->name_width;
    }
    session->name_width = session->name_width > NAME_WIDTH ? NAME_WIDTH : session->name_width;
    return STICK_OK;
}

static StickStatus print_json(Session *session)
{
    STICK_TRY(stick_text_status(&session->text));
    fputs(session->text.bytes, stdout);
    return STICK_OK;
}

StickStatus stick_command_solve(StickContext *ctx, const StickArguments *arguments)
{
    Session session = {.ctx = ctx, .arguments = arguments, .name_width = 4};
    STICK_TRY(check_arguments(&session));
    STICK_TRY(stick_blas_prepare(ctx, arguments->threads));
    stick_text_init(&session.text, ctx);
    stick_json_init(&session.json, &session.text);
    stick_json_object(&session.json);
    stick_json_add_text(&session.json, "stickslip", STICKSLIP_VERSION);
    stick_json_key(&session.json, "problems");
    stick_json_list(&session.json);
    if (!arguments->json)
        print_heading(&session);
    for (int k = 0; k < arguments->noperands; k++)
        solve_next(&session, arguments->operand[k]);
    stick_json_end_list(&session.json);
    stick_json_add_integer(&session.json, "status", session.status);
    stick_json_end_object(&session.json);
    if (arguments->json)
        add_reason(&session, print_json(&session));
    stick_text_destroy(&session.text);
    return session.status;
}
