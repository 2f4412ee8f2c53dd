/* tb-agent-bpf-sleep.c: translation of sleep records of BPF programs into records of the capture
 * stream: kind of wait, name of the awaited object, time left until the timeout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/core/tb-agent-syscalls.h"
#include "agent/perf/tb-agent-perf-sockets.h"

static uint64_t
get_realtime_offset (void)
{
  struct timespec realtime, monotonic;

  clock_gettime (CLOCK_REALTIME, &realtime);
  clock_gettime (CLOCK_MONOTONIC, &monotonic);
  return (uint64_t) (realtime.tv_sec - monotonic.tv_sec) * 1000000000u
         + (uint64_t) (realtime.tv_nsec - monotonic.tv_nsec);
}

/* The time left until an absolute timeout differs each time. It is rounded to about one hundredth,
 * so that equal sleeps share one id. */
static uint64_t
round_rest (uint64_t rest)
{
  int bits = 64 - (rest == 0 ? 64 : __builtin_clzll (rest));
  int drop = bits > 7 ? bits - 7 : 0;

  return rest >> drop << drop;
}

static uint64_t
translate_timeout (const TbBpfSleep *sleep, uint64_t time)
{
  uint64_t until = sleep->timeout;

  if (sleep->timeout_state == TB_BPF_TIMEOUT_NONE)
    return TB_CAPTURE_TIMEOUT_NONE;
  if (sleep->timeout_state != TB_BPF_TIMEOUT_GIVEN)
    return TB_CAPTURE_TIMEOUT_UNKNOWN;
  switch (tb_agent_syscalls_get_timeout_clock (sleep))
    {
    case TB_AGENT_TIMEOUT_RELATIVE:
      return sleep->timeout < TB_CAPTURE_TIMEOUT_UNKNOWN ? sleep->timeout
                                                         : TB_CAPTURE_TIMEOUT_UNKNOWN;
    case TB_AGENT_TIMEOUT_REALTIME:
      until -= get_realtime_offset ();
      break;
    case TB_AGENT_TIMEOUT_MONOTONIC:
      break;
    default:
      return TB_CAPTURE_TIMEOUT_UNKNOWN;
    }
  return (int64_t) (until - time) > 0 ? round_rest (until - time) : 0;
}

/* "pipe:[17]" as /proc shows it */
static uint32_t
intern_numbered (TbAgent *self, const char *what, uint64_t number)
{
  char text[48];
  int length = snprintf (text, sizeof text, "%s:[%llu]", what, (unsigned long long) number);

  return tb_agent_output_intern_string (self->output, text, (size_t) length);
}

static uint32_t
intern_socket (TbAgent *self, const TbBpfSleep *in)
{
  const uint64_t *names;
  uint32_t string = 0;

  if (in->family == AF_UNIX)
    {
      names = tb_agent_map_get (&self->bpf->unix_names, in->identity);
      /* The end with a name is the server's. */
      if (names != NULL)
        string = (uint32_t) *names != 0 ? (uint32_t) *names : (uint32_t) (*names >> 32);
    }
  else if (in->family != AF_INET && in->family != AF_INET6)
    return intern_numbered (self, "socket", in->file.inode);
  else if ((in->known & TB_BPF_NET_HAS_REMOTE) != 0)
    string = tb_agent_sockets_intern_address (self, in->family, in->remote, in->remote_port);
  else if ((in->known & TB_BPF_SOCKET_LISTENS) != 0)
    string = tb_agent_sockets_intern_address (self, in->family, in->local, in->local_port);
  return string != 0 ? string : intern_numbered (self, "socket", in->file.inode);
}

static uint32_t
intern_object (TbAgent *self, const TbBpfSleep *in)
{
  uint32_t path;

  switch (in->object_kind)
    {
    case TB_BPF_OBJECT_FILE:
    case TB_BPF_OBJECT_MAPPED:
      return tb_agent_files_get (&self->bpf->files, &in->file);
    case TB_BPF_OBJECT_PIPE:
      path = tb_agent_files_get (&self->bpf->files, &in->file);
      return path != 0 ? path : intern_numbered (self, "pipe", in->file.inode);
    case TB_BPF_OBJECT_SOCKET:
      return intern_socket (self, in);
    case TB_BPF_OBJECT_NAMED:
      return tb_agent_output_intern_string (self->output, (const char *) in->local,
                                            strnlen ((const char *) in->local, sizeof in->local));
    default:
      return 0;
    }
}

uint32_t
tb_agent_bpf_translate_sleep (TbAgent *self, const TbBpfHeader *header, const TbBpfSleep *in)
{
  TbCaptureSleep sleep = { .timeout = TB_CAPTURE_TIMEOUT_NONE, .number = TB_CAPTURE_NO_CALL };
  TbAgentLocation place;

  if (in == NULL)
    sleep.kind = TB_CAPTURE_SLEEP_KERNEL;
  else
    {
      sleep.kind = (uint16_t) tb_agent_syscalls_get_kind (in);
      if (in->number == TB_BPF_NO_CALL)
        {
          sleep.address = in->args[0];
          sleep.offset = in->object_kind == TB_BPF_OBJECT_MAPPED ? in->args[1] : 0;
        }
      else if (in->number != TB_BPF_FOREIGN_CALL)
        {
          sleep.number = in->number;
          sleep.address = in->args[0];
          sleep.timeout = translate_timeout (in, header->time);
          sleep.operation = tb_agent_syscalls_get_operation (in);
        }
      /* A ring may be given by a registered index, which is not a descriptor. */
      if (sleep.kind != TB_CAPTURE_SLEEP_RING || in->object_kind == TB_BPF_OBJECT_NAMED)
        sleep.object = intern_object (self, in);
      if (tb_agent_syscalls_is_futex (in->number)
          && tb_agent_address_map_find (&self->bpf->places, &self->modules, self->output,
                                        header->pid, sleep.address, &place))
        {
          sleep.module = place.module;
          sleep.object = place.object;
          sleep.offset = place.offset;
        }
      /* The address of an argument carries no information and would split equal sleeps. */
      else if (in->object_kind == TB_BPF_OBJECT_NONE && in->number != TB_BPF_NO_CALL
               && sleep.kind != TB_CAPTURE_SLEEP_POLL && sleep.kind != TB_CAPTURE_SLEEP_SEMAPHORE
               && sleep.kind != TB_CAPTURE_SLEEP_QUEUE && !tb_agent_syscalls_is_futex (in->number))
        sleep.address = 0;
    }
  return tb_agent_sleeps_intern (&self->bpf->sleeps, self->output, &sleep);
}
