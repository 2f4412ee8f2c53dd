/* test-agent.c: test of a real tailback-agent with known events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent-run.h"
#include "switch-chain.h"

#define ROUND_TRIPS 2000
/* Room for all events of the tests that check every event, however long the agent waits for a
 * CPU. */
#define LARGE_RING (64u << 20)
#define MIN_FORKS 20

typedef struct
{
  pid_t ping;
  pid_t pong;
  int go;
} PingPong;

/* A child process that does not outlive a failed test. */
static pid_t
fork_child (void)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    prctl (PR_SET_PDEATHSIG, SIGKILL);
  return pid;
}

static gboolean
keep_to_first_cpu (void)
{
  cpu_set_t cpus;

  CPU_ZERO (&cpus);
  CPU_SET (0, &cpus);
  return sched_setaffinity (0, sizeof cpus, &cpus) == 0;
}

/* Two real-time threads of the same priority do not preempt each other: they switch only when one
 * blocks. */
static void
settle_on_first_cpu (void)
{
  struct sched_param parameters = { .sched_priority = 1 };

  if (!keep_to_first_cpu () || sched_setscheduler (0, SCHED_FIFO, &parameters) != 0)
    _exit (2);
}

static void
play (int from, int to, gboolean first, guint rounds)
{
  char ball = 0;

  for (guint i = 0; i < rounds; i++)
    if ((first && write (to, &ball, 1) != 1) || read (from, &ball, 1) != 1
        || (!first && write (to, &ball, 1) != 1))
      _exit (1);
  _exit (0);
}

/* Whether the process sleeps, from the state after its name in /proc/PID/stat. */
static gboolean
is_asleep (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return strstr (text, ") S ") != NULL;
}

static void
wait_until_asleep (pid_t pid)
{
  while (!is_asleep (pid))
    g_usleep (1000);
}

/* Two processes that exchange a byte once they are released. Both sleep until then. */
static PingPong
ping_pong_new (guint rounds)
{
  PingPong self;
  int there[2], back[2], go[2];

  g_assert_cmpint (pipe (there), ==, 0);
  g_assert_cmpint (pipe (back), ==, 0);
  g_assert_cmpint (pipe2 (go, O_CLOEXEC), ==, 0);
  self.pong = fork_child ();
  if (self.pong == 0)
    {
      settle_on_first_cpu ();
      play (there[0], back[1], FALSE, rounds);
    }
  self.ping = fork_child ();
  if (self.ping == 0)
    {
      char byte;

      settle_on_first_cpu ();
      close (go[1]);
      if (read (go[0], &byte, 1) != 1)
        _exit (1);
      play (back[0], there[1], TRUE, rounds);
    }
  close (there[0]);
  close (there[1]);
  close (back[0]);
  close (back[1]);
  close (go[0]);
  self.go = go[1];
  wait_until_asleep (self.ping);
  wait_until_asleep (self.pong);
  return self;
}

static void
ping_pong_play (PingPong *self)
{
  int status;

  g_assert_cmpint (write (self->go, "g", 1), ==, 1);
  close (self->go);
  g_assert_cmpint (waitpid (self->ping, &status, 0), ==, self->ping);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpint (waitpid (self->pong, &status, 0), ==, self->pong);
  g_assert_cmpint (status, ==, 0);
}

/* The two processes wait for each other in turn. A thread of higher priority, such as the migration
 * thread, may run in between. But neither of the two leaves the CPU to wait twice without a wait of
 * the other one in between. */
