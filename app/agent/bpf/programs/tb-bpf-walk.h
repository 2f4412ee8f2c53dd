/* tb-bpf-walk.h: walk of the running thread's user stack by unwind tables, or by frame pointers
 * where there are none; addresses changed by probes are replaced by the real ones
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Without tables it finds the same frames as bpf_get_stack(), but with one access to user memory
 * where that function needs two per frame: most frames are close above the innermost.
 */

#pragma once

#include "tb-bpf-unwind.h"

#define TB_BPF_CHUNK_WORDS 256u
#define TB_BPF_MAX_STACK (64u << 20)

/* Size of scratch memory for the words of a stack and for the chunk that is searched */
#define TB_BPF_STACK_ROOM ((TB_BPF_MAX_WORDS + TB_BPF_CHUNK_WORDS + 2) * 8)

/* These are named types: older kernels (6.1) take a pointer to an unnamed struct for a program's
 * context. */
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

/* A return probe: the return address that was on the stack, and the address that replaces it */
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
  struct return_instance___walk *return_instances; /* innermost first */
  unsigned long vaddr;     /* of the instruction that is being single-stepped out of line */
  unsigned long xol_vaddr; /* address of its copy */
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

typedef struct
{
  u64 ctx_id;
} mm_context_t___walk;

struct mm_struct___walk
{
  unsigned long exec_vm;
  mm_context_t___walk context;
  struct uprobes_state___walk uprobes_state;
};

struct task_struct___walk
{
  struct mm_struct___walk *mm;
  struct uprobe_task___walk *utask;
};

#  pragma clang attribute pop

/* Reads fewer words at the end of the mapped memory. */
static __always_inline u32
tb_read_chunk (u64 *chunk, u64 from)
{
  u32 rest = (TB_PAGE_SIZE - (from & (TB_PAGE_SIZE - 1))) & (TB_PAGE_SIZE - 8);

  if (bpf_probe_read_user (chunk, TB_BPF_CHUNK_WORDS * 8, (const void *) from) == 0)
    return TB_BPF_CHUNK_WORDS;
  if (rest == 0 || rest >= TB_BPF_CHUNK_WORDS * 8)
    return 0;
  return bpf_probe_read_user (chunk, rest & (TB_BPF_CHUNK_WORDS * 8 - 1), (const void *) from) == 0
             ? rest / 8
             : 0;
}

typedef struct
{
  u64 *words;
  u64 *chunk;
  u64 from;    /* address of the chunk */
  u64 address; /* the last one */
  u64 sp;
  u64 frame;  /* the frame pointer */
  u64 caught; /* the next pending return probe, 0: none */
  u32 length; /* of the chunk */
  u32 n;
  bool has_tables;
  bool is_exact;     /* the last address is not a return address */
  bool is_repaired;  /* a caller was found that has no frame pointer */
  bool is_uncertain; /* code of a file was met of which nothing is known */
  TbBpfRanges ranges;
} TbBpfWalk;

/* One return can have several return probes, and functions without a frame can lie between two with
 * one. */
#  define TB_BPF_MAX_CAUGHT 8

/* The real return address for an address found on the stack */
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

/* Reads a word of the stack, mostly from the chunk; false if it is not readable. */
static __always_inline bool
tb_read_word (TbBpfWalk *walk, u64 place, u64 *word)
{
  u64 at = place - walk->from;

  if ((at & 7) == 0 && at / 8 < walk->length)
    {
      *word = walk->chunk[at / 8 & (TB_BPF_CHUNK_WORDS - 1)];
      return true;
    }
  return at < TB_BPF_MAX_STACK && bpf_probe_read_user (word, 8, (const void *) place) == 0;
}

