/* tb-recorder.c: turns a flow of events into a session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/tb-recorder-private.h"
#include "session/tb-schema-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * TbRecorder:
 *
 * Takes events from a collector or importer and makes a session of them: brings them into order, finds out which thread a
 * number means, pairs beginnings with ends, keeps each string, stack and frame once.
 *
 * What contradicts what is known is recorded all the same, counted in #TbRecorderStatistics and told in a warning of the
 * session.
 */

G_DEFINE_FINAL_TYPE (TbRecorder, tb_recorder, G_TYPE_OBJECT)

#define COMMIT_INTERVAL_US G_USEC_PER_SEC
#define EVENTS_BETWEEN_LOOKS_AT_THE_CLOCK 8192u
#define LOST_ROWS_HELD 4096u
#define LOST_ROWS_HELD_US (10 * G_USEC_PER_SEC)

static const char *const mismatch_texts[TB_N_MISMATCHES] = {
  [TB_MISMATCH_LATE] = N_ ("Events that came later than their time allows, kept at the time they came"),
  [TB_MISMATCH_TIME] = N_ ("Events with an impossible time, left out"),
  [TB_MISMATCH_KIND] = N_ ("Events of an unknown kind, left out"),
  [TB_MISMATCH_HOST] = N_ ("Events of a host or cpu that was not announced"),
  [TB_MISMATCH_THREAD] = N_ ("Events of a thread that is not known, left out"),
  [TB_MISMATCH_PREV]
  = N_ ("Switches from a thread that was not known to run there, so that what it did before is unknown"),
  [TB_MISMATCH_DEAD] = N_ ("Threads that ran after their end, taken for new ones"),
  [TB_MISMATCH_EXIT] = N_ ("Exits of threads that were not known to live"),
  [TB_MISMATCH_FORK] = N_ ("Forks of threads that were still known to live"),
  [TB_MISMATCH_INTERRUPT_EXIT] = N_ ("Interrupts that ended without a beginning"),
  [TB_MISMATCH_INTERRUPT_OPEN] = N_ ("Interrupts without an end, ended where they must have been over"),
  [TB_MISMATCH_SYSCALL_EXIT] = N_ ("System calls that ended without a beginning"),
  [TB_MISMATCH_SYSCALL_OPEN] = N_ ("System calls without an end, ended at the thread's next one"),
  [TB_MISMATCH_CALL_RETURN] = N_ ("Function calls that returned without a beginning"),
  [TB_MISMATCH_CALL_OPEN] = N_ ("Function calls without a return, ended with their caller"),
  [TB_MISMATCH_CALL_DEPTH] = N_ ("Function calls left out because too many are open"),
  [TB_MISMATCH_BLOCK_COMPLETE] = N_ ("Block requests that completed without having been seen before"),
  [TB_MISMATCH_BLOCK_OPEN] = N_ ("Block requests left out because too many are open"),
  [TB_MISMATCH_LOST_RANGE] = N_ ("Ranges of lost events that begin later than told"),
  [TB_MISMATCH_REFERENCE] = N_ ("References to strings, devices, modules or stacks that do not exist"),
  [TB_MISMATCH_MAPPINGS] = N_ ("Memory mappings left out because there are too many"),
};

static void
tb_recorder_finalize (GObject *object)
{
  TbRecorder *self = TB_RECORDER (object);

  if (self->stacks != NULL)
    {
      tb_recorder_free_stacks (self);
      tb_recorder_free_block (self);
      tb_recorder_clear_pairing (self);
      tb_recorder_clear_identity (self);
    }
  tb_recorder_free_rows (self);
  tb_window_clear (&self->window);
  g_clear_pointer (&self->modules, g_array_unref);
  g_clear_pointer (&self->devices, g_array_unref);
  g_clear_pointer (&self->lost, g_array_unref);
  g_clear_pointer (&self->string_offsets, g_array_unref);
  g_free (self->string_text);
  tb_slots_clear (&self->strings);
  tb_slots_clear (&self->modules_by_key);
  tb_slots_clear (&self->devices_by_name);
  g_clear_pointer (&self->writer, tb_session_writer_free);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (tb_recorder_parent_class)->finalize (object);
}

