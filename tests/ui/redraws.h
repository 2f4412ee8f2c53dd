/* redraws.h: redraws at bad times for pictures, in every frame
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>
#include <string.h>

static const char *const redraw_kinds[] = { "after-paint", "high-idle", "idle", "tick" };

static inline gboolean
redraw (gpointer widget)
{
  gtk_widget_queue_draw (widget);
  return G_SOURCE_REMOVE;
}

static inline gboolean
redraw_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  gtk_widget_queue_draw (widget);
  return G_SOURCE_CONTINUE;
}

static inline void
redraw_after_paint (GdkFrameClock *clock, gpointer widget)
{
  gtk_widget_queue_draw (widget);
}

/* An endless idle source would leave no time for frames. */
static inline void
redraw_in_high_idle (GdkFrameClock *clock, gpointer widget)
{
  g_idle_add_full (G_PRIORITY_HIGH, redraw, g_object_ref (widget), g_object_unref);
}

static inline void
redraw_in_idle (GdkFrameClock *clock, gpointer widget)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, redraw, g_object_ref (widget), g_object_unref);
}

/* Redraws a realized widget with one of redraw_kinds, or "all" of them, until it is destroyed. */
static inline void
redraw_often (GtkWidget *widget, const char *kind)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gboolean all = strcmp (kind, "all") == 0;

  if (all || strcmp (kind, "after-paint") == 0)
    g_signal_connect_object (clock, "after-paint", G_CALLBACK (redraw_after_paint), widget, 0);
  if (all || strcmp (kind, "high-idle") == 0)
    g_signal_connect_object (clock, "after-paint", G_CALLBACK (redraw_in_high_idle), widget, 0);
  if (all || strcmp (kind, "idle") == 0)
    g_signal_connect_object (clock, "after-paint", G_CALLBACK (redraw_in_idle), widget, 0);
  if (all || strcmp (kind, "tick") == 0)
    gtk_widget_add_tick_callback (widget, redraw_on_tick, NULL, NULL);
}
