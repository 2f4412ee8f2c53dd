/* tb-sidebar.h: sidebar of a document: analyses with badges, bookmarks to go to, edit or remove,
 * facts about the recording, progress of symbolization and of debug files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_SIDEBAR (tb_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (TbSidebar, tb_sidebar, TB, SIDEBAR, AdwBin)

void tb_sidebar_set_document (TbSidebar *self, TbDocument *document);
void tb_sidebar_select (TbSidebar *self, TbAnalysisItem *item);

G_END_DECLS
