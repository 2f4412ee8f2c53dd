/* test-agent-sleeps.c: test of the objects of sleeps recorded by a real tailback-agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../test-folder.h"
#include "agent-run.h"

#define PAUSE_US 20000
#define TIMEOUT_NS 30000000

/* One kind of sleep, and the thread that ends it. */
typedef struct
{
  guint kind;
  char *object;      /* NULL: any */
  gpointer futex;    /* the address of the object */
  gint64 timeout;    /* ns; 0: none, -1: about TIMEOUT_NS, absolute */
  guint32 operation; /* 0: any */
  void (*block) (int descriptor);
  void (*wake) (int descriptor);
  int descriptor;
  int other;
} Sleep;

static guint32 data_futex = 7, bss_futex;
static GPtrArray *sleeps;

static void
block_in_read (int descriptor)
{
  char byte;

  g_assert_cmpint (read (descriptor, &byte, 1), >=, 0);
}

static void
block_in_receive (int descriptor)
{
  char byte;

  g_assert_cmpint (recv (descriptor, &byte, 1, 0), ==, 1);
}

static void
block_in_counter (int descriptor)
{
  guint64 count;

  g_assert_cmpint (read (descriptor, &count, sizeof count), ==, sizeof count);
}

/* The timer has expired once before. */
static void
block_in_timer (int descriptor)
{
  block_in_counter (descriptor);
  block_in_counter (descriptor);
}

static void
block_in_accept (int descriptor)
{
  int accepted = accept (descriptor, NULL, NULL);

  g_assert_cmpint (accepted, >=, 0);
  close (accepted);
}

static void
block_in_lock (int descriptor)
{
  g_assert_cmpint (flock (descriptor, LOCK_EX), ==, 0);
}

static void
block_in_record_lock (int descriptor)
{
  struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  g_assert_cmpint (fcntl (descriptor, F_SETLKW, &range), ==, 0);
}

static void
block_in_data_futex (int descriptor)
{
  syscall (SYS_futex, &data_futex, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 7, NULL, NULL, 0);
}

static void
block_in_bss_futex (int descriptor)
{
  struct timespec until;

  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_nsec += TIMEOUT_NS;
  if (until.tv_nsec >= 1000000000)
    {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
  syscall (SYS_futex, &bss_futex, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, &until, NULL,
           FUTEX_BITSET_MATCH_ANY);
}

static void
block_in_poll (int descriptor)
{
  struct pollfd polled = { .fd = descriptor, .events = POLLIN };

  poll (&polled, 1, TIMEOUT_NS / 1000000);
}

static void
block_in_select (int descriptor)
{
  struct timeval timeout = { .tv_usec = TIMEOUT_NS / 1000 };
  fd_set set;

  FD_ZERO (&set);
  FD_SET (descriptor, &set);
  select (descriptor + 1, &set, NULL, NULL, &timeout);
}

/* Each has a timeout of its own, by which its record is found. */
static void
block_in_poll_of_none (int descriptor)
{
  poll (&(struct pollfd) { .fd = -1 }, 1, TIMEOUT_NS / 1000000 + 1);
}

static void
block_in_select_of_none (int descriptor)
{
  struct timeval timeout = { .tv_usec = TIMEOUT_NS / 1000 + 2000 };

  select (0, NULL, NULL, NULL, &timeout);
}

static void
block_in_sleep (int descriptor)
{
  struct timespec pause = { .tv_nsec = TIMEOUT_NS };

  nanosleep (&pause, NULL);
}

static void
block_in_wait (int descriptor)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      usleep (PAUSE_US);
      _exit (0);
    }
  waitpid (pid, NULL, 0);
}

static void
wake_by_byte (int descriptor)
{
  g_assert_cmpint (write (descriptor, "x", 1), ==, 1);
}

static void
wake_by_count (int descriptor)
{
  guint64 one = 1;

  g_assert_cmpint (write (descriptor, &one, sizeof one), ==, sizeof one);
}

static void
wake_by_unlock (int descriptor)
{
  flock (descriptor, LOCK_UN);
}

/* The lock is of this open file, so that another thread of the process waits for it. */
static void
set_open_file_lock (int descriptor, int type)
{
  struct flock range = { .l_type = (short) type, .l_whence = SEEK_SET };

  g_assert_cmpint (fcntl (descriptor, F_OFD_SETLK, &range), ==, 0);
}

