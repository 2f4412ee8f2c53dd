/* tb-schema.c: the tables of a session: name, version, and the name, type, description and role of
 * each column; facts about how events were recorded; range of a column of times
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/schema/tb-schema-private.h"

static const TbColumnInfo switch_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU, 65535 unknown" },
  { "prev", TB_COLUMN_U32, "thread that left the CPU, 4294967295 not recorded" },
  { "next", TB_COLUMN_U32, "thread that got the CPU, 4294967295 not recorded" },
  { "prev_state", TB_COLUMN_U8,
    "the kernel's letter for the state prev left in, + if preempted, ? if it waits in an unknown "
    "state, - if not known" },
  { "stack", TB_COLUMN_U32, "stack of prev" },
};

static const TbColumnInfo wakeup_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU it was issued on" },
  { "waker", TB_COLUMN_U32, "thread that ran on the CPU" },
  { "wakee", TB_COLUMN_U32, "thread that was woken" },
  { "flags", TB_COLUMN_U8,
    "1 hard interrupt, 2 soft interrupt, 4 new thread, 8 from sched_wakeup" },
  { "stack", TB_COLUMN_U32, "stack of the waker" },
};

static const TbColumnInfo process_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU" },
  { "kind", TB_COLUMN_U8, "0 fork, 1 exec, 2 exit, 3 name, 4 existing" },
  { "thread", TB_COLUMN_U32, "the thread it happened to" },
  { "creator", TB_COLUMN_U32, "thread that forked" },
  { "text", TB_COLUMN_U32, "new program or name" },
  { "stack", TB_COLUMN_U32, "stack of the creator" },
};

static const TbColumnInfo sample_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU" },
  { "thread", TB_COLUMN_U32, "thread that ran" },
  { "weight", TB_COLUMN_U64, "ns for clocks, else a count" },
  { "stack", TB_COLUMN_U32, "where it was" },
};

static const TbColumnInfo syscall_columns[] = {
  { "enter", TB_COLUMN_I64, "start, ns" },
  { "exit", TB_COLUMN_I64, "end, ns" },
  { "thread", TB_COLUMN_U32, "thread that called" },
  { "number", TB_COLUMN_U32, "name of the call" },
  { "arg0", TB_COLUMN_U64, "argument 0" },
  { "arg1", TB_COLUMN_U64, "argument 1" },
  { "arg2", TB_COLUMN_U64, "argument 2" },
  { "arg3", TB_COLUMN_U64, "argument 3" },
  { "arg4", TB_COLUMN_U64, "argument 4" },
  { "arg5", TB_COLUMN_U64, "argument 5" },
  { "result", TB_COLUMN_I64, "return value" },
  { "stack", TB_COLUMN_U32, "stack at entry" },
};

static const TbColumnInfo block_columns[] = {
  { "insert", TB_COLUMN_I64, "queued, ns" },
  { "issue", TB_COLUMN_I64, "handed to the device, ns" },
  { "complete", TB_COLUMN_I64, "done, ns" },
  { "device", TB_COLUMN_U32, "device" },
  { "sector", TB_COLUMN_U64, "first sector" },
  { "bytes", TB_COLUMN_U64, "length" },
  { "operation", TB_COLUMN_U32, "the kernel's rwbs letters" },
  { "thread", TB_COLUMN_U32, "thread that issued it" },
  { "cpu", TB_COLUMN_U16, "session CPU on which it completed" },
  { "file", TB_COLUMN_U32, "file, if known" },
  { "stack", TB_COLUMN_U32, "stack at insert" },
};

static const TbColumnInfo interrupt_columns[] = {
  { "enter", TB_COLUMN_I64, "start, ns" },
  { "exit", TB_COLUMN_I64, "end, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU" },
  { "kind", TB_COLUMN_U8, "0 hard, 1 soft, 2 timer, 3 NMI" },
  { "vector", TB_COLUMN_U32, "irq number or softirq vector" },
  { "name", TB_COLUMN_U32, "handler" },
  { "device", TB_COLUMN_U32, "device" },
  { "thread", TB_COLUMN_U32, "thread interrupted" },
};

static const TbColumnInfo network_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU" },
  { "kind", TB_COLUMN_U8, "0 send, 1 receive, 2 connect, 3 accept" },
  { "thread", TB_COLUMN_U32, "thread that ran" },
  { "socket", TB_COLUMN_U64, "equal for equal sockets" },
  { "protocol", TB_COLUMN_U32, "tcp, udp, …" },
  { "local", TB_COLUMN_U32, "host:port" },
  { "remote", TB_COLUMN_U32, "host:port" },
  { "bytes", TB_COLUMN_U64, "length" },
  { "stack", TB_COLUMN_U32, "where it was" },
};

static const TbColumnInfo call_columns[] = {
  { "enter", TB_COLUMN_I64, "start, ns" },
  { "exit", TB_COLUMN_I64, "end, ns" },
  { "thread", TB_COLUMN_U32, "thread that called" },
  { "function", TB_COLUMN_U32, "probed function" },
  { "site", TB_COLUMN_U64, "return address, 0 unknown" },
  { "stack", TB_COLUMN_U32, "stack at entry" },
};

static const TbColumnInfo mark_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU" },
  { "kind", TB_COLUMN_U8, "0 note, 1 spin begins, 2 spin ends, 3 false wake-up" },
  { "thread", TB_COLUMN_U32, "whose" },
  { "other", TB_COLUMN_U32, "thread that released a spinning one" },
  { "name", TB_COLUMN_U32, "name" },
  { "value", TB_COLUMN_U32, "value" },
  { "stack", TB_COLUMN_U32, "where it was" },
};

static const TbColumnInfo lost_columns[] = {
  { "from", TB_COLUMN_I64, "start of the range, ns" },
  { "to", TB_COLUMN_I64, "end of the range, ns" },
  { "cpu", TB_COLUMN_U16, "session CPU, 65535 any" },
  { "count", TB_COLUMN_U64, "events lost" },
};

static const TbColumnInfo frame_columns[] = {
  { "module", TB_COLUMN_U32, "module, 4294967295 none" },
  { "offset", TB_COLUMN_U64,
    "offset in the file of the module, else address; string for frames that came with a name" },
};

static const TbColumnInfo stack_columns[] = {
  { "parent", TB_COLUMN_U32, "stack of the caller" },
  { "frame", TB_COLUMN_U32, "frame" },
  { "flags", TB_COLUMN_U8, "1 kernel, 2 could not be walked to its start, 4 cut at a limit" },
};

static const TbColumnInfo interval_columns[] = {
  { "start", TB_COLUMN_I64, "start, ns" },
  { "end", TB_COLUMN_I64, "end, ns" },
  { "thread", TB_COLUMN_U32, "whose" },
  { "state", TB_COLUMN_U8,
    "0 unknown, 1 running, 2 runnable, 3 interruptible, 4 uninterruptible, 5 stopped" },
  { "flags", TB_COLUMN_U8,
    "1 uncertain, 2 preempted, 4 began before, 8 not over, 16 kernel work, 32 timed out, 64 in an "
    "unknown state of sleep" },
  { "cpu", TB_COLUMN_U16, "session CPU" },
  { "kind", TB_COLUMN_U8, "kind of a sleep" },
  { "object", TB_COLUMN_U32, "what it waited for" },
  { "stack", TB_COLUMN_U32, "where it left the CPU" },
  { "cause_kind", TB_COLUMN_U8, "what ended it" },
  { "cause", TB_COLUMN_U32, "thread, device or string, depending on cause_kind" },
  { "wakeup", TB_COLUMN_U32, "row of the wakeup table that ended it" },
  { "sleep", TB_COLUMN_U32, "row of the sleep table that describes the sleep" },
};

static const TbColumnInfo trace_count_columns[] = {
  { "value", TB_COLUMN_U64,
    "what the events contradicted or left open, in the order of TbTraceCounts" },
};

static const TbColumnInfo overview_columns[] = {
  { "start", TB_COLUMN_I64, "start, ns" },
  { "end", TB_COLUMN_I64, "end, ns" },
  { "thread", TB_COLUMN_U32, "whose" },
  { "state", TB_COLUMN_U8,
    "0 unknown, 1 running, 2 runnable, 3 interruptible, 4 uninterruptible, 5 stopped, 6 disk, 7 "
    "network" },
};

static const TbColumnInfo sleep_columns[] = {
  { "time", TB_COLUMN_I64, "when it left its CPU, ns" },
  { "thread", TB_COLUMN_U32, "whose" },
  { "kind", TB_COLUMN_U8,
    "0 unknown, 1 file, 2 pipe, 3 socket, 4 poll, 5 event, 6 timer, 7 lock, 8 shared lock, 9 file "
    "lock, 10 "
    "semaphore, "
    "11 queue, 12 child, 13 signal, 14 time, 15 terminal, 16 device, 17 ring, 18 fault, 19 kernel, "
    "20 "
    "other" },
  { "call", TB_COLUMN_U32, "name of the system call; none: a fault or the kernel's own" },
  { "object", TB_COLUMN_U32, "path, host:port; of a lock the mapping it lies in" },
  { "address", TB_COLUMN_U64, "of a lock or fault, else the first argument of the call" },
  { "timeout", TB_COLUMN_I64, "as requested, ns; -1 none, -2 unknown" },
  { "offset", TB_COLUMN_U64, "place of a lock in the file it is mapped from" },
  { "place", TB_COLUMN_U32, "frame of a lock that is a variable of a module" },
  { "operation", TB_COLUMN_U32, "1 + the second argument of futex, fcntl, flock; 0 unknown" },
};

static const TbColumnInfo order_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "kind", TB_COLUMN_U8,
    "0 process, 1 switch, 2 wakeup, 3 sample, 4 network, 5 mark, 6 sleep, 7 lost, 8, 9 interrupt's "
    "enter, "
    "exit, "
    "10, 11 syscall's, 12, 13 call's, 14, 15, 16 block's insert, issue, complete" },
  { "of", TB_COLUMN_U32,
    "CPU of an interrupt's enter and of lost; thread of a system call's and a call's enter; of a "
    "request's "
    "insert and issue made of thread, device and sector" },
};

static const TbColumnInfo counter_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns; of a sum the end of its time" },
  { "cpu", TB_COLUMN_U16, "session CPU" },
  { "kind", TB_COLUMN_U8, "0 events, 1 CPU time, 2 wait, 3 sum of waits" },
  { "thread", TB_COLUMN_U32, "whose" },
  { "name", TB_COLUMN_U32, "name of the counter" },
  { "weight", TB_COLUMN_U64, "number of events; of times ns" },
  { "stack", TB_COLUMN_U32, "where it was" },
};

static const TbColumnInfo file_lock_columns[] = {
  { "time", TB_COLUMN_I64, "when, ns" },
  { "thread", TB_COLUMN_U32, "whose" },
  { "call", TB_COLUMN_U8, "0 flock, 1 fcntl" },
  { "mode", TB_COLUMN_U8, "0 shared, 1 exclusive, 2 release, 3 other" },
  { "result", TB_COLUMN_U8, "0 done, 1 refused, 2 waits, 3 failed" },
  { "file", TB_COLUMN_U32, "path" },
  { "owner", TB_COLUMN_U64, "equal for equal owners: a process, or an open file" },
  { "from", TB_COLUMN_U64, "first byte" },
  { "to", TB_COLUMN_U64, "last byte" },
};

static const guint8 roles[TB_N_TABLES][TB_MAX_COLUMNS] = {
  [TB_TABLE_SWITCH] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_THREAD_OR_NONE, /* prev */
    TB_ROLE_THREAD_OR_NONE, /* next */
    TB_ROLE_VALUE, /* prev_state */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_WAKEUP] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_THREAD_OR_NONE, /* waker */
    TB_ROLE_THREAD, /* wakee */
    TB_ROLE_VALUE, /* flags */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_PROCESS] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_KIND_5, /* kind */
    TB_ROLE_THREAD, /* thread */
    TB_ROLE_THREAD_OR_NONE, /* creator */
    TB_ROLE_STRING, /* text */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_SAMPLE] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_THREAD_OR_NONE, /* thread */
    TB_ROLE_VALUE, /* weight */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_SYSCALL] = {
    TB_ROLE_TIME, /* enter */
    TB_ROLE_SORTED_END, /* exit */
    TB_ROLE_THREAD_OR_NONE, /* thread */
    TB_ROLE_STRING, /* number */
    TB_ROLE_VALUE, /* arg0 */
    TB_ROLE_VALUE, /* arg1 */
    TB_ROLE_VALUE, /* arg2 */
    TB_ROLE_VALUE, /* arg3 */
    TB_ROLE_VALUE, /* arg4 */
    TB_ROLE_VALUE, /* arg5 */
    TB_ROLE_VALUE, /* result */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_BLOCK] = {
    TB_ROLE_TIME, /* insert */
    TB_ROLE_TIME, /* issue */
    TB_ROLE_SORTED_END, /* complete */
    TB_ROLE_DEVICE_OR_NONE, /* device */
    TB_ROLE_VALUE, /* sector */
    TB_ROLE_VALUE, /* bytes */
    TB_ROLE_STRING, /* operation */
    TB_ROLE_THREAD_OR_NONE, /* thread */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_STRING, /* file */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_INTERRUPT] = {
    TB_ROLE_TIME, /* enter */
    TB_ROLE_SORTED_END, /* exit */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_KIND_4, /* kind */
    TB_ROLE_VALUE, /* vector */
    TB_ROLE_STRING, /* name */
    TB_ROLE_DEVICE_OR_NONE, /* device */
    TB_ROLE_THREAD_OR_NONE, /* thread */
  },
  [TB_TABLE_NETWORK] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_KIND_4, /* kind */
    TB_ROLE_THREAD_OR_NONE, /* thread */
    TB_ROLE_VALUE, /* socket */
    TB_ROLE_STRING, /* protocol */
    TB_ROLE_STRING, /* local */
    TB_ROLE_STRING, /* remote */
    TB_ROLE_VALUE, /* bytes */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_CALL] = {
    TB_ROLE_TIME, /* enter */
    TB_ROLE_SORTED_END, /* exit */
    TB_ROLE_THREAD_OR_NONE, /* thread */
    TB_ROLE_STRING, /* function */
    TB_ROLE_VALUE, /* site */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_MARK] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_KIND_4, /* kind */
    TB_ROLE_THREAD_OR_NONE, /* thread */
    TB_ROLE_THREAD_OR_NONE, /* other */
    TB_ROLE_STRING, /* name */
    TB_ROLE_STRING, /* value */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_LOST] = {
    TB_ROLE_SORTED_TIME, /* from */
    TB_ROLE_TIME, /* to */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_VALUE, /* count */
  },
  [TB_TABLE_FRAME] = {
    TB_ROLE_MODULE_OR_NONE, /* module */
    TB_ROLE_VALUE, /* offset */
  },
  [TB_TABLE_STACK] = {
    TB_ROLE_STACK_PARENT, /* parent */
    TB_ROLE_STACK_FRAME, /* frame */
    TB_ROLE_VALUE, /* flags */
  },
  [TB_TABLE_INTERVAL] = {
    TB_ROLE_TIME, /* start */
    TB_ROLE_TIME, /* end */
    TB_ROLE_SORTED_THREAD, /* thread */
    TB_ROLE_KIND_6, /* state */
    TB_ROLE_VALUE, /* flags */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_KIND_13, /* kind */
    TB_ROLE_STRING, /* object */
    TB_ROLE_STACK, /* stack */
    TB_ROLE_KIND_8, /* cause_kind */
    TB_ROLE_VALUE, /* cause */
    TB_ROLE_WAKEUP_OR_NONE, /* wakeup */
    TB_ROLE_SLEEP_OR_NONE, /* sleep */
  },
  [TB_TABLE_TRACE_COUNT] = {
    TB_ROLE_VALUE, /* value */
  },
  [TB_TABLE_OVERVIEW] = {
    TB_ROLE_TIME, /* start */
    TB_ROLE_TIME, /* end */
    TB_ROLE_SORTED_THREAD, /* thread */
    TB_ROLE_KIND_8, /* state */
  },
  [TB_TABLE_SLEEP] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_THREAD, /* thread */
    TB_ROLE_KIND_21, /* kind */
    TB_ROLE_STRING, /* call */
    TB_ROLE_STRING, /* object */
    TB_ROLE_VALUE, /* address */
    TB_ROLE_VALUE, /* timeout */
    TB_ROLE_VALUE, /* offset */
    TB_ROLE_FRAME_OR_NONE, /* place */
    TB_ROLE_VALUE, /* operation */
  },
  [TB_TABLE_ORDER] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_KIND_17, /* kind */
    TB_ROLE_VALUE, /* of */
  },
  [TB_TABLE_COUNTER] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_VALUE, /* cpu */
    TB_ROLE_KIND_4, /* kind */
    TB_ROLE_THREAD_OR_NONE, /* thread */
    TB_ROLE_STRING, /* name */
    TB_ROLE_VALUE, /* weight */
    TB_ROLE_STACK, /* stack */
  },
  [TB_TABLE_FILE_LOCK] = {
    TB_ROLE_SORTED_TIME, /* time */
    TB_ROLE_THREAD, /* thread */
    TB_ROLE_KIND_2, /* call */
    TB_ROLE_KIND_4, /* mode */
    TB_ROLE_KIND_4, /* result */
    TB_ROLE_STRING, /* file */
    TB_ROLE_VALUE, /* owner */
    TB_ROLE_VALUE, /* from */
    TB_ROLE_VALUE, /* to */
  },
};

