/* tb-recording.c: one recording as an object: its target, state and error, statistics read while it
 * runs, live report of its collector, stop, discard, unstarted copy to record again (started by
 * tb-recording-start)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-command.h"
#include "shell/recording/tb-recording-private.h"

/* Interval of reading the statistics of a running recording (ms). */
#define TICK_MS 250

enum
{
  PROP_0,
  PROP_STATE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  TICK,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbRecording, tb_recording, G_TYPE_OBJECT)

static void
tb_recording_dispose (GObject *object)
{
  TbRecording *self = TB_RECORDING (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_signal_handler (&self->ended_handler, self->collector);
  g_clear_object (&self->command);
  g_clear_object (&self->recorder);
  g_clear_object (&self->collector);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->file);
  G_OBJECT_CLASS (tb_recording_parent_class)->dispose (object);
}

static void
tb_recording_finalize (GObject *object)
{
  TbRecording *self = TB_RECORDING (object);

  g_free (self->collector_id);
  g_strfreev (self->argv);
  g_clear_error (&self->error);
  g_free (self->limit);
  g_free (self->note);
  G_OBJECT_CLASS (tb_recording_parent_class)->finalize (object);
}

static void
tb_recording_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbRecording *self = TB_RECORDING (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_int (value, self->state);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_recording_class_init (TbRecordingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = tb_recording_dispose;
  object_class->finalize = tb_recording_finalize;
  object_class->get_property = tb_recording_get_property;
  props[PROP_STATE]
      = g_param_spec_int ("state", NULL, NULL, TB_RECORDING_NEW, TB_RECORDING_DISCARDED,
                          TB_RECORDING_NEW, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /* Emitted when the statistics are updated. */
  signals[TICK] = g_signal_new ("tick", TB_TYPE_RECORDING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);
}

static void
tb_recording_init (TbRecording *self)
{
  self->cancellable = g_cancellable_new ();
  self->target.scope = TB_SCOPE_SYSTEM;
}

/**
 * tb_recording_new:
 * @collector: collector with its options set; not used elsewhere
 * @collector_id: id of the plug-in
 * @file: file of the new session, which does not exist yet
 *
 * Returns: (transfer full): a recording of the whole system that is not started
 */
TbRecording *
tb_recording_new (TbCollector *collector, const char *collector_id, GFile *file)
{
  TbRecording *self = g_object_new (TB_TYPE_RECORDING, NULL);

  self->collector = g_object_ref (collector);
  self->collector_id = g_strdup (collector_id);
  self->file = g_object_ref (file);
  return self;
}

/**
 * tb_recording_set_command:
 * @argv: a program and its arguments, started when recording has begun
 *
 * Records this command and its child processes.
 */
void
tb_recording_set_command (TbRecording *self, const char *const *argv)
{
  g_return_if_fail (TB_IS_RECORDING (self) && self->state == TB_RECORDING_NEW);

  self->target.scope = TB_SCOPE_COMMAND;
  self->argv = g_strdupv ((char **) argv);
}

/**
 * tb_recording_set_system_command:
 * @argv: a program and its arguments, started when recording has begun
 *
 * Records the whole system while this command runs. If the system may not be recorded, only the
 * command and its child processes are, and tb_recording_get_limit() returns the reason.
 */
void
tb_recording_set_system_command (TbRecording *self, const char *const *argv)
{
  g_return_if_fail (TB_IS_RECORDING (self) && self->state == TB_RECORDING_NEW);

  self->target.scope = TB_SCOPE_SYSTEM;
  self->argv = g_strdupv ((char **) argv);
}

void
tb_recording_set_process (TbRecording *self, gint32 pid)
{
  g_return_if_fail (TB_IS_RECORDING (self) && self->state == TB_RECORDING_NEW);

  self->target.scope = TB_SCOPE_PROCESS;
  self->target.pid = pid;
}

/**
 * tb_recording_dup_name:
 *
 * Returns: (transfer full): display name of the recording target
 */
char *
tb_recording_dup_name (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), NULL);

  switch (self->target.scope)
    {
    case TB_SCOPE_COMMAND:
      return g_strjoinv (" ", self->argv);
    case TB_SCOPE_PROCESS:
      return g_strdup_printf (_ ("Process %d"), self->target.pid);
    case TB_SCOPE_SYSTEM:
    default:
      if (self->argv != NULL)
        {
          g_autofree char *command = g_strjoinv (" ", self->argv);

          return g_strdup_printf (_ ("Whole System While “%s” Runs"), command);
        }
      return g_strdup (_ ("Whole System"));
    }
}

