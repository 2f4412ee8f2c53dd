/* tb-agent-latency-cost.c: measured cost of latency probes on this machine, for user functions,
 * kernel functions and system calls, and the part of it that latencies contain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process of the agent calls a function that does nothing, without probes and with them. The
 * difference is what a probed call takes longer. The part of it that the measured latency contains
 * is subtracted from other calls' latencies.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/latency/tb-agent-latency-cost.h"
#include "agent/probes/tb-agent-probes.h"

/* Time for each of the measurements */
#define MEASURING_MS 12u
/* A latency that exceeds the most frequent bin by more than this power of two belongs to an
 * interrupted call. */
#define MAX_EXCESS 1u

enum
{
  GROUP_CALL,
  GROUP_SITES,
  GROUP_STEPPED,
  /* does not collide with pending probes of other groups */
  GROUP_KERNEL = TB_CAPTURE_LATENCY_MAX_GROUPS - 2,
};

static void
clear_bins (const TbAgentLatencyCalibration *setup)
{
  TbBpfLatencyBins *zeroes = tb_agent_allocate (NULL, setup->n_cpus * sizeof *zeroes);
  uint32_t zero = 0;

  memset (zeroes, 0, setup->n_cpus * sizeof *zeroes);
  tb_agent_bpf_map_put (setup->maps->bins, &zero, zeroes);
  free (zeroes);
}

/* The mean latency of uninterrupted calls; 0: none */
static uint64_t
read_latency (const TbAgentLatencyCalibration *setup)
{
  TbBpfLatencyBins *bins = tb_agent_allocate (NULL, setup->n_cpus * sizeof *bins);
  uint64_t counts[TB_BPF_LATENCY_BINS] = { 0 }, totals[TB_BPF_LATENCY_BINS] = { 0 }, n = 0,
           total = 0;
  uint32_t zero = 0, modal = 0;

  if (tb_agent_bpf_map_get (setup->maps->bins, &zero, bins) == 0)
    for (uint32_t cpu = 0; cpu < setup->n_cpus; cpu++)
      for (uint32_t bin = 0; bin < TB_BPF_LATENCY_BINS; bin++)
        {
          counts[bin] += bins[cpu].counts[bin];
          totals[bin] += bins[cpu].totals[bin];
        }
  free (bins);
  for (uint32_t bin = 1; bin < TB_BPF_LATENCY_BINS; bin++)
    if (counts[bin] > counts[modal])
      modal = bin;
  for (uint32_t bin = 0; bin <= modal + MAX_EXCESS && bin < TB_BPF_LATENCY_BINS; bin++)
    {
      n += counts[bin];
      total += totals[bin];
    }
  return n > 0 ? total / n : 0;
}

/* From now on calls of the process of the calibration are recorded, and no others. */
static void
prepare_calibration (const TbAgentLatencyCalibration *setup,
                     const TbAgentCalibration *calibration,
                     uint32_t call)
{
  TbBpfLatencyShared *shared = setup->shared;

  shared->resolution = 1;
  shared->floor = shared->nested = 0;
  shared->from_bin = 1;
  shared->to_bin = 0;
  shared->call = call;
  shared->calibration_pid = (uint32_t) calibration->pid;
  clear_bins (setup);
}

/* Resets the state that the calibration has changed. */
static void
reset_state (const TbAgentLatencyCalibration *setup)
{
  TbBpfLatencyNode node = { 0 };
  uint32_t zero = 0;

  tb_agent_bpf_map_put (setup->maps->nodes, &zero, &node);
  setup->shared->calibration_pid = 0;
  setup->shared->calls = setup->shared->abandoned = setup->shared->full = setup->shared->cut = 0;
  setup->shared->from_bin = 1;
  setup->shared->to_bin = 0;
  clear_bins (setup);
}

static void
finish_calibration (const TbAgentLatencyCalibration *setup)
{
  tb_agent_latency_probes_clear (setup->probes);
  reset_state (setup);
}

/* Returns 0 if the probes cannot be attached. */
static int
probe (const TbAgentLatencyCalibration *setup,
       const TbAgentCalibration *calibration,
       uint32_t group,
       const TbCaptureLatencyProbe *probes,
       size_t n)
{
  TbCaptureMessage why;

  for (size_t i = 0; i < n; i++)
    tb_agent_latency_probes_add_own (setup->probes, &probes[i]);
  return tb_agent_latency_probes_attach (setup->probes, group, calibration->pid, &why) == 0;
}

static uint64_t
measure (TbAgentCalibration *calibration, TbAgentCalibrationRun what)
{
  return tb_agent_calibration_measure (calibration, what, MEASURING_MS, NULL, NULL);
}

static uint64_t
subtract (uint64_t more, uint64_t less)
{
  return more > less ? more - less : 0;
}

static int
probe_call (const TbAgentLatencyCalibration *setup,
            const TbAgentCalibration *calibration,
            uint64_t offset)
{
  const TbCaptureLatencyProbe probes[]
      = { { .kind = TB_CAPTURE_LATENCY_ENTRY, .group = GROUP_CALL, .offset = offset },
          { .kind = TB_CAPTURE_LATENCY_RETURN, .group = GROUP_CALL, .offset = offset } };

  return probe (setup, calibration, GROUP_CALL, probes, 2);
}

