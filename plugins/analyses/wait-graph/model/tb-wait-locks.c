/* tb-wait-locks.c: the lock, or end of threads, for which most of an edge's time was waited, with
 * the threads that held it when waits ended; names and descriptions of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-locks.h"

#include <glib/gi18n.h>

#include "tb-wait-names.h"
#include "trace/tb-trace-lock-uses.h"

#define HOLDERS_SHOWN 3
/* Stacks of an edge from which the use of its locks is taken, the heaviest first. */
#define STACKS_EXAMINED 16

struct _TbWaitLocks
{
  const TbWaitGraph *graph;
  const TbWaitStacks *stacks;
  TbTrace *trace;
  const TbIntervals *rows;
  const TbLock *locks;
  guint n_locks;
  TbLockUses *uses;
  guint8 *use_of_function; /* by function of the tree: 1 + TbLockUse; 0: not computed yet */
  guint8 *use_of_node;     /* likewise, by node of the tree, for the node and its callers */
  TbWaitLock **lock_of_arc;
  guint8 *is_computed;
};

static void
lock_free (TbWaitLock *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->holders);
  g_free (self);
}

TbWaitLocks *
tb_wait_locks_new (const TbWaitGraph *graph, const TbWaitStacks *stacks)
{
  TbWaitLocks *self = g_new0 (TbWaitLocks, 1);

  self->graph = graph;
  self->stacks = stacks;
  self->trace = graph->model->trace;
  self->rows = stacks->rows;
  self->locks = tb_trace_get_locks (self->trace, &self->n_locks);
  self->uses = tb_lock_uses_new (self->trace);
  self->use_of_function
      = g_new0 (guint8, (gsize) tb_context_tree_get_n_functions (stacks->tree) + 1);
  self->use_of_node = g_new0 (guint8, (gsize) tb_context_tree_get_n_nodes (stacks->tree) + 1);
  self->lock_of_arc = g_new0 (TbWaitLock *, (gsize) graph->arcs->len + 1);
  self->is_computed = g_new0 (guint8, (gsize) graph->arcs->len + 1);
  return self;
}

void
tb_wait_locks_free (TbWaitLocks *self)
{
  for (guint i = 0; i < self->graph->arcs->len; i++)
    lock_free (self->lock_of_arc[i]);
  tb_lock_uses_free (self->uses);
  g_free (self->lock_of_arc);
  g_free (self->is_computed);
  g_free (self->use_of_function);
  g_free (self->use_of_node);
  g_free (self);
}

/* --- the end of a thread --- */

static TbLockUse
get_function_use (TbWaitLocks *self, guint32 node)
{
  guint8 *known = &self->use_of_function[tb_context_tree_get_function (self->stacks->tree, node)];
  TbContextNode of;

  if (*known == 0)
    {
      tb_context_tree_get_node (self->stacks->tree, node, &of);
      *known = (guint8) (1 + tb_lock_use_from_function (of.function));
    }
  return *known - 1;
}

static TbLockUse
find_use (TbWaitLocks *self, guint32 stack)
{
  TbLockUse use = TB_LOCK_USE_UNKNOWN;
  guint32 leaf = stack != TB_STACK_NONE ? tb_context_tree_find (self->stacks->tree, stack) : 0;

  if (self->use_of_node[leaf] != 0)
    return self->use_of_node[leaf] - 1;
  for (guint32 node = leaf; node != 0 && use != TB_LOCK_USE_CONDITION && use != TB_LOCK_USE_JOIN;
       node = tb_context_tree_get_parent (self->stacks->tree, node))
    {
      TbLockUse of = get_function_use (self, node);

      if (of != TB_LOCK_USE_UNKNOWN)
        use = of;
    }
  self->use_of_node[leaf] = (guint8) (1 + use);
  return use;
}

