/* tb-paths-boxes.c: store of the boxes of pseudo-stacks as columns: runs and sleeps of threads,
 * each in a layer above the sleep that its thread ended; part of a sleep that children cover;
 * boxes of one merged sleep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-boxes.h"

#define LEAST_ROOM 1024

void
tb_paths_boxes_clear (TbPathsBoxes *self)
{
  g_free (self->row);
  g_free (self->from);
  g_free (self->to);
  g_free (self->child_from);
  g_free (self->child_to);
  g_free (self->ready);
  g_free (self->parent);
  g_free (self->layer);
  g_free (self->path);
  g_free (self->flags);
}

#define GROW(column) self->column = g_renew (typeof (*self->column), self->column, self->room)

static void
grow (TbPathsBoxes *self)
{
  self->room = MAX (LEAST_ROOM, self->room * 2);
  GROW (row);
  GROW (from);
  GROW (to);
  GROW (child_from);
  GROW (child_to);
  GROW (ready);
  GROW (parent);
  GROW (layer);
  GROW (path);
  GROW (flags);
}

void
tb_paths_boxes_add (TbPathsBoxes *self, const TbPathsBox *box)
{
  gsize i = self->n++;

  if (self->n > self->room)
    grow (self);
  self->row[i] = box->row;
  self->from[i] = box->from;
  self->to[i] = box->to;
  self->child_from[i] = self->child_to[i] = self->ready[i] = 0;
  self->parent[i] = box->parent;
  self->layer[i] = box->layer;
  self->path[i] = box->path;
  self->flags[i] = box->flags;
}

void
tb_paths_boxes_set_child (TbPathsBoxes *self,
                          gsize first,
                          gsize end,
                          gint64 from,
                          gint64 to,
                          gint64 ready)
{
  for (gsize i = first; i < end; i++)
    {
      self->child_from[i] = from;
      self->child_to[i] = to;
      self->ready[i] = ready;
      self->flags[i] |= TB_PATHS_BOX_HAS_CHILD;
    }
}

static gboolean
is_same_sleep (const TbPathsBoxes *self, gsize i, gsize other)
{
  return (self->flags[other] & TB_PATHS_BOX_HAS_CHILD) && self->parent[other] == self->parent[i]
         && self->child_from[other] == self->child_from[i]
         && self->child_to[other] == self->child_to[i] && self->path[other] == self->path[i];
}

gsize
tb_paths_boxes_get_group (const TbPathsBoxes *self,
                          const TbPathsModel *model,
                          gsize i,
                          gint64 *covered)
{
  gsize end = i;

  *covered = 0;
  if (!(self->flags[i] & TB_PATHS_BOX_HAS_CHILD))
    return i + 1;
  for (; end < self->n && is_same_sleep (self, i, end); end++)
    if (!tb_paths_is_run (model, self->row[end]))
      *covered += MAX (0, MIN (self->to[end], self->child_to[end])
                              - MAX (self->from[end], self->child_from[end]));
  return end;
}
