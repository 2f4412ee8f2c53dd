/* tb-stack-dump.h: user registers and the top of a user stack, as input of an unwinder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TbStackDump:
 * @registers_mask: which registers of the machine were saved, bit i = register i of the kernel's
 * perf_regs.h
 * @registers: (array): their values, one for each set bit, ascending
 * @stack: (array length=stack_size): bytes of the stack upwards from the stack pointer plus
 * @skipped
 * @stack_size: number of bytes in @stack
 * @skipped: number of bytes at the stack pointer that were not recorded
 *
 * User registers and the top of the user stack, in the format of PERF_SAMPLE_REGS_USER and
 * PERF_SAMPLE_STACK_USER.
 */
typedef struct
{
  guint64 registers_mask;
  const guint64 *registers;
  const guint8 *stack;
  gsize stack_size;
  gsize skipped;
} TbStackDump;

G_END_DECLS
