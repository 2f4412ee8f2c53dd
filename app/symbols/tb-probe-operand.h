/* tb-probe-operand.h: type TbProbeOperand: where a static probe (USDT) finds an argument:
 * constant, register or memory, with size and sign; parsed in tb-probe-operand-private.h
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TbProbeOperandKind:
 * @TB_PROBE_OPERAND_UNKNOWN: none of the other kinds
 * @TB_PROBE_OPERAND_CONSTANT: the value itself
 * @TB_PROBE_OPERAND_REGISTER: the value is in the base register
 * @TB_PROBE_OPERAND_MEMORY: the value is in memory at base + index << shift + value
 *
 * The location of an argument of a probe.
 */
typedef enum
{
  TB_PROBE_OPERAND_UNKNOWN,
  TB_PROBE_OPERAND_CONSTANT,
  TB_PROBE_OPERAND_REGISTER,
  TB_PROBE_OPERAND_MEMORY,
} TbProbeOperandKind;

/**
 * TB_PROBE_REGISTER_IP:
 *
 * Number of the instruction pointer as a register of a [struct@Tailback.ProbeOperand].
 */
#define TB_PROBE_REGISTER_IP 64 /* address of the probe's instruction */

/**
 * TB_PROBE_REGISTER_NONE:
 *
 * Number of no register.
 */
#define TB_PROBE_REGISTER_NONE 255

/**
 * TbProbeOperand:
 * @kind: [enum@Tailback.ProbeOperandKind]
 * @size: size in bytes: 1, 2, 4 or 8
 * @is_signed: whether it is sign-extended
 * @base: number of a register
 * @index: number of a register
 * @shift: shift of the index: 0 to 3
 * @value: the constant, or the displacement
 *
 * An argument of a static probe, and where its value is. General registers have the DWARF numbers
 * of the machine: x86-64 rax 0, rdx 1, rcx 2, rbx 3, rsi 4, rdi 5, rbp 6, rsp 7, r8 to r15; AArch64
 * x0 to x30, sp 31.
 */
typedef struct
{
  guint8 kind;
  guint8 size;
  guint8 is_signed;
  guint8 base;
  guint8 index;
  guint8 shift;
  gint64 value;
} TbProbeOperand;

/**
 * TB_PROBE_MAX_OPERANDS:
 *
 * The largest number of arguments of a static probe.
 */
#define TB_PROBE_MAX_OPERANDS 12

G_END_DECLS
