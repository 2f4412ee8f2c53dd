/* bench-calling-contexts.c: benchmark of inferring, storing and comparing calling contexts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-calling-contexts [MILLION-EVENTS [THOUSAND-CONTEXTS]]
 *
 * Measures the inference of calls from deep stacks, with a loop over every frame of each stack as
 * the reference; time and memory for a million contexts; the comparison of two such recordings.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <glib/gstdio.h>

#include "session/recorder/tb-recorder.h"
#include "tb-contexts-match.h"

#define DEPTH 40
/* Each event changes some of the innermost frames above a common stem. */
#define STEM 30
#define N_BRANCHES 4096

typedef struct
{
  guint64 n;
  gint64 own;
} Sums;

static void
add (const TbContextsInstance *instance, gpointer data)
{
  Sums *sums = data;

  sums->n++;
  sums->own += instance->own[TB_CONTEXTS_REFINED];
}

/* Algorithm 2 exactly as in the paper: every frame of every stack is compared and noted. */
static guint64
compare_all_frames (const TbContextsTree *tree, const guint32 *leaves, gsize n)
{
  guint32 path[DEPTH], last[DEPTH] = { 0 };
  gint64 ends[DEPTH] = { 0 };
  guint64 closed = 0;

  for (gsize i = 0; i < n; i++)
    {
      gboolean is_new = FALSE;
      guint32 node = leaves[i];

      for (guint d = DEPTH; d-- > 0; node = tree->parent[node])
        path[d] = node;
      for (guint d = 0; d < DEPTH; d++)
        {
          is_new |= path[d] != last[d];
          closed += is_new && last[d] != 0;
          last[d] = path[d];
          ends[d] = (gint64) i;
        }
    }
  return closed + (ends[0] < 0);
}

static void
make_tree (TbContextsTree *tree)
{
  guint32 n = 1 + STEM + N_BRANCHES * (DEPTH - STEM);
  guint32 *parent = g_new0 (guint32, n), *depth = g_new0 (guint32, n),
          *function = g_new (guint32, n);

  for (guint32 i = 1; i < n; i++)
    {
      gboolean is_first = i > STEM && (i - 1 - STEM) % (DEPTH - STEM) == 0;

      parent[i] = is_first ? STEM : i - 1;
      depth[i] = depth[parent[i]] + 1;
    }
  for (guint32 i = 0; i < n; i++)
    function[i] = i;
  *tree = (TbContextsTree) { n, parent, depth, g_new0 (guint8, n), function };
}

/* CPU time of this thread in µs, which excludes other programs on the machine. */
static gint64
get_cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* Infers calls from plain events, or from events at system calls. The exits of system calls are
 * inference input too. */
static gint64
infer (const TbContextsTree *tree, const guint32 *leaves, gsize n, gboolean at_calls, Sums *sums)
{
  g_auto (TbContextsInference) inference = { 0 };
  gint64 start = get_cpu_time ();

  tb_contexts_inference_init (&inference, tree, add, sums);
  tb_contexts_inference_begin (&inference, 1);
  for (gsize i = 0; i < n; i++)
    {
      gint64 time = (gint64) i * 1000;

      if (at_calls)
        tb_contexts_inference_enter_call (&inference, time);
      tb_contexts_inference_add (&inference, time, leaves[i]);
      if (at_calls)
        tb_contexts_inference_leave_call (&inference, time + 100 + rand () % 600, time);
    }
  tb_contexts_inference_end (&inference, (gint64) n * 1000);
  return get_cpu_time () - start;
}

static void
measure_inference (gsize n)
{
  g_autofree guint32 *leaves = g_new (guint32, n);
  TbContextsTree tree;
  Sums sums = { 0 };
  gint64 start, inferred, at_calls, compared;
  guint64 closed;

  make_tree (&tree);
  srand (1);
  for (gsize i = 0; i < n; i++)
    leaves[i] = i > 0 && rand () % 2
                    ? leaves[i - 1]
                    : (guint32) (STEM + (rand () % N_BRANCHES + 1) * (DEPTH - STEM));
  at_calls = infer (&tree, leaves, n, TRUE, &sums);
  sums = (Sums) { 0 };
  inferred = infer (&tree, leaves, n, FALSE, &sums);
  start = get_cpu_time ();
  closed = compare_all_frames (&tree, leaves, n);
  compared = get_cpu_time () - start;
  printf ("%zu events with stacks of depth %d, %" G_GUINT64_FORMAT
          " calls: inferred in %.2f s; looking at every "
          "frame (%" G_GUINT64_FORMAT " end) takes %.2f s: ratio %.2f\n",
          n, DEPTH, sums.n, inferred / 1e6, closed, compared / 1e6, (double) inferred / compared);
  printf ("the same at system calls, between which gaps are learned: %.2f s: ratio %.2f\n",
          at_calls / 1e6, (double) at_calls / compared);
}

/* --- whole recordings --- */

/* Memory in use now, or its maximum so far, in bytes. */
static double
get_memory (const char *what)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL)
      || (line = strstr (text, what)) == NULL)
    return 0;
  return (double) g_ascii_strtoull (line + strlen (what) + 1, NULL, 10) * 1024;
}

/* Makes distinct stacks of the given depth: branches off a stem, with different innermost
 * functions. */
