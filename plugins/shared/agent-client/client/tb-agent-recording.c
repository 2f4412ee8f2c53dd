/* tb-agent-recording.c: one recording by tailback-agent: its records read in a thread, answers and
 * status handled, stop with facts and warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>
#include <string.h>

#include "tb-agent-recording-private.h"
#include "tb-agent-status.h"

/* Time that an agent has after a stop request to send the rest of its data, plus time for each
 * probe: the kernel takes 0.1 s and more to remove one from a running program. */
#define STOP_WAIT_US (30 * G_USEC_PER_SEC)
#define PROBE_WAIT_US (1 * G_USEC_PER_SEC)
#define MAX_NAMES 8
#define MAX_COUNTERS 65536

TbAgentRecording *
tb_agent_recording_new (TbCollector *collector)
{
  TbAgentRecording *self = g_new0 (TbAgentRecording, 1);

  self->collector = collector;
  self->counters = g_string_new (NULL);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

void
tb_agent_recording_set_listener (TbAgentRecording *self, TbAgentListener listener, gpointer data)
{
  self->listener = listener;
  self->listener_data = data;
}

gboolean
tb_agent_recording_send (TbAgentRecording *self, const TbCaptureRecord *record, GError **error)
{
  return tb_agent_process_send (self->process, record, error);
}

void
tb_agent_recording_join (TbAgentRecording *self)
{
  g_thread_join (g_steal_pointer (&self->reader));
  tb_agent_process_hang_up (self->process);
  g_clear_pointer (&self->annotations, tb_annotations_free);
  g_clear_pointer (&self->process, tb_agent_process_free);
}

void
tb_agent_recording_free (TbAgentRecording *self)
{
  if (self->reader != NULL)
    {
      g_cancellable_cancel (self->reading_cancellable);
      tb_agent_recording_join (self);
    }
  g_clear_pointer (&self->annotations, tb_annotations_free);
  g_clear_pointer (&self->process, tb_agent_process_free);
  g_clear_pointer (&self->translator, tb_capture_translator_free);
  g_clear_object (&self->recorder);
  g_clear_object (&self->reading_cancellable);
  g_clear_error (&self->error);
  g_clear_pointer (&self->functions, g_ptr_array_unref);
  g_clear_pointer (&self->marked, tb_marked_functions_free);
  g_clear_pointer (&self->locks, tb_lock_functions_free);
  g_clear_pointer (&self->memory, tb_memory_functions_free);
  g_free (self->refused);
  g_string_free (self->counters, TRUE);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

static const TbAgentFunction *
find_function (const TbAgentRecording *self, guint32 id)
{
  for (guint i = 0; i < self->functions->len; i++)
    {
      const TbAgentFunction *function = g_ptr_array_index (self->functions, i);

      if (function->probe.id == id)
        return function;
    }
  return NULL;
}

/* Handles the answer about one probe. An answer about any other probe is ignored. */
static void
take_answer (TbAgentRecording *self, const TbCaptureRecord *record)
{
  const TbAgentFunction *function = find_function (self, record->status.id);
  g_autofree char *cause = NULL;
  TbCaptureMessage message;

  if (function == NULL)
    return;
  tb_capture_message_read (&message, record);
  cause = tb_agent_message_describe (&message);
  g_mutex_lock (&self->lock);
  if (record->status.kind == TB_CAPTURE_STATUS_REFUSED && self->refused == NULL)
    self->refused = g_strdup_printf (_ ("%s in %s cannot be probed: %s."), function->name,
                                     function->path, cause);
  self->n_answered++;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
note_counter (TbAgentRecording *self, const char *text)
{
  if (self->counters->len + strlen (text) > MAX_COUNTERS)
    return;
  if (self->counters->len > 0)
    g_string_append_c (self->counters, '\n');
  g_string_append (self->counters, text);
  tb_recorder_set_fact (self->recorder, "omitted", self->counters->str);
}

/* Stores costs by the CPU's idle time. */
static void
note_costs (TbAgentRecording *self, const char *name, const guint64 *ns)
{
  static const guint64 idles[] = TB_CAPTURE_IDLES_NS;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < TB_CAPTURE_N_IDLES; i++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, i > 0 ? " " : "",
                            idles[i], ns[i]);
  if (ns[0] > 0)
    tb_recorder_set_fact (self->recorder, name, text->str);
}

static void
note_cost (TbAgentRecording *self, const TbCaptureCost *cost)
{
  const struct
  {
    const char *name;
    guint64 ns;
  } facts[] = { { "cost-switch-ns", cost->plain },
                { "cost-recorded-switch-ns", cost->recorded },
                { "cost-probed-call-ns", cost->probed },
                { "cost-queueing-ns", cost->queueing },
                { "cost-preempting-ns", cost->preempting } };

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, facts[i].ns);

      if (facts[i].ns > 0)
        tb_recorder_set_fact (self->recorder, facts[i].name, text);
    }
  note_costs (self, "cost-waking-ns", cost->waking);
}

