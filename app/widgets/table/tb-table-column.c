/* tb-table-column.c: column of a table view: its cells (text, share bar, sample of colour), width
 * and sorting; look-up of the row of a cell
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/tb-widgets-private.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/tb-swatch-private.h"
#include "widgets/table/tb-table-widgets-private.h"
#include "widgets/time/tb-time-axis.h"

#define MIN_CHARS 5
#define MAX_CHARS 28      /* that the name of a row keeps in any window */
#define MAX_CHARS_TEXT 14 /* that every other text keeps */
#define MAX_CHARS_WANTED 60
#define ROWS_MEASURED 100
#define KEY_ROW "tb-row" /* key of the data of a cell's widget: its row + 1 */

/* A bar that shows a share of the whole. */
#define TB_TYPE_SHARE_BAR (tb_share_bar_get_type ())
G_DECLARE_FINAL_TYPE (TbShareBar, tb_share_bar, TB, SHARE_BAR, GtkWidget)

struct _TbShareBar
{
  GtkWidget parent_instance;

  double share; /* NaN: no bar */
};

G_DEFINE_FINAL_TYPE (TbShareBar, tb_share_bar, GTK_TYPE_WIDGET)

static void
tb_share_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbShareBar *self = TB_SHARE_BAR (widget);
  const TbPalette *palette = tb_palette_get_default ();
  float width = (float) gtk_widget_get_width (widget),
        height = (float) gtk_widget_get_height (widget);
  GdkRGBA rest = palette->text;
  float filled, x;

  /* In high contrast, lines are as dark as bars. */
  rest.alpha = .15f;
  tb_draw_rounded (snapshot, &rest, &GRAPHENE_RECT_INIT (0, 0, width, height), height / 2);
  if (!(self->share > 0))
    return;
  filled = CLAMP ((float) self->share * width, MIN (height, 3), width);
  x = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? width - filled : 0;
  tb_draw_rounded (snapshot, &palette->accent, &GRAPHENE_RECT_INIT (x, 0, filled, height),
                   height / 2);
}

static void
tb_share_bar_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 40 : 7;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 56 : 7;
}

static void
tb_share_bar_class_init (TbShareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = tb_share_bar_snapshot;
  widget_class->measure = tb_share_bar_measure;
  gtk_widget_class_set_css_name (widget_class, "tb-share");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tb_share_bar_init (TbShareBar *self)
{
  self->share = NAN;
}

typedef struct
{
  TbTableFigure *figure;
  guint column;
  gboolean is_name; /* the first text column, which has the names of the rows */
  gboolean swatches;
  int longest; /* longest text in characters, up to the measured limit */
} Column;

static void
column_free (gpointer data)
{
  Column *column = data;

  g_object_unref (column->figure);
  g_free (column);
}

static void
column_free_closure (gpointer data, GClosure *closure)
{
  column_free (data);
}

static gboolean
is_name (const Column *column)
{
  for (guint before = 0; before < column->column; before++)
    if (tb_table_figure_get_column_type (column->figure, before) == TB_CELL_TEXT)
      return FALSE;
  return tb_table_figure_get_column_type (column->figure, column->column) == TB_CELL_TEXT;
}

/* Rows with colours show a sample before their names. */
static gboolean
has_swatches (const Column *column)
{
  for (guint row = 0; row < tb_table_figure_get_n_rows (column->figure); row++)
    if (tb_table_figure_get_paint (column->figure, row) < TB_N_FLAME_PAINTS)
      return TRUE;
  return FALSE;
}

static int
count_longest (const Column *column)
{
  guint n = MIN (tb_table_figure_get_n_rows (column->figure), ROWS_MEASURED);
  glong most = MIN_CHARS;

  for (guint row = 0; row < n; row++)
    most = MAX (most,
                g_utf8_strlen (tb_table_figure_get_text (column->figure, row, column->column), -1));
  return (int) MIN (most, MAX_CHARS_WANTED);
}

static Column *
column_new (TbTableFigure *figure, guint index)
{
  Column *column = g_new0 (Column, 1);

  column->figure = g_object_ref (figure);
  column->column = index;
  column->is_name = is_name (column);
  column->swatches = column->is_name && has_swatches (column);
  if (tb_table_figure_get_column_type (figure, index) == TB_CELL_TEXT)
    column->longest = count_longest (column);
  return column;
}

/* Widths are based on the mean width of characters, so a text with wide characters needs more. */
static int
allow_for_wide (int n)
{
  return n + 1 + n / 6;
}

/* Names of rows, and short texts, remain readable where there is little room, because further
 * columns can be scrolled to. Where there is enough room each column gets its wanted width, and
 * only the rest is shared. */
static void
set_width (GtkLabel *label, const Column *column)
{
  int wanted = allow_for_wide (column->longest);

  gtk_label_set_width_chars (label, MIN (wanted, column->is_name ? MAX_CHARS : MAX_CHARS_TEXT));
  gtk_label_set_max_width_chars (label, wanted);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column *column = data;
  TbCellType type = tb_table_figure_get_column_type (column->figure, column->column);
  GtkWidget *label = gtk_label_new (NULL), *child = label;

  if (type == TB_CELL_TEXT)
    {
      gboolean is_numeric = tb_table_figure_is_numeric (column->figure, column->column);

      gtk_label_set_xalign (GTK_LABEL (label), is_numeric ? 1 : 0);
      if (is_numeric)
        gtk_widget_add_css_class (label, "numeric");
      /* Both the start and the end of a function's label matter: its name and its module. */
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      set_width (GTK_LABEL (label), column);
      tb_widgets_add_cut_tooltip (label);
    }
  else
    {
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_add_css_class (label, "numeric");
    }
  if (column->swatches)
    {
      child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      gtk_box_append (GTK_BOX (child), tb_swatch_new ());
      gtk_box_append (GTK_BOX (child), label);
    }
  if (type == TB_CELL_SHARE)
    {
      child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      gtk_box_append (GTK_BOX (child), g_object_new (TB_TYPE_SHARE_BAR, "valign", GTK_ALIGN_CENTER,
                                                     "hexpand", TRUE, NULL));
      gtk_label_set_width_chars (GTK_LABEL (label), 6);
      gtk_box_append (GTK_BOX (child), label);
    }
  else if (column->column == 0 && !column->swatches
           && tb_table_figure_get_n_children (column->figure) > 0)
    {
      child = gtk_tree_expander_new ();
      gtk_tree_expander_set_child (GTK_TREE_EXPANDER (child), label);
    }
  gtk_list_item_set_child (item, child);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column *column = data;
  guint row = tb_table_row_get_index (gtk_list_item_get_item (item));
  g_autofree char *text = tb_table_figure_format_cell (column->figure, row, column->column);
  GtkWidget *label = gtk_list_item_get_child (item);

  g_object_set_data (G_OBJECT (label), KEY_ROW, GUINT_TO_POINTER (row + 1));
  if (GTK_IS_TREE_EXPANDER (label))
    {
      gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (label), gtk_list_item_get_item (item));
      label = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (label));
    }
  else if (column->swatches)
    {
      GtkWidget *swatch = gtk_widget_get_first_child (label);
      TbFlamePaint paint = tb_table_figure_get_paint (column->figure, row);

      gtk_widget_set_visible (swatch, paint < TB_N_FLAME_PAINTS);
      tb_swatch_set_paint (TB_SWATCH (swatch), TB_SWATCH_FLAME, MIN (paint, TB_N_FLAME_PAINTS - 1));
      label = gtk_widget_get_last_child (label);
    }
  else if (!GTK_IS_LABEL (label))
    {
      TbShareBar *bar = TB_SHARE_BAR (gtk_widget_get_first_child (label));

      bar->share = tb_table_figure_is_known (column->figure, row, column->column)
                       ? tb_table_figure_get_double (column->figure, row, column->column)
                       : NAN;
      gtk_widget_queue_draw (GTK_WIDGET (bar));
      label = gtk_widget_get_last_child (label);
    }
  if (column->longest == 0 && gtk_widget_get_direction (label) == GTK_TEXT_DIR_RTL)
    {
      /* The unit in "31 %" has no direction of its own and would otherwise come first in
       * right-to-left text. */
      g_autofree char *isolated = g_strdup_printf ("\u2066%s\u2069", text);

      gtk_label_set_text (GTK_LABEL (label), isolated);
    }
  else
    gtk_label_set_text (GTK_LABEL (label), text);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  Column *column = data;
  int order = tb_table_figure_compare (column->figure, column->column,
                                       tb_table_row_get_index ((TbTableRow *) a),
                                       tb_table_row_get_index ((TbTableRow *) b));

  return gtk_ordering_from_cmpfunc (order);
}

