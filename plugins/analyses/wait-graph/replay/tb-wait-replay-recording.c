/* tb-wait-replay-recording.c: freeing of a recording as the program of a replay (converted by
 * tb-wait-replay-steps.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-recording.h"

void
tb_replay_recording_free (TbReplayRecording *self)
{
  g_clear_pointer (&self->program, tb_replay_program_free);
  g_array_unref (self->origins);
  g_array_unref (self->threads);
  g_array_unref (self->request_steps);
  g_array_unref (self->discarded_writes);
  tb_replay_calls_free (self->calls);
  g_array_unref (self->call_of);
  g_array_unref (self->records);
  g_array_unref (self->delay_records);
  g_array_unref (self->delays);
  g_array_unref (self->switches);
  g_array_unref (self->previous);
  g_free (self->device_of);
  g_free (self->begin);
  g_free (self->last_run);
  g_free (self->running);
  g_clear_pointer (&self->scheduler_model.preemption, tb_replay_preemption_free);
  g_free (self);
}
