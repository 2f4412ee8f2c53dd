/* tb-agent-bpf-load.c: objects of BPF programs on their way into the kernel, all at once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/tb-agent-bpf-load.h"

static void *
try_loading (void *data)
{
  TbAgentBpfLoading *self = data;

  self->shared.config.sleeps = self->can_do_without_sleeps;
  self->result = tb_agent_bpf_object_load (&self->object, self->kind, &self->shared, &self->why);
  return NULL;
}

/* What threads sleep in is read from many places of the kernel; where one of them is not as it is known, the rest remains.
 * So it does where the kernel does not let stacks be dumped. */
static void
load_alone (TbAgentBpfLoading *self)
{
  TbBpfConfig *config = &self->shared.config;

  try_loading (self);
  if (self->result != 0 && config->dump_bytes != 0)
    {
      config->dump_bytes = 0;
      try_loading (self);
    }
  if (self->result != 0 && config->sleeps)
    {
      config->sleeps = 0;
      self->result = tb_agent_bpf_object_load (&self->object, self->kind, &self->shared, &self->why);
    }
}

/* 0: all are loaded. */
static int
load_together (TbAgentBpfLoading *loadings, size_t n)
{
  int result = 0;

  for (size_t i = 0; i < n; i++)
    {
      loadings[i].started = pthread_create (&loadings[i].thread, NULL, try_loading, &loadings[i]) == 0;
      if (!loadings[i].started)
        try_loading (&loadings[i]);
    }
  for (size_t i = 0; i < n; i++)
    {
      if (loadings[i].started)
        pthread_join (loadings[i].thread, NULL);
      result |= loadings[i].result;
    }
  return result;
}

/* Where a shared map is put in, the kernel waits until no program runs that may not have seen it, which takes tens of
 * milliseconds each time: that is waited for at once. What takes most of the time cannot be: while the kernel seeks the types
 * that a program names among all of its own it holds a lock (in bpf_core_apply()), which all objects wait for.
 *
 * A light skeleton whose programs are refused closes the file of the map in its map of maps a second time (bpf_gen__init() of
 * libbpf cleans up what bpf_gen__map_create() has closed), and by then that number may be the file of another object, which is
 * left without a map or a program. Where one is refused none is trusted: all are loaded again, one by one. */
void
tb_agent_bpf_load (TbAgentBpfLoading *loadings, size_t n)
{
  if (n > 1 && load_together (loadings, n) == 0)
    return;
  for (size_t i = 0; i < n; i++)
    tb_agent_bpf_object_clear (&loadings[i].object);
  for (size_t i = 0; i < n; i++)
    load_alone (&loadings[i]);
}
