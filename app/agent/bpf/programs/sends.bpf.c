/* sends.bpf.c: BPF program that emits the messages sent through sockets
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Without stacks: the next switch of the thread, or the wake-up at the receiver, contains the
 * stack.
 */

#include "tb-bpf-socket.h"

SEC ("tp_btf/sock_send_length")
int
BPF_PROG (on_send, struct sock *sock, int sent, int flags)
{
  bool is_unix = sock->__sk_common.skc_family == TB_AF_UNIX;
  TbBpfNetwork *record;
  TbProgramContext place;

  if (sent <= 0 || (is_unix && !tb_is_target (bpf_get_current_task_btf ()))
      || !tb_read_program_context (&place))
    return 0;
  if (is_unix)
    tb_emit_unix_names (&place, sock);
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill_network (record, &place, 0, sock, true, TB_SEND, (u32) sent);
  if (record->protocol == TB_IPPROTO_UDP && record->family != TB_AF_UNIX)
    tb_read_destination (record);
  tb_submit (record);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
