/* tb-capture-format.h: format of the streams between tailback-agent and its client: limits, header,
 * types of records and the contents of each
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tb-capture-cost.h"
#include "tb-capture-latency.h"
#include "tb-capture-requests.h"
#include "tb-capture-status.h"

/* Both streams are little-endian and consist of a header and records, each a multiple of 8 bytes
 * long.
 *
 *   header  { char magic[8]; u32 version; u32 length of the fields },
 *           then fields { u16 key; u16 length; u32 0 } + payload
 *   record  { u64 time; u16 type; u16 length; u16 cpu; u16 flags } + payload
 *
 * A length is that of the payload without padding; the payload is padded with zeroes to the next
 * multiple of 8. A payload may be longer than the reader expects (later versions append members),
 * but never shorter than in the first version. Missing members are read as 0, so 0 always means
 * none or not known. Unknown keys and types are skipped and counted. Strings, stacks, modules,
 * devices and sleeps are sent once, with ids that count up from 1; 0 means none. Times are ns of
 * CLOCK_MONOTONIC of the agent's host. Records of one CPU are nearly in order, those of different
 * CPUs are not; after a FLUSH, only definitions may have an earlier time than the FLUSH. A stream
 * may end anywhere; END marks a deliberate end. */

#define TB_CAPTURE_MAGIC "TBCAPTUR"
#define TB_CAPTURE_CONTROL_MAGIC "TBCONTRL"
#define TB_CAPTURE_VERSION 2u

#define TB_CAPTURE_HEADER_SIZE 16u
#define TB_CAPTURE_FIELD_SIZE 8u
#define TB_CAPTURE_RECORD_SIZE 16u
#define TB_CAPTURE_MAX_HEADER 65536u
#define TB_CAPTURE_MAX_PAYLOAD 65528u
#define TB_CAPTURE_MAX_CHAIN 1024u /* addresses and context markers in a stack */
#define TB_CAPTURE_MAX_CPUS 8192u
#define TB_CAPTURE_CPU_NONE 0xffffu
/* Limits of what a client must store: a stream with more definitions is damaged. */
#define TB_CAPTURE_MAX_STRING_BYTES (256u << 20)
#define TB_CAPTURE_MAX_STACK_WORDS (16u << 20) /* between two RESETs */
#define TB_CAPTURE_MAX_IDS (1u << 24)          /* of each kind */
/* Limits of network interfaces, of the addresses of one, and of the link speed in bits per
 * second. */
#define TB_CAPTURE_MAX_INTERFACES 4096u
#define TB_CAPTURE_MAX_ADDRESSES 256u
#define TB_CAPTURE_ADDRESS_SIZE 16u
#define TB_CAPTURE_MAX_SPEED (UINT64_C (1000000) * INT32_MAX)
/* Only this number of recent sleeps may be referred to: different timeouts make ever new ones. */
#define TB_CAPTURE_SLEEP_WINDOW 16384u
/* Size of a dumped user stack; a dump with its registers and header must fit into one record. */
#define TB_CAPTURE_MAX_DUMP (63u << 10)
#define TB_CAPTURE_MAX_DUMP_THREADS 8u
#define TB_CAPTURE_MAX_DUMP_NAME 15u /* the kernel stores no more of a name */

typedef enum
{
  TB_CAPTURE_KEY_HOST = 1,    /* text: host name */
  TB_CAPTURE_KEY_KERNEL = 2,  /* text: release */
  TB_CAPTURE_KEY_MACHINE = 3, /* text: output of uname -m */
  TB_CAPTURE_KEY_BOOT_ID = 4, /* text */
  TB_CAPTURE_KEY_N_CPUS = 5,  /* u32: CPU numbers are below this */
  TB_CAPTURE_KEY_CLOCKS = 6,  /* u64 monotonic, realtime and boottime, all of the same instant */
  TB_CAPTURE_KEY_AGENT = 7,   /* text: version of the agent */
  TB_CAPTURE_KEY_BACKEND = 8, /* u32 TbCaptureBackend: the selected backend */
  /* u32 TbCaptureBackend, u32 code, u32 errno, arguments; one field per refused backend */
  TB_CAPTURE_KEY_REFUSED = 9,
} TbCaptureKey;

