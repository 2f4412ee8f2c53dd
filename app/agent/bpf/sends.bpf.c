/* sends.bpf.c: messages that are sent
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-socket.h"

TB_BPF_SCRATCH (send_scratch, TbBpfNetwork, TB_BPF_MAX_WORDS * 8);

SEC ("tp_btf/sock_send_length")
int
BPF_PROG (on_send, struct sock *sock, int sent, int flags)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  struct send_scratch_buffer *scratch = tb_scratch (&send_scratch);
  bool target = tb_is_target (task);
  TbPlace place;
  u32 n = 0;

  if (sent <= 0 || scratch == NULL || !tb_place (&place))
    return 0;
  tb_fill_network (&scratch->record, &place, task, sock, TB_SEND, (u32) sent);
  if (scratch->record.family == TB_AF_UNIX)
    {
      if (!target)
        return 0;
      tb_tell_unix_names (&place, sock);
    }
  else if (scratch->record.protocol == TB_IPPROTO_UDP)
    tb_read_destination (&scratch->record);
  if (target && (config.stacks & TB_BPF_USER_STACKS) != 0 && (task->flags & PF_KTHREAD) == 0
      && !tb_is_own (task))
    n = tb_get_stack (ctx, &place, &scratch->record.stack, scratch->rest, false, true);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_keep_stack (&place, &scratch->record.stack);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
