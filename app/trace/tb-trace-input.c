/* tb-trace-input.c: event tables of a session as arrays, with the kinds of threads, devices and
 * system calls, loaded for the builder of intervals
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-input-private.h"
#include "trace/tb-trace-simultaneous-private.h"

/* Whether the table is also read after the pass over the events. */
static gboolean
is_read_later (TbTableKind kind)
{
  return kind == TB_TABLE_SYSCALL || kind == TB_TABLE_BLOCK || kind == TB_TABLE_NETWORK
         || kind == TB_TABLE_SLEEP || kind == TB_TABLE_FILE_LOCK;
}

static gboolean
load_column (TbSessionInput *self,
             TbTable *table,
             guint column,
             gconstpointer *data,
             GError **error)
{
  GBytes *bytes = tb_table_get_column (table, column, error);

  if (bytes == NULL)
    return FALSE;
  g_ptr_array_add (is_read_later (tb_table_get_kind (table)) ? self->bytes : self->pass_columns,
                   bytes);
  *data = g_bytes_get_data (bytes, NULL);
  return TRUE;
}

typedef struct
{
  guint column;
  gsize offset; /* offset of the pointer in the input */
} Wanted;

static gboolean
load_table (TbSessionInput *self,
            TbSession *session,
            TbTableKind kind,
            gsize n_offset,
            const Wanted *wanted,
            guint n_wanted,
            GError **error)
{
  TbTable *table = tb_session_get_table (session, kind);
  gsize n = tb_table_get_n_rows (table);

  for (guint i = 0; i < n_wanted && n > 0; i++)
    if (!load_column (self, table, wanted[i].column,
                      (gconstpointer *) ((char *) &self->input + wanted[i].offset), error))
      return FALSE;
  *(gsize *) ((char *) &self->input + n_offset) = n;
  return TRUE;
}

