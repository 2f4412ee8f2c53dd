/* packets.bpf.c: BPF program at the tracepoint tcp_probe that emits data received over TCP, for
 * kernels before 6.3, which have no tracepoint for data at a socket
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-socket.h"

SEC ("tp_btf/tcp_probe")
int
BPF_PROG (on_packet, struct sock *sock, const struct sk_buff *packet)
{
  u32 header, length = BPF_CORE_READ (packet, len);
  TbBpfNetwork *record;
  TbProgramContext place;
  u8 words = 0;

  bpf_probe_read_kernel (&words, 1,
                         BPF_CORE_READ (packet, head) + BPF_CORE_READ (packet, transport_header)
                             + 12);
  header = (u32) (words >> 4) * 4;
  if (length <= header || !tb_read_program_context (&place))
    return 0;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill_network (record, &place, tb_get_context (&place), sock, true, TB_RECEIVE,
                   length - header);
  tb_submit (record);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
