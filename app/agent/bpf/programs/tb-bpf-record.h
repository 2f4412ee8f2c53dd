/* tb-bpf-record.h: records of switches, wake-ups, threads, interrupts, stack dumps and losses in
 * the rings of BPF programs; state of a CPU and options, which the agent shares with them
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides. Every record in a ring begins with a TbBpfHeader. The kernel has written
 * it, so its members can be trusted, but the reader checks every length all the same. The layout
 * has no gaps.
 */

#pragma once

#ifndef __bpf__
#  include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
#endif

/* of either half of a stack; a larger number would exceed the default of
 * kernel.perf_event_max_stack */
#define TB_BPF_MAX_FRAMES 127u
#define TB_BPF_MAX_WORDS 256u /* both halves with their context markers */
#define TB_BPF_STACK_SLOTS 4096u
#define TB_BPF_NAME_SIZE 16u
#define TB_BPF_PATH_SIZE 256u
#define TB_BPF_MAX_PROBES 4096u
#define TB_BPF_DUMP_STEP 1024u /* the size of a dump is a multiple of it */
#define TB_BPF_MAX_DUMP (63u * TB_BPF_DUMP_STEP)
#define TB_BPF_MAX_DUMP_NAMES 8u
#define TB_BPF_MAX_HOLE                                                                            \
  (64u << 10) /* bytes skipped at most at the stack pointer, in pages that no thread has touched */

/* Registers that unwinding needs, numbered as in the kernel's perf_regs.h */
#if defined __x86_64__ || defined __TARGET_ARCH_x86
#  define TB_BPF_DUMP_REGISTERS 17u /* ax to ip, r8 to r15 */
#  define TB_BPF_DUMP_MASK 0xff01ffu
#elif defined __aarch64__ || defined __TARGET_ARCH_arm64
#  define TB_BPF_DUMP_REGISTERS 33u
#  define TB_BPF_DUMP_MASK 0x1ffffffffu
#else
#  define TB_BPF_DUMP_REGISTERS 0u
#  define TB_BPF_DUMP_MASK 0u
#endif

/* Context markers between the addresses of a stack, as in perf */
#define TB_BPF_CONTEXT_KERNEL ((u64) - 128)
#define TB_BPF_CONTEXT_USER ((u64) - 512)

typedef enum
{
  TB_BPF_LOST = 1,
  TB_BPF_SWITCH = 2,
  TB_BPF_WAKEUP = 3,
  TB_BPF_FORK = 4,
  TB_BPF_EXIT = 5,
  TB_BPF_NAME = 6,
  TB_BPF_EXEC = 7,
  TB_BPF_IRQ = 8, /* emitted at its end, with its beginning; so are the next */
  TB_BPF_TIMER = 9,
  TB_BPF_SOFTIRQ = 10,
  /* directly before the SWITCH, SAMPLE, SYS_ENTER or SYS_CALL that it belongs to */
  TB_BPF_DUMP = 48,
  TB_BPF_UNKNOWN_FILE = 49, /* in tb-bpf-unwind-table.h */
  TB_BPF_N_TYPES = 64,
} TbBpfType;

typedef enum
{
  TB_BPF_IN_HARDIRQ = 1 << 0,
  TB_BPF_IN_SOFTIRQ = 1 << 1,
  TB_BPF_IN_NMI = 1 << 2,
  TB_BPF_IS_TARGET = 1 << 3,       /* the thread of the header; always set if nothing is filtered */
  TB_BPF_OTHER_IS_TARGET = 1 << 4, /* the second thread of the record */
  TB_BPF_FIRST_WAKEUP = 1 << 5,    /* WAKEUP of a new thread */
  TB_BPF_PREEMPTED = 1 << 6,       /* SWITCH */
  TB_BPF_HAS_SLEEP = 1 << 8,       /* SWITCH: a TbBpfSleep follows, before the words of the stack */
  TB_BPF_IS_KERNEL = 1 << 9,       /* SWITCH: a kernel thread left */
} TbBpfFlags;

typedef struct
{
  u64 time; /* CLOCK_MONOTONIC */
  u16 type;
  u16 cpu;
  u32 flags;
  s32 tid; /* the running thread; of a switch: the one that left */
  s32 pid;
} TbBpfHeader;

