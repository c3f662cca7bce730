// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include "cli/commands.h"

#include <math.h>
#include <string.h>

static bool reached(const Contender *contender)
{
    return contender->fate == RUNNING && contender->rounds > 0;
}

// The fastest of one side, or the one named.
static const Contender *winner(const Race *race, bool ours, const char *chosen)
{
    const Contender *best = NULL;
    for (int k = 0; k < race->count; k++) {
        const Contender *contender = &race->contender[k];
        if (contender->ours != ours || !reached(contender) ||
            (chosen && strcmp(contender->name, chosen) != 0))
            continue;
        if (!best || contender->median < best->median)
            best = contender;
    }
    return best;
}

static const Contender *first_peer(const Race *race)
{
    for (int k = 0; k < race->count; k++)
        if (!race->contender[k].ours)
            return reached(&race->contender[k]) ? &race->contender[k] : NULL;
    return NULL;
}

static void time_text(const Contender *contender, char text[32])
{
    if (contender)
        stick_seconds_text(contender->median, text);
    else
        snprintf(text, 32, "-");
}

static void ratio_text(const Contender *peer, const Contender *ours, char text[32])
{
    if (peer && ours)
        snprintf(text, 32, "%.2f", peer->median / ours->median);
    else
        snprintf(text, 32, "-");
}

void report_heading(void)
{
    printf("%-44s %6s %6s | %-18s %9s | %9s | %-20s %9s | %8s %8s\n", "problem", "nc", "tol", "Siconos best",
           "time", "default", "stickslip", "time", "best/our", "def/our");
}

void report_race(const Race *race, const char *problem, const char *chosen, Tally *tally)
{
    const Contender *peer = winner(race, false, NULL), *ours = winner(race, true, chosen),
                    *standard = first_peer(race);
    char peer_time[32], ours_time[32], standard_time[32], best_ratio[32], default_ratio[32];
    time_text(peer, peer_time);
    time_text(ours, ours_time);
    time_text(standard, standard_time);
    ratio_text(peer, ours, best_ratio);
    ratio_text(standard, ours, default_ratio);
    printf("%-44.44s %6d %6.0e | %-18s %9s | %9s | %-20s %9s | %8s %8s\n", problem, race->problem->ncontacts,
           race->tolerance, peer ? peer->name : "none", peer_time, standard_time, ours ? ours->name : "none",
           ours_time, best_ratio, default_ratio);
    fflush(stdout);
    tally->tolerance = race->tolerance;
    tally->both += peer && ours;
    tally->only_ours += !peer && ours;
    tally->only_peer += peer && !ours;
    tally->neither += !peer && !ours;
    if (peer && ours) {
        tally->faster += ours->median < peer->median;
        tally->best_logs += log(peer->median / ours->median);
    }
    if (standard && ours) {
        tally->defaults++;
        tally->default_logs += log(standard->median / ours->median);
    }
}

void report_tally(const Tally *tally)
{
    printf("%.0e: both solve %d, only stickslip %d, only Siconos %d, neither %d; stickslip is faster than "
           "the best "
           "of Siconos on %d;\n       geometric mean of Siconos' best over ours %.2f, of its default over "
           "ours %.2f "
           "(on %d)\n",
           tally->tolerance, tally->both, tally->only_ours, tally->only_peer, tally->neither, tally->faster,
           exp(tally->best_logs / fmax(tally->both, 1)), exp(tally->default_logs / fmax(tally->defaults, 1)),
           tally->defaults);
}

void report_csv_heading(FILE *csv)
{
    fprintf(csv, "problem,contacts,dimension,tolerance,code,solver,end,rounds,seconds,error\n");
}

void report_csv(FILE *csv, const Race *race, const char *problem)
{
    static const char *const fate[] = {"reached", "missed", "stopped", "crashed"};
    for (int k = 0; k < race->count; k++) {
        const Contender *contender = &race->contender[k];
        fprintf(csv, "%s,%d,%d,%g,%s,%s,%s,%d,%.4g,%.3e\n", problem, race->problem->ncontacts,
                race->problem->dim, race->tolerance, contender->ours ? "stickslip" : "siconos",
                contender->name, fate[contender->fate], contender->rounds,
                reached(contender) ? contender->median : NAN, contender->error);
    }
    fflush(csv);
}
