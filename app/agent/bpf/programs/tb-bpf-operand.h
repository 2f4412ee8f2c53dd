/* tb-bpf-operand.h: value of an operand (register, memory, constant) that the agent has described,
 * read at a probe: argument of a mark, or address of a function that is called indirectly
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-common.h"

#include "tb-bpf-sources.h"

/* As in the capture stream */
#define OPERAND_CONSTANT 1
#define OPERAND_REGISTER 2
#define OPERAND_MEMORY 3

static __always_inline u64
tb_read_register (void *context, u32 place)
{
  u64 value = 0;

  if (place >= TB_BPF_MAX_REGISTER)
    return 0;
  bpf_probe_read_kernel (&value, sizeof value, context + place);
  return value;
}

static __always_inline u64
tb_extend (u64 value, const TbBpfOperand *operand)
{
  u32 unused = 64 - (8u << (operand->size & 3));

  value <<= unused & 63;
  return operand->is_signed ? (u64) ((s64) value >> (unused & 63)) : value >> (unused & 63);
}

/* For an instruction of the kernel, reads kernel memory. */
static __always_inline u64
tb_read_kernel_operand (void *context, const TbBpfOperand *operand)
{
  u64 address = operand->value, value = 0;

  if (operand->kind == OPERAND_REGISTER)
    return tb_read_register (context, operand->base);
  if (operand->kind != OPERAND_MEMORY)
    return 0;
  if (operand->base != TB_BPF_NO_REGISTER)
    address += tb_read_register (context, operand->base);
  if (operand->index != TB_BPF_NO_REGISTER)
    address += tb_read_register (context, operand->index) << (operand->shift & 3);
  bpf_probe_read_kernel (&value, sizeof value, (const void *) address);
  return value;
}

/* Returns 0 if the operand cannot be read. */
static __always_inline u64
tb_read_operand (void *context, const TbBpfOperand *operand)
{
  u64 address = operand->value, value = 0;

  if (operand->kind == OPERAND_CONSTANT)
    return tb_extend (operand->value, operand);
  if (operand->kind == OPERAND_REGISTER)
    return tb_extend (tb_read_register (context, operand->base), operand);
  if (operand->kind != OPERAND_MEMORY)
    return 0;
  if (operand->base != TB_BPF_NO_REGISTER)
    address += tb_read_register (context, operand->base);
  if (operand->index != TB_BPF_NO_REGISTER)
    address += tb_read_register (context, operand->index) << (operand->shift & 3);
  /* Only the operand's own size is read, because memory behind it may not be readable. */
  switch (operand->size)
    {
    case 0:
      bpf_probe_read_user (&value, 1, (const void *) address);
      break;
    case 1:
      bpf_probe_read_user (&value, 2, (const void *) address);
      break;
    case 2:
      bpf_probe_read_user (&value, 4, (const void *) address);
      break;
    default:
      bpf_probe_read_user (&value, 8, (const void *) address);
      break;
    }
  return tb_extend (value, operand);
}