static void
set_progress (TbAgentRecording *self, TbAgentProgress progress)
{
  g_mutex_lock (&self->lock);
  self->progress = progress;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Other answers are of no interest: the events are recorded soon after, or reported as missing. */
static void
handle_query_answer (TbAgentRecording *self, const TbCaptureRecord *record, const char *text)
{
  if (record->status.kind == TB_CAPTURE_STATUS_ANSWERED)
    set_progress (self, TB_AGENT_PROGRESS_STARTING);
  else if (record->status.source == TB_CAPTURE_SOURCE_FUNCTIONS)
    tb_recorder_set_fact (self->recorder, "kernel-functions", text);
}

/* The agent sends it at the end, and only if it could repair stacks. */
static void
take_repaired (TbAgentRecording *self, const TbCaptureRecord *record)
{
  TbCaptureMessage message;
  const char *repaired, *unrepaired;

  tb_capture_message_read (&message, record);
  repaired = tb_capture_message_get (&message, 0);
  unrepaired = tb_capture_message_get (&message, 1);
  tb_recorder_set_fact (self->recorder, TB_FACT_REPAIRED_STACKS, "yes");
  if (repaired != NULL)
    tb_recorder_set_fact (self->recorder, "stacks-repaired", repaired);
  if (unrepaired != NULL)
    tb_recorder_set_fact (self->recorder, "stacks-unrepaired", unrepaired);
}

static void
take_status (TbAgentRecording *self, const TbCaptureRecord *record)
{
  g_autofree char *text = NULL;

  if (self->annotations != NULL && tb_annotations_take_status (self->annotations, record))
    return;
  text = tb_agent_status_describe (record);
  if (self->progress == TB_AGENT_PROGRESS_QUERYING)
    {
      handle_query_answer (self, record, text);
      return;
    }
  switch (record->status.kind)
    {
    case TB_CAPTURE_STATUS_ARMED:
      self->start_time = (gint64) record->time;
      set_progress (self, TB_AGENT_PROGRESS_RECORDING);
      break;
    case TB_CAPTURE_STATUS_PROBED:
      take_answer (self, record);
      break;
    case TB_CAPTURE_STATUS_REFUSED:
      if (record->status.source == TB_CAPTURE_SOURCE_PROBES)
        {
          take_answer (self, record);
          break;
        }
      g_mutex_lock (&self->lock);
      if (self->error == NULL)
        self->error = g_error_new_literal (TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE, text);
      g_mutex_unlock (&self->lock);
      break;
    case TB_CAPTURE_STATUS_SAVING:
      self->saving = TRUE;
      tb_recorder_set_fact (self->recorder, "saved-because", text);
      break;
    case TB_CAPTURE_STATUS_WORKS:
      if (record->status.code == TB_CAPTURE_CODE_STACKS_REPAIRED)
        take_repaired (self, record);
      break;
    case TB_CAPTURE_STATUS_COUNTED:
      note_counter (self, text);
      break;
    case TB_CAPTURE_STATUS_MISSING:
    case TB_CAPTURE_STATUS_WARNING:
      tb_recorder_add_warning (self->recorder, "%s", text);
      break;
    default:
      break;
    }
}

static gboolean
is_for_listener (const TbAgentRecording *self, const TbCaptureRecord *record)
{
  if (self->listener == NULL)
    return FALSE;
  if (record->type == TB_CAPTURE_STATUS)
    return record->status.source == TB_CAPTURE_SOURCE_LATENCY
           && (record->status.kind == TB_CAPTURE_STATUS_PROBED
               || record->status.kind == TB_CAPTURE_STATUS_REFUSED);
  return record->type >= TB_CAPTURE_LATENCY_BINS && record->type <= TB_CAPTURE_LATENCY_SLOW;
}

static void
notify_listener (TbAgentRecording *self, const TbCaptureRecord *record)
{
  gboolean stopping;

  if (!self->listener (record, self->listener_data) || self->is_listener_done)
    return;
  self->is_listener_done = TRUE;
  g_mutex_lock (&self->lock);
  stopping = self->stopping;
  g_mutex_unlock (&self->lock);
  if (!stopping)
    g_signal_emit_by_name (self->collector, "ended", NULL);
}

/* Returns when the agent's stream has ended; FALSE if it did not end with END. */
static gboolean
drain (TbAgentRecording *self, GError **error)
{
  gboolean complete = FALSE;
  TbCaptureRecord record;
  TbCaptureResult result;

  while ((result = tb_agent_process_read (self->process, &record, self->reading_cancellable, error))
         == TB_CAPTURE_RECORD)
    if (is_for_listener (self, &record))
      notify_listener (self, &record);
    else
      switch (record.type)
        {
        case TB_CAPTURE_STATUS:
          take_status (self, &record);
          break;
        case TB_CAPTURE_COST:
          note_cost (self, &record.cost);
          break;
        case TB_CAPTURE_DISCARDED:
          self->kept = TRUE;
          self->start_time = (gint64) record.time;
          break;
        case TB_CAPTURE_END:
          self->end_time = (gint64) record.time;
          complete = TRUE;
          break;
        default:
          if (!tb_capture_translator_take (self->translator, &record, error))
            return FALSE;
          break;
        }
  return complete;
}

gpointer
tb_agent_recording_run_reader (gpointer data)
{
  TbAgentRecording *self = data;
  g_autoptr (GError) error = NULL;
  gboolean complete = drain (self, &error), by_itself;
  g_autofree char *message = NULL;

  g_mutex_lock (&self->lock);
  if (!complete && self->error == NULL)
    {
      if (error == NULL)
        {
          g_autofree char *reason = tb_agent_process_describe_end (self->process);

          error = g_error_new_literal (TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, reason);
        }
      self->error = g_steal_pointer (&error);
    }
  by_itself = self->progress == TB_AGENT_PROGRESS_RECORDING && !self->stopping;
  self->progress = self->progress == TB_AGENT_PROGRESS_RECORDING ? TB_AGENT_PROGRESS_ENDED
                                                                 : TB_AGENT_PROGRESS_FAILED;
  /* A flight recorder that has saved its buffer has completed its task. */
  if (by_itself && !(complete && self->saving))
    message
        = self->error != NULL ? g_strdup (self->error->message) : g_strdup (_ ("The agent ended"));
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  if (by_itself)
    g_signal_emit_by_name (self->collector, "ended", message);
  return NULL;
}

/* Keeps the data received so far; the session states that it is incomplete. */
static void
note_early_end (TbAgentRecording *self)
{
  tb_recorder_set_fact (self->recorder, "cut-short", self->error->message);
  tb_recorder_add_warning (self->recorder,
                           _ ("The recording was cut short; what came before is kept. Cause: %s"),
                           self->error->message);
}

/* (transfer container): functions without recorded calls: those with a filter for long calls, or
 * the others */
static GPtrArray *
list_uncalled (TbAgentRecording *self, gboolean filtered)
{
  GPtrArray *silent = g_ptr_array_new ();

  for (guint i = 0; i < self->functions->len; i++)
    {
      TbAgentFunction *function = g_ptr_array_index (self->functions, i);

      if ((function->probe.filter > 0) == filtered
          && tb_capture_translator_count_calls (self->translator, function->probe.id) == 0)
        g_ptr_array_add (silent, function);
    }
  return silent;
}

/* (transfer full): the names of the first few, and an ellipsis if there are more */
static char *
join_names (GPtrArray *functions)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < MIN (functions->len, MAX_NAMES); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            ((TbAgentFunction *) g_ptr_array_index (functions, i))->name);
  if (functions->len > MAX_NAMES)
    g_string_append (names, "…");
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/* A probe in another copy of a library than the one in use records nothing. All such functions get
 * one warning. */
