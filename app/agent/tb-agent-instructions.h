/* tb-agent-instructions.h: at which instruction of a program a probe is to be, and what it costs there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

/* All of a file's code at an offset. What cannot be read is taken for safe and dear, and is where it is. */

/* Whether it can be probed without harm. The kernel runs what it probes elsewhere; who is forked by a system call there has nothing
 * in that place and dies. */
int tb_agent_instructions_are_safe (int file, uint64_t offset);
/* Whether it (of x86-64) need not be single-stepped, for which it would have to run elsewhere: that takes ten times as long. */
int tb_agent_instructions_are_cheap (int file, uint64_t offset);
/* Behind what marks the beginning of a function, where nothing has changed yet. */
uint64_t tb_agent_instructions_find_entry (int file, uint64_t offset);
/* Of two that do nothing, the one whose probes this kernel makes calls, which are faster than traps. */
uint64_t tb_agent_instructions_find_mark (int file, uint64_t offset);
