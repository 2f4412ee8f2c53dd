/* tb-selection-scope.c: scope of a selection as a sentence and as values for a report, with
 * the share of recording itself
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "extend/selection/tb-selection-scope.h"
#include "extend/selection/tb-selection-private.h"
#include "trace/tb-trace-evidence.h"
#include "trace/tb-trace-roles.h"

typedef struct
{
  guint n_threads;   /* in the scope */
  guint n_processes; /* of the command */
  guint n_helpers;   /* processes that worked for it */
  guint recorder_threads;
  gint64 running_ns;  /* all threads in the selected time */
  gint64 recorder_ns; /* the recorder's */
} Measures;

static gint64
measure_running (TbSelection *self, guint32 thread)
{
  const TbIntervals *rows = tb_trace_get_intervals (self->trace);
  gint64 sum = 0;
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    if (rows->state[i] == TB_STATE_RUNNING)
      sum += MAX (MIN (rows->end[i], self->to) - MAX (rows->start[i], self->from), 0);
  return sum;
}

static void
measure (TbSelection *self, Measures *out)
{
  guint n_threads, n_processes;
  TbSession *session = tb_trace_get_session (self->trace);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  g_autofree guint8 *seen = NULL;

  tb_session_get_processes (session, &n_processes);
  seen = g_new0 (guint8, n_processes + 1);
  *out = (Measures) { 0 };
  for (guint32 i = TB_THREAD_IDLE + 1; i < n_threads; i++)
    {
      TbThreadRoles roles = tb_trace_get_thread_roles (self->trace, i);
      gint64 running = measure_running (self, i);
      guint8 *of_process = &seen[MIN (threads[i].process, n_processes)];

      out->running_ns += running;
      out->n_threads += tb_selection_has_thread (self, i);
      if ((roles & TB_THREAD_ROLE_RECORDER) != 0)
        {
          out->recorder_threads++;
          out->recorder_ns += running;
        }
      out->n_processes += (roles & ~*of_process & TB_THREAD_ROLE_COMMAND) != 0;
      out->n_helpers += (roles & ~*of_process & TB_THREAD_ROLE_HELPER) != 0;
      *of_process |= roles;
    }
}

static double
get_recorder_share (TbSelection *self, const Measures *measures)
{
  gboolean is_known = tb_trace_get_evidence (self->trace)->switches == TB_SWITCHES_SYSTEM
                      && measures->running_ns > 0 && measures->recorder_threads > 0;

  return is_known ? (double) measures->recorder_ns / (double) measures->running_ns : NAN;
}

static char *
describe_command (const Measures *measures)
{
  g_autofree char *own
      = g_strdup_printf (ngettext ("%'u process of the recorded command",
                                   "%'u processes of the recorded command", measures->n_processes),
                         measures->n_processes);

  if (measures->n_helpers == 0)
    /* Translators: “9 processes of the recorded command” */
    return g_strdup_printf (_ ("Scope: %s."), own);
  return g_strdup_printf (
      /* Translators: “9 processes of the recorded command”, number of other processes */
      ngettext ("Scope: %s, and %'u that worked for it.", "Scope: %s, and %'u that worked for it.",
                measures->n_helpers),
      own, measures->n_helpers);
}

static const char *
describe_all (TbSelection *self)
{
  const char *coverage = tb_session_get_fact (tb_trace_get_session (self->trace), TB_FACT_COVERAGE);

  if (g_strcmp0 (coverage, "container") == 0)
    return _ ("Scope: the threads of the container that was recorded from inside.");
  return g_strcmp0 (coverage, "part") == 0 ? _ ("Scope: all recorded threads.")
                                           : _ ("Scope: the whole system.");
}

static char *
describe (TbSelection *self, const Measures *measures)
{
  double share = get_recorder_share (self, measures);
  g_autofree char *scope = tb_selection_get_scope (self) == TB_SELECTION_COMMAND
                               ? describe_command (measures)
                               : g_strdup (describe_all (self));
  g_autofree char *share_text = NULL;
  g_autofree char *recorder_text = NULL;

  if (isnan (share))
    return g_steal_pointer (&scope);
  share_text = tb_format_share (share);
  recorder_text = tb_format_duration (measures->recorder_ns);
  /* Translators: the scope as a sentence, a duration, a share */
  return g_strdup_printf (_ ("%s Recording itself: %s, %s of the CPU time used."), scope,
                          recorder_text, share_text);
}

static JsonNode *
list_values (TbSelection *self, const Measures *measures)
{
  static const char *const names[] = { "all", "system", "command" };
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  double share = get_recorder_share (self, measures);

  json_node_take_object (node, object);
  json_object_set_string_member (object, "kind", names[tb_selection_get_scope (self)]);
  json_object_set_int_member (object, "threads", measures->n_threads);
  json_object_set_int_member (object, "command_processes", measures->n_processes);
  json_object_set_int_member (object, "helper_processes", measures->n_helpers);
  json_object_set_int_member (object, "recorder_threads", measures->recorder_threads);
  if (isnan (share))
    json_object_set_null_member (object, "recorder_running_ns");
  else
    json_object_set_int_member (object, "recorder_running_ns", measures->recorder_ns);
  if (isnan (share))
    json_object_set_null_member (object, "recorder_share");
  else
    json_object_set_double_member (object, "recorder_share", share);
  return g_steal_pointer (&node);
}

/**
 * tb_selection_describe_scope:
 * @self: the selection with which an analysis ran
 * @report: its report
 *
 * Sets the scope of the report: which threads it is about, and which share of the CPU time that was
 * used recording itself took.
 */
void
tb_selection_describe_scope (TbSelection *self, TbReport *report)
{
  Measures measures;
  g_autofree char *text = NULL;

  g_return_if_fail (TB_IS_SELECTION (self) && TB_IS_REPORT (report));

  if (tb_selection_is_of_threads (self) || self->scope == TB_SELECTION_ALL)
    return;
  measure (self, &measures);
  text = describe (self, &measures);
  tb_report_set_scope (report, text, list_values (self, &measures));
}