static gboolean
is_join (TbWaitLocks *self, gsize wait, guint32 lock)
{
  TbLockUse use;

  if (self->locks[lock].place != TB_ID_NONE)
    return FALSE;
  use = find_use (self, tb_wait_stacks_get (self->stacks, wait, TB_WAIT_WAITER));
  if (use != TB_LOCK_USE_UNKNOWN)
    return use == TB_LOCK_USE_JOIN;
  return tb_lock_uses_is_for_ends (self->uses, lock);
}

/* --- locks of an edge --- */

/* Returns FALSE where no lock address is known. */
static gboolean
get_lock (TbWaitLocks *self, gsize wait, guint32 *lock)
{
  guint32 row = self->graph->model->waits.row[wait];

  *lock = row < self->rows->n && self->rows->kind[row] == TB_WAIT_LOCK
              ? tb_trace_get_lock (self->trace, row)
              : TB_ID_NONE;
  if (*lock == TB_ID_NONE)
    return FALSE;
  /* All thread ends count as one, although each has a word of its own. */
  if (is_join (self, wait, *lock))
    *lock = TB_ID_NONE;
  return TRUE;
}

static int
compare_holders (gconstpointer a, gconstpointer b)
{
  const TbWaitHolder *one = a, *two = b;

  if (one->ns != two->ns)
    return one->ns > two->ns ? -1 : 1;
  return one->thread < two->thread ? -1 : one->thread > two->thread;
}

/* Whether a wait is for a condition, or for something else of which the operation shows that it is
 * no mutex. */
static gboolean
is_signalled (TbWaitLocks *self, guint32 row)
{
  TbLockUse use = tb_lock_uses_get (self->uses, row);

  return use == TB_LOCK_USE_CONDITION || use == TB_LOCK_USE_NO_MUTEX;
}

/* Adds the threads that ended the waits. A virtual vertex may have several parts of one wait. */
static void
add_holders (TbWaitLocks *self, const TbWaitArc *arc, TbWaitLock *lock)
{
  const TbWaits *waits = &self->graph->model->waits;
  gboolean in_pieces
      = tb_wait_graph_get_vertex (self->graph, arc->from)->kind == TB_WAIT_NODE_VIRTUAL;
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  gint64 signalled_ns = 0;

  for (gsize i = arc->first; i < arc->first + arc->n && !tb_wait_is_cancelled (i); i++)
    {
      gsize wait = self->graph->order[i];
      guint32 row = tb_wait_model_get_awaited_row (self->graph->model, waits->row[wait]), of;
      TbWaitHolder *holder;
      gpointer place;

      if (!get_lock (self, wait, &of) || of != lock->lock
          || self->rows->cause_kind[row] != TB_CAUSE_THREAD)
        continue;
      if (!g_hash_table_lookup_extended (places, GUINT_TO_POINTER (self->rows->cause[row]), NULL,
                                         &place))
        {
          TbWaitHolder new_holder = { .thread = self->rows->cause[row] };

          place = GUINT_TO_POINTER (lock->holders->len);
          g_hash_table_insert (places, GUINT_TO_POINTER (self->rows->cause[row]), place);
          g_array_append_val (lock->holders, new_holder);
        }
      holder = &g_array_index (lock->holders, TbWaitHolder, GPOINTER_TO_UINT (place));
      holder->waits += !in_pieces || g_hash_table_add (rows, GUINT_TO_POINTER (row));
      holder->ns += waits->end[wait] - waits->start[wait];
      if (is_signalled (self, row))
        signalled_ns += waits->end[wait] - waits->start[wait];
    }
  lock->is_signalled = lock->lock != TB_ID_NONE && signalled_ns * 2 > lock->ns;
  g_array_sort (lock->holders, compare_holders);
}

