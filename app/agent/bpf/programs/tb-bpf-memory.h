/* tb-bpf-memory.h: limits (frames, number and size of blocks) and probe cookies for allocated
 * memory, shared by the agent and its BPF programs
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides, like tb-bpf-record.h.
 */

#pragma once

#include "tb-bpf-record.h"

#define TB_BPF_MEMORY_FRAMES 16u     /* of a stack at an allocation */
#define TB_BPF_MAX_BLOCKS (1u << 18) /* allocated at the same time */
#define TB_BPF_LEAST_BLOCK 4u        /* smaller blocks have no room for a lock */
#define TB_BPF_MAX_BLOCK_ORDER 26u   /* blocks larger than 2^(1 + this) bytes are not stored */

/* Cookie of a probed function: the id, the kind from bit 32 on, and the number of the argument with
 * the size from bit 40 on. */
#define TB_BPF_MEMORY_COOKIE(id, kind, size) ((u64) (id) | (u64) (kind) << 32 | (u64) (size) << 40)
