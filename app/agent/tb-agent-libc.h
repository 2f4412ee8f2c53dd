/* tb-agent-libc.h: where the functions of a C library begin that may wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#define TB_AGENT_MAX_LIBC_FUNCTIONS 128

/* Their places in the file, behind what marks their beginning; the number of them, 0 if it is no such library. Each place is there
 * once, though functions have several names. */
size_t tb_agent_libc_find_functions (int file, uint64_t offsets[TB_AGENT_MAX_LIBC_FUNCTIONS]);
/* Whether the path of a mapped file is that of a C library. */
int tb_agent_libc_is_one (const char *path);
