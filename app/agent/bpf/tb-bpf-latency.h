/* tb-bpf-latency.h: what is shared of the latencies of one function, and of what it calls, while they are looked into
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides, behind tb-bpf-record.h and tb-bpf-sources.h. The tree of calls consists of nodes, each a call in its
 * context; node 0 is the function asked for, f0. A node is open while the callees of its function have probes: callee i of
 * it is the node first_child + i.
 */

#pragma once

#define TB_BPF_LATENCY_BINS 1008u /* 63 times the finest resolution */
#define TB_BPF_LATENCY_ROOM                                                                                  \
  1024u /* for bins and edges: any index is in it behind a mask, which kernels can follow */
#define TB_BPF_LATENCY_MAX_RESOLUTION 16u
#define TB_BPF_LATENCY_NODES 512u
#define TB_BPF_LATENCY_SITES 1024u
#define TB_BPF_LATENCY_FRAMES 64u
#define TB_BPF_LATENCY_ENTRIES 16u
#define TB_BPF_LATENCY_CALLEES 4096u
#define TB_BPF_LATENCY_CLIENTS 16u /* functions of a path */
#define TB_BPF_LATENCY_NEWS 256u
#define TB_BPF_LATENCY_SLOW 64u /* single calls between two times that the agent looks */
#define TB_BPF_LATENCY_SLOW_PARTS 16u
#define TB_BPF_LATENCY_PHASE 64u                                  /* bytes of its name that count */
#define TB_BPF_LATENCY_SOURCES 14u                                /* of interrupts */
#define TB_BPF_LATENCY_DISTURBANCES (2u + TB_BPF_LATENCY_SOURCES) /* preempted, run queue, then interrupts */

/* In place of the address of a callee. */
#define TB_BPF_LATENCY_CALL (1ull << 63) /* system call of that number */
#define TB_BPF_LATENCY_WAIT (1ull << 62) /* sleep in that state of the thread */

#define TB_BPF_LATENCY_NO_CALL 0xffffffffu

/* In place of the names of functions of the kernel, which are put over them: as long as the kernel lets names be. */
#define TB_BPF_LATENCY_TRACED                                                                                \
  "tailback_traced_________________________________________________"                                         \
  "_______________________________________________________________"
#define TB_BPF_LATENCY_TRIED                                                                                 \
  "tailback_tried__________________________________________________"                                         \
  "_______________________________________________________________"

typedef enum
{
  TB_BPF_LATENCY_IS_OPEN = 1 << 0,
  TB_BPF_LATENCY_IS_DISTURBANCE = 1 << 1,
  TB_BPF_LATENCY_IS_NARROWED = 1 << 3, /* where it runs itself is kept of each sample */
} TbBpfLatencyNodeFlags;

/* A value of tb_nodes. */
typedef struct
{
  u32 parent;
  u32 first_child;
  u32 function; /* whose sites belong to it */
  u32 flags;
  u32 disturbances; /* the first of its nodes for them, 0 none */
  u32 unused;
} TbBpfLatencyNode;

/* A value of tb_counters: of calls of f0 within the peak, as the paper counts. */
typedef struct
{
  u64 calls; /* of f0, in which it occurs; of open nodes: since it is open */
  u64 maxcount;
  u64 self_maxcount;
  u64 total;      /* ns, of all its calls, without disturbances */
  u64 self_total; /* ns, of it itself */
  u64 entered;    /* how often */
  u64 since; /* calls of f0 that began earlier were not seen as a whole, and do not count; set by the agent */
} TbBpfLatencyCounter;

typedef enum
{
  TB_BPF_LATENCY_BEGINS = 1 << 0,   /* a call begins here; else one only ends */
  TB_BPF_LATENCY_TAIL = 1 << 1,     /* by a jump: it ends where its caller does */
  TB_BPF_LATENCY_INDIRECT = 1 << 2, /* the operand says where to */
  TB_BPF_LATENCY_HAS_HEIGHT = 1 << 3,
  TB_BPF_LATENCY_IN_KERNEL = 1 << 4,
  TB_BPF_LATENCY_PHASE_BEGINS = 1 << 5, /* as the capture stream has them */
  TB_BPF_LATENCY_PHASE_ENDS = 1 << 6,
  TB_BPF_LATENCY_OF_CLIENTS = 1 << 7, /* the function of that index on their path is entered */
} TbBpfLatencySiteFlags;

