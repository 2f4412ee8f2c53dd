/* tb-wait-replay-program.c: construction of the program of a replay (simulation of recorded
 * threads), as data: actors, their steps (run, wait, signal, request), waits and requests to
 * devices, appended to arrays
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-program.h"

TbReplayProgram *
tb_replay_program_new (guint32 n_cpus)
{
  TbReplayProgram *self = g_new0 (TbReplayProgram, 1);

  self->n_cpus = MAX (n_cpus, 1);
  self->first = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->kinds = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->values = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->waits = g_array_new (FALSE, FALSE, sizeof (TbReplayWait));
  self->requests = g_array_new (FALSE, FALSE, sizeof (TbReplayRequest));
  self->devices = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (self->first, &(gsize) { 0 }, 1);
  return self;
}

void
tb_replay_program_free (TbReplayProgram *self)
{
  g_array_unref (self->first);
  g_array_unref (self->kinds);
  g_array_unref (self->values);
  g_array_unref (self->waits);
  g_array_unref (self->requests);
  g_array_unref (self->devices);
  g_free (self);
}

guint32
tb_replay_program_add_actor (TbReplayProgram *self)
{
  gsize at = self->kinds->len;

  g_array_append_val (self->first, at);
  return self->n_actors++;
}

void
tb_replay_program_add_step (TbReplayProgram *self, TbReplayKind kind, gint64 value)
{
  guint8 stored = kind;

  g_assert (self->n_actors > 0 && value >= 0);
  g_array_append_val (self->kinds, stored);
  g_array_append_val (self->values, value);
  g_array_index (self->first, gsize, self->n_actors) = self->kinds->len;
}

guint32
tb_replay_program_add_wait (TbReplayProgram *self, gint64 length, gint64 lag, gboolean is_signalled)
{
  TbReplayWait wait = { .length = length,
                        .lag = lag,
                        .is_signalled = is_signalled,
                        .leads_to = TB_REPLAY_NONE,
                        .source = TB_REPLAY_NONE,
                        .state = TB_REPLAY_STATE_UNKNOWN };

  g_array_append_val (self->waits, wait);
  return self->waits->len - 1;
}

guint32
tb_replay_program_add_request (TbReplayProgram *self, guint32 device, gint64 service, guint32 wait)
{
  TbReplayRequest request = { .device = device, .service = service, .wait = wait };

  g_array_append_val (self->requests, request);
  return self->requests->len - 1;
}

double
tb_replay_change_shorten (const TbReplayChange *self, double length, guint32 wait)
{
  if (self->shorter == NULL || wait == TB_REPLAY_NONE)
    return length;
  return MAX (length - self->shorter[wait], 0);
}
