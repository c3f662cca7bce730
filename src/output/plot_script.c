// SPDX-License-Identifier: Apache-2.0
// The script of a plot. Everything has its place in pixels, so that legends never cover curves and panels
// line up:
//
//      title
//      -- legend  -- legend
//   y  |~~~~~~~~~~~~~~~~~~~~
//      -- legend
//   y  |~~~~~~~~~~~~~~~~~~~~
//       0    1    2    3    4
//              x label
#include "output/plot.h"
#include "output/xml.h"

#include <math.h>

enum {
    LEFT = 104, // pixels, also below
    RIGHT = 24,
    TITLE = 46,
    NO_TITLE = 14,
    LEGEND_ROW = 22,
    LEGEND_LINE = 30,
    LEGEND_GAP = 24,
    BETWEEN = 16,
    BOTTOM = 66,
    CHARACTER = 7, // mean width
    BUCKETS = 1500 // of a long series, each drawn by its extremes
};

#define GREATEST 1e300 // gnuplot does not draw beyond

static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9"}; // Okabe-Ito
static const char *const dashes[] = {"solid", "(14,4)", "(4,3)",
                                     "(12,4,3,4)"}; // when the colours come round again
enum { COLOURS = sizeof palette / sizeof *palette, DASHES = sizeof dashes / sizeof *dashes };

// ---- words and numbers

// What stands in a label for a character that gnuplot or SVG must not see; NULL: the character itself. Quotes
// become typographic ones, so that nothing in a label can end its string or start a command.
static const char *replacement(const char *c, size_t length)
{
    if (*c == '\'')
        return "\xE2\x80\x99";
    if (*c == '`')
        return "\xE2\x80\x98";
    if ((unsigned char)*c < 0x20 || *c == 0x7F)
        return " ";
    return length == 0 ? "\xEF\xBF\xBD" : NULL;
}

// A label in single quotes, where gnuplot expands nothing.
static void add_quoted(StickText *text, const char *words)
{
    stick_text_add_bytes(text, "'", 1);
    while (*words) {
        size_t length = stick_xml_character(words);
        const char *other = replacement(words, length);
        if (other)
            stick_text_add(text, "%s", other);
        else
            stick_text_add_bytes(text, words, length);
        words += length ? length : 1;
    }
    stick_text_add_bytes(text, "'", 1);
}

static int character_count(const char *words)
{
    int count = 0;
    for (; *words; words++)
        count += ((unsigned char)*words & 0xC0) != 0x80;
    return count;
}

// ---- ranges

typedef struct Range {
    bool log;
    double low; // above high: nothing seen yet
    double high;
} Range;

static bool drawable(double value, bool log)
{
    return fabs(value) < GREATEST && (!log || value > 0);
}

static bool drawn(const StickPlot *plot, const StickPlotPanel *panel, const StickPlotSeries *series, size_t k)
{
    return drawable(series->x[k], plot->log_x) && drawable(series->y[k], panel->log_y);
}

static void widen(Range *range, double value)
{
    if (range->low > range->high)
        range->low = range->high = value;
    range->low = value < range->low ? value : range->low;
    range->high = value > range->high ? value : range->high;
}

// Room around the curves; a constant gets some range too.
static void pad(Range *range, double share)
{
    if (range->low > range->high)
        *range = (Range){range->log, range->log ? 0.1 : -1, 1};
    if (range->log) {
        double factor = range->high / range->low;
        factor = factor < 1.5 ? 1.5 : pow(factor, share);
        range->low /= factor;
        range->high *= factor;
        return;
    }
    double size = fmax(fabs(range->low), fabs(range->high));
    double span = range->high - range->low;
    double more = span > 1e-9 * size ? share * span : size > 0 ? 0.1 * size : 1;
    range->low -= more;
    range->high += more;
}

static Range x_range(const StickPlot *plot)
{
    Range range = {plot->log_x, 1, 0};
    for (int p = 0; p < plot->npanels; p++)
        for (int s = 0; s < plot->panel[p].nseries; s++) {
            const StickPlotSeries *series = &plot->panel[p].series[s];
            for (size_t k = 0; k < series->count; k++)
                if (drawn(plot, &plot->panel[p], series, k))
                    widen(&range, series->x[k]);
        }
    pad(&range, plot->log_x ? 0.02 : 0);
    return range;
}

static Range y_range(const StickPlot *plot, const StickPlotPanel *panel)
{
    Range range = {panel->log_y, 1, 0};
    for (int s = 0; s < panel->nseries; s++)
        for (size_t k = 0; k < panel->series[s].count; k++)
            if (drawn(plot, panel, &panel->series[s], k))
                widen(&range, panel->series[s].y[k]);
    pad(&range, 0.06);
    return range;
}

