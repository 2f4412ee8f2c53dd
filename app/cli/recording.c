/* recording.c: run of one recording: choice and start of a collector, or of one for the command
 * alone; progress line, live report on SIGUSR1, end by command, duration or signal, finishing of
 * the session file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "cli.h"
#include "extend/plugins/tb-live-collector.h"
#include "recording.h"

#define STATISTICS_INTERVAL_MS 200

typedef struct
{
  Recording *recording;
  TbCollector *collector;
  TbRecorder *recorder;
  GMainLoop *loop;
  GSource *sources[5];
  guint n_sources;
  gboolean is_over; /* may be set before the loop runs */
  char *ended_message;
} Run;

void
recording_clear (Recording *recording)
{
  g_clear_object (&recording->output);
  g_clear_object (&recording->command);
  g_clear_pointer (&recording->command_status, g_free);
  g_clear_pointer (&recording->cut_short, g_free);
}

static gboolean
end_recording (gpointer data)
{
  Run *run = data;

  run->is_over = TRUE;
  g_main_loop_quit (run->loop);
  return G_SOURCE_CONTINUE;
}

static void
handle_end_signal (gpointer data)
{
  end_recording (data);
}

/* Returns the live report of a collector; NULL if it has none. (transfer full) */
static TbReport *
get_live_report (const Run *run)
{
  return TB_IS_LIVE_COLLECTOR (run->collector)
             ? tb_live_collector_get_report (TB_LIVE_COLLECTOR (run->collector))
             : NULL;
}

static gboolean
show_statistics (gpointer data)
{
  Run *run = data;
  TbRecorderStatistics statistics;
  g_autofree char *bytes = NULL;
  g_autoptr (TbReport) report = NULL;

  tb_recorder_get_statistics (run->recorder, &statistics);
  bytes = tb_format_bytes (statistics.bytes);
  report = get_live_report (run);
  if (report != NULL)
    cli_progress_line (_ ("%s (Ctrl-C ends it, SIGUSR1 prints the report)"),
                       tb_report_get_headline (report));
  else
    cli_progress_line (ngettext ("recording: %'" PRIu64 " event, %'" PRIu64
                                 " lost, %s (Ctrl-C ends it)",
                                 "recording: %'" PRIu64 " events, %'" PRIu64
                                 " lost, %s (Ctrl-C ends it)",
                                 MIN (statistics.events, G_MAXULONG)),
                       statistics.events, statistics.lost, bytes);
  return G_SOURCE_CONTINUE;
}

/* Prints the live report of the collector. If it has none, the recording ends, which saves the
 * buffer of a flight recorder. */
static gboolean
handle_user_signal (gpointer data)
{
  Run *run = data;
  g_autoptr (TbReport) report = get_live_report (run);
  g_autofree char *text = NULL;

  if (report == NULL)
    return end_recording (data);
  cli_progress_clear ();
  text = tb_report_to_text (report, cli_get_width ());
  cli_print ("%s\n", text);
  fflush (stdout);
  return G_SOURCE_CONTINUE;
}

/* Printed before the recording affects its target. */
static void
print_estimate (TbCollector *collector, const TbTarget *target)
{
  g_autofree char *estimate
      = TB_IS_LIVE_COLLECTOR (collector)
            ? tb_live_collector_estimate (TB_LIVE_COLLECTOR (collector), target, NULL)
            : NULL;

  if (estimate != NULL)
    {
      cli_print ("%s\n", estimate);
      fflush (stdout);
    }
}

typedef struct
{
  Run *run;
  char *message;
} EndMessage;

static gboolean
handle_collector_end (gpointer data)
{
  EndMessage *ended = data;

  g_free (ended->run->ended_message);
  ended->run->ended_message = g_steal_pointer (&ended->message);
  end_recording (ended->run);
  return G_SOURCE_REMOVE;
}

static void
end_message_free (gpointer data)
{
  g_free (((EndMessage *) data)->message);
  g_free (data);
}

/* Called in any thread. */
static void
on_collector_ended (TbCollector *collector, const char *message, gpointer data)
{
  EndMessage *ended = g_new0 (EndMessage, 1);

  ended->run = data;
  ended->message = g_strdup (message);
  g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, handle_collector_end, ended,
                              end_message_free);
}

