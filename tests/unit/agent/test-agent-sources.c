/* test-agent-sources.c: disks, the network, system calls, samples and probes, as BPF programs see them on this machine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <elf.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent-run.h"

#define SCHEDULER (1u << TB_CAPTURE_SOURCE_SCHEDULER | 1u << TB_CAPTURE_SOURCE_TASKS)

static TbCaptureRecord
make_start (TbCaptureSource source, TbCaptureScope scope, gint32 pid)
{
  TbCaptureRecord start = agent_run_make_start (scope, pid);

  start.start.sources = SCHEDULER | 1u << source;
  return start;
}

static AgentRun *
begin (const TbCaptureRecord *start)
{
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

  agent_run_start (run, start);
  return run;
}

static void
end (AgentRun *run)
{
  agent_run_stop (run);
  agent_run_check (run);
}

/* Disks */

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

/* The files behind requests have the names that they have here, also ones that are odd. */
static void
test_files (void)
{
  TbCaptureRecord start = make_start (TB_CAPTURE_SOURCE_BLOCK, TB_CAPTURE_SCOPE_SYSTEM, -1);
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
  run = begin (&start);
  write_and_sync (synced, 0, 200000);
  write_and_sync (direct, O_DIRECT, 65536);
  write_and_sync (before, 0, 5000);
  g_assert_cmpint (g_rename (before, after), ==, 0);
  write_and_sync (after, 0, 5000);
  end (run);

  g_assert_cmpuint (count_requests (run, synced, TB_CAPTURE_IO_ISSUE, 'W'), >, 0);
  /* Whose memory it is only the thread that asks can tell; where its request waits in line, another may issue it. */
  g_assert_cmpuint (count_requests (run, direct, TB_CAPTURE_IO_INSERT, 'W')
                        + count_requests (run, direct, TB_CAPTURE_IO_ISSUE, 'W'),
                    >, 0);
  g_assert_cmpuint (count_requests (run, before, TB_CAPTURE_IO_ISSUE, 'W'), >, 0);
  g_assert_cmpuint (count_requests (run, after, TB_CAPTURE_IO_ISSUE, 'W'), >, 0);
  /* What the file system does for itself has no file. */
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

/* The network */

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
  g_assert_cmpint (getsockname (*fd, family == AF_INET ? (void *) &v4 : (void *) &v6, &length), ==, 0);
  return ntohs (family == AF_INET ? v4.sin_port : v6.sin6_port);
}

/* family: of the one who listens; it is talked to over IPv4. */
static void
talk_tcp (int family, guint *server_port, guint *client_port)
{
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int listener, server, client;
  char buffer[4096] = "";

  *server_port = make_socket (family, SOCK_STREAM, &listener);
  g_assert_cmpint (listen (listener, 1), ==, 0);
  *client_port = make_socket (AF_INET, SOCK_STREAM, &client);
  to.sin_port = htons (*server_port);
  g_assert_cmpint (connect (client, (const void *) &to, sizeof to), ==, 0);
  server = accept (listener, NULL, NULL);
  g_assert_cmpint (send (client, buffer, 1234, 0), ==, 1234);
  g_assert_cmpint (recv (server, buffer, 1234, MSG_WAITALL), ==, 1234);
  g_assert_cmpint (write (server, buffer, 2345), ==, 2345);
  g_assert_cmpint (recv (client, buffer, 2345, MSG_WAITALL), ==, 2345);
  close (client);
  close (server);
  close (listener);
}

static void
test_tcp (gconstpointer data)
{
  TbCaptureRecord start = make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  g_autofree char *server = NULL, *client = NULL;
  guint server_port, client_port;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  run = begin (&start);
  talk_tcp (GPOINTER_TO_INT (data), &server_port, &client_port);
  end (run);
  server = g_strdup_printf ("127.0.0.1:%u", server_port);
  client = g_strdup_printf ("127.0.0.1:%u", client_port);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_CONNECT, "tcp", client, server, 0), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_ACCEPT, "tcp", server, client, 0), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "tcp", client, server, 1234), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "tcp", server, client, 1234), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "tcp", server, client, 2345), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "tcp", client, server, 2345), ==, 1);
  agent_run_free (run);
}

