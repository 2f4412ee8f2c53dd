/* tb-bpf-entry.h: return address of the function at whose entry a probe is, read from the registers
 * or the stack
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined __TARGET_ARCH_x86
struct pt_regs___user
{
  unsigned long sp;
  unsigned long ip;
};
#elif defined __TARGET_ARCH_arm64
struct pt_regs___user
{
  u64 regs[31];
  u64 pc;
};
#endif

#pragma clang attribute pop

/* Reads the return address. The function has executed no instruction yet, except a marker
 * (endbr64). */
static __always_inline u64
tb_read_site (void *context)
{
#if defined __TARGET_ARCH_x86
  const struct pt_regs___user *regs = context;
  u64 site = 0;

  bpf_probe_read_user (&site, sizeof site, (const void *) BPF_CORE_READ (regs, sp));
  return site;
#elif defined __TARGET_ARCH_arm64
  const struct pt_regs___user *regs = context;

  return BPF_CORE_READ (regs, regs[30]);
#else
  return 0;
#endif
}