static void
tb_recorder_class_init (TbRecorderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_recorder_finalize;
  tb_hash_init ();
}

static void
tb_recorder_init (TbRecorder *self)
{
  g_mutex_init (&self->mutex);
  self->range_from = self->range_to = TB_TIME_NONE;
  self->statistics.first_time = self->statistics.last_time = TB_TIME_NONE;
  self->published = self->statistics;
}

/**
 * tb_recorder_new:
 * @file: where the session is to be
 * @overwrite: whether a file that is there may be replaced, which happens at the first commit
 * @error: return location
 *
 * Nothing is written before the first tb_recorder_advance() that has events to write.
 *
 * Returns: (transfer full): a recorder, or %NULL with an error of %TB_SESSION_ERROR
 */
TbRecorder *
tb_recorder_new (GFile *file, gboolean overwrite, GError **error)
{
  g_autoptr (TbRecorder) self = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  self = g_object_new (TB_TYPE_RECORDER, NULL);
  self->writer = tb_session_writer_new (file, overwrite, error);
  if (self->writer == NULL)
    return NULL;
  self->lost = g_array_new (FALSE, FALSE, sizeof (TbLostRow));
  tb_recorder_init_strings (self);
  tb_recorder_init_identity (self);
  tb_recorder_init_stacks (self);
  tb_recorder_init_pairing (self);
  tb_recorder_init_block (self);
  return g_steal_pointer (&self);
}

/**
 * tb_recorder_set_fact:
 * @self: a recorder
 * @key: its name, see tb_session_get_fact()
 * @value: (nullable): its value, %NULL removes it
 *
 * Tells a fact about the recording as a whole.
 */
void
tb_recorder_set_fact (TbRecorder *self, const char *key, const char *value)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (key != NULL);

  tb_session_writer_put_fact (self->writer, key, value);
}

/**
 * tb_recorder_add_host:
 * @self: a recorder
 * @name: its name
 * @kernel: (nullable): release and version of its kernel
 * @machine: (nullable): its architecture
 * @n_cpus: how many cpus it has, 0 unknown
 * @clock_bound_ns: how far its clock may be off that of the first host
 *
 * Announces a host, before its events. The cpus of the next host follow this one's.
 *
 * Returns: its id, for @host of #TbEvent; there can be 256
 */
guint32
tb_recorder_add_host (TbRecorder *self,
                      const char *name,
                      const char *kernel,
                      const char *machine,
                      guint n_cpus,
                      gint64 clock_bound_ns)
{
  TbHostRecord *host;
  guint first_cpu = 0;

  g_return_val_if_fail (TB_IS_RECORDER (self), 0);

  if (self->n_hosts == G_N_ELEMENTS (self->hosts))
    {
      tb_recorder_mismatch (self, TB_MISMATCH_HOST);
      return self->n_hosts - 1;
    }
  if (self->n_hosts > 0)
    {
      const TbHostRecord *previous = &self->hosts[self->n_hosts - 1];

      first_cpu = MIN (previous->first_cpu + MAX (previous->n_cpus, previous->seen_cpus), TB_CPU_ALL);
    }
  host = &self->hosts[self->n_hosts];
  *host = (TbHostRecord) {
    .name = g_utf8_make_valid (name != NULL ? name : "", -1),
    .kernel = g_utf8_make_valid (kernel != NULL ? kernel : "", -1),
    .machine = g_utf8_make_valid (machine != NULL ? machine : "", -1),
    .n_cpus = MIN (n_cpus, TB_CPU_ALL),
    .first_cpu = first_cpu,
    .clock_bound_ns = clock_bound_ns,
  };
  host->realtime = strstr (host->kernel, "PREEMPT_RT") != NULL || strstr (host->kernel, "-rt") != NULL;
  return self->n_hosts++;
}

/**
 * tb_recorder_add_warning:
 * @self: a recorder
 * @format: one line: what happened, what follows from it, what to do
 * @...: its arguments
 *
 * Adds a warning that everybody sees who opens the session.
 */