/* Adds an address, with the registers at it; 1 if there is no room. */
static __always_inline int
tb_add_address (TbBpfWalk *walk, u64 address, u64 sp, u64 frame)
{
  u32 n = walk->n;

  if (n >= TB_BPF_MAX_FRAMES)
    return 1;
  walk->words[n] = address;
  walk->address = address;
  walk->sp = sp;
  walk->frame = frame;
  walk->n = n + 1;
  return 0;
}

/* Adds the caller's address, which is below the caller's stack pointer. */
static __always_inline int
tb_add_caller (TbBpfWalk *walk, u64 sp, u64 frame, u64 found)
{
  walk->is_exact = false;
  return tb_add_address (walk, tb_get_return (walk, sp - 8, found), sp, frame);
}

/* Goes to the next frame by the frame pointer; 1 if there is none. */
static __always_inline int
tb_walk_frame_pointer (TbBpfWalk *walk)
{
  u64 frame = walk->frame, at = frame - walk->from;
  u32 index = TB_BPF_CHUNK_WORDS;

  /* The outermost frame of most stacks. Reading memory there would fail and costs as much as the
   * rest of the walk. */
  if (frame < TB_PAGE_SIZE)
    return 1;
  if ((at & 7) == 0 && at / 8 + 1 < walk->length)
    index = (at / 8) & (TB_BPF_CHUNK_WORDS - 1);
  /* Not a frame pointer but a value that code without frame pointers keeps in its register:
   * callers' frames lie above, on the same stack. */
  else if (at >= TB_BPF_MAX_STACK)
    return 1;
  else if (bpf_probe_read_user (walk->chunk + TB_BPF_CHUNK_WORDS, 16, (const void *) frame) != 0)
    return 1;
  return tb_add_caller (walk, frame + 16, walk->chunk[index], walk->chunk[index + 1]);
}

/* The kernel's frame of a signal handler: struct ucontext, which contains struct sigcontext. */
#  define TB_SIGNAL_BP 120
#  define TB_SIGNAL_SP 160
#  define TB_SIGNAL_IP 168

static __always_inline int
tb_walk_signal (TbBpfWalk *walk)
{
  u64 frame, sp, ip;

  if (!tb_read_word (walk, walk->sp + TB_SIGNAL_BP, &frame)
      || !tb_read_word (walk, walk->sp + TB_SIGNAL_SP, &sp)
      || !tb_read_word (walk, walk->sp + TB_SIGNAL_IP, &ip))
    return 1;
  walk->is_exact = true;
  return tb_add_address (walk, ip, sp, frame);
}

/* The caller's stack pointer; 0: it could not be read. */
static __always_inline u64
tb_get_caller_sp (TbBpfWalk *walk, u64 address, u32 rule)
{
  u64 distance = TB_BPF_UNWIND_DISTANCE (rule), sp = 0;

  switch (TB_BPF_UNWIND_KIND (rule))
    {
    case TB_BPF_UNWIND_BY_SP:
      return walk->sp + distance * 8;
    case TB_BPF_UNWIND_BY_BP:
      return walk->frame + distance * 8;
    case TB_BPF_UNWIND_BY_PLT:
      return walk->sp + 8 + ((address & 15) >= distance ? 8 : 0);
    default:
      return tb_read_word (walk, walk->frame - distance * 8, &sp) ? sp : 0;
    }
}

/* Goes to the next frame by a rule; 1 if there is none. */
static __always_inline int
tb_walk_rule (TbBpfWalk *walk, u64 address, u32 rule)
{
  u32 kind = TB_BPF_UNWIND_KIND (rule), saved = TB_BPF_UNWIND_SAVED (rule);
  u64 frame = walk->frame, sp, site, place;

  if (kind == TB_BPF_UNWIND_END)
    return 1;
  if (kind == TB_BPF_UNWIND_SIGNAL)
    return tb_walk_signal (walk);
  sp = tb_get_caller_sp (walk, address, rule);
  if (sp <= walk->sp || !tb_read_word (walk, sp - 8, &site))
    return 1;
  place = kind == TB_BPF_UNWIND_BY_WORD ? frame : sp - saved * 8;
  if ((saved != 0 || kind == TB_BPF_UNWIND_BY_WORD) && !tb_read_word (walk, place, &frame))
    return 1;
  /* What a walk by frame pointers would have missed */
  walk->is_repaired |= kind != TB_BPF_UNWIND_BY_BP;
  return tb_add_caller (walk, sp, frame, site);
}

