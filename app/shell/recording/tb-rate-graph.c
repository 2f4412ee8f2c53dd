/* tb-rate-graph.c: bar graph of the recent event rate of a recording in progress; bars with lost
 * events have another colour
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/recording/tb-rate-graph.h"
#include "widgets/tb-palette.h"

/* Number of bars; the newest is at the right. */
#define N_BARS 120

struct _TbRateGraph
{
  GtkWidget parent;

  double rates[N_BARS]; /* ring buffer */
  gboolean lost[N_BARS];
  guint next;
};

G_DEFINE_FINAL_TYPE (TbRateGraph, tb_rate_graph, GTK_TYPE_WIDGET)

static void
tb_rate_graph_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbRateGraph *self = TB_RATE_GRAPH (widget);
  const TbPalette *palette = tb_palette_get_default ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double bar = (double) width / N_BARS, highest = 1;

  for (guint i = 0; i < N_BARS; i++)
    highest = MAX (highest, self->rates[i]);
  for (guint i = 0; i < N_BARS; i++)
    {
      guint index = (self->next + i) % N_BARS;
      float tall = self->rates[index] / highest * (height - 4);

      if (tall > 0)
        gtk_snapshot_append_color (
            snapshot,
            &palette->paint[self->lost[index] ? TB_PAINT_UNINTERRUPTIBLE : TB_PAINT_RUNNING],
            &GRAPHENE_RECT_INIT (i * bar, height - MAX (tall, 1), MAX (bar - 1, 1), MAX (tall, 1)));
    }
}

static void
tb_rate_graph_class_init (TbRateGraphClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = tb_rate_graph_snapshot;
  /* The rows below have the same information as text. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tb_rate_graph_init (TbRateGraph *self)
{
}

/**
 * tb_rate_graph_push:
 * @rate: events per second
 * @lost: whether events were lost in this time
 *
 * Adds a bar; the oldest one is removed.
 */
void
tb_rate_graph_push (TbRateGraph *self, double rate, gboolean lost)
{
  g_return_if_fail (TB_IS_RATE_GRAPH (self));

  self->rates[self->next] = rate;
  self->lost[self->next] = lost;
  self->next = (self->next + 1) % N_BARS;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
