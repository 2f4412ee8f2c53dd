/* tb-agent-wakeup-cost.h: time that a thread takes to wake another one, measured in a process of
 * its own, by how long the CPU of the woken thread has been idle, or on a busy CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

/* Measures waking, queueing and preempting with a process in which one thread wakes another. They
 * stay 0 if that is not possible: on a machine with one CPU, or one that is too busy. Takes about a
 * tenth of a second. Must be called before anything is open that a forked process should not
 * inherit. */
void tb_agent_wakeup_cost_measure (TbCaptureCost *cost);
