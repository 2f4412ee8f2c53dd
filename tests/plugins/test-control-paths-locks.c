/* test-control-paths-locks.c: test of the findings of "control-paths" about locks: time of the path
 * below waits for them, and order among the findings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

typedef struct
{
  TbRecorder *recorder;
  guint32 heap;
  guint32 futex;
  guint32 file; /* if not 0, threads wait for the lock of this file */
} Builder;

static Builder
begin (void)
{
  Builder self = { .recorder = recording_new ("control-paths-locks") };

  self.heap = tb_recorder_intern_string (self.recorder, "[heap]", -1);
  self.futex = tb_recorder_intern_string (self.recorder, "futex", -1);
  tb_recorder_add_host (self.recorder, "host", "", "x86_64", 8, 0);
  recording_name (self.recorder, 10, "app", 10);
  recording_name (self.recorder, 11, "worker", 10);
  recording_name (self.recorder, 12, "worker", 10);
  return self;
}

static guint32
make_stack (Builder *self, const char *function)
{
  const guint32 frames[]
      = { tb_recorder_intern_named_frame (self->recorder, "main", "app", FALSE),
          tb_recorder_intern_named_frame (self->recorder, function, "libc", FALSE) };
  const guint8 flags[] = { 0, 0 };

  return tb_recorder_intern_stack (self->recorder, frames, flags, G_N_ELEMENTS (frames));
}

/* A thread runs on a CPU of its own from from to to, then sleeps for a lock (address 0: for
 * nothing known). */
static void
run (Builder *self, gint32 tid, gint64 from, gint64 to, guint64 address, const char *function)
{
  guint16 cpu = (guint16) (tid % 8);
  TbEvent event = { .time = to,
                    .kind = TB_EVENT_SLEEP,
                    .cpu = cpu,
                    .tid = tid,
                    .pid = 10,
                    .code = self->file != 0 ? TB_SLEEP_FILE_LOCK : TB_SLEEP_LOCK,
                    .text = self->futex,
                    .text2 = self->file != 0 ? self->file : self->heap,
                    .a = address,
                    .b = (guint64) TB_TIMEOUT_NONE,
                    .c = 0x40,
                    .module = TB_ID_NONE };

  recording_switch (self->recorder, from, cpu, 0, 'R', tid);
  if (address != 0)
    tb_recorder_add (self->recorder, &event);
  recording_switch_with_stack (self->recorder, to, cpu, tid, 'S', 0,
                               function != NULL ? make_stack (self, function) : 0);
}

static TbReport *
end (Builder *self)
{
  g_autoptr (TbTrace) trace = NULL;

  tb_recorder_set_range (self->recorder, 0, 100 * MS);
  trace = recording_open (self->recorder);
  return control_paths_explain (trace, "app");
}

/* The main thread waits 70 ms for what 11 holds, in function. */
static TbReport *
explain_wait (const char *function, const char *file)
{
  Builder builder = begin ();

  if (file != NULL)
    builder.file = tb_recorder_intern_string (builder.recorder, file, -1);
  run (&builder, 11, 0, 80 * MS, 0, NULL);
  run (&builder, 10, 0, 10 * MS, 0x5500, function);
  recording_wake (builder.recorder, 80 * MS - 100, 3, 11, 10);
  run (&builder, 10, 80 * MS, 100 * MS, 0, NULL);
  return end (&builder);
}

static void
test_lock (void)
{
  g_autoptr (TbReport) report = explain_wait ("pthread_mutex_lock", NULL);
  TbFinding *finding = tb_report_get_finding (report, 0);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "lock-contention");
  finding_assert_string (finding, "process", "app");
  finding_assert_integer (finding, "path_ns", 70 * MS - 100);
  finding_assert_integer (finding, "wait_ns", 70 * MS - 100);
  finding_assert_integer (finding, "waiter_threads", 1);
  finding_assert_number (finding, "share", 0.699999);
  /* What was done meanwhile, and before and after. */
  finding = findings_get (report, "cpu-bound");
  finding_assert_integer (finding, "own_ns", 100 * MS);
  g_assert_cmpint (tb_finding_get_weight (finding), ==, 30 * MS + 100);
}

static void
test_file (void)
{
  g_autoptr (TbReport) report = explain_wait ("flock", "/var/lib/job.lock");
  TbFinding *finding = tb_report_get_finding (report, 0);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "file-lock-contention");
  finding_assert_string (finding, "lock", "/var/lib/job.lock");
  finding_assert_integer (finding, "path_ns", 70 * MS - 100);
}

/* Waits for work and for the end of a thread are not for locks. */
static void
test_no_lock (void)
{
  static const char *const functions[] = { "pthread_cond_wait", "pthread_join", "wait_somehow" };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autoptr (TbReport) report = explain_wait (functions[i], NULL);

      g_assert_cmpuint (findings_count (report, "lock-contention"), ==, 0);
      finding_assert_integer (tb_report_get_finding (report, 0), "own_ns", 100 * MS);
    }
}

/* 10 waits for a lock of 11, which waits for another one of 12 meanwhile. */
static void
test_chain (void)
{
  Builder builder = begin ();
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  run (&builder, 12, 0, 70 * MS, 0, NULL);
  run (&builder, 11, 0, 20 * MS, 0x7700, "pthread_mutex_lock");
  run (&builder, 10, 0, 10 * MS, 0x5500, "pthread_mutex_lock");
  recording_wake (builder.recorder, 70 * MS - 100, 4, 12, 11);
  run (&builder, 11, 70 * MS, 80 * MS, 0, NULL);
  recording_wake (builder.recorder, 80 * MS - 100, 3, 11, 10);
  run (&builder, 10, 80 * MS, 100 * MS, 0, NULL);
  report = end (&builder);
  finding = tb_report_get_finding (report, 0);
  finding_assert_integer (finding, "path_ns", 50 * MS - 100);
  finding = tb_report_get_finding (report, 1);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding = tb_report_get_finding (report, 2);
  finding_assert_integer (finding, "path_ns", 20 * MS);
}

/* Two programs in turn, in the order in which they get a lock; their parent waits for each. */
static void
test_in_turn (void)
{
  Builder builder = begin ();
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  run (&builder, 11, 0, 50 * MS, 0, NULL);
  run (&builder, 10, 0, 1 * MS, 0, "wait4");
  run (&builder, 12, 0, 1 * MS, 0x5500, "pthread_mutex_lock");
  recording_wake (builder.recorder, 50 * MS - 200, 3, 11, 12);
  recording_wake (builder.recorder, 50 * MS - 100, 3, 11, 10);
  run (&builder, 12, 50 * MS, 90 * MS, 0, NULL);
  run (&builder, 10, 50 * MS, 51 * MS, 0, "wait4");
  recording_wake (builder.recorder, 90 * MS - 100, 4, 12, 10);
  run (&builder, 10, 90 * MS, 100 * MS, 0, NULL);
  report = end (&builder);
  finding = findings_get (report, "lock-contention");
  finding_assert_integer (finding, "path_ns", 49 * MS - 200);
  finding_assert_integer (finding, "wait_ns", 49 * MS - 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths-locks/lock", test_lock);
  g_test_add_func ("/control-paths-locks/file", test_file);
  g_test_add_func ("/control-paths-locks/no-lock", test_no_lock);
  g_test_add_func ("/control-paths-locks/chain", test_chain);
  g_test_add_func ("/control-paths-locks/in-turn", test_in_turn);
  return recording_run_tests ();
}
