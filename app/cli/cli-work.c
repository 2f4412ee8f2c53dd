/* cli-work.c: long operations in a thread, cancelled by signals; progress line on a terminal,
 * warnings, width of the terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "cli.h"

#define PROGRESS_INTERVAL (G_USEC_PER_SEC / 10)
/* Work that is cancelled ends within this time (s), or it is reported. */
#define CANCEL_TIME 2

static GMutex progress_lock;
static gint64 progress_time;
static gboolean progress_shown;

typedef struct
{
  CliWorkFunc func;
  gpointer data;
  GCancellable *cancellable;
  GMainLoop *loop;
  guint late; /* source of the report that it does not end; 0: none */
  gboolean succeeded;
  GError *error;
} Work;

static void
show (const char *line)
{
  g_autofree char *local = g_locale_from_utf8 (line, -1, NULL, NULL, NULL);

  fprintf (stderr, "\r\033[K%s", local ? local : "");
  fflush (stderr);
  progress_shown = *line != '\0';
}

void
cli_progress_line (const char *format, ...)
{
  g_autoptr (GMutexLocker) locker = NULL;
  g_autofree char *line = NULL;
  va_list arguments;
  gint64 now = g_get_monotonic_time ();

  if (!isatty (STDERR_FILENO))
    return;
  locker = g_mutex_locker_new (&progress_lock);
  if (now - progress_time < PROGRESS_INTERVAL)
    return;
  progress_time = now;
  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  show (line);
}

void
cli_progress (double share, const char *what, gpointer data)
{
  cli_progress_line ("%3.0f %%  %s", CLAMP (share, 0, 1) * 100, what ? what : "");
}

void
cli_progress_clear (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&progress_lock);

  if (progress_shown)
    show ("");
}

void
cli_warn (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  cli_progress_clear ();
  g_printerr (_ ("warning: %s\n"), g_strdelimit (message, "\n\r\033", ' '));
}

guint
cli_get_width (void)
{
  struct winsize size;

  if (!isatty (STDOUT_FILENO) || ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col;
}

static gboolean
report_late (gpointer data)
{
  Work *work = data;
  const char *plugin = cli_work_get_plugin ();

  work->late = 0;
  if (plugin != NULL)
    cli_warn (_ ("the plug-in “%s” goes on although it was cancelled; press Ctrl+C again to end "
                 "the program"),
              plugin);
  return G_SOURCE_REMOVE;
}

static void
cancel (gpointer data)
{
  Work *work = data;

  g_cancellable_cancel (work->cancellable);
  if (work->late == 0)
    work->late = g_timeout_add_seconds (CANCEL_TIME, report_late, work);
}

static gboolean
quit (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

static gpointer
run_works (gpointer data)
{
  GAsyncQueue *works = data;

  for (;;)
    {
      Work *work = g_async_queue_pop (works);

      work->succeeded = work->func (work->data, work->cancellable, &work->error);
      g_idle_add (quit, work->loop);
    }
  return NULL;
}

/* One thread does all work. */
static GAsyncQueue *
get_works (void)
{
  static GAsyncQueue *works;

  if (works == NULL)
    {
      works = g_async_queue_new ();
      g_thread_unref (g_thread_new ("work", run_works, works));
    }
  return works;
}

gboolean
cli_work (CliWorkFunc func, gpointer data, GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Work work = { .func = func, .data = data, .cancellable = cancellable, .loop = loop };

  cli_signals_watch (cancel, &work);
  g_async_queue_push (get_works (), &work);
  g_main_loop_run (loop);
  cli_signals_unwatch ();
  g_clear_handle_id (&work.late, g_source_remove);
  cli_progress_clear ();
  if (!work.succeeded && g_cancellable_is_cancelled (cancellable))
    {
      g_clear_error (&work.error);
      g_set_error (&work.error, CLI_ERROR, CLI_ERROR_INTERRUPTED, _ ("interrupted"));
    }
  if (!work.succeeded)
    g_propagate_error (error, work.error);
  return work.succeeded;
}
