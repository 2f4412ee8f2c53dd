/* tb-bpf-interrupt.h: entry times of the nested hard interrupts of a CPU, from which the records of
 * interrupts are filled in
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-common.h"

_Static_assert ((TB_BPF_IRQ_DEPTH & (TB_BPF_IRQ_DEPTH - 1)) == 0, "a mask is made of it");

/* The entry time at a nesting depth; NULL beyond the supported depth. Verifiers of older kernels do
 * not accept a comparison as a bound of an index, only a mask. The compiler must not recognize the
 * mask as redundant. */
static __always_inline u64 *
tb_get_entered (const TbProgramContext *place, u64 depth)
{
  if (depth >= TB_BPF_IRQ_DEPTH)
    return NULL;
  __asm__ volatile ("" : "+r"(depth));
  return &place->cpu->irq_entered[depth & (TB_BPF_IRQ_DEPTH - 1)];
}

static __always_inline void
tb_enter_irq (const TbProgramContext *place)
{
  u64 *entered = tb_get_entered (place, __sync_fetch_and_add (&place->cpu->hardirqs, 1));

  if (entered != NULL)
    *entered = place->time;
}

/* The entry time of the innermost hard interrupt, 0: unknown */
static __always_inline u64
tb_leave_irq (const TbProgramContext *place)
{
  u32 depth = place->cpu->hardirqs;
  u64 *entered;

  place->cpu->raised = place->cpu->emitted_raised = place->time;
  if (depth == 0)
    return 0;
  depth--;
  place->cpu->hardirqs = depth;
  entered = tb_get_entered (place, depth);
  return entered != NULL ? *entered : 0;
}

static __always_inline void
tb_fill_interrupt (TbBpfInterrupt *record,
                   const TbProgramContext *place,
                   u32 type,
                   u64 entered,
                   u32 number)
{
  struct task_struct *current = bpf_get_current_task_btf ();

  tb_fill (&record->header, place, type, 0, current->pid, current->tgid);
  record->entered = entered;
  record->number = number;
  record->unused = 0;
}
