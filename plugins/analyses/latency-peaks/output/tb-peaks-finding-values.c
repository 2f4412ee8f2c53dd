/* tb-peaks-finding-values.c: code and values of the finding about a peak, for programs that read
 * the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "live/tb-peaks-accuracy.h"
#include "stats/tb-peaks-excess.h"
#include "drill/tb-peaks-source-lines.h"
#include "drill/tb-peaks-composition.h"
#include "tb-peaks-finding-values.h"

static const TbPeaksNode *
get_node (const TbPeaksResult *self, guint32 node)
{
  return &g_array_index (self->drill->tree->nodes, TbPeaksNode, node);
}

static void
set_integer (TbFinding *finding, const char *prefix, const char *name, gint64 value)
{
  g_autofree char *full = g_strconcat (prefix, name, NULL);

  if (g_str_has_suffix (name, "_ns"))
    tb_finding_set_time (finding, full, value);
  else
    tb_finding_set_integer (finding, full, value);
}

static void
set_number (TbFinding *finding, const char *prefix, const char *name, double value)
{
  g_autofree char *full = g_strconcat (prefix, name, NULL);

  tb_finding_set_number (finding, full, value);
}

static void
set_string (TbFinding *finding, const char *prefix, const char *name, const char *value)
{
  g_autofree char *full = g_strconcat (prefix, name, NULL);

  tb_finding_set_string (finding, full, value);
}

static void
set_strings (TbFinding *finding, const char *prefix, const char *name, GPtrArray *values)
{
  g_autofree char *full = g_strconcat (prefix, name, NULL);

  g_ptr_array_add (values, NULL);
  tb_finding_set_strings (finding, full, (const char *const *) values->pdata);
}

void
tb_peaks_finding_set_range (TbFinding *finding,
                            const char *prefix,
                            const TbPeaksBins *bins,
                            const TbPeakRange *range)
{
  gint64 to = bins->edges[range->last + 1];

  set_integer (finding, prefix, "from_ns", bins->edges[range->first]);
  set_integer (finding, prefix, "to_ns", to < G_MAXINT64 ? to : TB_TIME_NONE);
}

/* --- where the time is spent --- */

/* The relation of a node to its function. */
static const char *
get_part (const TbPeaksNode *node)
{
  switch (node->kind)
    {
    case TB_PEAKS_NODE_WAIT:
      return "wait";
    case TB_PEAKS_NODE_SERVED:
      return "waker";
    case TB_PEAKS_NODE_SERVING:
      return "waker-running";
    case TB_PEAKS_NODE_DELAYED:
      return "waker-runnable";
    case TB_PEAKS_NODE_QUEUE:
      return "device-queue";
    case TB_PEAKS_NODE_SERVICE:
      return "device-service";
    case TB_PEAKS_NODE_HOLDER:
      return "cpu-holder";
    case TB_PEAKS_NODE_NESTED:
      return "nested-interrupts";
    case TB_PEAKS_NODE_PREEMPTED:
      return "preempted";
    case TB_PEAKS_NODE_RUN_QUEUE:
      return "run-queue";
    case TB_PEAKS_NODE_INTERRUPT:
      return "interrupt";
    default:
      return node->self_ns > 2 * node->own_ns ? "several-parts" : "self";
    }
}

static void
set_interrupt (TbFinding *finding,
               const char *prefix,
               const TbPeaksResult *self,
               const TbPeaksNode *node)
{
  TbPeakInterrupt interrupt = tb_peaks_read_interrupt (self, node);

  set_string (finding, prefix, "interrupt", *interrupt.name != '\0' ? interrupt.name : NULL);
  set_string (finding, prefix, "interrupt_kind", tb_peaks_get_interrupt_kind (interrupt.kind));
  set_integer (finding, prefix, "interrupt_number", interrupt.number);
}

/* The waits within a function, outermost first: their kinds, and the threads or devices that ended
 * them. */