/* A value of tb_sites: an instruction with a probe. */
typedef struct
{
  u32 function;
  u32 index; /* of the callee */
  u32 flags;
  u32 height; /* bytes that the stack has grown since the function was entered */
  TbBpfOperand target;
  u32 cost; /* ns that the probe takes, which are nobody's */
  u32 unused;
} TbBpfLatencySite;

typedef struct
{
  u32 node;
  u32 site; /* 1 + the index of the callee, 0 none */
  u64 target;
} TbBpfLatencyCallee;

/* A key of tb_places: where a node was found to run itself in calls of the peak. */
typedef struct
{
  u64 address;
  u32 node;
  u32 process;
} TbBpfLatencyPlace;

/* What came up and has no node yet. */
typedef struct
{
  TbBpfLatencyCallee callee;
  u32 pid; /* where it is called */
  u32 is_written;
} TbBpfLatencyNew;

typedef struct
{
  u64 n; /* ever; may be more than there is room for */
  TbBpfLatencyNew callees[TB_BPF_LATENCY_NEWS];
} TbBpfLatencyNews;

typedef struct
{
  u64 done; /* 1 + its number; 0: it is being written */
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
  u64 n; /* ever; the last of them are there */
  TbBpfLatencySlowCall calls[TB_BPF_LATENCY_SLOW];
} TbBpfLatencySlow;

typedef struct
{
  u64 key; /* kind << 32 | number, + 1; 0 none */
  char name[24];
  u64 since; /* when it came first */
  u64 count; /* how often from then on, on all cpus, whatever they ran */
} TbBpfLatencySource;

/* Mapped by the agent. */
typedef struct
{
  u32 resolution;
  u32 from_bin; /* of the peak that is looked into; more than to_bin: none */
  u32 to_bin;
  u32 call; /* f0 is this system call, or TB_BPF_LATENCY_NO_CALL */
  u64 edges[TB_BPF_LATENCY_ROOM];
  u64 calls;     /* of f0 in the peak, looked into */
  u64 abandoned; /* calls of f0 that were left without returning */
  u64 crowded;   /* calls of f0 for which there was no room */
  u64 cut;       /* calls of f0 in the peak that counted for nothing, as a part of them had no room */
  u32 n_sources;
  u32 played;      /* process that calls something to try out what probes cost; 0 none */
  u32 floor;       /* ns of its own probes that a call of f0 seems to take */
  u32 nested;      /* ns that a call of f0 within another is made longer by its probes */
  u32 alike;       /* so many bins are one where latencies are compared; 0 as 1 */
  u32 phased;      /* only calls of f0 count that begin in a phase of their process */
  u32 thread;      /* only calls of this thread count; 0: of all */
  u32 has_clients; /* only calls of f0 count that serve those of a path */
  u32 n_clients;   /* functions of it */
  u32 clients_call;
  u32 clients_state; /* in which they sleep */
  u32 of_requests;   /* f0 is no call but a request to a device: */
  u32 request;       /* the kernel's number of what it asks for */
  u32 entry_site;    /* 1 + the site where f0 is seen to begin, 0 none */
  u64 clients_from;  /* ns that a call of a client takes; not included: */
  u64 clients_to;
  u64 slow_floor;                 /* ns of the shortest call that the agent keeps */
  u64 others;                     /* calls of f0 that were over and served somebody else */
  TbBpfLatencySource sources[16]; /* of which TB_BPF_LATENCY_SOURCES are used */
} TbBpfLatencyShared;

typedef struct
{
  u64 entered; /* calls of f0 that began */
  u64 counts[TB_BPF_LATENCY_ROOM];
  u64 totals[TB_BPF_LATENCY_ROOM];
  u64 parts[4]; /* of the request at hand, ns, and in which bins these are */
  u64 of_parts[4];
} TbBpfLatencyBins;

_Static_assert (TB_BPF_LATENCY_BINS < TB_BPF_LATENCY_ROOM, "room");
_Static_assert (sizeof (TbBpfLatencyNode) == 24, "layout");
_Static_assert (sizeof (TbBpfLatencyCounter) == 56, "layout");
_Static_assert (sizeof (TbBpfLatencySite) == 48, "layout");
_Static_assert (sizeof (TbBpfLatencyCallee) == 16, "layout");
_Static_assert (sizeof (TbBpfLatencySource) == 48, "layout");
_Static_assert (sizeof (TbBpfLatencyPlace) == 16, "layout");
