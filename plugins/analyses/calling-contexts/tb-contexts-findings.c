/* tb-contexts-findings.c: findings about the hottest functions on the paths that cost most (with
 * what the thread mostly did in their longest call), the module with most time, and how much of the
 * threads' time stacks show; headline of the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tb-contexts-figures.h"
#include "tb-contexts-findings.h"

#define MAX_FINDINGS 5
#define HIGH_SHARE 0.3
#define MEDIUM_SHARE 0.1
#define MIN_SHARE 0.01
#define MAX_STACK 200

/* No function is at an address where nothing is mapped: the stack ended at a word that was mistaken
 * for a caller. */
static gboolean
is_function (const TbContextNode *node)
{
  return (node->module != NULL && node->module[0] != '\0')
         || !g_str_has_prefix (node->function, "0x");
}

/* "deflate", "format_line of mod_pluglog.so" */
static char *
name_function (const TbContextNode *node)
{
  if (strstr (node->module, ".so") == NULL || !tb_context_node_is_of_program (node)
      || !tb_context_node_is_named (node))
    return g_strdup (node->function);
  /* Translators: a function, its library */
  return g_strdup_printf (_ ("%s of %s"), node->function, node->module);
}

/* A function of the system is shown with the nearest function of the program. The mark "…" stands
 * for frames that are between them, or that the stack does not have. */
static char *
describe_system_place (TbContextsSummary *summary,
                       const TbContextNode *context,
                       guint32 program,
                       const char *function)
{
  gboolean may_miss = tb_trace_may_miss_callers (summary->trace);
  TbContextNode caller;
  g_autofree char *name = NULL;

  /* A walk that ended behind the C library may have found no caller. */
  if (program == 0 || (may_miss && !tb_context_tree_has_start (summary->context_tree, program)))
    return may_miss && !context->kernel ? g_strdup_printf ("… → %s", function)
                                        : g_strdup (function);
  tb_context_tree_get_node (summary->context_tree, program, &caller);
  name = name_function (&caller);
  if (context->parent == program && !may_miss)
    return g_strdup_printf (_ ("%s called from %s"), function, name);
  return g_strdup_printf ("%s → … → %s", name, function);
}

char *
tb_contexts_describe_place (TbContextsSummary *summary, guint32 node)
{
  TbContextTree *tree = summary->context_tree;
  TbContextNode context, caller;
  guint32 program = tb_context_tree_find_program_node (tree, node);
  g_autofree char *function = NULL;
  g_autofree char *caller_name = NULL;

  tb_context_tree_get_node (tree, node, &context);
  function = tb_context_node_is_wrapper (&context) ? g_strdup (_ ("a system call"))
                                                   : name_function (&context);
  if (program != node && !tb_context_node_is_of_program (&context))
    return describe_system_place (summary, &context, program, function);
  if (context.parent == 0)
    return g_steal_pointer (&function);
  tb_context_tree_get_node (tree, context.parent, &caller);
  if (!is_function (&caller) || g_str_equal (caller.function, TB_CONTEXT_CUT))
    return g_steal_pointer (&function);
  caller_name = name_function (&caller);
  return g_strdup_printf (_ ("%s called from %s"), function, caller_name);
}

gboolean
tb_contexts_is_function (TbContextsSummary *summary, guint32 node)
{
  TbContextNode context;

  tb_context_tree_get_node (summary->context_tree, node, &context);
  return is_function (&context);
}

void
tb_contexts_set_place (TbFinding *finding, TbContextsSummary *summary, guint32 node)
{
  TbContextNode context, caller = { 0 };

  tb_context_tree_get_node (summary->context_tree, node, &context);
  if (context.parent != 0)
    tb_context_tree_get_node (summary->context_tree, context.parent, &caller);
  tb_finding_set_string (finding, "function", context.function);
  tb_finding_set_string (finding, "caller", caller.function);
  node = tb_context_tree_find_program_node (summary->context_tree, node);
  if (node != 0)
    tb_context_tree_get_node (summary->context_tree, node, &context);
  tb_finding_set_string (finding, "program_function", node != 0 ? context.function : NULL);
  tb_finding_set_string (finding, "program_module", node != 0 ? context.module : NULL);
}