static void
wake_by_record_unlock (int descriptor)
{
  set_open_file_lock (descriptor, F_UNLCK);
}

static void
wake_data_futex (int descriptor)
{
  /* A thread that has not begun to wait must not wait forever. */
  g_atomic_int_set ((gint *) &data_futex, 8);
  syscall (SYS_futex, &data_futex, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

static void
wake_by_connect (int descriptor)
{
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  int client = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  getsockname (descriptor, (struct sockaddr *) &address, &length);
  g_assert_cmpint (connect (client, (struct sockaddr *) &address, length), ==, 0);
  close (client);
}

static Sleep *
add (guint kind, char *object, void (*block) (int), int descriptor, void (*wake) (int), int other)
{
  Sleep *self = g_new0 (Sleep, 1);

  *self = (Sleep) { .kind = kind,
                    .object = object,
                    .block = block,
                    .descriptor = descriptor,
                    .wake = wake,
                    .other = other };
  g_ptr_array_add (sleeps, self);
  return self;
}

static void
add_network (void)
{
  struct sockaddr_in address
      = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int client = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), server;
  socklen_t length = sizeof address;

  g_assert_cmpint (bind (listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (listener, 5), ==, 0);
  g_assert_cmpint (getsockname (listener, (struct sockaddr *) &address, &length), ==, 0);
  g_assert_cmpint (connect (client, (struct sockaddr *) &address, length), ==, 0);
  server = accept (listener, NULL, NULL);
  g_assert_cmpint (server, >=, 0);
  add (TB_CAPTURE_SLEEP_SOCKET, g_strdup_printf ("127.0.0.1:%u", ntohs (address.sin_port)),
       block_in_receive, client, wake_by_byte, server);
  add (TB_CAPTURE_SLEEP_SOCKET, g_strdup_printf ("127.0.0.1:%u", ntohs (address.sin_port)),
       block_in_accept, listener, wake_by_connect, listener);
}

static void
add_unix_socket (const char *folder)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int client = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_snprintf (address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  g_assert_cmpint (bind (listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (listener, 5), ==, 0);
  g_assert_cmpint (connect (client, (struct sockaddr *) &address, sizeof address), ==, 0);
  add (TB_CAPTURE_SLEEP_SOCKET, g_strdup (address.sun_path), block_in_receive, client, wake_by_byte,
       accept (listener, NULL, NULL));
}

static void
add_files (const char *folder)
{
  g_autofree char *locked = g_build_filename (folder, "locked file", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo", NULL);
  int holder = open (locked, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (flock (holder, LOCK_EX), ==, 0);
  add (TB_CAPTURE_SLEEP_FILE_LOCK, g_strdup (locked), block_in_lock,
       open (locked, O_RDWR | O_CLOEXEC), wake_by_unlock, holder)
      ->operation
      = 1 + LOCK_EX;
  set_open_file_lock (holder, F_WRLCK);
  add (TB_CAPTURE_SLEEP_FILE_LOCK, g_strdup (locked), block_in_record_lock,
       open (locked, O_RDWR | O_CLOEXEC), wake_by_record_unlock, holder)
      ->operation
      = 1 + F_SETLKW;
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  holder = open (fifo, O_RDWR | O_CLOEXEC);
  add (TB_CAPTURE_SLEEP_PIPE, g_strdup (fifo), block_in_read, open (fifo, O_RDONLY | O_CLOEXEC),
       wake_by_byte, holder);
}

static void
add_descriptors (void)
{
  struct itimerspec timer
      = { .it_value.tv_nsec = PAUSE_US * 1000, .it_interval.tv_nsec = PAUSE_US * 1000 };
  int pipes[2], event = eventfd (0, EFD_CLOEXEC),
                clock = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC);
  g_autofree char *link = NULL;

  g_assert_cmpint (pipe2 (pipes, O_CLOEXEC), ==, 0);
  link = g_strdup_printf ("/proc/self/fd/%d", pipes[0]);
  add (TB_CAPTURE_SLEEP_PIPE, g_file_read_link (link, NULL), block_in_read, pipes[0], wake_by_byte,
       pipes[1]);
  /* The only descriptor of a set is what is waited for. */
  add (TB_CAPTURE_SLEEP_POLL, g_file_read_link (link, NULL), block_in_poll, pipes[0], NULL, -1)
      ->timeout
      = TIMEOUT_NS;
  add (TB_CAPTURE_SLEEP_POLL, g_file_read_link (link, NULL), block_in_select, pipes[0], NULL, -1)
      ->timeout
      = TIMEOUT_NS;
  add (TB_CAPTURE_SLEEP_EVENT, g_strdup ("[eventfd]"), block_in_counter, event, wake_by_count,
       event);
  timerfd_settime (clock, 0, &timer, NULL);
  add (TB_CAPTURE_SLEEP_TIMER, g_strdup ("[timerfd]"), block_in_timer, clock, NULL, -1);
}

static void
fill (const char *folder)
{
  sleeps = g_ptr_array_new_with_free_func (g_free);
  add_network ();
  add_unix_socket (folder);
  add_files (folder);
  add_descriptors ();
  data_futex = 7;
  add (TB_CAPTURE_SLEEP_LOCK, NULL, block_in_data_futex, -1, wake_data_futex, -1)->futex
      = &data_futex;
  add (TB_CAPTURE_SLEEP_LOCK, NULL, block_in_bss_futex, -1, NULL, -1)->futex = &bss_futex;
  ((Sleep *) g_ptr_array_index (sleeps, sleeps->len - 1))->timeout = -1;
  ((Sleep *) g_ptr_array_index (sleeps, sleeps->len - 1))->operation
      = 1 + (FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG);
  /* Without descriptors they only wait for time. */
  add (TB_CAPTURE_SLEEP_TIME, NULL, block_in_poll_of_none, -1, NULL, -1)->timeout
      = TIMEOUT_NS + 1000000;
  add (TB_CAPTURE_SLEEP_TIME, NULL, block_in_select_of_none, -1, NULL, -1)->timeout
      = TIMEOUT_NS + 2000000;
  add (TB_CAPTURE_SLEEP_TIME, NULL, block_in_sleep, -1, NULL, -1)->timeout = TIMEOUT_NS;
  add (TB_CAPTURE_SLEEP_CHILD, NULL, block_in_wait, -1, NULL, -1);
}

static gpointer
run_waker (gpointer data)
{
  Sleep *self = data;

  usleep (PAUSE_US);
  self->wake (self->other);
  return NULL;
}

static void
run_all (void)
{
  for (guint i = 0; i < sleeps->len; i++)
    {
      Sleep *self = g_ptr_array_index (sleeps, i);
      GThread *waker = self->wake != NULL ? g_thread_new ("waker", run_waker, self) : NULL;

      self->block (self->descriptor);
      g_clear_pointer (&waker, g_thread_join);
    }
}

/* Address of the first page of this program. */
static guint64
find_base (void)
{
  g_autofree char *maps = NULL, *program = g_file_read_link ("/proc/self/exe", NULL);
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_suffix (lines[i], program))
      return g_ascii_strtoull (lines[i], NULL, 16);
  g_assert_not_reached ();
}

static gboolean
fits (AgentRun *run, const Sleep *wanted, const TbCaptureSleep *is_recorded)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);

  if (is_recorded->kind != wanted->kind
      || (wanted->operation != 0 && is_recorded->operation != wanted->operation))
    return FALSE;
  if (wanted->object != NULL
      && g_strcmp0 (agent_run_get_string (run, is_recorded->object), wanted->object) != 0)
    return FALSE;
  if (wanted->timeout == 0 && is_recorded->timeout != TB_CAPTURE_TIMEOUT_NONE)
    return FALSE;
  if (wanted->timeout > 0 && is_recorded->timeout != (guint64) wanted->timeout)
    return FALSE;
  if (wanted->timeout < 0
      && (is_recorded->timeout > TIMEOUT_NS || is_recorded->timeout < TIMEOUT_NS / 2))
    return FALSE;
  if (wanted->futex == NULL)
    return TRUE;
  if (is_recorded->address != (gsize) wanted->futex || is_recorded->module == 0
      || is_recorded->offset != is_recorded->address - find_base ())
    return FALSE;
  AGENT_RUN_FOREACH (run, record)
  if (record->type == TB_CAPTURE_MODULE && record->module.id == is_recorded->module)
    return g_strcmp0 (agent_run_get_string (run, record->module.path), program) == 0
           && record->tail_length > 0;
  return FALSE;
}

static gboolean
was_recorded (AgentRun *run, const Sleep *wanted)
{
  gboolean found = FALSE;

  AGENT_RUN_FOREACH (run, record)
  if (record->type == TB_CAPTURE_SWITCH && record->sched_switch.tid == getpid ()
      && record->sched_switch.sleep != 0)
    AGENT_RUN_FOREACH (run, definition)
  if (definition->type == TB_CAPTURE_SLEEP && definition->sleep.id == record->sched_switch.sleep)
    found |= fits (run, wanted, &definition->sleep);
  return found;
}

/* Returns kind and object of the first sleep that was not recorded; NULL: all were. */
static char *
record_sleeps (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  g_autofree char *folder = g_dir_make_tmp ("sleeps-XXXXXX", NULL);
  char *missing = NULL;
  AgentRun *run;

  fill (folder);
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  run_all ();
  agent_run_stop (run);
  agent_run_check (run);
  for (guint i = 0; i < sleeps->len; i++)
    {
      const Sleep *wanted = g_ptr_array_index (sleeps, i);

      if (missing == NULL && !was_recorded (run, wanted))
        missing = g_strdup_printf ("%u in %s", wanted->kind,
                                   wanted->object != NULL ? wanted->object : "-");
      g_free (wanted->object);
    }
  agent_run_free (run);
  g_ptr_array_unref (sleeps);
  test_folder_remove (folder);
  return missing;
}

/* A thread that gets no CPU until its event has happened does not sleep, so the test tries
 * again. */
static void
test_sleeps (void)
{
  g_autofree char *missing = NULL;

  if (!agent_run_is_privileged ())
    return;
  for (guint i = 0; i < 6; i++)
    {
      g_free (missing);
      missing = record_sleeps ();
      if (missing == NULL)
        return;
      g_test_message ("no sleep %s was recorded", missing);
    }
  g_error ("no sleep %s was recorded", missing);
}

#define N_SETS 6

/* Waits for sets of two or three descriptors, each with a timeout of its own. The first and the
 * second set are equal, as are the fourth and the fifth one, and no others. */
static void
wait_for_sets (void)
{
  int fds[3], epoll = epoll_create1 (EPOLL_CLOEXEC);

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    fds[i] = eventfd (0, EFD_CLOEXEC);
  for (int i = 0; i < 3; i++)
    {
      struct pollfd set[] = { { .fd = fds[i == 1], .events = POLLIN },
                              { .fd = -1 },
                              { .fd = fds[i == 0   ? 1
                                          : i == 1 ? 0
                                                   : 2],
                                .events = POLLIN } };

      poll (set, G_N_ELEMENTS (set), 11 + i);
    }
  for (int i = 3; i < 5; i++)
    {
      struct timeval timeout = { .tv_usec = (11 + i) * 1000 };
      fd_set set;

      FD_ZERO (&set);
      FD_SET (fds[0], &set);
      FD_SET (fds[1], &set);
      select (fds[2] + 1, i == 3 ? &set : NULL, NULL, i == 3 ? NULL : &set, &timeout);
    }
  epoll_wait (epoll, &(struct epoll_event) { 0 }, 1, 11 + 5);
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    close (fds[i]);
  close (epoll);
}

/* numbers: of each set; 0: not recorded */
static gboolean
record_sets (guint64 *numbers)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  gboolean is_complete = TRUE;

  agent_run_start (run, &start);
  wait_for_sets ();
  agent_run_stop (run);
  agent_run_check (run);
  for (guint i = 0; i < N_SETS; i++)
    {
      numbers[i] = 0;
      AGENT_RUN_FOREACH (run, record)
      if (record->type == TB_CAPTURE_SLEEP && record->sleep.kind == TB_CAPTURE_SLEEP_POLL
          && record->sleep.timeout == (11 + i) * 1000000u)
        numbers[i] = record->sleep.address;
      is_complete &= numbers[i] != 0;
    }
  agent_run_free (run);
  return is_complete;
}

static void
test_sets (void)
{
  guint64 numbers[N_SETS];
  gboolean is_complete = FALSE;

  if (!agent_run_is_privileged ())
    return;
  /* Other threads of this system may have the same timeouts. */
  for (guint i = 0; i < 6 && !is_complete; i++)
    is_complete = record_sets (numbers);
  g_assert_true (is_complete);
  for (guint i = 0; i < N_SETS; i++)
    for (guint k = 0; k < i; k++)
      g_assert_cmpint (numbers[i] == numbers[k], ==, (i == 1 && k == 0) || (i == 4 && k == 3));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-sleeps/sets", test_sets);
  g_test_add_func ("/agent-sleeps/kinds-and-objects", test_sleeps);
  return g_test_run ();
}
