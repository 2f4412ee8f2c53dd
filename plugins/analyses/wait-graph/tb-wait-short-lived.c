/* tb-wait-short-lived.c: threads that are started again and again, as one that goes on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paper's short-term threads (3.3).
 */

#include "config.h"

#include "tb-wait-short-lived.h"
#include "tb-wait-walks.h"

#include <string.h>

#include "trace/tb-context-tree.h"

/* --- who belongs together --- */

/* By thread. */
typedef struct
{
  guint32 *creator; /* TB_ID_NONE unknown */
  guint8 *is_short;
  guint32 *group; /* TB_ID_NONE none */
  TbWaitWalks walks;
} Candidates;

static void
candidates_clear (Candidates *self)
{
  g_free (self->creator);
  g_free (self->is_short);
  g_free (self->group);
  tb_wait_walks_clear (&self->walks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Candidates, candidates_clear)

static gboolean
find_creators (TbWaitModel *model, Candidates *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (model->trace), TB_TABLE_PROCESS);
  gsize n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) kinds = NULL;
  g_autoptr (GBytes) threads = NULL;
  g_autoptr (GBytes) creators = NULL;

  self->creator = g_new (guint32, model->n_threads + 1);
  memset (self->creator, 0xff, sizeof (guint32) * (model->n_threads + 1));
  if (n == 0)
    return TRUE;
  kinds = tb_table_get_column (table, TB_PROCESS_KIND, error);
  threads = kinds != NULL ? tb_table_get_column (table, TB_PROCESS_THREAD, error) : NULL;
  creators = threads != NULL ? tb_table_get_column (table, TB_PROCESS_CREATOR, error) : NULL;
  if (creators == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      guint32 thread = ((const guint32 *) g_bytes_get_data (threads, NULL))[i];
      guint32 creator = ((const guint32 *) g_bytes_get_data (creators, NULL))[i];

      if (((const guint8 *) g_bytes_get_data (kinds, NULL))[i] == TB_PROCESS_FORK && thread < model->n_threads
          && creator < model->n_threads && creator != TB_THREAD_IDLE)
        self->creator[thread] = creator;
    }
  return TRUE;
}

static void
find_short (TbWaitModel *model, Candidates *self)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);

  self->is_short = g_new0 (guint8, model->n_threads + 1);
  for (guint32 i = 1; i < n_threads; i++)
    self->is_short[i] = self->creator[i] != TB_ID_NONE && threads[i].start != TB_TIME_NONE
                        && threads[i].end != TB_TIME_NONE && threads[i].start >= model->from
                        && threads[i].end <= model->to
                        && threads[i].end - threads[i].start < (model->to - model->from) / 2
                        && tb_wait_model_get_node (model, i)->first != TB_TIME_NONE;
}

/* How threads begin before anything of the program is called. */
static gboolean
is_start (const char *function)
{
  static const char *const starts[]
      = { "clone",  "clone3",        "__clone",           "__clone3", "start_thread",
          "_start", "ret_from_fork", "ret_from_fork_asm", "kthread",  "thread_start",
          NULL };

  return g_strv_contains (starts, function) || strchr (function, '+') != NULL;
}

/* The outermost function of a thread's stacks that is the program's; NULL where none is known. Where a walk broke off is
 * nowhere that a thread begins. */
static char *
find_entry (TbWaitModel *model, const TbWaitWalks *walks, guint32 thread)
{
  const TbIntervals *rows = tb_trace_get_intervals (model->trace);
  gsize first, n;

  tb_trace_get_thread_intervals (model->trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    {
      g_auto (GStrv) functions = NULL;

      if (rows->stack[i] == TB_STACK_NONE || tb_wait_walks_is_broken (walks, rows->stack[i]))
        continue;
      functions = tb_trace_get_stack_functions (model->trace, rows->stack[i]);
      for (guint j = 0; functions[j] != NULL; j++)
        if (!is_start (functions[j]))
          return g_strdup (functions[j]);
    }
  return NULL;
}

/* A process's program beside the function: main() alone tells nothing. */
static char *
make_key (TbWaitModel *model, const TbWaitWalks *walks, guint32 thread, guint64 creator)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);
  g_autofree char *entry = find_entry (model, walks, thread);

  if (entry != NULL && !g_str_equal (entry, "main") && !g_str_equal (entry, "__libc_start_main"))
    return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", creator, entry);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s %s", creator, entry != NULL ? entry : "",
                          threads[thread].name);
}

