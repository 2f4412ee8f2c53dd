/* tb-capture-status.h: kinds and message codes of STATUS records of the capture stream, with the
 * arguments of each code
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stdint.h>

/* Arguments are consecutive strings without control characters, each terminated by a 0 byte.
 * Numbers are decimal; times are in ns. A cause is a message in the place of an argument: three
 * decimal numbers (its code, its errno and the number of its arguments), followed by its
 * arguments. */
#define TB_CAPTURE_MAX_ARGUMENTS 64u
#define TB_CAPTURE_MAX_ARGUMENT_BYTES 1000u /* of all arguments together */
#define TB_CAPTURE_MAX_ERROR 4095u          /* the kernel's MAX_ERRNO */

typedef enum
{
  TB_CAPTURE_STATUS_ARMED = 1, /* events are recorded; a held command may start */
  /* the last control record was refused; after START the agent ends */
  TB_CAPTURE_STATUS_REFUSED = 2,
  TB_CAPTURE_STATUS_WORKS = 3,   /* answer to QUERY: the source works here, with details */
  TB_CAPTURE_STATUS_MISSING = 4, /* a source, or a part of it, is not recorded */
  TB_CAPTURE_STATUS_WARNING = 5,
  TB_CAPTURE_STATUS_ANSWERED = 6, /* the answer to QUERY is complete */
  TB_CAPTURE_STATUS_PROBED = 7,   /* PROBE_ADD, PROBE_REMOVE, MARK_ADD: done, with the cost */
  TB_CAPTURE_STATUS_SAVING = 8,   /* a flight recorder sends its buffer now, with the reason */
  /* events of the source that were only counted; they are not lost */
  TB_CAPTURE_STATUS_COUNTED = 9,
} TbCaptureStatusKind;

/* One code per message; the client makes the sentence. New codes are added at the end and need a
 * sentence in plugins/shared/agent-client/client/tb-agent-status-sentences.c. The comment at a code
 * lists its arguments. A newer agent may send codes that are not here. */
