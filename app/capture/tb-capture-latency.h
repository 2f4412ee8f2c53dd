/* tb-capture-latency.h: contents of the records of latency measurements, both requests and results,
 * a part of tb-capture-format.h
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stdint.h>

/* The nodes of the call tree are calls in their context; node 0 is f0. A node is open if its
 * callees are examined. The callees are the nodes first_child + index of a site, or those of NODE
 * records with a target. */
#define TB_CAPTURE_LATENCY_MAX_BINS 1008u
#define TB_CAPTURE_LATENCY_MAX_NODES 512u
#define TB_CAPTURE_LATENCY_MAX_SITES 1024u
#define TB_CAPTURE_LATENCY_MAX_GROUPS 256u
#define TB_CAPTURE_LATENCY_DISTURBANCES 16u /* preemption, run queue, and interrupts by SOURCE */
/* Targets other than addresses: */
#define TB_CAPTURE_LATENCY_SYSCALL (1ull << 63) /* plus the system call number */
#define TB_CAPTURE_LATENCY_WAIT                                                                    \
  (1ull << 62) /* plus the kernel's number of the state in which the thread sleeps */

typedef struct
{
  uint32_t call; /* the system call that is f0, or TB_CAPTURE_NO_CALL */
  /* bins per power of two; tail: u64 start of each bin, and the end of the last */
  uint32_t resolution;
  /* number of bins that count as one where latencies are compared; such a group starts at a
   * multiple of this; 0 is the same as 1 */
  uint32_t merged_bins;
  uint32_t thread;    /* only its calls of f0 count; 0: those of all threads */
  uint32_t operation; /* TbCaptureLatencyOperation */
  uint32_t which;     /* for requests: the kernel's number of the operation */
} TbCaptureLatencyStart;

typedef enum
{
  TB_CAPTURE_LATENCY_OF_CALLS = 0,    /* of the probed function or the system call */
  TB_CAPTURE_LATENCY_OF_REQUESTS = 1, /* of requests to devices */
} TbCaptureLatencyOperation;

typedef enum
{
  TB_CAPTURE_LATENCY_ENTRY = 0,  /* entry of f0 */
  TB_CAPTURE_LATENCY_RETURN = 1, /* return of f0; the probe is at its entry */
  TB_CAPTURE_LATENCY_LAST = 2,   /* instruction by which f0 returns */
  TB_CAPTURE_LATENCY_SITE = 3,   /* a call site in an examined function */
  /* entry and return of a kernel function that is f0; the tail is its name */
  TB_CAPTURE_LATENCY_KERNEL = 4,
  /* a site in an examined kernel function; the offset is its address */
  TB_CAPTURE_LATENCY_KERNEL_SITE = 5,
} TbCaptureLatencyProbeKind;

typedef enum
{
  TB_CAPTURE_LATENCY_BEGINS = 1 << 0,   /* a call begins; every site ends the earlier calls */
  TB_CAPTURE_LATENCY_TAIL = 1 << 1,     /* a tail call, which ends when its caller ends */
  TB_CAPTURE_LATENCY_INDIRECT = 1 << 2, /* an indirect call to the address in the operand */
  TB_CAPTURE_LATENCY_HAS_HEIGHT = 1 << 3,
  /* A mark of the program: the process begins or ends the phase in which calls of f0 count, if the
   * operand points to a text with this hash (FNV-1a). The hash is stored in height. If there are no
   * such sites, all calls count. */
  TB_CAPTURE_LATENCY_PHASE_BEGINS = 1 << 5,
  TB_CAPTURE_LATENCY_PHASE_ENDS = 1 << 6,
  /* entry of the function with this index on the path of the clients */
  TB_CAPTURE_LATENCY_OF_CLIENTS = 1 << 7,
} TbCaptureLatencySiteFlags;

/* bytes of its name that count, including the terminating 0 */
#define TB_CAPTURE_LATENCY_MAX_PHASE 64u

typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset; /* in the file */
  uint64_t value;  /* value of the operand */
  uint32_t group;
  uint32_t operand; /* TB_CAPTURE_OPERAND */
  uint32_t site;    /* number of a SITE */
  uint32_t function;
  uint32_t index;
  uint32_t height; /* bytes by which the stack has grown since the entry of the function */
  int32_t pid;     /* a process that has the file mapped executable; it need not be recorded */
  uint16_t kind;   /* TbCaptureLatencyProbeKind */
  uint16_t flags;  /* TbCaptureLatencySiteFlags */
                   /* tail: build ID bytes */
} TbCaptureLatencyProbe;

#define TB_CAPTURE_LATENCY_MAX_CODE 60000u

/* Clients are threads that sleep inside a path of calls. The functions of the path are sites of a
 * separate group. A thread that calls f0 serves the clients that it wakes. */
