/* tb-agent-perf-sockets.c: translation of the socket tracepoints of perf into messages and
 * connections of the capture stream; texts of addresses and protocols, also for BPF records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "agent/perf/tb-agent-perf-sockets.h"

/* TCP states, as the kernel numbers them */
#define ESTABLISHED 1
#define SYN_SENT 2
#define SYN_RECEIVED 3
#define CLOSED 7
#define NEW_SYN_RECEIVED 12

#define MAX_SOCKETS (1u << 16)

typedef enum
{
  STATE_SOCKET,
  STATE_OLD,
  STATE_NEW,
  STATE_FAMILY,
  STATE_PROTOCOL,
  STATE_LOCAL_PORT,
  STATE_REMOTE_PORT,
  STATE_LOCAL,
  STATE_REMOTE,
  STATE_LOCAL_V6,
  STATE_REMOTE_V6,
} StateField;

static uint64_t
read_field (const TbAgent *self,
            TbAgentEvent event,
            unsigned field,
            const uint8_t *raw,
            size_t size)
{
  return tb_agent_field_read (&self->perf.setup[event].fields[field], raw, size);
}

static const uint8_t *
get_bytes (const TbAgent *self,
           TbAgentEvent event,
           unsigned field,
           const uint8_t *raw,
           size_t size,
           size_t needed)
{
  const TbAgentField *place = &self->perf.setup[event].fields[field];

  return place->size >= needed && (size_t) place->offset + needed <= size ? raw + place->offset
                                                                          : NULL;
}

uint32_t
tb_agent_sockets_intern_protocol (TbAgent *self, uint64_t family, uint64_t protocol)
{
  char text[32];

  if (family == AF_INET || family == AF_INET6)
    switch (protocol)
      {
      case IPPROTO_TCP:
        return tb_agent_output_intern_string (self->output, "tcp", 3);
      case IPPROTO_UDP:
        return tb_agent_output_intern_string (self->output, "udp", 3);
      case IPPROTO_ICMP:
      case IPPROTO_ICMPV6:
        return tb_agent_output_intern_string (self->output, "icmp", 4);
      case IPPROTO_SCTP:
        return tb_agent_output_intern_string (self->output, "sctp", 4);
      case IPPROTO_RAW:
        return tb_agent_output_intern_string (self->output, "raw", 3);
      default:
        snprintf (text, sizeof text, "ip-%u", (unsigned) protocol);
        return tb_agent_output_intern_string (self->output, text, strlen (text));
      }
  if (family == AF_UNIX)
    return tb_agent_output_intern_string (self->output, "unix", 4);
  if (family == AF_NETLINK)
    return tb_agent_output_intern_string (self->output, "netlink", 7);
  if (family == AF_VSOCK)
    return tb_agent_output_intern_string (self->output, "vsock", 5);
  if (family == AF_PACKET)
    return tb_agent_output_intern_string (self->output, "packet", 6);
  snprintf (text, sizeof text, "family-%u", (unsigned) family);
  return tb_agent_output_intern_string (self->output, text, strlen (text));
}

uint32_t
tb_agent_sockets_intern_address (TbAgent *self, int family, const uint8_t *address, unsigned port)
{
  char host[INET6_ADDRSTRLEN], text[INET6_ADDRSTRLEN + 16];

  if (address == NULL || inet_ntop (family, address, host, sizeof host) == NULL)
    return 0;
  /* An IPv4-mapped IPv6 address is written as IPv4. */
  if (family == AF_INET6 && strncmp (host, "::ffff:", 7) == 0 && strchr (host, '.') != NULL)
    snprintf (text, sizeof text, "%s:%u", host + 7, port);
  else
    snprintf (text, sizeof text, family == AF_INET6 ? "[%s]:%u" : "%s:%u", host, port);
  return tb_agent_output_intern_string (self->output, text, strlen (text));
}

static void
remember (TbAgent *self, uint64_t socket, uint32_t local, uint32_t remote)
{
  /* The age of entries is not tracked. Clearing the table loses some addresses until they occur
   * again. */
  if (self->sockets.n_used >= MAX_SOCKETS)
    tb_agent_map_clear (&self->sockets);
  tb_agent_map_put (&self->sockets, socket, (uint64_t) local << 32 | remote);
}

static void
add_addresses (TbAgent *self, TbCaptureRecord *record)
{
  const uint64_t *known = tb_agent_map_get (&self->sockets, record->network.socket);

  if (known == NULL)
    return;
  record->network.local = (uint32_t) (*known >> 32);
  record->network.remote = (uint32_t) *known;
}

/* Reads a sockaddr as tcp_probe contains it. */
static uint32_t
intern_socket_address (TbAgent *self, const uint8_t *bytes)
{
  uint16_t family, port;

  if (bytes == NULL)
    return 0;
  memcpy (&family, bytes, sizeof family);
  memcpy (&port, bytes + 2, sizeof port);
  if (family == AF_INET)
    return tb_agent_sockets_intern_address (self, AF_INET, bytes + 4, ntohs (port));
  return family == AF_INET6
             ? tb_agent_sockets_intern_address (self, AF_INET6, bytes + 8, ntohs (port))
             : 0;
}