/* Over sockets that are not connected: to where is only in the call, from where only in the message. */
static void
test_udp (void)
{
  TbCaptureRecord start = make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct sockaddr_in6 to6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
  char buffer[2048] = "";
  struct iovec piece = { buffer, 543 };
  struct msghdr message = { .msg_name = &to6, .msg_namelen = sizeof to6, .msg_iov = &piece, .msg_iovlen = 1 };
  g_autofree char *one_name = NULL, *six_name = NULL, *other_name = NULL, *six_bound = NULL,
                  *other_bound = NULL;
  guint one_port, six_port, other_port;
  int one, six, other;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  run = begin (&start);
  one_port = make_socket (AF_INET, SOCK_DGRAM, &one);
  six_port = make_socket (AF_INET6, SOCK_DGRAM, &six);
  other_port = make_socket (AF_INET6, SOCK_DGRAM, &other);
  to.sin_port = htons (six_port);
  to6.sin6_port = htons (other_port);
  g_assert_cmpint (sendto (one, buffer, 432, 0, (const void *) &to, sizeof to), ==, 432);
  g_assert_cmpint (recv (six, buffer, sizeof buffer, 0), ==, 432);
  g_assert_cmpint (sendmsg (six, &message, 0), ==, 543);
  g_assert_cmpint (recv (other, buffer, sizeof buffer, 0), ==, 543);
  close (one);
  close (six);
  close (other);
  end (run);

  one_name = g_strdup_printf ("127.0.0.1:%u", one_port);
  six_name = g_strdup_printf ("[::1]:%u", six_port);
  other_name = g_strdup_printf ("[::1]:%u", other_port);
  six_bound = g_strdup_printf ("[::]:%u", six_port);
  other_bound = g_strdup_printf ("[::]:%u", other_port);
  g_free (g_steal_pointer (&six_name));
  six_name = g_strdup_printf ("127.0.0.1:%u", six_port);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "udp", one_name, six_name, 432), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "udp", six_bound, one_name, 432), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "udp", six_bound, other_name, 543), ==, 1);
  g_free (g_steal_pointer (&six_name));
  six_name = g_strdup_printf ("[::1]:%u", six_port);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_RECEIVE, "udp", other_bound, six_name, 543), ==, 1);
  agent_run_free (run);
}

static void
test_unix (void)
{
  TbCaptureRecord start = make_start (TB_CAPTURE_SOURCE_NETWORK, TB_CAPTURE_SCOPE_SYSTEM, -1);
  g_autofree char *folder = g_dir_make_tmp ("tailback-XXXXXX", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener, server, client;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  run = begin (&start);
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
  end (run);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "unix", "", address.sun_path, 7), ==, 1);
  g_assert_cmpuint (count_messages (run, TB_CAPTURE_NET_SEND, "unix", address.sun_path, "", 5), ==, 1);
  agent_run_free (run);
  g_unlink (address.sun_path);
  g_rmdir (folder);
}

/* A process that waits for a byte, does something often, and waits again. */

typedef struct
{
  pid_t pid;
  int to;
  int from;
} Worker;

#define N_CALLS 300u
#define N_LONG_CALLS (N_CALLS / 10)
#define LONG_CALL_US 10000u

/* Not inlined, and not the same as another one: it is what the tests probe. */
__attribute__ ((noinline, noclone, used)) static guint
work (guint number)
{
  syscall (SYS_getppid);
  if (number % 10 == 0)
    g_usleep (LONG_CALL_US);
  __asm__ volatile ("" ::: "memory");
  return number + 1;
}

__attribute__ ((noinline, noclone, used)) static guint
descend (guint depth)
{
  guint below = depth > 0 ? descend (depth - 1) : 0;

  if (depth == 0)
    g_usleep (LONG_CALL_US);
  __asm__ volatile ("" ::: "memory");
  return below + 1;
}

