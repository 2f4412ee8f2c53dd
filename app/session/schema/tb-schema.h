/* tb-schema.h: the tables of a session (events, call stacks, derived data): their columns, the
 * values of the enumerations in them, and facts about how events were recorded
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/tb-base.h"

G_BEGIN_DECLS

/**
 * TbColumnType:
 * @TB_COLUMN_U8: unsigned, 8 bits
 * @TB_COLUMN_U16: unsigned, 16 bits
 * @TB_COLUMN_U32: unsigned, 32 bits
 * @TB_COLUMN_U64: unsigned, 64 bits
 * @TB_COLUMN_I64: signed, 64 bits
 * @TB_COLUMN_F64: a double
 *
 * The type of the values of a column; tb_column_type_get_size() is their size.
 */
typedef enum
{
  TB_COLUMN_U8,
  TB_COLUMN_U16,
  TB_COLUMN_U32,
  TB_COLUMN_U64,
  TB_COLUMN_I64,
  TB_COLUMN_F64,
} TbColumnType;

/**
 * TbTableKind:
 * @TB_TABLE_SWITCH: context switches, see [enum@Tailback.SwitchColumn]
 * @TB_TABLE_WAKEUP: wake-ups, see [enum@Tailback.WakeupColumn]
 * @TB_TABLE_PROCESS: beginnings, ends and names of threads, see [enum@Tailback.ProcessColumn]
 * @TB_TABLE_SAMPLE: samples of a clock or another counter that stand for CPU time, see
 *   [enum@Tailback.SampleColumn]
 * @TB_TABLE_SYSCALL: system calls, see [enum@Tailback.SyscallColumn]
 * @TB_TABLE_BLOCK: requests to block devices, see [enum@Tailback.BlockColumn]
 * @TB_TABLE_INTERRUPT: hard and soft interrupts, see [enum@Tailback.InterruptColumn]
 * @TB_TABLE_NETWORK: sent and received data and connections, see [enum@Tailback.NetworkColumn]
 * @TB_TABLE_CALL: calls of probed functions, see [enum@Tailback.CallColumn]
 * @TB_TABLE_MARK: marks that programs reported, see [enum@Tailback.MarkColumn]
 * @TB_TABLE_LOST: times in which events were lost, see [enum@Tailback.LostColumn]
 * @TB_TABLE_FRAME: frames of the stacks, see [enum@Tailback.FrameColumn]
 * @TB_TABLE_STACK: the tree of stacks, see [enum@Tailback.StackColumn]
 * @TB_TABLE_INTERVAL: derived: states of the threads, see [enum@Tailback.IntervalColumn]
 * @TB_TABLE_TRACE_COUNT: derived: contradictions and gaps, see [enum@Tailback.TraceCountColumn]
 * @TB_TABLE_OVERVIEW: derived: states at a coarse resolution, see [enum@Tailback.OverviewColumn]
 * @TB_TABLE_SLEEP: what threads waited for as they left their CPU, see [enum@Tailback.SleepColumn]
 * @TB_TABLE_ORDER: order of simultaneous events, see [enum@Tailback.OrderColumn]
 * @TB_TABLE_COUNTER: samples of other counters, see [enum@Tailback.CounterColumn]
 * @TB_TABLE_FILE_LOCK: requests for locks of files, see [enum@Tailback.FileLockColumn]
 *
 * The tables of typed columns. Those up to %TB_TABLE_LOST, %TB_TABLE_SLEEP, %TB_TABLE_COUNTER and
 * %TB_TABLE_FILE_LOCK hold events in the documented order; %TB_TABLE_FRAME and %TB_TABLE_STACK hold
 * the stack tree; %TB_TABLE_ORDER holds the order of simultaneous events. The others are derived by
 * the trace and rebuilt when their version differs. The numbers are used in files: new tables are
 * appended, and a table that an older file does not have is empty.
 */
typedef enum
{
  TB_TABLE_SWITCH,
  TB_TABLE_WAKEUP,
  TB_TABLE_PROCESS,
  TB_TABLE_SAMPLE,
  TB_TABLE_SYSCALL,
  TB_TABLE_BLOCK,
  TB_TABLE_INTERRUPT,
  TB_TABLE_NETWORK,
  TB_TABLE_CALL,
  TB_TABLE_MARK,
  TB_TABLE_LOST,
  TB_TABLE_FRAME,
  TB_TABLE_STACK,
  TB_TABLE_INTERVAL,
  TB_TABLE_TRACE_COUNT,
  TB_TABLE_OVERVIEW,
  TB_TABLE_SLEEP,
  TB_TABLE_ORDER,
  TB_TABLE_COUNTER,
  TB_TABLE_FILE_LOCK,
} TbTableKind;

/**
 * TB_N_TABLES:
 *
 * Number of the values of [enum@TableKind].
 */
#define TB_N_TABLES (TB_TABLE_FILE_LOCK + 1)

/**
 * TB_TABLE_IS_EVENT:
 * @kind: a [enum@Tailback.TableKind]
 *
 * Whether the table holds events of threads and devices. The table of lost events is not one of
 * these.
 */
#define TB_TABLE_IS_EVENT(kind)                                                                    \
  ((kind) < TB_TABLE_LOST || (kind) == TB_TABLE_SLEEP || (kind) == TB_TABLE_COUNTER                \
   || (kind) == TB_TABLE_FILE_LOCK)

/**
 * TB_FACT_SWITCHES:
 *
 * Name of a fact about the recorded switches: "thread" if they were recorded of some threads
 * instead of CPUs, and "joined" if they were recorded of CPUs by other IDs of the threads than
 * other events. Nothing follows from joined switches for threads that have none.
 */
#define TB_FACT_SWITCHES "switches"

/**
 * TB_FACT_SWITCH_STACKS:
 *
 * Name of a fact: "none" if the switches have no call stacks.
 */
#define TB_FACT_SWITCH_STACKS "switch-stacks"

/**
 * TB_FACT_SLEEPS:
 *
 * Name of a fact: "epoll" if only the sleeps in calls of epoll have records of what threads slept
 * in.
 */
#define TB_FACT_SLEEPS "sleeps"

/**
 * TB_FACT_SCOPE:
 *
 * Name of a fact: "system", or "command" or "process" if the events were restricted to a process
 * and what it started, whose PID is the fact %TB_FACT_TARGET_PID. Of other threads only that they
 * had a CPU just before or after was recorded.
 */
#define TB_FACT_SCOPE "scope"

