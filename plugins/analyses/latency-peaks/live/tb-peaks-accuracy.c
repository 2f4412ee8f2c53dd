/* tb-peaks-accuracy.c: findings about the accuracy of a live search, which probes the running
 * program: cost of probes, lost calls; text on the limit that ended it; findings about interrupts
 * as frequent causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "tb-peaks-accuracy.h"
#include "drill/tb-peaks-composition.h"

static JsonNode *
find_member (const TbPeaksResult *result, const char *object, const char *member)
{
  JsonNode *node = result->state;

  for (const char *names[] = { object, member, NULL }, **name = names; *name != NULL; name++)
    {
      if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
        return NULL;
      if (**name != '\0')
        node = json_object_get_member (json_node_get_object (node), *name);
    }
  return node;
}

/* 0 for an invalid number. */
static gint64
get_number (const TbPeaksResult *result, const char *object, const char *member)
{
  JsonNode *node = find_member (result, object, member);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_INT64)
    return 0;
  return CLAMP (json_node_get_int (node), 0, G_MAXINT64 / 8);
}

static const char *
get_text (const TbPeaksResult *result, const char *member)
{
  JsonNode *node = find_member (result, "", member);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_STRING)
    return "";
  return json_node_get_string (node);
}

gint64
tb_peaks_accuracy_get_reach (const TbPeaksResult *result)
{
  return get_number (result, "cost", "reach_ns");
}

gboolean
tb_peaks_accuracy_is_within_reach (const TbPeaksResult *result, guint bin)
{
  return result->calls->bins.edges[bin] < tb_peaks_accuracy_get_reach (result);
}

guint64
tb_peaks_accuracy_count_within_reach (const TbPeaksResult *result)
{
  guint64 n = 0;

  for (guint bin = result->first; result->has_bins && bin <= result->last; bin++)
    if (tb_peaks_accuracy_is_within_reach (result, bin))
      n += result->operation->histogram->counts[bin];
  return n;
}

guint64
tb_peaks_accuracy_count_lost (const TbPeaksResult *result)
{
  static const char *const members[] = { "calls_without_room", "calls_not_counted", "missed" };
  guint64 n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    n += (guint64) get_number (result, "", members[i]);
  return n;
}

/* Takes ownership of the text. (transfer none) */
static TbFinding *
add_info (TbReport *report, const char *code, char *text)
{
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_code (finding, code);
  tb_report_add_finding (report, finding);
  g_free (text);
  return finding;
}

static void
add_count (TbReport *report, const char *code, char *text, gint64 count)
{
  tb_finding_set_integer (add_info (report, code, text), "count", count);
}

/* Finding about calls that are no longer than the overhead of probing them. */
static void
add_within_reach (TbReport *report, const TbPeaksResult *result)
{
  gint64 reach = tb_peaks_accuracy_get_reach (result);
  guint64 within = tb_peaks_accuracy_count_within_reach (result);
  double part = (double) within / (double) MAX (result->operation->calls, 1);
  g_autofree char *share = tb_format_share (part);
  g_autofree char *below = tb_format_duration (reach);
  TbFinding *finding;

  if (within == 0)
    return;
  finding = add_info (
      report, "calls-within-probe-cost",
      g_strdup_printf (
          _ ("%s of the calls (bins below %s) took no longer than their probes: their distribution "
             "there is uncertain."),
          share, below));
  tb_finding_set_number (finding, "share", part);
  tb_finding_set_time (finding, "below_ns", reach);
}

static void
add_cost (TbReport *report, const TbPeaksResult *result)
{
  gint64 call_ns = get_number (result, "cost", "call_ns"),
         subtracted = get_number (result, "cost", "subtracted_ns");
  g_autofree char *call = tb_format_duration (call_ns);
  g_autofree char *floor = tb_format_duration (subtracted);
  TbFinding *finding;

  /* Block requests get no finding about the probe overhead. */
  if (result->operation->kind == TB_PEAKS_BLOCK)
    return;
  if (tb_peaks_accuracy_get_reach (result) == 0)
    {
      add_info (report, "probe-cost-unknown",
                g_strdup (_ ("The cost of the probes of each call is not known: part of the time "
                             "of short calls is that of the probes.")));
      return;
    }
  if (subtracted > 0)
    finding = add_info (
        report, "probe-cost-subtracted",
        g_strdup_printf (
            _ ("Probing a call made it %s longer; the %s of that in its latency were subtracted, "
               "likewise for each probe in the call."),
            call, floor));
  else
    finding = add_info (
        report, "probe-cost",
        g_strdup_printf (_ ("Probing a call made it %s longer, some of which is in its latency."),
                         call));
  tb_finding_set_time (finding, "cost_ns", call_ns);
  if (subtracted > 0)
    tb_finding_set_time (finding, "subtracted_ns", subtracted);
  add_within_reach (report, result);
}

static void
add_losses (TbReport *report, const TbPeaksResult *result)
{
  gint64 full = get_number (result, "", "calls_without_room"),
         cut = get_number (result, "", "calls_not_counted"),
         missed = get_number (result, "", "missed");

  if (full > 0)
    add_count (report, "unmeasured-calls",
               g_strdup_printf (
                   ngettext ("%" PRIi64 " call was not measured for lack of memory: it is in no "
                             "number.",
                             "%" PRIi64 " calls were not measured for lack of memory: they are in "
                             "no number.",
                             (gulong) full),
                   full),
               full);
  if (cut > 0)
    add_count (
        report, "calls-left-out",
        g_strdup_printf (ngettext ("%" PRIi64 " call of the peak was left out of the search: there "
                                   "was no memory for a part of it.",
                                   "%" PRIi64 " calls of the peak were left out of the search: "
                                   "there was no memory for parts of them.",
                                   (gulong) cut),
                         cut),
        cut);
  if (missed > 0)
    add_count (
        report, "missed-probes",
        g_strdup_printf (ngettext ("%" PRIi64 " time the kernel skipped a probe: at most as many "
                                   "calls, waits or interrupts are missing, or counted as their "
                                   "caller’s.",
                                   "%" PRIi64 " times the kernel skipped a probe: at most as many "
                                   "calls, waits or interrupts are missing, or counted as their "
                                   "caller’s.",
                                   (gulong) missed),
                         missed),
        missed);
}

