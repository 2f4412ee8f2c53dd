/* tb-recorder-pairing.c: pairing of the enter and exit events of interrupts, system calls and
 * function calls into one row each; those left open are closed when their thread or the recording
 * ends
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

#include <string.h>

/* An operation without an exit event is closed and counted as soon as it must have ended (a handler
 * at the next switch of its CPU, a call at the return of its caller, …). An operation without an
 * enter event begins at −1. Only operations that may really be open at the end of the recording are
 * appended at that time, with the end −1. */

#define MAX_OPEN_CALLS (1u << 20)
/* maximum number of frames that one return unwinds (longjmp, exceptions) */
#define MAX_CALL_SEARCH 128u
#define RESULT_UNKNOWN G_MININT64

void
tb_recorder_init_pairing (TbRecorder *self)
{
  self->calls.open = g_array_new (FALSE, FALSE, sizeof (TbOpenCall));
  self->calls.free = TB_ID_NONE;
  self->syscalls.open = g_array_new (FALSE, FALSE, sizeof (TbOpenSyscall));
  self->syscalls.free = TB_ID_NONE;
}

void
tb_recorder_clear_pairing (TbRecorder *self)
{
  g_clear_pointer (&self->calls.open, g_array_unref);
  g_clear_pointer (&self->syscalls.open, g_array_unref);
}

/* Interrupts */

static void
add_interrupt_row (TbRecorder *self, const TbOpenInterrupt *interrupt, guint16 cpu, gint64 exit)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_INTERRUPT, &rows);

  tb_recorder_add_order (self, TB_ORDER_INTERRUPT_EXIT, exit, 0);
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_ENTER, gint64)[i] = interrupt->enter;
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_EXIT, gint64)[i] = exit;
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_KIND, guint8)[i] = interrupt->kind;
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_VECTOR, guint32)[i] = interrupt->vector;
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_NAME, guint32)[i] = interrupt->name;
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_DEVICE, guint32)[i] = interrupt->device;
  TB_ROWS_COLUMN (rows, TB_INTERRUPT_THREAD, guint32)[i] = interrupt->thread;
}

/* Closes the handlers that are nested deeper than down_to, innermost first. */
void
tb_recorder_close_interrupts (TbRecorder *self,
                              TbCpuRecord *cpu_record,
                              guint16 cpu,
                              guint down_to,
                              gint64 time)
{
  while (cpu_record->depth > down_to)
    {
      if (!cpu_record->after_gap)
        tb_recorder_count_mismatch (self, TB_MISMATCH_INTERRUPT_OPEN);
      add_interrupt_row (self, &cpu_record->open[--cpu_record->depth], cpu, time);
    }
}

/* A handler is never switched out, except softirqs of a real-time kernel. */
void
tb_recorder_switch_interrupts (TbRecorder *self,
                               TbCpuRecord *cpu_record,
                               guint16 cpu,
                               guint host,
                               gint64 time)
{
  guint n_open = 0;

  if (G_LIKELY (cpu_record->depth == 0))
    return;
  if (self->hosts[host].realtime)
    while (n_open < cpu_record->depth && cpu_record->open[n_open].kind == TB_INTERRUPT_SOFT)
      n_open++;
  tb_recorder_close_interrupts (self, cpu_record, cpu, n_open, time);
}

static TbOpenInterrupt
describe_interrupt (TbRecorder *self,
                    const TbEvent *event,
                    const TbCpuRecord *cpu_record,
                    gboolean soft)
{
  return (TbOpenInterrupt) {
    .enter = event->time,
    .vector = (guint32) event->a,
    .name = tb_recorder_check_string (self, event->text),
    .device = soft ? TB_ID_NONE : tb_recorder_check_device (self, event->device),
    .thread = cpu_record->current,
    .kind = soft                                ? TB_INTERRUPT_SOFT
            : event->code == TB_INTERRUPT_NMI   ? TB_INTERRUPT_NMI
            : event->code == TB_INTERRUPT_TIMER ? TB_INTERRUPT_TIMER
                                                : TB_INTERRUPT_HARD,
  };
}

