/* cli-signals.c: Ctrl-C, SIGTERM and SIGHUP: the first signal calls a function that ends the
 * current work; the second one, or one without such work, removes the temporary files and ends the
 * program. SIGPIPE is ignored, so that a write to a closed pipe returns an error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <glib-unix.h>

#include "cli.h"
#include "session/file/tb-temporary-folder.h"

/* timeout(1) sends its signal to the program and then to its process group: both are one
 * request. */
#define SAME_REQUEST_NS (50 * 1000000ll)
/* How often the handlers are set again during a watch, ms. */
#define RENEWAL_INTERVAL 200

typedef struct
{
  int number;
  /* ignored when the program started, as with nohup and shells without job control */
  gboolean was_ignored;
} EndSignal;

static EndSignal end_signals[] = { { SIGINT }, { SIGTERM }, { SIGHUP } };

static pid_t owner_pid;
static int wakeup = -1;
static gboolean pipe_was_ignored;
static CliSignalFunc watch_func;
static gpointer watch_data;
static guint watch_source;
static guint renewal_source;

/* Used by the signal handler. */
static atomic_bool is_watched;
static atomic_bool is_requested;
static _Atomic (gint64) request_time;

/* Async-signal-safe. */
static gint64
get_time_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * (gint64) 1000000000 + now.tv_nsec;
}

static void
set_action (int number, void (*handler) (int))
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

  sigemptyset (&action.sa_mask);
  sigaction (number, &action, NULL);
}

void
cli_signals_end (int number)
{
  sigset_t set;

  tb_temporary_folder_remove_all ();
  set_action (number, SIG_DFL);
  sigemptyset (&set);
  sigaddset (&set, number);
  sigprocmask (SIG_UNBLOCK, &set, NULL);
  raise (number);
  _exit (128 + number);
}

/* The first request goes to the watch. The second one, or one without a watch, ends the program
 * here, whatever its threads do. */
static void
on_signal (int number)
{
  int error_number = errno;
  gint64 now = get_time_ns ();
  guint64 one = 1;

  if (getpid () != owner_pid)
    cli_signals_end (number);
  if (now - atomic_load (&request_time) < SAME_REQUEST_NS)
    return;
  if (!atomic_load (&is_watched) || atomic_exchange (&is_requested, TRUE))
    cli_signals_end (number);
  atomic_store (&request_time, now);
  (void) !write (wakeup, &one, sizeof one);
  errno = error_number;
}

static gboolean
handle_request (int fd, GIOCondition condition, gpointer data)
{
  guint64 count;

  if (read (fd, &count, sizeof count) == sizeof count && watch_func != NULL)
    watch_func (watch_data);
  return G_SOURCE_CONTINUE;
}

void
cli_signals_install (void)
{
  struct sigaction action;

  owner_pid = getpid ();
  atomic_store (&request_time, G_MININT64 / 2);
  wakeup = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wakeup < 0)
    g_error ("no event descriptor: %s", g_strerror (errno));
  for (guint i = 0; i < G_N_ELEMENTS (end_signals); i++)
    {
      end_signals[i].was_ignored
          = sigaction (end_signals[i].number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
      if (!end_signals[i].was_ignored)
        set_action (end_signals[i].number, on_signal);
    }
  /* Writing to a closed pipe returns an error; the caller decides what follows. */
  pipe_was_ignored = sigaction (SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
  set_action (SIGPIPE, SIG_IGN);
}

gboolean
cli_signals_pipe_was_ignored (void)
{
  return pipe_was_ignored;
}

/* During a watch, ignored signals cancel the work too, so that a command in the background can be
 * ended. SIGHUP stays ignored, so that nohup works. */
static void
set_ignored (void (*handler) (int))
{
  for (guint i = 0; i < G_N_ELEMENTS (end_signals); i++)
    if (end_signals[i].was_ignored && end_signals[i].number != SIGHUP)
      set_action (end_signals[i].number, handler);
}

/* A plug-in, or a library that it loads, may have replaced a handler or blocked the signals. */
static gboolean
renew_handlers (gpointer data)
{
  struct sigaction action;
  sigset_t set;

  sigemptyset (&set);
  for (guint i = 0; i < G_N_ELEMENTS (end_signals); i++)
    {
      if (end_signals[i].was_ignored && end_signals[i].number == SIGHUP)
        continue;
      sigaddset (&set, end_signals[i].number);
      if (sigaction (end_signals[i].number, NULL, &action) == 0 && action.sa_handler != on_signal)
        set_action (end_signals[i].number, on_signal);
    }
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  return G_SOURCE_CONTINUE;
}

void
cli_signals_watch (CliSignalFunc func, gpointer data)
{
  guint64 count;

  g_return_if_fail (watch_func == NULL);

  (void) !read (wakeup, &count, sizeof count);
  watch_func = func;
  watch_data = data;
  watch_source = g_unix_fd_add (wakeup, G_IO_IN, handle_request, NULL);
  renewal_source = g_timeout_add (RENEWAL_INTERVAL, renew_handlers, NULL);
  atomic_store (&is_requested, FALSE);
  atomic_store (&is_watched, TRUE);
  set_ignored (on_signal);
}

void
cli_signals_unwatch (void)
{
  if (watch_func == NULL)
    return;
  set_ignored (SIG_IGN);
  atomic_store (&is_watched, FALSE);
  g_clear_handle_id (&watch_source, g_source_remove);
  g_clear_handle_id (&renewal_source, g_source_remove);
  watch_func = NULL;
}