void
tb_recorder_add_warning (TbRecorder *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (format != NULL);

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  tb_session_writer_put_warning (self->writer, text);
}

/**
 * tb_recorder_add:
 * @self: a recorder
 * @event: what happened; it is copied, its chain and arguments are not
 *
 * Takes an event. Nothing is done with it before the tb_recorder_advance() that passes its time.
 */
void
tb_recorder_add (TbRecorder *self, const TbEvent *event)
{
  TbEvent changed;

  g_return_if_fail (event != NULL);

  if (G_UNLIKELY (self->error != NULL || self->closed))
    return;
  if (G_UNLIKELY (self->n_hosts == 0))
    tb_recorder_add_host (self, "", NULL, NULL, 0, 0);
  if (G_UNLIKELY (event->kind >= TB_N_EVENT_KINDS || event->time < 0 || event->time > TB_TIME_LIMIT))
    {
      tb_recorder_mismatch (self, event->kind >= TB_N_EVENT_KINDS ? TB_MISMATCH_KIND : TB_MISMATCH_TIME);
      return;
    }
  if (G_UNLIKELY (event->host >= self->n_hosts || event->time < self->advanced))
    {
      changed = *event;
      if (event->host >= self->n_hosts)
        {
          tb_recorder_mismatch (self, TB_MISMATCH_HOST);
          changed.host = 0;
        }
      if (event->time < self->advanced)
        {
          tb_recorder_mismatch (self, TB_MISMATCH_LATE);
          changed.time = self->advanced;
        }
      event = &changed;
    }
  if (G_UNLIKELY (!tb_window_add (&self->window, event)))
    self->error = g_error_new_literal (
        G_IO_ERROR, G_IO_ERROR_NO_SPACE,
        _ ("Too many events wait to be brought into order: the source does not advance"));
}

static void
record_switch (TbRecorder *self, const TbEvent *event, guint16 cpu, TbCpuRecord *cpu_record)
{
  gint32 next_tid = event->a <= G_MAXINT32 ? (gint32) event->a : -1;
  gint32 next_pid = event->b <= G_MAXINT32 ? (gint32) event->b : -1;
  guint32 prev, next, stack;
  TbRows *rows;
  guint i;

  if (event->tid == next_tid)
    return; /* it only tells that the recording reaches so far */
  prev = tb_recorder_get_next_thread (self, event->host, event->tid, event->pid);
  if (prev == TB_ID_NONE && cpu_record != NULL)
    prev = cpu_record->current;
  stack = tb_recorder_get_stack (self, event, prev);
  if (cpu_record != NULL)
    {
      tb_recorder_switch_interrupts (self, cpu_record, cpu, event->host, event->time);
      if (cpu_record->current != prev && cpu_record->current != TB_ID_NONE)
        tb_recorder_mismatch (self, TB_MISMATCH_PREV);
      cpu_record->after_gap = FALSE;
    }
  if (prev != TB_ID_NONE && (event->code == 'X' || event->code == 'Z'))
    tb_recorder_bury_thread (self, prev, event->time);
  next = tb_recorder_get_next_thread (self, event->host, next_tid, next_pid);
  if (cpu_record != NULL)
    cpu_record->current = next;
  if (G_UNLIKELY (prev == TB_ID_NONE || next == TB_ID_NONE))
    {
      tb_recorder_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  i = tb_recorder_add_row (self, TB_TABLE_SWITCH, &rows);
  TB_ROWS_COLUMN (rows, TB_SWITCH_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_SWITCH_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_SWITCH_PREV, guint32)[i] = prev;
  TB_ROWS_COLUMN (rows, TB_SWITCH_NEXT, guint32)[i] = next;
  TB_ROWS_COLUMN (rows, TB_SWITCH_PREV_STATE, guint8)[i] = event->code;
  TB_ROWS_COLUMN (rows, TB_SWITCH_STACK, guint32)[i] = stack;
}

/* The order of events at one time is lost in the tables, so the context is kept with the waking. */
static guint8
get_context_flags (const TbCpuRecord *cpu_record)
{
  if (cpu_record == NULL || cpu_record->depth == 0)
    return 0;
  return cpu_record->open[cpu_record->depth - 1].kind == TB_INTERRUPT_SOFT ? TB_WAKEUP_SOFTIRQ
                                                                           : TB_WAKEUP_HARDIRQ;
}

static void
record_wakeup (TbRecorder *self, const TbEvent *event, guint16 cpu, TbCpuRecord *cpu_record)
{
  gint32 wakee_tid = event->a <= G_MAXINT32 ? (gint32) event->a : -1;
  guint32 waker = tb_recorder_get_thread (self, event->host, event->tid, event->pid);
  guint32 wakee, stack;
  guint8 flags = event->flags;
  TbRows *rows;
  guint i;

  if (flags & TB_WAKEUP_NEW)
    wakee = tb_recorder_get_next_thread (self, event->host, wakee_tid, -1);
  else
    wakee = tb_recorder_get_thread (self, event->host, wakee_tid, -1);
  if (waker == TB_ID_NONE && cpu_record != NULL && (flags & TB_WAKEUP_LATE) == 0)
    waker = cpu_record->current;
  if ((flags & (TB_WAKEUP_LATE | TB_WAKEUP_HARDIRQ | TB_WAKEUP_SOFTIRQ)) == 0)
    flags |= get_context_flags (cpu_record);
  if (G_UNLIKELY (wakee == TB_ID_NONE))
    {
      tb_recorder_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  stack = tb_recorder_get_stack (self, event, waker);
  i = tb_recorder_add_row (self, TB_TABLE_WAKEUP, &rows);
  TB_ROWS_COLUMN (rows, TB_WAKEUP_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_WAKER, guint32)[i] = waker;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_WAKEE, guint32)[i] = wakee;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_FLAGS, guint8)[i] = flags;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_STACK, guint32)[i] = stack;
}

