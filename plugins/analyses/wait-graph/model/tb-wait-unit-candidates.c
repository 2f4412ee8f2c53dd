/* tb-wait-unit-candidates.c: candidate values of the option for the unit of work, with their
 * counts in a recording: names of marks, system calls and probed functions, processes that sent or
 * received messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-unit-candidates.h"

#include <glib/gi18n.h>
#include <string.h>

#include "extend/selection/tb-work-scope.h"
#include "tb-wait-work.h"

#define STANDARD_MARK "work"
#define NS_PER_SECOND 1e9
/* Further processes can be chosen by name. */
#define PROCESSES_MAX 256

typedef struct
{
  TbTrace *trace;
  TbSession *session;
  TbSelection *threads;
  gint64 from;
  gint64 to;
  GCancellable *cancellable;
  GPtrArray *all; /* TbOptionCandidate */
} Lister;

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const TbOptionCandidate *left = *(TbOptionCandidate *const *) a,
                          *right = *(TbOptionCandidate *const *) b;

  if (left->count != right->count)
    return left->count > right->count ? -1 : 1;
  return strcmp (left->text, right->text);
}

static void
add (const Lister *self,
     GPtrArray *found,
     TbWorkKind kind,
     const char *group,
     const char *name,
     const char *label,
     guint64 count)
{
  TbOptionCandidate *candidate = g_new0 (TbOptionCandidate, 1);

  candidate->text = g_strconcat (tb_work_kind_get_prefix (kind), ":", name, NULL);
  candidate->label = g_strdup (label);
  candidate->group = g_strdup (group);
  candidate->count = count;
  candidate->per_second = (double) count * NS_PER_SECOND / (double) MAX (self->to - self->from, 1);
  g_ptr_array_add (found, candidate);
}

/* Appends the candidates, the most frequent first. */
static void
finish (const Lister *self, GPtrArray *found)
{
  g_ptr_array_sort (found, compare_candidates);
  g_ptr_array_extend_and_steal (self->all, g_ptr_array_ref (found));
}

/* --- by name --- */

/* A name that begins with the whole of another name and ":" counts for that, too. names: string →
 * itself, for names that occur. */
static void
add_to_wholes (const Lister *self,
               guint32 string,
               guint64 count,
               GHashTable *names,
               guint64 *totals)
{
  g_autofree char *name = g_strdup (tb_session_get_string (self->session, string));

  totals[string] += count;
  for (char *colon = strrchr (name, ':'); colon != NULL; colon = strrchr (name, ':'))
    {
      gpointer whole;

      *colon = '\0';
      if (g_hash_table_lookup_extended (names, name, NULL, &whole))
        totals[GPOINTER_TO_UINT (whole)] += count;
    }
}

static gboolean
is_standard (const char *name)
{
  return tb_work_unit_matches (STANDARD_MARK, name);
}

/* Marks of work come first, under their own heading. All of them together are a unit, too. */
static void
add_names (const Lister *self,
           TbWorkKind kind,
           const guint64 *counts,
           guint n_strings,
           const char *group,
           gboolean is_work)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint64 *totals = g_new0 (guint64, n_strings + 1);
  guint64 n_work = 0;

  for (guint i = 0; i < n_strings; i++)
    if (counts[i] > 0)
      g_hash_table_insert (names, (gpointer) tb_session_get_string (self->session, i),
                           GUINT_TO_POINTER (i));
  for (guint i = 0; i < n_strings; i++)
    if (counts[i] > 0)
      add_to_wholes (self, i, counts[i], names, totals);
  for (guint i = 0; i < n_strings; i++)
    {
      const char *name = tb_session_get_string (self->session, i);

      if (counts[i] == 0 || *name == '\0'
          || (kind == TB_WORK_MARK && is_standard (name) != is_work))
        continue;
      add (self, found, kind, group, name, name, totals[i]);
      n_work += counts[i];
    }
  if (is_work && n_work > 0 && !g_hash_table_contains (names, STANDARD_MARK))
    add (self, found, kind, group, STANDARD_MARK, STANDARD_MARK, n_work);
  finish (self, found);
}

