/* tb-agent-bpf-object.h: BPF objects built into the agent: loading of one with the shared maps,
 * attaching, detaching, count of its skipped runs, closing; access to BPF maps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/bpf/programs/tb-bpf-record.h"
#include "capture/tb-capture-message.h"

typedef struct TbAgentBpfObject TbAgentBpfObject;
typedef struct TbAgentBpfObjectKind TbAgentBpfObjectKind;

/* One light skeleton: either all of its programs load, or none. */
struct TbAgentBpfObject
{
  const TbAgentBpfObjectKind *kind;
  void *skeleton; /* NULL: not loaded */
  struct bpf_loader_ctx *context;
  TbBpfConfig *config; /* writable until the object is loaded */
  struct bpf_map_desc *rings;
  struct bpf_map_desc *cpus;
  struct bpf_map_desc *targets;
  struct bpf_map_desc *tables;
  struct bpf_map_desc *received; /* read by the programs for the scheduler and for connections */
  const int *filters;  /* descriptor of the map of probe filters; NULL where nothing is probed */
  const int *programs; /* file descriptors, as are links */
  size_t n_programs;
  int *links; /* 0: not attached */
  size_t n_links;
};

struct TbAgentBpfObjectKind
{
  const char *name;
  uint8_t source;        /* TbCaptureSource */
  uint16_t missing_code; /* TbCaptureStatusCode: what a recording lacks without it */
  /* loaded only where that one cannot be loaded; NULL: always */
  const TbAgentBpfObjectKind *alternative_to;
  int (*open) (TbAgentBpfObject *object);
  int (*load) (void *skeleton);
  int (*attach) (void *skeleton); /* NULL: the caller attaches the programs */
  void (*destroy) (void *skeleton);
};

extern const TbAgentBpfObjectKind tb_agent_bpf_arrivals;
extern const TbAgentBpfObjectKind tb_agent_bpf_block;
extern const TbAgentBpfObjectKind tb_agent_bpf_connections;
extern const TbAgentBpfObjectKind tb_agent_bpf_faults;
extern const TbAgentBpfObjectKind tb_agent_bpf_file_locks;
extern const TbAgentBpfObjectKind tb_agent_bpf_functions;
extern const TbAgentBpfObjectKind tb_agent_bpf_interrupts;
extern const TbAgentBpfObjectKind tb_agent_bpf_latency;
extern const TbAgentBpfObjectKind tb_agent_bpf_marks;
extern const TbAgentBpfObjectKind tb_agent_bpf_memory;
extern const TbAgentBpfObjectKind tb_agent_bpf_packets;
extern const TbAgentBpfObjectKind tb_agent_bpf_probes;
extern const TbAgentBpfObjectKind tb_agent_bpf_samples;
extern const TbAgentBpfObjectKind tb_agent_bpf_scheduler;
extern const TbAgentBpfObjectKind tb_agent_bpf_sends;
extern const TbAgentBpfObjectKind tb_agent_bpf_syscalls;
extern const TbAgentBpfObjectKind tb_agent_bpf_timer;

/* State shared by all objects */
typedef struct
{
  TbBpfConfig config;
  /* by CPU, -1: none; NULL: only to test whether the kernel accepts the programs */
  const int *rings;
  int cpus;
  int targets;
  int tables;   /* 0: stacks are not repaired */
  int received; /* 0: messages are not recorded */
} TbAgentBpfShared;

/* Loads the programs and puts in the shared maps. -1 with the cause if the kernel refuses. */
int tb_agent_bpf_object_load (TbAgentBpfObject *self,
                              const TbAgentBpfObjectKind *kind,
                              const TbAgentBpfShared *shared,
                              TbCaptureMessage *why);
int tb_agent_bpf_object_attach (TbAgentBpfObject *self, TbCaptureMessage *why);
void tb_agent_bpf_object_detach (TbAgentBpfObject *self);
/* How often the kernel skipped a program because it was already running on the CPU */
uint64_t tb_agent_bpf_object_count_missed (const TbAgentBpfObject *self);
void tb_agent_bpf_object_clear (TbAgentBpfObject *self);

/* bpf() with BPF_MAP_CREATE and the like; -1 with errno */
int tb_agent_bpf_map_new (unsigned type,
                          const char *name,
                          unsigned key_size,
                          unsigned value_size,
                          unsigned n_entries,
                          unsigned flags);
/* value: an array with one element per CPU for a per-CPU map */
int tb_agent_bpf_map_get (int map, const void *key, void *value);
/* Reads and deletes the element. */
int tb_agent_bpf_map_take (int map, const void *key, void *value);
int tb_agent_bpf_map_get_first (int map, void *key);
int tb_agent_bpf_map_put (int map, const void *key, const void *value);
int tb_agent_bpf_map_remove (int map, const void *key);
