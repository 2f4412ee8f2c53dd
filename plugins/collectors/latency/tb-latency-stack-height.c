/* tb-latency-stack-height.c: analysis of a disassembled function for the stack height before each
 * of its instructions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A forward data-flow analysis with a worklist (Kildall, POPL 1973), in the lattice of constant
 * propagation: not reached, one height, unknown. An instruction is visited again when what is known
 * before it has changed. Each of its two values can change once, from a height to unknown.
 */

#include "config.h"

#include "tb-latency-stack-height.h"

/* --- effect of an instruction --- */

/* A height that is not between 0 and the greatest number is not that of a stack: unknown. */
static gint32
add_height (gint32 height, gint64 bytes)
{
  gint64 sum = height + bytes;

  return height >= 0 && sum >= 0 && sum <= G_MAXINT32 ? (gint32) sum : TB_LATENCY_UNKNOWN;
}

/* The height after an instruction that writes the stack pointer. */
static gint32
compute_height (const cs_insn *insn, const TbLatencyStack *before)
{
  const cs_x86 *x86 = tb_latency_insn_get_x86 (insn);
  const cs_x86_op *source = &x86->operands[1];

  switch (insn->id)
    {
    case X86_INS_SUB:
    case X86_INS_ADD:
      if (x86->op_count != 2 || source->type != X86_OP_IMM)
        break;
      return add_height (before->height, insn->id == X86_INS_SUB ? source->imm : -source->imm);
    case X86_INS_LEA:
      if (source->mem.index != X86_REG_INVALID)
        break;
      if (source->mem.base == X86_REG_RSP)
        return add_height (before->height, -(gint64) source->mem.disp);
      if (source->mem.base == X86_REG_RBP)
        return add_height (before->frame, -(gint64) source->mem.disp);
      break;
    case X86_INS_MOV:
      if (tb_latency_insn_is_register (insn, 1, X86_REG_RBP))
        return add_height (before->frame, 0);
      break;
    default:
      break;
    }
  return TB_LATENCY_UNKNOWN;
}

/* Whether the instruction makes the frame pointer equal to the stack pointer. */
static gboolean
sets_frame (const cs_insn *insn)
{
  return insn->id == X86_INS_MOV && tb_latency_insn_is_register (insn, 0, X86_REG_RBP)
         && tb_latency_insn_is_register (insn, 1, X86_REG_RSP);
}

/* Applies the effect of an instruction to the stack before it. */
static void
apply_instruction (const cs_insn *insn, TbLatencyStack *stack)
{
  gboolean writes_frame = tb_latency_insn_writes (insn, X86_REG_RBP);
  gboolean writes_height = tb_latency_insn_writes (insn, X86_REG_RSP);

  switch (insn->id)
    {
    case X86_INS_CALL: /* the callee restores both */
      break;
    case X86_INS_PUSH:
    case X86_INS_PUSHFQ:
      stack->height = add_height (stack->height, 8);
      break;
    case X86_INS_POP:
    case X86_INS_POPFQ:
      stack->height = writes_height ? TB_LATENCY_UNKNOWN : add_height (stack->height, -8);
      stack->frame = writes_frame ? TB_LATENCY_UNKNOWN : stack->frame;
      break;
    case X86_INS_LEAVE:
      stack->height = add_height (stack->frame, -8);
      stack->frame = TB_LATENCY_UNKNOWN;
      break;
    default:
      if (sets_frame (insn))
        stack->frame = stack->height;
      else if (writes_frame)
        stack->frame = TB_LATENCY_UNKNOWN;
      if (writes_height)
        stack->height = compute_height (insn, stack);
      break;
    }
}

/* --- data flow --- */

/* Merges a value of another path. Returns whether it changed. */
static gboolean
merge_height (gint32 *height, gint32 other)
{
  if (*height == other || *height == TB_LATENCY_UNKNOWN)
    return FALSE;
  *height = TB_LATENCY_UNKNOWN;
  return TRUE;
}

/* Merges the stack on a path into that before an instruction. Returns whether it changed. */
static gboolean
merge_stack (TbLatencyStack *before, const TbLatencyStack *other)
{
  gboolean is_changed;

  if (!before->is_reached)
    {
      *before = *other;
      return TRUE;
    }
  is_changed = merge_height (&before->height, other->height);
  return merge_height (&before->frame, other->frame) || is_changed;
}

static void
flow_to (TbLatencyDisassembly *disassembly, gsize insn, const TbLatencyStack *stack, GArray *work)
{
  if (insn < disassembly->n && merge_stack (&disassembly->stacks[insn], stack))
    g_array_append_val (work, insn);
}

/* Follows the control flow behind an instruction. */
static void
flow_on (TbLatencyDisassembly *disassembly, gsize at, GArray *work)
{
  const cs_insn *insn = &disassembly->insns[at];
  TbLatencyStack stack = disassembly->stacks[at];
  guint64 target;

  apply_instruction (insn, &stack);
  if (tb_latency_insn_is_jump (insn) && tb_latency_insn_get_target (insn, &target))
    flow_to (disassembly, tb_latency_disassembly_find (disassembly, target), &stack, work);
  if (!tb_latency_insn_has_group (insn, CS_GRP_RET) && insn->id != X86_INS_JMP)
    flow_to (disassembly, at + 1, &stack, work);
}

void
tb_latency_stack_height_analyze (TbLatencyDisassembly *disassembly)
{
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (gsize));
  TbLatencyStack entry = { .is_reached = TRUE, .height = 0, .frame = TB_LATENCY_UNKNOWN };

  disassembly->stacks = g_new (TbLatencyStack, disassembly->n);
  for (gsize i = 0; i < disassembly->n; i++)
    disassembly->stacks[i]
        = (TbLatencyStack) { .height = TB_LATENCY_UNKNOWN, .frame = TB_LATENCY_UNKNOWN };
  flow_to (disassembly, 0, &entry, work);
  while (work->len > 0)
    {
      gsize at = g_array_index (work, gsize, work->len - 1);

      g_array_set_size (work, work->len - 1);
      flow_on (disassembly, at, work);
    }
}
