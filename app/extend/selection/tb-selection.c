/* tb-selection.c: selected part of a trace: a time range, and threads, which are added by id, or by
 * name or number of a thread or process; error for an unknown name, with the known ones
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/selection/tb-selection-private.h"
#include "extend/tb-extend-error.h"
#include "trace/tb-trace-roles.h"

#define CANDIDATES_MAX 12

/**
 * TbSelection:
 *
 * The selected part of a trace: a time range and threads. It limits what is reported; chains of
 * causes may leave it.
 */
G_DEFINE_FINAL_TYPE (TbSelection, tb_selection, G_TYPE_OBJECT)

static void
tb_selection_finalize (GObject *object)
{
  TbSelection *self = TB_SELECTION (object);

  g_clear_object (&self->trace);
  g_free (self->threads);
  G_OBJECT_CLASS (tb_selection_parent_class)->finalize (object);
}

static void
tb_selection_class_init (TbSelectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_selection_finalize;
}

static void
tb_selection_init (TbSelection *self)
{
}

/**
 * tb_selection_new:
 * @trace: a trace
 *
 * Creates a selection. It is immutable once it is handed to an analysis.
 *
 * Returns: (transfer full): a selection of the whole trace
 */
TbSelection *
tb_selection_new (TbTrace *trace)
{
  TbSelection *self;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  self = g_object_new (TB_TYPE_SELECTION, NULL);
  self->trace = g_object_ref (trace);
  tb_trace_get_range (trace, &self->from, &self->to);
  return self;
}

/**
 * tb_selection_set_range:
 * @self: a selection
 * @from: start of the time range, ns
 * @to: end of it
 *
 * The range is clipped to the trace.
 */
void
tb_selection_set_range (TbSelection *self, gint64 from, gint64 to)
{
  gint64 first;
  gint64 last;

  g_return_if_fail (TB_IS_SELECTION (self));

  tb_trace_get_range (self->trace, &first, &last);
  self->from = CLAMP (from, first, last);
  self->to = CLAMP (to, self->from, last);
}

/**
 * tb_selection_get_range:
 * @self: a selection
 * @from: (out) (optional): start of the time range, ns
 * @to: (out) (optional): end of it, exclusive
 *
 * Gets the selected time range.
 */
void
tb_selection_get_range (TbSelection *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_SELECTION (self));

  if (from)
    *from = self->from;
  if (to)
    *to = self->to;
}

/**
 * tb_selection_add_thread:
 * @self: a selection
 * @thread: a thread's id
 *
 * If no thread was selected before, only this one is selected.
 */
void
tb_selection_add_thread (TbSelection *self, guint32 thread)
{
  guint n_threads;

  g_return_if_fail (TB_IS_SELECTION (self));

  tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);
  g_return_if_fail (thread < n_threads);
  if (!self->threads)
    self->threads = g_new0 (guint8, n_threads);
  self->threads[thread] = TRUE;
}

/* Parses a number: "id:7" is always an id, "7" is a pid or tid first, then an id. */
static gboolean
parse_number (const char *text, gboolean *is_id, guint64 *number)
{
  *is_id = g_str_has_prefix (text, "id:");
  return g_ascii_string_to_unsigned (*is_id ? text + 3 : text, 10, 0, G_MAXUINT32 - 1, number,
                                     NULL);
}

/* Whether a thread had the name at any time. */
static gboolean
thread_had_name (TbSession *session, const TbThread *thread, const char *name)
{
  guint n_names;
  const TbThreadName *names = tb_session_get_thread_names (session, &n_names);
  guint low = 0;
  guint high = n_names;

  if (g_strcmp0 (thread->name, name) == 0)
    return TRUE;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (names[middle].thread < thread->id)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < n_names && names[low].thread == thread->id; low++)
    if (g_strcmp0 (names[low].name, name) == 0)
      return TRUE;
  return FALSE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* Lists each name once, and counts them. alike: the names that begin like text, else the others. */
static void
list_names (GPtrArray *names, const char *text, gboolean has_prefix, guint *n_listed, GString *list)
{
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if ((g_ascii_strncasecmp (name, text, 2) == 0) != has_prefix
          || (i > 0 && strcmp (name, g_ptr_array_index (names, i - 1)) == 0))
        continue;
      if ((*n_listed)++ < CANDIDATES_MAX)
        g_string_append_printf (list, "%s%s", list->len ? ", " : "", name);
    }
}

