/* tb-latency-stack.h: stack height before each instruction of a function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-listing.h"

G_BEGIN_DECLS

/* Sets the stacks of a listing with at least one instruction. */
void tb_latency_stack_analyze (TbLatencyListing *listing);

G_END_DECLS
