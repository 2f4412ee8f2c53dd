/* tb-wait-what-if-changes.c: changes of a what-if text as values for the program of a replay, which
 * stays as it is: factors of waits, runs and devices, work done ahead or shared, calls left out,
 * more threads or CPUs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "what-if/tb-wait-what-if-changes.h"
#include "what-if/tb-wait-what-if-name-match.h"
#include "what-if/tb-wait-what-if-batches.h"
#include "what-if/tb-wait-what-if-recording-cost.h"

#define CPUS_MAX 4096

void
tb_wait_changes_clear (TbWaitChanges *self)
{
  g_clear_pointer (&self->changes, g_array_unref);
  g_free (self->factor);
  g_free (self->stream);
  g_free (self->stream_of);
  g_free (self->speed);
  g_free (self->is_changed);
  g_free (self->concerned);
  g_free (self->run);
  g_free (self->base_run);
  g_free (self->shorter);
  g_free (self->share);
  g_free (self->size);
  g_free (self->divides);
  g_free (self->batches);
  g_free (self->takes);
}

/* By step: how many of the given waits begin at it, less how many end. */
static gint32 *
count_begun (const TbWaitChanges *self, const guint8 *is_selected)
{
  const GArray *origins = self->recording->origins;
  gint32 *n_begun = g_new0 (gint32, (gsize) self->recording->program->kinds->len + 1);

  for (guint32 i = 0; i < origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, i);

      if (!is_selected[i] || origin->first >= origin->end)
        continue;
      n_begun[origin->first]++;
      n_begun[origin->end]--;
    }
  return n_begun;
}

/* Scales the work that the ending thread does during the wait. With the factor 0 there is no
 * waiting, and the thread does its work as before. */
static void
apply_work (TbWaitChanges *self, const guint8 *is_selected, double factor)
{
  const GArray *kinds = self->recording->program->kinds;
  g_autofree gint32 *n_begun = count_begun (self, is_selected);
  gint32 n_waiting = 0;

  for (gsize i = 0; i < kinds->len && factor > 0 && factor < 1; i++)
    {
      n_waiting += n_begun[i];
      if (n_waiting > 0 && g_array_index (kinds, guint8, i) == TB_REPLAY_RUN)
        self->run[i] *= factor;
    }
}

/* Divides the work that the ending thread does during the wait among that thread and all that wait
 * for it at the time. */
static void
apply_shares (TbWaitChanges *self, const guint8 *is_selected)
{
  const GArray *origins = self->recording->origins;
  const TbReplayProgram *program = self->recording->program;
  gsize n_steps = program->kinds->len;
  g_autofree gint32 *n_begun = count_begun (self, is_selected);
  /* before each step: work of each sharing thread */
  g_autofree double *done = g_new0 (double, n_steps + 1);
  gint32 n_waiting = 0;

  for (gsize i = 0; i < n_steps; i++)
    {
      n_waiting += n_begun[i];
      self->run[i] /= n_waiting + 1;
      done[i + 1] = done[i];
      if (g_array_index (program->kinds, guint8, i) == TB_REPLAY_RUN)
        done[i + 1] += (double) g_array_index (program->values, gint64, i) * self->run[i];
    }
  for (guint32 i = 0; i < origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, i);

      if (is_selected[i] && origin->first < origin->end)
        self->share[i] += done[origin->end] - done[origin->first];
    }
}

