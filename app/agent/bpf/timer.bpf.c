/* timer.bpf.c: the interrupts of each cpu's own timer, which only some machines tell of
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-common.h"

static __always_inline void
send (u32 flags, int vector)
{
  struct task_struct *current = bpf_get_current_task_btf ();
  TbBpfInterrupt *record;
  TbPlace place;

  if (!tb_place (&place))
    return;
  if ((flags & TB_BPF_EXITING) == 0)
    __sync_fetch_and_add (&place.cpu->hardirqs, 1);
  else if (place.cpu->hardirqs > 0)
    __sync_fetch_and_add (&place.cpu->hardirqs, -1);
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return;
  tb_fill (&record->header, &place, TB_BPF_TIMER, flags, current->pid, current->tgid);
  record->number = (u32) vector;
  record->unused = 0;
  tb_submit (record);
}

SEC ("tp_btf/local_timer_entry")
int
BPF_PROG (on_timer_entry, int vector)
{
  send (0, vector);
  return 0;
}

SEC ("tp_btf/local_timer_exit")
int
BPF_PROG (on_timer_exit, int vector)
{
  send (TB_BPF_EXITING, vector);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