static gboolean
set_unknown_error (GPtrArray *names, gboolean is_process, const char *text, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_listed = 0;

  g_ptr_array_sort (names, compare_names);
  list_names (names, text, TRUE, &n_listed, list);
  list_names (names, text, FALSE, &n_listed, list);
  if (n_listed > CANDIDATES_MAX)
    g_string_append (list, ", …");
  if (list->len == 0)
    g_string_append (list, _ ("none"));
  if (is_process)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                 _ ("no process “%s” in the recording; its processes: %s"), text, list->str);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                 _ ("no thread “%s” in the recording; its threads: %s"), text, list->str);
  return FALSE;
}

static guint
add_threads_of_process (TbSelection *self,
                        const TbThread *threads,
                        guint n_threads,
                        guint32 process)
{
  guint n = 0;

  for (guint i = 0; i < n_threads; i++)
    if (threads[i].process == process)
      {
        tb_selection_add_thread (self, threads[i].id);
        n++;
      }
  return n;
}

/* A process matches by any name of its main thread. */
static guint
add_processes_of_name (TbSelection *self, TbSession *session, const char *name)
{
  guint n_processes;
  guint n_threads;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  g_autofree guint8 *matches = g_new0 (guint8, n_processes + 1);
  guint n_found = 0;

  for (guint i = 0; i < n_processes; i++)
    matches[i] = g_strcmp0 (processes[i].name, name) == 0;
  for (guint i = 0; i < n_threads; i++)
    if (threads[i].process < n_processes && threads[i].tid == processes[threads[i].process].pid
        && thread_had_name (session, &threads[i], name))
      matches[threads[i].process] = TRUE;
  for (guint i = 0; i < n_threads; i++)
    if (threads[i].process < n_processes && matches[threads[i].process])
      {
        tb_selection_add_thread (self, i);
        n_found++;
      }
  return n_found;
}

/**
 * tb_selection_add_process_by_name:
 * @self: a selection
 * @text: a pid, an exact name that a process had at any time, or an id (`id:7`, or `7` if no pid is
 *   7)
 * @error: return location
 *
 * Adds all threads of every process that matches.
 *
 * Returns: %TRUE, else %FALSE with an error that lists candidates
 */