/**
 * TB_FACT_COVERAGE:
 *
 * Name of a fact: "part" if nothing shows that all CPUs were recorded, "container" if that was done
 * inside a container and shows its threads alone. There may be other threads in both cases.
 */
#define TB_FACT_COVERAGE "coverage"

/**
 * TB_FACT_TARGET_PID:
 *
 * Name of a fact: the PID of the process to which the recording was restricted, see %TB_FACT_SCOPE.
 */
#define TB_FACT_TARGET_PID "target-pid"

/**
 * TB_FACT_COMMAND_PID:
 *
 * Name of a fact: the PID of the process that was started to be recorded.
 */
#define TB_FACT_COMMAND_PID "command-pid"

/**
 * TB_FACT_RECORDER_PID:
 *
 * Name of a fact: the PID of the process that started the collector, in its own PID namespace.
 */
#define TB_FACT_RECORDER_PID "recorder-pid"

/**
 * TB_FACT_REPAIRED_STACKS:
 *
 * Name of a fact: "yes" if the callers of functions without frame pointers were found, as those of
 * the C library. The fact "stacks-repaired" is the number of stacks in which they were,
 * "stacks-unrepaired" that of stacks with code of which nothing was known.
 */
#define TB_FACT_REPAIRED_STACKS "repaired-stacks"

/**
 * TB_FACT_USER_STACKS:
 *
 * Name of a fact: how the user part of stacks was walked, as far as it is known:
 * %TB_USER_STACKS_BY_FRAME_POINTERS or %TB_USER_STACKS_BY_DUMPS.
 */
#define TB_FACT_USER_STACKS "user-stacks"

/**
 * TB_USER_STACKS_BY_FRAME_POINTERS:
 *
 * A value of %TB_FACT_USER_STACKS: stacks lack the callers of functions without frame pointers.
 */
#define TB_USER_STACKS_BY_FRAME_POINTERS "frame-pointers"

/**
 * TB_USER_STACKS_BY_DUMPS:
 *
 * A value of %TB_FACT_USER_STACKS: the stacks of some events at least were dumped and unwound.
 */
#define TB_USER_STACKS_BY_DUMPS "dumps"

/**
 * TB_FACT_REMARKS:
 *
 * Name of a fact: contradictions in the events that are too few to be warnings: sentences, one a
 * line.
 */
#define TB_FACT_REMARKS "remarks"

/**
 * TB_PREV_STATE_PREEMPTED:
 *
 * A state in which a thread leaves its CPU, besides the kernel's letters: it was preempted and is
 * ready to run.
 */
#define TB_PREV_STATE_PREEMPTED '+'

/**
 * TB_PREV_STATE_ASLEEP:
 *
 * A state in which a thread leaves its CPU, besides the kernel's letters: it waits, and in which of
 * the sleeping states was not recorded.
 */
#define TB_PREV_STATE_ASLEEP '?' /* it waits; in which of the states was not recorded */

/**
 * TB_PREV_STATE_UNKNOWN:
 *
 * A state in which a thread leaves its CPU, besides the kernel's letters: whether it waits or is
 * ready to run was not recorded.
 */
#define TB_PREV_STATE_UNKNOWN '-' /* whether it waits or is ready to run was not recorded */

/**
 * TbSwitchColumn:
 * @TB_SWITCH_TIME: i64 ns
 * @TB_SWITCH_CPU: u16 session CPU, %TB_CPU_ALL if unknown
 * @TB_SWITCH_PREV: u32 thread that left the CPU
 * @TB_SWITCH_NEXT: u32 thread that got the CPU
 * @TB_SWITCH_PREV_STATE: u8 state in which the thread left the CPU
 * @TB_SWITCH_STACK: u32 stack of prev
 *
 * The columns of %TB_TABLE_SWITCH: context switches, sorted by time.
 *
 * The state is the letter of the kernel (R S D T t X Z P I K), or %TB_PREV_STATE_PREEMPTED,
 * %TB_PREV_STATE_ASLEEP or %TB_PREV_STATE_UNKNOWN. One of the threads may be %TB_ID_NONE: the
 * switch was recorded of the other thread alone.
 */
typedef enum
{
  TB_SWITCH_TIME,
  TB_SWITCH_CPU,
  TB_SWITCH_PREV,
  TB_SWITCH_NEXT,
  TB_SWITCH_PREV_STATE,
  TB_SWITCH_STACK,
} TbSwitchColumn;

/**
 * TB_SWITCH_N_COLUMNS:
 *
 * Number of the values of [enum@SwitchColumn].
 */
#define TB_SWITCH_N_COLUMNS (TB_SWITCH_STACK + 1)

/**
 * TbWakeupColumn:
 * @TB_WAKEUP_TIME: i64 ns
 * @TB_WAKEUP_CPU: u16 session CPU on which the wake-up was issued
 * @TB_WAKEUP_WAKER: u32 thread that ran on that CPU, %TB_ID_NONE if unknown
 * @TB_WAKEUP_WAKEE: u32 thread that was woken
 * @TB_WAKEUP_FLAGS: u8 [flags@Tailback.WakeupFlags]
 * @TB_WAKEUP_STACK: u32 stack of the waker
 *
 * The columns of %TB_TABLE_WAKEUP: wake-ups, sorted by time.
 */
typedef enum
{
  TB_WAKEUP_TIME,
  TB_WAKEUP_CPU,
  TB_WAKEUP_WAKER,
  TB_WAKEUP_WAKEE,
  TB_WAKEUP_FLAGS,
  TB_WAKEUP_STACK,
} TbWakeupColumn;

/**
 * TB_WAKEUP_N_COLUMNS:
 *
 * Number of the values of [enum@WakeupColumn].
 */
#define TB_WAKEUP_N_COLUMNS (TB_WAKEUP_STACK + 1)

/**
 * TbWakeupFlags:
 * @TB_WAKEUP_HARDIRQ: it happened in a hard interrupt, according to the event's own flags
 * @TB_WAKEUP_SOFTIRQ: it happened in a softirq, according to the event's own flags
 * @TB_WAKEUP_NEW: the first wake-up of a new thread
 * @TB_WAKEUP_LATE: from sched_wakeup, not sched_waking: the CPU may not be the waker's
 *
 * Circumstances of a wake-up.
 */
typedef enum
{
  TB_WAKEUP_HARDIRQ = 1 << 0,
  TB_WAKEUP_SOFTIRQ = 1 << 1,
  TB_WAKEUP_NEW = 1 << 2,
  TB_WAKEUP_LATE = 1 << 3,
} TbWakeupFlags;

