/* tb-agent-multi-probe.c: attaching of many user probes in one file by a single request to the
 * kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/probes/tb-agent-multi-probe.h"

int
tb_agent_multi_probe_attach (const TbAgentMultiProbe *self, TbAgentLinks *links)
{
  union bpf_attr attr;
  char path[32];
  int link;

  snprintf (path, sizeof path, "/proc/self/fd/%d", self->file);
  memset (&attr, 0, sizeof attr);
  attr.link_create.prog_fd = (uint32_t) self->program;
  attr.link_create.attach_type = BPF_TRACE_UPROBE_MULTI;
  attr.link_create.uprobe_multi.path = (uint64_t) (uintptr_t) path;
  attr.link_create.uprobe_multi.offsets = (uint64_t) (uintptr_t) self->offsets;
  attr.link_create.uprobe_multi.cookies = (uint64_t) (uintptr_t) self->cookies;
  attr.link_create.uprobe_multi.cnt = (uint32_t) self->n;
  attr.link_create.uprobe_multi.flags = self->is_return ? BPF_F_UPROBE_MULTI_RETURN : 0;
  attr.link_create.uprobe_multi.pid = (uint32_t) self->traced;
  link = (int) syscall (SYS_bpf, BPF_LINK_CREATE, &attr, sizeof attr);
  if (link < 0)
    return -1;
  tb_agent_links_add (links, link);
  return 0;
}