/* If a CPU has sent a stack before, it sends only its id, and n_words is 0. Otherwise the words
 * follow the record. id 0: no stack. */
typedef struct
{
  u64 id;
  u32 n_words;
  u32 unused;
} TbBpfStack;

typedef struct
{
  TbBpfHeader header;
  u64 from;
  u64 count;
} TbBpfLost;

typedef struct
{
  TbBpfHeader header;
  s32 next_tid;
  s32 next_pid;
  u32 state;
  u32 exit_state;
  TbBpfStack stack;
} TbBpfSwitch;

typedef struct
{
  TbBpfHeader header;
  s32 wakee_tid;
  s32 wakee_pid;
  TbBpfStack stack;
} TbBpfWakeup;

typedef struct
{
  TbBpfHeader header;
  s32 new_tid;
  s32 new_pid;
} TbBpfFork;

typedef struct
{
  TbBpfHeader header;
} TbBpfExit;

typedef struct
{
  TbBpfHeader header;
  char name[TB_BPF_NAME_SIZE]; /* ends at a zero or with the array */
} TbBpfName;

typedef struct
{
  TbBpfHeader header;
  char path[TB_BPF_PATH_SIZE];
} TbBpfExec;

typedef struct
{
  TbBpfHeader header;
  u64 entered; /* 0: before the recording */
  u32 number;  /* of the interrupt or its vector */
  u32 unused;
} TbBpfInterrupt;

typedef struct
{
  TbBpfInterrupt interrupt;
  char name[TB_BPF_NAME_SIZE * 2];
} TbBpfIrq;

#define TB_BPF_N_SOFTIRQS 16u /* the kernel has ten */
#define TB_BPF_IRQ_DEPTH 4u   /* nesting depth of hard interrupts */

/* Counters of events that are not emitted one by one */
typedef struct
{
  u64 count;
  u64 time; /* ns in total */
} TbBpfCounter;

/* A message that arrived at a socket with waiters. It is emitted with the wake-up that it
 * causes. */
typedef struct
{
  u64 socket; /* 0: none */
  u64 lock;   /* of the socket's wait queue: held while the waiters are woken */
  u64 time;
  s32 tid; /* the thread that ran; context has the interrupt kinds of TbBpfFlags */
  u32 context;
} TbBpfArrival;

/* The bytes of the stack follow, from the stack pointer plus the skipped bytes upwards. Bytes
 * beyond size are undefined. size 0: nothing could be read. */
typedef struct
{
  TbBpfHeader header;
  u32 size;
  u32 skipped;
  u64 registers[TB_BPF_DUMP_REGISTERS];
} TbBpfDump;

/* The system call of the thread that runs on a CPU. It has not been emitted; that happens when the
 * thread leaves the CPU during the call. */
typedef struct
{
  u64 entered; /* 0: none */
  u64 args[6];
  s32 tid;
  s32 pid;
  u32 number;
  u32 unused;
} TbBpfOpenCall;

#define TB_BPF_N_RANGES 1024u /* a power of 2 */

/* A mapping of code and its unwind table */
typedef struct TbBpfRange /* named, as is TbBpfFrames */
{
  u64 key; /* of the address space and a part of it; 0: none, 1: it is being written */
  u64 start;
  u64 end;
  s64 to_offset; /* offset in the file minus address */
  u32 file;      /* slot */
  u32 first_row;
  u32 n_rows; /* 0: no table */
  u32 n_tables;
} TbBpfRange;

/* State of one CPU that the programs and the agent share: one value of the map tb_cpus. Only that
 * CPU writes it, except for salt. */
