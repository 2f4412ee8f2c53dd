/* tb-agent-bpf-object.c: loading of one BPF object, with the shared maps put into it or the reason
 * if the kernel refuses it; attaching, detaching, count of its skipped runs, closing; access to BPF
 * maps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/base/tb-agent-map.h"
#include "agent/bpf/tb-agent-skeletons.h"

/* The verifier's error message is at the end of its log. */
#define LOG_SIZE (8u << 20)
#define MAX_VERIFIER_ERROR 160

int
tb_agent_bpf_map_new (unsigned type,
                      const char *name,
                      unsigned key_size,
                      unsigned value_size,
                      unsigned n_entries,
                      unsigned flags)
{
  union bpf_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.map_type = type;
  attr.key_size = key_size;
  attr.value_size = value_size;
  attr.max_entries = n_entries;
  attr.map_flags = flags;
  snprintf (attr.map_name, sizeof attr.map_name, "%s", name);
  return skel_sys_bpf (BPF_MAP_CREATE, &attr, offsetofend (union bpf_attr, map_name));
}

int
tb_agent_bpf_map_put (int map, const void *key, const void *value)
{
  return skel_map_update_elem (map, key, value, BPF_ANY);
}

static int
look_up (enum bpf_cmd command, int map, const void *key, void *value)
{
  union bpf_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.map_fd = (uint32_t) map;
  attr.key = (uint64_t) (uintptr_t) key;
  attr.value = (uint64_t) (uintptr_t) value;
  return skel_sys_bpf (command, &attr, offsetofend (union bpf_attr, flags));
}

int
tb_agent_bpf_map_get (int map, const void *key, void *value)
{
  return look_up (BPF_MAP_LOOKUP_ELEM, map, key, value);
}

int
tb_agent_bpf_map_take (int map, const void *key, void *value)
{
  return look_up (BPF_MAP_LOOKUP_AND_DELETE_ELEM, map, key, value);
}

int
tb_agent_bpf_map_get_first (int map, void *key)
{
  union bpf_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.map_fd = (uint32_t) map;
  attr.next_key = (uint64_t) (uintptr_t) key;
  return skel_sys_bpf (BPF_MAP_GET_NEXT_KEY, &attr, offsetofend (union bpf_attr, next_key));
}

int
tb_agent_bpf_map_remove (int map, const void *key)
{
  return skel_map_delete_elem (map, key);
}

/* Finds the last line of the log that is not a statistic. */
static void
find_verifier_error (char *log, char *verifier_error, size_t size)
{
  char *line, *rest = log;

  verifier_error[0] = '\0';
  while ((line = strsep (&rest, "\n")) != NULL)
    if (line[0] != '\0' && strncmp (line, "processed ", 10) != 0
        && strncmp (line, "verification ", 13) != 0 && strncmp (line, "stack depth ", 12) != 0)
      snprintf (verifier_error, size, "%s", line);
}

static void
explain (int error, const char *verifier_error, TbCaptureMessage *why)
{
  switch (error)
    {
    case EPERM:
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NOT_PERMITTED, error);
      break;
    case ENOENT:
    case ESRCH:
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NOT_IN_KERNEL, error);
      break;
    case ENOMEM:
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_MEMORY, error);
      break;
    default:
      if (verifier_error[0] != '\0')
        TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PROGRAM_REFUSED, error, verifier_error);
      else
        TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_PROGRAM_NOT_TAKEN, error);
    }
}

/* The kernel waits for all programs after each change of a map of maps, so all rings are put in
 * with one batch. */
static int
put_all_rings (int map, const int *rings, unsigned n_cpus)
{
  uint32_t *cpus = tb_agent_allocate (NULL, n_cpus * sizeof *cpus);
  int *fds = tb_agent_allocate (NULL, n_cpus * sizeof *fds);
  union bpf_attr attr;
  uint32_t n = 0;
  int result;

  for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
    if (rings[cpu] >= 0)
      {
        cpus[n] = cpu;
        fds[n++] = rings[cpu];
      }
  memset (&attr, 0, sizeof attr);
  attr.batch.keys = (uint64_t) (uintptr_t) cpus;
  attr.batch.values = (uint64_t) (uintptr_t) fds;
  attr.batch.count = n;
  attr.batch.map_fd = (uint32_t) map;
  result = skel_sys_bpf (BPF_MAP_UPDATE_BATCH, &attr, offsetofend (union bpf_attr, batch));
  /* Older kernels have no batch update for this map. */
  if (result != 0)
    {
      result = 0;
      for (uint32_t i = 0; i < n && result == 0; i++)
        result = tb_agent_bpf_map_put (map, &cpus[i], &fds[i]);
    }
  free (cpus);
  free (fds);
  return result;
}

