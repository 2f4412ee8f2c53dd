/* tb-peaks-findings.c: findings about the peaks of an operation, their causes and accuracy, about
 * incomplete data and a continued state; headline of the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "live/tb-peaks-accuracy.h"
#include "stats/tb-peaks-excess.h"
#include "stats/tb-peaks-over-time.h"
#include "drill/tb-peaks-source-lines.h"
#include "live/tb-peaks-live-slow-calls.h"
#include "drill/tb-peaks-result.h"
#include "tb-peaks-finding-values.h"
#include "calls/tb-peaks-call-path.h"

#define HIGH_SHARE 0.5
#define MEDIUM_SHARE 0.2

/* "waits (block-io), ended by vda, in syscall:read → vfs_read at wal.c:120 (97 % of their time)":
 * a cause with the line that has most of its time, if one is known. */
static char *
describe_cause (const TbPeaksResult *self, const TbPeakCause *cause)
{
  guint32 node = cause->node;
  g_auto (GStrv) path = tb_peaks_result_get_path (self, node);
  g_autofree char *where = tb_peaks_result_describe_place (self, node);
  g_autofree char *of_their_time = tb_format_share (cause->share);
  const char *innermost = path[g_strv_length (path) - 1];
  gint64 ns = 0;
  const GArray *lines = tb_peaks_get_lines (self->drill, node, &ns);
  const TbPeaksLine *line = lines != NULL ? &g_array_index (lines, TbPeaksLine, 0) : NULL;
  g_autofree char *share = NULL;
  g_autofree char *place = NULL;

  if (line == NULL)
    return g_strdup_printf (_ ("%s (%s of their time)"), where, of_their_time);
  share = tb_format_share ((double) line->ns / (double) MAX (ns, 1));
  place = line->ns < ns ? g_strdup_printf (_ ("%s (%s)"), line->place, share)
                        : g_strdup (line->place);
  if (path[1] == NULL)
    innermost = tb_peaks_drill_get_function (self->drill);
  if (g_strcmp0 (innermost, line->function) == 0)
    /* Translators: a function, a source line, a share */
    return g_strdup_printf (_ ("%s at %s (%s of their time)"), where, place, of_their_time);
  /* Translators: a function, its caller, a source line, a share */
  return g_strdup_printf (_ ("%s, called by %s() at %s (%s of their time)"), where, line->function,
                          place, of_their_time);
}

static char *
describe_causes (const TbPeaksResult *self, const GArray *causes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < causes->len && i < TB_PEAKS_CAUSES_SHOWN; i++)
    {
      g_autofree char *cause = describe_cause (self, &g_array_index (causes, TbPeakCause, i));

      g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", cause);
    }
  if (causes->len > TB_PEAKS_CAUSES_SHOWN)
    {
      guint n_more = causes->len - TB_PEAKS_CAUSES_SHOWN;

      g_string_append_printf (text,
                              ngettext ("; and %'u more cause", "; and %'u more causes", n_more),
                              n_more);
    }
  return g_string_free (text, FALSE);
}

/* "so far, 97 % of their time is in handle → slow_leaf" */
static char *
describe_progress (const TbPeaksResult *self)
{
  const TbPeaksNode *stop = tb_peaks_tree_node (self->drill->tree, self->live_stop);
  const TbPeakDrill *drill = tb_peaks_result_get_drill (self, self->live_peak);
  gint64 total = tb_peaks_tree_node (self->drill->tree, drill->root)->total_ns;
  g_auto (GStrv) path = tb_peaks_result_get_calls (self, self->live_stop);
  g_autofree char *path_text = g_strjoinv (" → ", path);
  g_autofree char *share = tb_format_share ((double) stop->total_ns / (double) MAX (total, 1));

  if (stop->depth == 0 || total == 0)
    return g_strdup (_ ("the cause is not known yet"));
  return g_strdup_printf (_ ("so far, %s of their time is in %s"), share, path_text);
}