static void
record_sample (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 thread, guint32 stack)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_SAMPLE, &rows);

  TB_ROWS_COLUMN (rows, TB_SAMPLE_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_WEIGHT, guint64)[i] = event->a;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_STACK, guint32)[i] = stack;
}

static void
record_network (TbRecorder *self,
                const TbEvent *event,
                guint16 cpu,
                const TbCpuRecord *cpu_record,
                guint32 thread,
                guint32 stack)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_NETWORK, &rows);

  /* Whoever was interrupted has nothing to do with it. */
  if (cpu_record != NULL && cpu_record->depth > 0 && thread == cpu_record->current)
    thread = TB_ID_NONE;
  TB_ROWS_COLUMN (rows, TB_NETWORK_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_NETWORK_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_NETWORK_KIND, guint8)[i] = event->kind - TB_EVENT_NET_SEND + TB_NETWORK_SEND;
  TB_ROWS_COLUMN (rows, TB_NETWORK_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_NETWORK_SOCKET, guint64)[i] = event->a;
  TB_ROWS_COLUMN (rows, TB_NETWORK_PROTOCOL, guint32)[i] = tb_recorder_check_string (self, event->text);
  TB_ROWS_COLUMN (rows, TB_NETWORK_LOCAL, guint32)[i] = tb_recorder_check_string (self, event->text3);
  TB_ROWS_COLUMN (rows, TB_NETWORK_REMOTE, guint32)[i] = tb_recorder_check_string (self, event->text2);
  TB_ROWS_COLUMN (rows, TB_NETWORK_BYTES, guint64)[i] = event->b;
  TB_ROWS_COLUMN (rows, TB_NETWORK_STACK, guint32)[i] = stack;
}

