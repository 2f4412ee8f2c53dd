/* timeline-fixture.h: a timeline in a window, for its tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "sample-figures.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbTimelineFigure *figure;
  TbFocus *focus;
  GtkWidget *view;
  GtkWindow *window;
} Fixture;

static inline void
fixture_init (Fixture *fixture, TbTimelineFigure *figure, gint64 length_ms)
{
  fixture->figure = figure;
  fixture->focus = tb_focus_new (SAMPLE_START, SAMPLE_START + length_ms * SAMPLE_MS);
  fixture->view = tb_timeline_view_new (figure, fixture->focus);
  fixture->window = ui_window (fixture->view, 900, 640);
}

static inline void
fixture_clear (Fixture *fixture)
{
  ui_close (fixture->window);
  g_assert_finalize_object (fixture->focus);
  g_assert_finalize_object (fixture->figure);
}

/* The visible row with that index. */
static inline GtkWidget *
get_row (Fixture *fixture, guint index)
{
  GtkWidget *row = ui_find (fixture->view, "TbTimelineRow");

  while (row != NULL && index > 0)
    {
      row = gtk_widget_get_next_sibling (row);
      index--;
    }
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (row), ==, "TbTimelineRow");
  return row;
}

static inline void
assert_focused_row (Fixture *fixture, const char *label)
{
  GtkWidget *focused = gtk_window_get_focus (fixture->window);

  g_assert_nonnull (focused);
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (focused), ==, "TbTimelineRow");
  gtk_test_accessible_assert_property (focused, GTK_ACCESSIBLE_PROPERTY_LABEL, label);
}

static inline void
assert_view_ms (Fixture *fixture, double from_ms, double to_ms, double tolerance_ms)
{
  gint64 from, to;

  tb_focus_get_view (fixture->focus, &from, &to);
  g_assert_cmpfloat_with_epsilon ((double) (from - SAMPLE_START) / SAMPLE_MS, from_ms,
                                  tolerance_ms);
  g_assert_cmpfloat_with_epsilon ((double) (to - SAMPLE_START) / SAMPLE_MS, to_ms, tolerance_ms);
}

static inline gboolean
shows_one (gpointer view)
{
  return tb_timeline_view_get_n_shown (view) == 1;
}