typedef struct
{
  guint32 thread;
  gint64 start;
} Born;

static int
compare_born (gconstpointer a, gconstpointer b)
{
  const Born *left = a, *right = b;

  if (left->start != right->start)
    return left->start < right->start ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

/* Creators come before those they create. */
static GArray *
sort_short (TbWaitModel *model, const Candidates *self)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);
  GArray *born = g_array_new (FALSE, FALSE, sizeof (Born));

  for (guint32 i = 1; i < n_threads; i++)
    if (self->is_short[i])
      {
        Born of = { i, threads[i].start };

        g_array_append_val (born, of);
      }
  g_array_sort (born, compare_born);
  return born;
}

/* Whether each of them is to be seen by itself. */
static gboolean
keep_apart (TbWaitModel *model, TbWaitApart *apart, const GArray *members)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);
  guint32 first = g_array_index (members, guint32, 0);
  guint32 which = tb_wait_apart_find (apart, "group", first, threads[first].name);

  for (guint i = 0; which != TB_ID_NONE && i < members->len; i++)
    apart->by_thread[g_array_index (members, guint32, i)] = which;
  return which != TB_ID_NONE;
}

/* A group of one is none: that thread stays what it is. */
static void
add_groups (TbWaitModel *model, const Candidates *self, const GPtrArray *members, TbWaitApart *apart)
{
  for (guint i = 0; i < members->len; i++)
    {
      GArray *of = g_ptr_array_index (members, i);
      TbWaitGroup group = { .creator = self->creator[g_array_index (of, guint32, 0)] };

      if (of->len < 2 || keep_apart (model, apart, of))
        continue;
      group.members = g_array_ref (of);
      group.entry = find_entry (model, &self->walks, g_array_index (of, guint32, 0));
      group.node = tb_wait_model_add_node (model, TB_WAIT_NODE_VIRTUAL, model->groups->len);
      for (guint j = 0; j < of->len; j++)
        model->group_of_thread[g_array_index (of, guint32, j)] = model->groups->len;
      g_array_append_val (model->groups, group);
    }
  for (guint i = 0; i < model->groups->len; i++)
    {
      TbWaitGroup *group = &g_array_index (model->groups, TbWaitGroup, i);
      guint32 above = group->creator != TB_ID_NONE ? model->group_of_thread[group->creator] : TB_ID_NONE;

      if (above != TB_ID_NONE)
        group->creator = g_array_index (model->groups, TbWaitGroup, above).node;
    }
}

gboolean
tb_wait_find_short_lived (TbWaitModel *model, TbWaitApart *apart, GCancellable *cancellable, GError **error)
{
  g_auto (Candidates) self = { 0 };
  g_autoptr (GArray) born = NULL;
  g_autoptr (GPtrArray) members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GHashTable) group_of_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!find_creators (model, &self, error)
      || !tb_wait_walks_load (&self.walks, tb_trace_get_session (model->trace), error))
    return FALSE;
  find_short (model, &self);
  self.group = g_new (guint32, model->n_threads + 1);
  memset (self.group, 0xff, sizeof (guint32) * (model->n_threads + 1));
  born = sort_short (model, &self);
  for (guint i = 0; i < born->len; i++)
    {
      guint32 thread = g_array_index (born, Born, i).thread;
      guint32 above = self.group[self.creator[thread]];
      g_autofree char *key
          = make_key (model, &self.walks, thread,
                      above != TB_ID_NONE ? (guint64) above << 32 | G_MAXUINT32 : self.creator[thread]);
      gpointer found;

      if (i % 256 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!g_hash_table_lookup_extended (group_of_key, key, NULL, &found))
        {
          GArray *new_members = g_array_new (FALSE, FALSE, sizeof (guint32));

          found = GUINT_TO_POINTER (members->len);
          g_ptr_array_add (members, new_members);
          g_hash_table_insert (group_of_key, g_steal_pointer (&key), found);
        }
      self.group[thread] = GPOINTER_TO_UINT (found);
      g_array_append_val ((GArray *) g_ptr_array_index (members, GPOINTER_TO_UINT (found)), thread);
    }
  if (born->len > 0)
    {
      model->group_of_thread = g_new (guint32, model->n_threads + 1);
      memset (model->group_of_thread, 0xff, sizeof (guint32) * (model->n_threads + 1));
      add_groups (model, &self, members, apart);
    }
  return TRUE;
}