static void
record_mark (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 thread, guint32 stack)
{
  guint8 kind = event->kind == TB_EVENT_SPIN_BEGIN     ? TB_MARK_SPIN_BEGIN
                : event->kind == TB_EVENT_SPIN_END     ? TB_MARK_SPIN_END
                : event->kind == TB_EVENT_FALSE_WAKEUP ? TB_MARK_FALSE_WAKEUP
                                                       : TB_MARK_NOTE;
  guint32 other = TB_ID_NONE;
  TbRows *rows;
  guint i;

  if (kind == TB_MARK_SPIN_END && event->a <= G_MAXINT32)
    other = tb_recorder_get_thread (self, event->host, (gint32) event->a, -1);
  i = tb_recorder_add_row (self, TB_TABLE_MARK, &rows);
  TB_ROWS_COLUMN (rows, TB_MARK_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_MARK_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_MARK_KIND, guint8)[i] = kind;
  TB_ROWS_COLUMN (rows, TB_MARK_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_MARK_OTHER, guint32)[i] = other;
  TB_ROWS_COLUMN (rows, TB_MARK_NAME, guint32)[i] = tb_recorder_check_string (self, event->text);
  TB_ROWS_COLUMN (rows, TB_MARK_VALUE, guint32)[i] = tb_recorder_check_string (self, event->text2);
  TB_ROWS_COLUMN (rows, TB_MARK_STACK, guint32)[i] = stack;
}

/* What runs on a cpu, and in which handler, is not known behind a gap. */
static void
forget_cpu (TbRecorder *self, guint16 cpu, gint64 time)
{
  TbCpuRecord *cpu_record = self->cpus[cpu];

  if (cpu_record == NULL)
    return;
  cpu_record->after_gap = TRUE;
  cpu_record->current = TB_ID_NONE;
  tb_recorder_close_interrupts (self, cpu_record, cpu, 0, time);
}

static void
record_lost (TbRecorder *self, const TbEvent *event, guint16 cpu)
{
  TbLostRow row = { .to = event->time, .count = event->a, .order = self->lost_order++, .cpu = cpu };

  row.from = (gint64) MIN (event->b, (guint64) event->time);
  self->statistics.lost += event->a;
  if (self->lost->len == 0)
    self->lost_since = g_get_monotonic_time ();
  g_array_append_val (self->lost, row);
  if (cpu != TB_CPU_ALL)
    forget_cpu (self, cpu, event->time);
  else
    for (guint i = 0; i < TB_CPU_ALL; i++)
      forget_cpu (self, i, event->time);
}

static int
compare_lost (gconstpointer a, gconstpointer b)
{
  const TbLostRow *row_a = a;
  const TbLostRow *row_b = b;

  if (row_a->from != row_b->from)
    return row_a->from < row_b->from ? -1 : 1;
  return row_a->order < row_b->order ? -1 : row_a->order > row_b->order;
}

/* The table is sorted by the beginning of the range, which comes to be known at its end: so rows are held back for a
 * while. A range that turns up later yet is cut at its front, which is counted. */
static void
write_lost_rows (TbRecorder *self, gboolean all)
{
  if (self->lost->len == 0
      || (!all && self->lost->len < LOST_ROWS_HELD
          && g_get_monotonic_time () - self->lost_since < LOST_ROWS_HELD_US))
    return;
  g_array_sort (self->lost, compare_lost);
  for (guint n = 0; n < self->lost->len; n++)
    {
      TbLostRow *row = &g_array_index (self->lost, TbLostRow, n);
      TbRows *rows;
      guint i = tb_recorder_add_row (self, TB_TABLE_LOST, &rows);

      if (row->from < self->lost_written)
        {
          tb_recorder_mismatch (self, TB_MISMATCH_LOST_RANGE);
          row->from = self->lost_written;
        }
      self->lost_written = row->from;
      TB_ROWS_COLUMN (rows, TB_LOST_FROM, gint64)[i] = row->from;
      TB_ROWS_COLUMN (rows, TB_LOST_TO, gint64)[i] = MAX (row->from, row->to);
      TB_ROWS_COLUMN (rows, TB_LOST_CPU, guint16)[i] = row->cpu;
      TB_ROWS_COLUMN (rows, TB_LOST_COUNT, guint64)[i] = row->count;
    }
  g_array_set_size (self->lost, 0);
}

