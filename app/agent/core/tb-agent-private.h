/* tb-agent-private.h: state of one recording (TbAgent), interface of the recording backends
 * (TbAgentBackend), and functions of this folder on that state: filter, tasks, devices, refusals
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/base/tb-agent-map.h"
#include "agent/base/tb-agent-tracefs.h"
#include "agent/core/tb-agent-stack-dumps.h"
#include "agent/core/tb-agent-modules.h"
#include "agent/core/tb-agent-output.h"

typedef struct TbAgent TbAgent;
/* States of higher layers, of which the core knows only that they exist */
typedef struct TbAgentBpf TbAgentBpf;
typedef struct TbAgentCost TbAgentCost;
typedef struct TbAgentLatency TbAgentLatency;

/* The events to record; those of tracepoints come first. */
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
  TB_AGENT_FLOCK,
  TB_AGENT_FCNTL_LOCK,
  TB_AGENT_SWITCH_DUMPED, /* only for threads whose stacks are dumped, if not for all */
  TB_AGENT_N_TRACEPOINTS,
  TB_AGENT_CLOCK = TB_AGENT_N_TRACEPOINTS, /* samples */
  TB_AGENT_TASKS, /* fork, exit, names, mappings; switches where there are no tracepoints */
  TB_AGENT_N_EVENTS,
} TbAgentEvent;

#define TB_AGENT_MAX_FIELDS 12

/* How an event is recorded here; the same on every CPU */
typedef struct
{
  int wanted;
  int has_chain;
  int has_dump;
  int64_t id;      /* of the tracepoint */
  uint64_t weight; /* of a clock sample; 0: its period */
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
  int fd; /* of the event that owns the buffer, -1: CPU offline */
  void *base;
  uint8_t *data;
  uint64_t size;
  uint64_t tail;
  uint64_t head;         /* end of the current round */
  uint64_t last_time;    /* of the record read last */
  uint64_t lost;         /* reported so far */
  int32_t shown;         /* filtered recordings: the thread last sent as running, -1: none */
  int32_t running;       /* the thread last switched to */
  uint64_t probe_socket; /* socket and byte count of the last tcp_probe */
  uint32_t probe_bytes;
} TbAgentRing;

/* A thread that occurs in an event; is_target counts only where the recording is filtered. */
typedef struct
{
  int32_t tid;
  int32_t pid; /* -1 unknown */
  int is_target;
} TbAgentTaskView;

/* A flag used only inside the agent: the thread that left the CPU is not sent. */
#define TB_AGENT_UNKNOWN_TASK (1 << 15)

/* What records the events. The layers that the core does not know implement it, see
 * tb-agent-backend.c. */
typedef struct
{
  void (*answer_query) (TbAgent *self, TbAgentCost *cost);
  /* -1 with the reason */
  int (*open) (TbAgent *self, TbCaptureMessage *why);
  int (*enable) (TbAgent *self);
  void (*disable) (TbAgent *self);
  /* Reads the rings. Returns 0 if an incomplete record holds up others. */
  int (*drain) (TbAgent *self);
  /* Reports losses for which no ring contains a record. */
  void (*report_losses) (TbAgent *self);
  /* A process became part of the target, or is no longer; NULL: the kernel needs no notice */
  void (*target_changed) (TbAgent *self, int32_t pid, int is_target);
  /* The mappings of a process have changed; NULL: nothing depends on them */
  void (*mapping_changed) (TbAgent *self, int32_t pid);
} TbAgentBackend;

struct TbAgent
{
  TbAgentOutput *output;
  TbAgentModules modules;
  TbCaptureHeader header;
  int system_allowed; /* not restricted to the processes of user */
  int64_t user;       /* user that started the agent through pkexec, -1: none */
  uint64_t clock_skew;
  const char
      *kernel_probe_kind;     /* cheapest permitted kind of probe for kernel functions; NULL: any */
  TbCaptureBackend preferred; /* 0: the best available */
  const TbAgentBackend *backend;
  TbAgentBpf *bpf;         /* NULL: not in use */
  TbAgentLatency *latency; /* NULL: no latency measurement */
  int tracefs;
  TbCaptureMessage no_tracefs; /* reason */
  int32_t own_pid;

  TbCaptureStart start;
  /* padded with zeroes */
  char dump_names[TB_CAPTURE_MAX_DUMP_THREADS][TB_CAPTURE_MAX_DUMP_NAME + 1];
  unsigned n_dump_names; /* 0: the stacks of all threads are dumped */
  int running;
  uint64_t start_time;
  uint64_t end_time;
  /* recording with perf events */
  struct
  {
    TbAgentEventSetup setup[TB_AGENT_N_EVENTS];
    char state_letters[64];
    uint64_t state_preempted;
    TbAgentRing *rings;
    unsigned n_rings;
    TbAgentCounter *counters;
    size_t n_counters;
    int test_events[TB_AGENT_N_TRACEPOINTS]; /* test events, open on one CPU; 0: none */
    TbAgentMap event_ids;                    /* event id of the kernel → TbAgentEvent */
    uint64_t n_throttled;
    uint8_t *scratch; /* a record that wraps around its ring, in one piece */
    uint64_t *dump;   /* registers and stack in one piece */
    /* hash of a locked file's device and inode → time of the search in ms << 32 | string of path */
    TbAgentMap locked_files;
  } perf;
  uint64_t n_events;
  uint64_t n_lost;
  TbAgentStackDumps dumps;