/* --- what the virtual thread does --- */

/* A member begins or ends a stretch of something. */
typedef struct
{
  gint64 time;
  gint8 awake; /* by how much more members are awake, alive, waiting */
  gint8 alive;
  gint8 waiting;
  gsize wait; /* of waiting */
} Change;

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 waker;
  guint32 row;
} VirtualWait;

typedef struct
{
  TbWaitModel *model;
  const TbWaits *old;
  const gsize *first_wait; /* by thread, and one past the last */
  const gint64 *last_wake; /* by thread: when it ended a wait last, G_MININT64 never */
  gboolean paper;
  GArray *waiting; /* gsize: waits that are open */
  guint n_awake;
  guint n_alive;
  guint turn;
} Merger;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->wait < right->wait ? -1 : left->wait > right->wait;
}

static guint32
replace (const TbWaitModel *model, guint32 node)
{
  if (node < model->n_threads && model->group_of_thread[node] != TB_ID_NONE)
    return g_array_index (model->groups, TbWaitGroup, model->group_of_thread[node]).node;
  return node;
}

static void
add_change (GArray *changes, gint64 time, int awake, int alive, int waiting, gsize wait)
{
  Change change = { time, (gint8) awake, (gint8) alive, (gint8) waiting, wait };

  g_array_append_val (changes, change);
}

/* Sleeps that nothing is known to have ended are neither awake nor waiting for somebody. A thread that has told that it exits
 * still has to wake who waits for that: until then it lives, else its group would wait for its creator, who waits for it. */
static void
list_changes (Merger *self, guint32 thread, GArray *changes)
{
  const TbWaitNode *node = tb_wait_model_get_node (self->model, thread);
  const TbIntervals *rows = tb_trace_get_intervals (self->model->trace);
  gsize first, n;

  if (node->first == TB_TIME_NONE)
    return;
  add_change (changes, node->first, 0, 1, 0, 0);
  add_change (changes, MAX (node->last, self->last_wake[thread]), 0, -1, 0, 0);
  tb_trace_get_thread_intervals (self->model->trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    if (rows->state[i] < TB_STATE_INTERRUPTIBLE && rows->end[i] > self->model->from
        && rows->start[i] < self->model->to)
      {
        add_change (changes, MAX (rows->start[i], self->model->from), 1, 0, 0, 0);
        add_change (changes, MIN (rows->end[i], self->model->to), -1, 0, 0, 0);
      }
  for (gsize i = self->first_wait[thread]; i < self->first_wait[thread + 1]; i++)
    {
      add_change (changes, self->old->start[i], 0, 0, 1, i);
      add_change (changes, self->old->end[i], 0, 0, -1, i);
    }
}

static void
apply (Merger *self, const Change *change)
{
  self->n_awake = (guint) ((int) self->n_awake + change->awake);
  self->n_alive = (guint) ((int) self->n_alive + change->alive);
  if (change->waiting > 0)
    g_array_append_val (self->waiting, change->wait);
  for (guint i = 0; change->waiting < 0 && i < self->waiting->len; i++)
    if (g_array_index (self->waiting, gsize, i) == change->wait)
      {
        g_array_remove_index (self->waiting, i);
        break;
      }
}

/* Waits that go on are one. */
static void
add_wait (GArray *waits, gint64 from, gint64 to, guint32 waker, guint32 row)
{
  VirtualWait wait = { from, to, waker, row };
  VirtualWait *last = waits->len > 0 ? &g_array_index (waits, VirtualWait, waits->len - 1) : NULL;

  if (from == to)
    return;
  if (last != NULL && last->end == from && last->waker == waker && last->row == row)
    last->end = to;
  else
    g_array_append_val (waits, wait);
}

/* Nothing changes in this stretch. */
static void
add_stretch (Merger *self, const TbWaitGroup *group, GArray *waits, gint64 from, gint64 to)
{
  gint64 length = to - from;
  guint n = self->waiting->len;

  if (length <= 0 || self->n_awake > 0)
    return;
  if (self->n_alive == 0 || self->paper)
    {
      if (group->creator != TB_ID_NONE)
        add_wait (waits, from, to, group->creator, TB_ID_NONE);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      /* Who begins changes, so that what division leaves over goes to nobody in particular. */
      gsize wait = g_array_index (self->waiting, gsize, (i + self->turn) % n);

      add_wait (waits, from + length * i / n, from + length * (i + 1) / n,
                replace (self->model, self->old->waker[wait]), self->old->row[wait]);
    }
  self->turn++;
}

static GArray *
list_virtual_waits (Merger *self, const TbWaitGroup *group)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (VirtualWait));
  gint64 at = self->model->from;

  g_array_set_size (self->waiting, 0);
  self->n_awake = self->n_alive = self->turn = 0;
  for (guint i = 0; i < group->members->len; i++)
    list_changes (self, g_array_index (group->members, guint32, i), changes);
  g_array_sort (changes, compare_changes);
  for (guint i = 0; i < changes->len; i++)
    {
      const Change *change = &g_array_index (changes, Change, i);

      add_stretch (self, group, waits, at, change->time);
      at = MAX (at, change->time);
      apply (self, change);
    }
  add_stretch (self, group, waits, at, self->model->to);
  return waits;
}

