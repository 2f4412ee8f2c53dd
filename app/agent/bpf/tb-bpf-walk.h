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

/* Where a probed function's return is caught: the address that lay on the stack there, and what is in its place now. */
struct return_instance___walk
{
  unsigned long stack;
  unsigned long orig_ret_vaddr;
  struct return_instance___walk *next;
};

struct arch_uprobe___walk
{
  u8 insn[16];
};

struct uprobe_task___walk
{
  struct return_instance___walk *return_instances; /* the innermost first */
  unsigned long vaddr;     /* of the instruction that is being stepped over elsewhere, */
  unsigned long xol_vaddr; /* which is here */
  void *active_uprobe;
  struct arch_uprobe___walk *auprobe; /* whose programs run now */
};

struct xol_area___walk
{
  unsigned long vaddr;
};

struct uprobes_state___walk
{
  struct xol_area___walk *xol_area;
};

struct mm_struct___walk
{
  struct uprobes_state___walk uprobes_state;
};

struct task_struct___walk
{
  struct mm_struct___walk *mm;
  struct uprobe_task___walk *utask;
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
  u64 caught; /* the next of the functions whose return is caught, 0 none */
  u32 length; /* of the chunk */
  u32 n;
} TbBpfWalk;

/* In one place several probes may catch the same return, and functions without a frame may lie between two with one. */
#  define TB_BPF_MAX_CAUGHT 8

/* Where a return goes on whose address was found at a place on the stack. */
static __always_inline u64
tb_get_return (TbBpfWalk *walk, u64 place, u64 found)
{
  for (int i = 0; i < TB_BPF_MAX_CAUGHT; i++)
    {
      struct return_instance___walk *caught = (void *) walk->caught;
      u64 stack;

      if (caught == NULL)
        break;
      stack = BPF_CORE_READ (caught, stack);
      if (stack > place)
        break;
      if (stack == place)
        found = BPF_CORE_READ (caught, orig_ret_vaddr);
      walk->caught = (u64) BPF_CORE_READ (caught, next);
    }
  return found;
}

/* To the next frame; 1 where there is none. */
static int
tb_walk_step (u32 i, void *data)
{
  TbBpfWalk *walk = data;
  u64 frame = walk->frame, at = frame - walk->from;
  u32 index = TB_BPF_CHUNK_WORDS, n = walk->n;

  /* Where most stacks begin. Nothing lies there, but to find that out costs as much as all else. */
  if (frame < TB_PAGE_SIZE || n >= TB_BPF_MAX_FRAMES)
    return 1;
  if ((at & 7) == 0 && at / 8 + 1 < walk->length)
    index = (at / 8) & (TB_BPF_CHUNK_WORDS - 1);
  /* No frame pointer but what code without any keeps in its register: callers lie above, on the same stack. */
  else if (at >= TB_BPF_MAX_STACK)
    return 1;
  else if (bpf_probe_read_user (walk->chunk + TB_BPF_CHUNK_WORDS, 16, (const void *) frame) != 0)
    return 1;
  walk->words[n] = tb_get_return (walk, frame + 8, walk->chunk[index + 1]);
  walk->frame = walk->chunk[index];
  walk->n = n + 1;
  return 0;
}

/* Whether programs at the very beginning of a function are running. */
static __always_inline bool
tb_is_entered (struct uprobe_task___walk *probed)
{
  struct arch_uprobe___walk *probe;
  u32 code = 0;

  if (!bpf_core_field_exists (probed->auprobe))
    return false;
  probe = BPF_CORE_READ (probed, auprobe);
  if (probe == NULL)
    return false;
  bpf_probe_read_kernel (&code, sizeof code, &probe->insn);
  /* push %rbp; endbr64 */
  return (code & 0xff) == 0x55 || code == 0xfa1e0ff3;
}

/* Probes leave traces in a stack that are not the program's: a thread is found where a probed instruction was copied to, or
 * where returns are caught; and a function just entered, or about to return, has no frame to tell of its caller. */
static __always_inline void
tb_undo_probes (TbBpfWalk *walk, struct task_struct___walk *task, u64 ip, u64 sp)
{
  struct uprobe_task___walk *probed;
  struct return_instance___walk *caught;
  u64 area, stack = 0, site = 0;
  bool stepped;

  if (!bpf_core_field_exists (task->utask))
    return;
  probed = BPF_CORE_READ (task, utask);
  if (probed == NULL)
    return;
  caught = BPF_CORE_READ (probed, return_instances);
  walk->caught = (u64) caught;
  area = (u64) BPF_CORE_READ (task, mm, uprobes_state.xol_area, vaddr);
  stepped = BPF_CORE_READ (probed, active_uprobe) != NULL;
  if (caught != NULL)
    stack = BPF_CORE_READ (caught, stack);
  if (area != 0 && ip - area < TB_PAGE_SIZE && stepped)
    walk->words[0] = BPF_CORE_READ (probed, vaddr) + (ip - BPF_CORE_READ (probed, xol_vaddr));
  else if (area != 0 && ip - area < TB_PAGE_SIZE)
    {
      /* Three registers are saved while the return is caught. When that is done it goes on to what lies above them. */
      if (stack + 8 >= sp && stack <= sp + 16)
        walk->words[0] = tb_get_return (walk, stack, ip);
      else if (bpf_probe_read_user (&site, sizeof site, (const void *) (sp + 16)) == 0 && site != 0)
        walk->words[0] = site;
      return;
    }
  if (caught != NULL && (stack == sp || (stepped && stack == sp + 8)))
    site = tb_get_return (walk, stack, 0);
  else if (tb_is_entered (probed))
    bpf_probe_read_user (&site, sizeof site, (const void *) sp);
  if (site == 0)
    return;
  walk->words[1] = site;
  walk->n = 2;
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
  tb_undo_probes (&walk, (struct task_struct___walk *) task, regs->ip, regs->sp);
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
