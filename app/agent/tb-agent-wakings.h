/* tb-agent-wakings.h: what waking a thread costs, by how long its cpu has been idle
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

/* Fills in waking and woken, by a process of its own in which one thread wakes another; both stay 0 where that cannot be measured: on a
 * machine with one cpu, or one that is too busy. Takes about a tenth of a second. To be called before there is anything that a
 * forked process should not inherit. */
void tb_agent_wakings_measure (TbCaptureCost *cost);