/* Goes to the next frame; 1 if there is none. */
static int
tb_walk_step (u32 i, void *data)
{
  TbBpfWalk *walk = data;
  u64 address = walk->address;
  u32 rule;

  if (!walk->has_tables)
    return tb_walk_frame_pointer (walk);
  rule = tb_find_rule (&walk->ranges, walk->is_exact ? address : address - 1);
  if (rule == TB_BPF_UNWIND_UNKNOWN)
    {
      walk->is_uncertain |= walk->ranges.is_file;
      return tb_walk_frame_pointer (walk);
    }
  /* A probe's caller, which is known from the start, is found again. */
  if (i == 0)
    walk->n = 1;
  return tb_walk_rule (walk, address, rule);
}

/* Whether the current probe is at the very beginning of a function */
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

/* Removes the traces of probes from a stack. The instruction pointer may be at the copy of a probed
 * instruction or in the return trampoline, and a function that was just entered or is about to
 * return has no frame that contains its caller. */
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
      /* The trampoline saves three registers and then returns to the address above them. */
      if (stack + 8 >= sp && stack <= sp + 16)
        walk->words[0] = tb_get_return (walk, stack, ip);
      else if (bpf_probe_read_user (&site, sizeof site, (const void *) (sp + 16)) == 0 && site != 0)
        walk->words[0] = site;
      walk->has_tables = false;
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

/* Walks the running thread's frames, innermost first, at most TB_BPF_MAX_FRAMES; negative:
 * bpf_get_stack() must be used. The function is global and its loop is a helper's, so that the
 * verifier checks it only once and not for each path and number of frames. */
__noinline int
tb_walk_user (TbBpfFrames *frames, TbBpfChunk *room, TbBpfCpu *cpu)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  const struct pt_regs___walk *regs = (const void *) bpf_task_pt_regs (task);
  struct mm_struct___walk *memory;
  TbBpfWalk walk = { .n = 1, .is_exact = true };

  if (frames == NULL || room == NULL || cpu == NULL)
    return 0;
  if ((regs->cs & 0xffff) != 0x33)
    return -1;
  memory = ((struct task_struct___walk *) task)->mm;
  if (memory == NULL)
    return 0;
  frames->words[0] = regs->ip;
  walk.words = frames->words;
  walk.has_tables = (config.stacks & TB_BPF_REPAIRED_STACKS) != 0;
  tb_undo_probes (&walk, (struct task_struct___walk *) task, regs->ip, regs->sp);
  walk.chunk = room->words;
  walk.address = frames->words[0];
  walk.frame = regs->bp;
  walk.sp = regs->sp;
  walk.from = regs->sp & ~(u64) 7;
  walk.length = tb_read_chunk (room->words, walk.from);
  walk.ranges.cpu = cpu;
  walk.ranges.space = tb_identify_space (memory->context.ctx_id, memory->exec_vm);
  bpf_loop (TB_BPF_MAX_FRAMES - 1, tb_walk_step, &walk, 0);
  if (walk.is_repaired)
    __sync_fetch_and_add (&cpu->repaired_stacks, 1);
  if (walk.is_uncertain)
    __sync_fetch_and_add (&cpu->unrepaired_stacks, 1);
  if (walk.ranges.unknown.id != 0)
    tb_emit_unknown_file (&walk.ranges.unknown);
  return (int) walk.n;
}

#else

static __always_inline int
tb_walk_user (TbBpfFrames *frames, TbBpfChunk *room, TbBpfCpu *cpu)
{
  return -1;
}

#endif
