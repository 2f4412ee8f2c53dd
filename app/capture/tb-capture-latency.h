/* tb-capture-latency.h: the payloads of records about latencies, a part of tb-capture-format.h
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stdint.h>

/* Latencies. The tree of calls consists of nodes, calls in their context; node 0 is f0. An open node is one whose callees are
 * looked into: they are the nodes first_child + index of a site, or those of NODE records with a target. */
#define TB_CAPTURE_LATENCY_MAX_BINS 1008u
#define TB_CAPTURE_LATENCY_MAX_NODES 512u
#define TB_CAPTURE_LATENCY_MAX_SITES 1024u
#define TB_CAPTURE_LATENCY_MAX_GROUPS 256u
#define TB_CAPTURE_LATENCY_DISTURBANCES 16u /* preempted, run queue, interrupts by SOURCE */
/* Targets other than addresses: */
#define TB_CAPTURE_LATENCY_SYSCALL (1ull << 63) /* and its number */
#define TB_CAPTURE_LATENCY_WAIT                                                                              \
  (1ull << 62) /* and the kernel's number of the state in which the thread sleeps */

typedef struct
{
  uint32_t call;       /* f0 is this system call, or TB_CAPTURE_NO_CALL */
  uint32_t resolution; /* bins for each doubling; tail: u64 where each bin begins, and where the last ends */
  uint32_t alike;  /* so many bins, from a multiple of it on, are one where latencies are compared; 0 as 1 */
  uint32_t thread; /* only its calls of f0 count; 0: those of all */
  uint32_t operation; /* TbCaptureLatencyOperation */
  uint32_t which;     /* of requests: the kernel's number of what is asked for */
} TbCaptureLatencyStart;

typedef enum
{
  TB_CAPTURE_LATENCY_OF_CALLS = 0,    /* of the function that the probes are of, or the system call */
  TB_CAPTURE_LATENCY_OF_REQUESTS = 1, /* to devices */
} TbCaptureLatencyOperation;

typedef enum
{
  TB_CAPTURE_LATENCY_ENTRY = 0,  /* f0 is entered */
  TB_CAPTURE_LATENCY_RETURN = 1, /* f0, which is entered here, returns */
  TB_CAPTURE_LATENCY_LAST = 2,   /* the instruction by which f0 returns */
  TB_CAPTURE_LATENCY_SITE = 3,   /* in a function that is looked into */
  TB_CAPTURE_LATENCY_KERNEL
  = 4, /* f0 is a function of the kernel: entered, and returned from; the tail is its name */
  TB_CAPTURE_LATENCY_KERNEL_SITE
  = 5, /* in a function of the kernel that is looked into; the offset is its address */
} TbCaptureLatencyProbeKind;

typedef enum
{
  TB_CAPTURE_LATENCY_BEGINS = 1 << 0,   /* a call begins; any site ends those before it */
  TB_CAPTURE_LATENCY_TAIL = 1 << 1,     /* by a jump: it ends where its caller does */
  TB_CAPTURE_LATENCY_INDIRECT = 1 << 2, /* to where the operand says */
  TB_CAPTURE_LATENCY_HAS_HEIGHT = 1 << 3,
  /* A mark of the program: the process begins, or ends, the phase in which calls of f0 count, if the text to which the operand
   * points has this hash (FNV-1a), which is in place of the height. Without such sites all count. */
  TB_CAPTURE_LATENCY_PHASE_BEGINS = 1 << 5,
  TB_CAPTURE_LATENCY_PHASE_ENDS = 1 << 6,
  TB_CAPTURE_LATENCY_OF_CLIENTS = 1 << 7, /* entry of the function of that index of their path */
} TbCaptureLatencySiteFlags;

#define TB_CAPTURE_LATENCY_MAX_PHASE 64u /* bytes of its name that count, with the last 0 */

typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset; /* in the file */
  uint64_t value;  /* of the operand */
  uint32_t group;
  uint32_t operand; /* TB_CAPTURE_OPERAND */
  uint32_t site;    /* number, of a SITE */
  uint32_t function;
  uint32_t index;
  uint32_t height; /* bytes that the stack has grown since its function was entered */
  int32_t pid;     /* that has the file mapped executable there, need not be one of the recorded */
  uint16_t kind;   /* TbCaptureLatencyProbeKind */
  uint16_t flags;  /* TbCaptureLatencySiteFlags */
                   /* tail: build-id bytes */
} TbCaptureLatencyProbe;

#define TB_CAPTURE_LATENCY_MAX_CODE 60000u

/* Of threads that sleep in a path of calls: its functions are sites, of a group of their own. Whom a thread that calls f0 wakes,
 * it has served. */
