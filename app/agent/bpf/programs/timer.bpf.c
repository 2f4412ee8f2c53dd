/* timer.bpf.c: BPF programs that emit the interrupts of each CPU's local timer, which only some
 * machines report
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The programs are attached in the order of this file, and the machine may be so busy that many
 * interrupts come in between. The end precedes the beginning, so that no recorded beginning lacks
 * its end.
 */

#include "tb-bpf-interrupt.h"

SEC ("tp_btf/local_timer_exit")
int
BPF_PROG (on_timer_exit, int vector)
{
  TbBpfInterrupt *record;
  TbProgramContext place;
  u64 entered;

  if (!tb_read_program_context (&place))
    return 0;
  entered = tb_leave_irq (&place);
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill_interrupt (record, &place, TB_BPF_TIMER, entered, (u32) vector);
  tb_submit (record);
  return 0;
}

SEC ("tp_btf/local_timer_entry")
int
BPF_PROG (on_timer_entry, int vector)
{
  TbProgramContext place;

  if (tb_read_program_context (&place))
    tb_enter_irq (&place);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
