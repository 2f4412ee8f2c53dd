/* tb-agent-instructions.h: machine instruction at which a user probe is to be put: whether it may
 * be probed at all, whether the kernel needs no slow single-stepping for it; offset of a better
 * instruction at the beginning of a function or at a mark
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

/* All functions take a file and an offset of code in it. An instruction that cannot be read counts
 * as safe and costly, and the offset is not moved. */

/* Whether the instruction can be probed without harm. The kernel executes the probed instruction in
 * another place. A process forked by a system call in that place has no memory there and dies. */
int tb_agent_instructions_are_safe (int file, uint64_t offset);
/* Whether the instruction (x86-64) needs no single-stepping. Single-stepping is done out of line
 * and takes ten times as long. */
int tb_agent_instructions_are_cheap (int file, uint64_t offset);
/* The offset behind the marker at the beginning of a function (endbr64), where registers and stack
 * are still unchanged. */
uint64_t tb_agent_instructions_find_entry (int file, uint64_t offset);
/* Of a pair of nops, the one at which this kernel turns a probe into a call, which is faster than a
 * trap. */
uint64_t tb_agent_instructions_find_mark (int file, uint64_t offset);