static void
add_frequent_interrupt (TbReport *report, const char *name, gint64 calls, double expected)
{
  TbFinding *finding = add_info (
      report, "frequent-interrupt",
      g_strdup_printf (
          _ ("Interrupt %s occurred in %" PRIi64 " of the examined calls, where %.1f are expected "
             "by chance: it makes those calls slow, although its handler takes less time than they "
             "do themselves. The time of an interrupt before its handler begins and after it ends "
             "is not recorded."),
          name, calls, expected));

  tb_finding_set_string (finding, "interrupt", name);
  tb_finding_set_integer (finding, "calls", calls);
  tb_finding_set_number (finding, "expected_calls", expected);
}

/* Findings about interrupts that are root causes because of their frequency, not their duration. */
static void
add_frequent_interrupts (TbReport *report, const TbPeaksResult *result)
{
  JsonNode *node = find_member (result, "", "nodes");
  JsonArray *nodes
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; nodes != NULL && i < json_array_get_length (nodes); i++)
    {
      JsonNode *element = json_array_get_element (nodes, i);
      JsonObject *object = JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;

      if (object == NULL || !json_object_get_boolean_member_with_default (object, "blamed", FALSE))
        continue;
      add_frequent_interrupt (report,
                              json_object_get_string_member_with_default (object, "name", ""),
                              json_object_get_int_member_with_default (object, "calls", 0),
                              json_object_get_double_member_with_default (object, "expected_calls",
                                                                          0));
    }
}

/* The same for a recording. */
static void
add_recorded_frequent_interrupts (TbReport *report, const TbPeaksResult *result)
{
  const GArray *nodes = result->drill->tree->nodes;

  for (guint i = 0; i < nodes->len; i++)
    {
      const TbPeaksNode *node = &g_array_index (nodes, TbPeaksNode, i);
      TbPeakInterrupt interrupt;
      g_autofree char *number = NULL;

      if (node->kind != TB_PEAKS_NODE_INTERRUPT || !node->is_frequent_cause)
        continue;
      interrupt = tb_peaks_read_interrupt (result, node);
      number = g_strdup_printf ("%u", interrupt.number);
      add_frequent_interrupt (report, *interrupt.name != '\0' ? interrupt.name : number,
                              (gint64) interrupt.calls, node->expected);
    }
}

/* Finding about the probes of a recording in the examined calls. */
static void
add_recorded_cost (TbReport *report, const TbPeaksResult *result)
{
  const TbPeaksTable *functions = &result->calls->tables[TB_PEAKS_FUNCTION];
  gint64 ns = 0;
  g_autofree char *cost = NULL;
  g_autofree char *each = NULL;
  TbFinding *finding;

  if (result->operation->kind != TB_PEAKS_FUNCTION || functions->probes_ns == NULL)
    return;
  for (guint i = 0; i < result->drill->peaks->len; i++)
    ns += g_array_index (result->drill->peaks, TbPeakDrill, i).probes_ns;
  if (functions->has_inner && functions->probe_ns == 0)
    add_info (report, "probe-cost-unknown",
              g_strdup (_ ("The cost of the probes of other functions in these calls is not known, "
                           "and part of their time. Record with the option measure.")));
  if (ns == 0)
    return;
  cost = tb_format_duration (ns);
  each = tb_format_duration (functions->probe_ns);
  finding = add_info (
      report, "recorded-probe-cost",
      g_strdup_printf (_ ("Probes of other functions took %s of these calls (%s each, give or take "
                          "a third), which is taken off each caller once."),
                       cost, each));
  tb_finding_set_time (finding, "cost_ns", ns);
  tb_finding_set_time (finding, "uncertainty_ns", ns / TB_PEAKS_COST_UNCERTAINTY);
  tb_finding_set_time (finding, "call_cost_ns", functions->probe_ns);
}

void
tb_peaks_accuracy_add_findings (TbReport *report, const TbPeaksResult *result)
{
  if (result->state == NULL)
    {
      add_recorded_frequent_interrupts (report, result);
      add_recorded_cost (report, result);
      return;
    }
  if (result->operation->calls > 0)
    add_cost (report, result);
  add_losses (report, result);
  add_frequent_interrupts (report, result);
}

const char *
tb_peaks_accuracy_get_limit (const TbPeaksResult *result)
{
  const char *limit = result->state != NULL ? get_text (result, "limit") : "";

  return g_str_equal (limit, "probes") || g_str_equal (limit, "calls") ? limit : NULL;
}

char *
tb_peaks_accuracy_describe_limit (const TbPeaksResult *result)
{
  const char *limit = tb_peaks_accuracy_get_limit (result);

  if (g_strcmp0 (limit, "probes") == 0)
    return g_strdup (_ (" The search ended there, because a call takes no longer than the probes "
                        "that would examine it."));
  if (g_strcmp0 (limit, "calls") == 0)
    return g_strdup (_ (" The search was canceled there: hardly any more calls of this peak were "
                        "made. Their latencies have changed since the peak was chosen, or calls "
                        "take another path."));
  return g_strdup ("");
}
