/* tb-capture-format.h: the layout of the streams between tailback-agent and its client
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tb-capture-cost.h"
#include "tb-capture-latency.h"
#include "tb-capture-status.h"

/* Both streams are little-endian and consist of a header and records, each a multiple of 8 bytes long.
 *
 *   header  { char magic[8]; u32 version; u32 length of the fields } then fields { u16 key; u16 length; u32 0 } + payload
 *   record  { u64 time; u16 type; u16 length; u16 cpu; u16 flags } + payload
 *
 * A length counts the payload's own bytes; zeroes fill it up to the next multiple of 8. A payload may be longer than the
 * reader knows (later versions append), never shorter than in the first version: members appended since read as 0 where they
 * are missing, so 0 always means none or not known. Unknown keys and types are skipped and counted. Strings, stacks,
 * modules, devices and sleeps are sent once, with ids that count up from 1; 0 means none. Times are ns of CLOCK_MONOTONIC of
 * the agent's host. Records of one cpu come nearly in order, those of different cpus do not; after a FLUSH none follows that is
 * earlier than its time, except definitions. A stream may end anywhere; END says that it ended on purpose. */

#define TB_CAPTURE_MAGIC "TBCAPTUR"
#define TB_CAPTURE_CONTROL_MAGIC "TBCONTRL"
#define TB_CAPTURE_VERSION 2u

#define TB_CAPTURE_HEADER_SIZE 16u
#define TB_CAPTURE_FIELD_SIZE 8u
#define TB_CAPTURE_RECORD_SIZE 16u
#define TB_CAPTURE_MAX_HEADER 65536u
#define TB_CAPTURE_MAX_PAYLOAD 65528u
#define TB_CAPTURE_MAX_CHAIN 1024u /* addresses and context markers of a stack */
#define TB_CAPTURE_MAX_CPUS 8192u
#define TB_CAPTURE_CPU_NONE 0xffffu
/* What a client has to remember is bounded: a stream that defines more is damaged. */
#define TB_CAPTURE_MAX_STRING_BYTES (256u << 20)
#define TB_CAPTURE_MAX_STACK_WORDS (16u << 20) /* between two RESETs */
#define TB_CAPTURE_MAX_IDS (1u << 24)          /* of each kind */
/* Network interfaces, and the addresses that are told of one; the fastest link, bits a second. */
#define TB_CAPTURE_MAX_INTERFACES 4096u
#define TB_CAPTURE_MAX_ADDRESSES 256u
#define TB_CAPTURE_ADDRESS_SIZE 16u
#define TB_CAPTURE_MAX_SPEED (UINT64_C (1000000) * INT32_MAX)
/* Only the last so many sleeps may be referred to: timeouts make new ones all the time. */
#define TB_CAPTURE_SLEEP_WINDOW 16384u
/* Of user stacks; a dump with its registers and its header has to fit into one record. */
#define TB_CAPTURE_MAX_DUMP (63u << 10)
#define TB_CAPTURE_MAX_DUMP_THREADS 8u
#define TB_CAPTURE_MAX_DUMP_NAME 15u /* that is what the kernel knows of a name */

typedef enum
{
  TB_CAPTURE_KEY_HOST = 1,     /* text: host name */
  TB_CAPTURE_KEY_KERNEL = 2,   /* text: release */
  TB_CAPTURE_KEY_MACHINE = 3,  /* text: as uname -m */
  TB_CAPTURE_KEY_BOOT_ID = 4,  /* text */
  TB_CAPTURE_KEY_N_CPUS = 5,   /* u32: numbers of cpus are below it */
  TB_CAPTURE_KEY_CLOCKS = 6,   /* u64 monotonic, realtime, boottime, read at one instant */
  TB_CAPTURE_KEY_AGENT = 7,    /* text: version of the agent */
  TB_CAPTURE_KEY_FACILITY = 8, /* u32 TbCaptureFacility: the one chosen */
  TB_CAPTURE_KEY_REFUSED = 9,  /* u32 TbCaptureFacility, u32 code, u32 errno, arguments; one field each */
} TbCaptureKey;

typedef enum
{
  TB_CAPTURE_FACILITY_BPF = 1,
  TB_CAPTURE_FACILITY_PERF = 2,
  TB_CAPTURE_FACILITY_OWN = 3, /* own processes without privilege */
} TbCaptureFacility;