/**
 * TbProcessColumn:
 * @TB_PROCESS_TIME: i64 ns
 * @TB_PROCESS_CPU: u16 session CPU
 * @TB_PROCESS_KIND: u8 [enum@Tailback.ProcessEvent]
 * @TB_PROCESS_THREAD: u32 the thread that is new, execs, exits, is named or is listed
 * @TB_PROCESS_CREATOR: u32 thread that forked, else %TB_ID_NONE
 * @TB_PROCESS_TEXT: u32 string: new program or name
 * @TB_PROCESS_STACK: u32 stack of the creator
 *
 * The columns of %TB_TABLE_PROCESS: beginnings, ends and names of threads, sorted by time.
 */
typedef enum
{
  TB_PROCESS_TIME,
  TB_PROCESS_CPU,
  TB_PROCESS_KIND,
  TB_PROCESS_THREAD,
  TB_PROCESS_CREATOR,
  TB_PROCESS_TEXT,
  TB_PROCESS_STACK,
} TbProcessColumn;

/**
 * TB_PROCESS_N_COLUMNS:
 *
 * Number of the values of [enum@ProcessColumn].
 */
#define TB_PROCESS_N_COLUMNS (TB_PROCESS_STACK + 1)

/**
 * TbProcessEvent:
 * @TB_PROCESS_FORK: a new thread or process
 * @TB_PROCESS_EXEC: the process runs another program
 * @TB_PROCESS_EXIT: the end of the thread
 * @TB_PROCESS_NAME: the thread has a new name
 * @TB_PROCESS_EXISTING: the thread was alive when the recording began
 *
 * What happened to a thread.
 */
typedef enum
{
  TB_PROCESS_FORK,
  TB_PROCESS_EXEC,
  TB_PROCESS_EXIT,
  TB_PROCESS_NAME,
  TB_PROCESS_EXISTING,
} TbProcessEvent;

/**
 * TbSampleColumn:
 * @TB_SAMPLE_TIME: i64 ns
 * @TB_SAMPLE_CPU: u16 session CPU
 * @TB_SAMPLE_THREAD: u32 thread that ran, %TB_ID_NONE if unknown
 * @TB_SAMPLE_WEIGHT: u64 in the unit of the sampling event: ns for clocks, else a count
 * @TB_SAMPLE_STACK: u32 its stack
 *
 * The columns of %TB_TABLE_SAMPLE: samples, sorted by time.
 */
typedef enum
{
  TB_SAMPLE_TIME,
  TB_SAMPLE_CPU,
  TB_SAMPLE_THREAD,
  TB_SAMPLE_WEIGHT,
  TB_SAMPLE_STACK,
} TbSampleColumn;

/**
 * TB_SAMPLE_N_COLUMNS:
 *
 * Number of the values of [enum@SampleColumn].
 */
#define TB_SAMPLE_N_COLUMNS (TB_SAMPLE_STACK + 1)

/**
 * TbSyscallColumn:
 * @TB_SYSCALL_ENTER: i64 start, ns; %TB_TIME_NONE if it was not recorded
 * @TB_SYSCALL_EXIT: i64 end, ns; %TB_TIME_NONE if the call was open at the end of the recording
 * @TB_SYSCALL_THREAD: u32 thread that called, %TB_ID_NONE if unknown
 * @TB_SYSCALL_NUMBER: u32 string: name of the call (its number in digits if the name is unknown)
 * @TB_SYSCALL_ARG0: u64 argument 0
 * @TB_SYSCALL_ARG1: u64 argument 1
 * @TB_SYSCALL_ARG2: u64 argument 2
 * @TB_SYSCALL_ARG3: u64 argument 3
 * @TB_SYSCALL_ARG4: u64 argument 4
 * @TB_SYSCALL_ARG5: u64 argument 5
 * @TB_SYSCALL_RESULT: i64 return value, negative errno at failure; %G_MININT64 if unknown
 * @TB_SYSCALL_STACK: u32 stack at entry
 *
 * The columns of %TB_TABLE_SYSCALL: one row per call, sorted by exit. Calls that are open at the
 * end come last.
 */
typedef enum
{
  TB_SYSCALL_ENTER,
  TB_SYSCALL_EXIT,
  TB_SYSCALL_THREAD,
  TB_SYSCALL_NUMBER,
  TB_SYSCALL_ARG0,
  TB_SYSCALL_ARG1,
  TB_SYSCALL_ARG2,
  TB_SYSCALL_ARG3,
  TB_SYSCALL_ARG4,
  TB_SYSCALL_ARG5,
  TB_SYSCALL_RESULT,
  TB_SYSCALL_STACK,
} TbSyscallColumn;

/**
 * TB_SYSCALL_N_COLUMNS:
 *
 * Number of the values of [enum@SyscallColumn].
 */
#define TB_SYSCALL_N_COLUMNS (TB_SYSCALL_STACK + 1)

/**
 * TbBlockColumn:
 * @TB_BLOCK_INSERT: i64 ns, when it was queued; %TB_TIME_NONE if that was not recorded
 * @TB_BLOCK_ISSUE: i64 ns, when the device got it, the same time if it was not queued;
 *   %TB_TIME_NONE if that was not recorded
 * @TB_BLOCK_COMPLETE: i64 ns, when it was done; %TB_TIME_NONE if it was not done at the end
 * @TB_BLOCK_DEVICE: u32 device, %TB_ID_NONE if unknown
 * @TB_BLOCK_SECTOR: u64 first sector
 * @TB_BLOCK_BYTES: u64 length
 * @TB_BLOCK_OPERATION: u32 string: the kernel's rwbs letters, such as "WS" for a synchronous write
 * @TB_BLOCK_THREAD: u32 thread that issued it
 * @TB_BLOCK_CPU: u16 CPU on which it completed
 * @TB_BLOCK_FILE: u32 string: path of the file, if known
 * @TB_BLOCK_STACK: u32 stack at insert
 *
 * The columns of %TB_TABLE_BLOCK: one row per request to a block device, sorted by completion.
 */
typedef enum
{
  TB_BLOCK_INSERT,
  TB_BLOCK_ISSUE,
  TB_BLOCK_COMPLETE,
  TB_BLOCK_DEVICE,
  TB_BLOCK_SECTOR,
  TB_BLOCK_BYTES,
  TB_BLOCK_OPERATION,
  TB_BLOCK_THREAD,
  TB_BLOCK_CPU,
  TB_BLOCK_FILE,
  TB_BLOCK_STACK,
} TbBlockColumn;