static gboolean
apply_edge (TbWaitChanges *self, const char *text, const TbWaitChange *change, GError **error)
{
  const GArray *origins = self->recording->origins;
  g_auto (TbWaitNameMatch) from = { 0 };
  g_auto (TbWaitNameMatch) to = { 0 };
  g_autofree guint8 *is_selected = g_new0 (guint8, origins->len + 1);

  if (!tb_wait_name_match_init (&from, self->result, text, change->what, error)
      || !tb_wait_name_match_init (&to, self->result, text, change->awaited, error))
    return FALSE;

  for (guint32 i = 0; i < origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, i);

      if (!tb_wait_name_match_has_waiter (&from, origin) || !tb_wait_name_match_has (&to, origin))
        continue;
      self->is_changed[i] = TRUE;
      is_selected[i] = TRUE;
      if (change->kind == TB_WAIT_CHANGE_EDGE)
        self->factor[i] *= change->factor;
      else if (change->kind == TB_WAIT_CHANGE_AHEAD)
        {
          if (self->stream_of[origin->waiter] == TB_REPLAY_NONE)
            self->stream_of[origin->waiter] = self->n_streams++;
          self->stream[i] = self->stream_of[origin->waiter];
        }
    }
  if (change->kind == TB_WAIT_CHANGE_SHARED)
    apply_shares (self, is_selected);
  else if (change->kind == TB_WAIT_CHANGE_EDGE)
    apply_work (self, is_selected, change->factor);
  return TRUE;
}

static gboolean
apply_device (TbWaitChanges *self, const char *text, const TbWaitChange *change, GError **error)
{
  const GArray *origins = self->recording->origins;
  guint n_devices;
  const TbDevice *devices
      = tb_session_get_devices (tb_trace_get_session (self->result->trace), &n_devices);
  gboolean is_there = FALSE;

  for (guint32 i = 0; i < n_devices; i++)
    {
      g_autofree char *id = g_strdup_printf ("device:%u", i);

      if (!g_str_equal (devices[i].name, change->what)
          && !g_str_equal (devices[i].major_minor, change->what) && !g_str_equal (id, change->what))
        continue;
      is_there = TRUE;
      if (self->recording->device_of[i] == TB_REPLAY_NONE)
        continue;
      self->speed[self->recording->device_of[i]] *= change->factor;
      for (guint32 j = 0; j < origins->len; j++)
        {
          const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, j);

          if (origin->kind == TB_WAIT_NODE_DEVICE && origin->id == i)
            self->is_changed[j] = TRUE;
        }
    }
  if (!is_there)
    tb_wait_name_match_set_error (self->result->graph, text, change->what, error);
  return is_there;
}

static gboolean
apply_lock (TbWaitChanges *self, const char *text, const TbWaitChange *change, GError **error)
{
  const GArray *origins = self->recording->origins;
  g_autoptr (GString) known = g_string_new (NULL);
  guint n_locks;
  g_autofree guint8 *is_selected = NULL;
  gboolean is_there = FALSE;

  tb_trace_get_locks (self->result->trace, &n_locks);
  is_selected = g_new0 (guint8, n_locks + 1);
  for (guint32 i = 0; i < n_locks; i++)
    {
      g_autofree char *name = tb_trace_describe_lock (self->result->trace, i);

      /* Names themselves may contain "*". */
      is_selected[i]
          = g_str_equal (change->what, name) || g_pattern_match_simple (change->what, name);
      is_there |= is_selected[i];
      if (i < TB_WAIT_MAX_NAMES_LISTED)
        g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", name);
    }
  for (guint32 i = 0; i < origins->len; i++)
    {
      guint32 lock = g_array_index (origins, TbReplayOrigin, i).lock;

      if (lock >= n_locks || !is_selected[lock])
        continue;
      self->is_changed[i] = TRUE;
      self->factor[i] = 0;
    }
  if (!is_there && n_locks == 0)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("what-if: invalid change “%s”: unknown lock “%s”; no thread slept for a lock"),
                 text, change->what);
  else if (!is_there)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("what-if: invalid change “%s”: unknown lock “%s”; threads slept for %s%s"),
                 text, change->what, known->str, n_locks > TB_WAIT_MAX_NAMES_LISTED ? " …" : "");
  return is_there;
}

/* The name of a probed function follows the name of its library. */
static gboolean
is_named (const char *call, const char *name)
{
  const char *colon = strrchr (call, ':');

  return g_str_equal (call, name) || (colon != NULL && g_str_equal (colon + 1, name));
}

/* System calls and probed functions of a name, with all calls within them. By node of the
 * recording's calls. */