typedef enum
{
  /* Definitions */
  TB_CAPTURE_STRING = 1,
  TB_CAPTURE_STACK = 2,
  TB_CAPTURE_MODULE = 3,
  TB_CAPTURE_DEVICE = 4,
  TB_CAPTURE_MAPPING = 5,
  TB_CAPTURE_TASK = 6,    /* alive when the recording began */
  TB_CAPTURE_COMMAND = 7, /* a process's command line */
  TB_CAPTURE_RESET = 8,   /* earlier stack ids are not used any more */
  TB_CAPTURE_SYMBOL = 9,  /* a kernel function that occurs in stacks; before END, where START asks for it */
  TB_CAPTURE_SLEEP = 10,  /* what threads sleep in */
  TB_CAPTURE_INTERFACE = 11, /* of the network, as it is when the recording begins */

  /* Events */
  TB_CAPTURE_SWITCH = 16,
  TB_CAPTURE_WAKEUP = 17,
  TB_CAPTURE_FORK = 18,
  TB_CAPTURE_EXIT = 19,
  TB_CAPTURE_NAME = 20,
  TB_CAPTURE_EXEC = 21,
  TB_CAPTURE_SAMPLE = 22,
  TB_CAPTURE_IRQ_ENTRY = 23,
  TB_CAPTURE_IRQ_EXIT = 24,
  TB_CAPTURE_SOFTIRQ_ENTRY = 25,
  TB_CAPTURE_SOFTIRQ_EXIT = 26,
  TB_CAPTURE_IO_INSERT = 27,
  TB_CAPTURE_IO_ISSUE = 28,
  TB_CAPTURE_IO_COMPLETE = 29,
  TB_CAPTURE_NETWORK = 30,
  TB_CAPTURE_SYS_ENTER = 31,
  TB_CAPTURE_SYS_EXIT = 32,
  TB_CAPTURE_LOST = 33,
  TB_CAPTURE_CALL = 34,     /* a probed function is entered, or a probed instruction reached */
  TB_CAPTURE_RETURN = 35,   /* a probed function is left */
  TB_CAPTURE_SYS_CALL = 36, /* a whole system call, at its end: no SYS_ENTER was sent */
  TB_CAPTURE_MARK = 37,     /* a place of MARK_ADD is reached */
  TB_CAPTURE_DUMP
  = 38, /* the user stack at the SWITCH or SAMPLE of the same cpu, time and thread, which follows */

  /* About the recording itself */
  TB_CAPTURE_FLUSH = 48,
  TB_CAPTURE_STATUS = 49,
  TB_CAPTURE_PONG = 50,
  TB_CAPTURE_STATISTICS = 51,
  TB_CAPTURE_END = 52,
  TB_CAPTURE_KEPT
  = 53, /* a flight recorder lets go of what is earlier than this record's time; it is not lost */
  TB_CAPTURE_COST = 54, /* answer to QUERY: what recording costs on this machine */

  /* What LATENCY_START asks for; STATE comes last of what is told at a time */
  TB_CAPTURE_LATENCY_BINS = 55,
  TB_CAPTURE_LATENCY_COUNTER = 56,
  TB_CAPTURE_LATENCY_CALLEE = 57, /* a node calls something for the first time */
  TB_CAPTURE_LATENCY_SOURCE = 58, /* of interrupts, when it is seen for the first time, and now and then */
  TB_CAPTURE_LATENCY_STATE = 59,
  TB_CAPTURE_LATENCY_COST = 60,  /* what its probes take, when it was tried out */
  TB_CAPTURE_LATENCY_CODE = 61,  /* a function of the kernel: where it is, its name and its code */
  TB_CAPTURE_LATENCY_PLACE = 62, /* where a node runs itself */
  TB_CAPTURE_LATENCY_SLOW = 63,  /* a single call of the peak, in place of the one that it told there */

  /* Control stream: the closed list */
  TB_CAPTURE_START = 128,
  TB_CAPTURE_STOP = 129,
  TB_CAPTURE_SNAPSHOT = 130, /* hand over now what the buffers hold; a flight recorder ends with it */
  TB_CAPTURE_PING = 131,
  TB_CAPTURE_PROBE_ADD = 132,
  TB_CAPTURE_PROBE_REMOVE = 133,
  TB_CAPTURE_QUERY = 134,    /* asks for a STATUS record of every source, and for COST */
  TB_CAPTURE_MARK_ADD = 135, /* a place where a program says something of itself; PROBE_REMOVE takes it out */
  TB_CAPTURE_DUMP_THREAD
  = 136, /* before START: threads, or processes, of this name are dumped; none: all are */
  TB_CAPTURE_LATENCY_START = 137,   /* latencies of one function, f0, are looked into from now on */
  TB_CAPTURE_LATENCY_PROBE = 138,   /* one instruction of a group; no effect before LATENCY_ATTACH */
  TB_CAPTURE_LATENCY_ATTACH = 139,  /* the probes of a group go in at once, in place of those that it had */
  TB_CAPTURE_LATENCY_DETACH = 140,  /* all that a group has come out */
  TB_CAPTURE_LATENCY_NODE = 141,    /* a node of the tree of calls is there, or changes */
  TB_CAPTURE_LATENCY_PEAK = 142,    /* the bins whose calls are looked into */
  TB_CAPTURE_LATENCY_READ = 143,    /* asks for CODE of a function of the kernel; no answer: there is none */
  TB_CAPTURE_LATENCY_CLIENTS = 144, /* only calls of f0 count that serve certain others */
} TbCaptureType;

