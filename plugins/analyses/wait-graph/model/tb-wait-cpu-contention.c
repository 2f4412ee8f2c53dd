/* tb-wait-cpu-contention.c: CPU contention: which threads ran on the CPUs while threads of a vertex
 * were runnable, and how long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-cpu-contention.h"

#include <string.h>

#include "tb-wait-names.h"

/* Intervals, runs or changes between two checks for cancellation. */
#define STRIDE 65536
/* Runs that are sorted at a time; they fit a cache. */
#define RUNS_A_SLICE 8192
#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

struct _TbWaitCpuContention
{
  const TbWaitGraph *graph; /* not owned */
  GCancellable *cancellable;
  /* The runs by CPU, then by start. NULL until first use, like all members below except found. */
  gint64 *start;
  gint64 *end;
  gint64 *latest; /* the latest end of the CPU's runs so far; same as end where no runs overlap */
  guint32 *thread;
  gsize *first; /* by CPU, and one past the last */
  guint n_cpus;
  GArray *totals;     /* TbWaitCpuHolder: how long each thread ran on each CPU */
  guint *first_total; /* by CPU, and one past the last */
  gint64 *ns;         /* by thread, 0 between calls */
  guint8 *is_touched; /* likewise */
  GArray **found;     /* by vertex; NULL: not computed yet */
};

/* --- runs by CPU --- */

static gboolean
is_cancelled (const TbWaitCpuContention *self, gsize i)
{
  return i % STRIDE == 0 && g_cancellable_is_cancelled (self->cancellable);
}

/* A run, or a change of the number of threads that want a CPU. */
typedef struct
{
  guint64 key;  /* time since the beginning of the range */
  guint32 what; /* its row, or the CPU */
  gint32 more;
} Keyed;

static gboolean
is_sorted (const Keyed *keyed, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (keyed[i].key < keyed[i - 1].key)
      return FALSE;
  return TRUE;
}

/* Radix sort by the digits of the keys, the lowest first. It is stable. */
static void
sort_keyed (const TbWaitCpuContention *self, Keyed **keyed, Keyed **room, gsize n, guint64 width)
{
  if (is_sorted (*keyed, n))
    return;
  for (guint shift = 0; shift < 64 && width >> shift > 0; shift += DIGIT_BITS)
    {
      gsize count[N_DIGITS + 1] = { 0 };
      Keyed *swapped = *keyed;

      for (gsize i = 0; i < n; i++)
        count[((*keyed)[i].key >> shift & (N_DIGITS - 1)) + 1]++;
      for (guint i = 0; i + 1 < N_DIGITS; i++)
        count[i + 1] += count[i];
      for (gsize i = 0; i < n && !is_cancelled (self, i); i++)
        (*room)[count[(*keyed)[i].key >> shift & (N_DIGITS - 1)]++] = (*keyed)[i];
      *keyed = *room;
      *room = swapped;
      if (g_cancellable_is_cancelled (self->cancellable))
        return;
    }
}

/* The rows of a thread in the range that are not yet taken. */
typedef struct
{
  gsize next;
  gsize end;
} Place;