static void
check_hand_overs (AgentRun *run, const PingPong *ping_pong)
{
  guint ping_waits = 0, pong_waits = 0;
  gint32 last = 0;

  AGENT_RUN_FOREACH (run, record)
  {
    gint32 tid = record->sched_switch.tid;

    if (record->type != TB_CAPTURE_SWITCH || (tid != ping_pong->ping && tid != ping_pong->pong))
      continue;
    g_assert_cmpuint (record->cpu, ==, 0);
    /* A thread that was reaped before its last switch-out has no process in the kernel any more. */
    if (record->sched_switch.pid != -1
        || (record->sched_switch.state != 'X' && record->sched_switch.state != 'Z'))
      g_assert_cmpint (record->sched_switch.pid, ==, tid);
    /* Neither preempts the other. */
    if (record->sched_switch.next == ping_pong->ping
        || record->sched_switch.next == ping_pong->pong)
      g_assert_true (record->sched_switch.state == 'S' || record->sched_switch.state == 'Z'
                     || record->sched_switch.state == 'X');
    if (record->sched_switch.state != 'S')
      continue;
    g_assert_cmpuint (record->sched_switch.stack, !=, 0);
    ping_waits += tid == ping_pong->ping;
    pong_waits += tid == ping_pong->pong;
    /* Before the first byte both wait, in any order, possibly since before the start. */
    if (ping_waits + pong_waits > 2)
      g_assert_cmpint (tid, !=, last);
    last = tid;
  }
  g_assert_cmpuint (ping_waits, >=, ROUND_TRIPS);
  g_assert_cmpuint (ping_waits, <=, ROUND_TRIPS + 1);
  /* After the last byte it ends. */
  g_assert_cmpuint (pong_waits, >=, ROUND_TRIPS - 1);
  g_assert_cmpuint (pong_waits, <=, ROUND_TRIPS);
}

static void
test_ping_pong (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  guint to_ping = 0, to_pong = 0;
  PingPong ping_pong;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  start.start.ring_bytes = LARGE_RING;
  ping_pong = ping_pong_new (ROUND_TRIPS);
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  ping_pong_play (&ping_pong);
  agent_run_stop (run);
  agent_run_check (run);

  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_LOST)
      g_error ("%" G_GUINT64_FORMAT " events lost", record->lost.count);
    if (record->type == TB_CAPTURE_WAKEUP && record->wakeup.wakee == ping_pong.pong)
      {
        to_pong++;
        g_assert_cmpint (record->wakeup.tid, ==, ping_pong.ping);
        g_assert_cmpuint (record->flags, ==, 0);
      }
    if (record->type == TB_CAPTURE_WAKEUP && record->wakeup.wakee == ping_pong.ping
        && record->wakeup.tid == ping_pong.pong)
      to_ping++;
  }
  g_assert_cmpuint (to_pong, ==, ROUND_TRIPS);
  g_assert_cmpuint (to_ping, ==, ROUND_TRIPS);
  check_hand_overs (run, &ping_pong);
  agent_run_free (run);
}

/* The agent is stopped while more events occur than fit into its smallest ring buffers. The missing
 * ones are counted, with CPU and time. */
static void
test_overflow (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  guint64 lost = 0, got = 0, armed = 0, end = 0;
  PingPong ping_pong;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  ping_pong = ping_pong_new (ROUND_TRIPS);
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  start.start.ring_bytes = 4096;
  agent_run_start (run, &start);
  kill (run->pid, SIGSTOP);
  ping_pong_play (&ping_pong);
  kill (run->pid, SIGCONT);
  agent_run_await (run, TB_CAPTURE_LOST);
  agent_run_stop (run);
  agent_run_check (run);

  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_STATUS && record->status.kind == TB_CAPTURE_STATUS_ARMED)
      armed = record->time;
    if (record->type == TB_CAPTURE_END)
      end = record->time;
    if (record->type == TB_CAPTURE_SWITCH
        && (record->sched_switch.tid == ping_pong.ping
            || record->sched_switch.tid == ping_pong.pong))
      got++;
    if (record->type == TB_CAPTURE_WAKEUP
        && (record->wakeup.wakee == ping_pong.ping || record->wakeup.wakee == ping_pong.pong))
      got++;
  }
  AGENT_RUN_FOREACH (run, record)
  if (record->type == TB_CAPTURE_LOST)
    {
      lost += record->lost.count;
      /* A loss without a CPU: events missed by a BPF program because an interrupt came while it
       * ran. The kernel has one count for all CPUs. */
      if (record->cpu != TB_CAPTURE_CPU_NONE || run->header.backend != TB_CAPTURE_BACKEND_BPF)
        g_assert_cmpuint (record->cpu, <, run->header.n_cpus);
      g_assert_cmpuint (record->lost.from, >=, armed);
      g_assert_cmpuint (record->time, >=, record->lost.from);
      g_assert_cmpuint (record->time, <=, end);
    }
  g_assert_cmpuint (lost, >, 0);
  g_assert_cmpuint (got + lost, >=, 4 * ROUND_TRIPS);
  agent_run_free (run);
}