#define TB_CAPTURE_N_TYPES 145u

/* Flags of events: what the kernel says about the context in which they happened. */
typedef enum
{
  TB_CAPTURE_IN_HARDIRQ = 1 << 0,
  TB_CAPTURE_IN_SOFTIRQ = 1 << 1,
  TB_CAPTURE_WAKEUP_NEW = 1 << 2,  /* WAKEUP: first waking of a new thread */
  TB_CAPTURE_WAKEUP_LATE = 1 << 3, /* WAKEUP: from sched_wakeup, perhaps not on the waker's cpu */
} TbCaptureFlags;

typedef enum
{
  TB_CAPTURE_MODULE_FILE = 0,
  TB_CAPTURE_MODULE_ANONYMOUS = 1, /* executable memory without a file, of one process */
} TbCaptureModuleKind;

typedef enum
{
  TB_CAPTURE_DEVICE_BLOCK = 0,
  TB_CAPTURE_DEVICE_NETWORK = 1,
} TbCaptureDeviceKind;

typedef enum
{
  TB_CAPTURE_IRQ_HARD = 0,
  TB_CAPTURE_IRQ_TIMER = 1,
} TbCaptureIrqKind;

typedef enum
{
  TB_CAPTURE_NET_SEND = 0,
  TB_CAPTURE_NET_RECEIVE = 1,
  TB_CAPTURE_NET_CONNECT = 2,
  TB_CAPTURE_NET_ACCEPT = 3,
} TbCaptureNetworkKind;

/* What a thread sleeps in. The object's name and place follow the kind. */
typedef enum
{
  TB_CAPTURE_SLEEP_UNKNOWN = 0,
  TB_CAPTURE_SLEEP_FILE = 1, /* a file or directory is read, written or synced; object: its path */
  TB_CAPTURE_SLEEP_PIPE = 2, /* object: a fifo's path, else "pipe:[inode]" */
  TB_CAPTURE_SLEEP_SOCKET
  = 3,                        /* object: the peer as host:port, a unix socket's path, else "socket:[inode]" */
  TB_CAPTURE_SLEEP_POLL = 4,  /* poll, select, epoll: several objects */
  TB_CAPTURE_SLEEP_EVENT = 5, /* an eventfd */
  TB_CAPTURE_SLEEP_TIMER = 6, /* a timerfd */
  TB_CAPTURE_SLEEP_LOCK = 7,  /* a futex of one process */
  TB_CAPTURE_SLEEP_SHARED_LOCK = 8, /* a futex in memory that processes share */
  TB_CAPTURE_SLEEP_FILE_LOCK = 9,   /* flock, fcntl; object: the path */
  TB_CAPTURE_SLEEP_SEMAPHORE = 10,  /* of System V; address: its id */
  TB_CAPTURE_SLEEP_QUEUE = 11,      /* of messages, System V or POSIX */
  TB_CAPTURE_SLEEP_CHILD = 12,      /* the end of a process */
  TB_CAPTURE_SLEEP_SIGNAL = 13,     /* a signal, also by signalfd */
  TB_CAPTURE_SLEEP_TIME = 14,       /* time, deliberately */
  TB_CAPTURE_SLEEP_TERMINAL = 15,   /* object: its path */
  TB_CAPTURE_SLEEP_DEVICE = 16,     /* another character device; object: its path */
  TB_CAPTURE_SLEEP_RING = 17,       /* io_uring */
  TB_CAPTURE_SLEEP_FAULT = 18,  /* a page fault; address: the one touched; object: the file mapped there */
  TB_CAPTURE_SLEEP_KERNEL = 19, /* a thread of the kernel */
  TB_CAPTURE_SLEEP_OTHER = 20,  /* a system call that fits none of these */
  TB_CAPTURE_N_SLEEPS,
} TbCaptureSleepKind;

