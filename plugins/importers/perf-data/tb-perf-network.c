/* tb-perf-network.c: conversion of tracepoint records of sockets and network interfaces in a
 * perf.data file into network events, with the known addresses of each socket
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-network.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include "tb-perf-import-private.h"

/* Linux' numbers, which may differ from those of the importing machine. */
#define FAMILY_INET 2
#define FAMILY_INET6 10
#define STATE_ESTABLISHED 1
#define STATE_SYN_SENT 2
#define STATE_CLOSED 7
#define PROTOCOL_TCP 6
#define MAX_SOCKETS 65536

typedef struct
{
  guint64 address;
  guint32 local;
  guint32 remote;
} Socket;

struct _TbPerfSockets
{
  GHashTable *by_address; /* of Socket */
};

TbPerfSockets *
tb_perf_sockets_new (void)
{
  TbPerfSockets *self = g_new0 (TbPerfSockets, 1);

  self->by_address = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

void
tb_perf_sockets_free (TbPerfSockets *self)
{
  g_hash_table_unref (self->by_address);
  g_free (self);
}

static void
store_socket (TbPerfSockets *self, guint64 address, guint32 local, guint32 remote)
{
  Socket *socket = g_hash_table_lookup (self->by_address, &address);

  if (socket == NULL)
    {
      if (g_hash_table_size (self->by_address) >= MAX_SOCKETS)
        g_hash_table_remove_all (self->by_address);
      socket = g_new0 (Socket, 1);
      socket->address = address;
      g_hash_table_add (self->by_address, socket);
    }
  socket->local = local;
  socket->remote = remote;
}

static guint32
intern_protocol (TbPerfImport *import, guint protocol)
{
  static const struct
  {
    guint number;
    const char *name;
  } names[] = { { 1, "icmp" },    { 6, "tcp" },    { 17, "udp" },
                { 58, "icmpv6" }, { 132, "sctp" }, { 262, "mptcp" } };
  char digits[16];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].number == protocol)
      return tb_recorder_intern_string (import->recorder, names[i].name, -1);
  g_snprintf (digits, sizeof digits, "%u", protocol);
  return tb_recorder_intern_string (import->recorder, digits, -1);
}

static guint32
intern_address (TbPerfImport *import, gboolean is_v6, const guint8 *address, guint port)
{
  char host[INET6_ADDRSTRLEN];
  char text[INET6_ADDRSTRLEN + 16];

  if (inet_ntop (is_v6 ? AF_INET6 : AF_INET, address, host, sizeof host) == NULL)
    return TB_STRING_NONE;
  g_snprintf (text, sizeof text, is_v6 ? "[%s]:%u" : "%s:%u", host, port);
  return tb_recorder_intern_string (import->recorder, text, -1);
}

/* Adds the event with the known addresses of its socket. */
static void
add_event (TbPerfImport *import,
           guint8 kind,
           guint64 address,
           guint64 bytes,
           guint protocol,
           TbEvent *event)
{
  const Socket *socket = g_hash_table_lookup (import->sockets->by_address, &address);

  event->kind = kind;
  event->a = address;
  event->b = bytes;
  event->text = intern_protocol (import, protocol);
  event->text2 = socket != NULL ? socket->remote : TB_STRING_NONE;
  event->text3 = socket != NULL ? socket->local : TB_STRING_NONE;
  tb_perf_import_add (import, event);
}

enum
{
  STATE_SOCKET,
  STATE_OLD,
  STATE_NEW,
  STATE_LOCAL_PORT,
  STATE_REMOTE_PORT,
  STATE_FAMILY,
  STATE_PROTOCOL,
};
static const char *const state_fields[]
    = { "skaddr", "oldstate", "newstate", "sport", "dport", "family", "protocol", NULL };