/* "fsync: waits (block-io) 20 %; read itself 15 %"; NULL: nothing is known */
static char *
describe_shares (const GArray *shares, const TbPeaksResult *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < shares->len; i++)
    {
      const TbPeakCause *part = &g_array_index (shares, TbPeakCause, i);
      g_autofree char *place = tb_peaks_result_describe_place (self, part->node);
      g_autofree char *share = tb_format_share (part->share);

      /* Translators: “; ” or nothing, a part of calls, its share of their time */
      g_string_append_printf (text, _ ("%s%s %s"), i > 0 ? "; " : "", place, share);
    }
  return g_string_free (text, FALSE);
}

/* Without a root cause that has a third of the time: how the time is shared. why: causes with less,
 * or NULL */
static char *
describe_unexplained (const TbPeaksResult *self, guint peak, const char *why)
{
  g_autoptr (GArray) shares = tb_peaks_result_list_shares (self, peak);
  g_autofree char *parts = describe_shares (shares, self);
  gboolean is_most
      = shares->len > 0 && g_array_index (shares, TbPeakCause, 0).share >= TB_PEAKS_LEAST_SHARE;

  if (shares->len == 0)
    return why != NULL ? g_strdup_printf (_ ("the cause is %s"), why)
                       : g_strdup (_ ("the cause is not known"));
  if (why != NULL)
    return g_strdup_printf (is_most
                                ? _ ("the cause is %s; most of their time: %s")
                                : _ ("the cause is %s, though no part has a third of their time: "
                                     "%s"),
                            why, parts);
  return g_strdup_printf (is_most ? _ ("the cause is not known; most of their time: %s")
                                  : _ ("no part has a third of their time: %s"),
                          parts);
}

/* "the cause is …" */
static char *
describe_answer (const TbPeaksResult *self, guint peak)
{
  const GArray *causes = g_ptr_array_index (self->causes, peak);
  g_autofree char *why = causes->len > 0 ? describe_causes (self, causes) : NULL;

  if (why != NULL && g_array_index (causes, TbPeakCause, 0).share >= TB_PEAKS_LEAST_SHARE)
    return g_strdup_printf (ngettext ("the cause is %s", "the causes are %s", causes->len), why);
  if (why == NULL && self->live_peak == peak && self->live_stop != TB_ID_NONE)
    return describe_progress (self);
  return describe_unexplained (self, peak, why);
}

/* "Peak 2 (1 ms–2 ms) of syscall:read has 7 % of the calls and 98 % of the time; the cause is …" */
static char *
describe_peak (const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = tb_peaks_result_get_drill (self, peak);
  const TbPeaksHistogram *histogram = self->operation->histogram;
  g_autofree char *name = tb_peaks_result_name_peak (self, peak);
  g_autofree char *length = tb_format_duration (drill->total_ns);
  g_autofree char *of_calls
      = tb_format_share ((double) drill->calls / (double) MAX (histogram->calls, 1));
  g_autofree char *of_time
      = tb_format_share ((double) drill->total_ns / (double) MAX (histogram->total_ns, 1));
  g_autofree char *fact
      = tb_peaks_result_is_single_call (self, peak)
            /* Translators: a duration, an operation, a share. Then comes “the cause is …”. */
            ? g_strdup_printf (_ ("The call of %s of %s has %s of the time of all calls"), length,
                               self->operation->id, of_time)
            /* Translators: “Peak 2 (1 ms–2 ms)” or “1 ms–2 ms”, an operation, two shares. Then
             * comes “the cause is …”. */
            : g_strdup_printf (_ ("%s of %s has %s of the calls and %s of the time"), name,
                               self->operation->id, of_calls, of_time);
  g_autofree char *cause = describe_answer (self, peak);

  return g_strdup_printf ("%s; %s.", fact, cause);
}

