/* test-cause-chain.c: sentences about waits, for each kind of cause
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-cause-chain.h"
#include "shell/document/tb-interval-description.h"
#include "story.h"

#define MS G_GINT64_CONSTANT (1000000)

/* Thread 11, without a name, sleeps from 1 to 3 ms on CPU 0; sender (12) runs on CPU 1. */
static Story *
begin (void)
{
  Story *story = story_new (NULL);

  story_name (story, 12, "sender", 12);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 1000, 0, 11, "S", 0);
  return story;
}

static TbTrace *
end (Story *story)
{
  story_switch (story, 3000, 0, 0, "R", 11);
  story_switch (story, 4000, 0, 11, "S", 0);
  story_switch (story, 5000, 1, 12, "S", 0);
  return story_open (story);
}

/* The interval of a thread at a time, by its TID. */
static gsize
find_interval (TbTrace *trace, gint32 tid, gint64 time)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

  for (guint i = 0; i < n_threads; i++)
    if (threads[i].tid == tid)
      {
        gssize interval = tb_trace_find_interval (trace, i, time);

        g_assert_cmpint (interval, >=, 0);
        return (gsize) interval;
      }
  g_assert_not_reached ();
}

#define assert_described(trace, tid, time, title, sentence)                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gsize interval_ = find_interval (trace, tid, time);                                            \
    g_autofree char *title_ = tb_interval_describe_title (trace, interval_);                       \
    g_autofree char *sentence_ = tb_interval_describe (trace, interval_);                          \
                                                                                                   \
    g_assert_cmpstr (title_, ==, title);                                                           \
    g_assert_cmpstr (sentence_, ==, sentence);                                                     \
  }                                                                                                \
  G_STMT_END

/* A device, a timer, the network, an interrupt, and waits that have not ended. */
static void
test_devices (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/devices.csv");

  assert_described (trace, 30, 2 * MS, "writer waits 3.82 ms",
                    "It waited until the device vda was done. Wait: fsync → /var/log/x.");
  assert_described (trace, 31, 3 * MS, "sleeper waits 4.01 ms",
                    "It waited until its timer expired. Wait: nanosleep.");
  assert_described (trace, 32, 4 * MS, "client waits 4.02 ms",
                    "It waited until data came from 10.0.0.1:80. Wait: recv → 10.0.0.1:80.");
  assert_described (trace, 33, 5 * MS, "driver waits 4.01 ms",
                    "It waited until an interrupt occurred. Wait: ioctl.");
  assert_described (trace, 30, 9 * MS + MS / 2, "writer waits 900 µs",
                    "It still waited at the end of the recording. Wait: pause.");
}

static void
test_interrupt (void)
{
  Story *story = begin ();
  g_autoptr (TbTrace) trace = NULL;

  story_add (story, 1900, "1,irq_entry,,,,,,9,,,,acpi,,,");
  story_wake (story, 2000, 1, 12, 11);
  story_add (story, 2100, "1,irq_exit,,,,,,9,,,,acpi,,,");
  trace = end (story);
  assert_described (trace, 11, 3 * MS / 2, "thread 11 waits 1 ms",
                    "It waited until the interrupt acpi occurred.");
}

/* Nothing but the waker is known of the wait. */
static void
test_thread (void)
{
  Story *story = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (GPtrArray) chain = NULL;

  story_wake (story, 2000, 1, 12, 11);
  trace = end (story);
  assert_described (trace, 11, 3 * MS / 2, "thread 11 waits 1 ms",
                    "It waited until sender (12) woke it.");
  assert_described (trace, 11, 7 * MS / 2, "thread 11 runs 1 ms", "It ran on CPU 0.");
  chain = tb_cause_chain_follow (trace, find_interval (trace, 11, 3 * MS / 2), NULL);
  g_assert_cmpuint (chain->len, ==, 1);
  g_assert_cmpstr (((TbCause *) chain->pdata[0])->title, ==, "sender (12)");
  g_assert_cmpstr (((TbCause *) chain->pdata[0])->text, ==, "runs");
}

static void
test_signal (void)
{
  Story *story = begin ();
  g_autoptr (TbTrace) trace = NULL;

  story_enter (story, 1900, 1, 12, "kill");
  story_wake (story, 2000, 1, 12, 11);
  story_leave (story, 2100, 1, 12);
  trace = end (story);
  assert_described (trace, 11, 3 * MS / 2, "thread 11 waits 1 ms",
                    "It waited until a signal from sender (12) arrived.");
}

static void
test_unknown (void)
{
  g_autoptr (TbTrace) trace = end (begin ());

  assert_described (trace, 11, 3 * MS / 2, "thread 11 waits 2 ms",
                    "What ended the wait is not known.");
}

/* Waits of the waker of which nothing is known, one and two of them. */
static void
test_waits_of_waker (void)
{
  for (guint n = 1; n <= 2; n++)
    {
      Story *story = begin ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (GPtrArray) chain = NULL;

      for (guint i = 0; i < n; i++)
        {
          story_switch (story, 1100 + i * 700, 1, 12, "S", 0);
          story_switch (story, 1700 + i * 700, 1, 0, "R", 12);
        }
      story_wake (story, 2800, 1, 12, 11);
      trace = end (story);
      chain = tb_cause_chain_follow (trace, find_interval (trace, 11, 3 * MS / 2), NULL);
      g_assert_cmpstr (((TbCause *) chain->pdata[chain->len - 1])->text, ==,
                       n == 1 ? "waits once" : "waits 2 times");
    }
}

/* The first wait of a poll loop timed out, and is for what ended the second one. */
static void
test_poll_loop (void)
{
  Story *story = story_new ("client server");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (GPtrArray) chain = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (guint i = 0; i < 2; i++)
    {
      gint64 time = 1000 + i * 1050;

      story_add (story, time, "0,sleep,,poll,,,,,11,,1000000,poll,,,");
      story_switch_with_stack (story, time, 0, 11, "S", 0, "main@app;poll@libc.so");
      if (i == 0)
        story_wake_by_timer (story, time + 1000, 0, 11);
      else
        story_wake (story, time + 1000, 1, 12, 11);
      story_switch (story, time + 1000, 0, 0, "R", 11);
    }
  story_end (story, 4000, 0, 11);
  story_end (story, 4000, 1, 12);
  trace = story_open (story);
  chain = tb_cause_chain_follow (trace, find_interval (trace, 11, 3 * MS / 2), NULL);
  g_assert_cmpuint (chain->len, ==, 1);
  g_assert_cmpstr (((TbCause *) chain->pdata[0])->title, ==, "server (12)");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cause-chain/devices", test_devices);
  g_test_add_func ("/cause-chain/interrupt", test_interrupt);
  g_test_add_func ("/cause-chain/thread", test_thread);
  g_test_add_func ("/cause-chain/poll-loop", test_poll_loop);
  g_test_add_func ("/cause-chain/signal", test_signal);
  g_test_add_func ("/cause-chain/unknown", test_unknown);
  g_test_add_func ("/cause-chain/waits-of-waker", test_waits_of_waker);
  return recording_run_tests ();
}
