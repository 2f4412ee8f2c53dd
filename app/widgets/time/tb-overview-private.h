/* tb-overview-private.h: the parts of the overview strip
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/timeline/tb-timeline-figure.h"
#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/focus/tb-focus-widget.h"
#include "widgets/time/tb-overview-strip.h"

G_BEGIN_DECLS

/* Pixels beside what is drawn. */
#define TB_OVERVIEW_MARGIN 4

struct _TbOverviewStrip
{
  TbFocusWidget parent_instance;

  TbTimelineFigure *figure;
  float *activity;
  gsize n_activity;
  GCancellable *cancellable;

  GskPath *path;
  int path_width;
  int path_height;

  guint drag; /* Drag */
  gint64 drag_time;
  gint64 drag_from;
  gint64 drag_to;
};

/* tb-overview-accessible.c */
extern const TbAccessibleItemsClass tb_overview_accessible_items;

/* activity: of n equal parts of the extent, 0…1, the most active being 1 */
typedef void (*TbOverviewActivityFunc) (gpointer owner, const float *activity, gsize n);

/* Counts how much threads ran in the parts of the extent of the focus. done is called in the main thread, unless the owner (a
 * GObject) is gone by then or it was cancelled. */
void tb_overview_count_activity (TbTimelineFigure *figure,
                                 TbFocus *focus,
                                 GCancellable *cancellable,
                                 TbOverviewActivityFunc done,
                                 gpointer owner);

G_END_DECLS
