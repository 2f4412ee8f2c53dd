/* tb-agent-bpf-private.h: state of a recording with BPF programs (TbAgentBpf), and the functions
 * that only its own source files call
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/programs/tb-bpf-sleep-record.h"
#include "agent/bpf/programs/tb-bpf-sources.h"
#include "agent/bpf/programs/tb-bpf-unwind-table.h"
#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/bpf/tb-agent-bpf-ring.h"
#include "agent/bpf/tb-agent-bpf-stacks.h"
#include "agent/bpf/tb-agent-bpf.h"
#include "agent/core/tb-agent-address-map.h"
#include "agent/core/tb-agent-files.h"
#include "agent/core/tb-agent-sleeps.h"
#include "agent/probes/tb-agent-attach-helper.h"
#include "agent/probes/tb-agent-allocation-probes.h"
#include "agent/probes/tb-agent-probes.h"

#include "agent/bpf/programs/tb-bpf-latency.h"

#define TB_AGENT_BPF_MAX_OBJECTS 24

/* Reading state of one CPU's ring */
typedef struct
{
  TbAgentBpfRing ring;
  uint16_t number;
  int32_t shown;      /* filtered recordings: the thread last sent as running, -1: none */
  uint64_t last_time; /* of the record read last */
} TbAgentBpfCpu;

/* Addresses last sent for a socket. Most messages use the same addresses as the one before. */
typedef struct
{
  uint64_t socket; /* 0: empty */
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
} TbAgentBpfAddresses;

#define TB_AGENT_BPF_N_ADDRESSES 1024u

#define TB_AGENT_MAX_WAITING_FILES 64
#define TB_AGENT_TABLES_SIZE (TB_BPF_UNWIND_WORDS * sizeof (uint64_t))

/* An open file whose unwind table has not been read yet */
typedef struct
{
  int file;
  uint32_t slot; /* as in tb-bpf-unwind-table.h */
} TbAgentWaitingFile;

typedef struct
{
  uint64_t *words; /* shared with the programs; NULL: stacks are not repaired */
  uint32_t n_used; /* words */
  uint32_t n_tables;
  uint32_t n_refused; /* files without a table that is supported, or too large */
  TbAgentWaitingFile waiting[TB_AGENT_MAX_WAITING_FILES];
  size_t n_waiting;
} TbAgentTables;

/* Runs of programs that the kernel skipped, because the same program was running on that CPU */
typedef struct
{
  uint64_t n_reported;
  uint64_t counted_time; /* when they were counted last; 0: never */
} TbAgentSkippedRuns;

struct TbAgentBpf
{
  TbAgentBpfObject objects[TB_AGENT_BPF_MAX_OBJECTS];
  size_t n_objects;
  TbAgentBpfCpu *cpus; /* n_cpus elements, as in the header */
  int *ring_fds;
  TbAgentBpfShared shared;
  TbBpfCpu *kernel_cpus; /* memory-mapped */
  size_t kernel_cpus_size;
  TbAgentBpfStacks stacks;
  uint64_t salt;
  uint64_t n_invalid; /* invalid records */
  TbAgentFiles files;
  TbAgentAddressMap places;
  TbAgentSleeps sleeps;
  TbAgentProbes probes;
  TbAgentAllocationProbes memory;
  TbAgentTables tables;
  TbAgentSkippedRuns skipped;
  TbAgentMap mark_texts;  /* hash of a text → string id */
  TbAgentMap mark_places; /* mark id + 1 → 1 + index of the argument that points to a text */
  uint64_t n_nameless_marks;
  TbAgentMap unix_names; /* socket → local string << 32 | remote string */
  TbAgentBpfAddresses addresses[TB_AGENT_BPF_N_ADDRESSES];
  int *sampling; /* perf events by CPU; -1: none */
  int complete;  /* this round has met no record that was still being written */
};

/* tb-agent-bpf-preparation.c: creates the rings and shared maps; -1 with the reason */
int tb_agent_bpf_prepare (TbAgent *self, uint64_t ring_bytes, TbCaptureMessage *why);
/* Loads the objects of the sources that START requests. Reports each object that the kernel
 * refuses. */
void tb_agent_bpf_load_objects (TbAgent *self);
const TbAgentBpfObject *tb_agent_bpf_find_object (const TbAgentBpf *bpf,
                                                  const TbAgentBpfObjectKind *kind);

