/* tb-threads-flames.c: flame graphs of waiting and running by function, for each process name, on
 * request for each of its threads: from waits with their stacks and awaited objects, and from
 * samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/flame/tb-flame-figure.h"
#include "tb-threads-flames.h"
#include "tb-threads-programs.h"

/* Weights of the functions of one owner, which is a process or one of its threads. They are stored
 * by node, so that adding is an array access. After each owner they are cleared through the list of
 * touched nodes. */
typedef struct
{
  TbThreadsSummary *summary;
  TbContextTree *tree;
  TbFlameFigure *figure;
  guint n_nodes;
  guint64 *own;
  guint64 *count;
  guint32 *place; /* by node: node of the figure, while an owner is written */
  GArray *touched;
  gint owner;        /* node of the figure for the current owner; -1: none yet */
  GArray *leaves;    /* Leaf */
  GHashTable *known; /* node and object → leaf */
} Flame;

/* What was waited for at a function. */
typedef struct
{
  guint32 node;
  guint32 object; /* of the trace */
  guint8 paint;
  guint64 own;
  guint64 count;
} Leaf;

static void
flame_init (Flame *self, TbThreadsSummary *summary, TbContextTree *tree, TbFlameFigure *figure)
{
  *self = (Flame) { .summary = summary,
                    .tree = tree,
                    .figure = figure,
                    .n_nodes = tb_context_tree_get_n_nodes (tree) };
  self->own = g_new0 (guint64, self->n_nodes);
  self->count = g_new0 (guint64, self->n_nodes);
  self->place = g_new (guint32, self->n_nodes);
  memset (self->place, 0xff, sizeof (guint32) * self->n_nodes);
  self->touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->owner = -1;
  self->leaves = g_array_new (FALSE, FALSE, sizeof (Leaf));
  self->known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
flame_clear (Flame *self)
{
  g_free (self->own);
  g_free (self->count);
  g_free (self->place);
  g_array_unref (self->touched);
  g_array_unref (self->leaves);
  g_hash_table_unref (self->known);
}

static void
touch (Flame *self, guint32 node)
{
  if (self->place[node] != TB_ID_NONE)
    return;
  self->place[node] = 0;
  g_array_append_val (self->touched, node);
}

static void
add_weight (Flame *self, guint32 node, guint64 weight)
{
  touch (self, node);
  self->own[node] += weight;
  self->count[node]++;
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

/* Sorts the touched nodes: many by a look at all nodes. */
static void
sort_touched (Flame *self)
{
  if (self->touched->len < self->n_nodes / 16)
    {
      g_array_sort (self->touched, compare_nodes);
      return;
    }
  g_array_set_size (self->touched, 0);
  for (guint32 node = 0; node < self->n_nodes; node++)
    if (self->place[node] != TB_ID_NONE)
      g_array_append_val (self->touched, node);
}

/* Touches the callers of the touched nodes, because they are drawn too. */
static void
touch_callers (Flame *self)
{
  guint n = self->touched->len;

  for (guint i = 0; i < n; i++)
    {
      guint32 node
          = tb_context_tree_get_parent (self->tree, g_array_index (self->touched, guint32, i));

      for (; node != 0 && self->place[node] == TB_ID_NONE;
           node = tb_context_tree_get_parent (self->tree, node))
        touch (self, node);
    }
  sort_touched (self);
}

/* Writes the gathered weights below their owner, and clears them. */
static void
write_owner (Flame *self, const char *owner_name, const char *thread, const char *without_stack)
{
  guint owner;

  if (self->touched->len == 0)
    return;
  if (self->owner < 0)
    self->owner = tb_flame_figure_add_node (self->figure, TB_ID_NONE, owner_name, NULL,
                                            TB_FLAME_PROCESS, 0, 0);
  owner = self->owner;
  if (thread != NULL)
    owner = tb_flame_figure_add_node (self->figure, owner, thread, NULL, TB_FLAME_PROCESS, 0, 0);
  touch_callers (self);
  for (guint i = 0; i < self->touched->len; i++)
    {
      guint32 node = g_array_index (self->touched, guint32, i);
      TbContextNode context;

      tb_context_tree_get_node (self->tree, node, &context);
      if (node == 0)
        self->place[0] = tb_flame_figure_add_node (self->figure, owner, without_stack, NULL,
                                                   TB_FLAME_UNKNOWN, self->own[0], self->count[0]);
      else
        self->place[node]
            = tb_flame_figure_add_node (self->figure,
                                        context.parent == 0 ? owner : self->place[context.parent],
                                        context.function, context.module,
                                        context.kernel ? TB_FLAME_KERNEL : TB_FLAME_USER,
                                        self->own[node], self->count[node]);
    }
  for (guint i = 0; i < self->leaves->len; i++)
    {
      const Leaf *leaf = &g_array_index (self->leaves, Leaf, i);
      g_autofree char *object = tb_trace_describe_object (self->summary->trace, leaf->object);

      tb_flame_figure_add_node (self->figure, self->place[leaf->node], object, NULL, leaf->paint,
                                leaf->own, leaf->count);
    }
  for (guint i = 0; i < self->touched->len; i++)
    {
      guint32 node = g_array_index (self->touched, guint32, i);

      self->own[node] = self->count[node] = 0;
      self->place[node] = TB_ID_NONE;
    }
  g_array_set_size (self->touched, 0);
  g_array_set_size (self->leaves, 0);
  g_hash_table_remove_all (self->known);
}

/* --- owners --- */

/* The processes that were a program of one name, or all kernel threads: their stacks are drawn
 * together. */
typedef struct
{
  char *name;
  gboolean kernel;
  GHashTable *processes;
  GPtrArray *threads; /* TbThreadSummary, rows of the summary; not owned */
} Owner;

static void
owner_free (Owner *self)
{
  g_free (self->name);
  g_hash_table_unref (self->processes);
  g_ptr_array_unref (self->threads);
  g_free (self);
}

static GPtrArray *
find_owners (TbThreadsSummary *summary)
{
  GPtrArray *owners = g_ptr_array_new_with_free_func ((GDestroyNotify) owner_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (summary->trace), &n_threads);

  for (guint i = 0; i < summary->rows->len; i++)
    {
      TbThreadSummary *thread = g_ptr_array_index (summary->rows, i);
      guint32 process = threads[thread->thread].process;
      gboolean kernel = tb_trace_is_kernel_thread (summary->trace, thread->thread);
      g_autofree char *key
          = g_strdup_printf ("%d%s", kernel,
                             kernel ? "" : tb_threads_get_shown_process_name (summary, thread));
      Owner *owner = g_hash_table_lookup (known, key);

      if (owner == NULL)
        {
          owner = g_new0 (Owner, 1);
          owner->kernel = kernel;
          owner->name = g_strdup (key + 1);
          owner->processes = g_hash_table_new (NULL, NULL);
          owner->threads = g_ptr_array_new ();
          g_ptr_array_add (owners, owner);
          g_hash_table_insert (known, g_steal_pointer (&key), owner);
        }
      g_hash_table_add (owner->processes, GUINT_TO_POINTER (process));
      g_ptr_array_add (owner->threads, thread);
    }
  return owners;
}

/* "curl (1160)", "cc1 ×14", "kernel" */
static char *
name_owner (TbThreadsSummary *summary, const Owner *owner)
{
  guint n_threads, n_processes;
  TbSession *session = tb_trace_get_session (summary->trace);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThreadSummary *first = g_ptr_array_index (owner->threads, 0);

  if (owner->kernel)
    return g_strdup (_ ("kernel"));
  if (g_hash_table_size (owner->processes) > 1)
    return g_strdup_printf ("%s ×%u", owner->name, g_hash_table_size (owner->processes));
  if (threads[first->thread].process < n_processes
      && tb_threads_get_process_name (summary, first)[0] != '\0')
    return g_strdup_printf ("%s (%d)", owner->name, processes[threads[first->thread].process].pid);
  return g_strdup (owner->name);
}

/* Adds the weights of a thread to the flame. */
typedef void (*GatherFunc) (Flame *self, const TbThreadSummary *thread, gpointer data);

static gboolean
write_owners (Flame *self,
              gboolean by_thread,
              GatherFunc gather,
              gpointer data,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GPtrArray) owners = find_owners (self->summary);

  for (guint i = 0; i < owners->len; i++)
    {
      const Owner *owner = g_ptr_array_index (owners, i);
      g_autofree char *name = name_owner (self->summary, owner);

      self->owner = -1;
      for (guint k = 0; k < owner->threads->len && !tb_threads_is_cancelled (); k++)
        {
          const TbThreadSummary *thread = g_ptr_array_index (owner->threads, k);

          gather (self, thread, data);
          if (by_thread)
            {
              g_autofree char *thread_name = tb_threads_describe (self->summary, thread);

              write_owner (self, name, thread_name, _ ("no stack"));
            }
        }
      write_owner (self, name, NULL, _ ("no stack"));
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* --- off-CPU --- */

static void
add_leaf (Flame *self, guint32 node, guint32 object, TbFlamePaint paint, gint64 ns)
{
  gint64 key = (gint64) ((guint64) node << 32 | object);
  Leaf leaf = { .node = node, .object = object, .paint = paint };
  Leaf *kept;
  gpointer found;

  if (!g_hash_table_lookup_extended (self->known, &key, NULL, &found))
    {
      found = GUINT_TO_POINTER (self->leaves->len);
      g_hash_table_insert (self->known, g_memdup2 (&key, sizeof key), found);
      g_array_append_val (self->leaves, leaf);
    }
  kept = &g_array_index (self->leaves, Leaf, GPOINTER_TO_UINT (found));
  kept->own += ns;
  kept->count++;
}

static TbFlamePaint
get_paint (TbTrace *trace, gsize row)
{
  if (tb_threads_is_disk (trace, row))
    return TB_FLAME_DISK;
  switch (tb_trace_get_wait_kind (trace, row))
    {
    case TB_WAIT_SOCKET:
    case TB_WAIT_POLL:
      return TB_FLAME_NETWORK;
    default:
      return tb_trace_get_intervals (trace)->cause_kind[row] == TB_CAUSE_NETWORK ? TB_FLAME_NETWORK
                                                                                 : TB_FLAME_WAITING;
    }
}

static void
gather_waits (Flame *self, const TbThreadSummary *thread, gpointer data)
{
  TbTrace *trace = self->summary->trace;
  const TbIntervals *intervals = tb_trace_get_intervals (trace);

  for (gsize row = thread->first_row;
       row < thread->first_row + thread->n_rows && tb_threads_should_continue (row); row++)
    {
      gint64 ns
          = MIN (intervals->end[row], thread->last) - MAX (intervals->start[row], thread->first);
      guint32 node, object;

      /* A kernel thread without work delays no other thread. */
      if (intervals->state[row] < TB_STATE_INTERRUPTIBLE
          || ((intervals->flags[row] & TB_INTERVAL_KERNEL_WORK)
              && tb_trace_get_wait_kind (trace, row) == TB_WAIT_WORK))
        continue;
      node = tb_context_tree_find (self->tree, intervals->stack[row]);
      object = tb_trace_get_object (trace, row);
      if (object != TB_STRING_NONE)
        {
          /* The time is shown at the awaited object. The function is drawn because it is above
           * that. */
          touch (self, node);
          add_leaf (self, node, object, get_paint (trace, row), ns);
        }
      else
        add_weight (self, node, ns);
    }
}

static gboolean
add_off_cpu (TbReport *report,
             TbThreadsSummary *summary,
             TbContextTree *tree,
             gboolean by_thread,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("off-cpu", _ ("Off-CPU Flame"), "ns");
  Flame self;
  gboolean done;

  flame_init (&self, summary, tree, figure);
  done = write_owners (&self, by_thread, gather_waits, NULL, cancellable, error);
  flame_clear (&self);
  if (done && tb_flame_figure_get_n_nodes (figure) > 0)
    tb_report_add_figure (report, TB_FIGURE (g_steal_pointer (&figure)));
  return done;
}

/* --- on-CPU --- */

static void
gather_samples (Flame *self, const TbThreadSummary *thread, gpointer data)
{
  const TbThreadsSamples *samples = data;

  for (guint32 row = samples->head[thread->row];
       row != TB_ID_NONE && tb_threads_should_continue (row); row = samples->next[row])
    add_weight (self, tb_context_tree_find (self->tree, samples->stack[row]),
                samples->are_times ? samples->weight[row] : 1);
}

static gboolean
add_on_cpu (TbReport *report,
            TbThreadsSummary *summary,
            TbContextTree *tree,
            const TbThreadsSamples *samples,
            gboolean by_thread,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (TbFlameFigure) figure
      = tb_flame_figure_new ("on-cpu", _ ("On-CPU Flame"), samples->are_times ? "ns" : "samples");
  Flame self;
  gboolean done;

  flame_init (&self, summary, tree, figure);
  done = write_owners (&self, by_thread, gather_samples, (gpointer) samples, cancellable, error);
  flame_clear (&self);
  if (done && tb_flame_figure_get_n_nodes (figure) > 0)
    tb_report_add_figure (report, TB_FIGURE (g_steal_pointer (&figure)));
  return done;
}

gboolean
tb_threads_add_flames (TbReport *report,
                       TbThreadsSummary *summary,
                       TbContextTree *tree,
                       const TbThreadsSamples *samples,
                       gboolean by_thread,
                       GCancellable *cancellable,
                       GError **error)
{
  return add_off_cpu (report, summary, tree, by_thread, cancellable, error)
         && add_on_cpu (report, summary, tree, samples, by_thread, cancellable, error);
}
