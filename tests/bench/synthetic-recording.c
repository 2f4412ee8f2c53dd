/* synthetic-recording.c: synthetic recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "synthetic-recording.h"

guint64
synthetic_random (void)
{
  static guint64 state = 88172645463325252u;

  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

void
synthetic_recording_add_events (TbRecorder *recorder, guint64 n_events)
{
  gint32 on_cpu[SYNTHETIC_CPUS] = { 0 };
  gboolean ready[SYNTHETIC_THREADS + 1] = { FALSE };
  gint64 time = 1000000000;

  for (guint64 i = 0; i < n_events;)
    {
      TbEvent event = { .cpu = synthetic_random () % SYNTHETIC_CPUS };
      gint32 thread = 1 + synthetic_random () % SYNTHETIC_THREADS;

      time += 100 + synthetic_random () % 1500;
      event.time = time;
      if (on_cpu[event.cpu] == 0 && ready[thread])
        {
          event.kind = TB_EVENT_SWITCH;
          event.code = 'R';
          event.a = event.b = thread;
          ready[thread] = FALSE;
          on_cpu[event.cpu] = thread;
          i++;
        }
      else if (on_cpu[event.cpu] != 0 && synthetic_random () % 3 == 0)
        {
          event.kind = TB_EVENT_SWITCH;
          event.tid = event.pid = on_cpu[event.cpu];
          event.code = "SSSD+"[synthetic_random () % 5];
          ready[event.tid] = event.code == '+';
          on_cpu[event.cpu] = 0;
          i++;
        }
      else
        {
          gboolean runs = ready[thread];

          for (guint cpu = 0; cpu < SYNTHETIC_CPUS; cpu++)
            runs |= on_cpu[cpu] == thread;
          if (runs)
            continue;
          event.kind = TB_EVENT_WAKEUP;
          event.tid = event.pid = on_cpu[event.cpu];
          event.a = thread;
          if (event.tid == 0)
            {
              TbEvent handler
                  = { .time = time - 50, .cpu = event.cpu, .kind = TB_EVENT_IRQ_ENTRY, .a = 30 };

              handler.text = tb_recorder_intern_string (recorder, "bench", -1);
              tb_recorder_add (recorder, &handler);
              tb_recorder_add (recorder, &event);
              handler.time = time + 50;
              handler.kind = TB_EVENT_IRQ_EXIT;
              tb_recorder_add (recorder, &handler);
              i += 3;
              ready[thread] = TRUE;
              continue;
            }
          ready[thread] = TRUE;
          i++;
        }
      tb_recorder_add (recorder, &event);
      if (i % 4096 == 0)
        tb_recorder_advance (recorder, time - 100, NULL);
    }
}

void
synthetic_recording_write (GFile *file, guint64 n_events)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);

  g_assert_no_error (error);
  tb_recorder_add_host (recorder, "bench", "", "", SYNTHETIC_CPUS, 0);
  synthetic_recording_add_events (recorder, n_events);
  if (!tb_recorder_finish (recorder, &error))
    g_error ("%s", error->message);
}
