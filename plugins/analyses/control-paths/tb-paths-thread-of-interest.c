/* tb-paths-thread-of-interest.c: choice of the process and the thread of interest: by id, number or
 * name in an option, else the selection or the recorded command, and the main thread; errors that
 * list candidates
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option.h"
#include "tb-paths-thread-of-interest.h"
#include "trace/tb-trace-evidence.h"
#include "trace/tb-trace-roles.h"

#define MAX_CANDIDATES 12
/* More processes of one name cannot be distinguished by what ran. */
#define MAX_EXAMINED 256

/* The kernel stores this many characters of a name. */
#define COMM_LENGTH 15

static int
compare_pids (gconstpointer a, gconstpointer b)
{
  return *(const gint32 *) a < *(const gint32 *) b ? -1 : *(const gint32 *) a > *(const gint32 *) b;
}

/* Whether a thread of a process ran in a range. */
static gboolean
has_run (TbTrace *trace, guint32 process, gint64 from, gint64 to)
{
  const TbIntervals *rows = tb_trace_get_intervals (trace);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

  for (guint32 i = 0; i < n_threads; i++)
    if (threads[i].process == process)
      {
        gsize first, n;

        tb_trace_get_thread_intervals (trace, i, &first, &n);
        for (gsize row = first; row < first + n; row++)
          if (rows->state[row] == TB_STATE_RUNNING && rows->start[row] < to
              && rows->end[row] > from)
            return TRUE;
      }
  return FALSE;
}

/* Leaves out processes that did not run in the chosen time, as long as others of that name did. */
static void
leave_out_inactive (TbTrace *trace, TbSelection *selection, GArray *matches)
{
  gint64 from, to;
  guint n_active = 0;

  if (matches->len > MAX_EXAMINED)
    return;
  tb_selection_get_range (selection, &from, &to);
  for (guint i = 0; i < matches->len; i++)
    {
      guint32 process = g_array_index (matches, guint32, i);

      if (has_run (trace, process, from, to))
        g_array_index (matches, guint32, n_active++) = process;
    }
  if (n_active > 0)
    g_array_set_size (matches, n_active);
}

static gboolean
descends_from (const TbProcess *processes, guint n_processes, guint32 process, guint32 ancestor)
{
  /* The parents come from a file and may form a cycle. The loop ends in that case too. */
  for (guint steps = 0; steps <= n_processes && process < n_processes; steps++)
    {
      if (process == ancestor)
        return TRUE;
      process = processes[process].parent;
    }
  return FALSE;
}

/* Chooses the match that all other matches descend from. Takes NULL as the text where the matches
 * are those of the selection. */
static gboolean
choose_process (TbTrace *trace, GArray *matches, const char *text, guint32 *process, GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  guint n_processes;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < matches->len; i++)
    {
      guint32 candidate = g_array_index (matches, guint32, i);
      guint k = 0;

      while (
          k < matches->len
          && descends_from (processes, n_processes, g_array_index (matches, guint32, k), candidate))
        k++;
      if (k == matches->len)
        {
          *process = candidate;
          return TRUE;
        }
      g_array_append_val (pids, processes[candidate].pid);
    }
  g_array_sort (pids, compare_pids);
  for (guint i = 0; i < pids->len && i < MAX_CANDIDATES; i++)
    g_string_append_printf (list, "%s%d", i > 0 ? ", " : "", g_array_index (pids, gint32, i));
  if (pids->len > MAX_CANDIDATES)
    g_string_append (list, ", …");
  if (text == NULL)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("the selection has several processes: choose one by its PID: %s"), list->str);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("“%s” is the name of several processes: choose one by its PID: %s"), text,
                 list->str);
  return FALSE;
}

static gboolean
has_name (TbTrace *trace,
          const TbProcess *process,
          const TbThread *threads,
          guint n_threads,
          const char *name)
{
  guint n_names;
  const TbThreadName *names = tb_session_get_thread_names (tb_trace_get_session (trace), &n_names);

  if (g_str_equal (process->name, name))
    return TRUE;
  for (guint i = 0; i < n_names; i++)
    if (names[i].thread < n_threads && threads[names[i].thread].process == process->id
        && threads[names[i].thread].tid == process->pid && g_str_equal (names[i].name, name))
      return TRUE;
  return FALSE;
}

static void
find_by_name (TbTrace *trace, const char *text, GArray *matches)
{
  TbSession *session = tb_trace_get_session (trace);
  guint n_processes, n_threads;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);

  for (guint32 i = 0; i < n_processes; i++)
    if (g_str_equal (processes[i].command, text)
        || has_name (trace, &processes[i], threads, n_threads, text))
      g_array_append_val (matches, i);
}

static gboolean
set_unknown (TbTrace *trace, const char *text, GError **error)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);

  /* This call sets an error that lists the candidates. */
  if (tb_selection_add_process_by_name (selection, text, error))
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                 _ ("no process of the recording matches “%s”"), text);
  return FALSE;
}