#define FIELD(name) offsetof (TbTraceInput, name)
#define LOAD(kind, columns)                                                                        \
  load_table (self, session, kind, FIELD (columns.n), columns##_wanted,                            \
              G_N_ELEMENTS (columns##_wanted), error)

static const Wanted switches_wanted[] = {
  { TB_SWITCH_TIME, FIELD (switches.time) },
  { TB_SWITCH_CPU, FIELD (switches.cpu) },
  { TB_SWITCH_PREV, FIELD (switches.prev) },
  { TB_SWITCH_NEXT, FIELD (switches.next) },
  { TB_SWITCH_PREV_STATE, FIELD (switches.prev_state) },
  { TB_SWITCH_STACK, FIELD (switches.stack) },
};
static const Wanted wakeups_wanted[] = {
  { TB_WAKEUP_TIME, FIELD (wakeups.time) },   { TB_WAKEUP_CPU, FIELD (wakeups.cpu) },
  { TB_WAKEUP_WAKER, FIELD (wakeups.waker) }, { TB_WAKEUP_WAKEE, FIELD (wakeups.wakee) },
  { TB_WAKEUP_FLAGS, FIELD (wakeups.flags) },
};
static const Wanted processes_wanted[] = {
  { TB_PROCESS_TIME, FIELD (processes.time) },
  { TB_PROCESS_CPU, FIELD (processes.cpu) },
  { TB_PROCESS_KIND, FIELD (processes.kind) },
  { TB_PROCESS_THREAD, FIELD (processes.thread) },
  { TB_PROCESS_CREATOR, FIELD (processes.creator) },
};
static const Wanted samples_wanted[] = {
  { TB_SAMPLE_TIME, FIELD (samples.time) },
  { TB_SAMPLE_CPU, FIELD (samples.cpu) },
  { TB_SAMPLE_THREAD, FIELD (samples.thread) },
};
static const Wanted syscalls_wanted[] = {
  { TB_SYSCALL_ENTER, FIELD (syscalls.enter) },
  { TB_SYSCALL_EXIT, FIELD (syscalls.exit) },
  { TB_SYSCALL_THREAD, FIELD (syscalls.thread) },
  { TB_SYSCALL_NUMBER, FIELD (syscalls.number) },
};
static const Wanted blocks_wanted[] = {
  { TB_BLOCK_INSERT, FIELD (blocks.insert) },     { TB_BLOCK_ISSUE, FIELD (blocks.issue) },
  { TB_BLOCK_COMPLETE, FIELD (blocks.complete) }, { TB_BLOCK_DEVICE, FIELD (blocks.device) },
  { TB_BLOCK_THREAD, FIELD (blocks.thread) },     { TB_BLOCK_CPU, FIELD (blocks.cpu) },
  { TB_BLOCK_FILE, FIELD (blocks.file) },
};
static const Wanted interrupts_wanted[] = {
  { TB_INTERRUPT_ENTER, FIELD (interrupts.enter) },
  { TB_INTERRUPT_EXIT, FIELD (interrupts.exit) },
  { TB_INTERRUPT_CPU, FIELD (interrupts.cpu) },
  { TB_INTERRUPT_KIND, FIELD (interrupts.kind) },
  { TB_INTERRUPT_VECTOR, FIELD (interrupts.vector) },
  { TB_INTERRUPT_NAME, FIELD (interrupts.name) },
  { TB_INTERRUPT_DEVICE, FIELD (interrupts.device) },
};
static const Wanted networks_wanted[] = {
  { TB_NETWORK_TIME, FIELD (networks.time) },     { TB_NETWORK_CPU, FIELD (networks.cpu) },
  { TB_NETWORK_KIND, FIELD (networks.kind) },     { TB_NETWORK_THREAD, FIELD (networks.thread) },
  { TB_NETWORK_REMOTE, FIELD (networks.remote) },
};
static const Wanted marks_wanted[] = {
  { TB_MARK_TIME, FIELD (marks.time) },
  { TB_MARK_KIND, FIELD (marks.kind) },
  { TB_MARK_THREAD, FIELD (marks.thread) },
  { TB_MARK_RELEASER, FIELD (marks.other) },
};
static const Wanted losses_wanted[] = {
  { TB_LOST_FROM, FIELD (losses.from) },
  { TB_LOST_TO, FIELD (losses.to) },
  { TB_LOST_CPU, FIELD (losses.cpu) },
  { TB_LOST_COUNT, FIELD (losses.count) },
};

static const Wanted sleeps_wanted[] = {
  { TB_SLEEP_TIME, FIELD (sleeps.time) },       { TB_SLEEP_THREAD, FIELD (sleeps.thread) },
  { TB_SLEEP_KIND, FIELD (sleeps.kind) },       { TB_SLEEP_OBJECT, FIELD (sleeps.object) },
  { TB_SLEEP_TIMEOUT, FIELD (sleeps.timeout) },
};

static const Wanted file_locks_wanted[] = {
  { TB_FILE_LOCK_TIME, FIELD (file_locks.time) },
  { TB_FILE_LOCK_THREAD, FIELD (file_locks.thread) },
  { TB_FILE_LOCK_RESULT, FIELD (file_locks.result) },
  { TB_FILE_LOCK_FILE, FIELD (file_locks.file) },
};

static gboolean
load_tables (TbSessionInput *self, TbSession *session, GError **error)
{
  return LOAD (TB_TABLE_SWITCH, switches) && LOAD (TB_TABLE_WAKEUP, wakeups)
         && LOAD (TB_TABLE_PROCESS, processes) && LOAD (TB_TABLE_SAMPLE, samples)
         && LOAD (TB_TABLE_SYSCALL, syscalls) && LOAD (TB_TABLE_BLOCK, blocks)
         && LOAD (TB_TABLE_INTERRUPT, interrupts) && LOAD (TB_TABLE_NETWORK, networks)
         && LOAD (TB_TABLE_MARK, marks) && LOAD (TB_TABLE_LOST, losses)
         && LOAD (TB_TABLE_SLEEP, sleeps) && LOAD (TB_TABLE_FILE_LOCK, file_locks);
}

static TbDeviceClass
find_device_class (const char *kind)
{
  static const struct
  {
    const char *kind;
    TbDeviceClass class;
  } classes[] = {
    { "block", TB_DEVICE_BLOCK }, { "network", TB_DEVICE_NETWORK }, { "net", TB_DEVICE_NETWORK },
    { "timer", TB_DEVICE_TIMER }, { "irq", TB_DEVICE_IRQ },
  };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_str_equal (kind, classes[i].kind))
      return classes[i].class;
  return TB_DEVICE_OTHER;
}

/* --- poll() and select() of no descriptors --- */

/* Which arguments show that a call waits for nothing but time: the number of its descriptors, and
 * its timeout. */
typedef struct
{
  const char *name;
  guint n_argument;
  guint timeout_argument;
  gboolean is_in_ms; /* the timeout is a number of ms instead of a pointer */
} PollArguments;

static const PollArguments *
find_poll_arguments (const char *name)
{
  static const PollArguments known[] = {
    { "poll", TB_SYSCALL_ARG1, TB_SYSCALL_ARG2, TRUE },
    { "ppoll", TB_SYSCALL_ARG1, TB_SYSCALL_ARG2, FALSE },
    { "pselect6", TB_SYSCALL_ARG0, TB_SYSCALL_ARG4, FALSE },
    { "select", TB_SYSCALL_ARG0, TB_SYSCALL_ARG4, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i].name, name))
      return &known[i];
  return NULL;
}

/* Where arguments were not recorded, all are 0: such calls have no timeout either. */
static gboolean
has_timeout (const PollArguments *arguments, guint64 timeout)
{
  return arguments->is_in_ms ? (gint32) timeout > 0 : timeout != 0;
}

