/* tb-draw-findings.c: drawing of the title, headline, lost events, warnings and findings of a
 * report, for printing
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/tb-text-private.h"

#define LINE 16.
#define GAP 6.
#define WEIGHT_WIDTH 90.
#define DOT 8.

/* Adds text wrapped at the remaining width. Returns the y below the last line. */
static double
add_lines (TbDrawing *self, double x, double y, const TbShape *look, const char *text)
{
  g_autoptr (GString) wrapped = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  tb_text_append_wrapped (wrapped, text, (guint) ((DRAWING_WIDTH - x) / CHARACTER_WIDTH), 0);
  lines = g_strsplit (wrapped->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (*lines[i] == '\0')
        continue;
      tb_drawing_add_text (self, x, y + 12, 0, look, lines[i]);
      y += LINE;
    }
  return y;
}

static double
add_finding (TbDrawing *self, TbFinding *finding, double y)
{
  g_autofree char *weight = NULL;

  if (isfinite (tb_finding_get_share (finding)))
    weight = tb_format_share (tb_finding_get_share (finding));
  else if (tb_finding_get_weight (finding) != TB_TIME_NONE)
    weight = tb_format_duration (tb_finding_get_weight (finding));
  tb_drawing_add_box (self, 0, y + 3, DOT, DOT,
                      &(TbShape) { .fill = TB_INK_SEVERITY + tb_finding_get_severity (finding),
                                   .radius = DOT / 2 });
  if (weight != NULL)
    tb_drawing_add_text (self, WEIGHT_WIDTH - 12, y + 12, 0,
                         &(TbShape) { .fill = TB_INK_TEXT,
                                      .flags = TB_SHAPE_RIGHT | TB_SHAPE_BOLD },
                         weight);
  return add_lines (self, WEIGHT_WIDTH, y, &(TbShape) { .fill = TB_INK_TEXT },
                    tb_finding_get_text (finding))
         + GAP;
}

/**
 * tb_drawing_new_for_findings:
 * @report: a report
 *
 * Draws the title, the uncertainty and the findings of a report.
 *
 * Returns: (transfer full): the drawing
 */
TbDrawing *
tb_drawing_new_for_findings (TbReport *report)
{
  const TbShape bold = { .fill = TB_INK_TEXT, .flags = TB_SHAPE_BOLD },
                plain = { .fill = TB_INK_TEXT };
  const char *const *warnings;
  TbDrawing *self;
  guint64 lost;
  double y;

  g_return_val_if_fail (TB_IS_REPORT (report), NULL);

  self = tb_drawing_new_empty ();
  y = add_lines (self, 0, 0, &bold, tb_report_get_title (report));
  if (tb_report_get_headline (report) != NULL)
    y = add_lines (self, 0, y, &plain, tb_report_get_headline (report)) + GAP;
  tb_report_get_uncertainty (report, &lost, NULL);
  if (lost > 0)
    {
      g_autofree char *text = g_strdup_printf (ngettext ("%'" PRIu64 " event was lost.",
                                                         "%'" PRIu64 " events were lost.", lost),
                                               lost);

      y = add_lines (self, 0, y, &plain, text);
    }
  warnings = tb_report_get_warnings (report);
  for (guint i = 0; warnings[i] != NULL; i++)
    y = add_lines (self, 0, y, &plain, warnings[i]);
  y += GAP;
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    y = add_finding (self, tb_report_get_finding (report, i), y);
  tb_drawing_set_size (self, DRAWING_WIDTH, y);
  return self;
}
