/* tb-agent-recording-start.c: start of a recording by tailback-agent: agent opened, translator and
 * marks set up, start record sent, reader begun, first events awaited, probes attached; the caller
 * then lets the target run
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "tb-agent-recording-private.h"

/* --- waiting for the reader --- */

typedef gboolean (*Check) (const TbAgentRecording *self);

static void
on_start_cancelled (GCancellable *cancellable, gpointer data)
{
  TbAgentRecording *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Returns FALSE with the reason. */
static gboolean
cancel_start (TbAgentRecording *self, GCancellable *cancellable, GError **error)
{
  g_cancellable_cancel (self->reading_cancellable);
  tb_agent_recording_join (self);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->refused != NULL)
    g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, self->refused);
  else if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else
    g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                         _ ("The agent ended before it recorded anything"));
  return FALSE;
}

/* Waits as long as a step of the start is pending. FALSE with the reason: it is not done then, and
 * the agent has been ended. The checks are called with the lock held. */
static gboolean
wait_for_step (TbAgentRecording *self,
               Check is_pending,
               Check is_done,
               GCancellable *cancellable,
               GError **error)
{
  gulong handler
      = cancellable != NULL
            ? g_cancellable_connect (cancellable, G_CALLBACK (on_start_cancelled), self, NULL)
            : 0;
  gboolean done;

  g_mutex_lock (&self->lock);
  while (is_pending (self) && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&self->changed, &self->lock);
  done = is_done (self);
  if (!done)
    self->stopping = TRUE;
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (cancellable, handler);
  return done || cancel_start (self, cancellable, error);
}

/* --- the agent --- */

static TbCaptureScope
get_scope (const TbTarget *target, const char **name)
{
  switch (target->scope)
    {
    case TB_SCOPE_SYSTEM:
      *name = "system";
      return TB_CAPTURE_SCOPE_SYSTEM;
    case TB_SCOPE_COMMAND:
      *name = "command";
      return TB_CAPTURE_SCOPE_COMMAND;
    case TB_SCOPE_PROCESS:
    default:
      *name = "process";
      return TB_CAPTURE_SCOPE_PROCESS;
    }
}

static TbCaptureRecord
make_start_record (const TbCaptureStart *start,
                   const TbAgentRequirements *requirements,
                   const TbTarget *target)
{
  TbCaptureRecord record
      = { .type = TB_CAPTURE_START, .cpu = TB_CAPTURE_CPU_NONE, .start = *start };
  const char *name;

  record.start.scope = get_scope (target, &name);
  record.start.pid = target->pid;
  record.start.backend = requirements->backend;
  if (record.start.stacks != 0 && geteuid () != 0)
    record.start.stacks |= TB_CAPTURE_KERNEL_NAMES;
  return record;
}

/* Finds what is looked for in the programs beside the given functions. */
static void
find_annotations (TbAgentRecording *self,
                  const TbAgentRequirements *requirements,
                  TbAgentPrivilege privilege,
                  const TbTarget *target)
{
  if (requirements->locks)
    self->locks = tb_lock_functions_find (target);
  if (requirements->memory)
    self->memory = tb_memory_functions_find (target);
  if (requirements->annotations || requirements->locks || requirements->memory
      || self->marked->marked->len > 0)
    self->annotations
        = tb_annotations_new (self->process, privilege, requirements->annotations, self->recorder);
}

static void
set_up_translator (TbAgentRecording *self, const TbCaptureStart *start)
{
  const TbCaptureHeader *header = tb_agent_process_get_header (self->process);

  self->translator = tb_capture_translator_new (self->recorder, header);
  tb_capture_translator_set_annotations (self->translator, self->annotations);
  if (start->dump_bytes > 0)
    tb_capture_translator_expect_dumps (self->translator, header->machine);
  for (guint i = 0; i < self->functions->len; i++)
    {
      const TbAgentFunction *function = g_ptr_array_index (self->functions, i);

      tb_capture_translator_set_function (self->translator, function->probe.id, function->name);
    }
}

