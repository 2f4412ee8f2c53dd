/* tb-agent-btf.h: offsets of per-CPU variables and structure members of the running kernel, found
 * by name in its type information (BTF), which the caller has read into memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* Finds the offsets of up to 63 per-CPU variables. Returns 0 if one of them is missing. */
int tb_agent_btf_find_cpu_variables (const uint8_t *btf,
                                     size_t size,
                                     const char *const *names,
                                     uint32_t *offsets,
                                     size_t n);
/* Finds the offset of a structure member in bytes. Returns 0 if it is missing. */
int tb_agent_btf_find_member (const uint8_t *btf,
                              size_t size,
                              const char *structure,
                              const char *member,
                              uint32_t *offset);
