/* tb-event.h: one thing that happened, as collectors and importers hand it to the recorder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-schema.h"

G_BEGIN_DECLS

/**
 * TbEventKind:
 *
 * The vocabulary is that of the plain-text event format (help: "events-csv") with what only binary sources know. The
 * comment after each says which fields of #TbEvent it uses besides time, cpu, host and the stack.
 */
typedef enum
{
  TB_EVENT_SWITCH,       /* tid pid=prev's, a=next tid, b=next pid (0 unknown), code=prev_state letter */
  TB_EVENT_WAKEUP,       /* tid pid=waker, a=wakee tid, flags=TbWakeupFlags */
  TB_EVENT_FORK,         /* tid pid=creator, a=new tid, b=its pid */
  TB_EVENT_EXIT,         /* tid pid */
  TB_EVENT_NAME,         /* tid pid, text=name */
  TB_EVENT_PROCESS_NAME, /* pid, text=name of the process apart from its threads' */
  TB_EVENT_EXISTING,     /* tid pid, a=parent pid: alive when the recording began; text=name */
  TB_EVENT_COMMAND,      /* pid, text=command line */
  TB_EVENT_EXEC,         /* tid pid, text=new program, a=tid it had before, 0 unknown or the same */
  TB_EVENT_MAPPING,      /* pid, a=start address, b=length, c=file offset, module=module id */
  TB_EVENT_SAMPLE,       /* tid pid, a=weight */
  TB_EVENT_IRQ_ENTRY,    /* a=irq, text=handler, device; code=TbInterruptKind (hard, timer, nmi) */
  TB_EVENT_IRQ_EXIT, /* a=irq; code as at entry; where no entry was told: b=when it was, text and device as there */
  TB_EVENT_SOFTIRQ_ENTRY, /* a=vector */
  TB_EVENT_SOFTIRQ_EXIT,  /* a=vector; b as of TB_EVENT_IRQ_EXIT */
  TB_EVENT_IO_INSERT,   /* tid pid, device, a=sector (G_MAXUINT64 unknown), b=bytes, text=rwbs, text2=file */
  TB_EVENT_IO_ISSUE,    /* likewise */
  TB_EVENT_IO_COMPLETE, /* likewise; tid pid = whoever ran, not the issuer, unless the sector is unknown */
  TB_EVENT_NET_SEND,    /* tid pid, a=socket, b=bytes, text=protocol, text2=remote, text3=local */
  TB_EVENT_NET_RECEIVE, /* likewise */
  TB_EVENT_NET_CONNECT, /* likewise */
  TB_EVENT_NET_ACCEPT,  /* likewise */
  TB_EVENT_SYS_ENTER, /* tid pid, text=name, args[6]; where it is told later: b=when it was entered, else 0 */
  TB_EVENT_SYS_EXIT,  /* tid pid, text=name (none: unknown), a=result */
  TB_EVENT_CALL,      /* tid pid, text=function, a=return address */
  TB_EVENT_RETURN, /* tid pid, text=function; where no call was told: b=when it was entered, a=return address */
  TB_EVENT_SPIN_BEGIN, /* tid pid, text2=lock */
  TB_EVENT_SPIN_END, /* tid pid, text2=lock, a=releasing tid, G_MAXUINT64: who released the lock, if known */
  TB_EVENT_FALSE_WAKEUP, /* tid pid */
  TB_EVENT_MARK,         /* tid pid, text=name, text2=value; "release" with a lock as its value releases it */
  TB_EVENT_LOST,         /* a=count, b=start of the range (ns); until time; cpu or TB_CPU_ALL */
  TB_EVENT_SLEEP, /* tid pid, code=TbSleepKind, text=system call, text2=object, a=address, b=timeout (ns, or
                            TB_TIMEOUT_… as guint64), c=place in a file, or distance from where the first page of module
                            is mapped; module: TB_ID_NONE none, then text3=the variable that a lock is, if known.
                            Directly before the switch whose prev it is about */
  TB_EVENT_WHOLE_SYSCALL, /* at its end: tid pid, text=name, args[TB_WHOLE_SYSCALL_WORDS] */
  TB_N_EVENT_KINDS,
} TbEventKind;

#define TB_WHOLE_SYSCALL_ENTER 6
#define TB_WHOLE_SYSCALL_RESULT 7
#define TB_WHOLE_SYSCALL_WORDS 8

/* Callchains as the kernel writes them (perf_event_open(2), PERF_SAMPLE_CALLCHAIN): innermost first, context markers
 * between kernel and user part. */
#define TB_CHAIN_KERNEL ((guint64) - 128)
#define TB_CHAIN_USER ((guint64) - 512)
#define TB_CHAIN_MARKER_MIN ((guint64) - 4095)

/**
 * TbEvent:
 * @tid: thread in whose context it happened, host's numbering; -1 unknown
 * @pid: its process, -1 unknown (then that of the tid's last known)
 * @chain: (array length=n_chain) (nullable): callchain; must stay valid until an advance past @time
 * @stack: stack id from tb_recorder_intern_stack(), where @chain is %NULL
 *
 * @text and its likes are string ids of the recorder. Unused fields are 0.
 */
typedef struct
{
  gint64 time;
  guint8 kind;
  guint8 code;
  guint8 flags;
  guint8 host;
  guint16 cpu;
  guint16 n_chain;
  gint32 tid;
  gint32 pid;
  guint32 stack;
  guint32 text;
  guint32 text2;
  guint32 text3;
  const guint64 *chain;
  union
  {
    struct
    {
      guint64 a;
      guint64 b;
      guint64 c;
      guint32 module;
      guint32 device;
    };
    const guint64 *args; /* TB_EVENT_SYS_ENTER: six values, valid as long as @chain; NULL unknown;
                            TB_EVENT_WHOLE_SYSCALL: six, then when it was entered, and its result */
  };
} TbEvent;

G_END_DECLS
