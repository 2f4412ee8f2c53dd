/* tb-latency-stack-height.h: stack height before each instruction of a function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-disassembly.h"

G_BEGIN_DECLS

/* Sets the stacks of a disassembly with at least one instruction. */
void tb_latency_stack_height_analyze (TbLatencyDisassembly *disassembly);

G_END_DECLS