static guint32
intern_endpoint (const TbPerfTracepoint *self,
                 TbPerfImport *import,
                 const char *v4,
                 const char *v6,
                 guint port,
                 const guint8 *raw,
                 gsize size)
{
  gboolean is_v6 = TB_PERF_NUMBER (self, STATE_FAMILY, raw, size, import->swap) == FAMILY_INET6;
  gsize length;
  const guint8 *address
      = tb_perf_field_get_bytes (tb_perf_format_find (self->format, is_v6 ? v6 : v4), raw, size,
                                 import->swap, &length);

  return length >= (is_v6 ? 16 : 4) ? intern_address (import, is_v6, address, port)
                                    : TB_STRING_NONE;
}

static void
decode_state (const TbPerfTracepoint *self,
              TbPerfImport *import,
              const guint8 *raw,
              gsize size,
              TbEvent *event)
{
  guint64 address = TB_PERF_NUMBER (self, STATE_SOCKET, raw, size, import->swap);
  gint64 before = TB_PERF_NUMBER (self, STATE_OLD, raw, size, import->swap);
  gint64 now = TB_PERF_NUMBER (self, STATE_NEW, raw, size, import->swap);
  guint local_port = TB_PERF_NUMBER (self, STATE_LOCAL_PORT, raw, size, import->swap);
  guint remote_port = TB_PERF_NUMBER (self, STATE_REMOTE_PORT, raw, size, import->swap);

  store_socket (import->sockets, address,
                intern_endpoint (self, import, "saddr", "saddr_v6", local_port, raw, size),
                intern_endpoint (self, import, "daddr", "daddr_v6", remote_port, raw, size));
  if (now == STATE_ESTABLISHED)
    add_event (import, before == STATE_SYN_SENT ? TB_EVENT_NET_CONNECT : TB_EVENT_NET_ACCEPT,
               address, 0, TB_PERF_NUMBER (self, STATE_PROTOCOL, raw, size, import->swap), event);
  else if (now == STATE_CLOSED)
    g_hash_table_remove (import->sockets->by_address, &address);
}

enum
{
  LENGTH_SOCKET,
  LENGTH_PROTOCOL,
  LENGTH_BYTES
};
static const char *const length_fields[] = { "sk", "protocol", "ret", NULL };

static void
decode_length (const TbPerfTracepoint *self,
               TbPerfImport *import,
               const guint8 *raw,
               gsize size,
               TbEvent *event)
{
  gint64 bytes = TB_PERF_NUMBER (self, LENGTH_BYTES, raw, size, import->swap);
  guint protocol = TB_PERF_NUMBER (self, LENGTH_PROTOCOL, raw, size, import->swap);

  /* These bytes were counted when they arrived, by tcp_probe. */
  if (bytes <= 0
      || (self->kind == TB_EVENT_NET_RECEIVE && protocol == PROTOCOL_TCP && import->has_probe))
    return;
  add_event (import, self->kind, TB_PERF_NUMBER (self, LENGTH_SOCKET, raw, size, import->swap),
             bytes, protocol, event);
}

enum
{
  READY_SOCKET,
  READY_PROTOCOL
};
static const char *const ready_fields[] = { "skaddr", "protocol", NULL };

static void
decode_ready (const TbPerfTracepoint *self,
              TbPerfImport *import,
              const guint8 *raw,
              gsize size,
              TbEvent *event)
{
  guint protocol = TB_PERF_NUMBER (self, READY_PROTOCOL, raw, size, import->swap);

  if (protocol == PROTOCOL_TCP && import->has_probe)
    return;
  add_event (import, TB_EVENT_NET_RECEIVE,
             TB_PERF_NUMBER (self, READY_SOCKET, raw, size, import->swap), 0, protocol, event);
}

enum
{
  PROBE_SOCKET,
  PROBE_LOCAL,
  PROBE_REMOTE,
  PROBE_BYTES,
  PROBE_LOCAL_PORT,
  PROBE_REMOTE_PORT
};
static const char *const probe_fields[]
    = { "skaddr", "saddr", "daddr", "data_len", "sport", "dport", NULL };

/* Reads an address from the kernel's sockaddr: family, port, then the four bytes of an IPv4
 * address, or four other bytes and the sixteen of an IPv6 address. */