static void
on_command_ended (TbCommand *command, int status, gpointer data)
{
  Run *run = data;

  g_free (run->recording->command_status);
  run->recording->command_status = tb_command_describe_status (status);
  end_recording (run);
}

static void
add_source (Run *run, GSource *source, GSourceFunc func)
{
  g_source_set_callback (source, func, run, NULL);
  g_source_attach (source, NULL);
  run->sources[run->n_sources++] = source;
}

static gboolean
start_collector (Run *run, const char *id, const TbTarget *target, GError **error)
{
  const Recording *recording = run->recording;
  g_autoptr (TbCollector) collector
      = tb_engine_create_collector (tb_engine_get_default (), id, error);

  if (!collector || !cli_set_options (collector, recording->options, error))
    return FALSE;
  run->recorder = tb_recorder_new (recording->output, recording->overwrite, error);
  if (!run->recorder)
    return FALSE;
  tb_recorder_set_fact (run->recorder, "collector", id);
  if (recording->command)
    {
      g_autofree char *pid = g_strdup_printf ("%d", tb_command_get_pid (recording->command));

      tb_recorder_set_fact (run->recorder, "command", tb_command_get_text (recording->command));
      tb_recorder_set_fact (run->recorder, TB_FACT_COMMAND_PID, pid);
    }
  print_estimate (collector, target);
  g_signal_connect (collector, "ended", G_CALLBACK (on_collector_ended), run);
  if (!tb_collector_start (collector, target, run->recorder, NULL, error))
    {
      g_signal_handlers_disconnect_by_data (collector, run);
      tb_recorder_abandon (run->recorder);
      g_clear_object (&run->recorder);
      return FALSE;
    }
  run->collector = g_steal_pointer (&collector);
  return TRUE;
}

GPtrArray *
recording_list_collectors (void)
{
  GPtrArray *collectors = tb_engine_list_collectors (tb_engine_get_default ());

  for (guint i = collectors->len; i > 0; i--)
    if (((TbPluginInfo *) g_ptr_array_index (collectors, i - 1))->error != NULL)
      g_ptr_array_remove_index (collectors, i - 1);
  return collectors;
}

/* Warns that the best collector is not the one used, and why. */
static void
note_second_choice (Run *run, const char *id, const char *best, const GError *why)
{
  cli_warn (_ ("recorded with collector %s, not %s: %s"), id, best, why->message);
  tb_recorder_add_warning (run->recorder, _ ("Recorded with collector %s, not %s: %s"), id, best,
                           why->message);
}