typedef struct
{
  uint64_t from;  /* minimum duration in ns of the outermost call until the wake-up */
  uint64_t to;    /* maximum duration, exclusive */
  uint32_t n;     /* number of functions; 0: the path is the system call alone */
  uint32_t call;  /* the system call in which they sleep, or TB_CAPTURE_NO_CALL */
  uint32_t state; /* the kernel's number of the state in which they sleep */
} TbCaptureLatencyClients;

#define TB_CAPTURE_LATENCY_MAX_CLIENTS 16u /* functions on the path */
#define TB_CAPTURE_LATENCY_CLIENTS_GROUP                                                           \
  (TB_CAPTURE_LATENCY_MAX_GROUPS - 1) /* in any process, if the whole system may be recorded */

typedef struct
{
  uint64_t address;
  uint64_t size;
  uint32_t name_length; /* tail: the name, then as much of the code as fits */
} TbCaptureLatencyCode;

typedef struct
{
  uint64_t address; /* an address inside the function; 0: the tail is its name */
} TbCaptureLatencyRead;

typedef struct
{
  uint32_t group;
} TbCaptureLatencyGroup;

typedef enum
{
  TB_CAPTURE_LATENCY_OPEN = 1 << 0,
  TB_CAPTURE_LATENCY_DISTURBANCE = 1 << 1,
  TB_CAPTURE_LATENCY_RESET = 1 << 2, /* its counters start at 0 again */
  /* from now on its own time in calls of the peak is sampled, and the sampled addresses are sent */
  TB_CAPTURE_LATENCY_SAMPLED = 1 << 3,
} TbCaptureLatencyNodeFlags;

typedef struct
{
  uint64_t target; /* target of this callee of the parent; 0: it is identified by its index */
  uint32_t id;
  uint32_t parent;
  uint32_t first_child;
  uint32_t function;
  uint32_t disturbances; /* the first of its disturbance nodes, 0 if none */
  uint32_t flags;
  uint32_t site; /* with a target: 1 + index of the callee, 0 if the target is not an address */
} TbCaptureLatencyNode;

typedef struct
{
  uint32_t from_bin; /* greater than to_bin: no peak */
  uint32_t to_bin;
} TbCaptureLatencyPeak;

typedef struct
{
  uint32_t n; /* tail: u64 bin, calls and total ns of each bin that has calls */
} TbCaptureLatencyBins;

/* Totals of the calls of f0 in the peak so far. */
typedef struct
{
  uint64_t calls; /* calls of f0 that contain the node */
  uint64_t maxcount;
  uint64_t self_maxcount;
  uint64_t total; /* ns, without disturbances */
  uint64_t self_total;
  uint64_t entered;
  uint32_t node;
  /* number of times its counters were reset: that of the processed NODE records with RESET */
  uint32_t generation;
} TbCaptureLatencyCounter;

typedef struct
{
  uint64_t target;
  uint32_t node;
  uint32_t site; /* as in NODE */
  int32_t pid;
} TbCaptureLatencyCallee;

/* Number of additional samples of the node's own time at the address. Functions that it calls and
 * that have no node count as its own time. */
typedef struct
{
  uint64_t address;
  uint64_t count;
  uint32_t node;
  int32_t pid;
} TbCaptureLatencyAddress;

typedef struct
{
  uint32_t index; /* index among the disturbances of each node */
  uint32_t kind;  /* 1 hard interrupt, 2 softirq, 3 local timer of the CPU */
  uint32_t number;
  uint64_t gap; /* mean ns between two of them on a CPU, 0 if not known yet; tail: name */
} TbCaptureLatencySource;

typedef struct
{
  uint64_t calls;     /* examined calls of f0 in the peak */
  uint64_t abandoned; /* calls of f0 that were left without a return */
  uint64_t full;      /* calls of f0 for which there was no room */
  uint64_t entered;   /* calls of f0 that began */
  uint64_t truncated; /* calls in the peak that do not count, because a part of them had no room */
  uint64_t missed;    /* times that a probe or event was hit but its program did not run */
  uint64_t other_clients; /* calls of f0 that served other clients */
} TbCaptureLatencyState;

#define TB_CAPTURE_LATENCY_MAX_SLOW 16u  /* calls */
#define TB_CAPTURE_LATENCY_MAX_PARTS 16u /* parts of each call */

/* One of the longest calls of the peak. */
typedef struct
{
  uint64_t begin;
  uint64_t latency;
  uint32_t place; /* slot of the call; slots are in no order */
  int32_t thread;
  int32_t pid; /* tail: u64 node, and ns of the node in this call */
} TbCaptureLatencySlow;

/* ns, 0 if unknown. The known cost of probes is subtracted from latencies; differences of the size
 * of that cost are uncertain all the same. */
typedef struct
{
  uint64_t call;    /* additional duration of a call of f0 with its probes */
  uint64_t floor;   /* the part of it that would be in the latency of f0, and is subtracted */
  uint64_t site;    /* cost of a probe at a call site, which is subtracted */
  uint64_t stepped; /* likewise for an instruction that must be single-stepped */
} TbCaptureLatencyCost;
