/* html-page.c: reports as one page that needs nothing else
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "cli.h"
#include "html.h"

void
html_append_text (GString *page, const char *text)
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
      default:
        /* control characters are not allowed in a page */
        if ((guchar) *c < 0x20 && *c != '\n' && *c != '\t')
          g_string_append (page, "\xef\xbf\xbd");
        else
          g_string_append_len (page, c, g_utf8_next_char (c) - c);
      }
}

void
html_append (GString *page, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (page, format, arguments);
  va_end (arguments);
}

static void
append_element (GString *page, const char *open, const char *text, const char *close)
{
  g_string_append (page, open);
  html_append_text (page, text);
  g_string_append (page, close);
}

static void
append_finding (GString *page, TbFinding *finding)
{
  g_autofree char *weight = NULL;

  if (isfinite (tb_finding_get_share (finding)))
    weight = tb_format_share (tb_finding_get_share (finding));
  else if (tb_finding_get_weight (finding) != TB_TIME_NONE)
    weight = tb_format_duration (tb_finding_get_weight (finding));
  html_append (page, "<li class=\"%s\">", tb_severity_get_name (tb_finding_get_severity (finding)));
  append_element (page, "<span class=\"weight\">", weight ? weight : "", "</span>");
  append_element (page, "<span>", tb_finding_get_text (finding), "</span></li>\n");
}

static void
append_findings (GString *page, TbReport *report)
{
  if (tb_report_get_n_findings (report) == 0)
    return;
  append_element (page, "<section class=\"card\"><h3>", _ ("Findings"), "</h3><ul class=\"findings\">\n");
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    append_finding (page, tb_report_get_finding (report, i));
  g_string_append (page, "</ul></section>\n");
}

static void
append_as_text (GString *page, TbFigure *figure, gboolean is_open)
{
  g_autofree char *text = tb_figure_to_text (figure, 140);

  append_element (page, is_open ? "<details open><summary>" : "<details><summary>", _ ("As text"),
                  "</summary><pre>");
  html_append_text (page, text);
  g_string_append (page, "</pre></details>");
}

void
html_append_figure (GString *page, TbFigure *figure)
{
  append_element (page, "<figure><h3>", tb_figure_get_title (figure), "</h3>\n");
  if (TB_IS_TABLE_FIGURE (figure))
    html_append_table (page, TB_TABLE_FIGURE (figure));
  else
    {
      if (TB_IS_TIMELINE_FIGURE (figure))
        html_append_timeline (page, TB_TIMELINE_FIGURE (figure));
      else if (TB_IS_FLAME_FIGURE (figure))
        html_append_flame (page, TB_FLAME_FIGURE (figure));
      else if (TB_IS_HISTOGRAM_FIGURE (figure))
        html_append_histogram (page, TB_HISTOGRAM_FIGURE (figure));
      else if (TB_IS_HEATMAP_FIGURE (figure))
        html_append_heatmap (page, TB_HEATMAP_FIGURE (figure));
      else if (TB_IS_GRAPH_FIGURE (figure))
        html_append_graph (page, TB_GRAPH_FIGURE (figure));
      append_as_text (page, figure, FALSE);
    }
  g_string_append (page, "</figure>\n");
}

static void
append_report (GString *page, TbReport *report)
{
  const char *const *warnings = tb_report_get_warnings (report);
  g_autofree char *length = NULL;
  guint64 lost;
  gint64 from;
  gint64 to;

  tb_report_get_range (report, &from, &to);
  tb_report_get_uncertainty (report, &lost, NULL);
  length = tb_format_duration (MAX (to - from, 0));
  append_element (page, "<h2 id=\"", tb_report_get_analysis (report), "\">");
  append_element (page, "", tb_report_get_title (report), "</h2>\n");
  if (tb_report_get_headline (report))
    append_element (page, "<p class=\"headline\">", tb_report_get_headline (report), "</p>\n");
  append_element (page, "<p class=\"dim\">", length, "");
  if (lost)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("; %" PRIu64 " event lost", "; %" PRIu64 " events lost", lost), lost);

      html_append_text (page, text);
    }
  g_string_append (page, "</p>\n");
  for (guint i = 0; warnings[i]; i++)
    append_element (page, "<p class=\"warning\">", warnings[i], "</p>\n");
  append_findings (page, report);
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    html_append_figure (page, tb_report_get_figure (report, i));
}

char *
cli_make_page (TbReport *const *reports, guint n_reports, const char *title)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d %H:%M");
  g_autofree char *made = g_strdup_printf (_ ("Made by Tailback %s on %s"), PACKAGE_VERSION, date);
  GString *page = g_string_new ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");

  /* Nothing from elsewhere, and no script: whatever a recorded program called itself. */
  g_string_append (page, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                         "style-src 'unsafe-inline'\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  append_element (page, "<title>", title, "</title>\n");
  html_append (page, "<style>\n%s</style>\n</head>\n<body>\n", html_style);
  append_element (page, "<h1>", title, "</h1>\n");
  append_element (page, "<p class=\"dim\">", made, "</p>\n");
  if (n_reports > 1)
    {
      g_string_append (page, "<nav>");
      for (guint i = 0; i < n_reports; i++)
        {
          append_element (page, "<a href=\"#", tb_report_get_analysis (reports[i]), "\">");
          append_element (page, "", tb_report_get_title (reports[i]), "</a>");
        }
      g_string_append (page, "</nav>\n");
    }
  for (guint i = 0; i < n_reports; i++)
    append_report (page, reports[i]);
  g_string_append (page, "</body>\n</html>\n");
  return g_string_free (page, FALSE);
}
