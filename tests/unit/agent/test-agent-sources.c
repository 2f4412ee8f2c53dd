/* test-agent-sources.c: test of disk, network, system call and sample events recorded by BPF
 * programs on this machine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source-run.h"

/* --- disks --- */

static guint
count_requests (AgentRun *run, const char *file, guint type, char operation)
{
  guint n = 0;

  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == type && g_strcmp0 (agent_run_get_string (run, record->io.file), file) == 0
        && strchr (agent_run_get_string (run, record->io.operation), operation) != NULL)
      n++;
  }
  return n;
}

static void
write_and_sync (const char *path, int flags, gsize size)
{
  int file = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | flags, 0600);
  void *data = NULL;

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (posix_memalign (&data, 4096, size), ==, 0);
  memset (data, 'x', size);
  g_assert_cmpint (write (file, data, size), ==, (gssize) size);
  g_assert_cmpint (fsync (file), ==, 0);
  free (data);
  close (file);
}

static gboolean
is_on_disk (const char *path)
{
  struct stat status;
  g_autofree char *link = NULL;

  g_assert_cmpint (stat (path, &status), ==, 0);
  link = g_strdup_printf ("/sys/dev/block/%u:%u", major (status.st_dev), minor (status.st_dev));
  return g_file_test (link, G_FILE_TEST_EXISTS);
}

/* The files of I/O requests have the names that are used here, including unusual names. */
static void
test_files (void)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_BLOCK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  g_autofree char *folder = g_dir_make_tmp ("tailback files of-XXXXXX", NULL);
  g_autofree char *synced = g_build_filename (folder, "synced ☃", NULL);
  g_autofree char *direct = g_build_filename (folder, "direct", NULL);
  g_autofree char *before = g_build_filename (folder, "before", NULL);
  g_autofree char *after = g_build_filename (folder, "after", NULL);
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  if (!is_on_disk (folder))
    {
      g_test_skip ("The folder for temporary files is not on a disk");
      return;
    }
  run = source_run_begin (&start);
  write_and_sync (synced, 0, 200000);
  write_and_sync (direct, O_DIRECT, 65536);
  write_and_sync (before, 0, 5000);
  g_assert_cmpint (g_rename (before, after), ==, 0);
  write_and_sync (after, 0, 5000);
  source_run_end (run);

  g_assert_cmpuint (count_requests (run, synced, TB_CAPTURE_IO_ISSUE, 'W'), >, 0);
  /* The file of a request's memory is only known in the context of the requesting thread. If the
   * request is queued, another thread may issue it. */
  g_assert_cmpuint (count_requests (run, direct, TB_CAPTURE_IO_INSERT, 'W')
                        + count_requests (run, direct, TB_CAPTURE_IO_ISSUE, 'W'),
                    >, 0);
  g_assert_cmpuint (count_requests (run, before, TB_CAPTURE_IO_ISSUE, 'W'), >, 0);
  g_assert_cmpuint (count_requests (run, after, TB_CAPTURE_IO_ISSUE, 'W'), >, 0);
  /* Requests of the file system itself have no file. */
  g_assert_cmpuint (count_requests (run, "", TB_CAPTURE_IO_ISSUE, 'M'), >, 0);
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_IO_COMPLETE), >, 0);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type >= TB_CAPTURE_IO_INSERT && record->type <= TB_CAPTURE_IO_COMPLETE)
      g_assert_cmpuint (record->io.device, !=, 0);
  }
  agent_run_free (run);
  g_unlink (synced);
  g_unlink (direct);
  g_unlink (after);
  g_rmdir (folder);
}

/* --- network --- */

static guint
count_messages (AgentRun *run,
                guint kind,
                const char *protocol,
                const char *local,
                const char *remote,
                guint64 bytes)
{
  guint n = 0;

  AGENT_RUN_FOREACH (run, record)
  {
    const TbCaptureNetwork *network = &record->network;

    if (record->type == TB_CAPTURE_NETWORK && network->kind == kind && network->bytes == bytes
        && g_str_equal (agent_run_get_string (run, network->protocol), protocol)
        && (local == NULL || g_str_equal (agent_run_get_string (run, network->local), local))
        && (remote == NULL || g_str_equal (agent_run_get_string (run, network->remote), remote)))
      n++;
  }
  return n;
}

