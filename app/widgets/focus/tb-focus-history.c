/* tb-focus-history.c: earlier selections of a document, with what was visible then, for going back
 * and forward
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-base.h"
#include "widgets/focus/tb-focus-private.h"

/* Older selections are dropped. */
#define MAX_PLACES 200

/* A selection, and what was visible when it was left. */
typedef struct
{
  gint64 range_from;
  gint64 range_to;
  gint64 time_from;
  gint64 time_to;
  guint32 thread;
  char *figure;
  char *item;
  char **stack;
  GArray *threads;
  gint64 view_from;
  gint64 view_to;
} Place;

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->figure);
  g_free (place->item);
  g_strfreev (place->stack);
  g_array_unref (place->threads);
  g_free (place);
}

static Place *
record_place (TbFocus *self)
{
  Place *place = g_new0 (Place, 1);

  place->range_from = self->range_from;
  place->range_to = self->range_to;
  place->time_from = self->time_from;
  place->time_to = self->time_to;
  place->thread = self->thread;
  place->figure = g_strdup (self->figure);
  place->item = g_strdup (self->item);
  place->stack = g_strdupv (self->stack);
  place->threads = g_array_copy (self->threads);
  place->view_from = self->view_from;
  place->view_to = self->view_to;
  return place;
}

static gboolean
texts_equal (char **one, char **other)
{
  if (one == NULL || other == NULL)
    return one == other;
  return g_strv_equal ((const char *const *) one, (const char *const *) other);
}

static gboolean
is_current (TbFocus *self, const Place *place)
{
  return place->range_from == self->range_from && place->range_to == self->range_to
         && place->time_from == self->time_from && place->time_to == self->time_to
         && place->thread == self->thread && g_strcmp0 (place->figure, self->figure) == 0
         && g_strcmp0 (place->item, self->item) == 0 && texts_equal (place->stack, self->stack)
         && place->threads->len == self->threads->len
         && (self->threads->len == 0
             || memcmp (place->threads->data, self->threads->data,
                        self->threads->len * sizeof (guint32))
                    == 0);
}

void
tb_focus_init_history (TbFocus *self)
{
  g_clear_pointer (&self->places, g_ptr_array_unref);
  self->places = g_ptr_array_new_with_free_func (place_free);
  g_ptr_array_add (self->places, record_place (self));
  self->place = 0;
  g_signal_emit (self, tb_focus_signals[HISTORY_CHANGED], 0);
}

static void
push_place (TbFocus *self)
{
  if (is_current (self, g_ptr_array_index (self->places, self->place)))
    return;
  g_ptr_array_set_size (self->places, (int) self->place + 1);
  if (self->places->len == MAX_PLACES)
    g_ptr_array_remove_index (self->places, 0);
  g_ptr_array_add (self->places, record_place (self));
  self->place = self->places->len - 1;
  g_signal_emit (self, tb_focus_signals[HISTORY_CHANGED], 0);
}

void
tb_focus_selection_changed (TbFocus *self)
{
  if (self->changing == 0)
    push_place (self);
  g_signal_emit (self, tb_focus_signals[SELECTION_CHANGED], 0);
}

/* Stores the visible part with the selection that is about to be left, however long ago that was
 * made. */
void
tb_focus_store_view (TbFocus *self)
{
  Place *place = g_ptr_array_index (self->places, self->place);

  if (self->changing > 0)
    return;
  place->view_from = self->view_from;
  place->view_to = self->view_to;
}

/**
 * tb_focus_begin_change:
 * @self: a focus
 *
 * Begins a change. All selections until the same number of calls of tb_focus_end_change() are one
 * step of the history, such as the ranges that are selected while the mouse is dragged. Views
 * follow each of them at once.
 */
void
tb_focus_begin_change (TbFocus *self)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  if (self->changing == 0)
    tb_focus_store_view (self);
  self->changing++;
}

/**
 * tb_focus_end_change:
 * @self: a focus
 *
 * Ends a change that tb_focus_begin_change() began.
 */
void
tb_focus_end_change (TbFocus *self)
{
  g_return_if_fail (TB_IS_FOCUS (self));
  g_return_if_fail (self->changing > 0);

  if (--self->changing == 0)
    push_place (self);
}

static void
set_threads (TbFocus *self, GArray *threads)
{
  g_array_set_size (self->threads, 0);
  g_array_append_vals (self->threads, threads->data, threads->len);
}

static void
go_to_place (TbFocus *self, guint index)
{
  const Place *place = g_ptr_array_index (self->places, index);

  tb_focus_store_view (self);
  self->place = index;
  self->changing++;
  set_threads (self, place->threads);
  g_object_freeze_notify (G_OBJECT (self));
  tb_focus_set_time (self, &self->range_from, place->range_from, PROP_RANGE_FROM);
  tb_focus_set_time (self, &self->range_to, place->range_to, PROP_RANGE_TO);
  g_object_thaw_notify (G_OBJECT (self));
  if (!tb_focus_change_item (self, place->figure, place->item, place->thread, place->time_from,
                             place->time_to, (const char *const *) place->stack))
    g_signal_emit (self, tb_focus_signals[SELECTION_CHANGED], 0);
  /* Views may have moved to show the selection. */
  tb_focus_set_view (self, place->view_from, place->view_to);
  self->changing--;
  g_signal_emit (self, tb_focus_signals[HISTORY_CHANGED], 0);
}

/**
 * tb_focus_can_go_back:
 * @self: a focus
 *
 * Gets whether [method@Focus.go_back] has an effect.
 *
 * Returns: whether there is an earlier selection
 */
gboolean
tb_focus_can_go_back (TbFocus *self)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), FALSE);

  return self->place > 0;
}

/**
 * tb_focus_can_go_forward:
 * @self: a focus
 *
 * Gets whether [method@Focus.go_forward] has an effect.
 *
 * Returns: whether tb_focus_go_back() was called since the last selection
 */
gboolean
tb_focus_can_go_forward (TbFocus *self)
{
  g_return_val_if_fail (TB_IS_FOCUS (self), FALSE);

  return self->place + 1 < self->places->len;
}

/**
 * tb_focus_go_back:
 * @self: a focus
 *
 * Restores the previous selection, if there is one, and the part that was visible with it.
 */
void
tb_focus_go_back (TbFocus *self)
{
  if (tb_focus_can_go_back (self) && self->changing == 0)
    go_to_place (self, self->place - 1);
}

/**
 * tb_focus_go_forward:
 * @self: a focus
 *
 * Undoes a tb_focus_go_back().
 */
void
tb_focus_go_forward (TbFocus *self)
{
  if (tb_focus_can_go_forward (self) && self->changing == 0)
    go_to_place (self, self->place + 1);
}
