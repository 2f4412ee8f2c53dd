/* tb-paths.c: paths of a process: its time limited to the life of the thread of interest, the base
 * path of that thread, paths parallel to it (by tb-paths-parallel.c), and a lane for each path to
 * be drawn in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option.h"
#include "tb-paths-private.h"

/* Finds the life of the thread of interest within the range. Time before its first known row is not
 * part of it. */
static gboolean
find_range (TbPaths *self, gint64 from, gint64 to, GError **error)
{
  const TbIntervals *rows = self->model->rows;
  guint32 first = self->model->first_row[self->thread],
          end = self->model->first_row[self->thread + 1];

  while (first < end
         && (rows->end[first] <= from
             || (rows->state[first] == TB_STATE_UNKNOWN
                 && !(rows->flags[first] & TB_INTERVAL_UNCERTAIN))))
    first++;
  if (first < end && rows->start[first] < to)
    {
      self->from = MAX (from, rows->start[first]);
      self->to = MIN (to, rows->end[end - 1]);
      if (self->from < self->to)
        return TRUE;
    }
  g_set_error (
      error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
      _ ("the activity of the process in the chosen time is not known: choose a longer time"));
  return FALSE;
}

/* Gives each path the first lane whose last path is over. There are few lanes, so a linear search
 * is enough. */
static void
choose_lanes (TbPaths *self)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < self->paths->len; i++)
    {
      TbPath *path = &g_array_index (self->paths, TbPath, i);

      for (path->lane = 0; path->lane < ends->len; path->lane++)
        if (g_array_index (ends, gint64, path->lane) <= path->from)
          break;
      if (path->lane == ends->len)
        g_array_append_val (ends, path->to);
      else
        g_array_index (ends, gint64, path->lane) = path->to;
    }
}

TbPaths *
tb_paths_new (TbTrace *trace,
              TbPathsModel *model,
              TbPathsEvents *events,
              guint32 process,
              guint32 thread,
              gint64 from,
              gint64 to,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (TbPaths) self = g_new0 (TbPaths, 1);
  TbPath base = { .thread = thread, .base = TRUE };

  self->trace = trace != NULL ? g_object_ref (trace) : NULL;
  self->model = model;
  self->events = events;
  self->process = process;
  self->thread = thread;
  self->paths = g_array_new (FALSE, FALSE, sizeof (TbPath));
  self->walk = tb_paths_walk_new (model);
  if (!find_range (self, from, to, error))
    return NULL;
  base.from = self->from;
  base.to = self->to;
  base.wall_ns = self->to - self->from;
  g_array_append_val (self->paths, base);
  if (!tb_paths_walk_add (self->walk, 0, thread, self->from, self->to, cancellable, error)
      || !tb_paths_add_parallel (self, cancellable, error))
    return NULL;
  choose_lanes (self);
  return g_steal_pointer (&self);
}

void
tb_paths_free (TbPaths *self)
{
  g_clear_object (&self->trace);
  g_clear_pointer (&self->walk, tb_paths_walk_free);
  g_clear_pointer (&self->lock_waits, tb_paths_lock_waits_free);
  g_clear_pointer (&self->paths, g_array_unref);
  g_free (self);
}
