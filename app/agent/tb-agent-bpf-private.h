/* tb-agent-bpf-private.h: what recording with BPF programs consists of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-bpf-latency.h"
#include "agent/tb-agent-bpf-object.h"
#include "agent/tb-agent-bpf-ring.h"
#include "agent/tb-agent-bpf-stacks.h"
#include "agent/tb-agent-files.h"
#include "agent/tb-agent-memory.h"
#include "agent/tb-agent-probes.h"
#include "agent/bpf/tb-bpf-sleep-record.h"
#include "agent/bpf/tb-bpf-sources.h"
#include "agent/bpf/tb-bpf-latency.h"
#include "agent/tb-agent-places.h"
#include "agent/tb-agent-private.h"
#include "agent/tb-agent-shelter.h"
#include "agent/tb-agent-sleeps.h"

#define TB_AGENT_BPF_MAX_OBJECTS 24

/* What is kept of each cpu. */
typedef struct
{
  TbAgentBpfRing ring;
  uint16_t number;
  int32_t shown;      /* filtered: the thread that was said to run, -1 none */
  uint64_t last_time; /* of what was read last */
} TbAgentBpfCpu;

/* What was said of a socket last: most messages go where the one before went. */
typedef struct
{
  uint64_t socket; /* 0: nothing */
  uint8_t local[16];
  uint8_t remote[16];
  uint16_t local_port;
  uint16_t remote_port;
  uint16_t family;
  uint16_t protocol;
  uint32_t known;
  uint32_t local_string;
  uint32_t remote_string;
  uint32_t protocol_string;
} TbAgentBpfEnds;

#define TB_AGENT_BPF_N_ENDS 1024u

#define TB_AGENT_MAX_LIBRARIES 32

/* A C library that was looked at, whether it could be probed or not. */
typedef struct
{
  uint64_t device;
  uint64_t inode;
} TbAgentLibrary;

typedef struct
{
  TbAgentLibrary libraries[TB_AGENT_MAX_LIBRARIES];
  size_t n_libraries;
  TbAgentLinks links;
} TbAgentRepairs;

struct TbAgentBpf
{
  TbAgentBpfObject objects[TB_AGENT_BPF_MAX_OBJECTS];
  size_t n_objects;
  TbAgentBpfCpu *cpus; /* n_cpus of the header */
  int *ring_fds;
  TbAgentBpfShared shared;
  TbBpfCpu *kernel_cpus; /* mapped */
  size_t kernel_cpus_size;
  TbAgentBpfStacks stacks;
  uint64_t salt;
  uint64_t n_unsound; /* records that cannot be */
  TbAgentFiles files;
  TbAgentPlaces places;
  TbAgentSleeps sleeps;
  TbAgentProbes probes;
  TbAgentMemory memory;
  TbAgentRepairs repairs;
  TbAgentMap mark_texts;  /* hash of a text → string */
  TbAgentMap mark_places; /* id + 1 → 1 + the argument that points to text, of marks that have one */
  uint64_t n_nameless_marks;
  TbAgentMap unix_names; /* socket → local string << 32 | remote string */
  TbAgentBpfEnds ends[TB_AGENT_BPF_N_ENDS];
  int *sampling; /* perf events, by cpu; -1 without */
  int complete;  /* no record that is still written was met in this round */
};

/* tb-agent-bpf.c: the rings and shared maps; -1 with the reason */
int tb_agent_bpf_prepare (TbAgent *self, uint64_t ring_bytes, TbCaptureMessage *why);
/* Those of the sources that start asks for; tells of each that the kernel refuses. */
void tb_agent_bpf_load_objects (TbAgent *self);
const TbAgentBpfObject *tb_agent_bpf_find_object (const TbAgentBpf *bpf, const TbAgentBpfObjectKind *kind);

/* Of probes, which is loaded when it is first wanted; NULL with the reason. */
TbAgentBpfObject *
tb_agent_bpf_get_probe_object (TbAgent *self, const TbAgentBpfObjectKind *kind, TbCaptureMessage *why);

/* tb-agent-bpf-memory.c: a mark that is one of memory; -1 with the reason */
int tb_agent_bpf_add_memory_mark (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer);
/* At the end: what there was no room for. */
void tb_agent_bpf_tell_crowded_memory (TbAgent *self);

/* tb-agent-bpf-translate.c: one record of a cpu's ring */
void tb_agent_bpf_translate (TbAgent *self, TbAgentBpfCpu *cpu, const uint8_t *record, size_t size);
/* What is common to all kinds of records. 0 if the words of the stack, which follow the record, are not all there. */
int tb_agent_bpf_read_stack (TbAgent *self, const TbBpfStack *stack, const uint8_t *words, size_t size);
void tb_agent_bpf_put_with_stack (TbAgent *self,
                                  const TbAgentBpfCpu *cpu,
                                  TbCaptureRecord *out,
                                  const TbAgentTaskView *task,
                                  uint64_t stack_id);
int tb_agent_bpf_is_outside (const TbAgent *self, uint64_t time);
/* Between two times: before the recording, or after it, while programs are detached and nobody reads what they tell. */
int tb_agent_bpf_was_lost_outside (const TbAgent *self, uint64_t from, uint64_t to);
uint16_t tb_agent_bpf_translate_flags (uint32_t flags);

/* tb-agent-bpf-sources.c: records of sources other than the scheduler */
void
tb_agent_bpf_translate_source (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfHeader *header, size_t size);
/* At the end, when the programs are detached. */
void tb_agent_bpf_tell_open_calls (TbAgent *self);
/* tb-agent-bpf-network.c */
void
tb_agent_bpf_translate_network (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfHeader *header, size_t size);

/* tb-agent-bpf-marks.c */
void tb_agent_bpf_translate_mark (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfMark *in, size_t size);
/* tb-agent-bpf-omitted.c: says what the programs only counted */
void tb_agent_bpf_tell_omitted (TbAgent *self);

/* tb-agent-bpf-functions.c: tries whether functions of the kernel can be seen, and says so */
void tb_agent_bpf_tell_functions (TbAgent *self);

/* tb-agent-bpf-samples.c: the clock that makes programs run; object NULL: there is none */
void tb_agent_bpf_samples_start (TbAgent *self, const TbAgentBpfObject *object);
void tb_agent_bpf_samples_stop (TbAgent *self);

/* tb-agent-bpf-sleep.c: the id of what a thread sleeps in, which is sent first where it has to be; NULL: a thread of the
 * kernel. */
uint32_t tb_agent_bpf_translate_sleep (TbAgent *self, const TbBpfHeader *header, const TbBpfSleep *in);

/* tb-agent-bpf-repairs.c: probes in the C libraries that are mapped now */
void tb_agent_bpf_repairs_start (TbAgent *self, int program);
void tb_agent_bpf_repairs_stop (TbAgent *self);

/* The kernel's letter of what a thread that left its cpu is in. */
uint16_t tb_agent_bpf_translate_state (uint32_t state, uint32_t exit_state, int preempted);
