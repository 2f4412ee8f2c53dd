/* tb-work-unit.h: texts of units of work ("mark:NAME", "syscall:NAME", …), by which work is counted
 * (in tb-trace-units.c) or results are normalized: parser, prefix of each kind, match with recorded
 * names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbWorkKind: (skip)
 * @TB_WORK_NONE: nothing
 * @TB_WORK_DURATION: time that passed
 * @TB_WORK_MARK: marks with a given name
 * @TB_WORK_SYSCALL: calls of a system call
 * @TB_WORK_FUNCTION: calls of a probed function
 * @TB_WORK_SEND: messages that a process sent
 * @TB_WORK_RECEIVE: messages that a process received
 *
 * What a unit of work counts.
 */
typedef enum
{
  TB_WORK_NONE,
  TB_WORK_DURATION,
  TB_WORK_MARK,
  TB_WORK_SYSCALL,
  TB_WORK_FUNCTION,
  TB_WORK_SEND,
  TB_WORK_RECEIVE,
} TbWorkKind;

/**
 * TB_N_WORK_KINDS:
 *
 * Number of the values of [enum@WorkKind].
 */
#define TB_N_WORK_KINDS (TB_WORK_RECEIVE + 1)

TB_EXPORT gboolean tb_work_unit_parse (const char *text, TbWorkKind *kind, const char **name);
TB_EXPORT const char *tb_work_kind_get_prefix (TbWorkKind kind);
TB_EXPORT gboolean tb_work_unit_matches (const char *name, const char *text);

G_END_DECLS
