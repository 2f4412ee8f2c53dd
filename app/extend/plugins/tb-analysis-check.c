/* tb-analysis-check.c: check of the report that an analysis returns: its type, its figures, and
 * that findings and rows refer to threads and times of the recording
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/plugins/tb-analysis-private.h"
#include "report/table/tb-table-figure.h"

#define TEXT_MAX 60

static void
set_finding_error (TbFinding *finding, const char *fault, GError **error)
{
  const char *text = tb_finding_get_text (finding);

  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
               _ ("the plug-in made an invalid finding “%.*s”: %s. Its report is not shown; report "
                  "this to the author of the plug-in."),
               (int) (g_utf8_offset_to_pointer (text, MIN (g_utf8_strlen (text, -1), TEXT_MAX))
                      - text),
               text, fault);
}

static void
set_figure_error (TbFigure *figure, const char *fault, GError **error)
{
  const char *id = tb_figure_get_id (figure);

  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
               _ ("the plug-in made an invalid figure “%s”: %s. Its report is not shown; "
                  "report this to the author of the plug-in."),
               *id != '\0' ? id : tb_figure_get_title (figure), fault);
}

static guint
count_threads (TbTrace *trace)
{
  guint n;

  tb_session_get_threads (tb_trace_get_session (trace), &n);
  return n;
}

/* Activating a row shows its thread. (transfer full) (nullable) */
static char *
find_fault_of_rows (TbTableFigure *table, guint n_threads)
{
  guint n_rows = tb_table_figure_get_n_rows (table) + tb_table_figure_get_n_children (table);

  for (guint row = 0; row < n_rows; row++)
    {
      gint64 from, to;
      guint32 thread;

      if (tb_table_figure_get_place (table, row, &thread, &from, &to) && thread != TB_ID_NONE
          && thread >= n_threads)
        return g_strdup_printf (_ ("row %u shows a thread that the recording does not have"), row);
    }
  return NULL;
}

static gboolean
check_figures (TbTrace *trace, TbReport *report, GError **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      TbFigure *figure = tb_report_get_figure (report, i);
      const char *id = tb_figure_get_id (figure), *fault = tb_figure_get_fault (figure);
      g_autofree char *found = NULL;

      if (fault == NULL && *id == '\0')
        fault = _ ("it has no ID");
      else if (fault == NULL && !g_hash_table_add (ids, (gpointer) id))
        fault = _ ("another figure has the same ID");
      else if (fault == NULL && trace != NULL && TB_IS_TABLE_FIGURE (figure))
        fault = found = find_fault_of_rows (TB_TABLE_FIGURE (figure), count_threads (trace));
      if (fault == NULL)
        continue;
      set_figure_error (figure, fault, error);
      return FALSE;
    }
  return TRUE;
}

static const char *
find_fault_of_references (TbFinding *finding, TbTrace *trace)
{
  guint n_threads = count_threads (trace), n;
  const guint32 *threads = tb_finding_get_threads (finding, &n);
  gint64 start, end, from, to;

  for (guint i = 0; i < n; i++)
    if (threads[i] >= n_threads)
      return _ ("it is about a thread that the recording does not have");
  tb_trace_get_range (trace, &start, &end);
  if (tb_finding_get_range (finding, &from, &to) && (to < start || from > end))
    return _ ("it is about a time outside of the recording");
  return NULL;
}

static gboolean
check_findings (TbTrace *trace, TbReport *report, GError **error)
{
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);
      const char *fault = tb_finding_get_fault (finding);

      if (fault == NULL && trace != NULL)
        fault = find_fault_of_references (finding, trace);
      if (fault == NULL)
        continue;
      set_finding_error (finding, fault, error);
      return FALSE;
    }
  return TRUE;
}

gboolean
tb_analysis_check_report (TbTrace *trace, gpointer report, GError **error)
{
  gint64 from, to;

  if (!TB_IS_REPORT (report))
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                   _ ("the plug-in returned an object of the type %s instead of a report; report "
                      "this to the author of the plug-in"),
                   G_OBJECT_TYPE_NAME (report));
      return FALSE;
    }
  tb_report_get_range (report, &from, &to);
  if (from > to)
    {
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                           _ ("the plug-in made a report whose time ends before it begins; report "
                              "this to the author of the plug-in"));
      return FALSE;
    }
  return check_figures (trace, report, error) && check_findings (trace, report, error);
}