GFile *
tb_recording_get_file (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), NULL);
  return self->file;
}

TbRecordingState
tb_recording_get_state (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), TB_RECORDING_NEW);
  return self->state;
}

gboolean
tb_recording_is_active (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), FALSE);
  return self->state >= TB_RECORDING_STARTING && self->state <= TB_RECORDING_STOPPING;
}

const GError *
tb_recording_get_error (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), NULL);
  return self->error;
}

TbScope
tb_recording_get_scope (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), TB_SCOPE_SYSTEM);
  return self->target.scope;
}

/**
 * tb_recording_get_limit:
 *
 * Returns: (nullable): one sentence on why less is recorded than requested
 */
const char *
tb_recording_get_limit (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), NULL);
  return self->limit;
}

/**
 * tb_recording_get_note:
 *
 * Returns: (nullable): why the recording ended by itself, or the exit status of the command
 */
const char *
tb_recording_get_note (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), NULL);
  return self->note;
}

const TbRecorderStatistics *
tb_recording_get_statistics (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), NULL);
  return &self->statistics;
}

/**
 * tb_recording_get_rate:
 *
 * Returns: recent events per second
 */
double
tb_recording_get_rate (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), 0);
  return self->rate;
}

/**
 * tb_recording_get_elapsed:
 *
 * Returns: time since recording began, µs
 */
gint64
tb_recording_get_elapsed (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), 0);
  return self->elapsed;
}

/**
 * tb_recording_has_live_report:
 *
 * Returns: whether the collector has a live report
 */
gboolean
tb_recording_has_live_report (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), FALSE);
  return TB_IS_LIVE_COLLECTOR (self->collector);
}

/**
 * tb_recording_get_live_report:
 *
 * Returns: (transfer full) (nullable): the live report of the collector
 */
TbReport *
tb_recording_get_live_report (TbRecording *self)
{
  g_return_val_if_fail (TB_IS_RECORDING (self), NULL);
  if (!tb_recording_has_live_report (self) || self->state != TB_RECORDING_RUNNING)
    return NULL;
  return tb_live_collector_get_report (TB_LIVE_COLLECTOR (self->collector));
}

/**
 * tb_recording_choose:
 * @figure: id of a figure of the live report
 * @item: id of an item of that figure
 * @error: return location
 *
 * Makes the collector investigate an item.
 *
 * Returns: %FALSE with @error set if that is not possible
 */
gboolean
tb_recording_choose (TbRecording *self, const char *figure, const char *item, GError **error)
{
  g_return_val_if_fail (TB_IS_RECORDING (self) && tb_recording_has_live_report (self), FALSE);
  return tb_live_collector_choose (TB_LIVE_COLLECTOR (self->collector), figure, item, error);
}

void
tb_recording_set_state (TbRecording *self, TbRecordingState state)
{
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATE]);
}

void
tb_recording_fail (TbRecording *self, GError *error)
{
  g_clear_error (&self->error);
  self->error = error;
  g_clear_object (&self->command); /* a command not yet released ends without having run */
  g_clear_object (&self->recorder);
  tb_recording_set_state (self, TB_RECORDING_FAILED);
}

static void
read_numbers (TbRecording *self)
{
  gint64 now = g_get_monotonic_time ();

  tb_recorder_get_statistics (self->recorder, &self->statistics);
  self->elapsed = now - self->started;
  if (now > self->rate_time)
    self->rate = (self->statistics.events - self->rate_events) * (double) G_USEC_PER_SEC
                 / (now - self->rate_time);
  self->rate_time = now;
  self->rate_events = self->statistics.events;
  g_signal_emit (self, signals[TICK], 0);
}

static gboolean
tick (gpointer data)
{
  read_numbers (data);
  return G_SOURCE_CONTINUE;
}

void
tb_recording_begin_reading (TbRecording *self)
{
  self->started = g_get_monotonic_time ();
  self->rate_time = self->started;
  self->tick = g_timeout_add (TICK_MS, tick, self);
}

/* Stop */

