/* tb-heatmap-accessible.c: accessible items, for screen readers, for the rows and cells of a heat
 * map: their order, roles, texts and selection
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/heatmap/tb-heatmap-private.h"

/* Smaller cells cannot be distinguished. Then only rows of at least this height are listed. */
#define MIN_CELL 3.f

/* A row is identified by its index, a cell also by its column + 1. */
#define COLUMN_SHIFT 32

static guint64
get_key (guint row, guint column)
{
  return (guint64) (column + 1) << COLUMN_SHIFT | row;
}

/* TB_ID_NONE: the whole row. */
static guint
get_column (guint64 key)
{
  return (guint) (key >> COLUMN_SHIFT) - 1;
}

static GtkAccessibleRole
get_role (GtkWidget *widget, guint64 key)
{
  return get_column (key) == TB_ID_NONE ? GTK_ACCESSIBLE_ROLE_ROW : GTK_ACCESSIBLE_ROLE_CELL;
}

static void
get_state (GtkWidget *widget, guint64 *state)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);

  state[0] = tb_accessible_pack_double (self->viewport.column);
  state[1] = tb_accessible_pack_double (self->viewport.n_columns);
  state[2] = tb_accessible_pack_double (self->viewport.row);
  state[3] = tb_accessible_pack_double (self->viewport.n_rows);
  state[4] = (guint64) self->label_width;
  state[5] = (guint64) self->line;
  state[6] = gtk_widget_get_direction (widget);
}

static void
list_cells (TbHeatmapCanvas *self, guint row, guint parent, GArray *places)
{
  guint n = tb_heatmap_figure_get_n_columns (self->figure);
  guint first = (guint) self->viewport.column;
  guint end = (guint) MIN (ceil (self->viewport.column + self->viewport.n_columns), (double) n);

  for (guint column = first; column < end; column++)
    {
      TbAccessiblePlace place = { .key = get_key (row, column), .parent = parent };

      if (tb_heatmap_canvas_get_bounds (self, row, column, column + 1, &place.bounds))
        g_array_append_val (places, place);
    }
}

/* The highest row comes first, in the order of reading. */
static void
list (GtkWidget *widget, GArray *places)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  guint n = tb_heatmap_figure_get_n_rows (self->figure);
  guint first = (guint) self->viewport.row;
  guint end = (guint) MIN (ceil (self->viewport.row + self->viewport.n_rows), (double) n);
  graphene_rect_t plot;
  gboolean has_cells;

  tb_heatmap_canvas_get_plot (self, &plot);
  if (n == 0 || tb_heatmap_figure_get_n_columns (self->figure) == 0
      || plot.size.height / self->viewport.n_rows < MIN_CELL)
    return;
  has_cells = plot.size.width / self->viewport.n_columns >= MIN_CELL;
  for (guint row = end; row-- > first;)
    {
      TbAccessiblePlace place = { .key = get_key (row, TB_ID_NONE), .parent = TB_ID_NONE };
      guint index = places->len;

      if (!tb_heatmap_canvas_get_bounds (self, row, 0, 0, &place.bounds))
        continue;
      g_array_append_val (places, place);
      if (has_cells)
        list_cells (self, row, index, places);
    }
}

static char *
name_column (TbHeatmapCanvas *self, guint column)
{
  const char *label = tb_heatmap_figure_get_column_label (self->figure, column);
  g_autofree char *start = NULL;
  gint64 from, to, origin;

  if (label != NULL)
    return g_strdup (label);
  tb_heatmap_figure_get_range (self->figure, &origin, NULL);
  tb_heatmap_figure_get_column_range (self->figure, column, &from, &to);
  start = tb_format_duration (from - origin);
  return g_steal_pointer (&start);
}

static void
describe (GtkWidget *widget, guint64 key, TbAccessibleText *text)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  guint row = (guint) key, column = get_column (key);
  const char *label = tb_heatmap_figure_get_row_label (self->figure, row);
  g_autofree char *name = NULL;

  text->description = tb_heatmap_figure_describe (self->figure, row, column);
  if (column == TB_ID_NONE)
    {
      text->name = g_strdup (label);
      return;
    }
  name = name_column (self, column);
  text->name = g_strdup_printf ("%s, %s", label, name);
  text->value = tb_heatmap_figure_format_value (self->figure, row, column);
}

static gboolean
is_selected (GtkWidget *widget, guint64 key)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  guint column = get_column (key);

  if (self->row == TB_ID_NONE || (guint) key != self->row)
    return FALSE;
  return column == TB_ID_NONE ? self->first == self->end
                              : column >= self->first && column < self->end;
}

static gboolean
get_selected (GtkWidget *widget, guint64 *key)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);

  *key = get_key (self->row, self->first < self->end ? self->cursor : TB_ID_NONE);
  return self->row != TB_ID_NONE;
}

const TbAccessibleItemsClass tb_heatmap_accessible_items = {
  .get_role = get_role,
  .get_state = get_state,
  .list = list,
  .describe = describe,
  .is_selected = is_selected,
  .get_selected = get_selected,
};
