/* tb-agent-latency-probes.c: groups of latency probes in programs and kernel functions, each
 * attached and detached as a whole; choice of the cheapest kind of kernel probe that works
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/latency/tb-agent-latency-probes.h"
#include "agent/probes/tb-agent-kernel-probe.h"
#include "agent/probes/tb-agent-multi-probe.h"
#include "agent/probes/tb-agent-probes.h"

#define N_KINDS 4 /* kinds of locations in programs */
/* An internal error number that the kernel returns to programs all the same (include/linux/errno.h
 * of the kernel). */
#define ENOTSUPP 524

/* Detaching */

void
tb_agent_latency_probes_detach (TbAgentLatencyProbes *self, uint32_t group)
{
  if (group < TB_CAPTURE_LATENCY_MAX_GROUPS)
    tb_agent_attach_helper_detach (&self->groups[group], 0);
}

void
tb_agent_latency_probes_detach_and_wait (TbAgentLatencyProbes *self, uint32_t group)
{
  if (group < TB_CAPTURE_LATENCY_MAX_GROUPS)
    tb_agent_attach_helper_detach (&self->groups[group], 1);
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
  tb_agent_attach_helper_detach (&all, 1);
  for (size_t i = 0; i < self->n_pending; i++)
    clear_pending (&self->pending[i]);
  free (self->pending);
  self->pending = NULL;
  self->n_pending = 0;
}

/* Attaching */

static TbAgentPending *
add_pending (TbAgentLatencyProbes *self, const TbCaptureLatencyProbe *wanted, int file)
{
  if ((self->n_pending & (self->n_pending + 1)) == 0)
    self->pending
        = tb_agent_allocate (self->pending, (self->n_pending + 1) * 2 * sizeof *self->pending);
  self->pending[self->n_pending] = (TbAgentPending) { *wanted, file, NULL };
  return &self->pending[self->n_pending++];
}

int
tb_agent_latency_probes_add (TbAgentLatencyProbes *self,
                             const TbCaptureLatencyProbe *wanted,
                             const uint8_t *tail,
                             size_t tail_length,
                             TbCaptureMessage *why)
{
  int is_kernel
      = wanted->kind == TB_CAPTURE_LATENCY_KERNEL || wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE;
  int file;

  if ((!is_kernel && (wanted->kind >= N_KINDS || wanted->pid <= 0))
      || wanted->group >= TB_CAPTURE_LATENCY_MAX_GROUPS)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PROBE_WITHOUT_LOCATION, 0);
      return -1;
    }
  if (self->n_pending >= TB_CAPTURE_LATENCY_MAX_SITES)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_TOO_MANY_PROBES, 0,
                              TB_CAPTURE_NUMBER (TB_CAPTURE_LATENCY_MAX_SITES));
      return -1;
    }
  if (is_kernel)
    {
      add_pending (self, wanted, -1)->function = wanted->kind == TB_CAPTURE_LATENCY_KERNEL
                                                     ? strndup ((const char *) tail, tail_length)
                                                     : NULL;
      return 0;
    }
  file = tb_agent_probes_open_file (wanted->device, wanted->inode, wanted->offset, wanted->pid,
                                    tail, tail_length, why);
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

void
tb_agent_latency_probes_add_kernel (TbAgentLatencyProbes *self,
                                    uint32_t group,
                                    const char *function)
{
  const TbCaptureLatencyProbe wanted = { .kind = TB_CAPTURE_LATENCY_KERNEL, .group = group };

  add_pending (self, &wanted, -1)->function = strdup (function);
}

/* The cookie that the program of the probe gets */
static uint64_t
get_cookie (const TbCaptureLatencyProbe *wanted)
{
  return wanted->kind == TB_CAPTURE_LATENCY_SITE ? wanted->site : wanted->height;
}