static gboolean
list_names (const Lister *self,
            TbWorkKind kind,
            const char *group,
            gboolean is_work,
            GError **error)
{
  guint n_strings = tb_session_get_n_strings (self->session);
  g_autofree guint64 *counts = g_new0 (guint64, n_strings + 1);
  g_auto (TbWaitWorkRows) rows = { 0 };

  if (!tb_wait_work_rows_load (&rows, self->trace, kind, error))
    return FALSE;
  for (gsize i = 0; i < rows.n; i++)
    if (rows.time[i] >= self->from && rows.time[i] <= self->to && rows.name[i] < n_strings
        && (rows.thread[i] == TB_ID_NONE || self->threads == NULL
            || tb_selection_has_thread (self->threads, rows.thread[i])))
      counts[rows.name[i]] += tb_wait_work_rows_count (&rows, i);
  add_names (self, kind, counts, n_strings, group, is_work);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* --- by process --- */

/* Messages of one kind. */
typedef struct
{
  const Lister *lister;
  TbWorkKind kind;
  const char *group;
  const TbProcess *processes;
  guint n_processes;
  guint64 *counts;   /* by process */
  GHashTable *known; /* names that were added */
  GPtrArray *found;
} Messages;

/* A name or number stands for the same processes as in a unit of work. Returns how many of these
 * have messages. */
static guint
add_process (Messages *self, const char *name, const char *label)
{
  const Lister *lister = self->lister;
  g_autoptr (TbSelection) selection = tb_selection_new (lister->trace);
  g_autofree guint8 *seen = g_new0 (guint8, self->n_processes + 1);
  guint n_threads, n = 0;
  const TbThread *threads = tb_session_get_threads (lister->session, &n_threads);
  guint64 count = 0;

  if (!g_hash_table_add (self->known, g_strdup (name))
      || !tb_selection_add_process_by_name (selection, name, NULL))
    return 0;
  for (guint32 i = 0; i < n_threads; i++)
    {
      guint32 process = MIN (threads[i].process, self->n_processes);

      if (seen[process] || process == self->n_processes || !tb_selection_has_thread (selection, i))
        continue;
      seen[process] = TRUE;
      count += self->counts[process];
      n += self->counts[process] > 0;
    }
  if (count > 0)
    add (lister, self->found, self->kind, self->group, name, label, count);
  return n;
}

static int
compare_counts (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint64 *counts = data;
  guint left = *(const guint *) a, right = *(const guint *) b;

  if (counts[left] != counts[right])
    return counts[left] > counts[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

/* Adds the processes with the most messages; of several with one name, also each by itself. */
static void
add_processes (Messages *self)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->n_processes; i++)
    if (self->counts[i] > 0)
      g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_counts, self->counts);
  for (guint i = 0; i < order->len && i < PROCESSES_MAX; i++)
    {
      const TbProcess *process = &self->processes[g_array_index (order, guint, i)];
      g_autofree char *pid = g_strdup_printf ("%d", process->pid);
      g_autofree char *label = g_strdup_printf ("%s (%s)", process->name, pid);
      gboolean is_known = g_hash_table_contains (self->known, process->name);

      if (*process->name == '\0' || add_process (self, process->name, process->name) > 1
          || is_known)
        add_process (self, pid, label);
    }
}

/* A process counts as a whole, because that is what its name stands for. */
static guint8 *
find_targeted_processes (const Lister *self, guint n_processes)
{
  guint8 *is_targeted = g_new0 (guint8, n_processes + 1);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (self->session, &n_threads);

  for (guint32 i = 0; i < n_threads; i++)
    if (threads[i].process < n_processes
        && (self->threads == NULL || tb_selection_has_thread (self->threads, i)))
      is_targeted[threads[i].process] = TRUE;
  return is_targeted;
}

static gboolean
list_messages (const Lister *self, TbWorkKind kind, const char *group, GError **error)
{
  guint n_processes, n_threads;
  const TbThread *threads = tb_session_get_threads (self->session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (self->session, &n_processes);
  g_autofree guint64 *counts = g_new0 (guint64, n_processes + 1);
  g_autofree guint8 *is_targeted = find_targeted_processes (self, n_processes);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_auto (TbWaitWorkRows) rows = { 0 };

  if (!tb_wait_work_rows_load (&rows, self->trace, kind, error))
    return FALSE;
  for (gsize i = 0; i < rows.n; i++)
    {
      guint32 process = rows.thread[i] < n_threads ? threads[rows.thread[i]].process : TB_ID_NONE;

      if (process < n_processes && is_targeted[process] && rows.time[i] >= self->from
          && rows.time[i] <= self->to)
        counts[process] += tb_wait_work_rows_count (&rows, i);
    }
  add_processes (&(Messages) { self, kind, group, processes, n_processes, counts, known, found });
  finish (self, found);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

GPtrArray *
tb_wait_list_unit_candidates (TbTrace *trace,
                              TbSelection *threads,
                              gint64 from,
                              gint64 to,
                              GCancellable *cancellable,
                              GError **error)
{
  g_autoptr (GPtrArray) all
      = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_option_candidate_free);
  const Lister lister
      = { trace, tb_trace_get_session (trace), threads, from, to, cancellable, all };

  if (!list_names (&lister, TB_WORK_MARK, _ ("Work Done"), TRUE, error)
      || !list_names (&lister, TB_WORK_FUNCTION, _ ("Probed Functions"), FALSE, error)
      || !list_messages (&lister, TB_WORK_SEND, _ ("Messages Sent"), error)
      || !list_messages (&lister, TB_WORK_RECEIVE, _ ("Messages Received"), error)
      || !list_names (&lister, TB_WORK_SYSCALL, _ ("System Calls"), FALSE, error)
      || !list_names (&lister, TB_WORK_MARK, _ ("Other Marks"), FALSE, error))
    return NULL;
  return g_steal_pointer (&all);
}