static TbWaitLock *
find (TbWaitLocks *self, guint32 index)
{
  const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, index);
  const TbWaits *waits = &self->graph->model->waits;
  g_autoptr (GHashTable) ns_of_lock = g_hash_table_new (NULL, NULL);
  TbWaitLock *lock = NULL;
  TbWaitLock most = { 0 };
  gint64 all = 0;

  for (gsize i = arc->first; i < arc->first + arc->n && !tb_wait_is_cancelled (i); i++)
    {
      gsize wait = self->graph->order[i];
      gint64 ns = waits->end[wait] - waits->start[wait];
      guint32 of;

      all += ns;
      if (!get_lock (self, wait, &of))
        continue;
      ns += (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (ns_of_lock, GUINT_TO_POINTER (of)));
      g_hash_table_insert (ns_of_lock, GUINT_TO_POINTER (of), GSIZE_TO_POINTER ((gsize) ns));
      if (ns > most.ns)
        most = (TbWaitLock) { .lock = of, .ns = ns };
    }
  if (most.ns == 0)
    return NULL;
  lock = g_memdup2 (&most, sizeof most);
  lock->is_most = lock->ns >= all - lock->ns;
  lock->holders = g_array_new (FALSE, FALSE, sizeof (TbWaitHolder));
  add_holders (self, arc, lock);
  return lock;
}

const TbWaitLock *
tb_wait_locks_find (TbWaitLocks *self, guint32 arc)
{
  if (self->n_locks == 0)
    return NULL;
  if (!self->is_computed[arc])
    {
      self->lock_of_arc[arc] = find (self, arc);
      self->is_computed[arc] = TRUE;
    }
  return self->lock_of_arc[arc];
}

/* As find_use(), but by all functions of the stack: contexts leave out inner functions of the C
 * library, which may be the only ones that show the use. */
static TbLockUse
find_use_of_stack (TbWaitLocks *self, guint32 stack)
{
  g_auto (GStrv) functions = tb_trace_get_stack_functions (self->trace, stack);
  TbLockUse use = TB_LOCK_USE_UNKNOWN;

  for (guint i = 0; functions[i] != NULL; i++)
    {
      TbLockUse of = tb_lock_use_from_function (functions[i]);

      if (of == TB_LOCK_USE_CONDITION || of == TB_LOCK_USE_JOIN)
        return of;
      if (of != TB_LOCK_USE_UNKNOWN)
        use = of;
    }
  return use;
}

/* How long the waits of an edge are that the trace shows to be for locks of any kind. */
static gint64
measure_locks (TbWaitLocks *self, const TbWaitArc *arc, gint64 *all)
{
  const TbWaits *waits = &self->graph->model->waits;
  gint64 for_locks = 0;

  *all = 0;
  for (gsize i = arc->first; i < arc->first + arc->n && !tb_wait_is_cancelled (i); i++)
    {
      guint32 wait = self->graph->order[i], row = waits->row[wait];
      gint64 ns = waits->end[wait] - waits->start[wait];

      *all += ns;
      if (row < self->rows->n && self->rows->kind[row] == TB_WAIT_LOCK)
        for_locks += ns;
    }
  return for_locks;
}

/* Stacks that are cut do not show the use of a lock; it is that of the others. */
gboolean
tb_wait_locks_is_for_mutexes (TbWaitLocks *self, guint32 index)
{
  const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, index);
  gint64 all, for_locks = measure_locks (self, arc, &all), for_mutexes = 0, for_others = 0;
  g_autoptr (GArray) stacks = NULL;

  if (for_locks <= all / 2)
    return FALSE;
  stacks = tb_wait_stacks_sum (self->stacks, index, TB_WAIT_WAITER);
  for (guint i = 0; i < MIN (stacks->len, STACKS_EXAMINED); i++)
    {
      const TbWaitStack *stack = &g_array_index (stacks, TbWaitStack, i);
      TbLockUse use = find_use_of_stack (self, stack->stack);

      for_mutexes += use == TB_LOCK_USE_MUTEX ? stack->ns : 0;
      for_others += use == TB_LOCK_USE_CONDITION || use == TB_LOCK_USE_JOIN ? stack->ns : 0;
    }
  return for_mutexes > for_others;
}

/* --- descriptions --- */

