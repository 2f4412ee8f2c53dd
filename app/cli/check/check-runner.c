/* check-runner.c: run of the checks of a plug-in in processes of their own: a process runs one
 * check after another until one crashes or takes too long; the next process continues after that
 * one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "check/check.h"

/* The process with the checks writes its results there: "begin NAME", then "passed" or
 * "failed MESSAGE", each escaped; "end" after the last check. */
#define RESULT_FD 3
#define STDERR_TAIL 4096
#define LOADING_US (20 * G_USEC_PER_SEC)

/* ---- in the process with the checks ---- */

static char *first_complaint;

/* A message of GLib about a wrong use of a function. */
static GLogWriterOutput
note_complaint (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  if ((level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) && first_complaint == NULL)
    for (gsize i = 0; i < n_fields; i++)
      if (strcmp (fields[i].key, "MESSAGE") == 0)
        first_complaint = fields[i].length < 0
                              ? g_strdup (fields[i].value)
                              : g_strndup (fields[i].value, (gsize) fields[i].length);
  return g_log_writer_default (level, fields, n_fields, data);
}

static void
write_line (const char *word, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = g_strescape (valid, NULL);
  g_autofree char *line = g_strdup_printf ("%s %s\n", word, escaped);
  const char *rest = line;

  while (*rest != '\0')
    {
      gssize written = write (RESULT_FD, rest, strlen (rest));

      if (written < 0 && errno != EINTR)
        _exit (CLI_FAILURE);
      rest += MAX (written, 0);
    }
}

/* What was written to standard output, which is a file. */
static gint64
get_output_size (void)
{
  struct stat status;

  fflush (stdout);
  return fstat (STDOUT_FILENO, &status) == 0 ? status.st_size : 0;
}

static gboolean
run_check (const CheckSubject *subject, const Check *check, GError **error)
{
  gint64 before = get_output_size ();

  g_clear_pointer (&first_complaint, g_free);
  if (!check->func (subject, &check->parameter, error))
    return FALSE;
  if (first_complaint != NULL)
    return check_fail (error, _ ("it uses a function wrongly: %s"), first_complaint);
  if (get_output_size () != before)
    return check_fail (error,
                       _ ("it writes to standard output, where it would be a part of a report"));
  return TRUE;
}

static gboolean
is_unknown (const CheckSubject *subject)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GObject) plugin = check_create (subject, &error);

  return plugin == NULL && g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
}

/* Finds the kind of a plug-in that is named ID or KIND/ID. Only plug-ins of that ID are loaded. */
static gboolean
find_plugin (CheckSubject *subject, const char *name, GError **error)
{
  static const char *const kinds[] = { "analysis", "collector", "exporter", "importer" };
  const char *slash = strchr (name, '/'), *found = NULL;

  subject->id = slash != NULL ? slash + 1 : name;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      subject->kind = kinds[i];
      if ((slash != NULL && (!g_str_has_prefix (name, kinds[i]) || name[strlen (kinds[i])] != '/'))
          || is_unknown (subject))
        continue;
      if (found != NULL)
        return cli_usage_error (error, _ ("there are several plug-ins “%s”: use %s/%s or %s/%s"),
                                name, found, name, kinds[i], name);
      found = kinds[i];
    }
  subject->kind = found;
  if (found == NULL)
    return cli_usage_error (error, _ ("unknown plug-in “%s”: “tailback-cli list” lists them"),
                            name);
  return TRUE;
}

static void
run_list (GPtrArray *list, const CheckSubject *subject, guint first)
{
  for (guint i = first; i < list->len; i++)
    {
      const Check *check = g_ptr_array_index (list, i);
      g_autoptr (GError) error = NULL;

      write_line ("begin", check->name);
      if (run_check (subject, check, &error))
        write_line ("passed", "");
      else
        write_line ("failed", error != NULL ? error->message : _ ("unknown reason"));
    }
}

void
check_run_from (const char *plugin, char **files, guint first)
{
  CheckSubject subject = { .files = files };
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  g_log_set_writer_func (note_complaint, NULL, NULL);
  if (!find_plugin (&subject, plugin, &error))
    {
      write_line ("usage", error->message);
      return;
    }
  name = g_strconcat (subject.kind, "/", subject.id, NULL);
  write_line ("plugin", name);
  list = check_list_of_plugin (&subject);
  run_list (list, &subject, first);
  write_line ("end", "");
}

