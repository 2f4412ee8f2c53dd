/* tb-bpf-walk.h: the user's half of a stack, by its frame pointers
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What bpf_get_stack() finds, found with one access to the user's memory where that one takes two for each frame: most frames
 * lie close above the innermost.
 */

#pragma once

#include "tb-bpf-kernel.h"

#include "tb-bpf-record.h"

#define TB_BPF_CHUNK_WORDS 256u
#define TB_PAGE_SIZE 4096u
#define TB_BPF_MAX_STACK (64u << 20)

/* For scratch memory: the words of a stack and what they are found in. */
#define TB_BPF_STACK_ROOM ((TB_BPF_MAX_WORDS + TB_BPF_CHUNK_WORDS + 2) * 8)

/* With names of their own: older kernels (6.1) take a pointer to a nameless struct for a program's context. */
typedef struct TbBpfFrames
{
  u64 words[TB_BPF_MAX_FRAMES];
} TbBpfFrames;

typedef struct TbBpfChunk
{
  u64 words[TB_BPF_CHUNK_WORDS + 2];
} TbBpfChunk;

#if defined __TARGET_ARCH_x86

#  pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pt_regs___walk
{
  unsigned long bp;
  unsigned long ip;
  unsigned long cs;
  unsigned long sp;
};

struct task_struct___walk
{
  struct mm_struct *mm;
};

#  pragma clang attribute pop

/* Fewer words at the end of the mapped memory. */
static __always_inline u32
tb_read_chunk (u64 *chunk, u64 from)
{
  u32 rest = (TB_PAGE_SIZE - (from & (TB_PAGE_SIZE - 1))) & (TB_PAGE_SIZE - 8);

  if (bpf_probe_read_user (chunk, TB_BPF_CHUNK_WORDS * 8, (const void *) from) == 0)
    return TB_BPF_CHUNK_WORDS;
  if (rest == 0 || rest >= TB_BPF_CHUNK_WORDS * 8)
    return 0;
  return bpf_probe_read_user (chunk, rest & (TB_BPF_CHUNK_WORDS * 8 - 1), (const void *) from) == 0 ? rest / 8
                                                                                                    : 0;
}

typedef struct
{
  u64 *words;
  u64 *chunk;
  u64 from; /* where the chunk was read */
  u64 frame;
  u32 length; /* of the chunk */
  u32 n;
} TbBpfWalk;

/* To the next frame; 1 where there is none. */
static int
tb_walk_step (u32 i, void *data)
{
  TbBpfWalk *walk = data;
  u64 frame = walk->frame, at = frame - walk->from;
  u32 index = TB_BPF_CHUNK_WORDS;

  /* Where most stacks begin. Nothing lies there, but to find that out costs as much as all else. */
  if (frame < TB_PAGE_SIZE || i + 1 >= TB_BPF_MAX_FRAMES)
    return 1;
  if ((at & 7) == 0 && at / 8 + 1 < walk->length)
    index = (at / 8) & (TB_BPF_CHUNK_WORDS - 1);
  /* No frame pointer but what code without any keeps in its register: callers lie above, on the same stack. */
  else if (at >= TB_BPF_MAX_STACK)
    return 1;
  else if (bpf_probe_read_user (walk->chunk + TB_BPF_CHUNK_WORDS, 16, (const void *) frame) != 0)
    return 1;
  walk->words[i + 1] = walk->chunk[index + 1];
  walk->frame = walk->chunk[index];
  walk->n = i + 2;
  return 0;
}

/* The running thread's frames, innermost first, at most TB_BPF_MAX_FRAMES; negative: it has to be asked for. Global, and its
 * loop a helper's, so that the verifier looks through it once and not for each way and each number of frames. */
__noinline int
tb_walk_user (TbBpfFrames *frames, TbBpfChunk *room)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  const struct pt_regs___walk *regs = (const void *) bpf_task_pt_regs (task);
  TbBpfWalk walk = { .n = 1 };

  if (frames == NULL || room == NULL)
    return 0;
  if ((regs->cs & 0xffff) != 0x33)
    return -1;
  if (((struct task_struct___walk *) task)->mm == NULL)
    return 0;
  frames->words[0] = regs->ip;
  walk.words = frames->words;
  walk.chunk = room->words;
  walk.frame = regs->bp;
  walk.from = regs->sp & ~(u64) 7;
  walk.length = tb_read_chunk (room->words, walk.from);
  bpf_loop (TB_BPF_MAX_FRAMES - 1, tb_walk_step, &walk, 0);
  return (int) walk.n;
}

#else

static __always_inline int
tb_walk_user (TbBpfFrames *frames, TbBpfChunk *room)
{
  return -1;
}

#endif
