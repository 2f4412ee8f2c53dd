/* connections.bpf.c: BPF program that emits the steps in which a TCP connection is established:
 * connect, answer, accept
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-socket.h"

TB_BPF_SCRATCH (connection_scratch, TbBpfNetwork, TB_BPF_STACK_ROOM);

SEC ("tp_btf/inet_sock_set_state")
int
BPF_PROG (on_state, struct sock *sock, int before, int now)
{
  struct connection_scratch_buffer *scratch;
  struct task_struct *task;
  TbProgramContext place;
  u32 kind, n = 0;

  if (before == TB_TCP_CLOSED && now == TB_TCP_SYN_SENT)
    kind = TB_CONNECT;
  else if (before == TB_TCP_SYN_SENT && now == TB_TCP_ESTABLISHED)
    kind = TB_RECEIVE; /* the answer counts as a received message */
  else if ((before == TB_TCP_SYN_RECEIVED || before == TB_TCP_NEW_SYN_RECEIVED)
           && now == TB_TCP_ESTABLISHED)
    kind = TB_ACCEPT;
  else
    return 0;
  scratch = tb_scratch (&connection_scratch);
  if (scratch == NULL || !tb_read_program_context (&place))
    return 0;
  task = bpf_get_current_task_btf ();
  if (kind != TB_RECEIVE)
    tb_begin_connection (sock);
  tb_fill_network (&scratch->record, &place, tb_get_context (&place), sock, true, kind, 0);
  if (kind == TB_CONNECT && (config.stacks & TB_BPF_USER_STACKS) != 0 && tb_is_target (task)
      && !tb_is_own (task))
    n = tb_get_stack (ctx, &place, &scratch->record.stack, scratch->rest, false, true);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (&place, &scratch->record.stack);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
