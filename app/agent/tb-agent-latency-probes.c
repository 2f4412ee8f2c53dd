/* tb-agent-latency-probes.c: groups of probes that go into a program, and come out, together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/tb-agent-kernel-probe.h"
#include "agent/tb-agent-latency-probes.h"
#include "agent/tb-agent-probes.h"

#define N_KINDS 4 /* of places in programs */

/* Taking them out */

void
tb_agent_latency_probes_detach (TbAgentLatencyProbes *self, uint32_t group)
{
  if (group < TB_CAPTURE_LATENCY_MAX_GROUPS)
    tb_agent_shelter_close (&self->groups[group], 0);
}

static void
clear_pending (TbAgentPending *pending)
{
  if (pending->file >= 0)
    close (pending->file);
  free (pending->function);
}

void
tb_agent_latency_probes_clear (TbAgentLatencyProbes *self)
{
  TbAgentLinks all = { 0 };

  for (size_t i = 0; i < TB_CAPTURE_LATENCY_MAX_GROUPS; i++)
    tb_agent_links_move (&all, &self->groups[i]);
  tb_agent_shelter_close (&all, 1);
  for (size_t i = 0; i < self->n_pending; i++)
    clear_pending (&self->pending[i]);
  free (self->pending);
  self->pending = NULL;
  self->n_pending = 0;
}

/* Putting them in */

static TbAgentPending *
add_pending (TbAgentLatencyProbes *self, const TbCaptureLatencyProbe *wanted, int file)
{
  if ((self->n_pending & (self->n_pending + 1)) == 0)
    self->pending = tb_agent_allocate (self->pending, (self->n_pending + 1) * 2 * sizeof *self->pending);
  self->pending[self->n_pending] = (TbAgentPending) { *wanted, file, NULL };
  return &self->pending[self->n_pending++];
}

int
tb_agent_latency_probes_add (TbAgentLatencyProbes *self,
                             const TbCaptureLatencyProbe *wanted,
                             const uint8_t *tail,
                             size_t tail_length,
                             char *reason,
                             size_t size)
{
  int is_kernel = wanted->kind == TB_CAPTURE_LATENCY_KERNEL || wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE;
  int file;

  if ((!is_kernel && (wanted->kind >= N_KINDS || wanted->pid <= 0))
      || wanted->group >= TB_CAPTURE_LATENCY_MAX_GROUPS)
    {
      snprintf (reason, size, "it says neither what nor in which process");
      return -1;
    }
  if (self->n_pending >= TB_CAPTURE_LATENCY_MAX_SITES)
    {
      snprintf (reason, size, "there are %u already, which is the limit", TB_CAPTURE_LATENCY_MAX_SITES);
      return -1;
    }
  if (is_kernel)
    {
      add_pending (self, wanted, -1)->function
          = wanted->kind == TB_CAPTURE_LATENCY_KERNEL ? strndup ((const char *) tail, tail_length) : NULL;
      return 0;
    }
  file = tb_agent_probes_open_file (wanted->device, wanted->inode, wanted->offset, wanted->pid, tail,
                                    tail_length, reason, size);
  if (file < 0)
    return -1;
  add_pending (self, wanted, file);
  return 0;
}

void
tb_agent_latency_probes_add_own (TbAgentLatencyProbes *self, const TbCaptureLatencyProbe *wanted)
{
  int file = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);

  if (file >= 0)
    add_pending (self, wanted, file);
}

/* Those of one kind in one file. -1 with errno */
static int
attach_together (TbAgentLatencyProbes *self,
                 const TbAgentPending **probes,
                 size_t n,
                 int32_t traced,
                 TbAgentLinks *links)
{
  uint64_t *offsets = tb_agent_allocate (NULL, n * sizeof *offsets);
  uint64_t *cookies = tb_agent_allocate (NULL, n * sizeof *cookies);
  unsigned kind = probes[0]->wanted.kind;
  union bpf_attr attr;
  char path[40];
  int link, error;

  for (size_t i = 0; i < n; i++)
    {
      offsets[i] = probes[i]->wanted.offset;
      cookies[i] = probes[i]->wanted.site;
    }
  snprintf (path, sizeof path, "/proc/self/fd/%d", probes[0]->file);
  memset (&attr, 0, sizeof attr);
  attr.link_create.prog_fd = (uint32_t) self->programs.together[kind];
  attr.link_create.attach_type = BPF_TRACE_UPROBE_MULTI;
  attr.link_create.uprobe_multi.path = (uint64_t) (uintptr_t) path;
  attr.link_create.uprobe_multi.offsets = (uint64_t) (uintptr_t) offsets;
  attr.link_create.uprobe_multi.cookies = (uint64_t) (uintptr_t) cookies;
  attr.link_create.uprobe_multi.cnt = (uint32_t) n;
  attr.link_create.uprobe_multi.flags = kind == TB_CAPTURE_LATENCY_RETURN ? BPF_F_UPROBE_MULTI_RETURN : 0;
  attr.link_create.uprobe_multi.pid = traced > 0 ? (uint32_t) traced : 0;
  link = (int) syscall (SYS_bpf, BPF_LINK_CREATE, &attr, sizeof attr);
  error = errno;
  free (offsets);
  free (cookies);
  errno = error;
  if (link < 0)
    return -1;
  tb_agent_links_add (links, link);
  return 0;
}

