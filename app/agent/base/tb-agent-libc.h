/* tb-agent-libc.h: list of C library functions that may block; recognition of a C library by its
 * path, and file offsets of the listed functions, found in its symbol table, for probes at their
 * entries
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#define TB_AGENT_MAX_LIBC_FUNCTIONS 128

/* Finds the file offsets of the functions, behind the marker at their beginning. Returns their
 * number, 0 if the file is no C library. A function with several names is listed once. */
size_t tb_agent_libc_find_functions (int file, uint64_t offsets[TB_AGENT_MAX_LIBC_FUNCTIONS]);
/* Whether the path of a mapped file is that of a C library. */
int tb_agent_libc_matches_path (const char *path);
