/* test-wait-graph-similar.c: test of merging threads with similar waits into one vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MASTER 20
#define ROUNDS 10
#define US G_GINT64_CONSTANT (1000)

/* Two workers with their properties: the parent of the process, a name, and the innermost frames of
 * broken stacks. */
typedef struct
{
  const char *title;
  const char *names[2];
  gint32 parents[2];
  const char *leaves[2]; /* only frame of a stack that was not unwound to its start */
  int broken;            /* percentage of waiting time with broken stacks */
  gboolean is_one;
} Case;

static const Case cases[] = {
  { "processes of one parent and name",
    { "worker", "worker" },
    { MASTER, MASTER },
    { "x", "x" },
    0,
    TRUE },
  { "of other names", { "worker", "writer" }, { MASTER, MASTER }, { "x", "x" }, 0, FALSE },
  { "of other parents", { "worker", "worker" }, { MASTER, 30 }, { "x", "x" }, 0, FALSE },
  { "broken alike", { "worker", "worker" }, { MASTER, MASTER }, { "x", "x" }, 70, TRUE },
  { "broken otherwise", { "worker", "worker" }, { MASTER, MASTER }, { "x", "y" }, 70, FALSE },
  { "a little broken otherwise",
    { "worker", "worker" },
    { MASTER, MASTER },
    { "x", "y" },
    15,
    TRUE },
  { "hardly walked at all", { "worker", "worker" }, { MASTER, MASTER }, { "x", "x" }, 85, FALSE },
};

static void
add_process (TbRecorder *recorder, gint32 pid, gint32 parent, const char *name)
{
  TbEvent event = { .kind = TB_EVENT_EXISTING, .tid = pid, .pid = pid, .a = (guint64) parent };

  event.text = tb_recorder_intern_string (recorder, name, -1);
  tb_recorder_add (recorder, &event);
}

/* The thread sleeps from 100 µs after start, for that length, until the master wakes it. */
static void
add_sleep (TbRecorder *recorder, gint64 start, gint64 length, gint32 tid, guint32 stack)
{
  guint16 cpu = (guint16) (tid - MASTER);

  if (length == 0)
    return;
  recording_switch_with_stack (recorder, start, cpu, tid, 'S', 0, stack);
  recording_wake (recorder, start + length, 0, MASTER, tid);
  recording_switch (recorder, start + length, cpu, 0, 'R', tid);
}

static void
add_rounds (TbRecorder *recorder, const Case *of, int which)
{
  const guint32 whole[] = { tb_recorder_intern_named_frame (recorder, "main", "app", FALSE),
                            tb_recorder_intern_named_frame (recorder, "work", "app", FALSE) };
  const guint32 leaf = tb_recorder_intern_named_frame (recorder, of->leaves[which], "libc", FALSE);
  const guint8 fine[] = { 0, 0 }, flags[] = { TB_STACK_BROKEN };
  guint32 walked = tb_recorder_intern_stack (recorder, whole, fine, 2);
  guint32 broken = tb_recorder_intern_stack (recorder, &leaf, flags, 1);
  gint32 tid = MASTER + 1 + which;

  recording_switch (recorder, US, (guint16) (tid - MASTER), 0, 'R', tid);
  for (int i = 0; i < ROUNDS; i++)
    {
      gint64 start = (2 * i + 1) * 1000 * US;

      add_sleep (recorder, start, (100 - of->broken) * 5 * US, tid, walked);
      add_sleep (recorder, start + 1000 * US, of->broken * 5 * US, tid, broken);
    }
}

static TbTrace *
open_case (const Case *of, guint index)
{
  g_autofree char *name = g_strdup_printf ("similar-%u", index);
  TbRecorder *recorder = recording_new (name);

  tb_recorder_add_host (recorder, "host", "", "x86_64", 3, 0);
  add_process (recorder, MASTER, 1, "master");
  add_process (recorder, 30, 1, "other");
  for (int i = 0; i < 2; i++)
    add_process (recorder, MASTER + 1 + i, of->parents[i], of->names[i]);
  recording_switch (recorder, US, 0, 0, 'R', MASTER);
  for (int i = 0; i < 2; i++)
    add_rounds (recorder, of, i);
  recording_switch (recorder, 2 * ROUNDS * 1000 * US + 1000 * US, 0, MASTER, 'S', 0);
  return recording_open (recorder);
}

static void
test_similar (gconstpointer data)
{
  const Case *of = data;
  g_autoptr (TbTrace) trace = open_case (of, (guint) (of - cases));
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) off = wait_graph_analyze (trace, "merge-similar", "no", NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  g_assert_cmpint (wait_graph_find_vertex (summary, "worker ×2") != NULL, ==, of->is_one);
  if (of->is_one)
    /* Both sleep for 5 ms in total, and each counts half. */
    wait_graph_assert_edge (summary, "worker ×2", "master", 5000 * US, 5000 * US,
                            of->broken > 0 ? 4 * ROUNDS : 2 * ROUNDS);
  g_assert_null (wait_graph_find_vertex (wait_graph_get_summary (off), "worker ×2"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/wait-graph/similar/%s", cases[i].title);

      g_test_add_data_func (path, &cases[i], test_similar);
    }
  return recording_run_tests ();
}
