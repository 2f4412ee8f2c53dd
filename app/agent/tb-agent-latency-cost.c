/* tb-agent-latency-cost.c: measured cost of latency probes on this machine, and the part of it that
 * latencies contain
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

#include "agent/tb-agent-bpf-object.h"
#include "agent/tb-agent-latency-cost.h"
#include "agent/tb-agent-probes.h"

/* Time for each of the measurements */
#define MEASURING_MS 12u
/* A latency that exceeds the most frequent bin by more than this power of two belongs to an
 * interrupted call. */
#define BEYOND 1u

enum
{
  GROUP_CALL,
  GROUP_SITES,
  GROUP_STEPPED,
  /* does not collide with pending probes of other groups */
  GROUP_TRIED = TB_CAPTURE_LATENCY_MAX_GROUPS - 2,
};

static void
clear_bins (const TbAgentLatencyTrial *trial)
{
  TbBpfLatencyBins *zeroes = tb_agent_allocate (NULL, trial->n_cpus * sizeof *zeroes);
  uint32_t zero = 0;

  memset (zeroes, 0, trial->n_cpus * sizeof *zeroes);
  tb_agent_bpf_map_put (trial->maps->bins, &zero, zeroes);
  free (zeroes);
}

/* The mean latency of uninterrupted calls; 0: none */
static uint64_t
read_latency (const TbAgentLatencyTrial *trial)
{
  TbBpfLatencyBins *bins = tb_agent_allocate (NULL, trial->n_cpus * sizeof *bins);
  uint64_t counts[TB_BPF_LATENCY_BINS] = { 0 }, totals[TB_BPF_LATENCY_BINS] = { 0 }, n = 0, total = 0;
  uint32_t zero = 0, modal = 0;

  if (tb_agent_bpf_map_get (trial->maps->bins, &zero, bins) == 0)
    for (uint32_t cpu = 0; cpu < trial->n_cpus; cpu++)
      for (uint32_t bin = 0; bin < TB_BPF_LATENCY_BINS; bin++)
        {
          counts[bin] += bins[cpu].counts[bin];
          totals[bin] += bins[cpu].totals[bin];
        }
  free (bins);
  for (uint32_t bin = 1; bin < TB_BPF_LATENCY_BINS; bin++)
    if (counts[bin] > counts[modal])
      modal = bin;
  for (uint32_t bin = 0; bin <= modal + BEYOND && bin < TB_BPF_LATENCY_BINS; bin++)
    {
      n += counts[bin];
      total += totals[bin];
    }
  return n > 0 ? total / n : 0;
}

static void
begin (const TbAgentLatencyTrial *trial, const TbAgentPlayers *players, uint32_t call)
{
  TbBpfLatencyShared *shared = trial->shared;

  shared->resolution = 1;
  shared->floor = shared->nested = 0;
  shared->from_bin = 1;
  shared->to_bin = 0;
  shared->call = call;
  shared->played = (uint32_t) players->pid;
  clear_bins (trial);
}

/* Resets the state that the calibration has changed. */
static void
forget (const TbAgentLatencyTrial *trial)
{
  TbBpfLatencyNode node = { 0 };
  uint32_t zero = 0;

  tb_agent_bpf_map_put (trial->maps->nodes, &zero, &node);
  trial->shared->played = 0;
  trial->shared->calls = trial->shared->abandoned = trial->shared->crowded = trial->shared->cut = 0;
  trial->shared->from_bin = 1;
  trial->shared->to_bin = 0;
  clear_bins (trial);
}

static void
end (const TbAgentLatencyTrial *trial)
{
  tb_agent_latency_probes_clear (trial->probes);
  forget (trial);
}

/* Returns 0 if the probes cannot be attached. */
static int
probe (const TbAgentLatencyTrial *trial,
       const TbAgentPlayers *players,
       uint32_t group,
       const TbCaptureLatencyProbe *probes,
       size_t n)
{
  TbCaptureMessage why;

  for (size_t i = 0; i < n; i++)
    tb_agent_latency_probes_add_own (trial->probes, &probes[i]);
  return tb_agent_latency_probes_attach (trial->probes, group, players->pid, &why) == 0;
}

static uint64_t
measure (TbAgentPlayers *players, TbAgentPlay what)
{
  return tb_agent_players_measure (players, what, MEASURING_MS, NULL, NULL);
}

static uint64_t
subtract (uint64_t more, uint64_t less)
{
  return more > less ? more - less : 0;
}

static int
probe_call (const TbAgentLatencyTrial *trial, const TbAgentPlayers *players, uint64_t offset)
{
  const TbCaptureLatencyProbe probes[]
      = { { .kind = TB_CAPTURE_LATENCY_ENTRY, .group = GROUP_CALL, .offset = offset },
          { .kind = TB_CAPTURE_LATENCY_RETURN, .group = GROUP_CALL, .offset = offset } };

  return probe (trial, players, GROUP_CALL, probes, 2);
}