static guint
make_socket (int family, int type, int *fd)
{
  struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
  const struct sockaddr *address = family == AF_INET ? (const void *) &v4 : (const void *) &v6;
  socklen_t length = family == AF_INET ? sizeof v4 : sizeof v6;

  *fd = socket (family, type | SOCK_CLOEXEC, 0);
  g_assert_cmpint (*fd, >=, 0);
  g_assert_cmpint (bind (*fd, address, length), ==, 0);
  g_assert_cmpint (getsockname (*fd, family == AF_INET ? (void *) &v4 : (void *) &v6, &length), ==,
                   0);
  return ntohs (family == AF_INET ? v4.sin_port : v6.sin6_port);
}

/* Messages that a thread waits for are recorded. */
typedef struct
{
  int fd;
  gsize length;
  int tid; /* 0: not yet known */
  GThread *thread;
} Receiver;

static gpointer
run_receiver (gpointer data)
{
  Receiver *self = data;
  char buffer[4096];

  g_atomic_int_set (&self->tid, (int) syscall (SYS_gettid));
  g_assert_cmpint (recv (self->fd, buffer, self->length, MSG_WAITALL), ==, self->length);
  return NULL;
}

static gboolean
sleeps_in_recv (int tid)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/syscall", tid);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL)
         && g_ascii_strtoll (text, NULL, 10) == SYS_recvfrom && g_ascii_isdigit (text[0]);
}

static void
begin_receiving (Receiver *self, int fd, gsize length)
{
  *self = (Receiver) { .fd = fd, .length = length };
  self->thread = g_thread_new ("receiver", run_receiver, self);
  while (g_atomic_int_get (&self->tid) == 0 || !sleeps_in_recv (g_atomic_int_get (&self->tid)))
    g_usleep (1000);
}

static void
end_receiving (Receiver *self)
{
  g_thread_join (self->thread);
}

static gboolean
reports_counters (AgentRun *run, guint source)
{
  gboolean has_counters = FALSE;

  AGENT_RUN_FOREACH (run, record)
  has_counters
      = has_counters
        || (record->type == TB_CAPTURE_STATUS && record->status.kind == TB_CAPTURE_STATUS_COUNTED
            && record->status.source == source
            && record->status.code
                   == (source == TB_CAPTURE_SOURCE_NETWORK ? TB_CAPTURE_CODE_ARRIVALS_COUNTED
                                                           : TB_CAPTURE_CODE_SOFTIRQS_COUNTED));
  return has_counters;
}

/* Polls instead of waiting on the socket: on a busy machine even local data may arrive late. */
static void
await_bytes (int fd, int wanted)
{
  int there = 0;

  while (there < wanted)
    {
      g_assert_cmpint (ioctl (fd, FIONREAD, &there), ==, 0);
      g_thread_yield ();
    }
}

typedef struct
{
  int server;
  int client;
  guint server_port;
  guint client_port;
  char *server_name;
  char *client_name;
} Connection;

/* family: that of the listener. The client connects over IPv4. */
static Connection
connect_tcp (int family)
{
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  Connection self;
  int listener;

  self.server_port = make_socket (family, SOCK_STREAM, &listener);
  g_assert_cmpint (listen (listener, 1), ==, 0);
  self.client_port = make_socket (AF_INET, SOCK_STREAM, &self.client);
  to.sin_port = htons (self.server_port);
  g_assert_cmpint (connect (self.client, (const void *) &to, sizeof to), ==, 0);
  self.server = accept (listener, NULL, NULL);
  close (listener);
  self.server_name = g_strdup_printf ("127.0.0.1:%u", self.server_port);
  self.client_name = g_strdup_printf ("127.0.0.1:%u", self.client_port);
  return self;
}

static void
close_tcp (Connection *self)
{
  close (self->client);
  close (self->server);
  g_free (self->server_name);
  g_free (self->client_name);
}