static void
sum_up_node (TbWaitModel *model, const TbWaitGroup *group, const GArray *waits)
{
  TbWaitNode *node = tb_wait_model_get_node (model, group->node);

  for (guint i = 0; i < group->members->len; i++)
    {
      const TbWaitNode *member = tb_wait_model_get_node (model, g_array_index (group->members, guint32, i));

      node->running += member->running;
      node->runnable += member->runnable;
      node->unknown += member->unknown;
    }
  for (guint i = 0; i < waits->len; i++)
    node->waiting += g_array_index (waits, VirtualWait, i).end - g_array_index (waits, VirtualWait, i).start;
  node->first = model->from;
  node->last = model->to;
}

static gsize *
index_waits (const TbWaitModel *model)
{
  gsize *first = g_new0 (gsize, (gsize) model->n_threads + 2);

  for (gsize i = 0; i < model->waits.n; i++)
    first[model->waits.waiter[i] + 1]++;
  for (guint32 i = 0; i < model->n_threads; i++)
    first[i + 1] += first[i];
  return first;
}

static gint64 *
find_last_wakes (const TbWaitModel *model)
{
  gint64 *last = g_new (gint64, (gsize) model->n_threads + 1);

  for (guint32 i = 0; i <= model->n_threads; i++)
    last[i] = G_MININT64;
  for (gsize i = 0; i < model->waits.n; i++)
    if (model->waits.waker[i] < model->n_threads)
      last[model->waits.waker[i]] = MAX (last[model->waits.waker[i]], model->waits.end[i]);
  return last;
}

void
tb_wait_merge_short_lived (TbWaitModel *model, gboolean paper)
{
  g_autofree gsize *first = NULL;
  g_autofree gint64 *last_wake = NULL;
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GPtrArray) virtual = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  TbWaits old = model->waits;
  Merger merger = { .model = model, .old = &old, .paper = paper, .waiting = waiting };
  gsize n = old.n;

  if (model->groups->len == 0)
    return;
  merger.first_wait = first = index_waits (model);
  merger.last_wake = last_wake = find_last_wakes (model);
  for (guint i = 0; i < model->groups->len; i++)
    {
      const TbWaitGroup *group = &g_array_index (model->groups, TbWaitGroup, i);

      g_ptr_array_add (virtual, list_virtual_waits (&merger, group));
      n += ((GArray *) g_ptr_array_index (virtual, i))->len;
    }
  model->waits = (TbWaits) { 0 };
  tb_wait_model_reserve (model, n);
  for (gsize i = 0; i < old.n; i++)
    if (model->group_of_thread[old.waiter[i]] == TB_ID_NONE)
      tb_wait_model_add (model, old.start[i], old.end[i], old.waiter[i], replace (model, old.waker[i]),
                         old.row[i]);
  for (guint i = 0; i < model->groups->len; i++)
    {
      const TbWaitGroup *group = &g_array_index (model->groups, TbWaitGroup, i);
      const GArray *waits = g_ptr_array_index (virtual, i);

      sum_up_node (model, group, waits);
      for (guint j = 0; j < waits->len; j++)
        {
          const VirtualWait *wait = &g_array_index (waits, VirtualWait, j);

          tb_wait_model_add (model, wait->start, wait->end, group->node, wait->waker, wait->row);
        }
    }
  tb_waits_clear (&old);
  tb_wait_model_index_edges (model);
}
