/* tb-paths-run-inference.c: functions in which runs without samples took place, inferred from the
 * sleeps before and after them and from sampled runs between such sleeps, or guessed from a sample
 * next to a preemption
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-run-inference.h"

static guint32
find_common (TbPathsEvents *self, guint32 one, guint32 two)
{
  while (one != two)
    if (self->node_depth[one] >= self->node_depth[two])
      one = self->node_parent[one];
    else
      two = self->node_parent[two];
  return one;
}

static guint32
find_user_part (TbPathsEvents *self, guint32 node)
{
  while (node != 0 && self->node_kernel[node])
    node = self->node_parent[node];
  return node;
}

/* The innermost common caller of both sleeps. Two sleeps in the same call have its caller, because
 * the run between them lies after that call, not in it. */
static guint32
find_common_caller (TbPathsEvents *self, guint32 before, guint32 after)
{
  guint32 node = find_common (self, before, after);

  return node == before || node == after ? self->node_parent[node] : node;
}

/* The nearest row in one direction that is a real sleep. Preemptions are skipped. The search stops
 * at an exec and at the end of the thread. */
static guint32
find_sleep (const TbPathsModel *model, guint32 run, gboolean forward)
{
  const TbIntervals *rows = model->rows;
  guint32 thread = rows->thread[run];
  guint32 begin = model->first_row[thread], end = model->first_row[thread + 1];
  gboolean was_run = TRUE;

  for (guint32 row = run; forward ? row + 1 < end : row > begin;)
    {
      row = forward ? row + 1 : row - 1;
      if (tb_paths_is_run (model, row))
        {
          if (was_run)
            return TB_ID_NONE;
          was_run = TRUE;
        }
      else
        {
          was_run = FALSE;
          if (rows->state[row] >= TB_STATE_INTERRUPTIBLE)
            return row;
          if (rows->state[row] == TB_STATE_UNKNOWN)
            return TB_ID_NONE;
        }
    }
  return TB_ID_NONE;
}

/* The user-space functions in which a run's neighbouring sleeps lie. FALSE where one of the stacks
 * is incomplete or unknown. */
static gboolean
find_neighbours (TbPathsEvents *self,
                 const TbPathsModel *model,
                 guint32 run,
                 guint32 *before,
                 guint32 *after)
{
  guint32 rows[2] = { find_sleep (model, run, FALSE), TB_ID_NONE };
  guint32 nodes[2];

  if (rows[0] != TB_ID_NONE)
    rows[1] = find_sleep (model, run, TRUE);
  if (rows[1] == TB_ID_NONE)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      guint32 stack = model->rows->stack[rows[i]];

      /* The outermost function of a broken stack has callers that are not known. */
      if (stack == TB_STACK_NONE || stack >= self->n_stacks || self->stack_broken[stack])
        return FALSE;
      nodes[i] = find_user_part (self, tb_context_tree_find (self->tree, stack));
    }
  *before = nodes[0];
  *after = nodes[1];
  return nodes[0] != 0 && nodes[1] != 0;
}

static gint64
make_key (guint32 before, guint32 after)
{
  return (gint64) ((guint64) before << 32 | after);
}

void
tb_paths_run_inference_learn (TbPathsEvents *self, const TbPathsModel *model, gboolean only_even)
{
  g_hash_table_remove_all (self->seen);
  g_hash_table_remove_all (self->inferred);
  for (gsize row = 0; row < model->rows->n; row++)
    {
      guint32 before, after;

      if (self->sample_n[row] == 0 || (only_even && row % 2 == 1)
          || !find_neighbours (self, model, row, &before, &after))
        continue;
      for (guint32 i = self->sample_first[row]; i < self->sample_first[row] + self->sample_n[row];
           i++)
        {
          gint64 key = make_key (before, after);
          gpointer known;

          if (self->sample_node[i] == 0 || self->sample_broken[i])
            continue;
          if (g_hash_table_lookup_extended (self->seen, &key, NULL, &known))
            known = GUINT_TO_POINTER (
                find_common (self, GPOINTER_TO_UINT (known), self->sample_node[i]));
          else
            known = GUINT_TO_POINTER (self->sample_node[i]);
          g_hash_table_insert (self->seen, g_memdup2 (&key, sizeof key), known);
        }
    }
}

guint32
tb_paths_run_inference_infer (TbPathsEvents *self, const TbPathsModel *model, guint32 run)
{
  guint32 before, after, node;
  gpointer found;
  gint64 key;

  if (!find_neighbours (self, model, run, &before, &after))
    return 0;
  key = make_key (before, after);
  if (g_hash_table_lookup_extended (self->inferred, &key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  node = find_common_caller (self, before, after);
  /* Sampled runs between the same two sleeps show whether the thread stays in this function or
   * returns and calls it again. */
  if (g_hash_table_lookup_extended (self->seen, &key, NULL, &found))
    node = find_common (self, node, GPOINTER_TO_UINT (found));
  g_hash_table_insert (self->inferred, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (node));
  return node;
}

guint32
tb_paths_run_inference_guess (TbPathsEvents *self, const TbPathsModel *model, guint32 run)
{
  const TbIntervals *rows = model->rows;
  guint32 thread = rows->thread[run];
  guint32 begin = model->first_row[thread], end = model->first_row[thread + 1];

  if (run >= begin + 2 && rows->state[run - 1] == TB_STATE_RUNNABLE
      && (rows->flags[run - 1] & TB_INTERVAL_PREEMPTED) && tb_paths_is_run (model, run - 2)
      && self->sample_n[run - 2] > 0)
    return self->sample_node[self->sample_first[run - 2] + self->sample_n[run - 2] - 1];
  if (run + 2 < end && rows->state[run + 1] == TB_STATE_RUNNABLE
      && (rows->flags[run + 1] & TB_INTERVAL_PREEMPTED) && tb_paths_is_run (model, run + 2)
      && self->sample_n[run + 2] > 0)
    return self->sample_node[self->sample_first[run + 2]];
  return 0;
}