/* Attaches the probes of one kind in one file. -1 with errno */
static int
attach_multi (TbAgentLatencyProbes *self,
              const TbAgentPending **probes,
              size_t n,
              int32_t traced,
              TbAgentLinks *links)
{
  uint64_t *offsets = tb_agent_allocate (NULL, n * sizeof *offsets);
  uint64_t *cookies = tb_agent_allocate (NULL, n * sizeof *cookies);
  unsigned kind = probes[0]->wanted.kind;
  const TbAgentMultiProbe multi = { .program = self->programs.multi[kind],
                                    .file = probes[0]->file,
                                    .offsets = offsets,
                                    .cookies = cookies,
                                    .n = n,
                                    .is_return = kind == TB_CAPTURE_LATENCY_RETURN,
                                    .traced = traced > 0 ? traced : 0 };
  int result, error;

  for (size_t i = 0; i < n; i++)
    {
      offsets[i] = probes[i]->wanted.offset;
      cookies[i] = get_cookie (&probes[i]->wanted);
    }
  result = tb_agent_multi_probe_attach (&multi, links);
  error = errno;
  free (offsets);
  free (cookies);
  errno = error;
  return result;
}

static int
attach_single (TbAgentLatencyProbes *self,
               const TbAgentPending *probe,
               int32_t traced,
               TbAgentLinks *links)
{
  unsigned kind = probe->wanted.kind;

  return tb_agent_probes_attach (probe->file, probe->wanted.offset, traced,
                                 kind == TB_CAPTURE_LATENCY_RETURN, self->programs.single[kind],
                                 (uint32_t) get_cookie (&probe->wanted), links);
}

static int
is_same_file (const TbCaptureLatencyProbe *one, const TbCaptureLatencyProbe *other)
{
  return one->device == other->device && one->inode == other->inode && one->kind == other->kind;
}

/* Kernel functions. The return probe is attached first, so that every call with a recorded entry
 * has a recorded return. */

typedef struct
{
  TbAgentLatencyProbes *probes;
  const char *function;
  TbAgentLinks *links;
  TbCaptureMessage why; /* reason of a failure */
} KernelCall;

/* Neither link is of use without the other. errno holds the cause if one is negative. */
static int
add_pair (KernelCall *self, int left, int entered)
{
  int error = errno;

  if (left >= 0 && entered >= 0)
    {
      tb_agent_links_add (self->links, left);
      tb_agent_links_add (self->links, entered);
      return 0;
    }
  if (left >= 0)
    close (left);
  switch (error)
    {
    case ENOTSUPP:
    case EOPNOTSUPP:
    case EINVAL:
      TB_CAPTURE_SET_MESSAGE (&self->why, TB_CAPTURE_CODE_KERNEL_CANNOT_ATTACH,
                              error == ENOTSUPP ? EOPNOTSUPP : error);
      break;
    default:
      TB_CAPTURE_SET_MESSAGE (&self->why, TB_CAPTURE_CODE_ERROR, error);
      break;
    }
  return -1;
}

static int
attach_traced (KernelCall *self)
{
  const TbAgentLatencyProbes *probes = self->probes;
  const TbAgentLatencyPrograms *programs = &probes->programs;
  int is_f0 = probes->traced != NULL && strcmp (probes->traced, self->function) == 0, left;

  if (!is_f0 && (probes->calibrated == NULL || strcmp (probes->calibrated, self->function) != 0))
    {
      self->why = probes->no_trampoline;
      if (self->why.code == TB_CAPTURE_CODE_NONE)
        TB_CAPTURE_SET_MESSAGE (&self->why, TB_CAPTURE_CODE_NOT_TRIED_OUT, 0);
      return -1;
    }
  left = tb_agent_kernel_probe_attach_traced (is_f0 ? programs->traced_return
                                                    : programs->calibration_return);
  return add_pair (self, left,
                   left < 0 ? -1
                            : tb_agent_kernel_probe_attach_traced (
                                  is_f0 ? programs->traced_entry : programs->calibration_entry));
}

static int
attach_fprobes (KernelCall *self)
{
  const TbAgentLatencyPrograms *programs = &self->probes->programs;
  int left = tb_agent_kernel_probe_attach_function (self->function, 1, programs->kernel_return);

  return add_pair (self, left,
                   left < 0 ? -1
                            : tb_agent_kernel_probe_attach_function (self->function, 0,
                                                                     programs->kernel_entry));
}