void
tb_recorder_enter_interrupt (TbRecorder *self, const TbEvent *event, guint16 cpu, gboolean soft)
{
  TbCpuRecord *cpu_record = tb_recorder_get_cpu_record (self, cpu);

  if (cpu_record == NULL)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_INTERRUPT_EXIT);
      return;
    }
  /* Softirqs of a CPU run one after the other. */
  if (soft && cpu_record->depth > 0
      && cpu_record->open[cpu_record->depth - 1].kind == TB_INTERRUPT_SOFT
      && !self->hosts[event->host].realtime)
    tb_recorder_close_interrupts (self, cpu_record, cpu, cpu_record->depth - 1, event->time);
  if (cpu_record->depth == TB_MAX_INTERRUPT_DEPTH)
    tb_recorder_close_interrupts (self, cpu_record, cpu, 0, event->time);
  cpu_record->open[cpu_record->depth++] = describe_interrupt (self, event, cpu_record, soft);
  tb_recorder_add_order (self, TB_ORDER_INTERRUPT_ENTER, event->time, cpu);
}

/* Text formats may omit which handler exits: it is then the innermost one. */
static gboolean
matches_exit (const TbOpenInterrupt *open, const TbOpenInterrupt *exit)
{
  gboolean bare = exit->device == TB_ID_NONE && exit->vector == 0;

  if ((open->kind == TB_INTERRUPT_SOFT) != (exit->kind == TB_INTERRUPT_SOFT))
    return FALSE;
  if (bare && exit->kind == TB_INTERRUPT_HARD)
    return TRUE;
  return open->kind == exit->kind && open->vector == exit->vector
         && (open->device == exit->device || open->device == TB_ID_NONE
             || exit->device == TB_ID_NONE);
}

/* Adds an interrupt that has an exit event only. */
static void
add_whole_interrupt (TbRecorder *self,
                     TbOpenInterrupt *interrupt,
                     const TbEvent *event,
                     guint16 cpu)
{
  if (event->b > (guint64) event->time)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_TIME);
      return;
    }
  interrupt->enter = (gint64) event->b;
  add_interrupt_row (self, interrupt, cpu, event->time);
}

void
tb_recorder_exit_interrupt (TbRecorder *self, const TbEvent *event, guint16 cpu, gboolean soft)
{
  TbCpuRecord *cpu_record = tb_recorder_get_cpu_record (self, cpu);
  TbOpenInterrupt interrupt;
  guint depth;

  if (cpu_record == NULL)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_INTERRUPT_EXIT);
      return;
    }
  interrupt = describe_interrupt (self, event, cpu_record, soft);
  if (event->b != 0)
    {
      add_whole_interrupt (self, &interrupt, event, cpu);
      return;
    }
  for (depth = cpu_record->depth; depth > 0; depth--)
    if (matches_exit (&cpu_record->open[depth - 1], &interrupt))
      break;
  if (depth > 0)
    {
      tb_recorder_close_interrupts (self, cpu_record, cpu, depth, event->time);
      cpu_record->depth = depth - 1;
      add_interrupt_row (self, &cpu_record->open[depth - 1], cpu, event->time);
      return;
    }
  if (!cpu_record->after_gap)
    tb_recorder_count_mismatch (self, TB_MISMATCH_INTERRUPT_EXIT);
  interrupt.enter = TB_TIME_NONE;
  add_interrupt_row (self, &interrupt, cpu, event->time);
}

/* System calls. A thread is in at most one. */

static void
add_syscall_row (TbRecorder *self,
                 const TbOpenSyscall *call,
                 guint32 thread,
                 gint64 exit,
                 gint64 result)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_SYSCALL, &rows);

  tb_recorder_add_order (self, TB_ORDER_SYSCALL_EXIT, exit, 0);
  TB_ROWS_COLUMN (rows, TB_SYSCALL_ENTER, gint64)[i] = call->enter;
  TB_ROWS_COLUMN (rows, TB_SYSCALL_EXIT, gint64)[i] = exit;
  TB_ROWS_COLUMN (rows, TB_SYSCALL_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_SYSCALL_NUMBER, guint32)[i] = call->name;
  for (guint arg = 0; arg < 6; arg++)
    TB_ROWS_COLUMN (rows, TB_SYSCALL_ARG0 + arg, guint64)[i] = call->args[arg];
  TB_ROWS_COLUMN (rows, TB_SYSCALL_RESULT, gint64)[i] = result;
  TB_ROWS_COLUMN (rows, TB_SYSCALL_STACK, guint32)[i] = call->stack;
}

