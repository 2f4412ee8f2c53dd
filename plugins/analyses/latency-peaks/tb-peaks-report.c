/* tb-peaks-report.c: peaks as figures and sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "report/flame/tb-flame-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-peaks-doubts.h"

#define HIGH_SHARE 0.5
#define MEDIUM_SHARE 0.2
#define MAX_CAUSES 3

/* --- all operations --- */

void
tb_peaks_add_operations (TbReport *report, const TbPeaksCalls *calls)
{
  TbTableFigure *table = tb_table_figure_new (TB_PEAKS_FIGURE_OPERATIONS, _ ("Operations"));
  guint name = tb_table_figure_add_column (table, "operation", _ ("Operation"), TB_CELL_TEXT);
  guint time = tb_table_figure_add_column (table, "total", _ ("Time"), TB_CELL_DURATION);
  guint count = tb_table_figure_add_column (table, "calls", _ ("Calls"), TB_CELL_COUNT);
  guint mean = tb_table_figure_add_column (table, "mean", _ ("Mean"), TB_CELL_DURATION);
  guint n_peaks = tb_table_figure_add_column (table, "peaks", _ ("Peaks"), TB_CELL_COUNT);

  for (guint i = 0; i < calls->operations->len; i++)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (calls->operations, i);
      guint row = tb_table_figure_add_row (table, operation->id);
      g_autoptr (GArray) peaks = NULL;

      tb_table_figure_set_text (table, row, name, operation->id);
      tb_table_figure_set_integer (table, row, count, (gint64) operation->calls);
      if (operation->histogram == NULL)
        continue;
      peaks = tb_peaks_find_in_histogram (operation->histogram, &calls->bins);
      tb_table_figure_set_integer (table, row, time, operation->histogram->total_ns);
      if (operation->calls > 0)
        tb_table_figure_set_integer (table, row, mean,
                                     operation->histogram->total_ns / (gint64) operation->calls);
      tb_table_figure_set_integer (table, row, n_peaks, peaks->len);
    }
  tb_report_add_figure (report, TB_FIGURE (table));
}

/* --- one operation --- */

static const TbPeakDrill *
get_drill (const TbPeaksResult *self, guint peak)
{
  return &g_array_index (self->drill->peaks, TbPeakDrill, peak);
}

static char *
make_item (guint peak)
{
  return g_strdup_printf ("%u", peak + 1);
}

static char *
name_peak (const TbPeaksResult *self, guint peak)
{
  g_autofree char *range = tb_peaks_result_describe_range (self, peak);

  return self->is_drawn ? g_strdup (range) : g_strdup_printf (_ ("Peak %u (%s)"), peak + 1, range);
}

static TbFigure *
make_histogram (const TbPeaksResult *self)
{
  TbHistogramFigure *figure
      = tb_histogram_figure_new (TB_PEAKS_FIGURE_HISTOGRAM, _ ("How long calls took"), "ns");
  const TbPeaksBins *bins = &self->calls->bins;
  guint series;

  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint bin = self->first; bin <= self->last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      tb_histogram_figure_add_bin (figure, bins->edges[bin], bins->edges[bin + 1]);
  series = tb_histogram_figure_add_series (figure, self->operation->id, self->operation->id);
  for (guint bin = self->first, i = 0; bin <= self->last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      tb_histogram_figure_set_count (figure, series, i++, self->operation->histogram->counts[bin],
                                     (guint64) self->operation->histogram->totals[bin]);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakRange *range = &g_array_index (self->ranges, TbPeakRange, i);
      g_autofree char *item = make_item (i);
      g_autofree char *name = name_peak (self, i);

      tb_histogram_figure_add_mark (figure, item, name, bins->edges[range->first],
                                    bins->edges[range->last + 1]);
    }
  return TB_FIGURE (figure);
}

