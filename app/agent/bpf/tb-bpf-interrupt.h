/* tb-bpf-interrupt.h: how long the hard interrupts of a cpu take
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-common.h"

static __always_inline void
tb_enter_irq (const TbPlace *place)
{
  u32 depth = __sync_fetch_and_add (&place->cpu->hardirqs, 1);

  if (depth < TB_BPF_IRQ_DEPTH)
    place->cpu->irq_entered[depth] = place->time;
}

/* When the innermost was entered, 0 not known. */
static __always_inline u64
tb_leave_irq (const TbPlace *place)
{
  u32 depth = place->cpu->hardirqs;

  place->cpu->raised = place->cpu->told_raised = place->time;
  if (depth == 0)
    return 0;
  depth--;
  place->cpu->hardirqs = depth;
  return depth < TB_BPF_IRQ_DEPTH ? place->cpu->irq_entered[depth] : 0;
}

static __always_inline void
tb_fill_interrupt (TbBpfInterrupt *record, const TbPlace *place, u32 type, u64 entered, u32 number)
{
  struct task_struct *current = bpf_get_current_task_btf ();

  tb_fill (&record->header, place, type, 0, current->pid, current->tgid);
  record->entered = entered;
  record->number = number;
  record->unused = 0;
}
