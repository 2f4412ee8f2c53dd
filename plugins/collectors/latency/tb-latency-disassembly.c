/* tb-latency-disassembly.c: disassembly of a function by capstone: its instructions, basic blocks,
 * and properties of an instruction (jump, return, target, thunk, cheap to probe)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "agent-client/probes/tb-function-entry.h"
#include "tb-latency-disassembly.h"

#define MAX_CODE (G_GUINT64_CONSTANT (1) << 20)

/* --- instructions --- */

gboolean
tb_latency_insn_has_group (const cs_insn *insn, guint8 group)
{
  for (guint i = 0; i < insn->detail->groups_count; i++)
    if (insn->detail->groups[i] == group)
      return TRUE;
  return FALSE;
}

gboolean
tb_latency_insn_is_jump (const cs_insn *insn)
{
  return tb_latency_insn_has_group (insn, CS_GRP_JUMP);
}

gboolean
tb_latency_insn_is_system_call (const cs_insn *insn)
{
  return insn->id == X86_INS_SYSCALL || insn->id == X86_INS_SYSENTER
         || tb_latency_insn_has_group (insn, CS_GRP_INT);
}

gboolean
tb_latency_insn_get_target (const cs_insn *insn, guint64 *target)
{
  const cs_x86 *x86 = tb_latency_insn_get_x86 (insn);

  if (x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
    return FALSE;
  *target = (guint64) x86->operands[0].imm;
  return TRUE;
}

gboolean
tb_latency_insn_writes (const cs_insn *insn, x86_reg reg)
{
  const cs_x86 *x86 = tb_latency_insn_get_x86 (insn);

  for (guint i = 0; i < x86->op_count; i++)
    if (x86->operands[i].type == X86_OP_REG && x86->operands[i].reg == reg
        && (x86->operands[i].access & CS_AC_WRITE) != 0)
      return TRUE;
  return FALSE;
}

gboolean
tb_latency_insn_is_register (const cs_insn *insn, guint operand, x86_reg reg)
{
  const cs_x86 *x86 = tb_latency_insn_get_x86 (insn);

  return operand < x86->op_count && x86->operands[operand].type == X86_OP_REG
         && x86->operands[operand].reg == reg;
}

/* --- the kernel's thunks --- */

#define CALL_THUNK "__x86_indirect_thunk_"
#define RETURN_THUNK "return_thunk"

/* The name of the thunk to which an instruction goes; NULL: none */
static const char *
get_thunk (const TbLatencyDisassembly *self, const cs_insn *insn)
{
  const TbLatencySymbol *symbol;
  guint64 target;

  if (!tb_latency_image_is_kernel (self->image)
      || (insn->id != X86_INS_JMP && insn->id != X86_INS_CALL)
      || !tb_latency_insn_get_target (insn, &target))
    return NULL;
  symbol = tb_latency_image_find_at (self->image, target);
  if (symbol == NULL
      || (!g_str_has_prefix (symbol->name, CALL_THUNK)
          && !g_str_has_suffix (symbol->name, RETURN_THUNK)))
    return NULL;
  return symbol->name;
}

gboolean
tb_latency_disassembly_is_return (const TbLatencyDisassembly *self, const cs_insn *insn)
{
  const char *thunk = get_thunk (self, insn);

  return tb_latency_insn_has_group (insn, CS_GRP_RET)
         || (thunk != NULL && g_str_has_suffix (thunk, RETURN_THUNK));
}

gboolean
tb_latency_disassembly_get_thunk_register (const TbLatencyDisassembly *self,
                                           const cs_insn *insn,
                                           x86_reg *reg)
{
  static const struct
  {
    const char *thunk;
    x86_reg reg;
  } thunks[] = {
    { CALL_THUNK "rax", X86_REG_RAX }, { CALL_THUNK "rbx", X86_REG_RBX },
    { CALL_THUNK "rcx", X86_REG_RCX }, { CALL_THUNK "rdx", X86_REG_RDX },
    { CALL_THUNK "rsi", X86_REG_RSI }, { CALL_THUNK "rdi", X86_REG_RDI },
    { CALL_THUNK "rbp", X86_REG_RBP }, { CALL_THUNK "r8", X86_REG_R8 },
    { CALL_THUNK "r9", X86_REG_R9 },   { CALL_THUNK "r10", X86_REG_R10 },
    { CALL_THUNK "r11", X86_REG_R11 }, { CALL_THUNK "r12", X86_REG_R12 },
    { CALL_THUNK "r13", X86_REG_R13 }, { CALL_THUNK "r14", X86_REG_R14 },
    { CALL_THUNK "r15", X86_REG_R15 },
  };
  const char *thunk = get_thunk (self, insn);

  *reg = X86_REG_INVALID;
  for (guint i = 0; thunk != NULL && i < G_N_ELEMENTS (thunks); i++)
    if (g_str_equal (thunk, thunks[i].thunk))
      *reg = thunks[i].reg;
  return thunk != NULL;
}

/* --- disassembly --- */

/* Probes of the kernel itself cost the same everywhere. */
gboolean
tb_latency_disassembly_is_cheap (const TbLatencyDisassembly *self, const cs_insn *insn)
{
  return tb_latency_image_is_kernel (self->image)
         || tb_function_entry_is_cheap (insn->bytes, insn->size);
}

gboolean
tb_latency_disassembly_contains (const TbLatencyDisassembly *self, guint64 address)
{
  const cs_insn *last = self->n > 0 ? &self->insns[self->n - 1] : NULL;

  return last != NULL && address >= self->insns[0].address && address < last->address + last->size;
}

gsize
tb_latency_disassembly_find (const TbLatencyDisassembly *self, guint64 address)
{
  gsize low = 0, high = self->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->insns[middle].address < address)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->n && self->insns[low].address == address ? low : self->n;
}