/* In whose context it happened: whom the event names, else who runs on its cpu. */
static inline guint32
get_actor (TbRecorder *self, const TbEvent *event, const TbCpuRecord *cpu_record)
{
  guint32 thread = tb_recorder_get_thread (self, event->host, event->tid, event->pid);

  if (thread == TB_ID_NONE && cpu_record != NULL)
    thread = cpu_record->current;
  return thread;
}

/* Events of the threads' and processes' lives. */
static void
record_life (TbRecorder *self, const TbEvent *event, guint16 cpu)
{
  guint32 stack = TB_STACK_NONE;

  if (event->n_chain > 0 || event->stack != TB_STACK_NONE)
    stack = tb_recorder_get_stack (self, event,
                                   tb_recorder_get_thread (self, event->host, event->tid, event->pid));
  switch (event->kind)
    {
    case TB_EVENT_FORK:
      tb_recorder_fork (self, event, cpu, stack);
      break;
    case TB_EVENT_EXIT:
      tb_recorder_exit (self, event, cpu, stack);
      break;
    case TB_EVENT_NAME:
      tb_recorder_name (self, event, cpu, stack);
      break;
    case TB_EVENT_PROCESS_NAME:
      tb_recorder_name_process (self, event);
      break;
    case TB_EVENT_EXISTING:
      tb_recorder_list (self, event, cpu);
      break;
    case TB_EVENT_COMMAND:
      tb_recorder_command (self, event);
      break;
    case TB_EVENT_EXEC:
      tb_recorder_exec (self, event, cpu, stack);
      break;
    default:
      tb_recorder_map (self, event);
      break;
    }
}

/* Events of what a thread does. */
static void
record_deed (TbRecorder *self, const TbEvent *event, guint16 cpu, const TbCpuRecord *cpu_record)
{
  guint32 thread = get_actor (self, event, cpu_record);
  guint32 stack = tb_recorder_get_stack (self, event, thread);

  switch (event->kind)
    {
    case TB_EVENT_SAMPLE:
      record_sample (self, event, cpu, thread, stack);
      break;
    case TB_EVENT_IO_INSERT:
    case TB_EVENT_IO_ISSUE:
    case TB_EVENT_IO_COMPLETE:
      tb_recorder_block (self, event, thread, cpu, stack);
      break;
    case TB_EVENT_NET_SEND:
    case TB_EVENT_NET_RECEIVE:
    case TB_EVENT_NET_CONNECT:
    case TB_EVENT_NET_ACCEPT:
      record_network (self, event, cpu, cpu_record, thread, stack);
      break;
    case TB_EVENT_SYS_ENTER:
      tb_recorder_enter_syscall (self, event, thread, stack);
      break;
    case TB_EVENT_SYS_EXIT:
      tb_recorder_exit_syscall (self, event, thread);
      break;
    case TB_EVENT_CALL:
      tb_recorder_enter_call (self, event, thread, stack);
      break;
    case TB_EVENT_RETURN:
      tb_recorder_return_call (self, event, thread);
      break;
    default:
      record_mark (self, event, cpu, thread, stack);
      break;
    }
}

static void
record_event (TbRecorder *self, const TbEvent *event)
{
  guint16 cpu = tb_recorder_get_cpu (self, event);
  TbCpuRecord *cpu_record = tb_recorder_get_cpu_record (self, cpu);

  switch (event->kind)
    {
    case TB_EVENT_SWITCH:
      record_switch (self, event, cpu, cpu_record);
      break;
    case TB_EVENT_WAKEUP:
      record_wakeup (self, event, cpu, cpu_record);
      break;
    case TB_EVENT_IRQ_ENTRY:
    case TB_EVENT_SOFTIRQ_ENTRY:
      tb_recorder_enter_interrupt (self, event, cpu, event->kind == TB_EVENT_SOFTIRQ_ENTRY);
      break;
    case TB_EVENT_IRQ_EXIT:
    case TB_EVENT_SOFTIRQ_EXIT:
      tb_recorder_exit_interrupt (self, event, cpu, event->kind == TB_EVENT_SOFTIRQ_EXIT);
      break;
    case TB_EVENT_LOST:
      record_lost (self, event, cpu);
      break;
    case TB_EVENT_FORK:
    case TB_EVENT_EXIT:
    case TB_EVENT_NAME:
    case TB_EVENT_PROCESS_NAME:
    case TB_EVENT_EXISTING:
    case TB_EVENT_COMMAND:
    case TB_EVENT_EXEC:
    case TB_EVENT_MAPPING:
      record_life (self, event, cpu);
      break;
    default:
      record_deed (self, event, cpu, cpu_record);
      break;
    }
}