typedef enum
{
  TB_CAPTURE_BACKEND_BPF = 1,
  TB_CAPTURE_BACKEND_PERF = 2,
  TB_CAPTURE_BACKEND_OWN = 3, /* own processes only, without privilege */
} TbCaptureBackend;

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
  TB_CAPTURE_RESET = 8,   /* earlier stack ids are invalid from now on */
  /* a kernel function in the stacks; sent before END if START requests it */
  TB_CAPTURE_SYMBOL = 9,
  TB_CAPTURE_SLEEP = 10,     /* what a thread waits for */
  TB_CAPTURE_INTERFACE = 11, /* a network interface at the start of the recording */

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
  TB_CAPTURE_CALL = 34,     /* entry of a probed function, or a probed instruction */
  TB_CAPTURE_RETURN = 35,   /* return of a probed function */
  TB_CAPTURE_SYS_CALL = 36, /* a whole system call, sent at its end; it has no SYS_ENTER */
  TB_CAPTURE_MARK = 37,     /* an instruction of MARK_ADD was reached */
  /* the user stack at the next SWITCH or SAMPLE, which has the same CPU, time and thread */
  TB_CAPTURE_DUMP = 38,
  /* a request for a lock of a file (flock, fcntl), or its release */
  TB_CAPTURE_FILE_LOCK = 39,

  /* State of the recording */
  TB_CAPTURE_FLUSH = 48,
  TB_CAPTURE_STATUS = 49,
  TB_CAPTURE_PONG = 50,
  TB_CAPTURE_STATISTICS = 51,
  TB_CAPTURE_END = 52,
  /* a flight recorder has dropped what is earlier than this record's time; this is no loss */
  TB_CAPTURE_DISCARDED = 53,
  TB_CAPTURE_COST = 54, /* answer to QUERY: cost of recording on this machine */

  /* Results of LATENCY_START; a group of results ends with STATE */
  TB_CAPTURE_LATENCY_BINS = 55,
  TB_CAPTURE_LATENCY_COUNTER = 56,
  TB_CAPTURE_LATENCY_CALLEE = 57, /* the first call of a callee by a node */
  /* an interrupt source, sent when it first occurs and now and then */
  TB_CAPTURE_LATENCY_SOURCE = 58,
  TB_CAPTURE_LATENCY_STATE = 59,
  TB_CAPTURE_LATENCY_COST = 60,    /* cost of the probes, measured in a calibration */
  TB_CAPTURE_LATENCY_CODE = 61,    /* a kernel function: address, name and code */
  TB_CAPTURE_LATENCY_ADDRESS = 62, /* an instruction address in a node's own time */
  /* a single slow call of the peak, which replaces the one sent for the same slot */
  TB_CAPTURE_LATENCY_SLOW = 63,

  /* Control stream: the complete list */
  TB_CAPTURE_START = 128,
  TB_CAPTURE_STOP = 129,
  TB_CAPTURE_SNAPSHOT = 130, /* send the buffered records now; a flight recorder ends after it */
  TB_CAPTURE_PING = 131,
  TB_CAPTURE_PROBE_ADD = 132,
  TB_CAPTURE_PROBE_REMOVE = 133,
  TB_CAPTURE_QUERY = 134, /* requests a STATUS record of every source, and COST */
  /* an instruction at which a program emits a mark; PROBE_REMOVE removes it */
  TB_CAPTURE_MARK_ADD = 135,
  /* sent before START: threads or processes of this name are dumped; without any, all are */
  TB_CAPTURE_DUMP_THREAD = 136,
  /* the latencies of one function, f0, are measured from now on */
  TB_CAPTURE_LATENCY_START = 137,
  /* one probe of a group; it has no effect before LATENCY_ATTACH */
  TB_CAPTURE_LATENCY_PROBE = 138,
  /* the probes of a group replace the earlier ones of the group at once */
  TB_CAPTURE_LATENCY_ATTACH = 139,
  TB_CAPTURE_LATENCY_DETACH = 140, /* all probes of a group are removed */
  TB_CAPTURE_LATENCY_NODE = 141,   /* a node of the call tree is added or changed */
  TB_CAPTURE_LATENCY_PEAK = 142,   /* the bins with the calls to be examined */
  /* requests CODE of a kernel function; there is no answer if there is none */
  TB_CAPTURE_LATENCY_READ = 143,
  TB_CAPTURE_LATENCY_CLIENTS = 144, /* only calls of f0 that serve certain clients count */
} TbCaptureType;

