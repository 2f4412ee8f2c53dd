/* tb-event.h: an event, as collectors and importers pass it to the recorder: its structure, the
 * kinds of events with the fields that each uses, markers in call chains
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema.h"

G_BEGIN_DECLS

/**
 * TbEventKind:
 * @TB_EVENT_SWITCH: tid pid=prev's (-1 unknown), a=next tid (G_MAXUINT64 unknown), b=next pid (0
 *   unknown), code=prev_state letter, or TB_PREV_STATE_…
 * @TB_EVENT_WAKEUP: tid pid=waker, a=wakee tid, flags=TbWakeupFlags
 * @TB_EVENT_FORK: tid pid=creator, a=new tid, b=its pid
 * @TB_EVENT_EXIT: tid pid
 * @TB_EVENT_NAME: tid pid, text=name
 * @TB_EVENT_PROCESS_NAME: pid, text=name of the process if it differs from its threads' names
 * @TB_EVENT_EXISTING: tid pid, a=parent pid: alive when the recording began; text=name
 * @TB_EVENT_COMMAND: pid, text=command line
 * @TB_EVENT_EXEC: tid pid, text=new program, a=tid before the exec, 0 if unknown or the same
 * @TB_EVENT_MAPPING: pid, a=start address, b=length, c=file offset, module=module id
 * @TB_EVENT_SAMPLE: tid pid, a=weight
 * @TB_EVENT_IRQ_ENTRY: a=irq, text=handler, device; code=TbInterruptKind (hard, timer, nmi)
 * @TB_EVENT_IRQ_EXIT: a=irq; code as at entry; if there was no entry event: b=time of the entry,
 *   text and device as there
 * @TB_EVENT_SOFTIRQ_ENTRY: a=vector
 * @TB_EVENT_SOFTIRQ_EXIT: a=vector; b as in %TB_EVENT_IRQ_EXIT
 * @TB_EVENT_IO_INSERT: tid pid, device, a=sector (G_MAXUINT64 unknown), b=bytes, text=rwbs,
 *   text2=file
 * @TB_EVENT_IO_ISSUE: as %TB_EVENT_IO_INSERT
 * @TB_EVENT_IO_COMPLETE: as %TB_EVENT_IO_INSERT; tid pid = the thread that ran, which is not the
 *   issuer, unless the sector is unknown
 * @TB_EVENT_NET_SEND: tid pid, a=socket, b=bytes, text=protocol, text2=remote, text3=local
 * @TB_EVENT_NET_RECEIVE: as %TB_EVENT_NET_SEND
 * @TB_EVENT_NET_CONNECT: as %TB_EVENT_NET_SEND
 * @TB_EVENT_NET_ACCEPT: as %TB_EVENT_NET_SEND
 * @TB_EVENT_SYS_ENTER: tid pid, text=name, args[6]; b=time of the entry if the event is later than
 *   that, else 0
 * @TB_EVENT_SYS_EXIT: tid pid, text=name (none: unknown), a=result
 * @TB_EVENT_CALL: tid pid, text=function, a=return address
 * @TB_EVENT_RETURN: tid pid, text=function; if there was no call event: b=time of the entry,
 *   a=return address
 * @TB_EVENT_SPIN_BEGIN: tid pid, text2=lock
 * @TB_EVENT_SPIN_END: tid pid, text2=lock, a=tid of the thread that released it, G_MAXUINT64: the
 *   thread that released the lock, if known
 * @TB_EVENT_FALSE_WAKEUP: tid pid
 * @TB_EVENT_MARK: tid pid, text=name, text2=value; "release" with a lock as its value releases it
 * @TB_EVENT_LOST: a=count, b=start of the range (ns), which ends at time; cpu or %TB_CPU_ALL
 * @TB_EVENT_SLEEP: tid pid, code=TbSleepKind, text=system call, text2=object, a=address, b=timeout
 *   (ns, or TB_TIMEOUT_… as guint64), c=offset in a file, or distance from where the first page of
 *   module is mapped; module: %TB_ID_NONE if none, then text3=the variable that is the lock, if
 *   known; device=1 + the operation of a futex or of a lock of a file, 0 if unknown. Comes directly
 *   before the switch in which this thread is prev
 * @TB_EVENT_WHOLE_SYSCALL: at the end of the call: tid pid, text=name,
 *   args[%TB_WHOLE_SYSCALL_WORDS]
 * @TB_EVENT_COUNTER: tid pid, a=weight, text=counter, code=TbCounterKind
 * @TB_EVENT_FILE_LOCK: tid pid, code=TbFileLockCall, flags=%TB_FILE_LOCK_FLAGS(), text2=file,
 *   a=owner, b=first byte, c=last byte
 *
 * The kinds are those of the plain-text event format (help: "events-csv") and some that only binary
 * sources have. The text at each kind lists the fields of #TbEvent that it uses besides time,
 * cpu, host and the stack.
 */