#define TB_CAPTURE_TIMEOUT_NONE UINT64_MAX
#define TB_CAPTURE_TIMEOUT_UNKNOWN (UINT64_MAX - 1)
#define TB_CAPTURE_ANY_CALL (UINT32_MAX - 1)
#define TB_CAPTURE_NO_CALL                                                                                   \
  UINT32_MAX /* in place of a system call's number: none, it is a fault or the kernel's own */

typedef enum
{
  TB_CAPTURE_SCOPE_SYSTEM = 0,
  TB_CAPTURE_SCOPE_COMMAND = 1,
  TB_CAPTURE_SCOPE_PROCESS = 2,
} TbCaptureScope;

/* What a recording is made of; bits of TbCaptureStart.sources and numbers of STATUS records. */
typedef enum
{
  TB_CAPTURE_SOURCE_SCHEDULER = 0, /* switches, wakings */
  TB_CAPTURE_SOURCE_TASKS = 1,     /* fork, exec, exit, names, mappings */
  TB_CAPTURE_SOURCE_INTERRUPTS = 2,
  TB_CAPTURE_SOURCE_BLOCK = 3,
  TB_CAPTURE_SOURCE_NETWORK = 4,
  TB_CAPTURE_SOURCE_SYSCALLS = 5,
  TB_CAPTURE_SOURCE_SAMPLES = 6,
  TB_CAPTURE_SOURCE_PROBES = 7,
  TB_CAPTURE_SOURCE_MARKS = 8,     /* of programs; loaded when first wanted, as probes are */
  TB_CAPTURE_SOURCE_FUNCTIONS = 9, /* of the kernel: only told of in an answer to QUERY */
  TB_CAPTURE_SOURCE_LATENCY = 10,  /* what LATENCY_START asks for */
  TB_CAPTURE_N_SOURCES,
} TbCaptureSource;

#define TB_CAPTURE_SOURCE_NONE 0xffffu

typedef enum
{
  TB_CAPTURE_USER_STACKS = 1 << 0,          /* of switches, wakings, samples, block and network events */
  TB_CAPTURE_KERNEL_STACKS = 1 << 1,        /* of switches, samples and block events */
  TB_CAPTURE_WAKING_KERNEL_STACKS = 1 << 2, /* of wakings */
  TB_CAPTURE_SYSCALL_STACKS = 1 << 3,
  TB_CAPTURE_KERNEL_NAMES = 1 << 4,    /* the client may not see the kernel's symbols itself */
  TB_CAPTURE_REPAIRED_STACKS = 1 << 5, /* by probes at the entries of the C library's functions */
} TbCaptureStackFlags;

/* Payloads, in the order in which their members are written. Members named after a kind of definition are its ids. */
typedef struct
{
  uint32_t id; /* tail: the bytes */
} TbCaptureString;

typedef struct
{
  uint32_t id; /* tail: u64 addresses, innermost first, with the kernel's context markers */
} TbCaptureStack;

typedef struct
{
  uint32_t id;
  uint32_t path;
  int32_t pid;   /* one process that mapped it */
  uint16_t kind; /* tail: build-id bytes */
} TbCaptureModule;

typedef struct
{
  uint32_t id;
  uint32_t name;
  uint32_t major;
  uint32_t minor;
  uint16_t kind;
} TbCaptureDevice;

typedef struct
{
  uint64_t start;
  uint64_t size;
  uint64_t offset;
  int32_t pid;
  uint32_t module;
} TbCaptureMapping;

typedef struct
{
  int32_t tid;
  int32_t pid;
  int32_t parent;
  uint32_t name;
} TbCaptureTask;

typedef struct
{
  int32_t pid;
  uint32_t text;
} TbCaptureCommand;

typedef struct
{
  uint64_t address; /* of its first instruction */
  uint32_t name;
} TbCaptureSymbol;

