/* tb-agent-bpf-preparation.c: preparation of a recording with BPF programs: limits of the process,
 * rings, shared maps, the array of unwind tables
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/base/tb-agent-cpus.h"
#include "agent/bpf/tb-agent-bpf-loader.h"
#include "agent/bpf/tb-agent-bpf-private.h"

#define MAX_TARGETS 65536

/* If the value of unprivileged_bpf_disabled is known, it explains the refusal. */
static void
explain_permission (int error, TbCaptureMessage *why)
{
  char level[16] = "";
  int file = open ("/proc/sys/kernel/unprivileged_bpf_disabled", O_RDONLY | O_CLOEXEC);
  ssize_t got = file >= 0 ? read (file, level, sizeof level - 1) : 0;

  if (file >= 0)
    close (file);
  level[got > 0 ? strcspn (level, "\n") : 0] = '\0';
  if (level[0] != '\0')
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_BPF_DISABLED, error, level);
  else
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_CAP_BPF, error);
}

static int
make_shared_maps (TbAgent *self, const uint8_t *online, uint64_t ring_bytes, TbCaptureMessage *why)
{
  TbAgentBpf *bpf = self->bpf;
  uint32_t n_cpus = self->header.n_cpus;

  for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
    {
      if (online[cpu] && tb_agent_bpf_ring_open (&bpf->cpus[cpu].ring, ring_bytes) != 0)
        {
          if (errno == EPERM || errno == EACCES)
            explain_permission (errno, why);
          else
            TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_RING_NOT_MADE, errno,
                                    TB_CAPTURE_NUMBER (ring_bytes));
          return -1;
        }
      bpf->ring_fds[cpu] = bpf->cpus[cpu].ring.fd;
    }
  bpf->shared.rings = bpf->ring_fds;
  bpf->shared.cpus
      = tb_agent_bpf_map_new (BPF_MAP_TYPE_ARRAY, "tb_cpus", sizeof (uint32_t), sizeof (TbBpfCpu),
                              n_cpus, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
  bpf->shared.targets = tb_agent_bpf_map_new (BPF_MAP_TYPE_HASH, "tb_targets", sizeof (uint32_t),
                                              sizeof (uint32_t), MAX_TARGETS, 0);
  if (bpf->shared.cpus < 0 || bpf->shared.targets < 0)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_MAPS_NOT_MADE, errno);
      return -1;
    }
  bpf->kernel_cpus_size = n_cpus * sizeof (TbBpfCpu);
  bpf->kernel_cpus
      = mmap (NULL, bpf->kernel_cpus_size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf->shared.cpus, 0);
  if (bpf->kernel_cpus == MAP_FAILED)
    {
      bpf->kernel_cpus = NULL;
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_MAPS_NOT_MAPPED, errno);
      return -1;
    }
  return 0;
}

static void
make_bpf (TbAgent *self)
{
  uint32_t n_cpus = self->header.n_cpus;
  TbAgentBpf *bpf = tb_agent_allocate (NULL, sizeof *bpf);

  memset (bpf, 0, sizeof *bpf);
  bpf->cpus = tb_agent_allocate (NULL, n_cpus * sizeof *bpf->cpus);
  bpf->ring_fds = tb_agent_allocate (NULL, n_cpus * sizeof *bpf->ring_fds);
  memset (bpf->cpus, 0, n_cpus * sizeof *bpf->cpus);
  for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
    {
      bpf->cpus[cpu].ring.fd = bpf->ring_fds[cpu] = -1;
      bpf->cpus[cpu].number = (uint16_t) cpu;
      bpf->cpus[cpu].shown = -1;
    }
  bpf->shared.cpus = bpf->shared.targets = -1;
  bpf->shared.config.n_cpus = n_cpus;
  bpf->shared.config.own_pid = self->own_pid;
  bpf->salt = 1;
  self->bpf = bpf;
}

/* Kernels before 5.11 charge maps to the locked-memory limit. */
static void
raise_limits (void)
{
  struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

  (void) setrlimit (RLIMIT_MEMLOCK, &limit);
  /* Each probe takes two file descriptors. */
  if (getrlimit (RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max)
    {
      limit.rlim_cur = limit.rlim_max;
      (void) setrlimit (RLIMIT_NOFILE, &limit);
    }
}

int
tb_agent_bpf_prepare (TbAgent *self, uint64_t ring_bytes, TbCaptureMessage *why)
{
  uint8_t *online = tb_agent_allocate (NULL, self->header.n_cpus);
  int result;

  raise_limits ();
  make_bpf (self);
  tb_agent_list_online_cpus (online, self->header.n_cpus);
  result = make_shared_maps (self, online, ring_bytes, why);
  free (online);
  return result;
}

void
tb_agent_bpf_tables_open (TbAgent *self)
{
#if defined __x86_64__
  TbAgentTables *tables = &self->bpf->tables;
  int map
      = tb_agent_bpf_map_new (BPF_MAP_TYPE_ARRAY, "tb_tables", sizeof (uint32_t), sizeof (uint64_t),
                              TB_BPF_UNWIND_WORDS, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
  void *words = map >= 0
                    ? mmap (NULL, TB_AGENT_TABLES_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0)
                    : MAP_FAILED;

  if (words == MAP_FAILED)
    {
      tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING,
                                  TB_CAPTURE_SOURCE_SCHEDULER,
                                  TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_TABLES, errno));
      if (map >= 0)
        close (map);
      return;
    }
  self->bpf->shared.tables = map;
  tables->words = words;
  tables->n_used = TB_BPF_UNWIND_ROWS;
#endif
}