static Worker
start_worker (void)
{
  int to[2], from[2];
  Worker self;
  char byte;

  g_assert_cmpint (pipe (to), ==, 0);
  g_assert_cmpint (pipe (from), ==, 0);
  self.pid = fork ();
  g_assert_cmpint (self.pid, >=, 0);
  if (self.pid == 0)
    {
      close (to[1]);
      close (from[0]);
      while (read (to[0], &byte, 1) == 1)
        {
          for (guint i = 0; i < N_CALLS; i++)
            work (i);
          descend (5);
          if (write (from[1], "x", 1) != 1)
            break;
        }
      _exit (0);
    }
  close (to[0]);
  close (from[1]);
  self.to = to[1];
  self.from = from[0];
  return self;
}

static void
let_work (const Worker *self)
{
  char byte;

  g_assert_cmpint (write (self->to, "x", 1), ==, 1);
  g_assert_cmpint (read (self->from, &byte, 1), ==, 1);
}

static void
end_worker (const Worker *self)
{
  int status;

  close (self->to);
  close (self->from);
  g_assert_cmpint (waitpid (self->pid, &status, 0), ==, self->pid);
  g_assert_cmpint (status, ==, 0);
}

/* System calls */

static guint
count_calls (AgentRun *run, guint type, gint32 pid, guint number, guint *n_stacks)
{
  guint n = 0;

  *n_stacks = 0;
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type != type)
      continue;
    if (type == TB_CAPTURE_SYS_ENTER && record->sys_enter.pid == pid && record->sys_enter.number == number)
      {
        n++;
        *n_stacks += record->sys_enter.stack != 0;
      }
    if (type == TB_CAPTURE_SYS_EXIT && record->sys_exit.pid == pid && record->sys_exit.number == number)
      n++;
    if (type == TB_CAPTURE_SYS_CALL && record->sys_call.pid == pid && record->sys_call.number == number)
      {
        n++;
        *n_stacks += record->sys_call.stack != 0;
        g_assert_cmpuint (record->time - record->sys_call.entered, >=, LONG_CALL_US * 1000);
      }
  }
  return n;
}

static void
test_syscalls (void)
{
  TbCaptureRecord start;
  guint n_stacks, unused;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = start_worker ();
  start = make_start (TB_CAPTURE_SOURCE_SYSCALLS, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  start.start.stacks = TB_CAPTURE_USER_STACKS | TB_CAPTURE_SYSCALL_STACKS;
  run = begin (&start);
  let_work (&worker);
  end (run);
  g_assert_cmpuint (count_calls (run, TB_CAPTURE_SYS_ENTER, worker.pid, SYS_getppid, &n_stacks), ==, N_CALLS);
  g_assert_cmpuint (n_stacks, ==, N_CALLS);
  g_assert_cmpuint (count_calls (run, TB_CAPTURE_SYS_EXIT, worker.pid, SYS_getppid, &unused), ==, N_CALLS);
  agent_run_free (run);

  /* One stack in a second at most: it tells how many were left out. */
  start.start.thin_interval = 60 * 1000000;
  run = begin (&start);
  let_work (&worker);
  end (run);
  g_assert_cmpuint (count_calls (run, TB_CAPTURE_SYS_ENTER, worker.pid, SYS_getppid, &n_stacks), ==, N_CALLS);
  g_assert_cmpuint (n_stacks, <=, 1);
  g_assert_cmpint (agent_run_find_warning (run, "stacks of system calls were left out"), >=, N_CALLS - 1);
  agent_run_free (run);

  /* Only long ones. */
  start.start.thin_interval = 0;
  start.start.thin_longer = LONG_CALL_US * 1000;
  run = begin (&start);
  let_work (&worker);
  end (run);
  end_worker (&worker);
  /* On a busy machine a short one may be held up for long, not many. */
  g_assert_cmpuint (count_calls (run, TB_CAPTURE_SYS_CALL, worker.pid, SYS_getppid, &unused), <,
                    N_CALLS / 10);
  g_assert_cmpuint (count_calls (run, TB_CAPTURE_SYS_CALL, worker.pid, SYS_clock_nanosleep, &n_stacks), ==,
                    N_LONG_CALLS + 1);
  g_assert_cmpuint (n_stacks, ==, N_LONG_CALLS + 1);
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_SYS_ENTER), ==, 0);
  g_assert_cmpint (agent_run_find_warning (run, "system calls were shorter"), >=, N_CALLS - N_CALLS / 10);
  agent_run_free (run);
}