/* With a module, a futex lies in the data of that file: offset is its distance from where the file's first page is mapped.
 * Without one, object names the mapping it lies in ("[heap]", "[stack]", a file's path; 0: memory without a name), and offset
 * is the place in that file, or in memory without a file the distance from the mapping's start. Shared futexes with the same
 * object and offset are the same lock, whatever their address: where the path does not tell files apart, because they have
 * none (memfd, System V, anonymous shared memory) or are deleted, the object ends in " [device:inode]". poll() and its like
 * of no file at all are SLEEP_TIME. Of a fault, offset is the place in the file that object names. */
typedef struct
{
  uint64_t address; /* of a futex or a fault, else the first argument of the call */
  uint64_t timeout; /* ns from when the thread left its cpu, or TB_CAPTURE_TIMEOUT_… */
  uint64_t offset;
  uint32_t id;
  uint32_t number; /* of the system call, or TB_CAPTURE_NO_CALL */
  uint32_t object; /* string */
  uint32_t module; /* 0 none */
  uint16_t kind;   /* TbCaptureSleepKind */
} TbCaptureSleep;

/* Of the agent's own network namespace; each comes once, in ascending order of the kernel's number. */
typedef struct
{
  uint64_t speed; /* of its link, bits a second each way; 0: it has none, or does not tell */
  uint32_t index; /* the kernel's number */
  uint32_t name;  /* string */
  uint32_t
      omitted; /* addresses beyond those of the tail: of TB_CAPTURE_ADDRESS_SIZE bytes each in the network's
                     * order, those of IPv4 as ::ffff:a.b.c.d */
} TbCaptureInterface;

typedef struct
{
  int32_t tid; /* prev */
  int32_t pid;
  int32_t next; /* tid, -1 unknown */
  uint32_t stack;
  uint16_t state; /* the kernel's letter, '+' preempted, '?' blocked in a state that is not known */
  uint32_t sleep; /* what prev sleeps in; 0 not known, or it does not sleep */
} TbCaptureSwitch;

typedef struct
{
  int32_t tid; /* that ran on the cpu */
  int32_t pid;
  int32_t wakee;
  uint32_t stack;
} TbCaptureWakeup;

typedef struct
{
  int32_t tid; /* creator */
  int32_t pid;
  int32_t new_tid;
  int32_t new_pid;
} TbCaptureFork;

typedef struct
{
  int32_t tid;
  int32_t pid;
} TbCaptureExit;

typedef struct
{
  int32_t tid;
  int32_t pid;
  uint32_t name;
} TbCaptureName;

typedef struct
{
  int32_t tid;
  int32_t pid;
  uint32_t program;
} TbCaptureExec;

typedef struct
{
  uint64_t weight; /* ns for clocks, else counts */
  int32_t tid;
  int32_t pid;
  uint32_t stack;
} TbCaptureSample;

typedef struct
{
  uint32_t irq;
  uint32_t name;   /* of ENTRY, and of EXIT with entered; else 0 */
  uint32_t device; /* likewise */
  uint16_t kind;
  uint64_t entered; /* EXIT: ns, no ENTRY was sent; 0: an ENTRY told, or nothing did */
} TbCaptureIrq;

typedef struct
{
  uint32_t vector;
  uint64_t entered; /* as of TbCaptureIrq */
} TbCaptureSoftirq;

typedef struct
{
  uint64_t sector; /* UINT64_MAX unknown */
  uint64_t bytes;
  int32_t tid; /* that ran */
  int32_t pid;
  uint32_t device;
  uint32_t operation; /* string: rwbs */
  uint32_t stack;
  uint32_t file; /* string: the path of what is read or written; 0 not known */
} TbCaptureIo;

/* An agent may leave out messages that wake nobody; of a connection the next one counts their bytes then. */
typedef struct
{
  uint64_t socket;
  uint64_t bytes;
  int32_t tid; /* that ran */
  int32_t pid;
  uint32_t protocol; /* strings */
  uint32_t local;
  uint32_t remote;
  uint32_t stack;
  uint16_t kind;
} TbCaptureNetwork;

typedef struct
{
  uint64_t args[6];
  int32_t tid;
  int32_t pid;
  uint32_t number;
  uint32_t stack;
  uint64_t
      entered; /* ns: told only when the thread left its cpu inside of the call; 0: at the record's time */
} TbCaptureSysEnter;

typedef struct
{
  uint64_t result;
  int32_t tid;
  int32_t pid;
  uint32_t number;
} TbCaptureSysExit;

