/* tb-wait-similar-threads.c: choice of the nodes merged into one vertex: threads that wait in
 * similar calling contexts, all threads of a process outside the target, and (by tb-wait-pools.c)
 * kernel workers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-similar-threads.h"

#include "tb-wait-pools.h"
#include "tb-wait-program-nodes.h"
#include "tb-wait-broken-stacks.h"

#include <string.h>

#include "trace/tb-context-tree.h"

/* Groups of a family with which a thread is compared. Beyond this, threads stay alone. */
#define GROUPS_COMPARED 256

/* --- outside of the target --- */

static gboolean
has_member (const TbWaitModel *model, guint32 node, TbSelection *target)
{
  const TbWaitNode *of = tb_wait_model_get_node (model, node);
  const GArray *members;

  if (of->kind == TB_WAIT_NODE_THREAD)
    return tb_selection_has_thread (target, of->id);
  members = g_array_index (model->groups, TbWaitGroup, of->id).members;
  for (guint i = 0; i < members->len; i++)
    if (tb_selection_has_thread (target, g_array_index (members, guint32, i)))
      return TRUE;
  return FALSE;
}

/* Merges the threads of each process outside the target into one vertex, while it is one program,
 * so that chains continue through it. */
static void
contract_outside (TbWaitMerges *self, const TbWaitModel *model, TbSelection *target)
{
  for (guint32 i = 1; i < model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);
      guint32 first = i, program;

      if (node->kind != TB_WAIT_NODE_THREAD && node->kind != TB_WAIT_NODE_VIRTUAL)
        continue;
      self->outside[i] = !has_member (model, i, target);
      if (!self->outside[i])
        continue;
      if (node->kind == TB_WAIT_NODE_VIRTUAL)
        first = g_array_index (g_array_index (model->groups, TbWaitGroup, node->id).members,
                               guint32, 0);
      program = tb_wait_model_find_program (model, first);
      if (program == TB_ID_NONE)
        continue;
      /* The group number of a program must differ from that of similar threads, which is a node's
       * number. */
      self->group[i] = model->nodes->len + program;
      self->merged[i] = TB_WAIT_MERGED_OUTSIDE;
    }
}

/* --- similar threads --- */

/* The waiting time of a thread in a calling context. */
typedef struct
{
  guint32 context;
  gint64 ns;
} Share;

typedef struct
{
  gint64 total;
  GArray *shares; /* Share, by context */
} Profile;

static void
profile_free (gpointer data)
{
  Profile *profile = data;

  g_array_unref (profile->shares);
  g_free (profile);
}

static int
compare_shares (gconstpointer a, gconstpointer b)
{
  const Share *left = a, *right = b;

  return left->context < right->context ? -1 : left->context > right->context;
}

/* Contexts and completeness of stacks, each looked up once. */
typedef struct
{
  const TbWaitModel *model;
  const TbIntervals *rows;
  TbContextTree *tree;
  TbWaitBrokenStacks broken_stacks;
  guint8 *whole; /* by stack: 0: not looked up yet, 1: truncated, 2: known to its start */
  /* by node of the tree: 1 + the index of its share while a thread is processed, else 0 */
  guint32 *share_of_context;
} Profiler;

static void
profiler_clear (Profiler *self)
{
  g_clear_object (&self->tree);
  tb_wait_broken_stacks_clear (&self->broken_stacks);
  g_free (self->whole);
  g_free (self->share_of_context);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Profiler, profiler_clear)

static gboolean
profiler_init (Profiler *self, const TbWaitModel *model, GError **error)
{
  *self = (Profiler) { .model = model, .rows = tb_trace_get_intervals (model->trace) };
  self->tree = tb_trace_get_context_tree (model->trace);
  if (!tb_wait_broken_stacks_load (&self->broken_stacks, tb_trace_get_session (model->trace),
                                   error))
    return FALSE;
  self->whole = g_new0 (guint8, self->broken_stacks.n + 1);
  self->share_of_context = g_new0 (guint32, (gsize) tb_context_tree_get_n_nodes (self->tree) + 1);
  return TRUE;
}

