/* interrupts.bpf.c: hard interrupts and softirqs
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One record is emitted at the end of each interrupt. Softirqs can be as many as a server's
 * messages, so those that were short and had no consequences (no wake-up and no completed request)
 * are only counted.
 */

#include "tb-bpf-interrupt.h"

/* A softirq that begins within this time after a hard interrupt counts as raised by it. Readers of
 * the records use the same rule. */
#define RAISED_WITHIN 20000u

SEC ("tp_btf/irq_handler_entry")
int
BPF_PROG (on_irq_entry, int irq, struct irqaction *action)
{
  TbPlace place;

  if (tb_place (&place))
    tb_enter_irq (&place);
  return 0;
}

SEC ("tp_btf/irq_handler_exit")
int
BPF_PROG (on_irq_exit, int irq, struct irqaction *action, int result)
{
  TbBpfIrq *record;
  TbPlace place;
  u64 entered;

  if (!tb_place (&place))
    return 0;
  entered = tb_leave_irq (&place);
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill_interrupt (&record->interrupt, &place, TB_BPF_IRQ, entered, (u32) irq);
  __builtin_memset (record->name, 0, sizeof record->name);
  bpf_probe_read_kernel_str (record->name, sizeof record->name, action->name);
  tb_submit (record);
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
  place.cpu->softirq_entered = place.time;
  place.cpu->softirq_consequences = place.cpu->consequences;
  return 0;
}

static __always_inline void
tell_softirq (const TbPlace *place, u64 entered, u32 vector)
{
  TbBpfInterrupt *record = tb_reserve (place, sizeof *record);

  if (record == NULL)
    return;
  tb_fill_interrupt (record, place, TB_BPF_SOFTIRQ, entered, vector);
  tb_submit (record);
}

static __always_inline void
omit_softirq (const TbPlace *place, u64 entered, u32 vector, bool was_raised)
{
  TbBpfCpu *cpu = place->cpu;
  TbBpfOmitted *omitted = &cpu->softirqs_omitted[vector & (TB_BPF_N_SOFTIRQS - 1)];

  omitted->count++;
  omitted->time += place->time - entered;
  if (!was_raised)
    return;
  cpu->raised = place->time;
  cpu->held_entered = entered;
  cpu->held_exited = place->time;
  cpu->held_vector = vector;
}

/* Emits a softirq that was only counted, if it lies between a hard interrupt and the softirq to be
 * emitted and connects the two. */
static __always_inline void
tell_held (const TbPlace *place)
{
  TbBpfCpu *cpu = place->cpu;
  TbBpfOmitted *omitted = &cpu->softirqs_omitted[cpu->held_vector & (TB_BPF_N_SOFTIRQS - 1)];
  TbPlace then = *place;

  then.time = cpu->held_exited;
  omitted->count--;
  omitted->time -= cpu->held_exited - cpu->held_entered;
  tell_softirq (&then, cpu->held_entered, cpu->held_vector);
}

SEC ("tp_btf/softirq_exit")
int
BPF_PROG (on_softirq_exit, unsigned int vector)
{
  bool was_raised;
  TbBpfCpu *cpu;
  TbPlace place;
  u64 entered;

  if (!tb_place (&place))
    return 0;
  cpu = place.cpu;
  entered = cpu->softirq_entered;
  cpu->softirqs = 0;
  cpu->softirq_entered = 0;
  was_raised = entered != 0 && entered - cpu->raised <= RAISED_WITHIN;
  if (entered != 0 && cpu->consequences == cpu->softirq_consequences
      && place.time - entered < config.short_softirq)
    {
      omit_softirq (&place, entered, vector, was_raised);
      return 0;
    }
  if (was_raised && entered - cpu->told_raised > RAISED_WITHIN && cpu->held_entered > cpu->told_raised)
    tell_held (&place);
  if (was_raised)
    cpu->raised = cpu->told_raised = place.time;
  tell_softirq (&place, entered, vector);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
