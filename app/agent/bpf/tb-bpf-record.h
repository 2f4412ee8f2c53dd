/* tb-bpf-record.h: what the BPF programs hand to the agent, and what they share with it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides. Every record in a ring begins with a TbBpfHeader; the kernel wrote it, so its members are what
 * they say, but the reader checks every length all the same. Members are laid out without gaps.
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

#define TB_BPF_MAX_FRAMES 127u /* of either half of a stack; more is kernel.perf_event_max_stack's default */
#define TB_BPF_MAX_WORDS 256u  /* both halves and what marks their beginning */
#define TB_BPF_STACK_SLOTS 4096u
#define TB_BPF_NAME_SIZE 16u
#define TB_BPF_PATH_SIZE 256u
#define TB_BPF_MAX_PROBES 4096u
#define TB_BPF_DUMP_STEP 1024u /* dumps of stacks are multiples of it */
#define TB_BPF_MAX_DUMP (63u * TB_BPF_DUMP_STEP)
#define TB_BPF_MAX_DUMP_NAMES 8u
#define TB_BPF_MAX_HOLE                                                                                      \
  (64u << 10) /* pages at the stack pointer that nobody touched: as many bytes are skipped at most */

/* Of the machine's registers, as the kernel's perf_regs.h numbers them: those that unwinding needs. */
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

/* Between the addresses of a stack, as perf has them. */
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
  TB_BPF_IRQ = 8, /* at its end, with its beginning; so are the next */
  TB_BPF_TIMER = 9,
  TB_BPF_SOFTIRQ = 10,
  TB_BPF_DUMP = 48, /* directly before the SWITCH, SAMPLE, SYS_ENTER or SYS_CALL it belongs to */
  TB_BPF_N_TYPES = 64,
} TbBpfType;

typedef enum
{
  TB_BPF_IN_HARDIRQ = 1 << 0,
  TB_BPF_IN_SOFTIRQ = 1 << 1,
  TB_BPF_IN_NMI = 1 << 2,
  TB_BPF_IS_TARGET = 1 << 3,       /* the thread of the header; always where nothing is filtered */
  TB_BPF_OTHER_IS_TARGET = 1 << 4, /* the second thread of the record */
  TB_BPF_FIRST_WAKEUP = 1 << 5,    /* WAKEUP: of a new thread */
  TB_BPF_PREEMPTED = 1 << 6,       /* SWITCH */
  TB_BPF_HAS_SLEEP = 1 << 8,       /* SWITCH: a TbBpfSleep follows, before the words of the stack */
  TB_BPF_IS_KERNEL = 1 << 9,       /* SWITCH: a thread of the kernel left */
} TbBpfFlags;

typedef struct
{
  u64 time; /* CLOCK_MONOTONIC */
  u16 type;
  u16 cpu;
  u32 flags;
  s32 tid; /* that ran: of a switch the one that left */
  s32 pid;
} TbBpfHeader;

/* Where it was sent before from the same cpu, a stack is its id alone and n_words is 0; else the words follow the record. id 0: none. */
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
  char name[TB_BPF_NAME_SIZE]; /* ends where a zero is, or with the array */
} TbBpfName;

typedef struct
{
  TbBpfHeader header;
  char path[TB_BPF_PATH_SIZE];
} TbBpfExec;

typedef struct
{
  TbBpfHeader header;
  u64 entered; /* 0: before anything was recorded */
  u32 number;  /* of the interrupt or of its vector */
  u32 unused;
} TbBpfInterrupt;

typedef struct
{
  TbBpfInterrupt interrupt;
  char name[TB_BPF_NAME_SIZE * 2];
} TbBpfIrq;

#define TB_BPF_N_SOFTIRQS 16u /* the kernel has ten */
#define TB_BPF_IRQ_DEPTH 4u   /* of hard interrupts inside of each other */

/* Not told one by one. */
typedef struct
{
  u64 count;
  u64 time; /* ns, all together */
} TbBpfOmitted;

/* A message that came to a socket which somebody waits for: it is told by the waking that its arrival is the cause of. */
typedef struct
{
  u64 socket; /* 0: none */
  u64 lock;   /* of those who wait for the socket: held while they are woken */
  u64 time;
  s32 tid; /* what ran it, with the kinds of interrupts of TbBpfFlags */
  u32 context;
} TbBpfArrival;

/* The bytes of the stack, from its pointer and what was skipped upwards, follow; behind size of them comes nothing of use.
 * size 0: nothing could be read. */
typedef struct
{
  TbBpfHeader header;
  u32 size;
  u32 skipped;
  u64 registers[TB_BPF_DUMP_REGISTERS];
} TbBpfDump;

