/* interrupts.bpf.c: what devices and deferred work take of a cpu
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-common.h"

static __always_inline void
send (const TbPlace *place, u32 type, u32 flags, u32 number)
{
  struct task_struct *current = bpf_get_current_task_btf ();
  TbBpfInterrupt *record = tb_reserve (place, sizeof *record);

  if (record == NULL)
    return;
  tb_fill (&record->header, place, type, flags, current->pid, current->tgid);
  record->number = number;
  record->unused = 0;
  tb_submit (record);
}

SEC ("tp_btf/irq_handler_entry")
int
BPF_PROG (on_irq_entry, int irq, struct irqaction *action)
{
  struct task_struct *current = bpf_get_current_task_btf ();
  TbBpfIrqEntry *record;
  TbPlace place;

  if (!tb_place (&place))
    return 0;
  __sync_fetch_and_add (&place.cpu->hardirqs, 1);
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill (&record->interrupt.header, &place, TB_BPF_IRQ, 0, current->pid, current->tgid);
  record->interrupt.number = (u32) irq;
  record->interrupt.unused = 0;
  __builtin_memset (record->name, 0, sizeof record->name);
  bpf_probe_read_kernel_str (record->name, sizeof record->name, action->name);
  tb_submit (record);
  return 0;
}

SEC ("tp_btf/irq_handler_exit")
int
BPF_PROG (on_irq_exit, int irq, struct irqaction *action, int result)
{
  TbPlace place;

  if (!tb_place (&place))
    return 0;
  if (place.cpu->hardirqs > 0)
    __sync_fetch_and_add (&place.cpu->hardirqs, -1);
  send (&place, TB_BPF_IRQ, TB_BPF_EXITING, (u32) irq);
  return 0;
}

SEC ("tp_btf/softirq_entry")
int
BPF_PROG (on_softirq_entry, unsigned int vector)
{
  TbPlace place;

  if (!tb_place (&place))
    return 0;
  place.cpu->softirqs = 1;
  send (&place, TB_BPF_SOFTIRQ, 0, vector);
  return 0;
}

SEC ("tp_btf/softirq_exit")
int
BPF_PROG (on_softirq_exit, unsigned int vector)
{
  TbPlace place;

  if (!tb_place (&place))
    return 0;
  place.cpu->softirqs = 0;
  send (&place, TB_BPF_SOFTIRQ, TB_BPF_EXITING, vector);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