/* What only lists how things stood does not lengthen the recording. */
static inline gboolean
is_listing (guint8 kind)
{
  return kind == TB_EVENT_EXISTING || kind == TB_EVENT_COMMAND || kind == TB_EVENT_MAPPING
         || kind == TB_EVENT_PROCESS_NAME;
}

static void
put_number (TbRecorder *self, const char *key, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  tb_session_writer_put_fact (self->writer, key, text);
}

static void
put_range (TbRecorder *self)
{
  gint64 from = self->range_from;
  gint64 to = self->range_to;

  if (self->statistics.first_time != TB_TIME_NONE)
    {
      from = from == TB_TIME_NONE ? self->statistics.first_time : MIN (from, self->statistics.first_time);
      to = MAX (to, self->statistics.last_time);
    }
  if (from == TB_TIME_NONE)
    return;
  put_number (self, TB_FACT_RANGE_FROM, from);
  put_number (self, TB_FACT_RANGE_TO, to);
}

static gboolean
flush (TbRecorder *self, gboolean finish)
{
  write_lost_rows (self, finish);
  tb_recorder_put_identity (self, finish);
  put_range (self);
  if (self->statistics.mismatched > 0)
    put_number (self, "mismatched-events", (gint64) MIN (self->statistics.mismatched, G_MAXINT64));
  for (TbTableKind kind = 0; kind < TB_TABLE_INTERVAL; kind++)
    tb_recorder_flush_rows (self, kind);
  return self->error == NULL;
}

static gboolean
commit_if_due (TbRecorder *self)
{
  gint64 now = g_get_monotonic_time ();

  if (self->error != NULL)
    return FALSE;
  if (self->committed && now - self->last_commit < COMMIT_INTERVAL_US)
    return TRUE;
  self->last_commit = now;
  self->committed = TRUE;
  return flush (self, FALSE) && tb_session_writer_commit (self->writer, &self->error);
}

static void
publish_statistics (TbRecorder *self)
{
  g_mutex_lock (&self->mutex);
  self->published = self->statistics;
  g_mutex_unlock (&self->mutex);
}

static gboolean
fail (TbRecorder *self, GError **error)
{
  if (self->error == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, _ ("The recording has been finished"));
  else if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}

/* How many events the work runs ahead of itself to bring their memory near. */
#define EVENTS_AHEAD 16u

typedef struct
{
  const TbEvent *event;
  guint64 chain_hash[2];
} Prepared;

static void
record_prepared (TbRecorder *self, const Prepared *prepared)
{
  const TbEvent *event = prepared->event;

  if (!is_listing (event->kind))
    {
      if (self->statistics.first_time == TB_TIME_NONE)
        self->statistics.first_time = event->time;
      self->statistics.last_time = event->time;
    }
  self->statistics.events++;
  self->chain_hash[0] = prepared->chain_hash[0];
  self->chain_hash[1] = prepared->chain_hash[1];
  record_event (self, event);
}

/* Takes events before the limit until there is none, or something fails. */
static void
drain (TbRecorder *self, gint64 limit)
{
  Prepared ahead[EVENTS_AHEAD];
  guint64 n_prepared = 0, n_recorded = 0;
  const TbEvent *events;
  guint n;

  while (self->error == NULL && (events = tb_window_take (&self->window, limit, &n)) != NULL)
    for (guint i = 0; i < n; i++)
      {
        Prepared *next = &ahead[n_prepared % EVENTS_AHEAD];

        if (n_prepared - n_recorded == EVENTS_AHEAD)
          {
            record_prepared (self, next);
            if (++n_recorded % EVENTS_BETWEEN_LOOKS_AT_THE_CLOCK == 0)
              {
                publish_statistics (self);
                commit_if_due (self);
              }
          }
        next->event = &events[i];
        tb_recorder_prepare_stack (self, next->event, next->chain_hash);
        n_prepared++;
      }
  while (n_recorded < n_prepared)
    record_prepared (self, &ahead[n_recorded++ % EVENTS_AHEAD]);
  tb_window_trim (&self->window);
}