/* Basic blocks begin at the entry, at targets of jumps and behind jumps. */
static void
find_blocks (TbLatencyDisassembly *self)
{
  self->starts[0] = TRUE;
  for (gsize i = 0; i < self->n; i++)
    {
      const cs_insn *insn = &self->insns[i];
      guint64 target;

      if (!tb_latency_insn_is_jump (insn))
        continue;
      if (i + 1 < self->n)
        self->starts[i + 1] = TRUE;
      if (tb_latency_insn_get_target (insn, &target)
          && tb_latency_disassembly_find (self, target) < self->n)
        self->starts[tb_latency_disassembly_find (self, target)] = TRUE;
    }
}

gboolean
tb_latency_disassembly_init (TbLatencyDisassembly *self,
                             const TbLatencyImage *image,
                             const TbLatencySymbol *symbol)
{
  gsize length = 0;
  const guint8 *code = tb_latency_image_get_code (image, symbol->address, &length);

  *self = (TbLatencyDisassembly) { .image = image };
#if defined __x86_64__
  self->is_open = code != NULL && cs_open (CS_ARCH_X86, CS_MODE_64, &self->handle) == CS_ERR_OK;
  if (!self->is_open)
    return FALSE;
  cs_option (self->handle, CS_OPT_DETAIL, CS_OPT_ON);
  self->n = cs_disasm (self->handle, code, MIN (length, MIN (symbol->size, MAX_CODE)),
                       symbol->address, 0, &self->insns);
#endif
  if (self->n == 0)
    return FALSE;
  self->starts = g_new0 (guint8, self->n);
  find_blocks (self);
  return TRUE;
}

void
tb_latency_disassembly_clear (TbLatencyDisassembly *self)
{
  if (self->n > 0)
    cs_free (self->insns, self->n);
  if (self->is_open)
    cs_close (&self->handle);
  g_free (self->starts);
  g_free (self->stacks);
}
