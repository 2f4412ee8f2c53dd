/* tb-latency-stack-height.h: analysis of a disassembled function for the stack height before each
 * of its instructions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-disassembly.h"

G_BEGIN_DECLS

/* Sets the stacks of a disassembly with at least one instruction. */
void tb_latency_stack_height_analyze (TbLatencyDisassembly *disassembly);

G_END_DECLS