static int
attach_kprobes (KernelCall *self)
{
  const TbAgentLatencyPrograms *programs = &self->probes->programs;
  int fds[2];

  for (int returns = 1; returns >= 0; returns--)
    {
      if (tb_agent_kernel_probe_attach (self->function, returns,
                                        returns ? programs->kernel_return_single
                                                : programs->kernel_entry_single,
                                        fds, &self->why)
          != 0)
        return -1;
      tb_agent_links_add (self->links, fds[0]);
      tb_agent_links_add (self->links, fds[1]);
    }
  return 0;
}

static const struct
{
  const char *name;
  int (*attach) (KernelCall *call);
} probe_kinds[] = {
  [TB_AGENT_KERNEL_PROBE_FENTRY] = { "fentry", attach_traced },
  [TB_AGENT_KERNEL_PROBE_FPROBE] = { "fprobe", attach_fprobes },
  [TB_AGENT_KERNEL_PROBE_KPROBE] = { "kprobe", attach_kprobes },
};

TbAgentKernelProbeKind
tb_agent_kernel_probe_kind_find (const char *name)
{
  for (TbAgentKernelProbeKind probe_kind = TB_AGENT_KERNEL_PROBE_FENTRY;
       name != NULL && probe_kind <= TB_AGENT_KERNEL_PROBE_KPROBE; probe_kind++)
    if (strcmp (probe_kinds[probe_kind].name, name) == 0)
      return probe_kind;
  return TB_AGENT_KERNEL_PROBE_NONE;
}

/* Adds one more cause to the choice. */
static void
add_refused_kind (TbCaptureMessage *causes,
                  TbAgentKernelProbeKind probe_kind,
                  const TbCaptureMessage *why)
{
  TbCaptureMessage refused;

  TB_CAPTURE_SET_MESSAGE (&refused, TB_CAPTURE_CODE_KERNEL_PROBE_REFUSED, (int) why->error,
                          probe_kinds[probe_kind].name);
  tb_capture_message_add_cause (&refused, why);
  tb_capture_message_add_cause (causes, &refused);
}

static int
attach_kernel (TbAgentLatencyProbes *self,
               const TbAgentPending *probe,
               TbAgentLinks *links,
               TbCaptureMessage *why)
{
  TbAgentKernelProbeKind first = self->min_kind != TB_AGENT_KERNEL_PROBE_NONE
                                     ? self->min_kind
                                     : TB_AGENT_KERNEL_PROBE_FENTRY;
  KernelCall calls[TB_AGENT_KERNEL_PROBE_KPROBE + 1] = { 0 };
  TbAgentKernelProbeKind probe_kind;

  self->choice = (TbAgentKernelProbeChoice) { 0 };
  for (probe_kind = first; probe_kind <= TB_AGENT_KERNEL_PROBE_KPROBE; probe_kind++)
    {
      calls[probe_kind] = (KernelCall) { self, probe->function, links, { 0 } };
      if (probe_kinds[probe_kind].attach (&calls[probe_kind]) == 0)
        break;
    }
  if (probe_kind > TB_AGENT_KERNEL_PROBE_KPROBE)
    {
      *why = calls[TB_AGENT_KERNEL_PROBE_KPROBE].why;
      return -1;
    }
  self->choice.probe_kind = probe_kind;
  TB_CAPTURE_SET_MESSAGE (&self->choice.answer,
                          probe_kind > first ? TB_CAPTURE_CODE_KERNEL_PROBE_FALLBACK
                                             : TB_CAPTURE_CODE_KERNEL_PROBE,
                          0, probe_kinds[probe_kind].name);
  for (TbAgentKernelProbeKind refused = first; refused < probe_kind; refused++)
    add_refused_kind (&self->choice.answer, refused, &calls[refused].why);
  return 0;
}

static int
attach_kernel_sites (TbAgentLatencyProbes *self,
                     const TbAgentPending **probes,
                     size_t n,
                     TbAgentLinks *links,
                     TbCaptureMessage *why)
{
  int fds[2];

  for (size_t i = 0; i < n; i++)
    {
      if (tb_agent_kernel_probe_attach_at (probes[i]->wanted.offset, self->programs.kernel_site,
                                           probes[i]->wanted.site, fds, why)
          != 0)
        return -1;
      tb_agent_links_add (links, fds[0]);
      tb_agent_links_add (links, fds[1]);
    }
  return 0;
}