/* Samples */

static void
test_samples (void)
{
  TbCaptureRecord start;
  guint64 weight = 0;
  AgentRun *run;
  pid_t busy;
  gint64 since;

  if (!agent_run_is_privileged ())
    return;
  busy = fork ();
  g_assert_cmpint (busy, >=, 0);
  if (busy == 0)
    for (volatile guint i = 0;; i++)
      ;
  start = make_start (TB_CAPTURE_SOURCE_SAMPLES, TB_CAPTURE_SCOPE_PROCESS, busy);
  run = begin (&start);
  since = g_get_monotonic_time ();
  while (g_get_monotonic_time () - since < G_USEC_PER_SEC / 2)
    g_usleep (1000);
  end (run);
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

/* Probes */

typedef struct
{
  const char *path; /* of this program */
  guint64 start;    /* of its first mapping */
  guint64 address;
  guint64 offset;
} Place;

static int
find_segment (struct dl_phdr_info *info, size_t size, void *data)
{
  Place *place = data;

  for (guint i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      guint64 begins = info->dlpi_addr + header->p_vaddr;

      if (header->p_type == PT_LOAD && place->address >= begins && place->address < begins + header->p_memsz)
        {
          place->offset = place->address - begins + header->p_offset;
          return 1;
        }
    }
  return 0;
}

static guint64
find_offset (gpointer function)
{
  Place place = { .address = (guint64) (guintptr) function };

  g_assert_cmpint (dl_iterate_phdr (find_segment, &place), ==, 1);
  return place.offset;
}

static int
change_probe (AgentRun *run, const TbCaptureRecord *record, char **text)
{
  for (;;)
    {
      int status = -1;

      agent_run_send (run, record);
      status = agent_run_wait_source (run, TB_CAPTURE_SOURCE_PROBES);
      g_assert_cmpint (status, >=, 0);
      *text = agent_run_get_text (run, status);
      g_test_message ("%s", *text);
      return g_array_index (run->records, TbCaptureRecord, status).status.code;
    }
}

static TbCaptureRecord
make_probe (guint32 id, TbCaptureProbeKind kind, pid_t pid, gpointer function, guint64 filter)
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
  record.probe_add.kind = kind;
  return record;
}

static void
add_probe (AgentRun *run, guint32 id, TbCaptureProbeKind kind, pid_t pid, gpointer function, guint64 filter)
{
  TbCaptureRecord record = make_probe (id, kind, pid, function, filter);
  g_autofree char *text = NULL;

  g_assert_cmpint (change_probe (run, &record, &text), ==, TB_CAPTURE_STATUS_PROBED);
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
          g_assert_cmpuint (record->time - record->call.entered, >=, LONG_CALL_US * 1000);
      }
  }
  return n;
}

