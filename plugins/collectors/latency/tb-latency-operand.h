/* tb-latency-operand.h: operand of a call, from which its probe reads the call's target
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-code.h"
#include "tb-latency-listing.h"

G_BEGIN_DECLS

/* Sets the target of a direct call, or else the operand that has it. */
void tb_latency_operand_set_target (TbLatencySite *site,
                                    const TbLatencyListing *listing,
                                    const cs_insn *call);

G_END_DECLS