typedef enum
{
  TB_EVENT_SWITCH,
  TB_EVENT_WAKEUP,
  TB_EVENT_FORK,
  TB_EVENT_EXIT,
  TB_EVENT_NAME,
  TB_EVENT_PROCESS_NAME,
  TB_EVENT_EXISTING,
  TB_EVENT_COMMAND,
  TB_EVENT_EXEC,
  TB_EVENT_MAPPING,
  TB_EVENT_SAMPLE,
  TB_EVENT_IRQ_ENTRY,
  TB_EVENT_IRQ_EXIT,
  TB_EVENT_SOFTIRQ_ENTRY,
  TB_EVENT_SOFTIRQ_EXIT,
  TB_EVENT_IO_INSERT,
  TB_EVENT_IO_ISSUE,
  TB_EVENT_IO_COMPLETE,
  TB_EVENT_NET_SEND,
  TB_EVENT_NET_RECEIVE,
  TB_EVENT_NET_CONNECT,
  TB_EVENT_NET_ACCEPT,
  TB_EVENT_SYS_ENTER,
  TB_EVENT_SYS_EXIT,
  TB_EVENT_CALL,
  TB_EVENT_RETURN,
  TB_EVENT_SPIN_BEGIN,
  TB_EVENT_SPIN_END,
  TB_EVENT_FALSE_WAKEUP,
  TB_EVENT_MARK,
  TB_EVENT_LOST,
  TB_EVENT_SLEEP,
  TB_EVENT_WHOLE_SYSCALL,
  TB_EVENT_COUNTER,
  TB_EVENT_FILE_LOCK,
} TbEventKind;

/**
 * TB_N_EVENT_KINDS:
 *
 * Number of the values of [enum@EventKind].
 */
#define TB_N_EVENT_KINDS (TB_EVENT_FILE_LOCK + 1)

/**
 * TB_WHOLE_SYSCALL_ENTER:
 *
 * Index of the time of the entry in the arguments of %TB_EVENT_WHOLE_SYSCALL.
 */
#define TB_WHOLE_SYSCALL_ENTER 6

/**
 * TB_WHOLE_SYSCALL_RESULT:
 *
 * Index of the result in the arguments of %TB_EVENT_WHOLE_SYSCALL.
 */
#define TB_WHOLE_SYSCALL_RESULT 7

/**
 * TB_WHOLE_SYSCALL_WORDS:
 *
 * Number of the arguments of %TB_EVENT_WHOLE_SYSCALL.
 */
#define TB_WHOLE_SYSCALL_WORDS 8

/**
 * TB_FILE_LOCK_FLAGS:
 * @mode: a [enum@Tailback.FileLockMode]
 * @result: a [enum@Tailback.FileLockResult]
 *
 * The flags of %TB_EVENT_FILE_LOCK.
 */
#define TB_FILE_LOCK_FLAGS(mode, result) ((mode) | (result) << 4)

/**
 * TB_FILE_LOCK_FLAGS_MODE:
 * @flags: flags of %TB_EVENT_FILE_LOCK
 *
 * Gets the [enum@Tailback.FileLockMode].
 */
#define TB_FILE_LOCK_FLAGS_MODE(flags) ((flags) & 0xf)

/**
 * TB_FILE_LOCK_FLAGS_RESULT:
 * @flags: flags of %TB_EVENT_FILE_LOCK
 *
 * Gets the [enum@Tailback.FileLockResult].
 */
#define TB_FILE_LOCK_FLAGS_RESULT(flags) ((flags) >> 4)

/**
 * TB_CHAIN_KERNEL:
 *
 * Marker in a call chain: the following addresses are of the kernel. Call chains have the format of
 * the kernel (`perf_event_open(2)`, `PERF_SAMPLE_CALLCHAIN`): innermost address first.
 */
#define TB_CHAIN_KERNEL ((guint64) - 128)

/**
 * TB_CHAIN_USER:
 *
 * Marker in a call chain: the following addresses are of the process.
 */
#define TB_CHAIN_USER ((guint64) - 512)

/**
 * TB_CHAIN_USER_DEFERRED:
 *
 * Marker in a call chain: a number follows, not an address, of a user part that was recorded
 * separately.
 */
#define TB_CHAIN_USER_DEFERRED ((guint64) - 640)

/**
 * TB_CHAIN_CUT:
 *
 * Marker at the end of a call chain: the chain was recorded up to a limit of its length and has
 * further callers.
 */
#define TB_CHAIN_CUT ((guint64) - 4032)

/**
 * TB_CHAIN_MARKER_MIN:
 *
 * The least marker: larger values in a call chain are no addresses.
 */
#define TB_CHAIN_MARKER_MIN ((guint64) - 4095)

/**
 * TbEvent:
 * @time: time, ns of the clock of the first host
 * @kind: a [enum@Tailback.EventKind], which defines the use of the fields below
 * @code: kind of what happened
 * @flags: flags
 * @host: id from [method@Tailback.Recorder.add_host]
 * @cpu: CPU on its host, %TB_CPU_ALL if unknown
 * @n_chain: length of @chain
 * @tid: the thread that ran, numbered as on the host; -1 if unknown
 * @pid: its process, -1 if unknown (the last known process of @tid is used)
 * @stack: stack id from tb_recorder_intern_stack(), used if @chain is %NULL
 * @text: string id of the recorder
 * @text2: string id of the recorder
 * @text3: string id of the recorder
 * @chain: (array length=n_chain) (nullable): call stack; must stay valid until the recorder has
 *   advanced past @time
 * @a: number
 * @b: number
 * @c: number
 * @module: module id of the recorder
 * @device: device id of the recorder
 * @args: (nullable): valid as long as @chain. #TB_EVENT_SYS_ENTER: six values, %NULL if unknown.
 *   #TB_EVENT_WHOLE_SYSCALL: six values, then the time of the entry and the result
 *
 * An event for a recorder. Which fields it uses is listed at its kind in [enum@Tailback.EventKind];
 * the others are 0. Texts are string ids from [method@Tailback.Recorder.intern_string].
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
  guint64 a;
  guint64 b;
  guint64 c;
  guint32 module;
  guint32 device;
  const guint64 *args;
} TbEvent;

G_END_DECLS