typedef enum
{
  TB_CAPTURE_CODE_NONE = 0,

  /* Parts of other sentences: causes */
  TB_CAPTURE_CODE_ERROR = 1, /* errno only */
  TB_CAPTURE_CODE_NOT_PERMITTED = 2,
  TB_CAPTURE_CODE_NOT_IN_KERNEL = 3,
  TB_CAPTURE_CODE_NO_MEMORY = 4,
  TB_CAPTURE_CODE_PROGRAM_REFUSED = 5,   /* message of the verifier */
  TB_CAPTURE_CODE_PROGRAM_NOT_TAKEN = 6, /* errno only */
  TB_CAPTURE_CODE_NO_CAP_BPF = 7,
  TB_CAPTURE_CODE_BPF_DISABLED = 8, /* level */
  TB_CAPTURE_CODE_NO_CAP_PERFMON = 9,
  TB_CAPTURE_CODE_TOO_MANY_FILES = 10,
  /* 11, 40 and 98 were used by earlier versions. */
  TB_CAPTURE_CODE_NAME_TOO_LONG = 12,

  /* Parts of other sentences: what a recording lacks */
  TB_CAPTURE_CODE_WITHOUT_SCHEDULER = 13,
  TB_CAPTURE_CODE_WITHOUT_WAKINGS = 14,
  TB_CAPTURE_CODE_WITHOUT_NEW_THREADS = 15,
  TB_CAPTURE_CODE_WITHOUT_PROGRAM_NAMES = 16,
  TB_CAPTURE_CODE_WITHOUT_INTERRUPTS = 17,
  TB_CAPTURE_CODE_WITHOUT_IRQ_ENTRIES = 18,
  TB_CAPTURE_CODE_WITHOUT_IRQ_EXITS = 19,
  TB_CAPTURE_CODE_WITHOUT_SOFTIRQ_ENTRIES = 20,
  TB_CAPTURE_CODE_WITHOUT_SOFTIRQ_EXITS = 21,
  TB_CAPTURE_CODE_WITHOUT_TIMER_ENTRIES = 22,
  TB_CAPTURE_CODE_WITHOUT_TIMER_EXITS = 23,
  TB_CAPTURE_CODE_WITHOUT_DISK_QUEUES = 24,
  TB_CAPTURE_CODE_WITHOUT_DISK_REQUESTS = 25,
  TB_CAPTURE_CODE_WITHOUT_DISK_COMPLETIONS = 26,
  TB_CAPTURE_CODE_WITHOUT_SENT_MESSAGES = 27,
  TB_CAPTURE_CODE_WITHOUT_ARRIVALS = 28,
  TB_CAPTURE_CODE_WITHOUT_PACKETS = 29,
  TB_CAPTURE_CODE_WITHOUT_CONNECTIONS = 30,
  TB_CAPTURE_CODE_WITHOUT_ADDRESSES = 31,
  TB_CAPTURE_CODE_WITHOUT_SYSCALLS = 32,
  TB_CAPTURE_CODE_WITHOUT_SYSCALL_RESULTS = 33,
  TB_CAPTURE_CODE_WITHOUT_DUMPS = 34,
  TB_CAPTURE_CODE_WITHOUT_FAULTS = 35,
  TB_CAPTURE_CODE_WITHOUT_KERNEL_FUNCTIONS = 36,
  TB_CAPTURE_CODE_WITHOUT_PROBES = 37,
  TB_CAPTURE_CODE_WITHOUT_MARKS = 38,
  TB_CAPTURE_CODE_WITHOUT_ALLOCATIONS = 39,
  TB_CAPTURE_CODE_WITHOUT_SAMPLES = 41,
  TB_CAPTURE_CODE_WITHOUT_LATENCIES = 42,

  /* Requests that are refused, and the start and end of a recording */
  TB_CAPTURE_CODE_CONTROL_DAMAGED = 43, /* error message of the decoder of the control stream */
  TB_CAPTURE_CODE_ALREADY_STARTED = 44,
  TB_CAPTURE_CODE_UNKNOWN_SCOPE = 45, /* scope */
  TB_CAPTURE_CODE_NOT_ENABLED = 46,
  TB_CAPTURE_CODE_NOTHING_RECORDED = 47,
  TB_CAPTURE_CODE_TOO_MANY_DUMP_NAMES = 48,
  TB_CAPTURE_CODE_CGROUP_NOT_AUTHORIZED = 49,
  TB_CAPTURE_CODE_CGROUP_NEEDS_BPF = 50, /* refusal */
  TB_CAPTURE_CODE_NO_SUCH_CGROUP = 51,   /* its id */
  TB_CAPTURE_CODE_SYSTEM_NOT_AUTHORIZED = 52,
  TB_CAPTURE_CODE_SYSTEM_NOT_POSSIBLE = 53, /* refusal */
  TB_CAPTURE_CODE_NO_SUCH_PROCESS = 54,     /* PID */
  TB_CAPTURE_CODE_FOREIGN_PROCESS = 55,     /* PID */
  TB_CAPTURE_CODE_PROCESS_HAS_ENDED = 56,   /* PID */
  TB_CAPTURE_CODE_SAVE_REQUESTED = 57,
  TB_CAPTURE_CODE_SAVE_SIGNAL = 58,
  TB_CAPTURE_CODE_TRIGGER_SYSCALL = 59,  /* TID, number, ns */
  TB_CAPTURE_CODE_TRIGGER_FUNCTION = 60, /* TID, id, ns */

  /* Why a backend is not selected */
  TB_CAPTURE_CODE_BUILT_WITHOUT_BPF = 61,
  TB_CAPTURE_CODE_NO_BTF = 62,            /* path */
  TB_CAPTURE_CODE_BPF_NOT_PERMITTED = 63, /* cause */
  TB_CAPTURE_CODE_BPF_REFUSED = 64,       /* cause */
  TB_CAPTURE_CODE_BPF_NOT_AVAILABLE = 65, /* cause */
  TB_CAPTURE_CODE_RING_NOT_MADE = 66,     /* bytes */
  TB_CAPTURE_CODE_MAPS_NOT_MADE = 67,     /* errno only */
  TB_CAPTURE_CODE_MAPS_NOT_MAPPED = 68,   /* errno only */
  TB_CAPTURE_CODE_PROGRAMS_GONE = 69,
  TB_CAPTURE_CODE_PERF_PARANOID = 70,       /* level */
  TB_CAPTURE_CODE_PERF_NOT_OPENED = 71,     /* cause */
  TB_CAPTURE_CODE_SWITCHES_NOT_OPENED = 72, /* cause */
  TB_CAPTURE_CODE_NO_SWITCHES = 73,
  TB_CAPTURE_CODE_TRACEFS_NOT_MOUNTED = 74,  /* errno only */
  TB_CAPTURE_CODE_TRACEFS_NOT_READABLE = 75, /* errno only */
  TB_CAPTURE_CODE_BUFFER_NOT_MAPPED = 76,    /* CPU */
  TB_CAPTURE_CODE_EVENT_NOT_OPENED = 77,     /* event, CPU, cause */
  TB_CAPTURE_CODE_BUFFER_NOT_SHARED = 78,    /* CPU */

  /* What works */
  TB_CAPTURE_CODE_OWN_PROCESSES = 79,
  TB_CAPTURE_CODE_OWN_SWITCHES = 80, /* refusal */
  TB_CAPTURE_CODE_OWN_SAMPLES = 81,
  TB_CAPTURE_CODE_SAMPLES_BY_CYCLES = 82,
  TB_CAPTURE_CODE_SAMPLES_BY_CLOCK = 83,
  TB_CAPTURE_CODE_FUNCTION_PROBES_WORK = 84, /* 0 or 1 for each function */
  TB_CAPTURE_CODE_TRACEPOINTS_OMITTED = 85,  /* causes: TRACEPOINT */
  TB_CAPTURE_CODE_TRACEPOINT = 86,           /* group:name, missing data */
  TB_CAPTURE_CODE_STACKS_REPAIRED = 87,      /* number, number with code without tables */

  /* What is missing */
  TB_CAPTURE_CODE_NO_FUNCTION_PROBES = 88,    /* cause of each function */
  TB_CAPTURE_CODE_TRACEPOINTS_MISSING = 89,   /* causes: TRACEPOINT */
  TB_CAPTURE_CODE_TRACEPOINT_MISSING = 90,    /* group:name, cause, missing data */
  TB_CAPTURE_CODE_PROGRAMS_NOT_LOADED = 91,   /* name, cause, missing data */
  TB_CAPTURE_CODE_PROGRAMS_NOT_ATTACHED = 92, /* name, cause, missing data */
  TB_CAPTURE_CODE_NO_SLEEPS = 93,
  TB_CAPTURE_CODE_NO_DUMPS_BY_PROGRAMS = 94, /* name */
  TB_CAPTURE_CODE_NO_DUMPS_OF_OWN = 95,
  TB_CAPTURE_CODE_NO_DUMPS_OF_SAMPLES = 96,
  TB_CAPTURE_CODE_NO_MAPPINGS = 97,     /* refusal */
  TB_CAPTURE_CODE_NO_SAMPLE_CLOCK = 99, /* errno only */
  TB_CAPTURE_CODE_PERF_HAS_NO_PROBES = 100,
  TB_CAPTURE_CODE_PERF_HAS_NO_MARKS = 101,
  TB_CAPTURE_CODE_INTERFACES_NOT_LISTED = 102, /* errno only */

  /* Warnings */
  TB_CAPTURE_CODE_CONTAINER = 103,
  TB_CAPTURE_CODE_TOO_MANY_INTERFACES = 104,    /* number sent, number */
  TB_CAPTURE_CODE_SAMPLES_THROTTLED = 105,      /* number */
  TB_CAPTURE_CODE_SYSCALLS_THINNED = 106,       /* number, ns */
  TB_CAPTURE_CODE_SYSCALL_STACKS_THINNED = 107, /* number, ns */
  TB_CAPTURE_CODE_CALLS_THINNED = 108,          /* number */
  TB_CAPTURE_CODE_MARKS_WITHOUT_NAMES = 109,    /* number */
  TB_CAPTURE_CODE_RECORDS_INVALID = 110,        /* number */
  TB_CAPTURE_CODE_STACKS_UNKNOWN = 111,         /* number */
  TB_CAPTURE_CODE_ALLOCATIONS_DROPPED = 112,    /* number, number let go, room */

  /* Events that were only counted */
  TB_CAPTURE_CODE_SOFTIRQS_COUNTED = 113, /* CPU, ns; for each kind: vector, number, ns */
  TB_CAPTURE_CODE_ARRIVALS_COUNTED = 114, /* CPU, number */

  /* Probes and marks: success and reasons for failure */
  TB_CAPTURE_CODE_PROBE_EMULATED = 115,
  TB_CAPTURE_CODE_PROBE_SINGLE_STEPPED = 116,
  TB_CAPTURE_CODE_ALLOCATIONS_PROBED = 117,
  TB_CAPTURE_CODE_PROBE_REMOVED = 118,
  TB_CAPTURE_CODE_NO_SUCH_PROBE = 119,
  TB_CAPTURE_CODE_PROBE_NOT_PERMITTED = 120,
  TB_CAPTURE_CODE_NO_UPROBES = 121,
  TB_CAPTURE_CODE_NO_PROBABLE_INSTRUCTION = 122,
  TB_CAPTURE_CODE_PROBED_PROCESS_ENDED = 123,
  TB_CAPTURE_CODE_PROBED_PROCESS_MISSING = 124,
  TB_CAPTURE_CODE_NO_CODE_AT_OFFSET = 125,
  TB_CAPTURE_CODE_FILE_NOT_MAPPED = 126,
  TB_CAPTURE_CODE_FILE_REPLACED = 127,
  TB_CAPTURE_CODE_UNKNOWN_REGISTER = 128,
  TB_CAPTURE_CODE_GROUP_NOT_JOINED = 129,
  TB_CAPTURE_CODE_GROUP_NOT_TAKEN = 130,
  TB_CAPTURE_CODE_GROUP_NEEDS_SYSTEM = 131,
  TB_CAPTURE_CODE_ALLOCATIONS_NEED_SYSTEM = 132,
  TB_CAPTURE_CODE_MARK_WITHOUT_LOCATION = 133,
  TB_CAPTURE_CODE_MARK_WITHOUT_MEANING = 134,
  TB_CAPTURE_CODE_PROBE_WITHOUT_LOCATION = 135,
  TB_CAPTURE_CODE_PROBE_EXISTS = 136,
  TB_CAPTURE_CODE_TOO_MANY_PROBES = 137,             /* limit */
  TB_CAPTURE_CODE_PROBED_PROCESS_FOREIGN = 138,      /* PID */
  TB_CAPTURE_CODE_PROBED_PROCESS_NOT_RECORDED = 139, /* PID */
  TB_CAPTURE_CODE_NO_BPF_RECORDING = 140,
  TB_CAPTURE_CODE_BUILT_WITHOUT_PROBES = 141,
  TB_CAPTURE_CODE_BUILT_WITHOUT_MARKS = 142,
  TB_CAPTURE_CODE_BUILT_WITHOUT_LATENCIES = 143,

  /* Kernel functions */
  TB_CAPTURE_CODE_NO_SUCH_KERNEL_FUNCTION = 144,
  TB_CAPTURE_CODE_SEVERAL_KERNEL_FUNCTIONS = 145,
  TB_CAPTURE_CODE_KERNEL_FUNCTION_EXCLUDED = 146,
  TB_CAPTURE_CODE_NO_KPROBES = 147,
  TB_CAPTURE_CODE_NO_FUNCTION_NAME = 148,
  TB_CAPTURE_CODE_KERNEL_FUNCTION_NOT_LOCATED = 149,
  TB_CAPTURE_CODE_KERNEL_CANNOT_ATTACH = 150,
  TB_CAPTURE_CODE_NOT_TRIED_OUT = 151,
  TB_CAPTURE_CODE_TOO_LATE_FOR_PROBE = 152,
  TB_CAPTURE_CODE_KERNEL_PROBE = 153,          /* fentry, fprobe or kprobe */
  TB_CAPTURE_CODE_KERNEL_PROBE_FALLBACK = 154, /* the same, causes: KERNEL_PROBE_REFUSED */
  TB_CAPTURE_CODE_KERNEL_PROBE_REFUSED = 155,  /* fentry, fprobe or kprobe, cause */

  /* Latencies */
  TB_CAPTURE_CODE_LATENCIES_NOT_LOADED = 156,
  TB_CAPTURE_CODE_LATENCIES_STARTED = 157,
  TB_CAPTURE_CODE_LATENCIES_NOT_STARTED = 158,
  TB_CAPTURE_CODE_LATENCY_BINS_WRONG = 159,
  TB_CAPTURE_CODE_LATENCY_MAPS_NOT_MAPPED = 160,
  TB_CAPTURE_CODE_REQUESTS_NOT_WATCHED = 161, /* errno only */
  TB_CAPTURE_CODE_SYSCALLS_NOT_WATCHED = 162, /* errno only */
  TB_CAPTURE_CODE_WAKINGS_NOT_WATCHED = 163,  /* errno only */
  TB_CAPTURE_CODE_NO_SUCH_NODES = 164,
  TB_CAPTURE_CODE_TOO_MANY_CALLEES = 165,
  TB_CAPTURE_CODE_NO_SUCH_CLIENTS = 166,
  TB_CAPTURE_CODE_NO_SUCH_OPERAND = 167,
  TB_CAPTURE_CODE_NO_SUCH_GROUP = 168,
  TB_CAPTURE_CODE_KERNEL_NEEDS_SYSTEM = 169,

  TB_CAPTURE_CODE_WITHOUT_FILE_LOCKS = 170, /* what a recording lacks, as the codes from 16 on */

  TB_CAPTURE_CODE_NO_TABLES = 171, /* errno only */

  TB_CAPTURE_N_CODES = 172,
} TbCaptureStatusCode;

typedef struct
{
  uint16_t kind;   /* TbCaptureStatusKind */
  uint16_t source; /* TbCaptureSource or TB_CAPTURE_SOURCE_NONE */
  uint32_t id;     /* id of the probe or mark that it concerns, 0 if none */
  uint32_t error;  /* errno, 0 if none */
  uint16_t code;   /* TbCaptureStatusCode; tail: arguments */
} TbCaptureStatus;

/* A message that can be put into a STATUS record, into the header or into another message. */
typedef struct
{
  uint16_t code; /* TbCaptureStatusCode */
  uint16_t n_arguments;
  uint32_t error;
  uint32_t length; /* bytes of the arguments */
  char arguments[TB_CAPTURE_MAX_ARGUMENT_BYTES];
} TbCaptureMessage;
