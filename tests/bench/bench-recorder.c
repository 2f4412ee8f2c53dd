/* bench-recorder.c: recorder time per event with a stack
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reference is a bare walk in the same run: the same events merged by time, each call chain
 * read once and each event copied once.
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

#include "session/recorder/tb-recorder.h"

#define N_EVENTS 1500000u
#define N_CPUS 4u
#define N_THREADS 64u
#define N_CHAINS 20000u
#define BATCH 1024u /* number of events that a CPU delivers at once */

static guint64 (*chains)[20];
static guint32 random_state = 1;

static guint32
next_random (void)
{
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}

static void
make_chains (void)
{
  chains = g_malloc (sizeof *chains * N_CHAINS);
  for (guint i = 0; i < N_CHAINS; i++)
    {
      guint n = 0;

      chains[i][n++] = TB_CHAIN_KERNEL;
      for (guint frame = 0; frame < 5; frame++)
        chains[i][n++] = 0xffffffff81000000u + next_random () % 64 * 0x1000;
      chains[i][n++] = TB_CHAIN_USER;
      for (guint frame = 0; frame < 10; frame++)
        chains[i][n++] = 0x400000u + (frame < 6 ? next_random () % 2000 : frame) * 0x40;
    }
}

static TbEvent
make_event (guint cpu, guint i)
{
  guint chain = (next_random () & next_random ()) % N_CHAINS;
  gint32 tid = 1000 + (i / 3 + cpu) % N_THREADS;
  TbEvent event = {
    .time = 1000000 + (gint64) i * 800 + cpu * 7,
    .cpu = cpu,
    .tid = tid,
    .pid = 1000 + (tid & ~7) % 64,
    .chain = chains[chain],
    .n_chain = 17,
  };

  switch (i % 3)
    {
    case 0:
      event.kind = TB_EVENT_SAMPLE;
      event.a = 1;
      break;
    case 1:
      event.kind = TB_EVENT_WAKEUP;
      event.a = 1000 + (tid + 1) % N_THREADS;
      break;
    default:
      event.kind = TB_EVENT_SWITCH;
      event.code = 'S';
      event.a = 1000 + ((i + 1) / 3 + cpu) % N_THREADS;
      break;
    }
  return event;
}

static void
add_mappings (TbRecorder *recorder)
{
  guint32 module
      = tb_recorder_intern_module (recorder, TB_MODULE_FILE, "/usr/bin/bench", "00ff", -1);

  for (guint i = 0; i < N_THREADS; i++)
    {
      TbEvent event = { .time = 1, .kind = TB_EVENT_MAPPING, .pid = 1000 + i, .tid = 1000 + i };

      event.a = 0x400000;
      event.b = 0x100000;
      event.module = module;
      tb_recorder_add (recorder, &event);
    }
}

static double
cpu_seconds (int whose)
{
  struct rusage usage;

  getrusage (whose, &usage);
  return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec * 1e-6 + usage.ru_stime.tv_sec
         + usage.ru_stime.tv_usec * 1e-6;
}

static gsize
anonymous_memory (void)
{
  g_autofree char *text = NULL;
  char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL)
      || !(line = strstr (text, "RssAnon:")))
    return 0;
  return (gsize) g_ascii_strtoull (line + strlen ("RssAnon:"), NULL, 10) << 10;
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "bench.tailback", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autofree TbEvent *batch = g_new (TbEvent, N_CPUS * BATCH);
  g_autofree TbEvent *copy = g_new (TbEvent, N_CPUS * BATCH);
  TbRecorder *recorder = tb_recorder_new (file, TRUE, &error);
  double making = 0, bare = 0, recording = 0, start, wall;
  gsize memory_before, memory = 0;
  volatile guint64 sink = 0;

  g_assert_no_error (error);
  make_chains ();
  add_mappings (recorder);
  memory_before = anonymous_memory ();
  wall = g_get_monotonic_time () * 1e-6;
  for (guint done = 0; done < N_EVENTS; done += N_CPUS * BATCH)
    {
      guint64 sum = 0;

      start = cpu_seconds (RUSAGE_THREAD);
      for (guint cpu = 0; cpu < N_CPUS; cpu++)
        for (guint i = 0; i < BATCH; i++)
          batch[cpu * BATCH + i] = make_event (cpu, done / N_CPUS + i);
      making += cpu_seconds (RUSAGE_THREAD) - start;

      start = cpu_seconds (RUSAGE_THREAD);
      for (guint i = 0; i < BATCH; i++)
        for (guint cpu = 0; cpu < N_CPUS; cpu++)
          {
            copy[i * N_CPUS + cpu] = batch[cpu * BATCH + i];
            for (guint word = 0; word < 17; word++)
              sum += copy[i * N_CPUS + cpu].chain[word];
          }
      sink += sum;
      bare += cpu_seconds (RUSAGE_THREAD) - start;

      start = cpu_seconds (RUSAGE_THREAD);
      for (guint i = 0; i < N_CPUS * BATCH; i++)
        tb_recorder_add (recorder, &batch[i]);
      tb_recorder_advance (recorder, 1000000 + (gint64) (done / N_CPUS + BATCH) * 800, &error);
      g_assert_no_error (error);
      recording += cpu_seconds (RUSAGE_THREAD) - start;
      memory = MAX (memory, anonymous_memory ());
    }
  start = cpu_seconds (RUSAGE_THREAD);
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  recording += cpu_seconds (RUSAGE_THREAD) - start;
  wall = g_get_monotonic_time () * 1e-6 - wall;
  g_print (
      "recorder: %.0f ns an event of cpu time in its thread, %.1f times a bare walk (%.0f ns)\n",
      recording / N_EVENTS * 1e9, recording / bare, bare / N_EVENTS * 1e9);
  g_print (
      "recorder: %.0f ns of cpu time with the writer's thread, %.0f ns of wall time, %.1f bytes of "
      "anonymous memory an event\n",
      (cpu_seconds (RUSAGE_SELF) - making - bare) / N_EVENTS * 1e9,
      (wall - making - bare) / N_EVENTS * 1e9, (double) (memory - memory_before) / N_EVENTS);
  g_object_unref (recorder);
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
