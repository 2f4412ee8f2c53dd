/* tb-html-private.h: parts of the HTML report: escaped text, elements, figures, style sheet
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

/* Text from recordings is untrusted: it is always escaped. Suitable for HTML and XML, in elements
 * and attributes. */
void tb_html_append_text (GString *page, const char *text);
void tb_html_append_element (GString *page, const char *open, const char *text, const char *close);
void tb_html_append_figure (GString *page, TbFigure *figure);
void tb_html_append_style (GString *page);

G_END_DECLS
