/* cli-signals.c: Ctrl-C, SIGTERM and SIGHUP: the first signal calls a function that ends the
 * current work; the second one, or one without such work, removes the temporary files and ends the
 * program. The handlers are set again if a plug-in replaces them. SIGPIPE is ignored, so that a
 * write to a closed pipe returns an error
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
/* How often the handlers are set again, µs. */
#define RENEWAL_INTERVAL 200000

typedef void (*SignalHandler) (int);

typedef struct
{
  int number;
  /* ignored when the program started, as with nohup and shells without job control */
  gboolean was_ignored;
  /* NULL: it is not ours, and stays as it is */
  _Atomic (SignalHandler) handler;
} EndSignal;

static EndSignal end_signals[] = { { SIGINT }, { SIGTERM }, { SIGHUP } };

static pid_t owner_pid;
static int wakeup = -1;
static gboolean pipe_was_ignored;
static CliSignalFunc watch_func;
static gpointer watch_data;
static guint watch_source;

/* Used by the signal handler. */
static atomic_bool is_ending;
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

  atomic_store (&is_ending, TRUE);
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

static void
set_handler (EndSignal *end_signal, SignalHandler handler)
{
  atomic_store (&end_signal->handler, handler);
  set_action (end_signal->number, handler);
}

/* A plug-in, or a library that it loads, may replace a handler, block signals in its thread, and
 * not return. This thread blocks none. */
static gpointer
renew_handlers (gpointer data)
{
  for (;; g_usleep (RENEWAL_INTERVAL))
    for (guint i = 0; i < G_N_ELEMENTS (end_signals); i++)
      {
        SignalHandler handler = atomic_load (&end_signals[i].handler);
        struct sigaction action;

        if (atomic_load (&is_ending))
          return NULL;
        if (handler != NULL && sigaction (end_signals[i].number, NULL, &action) == 0
            && action.sa_handler != handler)
          set_action (end_signals[i].number, handler);
      }
}

void
cli_signals_install (void)
{
  struct sigaction action;

  owner_pid = getpid ();
  atomic_store (&is_ending, FALSE);
  atomic_store (&request_time, G_MININT64 / 2);
  wakeup = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wakeup < 0)
    g_error ("no event descriptor: %s", g_strerror (errno));
  for (guint i = 0; i < G_N_ELEMENTS (end_signals); i++)
    {
      end_signals[i].was_ignored
          = sigaction (end_signals[i].number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
      if (!end_signals[i].was_ignored)
        set_handler (&end_signals[i], on_signal);
    }
  g_thread_unref (g_thread_new ("signals", renew_handlers, NULL));
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
      set_handler (&end_signals[i], handler);
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
  watch_func = NULL;
}
