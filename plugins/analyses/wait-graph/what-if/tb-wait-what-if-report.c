/* tb-wait-what-if-report.c: what-if predictions in a report: findings (gain, what its interval
 * includes, what the prediction rests on), warning of threads stuck in the replay, table, JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "report/table/tb-table-figure.h"
#include "what-if/tb-wait-what-if.h"

char *
tb_wait_prediction_format (const TbWaitPrediction *prediction, double value)
{
  if (!prediction->is_throughput)
    return tb_format_duration ((gint64) llround (value));
  return g_strdup_printf (value < 100 ? _ ("%.2f a second") : _ ("%.0f a second"), value);
}

gboolean
tb_wait_prediction_is_vague (const TbWaitPrediction *prediction)
{
  return prediction->high > 4 * prediction->low;
}

/* The speed-up that a value of the prediction means. */
static double
get_gain (const TbWaitPrediction *prediction, double value)
{
  if (prediction->is_throughput)
    return value / prediction->before;
  return value > 0 ? prediction->before / value : INFINITY;
}

/* The interval, and the runs for which it holds. */
static char *
describe_interval (const TbWaitPrediction *of)
{
  guint n = of->estimates->len;
  g_autofree char *low = tb_wait_prediction_format (of, of->low);
  g_autofree char *high = tb_wait_prediction_format (of, of->high);

  if (n == 1)
    return g_strdup_printf (_ ("Measured by one run before the change and one after it, it would "
                               "lie between %s and %s in 9 of 10 cases."),
                            low, high);
  return g_strdup_printf (ngettext ("Measured by the median of %'u run before the change and of "
                                    "%'u after it, it would lie between %s and %s in 9 of 10 "
                                    "cases.",
                                    "Measured by the median of %'u runs before the change and of "
                                    "%'u after it, it would lie between %s and %s in 9 of 10 "
                                    "cases.",
                                    n),
                          n, n, low, high);
}

/* "after_ns" or "after_per_second" */
static void
set_measure (TbFinding *finding, const char *name, const TbWaitPrediction *of, double value)
{
  g_autofree char *full = g_strconcat (name, of->is_throughput ? "_per_second" : "_ns", NULL);

  if (of->is_throughput)
    tb_finding_set_number (finding, full, value);
  else
    tb_finding_set_integer (finding, full, llround (value));
}

static void
set_gain (TbFinding *finding, const TbWaitPrediction *of)
{
  tb_finding_set_code (finding, "predicted-gain");
  tb_finding_set_string (finding, "change", of->change);
  set_measure (finding, "before", of, of->before);
  set_measure (finding, "after", of, of->after);
  set_measure (finding, "low", of, of->low);
  set_measure (finding, "high", of, of->high);
  tb_finding_set_number (finding, "gain", get_gain (of, of->after));
  tb_finding_set_integer (finding, "runs", of->estimates->len);
  tb_finding_set_integer (finding, "waits", (gint64) of->n_waits);
  tb_finding_set_number (finding, "replay_deviation", of->deviation);
}

static void
add_vague (const TbWaitPrediction *of, TbReport *report)
{
  g_autofree char *text
      = g_strdup_printf (_ ("The recording is too short, or its parts differ too much, to predict "
                            "the effect of %s: record the same load for longer, or several times"),
                         of->change);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, 0, 0);

  tb_finding_set_code (finding, "vague-prediction");
  tb_finding_set_string (finding, "change", of->change);
  tb_report_add_finding (report, finding);
}

static void
add_finding (const TbWaitPrediction *of, TbReport *report)
{
  g_autofree char *before = tb_wait_prediction_format (of, of->before);
  g_autofree char *after = tb_wait_prediction_format (of, of->after);
  g_autofree char *interval = describe_interval (of);
  g_autofree char *text = g_strdup_printf (
      /* Translators: the fifth directive is the sentence “Measured by …, it would lie between …” */
      ngettext ("What if %s: %s instead of %s, %.2f times as fast. %s %'" PRIu64
                " wait changes. Without a change the replay differs from the recording by %+.1f %%",
                "What if %s: %s instead of %s, %.2f times as fast. %s %'" PRIu64
                " waits change. Without a change the replay differs from the recording by %+.1f %%",
                of->n_waits),
      of->change, after, before, get_gain (of, of->after), interval, of->n_waits,
      of->deviation * 100);
  gint64 gain = of->is_throughput ? 0 : (gint64) (of->before - of->after);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, MAX (gain, 0),
                                       CLAMP (1 - 1 / get_gain (of, of->after), 0, 1));

  set_gain (finding, of);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_WHAT_IF, of->change);
  tb_report_add_finding (report, finding);
  if (tb_wait_prediction_is_vague (of))
    add_vague (of, report);
}