typedef struct TbBpfCpu /* named, too */
{
  u64 lost;      /* since the last LOST record */
  u64 lost_from; /* 0 if lost is 0 */
  u64 salt;      /* part of the ids of stacks: a new value makes all stacks be sent again */
  s32 shown;     /* filtered recordings: 1 + the thread last emitted as running here, 0: none */
  u32 hardirqs;  /* open hard interrupts, as far as they are recorded */
  u32 softirqs;
  u32 n_effects;      /* wake-ups and completed requests so far */
  u64 preempt_count;  /* address of the preemption counter, 0: not known yet */
  u64 thinned_calls;  /* system calls below the duration that START requested */
  u64 thinned_stacks; /* of system calls */
  u64 thinned_probes; /* calls of probed functions that were too short */
  u64 repaired_stacks;
  u64 unrepaired_stacks;             /* a function without frame pointer and table was met */
  u64 full_dumps;                    /* left out because there was no room */
  u64 foreign_dumps;                 /* of programs of another ABI */
  s64 kept_blocks;                   /* allocated blocks minus freed ones */
  u64 irq_entered[TB_BPF_IRQ_DEPTH]; /* entry times of hard interrupts, outermost first */
  u64 softirq_entered;               /* 0: none, or not recorded */
  u32 softirq_effects;               /* value of n_effects when it began */
  u32 unused_1;
  u64 raised;         /* end of the last hard interrupt, or of a softirq that one raised */
  u64 emitted_raised; /* the same for emitted ones */
  /* entry time of the last softirq that a hard interrupt raised and that was only counted; 0:
   * none */
  u64 held_entered;
  u64 held_exited;
  u32 held_vector;
  u32 unused_2;
  /* the last message received by a thread, and by an interrupt, which may come between */
  TbBpfArrival arrived[2];
  u64 n_lone_arrivals; /* messages that woke no thread */
  /* the last page fault of a program: address, location of the instruction, and the thread's number
   * of context switches */
  u64 fault_address;
  u64 fault_site;
  u64 fault_switches;
  s32 fault_tid; /* 0: none */
  u32 unused_3;
  TbBpfCounter softirq_counters[TB_BPF_N_SOFTIRQS];
  TbBpfOpenCall open_call;
  TbBpfRange ranges[TB_BPF_N_RANGES];
  u64 stacks[TB_BPF_STACK_SLOTS]; /* ids that were sent */
} TbBpfCpu;

#define TB_BPF_MAX_CONNECTIONS 16384u

typedef enum
{
  TB_BPF_FILTER_NONE = 0,
  TB_BPF_FILTER_TREE = 1,   /* processes in the map tb_targets */
  TB_BPF_FILTER_CGROUP = 2, /* processes in a control group and below */
} TbBpfFilter;

/* Read-only data of every object, set before loading, so that a disabled feature costs nothing */
typedef struct
{
  u32 filter; /* TbBpfFilter */
  u32 stacks; /* TbCaptureStackFlags */
  s32 own_pid;
  u32 n_cpus;
  u64 cgroup; /* id */
  u32 cgroup_level;
  u32 has_preempt_count;
  s64 preempt_count;  /* offset of the preemption counter from the CPU's run queue */
  u64 stack_interval; /* ns, as is the next */
  u64 min_syscall_ns;
  u32 sleeps;        /* whether sleeps are recorded */
  u32 dump_bytes;    /* 0: no dumps */
  u32 n_dump_names;  /* 0: the stacks of all threads are dumped */
  u32 short_softirq; /* ns: shorter softirqs without consequences are only counted; 0: none */
  u64 dump_names[TB_BPF_MAX_DUMP_NAMES]
                [TB_BPF_NAME_SIZE / 8]; /* names of threads or processes, padded with zeroes */
} TbBpfConfig;

_Static_assert (sizeof (TbBpfHeader) == 24, "layout");
_Static_assert (sizeof (TbBpfStack) == 16, "layout");
_Static_assert (sizeof (TbBpfLost) == 40, "layout");
_Static_assert (sizeof (TbBpfSwitch) == 56, "layout");
_Static_assert (sizeof (TbBpfWakeup) == 48, "layout");
_Static_assert (sizeof (TbBpfFork) == 32, "layout");
_Static_assert (sizeof (TbBpfExit) == 24, "layout");
_Static_assert (sizeof (TbBpfName) == 40, "layout");
_Static_assert (sizeof (TbBpfExec) == 280, "layout");
_Static_assert (sizeof (TbBpfInterrupt) == 40, "layout");
_Static_assert (sizeof (TbBpfIrq) == 72, "layout");
_Static_assert (sizeof (TbBpfCpu) == 632 + 48 * TB_BPF_N_RANGES + 8 * TB_BPF_STACK_SLOTS, "layout");
_Static_assert (sizeof (TbBpfDump) == 32 + 8 * TB_BPF_DUMP_REGISTERS, "layout");
_Static_assert (sizeof (TbBpfConfig) == 72 + 16 * TB_BPF_MAX_DUMP_NAMES, "layout");
