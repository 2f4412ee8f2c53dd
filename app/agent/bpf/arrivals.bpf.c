/* arrivals.bpf.c: messages that arrive
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-socket.h"

typedef struct
{
  u64 socket;
  u64 bytes;
} Arrival;

/* What came last over TCP on a cpu: that its data are ready is told right after. */
struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, Arrival);
} tb_arrivals SEC (".maps");

SEC ("tp_btf/tcp_probe")
int
BPF_PROG (on_packet, struct sock *sock, const struct sk_buff *packet)
{
  u32 zero = 0, header, length;
  Arrival *arrival = bpf_map_lookup_elem (&tb_arrivals, &zero);
  u8 words = 0;

  if (arrival == NULL)
    return 0;
  bpf_probe_read_kernel (&words, 1,
                         BPF_CORE_READ (packet, head) + BPF_CORE_READ (packet, transport_header) + 12);
  header = (u32) (words >> 4) * 4;
  length = BPF_CORE_READ (packet, len);
  arrival->socket = (u64) sock;
  arrival->bytes = length > header ? length - header : 0;
  return 0;
}

SEC ("tp_btf/sk_data_ready")
int
BPF_PROG (on_ready, struct sock *sock)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  u32 zero = 0;
  Arrival *arrival = bpf_map_lookup_elem (&tb_arrivals, &zero);
  TbBpfNetwork *record;
  TbPlace place;
  u64 bytes = 0;

  if (arrival == NULL || !tb_place (&place))
    return 0;
  if (arrival->socket == (u64) sock)
    bytes = arrival->bytes;
  arrival->socket = 0;
  if (BPF_CORE_READ (sock, __sk_common.skc_family) == TB_AF_UNIX)
    {
      if (!tb_is_target (task))
        return 0;
      tb_tell_unix_names (&place, sock);
    }
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill_network (record, &place, task, sock, TB_RECEIVE, bytes);
  if ((record->family == TB_AF_INET || record->family == TB_AF_INET6) && record->protocol == TB_IPPROTO_UDP)
    tb_read_origin (record, sock);
  tb_submit (record);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