/**
 * TB_BLOCK_N_COLUMNS:
 *
 * Number of the values of [enum@BlockColumn].
 */
#define TB_BLOCK_N_COLUMNS (TB_BLOCK_STACK + 1)

/**
 * TbInterruptColumn:
 * @TB_INTERRUPT_ENTER: i64 start, ns; %TB_TIME_NONE if it was not recorded
 * @TB_INTERRUPT_EXIT: i64 end, ns; %TB_TIME_NONE if it ran at the end of the recording
 * @TB_INTERRUPT_CPU: u16 session CPU
 * @TB_INTERRUPT_KIND: u8 [enum@Tailback.InterruptKind]
 * @TB_INTERRUPT_VECTOR: u32 number of the interrupt, or [enum@Tailback.SoftirqVector]
 * @TB_INTERRUPT_NAME: u32 string: name of the handler
 * @TB_INTERRUPT_DEVICE: u32 device, %TB_ID_NONE if it is of none or of an unknown one
 * @TB_INTERRUPT_THREAD: u32 the interrupted thread
 *
 * The columns of %TB_TABLE_INTERRUPT: one row per run of a handler, sorted by exit.
 */
typedef enum
{
  TB_INTERRUPT_ENTER,
  TB_INTERRUPT_EXIT,
  TB_INTERRUPT_CPU,
  TB_INTERRUPT_KIND,
  TB_INTERRUPT_VECTOR,
  TB_INTERRUPT_NAME,
  TB_INTERRUPT_DEVICE,
  TB_INTERRUPT_THREAD,
} TbInterruptColumn;

/**
 * TB_INTERRUPT_N_COLUMNS:
 *
 * Number of the values of [enum@InterruptColumn].
 */
#define TB_INTERRUPT_N_COLUMNS (TB_INTERRUPT_THREAD + 1)

/**
 * TbInterruptKind:
 * @TB_INTERRUPT_HARD: an interrupt of a device
 * @TB_INTERRUPT_SOFT: a softirq
 * @TB_INTERRUPT_TIMER: the local timer of a CPU
 * @TB_INTERRUPT_NMI: a non-maskable interrupt
 *
 * The kinds of interrupts.
 */
typedef enum
{
  TB_INTERRUPT_HARD,
  TB_INTERRUPT_SOFT,
  TB_INTERRUPT_TIMER,
  TB_INTERRUPT_NMI,
} TbInterruptKind;

/**
 * TbSoftirqVector:
 * @TB_SOFTIRQ_HI: tasklets of high priority
 * @TB_SOFTIRQ_TIMER: timers of the kernel
 * @TB_SOFTIRQ_NET_TX: sent packets
 * @TB_SOFTIRQ_NET_RX: received packets
 * @TB_SOFTIRQ_BLOCK: completed requests to block devices
 * @TB_SOFTIRQ_IRQ_POLL: completed requests to devices that are polled
 * @TB_SOFTIRQ_TASKLET: tasklets
 * @TB_SOFTIRQ_SCHED: balancing of the load of the CPUs
 * @TB_SOFTIRQ_HRTIMER: high-resolution timers
 * @TB_SOFTIRQ_RCU: callbacks of RCU
 *
 * The softirq vectors, numbered as in the kernel (`include/linux/interrupt.h`).
 */
typedef enum
{
  TB_SOFTIRQ_HI,
  TB_SOFTIRQ_TIMER,
  TB_SOFTIRQ_NET_TX,
  TB_SOFTIRQ_NET_RX,
  TB_SOFTIRQ_BLOCK,
  TB_SOFTIRQ_IRQ_POLL,
  TB_SOFTIRQ_TASKLET,
  TB_SOFTIRQ_SCHED,
  TB_SOFTIRQ_HRTIMER,
  TB_SOFTIRQ_RCU,
} TbSoftirqVector;

/**
 * TbNetworkColumn:
 * @TB_NETWORK_TIME: i64 ns
 * @TB_NETWORK_CPU: u16 session CPU
 * @TB_NETWORK_KIND: u8 [enum@Tailback.NetworkEvent]
 * @TB_NETWORK_THREAD: u32 thread that ran, %TB_ID_NONE in an interrupt
 * @TB_NETWORK_SOCKET: u64 any number that identifies the socket
 * @TB_NETWORK_PROTOCOL: u32 string: tcp udp icmp …
 * @TB_NETWORK_LOCAL: u32 string: host:port
 * @TB_NETWORK_REMOTE: u32 string: host:port
 * @TB_NETWORK_BYTES: u64 length
 * @TB_NETWORK_STACK: u32 stack of the thread
 *
 * The columns of %TB_TABLE_NETWORK: events of sockets, sorted by time.
 */
typedef enum
{
  TB_NETWORK_TIME,
  TB_NETWORK_CPU,
  TB_NETWORK_KIND,
  TB_NETWORK_THREAD,
  TB_NETWORK_SOCKET,
  TB_NETWORK_PROTOCOL,
  TB_NETWORK_LOCAL,
  TB_NETWORK_REMOTE,
  TB_NETWORK_BYTES,
  TB_NETWORK_STACK,
} TbNetworkColumn;

/**
 * TB_NETWORK_N_COLUMNS:
 *
 * Number of the values of [enum@NetworkColumn].
 */
#define TB_NETWORK_N_COLUMNS (TB_NETWORK_STACK + 1)

/**
 * TbNetworkEvent:
 * @TB_NETWORK_SEND: data was sent
 * @TB_NETWORK_RECEIVE: data was received
 * @TB_NETWORK_CONNECT: a connection to another host or process was made
 * @TB_NETWORK_ACCEPT: a connection from another host or process was accepted
 *
 * The kinds of events of sockets.
 */
typedef enum
{
  TB_NETWORK_SEND,
  TB_NETWORK_RECEIVE,
  TB_NETWORK_CONNECT,
  TB_NETWORK_ACCEPT,
} TbNetworkEvent;

/**
 * TbCallColumn:
 * @TB_CALL_ENTER: i64 start, ns; %TB_TIME_NONE if it was not recorded
 * @TB_CALL_EXIT: i64 end, ns; %TB_TIME_NONE if the call was open at the end of the recording
 * @TB_CALL_THREAD: u32 thread that called
 * @TB_CALL_FUNCTION: u32 string: name of the function
 * @TB_CALL_SITE: u64 return address, 0 if unknown
 * @TB_CALL_STACK: u32 stack at entry
 *
 * The columns of %TB_TABLE_CALL: one row per call of a probed function, sorted by exit.
 */