static void
close_syscall (TbRecorder *self,
               TbThreadRecord *thread,
               guint32 thread_id,
               gint64 time,
               gint64 result)
{
  TbOpenSyscall *call = &g_array_index (self->syscalls.open, TbOpenSyscall, thread->syscall);

  add_syscall_row (self, call, thread_id, time, result);
  call->thread = TB_ID_NONE;
  call->next_free = self->syscalls.free;
  self->syscalls.free = thread->syscall;
  thread->syscall = TB_ID_NONE;
}

void
tb_recorder_enter_syscall (TbRecorder *self, const TbEvent *event, guint32 thread_id, guint32 stack)
{
  gint64 enter = event->b != 0 ? (gint64) event->b : event->time;
  TbThreadRecord *thread;
  TbOpenSyscall *call;

  if (thread_id == TB_ID_NONE || event->b > (guint64) event->time)
    {
      tb_recorder_count_mismatch (self,
                                  thread_id == TB_ID_NONE ? TB_MISMATCH_THREAD : TB_MISMATCH_TIME);
      return;
    }
  thread = &g_array_index (self->threads.records, TbThreadRecord, thread_id);
  thread->flags |= TB_THREAD_SYSCALLS;
  if (thread->syscall != TB_ID_NONE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_SYSCALL_OPEN);
      close_syscall (self, thread, thread_id, event->time, RESULT_UNKNOWN);
    }
  if (self->syscalls.free == TB_ID_NONE)
    {
      self->syscalls.free = self->syscalls.open->len;
      g_array_set_size (self->syscalls.open, self->syscalls.open->len + 1);
      g_array_index (self->syscalls.open, TbOpenSyscall, self->syscalls.free).next_free
          = TB_ID_NONE;
    }
  thread->syscall = self->syscalls.free;
  call = &g_array_index (self->syscalls.open, TbOpenSyscall, thread->syscall);
  self->syscalls.free = call->next_free;
  *call = (TbOpenSyscall) {
    .enter = enter,
    .name = tb_recorder_check_string (self, event->text),
    .stack = stack,
    .thread = thread_id,
  };
  if (event->args != NULL)
    memcpy (call->args, event->args, sizeof call->args);
  if (enter == event->time)
    tb_recorder_add_order (self, TB_ORDER_SYSCALL_ENTER, enter, thread_id);
}

void
tb_recorder_exit_syscall (TbRecorder *self, const TbEvent *event, guint32 thread_id)
{
  guint32 name = tb_recorder_check_string (self, event->text);
  TbOpenSyscall unentered = { .enter = TB_TIME_NONE, .name = name };
  TbThreadRecord *thread;

  if (thread_id == TB_ID_NONE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  thread = &g_array_index (self->threads.records, TbThreadRecord, thread_id);
  if (thread->syscall != TB_ID_NONE)
    {
      guint32 open_name = g_array_index (self->syscalls.open, TbOpenSyscall, thread->syscall).name;

      if (name == TB_STRING_NONE || open_name == name)
        {
          close_syscall (self, thread, thread_id, event->time, (gint64) event->a);
          return;
        }
      tb_recorder_count_mismatch (self, TB_MISMATCH_SYSCALL_OPEN);
      close_syscall (self, thread, thread_id, event->time, RESULT_UNKNOWN);
    }
  /* The first exit that is recorded of a thread may belong to a call that began before the
   * recording, or to the creation of the thread. */
  if (thread->flags & TB_THREAD_SYSCALLS)
    tb_recorder_count_mismatch (self, TB_MISMATCH_SYSCALL_EXIT);
  thread->flags |= TB_THREAD_SYSCALLS;
  add_syscall_row (self, &unentered, thread_id, event->time, (gint64) event->a);
}

/* Adds a system call that has one event only, at its end. The thread's open call must have ended
 * before this one began, but its exit was lost. Rows are sorted by their end, so the open call is
 * closed at the current time. */
void
tb_recorder_record_whole_syscall (TbRecorder *self,
                                  const TbEvent *event,
                                  guint32 thread_id,
                                  guint32 stack)
{
  TbOpenSyscall call = { .name = tb_recorder_check_string (self, event->text), .stack = stack };
  TbThreadRecord *thread;

  if (thread_id == TB_ID_NONE || event->args == NULL)
    {
      tb_recorder_count_mismatch (self, thread_id == TB_ID_NONE ? TB_MISMATCH_THREAD
                                                                : TB_MISMATCH_REFERENCE);
      return;
    }
  if (event->args[TB_WHOLE_SYSCALL_ENTER] > (guint64) event->time)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_TIME);
      return;
    }
  call.enter = (gint64) event->args[TB_WHOLE_SYSCALL_ENTER];
  thread = &g_array_index (self->threads.records, TbThreadRecord, thread_id);
  thread->flags |= TB_THREAD_SYSCALLS;
  if (thread->syscall != TB_ID_NONE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_SYSCALL_OPEN);
      close_syscall (self, thread, thread_id, event->time, RESULT_UNKNOWN);
    }
  memcpy (call.args, event->args, sizeof call.args);
  add_syscall_row (self, &call, thread_id, event->time,
                   (gint64) event->args[TB_WHOLE_SYSCALL_RESULT]);
}