#define TB_CAPTURE_N_TYPES 145u

/* Flags of events: the context in which they happened, according to the kernel. */
typedef enum
{
  TB_CAPTURE_IN_HARDIRQ = 1 << 0,
  TB_CAPTURE_IN_SOFTIRQ = 1 << 1,
  TB_CAPTURE_WAKEUP_NEW = 1 << 2,  /* WAKEUP: first wake-up of a new thread */
  TB_CAPTURE_WAKEUP_LATE = 1 << 3, /* WAKEUP: from sched_wakeup, perhaps not on the waker's CPU */
} TbCaptureFlags;

typedef enum
{
  TB_CAPTURE_MODULE_FILE = 0,
  TB_CAPTURE_MODULE_ANONYMOUS = 1, /* executable memory of one process without a file */
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

/* What a thread waits for. The object's name and place depend on the kind. */
typedef enum
{
  TB_CAPTURE_SLEEP_UNKNOWN = 0,
  TB_CAPTURE_SLEEP_FILE = 1, /* reading, writing or syncing a file or directory; object: its path */
  TB_CAPTURE_SLEEP_PIPE = 2, /* object: path of a FIFO, else "pipe:[inode]" */
  /* object: the peer as host:port, a Unix socket's path, else "socket:[inode]" */
  TB_CAPTURE_SLEEP_SOCKET = 3,
  TB_CAPTURE_SLEEP_POLL = 4,        /* poll, select, epoll: several objects */
  TB_CAPTURE_SLEEP_EVENT = 5,       /* an eventfd */
  TB_CAPTURE_SLEEP_TIMER = 6,       /* a timerfd */
  TB_CAPTURE_SLEEP_LOCK = 7,        /* a futex of one process */
  TB_CAPTURE_SLEEP_SHARED_LOCK = 8, /* a futex in memory that processes share */
  TB_CAPTURE_SLEEP_FILE_LOCK = 9,   /* flock, fcntl; object: the path */
  TB_CAPTURE_SLEEP_SEMAPHORE = 10,  /* a System V semaphore; address: its id */
  TB_CAPTURE_SLEEP_QUEUE = 11,      /* a message queue, System V or POSIX */
  TB_CAPTURE_SLEEP_CHILD = 12,      /* the exit of a child process */
  TB_CAPTURE_SLEEP_SIGNAL = 13,     /* a signal, also through signalfd */
  TB_CAPTURE_SLEEP_TIME = 14,       /* a deliberate sleep */
  TB_CAPTURE_SLEEP_TERMINAL = 15,   /* object: its path */
  TB_CAPTURE_SLEEP_DEVICE = 16,     /* another character device; object: its path */
  TB_CAPTURE_SLEEP_RING = 17,       /* io_uring */
  /* a page fault; address: the accessed one; object: the file mapped there */
  TB_CAPTURE_SLEEP_FAULT = 18,
  TB_CAPTURE_SLEEP_KERNEL = 19, /* a kernel thread */
  TB_CAPTURE_SLEEP_OTHER = 20,  /* a system call that fits none of these */
  TB_CAPTURE_N_SLEEPS,
} TbCaptureSleepKind;

typedef enum
{
  TB_CAPTURE_LOCK_FLOCK = 0,
  TB_CAPTURE_LOCK_FCNTL = 1,
  TB_CAPTURE_N_LOCK_CALLS,
} TbCaptureLockCall;

typedef enum
{
  TB_CAPTURE_LOCK_SHARED = 0,
  TB_CAPTURE_LOCK_EXCLUSIVE = 1,
  TB_CAPTURE_LOCK_RELEASE = 2,
  TB_CAPTURE_N_LOCK_MODES,
} TbCaptureLockMode;

typedef enum
{
  TB_CAPTURE_LOCK_DONE = 0,
  TB_CAPTURE_LOCK_REFUSED = 1, /* EAGAIN: another one has the lock */
  TB_CAPTURE_LOCK_WAITS = 2,   /* the thread sleeps until the lock is free */
  TB_CAPTURE_LOCK_FAILED = 3,  /* with another error */
  TB_CAPTURE_N_LOCK_RESULTS,
} TbCaptureLockResult;

#define TB_CAPTURE_TIMEOUT_NONE UINT64_MAX
#define TB_CAPTURE_TIMEOUT_UNKNOWN (UINT64_MAX - 1)
#define TB_CAPTURE_ANY_CALL (UINT32_MAX - 1)
#define TB_CAPTURE_NO_CALL                                                                         \
  UINT32_MAX /* in place of a system call number: there is none, but a fault or a kernel thread */

typedef enum
{
  TB_CAPTURE_SCOPE_SYSTEM = 0,
  TB_CAPTURE_SCOPE_COMMAND = 1,
  TB_CAPTURE_SCOPE_PROCESS = 2,
} TbCaptureScope;

/* Kinds of recorded data; bits of TbCaptureStart.sources and numbers in STATUS records. */
typedef enum
{
  TB_CAPTURE_SOURCE_SCHEDULER = 0, /* switches, wake-ups */
  TB_CAPTURE_SOURCE_TASKS = 1,     /* fork, exec, exit, names, mappings */
  TB_CAPTURE_SOURCE_INTERRUPTS = 2,
  TB_CAPTURE_SOURCE_BLOCK = 3,
  TB_CAPTURE_SOURCE_NETWORK = 4,
  TB_CAPTURE_SOURCE_SYSCALLS = 5,
  TB_CAPTURE_SOURCE_SAMPLES = 6,
  TB_CAPTURE_SOURCE_PROBES = 7,
  TB_CAPTURE_SOURCE_MARKS = 8,     /* marks of programs; loaded at first use, like probes */
  TB_CAPTURE_SOURCE_FUNCTIONS = 9, /* kernel functions: reported only in the answer to QUERY */
  TB_CAPTURE_SOURCE_LATENCY = 10,  /* latencies requested with LATENCY_START */
  TB_CAPTURE_N_SOURCES,
} TbCaptureSource;

#define TB_CAPTURE_SOURCE_NONE 0xffffu

typedef enum
{
  /* of switches, wake-ups, samples, block and network events */
  TB_CAPTURE_USER_STACKS = 1 << 0,
  TB_CAPTURE_KERNEL_STACKS = 1 << 1,        /* of switches, samples and block events */
  TB_CAPTURE_WAKING_KERNEL_STACKS = 1 << 2, /* of wake-ups */
  TB_CAPTURE_SYSCALL_STACKS = 1 << 3,
  /* because the client cannot read the kernel's symbols itself */
  TB_CAPTURE_KERNEL_NAMES = 1 << 4,
  /* repaired by probes at the entries of functions of the C library */
  TB_CAPTURE_REPAIRED_STACKS = 1 << 5,
} TbCaptureStackFlags;

/* Payloads. The members are written in the order of their declaration. A member named after a kind
 * of definition is an id of that kind. */
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
  int32_t pid;   /* a process that mapped it */
  uint16_t kind; /* tail: build ID bytes */
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
  uint64_t address; /* address of its first instruction */
  uint32_t name;
} TbCaptureSymbol;

