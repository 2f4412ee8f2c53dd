/* tb-differences.c: list of differences of numbers between two recordings: sorted, as a table, as
 * values of a finding and in JSON, alike in all comparisons
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "extend/compare/tb-differences.h"

struct _TbDifferences
{
  GArray *all; /* TbDifference */
};

static void
difference_clear (gpointer data)
{
  TbDifference *self = data;

  g_free (self->what);
  g_free (self->id);
}

/**
 * tb_differences_new: (skip)
 *
 * Creates an empty list of differences.
 *
 * Returns: (transfer full): the list
 */
TbDifferences *
tb_differences_new (void)
{
  TbDifferences *self = g_new0 (TbDifferences, 1);

  self->all = g_array_new (FALSE, FALSE, sizeof (TbDifference));
  g_array_set_clear_func (self->all, difference_clear);
  return self;
}

/**
 * tb_differences_free:
 * @self: the differences
 *
 * Frees the list.
 */
void
tb_differences_free (TbDifferences *self)
{
  g_array_unref (self->all);
  g_free (self);
}

/**
 * tb_differences_add:
 * @self: the differences
 * @difference: a difference; it is copied, but its label is not and must stay valid
 *
 * Adds a difference.
 */
void
tb_differences_add (TbDifferences *self, const TbDifference *difference)
{
  TbDifference copy = *difference;

  copy.what = g_strdup (difference->what);
  copy.id = g_strdup (difference->id);
  g_array_append_val (self->all, copy);
}

static int
compare_differences (gconstpointer a, gconstpointer b)
{
  const TbDifference *left = a, *right = b;
  double left_size = fabs (left->other - left->base),
         right_size = fabs (right->other - right->base);
  int order = strcmp (left->id, right->id);

  if (left->within_noise != right->within_noise)
    return left->within_noise ? 1 : -1;
  if (left_size != right_size)
    return left_size > right_size ? -1 : 1;
  return order != 0 ? order : strcmp (left->what, right->what);
}

/**
 * tb_differences_sort:
 * @self: the differences
 *
 * Sorts significant differences before noise, then larger ones before smaller ones.
 */
void
tb_differences_sort (TbDifferences *self)
{
  g_array_sort (self->all, compare_differences);
}

/**
 * tb_differences_get_n:
 * @self: the differences
 *
 * Gets the number of differences.
 *
 * Returns: the number
 */
guint
tb_differences_get_n (const TbDifferences *self)
{
  return self->all->len;
}

/**
 * tb_differences_get:
 * @self: the differences
 * @index: index of a difference
 *
 * Gets a difference.
 *
 * Returns: (transfer none): the difference
 */
const TbDifference *
tb_differences_get (const TbDifferences *self, guint index)
{
  g_return_val_if_fail (index < self->all->len, NULL);

  return &g_array_index (self->all, TbDifference, index);
}

static gboolean
is_length (const TbDifference *self)
{
  return g_str_has_suffix (self->what, "_ns");
}

/**
 * tb_difference_format:
 * @difference: a difference
 * @value: a value of its number
 *
 * Formats a value: times as durations, other numbers as they are.
 *
 * Returns: (transfer full): the text
 */
char *
tb_difference_format (const TbDifference *difference, double value)
{
  return is_length (difference) ? tb_format_duration (llrint (value))
                                : g_strdup_printf ("%.4g", value);
}

/**
 * tb_difference_set_cell:
 * @difference: a difference
 * @table: a table that is being built
 * @row: a row
 * @column: a column of text
 * @value: a value of the number
 *
 * Formats a value into a cell. A value that is not finite stays unknown.
 */
void
tb_difference_set_cell (const TbDifference *difference,
                        TbTableFigure *table,
                        guint row,
                        guint column,
                        double value)
{
  g_autofree char *text = NULL;

  if (!isfinite (value))
    return;
  text = tb_difference_format (difference, value);
  tb_table_figure_set_text (table, row, column, text);
  tb_table_figure_set_measure (table, row, column,
                               is_length (difference) ? TB_CELL_DURATION : TB_CELL_COUNT,
                               is_length (difference) ? rint (value) : value,
                               is_length (difference) ? rint (value) : value);
}

/**
 * tb_difference_get_item:
 * @difference: a difference
 *
 * Gets the item of the row of a difference in the table of
 * [method@Tailback.Differences.make_table].
 *
 * Returns: (transfer full): the item
 */