/* Calls of probed functions: one stack per thread */

static void
add_call_row (TbRecorder *self, const TbOpenCall *call, guint32 thread, gint64 exit)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_CALL, &rows);

  tb_recorder_add_order (self, TB_ORDER_CALL_EXIT, exit, 0);
  TB_ROWS_COLUMN (rows, TB_CALL_ENTER, gint64)[i] = call->enter;
  TB_ROWS_COLUMN (rows, TB_CALL_EXIT, gint64)[i] = exit;
  TB_ROWS_COLUMN (rows, TB_CALL_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_CALL_FUNCTION, guint32)[i] = call->function;
  TB_ROWS_COLUMN (rows, TB_CALL_SITE, guint64)[i] = call->site;
  TB_ROWS_COLUMN (rows, TB_CALL_STACK, guint32)[i] = call->stack;
}

static void
pop_call (TbRecorder *self, TbThreadRecord *thread, guint32 thread_id, gint64 time)
{
  guint32 index = thread->calls;
  TbOpenCall *call = &g_array_index (self->calls.open, TbOpenCall, index);

  add_call_row (self, call, thread_id, time);
  thread->calls = call->below;
  call->below = self->calls.free;
  self->calls.free = index;
  self->calls.n_open--;
}

void
tb_recorder_enter_call (TbRecorder *self, const TbEvent *event, guint32 thread_id, guint32 stack)
{
  TbThreadRecord *thread;
  TbOpenCall *call;
  guint32 index;

  if (thread_id == TB_ID_NONE || self->calls.n_open >= MAX_OPEN_CALLS)
    {
      tb_recorder_count_mismatch (self, thread_id == TB_ID_NONE ? TB_MISMATCH_THREAD
                                                                : TB_MISMATCH_CALL_DEPTH);
      return;
    }
  if (self->calls.free == TB_ID_NONE)
    {
      self->calls.free = self->calls.open->len;
      g_array_set_size (self->calls.open, self->calls.open->len + 1);
      g_array_index (self->calls.open, TbOpenCall, self->calls.free).below = TB_ID_NONE;
    }
  index = self->calls.free;
  call = &g_array_index (self->calls.open, TbOpenCall, index);
  self->calls.free = call->below;
  self->calls.n_open++;
  thread = &g_array_index (self->threads.records, TbThreadRecord, thread_id);
  *call = (TbOpenCall) {
    .enter = event->time,
    .site = event->a,
    .function = tb_recorder_check_string (self, event->text),
    .stack = stack,
    .below = thread->calls,
  };
  thread->calls = index;
  tb_recorder_add_order (self, TB_ORDER_CALL_ENTER, event->time, thread_id);
}

