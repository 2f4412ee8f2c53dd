/* tb-threads-finding-details.c: details of findings about a thread: where and for what it waited
 * most, and which threads ran on the CPU that it lacked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tb-threads-finding-details.h"
#include "tb-threads-programs.h"
#include "trace/tb-context-tree.h"
#include "trace/tb-track.h"

static void
add_ns (GHashTable *table, guint32 key, gint64 ns)
{
  gint64 *sum = g_hash_table_lookup (table, GUINT_TO_POINTER (key));

  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (table, GUINT_TO_POINTER (key), sum);
    }
  *sum += ns;
}

static void
sum_waits (TbThreadsSummary *summary,
           const TbThreadSummary *thread,
           const TbWaker *waker,
           GHashTable *stacks,
           GHashTable *rows,
           GHashTable *objects)
{
  const TbIntervals *intervals = tb_trace_get_intervals (summary->trace);

  for (gsize row = thread->first_row; row < thread->first_row + thread->n_rows; row++)
    {
      gint64 ns
          = MIN (intervals->end[row], summary->to) - MAX (intervals->start[row], summary->from);

      gsize ended;

      if (intervals->state[row] < TB_STATE_INTERRUPTIBLE)
        continue;
      ended = tb_threads_summary_get_awaited_row (summary, row);
      if (intervals->cause_kind[ended] != waker->kind || intervals->cause[ended] != waker->cause)
        continue;
      add_ns (stacks, intervals->stack[row], ns);
      g_hash_table_insert (rows, GUINT_TO_POINTER (intervals->stack[row]), GSIZE_TO_POINTER (row));
      if (tb_trace_get_object (summary->trace, row) != TB_STRING_NONE)
        add_ns (objects, tb_trace_get_object (summary->trace, row), ns);
    }
}

static void
find_remedy (TbProgramContext *place, TbTrace *trace)
{
  g_autoptr (TbContextTree) tree = tb_trace_get_context_tree (trace);
  guint32 node = tb_context_tree_find (tree, place->stack);

  place->caller_option = tb_trace_get_caller_option (trace, node);
  place->remedy = tb_trace_describe_caller_option (trace, node);
}

/* Several stacks may end in the same function. rows: a wait with each stack */
static void
find_function (TbProgramContext *place, TbTrace *trace, GHashTable *stacks, GHashTable *rows)
{
  g_autoptr (GHashTable) labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key, value;
  gint64 most_of_stack = 0;

  g_hash_table_iter_init (&iter, stacks);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_autofree char *label
          = tb_trace_get_wait_function (trace, GPOINTER_TO_SIZE (g_hash_table_lookup (rows, key)));
      gint64 *sum;

      if (label == NULL)
        continue;
      sum = g_hash_table_lookup (labels, label);
      if (sum == NULL)
        {
          sum = g_new0 (gint64, 1);
          g_hash_table_insert (labels, g_strdup (label), sum);
        }
      *sum += *(gint64 *) value;
      if (*sum > place->ns || (*sum == place->ns && g_strcmp0 (label, place->label) < 0))
        {
          place->ns = *sum;
          g_free (place->label);
          place->label = g_strdup (label);
        }
    }
  g_hash_table_iter_init (&iter, stacks);
  while (place->label != NULL && g_hash_table_iter_next (&iter, &key, &value))
    {
      g_autofree char *label
          = tb_trace_get_wait_function (trace, GPOINTER_TO_SIZE (g_hash_table_lookup (rows, key)));

      if (g_strcmp0 (label, place->label) == 0 && *(gint64 *) value > most_of_stack)
        {
          most_of_stack = *(gint64 *) value;
          place->stack = GPOINTER_TO_UINT (key);
        }
    }
  place->program = tb_trace_find_program_function (trace, place->stack, &place->module);
  if (place->program == NULL && place->label != NULL)
    find_remedy (place, trace);
  if (g_strcmp0 (place->program, place->label) == 0)
    g_clear_pointer (&place->program, g_free);
}

void
tb_place_find (TbProgramContext *place,
               TbThreadsSummary *summary,
               const TbThreadSummary *thread,
               const TbWaker *waker)
{
  g_autoptr (GHashTable) stacks = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) objects = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer key, value;

  *place = (TbProgramContext) { 0 };
  sum_waits (summary, thread, waker, stacks, rows, objects);
  find_function (place, summary->trace, stacks, rows);
  g_hash_table_iter_init (&iter, objects);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (*(gint64 *) value > place->object_ns)
      {
        place->object_ns = *(gint64 *) value;
        g_free (place->object);
        place->object = tb_trace_describe_object (summary->trace, GPOINTER_TO_UINT (key));
      }
}

const char *
tb_place_get_function (const TbProgramContext *place, gint64 whole)
{
  return place->ns * 2 > whole ? place->label : NULL;
}

const char *
tb_place_get_program_function (const TbProgramContext *place, gint64 whole)
{
  return place->ns * 2 > whole ? place->program : NULL;
}

