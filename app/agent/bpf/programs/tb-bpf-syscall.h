/* tb-bpf-syscall.h: system call of the running thread and its arguments, and the numbers of some
 * system calls
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-common.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined __TARGET_ARCH_x86
struct pt_regs___call
{
  unsigned long di;
  unsigned long si;
  unsigned long dx;
  unsigned long r10;
  unsigned long r8;
  unsigned long r9;
  unsigned long orig_ax;
  unsigned long cs;
};
#elif defined __TARGET_ARCH_arm64
struct pt_regs___call
{
  u64 regs[31];
  u64 orig_x0;
  u64 pstate;
  int syscallno;
};
#endif

#pragma clang attribute pop

typedef struct
{
  u64 args[6];
  u32 number;
} TbCall;

/* Reads the registers saved at the entry into the kernel. The verifier knows their type, so no
 * helper is needed. */
static __always_inline bool
tb_read_call (const void *saved, TbCall *call)
{
#if defined __TARGET_ARCH_x86
  const struct pt_regs___call *regs = saved;
  long number = (long) regs->orig_ax;

  /* Excludes 32-bit calls, which have other numbers. */
  if (number < 0 || number > 0xffff || (regs->cs & 0xffff) != 0x33)
    return false;
  call->number = (u32) number;
  call->args[0] = regs->di;
  call->args[1] = regs->si;
  call->args[2] = regs->dx;
  call->args[3] = regs->r10;
  call->args[4] = regs->r8;
  call->args[5] = regs->r9;
  return true;
#elif defined __TARGET_ARCH_arm64
  const struct pt_regs___call *regs = saved;
  int number = BPF_CORE_READ (regs, syscallno);

  if (number < 0 || (BPF_CORE_READ (regs, pstate) & 0x10) != 0)
    return false;
  call->number = (u32) number;
  call->args[0] = BPF_CORE_READ (regs, orig_x0);
  for (int i = 1; i < 6; i++)
    call->args[i] = BPF_CORE_READ (regs, regs[i]);
  return true;
#else
  return false;
#endif
}

static __always_inline bool
tb_get_call (TbCall *call)
{
  struct task_struct *task = bpf_get_current_task_btf ();

  if ((task->flags & PF_KTHREAD) != 0)
    return false;
  return tb_read_call ((const void *) bpf_task_pt_regs (task), call);
}

/* Of any ABI */
static __always_inline bool
tb_is_in_call (void)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  const struct pt_regs___call *regs = (const void *) bpf_task_pt_regs (task);

#if defined __TARGET_ARCH_x86
  return (long) BPF_CORE_READ (regs, orig_ax) >= 0;
#elif defined __TARGET_ARCH_arm64
  return BPF_CORE_READ (regs, syscallno) >= 0;
#else
  return false;
#endif
}

#define TB_NR_FUTEX_WAIT 455 /* on all architectures */

/* Numbers of system calls */
#if defined __TARGET_ARCH_x86
#  define TB_NR_READ 0
#  define TB_NR_WRITE 1
#  define TB_NR_PREAD64 17
#  define TB_NR_PWRITE64 18
#  define TB_NR_READV 19
#  define TB_NR_WRITEV 20
#  define TB_NR_PREADV 295
#  define TB_NR_PWRITEV 296
#  define TB_NR_PREADV2 327
#  define TB_NR_PWRITEV2 328
#  define TB_NR_SENDTO 44
#  define TB_NR_SENDMSG 46
#  define TB_NR_SENDMMSG 307
#  define TB_NR_RT_SIGRETURN 15
#  define TB_NR_VFORK 58
#  define TB_NR_EXECVE 59
#  define TB_NR_EXIT 60
#  define TB_NR_EXIT_GROUP 231
#  define TB_NR_EXECVEAT 322
#  define TB_NR_FUTEX 202
#else
/* Numbers shared by newer architectures */
#  define TB_NR_READ 63
#  define TB_NR_WRITE 64
#  define TB_NR_READV 65
#  define TB_NR_WRITEV 66
#  define TB_NR_PREAD64 67
#  define TB_NR_PWRITE64 68
#  define TB_NR_PREADV 69
#  define TB_NR_PWRITEV 70
#  define TB_NR_PREADV2 286
#  define TB_NR_PWRITEV2 287
#  define TB_NR_SENDTO 206
#  define TB_NR_SENDMSG 211
#  define TB_NR_SENDMMSG 269
#  define TB_NR_EXIT 93
#  define TB_NR_EXIT_GROUP 94
#  define TB_NR_FUTEX 98
#  define TB_NR_RT_SIGRETURN 139
#  define TB_NR_EXECVE 221
#  define TB_NR_EXECVEAT 281
#endif
