/* tb-overview-strip-private.h: structure of the overview strip, its accessible items, and
 * computation of its activity
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

/* Free pixels on each side of the drawing. */
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

/* activity: of n equal parts of the extent, 0…1, with 1 for the most active part */
typedef void (*TbOverviewActivityFunc) (gpointer owner, const float *activity, gsize n);

/* Computes the activity of the threads in the parts of the focus's extent. done is called in the
 * main thread, unless the owner (a GObject) has been freed by then or the work was cancelled. */
void tb_overview_count_activity (TbTimelineFigure *figure,
                                 TbFocus *focus,
                                 GCancellable *cancellable,
                                 TbOverviewActivityFunc done,
                                 gpointer owner);

G_END_DECLS