static guint32 *
make_stacks (TbRecorder *recorder, gsize n_contexts)
{
  guint32 *stacks = g_new (guint32, n_contexts), frames[DEPTH];
  const guint8 flags[DEPTH] = { 0 };
  gsize n_leaves = (n_contexts + N_BRANCHES - 1) / N_BRANCHES;
  g_autofree guint32 *leaves = g_new (guint32, n_leaves);
  g_autofree guint32 *inner = g_new (guint32, 512);

  for (gsize i = 0; i < n_leaves; i++)
    {
      g_autofree char *name = g_strdup_printf ("leaf_%zu", i);

      leaves[i] = tb_recorder_intern_named_frame (recorder, name, "libleaf.so", FALSE);
    }
  for (guint i = 0; i < 512; i++)
    {
      g_autofree char *name = g_strdup_printf ("function_%u", i);

      inner[i] = tb_recorder_intern_named_frame (recorder, name, "app", FALSE);
    }
  for (gsize i = 0; i < n_contexts; i++)
    {
      gsize branch = i / n_leaves;

      for (guint d = 0; d < DEPTH - 1; d++)
        frames[d] = inner[d < STEM ? d : (branch >> (d - STEM) * 2) % 4 + 4 * (d - STEM) + STEM];
      frames[STEM] = inner[branch % 64 + 128];
      frames[STEM + 1] = inner[branch / 64 % 64 + 192];
      frames[DEPTH - 1] = leaves[i % n_leaves];
      stacks[i] = tb_recorder_intern_stack (recorder, frames, flags, DEPTH);
    }
  return stacks;
}

static TbTrace *
make_trace (const char *path, gsize n_events, gsize n_contexts, guint seed)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);
  g_autoptr (TbSession) session = NULL;
  g_autofree guint32 *stacks = NULL;
  TbTrace *trace;
  guint32 mark;

  g_assert_no_error (error);
  tb_recorder_add_host (recorder, "bench", "", "x86_64", 1, 0);
  stacks = make_stacks (recorder, n_contexts);
  mark = tb_recorder_intern_string (recorder, "step", -1);
  srand (seed);
  for (gsize i = 0; i < n_events; i++)
    {
      TbEvent event = {
        .time = (gint64) i * 1000 + 1, .kind = TB_EVENT_MARK, .tid = 11, .pid = 11, .text = mark
      };

      event.stack = stacks[i < n_contexts ? i : (gsize) rand () % n_contexts];
      tb_recorder_add (recorder, &event);
      if (i % 65536 == 0)
        tb_recorder_advance (recorder, event.time, NULL);
    }
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

static TbContextsSummary *
summarize (TbTrace *trace, gsize n_events)
{
  const TbContextsOptions options
      = { .events = TB_CONTEXTS_ALL_EVENTS, .estimate = TB_CONTEXTS_REFINED, .top = 20 };
  g_autoptr (GError) error = NULL;
  double before = get_memory ("VmRSS:");
  gint64 start = get_cpu_time (), folded;
  g_autoptr (TbContextTree) tree = tb_trace_get_context_tree (trace);
  TbContextsSummary *summary;

  folded = get_cpu_time () - start;
  start = get_cpu_time ();
  summary = tb_contexts_summary_new (trace, NULL, NULL, &options, NULL, &error);
  g_assert_no_error (error);
  printf ("%zu events, %" G_GUINT64_FORMAT
          " contexts, %u nodes: folded by function in %.2f s, calls inferred and "
          "ranked in %.2f s; %.0f MB more in memory, %.0f MB at most in all\n",
          n_events, summary->n_contexts, summary->tree.n_nodes, folded / 1e6,
          (get_cpu_time () - start) / 1e6, (get_memory ("VmRSS:") - before) / 1e6,
          get_memory ("VmHWM:") / 1e6);
  return summary;
}

static void
measure_comparison (gsize n_events, gsize n_contexts)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-bench-XXXXXX", NULL);
  GArray *sides[TB_CONTEXTS_N_SIDES];
  g_autoptr (TbContextsMatch) match = NULL;
  gint64 start;

  g_assert_nonnull (folder);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.tailback", folder, side);
      g_autoptr (TbTrace) trace = make_trace (path, n_events, n_contexts, side + 1);
      TbContextsRecording recording = { summarize (trace, n_events), 1 };

      sides[side] = g_array_new (FALSE, FALSE, sizeof recording);
      g_array_append_val (sides[side], recording);
      g_remove (path);
    }
  start = get_cpu_time ();
  match = tb_contexts_match_new (sides);
  printf ("two such compared in %.2f s: %u contexts in either, %u paths ranked first\n",
          (get_cpu_time () - start) / 1e6, match->pairs->len - 1, match->paths->len);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      tb_contexts_summary_free (g_array_index (sides[side], TbContextsRecording, 0).summary);
      g_array_unref (sides[side]);
    }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  gsize n_events = (argc > 1 ? strtoul (argv[1], NULL, 10) : 10) * 1000000;
  gsize n_contexts = (argc > 2 ? strtoul (argv[2], NULL, 10) : 1000) * 1000;

  measure_inference (n_events);
  measure_comparison (n_events, MIN (n_contexts, n_events));
  return 0;
}