/* Finds the calls of that name that only wait for time. */
static gboolean
find_empty_polls (TbSessionInput *self,
                  TbSession *session,
                  guint32 name,
                  const PollArguments *arguments,
                  GError **error)
{
  const TbSyscallColumns *syscalls = &self->input.syscalls;
  TbTable *table = tb_session_get_table (session, TB_TABLE_SYSCALL);
  g_autoptr (GBytes) n_bytes = tb_table_get_column (table, arguments->n_argument, error);
  g_autoptr (GBytes) timeout_bytes
      = n_bytes != NULL ? tb_table_get_column (table, arguments->timeout_argument, error) : NULL;
  const guint64 *n, *timeouts;

  if (timeout_bytes == NULL)
    return FALSE;
  n = g_bytes_get_data (n_bytes, NULL);
  timeouts = g_bytes_get_data (timeout_bytes, NULL);
  if (self->is_sleep == NULL)
    self->is_sleep = g_new0 (guint8, syscalls->n);
  for (gsize i = 0; i < syscalls->n; i++)
    if (syscalls->number[i] == name && (guint32) n[i] == 0 && has_timeout (arguments, timeouts[i]))
      self->is_sleep[i] = TRUE;
  self->input.syscalls.is_sleep = self->is_sleep;
  return TRUE;
}

static gboolean
classify_syscalls (TbSessionInput *self, TbSession *session, GError **error)
{
  TbTraceInput *input = &self->input;
  g_autofree guint8 *seen = g_new0 (guint8, MAX (input->n_strings, 1));

  self->syscall_classes = g_new0 (guint8, MAX (input->n_strings, 1));
  input->syscall_classes = self->syscall_classes;
  for (gsize i = 0; i < input->syscalls.n; i++)
    {
      guint32 name = input->syscalls.number[i];
      const PollArguments *arguments;

      if (name >= input->n_strings || seen[name])
        continue;
      seen[name] = TRUE;
      self->syscall_classes[name]
          = tb_syscall_class_from_name (tb_session_get_string (session, name));
      arguments = find_poll_arguments (tb_session_get_string (session, name));
      if (arguments != NULL && !find_empty_polls (self, session, name, arguments, error))
        return FALSE;
    }
  return TRUE;
}

static void
classify (TbSessionInput *self, TbSession *session)
{
  TbTraceInput *input = &self->input;
  const TbDevice *devices = tb_session_get_devices (session, &input->n_devices);

  tb_session_get_threads (session, &input->n_threads);
  self->thread_traits = tb_session_find_thread_traits (session);
  input->thread_traits = self->thread_traits;

  self->device_classes = g_new0 (guint8, MAX (input->n_devices, 1));
  for (guint i = 0; i < input->n_devices; i++)
    self->device_classes[i] = find_device_class (devices[i].kind);
  input->device_classes = self->device_classes;

  input->n_strings = tb_session_get_n_strings (session);
}

static void
drop_pass_columns (gpointer data)
{
  TbSessionInput *self = data;

  g_ptr_array_set_size (self->pass_columns, 0);
  g_clear_pointer (&self->simultaneous, g_array_unref);
}

gboolean
tb_session_input_load (TbSessionInput *self, TbSession *session, GError **error)
{
  *self
      = (TbSessionInput) { .bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref),
                           .pass_columns
                           = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref),
                           .input.pass_done = drop_pass_columns,
                           .input.pass_done_data = self };
  if (!load_tables (self, session, error)
      || (self->simultaneous = tb_trace_find_simultaneous (session, error)) == NULL)
    return FALSE;
  self->input.simultaneous = (const TbSequenceEvent *) self->simultaneous->data;
  self->input.n_simultaneous = self->simultaneous->len;
  classify (self, session);
  if (self->input.syscalls.n > 0 && !classify_syscalls (self, session, error))
    return FALSE;
  self->input.has_thread_switches
      = g_strcmp0 (tb_session_get_fact (session, TB_FACT_SWITCHES), "thread") == 0;
  self->input.has_joined_switches
      = g_strcmp0 (tb_session_get_fact (session, TB_FACT_SWITCHES), "joined") == 0;
  tb_session_get_range (session, &self->input.from, &self->input.to);
  self->input.from = MAX (self->input.from, 0);
  self->input.to = MAX (self->input.to, self->input.from);
  return TRUE;
}

void
tb_session_input_clear (TbSessionInput *self)
{
  g_clear_pointer (&self->bytes, g_ptr_array_unref);
  g_clear_pointer (&self->pass_columns, g_ptr_array_unref);
  g_clear_pointer (&self->simultaneous, g_array_unref);
  g_clear_pointer (&self->thread_traits, g_free);
  g_clear_pointer (&self->device_classes, g_free);
  g_clear_pointer (&self->syscall_classes, g_free);
  g_clear_pointer (&self->is_sleep, g_free);
}
