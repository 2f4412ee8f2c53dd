/* tb-paths-events.c: samples, device requests, interrupts, stacks and programs of a recording,
 * loaded and indexed by run, thread, device or CPU, as explanation of runs and sleeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-paths-events.h"
#include "trace/tb-trace-roles.h"

/* A softirq that begins within this time (ns) after a hard interrupt was raised by it. Others run
 * within the thread's system call. */
#define MAX_RAISE_DELAY 5000

/* Columns of a table, owned while they are read. */
typedef struct
{
  TbTable *table;
  GPtrArray *bytes;
  GError **error;
  gboolean failed;
  gsize n;
} Reader;

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->bytes, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
reader_init (Reader *self, TbTrace *trace, TbTableKind kind, GError **error)
{
  self->table = tb_session_get_table (tb_trace_get_session (trace), kind);
  self->n = tb_table_get_n_rows (self->table);
  self->bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->error = error;
}

static const void *
read_column (Reader *self, guint column)
{
  GBytes *bytes = self->failed ? NULL : tb_table_get_column (self->table, column, self->error);

  if (bytes == NULL)
    {
      self->failed = TRUE;
      return NULL;
    }
  g_ptr_array_add (self->bytes, bytes);
  return g_bytes_get_data (bytes, NULL);
}

/* --- stretches --- */

typedef struct
{
  guint32 owner;
  gint64 from;
  gint64 to;
} Stretch;

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const Stretch *one = a, *two = b;

  if (one->owner != two->owner)
    return one->owner < two->owner ? -1 : 1;
  return one->from < two->from ? -1 : one->from > two->from;
}

/* Sorts the stretches and merges those that touch. */
static void
stretches_set (TbPathsStretches *self, GArray *all, guint n_owners)
{
  guint32 n = 0;

  g_array_sort (all, compare_stretches);
  self->n_owners = n_owners;
  self->first = g_new0 (guint32, (gsize) n_owners + 1);
  self->from = g_new (gint64, MAX (all->len, 1));
  self->to = g_new (gint64, MAX (all->len, 1));
  for (guint i = 0; i < all->len; i++)
    {
      const Stretch *stretch = &g_array_index (all, Stretch, i);

      if (stretch->owner >= n_owners || stretch->to <= stretch->from)
        continue;
      if (self->first[stretch->owner + 1] > 0 && self->to[n - 1] >= stretch->from)
        self->to[n - 1] = MAX (self->to[n - 1], stretch->to);
      else
        {
          self->from[n] = stretch->from;
          self->to[n++] = stretch->to;
        }
      self->first[stretch->owner + 1] = n;
    }
  for (guint i = 1; i <= n_owners; i++)
    self->first[i] = MAX (self->first[i], self->first[i - 1]);
}

static void
stretches_clear (TbPathsStretches *self)
{
  g_free (self->first);
  g_free (self->from);
  g_free (self->to);
}

