/* tb-recording-start.c: start of a recording in a thread: its command, then its collector; if that
 * fails, other collectors, or a recording of the command alone in place of the whole system
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "base/tb-sandbox.h"
#include "extend/plugins/tb-command.h"
#include "shell/recording/tb-collector-choice.h"
#include "shell/recording/tb-recording-private.h"

typedef struct
{
  TbRecording *recording;
  char *message;
} EndMessage;

static gboolean
handle_collector_end (gpointer data)
{
  EndMessage *ended = data;

  if (tb_recording_is_active (ended->recording))
    {
      if (ended->message != NULL)
        g_set_str (&ended->recording->note, ended->message);
      tb_recording_stop (ended->recording);
    }
  g_object_unref (ended->recording);
  g_free (ended->message);
  g_free (ended);
  return G_SOURCE_REMOVE;
}

/* Called in the collector's thread. */
static void
collector_ended (TbCollector *collector, const char *message, TbRecording *self)
{
  EndMessage *ended = g_new0 (EndMessage, 1);

  ended->recording = g_object_ref (self);
  ended->message = g_strdup (message);
  g_idle_add (handle_collector_end, ended);
}

/* Until its task has returned, the members used here belong to the thread that starts the
 * recording. */
static gboolean
start_collector (TbRecording *self, GCancellable *cancellable, GError **error)
{
  g_clear_object (&self->recorder);
  self->recorder = tb_recorder_new (self->file, FALSE, error);
  if (self->recorder == NULL)
    return FALSE;
  tb_recorder_set_fact (self->recorder, "collector", self->collector_id);
  if (self->command != NULL)
    {
      g_autofree char *pid = g_strdup_printf ("%d", tb_command_get_pid (self->command));

      tb_recorder_set_fact (self->recorder, "command", tb_command_get_text (self->command));
      tb_recorder_set_fact (self->recorder, TB_FACT_COMMAND_PID, pid);
    }
  if (self->limit != NULL)
    tb_recorder_add_warning (self->recorder, "%s", self->limit);
  if (tb_collector_start (self->collector, &self->target, self->recorder, cancellable, error))
    return TRUE;
  tb_recorder_abandon (self->recorder);
  return FALSE;
}

static void
take_collector (TbRecording *self, TbCollector *collector)
{
  g_clear_signal_handler (&self->ended_handler, self->collector);
  g_set_object (&self->collector, collector);
  self->ended_handler = g_signal_connect (collector, "ended", G_CALLBACK (collector_ended), self);
}

/* Limits the recording to the command, if the system may not be recorded. */
static gboolean
fall_back_to_command (TbRecording *self, const GError *reason)
{
  g_autoptr (TbCollector) collector = NULL;
  g_auto (GStrv) options = NULL;

  if (self->target.scope != TB_SCOPE_SYSTEM || self->command == NULL
      || !g_error_matches (reason, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    return FALSE;
  collector = tb_engine_create_collector (tb_engine_get_default (), self->collector_id, NULL);
  if (collector == NULL)
    return FALSE;
  options = tb_collector_get_options (collector);
  tb_option_copy (G_OBJECT (self->collector), G_OBJECT (collector), (const char *const *) options);
  take_collector (self, collector);
  self->target.scope = TB_SCOPE_COMMAND;
  self->target.pid = tb_command_get_pid (self->command);
  self->limit = tb_collector_describe_command_only (reason);
  return TRUE;
}

/* Tries the other collectors: one may need privileges for a command too, while another does not. */
static gboolean
try_other_collectors (TbRecording *self, GCancellable *cancellable, GError **error)
{
  g_autofree char *problem = NULL;
  g_autoptr (GPtrArray) choices = tb_collector_choice_list (&problem);
  g_autofree char *tried = g_strdup (self->collector_id);
  g_autoptr (TbCollector) first = g_object_ref (self->collector);

  if (!g_error_matches (*error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    return FALSE;
  for (guint i = 0; i < choices->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (choices, i);

      if (g_str_equal (choice->id, tried))
        continue;
      take_collector (self, choice->collector);
      g_set_str (&self->collector_id, choice->id);
      if (start_collector (self, cancellable, NULL))
        {
          g_clear_error (error);
          return TRUE;
        }
    }
  /* The error is that of the first collector, which “Record Again” uses. */
  take_collector (self, first);
  g_set_str (&self->collector_id, tried);
  return FALSE;
}

/* In a sandbox this waits while the user authorizes it, so it is called in the thread. The command
 * uses the context of the main thread all the same: the thread has none of its own. */
static gboolean
hold_command (TbRecording *self, GError **error)
{
  if (self->argv == NULL || self->command != NULL)
    return TRUE;
  self->command = tb_command_new ((const char *const *) self->argv, error);
  if (self->command == NULL)
    return FALSE;
  if (self->target.scope == TB_SCOPE_COMMAND)
    self->target.pid = tb_command_get_pid (self->command);
  self->target.program = tb_command_get_program (self->command);
  return TRUE;
}

static void
start_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TbRecording *self = source;
  GError *error = NULL;

  if (!hold_command (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (!start_collector (self, cancellable, &error) && fall_back_to_command (self, error))
    {
      g_clear_error (&error);
      if (!start_collector (self, cancellable, &error))
        try_other_collectors (self, cancellable, &error);
    }
  if (error == NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
command_ended (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecording) self = data;
  int status;

  if (!tb_command_wait_finish (TB_COMMAND (object), result, &status, NULL))
    return;
  g_free (self->note);
  self->note = tb_command_describe_status (status);
  tb_recording_stop (self);
}

static void
started (GObject *object, GAsyncResult *result, gpointer data)
{
  TbRecording *self = TB_RECORDING (object);
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      if (self->stop_pending)
        tb_recording_end_discarded (self);
      else
        tb_recording_fail (self, g_steal_pointer (&error));
      return;
    }
  tb_recording_begin_reading (self);
  /* held until the recording has stopped, because the collector's thread uses it */
  g_object_ref (self);
  tb_recording_set_state (self, TB_RECORDING_RUNNING);

  if (self->command != NULL && !self->stop_pending)
    {
      if (tb_command_release (self->command, &error))
        tb_command_wait_async (self->command, self->cancellable, command_ended,
                               g_object_ref (self));
      else
        {
          g_set_str (&self->note, error->message);
          self->stop_pending = TRUE;
        }
    }
  if (self->stop_pending)
    tb_recording_stop (self);
}

/**
 * tb_recording_start:
 *
 * Starts the recording; #TbRecording:state changes when it is running or has failed.
 */
void
tb_recording_start (TbRecording *self)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (TB_IS_RECORDING (self) && self->state == TB_RECORDING_NEW);

  if (!tb_sandbox_is_active () && !hold_command (self, &error))
    {
      tb_recording_fail (self, g_steal_pointer (&error));
      return;
    }
  self->ended_handler
      = g_signal_connect (self->collector, "ended", G_CALLBACK (collector_ended), self);
  tb_recording_set_state (self, TB_RECORDING_STARTING);
  task = g_task_new (self, self->cancellable, started, NULL);
  g_task_set_source_tag (task, tb_recording_start);
  g_task_run_in_thread (task, start_thread);
}
