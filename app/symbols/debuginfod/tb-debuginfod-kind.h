/* tb-debuginfod-kind.h: kinds of files that debuginfod servers have: a program or library itself,
 * or its separate debug file
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TbDebuginfodKind:
 * @TB_DEBUGINFOD_EXECUTABLE: the program or library itself
 * @TB_DEBUGINFOD_DEBUGINFO: its separate debug file
 *
 * Kind of a file on debuginfod servers.
 */
typedef enum
{
  TB_DEBUGINFOD_EXECUTABLE,
  TB_DEBUGINFOD_DEBUGINFO,
} TbDebuginfodKind;

G_END_DECLS