guint32
tb_paths_stretches_find (const TbPathsStretches *self, guint32 owner, gint64 time, guint32 *end)
{
  guint32 low, high;

  if (owner >= self->n_owners)
    {
      *end = 0;
      return 0;
    }
  low = self->first[owner];
  *end = high = self->first[owner + 1];
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->to[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Times at which requests were queued and in service, by owner. A request that completes without an
 * issue counts as issued when it was inserted. */
static void
set_requests (TbPathsEvents *self,
              const gint64 *const times[3],
              const guint32 *owner,
              gsize n,
              guint n_owners,
              TbPathsStretches *queue,
              TbPathsStretches *service)
{
  g_autoptr (GArray) served = g_array_new (FALSE, FALSE, sizeof (Stretch));
  g_autoptr (GArray) queued = g_array_new (FALSE, FALSE, sizeof (Stretch));
  gint64 from, to;

  tb_trace_get_range (self->trace, &from, &to);
  for (gsize i = 0; i < n; i++)
    {
      gint64 insert = times[0][i], issue = times[1][i], complete = times[2][i];
      gint64 issued = issue >= 0 ? issue : complete >= 0 ? insert : to;
      Stretch in_service = { owner[i], issued, complete >= 0 ? complete : to };
      Stretch in_queue = { owner[i], insert >= 0 ? insert : issued, issued };

      g_array_append_val (served, in_service);
      g_array_append_val (queued, in_queue);
    }
  stretches_set (service, served, n_owners);
  stretches_set (queue, queued, n_owners);
}

static gboolean
load_requests (TbPathsEvents *self, const TbPathsModel *model, GError **error)
{
  g_auto (Reader) reader = { 0 };
  const gint64 *times[3];
  const guint32 *thread, *device;
  guint n_devices;

  reader_init (&reader, self->trace, TB_TABLE_BLOCK, error);
  times[0] = read_column (&reader, TB_BLOCK_INSERT);
  times[1] = read_column (&reader, TB_BLOCK_ISSUE);
  times[2] = read_column (&reader, TB_BLOCK_COMPLETE);
  thread = read_column (&reader, TB_BLOCK_THREAD);
  device = read_column (&reader, TB_BLOCK_DEVICE);
  if (reader.failed)
    return FALSE;
  tb_session_get_devices (tb_trace_get_session (self->trace), &n_devices);
  self->has_requests = reader.n > 0;
  set_requests (self, times, thread, reader.n, model->n_threads, &self->queue, &self->service);
  set_requests (self, times, device, reader.n, n_devices, &self->device_queue,
                &self->device_service);
  return TRUE;
}

static gboolean
load_interrupts (TbPathsEvents *self, GError **error)
{
  g_auto (Reader) reader = { 0 };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Stretch));
  g_autofree gint64 *hard_exit = NULL;
  const gint64 *enter, *exit;
  const guint16 *cpu;
  const guint8 *kind;
  guint n_cpus = 0;

  reader_init (&reader, self->trace, TB_TABLE_INTERRUPT, error);
  enter = read_column (&reader, TB_INTERRUPT_ENTER);
  exit = read_column (&reader, TB_INTERRUPT_EXIT);
  cpu = read_column (&reader, TB_INTERRUPT_CPU);
  kind = read_column (&reader, TB_INTERRUPT_KIND);
  if (reader.failed)
    return FALSE;
  for (gsize i = 0; i < reader.n; i++)
    if (cpu[i] != TB_CPU_ALL)
      n_cpus = MAX (n_cpus, (guint) cpu[i] + 1);
  hard_exit = g_new (gint64, MAX (n_cpus, 1));
  for (guint i = 0; i < n_cpus; i++)
    hard_exit[i] = G_MININT64 / 2;
  /* Ordered by exit. A softirq follows the exit of the hard interrupt that raised it. */
  for (gsize i = 0; i < reader.n; i++)
    {
      Stretch stretch = { cpu[i], enter[i], exit[i] };

      if (cpu[i] == TB_CPU_ALL || enter[i] < 0 || exit[i] < enter[i])
        continue;
      if (kind[i] != TB_INTERRUPT_SOFT || enter[i] - hard_exit[cpu[i]] <= MAX_RAISE_DELAY)
        {
          hard_exit[cpu[i]] = exit[i];
          g_array_append_val (all, stretch);
        }
    }
  stretches_set (&self->interrupts, all, n_cpus);
  return TRUE;
}

/* --- samples --- */

static void
attach_samples (TbPathsEvents *self,
                const TbPathsModel *model,
                guint32 thread,
                guint32 begin,
                guint32 end)
{
  const TbIntervals *rows = model->rows;
  guint32 row = model->first_row[thread], last = model->first_row[thread + 1];
  guint32 run = TB_ID_NONE;

  for (guint32 i = begin; i < end; i++)
    {
      gint64 time = self->sample_time[i];

      for (; row < last && rows->start[row] <= time; row++)
        if (tb_paths_is_run (model, row))
          run = row;
      if (run == TB_ID_NONE || time - rows->end[run] >= model->thresholds.sample_late)
        {
          self->samples_dropped++;
          continue;
        }
      /* A sample without a stack adds no information. */
      if (self->sample_node[i] == 0)
        continue;
      if (self->sample_n[run] == 0)
        self->sample_first[run] = i;
      self->sample_n[run] = i + 1 - self->sample_first[run];
    }
}

static gboolean
load_samples (TbPathsEvents *self, const TbPathsModel *model, GError **error)
{
  g_auto (Reader) reader = { 0 };
  g_autofree guint32 *first = g_new0 (guint32, (gsize) model->n_threads + 2);
  const gint64 *time;
  const guint32 *thread, *stack;

  self->sample_first = g_new (guint32, MAX (model->rows->n, 1));
  self->sample_n = g_new0 (guint32, MAX (model->rows->n, 1));
  reader_init (&reader, self->trace, TB_TABLE_SAMPLE, error);
  time = read_column (&reader, TB_SAMPLE_TIME);
  thread = read_column (&reader, TB_SAMPLE_THREAD);
  stack = read_column (&reader, TB_SAMPLE_STACK);
  if (reader.failed)
    return FALSE;
  for (gsize i = 0; i < reader.n; i++)
    if (thread[i] < model->n_threads && thread[i] != TB_THREAD_IDLE)
      first[thread[i] + 2]++;
  for (guint i = 2; i <= model->n_threads + 1; i++)
    first[i] += first[i - 1];
  self->n_samples = first[model->n_threads + 1];
  self->sample_node = g_new (guint32, MAX (self->n_samples, 1));
  self->sample_time = g_new (gint64, MAX (self->n_samples, 1));
  self->sample_broken = g_new (guint8, MAX (self->n_samples, 1));
  for (gsize i = 0; i < reader.n; i++)
    if (thread[i] < model->n_threads && thread[i] != TB_THREAD_IDLE)
      {
        guint32 place = first[thread[i] + 1]++;

        self->sample_node[place] = tb_context_tree_find (self->tree, stack[i]);
        self->sample_time[place] = time[i];
        self->sample_broken[place] = stack[i] < self->n_stacks && self->stack_broken[stack[i]];
      }
  for (guint i = 0; i < model->n_threads; i++)
    attach_samples (self, model, i, first[i], first[i + 1]);
  return TRUE;
}