static void
set_waits (TbFinding *finding, const char *prefix, const TbPeaksResult *self, guint32 node)
{
  g_autoptr (GPtrArray) waits = g_ptr_array_new ();
  g_autoptr (GPtrArray) wakers = g_ptr_array_new_with_free_func (g_free);

  for (; node != TB_ID_NONE && get_node (self, node)->kind != TB_PEAKS_NODE_FUNCTION;
       node = get_node (self, node)->parent)
    {
      const TbPeaksNode *of = get_node (self, node);

      if (of->kind == TB_PEAKS_NODE_WAIT)
        g_ptr_array_insert (waits, 0, (gpointer) tb_wait_kind_get_name ((TbWaitKind) of->key));
      else if (of->kind == TB_PEAKS_NODE_SERVED)
        g_ptr_array_insert (wakers, 0, tb_peaks_result_describe_server (self, node));
      else if (of->kind == TB_PEAKS_NODE_INTERRUPT)
        set_interrupt (finding, prefix, self, of);
      else if (of->kind == TB_PEAKS_NODE_HOLDER)
        {
          g_autofree char *holder
              = of->key != TB_ID_NONE
                    ? tb_trace_describe_thread (self->calls->trace, (guint32) of->key)
                    : NULL;

          set_string (finding, prefix, "holder", holder);
        }
    }
  set_strings (finding, prefix, "waits", waits);
  set_strings (finding, prefix, "wakers", wakers);
}

/* The values of the place that tb_peaks_result_describe_place() describes. */
static void
set_place (TbFinding *finding, const char *prefix, const TbPeaksResult *self, guint32 node)
{
  g_auto (GStrv) path = tb_peaks_result_get_calls (self, node);
  g_autofree char *name = g_strconcat (prefix, "path", NULL);

  tb_finding_set_strings (finding, name, (const char *const *) path);
  set_string (finding, prefix, "kind", tb_peaks_result_get_cause_kind (self, node));
  set_string (finding, prefix, "part", get_part (get_node (self, node)));
  set_waits (finding, prefix, self, node);
}

/* The line with most of a cause's time. */
static void
set_line (TbFinding *finding, const char *prefix, const TbPeaksResult *self, guint32 node)
{
  gint64 ns = 0;
  const GArray *lines = tb_peaks_get_lines (self->drill, node, &ns);
  const TbPeaksLine *line = lines != NULL ? &g_array_index (lines, TbPeaksLine, 0) : NULL;

  set_string (finding, prefix, "line", line != NULL ? line->place : NULL);
  if (line == NULL)
    return;
  set_string (finding, prefix, "line_function", line->function);
  set_number (finding, prefix, "line_share", (double) line->ns / (double) MAX (ns, 1));
}

static void
set_causes (TbFinding *finding, const TbPeaksResult *self, const GArray *causes)
{
  tb_finding_set_integer (finding, "causes", causes->len);
  for (guint i = 0; i < causes->len && i < TB_PEAKS_CAUSES_SHOWN; i++)
    {
      const TbPeakCause *cause = &g_array_index (causes, TbPeakCause, i);
      g_autofree char *prefix = g_strdup_printf ("cause_%u_", i + 1);

      set_place (finding, prefix, self, cause->node);
      set_number (finding, prefix, "share", cause->share);
      set_line (finding, prefix, self, cause->node);
    }
}

/* How the time is shared if no root cause has a third of it. */
static void
set_shares (TbFinding *finding, const TbPeaksResult *self, guint peak)
{
  g_autoptr (GArray) shares = tb_peaks_result_list_shares (self, peak);

  tb_finding_set_integer (finding, "shares", shares->len);
  for (guint i = 0; i < shares->len; i++)
    {
      const TbPeakCause *part = &g_array_index (shares, TbPeakCause, i);
      g_autofree char *prefix = g_strdup_printf ("share_%u_", i + 1);

      set_place (finding, prefix, self, part->node);
      set_number (finding, prefix, "share", part->share);
    }
}

/* The part that takes longer than in a call of the fastest peak. */
static void
set_excess (TbFinding *finding, const TbPeaksResult *self, guint peak)
{
  gint64 ns;
  g_autoptr (GArray) parts = tb_peaks_explain (self, peak, &ns);

  if (parts->len == 0)
    return;
  tb_finding_set_time (finding, "more_ns", ns);
  for (guint i = 0; i < parts->len; i++)
    {
      const TbPeakExcess *more = &g_array_index (parts, TbPeakExcess, i);
      g_autofree char *prefix = g_strdup_printf ("more_%u_", i + 1);

      set_integer (finding, prefix, "ns", more->excess_ns);
      set_place (finding, prefix, self, more->node);
    }
}