/* Every thread that runs was announced either as existing at the start or as forked, never as
 * both. */
static void
check_announcements (AgentRun *run)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) listed = g_hash_table_new (NULL, NULL);

  if (agent_run_count (run, TB_CAPTURE_LOST) > 0)
    {
      g_test_skip ("events were lost on this busy machine: who was announced is not known");
      return;
    }
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_TASK)
      {
        g_assert_true (g_hash_table_add (listed, GINT_TO_POINTER (record->task.tid)));
        g_hash_table_add (known, GINT_TO_POINTER (record->task.tid));
      }
    if (record->type == TB_CAPTURE_FORK)
      g_hash_table_add (known, GINT_TO_POINTER (record->fork.new_tid));
  }
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_FORK)
      g_assert_false (g_hash_table_contains (listed, GINT_TO_POINTER (record->fork.new_tid)));
    if (record->type != TB_CAPTURE_SWITCH)
      continue;
    if (record->sched_switch.tid != 0
        && !g_hash_table_contains (known, GINT_TO_POINTER (record->sched_switch.tid)))
      g_error ("thread %d runs and was not announced", record->sched_switch.tid);
    if (record->sched_switch.next != 0
        && !g_hash_table_contains (known, GINT_TO_POINTER (record->sched_switch.next)))
      g_error ("thread %d is switched to and was not announced", record->sched_switch.next);
  }
}

/* A process that forks all the time; its children and their children exit at once. It counts the
 * forks in shared memory. */
static pid_t
start_forking_process (gint *fork_count)
{
  pid_t forking_process = fork_child ();

  if (forking_process != 0)
    return forking_process;
  for (;;)
    {
      pid_t child = fork ();

      if (child == 0)
        {
          if (fork () == 0)
            usleep (3000);
          _exit (0);
        }
      waitpid (child, NULL, 0);
      g_atomic_int_inc (fork_count);
    }
}

/* Memory that stays shared after a fork. */
static gint *
share_counter (void)
{
  gint *counter
      = mmap (NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  g_assert_true (counter != MAP_FAILED);
  return counter;
}

/* Processes begin and end all the time, also at the start of the recording. */
static void
test_existing (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  gint *fork_count = share_counter (), n_before;
  pid_t forking_process;
  AgentRun *run;
  guint n_own = 0;

  if (!agent_run_is_privileged ())
    return;
  start.start.ring_bytes = LARGE_RING;
  forking_process = start_forking_process (fork_count);
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  n_before = g_atomic_int_get (fork_count);
  while (g_atomic_int_get (fork_count) < n_before + MIN_FORKS)
    g_usleep (1000);
  agent_run_stop (run);
  kill (forking_process, SIGKILL);
  waitpid (forking_process, NULL, 0);
  agent_run_check (run);

  check_announcements (run);
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_FORK), >=, MIN_FORKS);
  AGENT_RUN_FOREACH (run, record)
  if (record->type == TB_CAPTURE_TASK && record->task.tid == getpid ())
    {
      n_own++;
      g_assert_cmpint (record->task.pid, ==, getpid ());
      g_assert_cmpint (record->task.parent, ==, getppid ());
      g_assert_cmpstr (agent_run_get_string (run, record->task.name), ==, "test-agent");
    }
  g_assert_cmpuint (n_own, ==, 1);
  agent_run_free (run);
  munmap (fork_count, sizeof *fork_count);
}

/* A process that waits for a byte before it executes the command. It already waits when this
 * function returns. */
static pid_t
fork_held_command (int *go, const char *script)
{
  int channel[2], ready[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe2 (channel, O_CLOEXEC), ==, 0);
  g_assert_cmpint (pipe2 (ready, O_CLOEXEC), ==, 0);
  pid = fork_child ();
  if (pid == 0)
    {
      /* Some machines never report events in the idle task of other CPUs. */
      keep_to_first_cpu ();
      close (channel[1]);
      if (write (ready[1], "r", 1) == 1 && read (channel[0], &byte, 1) == 1)
        execl ("/bin/sh", "sh", "-c", script, NULL);
      _exit (127);
    }
  close (channel[0]);
  close (ready[1]);
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  wait_until_asleep (pid);
  *go = channel[1];
  return pid;
}

