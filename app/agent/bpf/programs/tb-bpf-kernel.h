/* tb-bpf-kernel.h: declarations of the kernel structures that many BPF programs read (threads,
 * control groups, run queues, interrupt handlers); other headers declare those of files, sockets
 * and sleeps
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The types have only the members that are read; the kernel fills in their offsets when it loads a
 * program (preserve_access_index). A type whose name ends in three underscores and a word is a
 * flavour: an older or newer layout of the type before them, chosen with
 * bpf_core_field_exists().
 */

#pragma once

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct kernfs_node
{
  u64 id;
};

struct cgroup
{
  int level;
  struct kernfs_node *kn;
  struct cgroup *ancestors[];
};

struct css_set
{
  struct cgroup *dfl_cgrp;
};

struct rq;

struct cfs_rq
{
  struct rq *rq;
};

struct sched_entity
{
  struct cfs_rq *cfs_rq;
};

struct rq
{
  int cpu;
};

/* For kernels in which it is not a per-CPU variable */
struct thread_info
{
  int preempt_count;
};

struct mm_struct
{
  unsigned long start_stack;
};

struct task_struct
{
  struct thread_info thread_info;
  struct sched_entity se;
  int pid;
  int tgid;
  int exit_state;
  unsigned int flags;
  struct mm_struct *mm;
  unsigned int in_execve : 1;
  unsigned long nvcsw;
  unsigned long nivcsw;
  struct task_struct *group_leader;
  char comm[16];
  struct css_set *cgroups;
};

struct irqaction
{
  const char *name;
};

struct linux_binprm
{
  const char *filename;
};

#pragma clang attribute pop

#define PF_EXITING 0x00000004
#define PF_KTHREAD 0x00200000

/* Parts of preempt_count: a softirq is running (not only disabled), nesting depths of hard
 * interrupts and NMIs */
#define TB_SOFTIRQ_OFFSET 0x00000100u
#define TB_HARDIRQ_MASK 0x000f0000u
#define TB_NMI_MASK 0x00f00000u