static guint8 *
find_calls (const TbWaitChanges *self, const char *name)
{
  TbSession *session = tb_trace_get_session (self->result->trace);
  guint n_strings = tb_session_get_n_strings (session);
  g_autofree guint8 *is_selected = g_new0 (guint8, n_strings + 1);

  for (guint32 i = 0; i < n_strings; i++)
    is_selected[i] = is_named (tb_session_get_string (session, i), name);
  return tb_replay_calls_find_within (self->recording->calls, is_selected, n_strings);
}

static gboolean
apply_call (TbWaitChanges *self, const char *text, const TbWaitChange *change, GError **error)
{
  const TbReplayRecording *recording = self->recording;
  g_autofree guint8 *is_selected = find_calls (self, change->what);
  gboolean is_there = FALSE;

  for (guint32 i = 0; i < recording->origins->len; i++)
    {
      if (!is_selected[g_array_index (recording->origins, TbReplayOrigin, i).call])
        continue;
      self->is_changed[i] = is_there = TRUE;
      self->factor[i] *= change->factor;
    }
  for (gsize i = 0; i < recording->call_of->len; i++)
    {
      if (!is_selected[g_array_index (recording->call_of, guint32, i)])
        continue;
      is_there = TRUE;
      self->run[i] *= change->factor;
    }
  if (!is_there)
    g_set_error (
        error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
        _ ("what-if: invalid change “%s”: no thread is known to have been in a system call “%s”"),
        text, change->what);
  return is_there;
}

/* Leaves out all calls of an actor but every Nth one. Returns whether there are any. */
static gboolean
skip_calls (TbWaitChanges *self, guint32 actor, const guint8 *is_selected, guint every)
{
  const GArray *call_of = self->recording->call_of;
  gsize first = g_array_index (self->recording->program->first, gsize, actor);
  gsize end = g_array_index (self->recording->program->first, gsize, actor + 1);
  gboolean was_in = FALSE;
  guint64 n = 0;

  for (gsize step = first; step < end; step++)
    {
      gboolean is_in = is_selected[g_array_index (call_of, guint32, step)];

      n += is_in && !was_in;
      was_in = is_in;
      if (is_in && n % every != 0)
        self->run[step] = 0;
    }
  return n > 0;
}

/* Combines calls: of so many only the last is made. */
static gboolean
apply_every (TbWaitChanges *self, const char *text, const TbWaitChange *change, GError **error)
{
  g_autofree guint8 *is_selected = find_calls (self, change->what);
  gboolean is_there = FALSE;

  for (guint32 i = 0; i < self->recording->program->n_actors; i++)
    is_there |= skip_calls (self, i, is_selected, (guint) change->factor);
  for (guint32 i = 0; i < self->recording->origins->len; i++)
    if (self->run[g_array_index (self->recording->origins, TbReplayOrigin, i).step] <= 0)
      {
        self->is_changed[i] = TRUE;
        self->factor[i] = 0;
      }
  if (!is_there)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("what-if: invalid change “%s”: the recording does not have the times at which "
                    "“%s” began and ended: record with probe=libc:%s, or with syscalls=true"),
                 text, change->what, change->what);
  return is_there;
}

/* A device need not discard what was never written. Where all calls that wrote the blocks are left
 * out, the discard is left out too, and no thread waits for it. */
static void
leave_out_discards (TbWaitChanges *self)
{
  const TbReplayRecording *of = self->recording;
  const TbReplayDiscardedWrite *discarded_writes
      = (const TbReplayDiscardedWrite *) (gpointer) of->discarded_writes->data;
  guint end;

  for (guint i = 0; i < of->discarded_writes->len; i = end)
    {
      guint32 discard = discarded_writes[i].discard;
      guint32 wait = g_array_index (of->program->requests, TbReplayRequest, discard).wait;
      gboolean is_unwritten = TRUE;

      for (end = i; end < of->discarded_writes->len && discarded_writes[end].discard == discard;
           end++)
        is_unwritten
            = is_unwritten && discarded_writes[end].write != TB_REPLAY_NONE
              && self->run[g_array_index (of->request_steps, gsize, discarded_writes[end].write)]
                     <= 0;
      if (!is_unwritten)
        continue;
      self->run[g_array_index (of->request_steps, gsize, discard)] = 0;
      if (wait == TB_REPLAY_NONE)
        continue;
      self->is_changed[wait] = TRUE;
      self->factor[wait] = 0;
    }
}