static void
warn_of_uncalled (TbAgentRecording *self)
{
  for (gboolean filtered = FALSE; !self->kept && filtered <= TRUE; filtered++)
    {
      g_autoptr (GPtrArray) silent = list_uncalled (self, filtered);
      const TbAgentFunction *first = silent->len > 0 ? g_ptr_array_index (silent, 0) : NULL;
      g_autofree char *names = join_names (silent);

      if (silent->len == 1)
        tb_recorder_add_warning (
            self->recorder,
            filtered ? _ ("No call of %s in %s took longer than its given time.")
                     : _ ("%s in %s was not called; if a call was expected, another copy of that "
                          "file is in use."),
            first->name, first->path);
      else if (silent->len > 1)
        tb_recorder_add_warning (self->recorder,
                                 filtered
                                     ? ngettext ("%'u function had no call longer than its given "
                                                 "time: %s",
                                                 "%'u functions had no call longer than their "
                                                 "given time: %s",
                                                 silent->len)
                                     : ngettext ("%'u function was not called; if calls were "
                                                 "expected, another copy of its file is in use: %s",
                                                 "%'u functions were not called; if calls were "
                                                 "expected, other copies of their files are in "
                                                 "use: %s",
                                                 silent->len),
                                 silent->len, names);
    }
}

