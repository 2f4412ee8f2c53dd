/* tb-code-frames.h: list of the functions of a call stack in a trace, innermost first, with their
 * modules (shown by tb-details-pane)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbCodeFrame:
 * @function: name of the function, or its address
 * @module: base name of the file
 */
typedef struct
{
  char *function;
  char *module;
} TbCodeFrame;

GPtrArray *tb_code_frames_list (TbTrace *trace, guint32 stack);

G_END_DECLS
