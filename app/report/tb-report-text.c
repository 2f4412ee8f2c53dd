/* tb-report-text.c: reports as text: title, headline, time range, warnings, findings, and the text
 * of each figure
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/tb-report-private.h"
#include "report/tb-text-private.h"
#include "base/tb-base.h"

static void
append_title (GString *text, const char *title, guint width)
{
  guint columns = tb_text_get_width (title);

  tb_text_append_wrapped (text, title, width, 0);
  tb_text_append_repeated (text, "═", width ? MIN (columns, width) : columns);
  g_string_append_c (text, '\n');
}

static void
append_range (TbReport *self, GString *text, guint width)
{
  g_autofree char *length = NULL;
  g_autofree char *line = NULL;
  guint64 lost;
  gint64 from;
  gint64 to;

  tb_report_get_range (self, &from, &to);
  tb_report_get_uncertainty (self, &lost, NULL);
  length = tb_format_duration (MAX (to - from, 0));
  line = lost ? g_strdup_printf (ngettext ("Duration: %s; %'" PRIu64 " event lost",
                                           "Duration: %s; %'" PRIu64 " events lost",
                                           MIN (lost, G_MAXULONG)),
                                 length, lost)
              : g_strdup_printf (_ ("Duration: %s"), length);
  tb_text_append_wrapped (text, line, width, 0);
}

static void
append_finding (TbFinding *finding, GString *text, guint width)
{
  static const char *const marks[] = {
    [TB_SEVERITY_INFO] = "·",
    [TB_SEVERITY_LOW] = "•",
    [TB_SEVERITY_MEDIUM] = "!",
    [TB_SEVERITY_HIGH] = "‼",
  };
  g_autofree char *line = g_strdup_printf ("%s %s", marks[tb_finding_get_severity (finding)],
                                           tb_finding_get_text (finding));

  tb_text_append_wrapped (text, line, width, 2);
}

/* What was lost is shown after the results that it does not change. */
static void
append_remarks (TbReport *self, GString *text, guint width)
{
  const char *const *remarks = tb_report_get_remarks (self);

  if (remarks[0] != NULL)
    g_string_append_c (text, '\n');
  for (guint i = 0; remarks[i] != NULL; i++)
    {
      /* Translators: a remark on the accuracy of the recording, after its results */
      g_autofree char *line = g_strdup_printf (_ ("Note: %s"), remarks[i]);

      tb_text_append_wrapped (text, line, width, 2);
    }
}

/**
 * tb_report_to_text:
 * @self: a report
 * @width: maximum number of columns of a line, 0: unlimited
 *
 * Writes the report as text.
 *
 * Returns: (transfer full): the report as text: headline, scope, warnings, findings, figures,
 *   remarks
 */
char *
tb_report_to_text (TbReport *self, guint width)
{
  const char *const *warnings;
  GString *text;

  g_return_val_if_fail (TB_IS_REPORT (self), NULL);

  text = g_string_new (NULL);
  append_title (text, tb_report_get_title (self), width);
  if (tb_report_get_headline (self))
    tb_text_append_wrapped (text, tb_report_get_headline (self), width, 0);
  append_range (self, text, width);
  if (tb_report_get_scope (self) != NULL)
    tb_text_append_wrapped (text, tb_report_get_scope (self), width, 0);
  warnings = tb_report_get_warnings (self);
  for (guint i = 0; warnings[i]; i++)
    {
      g_autofree char *line = g_strdup_printf (_ ("Warning: %s"), warnings[i]);

      tb_text_append_wrapped (text, line, width, 2);
    }
  if (tb_report_get_n_findings (self) > 0)
    g_string_append_c (text, '\n');
  for (guint i = 0; i < tb_report_get_n_findings (self); i++)
    append_finding (tb_report_get_finding (self, i), text, width);
  for (guint i = 0; i < tb_report_get_n_figures (self); i++)
    {
      g_autofree char *figure = tb_figure_to_text (tb_report_get_figure (self, i), width);

      g_string_append_printf (text, "\n%s", figure);
    }
  append_remarks (self, text, width);
  return g_string_free (text, FALSE);
}
