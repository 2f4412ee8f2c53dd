/* tb-html-style.c: style sheet of the HTML report, light and dark, also with high contrast
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/drawing/tb-drawing-private.h"
#include "report/tb-finding.h"
#include "report/html/tb-html-private.h"

static const char rules[]
    = "*{box-sizing:border-box}\n"
      "body{margin:0 auto;padding:24px 18px "
      "60px;max-width:1180px;background:var(--page);color:var(--text);"
      "font:15px/1.5 system-ui,Cantarell,'Noto Sans',sans-serif;overflow-wrap:anywhere}\n"
      "h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:34px 0 "
      "4px}h3{font-size:15px;margin:0 0 "
      "10px}\n"
      "p{margin:4px 0}.dim,.note{color:var(--dim)}.headline{font-size:17px}\n"
      "nav{margin:12px 0}nav a{margin-right:14px}a{color:var(--link)}\n"
      "section.card,figure{background:var(--card);border:1px solid var(--line);border-radius:12px;"
      "padding:16px 18px;margin:14px 0}\n"
      ".wide{overflow-x:auto}\n"
      "ul.findings{list-style:none;margin:0;padding:0}ul.findings "
      "li{display:flex;gap:14px;padding:8px 0;"
      "border-top:1px solid var(--line)}ul.findings li:first-child{border-top:0}\n"
      ".weight{flex:0 0 92px;text-align:right;font-variant-numeric:tabular-nums;font-weight:600}\n"
      ".severity{flex:0 0 96px;color:var(--dim)}\n"
      ".high .weight{color:var(--high)}.medium .weight{color:var(--medium)}.low "
      ".weight{color:var(--low)}\n"
      ".warning{border-left:4px solid var(--medium);padding:2px 12px;margin:8px 0}\n"
      "table{border-collapse:collapse;font-variant-numeric:tabular-nums;min-width:50%}th,td{text-"
      "align:left;"
      "padding:4px 18px 4px 0;border-bottom:1px solid "
      "var(--line);white-space:nowrap;overflow-wrap:normal}"
      "th{color:var(--dim);font-weight:600}th.n,td.n{text-align:right}\n"
      "svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,Cantarell,'Noto "
      "Sans',sans-serif;"
      "overflow-wrap:normal}svg .b{font-weight:600}.f-none{fill:none}\n"
      "details{margin-top:10px}summary{color:var(--dim);cursor:pointer}\n"
      "@media(max-width:600px){ul.findings li{flex-wrap:wrap;gap:0 14px}.weight,.severity{flex:0 0 "
      "auto}"
      ".weight+*+*{flex:1 0 100%}}\n"
      "@media "
      "print{body{max-width:none}details{display:none}figure,section.card{break-inside:avoid}}\n";

static void
append_colors (GString *page, const TbColors *colors, guint32 page_color)
{
  g_string_append_printf (page,
                          ":root{--page:#%06x;--card:#%06x;--text:#%06x;--dim:#%06x;--line:#%06x;"
                          "--link:#%06x;--high:#%06x;--medium:#%06x;--low:#%06x}\n",
                          page_color, colors->surface, colors->text, colors->dim, colors->line,
                          colors->select, colors->severity[TB_SEVERITY_HIGH],
                          colors->severity[TB_SEVERITY_MEDIUM], colors->severity[TB_SEVERITY_LOW]);
  tb_drawing_append_classes (NULL, page, colors);
}

void
tb_html_append_style (GString *page)
{
  g_string_append (page, ":root{color-scheme:light dark}\n");
  append_colors (page, tb_colors_get (TB_COLORS_LIGHT), 0xf6f6f8);
  g_string_append (page, "@media(prefers-color-scheme:dark){\n");
  append_colors (page, tb_colors_get (TB_COLORS_DARK), 0x131315);
  g_string_append (page, "}\n@media(prefers-contrast:more){\n");
  append_colors (page, tb_colors_get (TB_COLORS_LIGHT_CONTRAST), 0xffffff);
  g_string_append (page, "}\n@media(prefers-contrast:more) and (prefers-color-scheme:dark){\n");
  append_colors (page, tb_colors_get (TB_COLORS_DARK_CONTRAST), 0x000000);
  g_string_append (page, "}\n");
  g_string_append (page, rules);
}
