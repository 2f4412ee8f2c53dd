/* tb-agent-bpf-network.c: messages and connections from the records of BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>
#include <sys/socket.h>

#include "agent/tb-agent-bpf-private.h"

#define MAX_UNIX_SOCKETS (1u << 16)

static uint32_t
intern_unix_name (TbAgent *self, const uint8_t *name, uint32_t length)
{
  char text[TB_BPF_UNIX_PATH + 1];

  if (length == 0 || length > TB_BPF_UNIX_PATH)
    return 0;
  memcpy (text, name, length);
  /* One without a file begins with a NUL, and may have more of them. */
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
  if (names->n_used >= MAX_UNIX_SOCKETS)
    tb_agent_map_clear (names);
  tb_agent_map_put (names, in->socket, local << 32 | remote);
}

static void
add_addresses (TbAgent *self, TbCaptureRecord *out, const TbBpfNetwork *in)
{
  const uint64_t *names;

  if (in->family == AF_UNIX)
    {
      names = tb_agent_map_get (&self->bpf->unix_names, in->socket);
      if (names == NULL)
        return;
      out->network.local = (uint32_t) (*names >> 32);
      out->network.remote = (uint32_t) *names;
      return;
    }
  if (in->family != AF_INET && in->family != AF_INET6)
    return;
  if ((in->known & TB_BPF_NET_HAS_LOCAL) != 0)
    out->network.local = tb_agent_sockets_intern_address (self, in->family, in->local, in->local_port);
  if ((in->known & TB_BPF_NET_HAS_REMOTE) != 0)
    out->network.remote = tb_agent_sockets_intern_address (self, in->family, in->remote, in->remote_port);
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
      || (self->filtered && !self->system_allowed && !task.is_target))
    return;
  out.flags = tb_agent_bpf_translate_flags (header->flags);
  out.network.kind = in->kind;
  out.network.socket = in->socket;
  out.network.bytes = in->bytes;
  out.network.protocol = tb_agent_sockets_intern_protocol (self, in->family, in->protocol);
  add_addresses (self, &out, in);
  tb_agent_bpf_put_with_stack (self, cpu, &out, &task, in->stack.id);
}

void
tb_agent_bpf_translate_network (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfHeader *header, size_t size)
{
  if (header->type == TB_BPF_UNIX_NAMES)
    note_unix_names (self, (const TbBpfUnixNames *) (const void *) header, size);
  else
    translate_message (self, cpu, (const TbBpfNetwork *) (const void *) header, size);
}