/* The first row that ends after a time. */
static gsize
find_row (const TbIntervals *rows, gsize low, gsize high, gint64 time)
{
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (rows->end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static Place *
find_places (const TbWaitCpuContention *self, const TbIntervals *rows)
{
  const TbWaitModel *model = self->graph->model;
  Place *places = g_new (Place, (gsize) model->n_threads + 1);

  for (guint32 i = 0; i < model->n_threads; i++)
    {
      gsize first, n;

      tb_trace_get_thread_intervals (model->trace, i, &first, &n);
      places[i].next = find_row (rows, first, first + n, model->from);
      places[i].end = find_row (rows, places[i].next, first + n, model->to);
      if (places[i].end < first + n && rows->start[places[i].end] < model->to)
        places[i].end++;
    }
  return places;
}

static inline gboolean
is_run (const TbIntervals *rows, gsize row)
{
  return rows->state[row] == TB_STATE_RUNNING && rows->cpu[row] != TB_CPU_ALL;
}

/* Counts the runs of each CPU. Returns their total. */
static gsize
count_runs (TbWaitCpuContention *self, const TbIntervals *rows, const Place *places)
{
  g_autofree gsize *counts = g_new0 (gsize, TB_CPU_ALL);

  for (guint32 i = 0; i < self->graph->model->n_threads; i++)
    for (gsize row = places[i].next; row < places[i].end && !is_cancelled (self, row); row++)
      if (is_run (rows, row))
        {
          counts[rows->cpu[row]]++;
          self->n_cpus = MAX (self->n_cpus, (guint) rows->cpu[row] + 1);
        }
  self->first = g_new0 (gsize, (gsize) self->n_cpus + 1);
  for (guint i = 0; i < self->n_cpus; i++)
    self->first[i + 1] = self->first[i] + counts[i];
  return self->first[self->n_cpus];
}

/* Takes the runs that begin before a time and are not yet taken, by thread, then by start. */
static void
collect_runs (const TbIntervals *rows,
              Place *places,
              guint32 n_threads,
              gint64 at,
              gint64 until,
              GArray *keyed)
{
  g_array_set_size (keyed, 0);
  for (guint32 i = 0; i < n_threads; i++)
    {
      Place *place = &places[i];

      for (; place->next < place->end && rows->start[place->next] < until; place->next++)
        if (is_run (rows, place->next))
          {
            Keyed run
                = { (guint64) (MAX (rows->start[place->next], at) - at), (guint32) place->next, 0 };

            g_array_append_val (keyed, run);
          }
    }
}

/* Distributes the runs to their CPUs. The time is processed in slices, so that what is sorted fits
 * a cache. */
static void
place_runs (TbWaitCpuContention *self, const TbIntervals *rows, Place *places, gsize n)
{
  const TbWaitModel *model = self->graph->model;
  gint64 width = MAX ((model->to - model->from) / (gint64) (n / RUNS_A_SLICE + 1), 1), until;
  g_autofree gsize *next = g_memdup2 (self->first, sizeof *next * ((gsize) self->n_cpus + 1));
  g_autoptr (GArray) keyed = g_array_new (FALSE, FALSE, sizeof (Keyed));
  g_autoptr (GArray) room = g_array_new (FALSE, FALSE, sizeof (Keyed));

  for (gint64 at = model->from; at < model->to && !g_cancellable_is_cancelled (self->cancellable);
       at = until)
    {
      Keyed *runs, *other;

      until = model->to - at > width ? at + width : model->to;
      collect_runs (rows, places, model->n_threads, at, until, keyed);
      g_array_set_size (room, keyed->len);
      runs = &g_array_index (keyed, Keyed, 0);
      other = &g_array_index (room, Keyed, 0);
      sort_keyed (self, &runs, &other, keyed->len, (guint64) (until - at));
      /* After cancellation, the rest is uninitialized memory. */
      if (g_cancellable_is_cancelled (self->cancellable))
        return;
      for (guint i = 0; i < keyed->len; i++)
        {
          guint32 row = runs[i].what;
          gsize run = next[rows->cpu[row]]++;

          self->start[run] = at + (gint64) runs[i].key;
          self->end[run] = MIN (rows->end[row], model->to);
          self->thread[run] = rows->thread[row];
        }
    }
}

/* Runs of a CPU follow one another unless a switch is missing. */
static gboolean
ends_in_order (const TbWaitCpuContention *self)
{
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    for (gsize run = self->first[cpu] + 1; run < self->first[cpu + 1] && !is_cancelled (self, run);
         run++)
      if (self->end[run] < self->end[run - 1])
        return FALSE;
  return TRUE;
}

static void
find_latest (TbWaitCpuContention *self, gsize n)
{
  self->latest = self->end;
  if (ends_in_order (self))
    return;
  self->latest = g_memdup2 (self->end, sizeof *self->end * n);
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    for (gsize run = self->first[cpu] + 1; run < self->first[cpu + 1] && !is_cancelled (self, run);
         run++)
      self->latest[run] = MAX (self->latest[run], self->latest[run - 1]);
}

static void
add_total (TbWaitCpuContention *self, GArray *touched)
{
  for (guint i = 0; i < touched->len; i++)
    {
      guint32 thread = g_array_index (touched, guint32, i);
      TbWaitCpuHolder total = { thread, self->ns[thread] };

      self->ns[thread] = 0;
      self->is_touched[thread] = FALSE;
      g_array_append_val (self->totals, total);
    }
  g_array_set_size (touched, 0);
}

static inline void
touch (TbWaitCpuContention *self, guint32 thread, gint64 ns, GArray *touched)
{
  if (!self->is_touched[thread])
    {
      self->is_touched[thread] = TRUE;
      g_array_append_val (touched, thread);
    }
  self->ns[thread] += ns;
}

static void
sum_runs (TbWaitCpuContention *self)
{
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->first_total = g_new0 (guint, self->n_cpus + 1);
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    {
      for (gsize run = self->first[cpu]; run < self->first[cpu + 1] && !is_cancelled (self, run);
           run++)
        touch (self, self->thread[run], self->end[run] - self->start[run], touched);
      add_total (self, touched);
      self->first_total[cpu + 1] = self->totals->len;
    }
}

/* Called on first use, because many recordings never need the runs. */
static void
find_runs (TbWaitCpuContention *self)
{
  const TbIntervals *rows = tb_trace_get_intervals (self->graph->model->trace);
  g_autofree Place *places = find_places (self, rows);
  gsize n;

  self->ns = g_new0 (gint64, (gsize) self->graph->model->n_threads + 1);
  self->is_touched = g_new0 (guint8, (gsize) self->graph->model->n_threads + 1);
  self->totals = g_array_new (FALSE, FALSE, sizeof (TbWaitCpuHolder));
  n = count_runs (self, rows, places);
  self->start = g_new (gint64, n + 1);
  self->end = g_new (gint64, n + 1);
  self->thread = g_new (guint32, n + 1);
  place_runs (self, rows, places, n);
  /* An incomplete result is discarded. */
  if (g_cancellable_is_cancelled (self->cancellable))
    self->n_cpus = 0;
  find_latest (self, n);
  sum_runs (self);
}

TbWaitCpuContention *
tb_wait_cpu_contention_new (const TbWaitGraph *graph, GCancellable *cancellable)
{
  TbWaitCpuContention *self = g_new0 (TbWaitCpuContention, 1);

  self->graph = graph;
  g_set_object (&self->cancellable, cancellable);
  self->found = g_new0 (GArray *, (gsize) graph->vertices->len + 1);
  return self;
}

void
tb_wait_cpu_contention_free (TbWaitCpuContention *self)
{
  for (guint32 i = 0; i < self->graph->vertices->len; i++)
    g_clear_pointer (&self->found[i], g_array_unref);
  g_free (self->start);
  if (self->latest != self->end)
    g_free (self->latest);
  g_free (self->end);
  g_free (self->thread);
  g_free (self->first);
  g_clear_pointer (&self->totals, g_array_unref);
  g_free (self->first_total);
  g_free (self->ns);
  g_free (self->is_touched);
  g_free (self->found);
  g_clear_object (&self->cancellable);
  g_free (self);
}

/* --- threads that wanted the CPU --- */

static const TbWaitNode *
get_node (const TbWaitCpuContention *self, const GArray *nodes, guint i)
{
  return tb_wait_model_get_node (self->graph->model, g_array_index (nodes, guint32, i));
}

/* The times at which the threads of a vertex begin and cease to want a CPU, in order. nodes: of
 * threads. */
static gsize
list_changes (const TbWaitCpuContention *self,
              const TbIntervals *rows,
              const GArray *nodes,
              Keyed **changes)
{
  const TbWaitModel *model = self->graph->model;
  g_autofree Keyed *room = NULL;
  gsize n = 0, first, n_rows;

  for (guint i = 0; i < nodes->len; i++)
    {
      tb_trace_get_thread_intervals (model->trace, get_node (self, nodes, i)->id, &first, &n_rows);
      n += 2 * n_rows;
    }
  *changes = g_new (Keyed, n + 1);
  n = 0;
  for (guint i = 0; i < nodes->len && !g_cancellable_is_cancelled (self->cancellable); i++)
    {
      const TbWaitNode *node = get_node (self, nodes, i);

      tb_trace_get_thread_intervals (model->trace, node->id, &first, &n_rows);
      for (gsize row = first; row < first + n_rows && !is_cancelled (self, row); row++)
        {
          gint64 from = MAX (rows->start[row], node->first), to = MIN (rows->end[row], node->last);

          if (rows->state[row] != TB_STATE_RUNNABLE || rows->cpu[row] >= self->n_cpus || from >= to)
            continue;
          (*changes)[n++] = (Keyed) { (guint64) (from - model->from), rows->cpu[row], 1 };
          (*changes)[n++] = (Keyed) { (guint64) (to - model->from), rows->cpu[row], -1 };
        }
    }
  room = g_new (Keyed, n + 1);
  sort_keyed (self, changes, &room, n, (guint64) (model->to - model->from));
  return n;
}

/* The first run, from a given one on, that may end after a time. */
static gsize
skip_runs (const TbWaitCpuContention *self, gsize run, gsize last, gint64 time)
{
  gsize step = 1, low = run, high;

  while (low < last && self->latest[MIN (low + step, last) - 1] <= time)
    {
      low = MIN (low + step, last);
      step *= 2;
    }
  high = MIN (low + step, last);
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->latest[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Adds the runs of a CPU in a range, multiplied. */
static void
add_runs (TbWaitCpuContention *self,
          gsize run,
          gsize last,
          gint64 from,
          gint64 to,
          gint64 times,
          GArray *touched)
{
  for (; run < last && self->start[run] < to && !is_cancelled (self, run); run++)
    {
      gint64 ns = MIN (self->end[run], to) - MAX (self->start[run], from);

      if (ns > 0)
        touch (self, self->thread[run], ns * times, touched);
    }
}

/* How many threads want a CPU, from one change to the next. */
typedef struct
{
  gsize run;
  gint64 since;
  gint64 n_wanting;
  gint64 usual; /* the number for most of the time, which needs no correction */
} Cpu;

/* Finds how many threads want each CPU for most of the time. most: upper limit of these numbers. */
static void
find_usual (const TbWaitCpuContention *self, Cpu *cpus, const Keyed *changes, gsize n, guint most)
{
  gint64 to = self->graph->model->to - self->graph->model->from;
  gsize width = (gsize) most + 1;
  g_autofree gint64 *ns = g_new0 (gint64, self->n_cpus * width + 1);

  for (gsize i = 0; i < n && !is_cancelled (self, i); i++)
    {
      Cpu *cpu = &cpus[changes[i].what];

      ns[changes[i].what * width + CLAMP (cpu->n_wanting, 0, most)]
          += (gint64) changes[i].key - cpu->since;
      cpu->since = (gint64) changes[i].key;
      cpu->n_wanting += changes[i].more;
    }
  for (guint i = 0; i < self->n_cpus; i++)
    {
      ns[i * width] += to - cpus[i].since;
      for (guint j = 1; j < width; j++)
        if (ns[i * width + j] > ns[i * width + cpus[i].usual])
          cpus[i].usual = j;
      cpus[i].since = 0;
      cpus[i].n_wanting = 0;
    }
}

static void
add_stretch (TbWaitCpuContention *self, guint index, Cpu *cpu, gint64 until, GArray *touched)
{
  gint64 from = self->graph->model->from;
  gsize last = self->first[index + 1];

  if (cpu->n_wanting != cpu->usual && until > cpu->since)
    {
      cpu->run = skip_runs (self, cpu->run, last, from + cpu->since);
      add_runs (self, cpu->run, last, from + cpu->since, from + until, cpu->n_wanting - cpu->usual,
                touched);
    }
  cpu->since = until;
}

/* First, all that ran on a CPU counts as often as the usual number of threads wants it. Then what
 * ran while another number of threads wanted it is corrected. A thread that is nearly always
 * runnable is thus as cheap as one that hardly ever is. */
static void
sweep (TbWaitCpuContention *self, const Keyed *changes, gsize n, guint most, GArray *touched)
{
  g_autofree Cpu *cpus = g_new0 (Cpu, self->n_cpus + 1);

  for (guint i = 0; i < self->n_cpus; i++)
    cpus[i].run = self->first[i];
  find_usual (self, cpus, changes, n, most);
  for (gsize i = 0; i < n && !is_cancelled (self, i); i++)
    {
      Cpu *cpu = &cpus[changes[i].what];

      add_stretch (self, changes[i].what, cpu, (gint64) changes[i].key, touched);
      cpu->n_wanting += changes[i].more;
    }
  for (guint i = 0; i < self->n_cpus; i++)
    {
      add_stretch (self, i, &cpus[i], self->graph->model->to - self->graph->model->from, touched);
      for (guint j = self->first_total[i]; cpus[i].usual > 0 && j < self->first_total[i + 1]; j++)
        {
          const TbWaitCpuHolder *total = &g_array_index (self->totals, TbWaitCpuHolder, j);

          touch (self, total->thread, total->ns * cpus[i].usual, touched);
        }
    }
}

static int
compare_cpu_holders (gconstpointer a, gconstpointer b)
{
  const TbWaitCpuHolder *left = a, *right = b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

GArray *
tb_wait_cpu_contention_find (TbWaitCpuContention *self, guint32 vertex)
{
  const TbIntervals *rows = tb_trace_get_intervals (self->graph->model->trace);
  g_autoptr (GArray) nodes = NULL;
  g_autoptr (GArray) touched = NULL;
  g_autofree Keyed *changes = NULL;
  GArray *cpu_contention;
  gsize n;

  if (self->found[vertex] != NULL)
    return g_array_ref (self->found[vertex]);
  if (self->totals == NULL)
    find_runs (self);
  nodes = tb_wait_vertex_list_thread_nodes (self->graph, vertex);
  touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  cpu_contention = g_array_new (FALSE, FALSE, sizeof (TbWaitCpuHolder));
  n = list_changes (self, rows, nodes, &changes);
  sweep (self, changes, n, nodes->len, touched);
  for (guint i = 0; i < touched->len; i++)
    {
      guint32 thread = g_array_index (touched, guint32, i);
      TbWaitCpuHolder cpu_holder = { thread, self->ns[thread] };

      self->ns[thread] = 0;
      self->is_touched[thread] = FALSE;
      if (cpu_holder.ns > 0)
        g_array_append_val (cpu_contention, cpu_holder);
    }
  g_array_sort (cpu_contention, compare_cpu_holders);
  self->found[vertex] = cpu_contention;
  return g_array_ref (cpu_contention);
}