static gboolean
is_whole (Profiler *self, guint32 stack)
{
  if (stack >= self->broken_stacks.n)
    return FALSE;
  if (self->whole[stack] == 0)
    self->whole[stack] = tb_wait_broken_stacks_contain (&self->broken_stacks, stack) ? 1 : 2;
  return self->whole[stack] == 2;
}

static void
add_share (Profiler *self, GArray *shares, guint32 context, gint64 ns)
{
  guint32 *index = &self->share_of_context[context];

  if (*index == 0)
    {
      Share share = { context, 0 };

      g_array_append_val (shares, share);
      *index = shares->len;
    }
  g_array_index (shares, Share, *index - 1).ns += ns;
}

/* NULL where so few of the thread's stacks are known to their start that the others alone could
 * make it similar to another thread. */
static Profile *
make_profile (Profiler *self, const TbWaitNode *node)
{
  const TbIntervals *rows = self->rows;
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (Share));
  gint64 total = 0, whole = 0;
  Profile *profile;
  gsize first, n;

  tb_trace_get_thread_intervals (self->model->trace, node->id, &first, &n);
  for (gsize i = first; i < first + n; i++)
    {
      gint64 from, to;

      if (rows->stack[i] == TB_STACK_NONE || rows->state[i] < TB_STATE_INTERRUPTIBLE)
        continue;
      from = MAX (rows->start[i], node->first);
      to = MIN (rows->end[i], node->last);
      if (from >= to)
        continue;
      whole += is_whole (self, rows->stack[i]) ? to - from : 0;
      total += to - from;
      add_share (self, shares, tb_context_tree_find (self->tree, rows->stack[i]), to - from);
    }
  for (guint i = 0; i < shares->len; i++)
    self->share_of_context[g_array_index (shares, Share, i).context] = 0;
  if ((double) whole <= (1 - TB_WAIT_SIMILARITY) * (double) total)
    return NULL;
  g_array_sort (shares, compare_shares);
  profile = g_new0 (Profile, 1);
  profile->total = total;
  profile->shares = g_steal_pointer (&shares);
  return profile;
}

static double
intersect (const Profile *one, const Profile *two)
{
  double common = 0;
  guint i = 0, j = 0;

  while (i < one->shares->len && j < two->shares->len)
    {
      const Share *left = &g_array_index (one->shares, Share, i);
      const Share *right = &g_array_index (two->shares, Share, j);

      if (left->context == right->context)
        common += MIN ((double) left->ns / (double) one->total,
                       (double) right->ns / (double) two->total);
      i += left->context <= right->context;
      j += right->context <= left->context;
    }
  return common;
}

/* By program: the first one with the same name of a process with the same parent, as a server's
 * worker processes have; otherwise itself. */
static guint32 *
find_families (const TbWaitModel *model)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_processes, n = tb_programs_get_n (model->programs);
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (model->trace), &n_processes);
  guint32 *families = g_new (guint32, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      const TbProgram *program = tb_programs_get (model->programs, i);
      guint32 parent = processes[program->process].parent;
      g_autofree char *key = g_strdup_printf ("%u %s", parent, program->name);
      gpointer first = NULL;

      families[i] = i;
      if (parent == TB_ID_NONE || program->name == NULL)
        continue;
      if (g_hash_table_lookup_extended (firsts, key, NULL, &first))
        families[i] = GPOINTER_TO_UINT (first);
      else
        g_hash_table_insert (firsts, g_steal_pointer (&key), GUINT_TO_POINTER (i));
    }
  return families;
}

/* The groups of a family of processes, each represented by its first thread. */
typedef struct
{
  GArray *first;       /* guint32 threads */
  GPtrArray *profiles; /* Profile */
} Groups;

static void
groups_free (gpointer data)
{
  Groups *groups = data;

  g_array_unref (groups->first);
  g_ptr_array_unref (groups->profiles);
  g_free (groups);
}