static void
translate_probe (TbAgent *self,
                 TbAgentRing *ring,
                 TbCaptureRecord *record,
                 const uint8_t *raw,
                 size_t size)
{
  uint64_t socket = read_field (self, TB_AGENT_TCP_PROBE, 0, raw, size);
  uint64_t bytes = read_field (self, TB_AGENT_TCP_PROBE, 1, raw, size);

  ring->probe_socket = socket;
  ring->probe_bytes = (uint32_t) bytes;
  if (socket != 0 && tb_agent_map_get (&self->sockets, socket) == NULL)
    remember (self, socket,
              intern_socket_address (self, get_bytes (self, TB_AGENT_TCP_PROBE, 3, raw, size, 28)),
              intern_socket_address (self, get_bytes (self, TB_AGENT_TCP_PROBE, 4, raw, size, 28)));
  /* Older kernels have no event for data that are ready; there this event is the arrival. */
  if (self->perf.setup[TB_AGENT_SOCK_DATA_READY].wanted || bytes == 0)
    return;
  record->type = TB_CAPTURE_NETWORK;
  record->network.kind = TB_CAPTURE_NET_RECEIVE;
  record->network.socket = socket;
  record->network.bytes = bytes;
  record->network.protocol = tb_agent_output_intern_string (self->output, "tcp", 3);
}

static void
translate_state (TbAgent *self, TbCaptureRecord *record, const uint8_t *raw, size_t size)
{
  TbAgentEvent event = TB_AGENT_SOCK_STATE;
  uint64_t socket = read_field (self, event, STATE_SOCKET, raw, size);
  uint64_t family = read_field (self, event, STATE_FAMILY, raw, size);
  int old = (int) read_field (self, event, STATE_OLD, raw, size);
  int new = (int) read_field (self, event, STATE_NEW, raw, size);

  if (new == CLOSED)
    tb_agent_map_remove (&self->sockets, socket);
  else if (new == SYN_SENT || new == ESTABLISHED)
    {
      int v6 = family == AF_INET6;
      size_t length = v6 ? 16 : 4;

      remember (self, socket,
                tb_agent_sockets_intern_address (
                    self, v6 ? AF_INET6 : AF_INET,
                    get_bytes (self, event, v6 ? STATE_LOCAL_V6 : STATE_LOCAL, raw, size, length),
                    (unsigned) read_field (self, event, STATE_LOCAL_PORT, raw, size)),
                tb_agent_sockets_intern_address (
                    self, v6 ? AF_INET6 : AF_INET,
                    get_bytes (self, event, v6 ? STATE_REMOTE_V6 : STATE_REMOTE, raw, size, length),
                    (unsigned) read_field (self, event, STATE_REMOTE_PORT, raw, size)));
    }
  /* The answer to a connect counts as a received message. */
  if (old == CLOSED && new == SYN_SENT)
    record->network.kind = TB_CAPTURE_NET_CONNECT;
  else if (old == SYN_SENT && new == ESTABLISHED)
    record->network.kind = TB_CAPTURE_NET_RECEIVE;
  else if ((old == SYN_RECEIVED || old == NEW_SYN_RECEIVED) && new == ESTABLISHED)
    record->network.kind = TB_CAPTURE_NET_ACCEPT;
  else
    return;
  record->type = TB_CAPTURE_NETWORK;
  record->network.socket = socket;
  record->network.protocol
      = tb_agent_sockets_intern_protocol (self, family,
                                          read_field (self, event, STATE_PROTOCOL, raw, size));
}

void
tb_agent_sockets_translate (TbAgent *self,
                            TbAgentRing *ring,
                            TbAgentEvent event,
                            TbCaptureRecord *record,
                            const uint8_t *raw,
                            size_t size)
{
  uint64_t family, sent;

  switch ((int) event)
    {
    case TB_AGENT_TCP_PROBE:
      translate_probe (self, ring, record, raw, size);
      break;

    case TB_AGENT_SOCK_STATE:
      translate_state (self, record, raw, size);
      break;

    case TB_AGENT_SOCK_SEND:
      family = read_field (self, event, 1, raw, size);
      sent = read_field (self, event, 3, raw, size);
      /* Within a machine the wake-ups contain the same information. */
      if (family == AF_UNIX || (int64_t) sent <= 0)
        return;
      record->type = TB_CAPTURE_NETWORK;
      record->network.kind = TB_CAPTURE_NET_SEND;
      record->network.socket = read_field (self, event, 0, raw, size);
      record->network.bytes = sent;
      record->network.protocol
          = tb_agent_sockets_intern_protocol (self, family, read_field (self, event, 2, raw, size));
      break;

    default:
      family = read_field (self, event, 1, raw, size);
      if (family == AF_UNIX)
        return;
      record->type = TB_CAPTURE_NETWORK;
      record->network.kind = TB_CAPTURE_NET_RECEIVE;
      record->network.socket = read_field (self, event, 0, raw, size);
      if (record->network.socket == ring->probe_socket)
        record->network.bytes = ring->probe_bytes;
      ring->probe_socket = 0;
      record->network.protocol
          = tb_agent_sockets_intern_protocol (self, family, read_field (self, event, 2, raw, size));
      break;
    }
  if (record->type != 0)
    add_addresses (self, record);
}
