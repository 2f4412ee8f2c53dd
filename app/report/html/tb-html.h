/* tb-html.h: several reports as one self-contained HTML page: list of contents, then headline,
 * warnings, findings and figures (tb-html-figures) of each, with all text escaped
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

TB_EXPORT char *tb_html_page_new (TbReport *const *reports,
                                  guint n_reports,
                                  const char *title,
                                  const char *description);

G_END_DECLS