typedef enum
{
  TB_CALL_ENTER,
  TB_CALL_EXIT,
  TB_CALL_THREAD,
  TB_CALL_FUNCTION,
  TB_CALL_SITE,
  TB_CALL_STACK,
} TbCallColumn;

/**
 * TB_CALL_N_COLUMNS:
 *
 * Number of the values of [enum@CallColumn].
 */
#define TB_CALL_N_COLUMNS (TB_CALL_STACK + 1)

/**
 * TbMarkColumn:
 * @TB_MARK_TIME: i64 ns
 * @TB_MARK_CPU: u16 session CPU
 * @TB_MARK_KIND: u8 [enum@Tailback.MarkKind]
 * @TB_MARK_THREAD: u32 thread that reported the mark
 * @TB_MARK_RELEASER: u32 thread that made the condition of a spin true, else %TB_ID_NONE
 * @TB_MARK_NAME: u32 string: name
 * @TB_MARK_VALUE: u32 string; for a spin: the lock
 * @TB_MARK_STACK: u32 stack of the thread
 *
 * The columns of %TB_TABLE_MARK: marks that programs reported by the annotation header, and those
 * of sources with marks of their own, sorted by time.
 */
typedef enum
{
  TB_MARK_TIME,
  TB_MARK_CPU,
  TB_MARK_KIND,
  TB_MARK_THREAD,
  TB_MARK_RELEASER,
  TB_MARK_NAME,
  TB_MARK_VALUE,
  TB_MARK_STACK,
} TbMarkColumn;

/**
 * TB_MARK_N_COLUMNS:
 *
 * Number of the values of [enum@MarkColumn].
 */
#define TB_MARK_N_COLUMNS (TB_MARK_STACK + 1)

/**
 * TbMarkKind:
 * @TB_MARK_NOTE: a named point with a value
 * @TB_MARK_SPIN_BEGIN: the thread begins to spin
 * @TB_MARK_SPIN_END: the thread ends to spin
 * @TB_MARK_FALSE_WAKEUP: the last wake-up of the thread was false: the thread waits for the same
 *   again
 *
 * The kinds of marks.
 */
typedef enum
{
  TB_MARK_NOTE,
  TB_MARK_SPIN_BEGIN,
  TB_MARK_SPIN_END,
  TB_MARK_FALSE_WAKEUP,
} TbMarkKind;

/**
 * TbLostColumn:
 * @TB_LOST_FROM: i64 ns, start of the time in which events were lost
 * @TB_LOST_TO: i64 ns, its end
 * @TB_LOST_CPU: u16 session CPU, %TB_CPU_ALL if unknown
 * @TB_LOST_COUNT: u64 number of lost events
 *
 * The columns of %TB_TABLE_LOST, sorted by their start.
 */
typedef enum
{
  TB_LOST_FROM,
  TB_LOST_TO,
  TB_LOST_CPU,
  TB_LOST_COUNT,
} TbLostColumn;

/**
 * TB_LOST_N_COLUMNS:
 *
 * Number of the values of [enum@LostColumn].
 */
#define TB_LOST_N_COLUMNS (TB_LOST_COUNT + 1)

/**
 * TB_CPU_ALL:
 *
 * The value of a column of CPUs for "unknown", or for all of them.
 */
#define TB_CPU_ALL ((guint16) 0xffff)

/**
 * TbFrameColumn:
 * @TB_FRAME_MODULE: u32 module, %TB_ID_NONE if no mapping contains the address
 * @TB_FRAME_OFFSET: u64 offset in the module's file; the address itself for the kernel, JIT and
 *   unknown modules; a string id for frames with a name instead of an address. The offset of a
 *   caller lies inside the call instruction: it is one less than the return address. With
 *   %TB_FRAME_DATA added: the distance of a variable from where the file's first page is mapped
 *
 * The columns of %TB_TABLE_FRAME: distinct code addresses, and variables that are locks. The row is
 * the id of the frame.
 */
typedef enum
{
  TB_FRAME_MODULE,
  TB_FRAME_OFFSET,
} TbFrameColumn;

/**
 * TB_FRAME_N_COLUMNS:
 *
 * Number of the values of [enum@FrameColumn].
 */
#define TB_FRAME_N_COLUMNS (TB_FRAME_OFFSET + 1)

/**
 * TB_FRAME_DATA:
 *
 * Flag in the offset of a frame that is a variable of its module, for instance a lock, not code. No
 * stack contains such a frame.
 */
#define TB_FRAME_DATA ((guint64) 0x8000000000000000)

/**
 * TbStackColumn:
 * @TB_STACK_PARENT: u32 stack of the caller
 * @TB_STACK_FRAME: u32 frame
 * @TB_STACK_FLAGS: u8 [flags@Tailback.StackFlags]
 *
 * The columns of %TB_TABLE_STACK: all stacks as one tree. The row is the id of the stack, row 0 is
 * the empty stack, and a parent precedes its children. A stack is its innermost frame and the stack
 * of its caller.
 */
typedef enum
{
  TB_STACK_PARENT,
  TB_STACK_FRAME,
  TB_STACK_FLAGS,
} TbStackColumn;

/**
 * TB_STACK_N_COLUMNS:
 *
 * Number of the values of [enum@StackColumn].
 */
#define TB_STACK_N_COLUMNS (TB_STACK_FLAGS + 1)

/**
 * TbStackFlags:
 * @TB_STACK_KERNEL: the frame is kernel code
 * @TB_STACK_BROKEN: the outermost frame of a stack that could not be unwound to its start
 * @TB_STACK_CUT: the outermost frame of a stack that was recorded up to a limit of its length, so
 *   that its callers are unknown; it is broken, too
 *
 * Properties of the innermost frame of a stack.
 */
typedef enum
{
  TB_STACK_KERNEL = 1 << 0,
  TB_STACK_BROKEN = 1 << 1,
  TB_STACK_CUT = 1 << 2,
} TbStackFlags;

