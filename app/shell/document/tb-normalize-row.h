/* tb-normalize-row.h: row with a list in which the user chooses the normalization of a comparison:
 * default, none, by duration, or by marks, system calls or function calls that both sides have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_NORMALIZE_ROW (tb_normalize_row_get_type ())
G_DECLARE_FINAL_TYPE (TbNormalizeRow, tb_normalize_row, TB, NORMALIZE_ROW, GtkBox)

GtkWidget *tb_normalize_row_new (TbDocument *document);

G_END_DECLS