/* How deep a live search came that ended early. */
static void
append_stop (GString *text, const TbPeaksResult *self)
{
  guint depth = tb_peaks_tree_node (self->drill->tree, self->live_stop)->depth;
  g_autofree char *name = tb_peaks_result_name_call (self, self->live_stop);

  g_string_append_c (text, ' ');
  if (depth == 0)
    g_string_append (text, _ ("The search stopped at the first level; continue with resume."));
  else
    g_string_append_printf (
        text,
        ngettext ("The search stopped %u level down, in %s; continue with resume.",
                  "The search stopped %u levels down, in %s; continue with resume.", depth),
        depth, name);
}

static void
append_unsampled (GString *text, const TbPeakDrill *drill)
{
  g_string_append_printf (text,
                          ngettext (" Not sampled: %'" PRIu64 " of %'" PRIu64 " call.",
                                    " Not sampled: %'" PRIu64 " of %'" PRIu64 " calls.",
                                    drill->drilled),
                          drill->unsampled, drill->drilled);
}

/* Fewer calls than a decision needs, or fewer with a sample. */
static void
append_undecided (GString *text, const TbPeaksResult *self, const TbPeakDrill *drill)
{
  if (drill->unsampled > 0)
    append_unsampled (text, drill);
  if (drill->unsampled < drill->drilled || drill->drilled == 0)
    g_string_append_printf (text,
                            _ (" Only %'" PRIu64 " of the %u calls that a decision needs "
                               "were examined."),
                            drill->drilled - drill->unsampled, self->options.decision_calls);
}

static char *
describe_accuracy (const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = tb_peaks_result_get_drill (self, peak);
  g_autofree char *limit = self->live_peak == peak ? tb_peaks_accuracy_describe_limit (self) : NULL;
  GString *text = g_string_new (limit);

  if (text->len == 0 && self->live_stop != TB_ID_NONE && self->live_peak == peak)
    append_stop (text, self);
  else if (text->len == 0 && self->state == NULL
           && g_str_equal (tb_peaks_result_get_status (self, peak), "in-progress"))
    append_undecided (text, self, drill);
  else if (drill->unsampled > 0)
    append_unsampled (text, drill);
  if (g_str_equal (tb_peaks_result_get_status (self, peak), "depth-reached"))
    g_string_append_printf (text, _ (" The path continues deeper than %u calls."),
                            self->options.max_depth);
  if (drill->uncertain > 0)
    g_string_append_printf (text,
                            ngettext (" %'" PRIu64 " call overlaps lost events.",
                                      " %'" PRIu64 " calls overlap lost events.", drill->uncertain),
                            drill->uncertain);
  if (tb_peaks_accuracy_is_within_reach (self,
                                         g_array_index (self->ranges, TbPeakRange, peak).first))
    g_string_append (
        text,
        _ (" Where the peak begins is uncertain: its calls take no longer than their probes."));
  if (drill->unseen_ns > 0)
    {
      g_autofree char *unseen = tb_format_duration (drill->unseen_ns);

      g_string_append_printf (text,
                              _ (" What the threads did was not recorded during "
                                 "%s."),
                              unseen);
    }
  if (drill->unplaced_ns > 0)
    {
      g_autofree char *unplaced = tb_format_duration (drill->unplaced_ns);

      g_string_append_printf (text, _ (" For %s of waiting, no stack shows where."), unplaced);
    }
  return g_string_free (text, FALSE);
}

/* Further facts about the calls: parts that take longer than in fast calls, discriminating
 * attributes, periods. */
