/* tb-bpf-dump.h: dump of the running thread's user stack and registers, emitted for unwinding in
 * user space, if the thread is among those whose stacks are dumped
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-common.h"

#define TB_DUMP_PIECE 64u
#define TB_SMALLEST_PAGE 4096u

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined __TARGET_ARCH_x86
struct pt_regs___dump
{
  unsigned long r15;
  unsigned long r14;
  unsigned long r13;
  unsigned long r12;
  unsigned long bp;
  unsigned long bx;
  unsigned long r11;
  unsigned long r10;
  unsigned long r9;
  unsigned long r8;
  unsigned long ax;
  unsigned long cx;
  unsigned long dx;
  unsigned long si;
  unsigned long di;
  unsigned long ip;
  unsigned long cs;
  unsigned long sp;
};
#elif defined __TARGET_ARCH_arm64
struct pt_regs___dump
{
  u64 regs[31];
  u64 sp;
  u64 pc;
  u64 pstate;
};
#endif

#pragma clang attribute pop

static __always_inline bool
tb_is_dump_name (const u64 name[2])
{
#pragma unroll
  for (u32 i = 0; i < TB_BPF_MAX_DUMP_NAMES; i++)
    if (i < config.n_dump_names && name[0] == config.dump_names[i][0]
        && name[1] == config.dump_names[i][1])
      return true;
  return false;
}

/* Compares with the name of the thread or of its process. The kernel does not clear the bytes
 * behind the end of a name. */
static __always_inline bool
tb_is_dumped (struct task_struct *task)
{
  u64 name[2] = { 0 };

  if (config.dump_bytes == 0)
    return false;
  if (config.n_dump_names == 0)
    return true;
  BPF_CORE_READ_STR_INTO (&name, task, comm);
  if (tb_is_dump_name (name))
    return true;
  name[0] = name[1] = 0;
  BPF_CORE_READ_STR_INTO (&name, task, group_leader, comm);
  return tb_is_dump_name (name);
}

/* Copies the registers saved at the entry into the kernel. Returns the stack pointer, 0 for a
 * program of another ABI (32-bit). */
static __always_inline u64
tb_copy_registers (u64 *to, struct task_struct *task)
{
#if defined __TARGET_ARCH_x86
  const struct pt_regs___dump *regs = (const void *) bpf_task_pt_regs (task);

  if ((regs->cs & 0xffff) != 0x33)
    return 0;
  to[0] = regs->ax;
  to[1] = regs->bx;
  to[2] = regs->cx;
  to[3] = regs->dx;
  to[4] = regs->si;
  to[5] = regs->di;
  to[6] = regs->bp;
  to[7] = regs->sp;
  to[8] = regs->ip;
  to[9] = regs->r8;
  to[10] = regs->r9;
  to[11] = regs->r10;
  to[12] = regs->r11;
  to[13] = regs->r12;
  to[14] = regs->r13;
  to[15] = regs->r14;
  to[16] = regs->r15;
  return regs->sp;
#elif defined __TARGET_ARCH_arm64
  const struct pt_regs___dump *regs = (const void *) bpf_task_pt_regs (task);

  if ((BPF_CORE_READ (regs, pstate) & 0x10) != 0)
    return 0;
  bpf_probe_read_kernel (to, 33 * 8, regs);
  return to[31];
#else
  return 0;
#endif
}

/* A new frame may lie in pages that no thread has touched yet, which cannot be read here; the
 * callers' frames lie above it. Returns the number of bytes to skip; 0 if nothing further up can be
 * read either. */
static __always_inline u32
tb_find_stack (u64 sp)
{
  u32 skipped = TB_SMALLEST_PAGE - (u32) (sp & (TB_SMALLEST_PAGE - 1));
  u64 word;

  if (bpf_probe_read_user (&word, sizeof word, (const void *) sp) == 0)
    return 0;
  for (u32 i = 0; i < TB_BPF_MAX_HOLE / TB_SMALLEST_PAGE; i++, skipped += TB_SMALLEST_PAGE)
    if (bpf_probe_read_user (&word, sizeof word, (const void *) (sp + skipped)) == 0)
      return skipped;
  return 0;
}

/* If the stack ends before the dump does, copies its end in smaller pieces. Returns the number of
 * bytes. */
static __always_inline u32
tb_copy_stack (u8 *to, u64 sp)
{
  u32 size = 0;

  for (u32 i = 0; i < TB_BPF_MAX_DUMP / TB_BPF_DUMP_STEP; i++)
    {
      if (i * TB_BPF_DUMP_STEP >= config.dump_bytes
          || bpf_probe_read_user (to + i * TB_BPF_DUMP_STEP, TB_BPF_DUMP_STEP,
                                  (const void *) (sp + i * TB_BPF_DUMP_STEP))
                 != 0)
        break;
      size = (i + 1) * TB_BPF_DUMP_STEP;
    }
  if (size + TB_BPF_DUMP_STEP > config.dump_bytes)
    return size;
  for (u32 i = 0; i < TB_BPF_DUMP_STEP / TB_DUMP_PIECE; i++)
    {
      if (bpf_probe_read_user (to + size, TB_DUMP_PIECE, (const void *) (sp + size)) != 0)
        break;
      size += TB_DUMP_PIECE;
    }
  return size;
}

/* Reserves room for a dump if at least half of the ring is free: events are worth more than their
 * stacks. */
static __always_inline TbBpfDump *
tb_reserve_dump (const TbProgramContext *place)
{
  void *ring = bpf_map_lookup_elem (&tb_rings, &place->number);
  TbBpfDump *record = NULL;

  if (ring != NULL
      && bpf_ringbuf_query (ring, BPF_RB_AVAIL_DATA)
             <= bpf_ringbuf_query (ring, BPF_RB_RING_SIZE) / 2)
    record = bpf_ringbuf_reserve (ring, sizeof *record + config.dump_bytes, 0);
  if (record == NULL)
    __sync_fetch_and_add (&place->cpu->full_dumps, 1);
  return record;
}

/* Between two programs there is no stack: the old one is gone, but the registers still refer to
 * it. */
static __always_inline bool
tb_is_between_programs (struct task_struct *task)
{
  return bpf_core_field_exists (task->in_execve)
         && BPF_CORE_READ_BITFIELD_PROBED (task, in_execve) != 0
         && BPF_CORE_READ (task, mm, start_stack) == 0;
}

/* Dumps the stack of the running thread, before the record of its event. If nothing could be read,
 * the agent determines whether there was a stack. */
static __always_inline void
tb_dump_stack (const TbProgramContext *place, struct task_struct *task)
{
  TbBpfDump *record;
  u64 sp;

  if (!tb_is_dumped (task) || task->exit_state != 0 || (task->flags & PF_EXITING) != 0
      || tb_is_between_programs (task))
    return;
  record = tb_reserve_dump (place);
  if (record == NULL)
    return;
  tb_fill (&record->header, place, TB_BPF_DUMP, TB_BPF_IS_TARGET, task->pid, task->tgid);
  record->skipped = 0;
  sp = tb_copy_registers (record->registers, task);
  if (sp == 0)
    {
      __sync_fetch_and_add (&place->cpu->foreign_dumps, 1);
      bpf_ringbuf_discard (record, BPF_RB_NO_WAKEUP);
      return;
    }
  record->skipped = tb_find_stack (sp);
  record->size = tb_copy_stack ((u8 *) (record + 1), sp + record->skipped);
  bpf_ringbuf_submit (record, BPF_RB_NO_WAKEUP);
}
