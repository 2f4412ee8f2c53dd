/* bench-latency-peaks.c: benchmark of latency histograms, peaks and drill-down
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-latency-peaks [THOUSAND-CALLS]             synthetic; goal: 10000 in under 2 s
 *        bench-latency-peaks FILE OPERATION [CALL-PATH]   a session
 *
 * The reference is binning the bare latencies. Measures all calls, and the calls through one call
 * path.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tailback.h"
#include "drill/tb-peaks-result.h"

#define N_THREADS 8
#define CALIBRATION 100000000u
#define MANY 65536

static double
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static guint64 state = 88172645463325252u;

static guint64
draw (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Measures the present speed of this machine: steps of a random number generator that accesses no
 * memory. */
static void
calibrate (void)
{
  double start = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  guint64 sum = 0;

  for (guint i = 0; i < CALIBRATION; i++)
    sum += draw ();
  printf ("calibration: %.3f s of cpu for %u numbers (%s)\n",
          read_clock (CLOCK_PROCESS_CPUTIME_ID) - start, CALIBRATION, sum != 0 ? "drawn" : "none");
}

static void
add_switch (TbRecorder *recorder, gint64 time, guint16 cpu, gint32 prev, char letter, gint32 next)
{
  TbEvent event = { .time = time,
                    .kind = TB_EVENT_SWITCH,
                    .cpu = cpu,
                    .tid = prev,
                    .pid = 1,
                    .a = (guint64) next,
                    .b = 1 };

  event.code = letter;
  tb_recorder_add (recorder, &event);
}

#define N_PATHS 64

/* Stacks of different depths; every second one contains serve(). */
static void
intern_stacks (TbRecorder *recorder, guint32 stacks[N_PATHS])
{
  static const guint8 flags[8] = { 0 };

  for (guint i = 0; i < N_PATHS; i++)
    {
      guint32 frames[8];
      guint n = 0;

      frames[n++] = tb_recorder_intern_named_frame (recorder, "main", "server", FALSE);
      for (guint k = 0; k < 4; k++)
        {
          g_autofree char *name = g_strdup_printf ("handle%u", (i >> k) % 4);

          frames[n++] = tb_recorder_intern_named_frame (recorder, name, "server", FALSE);
        }
      frames[n++] = tb_recorder_intern_named_frame (recorder, i % 2 == 0 ? "serve" : "idle",
                                                    "server", FALSE);
      frames[n++] = tb_recorder_intern_named_frame (recorder, "read", "libc.so.6", FALSE);
      stacks[i] = tb_recorder_intern_stack (recorder, frames, flags, n);
    }
}

/* The latency of most calls is in the first peak. One call of sixteen sleeps, one of a thousand
 * sleeps long. */
static void
record (TbRecorder *recorder, guint64 n_calls)
{
  guint32 name = tb_recorder_intern_string (recorder, "read", -1);
  /* Arguments of the calls that are not written yet. */
  g_autofree guint64 (*args)[TB_WHOLE_SYSCALL_WORDS] = g_malloc (MANY * sizeof *args);
  gint64 time = 1000000000;
  guint32 stacks[N_PATHS];

  intern_stacks (recorder, stacks);
  for (gint32 i = 1; i <= N_THREADS; i++)
    {
      TbEvent event = { .kind = TB_EVENT_EXISTING, .time = time, .tid = i, .pid = 1 };

      event.text = tb_recorder_intern_string (recorder, "reader", -1);
      tb_recorder_add (recorder, &event);
      add_switch (recorder, time, (guint16) i, 0, 'R', i);
    }
  for (guint64 call = 0; call < n_calls; call++)
    {
      gint32 tid = 1 + (gint32) (call % N_THREADS);
      guint64 kind = draw () % 1000;
      gint64 length = kind < 937   ? (gint64) (200 + draw () % 700)
                      : kind < 999 ? (gint64) (20000 + draw () % 60000)
                                   : (gint64) (3000000 + draw () % 9000000);
      TbEvent event = { .kind = TB_EVENT_WHOLE_SYSCALL,
                        .time = time + length,
                        .cpu = (guint16) tid,
                        .tid = tid,
                        .pid = 1,
                        .text = name,
                        .stack = stacks[draw () % N_PATHS] };

      memcpy (args[call % MANY],
              (const guint64[TB_WHOLE_SYSCALL_WORDS]) { 3, 0, kind < 999 ? 4096 : 65536, 0, 0, 0,
                                                        (guint64) time, 4096 },
              sizeof *args);
      event.args = args[call % MANY];
      if (kind >= 937)
        {
          add_switch (recorder, time + 100, (guint16) tid, tid, 'D', 0);
          add_switch (recorder, time + length - 100, (guint16) tid, 0, 'R', tid);
        }
      tb_recorder_add (recorder, &event);
      time += length + 50;
      if (call % (MANY / 4) == 0)
        tb_recorder_advance (recorder, time, NULL);
    }
  tb_recorder_advance (recorder, time + 1, NULL);
}

