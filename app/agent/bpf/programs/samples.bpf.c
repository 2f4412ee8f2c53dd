/* samples.bpf.c: BPF program that emits a sample of the running thread with its call stack, run by
 * a clock or a hardware counter
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples go into the same rings as all other events, so that stacks are sent once for both and
 * losses are counted in one place. A separate perf ring would cost a second buffer and a second
 * order of events, and its samples would repeat their stacks.
 */

#include "tb-bpf-common.h"

#include "tb-bpf-dump.h"
#include "tb-bpf-sources.h"

#include <linux/bpf_perf_event.h>

TB_BPF_SCRATCH (sample_scratch, TbBpfSample, TB_BPF_STACK_ROOM);

SEC ("perf_event")
int
on_sample (struct bpf_perf_event_data *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  struct sample_scratch_buffer *scratch = tb_scratch (&sample_scratch);
  bool user, kernel;
  TbProgramContext place;
  u32 n = 0;

  if (scratch == NULL || task->pid == 0 || tb_is_own (task) || !tb_is_target (task)
      || !tb_read_program_context (&place))
    return 0;
  tb_fill (&scratch->record.header, &place, TB_BPF_SAMPLE, TB_BPF_IS_TARGET, task->pid, task->tgid);
  scratch->record.weight = context->sample_period;
  scratch->record.stack = (TbBpfStack) { 0 };
  user = (config.stacks & TB_BPF_USER_STACKS) != 0 && (task->flags & PF_KTHREAD) == 0;
  kernel = (config.stacks & TB_BPF_KERNEL_STACKS) != 0;
  if (user)
    tb_dump_stack (&place, task);
  if (user || kernel)
    n = tb_get_stack (context, &place, &scratch->record.stack, scratch->rest, kernel, user);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (&place, &scratch->record.stack);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