void
tb_recorder_return_call (TbRecorder *self, const TbEvent *event, guint32 thread_id, guint32 stack)
{
  guint32 function = tb_recorder_check_string (self, event->text);
  TbOpenCall unentered = { .enter = TB_TIME_NONE, .function = function };
  TbThreadRecord *thread;
  guint32 found;

  if (thread_id == TB_ID_NONE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  if (event->b != 0)
    {
      TbOpenCall whole
          = { .enter = (gint64) event->b, .site = event->a, .function = function, .stack = stack };

      if (event->b > (guint64) event->time)
        tb_recorder_count_mismatch (self, TB_MISMATCH_TIME);
      else
        add_call_row (self, &whole, thread_id, event->time);
      return;
    }
  thread = &g_array_index (self->threads.records, TbThreadRecord, thread_id);
  found = thread->calls;
  for (guint depth = 0; found != TB_ID_NONE && function != TB_STRING_NONE; depth++)
    {
      const TbOpenCall *call = &g_array_index (self->calls.open, TbOpenCall, found);

      if (call->function == function)
        break;
      found = depth < MAX_CALL_SEARCH ? call->below : TB_ID_NONE;
    }
  if (found == TB_ID_NONE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_CALL_RETURN);
      add_call_row (self, &unentered, thread_id, event->time);
      return;
    }
  while (thread->calls != found)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_CALL_OPEN);
      pop_call (self, thread, thread_id, event->time);
    }
  pop_call (self, thread, thread_id, event->time);
}

/* The thread ends, or with calls_only its program. All its open operations end with it. */
void
tb_recorder_close_thread (TbRecorder *self, guint32 thread_id, gint64 time, gboolean calls_only)
{
  TbThreadRecord *thread = &g_array_index (self->threads.records, TbThreadRecord, thread_id);

  while (thread->calls != TB_ID_NONE)
    pop_call (self, thread, thread_id, time);
  if (!calls_only && thread->syscall != TB_ID_NONE)
    close_syscall (self, thread, thread_id, time, RESULT_UNKNOWN);
}

typedef struct
{
  gint64 enter;
  guint32 thread;
  guint32 call; /* TB_ID_NONE: the thread's system call */
} Open;

static int
compare_open (gconstpointer a, gconstpointer b)
{
  const Open *open_a = a;
  const Open *open_b = b;

  if (open_a->enter != open_b->enter)
    return open_a->enter < open_b->enter ? -1 : 1;
  return open_a->thread < open_b->thread ? -1 : open_a->thread > open_b->thread;
}

/* Appends the operations that are open at the end, in the order in which they began. */
void
tb_recorder_finish_pairing (TbRecorder *self)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Open));

  for (guint cpu = 0; cpu < TB_CPU_ALL; cpu++)
    while (self->cpus[cpu] != NULL && self->cpus[cpu]->depth > 0)
      add_interrupt_row (self, &self->cpus[cpu]->open[--self->cpus[cpu]->depth], cpu, TB_TIME_NONE);
  for (guint32 id = 0; id < self->threads.records->len; id++)
    {
      const TbThreadRecord *thread = &g_array_index (self->threads.records, TbThreadRecord, id);

      for (guint32 call = thread->calls; call != TB_ID_NONE;)
        {
          Open open = { g_array_index (self->calls.open, TbOpenCall, call).enter, id, call };

          g_array_append_val (all, open);
          call = g_array_index (self->calls.open, TbOpenCall, call).below;
        }
      if (thread->syscall != TB_ID_NONE)
        {
          Open open = { g_array_index (self->syscalls.open, TbOpenSyscall, thread->syscall).enter,
                        id, TB_ID_NONE };

          g_array_append_val (all, open);
        }
    }
  g_array_sort (all, compare_open);
  for (guint i = 0; i < all->len; i++)
    {
      const Open *open = &g_array_index (all, Open, i);
      TbThreadRecord *thread = &g_array_index (self->threads.records, TbThreadRecord, open->thread);

      if (open->call != TB_ID_NONE)
        add_call_row (self, &g_array_index (self->calls.open, TbOpenCall, open->call), open->thread,
                      TB_TIME_NONE);
      else
        close_syscall (self, thread, open->thread, TB_TIME_NONE, RESULT_UNKNOWN);
    }
}
