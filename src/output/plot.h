// SPDX-License-Identifier: Apache-2.0
// Line plots as SVG, drawn by gnuplot: panels stacked over one shared axis, each with its curves and their
// legend.
//
// Titles and labels may be any text: gnuplot gets them as quoted words, never through a shell, and no file
// names at all.
#ifndef OUTPUT_PLOT_H
#define OUTPUT_PLOT_H

#include "base/text.h"

#include <stdbool.h>

typedef enum StickPlotStyle {
    STICK_PLOT_LINE,      // a result: a line in the next colour of the palette
    STICK_PLOT_REFERENCE, // what it is compared with: a dashed black line
    STICK_PLOT_MARKERS,   // the same as single points: black circles
    STICK_PLOT_DOTS,      // filled ones
    STICK_PLOT_CROSSES,
} StickPlotStyle;

// Values that are not finite, or not positive on a logarithmic axis, make gaps.
typedef struct StickPlotSeries {
    const char *label; // in the legend; NULL: none
    StickPlotStyle style;
    size_t count;
    const double *x;
    const double *y;
} StickPlotSeries;

typedef struct StickPlotPanel {
    const char *y_label; // with its unit; NULL: none
    bool log_y;
    int nseries;
    const StickPlotSeries *series;
} StickPlotPanel;

// A place on the shared axis that is pointed out by a dashed line through all panels.
typedef struct StickPlotMark {
    double x;
    const char *text; // beside the line, in the top panel
} StickPlotMark;

typedef struct StickPlot {
    const char *title; // NULL: none
    const char *x_label;
    bool log_x;
    int npanels; // from top to bottom
    const StickPlotPanel *panel;
    int nmarks;
    const StickPlotMark *mark; // those beyond the curves are left out
    int width;                 // of the picture in pixels; 0: 900
    int panel_height; // of the plotting area of a panel; 0: 400 for one panel, 190 for each of several
} StickPlot;

// Writes the picture, whole or not at all. Without gnuplot in the PATH there is a warning and no picture;
// *made tells.
StickStatus stick_plot_write(StickContext *ctx, const char *path, const StickPlot *plot, bool *made);

// What gnuplot is told; it writes the picture to its standard output.
void stick_plot_script(StickText *text, const StickPlot *plot);

#endif