static TbFigure *
make_time_lapse (const TbPeaksResult *self)
{
  const TbPeaksBins *bins = &self->calls->bins;
  TbHeatmapFigure *figure
      = tb_heatmap_figure_new (TB_PEAKS_FIGURE_TIME_LAPSE, _ ("How long calls took over time"), "calls",
                               self->calls->from, self->calls->to, TB_PEAKS_SLICES);
  guint n_bins = self->last - self->first + 1;

  for (guint bin = self->first; bin <= self->last; bin++)
    {
      guint64 values[TB_PEAKS_SLICES];
      g_autofree char *item = g_strdup_printf ("%u", bin);
      g_autofree char *label = tb_format_duration (bins->edges[bin]);

      if (bins->edges[bin] == bins->edges[bin + 1])
        continue;
      for (guint slice = 0; slice < TB_PEAKS_SLICES; slice++)
        values[slice] = self->slices[(gsize) slice * n_bins + bin - self->first];
      tb_heatmap_figure_add_row (figure, item, label, values);
    }
  return TB_FIGURE (figure);
}

static TbFlamePaint
get_paint (const TbPeaksResult *self, const TbPeaksNode *node)
{
  switch (node->kind)
    {
    case TB_PEAKS_NODE_WAIT:
      return TB_FLAME_WAITING;
    case TB_PEAKS_NODE_SERVED:
      return node->key >> 32 == TB_CAUSE_DEVICE    ? TB_FLAME_DISK
             : node->key >> 32 == TB_CAUSE_NETWORK ? TB_FLAME_NETWORK
                                                   : TB_FLAME_WAITING;
    case TB_PEAKS_NODE_QUEUE:
      return TB_FLAME_QUEUED;
    case TB_PEAKS_NODE_SERVICE:
      return TB_FLAME_DISK;
    case TB_PEAKS_NODE_PREEMPTED:
      return TB_FLAME_PREEMPTED;
    case TB_PEAKS_NODE_RUN_QUEUE:
      return TB_FLAME_RUNNABLE;
    case TB_PEAKS_NODE_INTERRUPT:
      return TB_FLAME_INTERRUPT;
    default:
      return self->operation->kind == TB_PEAKS_FUNCTION ? TB_FLAME_USER : TB_FLAME_KERNEL;
    }
}

/* One root a peak; a disturbance stands on the function it fell into. */
static TbFigure *
make_tree (const TbPeaksResult *self)
{
  TbFlameFigure *figure
      = tb_flame_figure_new (TB_PEAKS_FIGURE_TREE, _ ("What the calls of each peak consist of"), "ns");
  GArray *nodes = self->drill->tree->nodes;
  g_autofree guint *box_of = g_new (guint, nodes->len + 1);

  for (guint32 i = 0; i < nodes->len; i++)
    {
      const TbPeaksNode *node = &g_array_index (nodes, TbPeaksNode, i);
      g_autofree char *name = NULL;

      box_of[i] = TB_ID_NONE;
      if (node->kind == TB_PEAKS_NODE_ALIAS || (node->total_ns <= 0 && node->parent != TB_ID_NONE))
        continue;
      name = node->parent == TB_ID_NONE ? name_peak (self, (guint) node->key)
                                        : tb_peaks_result_get_label (self, i);
      box_of[i]
          = tb_flame_figure_add_node (figure, node->parent == TB_ID_NONE ? TB_ID_NONE : box_of[node->parent],
                                      name, "", get_paint (self, node), (guint64) MAX (node->own_ns, 0),
                                      node->calls);
      if (node->is_root_cause)
        tb_flame_figure_set_detail (figure, box_of[i], _ ("on a root-cause path"));
    }
  return TB_FIGURE (figure);
}

static char *
describe_cause (const TbPeaksResult *self, const TbPeakCause *cause)
{
  g_auto (GStrv) path = tb_peaks_result_get_path (self, cause->node);
  g_autofree char *way = g_strjoinv (" → ", path);
  g_autofree char *detail = tb_peaks_result_describe_node (self, cause->node);

  return detail != NULL ? g_strdup_printf (_ ("%s: %s"), way, detail)
                        : g_strdup_printf (_ ("%s itself"), way);
}