/* As many calls as there were, each with its return; with a filter the long ones, and the number of the others. */
static void
test_probes (void)
{
  TbCaptureRecord start, remove = { .type = TB_CAPTURE_PROBE_REMOVE, .cpu = TB_CAPTURE_CPU_NONE };
  g_autofree char *text = NULL;
  AgentRun *run;
  Worker worker;
  guint n_long;

  if (!agent_run_is_privileged ())
    return;
  worker = start_worker ();
  start = make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  run = begin (&start);
  add_probe (run, 7, TB_CAPTURE_PROBE_RETURN, worker.pid, work, 0);
  add_probe (run, 8, TB_CAPTURE_PROBE_RETURN, worker.pid, work, LONG_CALL_US * 1000);
  add_probe (run, 9, TB_CAPTURE_PROBE_ENTRY, worker.pid, descend, 0);
  add_probe (run, 10, TB_CAPTURE_PROBE_RETURN, worker.pid, descend, LONG_CALL_US * 1000);
  add_probe (run, 11, TB_CAPTURE_PROBE_ENTRY, worker.pid, work, 0);
  let_work (&worker);
  remove.probe_remove.id = 11;
  g_assert_cmpint (change_probe (run, &remove, &text), ==, TB_CAPTURE_STATUS_PROBED);
  let_work (&worker);
  end (run);
  /* Nothing is left behind in it. */
  let_work (&worker);
  end_worker (&worker);

  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 7, FALSE), ==, 2 * N_CALLS);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_RETURN, 7, FALSE), ==, 2 * N_CALLS);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 8, TRUE), ==, 0);
  /* On a busy machine others may take as long: each is either there or counted. */
  n_long = count_probe (run, TB_CAPTURE_RETURN, 8, TRUE);
  g_assert_cmpuint (n_long, >=, 2 * N_LONG_CALLS);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 9, FALSE), ==, 2 * 6);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_RETURN, 10, TRUE), ==, 2 * 6);
  g_assert_cmpuint (count_probe (run, TB_CAPTURE_CALL, 11, FALSE), ==, N_CALLS);
  g_assert_cmpint (agent_run_find_warning (run, "calls of probed functions were shorter"), ==,
                   2 * N_CALLS - n_long);
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

/* What is refused, and why. */
static void
test_refused_probes (void)
{
  static const guint8 other_build_id[20] = { 1 };
  TbCaptureRecord start, probe;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = start_worker ();
  start = make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  run = begin (&start);
  add_probe (run, 1, TB_CAPTURE_PROBE_ENTRY, worker.pid, work, 0);
  for (guint i = 0; i < 7; i++)
    {
      static const char *const reasons[] = { "already",  "not one of those", "not mapped",   "no code",
                                             "build-id", "neither",          "no such probe" };
      g_autofree char *text = NULL;

      probe = make_probe (i == 0 ? 1 : 2, TB_CAPTURE_PROBE_ENTRY, worker.pid, work, 0);
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
      g_assert_cmpint (change_probe (run, &probe, &text), ==, TB_CAPTURE_STATUS_REFUSED);
      g_assert_nonnull (strstr (text, reasons[i]));
    }
  end (run);
  end_worker (&worker);
  agent_run_free (run);
}

/* The byte in the program's memory that the probe replaced. */
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

/* An agent that is killed leaves no probe behind. */
static void
test_killed (void)
{
  guint8 before[8], during[8], after[8];
  TbCaptureRecord start;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = start_worker ();
  for (guint i = 0; i < 8; i++)
    before[i] = read_code (worker.pid, work, i);
  start = make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  run = begin (&start);
  add_probe (run, 1, TB_CAPTURE_PROBE_RETURN, worker.pid, work, 0);
  for (guint i = 0; i < 8; i++)
    during[i] = read_code (worker.pid, work, i);
  g_assert_cmpint (memcmp (before, during, 8), !=, 0);
  kill (run->pid, SIGKILL);
  agent_run_finish (run);
  g_assert_false (run->complete);
  agent_run_free (run);
  /* The kernel takes them out while the process ends. */
  for (guint wait = 0; wait < 500; wait++)
    {
      for (guint i = 0; i < 8; i++)
        after[i] = read_code (worker.pid, work, i);
      if (memcmp (before, after, 8) == 0)
        break;
      g_usleep (10 * 1000);
    }
  g_assert_cmpmem (before, 8, after, 8);
  let_work (&worker);
  end_worker (&worker);
}

/* Stacks that break inside of the C library */

__attribute__ ((noinline, noclone, used)) static int
wait_inside (void)
{
  int result = poll (NULL, 0, 1);

  __asm__ volatile ("" ::: "memory");
  return result + 1;
}

