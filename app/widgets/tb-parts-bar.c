/* tb-parts-bar.c: bar above a table, divided by the values of its rows as parts of a whole; a part
 * is selected by click or key
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/table/tb-table-widgets-private.h"
#include "widgets/tb-widgets-private.h"

#define HEIGHT 26
#define MIN_LABEL 40
#define LABEL_SCALE .78

/*
 * A bar with all rows, in the order and colours of the figure. Left and Right go from part to part,
 * and a click selects a part. The table below follows.
 */
struct _TbPartsBar
{
  GtkWidget parent_instance;

  TbTableFigure *figure;
  guint selected; /* row or TB_ID_NONE */
};

G_DEFINE_FINAL_TYPE (TbPartsBar, tb_parts_bar, GTK_TYPE_WIDGET)

enum
{
  ROW_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
is_mirrored (TbPartsBar *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* The first text column has the names of the rows. */
static const char *
get_name (TbPartsBar *self, guint row)
{
  for (guint column = 0; column < tb_table_figure_get_n_columns (self->figure); column++)
    if (tb_table_figure_get_column_type (self->figure, column) == TB_CELL_TEXT)
      return tb_table_figure_get_text (self->figure, row, column);
  return tb_table_figure_get_row_item (self->figure, row);
}

static char *
describe (TbPartsBar *self, guint row)
{
  g_autofree char *value
      = tb_table_figure_format_cell (self->figure, row, tb_table_figure_get_bar (self->figure));
  g_autofree char *share = tb_format_share (tb_table_figure_get_part (self->figure, row));

  /* Translators: a part of a whole: its name, how much it is, its share: "network: 12 ms, 4 %". */
  return g_strdup_printf (_ ("%s: %s, %s"), get_name (self, row), value, share);
}

static void
append_part (TbPartsBar *self, GtkSnapshot *snapshot, guint row, const graphene_rect_t *bounds)
{
  const TbPalette *palette = tb_palette_get_default ();
  TbFlamePaint paint = tb_table_figure_get_paint (self->figure, row);
  g_autoptr (PangoLayout) layout = NULL;
  g_autoptr (PangoAttrList) attributes = NULL;
  int height;

  paint = paint < TB_N_FLAME_PAINTS ? paint : TB_FLAME_UNKNOWN;
  tb_draw_flame_paint (snapshot, palette, paint, 1, bounds);
  if (bounds->size.width < MIN_LABEL)
    return;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), get_name (self, row));
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_scale_new (LABEL_SCALE));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_width (layout, ((int) bounds->size.width - 10) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (bounds->origin.x + 5,
                                      floorf ((bounds->size.height - (float) height) / 2)));
  gtk_snapshot_append_layout (snapshot, layout, &palette->text_on_flame[paint]);
  gtk_snapshot_restore (snapshot);
}

/* Computes where a row is drawn. before: the sum of the rows before it. A row with a value gets at
 * least one pixel. */
static void
get_bounds (TbPartsBar *self, guint row, double before, graphene_rect_t *bounds)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double part = tb_table_figure_get_part (self->figure, row);
  double left = floor (before * width + .5), right = floor ((before + part) * width + .5);

  if (part > 0)
    right = MAX (right, left + 1);
  if (is_mirrored (self))
    {
      double swap = width - left;

      left = width - right;
      right = swap;
    }
  graphene_rect_init (bounds, (float) left, 0, (float) (right - left),
                      (float) gtk_widget_get_height (GTK_WIDGET (self)));
}

static void
tb_parts_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbPartsBar *self = TB_PARTS_BAR (widget);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                            (float) gtk_widget_get_height (widget));
  graphene_rect_t bounds, outline = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  GskRoundedRect rounded;
  double before = 0;

  gsk_rounded_rect_init_from_rect (&rounded, &all, 5);
  gtk_snapshot_push_rounded_clip (snapshot, &rounded);
  gtk_snapshot_append_color (snapshot, &tb_palette_get_default ()->line, &all);
  for (guint row = 0; row < tb_table_figure_get_n_rows (self->figure); row++)
    {
      get_bounds (self, row, before, &bounds);
      before += tb_table_figure_get_part (self->figure, row);
      if (bounds.size.width > 0)
        append_part (self, snapshot, row, &bounds);
      if (row == self->selected)
        outline = bounds;
    }
  gtk_snapshot_pop (snapshot);
  if (outline.size.width > 0)
    tb_draw_outline (snapshot, &tb_palette_get_default ()->select, &outline, 2);
}

