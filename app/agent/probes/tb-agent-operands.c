/* tb-agent-operands.c: translation of an operand given by the client (argument of a mark, address
 * of a called function) into the form that BPF programs read, with the place of a register in the
 * kernel's saved registers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/probes/tb-agent-probes.h"

uint16_t
tb_agent_probes_find_register (unsigned number)
{
#if defined __x86_64__
  static const uint16_t places[16]
      = { 80, 96, 88, 40, 104, 112, 32, 152, 72, 64, 56, 48, 24, 16, 8, 0 };

  if (number == TB_CAPTURE_REGISTER_IP)
    return 128;
  return number < 16 ? places[number] : TB_BPF_NO_REGISTER;
#elif defined __aarch64__
  if (number == TB_CAPTURE_REGISTER_IP)
    return 32 * 8;
  return number < 32 ? (uint16_t) (number * 8) : TB_BPF_NO_REGISTER;
#else
  return TB_BPF_NO_REGISTER;
#endif
}

int
tb_agent_probes_translate_operand (uint32_t code,
                                   uint64_t value,
                                   uint64_t behind,
                                   TbBpfOperand *operand)
{
  unsigned base = TB_CAPTURE_OPERAND_GET_BASE (code), index = TB_CAPTURE_OPERAND_GET_INDEX (code);

  *operand = (TbBpfOperand) { .value = value,
                              .kind = TB_CAPTURE_OPERAND_GET_KIND (code),
                              .base = tb_agent_probes_find_register (base),
                              .index = tb_agent_probes_find_register (index),
                              .size = (uint8_t) TB_CAPTURE_OPERAND_GET_SIZE (code),
                              .is_signed = (uint8_t) TB_CAPTURE_OPERAND_IS_SIGNED (code),
                              .shift = (uint8_t) TB_CAPTURE_OPERAND_GET_SHIFT (code) };
  if (operand->kind == TB_CAPTURE_OPERAND_MEMORY && base == TB_CAPTURE_REGISTER_IP)
    operand->value -= behind;
  if (operand->kind == TB_CAPTURE_OPERAND_REGISTER)
    return operand->base != TB_BPF_NO_REGISTER;
  return operand->kind != TB_CAPTURE_OPERAND_MEMORY
         || ((base == TB_CAPTURE_REGISTER_NONE || operand->base != TB_BPF_NO_REGISTER)
             && (index == TB_CAPTURE_REGISTER_NONE || operand->index != TB_BPF_NO_REGISTER));
}
