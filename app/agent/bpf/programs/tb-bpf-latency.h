/* tb-bpf-latency.h: data of a latency measurement that the agent and its BPF programs share: tree
 * of calls (nodes) with counters, probed sites, new callees, slow calls, interrupts, bins
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides, after tb-bpf-record.h and tb-bpf-sources.h. The tree of calls consists of
 * nodes, each a call in its context; node 0 is the measured function, f0. A node is open while the
 * callees of its function have probes. Its callee i is the node first_child + i.
 */

#pragma once

#define TB_BPF_LATENCY_BINS 1008u /* 63 times the finest resolution */
#define TB_BPF_LATENCY_ROOM                                                                        \
  1024u /* for bins and edges; a power of two, because verifiers follow a mask as a bound */
#define TB_BPF_LATENCY_MAX_RESOLUTION 16u
#define TB_BPF_LATENCY_NODES 512u
#define TB_BPF_LATENCY_SITES 1024u
#define TB_BPF_LATENCY_FRAMES 64u
#define TB_BPF_LATENCY_ENTRIES 16u
#define TB_BPF_LATENCY_CALLEES 4096u
#define TB_BPF_LATENCY_CLIENTS 16u /* functions on a path */
#define TB_BPF_LATENCY_NEW_CALLEES 256u
#define TB_BPF_LATENCY_SLOW_CALLS 64u /* single calls between two reads by the agent */
#define TB_BPF_LATENCY_SLOW_PARTS 16u
#define TB_BPF_LATENCY_PHASE 64u   /* bytes of its name that are compared */
#define TB_BPF_LATENCY_SOURCES 14u /* of interrupts */
/* preemption, run queue, then interrupts */
#define TB_BPF_LATENCY_DISTURBANCES (2u + TB_BPF_LATENCY_SOURCES)

/* Special values of a callee's address */
#define TB_BPF_LATENCY_CALL (1ull << 63) /* system call with that number */
#define TB_BPF_LATENCY_WAIT (1ull << 62) /* sleep in that thread state */

#define TB_BPF_LATENCY_NO_CALL 0xffffffffu

/* Placeholders for the names of kernel functions, as long as the longest name that the kernel
 * permits */
#define TB_BPF_LATENCY_TRACED                                                                      \
  "tailback_traced_________________________________________________"                               \
  "_______________________________________________________________"
#define TB_BPF_LATENCY_CALIBRATED                                                                  \
  "tailback_tried__________________________________________________"                               \
  "_______________________________________________________________"

typedef enum
{
  TB_BPF_LATENCY_IS_OPEN = 1 << 0,
  TB_BPF_LATENCY_IS_DISTURBANCE = 1 << 1,
  TB_BPF_LATENCY_IS_NARROWED = 1 << 3, /* samples of the node's own time are stored by address */
} TbBpfLatencyNodeFlags;

/* Value of tb_nodes */
typedef struct
{
  u32 parent;
  u32 first_child;
  u32 function; /* owner of the node's sites */
  u32 flags;
  u32 disturbances; /* the first of its nodes for disturbances, 0: none */
  u32 unused;
} TbBpfLatencyNode;

/* Value of tb_counters: counters of calls of f0 within the peak, as defined in the DARC paper */
typedef struct
{
  u64 calls; /* calls of f0 in which the node occurs; for open nodes: since it is open */
  u64 maxcount;
  u64 self_maxcount;
  u64 total;      /* ns of all its calls, without disturbances */
  u64 self_total; /* ns of its own time */
  u64 entered;    /* number of its calls */
  /* calls of f0 that began earlier were not recorded completely and do not count; set by the
   * agent */
  u64 since;
} TbBpfLatencyCounter;

typedef enum
{
  TB_BPF_LATENCY_BEGINS = 1 << 0,   /* a call begins here; without it, calls only end here */
  TB_BPF_LATENCY_TAIL = 1 << 1,     /* call by a jump: it ends where its caller does */
  TB_BPF_LATENCY_INDIRECT = 1 << 2, /* the operand contains the callee's address */
  TB_BPF_LATENCY_HAS_HEIGHT = 1 << 3,
  TB_BPF_LATENCY_IN_KERNEL = 1 << 4,
  TB_BPF_LATENCY_PHASE_BEGINS = 1 << 5, /* as in the capture stream, as are the next */
  TB_BPF_LATENCY_PHASE_ENDS = 1 << 6,
  TB_BPF_LATENCY_OF_CLIENTS = 1 << 7, /* entry of the path's function with that index */
} TbBpfLatencySiteFlags;

/* Value of tb_sites: an instruction with a probe */
typedef struct
{
  u32 function;
  u32 index; /* of the callee */
  u32 flags;
  u32 height; /* bytes that the stack has grown since the function's entry */
  TbBpfOperand target;
  u32 cost; /* ns that the probe takes, which no call is charged with */
  u32 unused;
} TbBpfLatencySite;