/* The reference: a loop that only counts latencies by their log2. */
static double
bin_bare (const TbPeaksCalls *calls, const TbPeaksOperation *operation)
{
  const TbPeaksTable *table = &calls->tables[operation->kind];
  guint64 counts[64] = { 0 };
  double start = read_clock (CLOCK_PROCESS_CPUTIME_ID), took;

  for (gsize i = 0; i < table->n; i++)
    counts[63 - __builtin_clzll ((unsigned long long) MAX (table->exit[i] - table->enter[i], 1))]++;
  took = read_clock (CLOCK_PROCESS_CPUTIME_ID) - start;
  g_assert_cmpuint (counts[9], <=, table->n);
  return took;
}

/* Returns the total time. */
static double
measure (TbTrace *trace, const char *name, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbPeaksCalls) calls = NULL;
  g_autoptr (TbPeaksResult) result = NULL;
  const TbPeaksFilter filter = { "", path };
  const TbPeaksOptions options = { .from_bin = -1,
                                   .to_bin = -1,
                                   .decision_calls = 20,
                                   .root_cause_threshold = 0.8,
                                   .max_depth = 32,
                                   .state = "" };
  const TbPeaksOperation *operation;
  double start = read_clock (CLOCK_PROCESS_CPUTIME_ID), binning, all, bare;
  guint64 n;

  calls = tb_peaks_calls_new_filtered (trace, selection, &filter, 1, tb_peaks_get_kinds (name),
                                       NULL, &error);
  g_assert_no_error (error);
  operation = tb_peaks_calls_find (calls, name, NULL, &error);
  g_assert_no_error (error);
  binning = read_clock (CLOCK_PROCESS_CPUTIME_ID) - start;
  bare = bin_bare (calls, operation);
  start = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  n = operation->calls;
  result = tb_peaks_result_new (g_steal_pointer (&calls), operation, &options, NULL, &error);
  g_assert_no_error (error);
  all = binning + read_clock (CLOCK_PROCESS_CPUTIME_ID) - start;
  printf ("%s%s: %" G_GUINT64_FORMAT
          " calls, %u peaks: %.3f s of cpu to bin them, %.3f s with their peaks found, "
          "drilled into and distinguished; %.1f million calls a second\n",
          *path != '\0' ? "through " : "all", path, n, result->ranges->len, binning, all,
          (double) n / all / 1e6);
  printf ("binning the bare lengths: %.3f s; %.1f times that to bin, %.1f times to do all\n", bare,
          binning / bare, all / bare);
  return all;
}

int
main (int argc, char **argv)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "bench-latency-peaks.tailback", NULL);
  gboolean made = argc < 3;
  /* Every second call, and all calls. */
  static const char *const paths[] = { "main/serve/read", "main/read" };
  double all;
  g_autoptr (GFile) file = g_file_new_for_path (made ? path : argv[1]);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTrace) trace = NULL;

  if (made)
    {
      g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);

      g_assert_no_error (error);
      record (recorder, (argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 200) * 1000);
      tb_recorder_finish (recorder, &error);
      g_assert_no_error (error);
    }
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  calibrate ();
  all = measure (trace, made ? "syscall:read" : argv[2], "");
  for (guint i = 0; made && i < G_N_ELEMENTS (paths); i++)
    printf ("through a call path: %.2f times what all calls take\n",
            measure (trace, "syscall:read", paths[i]) / all);
  if (argc > 3)
    printf ("through a call path: %.2f times what all calls take\n",
            measure (trace, argv[2], argv[3]) / all);
  if (made)
    g_file_delete (file, NULL, NULL);
  return 0;
}
