/* trace-events.c: hand-written events for tests of the trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "trace-events.h"

#define N_DEVICES 8
#define N_STRINGS 64

struct _Events
{
  TbTraceInput input;
  GArray *columns[64];
  guint n_columns;
  guint8 device_classes[N_DEVICES];
  guint8 *thread_traits;
  guint8 syscall_classes[N_STRINGS]; /* string n has class n */
};

Events *
events_new (gint64 from, gint64 to, guint n_threads)
{
  Events *self = g_new0 (Events, 1);

  self->input.from = from;
  self->input.to = to;
  self->input.n_threads = n_threads;
  self->input.n_devices = N_DEVICES;
  self->input.n_strings = N_STRINGS;
  self->thread_traits = g_new0 (guint8, n_threads);
  for (guint i = 0; i < N_STRINGS; i++)
    self->syscall_classes[i] = i <= TB_SYSCALL_KILL ? i : TB_SYSCALL_OTHER;
  for (guint i = 0; i < N_DEVICES; i++)
    self->device_classes[i] = TB_DEVICE_OTHER;
  self->input.device_classes = self->device_classes;
  self->input.thread_traits = self->thread_traits;
  self->input.syscall_classes = self->syscall_classes;
  return self;
}

void
events_free (Events *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_array_unref);
  g_free (self->thread_traits);
  g_free (self);
}

/* Each column has its position in the array of arrays, in the order of the calls below. */
static void
append (Events *self, guint column, gsize size, gconstpointer value, gconstpointer *data)
{
  if (self->columns[column] == NULL)
    self->columns[column] = g_array_new (FALSE, FALSE, size);
  g_array_append_vals (self->columns[column], value, 1);
  *data = self->columns[column]->data;
}

#define APPEND(column, type, value, field)                                                         \
  G_STMT_START                                                                                     \
  {                                                                                                \
    type value_ = (value);                                                                         \
    append (self, column, sizeof (type), &value_, (gconstpointer *) &self->input.field);           \
  }                                                                                                \
  G_STMT_END

void
events_switch (Events *self, gint64 time, guint16 cpu, guint32 prev, char prev_state, guint32 next)
{
  APPEND (0, gint64, time, switches.time);
  APPEND (1, guint16, cpu, switches.cpu);
  APPEND (2, guint32, prev, switches.prev);
  APPEND (3, guint32, next, switches.next);
  APPEND (4, guint8, prev_state, switches.prev_state);
  APPEND (5, guint32, 0, switches.stack);
  self->input.switches.n++;
}

void
events_set_thread_switches (Events *self)
{
  self->input.has_thread_switches = TRUE;
}

void
events_wakeup (Events *self, gint64 time, guint16 cpu, guint32 waker, guint32 wakee, guint8 flags)
{
  APPEND (6, gint64, time, wakeups.time);
  APPEND (7, guint16, cpu, wakeups.cpu);
  APPEND (8, guint32, waker, wakeups.waker);
  APPEND (9, guint32, wakee, wakeups.wakee);
  APPEND (10, guint8, flags, wakeups.flags);
  self->input.wakeups.n++;
}

void
events_process (Events *self,
                gint64 time,
                guint16 cpu,
                TbProcessEvent kind,
                guint32 thread,
                guint32 creator)
{
  APPEND (11, gint64, time, processes.time);
  APPEND (12, guint16, cpu, processes.cpu);
  APPEND (13, guint8, kind, processes.kind);
  APPEND (14, guint32, thread, processes.thread);
  APPEND (15, guint32, creator, processes.creator);
  self->input.processes.n++;
}

void
events_sample (Events *self, gint64 time, guint16 cpu, guint32 thread)
{
  APPEND (16, gint64, time, samples.time);
  APPEND (17, guint16, cpu, samples.cpu);
  APPEND (18, guint32, thread, samples.thread);
  self->input.samples.n++;
}

void
events_syscall (Events *self, gint64 enter, gint64 exit, guint32 thread, TbSyscallClass class)
{
  APPEND (19, gint64, enter, syscalls.enter);
  APPEND (20, gint64, exit, syscalls.exit);
  APPEND (21, guint32, thread, syscalls.thread);
  APPEND (22, guint32, class, syscalls.number);
  self->input.syscalls.n++;
}

void
events_block (Events *self,
              gint64 insert,
              gint64 issue,
              gint64 complete,
              guint32 device,
              guint32 thread,
              guint16 cpu,
              guint32 file)
{
  APPEND (23, gint64, insert, blocks.insert);
  APPEND (24, gint64, issue, blocks.issue);
  APPEND (25, gint64, complete, blocks.complete);
  APPEND (26, guint32, device, blocks.device);
  APPEND (27, guint32, thread, blocks.thread);
  APPEND (28, guint16, cpu, blocks.cpu);
  APPEND (29, guint32, file, blocks.file);
  self->input.blocks.n++;
}

void
events_interrupt (Events *self,
                  gint64 enter,
                  gint64 exit,
                  guint16 cpu,
                  TbInterruptKind kind,
                  guint32 vector,
                  guint32 name,
                  guint32 device)
{
  APPEND (30, gint64, enter, interrupts.enter);
  APPEND (31, gint64, exit, interrupts.exit);
  APPEND (32, guint16, cpu, interrupts.cpu);
  APPEND (33, guint8, kind, interrupts.kind);
  APPEND (34, guint32, vector, interrupts.vector);
  APPEND (35, guint32, name, interrupts.name);
  APPEND (36, guint32, device, interrupts.device);
  self->input.interrupts.n++;
}

