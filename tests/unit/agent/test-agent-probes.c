/* test-agent-probes.c: test of function probes with BPF programs, and of stacks that are repaired
 * where they break inside the C library
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <elf.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../test-mode.h"
#include "source-run.h"

typedef struct
{
  guint64 address;
  guint64 offset;
} ProbeSite;

static int
find_segment (struct dl_phdr_info *info, size_t size, void *data)
{
  ProbeSite *probe_site = data;

  for (guint i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      guint64 begins = info->dlpi_addr + header->p_vaddr;

      if (header->p_type == PT_LOAD && probe_site->address >= begins
          && probe_site->address < begins + header->p_memsz)
        {
          probe_site->offset = probe_site->address - begins + header->p_offset;
          return 1;
        }
    }
  return 0;
}

static guint64
find_offset (gpointer function)
{
  ProbeSite probe_site = { .address = (guint64) (guintptr) function };

  g_assert_cmpint (dl_iterate_phdr (find_segment, &probe_site), ==, 1);
  return probe_site.offset;
}

/* Sends a change of a probe; returns the index of the answer, which is about that probe. */
static int
change_probe (AgentRun *run, const TbCaptureRecord *record, guint32 id, guint kind)
{
  int answer;

  agent_run_send (run, record);
  answer = agent_run_wait_source (run, TB_CAPTURE_SOURCE_PROBES);
  g_test_message ("code %u", agent_run_get_status (run, answer).code);
  g_assert_cmpuint (agent_run_get_status (run, answer).kind, ==, kind);
  g_assert_cmpuint (agent_run_get_status (run, answer).id, ==, id);
  return answer;
}

static TbCaptureRecord
make_probe (guint32 id, guint kind, pid_t pid, gpointer function, guint64 filter)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_PROBE_ADD, .cpu = TB_CAPTURE_CPU_NONE };
  struct stat status;

  g_assert_cmpint (stat ("/proc/self/exe", &status), ==, 0);
  record.probe_add.device = status.st_dev;
  record.probe_add.inode = status.st_ino;
  record.probe_add.offset = find_offset (function);
  record.probe_add.filter = filter;
  record.probe_add.id = id;
  record.probe_add.pid = pid;
  record.probe_add.kind = (guint16) kind;
  return record;
}

static void
add_probe (AgentRun *run, guint32 id, guint kind, pid_t pid, gpointer function, guint64 filter)
{
  TbCaptureRecord record = make_probe (id, kind, pid, function, filter);
  guint code
      = agent_run_get_status (run, change_probe (run, &record, id, TB_CAPTURE_STATUS_PROBED)).code;

  g_assert_true (code == TB_CAPTURE_CODE_PROBE_EMULATED
                 || code == TB_CAPTURE_CODE_PROBE_SINGLE_STEPPED);
}

static guint
count_probe (AgentRun *run, guint type, guint32 probe, gboolean whole)
{
  guint n = 0;

  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == type && record->call.probe == probe)
      {
        n++;
        g_assert_cmpint (record->call.entered != 0, ==, whole);
        if (whole)
          g_assert_cmpuint (record->time - record->call.entered, >=, WORKER_LONG_CALL_US * 1000);
      }
  }
  return n;
}

/* All calls are recorded with their returns. With a filter only long calls are, and the number of
 * the others. */
static void
test_probes (void)
{
  TbCaptureRecord start, remove = { .type = TB_CAPTURE_PROBE_REMOVE, .cpu = TB_CAPTURE_CPU_NONE };
  AgentRun *run;
  Worker worker;
  guint n_long;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  start = source_run_make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  run = source_run_begin (&start);
  add_probe (run, 7, TB_CAPTURE_PROBE_RETURN, worker.pid, worker_work, 0);
  add_probe (run, 8, TB_CAPTURE_PROBE_RETURN, worker.pid, worker_work, WORKER_LONG_CALL_US * 1000);
  add_probe (run, 9, TB_CAPTURE_PROBE_ENTRY, worker.pid, worker_descend, 0);
  add_probe (run, 10, TB_CAPTURE_PROBE_RETURN, worker.pid, worker_descend,
             WORKER_LONG_CALL_US * 1000);
  add_probe (run, 11, TB_CAPTURE_PROBE_ENTRY, worker.pid, worker_work, 0);
  /* Probe added through a process that also maps the file, but is not recorded. */
  add_probe (run, 12, TB_CAPTURE_PROBE_RETURN | TB_CAPTURE_PROBE_ALL, getpid (), worker_work, 0);
  worker_let_work (&worker);
  remove.probe_remove.id = 11;
  agent_run_assert_code (run, change_probe (run, &remove, 11, TB_CAPTURE_STATUS_PROBED),
                         TB_CAPTURE_CODE_PROBE_REMOVED, NULL);
  worker_let_work (&worker);
  source_run_end (run);
  /* The removed probe leaves nothing behind. */
  worker_let_work (&worker);
  worker_end (&worker);

  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 7, FALSE), ==, 2 * WORKER_CALLS);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_RETURN, 7, FALSE), ==, 2 * WORKER_CALLS);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 8, TRUE), ==, 0);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 12, FALSE), ==, 2 * WORKER_CALLS);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_RETURN, 12, FALSE), ==, 2 * WORKER_CALLS);
  /* On a busy machine short calls may take as long: each is either recorded or counted. */
  n_long = count_probe (run, TB_CAPTURE_RETURN, 8, TRUE);
  g_assert_cmpuint (n_long, >=, 2 * WORKER_LONG_CALLS);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 9, FALSE), ==, 2 * (WORKER_DEPTH + 1));
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_RETURN, 10, TRUE), ==, 2 * (WORKER_DEPTH + 1));
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 11, FALSE), ==, WORKER_CALLS);
  g_assert_cmpint (agent_run_find_warning (run, TB_CAPTURE_CODE_CALLS_THINNED), ==,
                   2 * WORKER_CALLS - n_long);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_CALL)
      {
        g_assert_cmpint (record->call.pid, ==, worker.pid);
        g_assert_cmpuint (record->call.site, !=, 0);
        g_assert_cmpuint (record->call.stack, !=, 0);
      }
  }
  agent_run_free (run);
}