static guint
find_part_at (TbPartsBar *self, double x)
{
  double before = 0;

  for (guint row = 0; row < tb_table_figure_get_n_rows (self->figure); row++)
    {
      graphene_rect_t bounds;

      get_bounds (self, row, before, &bounds);
      before += tb_table_figure_get_part (self->figure, row);
      if (x >= bounds.origin.x && x < bounds.origin.x + bounds.size.width)
        return row;
    }
  return TB_ID_NONE;
}

static void
tb_parts_bar_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 80 : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 400 : HEIGHT;
}

static void
select_part (TbPartsBar *self, guint row)
{
  if (row != TB_ID_NONE)
    g_signal_emit (self, signals[ROW_CHOSEN], 0, row);
}

/* Goes to the next part that has a value. */
static gboolean
on_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbPartsBar *self = TB_PARTS_BAR (widget);
  int direction = g_variant_get_int32 (arguments) * (is_mirrored (self) ? -1 : 1);
  gint64 n = tb_table_figure_get_n_rows (self->figure);
  gint64 row = self->selected == TB_ID_NONE ? (direction > 0 ? -1 : n) : (gint64) self->selected;

  do
    row += direction;
  while (row >= 0 && row < n && tb_table_figure_get_part (self->figure, (guint) row) <= 0);
  if (row < 0 || row >= n)
    gtk_widget_error_bell (widget);
  else
    select_part (self, (guint) row);
  return TRUE;
}

static void
on_released (TbPartsBar *self, int n_press, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  select_part (self, find_part_at (self, x));
}

static gboolean
on_query_tooltip (TbPartsBar *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  guint row = keyboard ? self->selected : find_part_at (self, x);
  g_autofree char *text = NULL;

  if (row == TB_ID_NONE)
    return FALSE;
  text = describe (self, row);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
tb_parts_bar_finalize (GObject *object)
{
  g_clear_object (&TB_PARTS_BAR (object)->figure);

  G_OBJECT_CLASS (tb_parts_bar_parent_class)->finalize (object);
}

static void
tb_parts_bar_class_init (TbPartsBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_parts_bar_finalize;
  widget_class->snapshot = tb_parts_bar_snapshot;
  widget_class->measure = tb_parts_bar_measure;
  signals[ROW_CHOSEN] = g_signal_new ("row-chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, on_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, on_key, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Left, 0, on_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Right, 0, on_key, "i", 1);
  gtk_widget_class_set_css_name (widget_class, "tb-parts");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
tb_parts_bar_init (TbPartsBar *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->selected = TB_ID_NONE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (self, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_draw));
}

/* Describes what is visible at a glance: the selected part, or else the largest parts. */
static void
update_accessible (TbPartsBar *self)
{
  GString *text = g_string_new (NULL);
  g_autofree char *owned = NULL;

  for (guint row = 0; row < tb_table_figure_get_n_rows (self->figure); row++)
    if (self->selected == row
        || (self->selected == TB_ID_NONE && tb_table_figure_get_part (self->figure, row) >= .05))
      {
        g_autofree char *part = describe (self, row);

        g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", part);
      }
  owned = g_string_free (text, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, owned,
                                  -1);
  if (self->selected != TB_ID_NONE && gtk_widget_is_focus (GTK_WIDGET (self)))
    tb_widgets_announce (GTK_WIDGET (self), owned);
}

void
tb_parts_bar_set_selected (TbPartsBar *self, guint row)
{
  if (self->selected == row)
    return;
  self->selected = row;
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

TbPartsBar *
tb_parts_bar_new (TbTableFigure *figure)
{
  TbPartsBar *self = g_object_new (TB_TYPE_PARTS_BAR, NULL);

  self->figure = g_object_ref (figure);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
      tb_table_figure_get_column_title (figure, tb_table_figure_get_bar (figure)), -1);
  update_accessible (self);
  return self;
}
