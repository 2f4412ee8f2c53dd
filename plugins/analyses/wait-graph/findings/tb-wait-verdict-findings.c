/* tb-wait-verdict-findings.c: sentence and finding for each verdict that names neither a knot nor a
 * busy thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-verdict-findings.h"

#include <glib/gi18n.h>
#include <math.h>

#include "model/tb-wait-names.h"
#include "tb-wait-finding-values.h"

#define PROGRAMS_SHOWN 3

static double
get_share (const TbWaitResult *result, gint64 ns)
{
  return (double) ns / (double) MAX (tb_wait_verdict_get (result)->load.life, 1);
}

/* --- threads that take turns --- */

static gint64
get_load (const TbWaitResult *result, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);

  return vertex->used + vertex->wanted;
}

/* By descending load. */
static int
compare_load (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;
  gint64 left_ns = get_load (data, left), right_ns = get_load (data, right);

  if (left_ns != right_ns)
    return left_ns > right_ns ? -1 : 1;
  return left < right ? -1 : left > right;
}

/* The vertices of the target that run or want a CPU for longest. */
static GArray *
list_busiest (const TbWaitResult *result)
{
  GArray *vertices = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    {
      TbWaitNodeKind kind = tb_wait_graph_get_vertex (result->graph, i)->kind;

      if ((kind == TB_WAIT_NODE_THREAD || kind == TB_WAIT_NODE_VIRTUAL)
          && (result->targeted == NULL || result->targeted[i]) && get_load (result, i) > 0)
        g_array_append_val (vertices, i);
    }
  g_array_sort_with_data (vertices, compare_load, (gpointer) result);
  g_array_set_size (vertices, MIN (vertices->len, PROGRAMS_SHOWN));
  return vertices;
}

/* "sort (1.2 s), sh (0.3 s) and sed ×30 (0.2 s)" */
static char *
describe_busiest (const TbWaitResult *result, const GArray *vertices)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < vertices->len; i++)
    {
      guint32 vertex = g_array_index (vertices, guint32, i);
      g_autofree char *name = tb_wait_vertex_describe_translated (result->graph, vertex);
      g_autofree char *ns = tb_format_duration (get_load (result, vertex));

      g_string_append_printf (text, "%s%s: %s",
                              i == 0                   ? ""
                              : i + 1 == vertices->len ? _ (" and ")
                                                       : ", ",
                              name, ns);
    }
  return g_string_free_and_steal (text);
}

static char *
describe_turns (const TbWaitResult *result)
{
  g_autoptr (GArray) vertices = list_busiest (result);
  g_autofree char *busiest = describe_busiest (result, vertices);
  g_autofree char *share
      = tb_format_share (get_share (result, tb_wait_verdict_get (result)->load.busy));
  g_autofree char *life = tb_format_duration (tb_wait_verdict_get (result)->load.life);

  return g_strdup_printf (result->has_target
                              /* Translators: share, duration, names with their durations. */
                              ? _ ("Execution limits the throughput, of no single thread but of "
                                   "several in turn: for %s of %s, at least one of them runs or "
                                   "wants a CPU (%s).")
                              : _ ("No single thread limits the throughput, but for %s of %s, at "
                                   "least one of them runs or wants a CPU (%s)."),
                          share, life, busiest);
}

static void
set_turns (TbFinding *finding, const TbWaitResult *result)
{
  g_autoptr (GArray) vertices = list_busiest (result);

  tb_finding_set_code (finding, "execution-in-turns");
  tb_wait_finding_set_names (finding, result, vertices);
  tb_wait_finding_add_threads (finding, result, vertices);
  tb_finding_set_time (finding, "life_ns", tb_wait_verdict_get (result)->load.life);
  tb_finding_set_time (finding, "busy_ns", tb_wait_verdict_get (result)->load.busy);
}

/* --- what is not known --- */

static char *
describe_unknown_load (const TbWaitResult *result)
{
  const TbWaitVerdict *verdict = tb_wait_verdict_get (result);
  g_autofree char *name = tb_wait_vertex_describe_translated (result->graph, verdict->unknown);
  g_autofree char *ns = tb_format_duration (verdict->unknown_ns);

  if (verdict->n_unknown == 1)
    return g_strdup_printf (
        _ ("What limits the throughput is unknown: what %s did for up to %s was "
           "not recorded, so it may have been busy for more than half of its "
           "time."),
        name, ns);
  return g_strdup_printf (
      ngettext ("What limits the throughput is unknown: what %s did for up to %s was not recorded, "
                "so it may have been busy for more than half of its time, and so may %'u other.",
                "What limits the throughput is unknown: what %s did for up to %s was not recorded, "
                "so it may have been busy for more than half of its time, and so may %'u others.",
                verdict->n_unknown - 1),
      name, ns, verdict->n_unknown - 1);
}

static char *
describe_lost (const TbWaitResult *result)
{
  g_autofree char *share = tb_format_share (tb_wait_verdict_get (result)->unknown_share);

  return g_strdup_printf (
      _ ("What limits the throughput is unknown: for %s of the time of the threads, what they did "
         "was not recorded."),
      share);
}