gboolean
tb_agent_recording_stop (TbAgentRecording *self, GError **error)
{
  TbCaptureRecord stop = { .type = TB_CAPTURE_STOP, .cpu = TB_CAPTURE_CPU_NONE };
  TbRecorderStatistics statistics;
  guint64 n_skipped;
  gint64 deadline;

  g_return_val_if_fail (self->reader != NULL, FALSE);

  deadline = g_get_monotonic_time () + STOP_WAIT_US + (gint64) self->functions->len * PROBE_WAIT_US;
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_mutex_unlock (&self->lock);
  /* Sending to an agent that has ended already fails, which does not matter. */
  tb_agent_process_send (self->process, &stop, NULL);
  g_mutex_lock (&self->lock);
  while (!tb_agent_recording_has_ended (self)
         && g_cond_wait_until (&self->changed, &self->lock, deadline))
    ;
  if (!tb_agent_recording_has_ended (self))
    g_cancellable_cancel (self->reading_cancellable);
  g_mutex_unlock (&self->lock);
  if (self->annotations != NULL)
    tb_annotations_finish (self->annotations);
  n_skipped = tb_capture_decoder_get_n_skipped (tb_agent_process_get_decoder (self->process));
  tb_agent_recording_join (self);

  if (n_skipped > 0)
    tb_recorder_add_warning (self->recorder,
                             ngettext ("%'" PRIu64 " record of the agent is of an unknown kind and "
                                       "was left out: the agent is newer than this program.",
                                       "%'" PRIu64 " records of the agent are of unknown kinds and "
                                       "were left out: the agent is newer than this program.",
                                       n_skipped),
                             n_skipped);
  warn_of_uncalled (self);
  tb_capture_translator_finish (self->translator);
  tb_recorder_get_statistics (self->recorder, &statistics);
  tb_recorder_set_range (self->recorder, self->start_time,
                         self->end_time != 0 ? self->end_time
                                             : MAX (self->start_time, statistics.last_time));
  if (self->end_time != 0)
    return TRUE;
  note_early_end (self);
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}
