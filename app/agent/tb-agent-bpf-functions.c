/* tb-agent-bpf-functions.c: whether functions of the kernel can be seen here, and how
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

#include "agent/tb-agent-bpf-private.h"

/* That it is loaded does not say that it can be attached: the kernel may not be able to change its own code. */
static int
try_fentry (TbAgent *self, char *why, size_t size)
{
  TbAgentBpfShared shared = self->bpf->shared;
  TbAgentBpfObject object;
  int works;

  memset (&object, 0, sizeof object);
  shared.rings = NULL;
  works = tb_agent_bpf_object_load (&object, &tb_agent_bpf_functions, &shared, why, size) == 0
          && tb_agent_bpf_object_attach (&object, why, size) == 0;
  tb_agent_bpf_object_clear (&object);
  return works;
}

static int
try_kprobe (char *why, size_t size)
{
  struct perf_event_attr attr;
  char type[16] = "";
  int file = open ("/sys/bus/event_source/devices/kprobe/type", O_RDONLY | O_CLOEXEC);
  ssize_t got = file >= 0 ? read (file, type, sizeof type - 1) : 0;

  if (file >= 0)
    close (file);
  if (got <= 0)
    {
      snprintf (why, size, "this kernel does not have it");
      return 0;
    }
  memset (&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = (uint32_t) strtoul (type, NULL, 10);
  attr.kprobe_func = (uint64_t) (uintptr_t) "vfs_fsync_range";
  attr.disabled = 1;
  file = (int) syscall (SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
  if (file < 0)
    snprintf (why, size, "%s", strerror (errno));
  else
    close (file);
  return file >= 0;
}

void
tb_agent_bpf_tell_functions (TbAgent *self)
{
  char why_fentry[224] = "", why_kprobe[64] = "";
  int fentry = try_fentry (self, why_fentry, sizeof why_fentry);
  int kprobe = try_kprobe (why_kprobe, sizeof why_kprobe);

  if (fentry || kprobe)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS, TB_CAPTURE_SOURCE_FUNCTIONS,
                                "fentry: %s, kprobe: %s", fentry ? "yes" : "no", kprobe ? "yes" : "no");
  else
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_FUNCTIONS,
                                "fentry: no (%s), kprobe: no (%s): drilling into functions of the kernel is "
                                "unavailable; functions of programs and system calls work.",
                                why_fentry, why_kprobe);
}
