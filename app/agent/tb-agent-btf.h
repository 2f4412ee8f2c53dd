/* tb-agent-btf.h: where a kernel's own description says that its variables lie
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* Places of up to 63 variables among those that each cpu has of its own; 0 if one of them is not there. */
int tb_agent_btf_find_cpu_variables (const uint8_t *btf,
                                     size_t size,
                                     const char *const *names,
                                     uint32_t *offsets,
                                     size_t n);
/* The place of a member of a structure, in bytes; 0 if it is not there. */
int tb_agent_btf_find_member (const uint8_t *btf,
                              size_t size,
                              const char *structure,
                              const char *member,
                              uint32_t *offset);