gboolean
tb_selection_add_process_by_name (TbSelection *self, const char *text, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;
  const TbProcess *processes;
  const TbThread *threads;
  TbSession *session;
  guint n_processes;
  guint n_threads;
  guint64 number;
  gboolean is_id;
  guint n_found = 0;

  g_return_val_if_fail (TB_IS_SELECTION (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  session = tb_trace_get_session (self->trace);
  processes = tb_session_get_processes (session, &n_processes);
  threads = tb_session_get_threads (session, &n_threads);
  if (parse_number (text, &is_id, &number))
    {
      for (guint i = 0; i < n_processes && !is_id; i++)
        if (processes[i].pid == (gint64) number)
          n_found += add_threads_of_process (self, threads, n_threads, i);
      if (n_found == 0 && number < n_processes)
        n_found += add_threads_of_process (self, threads, n_threads, number);
    }
  if (n_found == 0)
    n_found = add_processes_of_name (self, session, text);
  if (n_found > 0)
    return TRUE;

  names = g_ptr_array_new ();
  for (guint i = 0; i < n_processes; i++)
    if (*processes[i].name)
      g_ptr_array_add (names, (gpointer) processes[i].name);
  return set_unknown_error (names, TRUE, text, error);
}

/**
 * tb_selection_new_of_process:
 * @trace: a recording
 * @text: (nullable): a process, as tb_selection_add_process_by_name() takes it; %NULL or "": all
 *   threads
 * @error: return location
 *
 * Creates a selection of a process by its name.
 *
 * Returns: (transfer full): a selection of the process, or %NULL with an error that lists
 *   candidates
 */
TbSelection *
tb_selection_new_of_process (TbTrace *trace, const char *text, GError **error)
{
  g_autoptr (TbSelection) self = NULL;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  self = tb_selection_new (trace);
  if (text != NULL && *text != '\0' && !tb_selection_add_process_by_name (self, text, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * tb_selection_add_thread_by_name:
 * @self: a selection
 * @text: a tid, an exact name that a thread had at any time, or an id (`id:7`, or `7` if no tid is
 *   7)
 * @error: return location
 *
 * Adds every thread that matches.
 *
 * Returns: %TRUE, else %FALSE with an error that lists candidates
 */
gboolean
tb_selection_add_thread_by_name (TbSelection *self, const char *text, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;
  const TbThread *threads;
  TbSession *session;
  guint n_threads;
  guint64 number;
  gboolean is_id;
  gboolean found = FALSE;

  g_return_val_if_fail (TB_IS_SELECTION (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  session = tb_trace_get_session (self->trace);
  threads = tb_session_get_threads (session, &n_threads);
  if (parse_number (text, &is_id, &number))
    {
      for (guint i = 0; i < n_threads && !is_id; i++)
        if (threads[i].tid == (gint64) number && i != TB_THREAD_IDLE)
          {
            tb_selection_add_thread (self, i);
            found = TRUE;
          }
      if (!found && number < n_threads)
        {
          tb_selection_add_thread (self, number);
          found = TRUE;
        }
    }
  for (guint i = 0, by_number = found; i < n_threads && !by_number; i++)
    if (thread_had_name (session, &threads[i], text))
      {
        tb_selection_add_thread (self, i);
        found = TRUE;
      }
  if (found)
    return TRUE;

  names = g_ptr_array_new ();
  for (guint i = 0; i < n_threads; i++)
    if (*threads[i].name)
      g_ptr_array_add (names, (gpointer) threads[i].name);
  return set_unknown_error (names, FALSE, text, error);
}

/**
 * tb_selection_set_scope:
 * @self: a selection
 * @scope: the threads that it has as long as none is added
 *
 * Sets which threads the selection has if none is added.
 */
void
tb_selection_set_scope (TbSelection *self, TbSelectionScope scope)
{
  g_return_if_fail (TB_IS_SELECTION (self));

  self->scope = scope;
}

/**
 * tb_selection_get_scope:
 * @self: a selection
 *
 * Gets which threads the selection has if none was added.
 *
 * Returns: the scope as it applies: %TB_SELECTION_COMMAND only if the recording has a command
 */
TbSelectionScope
tb_selection_get_scope (TbSelection *self)
{
  g_return_val_if_fail (TB_IS_SELECTION (self), TB_SELECTION_ALL);

  return self->scope == TB_SELECTION_COMMAND
                 && tb_trace_get_command_process (self->trace) == TB_ID_NONE
             ? TB_SELECTION_SYSTEM
             : self->scope;
}

/**
 * tb_selection_is_of_threads:
 * @self: a selection
 *
 * Gets whether threads were selected one by one.
 *
 * Returns: whether threads were added, which it has instead of those of its scope
 */
gboolean
tb_selection_is_of_threads (TbSelection *self)
{
  g_return_val_if_fail (TB_IS_SELECTION (self), FALSE);

  return self->threads != NULL;
}

static gboolean
is_in_scope (TbSelection *self, guint32 thread)
{
  TbThreadRoles roles = tb_trace_get_thread_roles (self->trace, thread);

  switch (tb_selection_get_scope (self))
    {
    case TB_SELECTION_COMMAND:
      return (roles & (TB_THREAD_ROLE_COMMAND | TB_THREAD_ROLE_HELPER)) != 0;
    case TB_SELECTION_SYSTEM:
      return (roles & TB_THREAD_ROLE_RECORDER) == 0;
    case TB_SELECTION_ALL:
    default:
      return TRUE;
    }
}

/**
 * tb_selection_has_thread:
 * @self: a selection
 * @thread: a thread's id
 *
 * Gets whether a thread is selected. An analysis looks at selected threads only.
 *
 * Returns: whether the thread is selected; if none was selected, whether it is in the scope
 */
gboolean
tb_selection_has_thread (TbSelection *self, guint32 thread)
{
  guint n_threads;

  g_return_val_if_fail (TB_IS_SELECTION (self), FALSE);

  tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);
  return thread < n_threads
         && (self->threads != NULL ? self->threads[thread] : is_in_scope (self, thread));
}