static gboolean
has_wide_column (TbTableFigure *figure)
{
  for (guint column = 0; column < tb_table_figure_get_n_columns (figure); column++)
    {
      TbCellType type = tb_table_figure_get_column_type (figure, column);

      if (type == TB_CELL_TEXT || type == TB_CELL_SHARE)
        return TRUE;
    }
  return FALSE;
}

GtkColumnViewColumn *
tb_table_column_new (TbTableFigure *figure, guint index)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  TbCellType type = tb_table_figure_get_column_type (figure, index);
  g_autoptr (GtkSorter) sorter = NULL;
  GtkColumnViewColumn *column;

  g_signal_connect_data (factory, "setup", G_CALLBACK (on_setup), column_new (figure, index),
                         column_free_closure, 0);
  g_signal_connect_data (factory, "bind", G_CALLBACK (on_bind), column_new (figure, index),
                         column_free_closure, 0);
  column = gtk_column_view_column_new (tb_table_figure_get_column_title (figure, index), factory);
  sorter
      = GTK_SORTER (gtk_custom_sorter_new (compare_rows, column_new (figure, index), column_free));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_id (column, tb_table_figure_get_column_id (figure, index));
  g_object_set_data (G_OBJECT (column), "tb-column", GUINT_TO_POINTER (index));
  gtk_column_view_column_set_resizable (column, TRUE);
  /* A table that has only numbers is as wide as others. */
  gtk_column_view_column_set_expand (column, type == TB_CELL_TEXT || type == TB_CELL_SHARE
                                                 || !has_wide_column (figure));
  return column;
}

static guint
get_row (GtkWidget *child)
{
  gpointer row = child != NULL ? g_object_get_data (G_OBJECT (child), KEY_ROW) : NULL;

  return row != NULL ? GPOINTER_TO_UINT (row) - 1 : TB_ID_NONE;
}

/* A cell is larger than the widget in it. */
guint
tb_table_column_find_row (GtkWidget *picked, GtkWidget *view)
{
  for (; picked != NULL && picked != view; picked = gtk_widget_get_parent (picked))
    {
      guint row = get_row (picked);

      if (row == TB_ID_NONE)
        row = get_row (gtk_widget_get_first_child (picked));
      if (row != TB_ID_NONE)
        return row;
    }
  return TB_ID_NONE;
}

guint
tb_table_column_get_index (GtkColumnViewColumn *column)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column), "tb-column"));
}