#if defined __x86_64__
/* The kernel would execute this instruction at another address, where a forked child has no
 * code. */
void system_call_alone (void);
__asm__ (".text\nsystem_call_alone:\n  syscall\n  ret\n");

static void
test_refused_system_call (void)
{
  TbCaptureRecord start, probe;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  start = source_run_make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  run = source_run_begin (&start);
  probe = make_probe (1, TB_CAPTURE_PROBE_INSTRUCTION, worker.pid, system_call_alone, 0);
  agent_run_assert_code (run, change_probe (run, &probe, 1, TB_CAPTURE_STATUS_REFUSED),
                         TB_CAPTURE_CODE_NO_PROBABLE_INSTRUCTION, NULL);
  source_run_end (run);
  worker_end (&worker);
  agent_run_free (run);
}
#endif

/* Probes that are rejected, and the reasons. */
static void
test_refused_probes (void)
{
  g_autofree char *own_pid = g_strdup_printf ("%d", getpid ());
  static const guint8 other_build_id[20] = { 1 };
  TbCaptureRecord start, probe;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  start = source_run_make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  run = source_run_begin (&start);
  add_probe (run, 1, TB_CAPTURE_PROBE_ENTRY, worker.pid, worker_work, 0);
  for (guint i = 0; i < 7; i++)
    {
      static const TbCaptureStatusCode codes[]
          = { TB_CAPTURE_CODE_PROBE_EXISTS,    TB_CAPTURE_CODE_PROBED_PROCESS_NOT_RECORDED,
              TB_CAPTURE_CODE_FILE_NOT_MAPPED, TB_CAPTURE_CODE_NO_CODE_AT_OFFSET,
              TB_CAPTURE_CODE_FILE_REPLACED,   TB_CAPTURE_CODE_PROBE_WITHOUT_LOCATION,
              TB_CAPTURE_CODE_NO_SUCH_PROBE };
      guint32 id = i == 0 ? 1 : i == 6 ? 99 : 2;

      probe = make_probe (i == 0 ? 1 : 2, TB_CAPTURE_PROBE_ENTRY, worker.pid, worker_work, 0);
      if (i == 1)
        probe.probe_add.pid = getpid ();
      else if (i == 2)
        probe.probe_add.inode++;
      else if (i == 3)
        probe.probe_add.offset = G_MAXUINT64;
      else if (i == 4)
        {
          probe.tail = other_build_id;
          probe.tail_length = sizeof other_build_id;
        }
      else if (i == 5)
        probe.probe_add.kind = 77;
      else if (i == 6)
        {
          probe.type = TB_CAPTURE_PROBE_REMOVE;
          probe.probe_remove.id = 99;
        }
      agent_run_assert_code (run, change_probe (run, &probe, id, TB_CAPTURE_STATUS_REFUSED),
                             codes[i], i == 1 ? own_pid : NULL);
    }
  source_run_end (run);
  worker_end (&worker);
  agent_run_free (run);
}

/* The byte of the program's memory at the probe. */
static guint8
read_code (pid_t pid, gpointer function, guint at)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/mem", pid);
  int file = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  guint8 byte = 0;

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (pread (file, &byte, 1, (off_t) ((guintptr) function + at)), ==, 1);
  close (file);
  return byte;
}

