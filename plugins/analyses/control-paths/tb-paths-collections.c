/* tb-paths-collections.c: how long garbage collections of a program took in the base path, and the
 * thread that did most of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-collections.h"
#include "tb-paths-garbage.h"

typedef struct
{
  TbPathsSummary *summary;
  TbPathsCategorizer categorizer;
  TbPathsGarbage *garbage;
  guint32 program;
  gboolean all_of_name;
  gint64 *by_thread;
} Gathering;

static gboolean
is_of_program (Gathering *self, gsize box)
{
  TbPaths *paths = self->summary->paths;
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  guint32 program
      = tb_paths_events_find_program (paths->events, paths->model->rows->thread[boxes->row[box]],
                                      boxes->from[box]);

  return program == self->program
         || (self->all_of_name && program != TB_PATHS_RECORDER
             && g_str_equal (tb_paths_events_get_program_name (paths->events, program),
                             tb_paths_events_get_program_name (paths->events, self->program)));
}

/* The part of a run that is garbage collection, by its samples, else by its neighbours. */
static double
find_share_of_run (Gathering *self, gsize box)
{
  const TbPathsEvents *events = self->summary->paths->events;
  guint32 row = self->summary->paths->walk->boxes.row[box];
  guint32 first = events->sample_first[row], n = 0, n_garbage = 0;

  for (guint32 i = 0; i < events->sample_n[row]; i++)
    if (events->sample_node[first + i] != 0)
      {
        n++;
        n_garbage += tb_paths_garbage_has (self->garbage, events->sample_node[first + i]);
      }
  if (n > 0)
    return (double) n_garbage / n;
  return tb_paths_garbage_has (self->garbage,
                               tb_paths_categorizer_get_node (&self->categorizer, box));
}

/* Whether a thread is kept off the CPU while it collects garbage: by the stack that was recorded
 * then, else by the last sample before. */
static gboolean
is_kept_off (Gathering *self, gsize box)
{
  const TbPathsEvents *events = self->summary->paths->events;
  const TbPathsModel *model = self->summary->paths->model;
  guint32 row = self->summary->paths->walk->boxes.row[box];
  guint32 node = tb_context_tree_find (events->tree, model->rows->stack[row]);

  if (node == 0 && row > model->first_row[model->rows->thread[row]]
      && events->sample_n[row - 1] > 0)
    node = events->sample_node[events->sample_first[row - 1] + events->sample_n[row - 1] - 1];
  return tb_paths_garbage_has (self->garbage, node);
}

static void
add_box (Gathering *self, gsize box)
{
  const TbPathsModel *model = self->summary->paths->model;
  guint32 row = self->summary->paths->walk->boxes.row[box];
  gboolean is_run = tb_paths_is_run (model, row);
  const GArray *segments;
  gint64 ns = 0;

  if (!is_run
      && (model->rows->state[row] != TB_STATE_RUNNABLE
          || (model->rows->flags[row] & TB_INTERVAL_PREEMPTED) == 0))
    return;
  segments = tb_paths_categorizer_get_segments (&self->categorizer, box);
  for (guint i = 0; i < segments->len; i++)
    {
      const TbPathsSegment *segment = &g_array_index (segments, TbPathsSegment, i);

      if (segment->category != TB_PATHS_OTHER_PATH && segment->category != TB_PATHS_UNACCOUNTED)
        ns += segment->to - segment->from;
    }
  if (is_run)
    ns = (gint64) ((double) ns * find_share_of_run (self, box));
  else if (!is_kept_off (self, box))
    return;
  self->by_thread[model->rows->thread[row]] += ns;
}

static TbPathsCollections
find_main_thread (const gint64 *by_thread, guint n_threads)
{
  TbPathsCollections found = { .thread = TB_ID_NONE };

  for (guint i = 0; i < n_threads; i++)
    {
      found.ns += by_thread[i];
      found.n_threads += by_thread[i] > 0;
    }
  for (guint i = 0; i < n_threads; i++)
    if (2 * by_thread[i] > found.ns)
      found.thread = i;
  return found;
}

TbPathsCollections
tb_paths_find_collections (TbPathsSummary *summary, guint32 program, gboolean all_of_name)
{
  TbPaths *paths = summary->paths;
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  g_autofree gint64 *by_thread = g_new0 (gint64, MAX (paths->model->n_threads, 1));
  g_autoptr (TbPathsGarbage) garbage = tb_paths_garbage_new (paths->events->tree);
  Gathering self = { .summary = summary,
                     .garbage = garbage,
                     .program = program,
                     .all_of_name = all_of_name,
                     .by_thread = by_thread };

  tb_paths_categorizer_init (&self.categorizer, paths->model, paths->events, boxes);
  for (gsize i = 0; i < boxes->n; i++)
    if (boxes->path[i] == 0 && is_of_program (&self, i))
      add_box (&self, i);
  tb_paths_categorizer_clear (&self.categorizer);
  return find_main_thread (by_thread, paths->model->n_threads);
}