static TbFigure *
make_table (const TbPeaksResult *self)
{
  TbTableFigure *table = tb_table_figure_new (TB_PEAKS_FIGURE_PEAKS, _ ("Peaks"));
  guint name = tb_table_figure_add_column (table, "peak", _ ("Peak"), TB_CELL_TEXT);
  guint calls = tb_table_figure_add_column (table, "calls", _ ("Calls"), TB_CELL_COUNT);
  guint total = tb_table_figure_add_column (table, "total", _ ("Time"), TB_CELL_DURATION);
  guint share = tb_table_figure_add_column (table, "share", _ ("Of all time"), TB_CELL_SHARE);
  guint cause = tb_table_figure_add_column (table, "cause", _ ("Root cause"), TB_CELL_TEXT);

  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakDrill *drill = get_drill (self, i);
      const GArray *causes = g_ptr_array_index (self->causes, i);
      g_autofree char *item = make_item (i);
      g_autofree char *peak_name = name_peak (self, i);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, name, peak_name);
      tb_table_figure_set_integer (table, row, calls, (gint64) drill->calls);
      tb_table_figure_set_integer (table, row, total, drill->total_ns);
      tb_table_figure_set_double (table, row, share,
                                  (double) drill->total_ns
                                      / (double) MAX (self->operation->histogram->total_ns, 1));
      if (causes->len > 0)
        {
          g_autofree char *text = describe_cause (self, &g_array_index (causes, TbPeakCause, 0));

          tb_table_figure_set_text (table, row, cause, text);
        }
    }
  tb_figure_set_items_of (TB_FIGURE (table), TB_PEAKS_FIGURE_HISTOGRAM);
  return TB_FIGURE (table);
}

void
tb_peaks_add_figures (TbReport *report, const TbPeaksResult *result)
{
  if (!result->has_bins)
    return;
  tb_report_add_figure (report, make_histogram (result));
  tb_report_add_figure (report, make_time_lapse (result));
  if (result->ranges->len == 0)
    return;
  tb_report_add_figure (report, make_table (result));
  if (result->drill->tree->nodes->len > 0)
    tb_report_add_figure (report, make_tree (result));
}

/* --- sentences --- */

/* "waits (block-io), ended by vda, in syscall:read → vfs_read (97 % of their time)" for each of the first causes. */
static char *
describe_causes (const TbPeaksResult *self, const GArray *causes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < causes->len && i < MAX_CAUSES; i++)
    {
      const TbPeakCause *cause = &g_array_index (causes, TbPeakCause, i);
      g_autofree char *words = describe_cause (self, cause);
      g_autofree char *share = tb_format_share (cause->share);

      g_string_append_printf (text, _ ("%s%s (%s of their time)"), i > 0 ? "; " : "", words, share);
    }
  if (causes->len > MAX_CAUSES)
    g_string_append_printf (text, _ ("; and %u more"), causes->len - MAX_CAUSES);
  return g_string_free (text, FALSE);
}

static char *
describe_doubts (const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = get_drill (self, peak);
  g_autofree char *limit = self->live_peak == peak ? tb_peaks_doubts_describe_limit (self) : NULL;
  GString *text = g_string_new (limit);

  if (text->len == 0 && g_str_equal (tb_peaks_result_get_status (self, peak), "in-progress"))
    g_string_append_printf (text, _ (" Only %" PRIu64 " of the %u calls that a decision takes."),
                            drill->drilled, self->options.decision_ops);
  if (g_str_equal (tb_peaks_result_get_status (self, peak), "depth-reached"))
    g_string_append_printf (text, _ (" The path goes on deeper than %u calls."), self->options.max_depth);
  if (drill->uncertain > 0)
    g_string_append_printf (text,
                            ngettext (" %" PRIu64 " call touches lost events.",
                                      " %" PRIu64 " calls touch lost events.", drill->uncertain),
                            drill->uncertain);
  if (tb_peaks_doubts_is_within_reach (self, g_array_index (self->ranges, TbPeakRange, peak).first))
    g_string_append (
        text, _ (" Where it begins is uncertain: its calls take no longer than what seeing them takes."));
  if (drill->unseen_ns > 0)
    {
      g_autofree char *unseen = tb_format_duration (drill->unseen_ns);

      g_string_append_printf (text, _ (" During %s nobody recorded what the threads did."), unseen);
    }
  if (drill->unplaced_ns > 0)
    {
      g_autofree char *unplaced = tb_format_duration (drill->unplaced_ns);

      g_string_append_printf (text, _ (" Of %s of waiting no stack tells where."), unplaced);
    }
  return g_string_free (text, FALSE);
}