/* A callee begins at the first site and ends at the second. */
static int
probe_sites (const TbAgentLatencyCalibration *setup,
             const TbAgentCalibration *calibration,
             uint64_t offset)
{
  const TbCaptureLatencyProbe probes[] = { { .kind = TB_CAPTURE_LATENCY_SITE,
                                             .group = GROUP_SITES,
                                             .offset = offset + TB_AGENT_CALIBRATION_FIRST_SITE,
                                             .site = 0 },
                                           { .kind = TB_CAPTURE_LATENCY_SITE,
                                             .group = GROUP_SITES,
                                             .offset = offset + TB_AGENT_CALIBRATION_SECOND_SITE,
                                             .site = 1 } };
  const TbBpfLatencyNode node
      = { .first_child = 1, .function = 1, .flags = TB_BPF_LATENCY_IS_OPEN };
  const TbBpfLatencySite sites[]
      = { { .function = 1, .flags = TB_BPF_LATENCY_BEGINS }, { .function = 1 } };
  uint32_t zero = 0, one = 1;

  tb_agent_bpf_map_put (setup->maps->nodes, &zero, &node);
  tb_agent_bpf_map_put (setup->maps->sites, &zero, &sites[0]);
  tb_agent_bpf_map_put (setup->maps->sites, &one, &sites[1]);
  setup->shared->to_bin = TB_BPF_LATENCY_BINS - 1;
  setup->shared->from_bin = 0;
  return probe (setup, calibration, GROUP_SITES, probes, 2);
}

static int
probe_stepped (const TbAgentLatencyCalibration *setup,
               const TbAgentCalibration *calibration,
               uint64_t offset)
{
  const TbCaptureLatencyProbe wanted = { .kind = TB_CAPTURE_LATENCY_SITE,
                                         .group = GROUP_STEPPED,
                                         .offset = offset + TB_AGENT_CALIBRATION_STEPPED_SITE,
                                         .site = 1 };

  return probe (setup, calibration, GROUP_STEPPED, &wanted, 1);
}

void
tb_agent_latency_cost_measure_function (const TbAgentLatencyCalibration *setup,
                                        TbAgentLatencyCost *cost)
{
  uint64_t offset = tb_agent_probes_find_own ((const void *) tb_agent_calibration_call), plain,
           called, sited, stepped;
  TbAgentCalibration calibration;

  *cost = (TbAgentLatencyCost) { 0 };
  if (offset == 0 || tb_agent_calibration_start (&calibration) != 0)
    return;
  prepare_calibration (setup, &calibration, TB_BPF_LATENCY_NO_CALL);
  plain = measure (&calibration, TB_AGENT_CALIBRATION_CALLS);
  if (plain > 0 && probe_call (setup, &calibration, offset)
      && (called = measure (&calibration, TB_AGENT_CALIBRATION_CALLS)) > 0)
    {
      cost->call = subtract (called, plain);
      cost->floor = subtract (read_latency (setup), plain);
      if (probe_sites (setup, &calibration, offset)
          && (sited = measure (&calibration, TB_AGENT_CALIBRATION_CALLS)) > 0)
        {
          cost->site = subtract (sited, called) / 2;
          if (TB_AGENT_CALIBRATION_STEPPED_SITE != 0 && probe_stepped (setup, &calibration, offset)
              && (stepped = measure (&calibration, TB_AGENT_CALIBRATION_CALLS)) > 0)
            cost->stepped = subtract (stepped, sited);
        }
    }
  tb_agent_calibration_end (&calibration);
  finish_calibration (setup);
}

void
tb_agent_latency_cost_measure_call (const TbAgentLatencyCalibration *setup,
                                    int (*attach) (void *data),
                                    void *data,
                                    TbAgentLatencyCost *cost)
{
  uint64_t plain, called;
  TbAgentCalibration calibration;

  *cost = (TbAgentLatencyCost) { 0 };
  if (tb_agent_calibration_start (&calibration) != 0)
    return;
  prepare_calibration (setup, &calibration, SYS_getppid);
  plain = measure (&calibration, TB_AGENT_CALIBRATION_SYSTEM_CALLS);
  if (plain > 0 && attach (data) == 0
      && (called = measure (&calibration, TB_AGENT_CALIBRATION_SYSTEM_CALLS)) > 0)
    cost->call = subtract (called, plain);
  tb_agent_calibration_end (&calibration);
  finish_calibration (setup);
}

void
tb_agent_latency_cost_measure_kernel (const TbAgentLatencyCalibration *setup,
                                      TbAgentLatencyCost *cost)
{
  uint64_t plain, called;
  TbAgentCalibration calibration;
  TbCaptureMessage why;

  *cost = (TbAgentLatencyCost) { 0 };
  if (TB_AGENT_LATENCY_CALIBRATED == NULL || tb_agent_calibration_start (&calibration) != 0)
    return;
  prepare_calibration (setup, &calibration, TB_BPF_LATENCY_NO_CALL);
  plain = measure (&calibration, TB_AGENT_CALIBRATION_SYSTEM_CALLS);
  tb_agent_latency_probes_add_kernel (setup->probes, GROUP_KERNEL, TB_AGENT_LATENCY_CALIBRATED);
  if (tb_agent_latency_probes_attach (setup->probes, GROUP_KERNEL, -1, &why) == 0 && plain > 0
      && (called = measure (&calibration, TB_AGENT_CALIBRATION_SYSTEM_CALLS)) > 0
      && read_latency (setup) > 0)
    cost->call = subtract (called, plain);
  tb_agent_calibration_end (&calibration);
  tb_agent_latency_probes_detach_and_wait (setup->probes, GROUP_KERNEL);
  reset_state (setup);
}