/* If there is a module, a futex is a variable of that file, and offset is its distance from where
 * the file's first page is mapped. Otherwise object is the name of the mapping that contains it
 * ("[heap]", "[stack]", a file's path; 0: memory without a name), and offset is the offset in that
 * file, or for memory without a file the distance from the start of the mapping. Shared futexes
 * with the same object and offset are the same lock, at any address. If the path does not identify
 * the file (memfd, System V, anonymous shared memory, deleted files), object has the suffix
 * " [device:inode]". A poll() or the like without any file is SLEEP_TIME. For a fault, offset is
 * the offset in the file that object names. */
typedef struct
{
  uint64_t address; /* of a futex or fault; number of a polled set; else the first argument */
  uint64_t timeout; /* ns from when the thread left its CPU, or TB_CAPTURE_TIMEOUT_… */
  uint64_t offset;
  uint32_t id;
  uint32_t number; /* number of the system call, or TB_CAPTURE_NO_CALL */
  uint32_t object; /* string */
  uint32_t module; /* 0 if none */
  uint16_t kind;   /* TbCaptureSleepKind */
  /* 1 + the second argument of futex(), fcntl() or flock(), which is the operation; 0: unknown */
  uint32_t operation;
} TbCaptureSleep;

/* An interface of the agent's own network namespace. Each is sent once, sorted by the kernel's
 * index. */