// Powers of ten alone say little on a short logarithmic axis: numbers between them, the more the shorter it is.
static void add_tics(StickText *text, char axis, Range range)
{
    static const int every[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, some[] = {1, 2, 5};
    double decades = log10(range.high) - log10(range.low);
    bool is_short = decades < 0.8;
    const int *first = is_short ? every : some;
    int count = is_short ? 9 : 3;
    const char *comma = "";
    stick_text_add(text, "set %ctics (", axis);
    for (int power = (int)floor(log10(range.low)); power <= (int)ceil(log10(range.high)); power++)
        for (int k = 0; k < count; k++) {
            double tic = first[k] * pow(10, power);
            if (tic < range.low || tic > range.high)
                continue;
            stick_text_add(text, "%s%.0e", comma, tic);
            comma = ", ";
        }
    stick_text_add(text, ")\n");
}

static void add_range(StickText *text, char axis, Range range)
{
    const double long_axis = 2;
    stick_text_add(text, "set %crange [", axis);
    stick_text_add_number(text, range.low);
    stick_text_add(text, ":");
    stick_text_add_number(text, range.high);
    stick_text_add(text, "]\n%s logscale %c\n", range.log ? "set" : "unset", axis);
    if (range.log && log10(range.high) - log10(range.low) < long_axis)
        add_tics(text, axis, range);
    else
        stick_text_add(text, "set %ctics autofreq\n", axis);
}

// ---- data

static void add_point(StickText *text, double x, double y)
{
    stick_text_add_number(text, x);
    stick_text_add(text, " ");
    stick_text_add_number(text, y);
    stick_text_add(text, "\n");
}

// The points of one bucket, in their order: first, last, lowest, highest, and a gap if there is one.
static void add_bucket(StickText *text, const StickPlot *plot, const StickPlotPanel *panel,
                       const StickPlotSeries *series, size_t begin, size_t end)
{
    size_t low = end, high = end, gap = end;
    for (size_t k = begin; k < end; k++) {
        if (!drawn(plot, panel, series, k)) {
            gap = k;
            continue;
        }
        low = low == end || series->y[k] < series->y[low] ? k : low;
        high = high == end || series->y[k] > series->y[high] ? k : high;
    }
    for (size_t k = begin; k < end; k++) {
        if (k == gap)
            stick_text_add(text, "\n");
        else if ((k == begin || k == end - 1 || k == low || k == high) && drawn(plot, panel, series, k))
            add_point(text, series->x[k], series->y[k]);
    }
}

// gnuplot's type of a single point; 0: a line.
static int point_of(StickPlotStyle style)
{
    return style == STICK_PLOT_MARKERS   ? 6
           : style == STICK_PLOT_DOTS    ? 7
           : style == STICK_PLOT_CROSSES ? 2
                                         : 0;
}

// A long series is drawn by the extremes of its buckets: the same picture from a fraction of the points.
static void add_data(StickText *text, const StickPlot *plot, const StickPlotPanel *panel, int number)
{
    const StickPlotSeries *series = &panel->series[number];
    size_t step = point_of(series->style) ? 1 : series->count / BUCKETS;
    step = step < 4 ? 1 : step;
    stick_text_add(text, "$s%d << EOD\n", number);
    for (size_t k = 0; k < series->count; k += step) {
        size_t end = series->count - k < step ? series->count : k + step;
        add_bucket(text, plot, panel, series, k, end);
    }
    stick_text_add(text, "EOD\n");
}

// ---- look

typedef struct Look {
    const char *colour;
    const char *dash;
    double width;
    int point; // 0: a line
} Look;

static Look look_of(const StickPlotPanel *panel, int number)
{
    StickPlotStyle style = panel->series[number].style;
    if (style == STICK_PLOT_REFERENCE)
        return (Look){"#222222", "(7,5)", 1.6, 0};
    if (point_of(style))
        return (Look){"#222222", "solid", 1.6, point_of(style)};
    int line = 0; // among the results
    for (int s = 0; s < number; s++)
        line += panel->series[s].style == STICK_PLOT_LINE;
    return (Look){palette[line % COLOURS], dashes[line / COLOURS % DASHES], 2, 0};
}

// ---- layout

typedef struct Layout {
    int width;
    int height;
    int panel_height;
} Layout;

static bool has_text(const char *words)
{
    return words && words[0];
}

static int entry_width(const StickPlotSeries *series)
{
    return LEGEND_LINE + LEGEND_GAP + CHARACTER * character_count(series->label);
}

// Entries stand side by side if they fit in one row, in columns of one width otherwise.
typedef struct Legend {
    int entries;
    int columns;
    int column_width; // 0: one row
} Legend;

static Legend legend_of(const Layout *layout, const StickPlotPanel *panel)
{
    int total = 0, widest = 0, room = layout->width - LEFT - RIGHT;
    Legend legend = {0, 1, 0};
    for (int s = 0; s < panel->nseries; s++) {
        if (!has_text(panel->series[s].label))
            continue;
        int width = entry_width(&panel->series[s]);
        widest = width > widest ? width : widest;
        total += width;
        legend.entries++;
    }
    bool one_row = total - LEGEND_GAP <= room;
    legend.column_width = one_row ? 0 : widest;
    legend.columns = one_row ? legend.entries : (room + LEGEND_GAP) / widest;
    legend.columns = legend.columns < 1 ? 1 : legend.columns;
    return legend;
}

static int legend_height(const Layout *layout, const StickPlotPanel *panel)
{
    Legend legend = legend_of(layout, panel);
    int rows = (legend.entries + legend.columns - 1) / legend.columns;
    return rows ? LEGEND_ROW * rows + 4 : 0;
}

static Layout layout_of(const StickPlot *plot)
{
    Layout layout = {.width = plot->width ? plot->width : 900};
    layout.panel_height = plot->panel_height ? plot->panel_height : plot->npanels == 1 ? 400 : 190;
    layout.height = (has_text(plot->title) ? TITLE : NO_TITLE) + BOTTOM - BETWEEN;
    for (int p = 0; p < plot->npanels; p++)
        layout.height += legend_height(&layout, &plot->panel[p]) + layout.panel_height + BETWEEN;
    return layout;
}

static double across(const Layout *layout, double x)
{
    return x / layout->width;
}

// y counts from the top
static double up(const Layout *layout, double y)
{
    return 1 - y / layout->height;
}

// ---- script

static void add_head(StickText *text, const Layout *layout)
{
    stick_text_add(
        text,
        "set terminal svg noenhanced size %d,%d font 'Arial,14' background '#ffffff' fontscale 1 rounded\n"
        "set encoding utf8\n"
        "set border 3 linewidth 1 linecolor rgb '#555555'\n"
        "set tics out nomirror scale 0.5 textcolor rgb '#222222'\n"
        "set grid linetype 1 linewidth 0.8 linecolor rgb '#e4e4e4'\n"
        "set xzeroaxis linetype 1 linewidth 1 linecolor rgb '#aaaaaa'\n"
        "set format y '%%.10g'\n"
        "set samples 2\n"
        "unset key\n"
        "set lmargin at screen %.6f\n"
        "set rmargin at screen %.6f\n",
        layout->width, layout->height, across(layout, LEFT), across(layout, layout->width - RIGHT));
}

static void add_label(StickText *text, const char *words, double x, double y, const char *form)
{
    if (!has_text(words))
        return;
    stick_text_add(text, "set label ");
    add_quoted(text, words);
    stick_text_add(text, " at screen %.6f, screen %.6f %s noenhanced front textcolor rgb '#222222'\n", x, y,
                   form);
}

static void add_legend_entry(StickText *text, const Layout *layout, const char *label, Look look, int x,
                             int y)
{
    if (look.point)
        stick_text_add(
            text, "set label '' at screen %.6f, screen %.6f point pointtype %d pointsize 0.9 linewidth %g",
            across(layout, x + LEGEND_LINE / 2.0), up(layout, y), look.point, look.width);
    else
        stick_text_add(text,
                       "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead front "
                       "dashtype %s linewidth %g",
                       across(layout, x), up(layout, y), across(layout, x + LEGEND_LINE), up(layout, y),
                       look.dash, look.width);
    stick_text_add(text, " linecolor rgb '%s'\n", look.colour);
    add_label(text, label, across(layout, x + LEGEND_LINE + 7), up(layout, y), "left");
}

// top: of the legend, in pixels
static void add_legend(StickText *text, const Layout *layout, const StickPlotPanel *panel, int top)
{
    Legend legend = legend_of(layout, panel);
    int x = LEFT, entry = 0;
    for (int s = 0; s < panel->nseries; s++) {
        const StickPlotSeries *series = &panel->series[s];
        if (!has_text(series->label))
            continue;
        int row = entry / legend.columns;
        if (legend.column_width)
            x = LEFT + legend.column_width * (entry % legend.columns);
        add_legend_entry(text, layout, series->label, look_of(panel, s), x,
                         top + LEGEND_ROW * row + LEGEND_ROW / 2);
        x += entry_width(series);
        entry++;
    }
}

// The curves, behind a function without values: a panel of nothing but gaps is drawn as well.
static void add_curves(StickText *text, const StickPlotPanel *panel)
{
    stick_text_add(text, "plot NaN notitle");
    for (int s = 0; s < panel->nseries; s++) {
        Look look = look_of(panel, s);
        stick_text_add(text, ", $s%d using 1:2 with ", s);
        if (look.point)
            stick_text_add(text, "points pointtype %d pointsize 0.9", look.point);
        else
            stick_text_add(text, "lines dashtype %s", look.dash);
        stick_text_add(text, " linewidth %g linecolor rgb '%s' notitle", look.width, look.colour);
    }
    stick_text_add(text, "\n");
}

// Whether the first curve of a panel runs through its upper half at x.
static bool is_high(const StickPlot *plot, const StickPlotPanel *panel, double x)
{
    Range range = y_range(plot, panel);
    const StickPlotSeries *series = panel->series;
    for (size_t k = 0; panel->nseries > 0 && k < series->count; k++)
        if (series->x[k] >= x && drawn(plot, panel, series, k))
            return range.log ? series->y[k] * series->y[k] > range.low * range.high
                             : 2 * series->y[k] > range.low + range.high;
    return false;
}

// Dashed lines from top to bottom; in the first panel their texts stand along them where the curve is not.
static void add_marks(StickText *text, const StickPlot *plot, Range range, int panel)
{
    for (int k = 0; k < plot->nmarks; k++) {
        const StickPlotMark *mark = &plot->mark[k];
        if (!(mark->x >= range.low && mark->x <= range.high))
            continue;
        stick_text_add(text, "set arrow from ");
        stick_text_add_number(text, mark->x);
        stick_text_add(text, ", graph 0 to ");
        stick_text_add_number(text, mark->x);
        stick_text_add(text, ", graph 1 nohead back dashtype (3,4) linewidth 1.4 linecolor rgb '#777777'\n");
        if (panel > 0 || !has_text(mark->text))
            continue;
        stick_text_add(text, "set label ");
        add_quoted(text, mark->text);
        stick_text_add(text, " at ");
        stick_text_add_number(text, mark->x);
        stick_text_add(text,
                       ", graph %s rotate offset character -0.7, 0 noenhanced front font ',12' "
                       "textcolor rgb '#555555'\n",
                       is_high(plot, &plot->panel[0], mark->x) ? "0.03 left" : "0.97 right");
    }
}

static void add_panel(StickText *text, const StickPlot *plot, const Layout *layout, int number, int top)
{
    const StickPlotPanel *panel = &plot->panel[number];
    int plot_top = top + legend_height(layout, panel), bottom = plot_top + layout->panel_height;
    bool last = number == plot->npanels - 1;
    for (int s = 0; s < panel->nseries; s++)
        add_data(text, plot, panel, s);
    add_legend(text, layout, panel, top);
    add_label(text, panel->y_label, across(layout, 22), up(layout, (plot_top + bottom) / 2.0),
              "center rotate");
    if (last)
        add_label(text, plot->x_label, across(layout, (LEFT + layout->width - RIGHT) / 2.0),
                  up(layout, bottom + BOTTOM - 20), "center");
    stick_text_add(text, "set tmargin at screen %.6f\nset bmargin at screen %.6f\nset format x '%s'\n",
                   up(layout, plot_top), up(layout, bottom), last ? "%.10g" : "");
    add_range(text, 'y', y_range(plot, panel));
    add_marks(text, plot, x_range(plot), number);
    add_curves(text, panel);
    stick_text_add(text, "unset label\nunset arrow\n");
}

void stick_plot_script(StickText *text, const StickPlot *plot)
{
    Layout layout = layout_of(plot);
    int top = has_text(plot->title) ? TITLE : NO_TITLE;
    add_head(text, &layout);
    stick_text_add(text, "set multiplot\n");
    add_range(text, 'x', x_range(plot));
    add_label(text, plot->title, across(&layout, LEFT), up(&layout, 24), "left font ',17'");
    for (int p = 0; p < plot->npanels; p++) {
        add_panel(text, plot, &layout, p, top);
        top += legend_height(&layout, &plot->panel[p]) + layout.panel_height + BETWEEN;
    }
    stick_text_add(text, "unset multiplot\n");
}
