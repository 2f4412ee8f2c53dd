/* tb-outcome-bar.c: bar that compares the predicted effect of a scenario with the recorded value
 *
 * A line marks the recorded value, a band the prediction interval, and a line in the band the
 * prediction. The sentence next to the bar has the same information.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/scenarios/tb-outcome-bar.h"
#include "widgets/tb-palette.h"

#define WIDTH 110
#define HEIGHT 18
#define LINE 2
#define TRACK 2
#define BAND 10

struct _TbOutcomeBar
{
  GtkWidget parent;

  double before;
  double after;
  double low;
  double high;
  gboolean is_better;
  gboolean has_outcome;
};

G_DEFINE_FINAL_TYPE (TbOutcomeBar, tb_outcome_bar, GTK_TYPE_WIDGET)

static void
draw (TbOutcomeBar *self,
      GtkSnapshot *snapshot,
      const GdkRGBA *color,
      double from,
      double to,
      double height)
{
  double most = MAX (MAX (self->before, self->after), MAX (self->high, 1e-9)) * 1.05;
  double width = gtk_widget_get_width (GTK_WIDGET (self)),
         middle = gtk_widget_get_height (GTK_WIDGET (self)) / 2.;
  double left = width * CLAMP (from / most, 0, 1), right = width * CLAMP (to / most, 0, 1);

  if (right - left < LINE)
    {
      left = CLAMP ((left + right - LINE) / 2, 0, width - LINE);
      right = left + LINE;
    }
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    {
      double mirrored = width - right;

      right = width - left;
      left = mirrored;
    }
  gtk_snapshot_append_color (snapshot, color,
                             &GRAPHENE_RECT_INIT ((float) left, (float) (middle - height / 2),
                                                  (float) (right - left), (float) height));
}

static void
tb_outcome_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbOutcomeBar *self = TB_OUTCOME_BAR (widget);
  const TbPalette *palette = tb_palette_get_default ();
  GdkRGBA band = palette->paint[self->is_better ? TB_PAINT_RUNNING : TB_PAINT_DISK];

  if (!self->has_outcome)
    return;
  band.alpha *= .6f;
  draw (self, snapshot, &palette->line, 0, G_MAXDOUBLE, TRACK);
  draw (self, snapshot, &band, self->low, self->high, BAND);
  draw (self, snapshot, &palette->text, self->after, self->after, BAND);
  draw (self, snapshot, &palette->dim, self->before, self->before, HEIGHT);
}

static void
tb_outcome_bar_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
tb_outcome_bar_class_init (TbOutcomeBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = tb_outcome_bar_snapshot;
  widget_class->measure = tb_outcome_bar_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tb_outcome_bar_init (TbOutcomeBar *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

GtkWidget *
tb_outcome_bar_new (void)
{
  return g_object_new (TB_TYPE_OUTCOME_BAR, NULL);
}

void
tb_outcome_bar_set_outcome (TbOutcomeBar *self, const TbScenarioOutcome *outcome)
{
  g_return_if_fail (TB_IS_OUTCOME_BAR (self));

  self->has_outcome = outcome != NULL;
  if (outcome != NULL)
    {
      self->before = outcome->before;
      self->after = outcome->after;
      self->low = outcome->low;
      self->high = outcome->high;
      self->is_better = outcome->more_is_better ? outcome->after >= outcome->before
                                                : outcome->after <= outcome->before;
    }
  gtk_widget_set_visible (GTK_WIDGET (self), outcome != NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