static Groups *
get_groups (GHashTable *of_family, guint32 family)
{
  Groups *groups = g_hash_table_lookup (of_family, GUINT_TO_POINTER (family));

  if (groups == NULL)
    {
      groups = g_new (Groups, 1);
      groups->first = g_array_new (FALSE, FALSE, sizeof (guint32));
      groups->profiles = g_ptr_array_new_with_free_func (profile_free);
      g_hash_table_insert (of_family, GUINT_TO_POINTER (family), groups);
    }
  return groups;
}

static void
add_to_groups (TbWaitMerges *self, Groups *groups, guint32 thread, Profile *profile)
{
  for (guint i = 0; i < groups->first->len; i++)
    if (intersect (g_ptr_array_index (groups->profiles, i), profile) >= TB_WAIT_SIMILARITY)
      {
        guint32 first = g_array_index (groups->first, guint32, i);

        self->group[thread] = self->group[first] = first;
        self->merged[thread] = self->merged[first] = TB_WAIT_MERGED_SIMILAR;
        profile_free (profile);
        return;
      }
  if (groups->first->len == GROUPS_COMPARED)
    {
      profile_free (profile);
      return;
    }
  g_array_append_val (groups->first, thread);
  g_ptr_array_add (groups->profiles, profile);
}

/* Takes those threads out of their groups that the user excludes from merging. */
static void
unmerge (TbWaitMerges *self, const TbWaitModel *model, TbWaitUnmerged *unmerged)
{
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);

  for (guint32 i = 1;
       unmerged->texts != NULL && unmerged->texts[0] != NULL && i < model->nodes->len; i++)
    {
      guint32 first, which;

      if (self->merged[i] != TB_WAIT_MERGED_SIMILAR)
        continue;
      first = tb_wait_model_get_node (model, self->group[i])->id;
      which = tb_wait_unmerged_find (unmerged, "similar", first, threads[first].name);
      if (which == TB_ID_NONE)
        continue;
      unmerged->by_thread[tb_wait_model_get_node (model, i)->id] = which;
      self->group[i] = TB_ID_NONE;
      self->merged[i] = TB_WAIT_MERGED_NOT;
    }
}

static gboolean
find_similar (TbWaitMerges *self,
              const TbWaitModel *model,
              TbWaitUnmerged *unmerged,
              GCancellable *cancellable,
              GError **error)
{
  g_auto (Profiler) profiler = { 0 };
  g_autoptr (GHashTable) of_family = g_hash_table_new_full (NULL, NULL, NULL, groups_free);
  g_autofree guint32 *families = find_families (model);
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);

  if (!profiler_init (&profiler, model, error))
    return FALSE;
  for (guint32 i = 1; i < model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);
      Profile *profile;

      if (i % 64 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (self->outside[i] || node->kind != TB_WAIT_NODE_THREAD
          || unmerged->by_thread[node->id] != TB_ID_NONE || threads[node->id].process == TB_ID_NONE
          || tb_trace_is_kernel_thread (model->trace, node->id)
          || tb_wait_model_is_member (model, i))
        continue;
      profile = make_profile (&profiler, node);
      if (profile != NULL)
        add_to_groups (self,
                       get_groups (of_family, families[tb_wait_model_find_program (model, i)]), i,
                       profile);
    }
  unmerge (self, model, unmerged);
  return TRUE;
}

gboolean
tb_wait_merges_init (TbWaitMerges *self,
                     const TbWaitModel *model,
                     TbSelection *target,
                     gboolean similar,
                     TbWaitUnmerged *unmerged,
                     GCancellable *cancellable,
                     GError **error)
{
  self->group = g_new (guint32, model->nodes->len + 1);
  self->merged = g_new0 (guint8, model->nodes->len + 1);
  self->outside = g_new0 (guint8, model->nodes->len + 1);
  memset (self->group, 0xff, sizeof (guint32) * (model->nodes->len + 1));
  if (target != NULL)
    contract_outside (self, model, target);
  if (similar)
    tb_wait_pools_find (self, model, unmerged);
  return !similar || find_similar (self, model, unmerged, cancellable, error);
}
