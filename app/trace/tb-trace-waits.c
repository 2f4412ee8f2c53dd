/* tb-trace-waits.c: kind and object of each sleep, and whether it timed out, set in the intervals
 * of a trace while it is built, from sleep records, system calls, locks of files, requests and
 * messages (later also from stacks: tb-trace-wait-kinds)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-waits-private.h"

/* Maximum number of requests examined that are still open at the end of a sleep. */
#define MAX_OPEN_REQUESTS 4
/* How early (ns) a timeout may end a sleep that began after the call; at least 5 % of the
 * timeout. */
#define TIMEOUT_SLACK 1000000

/* The events of one thread, read along its sleeps. */
typedef struct
{
  guint32 *order;
  guint32 *first;
  guint32 i;
  guint32 end;
} Cursor;

static void
cursor_init (Cursor *cursor, const guint32 *threads, gsize n, guint n_threads)
{
  cursor->order = tb_group_order (threads, n, n_threads, &cursor->first);
}

static void
cursor_clear (Cursor *cursor)
{
  g_clear_pointer (&cursor->order, g_free);
  g_clear_pointer (&cursor->first, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cursor, cursor_clear)

static void
cursor_begin (Cursor *cursor, guint32 thread)
{
  cursor->i = cursor->first[thread];
  cursor->end = cursor->first[thread + 1];
}

typedef struct
{
  const TbTraceInput *input;
  TbIntervalColumns *columns;
  Cursor syscalls;
  Cursor blocks;
  Cursor networks;
  Cursor sleeps;
  Cursor file_locks;
  guint32 awaited; /* the request for the lock of a file that a sleep was for last */
} Finder;

TbWaitKind
tb_wait_kind_from_syscall (TbSyscallClass class, TbState state)
{
  /* A wait for a lock, a message or a time is interruptible; the reason of an uninterruptible sleep
   * is not known. */
  if (state == TB_STATE_UNINTERRUPTIBLE)
    return class == TB_SYSCALL_FILE || class == TB_SYSCALL_WRITE || class == TB_SYSCALL_SYNC
               ? TB_WAIT_BLOCK_IO
               : TB_WAIT_UNKNOWN;
  switch (class)
    {
    case TB_SYSCALL_SYNC:
      return TB_WAIT_BLOCK_IO;
    case TB_SYSCALL_LOCK:
      return TB_WAIT_LOCK;
    case TB_SYSCALL_RECEIVE:
    case TB_SYSCALL_SEND:
      return TB_WAIT_SOCKET;
    case TB_SYSCALL_POLL:
      return TB_WAIT_POLL;
    case TB_SYSCALL_SLEEP:
      return TB_WAIT_SLEEP;
    case TB_SYSCALL_CHILD:
      return TB_WAIT_CHILD;
    case TB_SYSCALL_SIGNAL_WAIT:
      return TB_WAIT_SIGNAL;
    case TB_SYSCALL_OTHER:
    case TB_SYSCALL_FILE:
    case TB_SYSCALL_WRITE:
    case TB_SYSCALL_KILL:
    default:
      return TB_WAIT_UNKNOWN;
    }
}

/* The system call that contains the sleep, or G_MAXUINT32. */
static guint32
find_syscall (Finder *self, gsize sleep)
{
  const TbSyscallColumns *syscalls = &self->input->syscalls;
  Cursor *cursor = &self->syscalls;
  gint64 start = self->columns->start[sleep];

  while (cursor->i < cursor->end && syscalls->exit[cursor->order[cursor->i]] >= 0
         && syscalls->exit[cursor->order[cursor->i]] <= start)
    cursor->i++;
  if (cursor->i == cursor->end)
    return G_MAXUINT32;
  return syscalls->enter[cursor->order[cursor->i]] <= start ? cursor->order[cursor->i]
                                                            : G_MAXUINT32;
}

/* The last message to or from a named peer that the thread itself handled during the system
 * call. */
static guint32
find_peer (Finder *self, guint32 syscall)
{
  const TbNetworkColumns *networks = &self->input->networks;
  Cursor *cursor = &self->networks;
  gint64 enter = self->input->syscalls.enter[syscall];
  gint64 exit = self->input->syscalls.exit[syscall];
  guint32 peer = TB_STRING_NONE;

  while (cursor->i < cursor->end && networks->time[cursor->order[cursor->i]] < enter)
    cursor->i++;
  for (; cursor->i < cursor->end && (exit < 0 || networks->time[cursor->order[cursor->i]] <= exit);
       cursor->i++)
    if (networks->remote[cursor->order[cursor->i]] != TB_STRING_NONE)
      peer = networks->remote[cursor->order[cursor->i]];
  return peer;
}

/* The thread's own request that the sleep waited for: on the device that ended the sleep, else any
 * request open during it. */
static gboolean
find_request (Finder *self, gsize sleep, guint32 *found)
{
  const TbBlockColumns *blocks = &self->input->blocks;
  Cursor *cursor = &self->blocks;
  gint64 start = self->columns->start[sleep], end = self->columns->end[sleep];
  guint32 device = self->columns->cause_kind[sleep] == TB_CAUSE_DEVICE ? self->columns->cause[sleep]
                                                                       : TB_ID_NONE;
  gboolean any = FALSE;
  guint32 open = 0;

  while (cursor->i < cursor->end && blocks->complete[cursor->order[cursor->i]] >= 0
         && blocks->complete[cursor->order[cursor->i]] < start)
    cursor->i++;
  while (cursor->i + open < cursor->end && open < MAX_OPEN_REQUESTS)
    {
      guint32 row = cursor->order[cursor->i + open];
      gboolean over = blocks->complete[row] >= 0 && blocks->complete[row] <= end;

      if (!over && any)
        break;
      if (blocks->insert[row] < end && (device == TB_ID_NONE || blocks->device[row] == device))
        {
          *found = row;
          any = TRUE;
        }
      if (over)
        cursor->i++;
      else
        open++;
    }
  return any;
}

/* The sleep record for the sleep, or TB_ID_NONE. */
static guint32
find_sleep (Finder *self, gsize sleep)
{
  const TbSleepColumns *sleeps = &self->input->sleeps;
  Cursor *cursor = &self->sleeps;
  gint64 start = self->columns->start[sleep];

  while (cursor->i < cursor->end && sleeps->time[cursor->order[cursor->i]] < start)
    cursor->i++;
  if (cursor->i == cursor->end || sleeps->time[cursor->order[cursor->i]] != start)
    return TB_ID_NONE;
  return cursor->order[cursor->i];
}

/* The last request for the lock of a file before the sleep, if it has to wait and no sleep was for
 * it yet; else TB_ID_NONE. */
static guint32
find_file_lock (Finder *self, gsize sleep)
{
  const TbFileLockColumns *locks = &self->input->file_locks;
  Cursor *cursor = &self->file_locks;
  gint64 start = self->columns->start[sleep];
  guint32 row;

  while (cursor->i + 1 < cursor->end && locks->time[cursor->order[cursor->i + 1]] <= start)
    cursor->i++;
  if (cursor->i == cursor->end)
    return TB_ID_NONE;
  row = cursor->order[cursor->i];
  if (locks->time[row] > start || locks->result[row] != TB_FILE_LOCK_WAITS || row == self->awaited)
    return TB_ID_NONE;
  self->awaited = row;
  return row;
}

/* TB_WAIT_UNKNOWN: the record does not determine the kind, for instance because a thread in a call
 * that waits for a message was blocked by something else on its way there. */
static TbWaitKind
kind_of_sleep (TbSleepKind kind, TbState state)
{
  gboolean uninterruptible = state == TB_STATE_UNINTERRUPTIBLE;

  if (state == TB_STATE_STOPPED)
    return TB_WAIT_UNKNOWN;
  switch (kind)
    {
    case TB_SLEEP_FAULT:
      return TB_WAIT_PAGE_FAULT;
    case TB_SLEEP_CHILD:
      return TB_WAIT_CHILD; /* vfork() waits in an uninterruptible state */
    case TB_SLEEP_DEVICE:
    case TB_SLEEP_RING:
      return TB_WAIT_OTHER;
    case TB_SLEEP_FILE:
      return uninterruptible ? TB_WAIT_BLOCK_IO : TB_WAIT_UNKNOWN;
    case TB_SLEEP_UNKNOWN:
    case TB_SLEEP_KERNEL: /* state and stack determine the kind */
    case TB_SLEEP_OTHER:
      return TB_WAIT_UNKNOWN;
    default:
      break;
    }
  if (uninterruptible)
    return TB_WAIT_UNKNOWN;
  switch (kind)
    {
    case TB_SLEEP_PIPE:
      return TB_WAIT_PIPE;
    case TB_SLEEP_SOCKET:
      return TB_WAIT_SOCKET;
    case TB_SLEEP_POLL:
      return TB_WAIT_POLL;
    case TB_SLEEP_LOCK:
    case TB_SLEEP_SHARED_LOCK:
    case TB_SLEEP_FILE_LOCK:
    case TB_SLEEP_SEMAPHORE:
      return TB_WAIT_LOCK;
    case TB_SLEEP_SIGNAL:
      return TB_WAIT_SIGNAL;
    case TB_SLEEP_TIMED:
    case TB_SLEEP_TIMER:
      return TB_WAIT_SLEEP;
    default: /* eventfd, message queues, terminals */
      return TB_WAIT_OTHER;
    }
}

/* A timer other than the thread's own may also end its sleep, for instance one that it polls. The
 * thread's own timer fires early only by the time that the thread spent before the sleep, and by
 * earlier sleeps of the same call. */
static gboolean
is_timed_out (const TbIntervalColumns *columns, gsize sleep, TbWaitKind kind, gint64 timeout)
{
  gint64 length = columns->end[sleep] - columns->start[sleep];

  if (columns->cause_kind[sleep] != TB_CAUSE_TIMER || timeout < 0 || kind == TB_WAIT_SLEEP
      || kind == TB_WAIT_UNKNOWN)
    return FALSE;
  return length >= timeout - MAX (TIMEOUT_SLACK, timeout / 20);
}

/* Whether the timeout expired within the following interval of unknown state, in which the thread
 * was woken and began to run. */
static gboolean
is_timed_out_unobserved (const TbIntervalColumns *columns, gsize sleep, gint64 timeout)
{
  gint64 slack = MAX (TIMEOUT_SLACK, timeout / 20);
  gint64 length = columns->end[sleep] - columns->start[sleep];
  gsize next = sleep + 1;

  return columns->cause_kind[sleep] == TB_CAUSE_UNKNOWN && timeout >= 0 && next < columns->n
         && columns->thread[next] == columns->thread[sleep]
         && columns->state[next] == TB_STATE_UNKNOWN && length >= timeout - slack
         && length <= timeout + slack && columns->end[next] - columns->start[sleep] >= timeout;
}

/* --- the evidence of a sleep, in the order in which it is applied --- */

/* 1. The record made when the thread left its CPU; FALSE if it does not determine the kind. */
static gboolean
apply_sleep_record (Finder *self, gsize sleep)
{
  const TbSleepColumns *sleeps = &self->input->sleeps;
  TbIntervalColumns *columns = self->columns;
  guint32 row = sleeps->n > 0 ? find_sleep (self, sleep) : TB_ID_NONE;
  TbWaitKind kind;

  if (row == TB_ID_NONE)
    return FALSE;
  kind = kind_of_sleep (sleeps->kind[row], columns->state[sleep]);
  columns->sleep[sleep] = row;
  if (sleeps->kind[row] == TB_SLEEP_FILE)
    columns->object[sleep] = sleeps->object[row];
  if (kind == TB_WAIT_UNKNOWN)
    return FALSE;
  columns->kind[sleep] = kind;
  /* For a lock, the object is only the mapping that holds it. */
  if (sleeps->kind[row] != TB_SLEEP_LOCK && sleeps->kind[row] != TB_SLEEP_SHARED_LOCK)
    columns->object[sleep] = sleeps->object[row];
  if (is_timed_out_unobserved (columns, sleep, sleeps->timeout[row]))
    columns->cause_kind[sleep] = TB_CAUSE_TIMER;
  if (is_timed_out (columns, sleep, kind, sleeps->timeout[row]))
    columns->flags[sleep] |= TB_INTERVAL_TIMED_OUT;
  return TRUE;
}

/* Whether a call that polls has no descriptors, so that it only waits for time. */
static gboolean
is_empty_poll (const Finder *self, guint32 syscall)
{
  return self->input->syscalls.is_sleep != NULL && self->input->syscalls.is_sleep[syscall];
}

/* 2. The system call that contains the sleep: its class, unless the kind is determined, and the
 * peer of its messages, unless the object is known. */
static void
apply_syscall (Finder *self, gsize sleep, gboolean is_kind_determined)
{
  const TbTraceInput *input = self->input;
  TbIntervalColumns *columns = self->columns;
  guint32 syscall = input->syscalls.n > 0 ? find_syscall (self, sleep) : G_MAXUINT32;
  TbWaitKind kind;

  if (syscall == G_MAXUINT32 || input->syscall_classes == NULL
      || input->syscalls.number[syscall] >= input->n_strings)
    return;
  kind = tb_wait_kind_from_syscall (input->syscall_classes[input->syscalls.number[syscall]],
                                    columns->state[sleep]);
  if (kind != TB_WAIT_UNKNOWN && !is_kind_determined)
    columns->kind[sleep] = kind;
  if (columns->kind[sleep] == TB_WAIT_POLL && is_empty_poll (self, syscall))
    {
      columns->kind[sleep] = TB_WAIT_SLEEP;
      columns->flags[sleep] &= (guint8) ~TB_INTERVAL_TIMED_OUT;
    }
  kind = columns->kind[sleep];
  if ((kind == TB_WAIT_SOCKET || kind == TB_WAIT_POLL) && input->networks.n > 0
      && columns->object[sleep] == TB_STRING_NONE)
    columns->object[sleep] = find_peer (self, syscall);
}

/* 3. Without sleep records: the request for the lock of a file that the thread made last. */
static void
apply_file_lock (Finder *self, gsize sleep)
{
  TbIntervalColumns *columns = self->columns;
  guint32 row = TB_ID_NONE;

  if (self->input->file_locks.n > 0 && columns->sleep[sleep] == TB_ID_NONE
      && columns->state[sleep] == TB_STATE_INTERRUPTIBLE)
    row = find_file_lock (self, sleep);
  if (row == TB_ID_NONE
      || (columns->kind[sleep] != TB_WAIT_UNKNOWN && columns->kind[sleep] != TB_WAIT_LOCK))
    return;
  columns->kind[sleep] = TB_WAIT_LOCK;
  columns->object[sleep] = self->input->file_locks.file[row];
}

/* 4. The message that ended the sleep: its sender. Of several polled sockets, it is the one that
 * received the message. A peer that is already known by name is kept. */
static void
apply_received_message (Finder *self, gsize sleep)
{
  TbIntervalColumns *columns = self->columns;

  if (columns->cause_kind[sleep] == TB_CAUSE_NETWORK && columns->cause[sleep] != TB_STRING_NONE
      && (columns->object[sleep] == TB_STRING_NONE || columns->kind[sleep] == TB_WAIT_POLL))
    columns->object[sleep] = columns->cause[sleep];
}

/* A page fault that read a page from the device is still a page fault. */
static void
set_block_io (TbIntervalColumns *columns, gsize sleep)
{
  if (columns->kind[sleep] != TB_WAIT_PAGE_FAULT)
    columns->kind[sleep] = TB_WAIT_BLOCK_IO;
}

/* 5. The device that ended the sleep, and the thread's request that it waited for. They replace the
 * kind: the class of a call does not determine whether it waits for a device. */
static void
apply_block_device (Finder *self, gsize sleep)
{
  const TbTraceInput *input = self->input;
  TbIntervalColumns *columns = self->columns;
  gboolean is_ended_by_device
      = columns->cause_kind[sleep] == TB_CAUSE_DEVICE
        && (input->device_classes == NULL || columns->cause[sleep] >= input->n_devices
            || input->device_classes[columns->cause[sleep]] != TB_DEVICE_NETWORK);
  guint32 row;

  if (is_ended_by_device)
    set_block_io (columns, sleep);
  if ((is_ended_by_device || columns->state[sleep] == TB_STATE_UNINTERRUPTIBLE)
      && input->blocks.n > 0 && find_request (self, sleep, &row))
    {
      set_block_io (columns, sleep);
      /* The file of the call may be written through another file: a journal, a swap file. */
      if (columns->object[sleep] == TB_STRING_NONE)
        columns->object[sleep] = input->blocks.file[row];
    }
}

static void
set_kind_and_object (Finder *self, gsize sleep)
{
  gboolean is_kind_determined = apply_sleep_record (self, sleep);

  apply_syscall (self, sleep, is_kind_determined);
  apply_file_lock (self, sleep);
  apply_received_message (self, sleep);
  apply_block_device (self, sleep);
}

/* Sets kind and object of sleeps as far as events determine them. Stacks determine more once they
 * have names. If cancelled, only some sleeps are set. */
void
tb_trace_find_waits (const TbTraceInput *input, TbIntervalColumns *columns)
{
  Finder self = { .input = input, .columns = columns };
  g_auto (Cursor) syscalls = { 0 };
  g_auto (Cursor) blocks = { 0 };
  g_auto (Cursor) networks = { 0 };
  g_auto (Cursor) sleeps = { 0 };
  g_auto (Cursor) file_locks = { 0 };
  guint32 thread = TB_ID_NONE;

  cursor_init (&syscalls, input->syscalls.thread, input->syscalls.n, input->n_threads);
  cursor_init (&blocks, input->blocks.thread, input->blocks.n, input->n_threads);
  cursor_init (&networks, input->networks.thread, input->networks.n, input->n_threads);
  cursor_init (&sleeps, input->sleeps.thread, input->sleeps.n, input->n_threads);
  cursor_init (&file_locks, input->file_locks.thread, input->file_locks.n, input->n_threads);
  self.syscalls = syscalls;
  self.blocks = blocks;
  self.networks = networks;
  self.sleeps = sleeps;
  self.file_locks = file_locks;
  self.awaited = TB_ID_NONE;
  for (gsize i = 0; i < columns->n && !tb_trace_is_cancelled_at (i); i++)
    {
      if (columns->state[i] < TB_STATE_INTERRUPTIBLE || columns->kind[i] == TB_WAIT_BUSY)
        continue;
      if (columns->thread[i] != thread)
        {
          thread = columns->thread[i];
          cursor_begin (&self.syscalls, thread);
          cursor_begin (&self.blocks, thread);
          cursor_begin (&self.networks, thread);
          cursor_begin (&self.sleeps, thread);
          cursor_begin (&self.file_locks, thread);
        }
      set_kind_and_object (&self, i);
    }
}