typedef struct
{
  /* link speed in bits per second and direction; 0 if it has none or reports none */
  uint64_t speed;
  uint32_t index; /* the kernel's interface index */
  uint32_t name;  /* string */
  /* number of addresses that are not in the tail. Those in the tail have TB_CAPTURE_ADDRESS_SIZE
   * bytes each in network byte order; IPv4 addresses have the form ::ffff:a.b.c.d */
  uint32_t n_omitted;
} TbCaptureInterface;

typedef struct
{
  int32_t tid; /* prev */
  int32_t pid;
  int32_t next; /* tid, -1 if unknown */
  uint32_t stack;
  uint16_t state; /* the kernel's letter, '+' if preempted, '?' if blocked in an unknown state */
  uint32_t sleep; /* what prev waits for; 0 if unknown, or if it does not wait */
} TbCaptureSwitch;

typedef struct
{
  int32_t tid; /* thread that ran on the CPU */
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
  uint64_t weight; /* ns for clocks, else a count */
  int32_t tid;
  int32_t pid;
  uint32_t stack;
} TbCaptureSample;

typedef struct
{
  uint32_t irq;
  uint32_t name;   /* set in ENTRY, and in EXIT with entered; else 0 */
  uint32_t device; /* likewise */
  uint16_t kind;
  /* EXIT: ns of the entry if no ENTRY was sent; 0: an ENTRY was sent, or the entry is unknown */
  uint64_t entered;
} TbCaptureIrq;

typedef struct
{
  uint32_t vector;
  uint64_t entered; /* as in TbCaptureIrq */
} TbCaptureSoftirq;

typedef struct
{
  uint64_t sector; /* UINT64_MAX if unknown */
  uint64_t bytes;
  int32_t tid; /* thread that ran */
  int32_t pid;
  uint32_t device;
  uint32_t operation; /* string: rwbs */
  uint32_t stack;
  uint32_t file; /* string: path of the file that is read or written; 0 if unknown */
} TbCaptureIo;

/* An agent may omit messages that wake no thread; the next message of the connection includes their
 * bytes. */