/* The system call that the thread which runs on a cpu is in, and that was not told: once it leaves the cpu inside of it, it is. */
typedef struct
{
  u64 entered; /* 0: none */
  u64 args[6];
  s32 tid;
  s32 pid;
  u32 number;
  u32 unused;
} TbBpfOpenCall;

/* What the programs and the agent share of each cpu: one value of the map tb_cpus. The cpu alone writes it, but for the
 * salt. */
typedef struct
{
  u64 lost;      /* since the last record LOST */
  u64 lost_from; /* 0 if lost is */
  u64 salt;      /* goes into ids of stacks: another makes all be sent again */
  s32 shown;     /* filtered: 1 + who was said to run here, 0 none */
  u32 hardirqs;  /* that were entered and not left, as far as they are seen */
  u32 softirqs;
  u32 consequences;   /* wakings and completed requests so far */
  u64 preempt_count;  /* where it lies, 0 not known yet */
  u64 thinned_calls;  /* system calls that were too short, as START asked for */
  u64 thinned_stacks; /* of system calls */
  u64 thinned_probes; /* calls of probed functions that were too short */
  u64 repaired_stacks;
  u64 crowded_dumps;                 /* left out: no room for them */
  u64 foreign_dumps;                 /* of programs of another kind */
  s64 kept_blocks;                   /* allocated, less those that were freed */
  u64 irq_entered[TB_BPF_IRQ_DEPTH]; /* hard interrupts, outermost first */
  u64 softirq_entered;               /* 0: none, or not seen */
  u32 softirq_consequences;          /* consequences when it began */
  u32 unused_1;
  u64 raised;       /* when the last hard interrupt, or a soft one that it raised, ended */
  u64 told_raised;  /* the same of those that were told */
  u64 held_entered; /* the last soft interrupt that a hard one raised and that was left out; 0: none */
  u64 held_exited;
  u32 held_vector;
  u32 unused_2;
  TbBpfArrival arrived[2]; /* the last one of a thread, and of an interrupt, which may come between */
  u64 arrivals_omitted;    /* messages that woke nobody */
  u64 fault_address; /* of the last page fault in a program, with where that was and how often its thread had been switched */
  u64 fault_site;
  u64 fault_switches;
  s32 fault_tid; /* 0: none */
  u32 unused_3;
  TbBpfOmitted softirqs_omitted[TB_BPF_N_SOFTIRQS];
  TbBpfOpenCall open_call;
  u64 stacks[TB_BPF_STACK_SLOTS]; /* ids that were sent */
} TbBpfCpu;

#define TB_BPF_MAX_CONNECTIONS 16384u

#define TB_BPF_ENTRY_WORDS 64u
#define TB_BPF_MAX_ENTRIES 16384u

/* With what stack a thread entered the C library: words from first on, its caller's address first. */
typedef struct
{
  u64 sp;
  u64 site; /* what lies there, as long as the thread is inside */
  u32 first;
  u32 n_words;
  u64 words[TB_BPF_ENTRY_WORDS];
} TbBpfEntry;

typedef enum
{
  TB_BPF_FILTER_NONE = 0,
  TB_BPF_FILTER_TREE = 1,   /* processes in the map tb_targets */
  TB_BPF_FILTER_CGROUP = 2, /* below a control group */
} TbBpfFilter;

/* Read-only data of every object, set before it is loaded: what is switched off costs nothing. */
typedef struct
{
  u32 filter; /* TbBpfFilter */
  u32 stacks; /* TbCaptureStackFlags */
  s32 own_pid;
  u32 n_cpus;
  u64 cgroup; /* id */
  u32 cgroup_level;
  u32 has_preempt_count;
  s64 preempt_count; /* its place among a cpu's variables, from that of its run queue */
  u64 thin_interval; /* ns, as the next */
  u64 thin_longer;
  u32 sleeps;        /* whether what threads sleep in is looked at */
  u32 dump_bytes;    /* 0: no dumps */
  u32 n_dump_names;  /* 0: of all threads */
  u32 short_softirq; /* ns: ones that took less, and have no consequences, are only counted; 0 none */
  u64 dump_names[TB_BPF_MAX_DUMP_NAMES]
                [TB_BPF_NAME_SIZE / 8]; /* of threads or of processes; filled up with zeroes */
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
_Static_assert (sizeof (TbBpfCpu) == 624 + 8 * TB_BPF_STACK_SLOTS, "layout");
_Static_assert (sizeof (TbBpfDump) == 32 + 8 * TB_BPF_DUMP_REGISTERS, "layout");
_Static_assert (sizeof (TbBpfConfig) == 72 + 16 * TB_BPF_MAX_DUMP_NAMES, "layout");