#define TABLE(name, version, derived)                                                              \
  { #name, G_N_ELEMENTS (name##_columns), name##_columns, version, derived }

/* Every layout that a released Tailback wrote stays readable: a change here requires a higher
 * version. */
static const TbTableInfo tables[TB_N_TABLES] = {
  [TB_TABLE_SWITCH] = TABLE (switch, 1, FALSE),
  [TB_TABLE_WAKEUP] = TABLE (wakeup, 1, FALSE),
  [TB_TABLE_PROCESS] = TABLE (process, 1, FALSE),
  [TB_TABLE_SAMPLE] = TABLE (sample, 1, FALSE),
  [TB_TABLE_SYSCALL] = TABLE (syscall, 1, FALSE),
  [TB_TABLE_BLOCK] = TABLE (block, 1, FALSE),
  [TB_TABLE_INTERRUPT] = TABLE (interrupt, 1, FALSE),
  [TB_TABLE_NETWORK] = TABLE (network, 1, FALSE),
  [TB_TABLE_CALL] = TABLE (call, 1, FALSE),
  [TB_TABLE_MARK] = TABLE (mark, 1, FALSE),
  [TB_TABLE_LOST] = TABLE (lost, 1, FALSE),
  [TB_TABLE_FRAME] = TABLE (frame, 1, FALSE),
  [TB_TABLE_STACK] = TABLE (stack, 1, FALSE),
  [TB_TABLE_INTERVAL] = TABLE (interval, 5, TRUE),
  [TB_TABLE_TRACE_COUNT] = TABLE (trace_count, 3, TRUE),
  /* built from the intervals: a change of their rules requires a higher version here, too */
  [TB_TABLE_OVERVIEW] = TABLE (overview, 4, TRUE),
  [TB_TABLE_SLEEP] = TABLE (sleep, 2, FALSE),
  [TB_TABLE_ORDER] = TABLE (order, 1, FALSE),
  [TB_TABLE_COUNTER] = TABLE (counter, 1, FALSE),
  [TB_TABLE_FILE_LOCK] = TABLE (file_lock, 1, FALSE),
};

G_STATIC_ASSERT (G_N_ELEMENTS (switch_columns) == TB_SWITCH_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (wakeup_columns) == TB_WAKEUP_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (process_columns) == TB_PROCESS_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (sample_columns) == TB_SAMPLE_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (syscall_columns) == TB_SYSCALL_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (block_columns) == TB_BLOCK_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (interrupt_columns) == TB_INTERRUPT_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (network_columns) == TB_NETWORK_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (call_columns) == TB_CALL_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (mark_columns) == TB_MARK_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (lost_columns) == TB_LOST_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (frame_columns) == TB_FRAME_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (stack_columns) == TB_STACK_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (interval_columns) == TB_INTERVAL_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (trace_count_columns) == TB_TRACE_COUNT_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (overview_columns) == TB_OVERVIEW_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (sleep_columns) == TB_SLEEP_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (order_columns) == TB_ORDER_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (counter_columns) == TB_COUNTER_N_COLUMNS);
G_STATIC_ASSERT (G_N_ELEMENTS (file_lock_columns) == TB_FILE_LOCK_N_COLUMNS);
G_STATIC_ASSERT (TB_N_SLEEPS == 21);
G_STATIC_ASSERT (TB_N_ORDERS == 17);

/**
 * tb_table_kind_get_info:
 * @kind: a table
 *
 * Gets the name, columns and version of a table.
 *
 * Returns: (transfer none): the description of @kind
 */
const TbTableInfo *
tb_table_kind_get_info (TbTableKind kind)
{
  g_return_val_if_fail ((guint) kind < TB_N_TABLES, NULL);

  return &tables[kind];
}

/**
 * tb_schema_list_evidence_facts:
 *
 * Lists the facts about how events were recorded. What may be concluded from the events depends
 * on them, so they belong into every copy of the events.
 *
 * Returns: (transfer none) (array zero-terminated=1): names of facts
 */
const char *const *
tb_schema_list_evidence_facts (void)
{
  static const char *const facts[] = {
    TB_FACT_SWITCHES,
    TB_FACT_SWITCH_STACKS,
    TB_FACT_SLEEPS,
    "samples-without-time",
    "sampled",
    "sample-frequency",
    "sample-period-ns",
    "sample-mode",
    "probed-functions",
    TB_FACT_SCOPE,
    TB_FACT_COVERAGE,
    TB_FACT_TARGET_PID,
    TB_FACT_COMMAND_PID,
    TB_FACT_RECORDER_PID,
    TB_FACT_REPAIRED_STACKS,
    TB_FACT_USER_STACKS,
    NULL,
  };

  return facts;
}

/**
 * tb_table_kind_get_column_type:
 * @kind: a table
 * @column: index of a column
 *
 * Gets the type of a column of a table.
 *
 * Returns: the type of the values of the column
 */
TbColumnType
tb_table_kind_get_column_type (TbTableKind kind, guint column)
{
  const TbTableInfo *info;

  g_return_val_if_fail ((guint) kind < TB_N_TABLES, TB_COLUMN_U8);
  info = tb_table_kind_get_info (kind);
  g_return_val_if_fail (column < info->n_columns, TB_COLUMN_U8);

  return info->columns[column].type;
}

/**
 * tb_column_type_get_size:
 * @type: the type of a column
 *
 * Gets the size of a value in bytes.
 *
 * Returns: 1, 2, 4 or 8
 */
gsize
tb_column_type_get_size (TbColumnType type)
{
  switch (type)
    {
    case TB_COLUMN_U8:
      return 1;
    case TB_COLUMN_U16:
      return 2;
    case TB_COLUMN_U32:
      return 4;
    case TB_COLUMN_U64:
    case TB_COLUMN_I64:
    case TB_COLUMN_F64:
      return 8;
    default:
      g_return_val_if_reached (8);
    }
}

TbColumnRole
tb_table_kind_get_role (TbTableKind kind, guint column)
{
  return roles[kind][column];
}

gboolean
tb_column_role_is_time (TbColumnRole role)
{
  return role == TB_ROLE_TIME || role == TB_ROLE_SORTED_TIME || role == TB_ROLE_SORTED_END;
}

void
tb_times_get_range (const gint64 *times, gsize n, gint64 *minimum, gint64 *maximum)
{
  gint64 least = G_MAXINT64, most = G_MININT64;

  for (gsize i = 0; i < n; i++)
    {
      gint64 time = times[i];

      least = MIN (least, time == TB_TIME_NONE ? G_MAXINT64 : time);
      most = MAX (most, time == TB_TIME_NONE ? G_MININT64 : time);
    }
  *minimum = least;
  *maximum = most;
}
