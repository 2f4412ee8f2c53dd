/* tb-agent-private.h: what one recording consists of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-cost.h"
#include "agent/tb-agent-dumps.h"
#include "agent/tb-agent-latency.h"
#include "agent/tb-agent-map.h"
#include "agent/tb-agent-modules.h"
#include "agent/tb-agent-output.h"
#include "agent/tb-agent-tracefs.h"

typedef struct TbAgent TbAgent;

/* The events that are asked for; those of tracepoints first. */
typedef enum
{
  TB_AGENT_SWITCH,
  TB_AGENT_WAKING,
  TB_AGENT_WAKEUP_NEW,
  TB_AGENT_EXEC,
  TB_AGENT_IRQ_ENTRY,
  TB_AGENT_IRQ_EXIT,
  TB_AGENT_SOFTIRQ_ENTRY,
  TB_AGENT_SOFTIRQ_EXIT,
  TB_AGENT_TIMER_ENTRY,
  TB_AGENT_TIMER_EXIT,
  TB_AGENT_BLOCK_INSERT,
  TB_AGENT_BLOCK_ISSUE,
  TB_AGENT_BLOCK_COMPLETE,
  TB_AGENT_SOCK_SEND,
  TB_AGENT_SOCK_DATA_READY,
  TB_AGENT_SOCK_STATE,
  TB_AGENT_TCP_PROBE,
  TB_AGENT_SYS_ENTER,
  TB_AGENT_SYS_EXIT,
  TB_AGENT_SWITCH_DUMPED, /* of threads whose stacks are dumped, if not of all */
  TB_AGENT_N_TRACEPOINTS,
  TB_AGENT_CLOCK = TB_AGENT_N_TRACEPOINTS, /* samples */
  TB_AGENT_TASKS, /* fork, exit, names, mappings; switches where there are no tracepoints */
  TB_AGENT_N_EVENTS,
} TbAgentEvent;

/* Registers as the kernel's perf_regs.h numbers them: those that unwinding needs. */
#if defined __x86_64__
#  define TB_AGENT_DUMPED_REGISTERS 0xff01ffu
#elif defined __aarch64__
#  define TB_AGENT_DUMPED_REGISTERS 0x1ffffffffu
#else
#  define TB_AGENT_DUMPED_REGISTERS 0u
#endif

#define TB_AGENT_MAX_FIELDS 12

typedef struct
{
  const char *group;
  const char *name;
  uint8_t source;      /* TbCaptureSource */
  uint16_t user_stack; /* TbCaptureStackFlags that ask for one, 0 never */
  uint16_t kernel_stack;
  const char *filter; /* in the kernel, NULL none */
  uint16_t without;   /* TbCaptureStatusCode: what a recording lacks without it */
  const char *fields[TB_AGENT_MAX_FIELDS];
} TbAgentTracepoint;

extern const TbAgentTracepoint tb_agent_tracepoints[TB_AGENT_N_TRACEPOINTS];

/* How an event is recorded here; the same on every cpu. */
typedef struct
{
  int wanted;
  int has_chain;
  int has_dump;
  int64_t id;      /* of the tracepoint */
  uint64_t weight; /* of a clock sample, 0: its period */
  TbAgentField fields[TB_AGENT_MAX_FIELDS];
  TbAgentField common_flags;
  TbAgentField common_pid;
} TbAgentEventSetup;

typedef struct
{
  int fd;
  uint8_t event;
  uint16_t ring; /* index */
} TbAgentCounter;

typedef struct
{
  uint16_t cpu;
  int fd; /* of the event that owns the buffer, -1: cpu offline */
  void *base;
  uint8_t *data;
  uint64_t size;
  uint64_t tail;
  uint64_t head;         /* how far this round goes */
  uint64_t last_time;    /* of what was read last */
  uint64_t lost;         /* told so far */
  int32_t shown;         /* filtered: the thread that was said to run, -1 none */
  int32_t running;       /* the thread that was switched to last */
  uint64_t probe_socket; /* of the last tcp_probe and how much it brought */
  uint32_t probe_bytes;
} TbAgentRing;

typedef struct
{
  uint64_t socket;
  uint32_t local;
  uint32_t remote;
} TbAgentSocket;

/* A thread that occurs in an event; is_target only counts where the recording is filtered. */
typedef struct
{
  int32_t tid;
  int32_t pid; /* -1 unknown */
  int is_target;
} TbAgentTaskView;

/* A flag of records between the functions of the agent only: who left the cpu is not told. */
#define TB_AGENT_UNKNOWN_TASK (1 << 15)

typedef struct TbAgentBpf TbAgentBpf;

struct TbAgent
{
  TbAgentOutput *output;
  TbAgentModules modules;
  TbCaptureHeader header;
  int system_allowed; /* not restricted to the processes of user */
  int64_t user;       /* who called through pkexec, -1: nobody else */
  uint64_t clock_skew;
  const char *kernel_way;      /* the best to see a function of the kernel that may be taken; NULL: any */
  TbCaptureFacility preferred; /* 0: the best there is */
  TbAgentBpf *bpf;             /* NULL without */
  TbAgentLatency *latency;     /* NULL: none are looked into */
  int tracefs;
  TbCaptureMessage no_tracefs; /* why */
  int32_t own_pid;