/* The figure with more about what a thread waits for. */
#define WAITS_FIGURE "wait-graph/wait-graph"

/* What the thread did during most of the longest call. */
typedef struct
{
  const char *state; /* NULL: not known, or no single state lasted longer than half of it */
  char *wait;        /* what it waited in; NULL: it did not wait most of the time */
} Reason;

static void
reason_clear (Reason *self)
{
  g_clear_pointer (&self->wait, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reason, reason_clear)

/* Time of a thread in each state during a call. */
typedef struct
{
  gint64 ns[TB_N_STATES];
  gint64 preempted;
  gint64 longest; /* longest wait */
  gsize most;     /* row of the longest wait */
} States;

static void
sum_states (TbContextsSummary *summary, const TbContextsLongest *call, States *states)
{
  const TbIntervals *intervals = tb_trace_get_intervals (summary->trace);
  gsize first, n, row;
  gssize at = tb_trace_find_interval (summary->trace, call->thread, call->from);

  *states = (States) { 0 };
  tb_trace_get_thread_intervals (summary->trace, call->thread, &first, &n);
  for (row = at >= 0 ? (gsize) at : first; row < first + n && intervals->start[row] < call->to;
       row++)
    {
      gint64 length = MIN (intervals->end[row], call->to) - MAX (intervals->start[row], call->from);

      if (length <= 0 || intervals->state[row] >= TB_N_STATES)
        continue;
      states->ns[intervals->state[row]] += length;
      if (intervals->flags[row] & TB_INTERVAL_PREEMPTED)
        states->preempted += length;
      if (intervals->state[row] >= TB_STATE_INTERRUPTIBLE && length > states->longest)
        {
          states->longest = length;
          states->most = row;
        }
    }
}

static void
find_reason (TbContextsSummary *summary, guint32 node, Reason *reason)
{
  const TbContextsLongest *call = &summary->longest[node];
  const gint64 all = call->to - call->from;
  TbTable *switches = tb_session_get_table (tb_trace_get_session (summary->trace), TB_TABLE_SWITCH);
  States states;

  if (tb_table_get_n_rows (switches) == 0)
    return;
  sum_states (summary, call, &states);
  if (states.ns[TB_STATE_RUNNING] * 2 > all)
    reason->state = "running";
  else if (states.preempted * 2 > all)
    reason->state = "preempted";
  else if (states.ns[TB_STATE_RUNNABLE] * 2 > all)
    reason->state = "runnable";
  else if ((states.ns[TB_STATE_INTERRUPTIBLE] + states.ns[TB_STATE_UNINTERRUPTIBLE]) * 2 > all
           && states.longest > 0)
    {
      reason->state = "waiting";
      reason->wait = tb_trace_describe_interval (summary->trace, states.most);
    }
}

static char *
describe_reason (const Reason *reason)
{
  if (reason->wait != NULL)
    return g_strdup_printf (_ ("mostly waiting: %s"), reason->wait);
  if (g_strcmp0 (reason->state, "running") == 0)
    return g_strdup (_ ("mostly running"));
  if (g_strcmp0 (reason->state, "preempted") == 0)
    return g_strdup (_ ("mostly preempted"));
  if (g_strcmp0 (reason->state, "runnable") == 0)
    return g_strdup (_ ("mostly waiting for a CPU"));
  return NULL;
}

static void
set_stack (TbFinding *finding, TbContextsSummary *summary, guint32 node)
{
  guint n;
  g_autofree guint32 *nodes = tb_contexts_summary_get_path (summary, node, &n);
  guint skipped = n > MAX_STACK ? n - MAX_STACK : 0;
  g_autofree const char **functions = g_new0 (const char *, n - skipped + 1);

  for (guint i = skipped; i < n; i++)
    {
      TbContextNode context;

      tb_context_tree_get_node (summary->context_tree, nodes[i], &context);
      functions[i - skipped] = context.function;
    }
  tb_finding_set_stack (finding, functions);
}

static TbSeverity
rate (double share)
{
  return share >= HIGH_SHARE     ? TB_SEVERITY_HIGH
         : share >= MEDIUM_SHARE ? TB_SEVERITY_MEDIUM
                                 : TB_SEVERITY_LOW;
}

/* Sets an own cost, and the counter it is of if that is not the clock. */
static void
set_own (TbFinding *finding, const TbContextsSummary *summary, gint64 own)
{
  if (tb_contexts_summary_is_count (summary))
    tb_finding_set_integer (finding, "own_count", own);
  else
    tb_finding_set_time (finding, "own_ns", own);
  if (summary->by_samples && summary->counter.kind != TB_CONTEXTS_COUNTER_CLOCK)
    tb_finding_set_string (finding, "counter", summary->counter.name);
}

/* Returns a text for the own cost by samples of another counter than the clock. */
static char *
describe_own (const TbContextsSummary *summary, const char *own)
{
  if (summary->counter.kind == TB_CONTEXTS_COUNTER_WAITS)
    /* Translators: a time, which is a sum of waits */
    return g_strdup_printf (_ ("%s of summed waits"), own);
  return g_strdup_printf ("%s %s", own, summary->counter.name);
}

static TbFinding *
new_finding (TbContextsSummary *summary, guint32 node, guint rank, const char *text)
{
  gint64 own = summary->owns[node].own[summary->options.estimate];
  double share = (double) own / summary->all;
  g_autofree char *item = tb_contexts_name_path (rank);
  g_autofree char *frame = g_strdup_printf ("%u/%u", rank + 1, summary->depths[node] - 1);
  gboolean is_count = tb_contexts_summary_is_count (summary);
  TbFinding *finding = tb_finding_new (rate (share), text, is_count ? TB_TIME_NONE : own, share);

  tb_finding_set_code (finding, "costly-context");
  tb_contexts_set_place (finding, summary, node);
  set_own (finding, summary, own);
  tb_finding_set_number (finding, "share", share);
  set_stack (finding, summary, node);
  tb_finding_set_place (finding, "paths", item);
  tb_finding_add_place (finding, "frames", frame);
  return finding;
}

static TbFinding *
describe_calls (TbContextsSummary *summary,
                guint32 node,
                guint rank,
                const char *place,
                const char *own,
                const char *share)
{
  const guint64 count = summary->nodes[node].count;
  const TbContextsLongest *call = &summary->longest[node];
  g_autofree char *longest = tb_format_duration (call->to - call->from);
  g_auto (Reason) reason = { 0 };
  g_autofree char *reason_text = NULL;
  g_autofree char *text = NULL;
  TbFinding *finding;

  find_reason (summary, node, &reason);
  reason_text = describe_reason (&reason);
  if (reason_text != NULL)
    text = g_strdup_printf (
        /* Translators: the last %s is “mostly running” or “mostly waiting: read”. */
        ngettext ("%s takes %s itself (%s) in %'" PRIu64 " call; the longest took %s, %s.",
                  "%s takes %s itself (%s) in %'" PRIu64 " calls; the longest took %s, %s.", count),
        place, own, share, count, longest, reason_text);
  else
    text = g_strdup_printf (
        ngettext ("%s takes %s itself (%s) in %'" PRIu64 " call; the longest took %s.",
                  "%s takes %s itself (%s) in %'" PRIu64 " calls; the longest took %s.", count),
        place, own, share, count, longest);
  finding = new_finding (summary, node, rank, text);
  tb_finding_set_integer (finding, "count", (gint64) count);
  tb_finding_set_time (finding, "longest_ns", call->to - call->from);
  tb_finding_set_string (finding, "longest_state", reason.state);
  tb_finding_set_string (finding, "longest_wait", reason.wait);
  tb_finding_set_range (finding, call->from, MAX (call->to, call->from));
  tb_finding_add_thread (finding, call->thread);
  if (reason.wait != NULL)
    {
      g_autofree char *thread = g_strdup_printf ("%u", call->thread);

      tb_finding_add_place (finding, WAITS_FIGURE, thread);
    }
  return finding;
}

static TbFinding *
describe_samples (TbContextsSummary *summary,
                  guint32 node,
                  guint rank,
                  const char *place,
                  const char *own,
                  const char *share)
{
  const guint64 n = summary->events[node];
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (summary->counter.kind == TB_CONTEXTS_COUNTER_CLOCK)
    text = g_strdup_printf (
        /* Translators: a function, a time, a share, a number of samples */
        ngettext ("%s uses %s of CPU time itself (%s of all), by %'" PRIu64 " sample.",
                  "%s uses %s of CPU time itself (%s of all), by %'" PRIu64 " samples.", n),
        place, own, share, n);
  else
    {
      g_autofree char *cost = describe_own (summary, own);

      text = g_strdup_printf (
          /* Translators: a function, “12,345 cache-misses”, a share, a number of samples */
          ngettext ("%s has %s itself (%s of all), by %'" PRIu64 " sample.",
                    "%s has %s itself (%s of all), by %'" PRIu64 " samples.", n),
          place, cost, share, n);
    }
  finding = new_finding (summary, node, rank, text);
  tb_finding_set_integer (finding, "samples", (gint64) n);
  return finding;
}

static void
add_finding (TbReport *report, TbContextsSummary *summary, guint32 node, guint rank)
{
  gint64 own = summary->owns[node].own[summary->options.estimate];
  g_autofree char *place = tb_contexts_describe_place (summary, node);
  g_autofree char *own_text = tb_contexts_summary_format_cost (summary, own);
  g_autofree char *share = tb_format_share ((double) own / summary->all);

  tb_report_add_finding (report,
                         summary->by_samples
                             ? describe_samples (summary, node, rank, place, own_text, share)
                             : describe_calls (summary, node, rank, place, own_text, share));
}

static void
add_module (TbReport *report, TbContextsSummary *summary)
{
  const TbContextsRollup *module;
  g_autofree char *own = NULL;
  g_autofree char *share_text = NULL;
  g_autofree char *text = NULL;
  TbFinding *finding;
  double share;

  if (summary->modules->len == 0)
    return;
  module = &g_array_index (summary->modules, TbContextsRollup, 0);
  if (*module->module == '\0')
    return;
  share = (double) module->own / summary->all;
  own = tb_contexts_summary_format_cost (summary, module->own);
  share_text = tb_format_share (share);
  if (summary->by_samples && summary->counter.kind != TB_CONTEXTS_COUNTER_CLOCK)
    {
      g_autofree char *cost = describe_own (summary, own);

      /* Translators: a module, “12,345 cache-misses”, a share */
      text = g_strdup_printf (_ ("%s is the module with the largest part: %s (%s)."),
                              module->module, cost, share_text);
    }
  else
    text = g_strdup_printf (_ ("%s is the module with the most own time: %s (%s)."), module->module,
                            own, share_text);
  /* It sums up other findings, so that it comes after them. */
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, share);
  tb_finding_set_code (finding, "costliest-module");
  tb_finding_set_string (finding, "module", module->module);
  set_own (finding, summary, module->own);
  tb_finding_set_number (finding, "share", share);
  tb_finding_set_place (finding, "modules", module->module);
  tb_report_add_finding (report, finding);
}