static int
attach_probes (TbAgentLatencyProbes *self,
               const TbAgentPending **probes,
               size_t n,
               int32_t traced,
               TbAgentLinks *links)
{
  if (!self->lacks_multi)
    {
      if (attach_multi (self, probes, n, traced, links) == 0)
        return 0;
      /* Kernels before 6.6 do not know it and return one of these errors. */
      if (errno != EINVAL && errno != EOPNOTSUPP && errno != E2BIG)
        return -1;
      self->lacks_multi = 1;
    }
  for (size_t i = 0; i < n; i++)
    if (attach_single (self, probes[i], traced, links) != 0)
      return -1;
  return 0;
}

/* Arguments and result of the attach helper */
typedef struct
{
  TbAgentLatencyProbes *probes;
  uint32_t group;
  int32_t traced;
  struct
  {
    int lacks_multi;
    TbAgentKernelProbeChoice choice;
    TbCaptureMessage why; /* reason of a failure */
  } answer;
} AttachRequest;

static int
is_end (const TbCaptureLatencyProbe *probe)
{
  return probe->kind == TB_CAPTURE_LATENCY_RETURN || probe->kind == TB_CAPTURE_LATENCY_LAST;
}

/* Return probes of f0 are attached before its entry probes and detached after them, so that every
 * recorded entry has a recorded return. */
static size_t
find_next (const TbAgentLatencyProbes *self, uint32_t group, const uint8_t *done)
{
  for (int ends = 1; ends >= 0; ends--)
    for (size_t i = 0; i < self->n_pending; i++)
      if (!done[i] && self->pending[i].wanted.group == group
          && is_end (&self->pending[i].wanted) == ends)
        return i;
  return self->n_pending;
}

/* Attaches all pending probes of the group. */
static int
attach_all (TbAgentLatencyProbes *self,
            uint32_t group,
            int32_t traced,
            TbAgentLinks *links,
            TbCaptureMessage *why)
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
          result = attach_kernel (self, probes[0], links, why);
          continue;
        }
      if (probes[0]->wanted.kind == TB_CAPTURE_LATENCY_KERNEL_SITE)
        {
          result = attach_kernel_sites (self, probes, n, links, why);
          continue;
        }
      result = attach_probes (self, probes, n, traced, links);
      if (result != 0)
        tb_agent_probes_explain (errno, why);
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
  AttachRequest *self = data;
  int result = attach_all (self->probes, self->group, self->traced, links, &self->answer.why);

  self->answer.lacks_multi = self->probes->lacks_multi;
  self->answer.choice = self->probes->choice;
  return result;
}

/* The group's old probes are detached after the new ones are attached, so that no call is
 * missed. */
int
tb_agent_latency_probes_attach (TbAgentLatencyProbes *self,
                                uint32_t group,
                                int32_t traced,
                                TbCaptureMessage *why)
{
  AttachRequest attaching = { self, group, traced, { self->lacks_multi, self->choice, { 0 } } };
  TbAgentLinks links = { 0 };

  if (group >= TB_CAPTURE_LATENCY_MAX_GROUPS)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_SUCH_GROUP, 0);
      return -1;
    }
  if (tb_agent_attach_helper_attach (run_attaching, &attaching, &links, &attaching.answer,
                                     sizeof attaching.answer)
      != 0)
    {
      if (attaching.answer.why.code != TB_CAPTURE_CODE_NONE)
        *why = attaching.answer.why;
      else
        tb_agent_probes_explain (errno, why);
      tb_agent_latency_probes_forget (self, group);
      return -1;
    }
  self->lacks_multi = attaching.answer.lacks_multi;
  self->choice = attaching.answer.choice;
  tb_agent_latency_probes_forget (self, group);
  tb_agent_attach_helper_detach (&self->groups[group], 0);
  self->groups[group] = links;
  return 0;
}
