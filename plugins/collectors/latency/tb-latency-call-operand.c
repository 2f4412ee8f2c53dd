/* tb-latency-call-operand.c: target of a call instruction, set in its call site: the address of the
 * callee, or the operand (register, memory) from which a probe reads that address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "capture/tb-capture-format.h"
#include "tb-latency-call-operand.h"

/* DWARF number of a register */
static guint
get_dwarf_register (x86_reg reg)
{
  static const x86_reg registers[]
      = { X86_REG_RAX, X86_REG_RDX, X86_REG_RCX, X86_REG_RBX, X86_REG_RSI, X86_REG_RDI,
          X86_REG_RBP, X86_REG_RSP, X86_REG_R8,  X86_REG_R9,  X86_REG_R10, X86_REG_R11,
          X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15 };

  for (guint i = 0; i < G_N_ELEMENTS (registers); i++)
    if (registers[i] == reg)
      return i;
  return reg == X86_REG_RIP ? TB_CAPTURE_REGISTER_IP : TB_CAPTURE_REGISTER_NONE;
}

/* The memory location of an operand. from: the instruction with the probe */
static gboolean
set_memory_operand (TbLatencySite *site, const cs_insn *insn, guint64 from)
{
  const x86_op_mem *mem = &tb_latency_insn_get_x86 (insn)->operands[0].mem;
  guint shift = 0, base, index;

  if (mem->segment != X86_REG_INVALID)
    return FALSE;
  while ((1 << shift) < mem->scale && shift < 3)
    shift++;
  base = mem->base != X86_REG_INVALID ? get_dwarf_register (mem->base) : TB_CAPTURE_REGISTER_NONE;
  index
      = mem->index != X86_REG_INVALID ? get_dwarf_register (mem->index) : TB_CAPTURE_REGISTER_NONE;
  site->value = (guint64) mem->disp;
  /* The offset is relative to the end of its instruction; the probe has its own address. */
  if (mem->base == X86_REG_RIP)
    site->value += insn->address + insn->size - from;
  site->operand = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_MEMORY, 3, 0, shift, base, index);
  return TRUE;
}

static guint32
make_register_operand (guint dwarf_register)
{
  return TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0, dwarf_register,
                             TB_CAPTURE_REGISTER_NONE);
}

/* Sets the memory location or register that contains the target of a call; from: the instruction
 * with the probe */
static gboolean
set_operand (TbLatencySite *site, const cs_insn *insn, guint64 from)
{
  const cs_x86 *x86 = tb_latency_insn_get_x86 (insn);
  const cs_x86_op *op = &x86->operands[0];

  if (x86->op_count != 1)
    return FALSE;
  if (op->type == X86_OP_MEM)
    return set_memory_operand (site, insn, from);
  if (op->type != X86_OP_REG)
    return FALSE;
  site->operand = make_register_operand (get_dwarf_register (op->reg));
  return get_dwarf_register (op->reg) != TB_CAPTURE_REGISTER_NONE;
}

/* If the call's target is a stub that jumps through the dynamic linker's table, the call counts as
 * an indirect one through that table. */
static void
look_through_stub (TbLatencySite *site, const TbLatencyImage *image, csh handle)
{
  gsize length = 0;
  const guint8 *code = tb_latency_image_get_code (image, site->target, &length);
  cs_insn *insns = NULL;
  size_t n, jump = 0;

  if (code == NULL || tb_latency_image_find_at (image, site->target) != NULL)
    return;
  n = cs_disasm (handle, code, MIN (length, 32), site->target, 2, &insns);
  while (jump < n && insns[jump].id == X86_INS_ENDBR64)
    jump++;
  if (jump < n && insns[jump].id == X86_INS_JMP
      && tb_latency_insn_get_x86 (&insns[jump])->op_count == 1
      && tb_latency_insn_get_x86 (&insns[jump])->operands[0].type == X86_OP_MEM
      && set_operand (site, &insns[jump], site->address))
    site->target = 0;
  if (n > 0)
    cs_free (insns, n);
}

void
tb_latency_call_operand_set_target (TbLatencySite *site,
                                    const TbLatencyDisassembly *disassembly,
                                    const cs_insn *call)
{
  x86_reg reg;

  if (tb_latency_disassembly_get_thunk_register (disassembly, call, &reg))
    {
      if (get_dwarf_register (reg) != TB_CAPTURE_REGISTER_NONE)
        site->operand = make_register_operand (get_dwarf_register (reg));
    }
  else if (tb_latency_insn_get_target (call, &site->target))
    look_through_stub (site, disassembly->image, disassembly->handle);
  else if (!set_operand (site, call, call->address))
    site->operand = 0;
}