/* Adds what the interval includes, and what it does not. */
static void
add_interval (const TbWaitPrediction *of, TbReport *report)
{
  g_autofree char *text
      = of->estimates->len > 1
            ? g_strdup_printf (
                  _ ("The interval of %s has these parts: how much %u recordings of the same load "
                     "differ, in the recorded and in the predicted values, the unknown costs of "
                     "wake-ups, switches and recording, and the error of the replay"),
                  of->change, of->estimates->len)
            : g_strdup_printf (
                  _ ("The interval of %s has these parts: how much the parts of this one recording "
                     "differ, the unknown costs of wake-ups, switches and recording, and the error "
                     "of the replay. It does not include what differs from run to run: name "
                     "further recordings of the same load after the first"),
                  of->change);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, 0, 0);

  tb_finding_set_code (finding,
                       of->estimates->len > 1 ? "interval-of-recordings" : "interval-of-parts");
  tb_finding_set_string (finding, "change", of->change);
  tb_finding_set_integer (finding, "recordings", of->estimates->len);
  tb_report_add_finding (report, finding);
}

static void
set_limits (TbFinding *finding, const TbWaitPrediction *of)
{
  tb_finding_set_code (finding, "prediction-limits");
  tb_finding_set_string (finding, "change", of->change);
  tb_finding_set_integer (finding, "threads", of->n_threads);
  tb_finding_set_integer (finding, "replayed_waits", (gint64) of->n_signalled);
  tb_finding_set_integer (finding, "outside_waits", (gint64) of->n_outside);
  tb_finding_set_integer (finding, "unplaced_waits", (gint64) of->n_unplaced);
  tb_finding_set_integer (finding, "periodic_threads", of->n_periodic);
}

static void
add_limits (const TbWaitPrediction *of, TbReport *report)
{
  g_autofree char *text = g_strdup_printf (
      _ ("The prediction rests on the recorded threads: %'u, of which driven by timers: %'u. Waits "
         "that end when the thread or request that ended them is ready: %'" PRIu64
         "; waits that take as long as recorded: %'" PRIu64
         " because of timers, peers and interrupts, %'" PRIu64
         " because of wakers that are not replayed. The CPU time of other programs is as recorded, "
         "too. The prediction cannot include runs that become longer or shorter (caches, "
         "spinning), contention that the recording does not show, threads bound to CPUs, or load "
         "that answers to speed"),
      of->n_threads, of->n_periodic, of->n_signalled, of->n_outside, of->n_unplaced);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, 0, 0);

  set_limits (finding, of);
  tb_report_add_finding (report, finding);
}

static void
set_value (TbTableFigure *table, guint row, guint column, const TbWaitPrediction *of, double value)
{
  g_autofree char *text = tb_wait_prediction_format (of, value);

  tb_table_figure_set_text (table, row, column, text);
}

static void
add_row (TbTableFigure *table, const TbWaitPrediction *of)
{
  g_autofree char *gain = g_strdup_printf ("%.2f", get_gain (of, of->after));
  guint row = tb_table_figure_add_row (table, of->change);

  tb_table_figure_set_text (table, row, 0, of->change);
  set_value (table, row, 1, of, of->before);
  set_value (table, row, 2, of, of->after);
  set_value (table, row, 3, of, of->low);
  set_value (table, row, 4, of, of->high);
  tb_table_figure_set_text (table, row, 5, gain);
  tb_table_figure_set_integer (table, row, 6, (gint64) of->n_waits);
  tb_table_figure_set_integer (table, row, 7, of->waits_ns);
  tb_table_figure_set_double (table, row, 8, fabs (of->deviation));
}

