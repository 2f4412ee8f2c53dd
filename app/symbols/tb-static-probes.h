/* tb-static-probes.h: the probes that a program was compiled with
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-export.h"

G_BEGIN_DECLS

/**
 * TbProbeOperandKind:
 * @TB_PROBE_OPERAND_UNKNOWN: in none of these
 * @TB_PROBE_OPERAND_CONSTANT: it is the value
 * @TB_PROBE_OPERAND_REGISTER: in the base register
 * @TB_PROBE_OPERAND_MEMORY: at base + index << shift + value
 *
 * Where an argument of a probe is.
 */
typedef enum
{
  TB_PROBE_OPERAND_UNKNOWN,
  TB_PROBE_OPERAND_CONSTANT,
  TB_PROBE_OPERAND_REGISTER,
  TB_PROBE_OPERAND_MEMORY,
} TbProbeOperandKind;

/* As the machine's DWARF numbers them, where they are general: x86-64 rax 0, rdx 1, rcx 2, rbx 3, rsi 4, rdi 5, rbp 6, rsp 7,
 * r8 to r15; AArch64 x0 to x30, sp 31. */
#define TB_PROBE_REGISTER_IP 64 /* address of the probe's instruction */
#define TB_PROBE_REGISTER_NONE 255

/**
 * TbProbeOperand:
 * @kind: [enum@Tailback.ProbeOperandKind]
 * @size: in bytes: 1, 2, 4 or 8
 * @is_signed: whether it is to be extended by its sign
 * @base: a register's number
 * @index: likewise
 * @shift: of the index: 0 to 3
 * @value: the constant, or the displacement
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

#define TB_PROBE_MAX_OPERANDS 12

/**
 * TbStaticProbe:
 * @provider: what the program calls itself in its notes
 * @name: the probe's name; several places may have one name
 * @offset: of its instruction, in the file
 * @semaphore: of a 16-bit counter that is to be counted up as long as somebody looks, in the file; 0 none
 * @n_operands: how many arguments it has
 * @operands: where they are
 *
 * One place in a program at which probes were foreseen (USDT).
 */
typedef struct
{
  char *provider;
  char *name;
  guint64 offset;
  guint64 semaphore;
  guint n_operands;
  TbProbeOperand operands[TB_PROBE_MAX_OPERANDS];
} TbStaticProbe;

TB_EXPORT GPtrArray *tb_static_probes_read (int fd, const char *provider, GError **error);

G_END_DECLS