static gboolean
send_start (TbAgentRecording *self,
            const TbAgentRequirements *requirements,
            const TbCaptureRecord *start,
            GError **error)
{
  TbCaptureRecord dumped = { .type = TB_CAPTURE_DUMP_THREAD, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureRecord query
      = { .type = TB_CAPTURE_QUERY, .cpu = TB_CAPTURE_CPU_NONE, .query = { start->start.stacks } };

  if (requirements->measured && !tb_agent_process_send (self->process, &query, error))
    return FALSE;
  for (guint i = 0; requirements->dumped != NULL && requirements->dumped[i] != NULL; i++)
    {
      dumped.tail = (const guint8 *) requirements->dumped[i];
      dumped.tail_length = strlen (requirements->dumped[i]);
      if (!tb_agent_process_send (self->process, &dumped, error))
        return FALSE;
    }
  return tb_agent_process_send (self->process, start, error);
}

/* --- the reader --- */

static gboolean
is_starting (const TbAgentRecording *self)
{
  return self->progress < TB_AGENT_PROGRESS_RECORDING;
}

/* It may have ended already, as a flight recorder does. */
static gboolean
has_started (const TbAgentRecording *self)
{
  return (self->progress == TB_AGENT_PROGRESS_RECORDING
          || self->progress == TB_AGENT_PROGRESS_ENDED)
         && self->error == NULL;
}

/* Returns when events are recorded. */
static gboolean
start_reader (TbAgentRecording *self,
              const TbAgentRequirements *requirements,
              GCancellable *cancellable,
              GError **error)
{
  self->progress = requirements->measured ? TB_AGENT_PROGRESS_QUERYING : TB_AGENT_PROGRESS_STARTING;
  self->reading_cancellable = g_cancellable_new ();
  self->reader = g_thread_new ("agent reader", tb_agent_recording_run_reader, self);
  return wait_for_step (self, is_starting, has_started, cancellable, error);
}

/* --- probes --- */

static gboolean
are_answers_missing (const TbAgentRecording *self)
{
  return self->n_answered < self->functions->len && self->refused == NULL
         && !tb_agent_recording_has_ended (self);
}

static gboolean
are_functions_probed (const TbAgentRecording *self)
{
  return self->n_answered == self->functions->len && self->refused == NULL;
}

static gboolean
probe_functions (TbAgentRecording *self, GCancellable *cancellable, GError **error)
{
  gboolean sent = TRUE;

  for (guint i = 0; i < self->functions->len && sent; i++)
    {
      const TbAgentFunction *function = g_ptr_array_index (self->functions, i);
      TbCaptureRecord record = { .type = TB_CAPTURE_PROBE_ADD, .cpu = TB_CAPTURE_CPU_NONE };

      record.probe_add = function->probe;
      record.tail = function->build_id;
      record.tail_length = (guint32) function->build_id_length;
      sent = tb_agent_process_send (self->process, &record, NULL);
    }
  return wait_for_step (self, are_answers_missing, are_functions_probed, cancellable, error);
}

static gboolean
mark_functions (TbAgentRecording *self, GCancellable *cancellable, GError **error)
{
  if (tb_annotations_add_functions (self->annotations, self->marked, cancellable, error))
    return TRUE;
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_mutex_unlock (&self->lock);
  g_cancellable_cancel (self->reading_cancellable);
  return FALSE;
}

/* Attaches all probes before the target is released, so that its first calls are recorded. */
static gboolean
attach_probes (TbAgentRecording *self,
               const TbTarget *target,
               GCancellable *cancellable,
               GError **error)
{
  if (self->functions->len > 0 && !probe_functions (self, cancellable, error))
    return FALSE;
  if (self->annotations != NULL)
    tb_annotations_prepare (self->annotations, target->program, cancellable);
  if (self->locks != NULL)
    tb_annotations_add_locks (self->annotations, self->locks, cancellable);
  if (self->memory != NULL)
    tb_annotations_add_memory (self->annotations, self->memory, cancellable);
  return self->marked->marked->len == 0 || mark_functions (self, cancellable, error);
}

gboolean
tb_agent_recording_start (TbAgentRecording *self,
                          const TbAgentRequirements *requirements,
                          const TbCaptureStart *start,
                          GPtrArray *functions,
                          TbMarkedFunctions *marked,
                          const TbTarget *target,
                          TbRecorder *recorder,
                          GCancellable *cancellable,
                          GError **error)
{
  TbCaptureRecord record = make_start_record (start, requirements, target);
  TbAgentPrivilege privilege;
  const char *scope;

  g_return_val_if_fail (self->reader == NULL, FALSE);

  self->marked = marked;
  self->process
      = tb_agent_requirements_open (requirements, target->scope, &privilege, cancellable, error);
  if (self->process == NULL)
    return FALSE;
  self->recorder = g_object_ref (recorder);
  self->functions = g_ptr_array_ref (functions);
  find_annotations (self, requirements, privilege, target);
  set_up_translator (self, start);
  get_scope (target, &scope);
  tb_recorder_set_fact (recorder, TB_FACT_SCOPE, scope);
  if (target->pid > 0)
    {
      g_autofree char *pid = g_strdup_printf ("%d", target->pid);

      tb_recorder_set_fact (recorder, TB_FACT_TARGET_PID, pid);
    }
  return send_start (self, requirements, &record, error)
         && start_reader (self, requirements, cancellable, error)
         && attach_probes (self, target, cancellable, error);
}
