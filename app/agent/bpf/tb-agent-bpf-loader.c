/* tb-agent-bpf-loader.c: loading of several BPF objects in parallel; if the kernel refuses one, all
 * again one by one, without stack dumps, unwind tables or records of what threads sleep in where
 * these are the cause
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/bpf/tb-agent-bpf-loader.h"

static void *
try_loading (void *data)
{
  TbAgentBpfLoading *self = data;

  self->shared.config.sleeps = self->can_do_without_sleeps;
  self->result = tb_agent_bpf_object_load (&self->object, self->kind, &self->shared, &self->why);
  return NULL;
}

/* What a thread sleeps in is read from many kernel structures. Where one of them differs from what
 * the programs expect, the object is loaded without that part. The same applies where the kernel
 * does not permit stack dumps, or refuses the use of unwind tables. */
static void
load_single (TbAgentBpfLoading *self)
{
  TbBpfConfig *config = &self->shared.config;

  try_loading (self);
  if (self->result != 0 && config->dump_bytes != 0)
    {
      config->dump_bytes = 0;
      try_loading (self);
    }
  if (self->result != 0 && (config->stacks & TB_CAPTURE_REPAIRED_STACKS) != 0)
    {
      config->stacks &= ~(uint32_t) TB_CAPTURE_REPAIRED_STACKS;
      try_loading (self);
    }
  if (self->result != 0 && config->sleeps)
    {
      config->sleeps = 0;
      self->result
          = tb_agent_bpf_object_load (&self->object, self->kind, &self->shared, &self->why);
    }
}

/* Returns 0 if all are loaded. */
static int
load_parallel (TbAgentBpfLoading *loadings, size_t n)
{
  int result = 0;

  for (size_t i = 0; i < n; i++)
    {
      loadings[i].started
          = pthread_create (&loadings[i].thread, NULL, try_loading, &loadings[i]) == 0;
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

/* When a shared map is put into a map of maps, the kernel waits for all running programs, which
 * takes tens of milliseconds each time. Loading in parallel makes these waits overlap. The longest
 * part of loading cannot overlap: the kernel holds a lock while it looks up the types that a
 * program names (in bpf_core_apply()), and all objects wait for that lock.
 *
 * If the kernel refuses the programs of a light skeleton, the skeleton closes the descriptor of the
 * map in its map of maps a second time (bpf_gen__init() of libbpf cleans up what
 * bpf_gen__map_create() has closed). By then that number may be the descriptor of another object,
 * which loses a map or a program. So after one refusal no object is trusted: all are loaded again,
 * one by one. */
void
tb_agent_bpf_load (TbAgentBpfLoading *loadings, size_t n)
{
  if (n > 1 && load_parallel (loadings, n) == 0)
    return;
  for (size_t i = 0; i < n; i++)
    tb_agent_bpf_object_clear (&loadings[i].object);
  for (size_t i = 0; i < n; i++)
    load_single (&loadings[i]);
}