typedef struct
{
  uint64_t entered; /* ns, until the record's time */
  uint64_t args[6];
  uint64_t result;
  int32_t tid;
  int32_t pid;
  uint32_t number;
  uint32_t stack;
} TbCaptureSysCall;

typedef struct
{
  uint64_t site; /* return address in the caller; 0 of an instruction, or not known */
  int32_t tid;
  int32_t pid;
  uint32_t probe;   /* id of the PROBE_ADD record */
  uint32_t stack;   /* of CALL, and of RETURN with entered */
  uint64_t entered; /* RETURN with a filter: ns, no CALL was sent; 0: a CALL told */
} TbCaptureCall;

#define TB_CAPTURE_MARK_ARGS 3
#define TB_CAPTURE_MARK_TEXT 63 /* bytes of one at most */

typedef struct
{
  uint64_t args[TB_CAPTURE_MARK_ARGS]; /* 0 where it could not be read */
  int32_t tid;
  int32_t pid;
  uint32_t probe; /* id of the MARK_ADD record */
  uint32_t text;  /* string: what the argument that is text points to */
  uint32_t stack;
} TbCaptureMark;

/* Why dumps were not possible: the flags of a DUMP record without registers. */
typedef enum
{
  TB_CAPTURE_DUMP_NO_ROOM = 0,
  TB_CAPTURE_DUMP_UNREADABLE = 1, /* the memory of the stack */
  TB_CAPTURE_DUMP_FOREIGN = 2,    /* a program of another kind, as of 32 bits */
  TB_CAPTURE_N_DUMP_REASONS,
} TbCaptureDumpReason;

/* Registers are numbered as in the kernel's perf_regs.h of the machine. Without any, a dump was not possible. */
typedef struct
{
  uint64_t
      registers; /* which are there; tail: u64 their values, ascending, then the stack from its pointer, and what is
                       * skipped, upwards */
  int32_t tid;
  int32_t pid;
  uint32_t
      undone; /* dumps that were not possible: of this thread, or with tid -1 of any since the beginning */
  uint32_t skipped; /* bytes at the stack pointer that could not be read: pages that nobody has touched yet */
} TbCaptureDump;

typedef struct
{
  uint64_t from; /* up to the record's time, on its cpu */
  uint64_t count;
} TbCaptureLost;

typedef struct
{
  uint64_t cookie;
  uint64_t received; /* monotonic ns */
  uint64_t realtime;
  uint64_t boottime;
} TbCapturePong;

typedef struct
{
  uint64_t events;
  uint64_t lost;
  uint64_t bytes; /* of the stream so far */
} TbCaptureStatistics;

typedef struct
{
  uint16_t stacks; /* TbCaptureStackFlags that are meant to be used */
} TbCaptureQuery;

typedef struct
{
  uint16_t scope;
  uint16_t stacks; /* TbCaptureStackFlags */
  int32_t pid;
  uint32_t sources;    /* bit mask of TbCaptureSource */
  uint32_t ring_bytes; /* of each cpu, 0: the agent's choice */
  uint32_t frequency;  /* samples a second and cpu */
  uint32_t facility;   /* TbCaptureFacility that is wanted, 0: the best one */
  uint64_t cgroup;     /* id (its directory's inode) of the control group that is recorded, 0: all */
  /* Flight recorder: nothing is handed over before SNAPSHOT or STOP, then the last so many ns, and at most so many bytes
   * (0: the agent's choice). Both 0: no flight recorder. */
  uint64_t keep_ns;
  uint64_t keep_bytes;
  uint64_t save_longer; /* it hands over by itself when a call took so many ns, 0 never */
  uint32_t
      save_call; /* that system call's number, TB_CAPTURE_ANY_CALL, or TB_CAPTURE_NO_CALL: a probed function */
  uint32_t thin_interval; /* µs: at most one stack of a system call in so long, of each thread; 0 all */
  uint64_t
      thin_longer; /* ns: system calls that took less are left out, others are SYS_CALL records; 0 none */
  uint32_t
      dump_bytes; /* of the user stack of chosen threads when they leave a cpu, at samples and at system calls that are told with
                     their stacks; 0: no dumps */
} TbCaptureStart;

typedef struct
{
  uint32_t unused; /* tail: the name, of TB_CAPTURE_MAX_DUMP_NAME bytes at most */
} TbCaptureDumpThread;

typedef struct
{
  uint64_t cookie;
} TbCapturePing;

typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset; /* in the file */
  uint64_t filter; /* shortest duration in ns that is sent, 0: all */
  uint32_t id;
  int32_t pid;
  uint16_t kind; /* TbCaptureProbeKind, and TB_CAPTURE_PROBE_ALL; tail: build-id bytes */
} TbCaptureProbeAdd;

/* In every process that is recorded, also those that begin or map the file later; pid only has the file mapped executable there,
 * and need not be one of them: the client's own will do. */
#define TB_CAPTURE_PROBE_ALL (1u << 8)

typedef enum
{
  TB_CAPTURE_PROBE_ENTRY = 0,       /* of a function: CALL */
  TB_CAPTURE_PROBE_RETURN = 1,      /* its entry and its return: CALL and RETURN; with a filter RETURN only */
  TB_CAPTURE_PROBE_INSTRUCTION = 2, /* any instruction: CALL */
} TbCaptureProbeKind;

/* Where an argument is when the instruction is reached, a closed list of ways. Registers have the numbers of the machine's
 * DWARF. */
typedef enum
{
  TB_CAPTURE_OPERAND_NONE = 0,
  TB_CAPTURE_OPERAND_CONSTANT = 1, /* value */
  TB_CAPTURE_OPERAND_REGISTER = 2, /* base */
  TB_CAPTURE_OPERAND_MEMORY = 3,   /* at base + index << shift + value */
} TbCaptureOperandKind;

#define TB_CAPTURE_REGISTER_IP 64u
#define TB_CAPTURE_REGISTER_NONE 255u
/* size: 0 to 3 for 1, 2, 4, 8 bytes */
#define TB_CAPTURE_OPERAND(kind, size, is_signed, shift, base, index)                                        \
  ((uint32_t) (kind) | (uint32_t) (size) << 2 | (uint32_t) (is_signed) << 4 | (uint32_t) (shift) << 5        \
   | (uint32_t) (base) << 8 | (uint32_t) (index) << 16)
#define TB_CAPTURE_OPERAND_GET_KIND(code) ((code) & 3u)
#define TB_CAPTURE_OPERAND_GET_SIZE(code) ((code) >> 2 & 3u)
#define TB_CAPTURE_OPERAND_IS_SIGNED(code) ((code) >> 4 & 1u)
#define TB_CAPTURE_OPERAND_GET_SHIFT(code) ((code) >> 5 & 3u)
#define TB_CAPTURE_OPERAND_GET_BASE(code) ((code) >> 8 & 255u)
#define TB_CAPTURE_OPERAND_GET_INDEX(code) ((code) >> 16 & 255u)

typedef enum
{
  TB_CAPTURE_MARK_WITH_STACK = 1, /* MARK has one, where START asks for user stacks */
  TB_CAPTURE_MARK_AT_RETURN
  = 2, /* offset is that of a function: MARK comes when it returns; its registers are the caller's */
  TB_CAPTURE_MARK_PAIRED
  = 4, /* two at one function, at its entry and its return, with the same number as argument TB_CAPTURE_MARK_PAIR, which is a
        * constant: the arguments at the return are those that the call had at its entry, all 0 if that was not seen */
  TB_CAPTURE_MARK_AT_ENTRY = 8,   /* offset is that of a function: its caller is in the stack */
  TB_CAPTURE_MARK_WITH_NEXT = 16, /* goes in with the next one of the same file: sooner than one by one */
  TB_CAPTURE_MARK_OF_MEMORY
  = 32, /* offset is that of a function that allocates or frees: values[0] is a TbCaptureMemoryKind, values[1] the number of the
         * argument that is the size, nothing else counts. MARK comes when a thread sleeps for a word in what was allocated:
         * with that, where the memory begins, and how many ns ago it was allocated; the stack is that of then. Once such memory
         * is freed, it comes with where that begins. */
} TbCaptureMarkFlags;

typedef enum
{
  TB_CAPTURE_MEMORY_ALLOCATES = 1,       /* and returns where */
  TB_CAPTURE_MEMORY_ALLOCATES_ARRAY = 2, /* likewise, of so many: the argument before */
  TB_CAPTURE_MEMORY_ALLOCATES_THERE
  = 3, /* and puts where into what the first argument points to, or does not return 0 */
  TB_CAPTURE_MEMORY_RESIZES = 4,         /* what the first argument is, and returns where it is now */
  TB_CAPTURE_MEMORY_FREES = 5,           /* what the first argument is */
  TB_CAPTURE_MEMORY_CALLS_ALLOCATOR = 6, /* for whoever calls it */
  TB_CAPTURE_N_MEMORY_KINDS,
} TbCaptureMemoryKind;

