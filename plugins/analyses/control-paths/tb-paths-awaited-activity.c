/* tb-paths-awaited-activity.c: what awaited threads did, by category, during waits whose awaited
 * work already belongs to another path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-awaited-activity.h"

/* Limit for the rows of awaited threads that are examined in all. */
#define MAX_ROWS 4000000

typedef struct
{
  TbPaths *paths;
  TbPathsCategorizer categorizer;
  GHashTable *known; /* set of TbPathsAwaitedActivity, by the first three fields */
  guint64 seen;
} ActivityBuilder;

static guint
hash_activity (gconstpointer data)
{
  const TbPathsAwaitedActivity *other = data;

  return (other->waiter * 31 + other->awaited) * 31 + other->category;
}

static gboolean
equal_activities (gconstpointer a, gconstpointer b)
{
  const TbPathsAwaitedActivity *one = a, *two = b;

  return one->waiter == two->waiter && one->awaited == two->awaited
         && one->category == two->category;
}

static void
add (ActivityBuilder *self, const TbPathsAwaitedActivity *other)
{
  TbPathsAwaitedActivity *found = g_hash_table_lookup (self->known, other);

  if (found == NULL)
    {
      found = g_new0 (TbPathsAwaitedActivity, 1);
      *found = (TbPathsAwaitedActivity) { .waiter = other->waiter,
                                          .awaited = other->awaited,
                                          .category = other->category };
      g_hash_table_add (self->known, found);
    }
  found->count++;
  found->ns += other->to - other->from;
  if (other->to - other->from > found->to - found->from)
    {
      found->from = other->from;
      found->to = other->to;
    }
}

/* Adds what the thread that ended the wait did during the wait. Before its start there is nothing
 * to add. */
static void
add_segment (ActivityBuilder *self, guint32 row, const TbPathsSegment *segment)
{
  const TbPathsModel *model = self->paths->model;
  const TbIntervals *rows = model->rows;
  TbPathsAwaitedActivity other = { .waiter = rows->thread[row], .category = TB_PATHS_UNACCOUNTED };
  gint64 to = segment->to;
  guint32 of;
  TbPathsEnd end;

  row = tb_paths_model_get_awaited_row (model, row);
  tb_paths_model_get_end (model, tb_paths_model_get_sleep_start (model, row),
                          tb_paths_model_get_sleep_end (model, row), &end);
  other.awaited = end.thread;
  of = end.thread < model->n_threads ? tb_paths_model_find_row (model, end.thread, to) : TB_ID_NONE;
  for (; of != TB_ID_NONE && to > segment->from && self->seen < MAX_ROWS; self->seen++)
    {
      other.from = MAX (rows->start[of], segment->from);
      other.to = MIN (rows->end[of], to);
      other.category = tb_paths_categorizer_classify (&self->categorizer, of);
      if (other.to > other.from)
        add (self, &other);
      to = MIN (to, other.from);
      of = of > model->first_row[end.thread] ? of - 1 : TB_ID_NONE;
    }
  if (to > segment->from)
    {
      other.from = segment->from;
      other.to = to;
      other.category = TB_PATHS_UNACCOUNTED;
      add (self, &other);
    }
}

static int
compare_activities (gconstpointer a, gconstpointer b)
{
  const TbPathsAwaitedActivity *one = a, *two = b;

  if (one->ns != two->ns)
    return one->ns > two->ns ? -1 : 1;
  if (one->waiter != two->waiter)
    return one->waiter < two->waiter ? -1 : 1;
  if (one->awaited != two->awaited)
    return one->awaited < two->awaited ? -1 : 1;
  return (int) one->category - (int) two->category;
}

GArray *
tb_paths_find_awaited_activity (TbPaths *paths)
{
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  ActivityBuilder self = { .paths = paths };
  GArray *found = g_array_new (FALSE, FALSE, sizeof (TbPathsAwaitedActivity));
  GHashTableIter iter;
  gpointer key;

  self.known = g_hash_table_new_full (hash_activity, equal_activities, g_free, NULL);
  tb_paths_categorizer_init (&self.categorizer, paths->model, paths->events, boxes);
  for (gsize i = 0; i < boxes->n; i++)
    {
      const GArray *segments;

      /* Only these waits can have the category. */
      if (paths->model->rows->state[boxes->row[i]] < TB_STATE_INTERRUPTIBLE)
        continue;
      segments = tb_paths_categorizer_get_segments (&self.categorizer, i);
      for (guint k = 0; k < segments->len; k++)
        if (g_array_index (segments, TbPathsSegment, k).category == TB_PATHS_OTHER_PATH)
          add_segment (&self, boxes->row[i], &g_array_index (segments, TbPathsSegment, k));
    }
  g_hash_table_iter_init (&iter, self.known);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_vals (found, key, 1);
  g_array_sort (found, compare_activities);
  g_hash_table_unref (self.known);
  tb_paths_categorizer_clear (&self.categorizer);
  return found;
}