  TbCaptureStart start;
  char dump_names[TB_CAPTURE_MAX_DUMP_THREADS][TB_CAPTURE_MAX_DUMP_NAME + 1]; /* filled up with zeroes */
  unsigned n_dump_names; /* 0: dumps are of all threads */
  int running;
  uint64_t start_time;
  uint64_t end_time;
  TbAgentEventSetup setup[TB_AGENT_N_EVENTS];
  char state_letters[64];
  uint64_t state_preempted;
  TbAgentRing *rings;
  unsigned n_rings;
  TbAgentCounter *counters;
  size_t n_counters;
  int proofs[TB_AGENT_N_TRACEPOINTS]; /* open on one cpu, to see that they can be; 0 none */
  TbAgentMap event_ids;               /* kernel's id → TbAgentEvent */
  uint64_t n_events;
  uint64_t n_lost;
  uint64_t n_throttled;
  TbAgentDumps dumps;
  uint8_t *scratch; /* a record that wraps around its ring */
  uint64_t *dump;   /* registers and stack in one piece */

  uint64_t flushed; /* nothing earlier is told any more */

  int listing;            /* forks and exits are noted, to tell who was there at the start */
  uint8_t *announced;     /* a bit a tid: its fork was seen, or it was told as being there at the start */
  TbAgentMap unannounced; /* tid → pid, 0 unknown: those that run all the same */
  TbAgentMap forked;      /* tid → 1 */
  TbAgentMap exited;      /* tid → pid */
  int filtered;           /* only the target's events are sent */
  char cgroup[4096];      /* folder of the control group that is the target, "" none */
  int cgroup_level;       /* groups above it */
  TbAgentMap outsiders;   /* tids of others whose names were sent */
  TbAgentMap targets;     /* pid → 1 */
  TbAgentMap processes;   /* tid → pid of all threads, where filtered */

  TbAgentMap block_devices; /* dev_t + 1 → id */
  uint32_t n_devices;
  TbAgentMap irq_devices;  /* hash of the handler's name → device id */
  TbAgentMap sockets;      /* socket → local string << 32 | remote string */
  TbAgentMap new_programs; /* pids whose command line is still to be read */
};

/* tb-agent-facility.c: the way to the kernel that was chosen; the next functions are behind it. */
void tb_agent_facility_choose (TbAgent *self);
/* To a worse one if that is wanted; 0 none is. */
int tb_agent_facility_change (TbAgent *self, unsigned wanted, TbCaptureMessage *why);
/* Why the way before the chosen one is not taken, NULL if there is none. */
const TbCaptureMessage *tb_agent_facility_get_last_refusal (const TbAgent *self);
void tb_agent_facility_answer_query (TbAgent *self, const TbCaptureQuery *query);
int tb_agent_facility_open (TbAgent *self, TbCaptureMessage *why);
int tb_agent_facility_enable (TbAgent *self);
void tb_agent_facility_disable (TbAgent *self);
/* Reads what the rings hold; 0 if a record is not complete yet behind which others wait. */
int tb_agent_facility_drain (TbAgent *self);
/* Tells of losses that no record in a ring told of. */
void tb_agent_facility_settle_losses (TbAgent *self);
void tb_agent_facility_close (TbAgent *self);
/* By number, whether it is there. */
void tb_agent_list_online_cpus (uint8_t *online, uint32_t n_cpus);

/* tb-agent-bpf.c: 0 if BPF programs cannot record here */
int tb_agent_bpf_can_record (TbAgent *self, TbCaptureMessage *why);
void tb_agent_bpf_answer_query (TbAgent *self, TbAgentCost *cost);
int tb_agent_bpf_open (TbAgent *self, TbCaptureMessage *why);
int tb_agent_bpf_enable (TbAgent *self);
void tb_agent_bpf_disable (TbAgent *self);
int tb_agent_bpf_drain (TbAgent *self);
void tb_agent_bpf_settle_losses (TbAgent *self);
void tb_agent_bpf_close (TbAgent *self);
/* What a process has mapped has changed. */
void tb_agent_bpf_note_mapping (TbAgent *self, int32_t pid);
/* -1 with the reason as the answer; else with what the probe costs. */
int tb_agent_bpf_add_probe (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer);
int tb_agent_bpf_add_mark (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer);
int tb_agent_bpf_remove_probe (TbAgent *self, uint32_t id, TbCaptureMessage *answer);
/* A process belongs to the target from now on, or does not any more. */
void tb_agent_bpf_set_target (TbAgent *self, int32_t pid, int is_target);