static int
put_shared_maps (TbAgentBpfObject *self, const TbAgentBpfShared *shared)
{
  int zero = 0;

  if (put_all_rings (self->rings->map_fd, shared->rings, shared->config.n_cpus) != 0)
    return -1;
  if (tb_agent_bpf_map_put (self->cpus->map_fd, &zero, &shared->cpus) != 0)
    return -1;
  if (shared->tables > 0
      && tb_agent_bpf_map_put (self->tables->map_fd, &zero, &shared->tables) != 0)
    return -1;
  if (shared->received > 0
      && (self->kind == &tb_agent_bpf_scheduler || self->kind == &tb_agent_bpf_connections)
      && tb_agent_bpf_map_put (self->received->map_fd, &zero, &shared->received) != 0)
    return -1;
  /* No other filter uses the map of targets, and each map that is put in costs a wait. */
  if (shared->config.filter != TB_BPF_FILTER_TREE)
    return 0;
  return tb_agent_bpf_map_put (self->targets->map_fd, &zero, &shared->targets);
}

static int
try_load (TbAgentBpfObject *self,
          const TbAgentBpfObjectKind *kind,
          const TbAgentBpfShared *shared,
          char *log,
          size_t log_size)
{
  int result;

  memset (self, 0, sizeof *self);
  self->kind = kind;
  if (kind->open (self) != 0)
    return -ENOMEM;
  *self->config = shared->config;
  self->rings->max_entries = shared->config.n_cpus;
  if (log != NULL)
    {
      self->context->log_level = 1;
      self->context->log_size = (uint32_t) log_size;
      self->context->log_buf = (uint64_t) (uintptr_t) log;
    }
  result = kind->load (self->skeleton);
  if (result == 0 && shared->rings != NULL && put_shared_maps (self, shared) != 0)
    result = -errno;
  if (result != 0)
    {
      kind->destroy (self->skeleton);
      self->skeleton = NULL;
    }
  return result;
}

int
tb_agent_bpf_object_load (TbAgentBpfObject *self,
                          const TbAgentBpfObjectKind *kind,
                          const TbAgentBpfShared *shared,
                          TbCaptureMessage *why)
{
  char verifier_error[MAX_VERIFIER_ERROR] = "", *log;
  int result = try_load (self, kind, shared, NULL, 0), second;

  if (result == 0)
    return 0;
  if (result != -EPERM && result != -ENOENT && result != -ESRCH && result != -ENOMEM)
    {
      log = tb_agent_allocate (NULL, LOG_SIZE);
      log[0] = '\0';
      second = try_load (self, kind, shared, log, LOG_SIZE);
      log[LOG_SIZE - 1] = '\0';
      find_verifier_error (log, verifier_error, sizeof verifier_error);
      free (log);
      if (second == 0)
        return 0;
    }
  explain (-result, verifier_error, why);
  return -1;
}

int
tb_agent_bpf_object_attach (TbAgentBpfObject *self, TbCaptureMessage *why)
{
  int result;

  if (self->skeleton == NULL || self->kind->attach == NULL)
    return 0;
  errno = 0;
  result = self->kind->attach (self->skeleton);
  if (result < 0)
    {
      explain (errno != 0 ? errno : -result, "", why);
      tb_agent_bpf_object_clear (self);
      return -1;
    }
  return 0;
}

void
tb_agent_bpf_object_detach (TbAgentBpfObject *self)
{
  for (size_t i = 0; self->skeleton != NULL && i < self->n_links; i++)
    {
      if (self->links[i] > 0)
        close (self->links[i]);
      self->links[i] = 0;
    }
}

uint64_t
tb_agent_bpf_object_count_missed (const TbAgentBpfObject *self)
{
  uint64_t missed = 0;

  for (size_t i = 0; self->skeleton != NULL && i < self->n_programs; i++)
    {
      struct bpf_prog_info info;
      union bpf_attr attr;

      memset (&info, 0, sizeof info);
      memset (&attr, 0, sizeof attr);
      attr.info.bpf_fd = (uint32_t) self->programs[i];
      attr.info.info_len = sizeof info;
      attr.info.info = (uint64_t) (uintptr_t) &info;
      if (skel_sys_bpf (BPF_OBJ_GET_INFO_BY_FD, &attr, offsetofend (union bpf_attr, info)) == 0)
        missed += info.recursion_misses;
    }
  return missed;
}

void
tb_agent_bpf_object_clear (TbAgentBpfObject *self)
{
  if (self->skeleton == NULL)
    return;
  tb_agent_bpf_object_detach (self);
  self->kind->destroy (self->skeleton);
  memset (self, 0, sizeof *self);
}