/* A killed agent leaves no probe behind. */
static void
test_killed (void)
{
  guint8 before[8], during[8], after[8];
  TbCaptureRecord start;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  for (guint i = 0; i < 8; i++)
    before[i] = read_code (worker.pid, worker_work, i);
  start = source_run_make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  run = source_run_begin (&start);
  add_probe (run, 1, TB_CAPTURE_PROBE_RETURN, worker.pid, worker_work, 0);
  for (guint i = 0; i < 8; i++)
    during[i] = read_code (worker.pid, worker_work, i);
  g_assert_cmpint (memcmp (before, during, 8), !=, 0);
  kill (run->pid, SIGKILL);
  agent_run_finish (run);
  g_assert_false (run->complete);
  agent_run_free (run);
  /* The kernel removes the probes while the agent ends. */
  for (guint wait = 0; wait < 10000; wait++)
    {
      for (guint i = 0; i < 8; i++)
        after[i] = read_code (worker.pid, worker_work, i);
      if (memcmp (before, after, 8) == 0)
        break;
      g_usleep (1000);
    }
  g_assert_cmpmem (before, 8, after, 8);
  worker_let_work (&worker);
  worker_end (&worker);
}

/* Every record that does not fit is counted. */
static void
test_overflow (void)
{
  guint64 n_events = 0, n_lost = 0;
  TbCaptureRecord start;
  AgentRun *run;
  Worker worker;
  const guint n_rounds = test_rounds (10, 2);

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  start = source_run_make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  start.start.sources = 1u << TB_CAPTURE_SOURCE_PROBES;
  start.start.stacks = 0;
  start.start.ring_bytes = 4096;
  run = source_run_begin (&start);
  add_probe (run, 1, TB_CAPTURE_PROBE_ENTRY, worker.pid, worker_work, 0);
  kill (run->pid, SIGSTOP);
  for (guint i = 0; i < n_rounds; i++)
    worker_let_work (&worker);
  kill (run->pid, SIGCONT);
  source_run_end (run);
  worker_end (&worker);
  AGENT_RUN_FOREACH (run, record)
  {
    n_events += record->type == TB_CAPTURE_CALL;
    if (record->type == TB_CAPTURE_LOST)
      n_lost += record->lost.count;
  }
  g_test_message ("%" G_GUINT64_FORMAT " came, %" G_GUINT64_FORMAT " were lost", n_events, n_lost);
  g_assert_cmpuint (n_lost, >, 0);
  /* Switches of the worker are lost as well. */
  g_assert_cmpuint (n_events, <, n_rounds * WORKER_CALLS);
  g_assert_cmpuint (n_events + n_lost, >=, n_rounds * WORKER_CALLS);
  agent_run_free (run);
}

/* --- stacks that break inside the C library --- */

__attribute__ ((noinline, noclone, used)) static int
wait_inside (void)
{
  int result = poll (NULL, 0, 1);

  __asm__ volatile ("" ::: "memory");
  return result + 1;
}

/* Whether a stack has wait_inside() below the library's own frames. */
static gboolean
is_whole (const TbCaptureRecord *record)
{
  const guint64 *words = (const guint64 *) (gconstpointer) record->tail;

  for (guint i = 2; i < record->tail_length / 8; i++)
    if (words[i] - (guint64) (guintptr) wait_inside < 64)
      return TRUE;
  return FALSE;
}

static guint
count_whole_stacks (AgentRun *run, pid_t pid, guint *n_switches)
{
  g_autoptr (GHashTable) whole = g_hash_table_new (NULL, NULL);
  guint n = 0;

  *n_switches = 0;
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_STACK && is_whole (record))
      g_hash_table_add (whole, GUINT_TO_POINTER (record->stack.id));
    if (record->type == TB_CAPTURE_SWITCH && record->sched_switch.tid == pid
        && record->sched_switch.state == 'S')
      {
        ++*n_switches;
        n += g_hash_table_contains (whole, GUINT_TO_POINTER (record->sched_switch.stack));
      }
  }
  return n;
}

static void
test_repairs (void)
{
  TbCaptureRecord start;
  guint n_whole, n_switches;
  AgentRun *run;
  pid_t pid;

  if (!agent_run_is_privileged ())
    return;
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    for (;;)
      wait_inside ();
  start = source_run_make_start (TB_CAPTURE_SOURCE_SCHEDULER, TB_CAPTURE_SCOPE_PROCESS, pid);
  start.start.stacks = TB_CAPTURE_USER_STACKS | TB_CAPTURE_REPAIRED_STACKS;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  run->keep_stacks = TRUE;
  agent_run_start (run, &start);
  agent_run_await_sleeps (pid, 30);
  source_run_end (run);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  n_whole = count_whole_stacks (run, pid, &n_switches);
  g_test_message ("%u of %u stacks are whole", n_whole, n_switches);
  g_assert_cmpuint (n_switches, >, 20);
  g_assert_cmpuint (n_whole, ==, n_switches);
  agent_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/sources/probes", test_probes);
  g_test_add_func ("/agent/sources/refused-probes", test_refused_probes);
#if defined __x86_64__
  g_test_add_func ("/agent/sources/refused-system-call", test_refused_system_call);
#endif
  g_test_add_func ("/agent/sources/killed", test_killed);
  g_test_add_func ("/agent/sources/repairs", test_repairs);
  g_test_add_func ("/agent/sources/overflow", test_overflow);
  return g_test_run ();
}
