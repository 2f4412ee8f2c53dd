/* tb-limit-bar.h: bar that shows to which threads and time range the analyses of a recording are
 * limited, with a button to remove each limit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_LIMIT_BAR (tb_limit_bar_get_type ())
G_DECLARE_FINAL_TYPE (TbLimitBar, tb_limit_bar, TB, LIMIT_BAR, AdwBin)

void tb_limit_bar_set_document (TbLimitBar *self, TbDocument *document);

G_END_DECLS
