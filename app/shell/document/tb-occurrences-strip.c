/* tb-occurrences-strip.c: strip of the occurrences of a graph edge over the whole recording: in
 * each column a bar for the longest one that begins there; a click emits a signal with the one of
 * the nearest bar
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "report/tb-report.h"
#include "session/schema/tb-schema.h"
#include "shell/document/tb-occurrences-strip.h"
#include "widgets/tb-palette.h"

#define N_COLUMNS 120
#define HEIGHT 44
#define MARGIN 4
#define LEAST_BAR 3

/* Each column is a time range; its bar shows the longest occurrence that begins there. A long
 * occurrence therefore stays visible among many. */
struct _TbOccurrencesStrip
{
  GtkWidget parent;

  gint64 from;
  gint64 to;
  gsize n;
  gint64 longest;
  gint64 heights[N_COLUMNS];
  gsize longest_of[N_COLUMNS]; /* index of the longest occurrence of each column */
  int current;                 /* column; -1: none */
};

G_DEFINE_FINAL_TYPE (TbOccurrencesStrip, tb_occurrences_strip, GTK_TYPE_WIDGET)

enum
{
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static int
get_column (TbOccurrencesStrip *self, gint64 time)
{
  double share = (double) (time - self->from) / (double) MAX (1, self->to - self->from);

  return CLAMP ((int) floor (share * N_COLUMNS), 0, N_COLUMNS - 1);
}

static void
tb_occurrences_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbOccurrencesStrip *self = TB_OCCURRENCES_STRIP (widget);
  const TbPalette *palette = tb_palette_get_default ();
  float width = (float) (gtk_widget_get_width (widget) - 2 * MARGIN) / N_COLUMNS;
  float height = (float) gtk_widget_get_height (widget) - 2 * MARGIN;
  gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

  for (int i = 0; i < N_COLUMNS; i++)
    {
      float share = self->longest > 0
                        ? (float) sqrt ((double) self->heights[i] / (double) self->longest)
                        : 0;
      float bar = LEAST_BAR + (height - LEAST_BAR) * share;
      int at = mirrored ? N_COLUMNS - 1 - i : i;
      const GdkRGBA *color = i == self->current ? &palette->accent : &palette->paint[TB_PAINT_DISK];

      if (self->heights[i] >= 0)
        gtk_snapshot_append_color (snapshot, color,
                                   &GRAPHENE_RECT_INIT (MARGIN + width * (float) at,
                                                        MARGIN + height - bar, MAX (1, width - 1),
                                                        bar));
    }
}

static void
tb_occurrences_strip_measure (GtkWidget *widget,
                              GtkOrientation orientation,
                              int for_size,
                              int *minimum,
                              int *natural,
                              int *minimum_baseline,
                              int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? N_COLUMNS + 2 * MARGIN : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 2 * N_COLUMNS + 2 * MARGIN : HEIGHT;
}

/* Selects the longest occurrence of the column nearest to the pointer. */
static void
on_released (TbOccurrencesStrip *self, int n_press, double x, double y)
{
  double width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN);
  int at = CLAMP ((int) ((x - MARGIN) / width * N_COLUMNS), 0, N_COLUMNS - 1);

  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    at = N_COLUMNS - 1 - at;
  for (int away = 0; away < N_COLUMNS; away++)
    for (int side = -1; side <= 1; side += 2)
      {
        int column = at + side * away;

        if (column >= 0 && column < N_COLUMNS && self->heights[column] >= 0)
          {
            g_signal_emit (self, signals[CHOSEN], 0, (guint64) self->longest_of[column]);
            return;
          }
      }
}

static void
tb_occurrences_strip_class_init (TbOccurrencesStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = tb_occurrences_strip_snapshot;
  widget_class->measure = tb_occurrences_strip_measure;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  gtk_widget_class_set_css_name (widget_class, "tb-occurrences");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
tb_occurrences_strip_init (TbOccurrencesStrip *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->current = -1;
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_css_class (GTK_WIDGET (self), "tb-figure");
}

TbOccurrencesStrip *
tb_occurrences_strip_new (void)
{
  return g_object_new (TB_TYPE_OCCURRENCES_STRIP, NULL);
}

void
tb_occurrences_strip_set (TbOccurrencesStrip *self,
                          const TbGraphOccurrences *occurrences,
                          gint64 from,
                          gint64 to)
{
  g_autofree char *text = NULL;
  g_autofree char *longest = NULL;
  g_autofree char *count = NULL;

  self->from = from;
  self->to = to;
  self->n = occurrences->n;
  self->longest = 0;
  self->current = -1;
  for (guint i = 0; i < N_COLUMNS; i++)
    self->heights[i] = -1;
  for (gsize i = 0; i < occurrences->n; i++)
    {
      gint64 length = occurrences->to[i] - occurrences->from[i];
      int column = get_column (self, occurrences->from[i]);

      if (length > self->heights[column])
        {
          self->heights[column] = length;
          self->longest_of[column] = i;
        }
      self->longest = MAX (self->longest, length);
    }
  longest = tb_format_duration (self->longest);
  count = tb_format_count (self->n);
  text = g_strdup_printf (ngettext ("%s occurrence, %s long", "%s occurrences, the longest %s",
                                    (gulong) self->n),
                          count, longest);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
tb_occurrences_strip_set_current (TbOccurrencesStrip *self, gint64 time)
{
  int current = time != TB_TIME_NONE ? get_column (self, time) : -1;

  if (current != self->current)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  self->current = current;
}