  uint64_t flushed; /* no later record has an earlier time */

  /* which threads existed, began and ended */
  struct
  {
    int listing; /* forks and exits are noted, to find the threads that existed at the start */
    /* a bit per tid: its fork was recorded, or it was sent as existing at the start */
    uint8_t *announced;
    TbAgentMap unannounced;  /* tid → pid (0: unknown) of other threads that run */
    TbAgentMap forked;       /* tid → 1 */
    TbAgentMap exited;       /* tid → pid */
    TbAgentMap new_programs; /* pids whose command lines have not been read yet */
  } tasks;
  struct
  {
    int is_filtered;      /* only events of the target are sent */
    char cgroup[4096];    /* folder of the control group that is the target, "": none */
    int cgroup_level;     /* number of groups above it */
    TbAgentMap outsiders; /* tids of threads outside the target whose names were sent */
    TbAgentMap pids;      /* pid → 1 */
    TbAgentMap processes; /* tid → pid of all threads, only if filtered */
  } target;

  TbAgentMap block_devices; /* dev_t + 1 → id */
  uint32_t n_devices;
  TbAgentMap irq_devices; /* hash of an interrupt handler's name → device id */
  TbAgentMap sockets;     /* socket → local string << 32 | remote string */
};

/* tb-agent-refusals.c: backends better than the chosen one, each with the reason why it is not
 * used */
void tb_agent_refusals_add (TbAgent *self, TbCaptureBackend backend, const TbCaptureMessage *why);
/* NULL: there is none */
const TbCaptureMessage *tb_agent_refusals_get_last (const TbAgent *self);

/* tb-agent-filter.c */
void tb_agent_put_event (TbAgent *self, uint16_t cpu, TbCaptureRecord *record);
/* Whether an event with two threads is to be sent; if so, both threads are named. */
int tb_agent_filter_concerns_target (TbAgent *self,
                                     uint64_t time,
                                     const TbAgentTaskView *task,
                                     const TbAgentTaskView *other);
/* The same for a switch; shown: the thread last sent as running on the CPU, -1: none */
int tb_agent_filter_switch (TbAgent *self,
                            int32_t *shown,
                            TbCaptureRecord *record,
                            const TbAgentTaskView *prev,
                            const TbAgentTaskView *next);
int tb_agent_filter_allows_stack (const TbAgent *self, const TbAgentTaskView *task);
/* Sets the thread of the record. Returns the member for its stack, NULL if it gets none. */
uint32_t *tb_agent_filter_set_task (const TbAgent *self,
                                    TbCaptureRecord *record,
                                    const TbAgentTaskView *task);

/* tb-agent-tasks.c */
int tb_agent_tasks_check_target (TbAgent *self, TbCaptureMessage *why);
/* Whether the user that started the agent through pkexec may see the process */
int tb_agent_tasks_belongs_to_caller (const TbAgent *self, int32_t pid);
void tb_agent_tasks_note_existing (TbAgent *self);
void tb_agent_tasks_put_existing (TbAgent *self);
void tb_agent_tasks_put_commands (TbAgent *self);
void tb_agent_tasks_set_announced (TbAgent *self, int32_t tid);
int tb_agent_tasks_is_announced (const TbAgent *self, int32_t tid);
/* Notes a target's thread that runs although it was not sent; pid -1: unknown */
void tb_agent_tasks_note_unannounced (TbAgent *self, int32_t tid, int32_t pid);
/* Sends the noted threads that are still unknown, unless their forks may be among the lost
 * events. */
void tb_agent_tasks_put_unannounced (TbAgent *self, TbAgentMap *unannounced, int has_lost);
int tb_agent_tasks_is_target (const TbAgent *self, int32_t tid, int32_t pid);
/* Calls visit for every live thread of the target and its descendants. */
void tb_agent_tasks_for_each_target_thread (TbAgent *self,
                                            void (*visit) (TbAgent *self, int32_t tid, void *data),
                                            void *data);

/* tb-agent-devices.c */
uint32_t tb_agent_devices_get_block (TbAgent *self, uint32_t device);
uint32_t tb_agent_devices_get_irq (TbAgent *self, const char *handler, size_t length);
void tb_agent_devices_list (TbAgent *self);