void
events_network (Events *self,
                gint64 time,
                guint16 cpu,
                TbNetworkEvent kind,
                guint32 thread,
                guint32 remote)
{
  APPEND (37, gint64, time, networks.time);
  APPEND (38, guint16, cpu, networks.cpu);
  APPEND (39, guint8, kind, networks.kind);
  APPEND (40, guint32, thread, networks.thread);
  APPEND (41, guint32, remote, networks.remote);
  self->input.networks.n++;
}

void
events_mark (Events *self, gint64 time, TbMarkKind kind, guint32 thread, guint32 other)
{
  APPEND (42, gint64, time, marks.time);
  APPEND (43, guint8, kind, marks.kind);
  APPEND (44, guint32, thread, marks.thread);
  APPEND (45, guint32, other, marks.other);
  self->input.marks.n++;
}

void
events_lost (Events *self, gint64 from, gint64 to, guint16 cpu, guint64 count)
{
  APPEND (46, gint64, from, losses.from);
  APPEND (47, gint64, to, losses.to);
  APPEND (48, guint16, cpu, losses.cpu);
  APPEND (49, guint64, count, losses.count);
  self->input.losses.n++;
}

void
events_sleep (Events *self,
              gint64 time,
              guint32 thread,
              TbSleepKind kind,
              guint32 object,
              gint64 timeout)
{
  APPEND (50, gint64, time, sleeps.time);
  APPEND (51, guint32, thread, sleeps.thread);
  APPEND (52, guint8, kind, sleeps.kind);
  APPEND (53, guint32, object, sleeps.object);
  APPEND (54, gint64, timeout, sleeps.timeout);
  self->input.sleeps.n++;
}

void
events_set_order (Events *self, const TbSequenceEvent *simultaneous, gsize n)
{
  self->input.simultaneous = simultaneous;
  self->input.n_simultaneous = n;
}

void
events_set_device_class (Events *self, guint32 device, TbDeviceClass class)
{
  g_assert_cmpuint (device, <, N_DEVICES);
  self->device_classes[device] = class;
}

void
events_set_thread_traits (Events *self, guint32 thread, TbThreadTraits traits)
{
  self->thread_traits[thread] = traits;
}

const TbTraceInput *
events_get_input (Events *self, gint64 grace)
{
  self->input.wakeup_tolerance = grace;
  return &self->input;
}

void
events_build (Events *self, TbTraceOutput *output)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_trace_build (events_get_input (self, TB_WAKEUP_TOLERANCE), output, NULL, NULL,
                                 NULL, &error));
  g_assert_no_error (error);
}

static void
describe_interval (const TbTraceOutput *output, gsize i, GString *text)
{
  static const char letters[] = "?RqSDT";
  static const char causes[] = "  dminsu";
#define AT(COLUMN, type) (((const type *) g_bytes_get_data (output->columns[COLUMN], NULL))[i])
  guint8 state = AT (TB_INTERVAL_STATE, guint8);
  guint8 flags = AT (TB_INTERVAL_FLAGS, guint8);
  guint8 kind = AT (TB_INTERVAL_KIND, guint8);
  guint8 cause_kind = AT (TB_INTERVAL_CAUSE_KIND, guint8);
  guint32 cause = AT (TB_INTERVAL_CAUSE, guint32);
  guint32 object = AT (TB_INTERVAL_OBJECT, guint32);

  if (text->len > 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, flags & TB_INTERVAL_PREEMPTED ? 'p' : letters[state]);
  g_string_append_printf (text, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT,
                          AT (TB_INTERVAL_START, gint64), AT (TB_INTERVAL_END, gint64));
  if (kind != TB_WAIT_UNKNOWN)
    g_string_append_printf (text, ":%s", tb_wait_kind_get_name (kind));
  if (object != TB_STRING_NONE)
    g_string_append_printf (text, "=%u", object);
  if (cause_kind == TB_CAUSE_THREAD)
    g_string_append_printf (text, "<t%u", cause);
  else if (cause_kind == TB_CAUSE_TIMER)
    g_string_append (text, "<m");
  else if (cause_kind == TB_CAUSE_UNKNOWN)
    g_string_append (text, "<?");
  else if (cause_kind == TB_CAUSE_DEVICE && cause == TB_ID_NONE)
    g_string_append (text, "<block");
  else if (cause_kind != TB_CAUSE_NONE)
    g_string_append_printf (text, "<%c%u", causes[cause_kind], cause);
  if (flags & TB_INTERVAL_UNCERTAIN)
    g_string_append_c (text, '!');
  if (flags & TB_INTERVAL_OPEN_START)
    g_string_append_c (text, '[');
  if (flags & TB_INTERVAL_OPEN_END)
    g_string_append_c (text, ']');
#undef AT
}

char *
describe_thread (const TbTraceOutput *output, guint32 thread)
{
  GString *text = g_string_new (NULL);
  const guint32 *threads = g_bytes_get_data (output->columns[TB_INTERVAL_THREAD], NULL);

  for (gsize i = 0; i < output->n; i++)
    if (threads[i] == thread)
      describe_interval (output, i, text);
  return g_string_free (text, FALSE);
}

char *
events_describe (Events *self, guint32 thread)
{
  g_auto (TbTraceOutput) output = { 0 };

  events_build (self, &output);
  return describe_thread (&output, thread);
}
