/* tb-figure-csv.c: figures written as comma-separated values: intervals of a timeline, or rows of
 * the table of any other figure
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-figure-table.h"
#include "report/timeline/tb-timeline-figure.h"

#define BLOCK (64 * 1024)

/* Quotes as RFC 4180 requires. The text is not changed: names that a spreadsheet takes for a
 * formula get no prefix. */
static void
append_text (GString *out, const char *text)
{
  if (text[strcspn (text, ",\"\r\n")] == '\0')
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

/* Integers are written without a decimal point. */
static void
append_number (GString *out, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (value == rint (value) && fabs (value) < 9e15)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) value);
  else
    g_string_append (out, g_ascii_formatd (number, sizeof number, "%.6g", value));
}

/* Appends the number, or the range, that a text stands for. */
static gboolean
append_text_number (GString *out, TbTableFigure *table, guint row, guint column)
{
  double low, high;

  if (tb_table_figure_get_measure (table, row, column, &low, &high) == TB_CELL_TEXT)
    return FALSE;
  append_number (out, low);
  if (high != low)
    {
      g_string_append (out, "..");
      append_number (out, high);
    }
  return TRUE;
}

static void
append_cell (GString *out, TbTableFigure *table, guint row, guint column)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!tb_table_figure_is_known (table, row, column))
    return;
  switch (tb_table_figure_get_column_type (table, column))
    {
    case TB_CELL_TEXT:
      if (!append_text_number (out, table, row, column))
        append_text (out, tb_table_figure_get_text (table, row, column));
      break;
    case TB_CELL_SHARE:
      g_string_append (out, g_ascii_formatd (number, sizeof number, "%.6g",
                                             tb_table_figure_get_double (table, row, column)));
      break;
    default:
      g_string_append_printf (out, "%" G_GINT64_FORMAT,
                              tb_table_figure_get_integer (table, row, column));
    }
}

typedef struct
{
  GString *block;
  GOutputStream *stream;
  GCancellable *cancellable;
} Writer;

static gboolean
flush (Writer *writer, gsize from, GError **error)
{
  if (writer->block->len < from)
    return TRUE;
  if (!g_output_stream_write_all (writer->stream, writer->block->str, writer->block->len, NULL,
                                  writer->cancellable, error))
    return FALSE;
  g_string_truncate (writer->block, 0);
  return TRUE;
}

static gboolean
write_table (Writer *writer, TbTableFigure *table, GError **error)
{
  guint n_columns = tb_table_figure_get_n_columns (table);

  for (guint column = 0; column < n_columns; column++)
    {
      if (column > 0)
        g_string_append_c (writer->block, ',');
      append_text (writer->block, tb_table_figure_get_column_id (table, column));
    }
  g_string_append (writer->block, "\r\n");
  for (guint row = 0; row < tb_table_figure_get_n_rows (table); row++)
    {
      for (guint column = 0; column < n_columns; column++)
        {
          if (column > 0)
            g_string_append_c (writer->block, ',');
          append_cell (writer->block, table, row, column);
        }
      g_string_append (writer->block, "\r\n");
      if (!flush (writer, BLOCK, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_timeline (Writer *writer, TbTimelineFigure *figure, gint64 from, gint64 to, GError **error)
{
  g_string_append (writer->block, "group,track,from_ns,to_ns,state,text\r\n");
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (figure, i, &track);
      for (gsize interval = from != TB_TIME_NONE ? tb_timeline_figure_find (figure, i, from) : 0;
           interval < track.n && (to == TB_TIME_NONE || track.start[interval] < to); interval++)
        {
          g_autofree char *text = tb_timeline_figure_get_label (figure, i, interval, TRUE);

          append_text (writer->block, track.group);
          g_string_append_c (writer->block, ',');
          append_text (writer->block, track.name);
          g_string_append_printf (writer->block, ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%s,",
                                  track.start[interval], track.end[interval],
                                  tb_paint_get_name (track.paint[interval]));
          append_text (writer->block, text);
          g_string_append (writer->block, "\r\n");
          if (!flush (writer, BLOCK, error))
            return FALSE;
        }
    }
  return TRUE;
}

/**
 * tb_figure_write_csv:
 * @figure: a frozen figure of any kind
 * @from: for a timeline: write only intervals that end after this time; %TB_TIME_NONE: all
 * @to: for a timeline: write only intervals that begin before this time; %TB_TIME_NONE: all
 * @stream: stream to write to
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for an error
 *
 * Writes the contents of a figure as comma-separated values (RFC 4180, UTF-8). The first line has
 * the column names. Times and durations are in ns, unknown values are empty. A text that stands for
 * a number is written as that number, a range as both ends ("1..5"). A timeline has one line for
 * each interval, any other figure one line for each row of tb_figure_to_table().
 *
 * Returns: whether all was written
 */
gboolean
tb_figure_write_csv (TbFigure *figure,
                     gint64 from,
                     gint64 to,
                     GOutputStream *stream,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GString) block = g_string_sized_new (BLOCK + 1024);
  Writer writer = { block, stream, cancellable };
  g_autoptr (TbTableFigure) table = NULL;

  g_return_val_if_fail (TB_IS_FIGURE (figure) && tb_figure_is_frozen (figure), FALSE);

  if (TB_IS_TIMELINE_FIGURE (figure))
    return write_timeline (&writer, TB_TIMELINE_FIGURE (figure), from, to, error)
           && flush (&writer, 0, error);
  table = tb_figure_to_table (figure);
  return write_table (&writer, table, error) && flush (&writer, 0, error);
}