char *
tb_difference_get_item (const TbDifference *difference)
{
  return g_strdup_printf ("%s %s", difference->id, difference->what);
}

static void
set_value (const TbDifference *difference, TbFinding *finding, const char *name, double value)
{
  g_autofree char *time = g_strconcat (name, "_ns", NULL);

  if (!is_length (difference))
    tb_finding_set_number (finding, name, value);
  else if (isfinite (value))
    tb_finding_set_integer (finding, time, llrint (value));
  else
    tb_finding_set_string (finding, time, NULL);
}

/**
 * tb_difference_set_values:
 * @difference: a difference
 * @finding: a finding about it
 *
 * Sets the values "measure", "base", "other", "delta", "low" and "high" of a finding. The names of
 * times end in "_ns".
 */
void
tb_difference_set_values (const TbDifference *difference, TbFinding *finding)
{
  gboolean whole = is_length (difference);
  double base = whole ? rint (difference->base) : difference->base;
  double other = whole ? rint (difference->other) : difference->other;

  tb_finding_set_string (finding, "measure", difference->what);
  set_value (difference, finding, "base", base);
  set_value (difference, finding, "other", other);
  set_value (difference, finding, "delta", other - base);
  set_value (difference, finding, "low", difference->low);
  set_value (difference, finding, "high", difference->high);
}

static void
add_number (JsonBuilder *builder, const char *member, double value)
{
  json_builder_set_member_name (builder, member);
  if (!isfinite (value))
    json_builder_add_null_value (builder);
  else if (value == rint (value) && fabs (value) < 9e15)
    json_builder_add_int_value (builder, llrint (value));
  else
    json_builder_add_double_value (builder, value);
}

/**
 * tb_differences_write:
 * @self: the differences
 * @builder: a builder that is in an object
 *
 * Writes the member "differences", an array, as it is in the summaries of comparisons.
 */
void
tb_differences_write (const TbDifferences *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "differences");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->all->len; i++)
    {
      const TbDifference *difference = tb_differences_get (self, i);
      gboolean whole = is_length (difference);
      double base = whole ? rint (difference->base) : difference->base;
      double other = whole ? rint (difference->other) : difference->other;

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "what");
      json_builder_add_string_value (builder, difference->what);
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, difference->id);
      add_number (builder, "base", base);
      add_number (builder, "other", other);
      add_number (builder, "delta", other - base);
      add_number (builder, "low", whole ? rint (difference->low) : difference->low);
      add_number (builder, "high", whole ? rint (difference->high) : difference->high);
      json_builder_set_member_name (builder, "within_noise");
      json_builder_add_boolean_value (builder, difference->within_noise);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/**
 * tb_differences_make_table:
 * @self: the differences
 *
 * Makes a table of the differences.
 *
 * Returns: (transfer full): a table "differences", whose rows are named by
 *   [method@Tailback.Difference.get_item]
 */
TbFigure *
tb_differences_make_table (const TbDifferences *self)
{
  TbTableFigure *table = tb_table_figure_new ("differences", _ ("Differences"));
  guint id = tb_table_figure_add_column (table, "id", _ ("Subject"), TB_CELL_TEXT);
  guint what = tb_table_figure_add_column (table, "what", _ ("Quantity"), TB_CELL_TEXT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Base"), TB_CELL_TEXT);
  guint other = tb_table_figure_add_column (table, "other", _ ("Other"), TB_CELL_TEXT);
  guint delta = tb_table_figure_add_column (table, "delta", _ ("Difference"), TB_CELL_TEXT);
  guint noise
      = tb_table_figure_add_column (table, "within_noise", _ ("Beyond Noise"), TB_CELL_TEXT);

  for (guint i = 0; i < self->all->len; i++)
    {
      const TbDifference *difference = tb_differences_get (self, i);
      g_autofree char *item = tb_difference_get_item (difference);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, id, difference->id);
      tb_table_figure_set_text (table, row, what, difference->label);
      tb_difference_set_cell (difference, table, row, base, difference->base);
      tb_difference_set_cell (difference, table, row, other, difference->other);
      tb_difference_set_cell (difference, table, row, delta, difference->other - difference->base);
      tb_table_figure_set_text (table, row, noise, difference->within_noise ? _ ("no") : _ ("yes"));
    }
  return TB_FIGURE (table);
}