static gboolean
apply_threads (TbWaitChanges *self, const char *text, const TbWaitChange *change, GError **error)
{
  g_auto (TbWaitNameMatch) named = { 0 };

  if (!tb_wait_name_match_init (&named, self->result, text, change->what, error))
    return FALSE;
  for (guint32 i = 0; i < self->recording->threads->len; i++)
    if (tb_wait_name_match_has_thread (&named,
                                       g_array_index (self->recording->threads, guint32, i)))
      {
        self->size[i] = MIN (self->size[i] * (guint32) change->factor, CPUS_MAX);
        self->divides[i] = tb_wait_has_one_job (self->recording, i);
        self->concerned[i] = TRUE;
      }
  return TRUE;
}

static gboolean
apply (TbWaitChanges *self, const char *text, const TbWaitChange *change, GError **error)
{
  switch (change->kind)
    {
    case TB_WAIT_CHANGE_EDGE:
    case TB_WAIT_CHANGE_AHEAD:
    case TB_WAIT_CHANGE_SHARED:
      return apply_edge (self, text, change, error);
    case TB_WAIT_CHANGE_CALL:
      return apply_call (self, text, change, error);
    case TB_WAIT_CHANGE_EVERY:
      return apply_every (self, text, change, error);
    case TB_WAIT_CHANGE_THREADS:
      return apply_threads (self, text, change, error);
    case TB_WAIT_CHANGE_DEVICE:
      return apply_device (self, text, change, error);
    case TB_WAIT_CHANGE_LOCK:
      return apply_lock (self, text, change, error);
    default:
      self->n_cpus = change->n_cpus;
      return TRUE;
    }
}

gboolean
tb_wait_changes_init (TbWaitChanges *self,
                      const TbWaitResult *result,
                      const TbReplayRecording *recording,
                      const char *text,
                      GError **error)
{
  const TbReplayProgram *program = recording->program;
  guint32 n_waits = program->waits->len;
  guint32 n_devices = program->devices->len;
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (result->trace), &n_threads);
  self->result = result;
  self->recording = recording;
  self->changes = tb_wait_parse_changes (text, error);
  if (self->changes == NULL)
    return FALSE;
  self->factor = g_new (double, n_waits + 1);
  self->stream = g_new (guint32, n_waits + 1);
  self->stream_of = g_new (guint32, n_threads + 1);
  memset (self->stream_of, 0xff, sizeof *self->stream_of * (n_threads + 1));
  self->speed = g_new (double, n_devices + 1);
  self->is_changed = g_new0 (guint8, n_waits + 1);
  self->concerned = g_new0 (guint8, program->n_actors + 1);
  self->share = g_new0 (double, n_waits + 1);
  self->run = tb_wait_recording_cost_subtract (recording, recording->recording_ns);
  self->shorter = tb_wait_recording_cost_get_delays (recording, recording->recording_ns);
  self->base_run = g_memdup2 (self->run, sizeof *self->run * (program->kinds->len + 1));
  self->size = g_new (guint32, program->n_actors + 1);
  self->divides = g_new0 (guint8, program->n_actors + 1);
  for (guint32 i = 0; i <= program->n_actors; i++)
    self->size[i] = 1;
  for (guint32 i = 0; i <= n_waits; i++)
    {
      self->factor[i] = 1;
      self->stream[i] = TB_REPLAY_NONE;
    }
  for (guint32 i = 0; i <= n_devices; i++)
    self->speed[i] = 1;
  for (guint i = 0; i < self->changes->len; i++)
    if (!apply (self, text, &g_array_index (self->changes, TbWaitChange, i), error))
      return FALSE;
  leave_out_discards (self);
  if (self->n_streams > 0)
    {
      self->batches = tb_wait_find_batches (recording, self->stream);
      self->takes = tb_wait_find_batch_reads (recording, self->stream, self->batches);
    }
  return TRUE;
}
