/* tb-html.c: several reports as one self-contained HTML page: list of contents, then headline,
 * warnings, findings and figures (tb-html-figures) of each, with all text escaped
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/html/tb-html-private.h"
#include "report/html/tb-html.h"
#include "report/tb-text-private.h"

/* Characters that move the cursor or change the writing direction are replaced, as in terminal
 * text: a name must not reorder a sentence. */
void
tb_html_append_text (GString *page, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *c = valid; *c; c = g_utf8_next_char (c))
    switch (g_utf8_get_char (c))
      {
      case '<':
        g_string_append (page, "&lt;");
        break;
      case '>':
        g_string_append (page, "&gt;");
        break;
      case '&':
        g_string_append (page, "&amp;");
        break;
      case '"':
        g_string_append (page, "&quot;");
        break;
      case '\'':
        g_string_append (page, "&#39;");
        break;
      case '\n':
      case '\t':
        g_string_append_c (page, *c);
        break;
      default:
        if (tb_text_is_harmless (g_utf8_get_char (c)))
          g_string_append_len (page, c, g_utf8_next_char (c) - c);
        else
          g_string_append (page, "\xef\xbf\xbd");
      }
}

void
tb_html_append_element (GString *page, const char *open, const char *text, const char *close)
{
  g_string_append (page, open);
  tb_html_append_text (page, text);
  g_string_append (page, close);
}

static const char *
get_severity_label (TbSeverity severity)
{
  switch (severity)
    {
    case TB_SEVERITY_HIGH:
      return _ ("Severe");
    case TB_SEVERITY_MEDIUM:
      return _ ("Considerable");
    case TB_SEVERITY_LOW:
      return _ ("Slight");
    default:
      return _ ("Remark");
    }
}

static void
append_finding (GString *page, TbFinding *finding)
{
  g_autofree char *weight = NULL;

  if (isfinite (tb_finding_get_share (finding)))
    weight = tb_format_share (tb_finding_get_share (finding));
  else if (tb_finding_get_weight (finding) != TB_TIME_NONE)
    weight = tb_format_duration (tb_finding_get_weight (finding));
  g_string_append_printf (page, "<li class=\"%s\">",
                          tb_severity_get_name (tb_finding_get_severity (finding)));
  tb_html_append_element (page, "<span class=\"weight\">", weight ? weight : "", "</span>");
  tb_html_append_element (page, "<span class=\"severity\">",
                          get_severity_label (tb_finding_get_severity (finding)), "</span>");
  tb_html_append_element (page, "<span>", tb_finding_get_text (finding), "</span></li>\n");
}

static void
append_findings (GString *page, TbReport *report)
{
  if (tb_report_get_n_findings (report) == 0)
    return;
  tb_html_append_element (page, "<section class=\"card\"><h3>", _ ("Findings"),
                          "</h3><ul class=\"findings\">\n");
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    append_finding (page, tb_report_get_finding (report, i));
  g_string_append (page, "</ul></section>\n");
}

static void
append_report (GString *page, TbReport *report)
{
  const char *const *warnings = tb_report_get_warnings (report);
  const char *const *remarks = tb_report_get_remarks (report);
  g_autofree char *length = NULL;
  g_autofree char *extent = NULL;
  guint64 lost;
  gint64 from;
  gint64 to;

  tb_report_get_range (report, &from, &to);
  tb_report_get_uncertainty (report, &lost, NULL);
  length = tb_format_duration (MAX (to - from, 0));
  extent = lost ? g_strdup_printf (ngettext ("Duration: %s; %'" PRIu64 " event lost",
                                             "Duration: %s; %'" PRIu64 " events lost",
                                             MIN (lost, G_MAXULONG)),
                                   length, lost)
                : g_strdup_printf (_ ("Duration: %s"), length);
  tb_html_append_element (page, "<h2 id=\"", tb_report_get_analysis (report), "\">");
  tb_html_append_element (page, "", tb_report_get_title (report), "</h2>\n");
  if (tb_report_get_headline (report))
    tb_html_append_element (page, "<p class=\"headline\">", tb_report_get_headline (report),
                            "</p>\n");
  tb_html_append_element (page, "<p class=\"dim\">", extent, "</p>\n");
  if (tb_report_get_scope (report) != NULL)
    tb_html_append_element (page, "<p class=\"dim\">", tb_report_get_scope (report), "</p>\n");
  for (guint i = 0; warnings[i]; i++)
    tb_html_append_element (page, "<p class=\"warning\">", warnings[i], "</p>\n");
  append_findings (page, report);
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    tb_html_append_figure (page, tb_report_get_figure (report, i));
  for (guint i = 0; remarks[i] != NULL; i++)
    tb_html_append_element (page, "<p class=\"dim\">", remarks[i], "</p>\n");
}

static void
append_contents (GString *page, TbReport *const *reports, guint n_reports)
{
  tb_html_append_element (page, "<nav aria-label=\"", _ ("Analyses"), "\">");
  for (guint i = 0; i < n_reports; i++)
    {
      tb_html_append_element (page, "<a href=\"#", tb_report_get_analysis (reports[i]), "\">");
      tb_html_append_element (page, "", tb_report_get_title (reports[i]), "</a>");
    }
  g_string_append (page, "</nav>\n");
}

/**
 * tb_html_page_new:
 * @reports: (array length=n_reports): reports in the order of the page
 * @n_reports: number of reports
 * @title: name of the recording
 * @description: (nullable): sentence about the recording
 *
 * Writes findings and figures as one page for a browser. The page is self-contained: figures are
 * inline SVG, and it loads nothing and runs no scripts. A content security policy in the page
 * enforces that, in case a recorded name contains markup. The page is light or dark as the browser
 * prefers. The size of figures is limited, and the number of items left out is shown. For a graph
 * this can take seconds: call it in a thread.
 *
 * Returns: (transfer full): the page, HTML in UTF-8
 */
char *
tb_html_page_new (TbReport *const *reports,
                  guint n_reports,
                  const char *title,
                  const char *description)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d %H:%M");
  g_autofree char *made
      = g_strdup_printf (_ ("Created by Tailback %s on %s"), PACKAGE_VERSION, date);
  GString *page = g_string_new ("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n");

  g_return_val_if_fail (title != NULL, NULL);

  g_string_append (page,
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  tb_html_append_element (page, "<title>", title, "</title>\n<style>\n");
  tb_html_append_style (page);
  g_string_append (page, "</style>\n</head>\n<body>\n<svg width=\"0\" height=\"0\" "
                         "style=\"position:absolute\" aria-hidden=\"true\">");
  tb_drawing_append_hatching (page);
  tb_html_append_element (page, "</svg>\n<h1>", title, "</h1>\n");
  if (description != NULL && *description != '\0')
    tb_html_append_element (page, "<p>", description, "</p>\n");
  tb_html_append_element (page, "<p class=\"dim\">", made, "</p>\n");
  if (n_reports > 1)
    append_contents (page, reports, n_reports);
  for (guint i = 0; i < n_reports; i++)
    append_report (page, reports[i]);
  g_string_append (page, "</body>\n</html>\n");
  return g_string_free (page, FALSE);
}