char *
tb_wait_lock_get_name (const TbWaitGraph *graph, const TbWaitLock *lock)
{
  g_autofree char *thread = NULL;

  if (lock->lock != TB_ID_NONE)
    return tb_trace_describe_lock (graph->model->trace, lock->lock);
  if (lock->holders->len != 1)
    return lock->holders->len == 0 ? g_strdup ("end of a thread")
                                   : g_strdup_printf ("end of %u threads", lock->holders->len);
  thread = tb_trace_describe_thread (graph->model->trace,
                                     g_array_index (lock->holders, TbWaitHolder, 0).thread);
  return g_strdup_printf ("end of %s", thread);
}

char *
tb_wait_lock_get_label (const TbWaitGraph *graph, const TbWaitLock *lock)
{
  g_autofree char *thread = NULL;

  if (lock->lock != TB_ID_NONE)
    return tb_trace_describe_lock (graph->model->trace, lock->lock);
  if (lock->holders->len == 0)
    return g_strdup (_ ("end of a thread"));
  if (lock->holders->len > 1)
    return g_strdup_printf (ngettext ("end of %'u thread", "end of %'u threads",
                                      lock->holders->len),
                            lock->holders->len);
  thread = tb_wait_thread_describe (graph, g_array_index (lock->holders, TbWaitHolder, 0).thread);
  /* Translators: a thread: “end of worker (812)” */
  return g_strdup_printf (_ ("end of %s"), thread);
}

gboolean
tb_wait_lock_has_distinct_holders (const TbWaitGraph *graph, guint32 arc, const TbWaitLock *lock)
{
  const TbWaitVertex *vertex
      = tb_wait_graph_get_vertex (graph, tb_wait_graph_get_arc (graph, arc)->to);

  return lock->holders->len > (lock->lock == TB_ID_NONE ? 1 : 0)
         && vertex->merged != TB_WAIT_MERGED_NOT;
}

char *
tb_wait_lock_describe_holders (const TbWaitGraph *graph, const TbWaitLock *lock)
{
  guint n = lock->holders->len, n_shown = n > HOLDERS_SHOWN + 1 ? HOLDERS_SHOWN : n;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_shown; i++)
    {
      g_autofree char *name
          = tb_wait_thread_describe (graph, g_array_index (lock->holders, TbWaitHolder, i).thread);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 == n ? _ (" and ") : ", ", name);
    }
  if (n_shown < n)
    g_string_append_printf (text,
                            ngettext (" and %'u more thread", " and %'u more threads", n - n_shown),
                            n - n_shown);
  return g_string_free (text, FALSE);
}

/* Of a wait for the end of threads. */
static char *
describe_end (TbWaitLocks *self, const TbWaitLock *lock)
{
  g_autofree char *thread = NULL;

  if (lock->holders->len == 0)
    return g_strdup (_ ("most of it for the end of a thread"));
  if (lock->holders->len > 1)
    return g_strdup_printf (ngettext ("most of it for the end of %'u thread",
                                      "most of it for the end of %'u threads", lock->holders->len),
                            lock->holders->len);
  thread = tb_wait_thread_describe (self->graph,
                                    g_array_index (lock->holders, TbWaitHolder, 0).thread);
  /* Translators: of the time of a wait; %s is a thread, such as “worker (812)”. */
  return g_strdup_printf (_ ("most of it for the end of %s"), thread);
}

char *
tb_wait_locks_describe (TbWaitLocks *self, guint32 arc)
{
  const TbWaitLock *lock = tb_wait_locks_find (self, arc);
  g_autofree char *name = NULL;
  g_autofree char *holders = NULL;

  if (lock == NULL || !lock->is_most)
    return NULL;
  if (lock->lock == TB_ID_NONE)
    return describe_end (self, lock);
  name = tb_wait_lock_get_name (self->graph, lock);
  if (!tb_wait_lock_has_distinct_holders (self->graph, arc, lock))
    return g_strdup_printf (lock->is_signalled ? _ ("most of it for %s")
                                               : _ ("most of it for the lock %s"),
                            name);
  holders = tb_wait_lock_describe_holders (self->graph, lock);
  return g_strdup_printf (lock->is_signalled ? _ ("most of it for %s, ended by %s")
                                             : _ ("most of it for the lock %s, released by %s"),
                          name, holders);
}