/**
 * TbIntervalColumn:
 * @TB_INTERVAL_START: i64 ns
 * @TB_INTERVAL_END: i64 ns
 * @TB_INTERVAL_THREAD: u32 thread
 * @TB_INTERVAL_STATE: u8 [enum@Tailback.State]
 * @TB_INTERVAL_FLAGS: u8 [flags@Tailback.IntervalFlags]
 * @TB_INTERVAL_CPU: u16; running: the CPU it ran on; runnable: the CPU it waited for, if known
 * @TB_INTERVAL_KIND: u8 [enum@Tailback.WaitKind], of a sleep
 * @TB_INTERVAL_OBJECT: u32 string: file, host:port, lock; %TB_STRING_NONE if unknown
 * @TB_INTERVAL_STACK: u32 stack, of a sleep or a preemption: the code that left the CPU
 * @TB_INTERVAL_CAUSE_KIND: u8 [enum@Tailback.CauseKind]: what ended it
 * @TB_INTERVAL_CAUSE: u32 thread, device or string (interrupt name, peer), according to the kind
 * @TB_INTERVAL_WAKEUP: u32 row of the wakeup table that ended it, %TB_ID_NONE if none
 * @TB_INTERVAL_SLEEP: u32 row of the sleep table that describes it, %TB_ID_NONE if none
 *
 * The columns of %TB_TABLE_INTERVAL: the states of every thread, sorted by thread and start,
 * without gaps between the first and the last row of a thread.
 * [method@Tailback.Trace.get_intervals] returns them as arrays.
 */
typedef enum
{
  TB_INTERVAL_START,
  TB_INTERVAL_END,
  TB_INTERVAL_THREAD,
  TB_INTERVAL_STATE,
  TB_INTERVAL_FLAGS,
  TB_INTERVAL_CPU,
  TB_INTERVAL_KIND,
  TB_INTERVAL_OBJECT,
  TB_INTERVAL_STACK,
  TB_INTERVAL_CAUSE_KIND,
  TB_INTERVAL_CAUSE,
  TB_INTERVAL_WAKEUP,
  TB_INTERVAL_SLEEP,
} TbIntervalColumn;

/**
 * TB_INTERVAL_N_COLUMNS:
 *
 * Number of the values of [enum@IntervalColumn].
 */
#define TB_INTERVAL_N_COLUMNS (TB_INTERVAL_SLEEP + 1)

/**
 * TbTraceCountColumn:
 * @TB_TRACE_COUNT_VALUE: u64 counter
 *
 * The column of %TB_TABLE_TRACE_COUNT: contradictions and gaps in the events that were found while
 * the intervals were built, one row per counter, in the order of [struct@Tailback.TraceCounts].
 */
typedef enum
{
  TB_TRACE_COUNT_VALUE,
} TbTraceCountColumn;

/**
 * TB_TRACE_COUNT_N_COLUMNS:
 *
 * Number of the values of [enum@TraceCountColumn].
 */
#define TB_TRACE_COUNT_N_COLUMNS (TB_TRACE_COUNT_VALUE + 1)

/**
 * TbOverviewColumn:
 * @TB_OVERVIEW_START: i64 ns
 * @TB_OVERVIEW_END: i64 ns
 * @TB_OVERVIEW_THREAD: u32
 * @TB_OVERVIEW_STATE: u8 `TbOverviewState`
 *
 * The columns of %TB_TABLE_OVERVIEW: the intervals at a coarse resolution, sorted by thread and
 * start, for the view of the whole recording.
 */
typedef enum
{
  TB_OVERVIEW_START,
  TB_OVERVIEW_END,
  TB_OVERVIEW_THREAD,
  TB_OVERVIEW_STATE,
} TbOverviewColumn;

/**
 * TB_OVERVIEW_N_COLUMNS:
 *
 * Number of columns of %TB_TABLE_OVERVIEW. A literal: the introspection of arrays of this size does
 * not evaluate enumerators.
 */
#define TB_OVERVIEW_N_COLUMNS 4

/**
 * TbSleepColumn:
 * @TB_SLEEP_TIME: i64 ns, the time of the switch
 * @TB_SLEEP_THREAD: u32
 * @TB_SLEEP_KIND: u8 [enum@Tailback.SleepKind]
 * @TB_SLEEP_CALL: u32 string: the system call; %TB_STRING_NONE: a page fault, or a kernel thread
 * @TB_SLEEP_OBJECT: u32 string: path, host:port, …; of a lock: the mapping that contains it;
 *   %TB_STRING_NONE if unknown
 * @TB_SLEEP_ADDRESS: u64 address of a lock or a fault; number of a polled set; else the first
 *   argument of the call
 * @TB_SLEEP_TIMEOUT: i64 ns as requested by the thread, or %TB_TIMEOUT_NONE, %TB_TIMEOUT_UNKNOWN
 * @TB_SLEEP_OFFSET: u64 offset of a lock or of a fault in the file that is mapped there; of a lock
 *   also in memory without a file
 * @TB_SLEEP_FRAME: u32 frame of a lock that is a variable of a module, %TB_ID_NONE if it is not
 * @TB_SLEEP_OPERATION: u32 1 + the second argument of futex(), fcntl() or flock(); 0: unknown, as
 *   in earlier files
 *
 * The columns of %TB_TABLE_SLEEP: what a thread waited for when it left its CPU, sorted by the time
 * of the switch. Not every switch has a row.
 */
typedef enum
{
  TB_SLEEP_TIME,
  TB_SLEEP_THREAD,
  TB_SLEEP_KIND,
  TB_SLEEP_CALL,
  TB_SLEEP_OBJECT,
  TB_SLEEP_ADDRESS,
  TB_SLEEP_TIMEOUT,
  TB_SLEEP_OFFSET,
  TB_SLEEP_FRAME,
  TB_SLEEP_OPERATION,
} TbSleepColumn;

/**
 * TB_SLEEP_N_COLUMNS:
 *
 * Number of the values of [enum@SleepColumn].
 */
#define TB_SLEEP_N_COLUMNS (TB_SLEEP_OPERATION + 1)

/**
 * TbOrderColumn:
 * @TB_ORDER_TIME: i64 ns
 * @TB_ORDER_KIND: u8 [enum@Tailback.OrderKind]
 * @TB_ORDER_SUBJECT: u32 the CPU of an interrupt, the thread of a call, or for a block I/O request
 *   a number computed from its thread, device and sector; used for events that may end in another
 *   order than they began
 *
 * The columns of %TB_TABLE_ORDER: the order of simultaneous events of different kinds, if the
 * source has it: all events of such a time in their order, sorted by time.
 */
typedef enum
{
  TB_ORDER_TIME,
  TB_ORDER_KIND,
  TB_ORDER_SUBJECT,
} TbOrderColumn;

/**
 * TB_ORDER_N_COLUMNS:
 *
 * Number of the values of [enum@OrderColumn].
 */
#define TB_ORDER_N_COLUMNS (TB_ORDER_SUBJECT + 1)

