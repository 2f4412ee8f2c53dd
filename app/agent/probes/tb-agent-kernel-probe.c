/* tb-agent-kernel-probe.c: attaching of a BPF program to a kernel function, given by its name,
 * through a trampoline, fprobe or kprobe, or to one of its instructions through a kprobe; reason if
 * a kprobe fails
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <ctype.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/probes/tb-agent-kernel-probe.h"
#include "agent/probes/tb-agent-probes.h"

#define FOLDER "/sys/bus/event_source/devices/kprobe/"

static void
explain (int error, TbCaptureMessage *why)
{
  TbCaptureStatusCode code = TB_CAPTURE_CODE_ERROR;

  switch (error)
    {
    case ENOENT:
      code = TB_CAPTURE_CODE_NO_SUCH_KERNEL_FUNCTION;
      break;
    case EADDRNOTAVAIL:
      code = TB_CAPTURE_CODE_SEVERAL_KERNEL_FUNCTIONS;
      break;
    case EINVAL:
    case EOPNOTSUPP:
      code = TB_CAPTURE_CODE_KERNEL_FUNCTION_EXCLUDED;
      break;
    case EPERM:
    case EACCES:
      code = TB_CAPTURE_CODE_PROBE_NOT_PERMITTED;
      break;
    default:
      break;
    }
  TB_CAPTURE_SET_MESSAGE (why, code, error);
}

/* The kernel gets the text only as a name, never as an address or an expression. */
static int
is_name (const char *text)
{
  if (text[0] == '\0' || isdigit ((unsigned char) text[0]))
    return 0;
  for (const char *at = text; *at != '\0'; at++)
    if (!isalnum ((unsigned char) *at) && *at != '_' && *at != '.')
      return 0;
  return 1;
}

/* function NULL: the instruction at address */
static int
open_event (const char *function, uint64_t address, int returns)
{
  struct perf_event_attr attr = { .size = sizeof attr };
  long type = tb_agent_probes_read_number (FOLDER "type", "");
  long bit = tb_agent_probes_read_number (FOLDER "format/retprobe", "config:");

  attr.type = (uint32_t) type;
  attr.config = returns ? (uint64_t) 1 << (bit & 63) : 0;
  attr.kprobe_func = (uint64_t) (uintptr_t) function;
  if (function == NULL)
    attr.kprobe_addr = address;
  return (int) syscall (SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

int
tb_agent_kernel_probe_is_possible (void)
{
  return tb_agent_probes_read_number (FOLDER "type", "") >= 0
         && tb_agent_probes_read_number (FOLDER "format/retprobe", "config:") >= 0;
}

int
tb_agent_kernel_probe_attach_function (const char *function, int returns, int program)
{
  union bpf_attr attr;

  if (!is_name (function))
    {
      errno = EINVAL;
      return -1;
    }
  memset (&attr, 0, sizeof attr);
  attr.link_create.prog_fd = (uint32_t) program;
  attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
  attr.link_create.kprobe_multi.syms = (uint64_t) (uintptr_t) &function;
  attr.link_create.kprobe_multi.cnt = 1;
  attr.link_create.kprobe_multi.flags = returns ? BPF_F_KPROBE_MULTI_RETURN : 0;
  return (int) syscall (SYS_bpf, BPF_LINK_CREATE, &attr, sizeof attr);
}

int
tb_agent_kernel_probe_attach_traced (int program)
{
  union bpf_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.raw_tracepoint.prog_fd = (uint32_t) program;
  return (int) syscall (SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof attr);
}

static int
attach (const char *function,
        uint64_t address,
        int returns,
        int program,
        uint32_t id,
        int fds[2],
        TbCaptureMessage *why)
{
  fds[0] = fds[1] = -1;
  if (!tb_agent_kernel_probe_is_possible ())
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_KPROBES, 0);
  else if ((fds[0] = open_event (function, address, returns)) < 0
           || (fds[1] = tb_agent_probes_link (fds[0], program, id)) < 0)
    {
      explain (errno, why);
      if (fds[0] >= 0)
        close (fds[0]);
      fds[0] = -1;
    }
  return fds[1] >= 0 ? 0 : -1;
}

int
tb_agent_kernel_probe_attach (const char *function,
                              int returns,
                              int program,
                              int fds[2],
                              TbCaptureMessage *why)
{
  fds[0] = fds[1] = -1;
  if (is_name (function))
    return attach (function, 0, returns, program, 0, fds, why);
  TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_FUNCTION_NAME, 0);
  return -1;
}

int
tb_agent_kernel_probe_attach_at (uint64_t address,
                                 int program,
                                 uint32_t id,
                                 int fds[2],
                                 TbCaptureMessage *why)
{
  return attach (NULL, address, 0, program, id, fds, why);
}
