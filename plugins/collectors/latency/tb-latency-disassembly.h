/* tb-latency-disassembly.h: disassembly of a function by capstone: its instructions, basic blocks,
 * and properties of an instruction (jump, return, target, thunk, cheap to probe)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <capstone/capstone.h>

#include "tb-latency-image.h"

G_BEGIN_DECLS

#define TB_LATENCY_UNKNOWN (-1)

/* The stack before an instruction. Heights are in bytes, since the function's entry;
 * TB_LATENCY_UNKNOWN: unknown, or not the same on all paths. */
typedef struct
{
  gboolean is_reached; /* a path from the entry leads to the instruction */
  gint32 height;
  gint32 frame; /* stack height at which the frame pointer is */
} TbLatencyStack;

typedef struct
{
  const TbLatencyImage *image; /* not owned */
  csh handle;
  gboolean is_open; /* the handle is to be closed */
  cs_insn *insns;
  gsize n;
  guint8 *starts;         /* by instruction: it begins a basic block */
  TbLatencyStack *stacks; /* by instruction; NULL until tb_latency_stack_height_analyze() */
} TbLatencyDisassembly;

/* Disassembles a function. Returns whether there is an instruction. self: to be cleared whatever is
 * returned. */
gboolean tb_latency_disassembly_init (TbLatencyDisassembly *self,
                                      const TbLatencyImage *image,
                                      const TbLatencySymbol *symbol);
void tb_latency_disassembly_clear (TbLatencyDisassembly *self);
/* Returns n where no instruction begins at the address. */
gsize tb_latency_disassembly_find (const TbLatencyDisassembly *self, guint64 address);
gboolean tb_latency_disassembly_contains (const TbLatencyDisassembly *self, guint64 address);

/* Whether a probe of the instruction costs little. */
gboolean tb_latency_disassembly_is_cheap (const TbLatencyDisassembly *self, const cs_insn *insn);
gboolean tb_latency_disassembly_is_return (const TbLatencyDisassembly *self, const cs_insn *insn);
/* Whether a call or jump goes to a thunk: the kernel's replacement for a return or an indirect
 * call, where the processor must not speculate. reg: set to the register with the target of an
 * indirect call; X86_REG_INVALID: none. */
gboolean tb_latency_disassembly_get_thunk_register (const TbLatencyDisassembly *self,
                                                    const cs_insn *insn,
                                                    x86_reg *reg);

/* What follows needs only an instruction with its details. */

static inline const cs_x86 *
tb_latency_insn_get_x86 (const cs_insn *insn)
{
  return &insn->detail->x86;
}

gboolean tb_latency_insn_has_group (const cs_insn *insn, guint8 group);
gboolean tb_latency_insn_is_jump (const cs_insn *insn);
/* Whether a process forked by the instruction would die if it had a probe: the kernel executes a
 * probed instruction out of line, in a place where the new process has no memory. */
gboolean tb_latency_insn_is_system_call (const cs_insn *insn);
/* Whether a call or jump has its target in the instruction. */
gboolean tb_latency_insn_get_target (const cs_insn *insn, guint64 *target);
gboolean tb_latency_insn_writes (const cs_insn *insn, x86_reg reg);
gboolean tb_latency_insn_is_register (const cs_insn *insn, guint operand, x86_reg reg);

G_END_DECLS