static void
talk_tcp (const Connection *connection)
{
  int server = connection->server, client = connection->client;
  char buffer[4096] = "";
  Receiver receiver;

  begin_receiving (&receiver, server, 1234);
  g_assert_cmpint (send (client, buffer, 1234, 0), ==, 1234);
  end_receiving (&receiver);
  begin_receiving (&receiver, client, 2345);
  g_assert_cmpint (write (server, buffer, 2345), ==, 2345);
  end_receiving (&receiver);
  /* No thread waits for these messages. The next message with a waiter counts their bytes. */
  g_assert_cmpint (send (client, buffer, 100, 0), ==, 100);
  await_bytes (server, 100);
  g_assert_cmpint (recv (server, buffer, 100, MSG_WAITALL), ==, 100);
  begin_receiving (&receiver, server, 20);
  g_assert_cmpint (send (client, buffer, 20, 0), ==, 20);
  end_receiving (&receiver);
}

static void
check_talk (AgentRun *run, const Connection *connection)
{
  const char *server = connection->server_name, *client = connection->client_name;

  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_CONNECT, "tcp", client, server, 0), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_ACCEPT, "tcp", server, client, 0), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "tcp", client, server, 1234), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "tcp", server, client, 1234), ==,
                    1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "tcp", server, client, 2345), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "tcp", client, server, 2345), ==,
                    1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "tcp", client, server, 100), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "tcp", server, client, 120), ==,
                    1);
  g_assert_true (reports_counters (run, TB_CAPTURE_SOURCE_NETWORK));
}

static void
test_tcp (gconstpointer data)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  Connection connection;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  run = source_run_begin (&start);
  connection = connect_tcp (GPOINTER_TO_INT (data));
  talk_tcp (&connection);
  source_run_end (run);
  check_talk (run, &connection);
  close_tcp (&connection);
  agent_run_free (run);
}

static void
run_on_cpu (guint cpu)
{
  cpu_set_t cpus;

  CPU_ZERO (&cpus);
  CPU_SET (cpu, &cpus);
  g_assert_cmpint (sched_setaffinity (0, sizeof cpus, &cpus), ==, 0);
}

/* CPUs on which the tests may run. */
static guint
list_cpus (guint *first, guint *last, cpu_set_t *cpus)
{
  g_assert_cmpint (sched_getaffinity (0, sizeof *cpus, cpus), ==, 0);
  for (*first = 0; !CPU_ISSET (*first, cpus);)
    (*first)++;
  for (*last = CPU_SETSIZE - 1; !CPU_ISSET (*last, cpus);)
    (*last)--;
  return (guint) CPU_COUNT (cpus);
}

/* The connection begins on one CPU, and its messages arrive on another, and back: their ring
 * buffers are not read in order of time. */
static void
test_tcp_other_cpu (void)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  Connection there, back;
  guint first, last;
  cpu_set_t cpus;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  if (list_cpus (&first, &last, &cpus) < 2)
    {
      g_test_skip ("One cpu is not enough");
      return;
    }
  run = source_run_begin (&start);
  run_on_cpu (last);
  there = connect_tcp (AF_INET);
  run_on_cpu (first);
  talk_tcp (&there);
  back = connect_tcp (AF_INET);
  run_on_cpu (last);
  talk_tcp (&back);
  g_assert_cmpint (sched_setaffinity (0, sizeof cpus, &cpus), ==, 0);
  source_run_end (run);
  check_talk (run, &there);
  check_talk (run, &back);
  close_tcp (&there);
  close_tcp (&back);
  agent_run_free (run);
}

static gboolean sleeps_end;

static gpointer
sleep_often (gpointer data)
{
  run_on_cpu (GPOINTER_TO_UINT (data));
  while (!g_atomic_int_get (&sleeps_end))
    g_usleep (20);
  return NULL;
}

static guint
count_received (AgentRun *run, const Connection *connection)
{
  guint n = 0;

  AGENT_RUN_FOREACH (run, record)
  n += record->type == TB_CAPTURE_NETWORK && record->network.kind == TB_CAPTURE_NET_RECEIVE
       && g_str_equal (agent_run_get_string (run, record->network.local), connection->server_name)
       && g_str_equal (agent_run_get_string (run, record->network.remote), connection->client_name);
  return n;
}