/* Ends without a session. */
void
tb_recording_end_discarded (TbRecording *self)
{
  g_clear_object (&self->command);
  g_clear_object (&self->recorder);
  tb_recording_set_state (self, TB_RECORDING_DISCARDED);
}

static void
stop_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  TbRecording *self = source;
  g_autoptr (GError) collector_error = NULL;
  GError *error = NULL;
  gboolean stopped, finished;

  stopped = tb_collector_stop (self->collector, &collector_error);
  if (self->discarded)
    {
      tb_recorder_abandon (self->recorder);
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (data != NULL)
    tb_recorder_set_fact (self->recorder, "command-status", data);
  finished = tb_recorder_finish (self->recorder, &error);

  /* What was written before is in the file in either case. */
  if (!finished)
    g_task_return_error (task, error);
  else if (!stopped)
    g_task_return_error (task, g_steal_pointer (&collector_error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
stopped (GObject *object, GAsyncResult *result, gpointer data)
{
  TbRecording *self = TB_RECORDING (object);
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    self->error = g_steal_pointer (&error);
  tb_recorder_get_statistics (self->recorder, &self->statistics);
  g_clear_object (&self->recorder);
  g_clear_object (&self->command);
  if (self->discarded)
    tb_recording_end_discarded (self);
  else if (g_file_query_exists (self->file, NULL))
    tb_recording_set_state (self, TB_RECORDING_DONE);
  else
    tb_recording_fail (
        self, self->error != NULL
                  ? g_steal_pointer (&self->error)
                  : g_error_new (TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                                 _ ("Nothing was recorded: no event arrived before the end.")));
  g_object_unref (self);
}

/**
 * tb_recording_stop:
 *
 * Ends the recording and keeps what was recorded. A recording that is still starting is cancelled
 * as soon as possible. The recorded command keeps running.
 */
void
tb_recording_stop (TbRecording *self)
{
  g_autoptr (GTask) task = NULL;
  int status;

  g_return_if_fail (TB_IS_RECORDING (self));

  if (self->state == TB_RECORDING_STARTING)
    {
      self->stop_pending = TRUE;
      g_cancellable_cancel (self->cancellable);
      return;
    }
  if (self->state != TB_RECORDING_RUNNING)
    return;
  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_signal_handler (&self->ended_handler, self->collector);
  read_numbers (self);
  tb_recording_set_state (self, TB_RECORDING_STOPPING);

  task = g_task_new (self, NULL, stopped, NULL);
  g_task_set_source_tag (task, tb_recording_stop);
  if (self->command != NULL && tb_command_has_ended (self->command, &status))
    g_task_set_task_data (task, tb_command_describe_status (status), g_free);
  g_cancellable_cancel (self->cancellable);
  g_task_run_in_thread (task, stop_thread);
}

/**
 * tb_recording_discard:
 *
 * Ends the recording and keeps nothing of it. The recorded command keeps running.
 */
void
tb_recording_discard (TbRecording *self)
{
  g_return_if_fail (TB_IS_RECORDING (self));

  if (self->state != TB_RECORDING_STARTING && self->state != TB_RECORDING_RUNNING)
    return;
  self->discarded = TRUE;
  tb_recording_stop (self);
}

/**
 * tb_recording_new_copy:
 * @self: a recording that has ended
 *
 * Returns: (transfer full) (nullable): a new recording with the same settings, not started; %NULL
 *   if the collector is not available
 */
TbRecording *
tb_recording_new_copy (TbRecording *self)
{
  g_autoptr (TbCollector) collector = NULL;
  g_auto (GStrv) options = NULL;
  TbRecording *copy;

  g_return_val_if_fail (TB_IS_RECORDING (self) && !tb_recording_is_active (self), NULL);

  collector = tb_engine_create_collector (tb_engine_get_default (), self->collector_id, NULL);
  if (collector == NULL)
    return NULL;
  options = tb_collector_get_options (collector);
  tb_option_copy (G_OBJECT (self->collector), G_OBJECT (collector), (const char *const *) options);
  copy = tb_recording_new (collector, self->collector_id, self->file);
  copy->target.scope = self->limit != NULL ? TB_SCOPE_SYSTEM : self->target.scope;
  if (self->argv == NULL)
    copy->target.pid = self->target.pid;
  copy->argv = g_strdupv (self->argv);
  return copy;
}