/**
 * TbCounterColumn:
 * @TB_COUNTER_TIME: i64 ns; of a sum: the end of the time that it is a sum of
 * @TB_COUNTER_CPU: u16 session CPU
 * @TB_COUNTER_KIND: u8 [enum@Tailback.CounterKind]
 * @TB_COUNTER_THREAD: u32 thread, %TB_ID_NONE if unknown
 * @TB_COUNTER_NAME: u32 string: name of the counter
 * @TB_COUNTER_WEIGHT: u64 events, or ns, according to the kind
 * @TB_COUNTER_STACK: u32 stack of the thread
 *
 * The columns of %TB_TABLE_COUNTER: samples of counters other than the sampling clock, and summed
 * waits, sorted by time. They do not show CPU time.
 */
typedef enum
{
  TB_COUNTER_TIME,
  TB_COUNTER_CPU,
  TB_COUNTER_KIND,
  TB_COUNTER_THREAD,
  TB_COUNTER_NAME,
  TB_COUNTER_WEIGHT,
  TB_COUNTER_STACK,
} TbCounterColumn;

/**
 * TB_COUNTER_N_COLUMNS:
 *
 * Number of the values of [enum@CounterColumn].
 */
#define TB_COUNTER_N_COLUMNS (TB_COUNTER_STACK + 1)

/**
 * TbCounterKind:
 * @TB_COUNTER_EVENTS: a sample of a counter; its weight is the number of events it stands for
 * @TB_COUNTER_CPU_TIME: a sample of a second clock; its weight is a time
 * @TB_COUNTER_WAIT: a single wait that ended at this time; its weight is its duration
 * @TB_COUNTER_WAIT_SUM: the sum of all waits in one stack; its weight is their duration. It is not
 *   known when and how often the thread waited
 *
 * What a row of %TB_TABLE_COUNTER is.
 */
typedef enum
{
  TB_COUNTER_EVENTS,
  TB_COUNTER_CPU_TIME,
  TB_COUNTER_WAIT,
  TB_COUNTER_WAIT_SUM,
} TbCounterKind;

/**
 * TB_N_COUNTER_KINDS:
 *
 * Number of the values of [enum@CounterKind].
 */
#define TB_N_COUNTER_KINDS (TB_COUNTER_WAIT_SUM + 1)

/**
 * TbFileLockColumn:
 * @TB_FILE_LOCK_TIME: i64 ns
 * @TB_FILE_LOCK_THREAD: u32 thread that requested it
 * @TB_FILE_LOCK_CALL: u8 [enum@Tailback.FileLockCall]
 * @TB_FILE_LOCK_MODE: u8 [enum@Tailback.FileLockMode]
 * @TB_FILE_LOCK_RESULT: u8 [enum@Tailback.FileLockResult]
 * @TB_FILE_LOCK_FILE: u32 string: path
 * @TB_FILE_LOCK_OWNER: u64 any number that identifies the owner: a process, or an open file
 * @TB_FILE_LOCK_FROM: u64 the first locked byte
 * @TB_FILE_LOCK_TO: u64 the last locked byte
 *
 * The columns of %TB_TABLE_FILE_LOCK: requests for locks of files (flock, fcntl) and their
 * releases, also those by closing a file and by exiting, sorted by time.
 */
typedef enum
{
  TB_FILE_LOCK_TIME,
  TB_FILE_LOCK_THREAD,
  TB_FILE_LOCK_CALL,
  TB_FILE_LOCK_MODE,
  TB_FILE_LOCK_RESULT,
  TB_FILE_LOCK_FILE,
  TB_FILE_LOCK_OWNER,
  TB_FILE_LOCK_FROM,
  TB_FILE_LOCK_TO,
} TbFileLockColumn;

/**
 * TB_FILE_LOCK_N_COLUMNS:
 *
 * Number of the values of [enum@FileLockColumn].
 */
#define TB_FILE_LOCK_N_COLUMNS (TB_FILE_LOCK_TO + 1)

/**
 * TbFileLockCall:
 * @TB_FILE_LOCK_FLOCK: flock(): the lock belongs to an open file
 * @TB_FILE_LOCK_FCNTL: fcntl(): a lock of a range of bytes
 *
 * The system call by which a lock of a file is requested.
 */
typedef enum
{
  TB_FILE_LOCK_FLOCK,
  TB_FILE_LOCK_FCNTL,
} TbFileLockCall;

/**
 * TB_N_FILE_LOCK_CALLS:
 *
 * Number of the values of [enum@FileLockCall].
 */
#define TB_N_FILE_LOCK_CALLS (TB_FILE_LOCK_FCNTL + 1)

/**
 * TbFileLockMode:
 * @TB_FILE_LOCK_SHARED: a lock that several owners can have at once
 * @TB_FILE_LOCK_EXCLUSIVE: a lock that one owner has
 * @TB_FILE_LOCK_RELEASE: the release of a lock
 * @TB_FILE_LOCK_OTHER: something else
 *
 * What was requested of a lock of a file.
 */
typedef enum
{
  TB_FILE_LOCK_SHARED,
  TB_FILE_LOCK_EXCLUSIVE,
  TB_FILE_LOCK_RELEASE,
  TB_FILE_LOCK_OTHER,
} TbFileLockMode;

/**
 * TB_N_FILE_LOCK_MODES:
 *
 * Number of the values of [enum@FileLockMode].
 */
#define TB_N_FILE_LOCK_MODES (TB_FILE_LOCK_OTHER + 1)

/**
 * TbFileLockResult:
 * @TB_FILE_LOCK_DONE: the owner has the lock, or has released it
 * @TB_FILE_LOCK_REFUSED: another owner has it, and the thread did not want to wait
 * @TB_FILE_LOCK_WAITS: another owner has it, and the thread waits for it
 * @TB_FILE_LOCK_FAILED: the request failed for another reason
 *
 * Result of a request for the lock of a file.
 */
typedef enum
{
  TB_FILE_LOCK_DONE,
  TB_FILE_LOCK_REFUSED,
  TB_FILE_LOCK_WAITS,
  TB_FILE_LOCK_FAILED,
} TbFileLockResult;

/**
 * TB_N_FILE_LOCK_RESULTS:
 *
 * Number of the values of [enum@FileLockResult].
 */
#define TB_N_FILE_LOCK_RESULTS (TB_FILE_LOCK_FAILED + 1)