typedef struct
{
  uint64_t socket;
  uint64_t bytes;
  int32_t tid; /* thread that ran */
  int32_t pid;
  uint32_t protocol; /* this and the next two are strings */
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
  /* ns; set only if the record was sent when the thread left its CPU inside the call; 0: the
   * record's time */
  uint64_t entered;
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
  uint64_t entered; /* ns of the entry; the call ended at the record's time */
  uint64_t args[6];
  uint64_t result;
  int32_t tid;
  int32_t pid;
  uint32_t number;
  uint32_t stack;
} TbCaptureSysCall;

typedef struct
{
  uint64_t site; /* return address in the caller; 0 if unknown, or if an instruction is probed */
  int32_t tid;
  int32_t pid;
  uint32_t probe; /* id of the PROBE_ADD record */
  uint32_t stack; /* set in CALL, and in RETURN with entered */
  /* RETURN with a filter: ns of the entry, as no CALL was sent; 0: a CALL was sent */
  uint64_t entered;
} TbCaptureCall;

/* The lock is of the bytes from…to of the file. */
typedef struct
{
  uint64_t owner; /* any number that is equal for equal owners: a process, or an open file */
  uint64_t from;
  uint64_t to;
  int32_t tid;
  int32_t pid;
  uint32_t file;   /* string: path */
  uint16_t call;   /* TbCaptureLockCall */
  uint16_t mode;   /* TbCaptureLockMode */
  uint16_t result; /* TbCaptureLockResult */
} TbCaptureFileLock;

#define TB_CAPTURE_MARK_TEXT 63 /* maximum length of a text in bytes */

typedef struct
{
  uint64_t args[TB_CAPTURE_MARK_ARGS]; /* 0 if it could not be read */
  int32_t tid;
  int32_t pid;
  uint32_t probe; /* id of the MARK_ADD record */
  uint32_t text;  /* string: the text that the text argument points to */
  uint32_t stack;
} TbCaptureMark;

/* Why dumps were impossible: the flags of a DUMP record without registers. */
typedef enum
{
  TB_CAPTURE_DUMP_NO_ROOM = 0,
  TB_CAPTURE_DUMP_UNREADABLE = 1, /* the memory of the stack cannot be read */
  TB_CAPTURE_DUMP_FOREIGN = 2,    /* the program has another ABI, such as 32 bits */
  TB_CAPTURE_N_DUMP_REASONS,
} TbCaptureDumpReason;

/* Registers are numbered as in the kernel's perf_regs.h of the machine. Without registers, a dump
 * was impossible. */
typedef struct
{
  /* bit mask of the registers; tail: u64 values of the registers, ascending, then the stack upwards
   * from the stack pointer plus skipped */
  uint64_t registers;
  int32_t tid;
  int32_t pid;
  /* number of impossible dumps: of this thread, or with tid -1 of any thread since the beginning */
  uint32_t n_failed;
  /* bytes at the stack pointer that could not be read: pages that were never accessed */
  uint32_t skipped;
} TbCaptureDump;

typedef struct
{
  uint64_t from; /* start of the range, which ends at the record's time, on its CPU */
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

/* A record of either stream in the machine's byte order. */
typedef struct
{
  uint64_t time;
  uint16_t type;
  uint16_t cpu; /* TB_CAPTURE_CPU_NONE if the record has no CPU */
  uint16_t flags;
  uint32_t tail_length; /* bytes after the fixed members */
  /* after decoding: valid until the next call; aligned to 8 bytes for STACK */
  const uint8_t *tail;
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
    TbCaptureFileLock file_lock;
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
    TbCaptureLatencyAddress latency_address;
    TbCaptureLatencyRead latency_read;
  };
} TbCaptureRecord;

/* The header of a capture stream. */
typedef struct
{
  uint32_t backend;
  TbCaptureMessage message; /* the reason */
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
  uint32_t backend;
  uint64_t monotonic;
  uint64_t realtime;
  uint64_t boottime;
  uint32_t n_refusals;
  TbCaptureRefusal refusals[TB_CAPTURE_MAX_REFUSALS];
} TbCaptureHeader;
