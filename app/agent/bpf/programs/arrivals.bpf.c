/* arrivals.bpf.c: BPF program that notes the arrival of data at a socket; scheduler.bpf.c emits it
 * as a received message together with the wake-up that it causes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The wake-up of the receiving thread follows directly, and the program for wake-ups emits the
 * message. A message that wakes no thread is only counted.
 */

#include "tb-bpf-socket.h"

SEC ("tp_btf/sk_data_ready")
int
BPF_PROG (on_ready, struct sock *sock)
{
  TbProgramContext place;

  if (!tb_read_program_context (&place))
    return 0;
  if (sock->__sk_common.skc_family == TB_AF_UNIX && !tb_is_target (bpf_get_current_task_btf ()))
    return 0;
  __sync_fetch_and_add (&place.cpu->n_lone_arrivals, 1);
  tb_note_arrival (&place, sock);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