/* A callee begins at the first site and ends at the second. */
static int
probe_sites (const TbAgentLatencyTrial *trial, const TbAgentPlayers *players, uint64_t offset)
{
  const TbCaptureLatencyProbe probes[] = { { .kind = TB_CAPTURE_LATENCY_SITE,
                                             .group = GROUP_SITES,
                                             .offset = offset + TB_AGENT_PLAYERS_FIRST_SITE,
                                             .site = 0 },
                                           { .kind = TB_CAPTURE_LATENCY_SITE,
                                             .group = GROUP_SITES,
                                             .offset = offset + TB_AGENT_PLAYERS_SECOND_SITE,
                                             .site = 1 } };
  const TbBpfLatencyNode node = { .first_child = 1, .function = 1, .flags = TB_BPF_LATENCY_IS_OPEN };
  const TbBpfLatencySite sites[] = { { .function = 1, .flags = TB_BPF_LATENCY_BEGINS }, { .function = 1 } };
  uint32_t zero = 0, one = 1;

  tb_agent_bpf_map_put (trial->maps->nodes, &zero, &node);
  tb_agent_bpf_map_put (trial->maps->sites, &zero, &sites[0]);
  tb_agent_bpf_map_put (trial->maps->sites, &one, &sites[1]);
  trial->shared->to_bin = TB_BPF_LATENCY_BINS - 1;
  trial->shared->from_bin = 0;
  return probe (trial, players, GROUP_SITES, probes, 2);
}

static int
probe_stepped (const TbAgentLatencyTrial *trial, const TbAgentPlayers *players, uint64_t offset)
{
  const TbCaptureLatencyProbe wanted = { .kind = TB_CAPTURE_LATENCY_SITE,
                                         .group = GROUP_STEPPED,
                                         .offset = offset + TB_AGENT_PLAYERS_STEPPED_SITE,
                                         .site = 1 };

  return probe (trial, players, GROUP_STEPPED, &wanted, 1);
}

void
tb_agent_latency_cost_try_function (const TbAgentLatencyTrial *trial, TbAgentLatencyCost *cost)
{
  uint64_t offset = tb_agent_probes_find_own ((const void *) tb_agent_players_call), plain, called, sited,
           stepped;
  TbAgentPlayers players;

  *cost = (TbAgentLatencyCost) { 0 };
  if (offset == 0 || tb_agent_players_start (&players) != 0)
    return;
  begin (trial, &players, TB_BPF_LATENCY_NO_CALL);
  plain = measure (&players, TB_AGENT_PLAY_CALLS);
  if (plain > 0 && probe_call (trial, &players, offset)
      && (called = measure (&players, TB_AGENT_PLAY_CALLS)) > 0)
    {
      cost->call = subtract (called, plain);
      cost->floor = subtract (read_latency (trial), plain);
      if (probe_sites (trial, &players, offset) && (sited = measure (&players, TB_AGENT_PLAY_CALLS)) > 0)
        {
          cost->site = subtract (sited, called) / 2;
          if (TB_AGENT_PLAYERS_STEPPED_SITE != 0 && probe_stepped (trial, &players, offset)
              && (stepped = measure (&players, TB_AGENT_PLAY_CALLS)) > 0)
            cost->stepped = subtract (stepped, sited);
        }
    }
  tb_agent_players_end (&players);
  end (trial);
}

void
tb_agent_latency_cost_try_call (const TbAgentLatencyTrial *trial,
                                int (*attach) (void *data),
                                void *data,
                                TbAgentLatencyCost *cost)
{
  uint64_t plain, called;
  TbAgentPlayers players;

  *cost = (TbAgentLatencyCost) { 0 };
  if (tb_agent_players_start (&players) != 0)
    return;
  begin (trial, &players, SYS_getppid);
  plain = measure (&players, TB_AGENT_PLAY_SYSTEM_CALLS);
  if (plain > 0 && attach (data) == 0 && (called = measure (&players, TB_AGENT_PLAY_SYSTEM_CALLS)) > 0)
    cost->call = subtract (called, plain);
  tb_agent_players_end (&players);
  end (trial);
}

void
tb_agent_latency_cost_try_kernel (const TbAgentLatencyTrial *trial, TbAgentLatencyCost *cost)
{
  uint64_t plain, called;
  TbAgentPlayers players;
  TbCaptureMessage why;

  *cost = (TbAgentLatencyCost) { 0 };
  if (TB_AGENT_LATENCY_TRIED == NULL || tb_agent_players_start (&players) != 0)
    return;
  begin (trial, &players, TB_BPF_LATENCY_NO_CALL);
  plain = measure (&players, TB_AGENT_PLAY_SYSTEM_CALLS);
  tb_agent_latency_probes_add_kernel (trial->probes, GROUP_TRIED, TB_AGENT_LATENCY_TRIED);
  if (tb_agent_latency_probes_attach (trial->probes, GROUP_TRIED, -1, &why) == 0 && plain > 0
      && (called = measure (&players, TB_AGENT_PLAY_SYSTEM_CALLS)) > 0 && read_latency (trial) > 0)
    cost->call = subtract (called, plain);
  tb_agent_players_end (&players);
  tb_agent_latency_probes_detach_and_wait (trial->probes, GROUP_TRIED);
  forget (trial);
}