/* The object for a kind of probe, loaded when it is first needed; NULL with the reason. */
TbAgentBpfObject *tb_agent_bpf_get_probe_object (TbAgent *self,
                                                 const TbAgentBpfObjectKind *kind,
                                                 TbCaptureMessage *why);

/* tb-agent-bpf-memory.c: adds a mark for an allocation function; -1 with the reason */
int tb_agent_bpf_add_memory_mark (TbAgent *self,
                                  const TbCaptureRecord *wanted,
                                  TbCaptureMessage *answer);
/* At the end of the recording: reports allocations for which there was no room. */
void tb_agent_bpf_report_full_memory (TbAgent *self);

/* tb-agent-bpf-translator.c: translates one record of a CPU's ring */
void tb_agent_bpf_translate (TbAgent *self, TbAgentBpfCpu *cpu, const uint8_t *record, size_t size);
/* Shared by all kinds of records. Returns 0 if the words of the stack, which follow the record, are
 * incomplete. */
int
tb_agent_bpf_read_stack (TbAgent *self, const TbBpfStack *stack, const uint8_t *words, size_t size);
void tb_agent_bpf_put_with_stack (TbAgent *self,
                                  const TbAgentBpfCpu *cpu,
                                  TbCaptureRecord *out,
                                  const TbAgentTaskView *task,
                                  uint64_t stack_id);
int tb_agent_bpf_is_outside (const TbAgent *self, uint64_t time);
/* Whether a loss between two times lies outside the recording: before its start, or after its end,
 * when the programs are being detached and their records are no longer read. */
int tb_agent_bpf_was_lost_outside (const TbAgent *self, uint64_t from, uint64_t to);
uint16_t tb_agent_bpf_translate_flags (uint32_t flags);

/* tb-agent-bpf-sources.c: translates records of sources other than the scheduler */
void tb_agent_bpf_translate_source (TbAgent *self,
                                    TbAgentBpfCpu *cpu,
                                    const TbBpfHeader *header,
                                    size_t size);
/* At the end of the recording, after the programs are detached */
void tb_agent_bpf_emit_open_calls (TbAgent *self);
/* tb-agent-bpf-network.c */
void tb_agent_bpf_translate_network (TbAgent *self,
                                     TbAgentBpfCpu *cpu,
                                     const TbBpfHeader *header,
                                     size_t size);

/* tb-agent-bpf-losses.c: counts skipped runs if that was not done for a while, and reports new ones
 * as lost since then */
void tb_agent_bpf_check_skipped (TbAgent *self);
/* The same with a count; for tests. */
void tb_agent_bpf_note_skipped (TbAgent *self, uint64_t n_skipped, uint64_t now);

/* tb-agent-bpf-marks.c */
void
tb_agent_bpf_translate_mark (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfMark *in, size_t size);
/* tb-agent-bpf-counters.c: reports the counters of events that were not recorded */
void tb_agent_bpf_report_counters (TbAgent *self);

/* tb-agent-bpf-functions.c: tests whether kernel functions can be probed and reports the result */
void tb_agent_bpf_report_functions (TbAgent *self);

/* tb-agent-bpf-samples.c: the clock that runs the sampling program; object NULL: no such program */
void tb_agent_bpf_samples_start (TbAgent *self, const TbAgentBpfObject *object);
void tb_agent_bpf_samples_stop (TbAgent *self);

/* tb-agent-bpf-sleep.c: the id of a sleep, whose description is sent first if it is new; NULL: a
 * kernel thread */
uint32_t
tb_agent_bpf_translate_sleep (TbAgent *self, const TbBpfHeader *header, const TbBpfSleep *in);

/* Makes the array of unwind tables, without which stacks are not repaired. */
void tb_agent_bpf_tables_open (TbAgent *self);
/* tb-agent-bpf-tables.c: adds the tables of the C library */
void tb_agent_bpf_tables_fill (TbAgent *self);
void tb_agent_bpf_tables_note_unknown (TbAgent *self, const TbBpfUnknownFile *record);
/* Adds the table of one of the files that were noted. */
void tb_agent_bpf_tables_add_next (TbAgent *self);
void tb_agent_bpf_tables_close (TbAgent *self);

/* The kernel's state letter of a thread that left its CPU */
uint16_t tb_agent_bpf_translate_state (uint32_t state, uint32_t exit_state, int preempted);
