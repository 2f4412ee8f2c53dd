/* tb-bpf-socket.h: records of messages and connections, filled in with addresses, names of unix
 * sockets and numbers of bytes; an arrived message is noted and emitted with the wake-up that it
 * causes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-common.h"

#include "tb-bpf-sources.h"
#include "tb-bpf-syscall.h"

#include <bpf/bpf_endian.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct in6_addr
{
  union
  {
    u8 u6_addr8[16];
  } in6_u;
};

struct sock_common
{
  __be32 skc_daddr;
  __be32 skc_rcv_saddr;
  __be16 skc_dport;
  u16 skc_num;
  unsigned short skc_family;
  unsigned char skc_state;
  struct in6_addr skc_v6_daddr;
  struct in6_addr skc_v6_rcv_saddr;
};

struct sk_buff
{
  struct sk_buff *next;
  struct sk_buff *prev;
  unsigned int len;
  u16 transport_header;
  u16 network_header;
  unsigned char *head;
  unsigned char *data;
};

struct sk_buff_head
{
  struct sk_buff *prev;
};

struct list_head
{
  struct list_head *next;
};

struct spinlock
{
  u8 unknown;
};

struct rt_mutex_base
{
  struct task_struct *owner;
};

/* For kernels with full preemption (PREEMPT_RT) */
struct spinlock___rt
{
  struct rt_mutex_base lock;
};

struct wait_queue_head
{
  struct spinlock lock;
  struct list_head head;
};

struct socket_wq
{
  struct wait_queue_head wait;
};

struct sock
{
  struct sock_common __sk_common;
  u16 sk_protocol;
  struct socket_wq *sk_wq;
  void *sk_user_data;
  struct sk_buff_head sk_receive_queue;
};

struct tcp_sock
{
  u32 rcv_nxt;
  u32 copied_seq;
  u64 bytes_received;
};

struct sockaddr_un
{
  char sun_path[108];
};

struct unix_address
{
  int len;
  struct sockaddr_un name[];
};

struct unix_sock
{
  struct unix_address *addr;
  struct sock *peer;
};

#pragma clang attribute pop

#define TB_AF_UNIX 1
#define TB_AF_INET 2
#define TB_AF_INET6 10
#define TB_IPPROTO_TCP 6
#define TB_IPPROTO_UDP 17

#define TB_TCP_ESTABLISHED 1
#define TB_TCP_SYN_SENT 2
#define TB_TCP_SYN_RECEIVED 3
#define TB_TCP_CLOSED 7
#define TB_TCP_LISTEN 10
#define TB_TCP_NEW_SYN_RECEIVED 12

/* As in TbCaptureNetworkKind */
#define TB_SEND 0
#define TB_RECEIVE 1
#define TB_CONNECT 2
#define TB_ACCEPT 3

/* A socket passed by a tracepoint can be accessed directly; one known only by address must be read
 * with a helper. trusted: a constant. */
#define TB_SOCKET_READ(socket, trusted, member)                                                    \
  ((trusted) ? (socket)->member : BPF_CORE_READ (socket, member))

/* Missing addresses are zero. */
static __always_inline void
tb_read_addresses (TbBpfNetwork *record, struct sock *sock, bool trusted)
{
  record->local_port = TB_SOCKET_READ (sock, trusted, __sk_common.skc_num);
  record->remote_port = bpf_ntohs (TB_SOCKET_READ (sock, trusted, __sk_common.skc_dport));
  if (record->family == TB_AF_INET6)
    {
      bpf_core_read (record->local, 16, &sock->__sk_common.skc_v6_rcv_saddr);
      bpf_core_read (record->remote, 16, &sock->__sk_common.skc_v6_daddr);
    }
  else
    {
      *(__be32 *) record->local = TB_SOCKET_READ (sock, trusted, __sk_common.skc_rcv_saddr);
      *(__be32 *) record->remote = TB_SOCKET_READ (sock, trusted, __sk_common.skc_daddr);
    }
  record->known = (record->local_port != 0 ? TB_BPF_NET_HAS_LOCAL : 0)
                  | (record->remote_port != 0 ? TB_BPF_NET_HAS_REMOTE : 0);
}

