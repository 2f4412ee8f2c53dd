/* tb-wait-culprits.c: who had the cpu while others wanted it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-culprits.h"

#include "tb-wait-names.h"

/* Runs that are looked at between looks for being cancelled. */
#define STRIDE 16384

static gboolean
is_run (const TbWaitModel *model, const TbIntervals *rows, gsize row)
{
  return rows->state[row] == TB_STATE_RUNNING && rows->cpu[row] != TB_CPU_ALL && rows->end[row] > model->from
         && rows->start[row] < model->to;
}

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbIntervals *rows = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  if (rows->start[left] != rows->start[right])
    return rows->start[left] < rows->start[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

TbWaitCulprits *
tb_wait_culprits_new (const TbWaitGraph *graph, GCancellable *cancellable)
{
  const TbIntervals *rows = tb_trace_get_intervals (graph->model->trace);
  TbWaitCulprits *self = g_new0 (TbWaitCulprits, 1);
  g_autofree guint32 *next = NULL;
  guint32 at = 0;

  self->graph = graph;
  g_set_object (&self->cancellable, cancellable);
  for (gsize i = 0; i < rows->n; i++)
    if (is_run (graph->model, rows, i))
      self->n_cpus = MAX (self->n_cpus, rows->cpu[i] + 1u);
  self->first = g_new0 (guint32, self->n_cpus + 2);
  for (gsize i = 0; i < rows->n; i++)
    if (is_run (graph->model, rows, i))
      {
        self->first[rows->cpu[i] + 1]++;
        at++;
      }
  for (guint i = 0; i < self->n_cpus; i++)
    self->first[i + 1] += self->first[i];
  self->runs = g_new (guint32, at + 1);
  next = g_memdup2 (self->first, sizeof (guint32) * (self->n_cpus + 1));
  for (gsize i = 0; i < rows->n; i++)
    if (is_run (graph->model, rows, i))
      self->runs[next[rows->cpu[i]]++] = (guint32) i;
  for (guint i = 0; i < self->n_cpus; i++)
    g_sort_array (self->runs + self->first[i], self->first[i + 1] - self->first[i], sizeof (guint32),
                  compare_starts, (gpointer) rows);
  return self;
}

void
tb_wait_culprits_free (TbWaitCulprits *self)
{
  g_free (self->runs);
  g_free (self->first);
  g_clear_object (&self->cancellable);
  g_free (self);
}

/* Runs of one cpu do not overlap but where events contradict: then the last may be missed, which is no more than a run. */
static guint32
find_run (const TbWaitCulprits *self, const TbIntervals *rows, guint cpu, gint64 time)
{
  guint32 low = self->first[cpu], high = self->first[cpu + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (rows->end[self->runs[middle]] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
add_culprits (const TbWaitCulprits *self, const TbIntervals *rows, gsize row, GHashTable *ns_of_thread)
{
  gint64 from = MAX (rows->start[row], self->graph->model->from);
  gint64 to = MIN (rows->end[row], self->graph->model->to);
  guint cpu = rows->cpu[row];

  if (cpu >= self->n_cpus)
    return;
  for (guint32 i = find_run (self, rows, cpu, from);
       i < self->first[cpu + 1] && rows->start[self->runs[i]] < to; i++)
    {
      guint32 run = self->runs[i];
      gint64 ns = MIN (rows->end[run], to) - MAX (rows->start[run], from);
      gpointer thread = GUINT_TO_POINTER (rows->thread[run]);

      if (i % STRIDE == 0 && g_cancellable_is_cancelled (self->cancellable))
        return;
      if (ns > 0)
        g_hash_table_insert (ns_of_thread, thread,
                             GSIZE_TO_POINTER (GPOINTER_TO_SIZE (g_hash_table_lookup (ns_of_thread, thread))
                                               + (gsize) ns));
    }
}

static int
compare_culprits (gconstpointer a, gconstpointer b)
{
  const TbWaitCulprit *left = a, *right = b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

GArray *
tb_wait_culprits_find (const TbWaitCulprits *self, guint32 vertex)
{
  const TbIntervals *rows = tb_trace_get_intervals (self->graph->model->trace);
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (self->graph, vertex);
  g_autoptr (GHashTable) ns_of_thread = g_hash_table_new (NULL, NULL);
  GArray *culprits = g_array_new (FALSE, FALSE, sizeof (TbWaitCulprit));
  GHashTableIter iter;
  gpointer thread, ns;

  for (guint i = 0; i < threads->len; i++)
    {
      gsize first, n;

      tb_trace_get_thread_intervals (self->graph->model->trace, g_array_index (threads, guint32, i), &first,
                                     &n);
      if (g_cancellable_is_cancelled (self->cancellable))
        break;
      for (gsize row = first; row < first + n; row++)
        if (row % STRIDE == 0 && g_cancellable_is_cancelled (self->cancellable))
          break;
        else if (rows->state[row] == TB_STATE_RUNNABLE)
          add_culprits (self, rows, row, ns_of_thread);
    }
  g_hash_table_iter_init (&iter, ns_of_thread);
  while (g_hash_table_iter_next (&iter, &thread, &ns))
    {
      TbWaitCulprit culprit = { GPOINTER_TO_UINT (thread), (gint64) GPOINTER_TO_SIZE (ns) };

      g_array_append_val (culprits, culprit);
    }
  g_array_sort (culprits, compare_culprits);
  return culprits;
}
