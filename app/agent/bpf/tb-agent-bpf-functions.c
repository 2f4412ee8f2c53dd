/* tb-agent-bpf-functions.c: test whether this kernel permits probes of its functions, by trampoline
 * and by kprobe, and the STATUS record about it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-private.h"

/* A program that is loaded cannot always be attached: the kernel may be unable to change its own
 * code. */
static int
try_fentry (TbAgent *self, TbCaptureMessage *why)
{
  TbAgentBpfShared shared = self->bpf->shared;
  TbAgentBpfObject object;
  int works;

  memset (&object, 0, sizeof object);
  shared.rings = NULL;
  works = tb_agent_bpf_object_load (&object, &tb_agent_bpf_functions, &shared, why) == 0
          && tb_agent_bpf_object_attach (&object, why) == 0;
  tb_agent_bpf_object_clear (&object);
  return works;
}

static int
try_kprobe (TbCaptureMessage *why)
{
  struct perf_event_attr attr;
  char type[16] = "";
  int file = open ("/sys/bus/event_source/devices/kprobe/type", O_RDONLY | O_CLOEXEC);
  ssize_t got = file >= 0 ? read (file, type, sizeof type - 1) : 0;

  if (file >= 0)
    close (file);
  if (got <= 0)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NOT_IN_KERNEL, 0);
      return 0;
    }
  memset (&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = (uint32_t) strtoul (type, NULL, 10);
  attr.kprobe_func = (uint64_t) (uintptr_t) "vfs_fsync_range";
  attr.disabled = 1;
  file = (int) syscall (SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
  if (file < 0)
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_ERROR, errno);
  else
    close (file);
  return file >= 0;
}

void
tb_agent_bpf_report_functions (TbAgent *self)
{
  TbCaptureMessage why_no_fentry = { 0 }, why_no_kprobe = { 0 }, message;
  int fentry = try_fentry (self, &why_no_fentry);
  int kprobe = try_kprobe (&why_no_kprobe);

  if (fentry || kprobe)
    {
      tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS,
                                  TB_CAPTURE_SOURCE_FUNCTIONS,
                                  TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_FUNCTION_PROBES_WORK, 0,
                                                      fentry ? "1" : "0", kprobe ? "1" : "0"));
      return;
    }
  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_NO_FUNCTION_PROBES, 0);
  tb_capture_message_add_cause (&message, &why_no_fentry);
  tb_capture_message_add_cause (&message, &why_no_kprobe);
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_FUNCTIONS,
                              &message);
}