/* flags: the context as TbBpfFlags */
static __always_inline void
tb_fill_network (TbBpfNetwork *record,
                 const TbProgramContext *place,
                 u32 flags,
                 struct sock *sock,
                 bool trusted,
                 u32 kind,
                 u64 bytes)
{
  struct task_struct *task = bpf_get_current_task_btf ();

  __builtin_memset (record, 0, sizeof *record);
  tb_fill (&record->header, place, TB_BPF_NETWORK,
           (tb_is_target (task) ? TB_BPF_IS_TARGET : 0) | flags, task->pid, task->tgid);
  record->socket = (u64) sock;
  record->bytes = bytes;
  record->kind = kind;
  record->family = TB_SOCKET_READ (sock, trusted, __sk_common.skc_family);
  record->protocol = TB_SOCKET_READ (sock, trusted, sk_protocol);
  if (record->family == TB_AF_INET || record->family == TB_AF_INET6)
    tb_read_addresses (record, sock, trusted);
}

/* An address as programs write it; an IPv4 address stays IPv4 on an IPv6 socket. */
typedef struct
{
  u16 family;
  __be16 port;
  u8 rest[24];
} TbSocketAddress;

static __always_inline void
tb_set_remote (TbBpfNetwork *record, const TbSocketAddress *address)
{
  if (address->family == TB_AF_INET && record->family == TB_AF_INET6)
    {
      __builtin_memset (record->remote, 0, 10);
      record->remote[10] = record->remote[11] = 0xff;
      __builtin_memcpy (record->remote + 12, address->rest, 4);
    }
  else if (address->family == TB_AF_INET && record->family == TB_AF_INET)
    __builtin_memcpy (record->remote, address->rest, 4);
  else if (address->family == TB_AF_INET6 && record->family == TB_AF_INET6)
    __builtin_memcpy (record->remote, address->rest + 4, 16);
  else
    return;
  record->remote_port = bpf_ntohs (address->port);
  record->known |= TB_BPF_NET_HAS_REMOTE;
}

/* Reads the destination address from the running thread's call, if it has one. With several
 * messages in one call it is unknown which one this is. */
static __always_inline void
tb_read_destination (TbBpfNetwork *record)
{
  TbSocketAddress address = { 0 };
  const void *from = NULL;
  TbCall call;

  if (!tb_get_call (&call))
    return;
  if (call.number == TB_NR_SENDTO)
    from = (const void *) call.args[4];
  else if (call.number == TB_NR_SENDMSG || (call.number == TB_NR_SENDMMSG && call.args[2] == 1))
    bpf_probe_read_user (&from, sizeof from, (const void *) call.args[1]);
  else if (call.number == TB_NR_SENDMMSG)
    record->known &= ~TB_BPF_NET_HAS_REMOTE;
  if (from != NULL && bpf_probe_read_user (&address, sizeof address, from) == 0)
    tb_set_remote (record, &address);
  else if (from != NULL && bpf_probe_read_user (&address, 16, from) == 0)
    tb_set_remote (record, &address);
}

/* Reads the sender from the headers of the message received last. */
static __always_inline void
tb_read_origin (TbBpfNetwork *record, struct sock *sock)
{
  struct sk_buff *end
      = (struct sk_buff *) ((void *) sock + bpf_core_field_offset (struct sock, sk_receive_queue));
  struct sk_buff *message = BPF_CORE_READ (sock, sk_receive_queue.prev);
  TbSocketAddress address = { 0 };
  unsigned char *head, *network;
  u8 version = 0;

  if (message == NULL || message == end)
    return;
  head = BPF_CORE_READ (message, head);
  network = head + BPF_CORE_READ (message, network_header);
  bpf_probe_read_kernel (&version, 1, network);
  bpf_probe_read_kernel (&address.port, 2, head + BPF_CORE_READ (message, transport_header));
  if (version >> 4 == 4)
    {
      address.family = TB_AF_INET;
      bpf_probe_read_kernel (address.rest, 4, network + 12);
    }
  else if (version >> 4 == 6)
    {
      address.family = TB_AF_INET6;
      bpf_probe_read_kernel (address.rest + 4, 16, network + 8);
    }
  record->bytes = BPF_CORE_READ (message, len);
  /* The message may have been consumed meanwhile. */
  if (BPF_CORE_READ (sock, sk_receive_queue.prev) == message
      && BPF_CORE_READ (message, next) == end)
    tb_set_remote (record, &address);
  else
    record->bytes = 0;
}

