/* test-perf-data-command.c: test of finding the command that perf recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "perf-data-checks.h"
#include "tb-perf-command.h"

/* Command lines and the command in each; "" is none, NULL is unknown. */
static const struct
{
  const char *line;
  const char *command;
  gboolean of_system;
} lines[] = {
  { "/usr/bin/perf record ./w", "./w" },
  { "/usr/bin/perf_6.1 rec -g ./w -p 3", "./w -p 3" },
  { "perf record -g -e cpu-clock -o out.data -- ./w --all", "./w --all" },
  { "perf record -agF 99 -e sched:sched_switch ./w", "./w", TRUE },
  { "perf record -ag -F99 --call-graph dwarf ./w a b", "./w a b", TRUE },
  { "perf record --call-graph=dwarf,8192 --no-inherit --buildid-all ./w", "./w" },
  { "perf record --freq=99 --out out.data -z3 -I -Sfull --clockid mono ./w", "./w" },
  { "perf record -m 8M -k monotonic --off-cpu --threads=cpu -- ./w", "./w" },
  { "perf record --switch-output=1s --aio --overwrite ./w", "./w" },
  { "perf record -a", "", TRUE },
  { "perf5 record -a -d --pfm-events LOADS sleep 10", "", TRUE },
  { "perf record --cpu 1,2 ./w", "./w", TRUE },
  { "perf record -a --new-option x ./w", NULL, TRUE },
  { "perf record -a -g -- sleep 10", "", TRUE },
  { "perf record sleep 10", "sleep 10" },
  { "perf record -a sleeper 10", "sleeper 10", TRUE },
  { "perf record -gp 123", "" },
  { "perf record --pid=123 sleep 10", "" },
  { "perf record -t 5 -g", "" },
  { "perf record -u root", "" },
  { "perf record -o", "" },
  { "perf sched record ./w", "./w", TRUE },
  { "perf sched record -k CLOCK_MONOTONIC -- ./w", "./w", TRUE },
  { "perf sched -v record sleep 1", "", TRUE },
  { "perf lock record -o x.data sleep 1", "sleep 1" },
  { "perf kwork -k irq record ./w", "./w", TRUE },
  { "perf timechart record -T -g ./w", "./w", TRUE },
  { "perf trace record -e read ./w", "./w" },
  { "perf stat record -I 100 -e cycles -r 3 -d ./w", "./w" },
  { "perf stat record -a --metrics ipc", "", TRUE },
  { "perf mem record -u ./w", NULL },
  { "perf record --new-option x ./w", NULL },
  { "perf record -J ./w", NULL },
  { "perf", NULL },
  { "/bin/simpleperf record -f 99 ./w", NULL },
};

static void
test_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i].line, " ", -1);
      g_autofree char *command = NULL;
      TbPerfCommandKind expected = TB_PERF_COMMAND_KNOWN;
      TbPerfCommandKind kind;
      gboolean of_system;
      guint first;

      if (lines[i].command == NULL)
        expected = TB_PERF_COMMAND_UNKNOWN;
      else if (*lines[i].command == '\0')
        expected = TB_PERF_COMMAND_NONE;
      g_test_message ("%s", lines[i].line);
      kind = tb_perf_command_find ((const char *const *) words, &first, &of_system);
      g_assert_cmpint (kind, ==, expected);
      g_assert_cmpint (of_system, ==, lines[i].of_system);
      if (kind != TB_PERF_COMMAND_KNOWN)
        continue;
      command = tb_perf_command_join ((const char *const *) words + first);
      g_assert_cmpstr (command, ==, lines[i].command);
    }
}

/* Processes 40 and 50 are of two perf commands and execute "other" and "worker"; 30 is no child of
 * perf and executes "worker" before. */
static TbRecorder *
import_command (const char *command_line)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);

  writer->feature_bits = ALL_FEATURES;
  writer->command_line = command_line;
  add_attrs (writer);
  add_comm (writer, 30, 30, "bash", 0, 0);
  add_comm (writer, 40, 40, "perf-exec", 0, 0);
  add_comm (writer, 50, 50, "perf-exec", 0, 0);
  add_comm (writer, 30, 30, "worker", 1000, PERF_RECORD_MISC_COMM_EXEC);
  add_comm (writer, 40, 40, "other", 1010, PERF_RECORD_MISC_COMM_EXEC);
  add_comm (writer, 50, 50, "worker", 1020, PERF_RECORD_MISC_COMM_EXEC);
  add_comm (writer, 50, 50, "later", 1030, PERF_RECORD_MISC_COMM_EXEC);
  return import_writer (writer);
}

static void
assert_command (const char *command_line, const char *command, const char *pid)
{
  g_autoptr (TbRecorder) recorder = import_command (command_line);
  const char *facts = recorder_log_get_facts (recorder);
  g_autofree char *command_fact = g_strdup_printf ("fact command=%s\n", command);
  g_autofree char *pid_fact = g_strdup_printf ("fact command-pid=%s\n", pid);

  if (command != NULL)
    assert_contains (facts, command_fact);
  else
    assert_lacks (facts, "fact command=");
  if (pid != NULL)
    assert_contains (facts, pid_fact);
  else
    assert_lacks (facts, "fact command-pid=");
}

static void
test_process (void)
{
  assert_command ("perf record -a /usr/bin/worker 3", "/usr/bin/worker 3", "50");
  assert_command ("perf record -a ./other", "./other", "40");
  assert_command ("perf record -a ./third", "./third", NULL);
  assert_command ("perf record -a", NULL, NULL);
  assert_command ("perf record -p 50", NULL, NULL);
  /* By the program that was executed */
  assert_command ("perf record --new 1 ./other -x", "./other -x", "40");
  assert_command ("perf", "other", "40");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-command/lines", test_lines);
  g_test_add_func ("/perf-data-command/process", test_process);
  return g_test_run ();
}