static char *
describe_properties (const TbPeaksResult *self, guint peak)
{
  GString *text = g_string_new (NULL);
  g_autofree char *more = self->rows != NULL ? tb_peaks_describe_excess (self, peak) : NULL;
  const TbPeakAttribute *attribute = tb_peaks_result_get_attribute (self, peak);

  if (more != NULL)
    g_string_append_printf (text, " %s", more);
  if (attribute != NULL)
    {
      g_autofree char *in = tb_format_share (attribute->association.share_in);
      g_autofree char *out = tb_format_share (attribute->association.share_out);

      g_string_append_printf (
          text,
          /* Translators: what is compared, its value, two shares: "result: 0 in 99 %" */
          _ (" They are distinguished by %s: %s in %s of them, in %s of the other calls."),
          attribute->label, attribute->text, in, out);
    }
  if (tb_peaks_result_is_periodic (self, peak))
    {
      const TbPeakPeriodicity *periodicity
          = &g_array_index (self->periodicities, TbPeakPeriodicity, peak);
      g_autofree char *period = tb_format_duration (periodicity->period.period_ns);

      g_string_append_printf (text, _ (" They come every %s (%'u times or bursts)."), period,
                              periodicity->period.bursts);
    }
  return g_string_free (text, FALSE);
}

static TbFinding *
make_finding (const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = tb_peaks_result_get_drill (self, peak);
  const TbPeaksHistogram *histogram = self->operation->histogram;
  const TbPeaksTable *table = &self->calls->tables[self->operation->kind];
  const GArray *causes = g_ptr_array_index (self->causes, peak);
  double share = (double) drill->total_ns / (double) MAX (histogram->total_ns, 1);
  g_autofree char *sentence = describe_peak (self, peak);
  g_autofree char *accuracy = describe_accuracy (self, peak);
  g_autofree char *more = describe_properties (self, peak);
  g_autofree char *item = tb_peaks_result_get_item (peak);
  g_autofree char *text = g_strconcat (sentence, more, accuracy, NULL);
  TbFinding *finding = tb_finding_new (share >= HIGH_SHARE     ? TB_SEVERITY_HIGH
                                       : share >= MEDIUM_SHARE ? TB_SEVERITY_MEDIUM
                                                               : TB_SEVERITY_LOW,
                                       text, drill->total_ns, share);

  tb_peaks_finding_set_peak (finding, self, peak, tb_peaks_result_get_attribute (self, peak),
                             tb_peaks_result_is_periodic (self, peak)
                                 ? &g_array_index (self->periodicities, TbPeakPeriodicity, peak)
                                 : NULL);
  if (drill->longest < table->n)
    {
      tb_finding_set_range (finding, table->enter[drill->longest], table->exit[drill->longest]);
      if (table->thread[drill->longest] < self->calls->n_threads)
        tb_finding_add_thread (finding, table->thread[drill->longest]);
    }
  if (causes->len > 0)
    {
      g_auto (GStrv) path
          = tb_peaks_result_get_path (self, g_array_index (causes, TbPeakCause, 0).node);

      tb_finding_set_stack (finding, (const char *const *) path);
    }
  tb_finding_set_place (finding, TB_PEAKS_FIGURE_HISTOGRAM, item);
  return finding;
}

/* Takes ownership of the text. (transfer none) */
static TbFinding *
add_info (TbReport *report, const char *code, const TbPeaksOperation *operation, char *text)
{
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_code (finding, code);
  tb_finding_set_string (finding, "operation", operation->id);
  tb_report_add_finding (report, finding);
  g_free (text);
  return finding;
}

static void
add_count (TbReport *report,
           const char *code,
           const TbPeaksOperation *operation,
           guint64 count,
           char *text)
{
  tb_finding_set_integer (add_info (report, code, operation, text), "count", (gint64) count);
}

static void
add_inferred (TbReport *report, const TbPeaksOperation *operation)
{
  const char *name = strchr (operation->id, ':') + 1;
  g_autofree char *function = g_strndup (name, strcspn (name, "@"));
  g_autofree char *visible_from = tb_format_duration (operation->visible_from);
  TbFinding *finding = add_info (
      report, "inferred-calls", operation,
      g_strdup_printf (
          _ ("Calls of %s are inferred from stacks: there were at least as many, and most of those "
             "shorter than %s are missing. To see all, record with the option probe=%s."),
          operation->id, visible_from, function));

  tb_finding_set_time (finding, "hidden_ns", operation->visible_from);
  tb_finding_set_string (finding, "function", function);
}

