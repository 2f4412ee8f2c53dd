/* tb-bpf-memory.h: what the agent and its BPF programs share of allocated memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides, like tb-bpf-record.h.
 */

#pragma once

#include "tb-bpf-record.h"

#define TB_BPF_MEMORY_FRAMES 16u     /* of a stack in which memory is allocated */
#define TB_BPF_MAX_BLOCKS (1u << 18) /* that are allocated at a time */
#define TB_BPF_LEAST_BLOCK 4u        /* no lock has room in less */
#define TB_BPF_MAX_BLOCK_ORDER 26u   /* larger ones than 2^(1 + it) bytes are not kept */

/* Of a probed function the cookie is: its id, the kind in the bits from 32 on, the number of the argument that is the size
 * from 40 on. */
#define TB_BPF_MEMORY_COOKIE(id, kind, size) ((u64) (id) | (u64) (kind) << 32 | (u64) (size) << 40)
