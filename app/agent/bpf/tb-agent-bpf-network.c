/* tb-agent-bpf-network.c: translation of messages and connections from records of BPF programs,
 * with the addresses of their sockets, into records of the capture stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>
#include <sys/socket.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/perf/tb-agent-perf-sockets.h"

#define MAX_SOCKETS (1u << 16)

static uint32_t
intern_unix_name (TbAgent *self, const uint8_t *name, uint32_t length)
{
  char text[TB_BPF_UNIX_PATH + 1];

  if (length == 0 || length > TB_BPF_UNIX_PATH)
    return 0;
  memcpy (text, name, length);
  /* The name of an abstract socket begins with a NUL and may contain more of them. */
  if (text[0] == '\0')
    for (uint32_t i = 0; i < length; i++)
      text[i] = i == 0 || text[i] == '\0' ? '@' : text[i];
  else
    length = (uint32_t) strnlen (text, length);
  return tb_agent_output_intern_string (self->output, text, length);
}

static void
note_unix_names (TbAgent *self, const TbBpfUnixNames *in, size_t size)
{
  TbAgentMap *names = &self->bpf->unix_names;
  uint64_t local, remote;

  if (size < sizeof *in)
    return;
  local = intern_unix_name (self, in->local, in->local_length);
  remote = intern_unix_name (self, in->remote, in->remote_length);
  if (names->n_used >= MAX_SOCKETS)
    tb_agent_map_clear (names);
  tb_agent_map_put (names, in->socket, local << 32 | remote);
}

static int
match_addresses (const TbAgentBpfAddresses *addresses, const TbBpfNetwork *in)
{
  return addresses->socket == in->socket && addresses->family == in->family
         && addresses->protocol == in->protocol && addresses->known == in->known
         && addresses->local_port == in->local_port && addresses->remote_port == in->remote_port
         && memcmp (addresses->local, in->local, sizeof in->local) == 0
         && memcmp (addresses->remote, in->remote, sizeof in->remote) == 0;
}

static TbAgentBpfAddresses
intern_addresses (TbAgent *self, const TbBpfNetwork *in)
{
  TbAgentBpfAddresses addresses = { .socket = in->socket,
                                    .local_port = in->local_port,
                                    .remote_port = in->remote_port,
                                    .family = in->family,
                                    .protocol = in->protocol,
                                    .known = in->known };

  memcpy (addresses.local, in->local, sizeof addresses.local);
  memcpy (addresses.remote, in->remote, sizeof addresses.remote);
  addresses.protocol_string = tb_agent_sockets_intern_protocol (self, in->family, in->protocol);
  if (in->family != AF_INET && in->family != AF_INET6)
    return addresses;
  if ((in->known & TB_BPF_NET_HAS_LOCAL) != 0)
    addresses.local_string
        = tb_agent_sockets_intern_address (self, in->family, in->local, in->local_port);
  if ((in->known & TB_BPF_NET_HAS_REMOTE) != 0)
    addresses.remote_string
        = tb_agent_sockets_intern_address (self, in->family, in->remote, in->remote_port);
  return addresses;
}

static void
set_addresses (TbAgent *self, TbCaptureRecord *out, const TbBpfNetwork *in)
{
  TbAgentBpfAddresses *addresses
      = &self->bpf->addresses[tb_agent_hash (in->socket) & (TB_AGENT_BPF_N_ADDRESSES - 1)];
  const uint64_t *names;

  if (in->socket == 0 || !match_addresses (addresses, in))
    *addresses = intern_addresses (self, in);
  out->network.protocol = addresses->protocol_string;
  out->network.local = addresses->local_string;
  out->network.remote = addresses->remote_string;
  if (in->family != AF_UNIX)
    return;
  names = tb_agent_map_get (&self->bpf->unix_names, in->socket);
  if (names == NULL)
    return;
  out->network.local = (uint32_t) (*names >> 32);
  out->network.remote = (uint32_t) *names;
}

static void
translate_message (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfNetwork *in, size_t size)
{
  const TbBpfHeader *header = &in->header;
  TbAgentTaskView task = { header->tid, header->pid, (header->flags & TB_BPF_IS_TARGET) != 0 };
  TbCaptureRecord out = { .time = header->time, .type = TB_CAPTURE_NETWORK };

  if (size < sizeof *in
      || !tb_agent_bpf_read_stack (self, &in->stack, (const uint8_t *) (in + 1), size - sizeof *in)
      || tb_agent_bpf_is_outside (self, header->time) || in->kind > TB_CAPTURE_NET_ACCEPT
      || (self->target.is_filtered && !self->system_allowed && !task.is_target))
    return;
  out.flags = tb_agent_bpf_translate_flags (header->flags);
  out.network.kind = in->kind;
  out.network.socket = in->socket;
  out.network.bytes = in->bytes;
  set_addresses (self, &out, in);
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, in->stack.id);
}

void
tb_agent_bpf_translate_network (TbAgent *self,
                                TbAgentBpfCpu *cpu,
                                const TbBpfHeader *header,
                                size_t size)
{
  if (header->type == TB_BPF_UNIX_NAMES)
    note_unix_names (self, (const TbBpfUnixNames *) (const void *) header, size);
  else
    translate_message (self, cpu, (const TbBpfNetwork *) (const void *) header, size);
}