/* "nanosleep", with how its caller is recorded where it is missing. */
static char *
describe_library_function (const char *function, const char *remedy)
{
  /* Translators: a function, “its caller is recorded with the option …” */
  return remedy != NULL ? g_strdup_printf (_ ("%s (%s)"), function, remedy) : g_strdup (function);
}

/* "nanosleep", "format_line of mod_pluglog.so (nanosleep)": frames may be missing between the two
 * functions. */
static char *
describe_function (const TbProgramContext *place, gint64 whole)
{
  const char *function = tb_place_get_function (place, whole);
  const char *program = tb_place_get_program_function (place, whole);

  if (function != NULL && program == NULL)
    return describe_library_function (function, place->remedy);
  if (function == NULL)
    return NULL;
  if (strstr (place->module, ".so") == NULL)
    return g_strdup_printf ("%s (%s)", program, function);
  /* Translators: function of the program, its module, function that it calls */
  return g_strdup_printf (_ ("%s of %s (%s)"), program, place->module, function);
}

const char *
tb_place_get_object (const TbProgramContext *place, gint64 whole, gboolean is_peer)
{
  return !is_peer && place->object_ns * 2 > whole ? place->object : NULL;
}

char *
tb_place_describe (const TbProgramContext *place, gint64 whole, gboolean is_peer)
{
  g_autofree char *function = describe_function (place, whole);
  const char *object = tb_place_get_object (place, whole, is_peer);

  if (function != NULL && object != NULL)
    return g_strdup_printf (_ (", mostly in %s → %s"), function, object);
  if (function != NULL)
    return g_strdup_printf (_ (", mostly in %s"), function);
  if (object != NULL)
    return g_strdup_printf (_ (", mostly on %s"), object);
  return g_strdup ("");
}

void
tb_place_clear (TbProgramContext *place)
{
  g_clear_pointer (&place->label, g_free);
  g_clear_pointer (&place->program, g_free);
  g_clear_pointer (&place->remedy, g_free);
  g_clear_pointer (&place->object, g_free);
}

/* The first run on a CPU that ends after a time. */
static gsize
find_run (const TbTrack *track, gint64 time)
{
  const gint64 *end = g_bytes_get_data (track->end, NULL);
  gsize low = 0, high = track->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
sum_runs (TbThreadsSummary *summary,
          const TbThreadSummary *thread,
          GHashTable *threads,
          gsize *seen)
{
  const TbIntervals *intervals = tb_trace_get_intervals (summary->trace);

  for (gsize row = thread->first_row;
       row < thread->first_row + thread->n_rows && *seen < TB_MAX_RUNS_EXAMINED; row++)
    {
      const TbTrack *track;
      const gint64 *start, *end;
      const guint32 *item;
      gint64 from, to;

      if (intervals->state[row] != TB_STATE_RUNNABLE || intervals->cpu[row] == TB_CPU_ALL)
        continue;
      track = tb_trace_get_cpu_track (summary->trace, intervals->cpu[row]);
      if (track->n == 0)
        continue;
      start = g_bytes_get_data (track->start, NULL);
      end = g_bytes_get_data (track->end, NULL);
      item = g_bytes_get_data (track->item, NULL);
      from = MAX (intervals->start[row], summary->from);
      to = MIN (intervals->end[row], summary->to);
      for (gsize run = find_run (track, from);
           run < track->n && start[run] < to && *seen < TB_MAX_RUNS_EXAMINED; run++)
        {
          add_ns (threads, intervals->thread[item[run]],
                  MIN (end[run], to) - MAX (start[run], from));
          (*seen)++;
        }
    }
}

void
tb_cpu_holder_find (TbCpuHolder *holder,
                    TbThreadsSummary *summary,
                    const TbThreadSummary *thread,
                    gsize *seen)
{
  g_autoptr (GHashTable) threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  GHashTableIter iter;
  gpointer key, value;

  *holder = (TbCpuHolder) { .thread = TB_ID_NONE };
  sum_runs (summary, thread, threads, seen);
  g_hash_table_iter_init (&iter, threads);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const char *name
          = tb_trace_get_shown_thread_name_at (summary->trace, GPOINTER_TO_UINT (key), summary->to);
      TbCpuHolder *of_name = g_hash_table_lookup (names, name);

      if (of_name == NULL)
        {
          of_name = g_new0 (TbCpuHolder, 1);
          of_name->name = name;
          of_name->thread = TB_ID_NONE;
          g_hash_table_insert (names, (gpointer) name, of_name);
        }
      of_name->n++;
      of_name->thread = MIN (of_name->thread, GPOINTER_TO_UINT (key));
      of_name->ns += *(gint64 *) value;
    }
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const TbCpuHolder *of_name = value;

      if (of_name->ns > holder->ns
          || (of_name->ns == holder->ns && of_name->thread < holder->thread))
        *holder = *of_name;
    }
}

char *
tb_cpu_holder_describe (const TbCpuHolder *holder, TbThreadsSummary *summary)
{
  if (holder->n == 1 || holder->name[0] == '\0')
    return tb_threads_describe_thread (summary, holder->thread);
  return g_strdup_printf ("%s ×%u", holder->name, holder->n);
}
