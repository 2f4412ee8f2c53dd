/* tb-latency-call-operand.h: target of a call instruction, set in its call site: the address of the
 * callee, or the operand (register, memory) from which a probe reads that address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-code.h"
#include "tb-latency-disassembly.h"

G_BEGIN_DECLS

/* Sets the target of a direct call, or else the operand that has it. */
void tb_latency_call_operand_set_target (TbLatencySite *site,
                                         const TbLatencyDisassembly *disassembly,
                                         const cs_insn *call);

G_END_DECLS