/**
 * tb_recorder_advance:
 * @self: a recorder
 * @time: no event before it will follow
 * @error: return location
 *
 * Records the events before @time. Memory is proportional to the events that wait, so call it often: every few thousand
 * events, or whenever all buffers of the source have been drained once.
 *
 * Returns: %FALSE after a failure of the file; what was committed stays, and every later call fails at once
 */
gboolean
tb_recorder_advance (TbRecorder *self, gint64 time, GError **error)
{
  g_return_val_if_fail (TB_IS_RECORDER (self), FALSE);

  if (self->error != NULL || self->closed)
    return fail (self, error);
  if (time > self->advanced)
    {
      drain (self, time);
      self->advanced = time;
    }
  publish_statistics (self);
  if (!commit_if_due (self))
    return fail (self, error);
  return TRUE;
}

/**
 * tb_recorder_set_range:
 * @self: a recorder
 * @from: when the recording began
 * @to: when it ended
 *
 * Tells the range that was recorded; events outside it widen it.
 */
void
tb_recorder_set_range (TbRecorder *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (from >= 0 && to >= from);

  self->range_from = from;
  self->range_to = to;
}

/**
 * tb_recorder_get_statistics:
 * @self: a recorder
 * @statistics: (out caller-allocates): how far it is
 *
 * Callable from any thread.
 */
void
tb_recorder_get_statistics (TbRecorder *self, TbRecorderStatistics *statistics)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (statistics != NULL);

  g_mutex_lock (&self->mutex);
  *statistics = self->published;
  g_mutex_unlock (&self->mutex);
  statistics->bytes = tb_session_writer_get_bytes (self->writer);
}

static void
put_mismatch_warnings (TbRecorder *self)
{
  for (guint i = 0; i < TB_N_MISMATCHES; i++)
    if (self->mismatches[i] > 0)
      tb_recorder_add_warning (self, "%s: %" G_GUINT64_FORMAT, _ (mismatch_texts[i]), self->mismatches[i]);
  if (self->strings_dropped > 0)
    tb_recorder_add_warning (self, "%s: %" G_GUINT64_FORMAT,
                             _ ("Texts left out because the recording has too many different ones"),
                             self->strings_dropped);
}

/**
 * tb_recorder_finish:
 * @self: a recorder
 * @error: return location
 *
 * Records what waits, appends what is still open, and closes the session into one file. The recorder takes nothing more.
 *
 * Returns: whether the whole recording is in the file
 */
gboolean
tb_recorder_finish (TbRecorder *self, GError **error)
{
  g_return_val_if_fail (TB_IS_RECORDER (self), FALSE);

  if (self->error != NULL || self->closed)
    return fail (self, error);
  if (self->n_hosts == 0)
    tb_recorder_add_host (self, "", NULL, NULL, 0, 0);
  drain (self, G_MAXINT64);
  tb_recorder_finish_pairing (self);
  tb_recorder_finish_block (self);
  put_mismatch_warnings (self);
  publish_statistics (self);
  if (!flush (self, TRUE) || !tb_session_writer_close (self->writer, &self->error))
    return fail (self, error);
  self->closed = TRUE;
  return TRUE;
}

/**
 * tb_recorder_abandon:
 * @self: a recorder
 *
 * Gives the recording up: removes the file if it is this recording's. The recorder takes nothing more.
 */
void
tb_recorder_abandon (TbRecorder *self)
{
  g_return_if_fail (TB_IS_RECORDER (self));

  if (self->closed)
    return;
  self->closed = TRUE;
  tb_session_writer_abandon (self->writer);
}