/* A held command and its child processes are recorded, and otherwise only threads that interact
 * with them. */
static void
test_command (void)
{
  g_autoptr (GHashTable) targets = g_hash_table_new (NULL, NULL);
  gboolean executed = FALSE, mapped = FALSE, command_line = FALSE;
  guint n_forks = 0, n_exits = 0;
  TbCaptureRecord system_start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0), start;
  AgentRun *run, *system_run;
  pid_t pid;
  int go;

  if (!agent_run_is_privileged ())
    return;
  pid = fork_held_command (&go, "/bin/true; /bin/sleep 0.05; /bin/true");
  system_start.start.sources
      = (1u << TB_CAPTURE_SOURCE_SCHEDULER) | (1u << TB_CAPTURE_SOURCE_TASKS);
  system_start.start.ring_bytes = LARGE_RING;
  system_run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (system_run, &system_start);
  start = agent_run_make_start (TB_CAPTURE_SCOPE_COMMAND, pid);
  start.start.ring_bytes = LARGE_RING;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  g_assert_cmpint (write (go, "g", 1), ==, 1);
  waitpid (pid, NULL, 0);
  agent_run_stop (run);
  agent_run_check (run);
  agent_run_stop (system_run);
  agent_run_check (system_run);
  close (go);

  g_hash_table_add (targets, GINT_TO_POINTER (pid));
  AGENT_RUN_FOREACH (run, record)
  {
    switch (record->type)
      {
      case TB_CAPTURE_TASK:
        g_assert_cmpint (record->task.pid, ==, pid);
        break;
      case TB_CAPTURE_FORK:
        g_assert_cmpint (record->fork.pid, ==, pid);
        g_hash_table_add (targets, GINT_TO_POINTER (record->fork.new_pid));
        n_forks++;
        break;
      case TB_CAPTURE_EXIT:
        n_exits++;
        break;
      case TB_CAPTURE_EXEC:
        executed |= record->exec.pid == pid
                    && g_strcmp0 (agent_run_get_string (run, record->exec.program), "/bin/sh") == 0;
        break;
      case TB_CAPTURE_MAPPING:
        mapped |= record->mapping.pid == pid;
        break;
      case TB_CAPTURE_COMMAND:
        command_line
            |= strstr (agent_run_get_string (run, record->command.text), "/bin/sleep 0.05") != NULL;
        break;
      default:
        break;
      }
  }
  g_assert_true (executed);
  g_assert_true (mapped);
  g_assert_true (command_line);
  g_assert_cmpuint (n_forks, >=, 2);
  g_assert_cmpuint (n_exits, ==, n_forks + 1);

  switch_chain_check (run, system_run, targets);
  AGENT_RUN_FOREACH (run, record)
  switch (record->type)
    {
    case TB_CAPTURE_WAKEUP:
      g_assert_true (g_hash_table_contains (targets, GINT_TO_POINTER (record->wakeup.wakee))
                     || g_hash_table_contains (targets, GINT_TO_POINTER (record->wakeup.pid)));
      break;
    case TB_CAPTURE_SAMPLE:
      g_assert_true (g_hash_table_contains (targets, GINT_TO_POINTER (record->sample.pid)));
      break;
    case TB_CAPTURE_MAPPING:
      g_assert_true (g_hash_table_contains (targets, GINT_TO_POINTER (record->mapping.pid)));
      break;
    default:
      break;
    }
  agent_run_free (run);
  agent_run_free (system_run);
}

static void
test_disk (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "agent-test-file", NULL);
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  guint8 block[8192] = { 1 };
  guint n_issued = 0;
  AgentRun *run;
  int fd;

  if (!agent_run_is_privileged ())
    return;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  fd = open (path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  g_assert_cmpint (write (fd, block, sizeof block), ==, sizeof block);
  g_assert_cmpint (fsync (fd), ==, 0);
  close (fd);
  g_unlink (path);
  agent_run_stop (run);
  agent_run_check (run);
  AGENT_RUN_FOREACH (run, record)
  if (record->type == TB_CAPTURE_IO_ISSUE && record->io.tid == getpid ())
    {
      n_issued++;
      g_assert_cmpuint (record->io.device, >, 0);
      g_assert_cmpuint (record->io.stack, >, 0);
      g_assert_cmpstr (agent_run_get_string (run, record->io.operation), !=, "");
    }
  if (n_issued == 0)
    g_test_skip ("the build folder is on no disk of its own");
  else
    g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_DEVICE), >, 0);
  agent_run_free (run);
}

