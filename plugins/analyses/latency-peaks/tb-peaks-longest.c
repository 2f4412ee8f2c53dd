/* tb-peaks-longest.c: the longest calls of a search that went on while they were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is from a file and may be anything.
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/table/tb-table-figure.h"
#include "tb-peaks-longest.h"
#include "tb-peaks-saved.h"

#define MAX_LISTED 100
#define MAX_TIME (G_MAXINT64 / 4)

typedef struct
{
  guint latency;
  guint begin;
  guint thread;
  guint most;
} Columns;

/* Numbers are given again to others: that one which was there then. TB_ID_NONE: nobody knows it. */
static guint32
find_thread (TbTrace *trace, gint64 tid, gint64 time)
{
  guint n;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n);
  guint32 found = TB_ID_NONE;

  for (guint i = 0; i < n; i++)
    if (threads[i].tid == tid && tid > 0
        && (found == TB_ID_NONE || threads[i].start == TB_TIME_NONE || threads[i].start <= time))
      found = i;
  return found;
}

static void
add_row (TbTableFigure *figure, const Columns *columns, const TbPeaksResult *self, JsonObject *call, guint i)
{
  gint64 begin = tb_peaks_saved_get_integer (call, "begin_ns", -1),
         latency = tb_peaks_saved_get_integer (call, "latency_ns", -1),
         tid = tb_peaks_saved_get_integer (call, "tid", 0);
  const char *most = tb_peaks_saved_get_string (call, "mostly_in");
  g_autofree char *item = g_strdup_printf ("call-%u", i);
  g_autofree char *name = NULL;
  guint32 thread;
  guint row;

  if (begin < 0 || begin > MAX_TIME || latency <= 0 || latency > MAX_TIME)
    return;
  thread = find_thread (self->calls->trace, tid, begin);
  name = thread != TB_ID_NONE ? tb_trace_describe_thread (self->calls->trace, thread)
                              : g_strdup_printf ("%" G_GINT64_FORMAT, tid);
  row = tb_table_figure_add_row (figure, item);
  tb_table_figure_set_integer (figure, row, columns->latency, latency);
  tb_table_figure_set_integer (figure, row, columns->begin, begin);
  tb_table_figure_set_text (figure, row, columns->thread, name);
  tb_table_figure_set_text (figure, row, columns->most, *most != '\0' ? most : self->operation->id);
  tb_table_figure_set_place (figure, row, thread, begin, begin + latency);
}

void
tb_peaks_add_longest (TbReport *report, const TbPeaksResult *result)
{
  JsonObject *state = result->state != NULL ? json_node_get_object (result->state) : NULL;
  JsonArray *calls = tb_peaks_saved_get_array (state, "longest");
  TbTableFigure *figure;
  Columns columns;

  if (tb_peaks_saved_get_length (calls) == 0)
    return;
  figure = tb_table_figure_new (TB_PEAKS_FIGURE_CALLS, _ ("Longest Calls That Were Looked Into"));
  columns = (Columns) { tb_table_figure_add_column (figure, "latency", _ ("Took"), TB_CELL_DURATION),
                        tb_table_figure_add_column (figure, "begin", _ ("Began"), TB_CELL_TIME),
                        tb_table_figure_add_column (figure, "thread", _ ("Thread"), TB_CELL_TEXT),
                        tb_table_figure_add_column (figure, "most", _ ("Mostly In"), TB_CELL_TEXT) };
  for (guint i = 0; i < tb_peaks_saved_get_length (calls) && i < MAX_LISTED; i++)
    {
      JsonObject *call = tb_peaks_saved_get_element (calls, i);

      if (call != NULL)
        add_row (figure, &columns, result, call, i);
    }
  tb_report_add_figure (report, TB_FIGURE (figure));
}
