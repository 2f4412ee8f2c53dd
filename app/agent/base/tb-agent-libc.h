/* tb-agent-libc.h: recognition of a C library, or a library that waits in its place, by its path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

/* Whether the path of a mapped file is that of a C library, its dynamic linker or the C++ library,
 * whose waits are made of those of the C library. */
int tb_agent_libc_matches_path (const char *path);