/* Unix sockets: their names are long and are emitted when they change, by every CPU, so that they
 * are in the CPU's ring before the message. */
typedef struct
{
  u64 socket;
  u64 cpu;
} TbEmittedSocket;

struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 8192);
  __type (key, TbEmittedSocket);
  __type (value, u64);
} tb_emitted_sockets SEC (".maps");

static __always_inline u32
tb_read_unix_name (u8 *name, struct unix_address *address)
{
  u32 length;

  if (address == NULL)
    return 0;
  length = (u32) BPF_CORE_READ (address, len) - 2;
  if (length == 0 || length > TB_BPF_UNIX_PATH
      || bpf_probe_read_kernel (name, length,
                                (void *) address + bpf_core_field_offset (struct unix_address, name)
                                    + 2)
             != 0)
    return 0;
  return length;
}

static __always_inline void
tb_emit_unix_names (const TbProgramContext *place, struct sock *sock)
{
  struct unix_sock *unix_sock = (struct unix_sock *) sock, *peer;
  struct unix_address *local = BPF_CORE_READ (unix_sock, addr), *remote = NULL;
  TbEmittedSocket key = { (u64) sock, place->number };
  u64 emitted, *before;
  TbBpfUnixNames *record;

  peer = (struct unix_sock *) BPF_CORE_READ (unix_sock, peer);
  if (peer != NULL)
    remote = BPF_CORE_READ (peer, addr);
  emitted = ((u64) local << 1) ^ (u64) remote;
  before = bpf_map_lookup_elem (&tb_emitted_sockets, &key);
  if (before != NULL && *before == emitted)
    return;
  record = tb_reserve (place, sizeof *record);
  if (record == NULL)
    return;
  tb_fill (&record->header, place, TB_BPF_UNIX_NAMES, 0, 0, 0);
  record->socket = (u64) sock;
  record->local_length = tb_read_unix_name (record->local, local);
  record->remote_length = tb_read_unix_name (record->remote, remote);
  tb_submit (record);
  bpf_map_update_elem (&tb_emitted_sockets, &key, &emitted, BPF_ANY);
}

/* The number of bytes received over a connection since the last emitted message; not every message
 * is emitted. For a connection older than the recording the start is unknown, so only bytes not
 * consumed yet count. The count is made here and not by the reader of the rings, which gets records
 * of several CPUs in another order. */
static __always_inline u64
tb_count_received (struct sock *sock)
{
  struct tcp_sock *tcp = (struct tcp_sock *) sock;
  u64 key = (u64) sock, total, bytes, *last_total;
  u32 zero = 0;
  void *received = bpf_map_lookup_elem (&tb_received, &zero);

  if (received == NULL || !bpf_core_field_exists (tcp->bytes_received))
    return 0;
  total = BPF_CORE_READ (tcp, bytes_received);
  last_total = bpf_map_lookup_elem (received, &key);
  if (last_total != NULL && *last_total <= total)
    bytes = total - *last_total;
  else
    bytes = BPF_CORE_READ (tcp, rcv_nxt) - BPF_CORE_READ (tcp, copied_seq);
  if (last_total != NULL)
    *last_total = total;
  else
    bpf_map_update_elem (received, &key, &total, BPF_ANY);
  return bytes;
}

/* The socket may have belonged to another connection before. */
static __always_inline void
tb_begin_connection (struct sock *sock)
{
  u64 key = (u64) sock, none = 0;
  u32 zero = 0;
  void *received = bpf_map_lookup_elem (&tb_received, &zero);

  if (received != NULL)
    bpf_map_update_elem (received, &key, &none, BPF_ANY);
}

