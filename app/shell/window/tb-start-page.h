/* tb-start-page.h: page of a window without recordings: buttons to record and to open, list of
 * recent recordings, which can be cleared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TB_TYPE_START_PAGE (tb_start_page_get_type ())
G_DECLARE_FINAL_TYPE (TbStartPage, tb_start_page, TB, START_PAGE, AdwBin)

G_END_DECLS