static TbFinding *
make_finding (const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = get_drill (self, peak);
  const TbPeaksHistogram *histogram = self->operation->histogram;
  const TbPeaksTable *table = &self->calls->tables[self->operation->kind];
  const GArray *causes = g_ptr_array_index (self->causes, peak);
  double share = (double) drill->total_ns / (double) MAX (histogram->total_ns, 1);
  g_autofree char *name = name_peak (self, peak);
  g_autofree char *of_calls = tb_format_share ((double) drill->calls / (double) MAX (histogram->calls, 1));
  g_autofree char *of_time = tb_format_share (share);
  g_autofree char *why = causes->len > 0 ? describe_causes (self, causes) : g_strdup (_ ("not known why"));
  g_autofree char *doubts = describe_doubts (self, peak);
  g_autofree char *item = make_item (peak);
  g_autofree char *text = g_strdup_printf (_ ("%s of %s, %s of calls and %s of time, is %s.%s"), name,
                                           self->operation->id, of_calls, of_time, why, doubts);
  TbFinding *finding = tb_finding_new (share >= HIGH_SHARE     ? TB_SEVERITY_HIGH
                                       : share >= MEDIUM_SHARE ? TB_SEVERITY_MEDIUM
                                                               : TB_SEVERITY_LOW,
                                       text, drill->total_ns, share);

  if (drill->longest < table->n)
    {
      tb_finding_set_range (finding, table->enter[drill->longest], table->exit[drill->longest]);
      if (table->thread[drill->longest] < self->calls->n_threads)
        tb_finding_add_thread (finding, table->thread[drill->longest]);
    }
  if (causes->len > 0)
    {
      g_auto (GStrv) path = tb_peaks_result_get_path (self, g_array_index (causes, TbPeakCause, 0).node);

      tb_finding_set_stack (finding, (const char *const *) path);
    }
  tb_finding_set_place (finding, TB_PEAKS_FIGURE_HISTOGRAM, item);
  return finding;
}

static void
add_info (TbReport *report, char *text)
{
  tb_report_add_finding (report, tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN));
  g_free (text);
}

void
tb_peaks_add_findings (TbReport *report, const TbPeaksResult *result)
{
  const TbPeaksOperation *operation = result->operation;

  for (guint i = 0; i < result->ranges->len; i++)
    if (get_drill (result, i)->calls > 0 && (result->options.peak == 0 || result->options.peak == i + 1))
      tb_report_add_finding (report, make_finding (result, i));
  if (operation->calls > 0 && result->ranges->len == 0)
    add_info (report, g_strdup_printf (ngettext ("%s was called %" PRIu64 " time: too few for peaks.",
                                                 "%s was called %" PRIu64 " times: too few for peaks.",
                                                 operation->calls),
                                       operation->id, operation->calls));
  tb_peaks_doubts_add_findings (report, result);
  if (operation->open > 0)
    add_info (report,
              g_strdup_printf (ngettext ("%" PRIu64 " call of %s began before the recording or was not "
                                         "over at its end; it is in no number.",
                                         "%" PRIu64 " calls of %s began before the recording or were "
                                         "not over at its end; they are in no number.",
                                         operation->open),
                               operation->open, operation->id));
}

char *
tb_peaks_make_headline (const TbPeaksResult *result)
{
  const TbPeaksOperation *operation = result->operation;
  g_autofree char *total = tb_format_duration (operation->histogram->total_ns);
  g_autofree char *calls = g_strdup_printf (ngettext ("%" PRIu64 " call of %s took %s",
                                                      "%" PRIu64 " calls of %s took %s", operation->calls),
                                            operation->calls, operation->id, total);

  if (result->is_drawn)
    return g_strdup_printf (_ ("%s."), calls);
  return g_strdup_printf (ngettext ("%s and have %u peak.", "%s and have %u peaks.", result->ranges->len),
                          calls, result->ranges->len);
}