static int
attach_alone (TbAgentLatencyProbes *self, const TbAgentPending *probe, int32_t traced, TbAgentLinks *links)
{
  unsigned kind = probe->wanted.kind;

  return tb_agent_probes_attach (probe->file, probe->wanted.offset, traced, kind == TB_CAPTURE_LATENCY_RETURN,
                                 self->programs.alone[kind], probe->wanted.site, links);
}

static int
is_same_file (const TbCaptureLatencyProbe *one, const TbCaptureLatencyProbe *other)
{
  return one->device == other->device && one->inode == other->inode && one->kind == other->kind;
}

/* -1: the kernel cannot do it so. */
static int
attach_kernel_cheaply (TbAgentLatencyProbes *self, const TbAgentPending *probe, TbAgentLinks *links)
{
  int left = tb_agent_kernel_probe_attach_function (probe->function, 1, self->programs.kernel_return),
      entered;

  if (left < 0)
    return -1;
  entered = tb_agent_kernel_probe_attach_function (probe->function, 0, self->programs.kernel_entry);
  if (entered < 0)
    {
      close (left);
      return -1;
    }
  tb_agent_links_add (links, left);
  tb_agent_links_add (links, entered);
  return 0;
}

/* Where it is left comes first: what is entered is seen to return. */
static int
attach_kernel (TbAgentLatencyProbes *self,
               const TbAgentPending *probe,
               TbAgentLinks *links,
               char *reason,
               size_t size)
{
  int fds[2];

  self->kernel_way = "fprobe";
  if (attach_kernel_cheaply (self, probe, links) == 0)
    return 0;
  self->kernel_way = "kprobe";
  for (int returns = 1; returns >= 0; returns--)
    {
      if (tb_agent_kernel_probe_attach (probe->function, returns,
                                        returns ? self->programs.kernel_return_alone
                                                : self->programs.kernel_entry_alone,
                                        fds, reason, size)
          != 0)
        return -1;
      tb_agent_links_add (links, fds[0]);
      tb_agent_links_add (links, fds[1]);
    }
  return 0;
}

static int
attach_kernel_sites (TbAgentLatencyProbes *self,
                     const TbAgentPending **probes,
                     size_t n,
                     TbAgentLinks *links,
                     char *reason,
                     size_t size)
{
  int fds[2];

  for (size_t i = 0; i < n; i++)
    {
      if (tb_agent_kernel_probe_attach_at (probes[i]->wanted.offset, self->programs.kernel_site,
                                           probes[i]->wanted.site, fds, reason, size)
          != 0)
        return -1;
      tb_agent_links_add (links, fds[0]);
      tb_agent_links_add (links, fds[1]);
    }
  return 0;
}

static int
attach_some (TbAgentLatencyProbes *self,
             const TbAgentPending **probes,
             size_t n,
             int32_t traced,
             TbAgentLinks *links)
{
  if (!self->one_by_one)
    {
      if (attach_together (self, probes, n, traced, links) == 0)
        return 0;
      /* Kernels before 6.6 do not know it, which they say in one of these ways. */
      if (errno != EINVAL && errno != EOPNOTSUPP && errno != E2BIG)
        return -1;
      self->one_by_one = 1;
    }
  for (size_t i = 0; i < n; i++)
    if (attach_alone (self, probes[i], traced, links) != 0)
      return -1;
  return 0;
}

