/* tb-agent-bpf-object.h: the objects of BPF programs that the agent carries with it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/bpf/tb-bpf-record.h"
#include "capture/tb-capture-message.h"

typedef struct TbAgentBpfObject TbAgentBpfObject;
typedef struct TbAgentBpfObjectKind TbAgentBpfObjectKind;

/* One light skeleton: either all of its programs load, or none. */
struct TbAgentBpfObject
{
  const TbAgentBpfObjectKind *kind;
  void *skeleton; /* NULL: not loaded */
  struct bpf_loader_ctx *context;
  TbBpfConfig *config; /* may be written until it is loaded */
  struct bpf_map_desc *rings;
  struct bpf_map_desc *cpus;
  struct bpf_map_desc *targets;
  struct bpf_map_desc *entries;
  struct bpf_map_desc *received; /* looked into by those of the scheduler and of connections */
  const int *filters;            /* file descriptor of the map of what is probed; NULL where nothing is */
  const int *programs;           /* file descriptors, as those of links */
  size_t n_programs;
  int *links; /* 0: not attached */
  size_t n_links;
};

struct TbAgentBpfObjectKind
{
  const char *name;
  uint8_t source;                         /* TbCaptureSource */
  uint16_t without;                       /* TbCaptureStatusCode: what a recording lacks without it */
  const TbAgentBpfObjectKind *instead_of; /* only wanted where that one cannot be loaded; NULL always */
  int (*open) (TbAgentBpfObject *object);
  int (*load) (void *skeleton);
  int (*attach) (void *skeleton); /* NULL: the one who loads attaches */
  void (*destroy) (void *skeleton);
};

extern const TbAgentBpfObjectKind tb_agent_bpf_arrivals;
extern const TbAgentBpfObjectKind tb_agent_bpf_block;
extern const TbAgentBpfObjectKind tb_agent_bpf_connections;
extern const TbAgentBpfObjectKind tb_agent_bpf_faults;
extern const TbAgentBpfObjectKind tb_agent_bpf_functions;
extern const TbAgentBpfObjectKind tb_agent_bpf_interrupts;
extern const TbAgentBpfObjectKind tb_agent_bpf_latency;
extern const TbAgentBpfObjectKind tb_agent_bpf_marks;
extern const TbAgentBpfObjectKind tb_agent_bpf_memory;
extern const TbAgentBpfObjectKind tb_agent_bpf_packets;
extern const TbAgentBpfObjectKind tb_agent_bpf_probes;
extern const TbAgentBpfObjectKind tb_agent_bpf_repairs;
extern const TbAgentBpfObjectKind tb_agent_bpf_samples;
extern const TbAgentBpfObjectKind tb_agent_bpf_scheduler;
extern const TbAgentBpfObjectKind tb_agent_bpf_sends;
extern const TbAgentBpfObjectKind tb_agent_bpf_syscalls;
extern const TbAgentBpfObjectKind tb_agent_bpf_timer;

/* What all objects share. */
typedef struct
{
  TbBpfConfig config;
  const int *rings; /* by cpu, -1 without; NULL: it is only tried whether the kernel takes the programs */
  int cpus;
  int targets;
  int entries;  /* 0: stacks are not repaired */
  int received; /* 0: messages are not recorded */
} TbAgentBpfShared;

/* Loads, puts the shared maps in. -1 if the kernel refuses, with cause. */
int tb_agent_bpf_object_load (TbAgentBpfObject *self,
                              const TbAgentBpfObjectKind *kind,
                              const TbAgentBpfShared *shared,
                              TbCaptureMessage *why);
int tb_agent_bpf_object_attach (TbAgentBpfObject *self, TbCaptureMessage *why);
void tb_agent_bpf_object_detach (TbAgentBpfObject *self);
/* How often a program did not run because it already ran on the cpu. */
uint64_t tb_agent_bpf_object_count_missed (const TbAgentBpfObject *self);
void tb_agent_bpf_object_clear (TbAgentBpfObject *self);

/* bpf() with BPF_MAP_CREATE and the like; -1 with errno. */
int tb_agent_bpf_map_new (unsigned type,
                          const char *name,
                          unsigned key_size,
                          unsigned value_size,
                          unsigned n_entries,
                          unsigned flags);
/* value: of each cpu where the map has one of each */
int tb_agent_bpf_map_get (int map, const void *key, void *value);
/* What it had is gone from it. */
int tb_agent_bpf_map_take (int map, const void *key, void *value);
int tb_agent_bpf_map_get_first (int map, void *key);
int tb_agent_bpf_map_put (int map, const void *key, const void *value);
int tb_agent_bpf_map_remove (int map, const void *key);