/* --- all of them --- */

static char *
describe_asleep (const TbWaitResult *result)
{
  const TbWaitVerdict *verdict = tb_wait_verdict_get (result);
  g_autofree char *requests
      = tb_format_share (get_share (result, verdict->load.asleep[TB_WAIT_END_REQUEST]));
  g_autofree char *timers
      = tb_format_share (get_share (result, verdict->load.asleep[TB_WAIT_END_TIMER]));

  if (verdict->kind == TB_WAIT_VERDICT_REQUESTS)
    return g_strdup_printf (
        _ ("Nothing here runs or waits in a circle for more than half of the time. For %s of "
           "the time, all threads sleep until there is a request: more load raises the "
           "throughput."),
        requests);
  if (verdict->kind == TB_WAIT_VERDICT_TIMERS)
    return g_strdup_printf (
        _ ("Nothing here runs or waits in a circle for more than half of the time. For %s of "
           "the time, all threads sleep until a timer expires."),
        timers);
  return g_strdup (_ ("Nothing here runs or waits in a circle for more than half of the time."));
}

char *
tb_wait_describe_verdict (const TbWaitResult *result)
{
  switch (tb_wait_verdict_get (result)->kind)
    {
    case TB_WAIT_VERDICT_LOST:
      return describe_lost (result);
    case TB_WAIT_VERDICT_UNKNOWN_LOAD:
      return describe_unknown_load (result);
    case TB_WAIT_VERDICT_TURNS:
      return describe_turns (result);
    case TB_WAIT_VERDICT_BACKGROUND:
      return g_strdup (
          _ ("Only threads that are probably in the background run or wait in a circle for more "
             "than half of the time. If they do the work of interest, name their processes or "
             "threads with workers=…."));
    case TB_WAIT_VERDICT_REQUESTS:
    case TB_WAIT_VERDICT_TIMERS:
    case TB_WAIT_VERDICT_ASLEEP:
      return describe_asleep (result);
    default:
      return NULL;
    }
}

/* Whether there are background knots, even if findings only count them. */
static gboolean
has_background (const TbWaitResult *result)
{
  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    if (tb_wait_knots_get_component (result->knots,
                                     tb_wait_knots_get_bottleneck (result->knots, i)->component)
            ->background)
      return TRUE;
  return FALSE;
}

static void
set_asleep (TbFinding *finding, const TbWaitResult *result)
{
  const TbWaitScopeLoad *load = &tb_wait_verdict_get (result)->load;

  tb_finding_set_code (finding, tb_wait_verdict_get (result)->kind != TB_WAIT_VERDICT_REQUESTS
                                    ? "mostly-asleep"
                                : has_background (result) ? "no-foreground-saturation"
                                                          : "no-saturation");
  tb_finding_set_number (finding, "busy_share", get_share (result, load->busy));
  tb_finding_set_number (finding, "until_request_share",
                         get_share (result, load->asleep[TB_WAIT_END_REQUEST]));
  tb_finding_set_number (finding, "until_timer_share",
                         get_share (result, load->asleep[TB_WAIT_END_TIMER]));
  tb_finding_set_number (finding, "until_device_share",
                         get_share (result, load->asleep[TB_WAIT_END_DEVICE]));
}

static void
set_values (TbFinding *finding, const TbWaitResult *result)
{
  const TbWaitVerdict *verdict = tb_wait_verdict_get (result);

  switch (verdict->kind)
    {
    case TB_WAIT_VERDICT_LOST:
      tb_finding_set_code (finding, "unknown-time");
      tb_finding_set_number (finding, "unknown_share", verdict->unknown_share);
      return;
    case TB_WAIT_VERDICT_UNKNOWN_LOAD:
      tb_finding_set_code (finding, "unknown-load");
      tb_wait_finding_set_vertex (finding, result, verdict->unknown);
      tb_finding_set_time (finding, "unknown_ns", verdict->unknown_ns);
      tb_finding_set_integer (finding, "count", verdict->n_unknown);
      return;
    case TB_WAIT_VERDICT_TURNS:
      set_turns (finding, result);
      return;
    case TB_WAIT_VERDICT_BACKGROUND:
      tb_finding_set_code (finding, "busy-background");
      return;
    default:
      set_asleep (finding, result);
    }
}

void
tb_wait_add_verdict (TbReport *report, const TbWaitResult *result)
{
  const TbWaitVerdict *verdict = tb_wait_verdict_get (result);
  g_autofree char *text = tb_wait_describe_verdict (result);
  gboolean is_limit = verdict->kind == TB_WAIT_VERDICT_TURNS && result->has_target;
  gint64 ns = is_limit ? verdict->load.busy : result->recorded;
  TbSeverity severity
      = is_limit ? tb_wait_get_severity (tb_wait_get_share (result, ns)) : TB_SEVERITY_INFO;
  TbFinding *finding;

  if (text == NULL || result->graph->vertices->len == 0)
    return;
  finding = tb_finding_new (severity, text, ns, tb_wait_get_share (result, ns));
  set_values (finding, result);
  tb_report_add_finding (report, finding);
}