static void
load_nodes (TbPathsEvents *self)
{
  self->n_nodes = tb_context_tree_get_n_nodes (self->tree);
  self->node_parent = g_new (guint32, MAX (self->n_nodes, 1));
  self->node_depth = g_new (guint32, MAX (self->n_nodes, 1));
  self->node_kernel = g_new (guint8, MAX (self->n_nodes, 1));
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      TbContextNode node;

      tb_context_tree_get_node (self->tree, i, &node);
      self->node_parent[i] = node.parent;
      self->node_depth[i] = node.depth;
      self->node_kernel[i] = node.kernel;
    }
}

/* Finds the stacks that could not be walked to their start. */
static gboolean
load_stacks (TbPathsEvents *self, GError **error)
{
  g_auto (Reader) reader = { 0 };
  const guint32 *parent;
  const guint8 *flags;

  reader_init (&reader, self->trace, TB_TABLE_STACK, error);
  parent = read_column (&reader, TB_STACK_PARENT);
  flags = read_column (&reader, TB_STACK_FLAGS);
  if (reader.failed)
    return FALSE;
  self->n_stacks = MIN (reader.n, TB_ID_NONE);
  self->stack_broken = g_new0 (guint8, MAX (self->n_stacks, 1));
  /* A parent has a smaller index than its children. */
  for (guint32 i = 1; i < self->n_stacks; i++)
    self->stack_broken[i]
        = (flags[i] & TB_STACK_BROKEN) || (parent[i] < i && self->stack_broken[parent[i]]);
  return TRUE;
}

/* --- programs --- */

static gboolean
load_programs (TbPathsEvents *self, GError **error)
{
  TbSession *session = tb_trace_get_session (self->trace);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);

  tb_session_get_processes (session, &self->n_processes);
  self->process_of = g_new (guint32, MAX (n_threads, 1));
  for (guint i = 0; i < n_threads; i++)
    self->process_of[i] = threads[i].process < self->n_processes ? threads[i].process : TB_ID_NONE;
  self->programs = tb_programs_new (self->trace, error);
  return self->programs != NULL;
}

guint32
tb_paths_events_find_program (const TbPathsEvents *self, guint32 thread, gint64 time)
{
  guint32 program;

  if ((tb_trace_get_thread_roles (self->trace, thread) & TB_THREAD_ROLE_RECORDER) != 0)
    return TB_PATHS_RECORDER;
  program = tb_programs_find (self->programs, thread, time);
  return tb_programs_is_unexecuted_command (self->programs, program) ? TB_PATHS_RECORDER : program;
}

const char *
tb_paths_events_get_program_name (TbPathsEvents *self, guint32 program)
{
  const TbProgram *of = tb_programs_get (self->programs, program);

  if (program == TB_PATHS_RECORDER)
    return _ ("Recording itself");
  if (of == NULL)
    return _ ("unknown");
  return of->name != NULL
             ? of->name
             : tb_session_get_shown_process_name (tb_trace_get_session (self->trace), of->process);
}

/* --- lifetime --- */

TbPathsEvents *
tb_paths_events_new (TbTrace *trace,
                     const TbPathsModel *model,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbPathsEvents) self = g_new0 (TbPathsEvents, 1);

  self->trace = g_object_ref (trace);
  self->tree = tb_trace_get_context_tree (trace);
  self->inferred = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  load_nodes (self);
  if (!load_stacks (self, error) || !load_programs (self, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error)
      || !load_samples (self, model, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error)
      || !load_requests (self, model, error) || !load_interrupts (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tb_paths_events_free (TbPathsEvents *self)
{
  g_clear_object (&self->trace);
  g_clear_object (&self->tree);
  g_free (self->node_parent);
  g_free (self->node_depth);
  g_free (self->node_kernel);
  g_free (self->sample_first);
  g_free (self->sample_n);
  g_free (self->sample_node);
  g_free (self->sample_time);
  stretches_clear (&self->service);
  stretches_clear (&self->queue);
  stretches_clear (&self->device_service);
  stretches_clear (&self->device_queue);
  stretches_clear (&self->interrupts);
  g_clear_pointer (&self->programs, tb_programs_free);
  g_free (self->process_of);
  g_free (self->sample_broken);
  g_free (self->stack_broken);
  g_clear_pointer (&self->inferred, g_hash_table_unref);
  g_clear_pointer (&self->seen, g_hash_table_unref);
  g_free (self);
}