/* Switches of the process whose stack has wait_inside() right behind the library's own frame. */
static guint
count_whole_stacks (AgentRun *run, pid_t pid, guint *n_switches)
{
  g_autoptr (GHashTable) whole = g_hash_table_new (NULL, NULL);
  guint n = 0;

  *n_switches = 0;
  AGENT_RUN_FOREACH (run, record)
  {
    const guint64 *words = (const guint64 *) (gconstpointer) record->tail;

    if (record->type == TB_CAPTURE_STACK && record->tail_length >= 24
        && words[2] - (guint64) (guintptr) wait_inside < 64)
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
  start = make_start (TB_CAPTURE_SOURCE_SCHEDULER, TB_CAPTURE_SCOPE_PROCESS, pid);
  start.start.stacks = TB_CAPTURE_USER_STACKS | TB_CAPTURE_REPAIRED_STACKS;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  run->keep_stacks = TRUE;
  agent_run_start (run, &start);
  g_usleep (G_USEC_PER_SEC / 2);
  end (run);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  n_whole = count_whole_stacks (run, pid, &n_switches);
  g_test_message ("%u of %u stacks are whole", n_whole, n_switches);
  g_assert_cmpuint (n_switches, >, 20);
  /* It may have been inside already when the probes came. */
  g_assert_cmpuint (n_whole + 2, >=, n_switches);
  agent_run_free (run);
}

/* Every record that finds no room is counted. */
static void
test_overflow (void)
{
  guint64 n_events = 0, n_lost = 0;
  TbCaptureRecord start;
  AgentRun *run;
  Worker worker;
  const guint n_rounds = 10;

  if (!agent_run_is_privileged ())
    return;
  worker = start_worker ();
  start = make_start (TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_SCOPE_PROCESS, worker.pid);
  start.start.sources = 1u << TB_CAPTURE_SOURCE_PROBES;
  start.start.stacks = 0;
  start.start.ring_bytes = 4096;
  run = begin (&start);
  add_probe (run, 1, TB_CAPTURE_PROBE_ENTRY, worker.pid, work, 0);
  kill (run->pid, SIGSTOP);
  for (guint i = 0; i < n_rounds; i++)
    let_work (&worker);
  kill (run->pid, SIGCONT);
  end (run);
  end_worker (&worker);
  AGENT_RUN_FOREACH (run, record)
  {
    n_events += record->type == TB_CAPTURE_CALL;
    if (record->type == TB_CAPTURE_LOST)
      n_lost += record->lost.count;
  }
  g_test_message ("%" G_GUINT64_FORMAT " came, %" G_GUINT64_FORMAT " were lost", n_events, n_lost);
  g_assert_cmpuint (n_lost, >, 0);
  /* Switches of the worker are lost as well. */
  g_assert_cmpuint (n_events, <, n_rounds * N_CALLS);
  g_assert_cmpuint (n_events + n_lost, >=, n_rounds * N_CALLS);
  agent_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/sources/files", test_files);
  g_test_add_data_func ("/agent/sources/tcp/v4", GINT_TO_POINTER (AF_INET), test_tcp);
  g_test_add_data_func ("/agent/sources/tcp/v4-mapped", GINT_TO_POINTER (AF_INET6), test_tcp);
  g_test_add_func ("/agent/sources/udp", test_udp);
  g_test_add_func ("/agent/sources/unix", test_unix);
  g_test_add_func ("/agent/sources/syscalls", test_syscalls);
  g_test_add_func ("/agent/sources/samples", test_samples);
  g_test_add_func ("/agent/sources/probes", test_probes);
  g_test_add_func ("/agent/sources/refused-probes", test_refused_probes);
  g_test_add_func ("/agent/sources/killed", test_killed);
  g_test_add_func ("/agent/sources/repairs", test_repairs);
  g_test_add_func ("/agent/sources/overflow", test_overflow);
  return g_test_run ();
}