/* --- the peak --- */

/* The accuracy of the numbers. */
static void
set_accuracy (TbFinding *finding, const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = &g_array_index (self->drill->peaks, TbPeakDrill, peak);
  guint first = g_array_index (self->ranges, TbPeakRange, peak).first;
  const char *limit = self->live_peak == peak ? tb_peaks_accuracy_get_limit (self) : NULL;

  tb_finding_set_string (finding, "status", tb_peaks_result_get_status (self, peak));
  tb_finding_set_string (finding, "limit", limit);
  tb_finding_set_integer (finding, "drilled", (gint64) drill->drilled);
  tb_finding_set_integer (finding, "unsampled_calls", (gint64) drill->unsampled);
  tb_finding_set_integer (finding, "decision_calls", self->options.decision_calls);
  tb_finding_set_integer (finding, "max_depth", self->options.max_depth);
  tb_finding_set_integer (finding, "uncertain_calls", (gint64) drill->uncertain);
  if (tb_peaks_accuracy_is_within_reach (self, first))
    tb_finding_set_time (finding, "probe_cost_ns", tb_peaks_accuracy_get_reach (self));
  tb_finding_set_time (finding, "unrecorded_ns", drill->unseen_ns);
  tb_finding_set_time (finding, "unplaced_ns", drill->unplaced_ns);
}

static void
set_attribute (TbFinding *finding, const TbPeakAttribute *attribute)
{
  tb_finding_set_string (finding, "attribute", attribute->variable);
  tb_finding_set_string (finding, "attribute_value", attribute->value);
  tb_finding_set_number (finding, "attribute_share", attribute->association.share_in);
  tb_finding_set_number (finding, "attribute_other_share", attribute->association.share_out);
}

static void
set_periodicity (TbFinding *finding, const TbPeakPeriodicity *periodicity)
{
  tb_finding_set_time (finding, "period_ns", periodicity->period.period_ns);
  tb_finding_set_integer (finding, "bursts", periodicity->period.bursts);
}

/* A peak, or the single call that is examined. */
static void
set_name (TbFinding *finding, const TbPeaksResult *self, guint peak, gboolean is_explained)
{
  const TbPeakDrill *drill = &g_array_index (self->drill->peaks, TbPeakDrill, peak);
  const TbPeaksHistogram *histogram = self->operation->histogram;

  if (self->options.call != 0 && peak > 0)
    {
      tb_finding_set_code (finding, is_explained ? "slow-call" : "unexplained-slow-call");
      tb_finding_set_time (finding, "latency_ns", drill->total_ns);
    }
  else
    {
      tb_finding_set_code (finding, is_explained ? "latency-peak" : "unexplained-latency-peak");
      if (!self->is_drawn)
        tb_finding_set_integer (finding, "peak", peak + 1);
      tb_peaks_finding_set_range (finding, "", &self->calls->bins,
                                  &g_array_index (self->ranges, TbPeakRange, peak));
    }
  tb_finding_set_string (finding, "operation", self->operation->id);
  tb_finding_set_number (finding, "calls_share",
                         (double) drill->calls / (double) MAX (histogram->calls, 1));
  tb_finding_set_number (finding, "time_share",
                         (double) drill->total_ns / (double) MAX (histogram->total_ns, 1));
}

void
tb_peaks_finding_set_peak (TbFinding *finding,
                           const TbPeaksResult *result,
                           guint peak,
                           const TbPeakAttribute *attribute,
                           const TbPeakPeriodicity *periodicity)
{
  const GArray *causes = g_ptr_array_index (result->causes, peak);

  set_name (finding, result, peak, causes->len > 0);
  set_causes (finding, result, causes);
  if (causes->len == 0 || g_array_index (causes, TbPeakCause, 0).share < TB_PEAKS_LEAST_SHARE)
    set_shares (finding, result, peak);
  if (result->rows != NULL)
    set_excess (finding, result, peak);
  if (attribute != NULL)
    set_attribute (finding, attribute);
  if (periodicity != NULL)
    set_periodicity (finding, periodicity);
  set_accuracy (finding, result, peak);
}