typedef struct
{
  uint64_t from;  /* ns that the outermost call took by then */
  uint64_t to;    /* not included */
  uint32_t n;     /* functions; 0: the path is the system call alone */
  uint32_t call;  /* in which they sleep, or TB_CAPTURE_NO_CALL */
  uint32_t state; /* in which they do, the kernel's number */
} TbCaptureLatencyClients;

#define TB_CAPTURE_LATENCY_MAX_CLIENTS 16u /* functions */
#define TB_CAPTURE_LATENCY_CLIENTS_GROUP                                                                     \
  (TB_CAPTURE_LATENCY_MAX_GROUPS - 1) /* in whatever process, where the whole system may be recorded */

typedef struct
{
  uint64_t address;
  uint64_t size;
  uint32_t name_length; /* tail: the name, then as much of the code as there is room for */
} TbCaptureLatencyCode;

typedef struct
{
  uint64_t address; /* in the function; 0: it is the one of the name that is the tail */
} TbCaptureLatencyRead;

typedef struct
{
  uint32_t group;
} TbCaptureLatencyGroup;

typedef enum
{
  TB_CAPTURE_LATENCY_OPEN = 1 << 0,
  TB_CAPTURE_LATENCY_DISTURBANCE = 1 << 1,
  TB_CAPTURE_LATENCY_RESET = 1 << 2, /* its counters begin at 0 */
  TB_CAPTURE_LATENCY_NARROW
  = 1 << 3, /* samples are taken from now on, and where it runs itself in calls of the peak is told */
} TbCaptureLatencyNodeFlags;

typedef struct
{
  uint64_t target; /* of the parent's callee that it is, 0: one by its number */
  uint32_t id;
  uint32_t parent;
  uint32_t first_child;
  uint32_t function;
  uint32_t disturbances; /* the first of its nodes for them, 0 none */
  uint32_t flags;
  uint32_t site; /* with a target: 1 + the index of the callee, 0 of what is no address */
} TbCaptureLatencyNode;

typedef struct
{
  uint32_t from_bin; /* more than to_bin: none */
  uint32_t to_bin;
} TbCaptureLatencyPeak;

typedef struct
{
  uint32_t n; /* tail: u64 bin, calls, ns together, of each that has calls */
} TbCaptureLatencyBins;

/* Of calls of f0 in the peak, all so far. */
typedef struct
{
  uint64_t calls; /* of f0, in which the node occurs */
  uint64_t maxcount;
  uint64_t self_maxcount;
  uint64_t total; /* ns, without disturbances */
  uint64_t self_total;
  uint64_t entered;
  uint32_t node;
  uint32_t generation; /* how often it began at 0: as many NODE records with RESET were heeded */
} TbCaptureLatencyCounter;

typedef struct
{
  uint64_t target;
  uint32_t node;
  uint32_t site; /* as of NODE */
  int32_t pid;
} TbCaptureLatencyCallee;

/* In so many samples more it ran there. Others that it calls, and that have no node, count as if they were it. */
typedef struct
{
  uint64_t address;
  uint64_t count;
  uint32_t node;
  int32_t pid;
} TbCaptureLatencyPlace;

typedef struct
{
  uint32_t index; /* among the disturbances of each node */
  uint32_t kind;  /* 1 hard, 2 soft, 3 the cpu's own timer */
  uint32_t number;
  uint64_t gap; /* ns between two of them on a cpu in the mean, 0 not known yet; tail: name */
} TbCaptureLatencySource;

typedef struct
{
  uint64_t calls;     /* of f0 in the peak, looked into */
  uint64_t abandoned; /* calls of f0 that were left without returning */
  uint64_t crowded;   /* for which there was no room */
  uint64_t entered;   /* calls of f0 that began */
  uint64_t cut;       /* calls in the peak that count for nothing, as a part of them had no room */
  uint64_t missed;    /* times that a probe or an event was reached and nothing was run */
  uint64_t others;    /* calls of f0 that served others than those that count */
} TbCaptureLatencyState;

#define TB_CAPTURE_LATENCY_MAX_SLOW 16u  /* calls */
#define TB_CAPTURE_LATENCY_MAX_PARTS 16u /* of each */

/* One of the longest calls of the peak. */
typedef struct
{
  uint64_t begin;
  uint64_t latency;
  uint32_t place; /* among them, in no order */
  int32_t thread;
  int32_t pid; /* tail: u64 node, ns of it in that call */
} TbCaptureLatencySlow;

/* ns, 0 not known. Latencies come without what is known of probes in them; what is of their size is uncertain all the same. */
typedef struct
{
  uint64_t call;    /* that a call of f0 takes longer by its probes */
  uint64_t floor;   /* of it, what would be in its latency, and was subtracted */
  uint64_t site;    /* that a probe of a call site takes, and is subtracted */
  uint64_t stepped; /* the same of an instruction that has to be single-stepped */
} TbCaptureLatencyCost;