static char *
describe_call_path (const TbPeaksResult *result)
{
  return g_strjoinv (" → ", (char **) tb_peaks_call_path_get_functions (result->calls->call_path));
}

static void
add_unknown_path (TbReport *report, const TbPeaksResult *result)
{
  guint64 unknown_path = result->operation->unknown_path;
  g_autofree char *call_path = describe_call_path (result);
  TbFinding *finding = add_info (
      report, "calls-of-unknown-path", result->operation,
      g_strdup_printf (ngettext ("For %'" PRIu64 " more call of %s, no stack shows whether it came "
                                 "through %s; it is in no number.",
                                 "For %'" PRIu64 " more calls of %s, no stack shows whether they "
                                 "came through %s; they are in no number.",
                                 unknown_path),
                       unknown_path, result->operation->id, call_path));

  tb_finding_set_integer (finding, "count", (gint64) unknown_path);
  tb_finding_set_strings (finding, "path",
                          tb_peaks_call_path_get_functions (result->calls->call_path));
}

static void
add_resumed_search (TbReport *report, const TbPeaksResult *result)
{
  TbFinding *finding;

  if (result->is_same)
    finding
        = add_info (report, "resumed-search", result->operation,
                    g_strdup_printf (
                        _ ("The search was continued from an earlier recording in which calls took "
                           "as long: the distance is %.2f bins, where chance and the machine cause "
                           "up to %.2f."),
                        result->distance, result->limit));
  else
    {
      finding = tb_finding_new (
          TB_SEVERITY_HIGH,
          _ ("The search was not continued from the earlier recording: calls are distributed "
             "differently. What follows is of this recording alone."),
          TB_TIME_NONE, NAN);
      tb_finding_set_code (finding, "search-not-resumed");
      tb_finding_set_string (finding, "operation", result->operation->id);
      tb_report_add_finding (report, finding);
    }
  tb_finding_set_number (finding, "distance_bins", result->distance);
  tb_finding_set_number (finding, "limit_bins", result->limit);
}

static void
add_served_calls (TbReport *report, const TbPeaksResult *result)
{
  const TbPeaksBins *bins = &result->calls->bins;
  g_autofree char *from = tb_format_duration (bins->edges[result->clients_range.first]);
  g_autofree char *to = tb_format_duration (bins->edges[result->clients_range.last + 1]);
  TbFinding *finding
      = add_info (report, "served-calls", result->operation,
                  g_strdup_printf (_ ("Of %'u calls of %s, these are the %'" PRIu64 " that served "
                                      "calls of %s with a latency of %s–%s."),
                                   result->n_all, result->operation->id, result->operation->calls,
                                   result->clients->id, from, to));

  tb_finding_set_integer (finding, "count", (gint64) result->operation->calls);
  tb_finding_set_integer (finding, "all_calls", result->n_all);
  tb_finding_set_string (finding, "served_operation", result->clients->id);
  tb_peaks_finding_set_range (finding, "served_", bins, &result->clients_range);
}

/* Findings about incomplete data of an operation's calls. */
static void
add_incomplete_data (TbReport *report, const TbPeaksResult *result)
{
  const TbPeaksOperation *operation = result->operation;
  guint64 n_lost = result->calls->n_lost;

  if (operation->kind == TB_PEAKS_INFERRED)
    add_inferred (report, operation);
  if (operation->unknown_path > 0)
    add_unknown_path (report, result);
  if (operation->kind == TB_PEAKS_HOLD)
    add_info (
        report, "inferred-lock-holds", operation,
        g_strdup_printf (_ ("Times of %s are inferred from waits: each lasted at least as long, "
                            "counted from when another thread waited; those that no thread waited "
                            "for are not known."),
                         operation->id));
  if (operation->without_latency > 0)
    add_count (report, "unmeasured-messages", operation, operation->without_latency,
               g_strdup_printf (ngettext ("How long %'" PRIu64 " message of %s took was not "
                                          "recorded.",
                                          "How long %'" PRIu64 " messages of %s took was not "
                                          "recorded.",
                                          operation->without_latency),
                                operation->without_latency, operation->id));
  if (n_lost > 0)
    add_count (report, "lost-events", operation, n_lost,
               g_strdup_printf (ngettext ("%'" PRIu64 " event was lost in that range: it may have "
                                          "hidden at most one call of %s.",
                                          "%'" PRIu64 " events were lost in that range: they may "
                                          "have hidden at most as many calls of %s.",
                                          n_lost),
                                n_lost, operation->id));
}

