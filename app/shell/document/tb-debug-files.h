/* tb-debug-files.h: debug files that an open document needs, received from debuginfod servers in a
 * thread if the preferences allow it; large files, which need a separate consent; texts on
 * progress, large files and problems
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "session/file/tb-session.h"

G_BEGIN_DECLS

typedef enum
{
  TB_DEBUG_FILES_IDLE,
  TB_DEBUG_FILES_RECEIVING,
  TB_DEBUG_FILES_ASKING, /* whether to receive files that exceed the limit */
} TbDebugFilesState;

#define TB_TYPE_DEBUG_FILES (tb_debug_files_get_type ())
G_DECLARE_FINAL_TYPE (TbDebugFiles, tb_debug_files, TB, DEBUG_FILES, GObject)

TbDebugFiles *tb_debug_files_new (void);
void tb_debug_files_start (TbDebugFiles *self, GPtrArray *sessions, TbReport *visible);
void tb_debug_files_receive_large (TbDebugFiles *self);
void tb_debug_files_cancel (TbDebugFiles *self);
TbDebugFilesState tb_debug_files_get_state (TbDebugFiles *self);
double tb_debug_files_get_share (TbDebugFiles *self);
char *tb_debug_files_describe (TbDebugFiles *self);
char *tb_debug_files_list_large (TbDebugFiles *self);

G_END_DECLS
