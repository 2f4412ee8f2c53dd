/* tb-agent-wakeup-cost.h: measured cost of wake-ups, by the idle time of the CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

/* Measures waking and woken with a process in which one thread wakes another. Both stay 0 if that
 * is not possible: on a machine with one CPU, or one that is too busy. Takes about a tenth of a
 * second. Must be called before anything is open that a forked process should not inherit. */
void tb_agent_wakeup_cost_measure (TbCaptureCost *cost);