/* The lock of a socket's wait queue */
static __always_inline u64
tb_find_wait_lock (struct socket_wq *waiting)
{
  u64 lock = (u64) waiting + bpf_core_field_offset (struct socket_wq, wait)
             + bpf_core_field_offset (struct wait_queue_head, lock);

  if (bpf_core_field_exists (struct spinlock___rt, lock))
    lock += bpf_core_field_offset (struct spinlock___rt, lock)
            + bpf_core_field_offset (struct rt_mutex_base, owner);
  return lock;
}

/* If no thread waits, directly or through poll, none is woken. An exception is a socket of the
 * kernel itself, whose callback can do anything. */
static __always_inline void
tb_note_arrival (const TbProgramContext *place, struct sock *sock)
{
  u32 context = tb_get_context (place);
  TbBpfArrival *arrival = &place->cpu->arrived[context != 0];
  struct socket_wq *waiting = BPF_CORE_READ (sock, sk_wq);
  bool is_kernels = BPF_CORE_READ (sock, sk_user_data) != NULL;
  void *first = (void *) waiting + bpf_core_field_offset (struct socket_wq, wait)
                + bpf_core_field_offset (struct wait_queue_head, head);

  arrival->socket = 0;
  if (!is_kernels && (waiting == NULL || BPF_CORE_READ (waiting, wait.head.next) == first))
    return;
  arrival->lock = is_kernels ? 0 : tb_find_wait_lock (waiting);
  arrival->time = place->time;
  arrival->tid = bpf_get_current_task_btf ()->pid;
  arrival->context = context;
  arrival->socket = (u64) sock;
}

/* Whether the message received last causes the current wake-up. The lock of the socket's wait queue
 * is held only while its waiters are woken; other wake-ups in between, for instance by interrupts,
 * have other causes. */
static __always_inline bool
tb_causes_wakeup (TbBpfArrival *arrival, u32 context, struct task_struct *wakee)
{
  u32 held = 0;

  if (arrival->context != context || arrival->tid != bpf_get_current_task_btf ()->pid)
    return false;
  if (arrival->lock == 0)
    return (wakee->flags & PF_KTHREAD) != 0;
  bpf_probe_read_kernel (&held, sizeof held, (const void *) arrival->lock);
  if (held == 0)
    arrival->socket = 0;
  return held != 0;
}

/* A record must not enter a ring long after its time, because the agent has declared that time as
 * past. If the hypervisor took the CPU away between a message and its wake-up, the message is dated
 * this long before the wake-up. */
#define TB_MAX_ARRIVAL_AGE 1000000u

static __always_inline void
tb_emit_arrival (const TbProgramContext *place, u32 context, struct task_struct *wakee)
{
  TbBpfArrival *arrival = &place->cpu->arrived[context != 0];
  struct sock *sock = (struct sock *) arrival->socket;
  TbProgramContext event_context = *place;
  TbBpfNetwork *record;

  if (sock == NULL || !tb_causes_wakeup (arrival, context, wakee))
    return;
  arrival->socket = 0;
  if (BPF_CORE_READ (sock, __sk_common.skc_family) == TB_AF_UNIX)
    tb_emit_unix_names (place, sock);
  __sync_fetch_and_add (&place->cpu->n_lone_arrivals, -1);
  event_context.time = place->time - arrival->time <= TB_MAX_ARRIVAL_AGE
                           ? arrival->time
                           : place->time - TB_MAX_ARRIVAL_AGE;
  record = tb_reserve (place, sizeof *record);
  if (record == NULL)
    return;
  tb_fill_network (record, &event_context, context, sock, false, TB_RECEIVE, 0);
  if (record->family == TB_AF_INET || record->family == TB_AF_INET6)
    {
      if (record->protocol == TB_IPPROTO_UDP)
        tb_read_origin (record, sock);
      else if (record->protocol == TB_IPPROTO_TCP)
        record->bytes = tb_count_received (sock);
    }
  tb_submit (record);
}