typedef struct
{
  u32 node;
  u32 site; /* 1 + the index of the callee, 0: none */
  u64 target;
} TbBpfLatencyCallee;

/* Key of tb_places: an address at which a node itself was running in calls of the peak */
typedef struct
{
  u64 address;
  u32 node;
  u32 process;
} TbBpfLatencyPlace;

/* A callee that has no node yet */
typedef struct
{
  TbBpfLatencyCallee callee;
  u32 pid; /* process in which it is called */
  u32 is_written;
} TbBpfLatencyNewCallee;

typedef struct
{
  u64 n; /* total number; may exceed the size of callees */
  TbBpfLatencyNewCallee callees[TB_BPF_LATENCY_NEW_CALLEES];
} TbBpfLatencyNewCallees;

typedef struct
{
  u64 done; /* 1 + its number; 0: being written */
  u64 begin;
  u64 latency;
  u32 thread;
  u32 process;
  u64 n;
  struct
  {
    u64 node;
    u64 length; /* ns */
  } parts[TB_BPF_LATENCY_SLOW_PARTS];
} TbBpfLatencySlowCall;

typedef struct
{
  u64 n; /* total number; only the last ones are stored */
  TbBpfLatencySlowCall calls[TB_BPF_LATENCY_SLOW_CALLS];
} TbBpfLatencySlowCalls;

typedef struct
{
  u64 key; /* (kind << 32 | number) + 1; 0: none */
  char name[24];
  u64 since; /* first occurrence */
  u64 count; /* occurrences from then on, on all CPUs, whichever threads ran */
} TbBpfLatencySource;

/* Memory-mapped by the agent */
typedef struct
{
  u32 resolution;
  u32 from_bin; /* first bin of the examined peak; greater than to_bin: none */
  u32 to_bin;
  u32 call; /* system call that is f0, or TB_BPF_LATENCY_NO_CALL */
  u64 edges[TB_BPF_LATENCY_ROOM];
  u64 calls;     /* examined calls of f0 in the peak */
  u64 abandoned; /* calls of f0 that were left without returning */
  u64 full;      /* calls of f0 for which there was no room */
  u64 cut; /* calls of f0 in the peak that did not count, because a part of them had no room */
  u32 n_sources;
  u32 calibration_pid; /* calibration process, whose calls show the cost of probes; 0: none */
  u32 floor;           /* ns of its own probes that the latency of a call of f0 contains */
  u32 nested;          /* ns by which the probes of a nested call of f0 prolong the outer call */
  u32 merged_bins; /* number of bins that count as one where latencies are compared; 0 is the same as 1 */
  u32 only_phases; /* only calls of f0 that begin in a phase of their process count */
  u32 thread;      /* only calls of this thread count; 0: all */
  u32 has_clients; /* only calls of f0 that serve clients on a path count */
  u32 n_clients;   /* functions of the path */
  u32 clients_call;
  u32 clients_state; /* thread state in which clients sleep */
  u32 is_request;    /* f0 is a request to a device */
  u32 request;       /* the kernel's number of the request's operation */
  u32 entry_site;    /* 1 + the site at which f0 begins, 0: none */
  u64 clients_from;  /* duration of a client's call in ns, clients_to exclusive */
  u64 clients_to;
  u64 requests_from;   /* time from which the insertion of requests is recorded, if f0 is one */
  u64 slow_floor;      /* ns of the shortest call that the agent keeps */
  u64 n_other_clients; /* ended calls of f0 that served no client on the path */
  TbBpfLatencySource sources[16]; /* TB_BPF_LATENCY_SOURCES are used */
} TbBpfLatencyShared;

typedef struct
{
  u64 entered; /* begun calls of f0 */
  u64 counts[TB_BPF_LATENCY_ROOM];
  u64 totals[TB_BPF_LATENCY_ROOM];
  u64 parts[4]; /* of the current request in ns, and the bins of these times */
  u64 part_bins[4];
} TbBpfLatencyBins;

_Static_assert (TB_BPF_LATENCY_BINS < TB_BPF_LATENCY_ROOM, "room");
_Static_assert (sizeof (TbBpfLatencyNode) == 24, "layout");
_Static_assert (sizeof (TbBpfLatencyCounter) == 56, "layout");
_Static_assert (sizeof (TbBpfLatencySite) == 48, "layout");
_Static_assert (sizeof (TbBpfLatencyCallee) == 16, "layout");
_Static_assert (sizeof (TbBpfLatencySource) == 48, "layout");
_Static_assert (sizeof (TbBpfLatencyPlace) == 16, "layout");