static guint32
intern_socket_address (const TbPerfTracepoint *self,
                       TbPerfImport *import,
                       guint field,
                       guint port,
                       const guint8 *raw,
                       gsize size)
{
  gsize length;
  const guint8 *at
      = tb_perf_field_get_bytes (self->fields[field], raw, size, import->swap, &length);
  guint family = length >= 8 ? tb_perf_u16 (at, import->swap) : 0;

  if (family == FAMILY_INET)
    return intern_address (import, FALSE, at + 4, port);
  if (family == FAMILY_INET6 && length >= 24)
    return intern_address (import, TRUE, at + 8, port);
  return TB_STRING_NONE;
}

static void
decode_tcp_probe (const TbPerfTracepoint *self,
                  TbPerfImport *import,
                  const guint8 *raw,
                  gsize size,
                  TbEvent *event)
{
  guint64 address = TB_PERF_NUMBER (self, PROBE_SOCKET, raw, size, import->swap);
  guint64 bytes = TB_PERF_NUMBER (self, PROBE_BYTES, raw, size, import->swap);
  guint local_port = TB_PERF_NUMBER (self, PROBE_LOCAL_PORT, raw, size, import->swap);
  guint remote_port = TB_PERF_NUMBER (self, PROBE_REMOTE_PORT, raw, size, import->swap);

  store_socket (import->sockets, address,
                intern_socket_address (self, import, PROBE_LOCAL, local_port, raw, size),
                intern_socket_address (self, import, PROBE_REMOTE, remote_port, raw, size));
  if (bytes > 0)
    add_event (import, TB_EVENT_NET_RECEIVE, address, bytes, PROTOCOL_TCP, event);
}

enum
{
  PACKET_BYTES,
  PACKET_INTERFACE
};
static const char *const packet_fields[] = { "len", "name", NULL };

/* Packets at an interface, which have no socket. */
static void
decode_packet (const TbPerfTracepoint *self,
               TbPerfImport *import,
               const guint8 *raw,
               gsize size,
               TbEvent *event)
{
  const char *name;
  gsize length;

  name = tb_perf_field_get_text (self->fields[PACKET_INTERFACE], raw, size, import->swap, &length);
  event->kind = self->kind;
  event->b = TB_PERF_NUMBER (self, PACKET_BYTES, raw, size, import->swap);
  event->text3 = tb_recorder_intern_string (import->recorder, length > 0 ? name : NULL, length);
  tb_perf_import_add (import, event);
}

static const struct
{
  const char *system;
  const char *name;
  TbPerfHandler handler;
  const char *const *fields;
  guint8 kind;
} known[] = {
  { "sock", "inet_sock_set_state", decode_state, state_fields, 0 },
  { "sock", "sock_send_length", decode_length, length_fields, TB_EVENT_NET_SEND },
  { "sock", "sock_recv_length", decode_length, length_fields, TB_EVENT_NET_RECEIVE },
  { "sock", "sk_data_ready", decode_ready, ready_fields, 0 },
  { "tcp", "tcp_probe", decode_tcp_probe, probe_fields, 0 },
  { "net", "net_dev_queue", decode_packet, packet_fields, TB_EVENT_NET_SEND },
  { "net", "netif_receive_skb", decode_packet, packet_fields, TB_EVENT_NET_RECEIVE },
};

TbPerfTracepoint *
tb_perf_tracepoint_new_network (TbPerfImport *import, const TbPerfFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (!g_str_equal (format->system, known[i].system)
          || !g_str_equal (format->name, known[i].name))
        continue;
      if (known[i].handler == decode_packet
          && (known[i].kind == TB_EVENT_NET_SEND ? import->has_send : import->has_arrival))
        return NULL;
      if (import->sockets == NULL)
        import->sockets = tb_perf_sockets_new ();
      return tb_perf_tracepoint_new (format, known[i].handler, known[i].fields, known[i].kind, 0);
    }
  return NULL;
}
