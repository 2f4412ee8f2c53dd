/* tb-table-match.c: check whether a row of a table matches a search (words, column:word,
 * longer:TIME) or a filter
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "base/tb-duration.h"
#include "report/tb-report.h"
#include "widgets/table/tb-table-widgets-private.h"

static gboolean
cell_contains (TbTableFigure *figure, guint row, guint column, const char *needle)
{
  return tb_table_figure_get_column_type (figure, column) == TB_CELL_TEXT
         && tb_filter_contains (tb_table_figure_get_text (figure, row, column), needle);
}

static gboolean
row_has_longer (TbTableFigure *figure, guint row, gint64 ns)
{
  for (guint column = 0; column < tb_table_figure_get_n_columns (figure); column++)
    {
      double low, high;

      if (tb_table_figure_get_column_type (figure, column) == TB_CELL_DURATION
          && tb_table_figure_is_known (figure, row, column)
          && tb_table_figure_get_integer (figure, row, column) >= ns)
        return TRUE;
      if (tb_table_figure_get_measure (figure, row, column, &low, &high) == TB_CELL_DURATION
          && high >= (double) ns)
        return TRUE;
    }
  return FALSE;
}

/* "word" anywhere, "column:word" in one column, "longer:1ms" for any duration. */
static gboolean
row_matches_term (TbTableFigure *figure, guint row, const char *term)
{
  guint n_columns = tb_table_figure_get_n_columns (figure);
  const char *colon = strchr (term, ':');
  gint64 ns;

  if (g_str_has_prefix (term, "longer:"))
    {
      if (colon[1] == '\0')
        return TRUE;
      if (tb_duration_parse (colon + 1, &ns) == TB_DURATION_OK)
        return row_has_longer (figure, row, ns);
    }
  for (guint column = 0; colon != NULL && column < n_columns; column++)
    {
      const char *id = tb_table_figure_get_column_id (figure, column);

      if (strlen (id) == (gsize) (colon - term)
          && g_ascii_strncasecmp (id, term, (gsize) (colon - term)) == 0)
        return cell_contains (figure, row, column, colon + 1);
    }
  for (guint column = 0; column < n_columns; column++)
    if (cell_contains (figure, row, column, term))
      return TRUE;
  return FALSE;
}

static const char *
get_cell_text (TbTableFigure *figure, guint row, const char *id)
{
  for (guint column = 0; column < tb_table_figure_get_n_columns (figure); column++)
    if (g_str_equal (tb_table_figure_get_column_id (figure, column), id)
        && tb_table_figure_get_column_type (figure, column) == TB_CELL_TEXT)
      return tb_table_figure_get_text (figure, row, column);
  return NULL;
}

/* Whether a plain word is in any text of a row. */
static gboolean
row_has_words (TbTableFigure *figure, guint row, const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean found = FALSE;

      for (guint column = 0; column < tb_table_figure_get_n_columns (figure) && !found; column++)
        found = tb_table_figure_get_column_type (figure, column) == TB_CELL_TEXT
                && tb_filter_contains (tb_table_figure_get_text (figure, row, column), words[i]);
      if (!found)
        return FALSE;
    }
  return TRUE;
}

/* Terms without a corresponding column are ignored. */
gboolean
tb_table_match_filter (TbTableFigure *figure, guint row, TbFilter *filter, gboolean has_durations)
{
  const char *process = get_cell_text (figure, row, "process"),
             *thread = get_cell_text (figure, row, "thread");
  const char *function = get_cell_text (figure, row, "function"),
             *module = get_cell_text (figure, row, "module");
  gint64 longer = tb_filter_get_min_length (filter);

  if (!row_has_words (figure, row, tb_filter_get_words (filter)))
    return FALSE;
  if (process != NULL && !tb_filter_match_process (filter, process))
    return FALSE;
  if (thread != NULL && !tb_filter_match_thread_name (filter, thread))
    return FALSE;
  if (function != NULL && !tb_filter_match_function (filter, function, module))
    return FALSE;
  return longer < 0 || !has_durations || row_has_longer (figure, row, longer);
}

gboolean
tb_table_match_terms (TbTableFigure *figure, guint row, char **terms)
{
  for (guint i = 0; terms[i] != NULL; i++)
    if (terms[i][0] != '\0' && !row_matches_term (figure, row, terms[i]))
      return FALSE;
  return TRUE;
}