/* A timer wakes a thread all the time. That is not a wake-up by messages for which no thread
 * waits. */
static void
test_tcp_unwaited (void)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  enum
  {
    N_UNWAITED = 20000,
    WAITED = 7
  };
  char buffer[N_UNWAITED] = "";
  Connection connection;
  GThread *sleeper;
  Receiver receiver;
  guint first, last;
  cpu_set_t cpus;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  list_cpus (&first, &last, &cpus);
  run = source_run_begin (&start);
  run_on_cpu (first);
  g_atomic_int_set (&sleeps_end, FALSE);
  sleeper = g_thread_new ("sleeper", sleep_often, GUINT_TO_POINTER (first));
  connection = connect_tcp (AF_INET);
  for (guint i = 0; i < N_UNWAITED; i++)
    {
      g_assert_cmpint (send (connection.client, "x", 1, 0), ==, 1);
      await_bytes (connection.server, 1);
      g_assert_cmpint (recv (connection.server, buffer, 1, 0), ==, 1);
    }
  begin_receiving (&receiver, connection.server, WAITED);
  g_assert_cmpint (send (connection.client, buffer, WAITED, 0), ==, WAITED);
  end_receiving (&receiver);
  g_atomic_int_set (&sleeps_end, TRUE);
  g_thread_join (sleeper);
  g_assert_cmpint (sched_setaffinity (0, sizeof cpus, &cpus), ==, 0);
  source_run_end (run);
  g_assert_cmpuint (count_received (run, &connection), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "tcp", connection.server_name,
                                    connection.client_name, N_UNWAITED + WAITED),
                    ==, 1);
  close_tcp (&connection);
  agent_run_free (run);
}

/* Unconnected sockets: the destination is only in the call, the source only in the message. */
static void
test_udp (void)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct sockaddr_in6 to6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
  char buffer[2048] = "";
  struct iovec piece = { buffer, 543 };
  struct msghdr message
      = { .msg_name = &to6, .msg_namelen = sizeof to6, .msg_iov = &piece, .msg_iovlen = 1 };
  g_autofree char *one_name = NULL, *six_name = NULL, *other_name = NULL, *six_bound = NULL,
                  *other_bound = NULL;
  guint one_port, six_port, other_port;
  int one, six, other;
  Receiver receiver;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  run = source_run_begin (&start);
  one_port = make_socket (AF_INET, SOCK_DGRAM, &one);
  six_port = make_socket (AF_INET6, SOCK_DGRAM, &six);
  other_port = make_socket (AF_INET6, SOCK_DGRAM, &other);
  to.sin_port = htons (six_port);
  to6.sin6_port = htons (other_port);
  begin_receiving (&receiver, six, 432);
  g_assert_cmpint (sendto (one, buffer, 432, 0, (const void *) &to, sizeof to), ==, 432);
  end_receiving (&receiver);
  begin_receiving (&receiver, other, 543);
  g_assert_cmpint (sendmsg (six, &message, 0), ==, 543);
  end_receiving (&receiver);
  close (one);
  close (six);
  close (other);
  source_run_end (run);

  one_name = g_strdup_printf ("127.0.0.1:%u", one_port);
  six_name = g_strdup_printf ("[::1]:%u", six_port);
  other_name = g_strdup_printf ("[::1]:%u", other_port);
  six_bound = g_strdup_printf ("[::]:%u", six_port);
  other_bound = g_strdup_printf ("[::]:%u", other_port);
  g_free (g_steal_pointer (&six_name));
  six_name = g_strdup_printf ("127.0.0.1:%u", six_port);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "udp", one_name, six_name, 432), ==,
                    1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "udp", six_bound, one_name, 432),
                    ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "udp", six_bound, other_name, 543),
                    ==, 1);
  g_free (g_steal_pointer (&six_name));
  six_name = g_strdup_printf ("[::1]:%u", six_port);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "udp", other_bound, six_name, 543),
                    ==, 1);
  agent_run_free (run);
}