/* Reports how reliable the results are. */
static void
add_coverage (TbReport *report, const TbContextsSummary *summary)
{
  double wall = tb_contexts_summary_get_wall_share (summary),
         contexts = tb_contexts_summary_get_context_share (summary);
  g_autofree char *wall_text = tb_format_share (wall);
  g_autofree char *unseen_text = tb_format_share (1 - contexts);
  g_autofree char *text
      = isnan (contexts)
            ? g_strdup_printf (
                  _ ("A function is known for %s of the threads' time; there are too few stacks to "
                     "estimate how many contexts they do not show."),
                  wall_text)
            : g_strdup_printf (
                  _ ("A function is known for %s of the threads' time; about %s of further stacks "
                     "would show contexts that these do not."),
                  wall_text, unseen_text);
  TbFinding *finding;

  if (isnan (wall))
    return;
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  tb_finding_set_code (finding, "coverage");
  tb_finding_set_number (finding, "known_share", wall);
  tb_finding_set_number (finding, "unseen_share", 1 - contexts);
  tb_finding_set_place (finding, "coverage", NULL);
  tb_report_add_finding (report, finding);
}

static void
add_no_time (TbReport *report, const TbContextsSummary *summary)
{
  gboolean has_stacks = summary->counts.used != 0;
  const char *text = has_stacks
                         ? _ ("No stack lasted from one event to the next: functions have no "
                              "measurable time.")
                         : _ ("No event has a stack: no time of a function is known.");
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_code (finding, has_stacks ? "no-durations" : "no-stacks");
  tb_report_add_finding (report, finding);
}