/* How certain it is that the peaks are several ones. */
static void
add_peak_rule (TbReport *report, const TbPeaksResult *result)
{
  g_autofree char *chance = tb_format_share (TB_PEAKS_CHANCE);
  TbFinding *finding = add_info (
      report, "peak-rule", result->operation,
      g_strdup_printf (_ ("Peaks have at least %d calls. An empty doubling of the latency parts "
                          "them, and so does a valley that chance explains in %s of cases at "
                          "most."),
                       TB_PEAKS_LEAST_CALLS, chance));

  tb_finding_set_integer (finding, "least_calls", TB_PEAKS_LEAST_CALLS);
  tb_finding_set_number (finding, "chance", TB_PEAKS_CHANCE);
  tb_finding_set_number (finding, "valley_ratio", TB_PEAKS_VALLEY_RATIO);
}

void
tb_peaks_add_findings (TbReport *report, const TbPeaksResult *result)
{
  const TbPeaksOperation *operation = result->operation;

  for (guint i = 0; i < result->ranges->len; i++)
    if (tb_peaks_result_get_drill (result, i)->calls > 0
        && tb_peaks_result_is_requested (result, i))
      tb_report_add_finding (report, make_finding (result, i));
  if (operation->calls > 0 && result->ranges->len == 0)
    add_count (report, "too-few-calls", operation, operation->calls,
               g_strdup_printf (ngettext ("%s was called %'" PRIu64 " time: too few for peaks.",
                                          "%s was called %'" PRIu64 " times: too few for peaks.",
                                          operation->calls),
                                operation->id, operation->calls));
  if (result->ranges->len > 1 && !result->is_drawn && result->options.call == 0)
    add_peak_rule (report, result);
  tb_peaks_add_longest_finding (report, result);
  tb_peaks_correlation_add_finding (report, result);
  tb_peaks_accuracy_add_findings (report, result);
  add_incomplete_data (report, result);
  if (result->clients != NULL)
    add_served_calls (report, result);
  else if (result->is_compared)
    add_resumed_search (report, result);
  if (operation->open > 0)
    add_count (
        report, "open-calls", operation, operation->open,
        g_strdup_printf (ngettext ("%'" PRIu64 " call of %s began before the recording or was not "
                                   "over at its end; it is in no number.",
                                   "%'" PRIu64 " calls of %s began before the recording or were "
                                   "not over at its end; they are in no number.",
                                   operation->open),
                         operation->open, operation->id));
}

char *
tb_peaks_make_headline (const TbPeaksResult *result)
{
  const TbPeaksOperation *operation = result->operation;
  g_autofree char *total = tb_format_duration (operation->histogram->total_ns);
  g_autofree char *call_path
      = result->calls->call_path != NULL ? describe_call_path (result) : NULL;
  g_autofree char *through = call_path != NULL
                                 ? g_strdup_printf (_ ("%s through %s"), operation->id, call_path)
                                 : g_strdup (operation->id);

  if (result->is_drawn)
    return g_strdup_printf (ngettext ("%'" PRIu64 " call of %s took %s.",
                                      "%'" PRIu64 " calls of %s took %s.", operation->calls),
                            operation->calls, through, total);
  return g_strdup_printf (ngettext ("%'" PRIu64 " call of %s took %s; number of peaks: %'u.",
                                    "%'" PRIu64 " calls of %s took %s; number of peaks: %'u.",
                                    operation->calls),
                          operation->calls, through, total, result->ranges->len);
}