/* ---- in the process that shows the results ---- */

typedef struct
{
  GPid pid;
  int results;     /* its RESULT_FD */
  int diagnostics; /* its standard error, a file */
  GString *received;
} Worker;

static void
worker_clear (Worker *worker)
{
  if (worker->results >= 0)
    close (worker->results);
  if (worker->diagnostics >= 0)
    close (worker->diagnostics);
  if (worker->received != NULL)
    g_string_free (worker->received, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Worker, worker_clear)

static gboolean
worker_start (Worker *worker, const CheckResults *results, char **files, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *number = g_strdup_printf ("%u", results->list->len);
  int output = memfd_create ("output", MFD_CLOEXEC), pipe_fds[2] = { -1, -1 };
  g_auto (GStrv) argv = NULL;
  const int target = RESULT_FD;
  gboolean started;

  g_strv_builder_add_many (builder, "/proc/self/exe", "check-plugin", "--from-check", number, "--",
                           results->plugin, NULL);
  if (files != NULL)
    g_strv_builder_addv (builder, (const char **) files);
  argv = g_strv_builder_end (builder);
  worker->diagnostics = memfd_create ("diagnostics", MFD_CLOEXEC);
  worker->received = g_string_new (NULL);
  if (output < 0 || worker->diagnostics < 0 || pipe2 (pipe_fds, O_CLOEXEC) != 0)
    return check_fail (error, _ ("cannot start a process: %s"), g_strerror (errno));
  worker->results = pipe_fds[0];
  started = g_spawn_async_with_pipes_and_fds (NULL, (const char *const *) argv, NULL,
                                              G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, -1, output,
                                              worker->diagnostics, &pipe_fds[1], &target, 1,
                                              &worker->pid, NULL, NULL, NULL, error);
  close (output);
  close (pipe_fds[1]);
  return started;
}

typedef enum
{
  LINE_READ,
  LINE_END,
  LINE_TIMEOUT,
} LineResult;

/* Reads the next line of results. (transfer full) */
static LineResult
worker_read (Worker *worker, gint64 deadline_us, char **line)
{
  char *end;

  while ((end = strchr (worker->received->str, '\n')) == NULL)
    {
      gint64 left_ms = (deadline_us - g_get_monotonic_time ()) / 1000;
      struct pollfd wanted = { .fd = worker->results, .events = POLLIN };
      char buffer[4096];
      gssize n;

      if (left_ms <= 0)
        return LINE_TIMEOUT;
      if (poll (&wanted, 1, (int) MIN (left_ms, G_MAXINT)) <= 0)
        continue;
      n = read (worker->results, buffer, sizeof buffer);
      if (n == 0 || (n < 0 && errno != EINTR))
        return LINE_END;
      g_string_append_len (worker->received, buffer, MAX (n, 0));
    }
  *line = g_strndup (worker->received->str, (gsize) (end - worker->received->str));
  g_string_erase (worker->received, 0, end + 1 - worker->received->str);
  return LINE_READ;
}

/* The last line that it wrote to standard error, such as that of a Python traceback. */
static char *
worker_get_last_line (Worker *worker)
{
  char buffer[STDERR_TAIL];
  struct stat status;
  gssize n;
  char *text, *line;

  if (fstat (worker->diagnostics, &status) != 0)
    return NULL;
  n = pread (worker->diagnostics, buffer, sizeof buffer, MAX (0, status.st_size - STDERR_TAIL));
  if (n <= 0)
    return NULL;
  text = g_strchomp (g_strndup (buffer, (gsize) n));
  line = strrchr (text, '\n');
  line = g_utf8_make_valid (line != NULL ? line + 1 : text, -1);
  g_free (text);
  return line;
}

/* Why the process ended in the middle of a check. (transfer full) */
static char *
describe_end (Worker *worker, int status)
{
  g_autofree char *line = worker_get_last_line (worker);
  const char *colon = line != NULL && *line != '\0' ? ": " : "", *last = line != NULL ? line : "";

  if (WIFSIGNALED (status))
    return g_strdup_printf (_ ("it ends the program by the signal %s%s%s"),
                            g_strsignal (WTERMSIG (status)), colon, last);
  return g_strdup_printf (_ ("it ends the program with the exit status %d%s%s"),
                          WEXITSTATUS (status), colon, last);
}

static void
check_result_free (gpointer data)
{
  CheckResult *result = data;

  g_free (result->name);
  g_free (result->message);
  g_free (result);
}

CheckResults *
check_results_new (const char *plugin, void (*added) (const CheckResults *results))
{
  CheckResults *self = g_new0 (CheckResults, 1);

  self->plugin = g_strdup (plugin);
  self->list = g_ptr_array_new_with_free_func (check_result_free);
  self->added = added;
  return self;
}

void
check_results_free (CheckResults *self)
{
  g_free (self->plugin);
  g_ptr_array_unref (self->list);
  g_free (self);
}

static void
add_result (CheckResults *results, const char *name, gboolean passed, const char *message)
{
  CheckResult *result = g_new0 (CheckResult, 1);

  result->name = g_strdup (name);
  result->passed = passed;
  result->message = passed ? NULL : g_strdup (message);
  g_ptr_array_add (results->list, result);
  if (results->added != NULL)
    results->added (results);
}

/* State of one process. */
typedef struct
{
  char *running; /* name of the check that has begun */
  char *misuse;  /* the plug-in cannot be checked, because it was named wrongly */
  gboolean has_begun;
  gboolean is_complete;
} Progress;

static void
progress_clear (Progress *progress)
{
  g_free (progress->running);
  g_free (progress->misuse);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Progress, progress_clear)

static void
take_line (CheckResults *results, Progress *progress, const char *line)
{
  const char *space = strchr (line, ' ');
  g_autofree char *text = g_strcompress (space != NULL ? space + 1 : "");

  if (g_str_has_prefix (line, "end "))
    progress->is_complete = TRUE;
  else if (g_str_has_prefix (line, "usage "))
    g_set_str (&progress->misuse, text);
  else if (g_str_has_prefix (line, "plugin "))
    g_set_str (&results->plugin, text);
  else if (g_str_has_prefix (line, "begin "))
    {
      g_set_str (&progress->running, text);
      progress->has_begun = TRUE;
    }
  else if (progress->running != NULL)
    {
      add_result (results, progress->running, g_str_has_prefix (line, "passed "), text);
      g_clear_pointer (&progress->running, g_free);
    }
}

/* Between checks, plug-ins are loaded. */
static gint64
get_deadline (const Progress *progress, gint64 timeout_us)
{
  return g_get_monotonic_time ()
         + (progress->running != NULL ? timeout_us : MAX (timeout_us, LOADING_US));
}

/* Reads the results of one process to its end. */
static void
follow (Worker *worker, CheckResults *results, Progress *progress, gint64 timeout_us)
{
  LineResult read;
  char *line = NULL;
  g_autofree char *reason = NULL, *timeout = NULL;
  int status = 0;

  while (!progress->is_complete && progress->misuse == NULL
         && (read = worker_read (worker, get_deadline (progress, timeout_us), &line)) == LINE_READ)
    {
      take_line (results, progress, line);
      g_clear_pointer (&line, g_free);
    }
  if (progress->is_complete || progress->misuse != NULL || read == LINE_TIMEOUT)
    kill (worker->pid, SIGKILL);
  while (waitpid (worker->pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (progress->is_complete || progress->misuse != NULL)
    return;
  timeout = tb_format_duration (timeout_us * 1000);
  reason = read == LINE_TIMEOUT ? g_strdup_printf (_ ("it does not end within %s"), timeout)
                                : describe_end (worker, status);
  add_result (results, progress->running != NULL ? progress->running : "loading", FALSE, reason);
}

gboolean
check_run_all (CheckResults *results, char **files, gint64 timeout_ns, GError **error)
{
  for (;;)
    {
      g_auto (Worker) worker = { .results = -1, .diagnostics = -1 };
      g_auto (Progress) progress = { 0 };

      if (!worker_start (&worker, results, files, error))
        return FALSE;
      follow (&worker, results, &progress, timeout_ns / 1000);
      tb_temporary_folder_sweep ();
      if (progress.misuse != NULL)
        return cli_usage_error (error, "%s", progress.misuse);
      /* A plug-in that ends the program when it is loaded is not loaded again. */
      if (progress.is_complete || !progress.has_begun)
        return TRUE;
    }
}