static void
test_unix (void)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  g_autofree char *folder = g_dir_make_tmp ("tailback-XXXXXX", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener, server, client;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  run = source_run_begin (&start);
  g_snprintf (address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  client = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (listener, (const void *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (listener, 1), ==, 0);
  g_assert_cmpint (connect (client, (const void *) &address, sizeof address), ==, 0);
  server = accept (listener, NULL, NULL);
  g_assert_cmpint (write (client, "1234567", 7), ==, 7);
  g_assert_cmpint (write (server, "12345", 5), ==, 5);
  close (client);
  close (server);
  close (listener);
  source_run_end (run);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "unix", "", address.sun_path, 7), ==,
                    1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "unix", address.sun_path, "", 5), ==,
                    1);
  agent_run_free (run);
  g_unlink (address.sun_path);
  g_rmdir (folder);
}

/* --- system calls --- */

/* Calls by form: whole at their ends, or in two records if the thread left its CPU during the
 * call. */
typedef struct
{
  guint n_whole;
  guint n_entered;
  guint n_left;
  guint n_stacks; /* of the first two */
  guint64 shortest;
} Calls;

static Calls
count_calls (AgentRun *run, gint32 pid, guint number)
{
  Calls calls = { .shortest = G_MAXUINT64 };

  AGENT_RUN_FOREACH (run, record)
  {
    const TbCaptureSysEnter *enter = &record->sys_enter;
    const TbCaptureSysExit *leave = &record->sys_exit;
    const TbCaptureSysCall *whole = &record->sys_call;

    if (record->type == TB_CAPTURE_SYS_ENTER && enter->pid == pid && enter->number == number)
      {
        calls.n_entered++;
        calls.n_stacks += enter->stack != 0;
      }
    if (record->type == TB_CAPTURE_SYS_EXIT && leave->pid == pid && leave->number == number)
      calls.n_left++;
    if (record->type == TB_CAPTURE_SYS_CALL && whole->pid == pid && whole->number == number)
      {
        calls.n_whole++;
        calls.n_stacks += whole->stack != 0;
        calls.shortest = MIN (calls.shortest, record->time - whole->entered);
      }
  }
  return calls;
}

/* All calls are recorded, in either form. The call in which the worker finally waits is open. */
static void
check_all_calls (AgentRun *run, gint32 pid)
{
  Calls quick = count_calls (run, pid, SYS_getppid),
        slow = count_calls (run, pid, SYS_clock_nanosleep);
  Calls last = count_calls (run, pid, SYS_read);

  g_assert_cmpuint (quick.n_whole + quick.n_entered, ==, WORKER_CALLS);
  g_assert_cmpuint (quick.n_left, ==, quick.n_entered);
  /* On a busy machine some calls may be interrupted by a switch. */
  g_assert_cmpuint (quick.n_entered, <, WORKER_CALLS / 10);
  g_assert_cmpuint (slow.n_whole, ==, 0);
  g_assert_cmpuint (slow.n_entered, ==, WORKER_LONG_CALLS + 1);
  g_assert_cmpuint (slow.n_left, ==, slow.n_entered);
  g_assert_cmpuint (last.n_entered, >=, 1);
}

/* Waits until the worker waits for its next task. */
static void
await_rest (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);

  for (;;)
    {
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      if (g_str_has_prefix (strrchr (text, ')'), ") S"))
        break;
      g_usleep (1000);
    }
}

