/* tb-function-entry.c: cheapest location for a probe of a function's calls: its entry or an
 * instruction soon after it that the kernel need not single-step
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel single-steps most probed instructions, which takes several times as long as the rest
 * of a probe. It emulates some instructions. Most functions begin with one of those, or have one a
 * few instructions later.
 */

#include "config.h"

#include <capstone/capstone.h>

#include "tb-function-entry.h"

#define MAX_STRAIGHT 16 /* instructions whose time is in no call's latency */

gboolean
tb_function_entry_is_cheap (const guint8 *code, gsize length)
{
#if defined __x86_64__
  if (length < 1)
    return FALSE;
  if ((code[0] & 0xf8) == 0x50 || (length > 1 && code[0] == 0x41 && (code[1] & 0xf8) == 0x50))
    return TRUE;
  if (code[0] == 0x90 || code[0] == 0xe8 || code[0] == 0xe9 || code[0] == 0xeb
      || (code[0] & 0xf0) == 0x70)
    return TRUE;
  return length > 1 && code[0] == 0x0f && (code[1] == 0x1f || (code[1] & 0xf0) == 0x80);
#else
  return FALSE;
#endif
}

#if defined __x86_64__

/* Whether the instruction only computes, in registers that a probe does not need */
static gboolean
has_no_effect (const cs_insn *insn)
{
  const cs_x86 *x86 = &insn->detail->x86;

  /* All other instructions change more than their operands. */
  switch (insn->id)
    {
    case X86_INS_ENDBR64:
    case X86_INS_NOP:
      return TRUE;
    case X86_INS_ADD:
    case X86_INS_AND:
    case X86_INS_CMP:
    case X86_INS_DEC:
    case X86_INS_IMUL:
    case X86_INS_INC:
    case X86_INS_LEA:
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
    case X86_INS_MOVZX:
    case X86_INS_NEG:
    case X86_INS_NOT:
    case X86_INS_OR:
    case X86_INS_SAR:
    case X86_INS_SHL:
    case X86_INS_SHR:
    case X86_INS_SUB:
    case X86_INS_TEST:
    case X86_INS_XOR:
      break;
    default:
      return FALSE;
    }
  for (guint i = 0; i < x86->op_count; i++)
    {
      const cs_x86_op *op = &x86->operands[i];

      if ((op->access & CS_AC_WRITE) == 0)
        continue;
      if (op->type != X86_OP_REG || op->reg == X86_REG_RSP || op->reg == X86_REG_ESP
          || op->reg == X86_REG_RBP || op->reg == X86_REG_EBP || op->reg == X86_REG_RDI
          || op->reg == X86_REG_EDI || op->reg == X86_REG_DI || op->reg == X86_REG_DIL)
        return FALSE;
    }
  return TRUE;
}

/* The offset of the first cheap instruction, 0 if there is none. */
static guint
find_cheap (csh handle, const guint8 *code, gsize length, cs_insn *insn)
{
  const guint8 *at = code;
  guint64 address = 0;

  for (guint i = 0; i < MAX_STRAIGHT && cs_disasm_iter (handle, &at, &length, &address, insn); i++)
    {
      if (insn->id == 0 || tb_function_entry_is_cheap (insn->bytes, insn->size))
        return insn->id != 0 ? (guint) insn->address : 0;
      if (!has_no_effect (insn))
        return 0;
    }
  return 0;
}

static gboolean
jumps_between (const cs_insn *insn, guint64 from, guint64 to)
{
  const cs_x86 *x86 = &insn->detail->x86;
  gboolean jumps = FALSE;

  if (insn->id == 0)
    return FALSE;
  for (guint i = 0; i < insn->detail->groups_count; i++)
    jumps = jumps || insn->detail->groups[i] == CS_GRP_JUMP;
  return jumps && x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM
         && (guint64) x86->operands[0].imm > from && (guint64) x86->operands[0].imm <= to;
}

/* Whether a jump leads to the location, so that a loop would pass it several times per call. The
 * size of a function is unknown in stripped files, but code behind the function does not jump to
 * its beginning. */
static gboolean
has_jump_back (csh handle, const guint8 *code, gsize length, guint64 place, cs_insn *insn)
{
  const guint8 *at = code;
  guint64 address = 0;

  while (cs_disasm_iter (handle, &at, &length, &address, insn))
    if (jumps_between (insn, 0, place))
      return TRUE;
  return FALSE;
}

guint
tb_function_entry_find (const guint8 *code, gsize length)
{
  guint place = 0;
  cs_insn *insn;
  csh handle;

  g_return_val_if_fail (code != NULL || length == 0, 0);

  length = MIN (length, TB_FUNCTION_ENTRY_CODE);
  if (cs_open (CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
    return 0;
  cs_option (handle, CS_OPT_DETAIL, CS_OPT_ON);
  cs_option (handle, CS_OPT_SKIPDATA, CS_OPT_ON);
  insn = cs_malloc (handle);
  place = find_cheap (handle, code, length, insn);
  if (place > 0 && has_jump_back (handle, code, length, place, insn))
    place = 0;
  cs_free (insn, 1);
  cs_close (&handle);
  return place;
}

#else

guint
tb_function_entry_find (const guint8 *code, gsize length)
{
  return 0;
}

#endif