/* One connection over the loopback device: accept, connect, send and receive, with threads and
 * addresses. */
static void
test_network (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  struct sockaddr_in address
      = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t length = sizeof address;
  int listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int client = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), server;
  guint n_connects = 0, n_accepts = 0, n_sends = 0, n_receives = 0;
  g_autofree char *peer = NULL;
  guint8 message[777] = { 0 };
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  g_assert_cmpint (bind (listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (listener, 1), ==, 0);
  g_assert_cmpint (getsockname (listener, (struct sockaddr *) &address, &length), ==, 0);
  peer = g_strdup_printf ("127.0.0.1:%u", ntohs (address.sin_port));
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  g_assert_cmpint (connect (client, (struct sockaddr *) &address, sizeof address), ==, 0);
  server = accept (listener, NULL, NULL);
  g_assert_cmpint (send (client, message, sizeof message, 0), ==, sizeof message);
  g_assert_cmpint (recv (server, message, sizeof message, MSG_WAITALL), ==, sizeof message);
  close (client);
  close (server);
  close (listener);
  agent_run_stop (run);
  agent_run_check (run);

  AGENT_RUN_FOREACH (run, record)
  {
    const char *local, *remote;

    if (record->type != TB_CAPTURE_NETWORK)
      continue;
    local = agent_run_get_string (run, record->network.local);
    remote = agent_run_get_string (run, record->network.remote);
    if (record->network.kind == TB_CAPTURE_NET_CONNECT && strcmp (remote, peer) == 0)
      {
        g_assert_cmpint (record->network.tid, ==, getpid ());
        g_assert_cmpstr (agent_run_get_string (run, record->network.protocol), ==, "tcp");
        n_connects++;
      }
    n_accepts += record->network.kind == TB_CAPTURE_NET_ACCEPT && strcmp (local, peer) == 0;
    if (record->network.kind == TB_CAPTURE_NET_SEND && record->network.tid == getpid ()
        && record->network.bytes == sizeof message)
      {
        g_assert_cmpstr (remote, ==, peer);
        n_sends++;
      }
    n_receives += record->network.kind == TB_CAPTURE_NET_RECEIVE && strcmp (local, peer) == 0
                  && record->network.bytes == sizeof message;
  }
  g_assert_cmpuint (n_connects, ==, 1);
  g_assert_cmpuint (n_accepts, ==, 1);
  g_assert_cmpuint (n_sends, ==, 1);
  g_assert_cmpuint (n_receives, ==, 1);
  agent_run_free (run);
}

static void
test_syscalls (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, getpid ());
  guint n_enters = 0, n_exits = 0;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  start.start.sources |= 1u << TB_CAPTURE_SOURCE_SYSCALLS;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  for (guint i = 0; i < 100; i++)
    syscall (SYS_dup2, -1, 1000 + i);
  agent_run_stop (run);
  agent_run_check (run);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_SYS_ENTER && record->sys_enter.number == SYS_dup2)
      {
        g_assert_cmpint (record->sys_enter.tid, ==, getpid ());
        g_assert_cmpuint (record->sys_enter.args[1], ==, 1000 + n_enters++);
      }
    if (record->type == TB_CAPTURE_SYS_EXIT && record->sys_exit.number == SYS_dup2)
      {
        g_assert_cmpint ((gint64) record->sys_exit.result, ==, -EBADF);
        n_exits++;
      }
  }
  g_assert_cmpuint (n_enters, ==, 100);
  g_assert_cmpuint (n_exits, ==, 100);
  agent_run_free (run);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/ping-pong", test_ping_pong);
  g_test_add_func ("/agent/overflow", test_overflow);
  g_test_add_func ("/agent/existing", test_existing);
  g_test_add_func ("/agent/command", test_command);
  if (agent_run_get_backend () == TB_CAPTURE_BACKEND_PERF)
    {
      g_test_add_func ("/agent/disk", test_disk);
      g_test_add_func ("/agent/network", test_network);
      g_test_add_func ("/agent/syscalls", test_syscalls);
    }
  return g_test_run ();
}