static void
test_syscalls (void)
{
  TbCaptureRecord start;
  AgentRun *run;
  Worker worker;
  Calls calls;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  start = source_run_make_start (TB_CAPTURE_SOURCE_SYSCALLS, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  start.start.stacks = TB_CAPTURE_USER_STACKS | TB_CAPTURE_SYSCALL_STACKS;
  run = source_run_begin (&start);
  worker_let_work (&worker);
  await_rest (worker.pid);
  source_run_end (run);
  check_all_calls (run, worker.pid);
  g_assert_cmpuint (count_calls (run, worker.pid, SYS_getppid).n_stacks, ==, WORKER_CALLS);
  g_assert_cmpuint (count_calls (run, worker.pid, SYS_clock_nanosleep).n_stacks, ==,
                    WORKER_LONG_CALLS + 1);
  agent_run_free (run);

  /* At most one stack a minute; it reports the number of calls without a stack. */
  start.start.stack_interval = 60 * 1000000;
  run = source_run_begin (&start);
  worker_let_work (&worker);
  await_rest (worker.pid);
  source_run_end (run);
  check_all_calls (run, worker.pid);
  g_assert_cmpuint (count_calls (run, worker.pid, SYS_getppid).n_stacks, <=, 1);
  g_assert_cmpint (agent_run_find_warning (run, TB_CAPTURE_CODE_SYSCALL_STACKS_THINNED), >=,
                   WORKER_CALLS - 1);
  agent_run_free (run);

  /* Only long calls. */
  start.start.stack_interval = 0;
  start.start.min_syscall_ns = WORKER_LONG_CALL_US * 1000;
  run = source_run_begin (&start);
  worker_let_work (&worker);
  source_run_end (run);
  worker_end (&worker);
  /* On a busy machine a few short calls may take long. */
  calls = count_calls (run, worker.pid, SYS_getppid);
  g_assert_cmpuint (calls.n_whole, <, WORKER_CALLS / 10);
  calls = count_calls (run, worker.pid, SYS_clock_nanosleep);
  g_assert_cmpuint (calls.n_whole, ==, WORKER_LONG_CALLS + 1);
  g_assert_cmpuint (calls.n_stacks, ==, WORKER_LONG_CALLS + 1);
  g_assert_cmpuint (calls.shortest, >=, WORKER_LONG_CALL_US * 1000);
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_SYS_ENTER), ==, 0);
  g_assert_cmpint (agent_run_find_warning (run, TB_CAPTURE_CODE_SYSCALLS_THINNED), >=,
                   WORKER_CALLS - WORKER_CALLS / 10);
  agent_run_free (run);
}

/* --- samples --- */

static gint64
get_cpu_time (pid_t pid)
{
  struct timespec ran = { 0 };
  clockid_t clock;

  g_assert_cmpint (clock_getcpuclockid (pid, &clock), ==, 0);
  g_assert_cmpint (clock_gettime (clock, &ran), ==, 0);
  return ran.tv_sec * G_GINT64_CONSTANT (1000000000) + ran.tv_nsec;
}

/* Waits until the process has run for that many ns more. */
static void
await_running (pid_t pid, gint64 ns)
{
  gint64 end = get_cpu_time (pid) + ns;

  while (get_cpu_time (pid) < end)
    g_usleep (1000);
}

static void
test_samples (void)
{
  TbCaptureRecord start;
  guint64 weight = 0;
  AgentRun *run;
  pid_t busy;

  if (!agent_run_is_privileged ())
    return;
  busy = fork ();
  g_assert_cmpint (busy, >=, 0);
  if (busy == 0)
    for (volatile guint i = 0;; i++)
      ;
  start = source_run_make_start (TB_CAPTURE_SOURCE_SAMPLES, TB_CAPTURE_SCOPE_PROCESS, busy);
  run = source_run_begin (&start);
  await_running (busy, 200000000);
  source_run_end (run);
  kill (busy, SIGKILL);
  waitpid (busy, NULL, 0);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type != TB_CAPTURE_SAMPLE)
      continue;
    g_assert_cmpint (record->sample.pid, ==, busy);
    g_assert_cmpuint (record->sample.stack, !=, 0);
    weight += record->sample.weight;
  }
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_SAMPLE), >, 10);
  g_assert_cmpuint (weight, >, 0);
  agent_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/sources/files", test_files);
  g_test_add_data_func ("/agent/sources/tcp/v4", GINT_TO_POINTER (AF_INET), test_tcp);
  g_test_add_data_func ("/agent/sources/tcp/v4-mapped", GINT_TO_POINTER (AF_INET6), test_tcp);
  g_test_add_func ("/agent/sources/tcp/other-cpu", test_tcp_other_cpu);
  g_test_add_func ("/agent/sources/tcp/unwaited", test_tcp_unwaited);
  g_test_add_func ("/agent/sources/udp", test_udp);
  g_test_add_func ("/agent/sources/unix", test_unix);
  g_test_add_func ("/agent/sources/syscalls", test_syscalls);
  g_test_add_func ("/agent/sources/samples", test_samples);
  return g_test_run ();
}
