/* tb-progress.h: progress of a long operation: share and text, reported by any thread, published
 * in the main thread as properties that notify of changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define TB_TYPE_PROGRESS (tb_progress_get_type ())
G_DECLARE_FINAL_TYPE (TbProgress, tb_progress, TB, PROGRESS, GObject)

TbProgress *tb_progress_new (void);
void tb_progress_report (double share, const char *what, gpointer progress);
double tb_progress_get_share (TbProgress *self);
const char *tb_progress_get_text (TbProgress *self);

G_END_DECLS
