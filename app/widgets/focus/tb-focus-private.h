/* tb-focus-private.h: structure, properties and signals of the focus of a document (TbFocus, the
 * selection and visible range that its figures share), for the files that implement it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

struct _TbFocus
{
  GObject parent_instance;

  gint64 extent_from;
  gint64 extent_to;
  gint64 view_from;
  gint64 view_to;
  gint64 range_from;
  gint64 range_to;
  gint64 time_from;
  gint64 time_to;
  gint64 pointer;
  guint32 thread;
  char *figure;
  char *item;
  char **stack;
  GArray *threads; /* guint32, ascending */

  GPtrArray *places; /* Place: selections, oldest first */
  /* index of the current selection, or of its place in the history while it is being changed */
  guint place;
  guint changing;
};

enum
{
  PROP_0,
  PROP_EXTENT_FROM,
  PROP_EXTENT_TO,
  PROP_VIEW_FROM,
  PROP_VIEW_TO,
  PROP_RANGE_FROM,
  PROP_RANGE_TO,
  PROP_THREAD,
  PROP_FIGURE,
  PROP_ITEM,
  PROP_TIME_FROM,
  PROP_TIME_TO,
  PROP_STACK,
  PROP_POINTER,
  N_PROPS,
};

enum
{
  SELECTION_CHANGED,
  VIEW_CHANGED,
  POINTER_CHANGED,
  HISTORY_CHANGED,
  N_SIGNALS,
};

extern GParamSpec *tb_focus_properties[N_PROPS];
extern guint tb_focus_signals[N_SIGNALS];

/* Sets one of the times, with its property. */
void tb_focus_set_time (TbFocus *self, gint64 *where, gint64 value, guint property);

/* Like tb_focus_select_item(). Returns whether the item has changed. */
gboolean tb_focus_change_item (TbFocus *self,
                               const char *figure,
                               const char *item,
                               guint32 thread,
                               gint64 from,
                               gint64 to,
                               const char *const *stack);

/* tb-focus-history.c */
void tb_focus_init_history (TbFocus *self);
/* Called before and after the selection is changed. */
void tb_focus_store_view (TbFocus *self);
void tb_focus_selection_changed (TbFocus *self);

G_END_DECLS