/* What is asked of the process that attaches, and what it says. */
typedef struct
{
  TbAgentLatencyProbes *probes;
  uint32_t group;
  int32_t traced;
  struct
  {
    int one_by_one;
    const char *kernel_way;
    char reason[200];
  } answer;
} Attaching;

static int
is_end (const TbCaptureLatencyProbe *probe)
{
  return probe->kind == TB_CAPTURE_LATENCY_RETURN || probe->kind == TB_CAPTURE_LATENCY_LAST;
}

/* What f0 is left by goes in before what it is entered by, and comes out after it: what is seen to begin is seen to end. */
static size_t
find_next (const TbAgentLatencyProbes *self, uint32_t group, const uint8_t *done)
{
  for (int ends = 1; ends >= 0; ends--)
    for (size_t i = 0; i < self->n_pending; i++)
      if (!done[i] && self->pending[i].wanted.group == group && is_end (&self->pending[i].wanted) == ends)
        return i;
  return self->n_pending;
}

/* All that wait of the group */
static int
attach_all (TbAgentLatencyProbes *self,
            uint32_t group,
            int32_t traced,
            TbAgentLinks *links,
            char *reason,
            size_t size)
{
  const TbAgentPending **probes = tb_agent_allocate (NULL, (self->n_pending + 1) * sizeof *probes);
  uint8_t *done = tb_agent_allocate (NULL, self->n_pending + 1);
  int result = 0;

  memset (done, 0, self->n_pending + 1);
  for (size_t i; result == 0 && (i = find_next (self, group, done)) < self->n_pending;)
    {
      size_t n = 0;

      for (size_t j = i; j < self->n_pending; j++)
        if (!done[j] && self->pending[j].wanted.group == group
            && is_same_file (&self->pending[i].wanted, &self->pending[j].wanted))
          {
            probes[n++] = &self->pending[j];
            done[j] = 1;
          }
      if (probes[0]->wanted.kind == TB_CAPTURE_LATENCY_KERNEL)
        {
          result = attach_kernel (self, probes[0], links, reason, size);
          continue;
        }
      if (probes[0]->wanted.kind == TB_CAPTURE_LATENCY_KERNEL_SITE)
        {
          result = attach_kernel_sites (self, probes, n, links, reason, size);
          continue;
        }
      result = attach_some (self, probes, n, traced, links);
      if (result != 0)
        snprintf (reason, size, "%s", tb_agent_probes_explain (errno));
    }
  free (probes);
  free (done);
  return result;
}

void
tb_agent_latency_probes_forget (TbAgentLatencyProbes *self, uint32_t group)
{
  size_t kept = 0;

  for (size_t i = 0; i < self->n_pending; i++)
    {
      if (self->pending[i].wanted.group == group)
        clear_pending (&self->pending[i]);
      else
        self->pending[kept++] = self->pending[i];
    }
  self->n_pending = kept;
}

static int
run_attaching (void *data, TbAgentLinks *links)
{
  Attaching *self = data;
  int result = attach_all (self->probes, self->group, self->traced, links, self->answer.reason,
                           sizeof self->answer.reason);

  self->answer.one_by_one = self->probes->one_by_one;
  self->answer.kernel_way = self->probes->kernel_way;
  return result;
}

/* Those of before come out when the new ones are in: at no time a call is overlooked. */
int
tb_agent_latency_probes_attach (TbAgentLatencyProbes *self,
                                uint32_t group,
                                int32_t traced,
                                char *reason,
                                size_t size)
{
  Attaching attaching = { self, group, traced, { self->one_by_one, self->kernel_way, "" } };
  TbAgentLinks links = { 0 };

  if (group >= TB_CAPTURE_LATENCY_MAX_GROUPS)
    {
      snprintf (reason, size, "there is no such group of probes");
      return -1;
    }
  if (tb_agent_shelter_attach (run_attaching, &attaching, &links, &attaching.answer, sizeof attaching.answer)
      != 0)
    {
      snprintf (reason, size, "%s",
                attaching.answer.reason[0] != '\0' ? attaching.answer.reason
                                                   : tb_agent_probes_explain (errno));
      tb_agent_latency_probes_forget (self, group);
      return -1;
    }
  self->one_by_one = attaching.answer.one_by_one;
  self->kernel_way = attaching.answer.kernel_way;
  tb_agent_latency_probes_forget (self, group);
  tb_agent_shelter_close (&self->groups[group], 0);
  self->groups[group] = links;
  return 0;
}
