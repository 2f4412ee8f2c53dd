/* test-agent-detach.c: test that the agent restores the code of probed programs, whenever it ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The agent is ended while it attaches hundreds of probes, and while it detaches them. Work that it
 * leaves to child processes is complete when none of them is left: those become children of this
 * process.
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source-run.h"

#define N_PROBED_INSTRUCTIONS 800
#define N_PROBES 6u
/* probed programs: enough of them to end the agent in the middle of its work */
#define N_PROGRAMS 8u
#define N_BINS 63
#define PATIENCE_US (60 * G_USEC_PER_SEC)

/* Instructions that can be probed. */
extern const guint8 probed_code[], probed_code_end[];
__asm__ (".pushsection .text\n"
         ".globl probed_code, probed_code_end\n"
         "probed_code:\n"
         ".rept " G_STRINGIFY (N_PROBED_INSTRUCTIONS) "\n"
                                                      "nop\n"
                                                      ".endr\n"
                                                      "probed_code_end:\n"
                                                      ".popsection\n");

#define LENGTH ((gsize) (probed_code_end - probed_code))

static int
find_segment (struct dl_phdr_info *info, size_t size, void *data)
{
  guint64 *offset = data;

  for (guint i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      guint64 address = (guint64) (guintptr) probed_code,
              begins = info->dlpi_addr + header->p_vaddr;

      if (header->p_type == PT_LOAD && address >= begins && address < begins + header->p_memsz)
        *offset = address - begins + header->p_offset;
    }
  return 1;
}

static guint64
find_instruction (guint which)
{
  guint64 offset = 0, length = LENGTH / N_PROBED_INSTRUCTIONS;

  g_assert_cmpint (dl_iterate_phdr (find_segment, &offset), ==, 1);
  g_assert_cmpuint (offset, >, 0);
  return offset + which * length;
}

/* --- programs --- */

typedef struct
{
  pid_t pids[N_PROGRAMS];
  guint8 *code; /* before probing */
} Programs;

static void
start_programs (Programs *self)
{
  self->code = g_memdup2 (probed_code, LENGTH);
  for (guint i = 0; i < N_PROGRAMS; i++)
    {
      self->pids[i] = fork ();
      g_assert_cmpint (self->pids[i], >=, 0);
      if (self->pids[i] != 0)
        continue;
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      for (;;)
        pause ();
    }
}

/* Number of bytes of one program that differ from the original code. */
static guint
count_changed (const Programs *self, guint which)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/mem", self->pids[which]);
  int memory = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  g_autofree guint8 *code = g_malloc (LENGTH);
  guint n = 0;

  g_assert_cmpint (memory, >=, 0);
  g_assert_cmpint (pread (memory, code, LENGTH, (off_t) (guintptr) probed_code), ==, LENGTH);
  close (memory);
  for (gsize i = 0; i < LENGTH; i++)
    n += code[i] != self->code[i];
  return n;
}

static guint
count_all_changed (const Programs *self)
{
  guint n = 0;

  for (guint i = 0; i < N_PROGRAMS; i++)
    n += count_changed (self, i);
  return n;
}

static void
await_change (const Programs *self, guint from)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;

  while (count_all_changed (self) == from)
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
}

/* Waits until the probed programs are the only children of this process. */
static void
await_child_ends (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", getpid ());
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;

  for (;;)
    {
      g_autofree char *children = NULL;
      g_auto (GStrv) words = NULL;

      /* The probed programs do not end, so any ended child is another process. */
      while (waitpid (-1, NULL, WNOHANG) > 0)
        ;
      g_assert_true (g_file_get_contents (path, &children, NULL, NULL));
      words = g_strsplit (g_strchomp (children), " ", -1);
      if (g_strv_length (words) == N_PROGRAMS)
        return;
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (1000);
    }
}

static void
end_programs (Programs *self)
{
  for (guint i = 0; i < N_PROGRAMS; i++)
    {
      kill (self->pids[i], SIGKILL);
      g_assert_cmpint (waitpid (self->pids[i], NULL, 0), ==, self->pids[i]);
    }
  g_free (self->code);
}

/* The agent has ended or was killed. */
static void
check_end (AgentRun *run, Programs *programs)
{
  await_child_ends ();
  run->pid = 0;
  g_assert_cmpuint (count_all_changed (programs), ==, 0);
  end_programs (programs);
  agent_run_free (run);
}

/* --- latencies --- */

static void
await_answer (AgentRun *run, guint source)
{
  int status = agent_run_wait_source (run, source);

  g_assert_cmpint (agent_run_get_status (run, status).kind, ==, TB_CAPTURE_STATUS_PROBED);
}

static void
send_simple (AgentRun *run, guint type)
{
  TbCaptureRecord record = { .type = (guint16) type, .cpu = TB_CAPTURE_CPU_NONE };

  agent_run_send (run, &record);
}

static void
send_probes (AgentRun *run, const Programs *programs)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_PROBE, .cpu = TB_CAPTURE_CPU_NONE };
  struct stat status;

  g_assert_cmpint (stat ("/proc/self/exe", &status), ==, 0);
  record.latency_probe.device = status.st_dev;
  record.latency_probe.inode = status.st_ino;
  record.latency_probe.kind = TB_CAPTURE_LATENCY_SITE;
  record.latency_probe.pid = programs->pids[0];
  for (guint i = 0; i < N_PROBED_INSTRUCTIONS; i++)
    {
      record.latency_probe.offset = find_instruction (i);
      record.latency_probe.site = i;
      agent_run_send (run, &record);
    }
}