/* Adds a hint to the error: without --collector, a collector that works here is chosen. */
static gboolean
add_hint (GError **error)
{
  g_autoptr (GError) cause = *error;

  *error = NULL;
  if (g_error_matches (cause, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    g_set_error (error, cause->domain, cause->code,
                 _ ("%s Without --collector, the best one that works here is used."),
                 cause->message);
  else
    g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

/* Starts the requested collector, or the best one that works here. A warning is printed if it is
 * not the first choice. */
static gboolean
start_best (Run *run, const TbTarget *target, GError **error)
{
  g_autoptr (GPtrArray) collectors = NULL;
  g_autoptr (GError) first = NULL, last = NULL;

  if (run->recording->collector_id)
    return start_collector (run, run->recording->collector_id, target, error) || add_hint (error);
  collectors = recording_list_collectors ();
  for (guint i = 0; i < collectors->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (collectors, i);
      g_autoptr (GError) local_error = NULL;

      if (start_collector (run, info->id, target, &local_error))
        {
          if (first != NULL)
            note_second_choice (run, info->id,
                                ((TbPluginInfo *) g_ptr_array_index (collectors, 0))->id, first);
          return TRUE;
        }
      if (first == NULL)
        first = g_steal_pointer (&local_error);
      if (!g_error_matches (first, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
        break;
      /* A usage error of a later collector is not the reason: it lacks an option that the first one
       * has, or requires one of its own. */
      if (local_error != NULL
          && !g_error_matches (local_error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE))
        {
          g_clear_error (&last);
          last = g_steal_pointer (&local_error);
        }
    }
  if (last != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&last));
      return FALSE;
    }
  if (first == NULL)
    g_set_error_literal (
        &first, CLI_ERROR, CLI_ERROR_FAILED,
        _ ("there is no collector here, so nothing can be recorded: reinstall the plug-ins"));
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

/* Starts to record the whole system, or only the command if that is what can be recorded, with a
 * warning. */
static gboolean
start (Run *run, GError **error)
{
  Recording *recording = run->recording;
  TbTarget target = recording->target;
  g_autoptr (GError) local_error = NULL;
  g_autofree char *limit = NULL;

  if (target.scope == TB_SCOPE_COMMAND)
    target.pid = tb_command_get_pid (recording->command);
  if (recording->command != NULL)
    target.program = tb_command_get_program (recording->command);
  if (start_best (run, &target, &local_error))
    return TRUE;
  if (!recording->may_narrow
      || !g_error_matches (local_error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  target = (TbTarget) { .scope = TB_SCOPE_COMMAND,
                        .pid = tb_command_get_pid (recording->command),
                        .program = tb_command_get_program (recording->command) };
  if (!start_best (run, &target, error))
    return FALSE;
  cli_warn (_ ("only the command is recorded, not the system: chains of causes end where they "
               "leave the command (%s)"),
            local_error->message);
  limit = tb_collector_describe_command_only (local_error);
  tb_recorder_add_warning (run->recorder, "%s", limit);
  return TRUE;
}

static gboolean
wait_for_end (Run *run, GError **error)
{
  Recording *recording = run->recording;

  if (recording->command)
    {
      g_signal_connect (recording->command, "ended", G_CALLBACK (on_command_ended), run);
      if (!tb_command_release (recording->command, error))
        return FALSE;
    }
  if (recording->duration_ns)
    add_source (run, g_timeout_source_new (MIN (recording->duration_ns / 1000000, G_MAXUINT)),
                end_recording);
  add_source (run, g_timeout_source_new (STATISTICS_INTERVAL_MS), show_statistics);
  if (!run->is_over)
    g_main_loop_run (run->loop);
  return TRUE;
}

/* Completes the file with what was recorded, however the recording ended. */
static gboolean
finish (Run *run, GError **error)
{
  Recording *recording = run->recording;
  g_autoptr (GError) stop_error = NULL;

  g_signal_handlers_disconnect_by_data (run->collector, run);
  if (!tb_collector_stop (run->collector, &stop_error))
    recording->cut_short = g_strdup (stop_error->message);
  else
    recording->cut_short = g_steal_pointer (&run->ended_message);
  if (recording->command_status)
    tb_recorder_set_fact (run->recorder, "command-status", recording->command_status);
  if (!tb_recorder_finish (run->recorder, error))
    return FALSE;
  tb_recorder_get_statistics (run->recorder, &recording->statistics);
  return TRUE;
}

static void
run_clear (Run *run)
{
  for (guint i = 0; i < run->n_sources; i++)
    {
      g_source_destroy (run->sources[i]);
      g_source_unref (run->sources[i]);
    }
  cli_signals_unwatch ();
  if (run->recording->command)
    g_signal_handlers_disconnect_by_data (run->recording->command, run);
  /* a pending message about the end of the collector refers to the run */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&run->collector);
  g_clear_object (&run->recorder);
  g_clear_pointer (&run->loop, g_main_loop_unref);
  g_clear_pointer (&run->ended_message, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

gboolean
recording_run (Recording *recording, GError **error)
{
  g_auto (Run) run = { .recording = recording };
  gboolean has_run;

  run.loop = g_main_loop_new (NULL, FALSE);
  /* Watched before anything is started, so that an early Ctrl-C has the same effect as a late
   * one. */
  cli_signals_watch (handle_end_signal, &run);
  /* "save now" for a flight recorder */
  add_source (&run, g_unix_signal_source_new (SIGUSR1), handle_user_signal);
  if (!start (&run, error))
    return FALSE;
  has_run = wait_for_end (&run, error);
  cli_progress_clear ();
  if (!has_run)
    {
      tb_collector_stop (run.collector, NULL);
      tb_recorder_abandon (run.recorder);
      return FALSE;
    }
  return finish (&run, error);
}