static gboolean
find_by_text (TbTrace *trace,
              TbSelection *selection,
              const char *text,
              guint32 *process,
              GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean is_id = g_str_has_prefix (text, "id:");
  guint n_processes;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint64 number;

  if (g_ascii_string_to_unsigned (is_id ? text + 3 : text, 10, 0, G_MAXUINT32 - 1, &number, NULL))
    {
      for (guint32 i = 0; i < n_processes && !is_id; i++)
        if (processes[i].pid == (gint64) number)
          g_array_append_val (matches, i);
      if (matches->len == 0 && number < n_processes)
        {
          *process = number;
          return TRUE;
        }
      /* The PID was reused. The process that used it last is not a better match than the others. */
      if (matches->len > 1)
        {
          g_autoptr (GString) list = g_string_new (NULL);

          for (guint i = 0; i < matches->len && i < MAX_CANDIDATES; i++)
            g_string_append_printf (list, "%sid:%u", i > 0 ? ", " : "",
                                    g_array_index (matches, guint32, i));
          g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                       _ ("PID %s was used by %u processes one after another: choose one of %s"),
                       text, matches->len, list->str);
          return FALSE;
        }
    }
  if (matches->len == 0)
    find_by_name (trace, text, matches);
  if (matches->len == 0)
    return set_unknown (trace, text, error);
  leave_out_inactive (trace, selection, matches);
  return choose_process (trace, matches, text, process, error);
}

/* The first word of a command line without its folders, as the kernel would name the process. */
static char *
get_command_name (const char *command)
{
  g_auto (GStrv) words = NULL;
  char *name;

  if (!g_shell_parse_argv (command, NULL, &words, NULL))
    words = g_strsplit (command, " ", 2);
  name = g_path_get_basename (words[0] != NULL ? words[0] : command);
  if (strlen (name) > COMM_LENGTH)
    name[COMM_LENGTH] = '\0';
  return name;
}

static gboolean
find_selected (TbTrace *trace, TbSelection *selection, GArray *matches)
{
  guint n_threads, n_chosen = 0;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

  if (!tb_selection_is_of_threads (selection))
    return FALSE;
  for (guint32 i = 1; i < n_threads; i++)
    {
      gboolean known = FALSE;

      if (!tb_selection_has_thread (selection, i) || threads[i].process == TB_ID_NONE)
        {
          n_chosen += tb_selection_has_thread (selection, i);
          continue;
        }
      n_chosen++;
      for (guint k = 0; k < matches->len && !known; k++)
        known = g_array_index (matches, guint32, k) == threads[i].process;
      if (!known && matches->len < 4096)
        g_array_append_val (matches, threads[i].process);
    }
  return n_chosen + 1 < n_threads;
}

static gboolean
find_default (TbTrace *trace, TbSelection *selection, guint32 *process, GError **error)
{
  const char *command = tb_session_get_fact (tb_trace_get_session (trace), "command");
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *name = NULL;

  if (find_selected (trace, selection, matches) && matches->len > 0)
    return choose_process (trace, matches, NULL, process, error);
  *process = tb_trace_get_command_process (trace);
  if (*process != TB_ID_NONE)
    return TRUE;
  g_array_set_size (matches, 0);
  if (command != NULL && command[0] != '\0')
    {
      find_by_name (trace, command, matches);
      name = get_command_name (command);
      if (matches->len == 0)
        find_by_name (trace, name, matches);
      if (matches->len > 0)
        return choose_process (trace, matches, name, process, error);
    }
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("no process is chosen, and the recording has no command: choose one with "
                  "--option process=PID or --process"));
  return FALSE;
}

gboolean
tb_paths_find_process (TbTrace *trace,
                       TbSelection *selection,
                       const char *text,
                       guint32 *process,
                       GError **error)
{
  const TbEvidence *evidence = tb_trace_get_evidence (trace);
  g_autofree char *name = NULL;

  if (!tb_evidence_answers (evidence, TB_QUESTION_RUNNING))
    {
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                           _ ("when threads ran or waited was not recorded, so no path can be "
                              "followed: record thread switches and wake-ups, with tailback-cli "
                              "record or perf record -a -g -e sched:sched_switch -e "
                              "sched:sched_waking"));
      return FALSE;
    }
  if (text != NULL && text[0] != '\0' ? !find_by_text (trace, selection, text, process, error)
                                      : !find_default (trace, selection, process, error))
    return FALSE;
  if (has_run (trace, *process, G_MININT64, G_MAXINT64))
    return TRUE;
  name = tb_session_describe_process (tb_trace_get_session (trace), *process, FALSE);
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
               _ ("%s never ran in the recording: there is nothing to explain. Choose another "
                  "process, or record a time in which it works"),
               name);
  return FALSE;
}

gboolean
tb_paths_find_thread (TbTrace *trace,
                      guint32 process,
                      const char *text,
                      guint32 *thread,
                      GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  guint n_processes, n_threads;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *name = NULL;
  guint64 number = G_MAXUINT64;
  gboolean is_id;
  guint n_listed = 0;

  *thread = TB_ID_NONE;
  if (text == NULL || text[0] == '\0')
    {
      for (guint32 i = 0; i < n_threads; i++)
        if (threads[i].process == process
            && (*thread == TB_ID_NONE || threads[i].tid == processes[process].pid))
          *thread = i;
      return *thread != TB_ID_NONE;
    }
  is_id = g_str_has_prefix (text, "id:");
  if (!g_ascii_string_to_unsigned (is_id ? text + 3 : text, 10, 0, G_MAXUINT32 - 1, &number, NULL))
    number = G_MAXUINT64;
  for (guint32 i = 0; i < n_threads; i++)
    {
      if (threads[i].process != process)
        continue;
      if ((is_id && i == number) || (!is_id && (guint64) threads[i].tid == number)
          || (number == G_MAXUINT64 && g_str_equal (threads[i].name, text)))
        {
          *thread = i;
          return TRUE;
        }
      if (n_listed++ < MAX_CANDIDATES)
        {
          g_autofree char *thread_name = tb_session_describe_thread (session, i);

          g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", thread_name);
        }
    }
  name = tb_session_describe_process (session, process, FALSE);
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("%s has no thread “%s”; it has: %s%s"), name, text, list->str,
               n_listed > MAX_CANDIDATES ? ", …" : "");
  return FALSE;
}