/* tb-agent-perf.c */
int tb_agent_perf_can_record_system (TbAgent *self, TbCaptureMessage *why);
void tb_agent_perf_answer_query (TbAgent *self, TbAgentCost *cost);
int tb_agent_perf_open (TbAgent *self, TbCaptureMessage *why);
int tb_agent_perf_enable (TbAgent *self);
void tb_agent_perf_disable (TbAgent *self);
/* The clock of samples on a cpu, disabled; -1 with errno. by_clock: 1 if it counts no hardware cycles. */
int tb_agent_perf_open_clock (TbAgent *self, int cpu, int *by_clock);
void tb_agent_perf_close (TbAgent *self);

/* tb-agent-perf-drain.c */
void tb_agent_perf_drain (TbAgent *self);
/* Throws away what the rings hold; how many events of a kind that was. */
uint64_t tb_agent_perf_discard (TbAgent *self, TbAgentEvent event);
void tb_agent_perf_settle_losses (TbAgent *self);

/* tb-agent-perf-cost.c */
void tb_agent_perf_measure_cost (TbAgent *self, TbAgentCost *cost);
/* tb-agent-perf-dumps.c: the kernel's filter for switches of the threads whose stacks are dumped, or of the others */
void tb_agent_perf_dumps_describe (const TbAgent *self, int chosen, char *filter, size_t size);
int tb_agent_perf_dumps_are_of (const TbAgent *self, TbAgentEvent event);
/* What of the dumps is not to be had. */
void tb_agent_perf_dumps_tell (TbAgent *self);

/* tb-agent-translate.c: one record of a ring. */
void tb_agent_translate (TbAgent *self, TbAgentRing *ring, const uint8_t *record, size_t size);
/* Only what changes who belongs to the target. */
void tb_agent_translate_membership (TbAgent *self, const uint8_t *record, size_t size);
/* Only who is forked. */
void tb_agent_translate_announcement (TbAgent *self, const uint8_t *record, size_t size);

/* tb-agent-filter.c */
void tb_agent_put_event (TbAgent *self, uint16_t cpu, TbCaptureRecord *record);
/* Whether an event that concerns two threads is to be sent; both get a name then. */
int tb_agent_filter_concerns_target (TbAgent *self,
                                     uint64_t time,
                                     const TbAgentTaskView *task,
                                     const TbAgentTaskView *other);
/* The same for a switch; shown: the thread that was said to run on the cpu, -1 none. */
int tb_agent_filter_switch (TbAgent *self,
                            int32_t *shown,
                            TbCaptureRecord *record,
                            const TbAgentTaskView *prev,
                            const TbAgentTaskView *next);
int tb_agent_filter_allows_stack (const TbAgent *self, const TbAgentTaskView *task);
/* Says in the record who ran; where its stack goes, NULL if it is to have none. */
uint32_t *
tb_agent_filter_set_task (const TbAgent *self, TbCaptureRecord *record, const TbAgentTaskView *task);

/* tb-agent-tasks.c */
int tb_agent_tasks_check_target (TbAgent *self, TbCaptureMessage *why);
/* Whether who called through pkexec may see the process. */
int tb_agent_tasks_is_callers (const TbAgent *self, int32_t pid);
void tb_agent_tasks_note_existing (TbAgent *self);
void tb_agent_tasks_put_existing (TbAgent *self);
void tb_agent_tasks_put_commands (TbAgent *self);
void tb_agent_tasks_set_announced (TbAgent *self, int32_t tid);
int tb_agent_tasks_is_announced (const TbAgent *self, int32_t tid);
/* A target's thread that runs: remembers it if nothing was told of it; pid -1 unknown. */
void tb_agent_tasks_note_unannounced (TbAgent *self, int32_t tid, int32_t pid);
/* Tells of those that were remembered and are still not known, unless their forks may be among what was lost. */
void tb_agent_tasks_put_unannounced (TbAgent *self, TbAgentMap *unannounced, int has_lost);
int tb_agent_tasks_is_target (const TbAgent *self, int32_t tid, int32_t pid);
/* Calls visit for every thread of the target and its descendants that live now. */
void tb_agent_tasks_for_each_target_thread (TbAgent *self,
                                            void (*visit) (TbAgent *self, int32_t tid, void *data),
                                            void *data);

/* tb-agent-devices.c */
uint32_t tb_agent_devices_get_block (TbAgent *self, uint32_t device);
uint32_t tb_agent_devices_get_irq (TbAgent *self, const char *handler, size_t length);
void tb_agent_devices_list (TbAgent *self);

/* tb-agent-sockets.c */
void tb_agent_sockets_translate (TbAgent *self,
                                 TbAgentRing *ring,
                                 TbAgentEvent event,
                                 TbCaptureRecord *record,
                                 const uint8_t *raw,
                                 size_t size);
/* "host:port", or "[host]:port"; address NULL: 0. */
uint32_t tb_agent_sockets_intern_address (TbAgent *self, int family, const uint8_t *address, unsigned port);
uint32_t tb_agent_sockets_intern_protocol (TbAgent *self, uint64_t family, uint64_t protocol);