void
tb_contexts_add_findings (TbReport *report, TbContextsSummary *summary)
{
  g_autoptr (GHashTable) reported = g_hash_table_new (NULL, NULL);

  if (summary->all <= 0)
    {
      add_no_time (report, summary);
      return;
    }
  for (guint i = 0; i < summary->paths->len && g_hash_table_size (reported) < MAX_FINDINGS; i++)
    {
      const TbContextsPath *path = &g_array_index (summary->paths, TbContextsPath, i);

      /* Several paths may have the same hottest function. */
      if (path->hot == 0 || !tb_contexts_is_function (summary, path->hot)
          || summary->owns[path->hot].own[summary->options.estimate] < summary->all * MIN_SHARE
          || !g_hash_table_add (reported, GUINT_TO_POINTER (path->hot)))
        continue;
      add_finding (report, summary, path->hot, i);
    }
  add_module (report, summary);
  add_coverage (report, summary);
}

char *
tb_contexts_make_headline (TbContextsSummary *summary)
{
  const TbContextsPath *path;
  g_autofree char *place = NULL;
  g_autofree char *own = NULL;
  g_autofree char *share = NULL;
  gint64 ns;

  if (summary->all <= 0 || summary->paths->len == 0)
    return g_strdup (_ ("No time of a function is known."));
  path = &g_array_index (summary->paths, TbContextsPath, 0);
  ns = summary->owns[path->hot].own[summary->options.estimate];
  place = tb_contexts_describe_place (summary, path->hot);
  own = tb_contexts_summary_format_cost (summary, ns);
  share = tb_format_share ((double) ns / summary->all);
  if (summary->by_samples && summary->counter.kind != TB_CONTEXTS_COUNTER_CLOCK)
    {
      g_autofree char *cost = describe_own (summary, own);

      g_set_str (&own, cost);
    }
  else if (summary->by_samples)
    return g_strdup_printf (ngettext ("The costliest of %'" PRIu64
                                      " path: %s, %s of CPU time itself (%s of all).",
                                      "The costliest of %'" PRIu64
                                      " paths: %s, %s of CPU time itself (%s of all).",
                                      summary->n_paths),
                            summary->n_paths, place, own, share);
  return g_strdup_printf (ngettext ("The costliest of %'" PRIu64
                                    " path: %s, %s itself (%s of all).",
                                    "The costliest of %'" PRIu64
                                    " paths: %s, %s itself (%s of all).",
                                    summary->n_paths),
                          summary->n_paths, place, own, share);
}