/**
 * TbOrderKind:
 * @TB_ORDER_PROCESS: a row of %TB_TABLE_PROCESS
 * @TB_ORDER_SWITCH: a row of %TB_TABLE_SWITCH
 * @TB_ORDER_WAKEUP: a row of %TB_TABLE_WAKEUP
 * @TB_ORDER_SAMPLE: a row of %TB_TABLE_SAMPLE
 * @TB_ORDER_NETWORK: a row of %TB_TABLE_NETWORK
 * @TB_ORDER_MARK: a row of %TB_TABLE_MARK
 * @TB_ORDER_SLEEP: a row of %TB_TABLE_SLEEP
 * @TB_ORDER_LOST: a row of %TB_TABLE_LOST
 * @TB_ORDER_INTERRUPT_ENTER: the beginning of a row of %TB_TABLE_INTERRUPT
 * @TB_ORDER_INTERRUPT_EXIT: its end
 * @TB_ORDER_SYSCALL_ENTER: the beginning of a row of %TB_TABLE_SYSCALL
 * @TB_ORDER_SYSCALL_EXIT: its end
 * @TB_ORDER_CALL_ENTER: the beginning of a row of %TB_TABLE_CALL
 * @TB_ORDER_CALL_EXIT: its end
 * @TB_ORDER_BLOCK_INSERT: when the request of a row of %TB_TABLE_BLOCK was queued
 * @TB_ORDER_BLOCK_ISSUE: when the device got it
 * @TB_ORDER_BLOCK_COMPLETE: when it was done
 *
 * The kinds of events in a sequence. A row that has a beginning and an end is two events.
 */
typedef enum
{
  TB_ORDER_PROCESS,
  TB_ORDER_SWITCH,
  TB_ORDER_WAKEUP,
  TB_ORDER_SAMPLE,
  TB_ORDER_NETWORK,
  TB_ORDER_MARK,
  TB_ORDER_SLEEP,
  TB_ORDER_LOST,
  TB_ORDER_INTERRUPT_ENTER,
  TB_ORDER_INTERRUPT_EXIT,
  TB_ORDER_SYSCALL_ENTER,
  TB_ORDER_SYSCALL_EXIT,
  TB_ORDER_CALL_ENTER,
  TB_ORDER_CALL_EXIT,
  TB_ORDER_BLOCK_INSERT,
  TB_ORDER_BLOCK_ISSUE,
  TB_ORDER_BLOCK_COMPLETE,
} TbOrderKind;

/**
 * TB_N_ORDERS:
 *
 * Number of the values of [enum@OrderKind].
 */
#define TB_N_ORDERS (TB_ORDER_BLOCK_COMPLETE + 1)

/**
 * TbSleepKind:
 * @TB_SLEEP_UNKNOWN: not known
 * @TB_SLEEP_FILE: reading, writing or syncing a file or directory
 * @TB_SLEEP_PIPE: a pipe
 * @TB_SLEEP_SOCKET: a socket
 * @TB_SLEEP_POLL: several objects (poll, select, epoll)
 * @TB_SLEEP_EVENT: an eventfd
 * @TB_SLEEP_TIMER: a timerfd
 * @TB_SLEEP_LOCK: a futex of one process
 * @TB_SLEEP_SHARED_LOCK: a futex in memory that processes share
 * @TB_SLEEP_FILE_LOCK: flock(), fcntl()
 * @TB_SLEEP_SEMAPHORE: a System V semaphore
 * @TB_SLEEP_QUEUE: a message queue
 * @TB_SLEEP_CHILD: the exit of a child process
 * @TB_SLEEP_SIGNAL: a signal
 * @TB_SLEEP_TIMED: a deliberate sleep
 * @TB_SLEEP_TERMINAL: a terminal
 * @TB_SLEEP_DEVICE: another character device
 * @TB_SLEEP_RING: io_uring
 * @TB_SLEEP_FAULT: a page fault
 * @TB_SLEEP_KERNEL: a kernel thread
 * @TB_SLEEP_OTHER: a system call that fits none of these
 *
 * What a thread waits for, recorded by the kernel side when the thread leaves its CPU.
 */
typedef enum
{
  TB_SLEEP_UNKNOWN,
  TB_SLEEP_FILE,
  TB_SLEEP_PIPE,
  TB_SLEEP_SOCKET,
  TB_SLEEP_POLL,
  TB_SLEEP_EVENT,
  TB_SLEEP_TIMER,
  TB_SLEEP_LOCK,
  TB_SLEEP_SHARED_LOCK,
  TB_SLEEP_FILE_LOCK,
  TB_SLEEP_SEMAPHORE,
  TB_SLEEP_QUEUE,
  TB_SLEEP_CHILD,
  TB_SLEEP_SIGNAL,
  TB_SLEEP_TIMED,
  TB_SLEEP_TERMINAL,
  TB_SLEEP_DEVICE,
  TB_SLEEP_RING,
  TB_SLEEP_FAULT,
  TB_SLEEP_KERNEL,
  TB_SLEEP_OTHER,
} TbSleepKind;

/**
 * TB_N_SLEEPS:
 *
 * Number of the values of [enum@SleepKind].
 */
#define TB_N_SLEEPS (TB_SLEEP_OTHER + 1)

/**
 * TB_TIMEOUT_NONE:
 *
 * A timeout of a sleep: the thread waits without limit.
 */
#define TB_TIMEOUT_NONE G_GINT64_CONSTANT (-1)

/**
 * TB_TIMEOUT_UNKNOWN:
 *
 * A timeout of a sleep that was not recorded.
 */
#define TB_TIMEOUT_UNKNOWN G_GINT64_CONSTANT (-2)

/**
 * TbColumnInfo:
 * @name: its name in the file
 * @type: type of its values
 * @description: a description for readers, not translated
 *
 * A column of a table.
 */
typedef struct
{
  const char *name;
  TbColumnType type;
  const char *description;
} TbColumnInfo;

/**
 * TbTableInfo:
 * @name: its name in the file
 * @n_columns: number of columns
 * @columns: (array length=n_columns): the columns
 * @version: version of its layout or, for a derived table, of the rules by which it was built
 * @derived: whether it can be rebuilt from the other tables
 *
 * A table of a session: its name, version and columns.
 */
typedef struct
{
  const char *name;
  guint n_columns;
  const TbColumnInfo *columns;
  guint version;
  gboolean derived;
} TbTableInfo;

TB_EXPORT const TbTableInfo *tb_table_kind_get_info (TbTableKind kind);
TB_EXPORT const char *const *tb_schema_list_evidence_facts (void);
TB_EXPORT TbColumnType tb_table_kind_get_column_type (TbTableKind kind, guint column);
TB_EXPORT gsize tb_column_type_get_size (TbColumnType type);

G_END_DECLS