void
tb_wait_what_if_add_to_report (const TbWaitWhatIf *self, TbReport *report)
{
  TbTableFigure *table = tb_table_figure_new (TB_WAIT_FIGURE_WHAT_IF, _ ("What If"));
  static const struct
  {
    const char *id;
    const char *title;
    TbCellType type;
  } columns[] = {
    { "change", N_ ("Change"), TB_CELL_TEXT },
    { "before", N_ ("Recorded"), TB_CELL_TEXT },
    { "after", N_ ("Predicted"), TB_CELL_TEXT },
    { "low", N_ ("At Least (90 %)"), TB_CELL_TEXT },
    { "high", N_ ("At Most (90 %)"), TB_CELL_TEXT },
    { "gain", N_ ("Times as Fast"), TB_CELL_TEXT },
    { "waits", N_ ("Waits Changed"), TB_CELL_COUNT },
    { "waits_ns", N_ ("Their Length"), TB_CELL_DURATION },
    { "deviation", N_ ("Error of Replay"), TB_CELL_SHARE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    tb_table_figure_add_column (table, columns[i].id, _ (columns[i].title), columns[i].type);
  for (guint i = 0; i < self->predictions->len; i++)
    {
      const TbWaitPrediction *of = &g_array_index (self->predictions, TbWaitPrediction, i);

      add_finding (of, report);
      add_interval (of, report);
      add_limits (of, report);
      add_row (table, of);
      if (of->n_stuck > 0)
        {
          g_autofree char *text = g_strdup_printf (
              ngettext (
                  "What if %s: %'u thread waits for an event that does not occur; its replay ends "
                  "there",
                  "What if %s: %'u threads wait for events that do not occur; their replay ends "
                  "there",
                  of->n_stuck),
              of->change, of->n_stuck);

          tb_report_add_warning (report, text);
        }
    }
  tb_report_add_figure (report, TB_FIGURE (table));
}

static void
add_value (JsonBuilder *builder, const char *name, const TbWaitPrediction *of, double value)
{
  json_builder_set_member_name (builder, name);
  if (of->is_throughput)
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_int_value (builder, (gint64) llround (value));
}

/* The cost of recording a switch with its wake-up, where it was calibrated; the mean of the
 * recordings. */
static double
get_cost (const TbWaitPrediction *of)
{
  double cost = 0;

  for (guint i = 0; i < of->estimates->len; i++)
    cost += g_array_index (of->estimates, TbWaitEstimate, i).cost / of->estimates->len;
  return cost;
}

static void
add_spread (JsonBuilder *builder, const TbWaitSpread *spread)
{
  const struct
  {
    const char *name;
    double value;
  } members[] = { { "chance", spread->chance },       { "waking", spread->waking },
                  { "depth", spread->depth },         { "sparing", spread->sparing },
                  { "costs", spread->costs },         { "taking", spread->taking },
                  { "ahead", spread->ahead },         { "others", spread->external_load },
                  { "recording", spread->recording }, { "unexplained", spread->unexplained },
                  { "replay", spread->replay },       { "model", spread->model } };

  json_builder_set_member_name (builder, "spread");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      json_builder_set_member_name (builder, members[i].name);
      json_builder_add_double_value (builder, members[i].value);
    }
  json_builder_end_object (builder);
}

static void
add_prediction (JsonBuilder *builder, const TbWaitPrediction *of)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "change");
  json_builder_add_string_value (builder, of->change);
  json_builder_set_member_name (builder, "metric");
  json_builder_add_string_value (builder, of->is_throughput ? "throughput" : "wall");
  add_value (builder, "before", of, of->before);
  add_value (builder, "after", of, of->after);
  add_value (builder, "low", of, of->low);
  add_value (builder, "high", of, of->high);
  json_builder_set_member_name (builder, "waits");
  json_builder_add_int_value (builder, (gint64) of->n_waits);
  json_builder_set_member_name (builder, "waits_ns");
  json_builder_add_int_value (builder, of->waits_ns);
  json_builder_set_member_name (builder, "replay_deviation");
  json_builder_add_double_value (builder, of->deviation);
  json_builder_set_member_name (builder, "recordings");
  json_builder_add_int_value (builder, of->estimates->len);
  json_builder_set_member_name (builder, "clockwork");
  json_builder_add_int_value (builder, of->n_periodic);
  add_spread (builder, &of->spread);
  if (get_cost (of) > 0)
    {
      json_builder_set_member_name (builder, "recording_ns");
      json_builder_add_double_value (builder, get_cost (of));
    }
  json_builder_end_object (builder);
}

JsonNode *
tb_wait_what_if_to_json (const TbWaitWhatIf *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < self->predictions->len; i++)
    add_prediction (builder, &g_array_index (self->predictions, TbWaitPrediction, i));
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}
