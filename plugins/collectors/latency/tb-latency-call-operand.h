/* tb-latency-call-operand.h: target of a call instruction, set in its call site: the address of the
 * callee, or the operand (register, memory) from which a probe reads that address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-disassembly.h"

G_BEGIN_DECLS

/* A call, or a jump to another function. */
typedef struct
{
  guint64 address;
  guint64 target;  /* of a direct call; 0: the operand is read at the time of the call */
  guint32 operand; /* TB_CAPTURE_OPERAND */
  guint64 value;
  gboolean is_tail;
  guint length; /* of the instruction; the return address is behind it */
  guint block;  /* index of its basic block */
  guint64 end;  /* location by which the call has ended, 0: the return of its function */
} TbLatencySite;

/* Sets the target of a direct call, or else the operand that has it. */
void tb_latency_call_operand_set_target (TbLatencySite *site,
                                         const TbLatencyDisassembly *disassembly,
                                         const cs_insn *call);

G_END_DECLS
