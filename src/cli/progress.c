// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH = 32 };

void stick_bar_init(StickBar *bar, FILE *stream)
{
    *bar = (StickBar){.stream = stream, .is_terminal = isatty(fileno(stream)) == 1, .first = -1};
}

void stick_bar_clear(StickBar *bar)
{
    if (bar->drawn)
        fprintf(bar->stream, "\r\033[K");
    bar->drawn = false;
}

static void time_text(double seconds, char text[32])
{
    if (seconds < 100)
        snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 6000)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600);
}

static int columns_of(FILE *stream)
{
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// One line, or it could not be taken away again: a name that is too long for it is cut.
static void draw(StickBar *bar, long step, long nsteps, double t, double left)
{
    char drawn[WIDTH + 1], eta[32], now[32] = "", line[160];
    int filled = nsteps > 0 ? (int)(WIDTH * step / nsteps) : WIDTH;
    memset(drawn, '-', WIDTH);
    memset(drawn, '#', (size_t)filled);
    drawn[WIDTH] = '\0';
    time_text(left, eta);
    if (isfinite(t))
        snprintf(now, sizeof now, "  t = %.4g", t);
    int used = snprintf(line, sizeof line, "[%s] %3.0f %%%s  %s left", drawn,
                        nsteps > 0 ? 100.0 * (double)step / (double)nsteps : 100.0, now, eta);
    int room = columns_of(bar->stream) - used - 2;
    fprintf(bar->stream, "\r\033[K%.*s%s%s", room > 0 ? room : 0, bar->name,
            bar->name[0] && room > 0 ? " " : "", line);
    fflush(bar->stream);
    bar->drawn = true;
}

void stick_bar_report(void *user, const char *name, long step, long nsteps, double t, double end)
{
    StickBar *bar = user;
    double now = stick_clock_wall();
    (void)end;
    if (bar->first < 0 || strncmp(name, bar->name, sizeof bar->name - 1) != 0 || step < bar->first) {
        snprintf(bar->name, sizeof bar->name, "%s", name);
        bar->first = step;
        bar->started = bar->shown = now;
    }
    bool last = step == nsteps;
    double pause = bar->is_terminal ? 0.1 : 10;
    if (!last && now - bar->shown < pause)
        return;
    bar->shown = now;
    double done = (double)(step - bar->first),
           left = done > 0 ? (now - bar->started) / done * (double)(nsteps - step) : 0;
    if (bar->is_terminal)
        draw(bar, step, nsteps, t, left);
    else if (isfinite(t))
        fprintf(bar->stream, "%s%sstep %ld of %ld, t = %.6g\n", bar->name, bar->name[0] ? ": " : "", step,
                nsteps, t);
    else
        fprintf(bar->stream, "%s%s%ld of %ld\n", bar->name, bar->name[0] ? ": " : "", step, nsteps);
    if (last)
        stick_bar_clear(bar);
}