static AgentRun *
begin_latencies (void)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_LATENCY, TB_CAPTURE_SCOPE_SYSTEM, 0);
  TbCaptureRecord start_record = { .type = TB_CAPTURE_LATENCY_START, .cpu = TB_CAPTURE_CPU_NONE };
  AgentRun *run = source_run_begin (&start);
  guint64 edges[N_BINS + 1] = { 0 };

  for (guint i = 1; i <= N_BINS; i++)
    edges[i] = G_GUINT64_CONSTANT (1) << i;
  start_record.latency_start = (TbCaptureLatencyStart) { TB_CAPTURE_NO_CALL, 1 };
  start_record.tail = (const guint8 *) edges;
  start_record.tail_length = sizeof edges;
  agent_run_send (run, &start_record);
  await_answer (run, TB_CAPTURE_SOURCE_LATENCY);
  return run;
}

/* Attaches all probes; returns the time it took. */
static gint64
attach (AgentRun *run, const Programs *programs)
{
  gint64 begin;

  send_probes (run, programs);
  begin = g_get_monotonic_time ();
  send_simple (run, TB_CAPTURE_LATENCY_ATTACH);
  await_answer (run, TB_CAPTURE_SOURCE_LATENCY);
  begin = g_get_monotonic_time () - begin;
  g_assert_cmpuint (count_all_changed (programs), ==, N_PROBED_INSTRUCTIONS * N_PROGRAMS);
  return begin;
}

/* The first probes are attached, and the others are not yet. */
static void
test_killed_while_attaching (void)
{
  AgentRun *run;
  Programs programs;

  if (!agent_run_is_privileged ())
    return;
  start_programs (&programs);
  run = begin_latencies ();
  send_probes (run, &programs);
  send_simple (run, TB_CAPTURE_LATENCY_ATTACH);
  await_change (&programs, 0);
  g_assert_cmpint (kill (run->pid, SIGKILL), ==, 0);
  check_end (run, &programs);
}

static void
end_while_detaching (gboolean killed)
{
  AgentRun *run;
  Programs programs;

  if (!agent_run_is_privileged ())
    return;
  start_programs (&programs);
  run = begin_latencies ();
  g_test_message ("%d probes are put in in %" G_GINT64_FORMAT " µs", N_PROBED_INSTRUCTIONS,
                  attach (run, &programs));
  send_simple (run, TB_CAPTURE_LATENCY_DETACH);
  if (killed)
    {
      await_change (&programs, N_PROBED_INSTRUCTIONS * N_PROGRAMS);
      g_assert_cmpint (kill (run->pid, SIGKILL), ==, 0);
    }
  else
    {
      close (run->in);
      run->in = -1;
      agent_run_finish (run);
    }
  check_end (run, &programs);
}

static void
test_killed_while_detaching (void)
{
  end_while_detaching (TRUE);
}

static void
test_closed_while_detaching (void)
{
  end_while_detaching (FALSE);
}

/* --- probes of functions --- */

static void
end_with_probes (guint n_awaited, gboolean stopped)
{
  TbCaptureRecord start, record = { .type = TB_CAPTURE_PROBE_ADD, .cpu = TB_CAPTURE_CPU_NONE };
  struct stat status;
  AgentRun *run;
  Programs programs;

  if (!agent_run_is_privileged ())
    return;
  start_programs (&programs);
  start = source_run_make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_SYSTEM, 0);
  run = source_run_begin (&start);
  g_assert_cmpint (stat ("/proc/self/exe", &status), ==, 0);
  record.probe_add.device = status.st_dev;
  record.probe_add.inode = status.st_ino;
  record.probe_add.pid = programs.pids[0];
  record.probe_add.kind = TB_CAPTURE_PROBE_ENTRY | TB_CAPTURE_PROBE_ALL;
  for (guint i = 0; i < N_PROBES; i++)
    {
      record.probe_add.offset = find_instruction (i);
      record.probe_add.id = i;
      agent_run_send (run, &record);
    }
  for (guint i = 0; i < n_awaited; i++)
    await_answer (run, TB_CAPTURE_SOURCE_PROBES);
  if (stopped)
    {
      send_simple (run, TB_CAPTURE_STOP);
      await_change (&programs, N_PROBES * N_PROGRAMS);
    }
  g_assert_cmpint (kill (run->pid, SIGKILL), ==, 0);
  check_end (run, &programs);
}

static void
test_killed_while_adding (void)
{
  end_with_probes (N_PROBES / 2, FALSE);
}

static void
test_killed_while_stopping (void)
{
  end_with_probes (N_PROBES, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 1), ==, 0);
  g_test_add_func ("/agent/ends/killed-while-attaching", test_killed_while_attaching);
  g_test_add_func ("/agent/ends/killed-while-detaching", test_killed_while_detaching);
  g_test_add_func ("/agent/ends/closed-while-detaching", test_closed_while_detaching);
  g_test_add_func ("/agent/ends/killed-while-adding", test_killed_while_adding);
  g_test_add_func ("/agent/ends/killed-while-stopping", test_killed_while_stopping);
  return g_test_run ();
}
