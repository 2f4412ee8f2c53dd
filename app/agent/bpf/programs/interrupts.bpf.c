/* interrupts.bpf.c: BPF programs that emit one record for each hard interrupt and softirq, at its
 * end, with the time of its beginning; short softirqs without consequences are only counted
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One record is emitted at the end of each interrupt. Softirqs can be as many as a server's
 * messages, so those that were short and had no consequences (no wake-up and no completed request)
 * are only counted.
 *
 * The programs are attached in the order of this file, and the machine may be so busy that many
 * interrupts come in between. The end of a hard interrupt precedes its beginning, so that no
 * recorded beginning lacks its end.
 */

#include "tb-bpf-interrupt.h"

/* A softirq that begins within this time after a hard interrupt counts as raised by it. Readers of
 * the records use the same rule. */
#define RAISE_WINDOW_NS 20000u

SEC ("tp_btf/irq_handler_exit")
int
BPF_PROG (on_irq_exit, int irq, struct irqaction *action, int result)
{
  TbBpfIrq *record;
  TbProgramContext place;
  u64 entered;

  if (!tb_read_program_context (&place))
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

SEC ("tp_btf/irq_handler_entry")
int
BPF_PROG (on_irq_entry, int irq, struct irqaction *action)
{
  TbProgramContext place;

  if (tb_read_program_context (&place))
    tb_enter_irq (&place);
  return 0;
}

SEC ("tp_btf/softirq_entry")
int
BPF_PROG (on_softirq_entry, unsigned int vector)
{
  TbProgramContext place;

  if (!tb_read_program_context (&place))
    return 0;
  place.cpu->softirqs = 1;
  place.cpu->softirq_entered = place.time;
  place.cpu->softirq_effects = place.cpu->n_effects;
  return 0;
}

static __always_inline void
emit_softirq (const TbProgramContext *place, u64 entered, u32 vector)
{
  TbBpfInterrupt *record = tb_reserve (place, sizeof *record);

  if (record == NULL)
    return;
  tb_fill_interrupt (record, place, TB_BPF_SOFTIRQ, entered, vector);
  tb_submit (record);
}

static __always_inline void
count_softirq (const TbProgramContext *place, u64 entered, u32 vector, bool was_raised)
{
  TbBpfCpu *cpu = place->cpu;
  TbBpfCounter *counter = &cpu->softirq_counters[vector & (TB_BPF_N_SOFTIRQS - 1)];

  counter->count++;
  counter->time += place->time - entered;
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
emit_held (const TbProgramContext *place)
{
  TbBpfCpu *cpu = place->cpu;
  TbBpfCounter *counter = &cpu->softirq_counters[cpu->held_vector & (TB_BPF_N_SOFTIRQS - 1)];
  TbProgramContext event_context = *place;

  event_context.time = cpu->held_exited;
  counter->count--;
  counter->time -= cpu->held_exited - cpu->held_entered;
  emit_softirq (&event_context, cpu->held_entered, cpu->held_vector);
}

SEC ("tp_btf/softirq_exit")
int
BPF_PROG (on_softirq_exit, unsigned int vector)
{
  bool was_raised;
  TbBpfCpu *cpu;
  TbProgramContext place;
  u64 entered;

  if (!tb_read_program_context (&place))
    return 0;
  cpu = place.cpu;
  entered = cpu->softirq_entered;
  cpu->softirqs = 0;
  cpu->softirq_entered = 0;
  was_raised = entered != 0 && entered - cpu->raised <= RAISE_WINDOW_NS;
  if (entered != 0 && cpu->n_effects == cpu->softirq_effects
      && place.time - entered < config.short_softirq)
    {
      count_softirq (&place, entered, vector, was_raised);
      return 0;
    }
  if (was_raised && entered - cpu->emitted_raised > RAISE_WINDOW_NS
      && cpu->held_entered > cpu->emitted_raised)
    emit_held (&place);
  if (was_raised)
    cpu->raised = cpu->emitted_raised = place.time;
  emit_softirq (&place, entered, vector);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
