/* tb-bpf-fault.h: address and mapped file of the page fault in which the running thread sleeps
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The address is known only when the fault begins (faults.bpf.c), and the mapped file only after a
 * lookup, which is done for the few faults that sleep.
 */

#pragma once

#include "tb-bpf-file.h"
#include "tb-bpf-sleep-record.h"
#include "tb-bpf-syscall.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct vm_area_struct
{
  unsigned long vm_start;
  unsigned long vm_pgoff;
  struct file *vm_file;
};

#if defined __TARGET_ARCH_x86
struct pt_regs___fault
{
  unsigned long ip;
};
#elif defined __TARGET_ARCH_arm64
struct pt_regs___fault
{
  u64 pc;
};
#endif

#pragma clang attribute pop

#define TB_PAGE_SHIFT 12 /* of x86; other architectures do not report the address */

static __always_inline u64
tb_read_site (const void *regs)
{
#if defined __TARGET_ARCH_x86
  return BPF_CORE_READ ((const struct pt_regs___fault *) regs, ip);
#elif defined __TARGET_ARCH_arm64
  return BPF_CORE_READ ((const struct pt_regs___fault *) regs, pc);
#else
  return 0;
#endif
}

/* Context switches of the running thread so far */
static __always_inline u64
tb_count_switches (const struct task_struct *task)
{
  return task->nvcsw + task->nivcsw;
}

typedef struct
{
  u64 address;
  u64 offset;
  struct inode *inode;
} TbArea;

static long
tb_on_area (struct task_struct *task, struct vm_area_struct *area, TbArea *found)
{
  struct file *file = area->vm_file;

  if (file == NULL)
    return 0;
  found->inode = BPF_CORE_READ (file, f_inode);
  found->offset = found->address - area->vm_start + ((u64) area->vm_pgoff << TB_PAGE_SHIFT);
  return 0;
}

/* If the thread was switched once since the fault began, that is the switch now, and the address
 * belongs to this fault. Otherwise the thread was preempted before it slept, or sleeps again: the
 * CPU's state may belong to another fault. */
static __always_inline void
tb_read_fault (TbBpfSleep *sleep, const TbProgramContext *place)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  const TbBpfCpu *cpu = place->cpu;
  TbArea area = { 0 };
  struct inode *inode;

  if (cpu->fault_tid != task->pid || cpu->fault_switches + 1 != tb_count_switches (task)
      || cpu->fault_site != tb_read_site ((const void *) bpf_task_pt_regs (task)))
    return;
  sleep->args[0] = area.address = cpu->fault_address;
  if (bpf_find_vma (task, area.address, tb_on_area, &area, 0) != 0)
    return;
  inode = area.inode;
  if (inode == NULL)
    return;
  sleep->args[1] = area.offset;
  sleep->object_kind = TB_BPF_OBJECT_MAPPED;
  sleep->file.inode = BPF_CORE_READ (inode, i_ino);
  sleep->file.device = BPF_CORE_READ (inode, i_sb, s_dev);
  sleep->file.generation = BPF_CORE_READ (inode, i_generation);
  tb_emit_file (place, inode, &sleep->file);
}