#define TB_CAPTURE_MARK_PAIR 2

/* In every process that maps the file, now or later, where the agent may see them all; else in this one. */
typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset;    /* in the file */
  uint64_t semaphore; /* of a u16 in the file that is counted up as long as the mark is looked for, 0 none */
  uint64_t values[TB_CAPTURE_MARK_ARGS];
  uint32_t operands[TB_CAPTURE_MARK_ARGS]; /* TB_CAPTURE_OPERAND */
  uint32_t id;
  int32_t pid;    /* one process that has mapped it */
  uint16_t text;  /* 1 + the argument that points to text, 0 none */
  uint16_t stack; /* TbCaptureMarkFlags */
                  /* tail: build-id bytes */
} TbCaptureMarkAdd;

typedef struct
{
  uint32_t id;
} TbCaptureProbeRemove;

/* One record of either stream in the machine's own byte order. */
typedef struct
{
  uint64_t time;
  uint16_t type;
  uint16_t cpu; /* TB_CAPTURE_CPU_NONE where it makes no sense */
  uint16_t flags;
  uint32_t tail_length; /* bytes of what follows the fixed members */
  const uint8_t *tail;  /* after decoding: valid until the next call; 8-byte aligned for STACK */
  union
  {
    TbCaptureString string;
    TbCaptureStack stack;
    TbCaptureModule module;
    TbCaptureDevice device;
    TbCaptureMapping mapping;
    TbCaptureTask task;
    TbCaptureCommand command;
    TbCaptureSymbol symbol;
    TbCaptureSleep sleep;
    TbCaptureInterface interface;
    TbCaptureSwitch sched_switch;
    TbCaptureWakeup wakeup;
    TbCaptureFork fork;
    TbCaptureExit exit;
    TbCaptureName name;
    TbCaptureExec exec;
    TbCaptureSample sample;
    TbCaptureIrq irq;
    TbCaptureSoftirq softirq;
    TbCaptureIo io;
    TbCaptureNetwork network;
    TbCaptureSysEnter sys_enter;
    TbCaptureSysExit sys_exit;
    TbCaptureSysCall sys_call;
    TbCaptureCall call;
    TbCaptureMark mark;
    TbCaptureDump dump;
    TbCaptureLost lost;
    TbCaptureStatus status;
    TbCapturePong pong;
    TbCaptureStatistics statistics;
    TbCaptureCost cost;
    TbCaptureQuery query;
    TbCaptureStart start;
    TbCaptureDumpThread dump_thread;
    TbCapturePing ping;
    TbCaptureProbeAdd probe_add;
    TbCaptureProbeRemove probe_remove;
    TbCaptureMarkAdd mark_add;
    TbCaptureLatencyStart latency_start;
    TbCaptureLatencyClients latency_clients;
    TbCaptureLatencySlow latency_slow;
    TbCaptureLatencyProbe latency_probe;
    TbCaptureLatencyGroup latency_group;
    TbCaptureLatencyNode latency_node;
    TbCaptureLatencyPeak latency_peak;
    TbCaptureLatencyBins latency_bins;
    TbCaptureLatencyCounter latency_counter;
    TbCaptureLatencyCallee latency_callee;
    TbCaptureLatencySource latency_source;
    TbCaptureLatencyState latency_state;
    TbCaptureLatencyCost latency_cost;
    TbCaptureLatencyCode latency_code;
    TbCaptureLatencyPlace latency_place;
    TbCaptureLatencyRead latency_read;
  };
} TbCaptureRecord;

/* What the header of a capture stream says. */
typedef struct
{
  uint32_t facility;
  TbCaptureMessage message; /* why */
} TbCaptureRefusal;

#define TB_CAPTURE_MAX_REFUSALS 4u

typedef struct
{
  char host[256];
  char kernel[256];
  char machine[72];
  char boot_id[64];
  char agent[64];
  uint32_t n_cpus;
  uint32_t facility;
  uint64_t monotonic;
  uint64_t realtime;
  uint64_t boottime;
  uint32_t n_refusals;
  TbCaptureRefusal refusals[TB_CAPTURE_MAX_REFUSALS];
} TbCaptureHeader;
