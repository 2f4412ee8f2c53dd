/* tb-perf-collector.c: records with tailback-agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libpeas.h>
#include <unistd.h>

#include "tb-agent-process.h"
#include "tb-perf-collector.h"
#include "tb-perf-translator.h"

#define DEFAULT_FREQUENCY 999
#define DEFAULT_RING_BYTES (4u << 20)
/* An agent that was told to stop has this long to hand over what it has. */
#define STOP_WAIT_US (30 * G_USEC_PER_SEC)

struct _TbPerfCollector
{
  GObject parent_instance;

  gboolean samples;
  guint frequency;
  gboolean stacks;
  gboolean kernel_stacks;
  gboolean waking_kernel_stacks;
  gboolean interrupts;
  gboolean block;
  gboolean network;
  gboolean syscalls;
  gboolean syscall_stacks;
  guint ring_size;
  char *authorize;

  TbAgentProcess *process;
  TbPerfTranslator *translator;
  TbRecorder *recorder;
  GThread *thread;
  GCancellable *give_up;

  GMutex lock;
  GCond changed;
  gboolean armed;    /* events flow, since start_time */
  gboolean ended;    /* the thread is done */
  gboolean stopping; /* the client wants it to end */
  GError *error;     /* why it did not start, or what went wrong */
  gint64 start_time;
  gint64 end_time; /* 0: the agent did not come to its end */
};

enum
{
  PROP_SAMPLES = 1,
  PROP_FREQUENCY,
  PROP_STACKS,
  PROP_KERNEL_STACKS,
  PROP_WAKING_KERNEL_STACKS,
  PROP_INTERRUPTS,
  PROP_BLOCK,
  PROP_NETWORK,
  PROP_SYSCALLS,
  PROP_SYSCALL_STACKS,
  PROP_RING_SIZE,
  PROP_AUTHORIZE,
  N_PROPS,
};

static const char *const authorize_choices[] = { "system", "always", "never", NULL };

static GParamSpec *properties[N_PROPS];

static void collector_iface_init (TbCollectorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbPerfCollector,
                               tb_perf_collector,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_COLLECTOR, collector_iface_init))

static char **
tb_perf_collector_get_options (TbCollector *collector)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 1; i < N_PROPS; i++)
    g_strv_builder_add (builder, g_param_spec_get_name (properties[i]));
  return g_strv_builder_end (builder);
}

static guint32
get_sources (TbPerfCollector *self)
{
  guint32 sources = 1u << TB_CAPTURE_SOURCE_SCHEDULER | 1u << TB_CAPTURE_SOURCE_TASKS;

  if (self->samples)
    sources |= 1u << TB_CAPTURE_SOURCE_SAMPLES;
  if (self->interrupts)
    sources |= 1u << TB_CAPTURE_SOURCE_INTERRUPTS;
  if (self->block)
    sources |= 1u << TB_CAPTURE_SOURCE_BLOCK;
  if (self->network)
    sources |= 1u << TB_CAPTURE_SOURCE_NETWORK;
  if (self->syscalls)
    sources |= 1u << TB_CAPTURE_SOURCE_SYSCALLS;
  return sources;
}

static TbCaptureRecord
make_start (TbPerfCollector *self, const TbTarget *target)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_START, .cpu = TB_CAPTURE_CPU_NONE };

  record.start.scope = target->scope == TB_SCOPE_SYSTEM    ? TB_CAPTURE_SCOPE_SYSTEM
                       : target->scope == TB_SCOPE_COMMAND ? TB_CAPTURE_SCOPE_COMMAND
                                                           : TB_CAPTURE_SCOPE_PROCESS;
  record.start.pid = target->pid;
  record.start.sources = get_sources (self);
  record.start.ring_bytes = self->ring_size;
  record.start.frequency = self->frequency;
  if (self->stacks)
    record.start.stacks = TB_CAPTURE_USER_STACKS | (self->kernel_stacks ? TB_CAPTURE_KERNEL_STACKS : 0)
                          | (self->waking_kernel_stacks ? TB_CAPTURE_WAKING_KERNEL_STACKS : 0)
                          | (self->syscall_stacks ? TB_CAPTURE_SYSCALL_STACKS : 0)
                          | (geteuid () != 0 ? TB_CAPTURE_KERNEL_NAMES : 0);
  return record;
}

/* Starts the agent and reads its header, which says what it may. */
static TbAgentProcess *
open_agent (TbAgentPrivilege privilege, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbAgentProcess) process = tb_agent_process_new (privilege, error);
  TbCaptureRecord record;
  g_autofree char *reason = NULL;

  if (process == NULL)
    return NULL;
  switch (tb_agent_process_read (process, &record, cancellable, error))
    {
    case TB_CAPTURE_HEADED:
      return g_steal_pointer (&process);
    case TB_CAPTURE_DAMAGED:
      return NULL;
    default:
      reason = tb_agent_process_describe_end (process);
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE, reason);
      return NULL;
    }
}

static TbAgentProcess *
open_agent_for (TbPerfCollector *self, TbScope scope, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbAgentProcess) process = open_agent (TB_AGENT_DIRECT, cancellable, error);
  gboolean wanted;

  if (process == NULL || tb_agent_process_get_header (process)->facility != TB_CAPTURE_FACILITY_OWN)
    return g_steal_pointer (&process);
  wanted = scope == TB_SCOPE_SYSTEM ? g_strcmp0 (self->authorize, "never") != 0
                                    : g_strcmp0 (self->authorize, "always") == 0;
  if (!wanted || !tb_agent_process_can_authorize ())
    return g_steal_pointer (&process);
  return open_agent (scope == TB_SCOPE_SYSTEM ? TB_AGENT_AUTHORIZED_SYSTEM : TB_AGENT_AUTHORIZED_OWN,
                     cancellable, error);
}

static const char *
describe_source (guint source)
{
  switch (source)
    {
    case TB_CAPTURE_SOURCE_SCHEDULER:
      return _ ("Threads running and waking");
    case TB_CAPTURE_SOURCE_TASKS:
      return _ ("Processes and programs");
    case TB_CAPTURE_SOURCE_INTERRUPTS:
      return _ ("Interrupts");
    case TB_CAPTURE_SOURCE_BLOCK:
      return _ ("Disks");
    case TB_CAPTURE_SOURCE_NETWORK:
      return _ ("Network");
    case TB_CAPTURE_SOURCE_SYSCALLS:
      return _ ("System calls");
    case TB_CAPTURE_SOURCE_SAMPLES:
      return _ ("Samples of running code");
    case TB_CAPTURE_SOURCE_PROBES:
      return _ ("Function probes");
    default:
      return _ ("Recording");
    }
}

static void
free_preflight_line (gpointer data)
{
  TbPreflightLine *line = data;

  g_free (line->reason);
  g_free (line);
}

static void
add_preflight_line (GPtrArray *lines, guint source, gboolean works, const char *text, gsize length)
{
  TbPreflightLine *line = g_new0 (TbPreflightLine, 1);

  line->what = describe_source (source);
  line->works = works;
  if (length > 0)
    line->reason = g_utf8_make_valid (text, length);
  g_ptr_array_add (lines, line);
}

static GPtrArray *
tb_perf_collector_preflight (TbCollector *collector, TbScope scope, GCancellable *cancellable, GError **error)
{
  TbPerfCollector *self = TB_PERF_COLLECTOR (collector);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (free_preflight_line);
  g_autoptr (TbAgentProcess) process = open_agent (TB_AGENT_DIRECT, cancellable, error);
  TbCaptureRecord record = { .type = TB_CAPTURE_QUERY, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureResult result;
  const char *text;

  if (process == NULL)
    return NULL;
  if (scope == TB_SCOPE_SYSTEM && tb_agent_process_get_header (process)->facility == TB_CAPTURE_FACILITY_OWN)
    {
      gboolean asks = g_strcmp0 (self->authorize, "never") != 0 && tb_agent_process_can_authorize ();

      text = asks ? _ ("Recording the whole system will ask for authorization.")
                  : tb_agent_process_get_header (process)->refusals[0].text;
      add_preflight_line (lines, TB_CAPTURE_SOURCE_NONE, asks, text, strlen (text));
      if (asks)
        return g_steal_pointer (&lines);
    }
  if (!tb_agent_process_send (process, &record, error))
    return NULL;
  while ((result = tb_agent_process_read (process, &record, cancellable, error)) == TB_CAPTURE_RECORD)
    {
      if (record.type != TB_CAPTURE_STATUS)
        continue;
      if (record.status.code == TB_CAPTURE_STATUS_ANSWERED)
        return g_steal_pointer (&lines);
      if (record.status.code == TB_CAPTURE_STATUS_WORKS || record.status.code == TB_CAPTURE_STATUS_MISSING)
        add_preflight_line (lines, record.status.source, record.status.code == TB_CAPTURE_STATUS_WORKS,
                            (const char *) record.tail, record.tail_length);
    }
  if (result != TB_CAPTURE_DAMAGED)
    {
      g_autofree char *reason = tb_agent_process_describe_end (process);

      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, reason);
    }
  return NULL;
}

static void
take_status (TbPerfCollector *self, const TbCaptureRecord *record)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) record->tail, record->tail_length);

  switch (record->status.code)
    {
    case TB_CAPTURE_STATUS_ARMED:
      g_mutex_lock (&self->lock);
      self->armed = TRUE;
      self->start_time = (gint64) record->time;
      g_cond_broadcast (&self->changed);
      g_mutex_unlock (&self->lock);
      break;
    case TB_CAPTURE_STATUS_REFUSED:
      g_mutex_lock (&self->lock);
      if (self->error == NULL)
        self->error = g_error_new_literal (TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE, text);
      g_mutex_unlock (&self->lock);
      break;
    case TB_CAPTURE_STATUS_MISSING:
    case TB_CAPTURE_STATUS_WARNING:
      tb_recorder_add_warning (self->recorder, "%s", text);
      break;
    default:
      break;
    }
}

/* Returns when the agent's stream has ended, FALSE if it was not by an END. */
static gboolean
drain (TbPerfCollector *self, GError **error)
{
  gboolean complete = FALSE;
  TbCaptureRecord record;
  TbCaptureResult result;

  while ((result = tb_agent_process_read (self->process, &record, self->give_up, error)) == TB_CAPTURE_RECORD)
    switch (record.type)
      {
      case TB_CAPTURE_STATUS:
        take_status (self, &record);
        break;
      case TB_CAPTURE_KEPT:
        self->start_time = (gint64) record.time;
        break;
      case TB_CAPTURE_END:
        self->end_time = (gint64) record.time;
        complete = TRUE;
        break;
      default:
        if (!tb_perf_translator_take (self->translator, &record, error))
          return FALSE;
        break;
      }
  return complete;
}

static gpointer
run_reader (gpointer data)
{
  TbPerfCollector *self = data;
  g_autoptr (GError) error = NULL;
  gboolean complete = drain (self, &error);
  g_autofree char *message = NULL;

  g_mutex_lock (&self->lock);
  if (!complete && self->error == NULL)
    {
      if (error == NULL)
        {
          g_autofree char *reason = tb_agent_process_describe_end (self->process);

          error = g_error_new_literal (TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, reason);
        }
      self->error = g_steal_pointer (&error);
    }
  self->ended = TRUE;
  if (self->armed && !self->stopping)
    message = self->error != NULL ? g_strdup (self->error->message) : g_strdup (_ ("The agent ended"));
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  if (message != NULL)
    g_signal_emit_by_name (self, "ended", message);
  return NULL;
}

static void
join (TbPerfCollector *self)
{
  g_thread_join (g_steal_pointer (&self->thread));
  g_clear_pointer (&self->process, tb_agent_process_free);
}

static void
on_start_cancelled (GCancellable *cancellable, gpointer data)
{
  TbPerfCollector *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gboolean
tb_perf_collector_start (TbCollector *collector,
                         const TbTarget *target,
                         TbRecorder *recorder,
                         GCancellable *cancellable,
                         GError **error)
{
  TbPerfCollector *self = TB_PERF_COLLECTOR (collector);
  TbCaptureRecord start = make_start (self, target);
  gulong handler;
  gboolean armed;

  g_return_val_if_fail (self->thread == NULL, FALSE);

  self->process = open_agent_for (self, target->scope, cancellable, error);
  if (self->process == NULL)
    return FALSE;
  self->recorder = g_object_ref (recorder);
  self->translator = tb_perf_translator_new (recorder, tb_agent_process_get_header (self->process));
  tb_recorder_set_fact (recorder, "scope",
                        target->scope == TB_SCOPE_SYSTEM    ? "system"
                        : target->scope == TB_SCOPE_COMMAND ? "command"
                                                            : "process");
  if (!tb_agent_process_send (self->process, &start, error))
    return FALSE;
  self->give_up = g_cancellable_new ();
  self->thread = g_thread_new ("perf collector", run_reader, self);

  handler = cancellable != NULL
                ? g_cancellable_connect (cancellable, G_CALLBACK (on_start_cancelled), self, NULL)
                : 0;
  g_mutex_lock (&self->lock);
  while (!self->armed && !self->ended && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&self->changed, &self->lock);
  armed = self->armed && !self->ended;
  if (!armed)
    self->stopping = TRUE;
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (cancellable, handler);
  if (armed)
    return TRUE;

  g_cancellable_cancel (self->give_up);
  join (self);
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/* What came is kept; the session says what is missing. */
static void
note_early_end (TbPerfCollector *self)
{
  tb_recorder_set_fact (self->recorder, "cut-short", self->error->message);
  tb_recorder_add_warning (self->recorder, _ ("The recording was cut short: %s. What came before is kept."),
                           self->error->message);
}

static gboolean
tb_perf_collector_stop (TbCollector *collector, GError **error)
{
  TbPerfCollector *self = TB_PERF_COLLECTOR (collector);
  TbCaptureRecord stop = { .type = TB_CAPTURE_STOP, .cpu = TB_CAPTURE_CPU_NONE };
  gint64 deadline = g_get_monotonic_time () + STOP_WAIT_US;
  TbRecorderStatistics statistics;
  guint64 n_skipped;

  g_return_val_if_fail (self->thread != NULL, FALSE);

  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_mutex_unlock (&self->lock);
  /* An agent that has ended already cannot be told. */
  tb_agent_process_send (self->process, &stop, NULL);
  g_mutex_lock (&self->lock);
  while (!self->ended && g_cond_wait_until (&self->changed, &self->lock, deadline))
    ;
  if (!self->ended)
    g_cancellable_cancel (self->give_up);
  g_mutex_unlock (&self->lock);
  n_skipped = tb_capture_decoder_get_n_skipped (tb_agent_process_get_decoder (self->process));
  join (self);

  if (n_skipped > 0)
    tb_recorder_add_warning (self->recorder,
                             _ ("%" G_GUINT64_FORMAT
                                " records of the agent are of unknown kinds and were left out: "
                                "it is newer than this program."),
                             n_skipped);
  tb_perf_translator_finish (self->translator);
  tb_recorder_get_statistics (self->recorder, &statistics);
  tb_recorder_set_range (self->recorder, self->start_time,
                         self->end_time != 0 ? self->end_time : MAX (self->start_time, statistics.last_time));
  if (self->end_time != 0)
    return TRUE;
  note_early_end (self);
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}

static void
collector_iface_init (TbCollectorInterface *iface)
{
  iface->get_options = tb_perf_collector_get_options;
  iface->preflight = tb_perf_collector_preflight;
  iface->start = tb_perf_collector_start;
  iface->stop = tb_perf_collector_stop;
}

static void
tb_perf_collector_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbPerfCollector *self = TB_PERF_COLLECTOR (object);

  switch (property_id)
    {
    case PROP_SAMPLES:
      g_value_set_boolean (value, self->samples);
      break;
    case PROP_FREQUENCY:
      g_value_set_uint (value, self->frequency);
      break;
    case PROP_STACKS:
      g_value_set_boolean (value, self->stacks);
      break;
    case PROP_KERNEL_STACKS:
      g_value_set_boolean (value, self->kernel_stacks);
      break;
    case PROP_WAKING_KERNEL_STACKS:
      g_value_set_boolean (value, self->waking_kernel_stacks);
      break;
    case PROP_INTERRUPTS:
      g_value_set_boolean (value, self->interrupts);
      break;
    case PROP_BLOCK:
      g_value_set_boolean (value, self->block);
      break;
    case PROP_NETWORK:
      g_value_set_boolean (value, self->network);
      break;
    case PROP_SYSCALLS:
      g_value_set_boolean (value, self->syscalls);
      break;
    case PROP_SYSCALL_STACKS:
      g_value_set_boolean (value, self->syscall_stacks);
      break;
    case PROP_RING_SIZE:
      g_value_set_uint (value, self->ring_size);
      break;
    case PROP_AUTHORIZE:
      g_value_set_string (value, self->authorize);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
      break;
    }
}

static void
tb_perf_collector_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  TbPerfCollector *self = TB_PERF_COLLECTOR (object);

  switch (property_id)
    {
    case PROP_SAMPLES:
      self->samples = g_value_get_boolean (value);
      break;
    case PROP_FREQUENCY:
      self->frequency = g_value_get_uint (value);
      break;
    case PROP_STACKS:
      self->stacks = g_value_get_boolean (value);
      break;
    case PROP_KERNEL_STACKS:
      self->kernel_stacks = g_value_get_boolean (value);
      break;
    case PROP_WAKING_KERNEL_STACKS:
      self->waking_kernel_stacks = g_value_get_boolean (value);
      break;
    case PROP_INTERRUPTS:
      self->interrupts = g_value_get_boolean (value);
      break;
    case PROP_BLOCK:
      self->block = g_value_get_boolean (value);
      break;
    case PROP_NETWORK:
      self->network = g_value_get_boolean (value);
      break;
    case PROP_SYSCALLS:
      self->syscalls = g_value_get_boolean (value);
      break;
    case PROP_SYSCALL_STACKS:
      self->syscall_stacks = g_value_get_boolean (value);
      break;
    case PROP_RING_SIZE:
      self->ring_size = g_value_get_uint (value);
      break;
    case PROP_AUTHORIZE:
      g_set_str (&self->authorize, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
      break;
    }
}

static void
tb_perf_collector_finalize (GObject *object)
{
  TbPerfCollector *self = TB_PERF_COLLECTOR (object);

  if (self->thread != NULL)
    {
      g_cancellable_cancel (self->give_up);
      join (self);
    }
  g_clear_pointer (&self->process, tb_agent_process_free);
  g_clear_pointer (&self->translator, tb_perf_translator_free);
  g_clear_object (&self->recorder);
  g_clear_object (&self->give_up);
  g_clear_error (&self->error);
  g_free (self->authorize);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);

  G_OBJECT_CLASS (tb_perf_collector_parent_class)->finalize (object);
}

static GParamSpec *
make_switch (const char *name, const char *nick, const char *blurb, gboolean initial)
{
  return g_param_spec_boolean (name, nick, blurb, initial,
                               G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS);
}

static void
tb_perf_collector_class_init (TbPerfCollectorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tb_perf_collector_get_property;
  object_class->set_property = tb_perf_collector_set_property;
  object_class->finalize = tb_perf_collector_finalize;

  properties[PROP_SAMPLES]
      = make_switch ("samples", _ ("Samples"),
                     _ ("Look regularly at what running threads execute, by cycles or the clock"), TRUE);
  properties[PROP_FREQUENCY]
      = g_param_spec_uint ("frequency", _ ("Sampling rate"), _ ("How often to look, on each processor"), 1,
                           20000, DEFAULT_FREQUENCY,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS);
  tb_option_set_unit (properties[PROP_FREQUENCY], "hz");
  properties[PROP_STACKS]
      = make_switch ("stacks", _ ("Stacks"),
                     _ ("Record which functions led to a sleep, a wake-up or a request (by frame pointers)"),
                     TRUE);
  properties[PROP_KERNEL_STACKS] = make_switch (
      "kernel-stacks", _ ("Kernel part of stacks"),
      _ ("Also record the kernel's functions where threads sleep; needed to tell what they wait for"), TRUE);
  properties[PROP_WAKING_KERNEL_STACKS]
      = make_switch ("waking-kernel-stacks", _ ("Kernel part of wakers' stacks"),
                     _ ("Also record the kernel's functions where threads are woken; costs most"), FALSE);
  properties[PROP_INTERRUPTS]
      = make_switch ("interrupts", _ ("Interrupts"),
                     _ ("Needed to tell wake-ups by devices from those by threads"), TRUE);
  properties[PROP_BLOCK] = make_switch ("block", _ ("Disks"), _ ("Requests to disks"), TRUE);
  properties[PROP_NETWORK] = make_switch ("network", _ ("Network"), _ ("Messages and connections"), TRUE);
  properties[PROP_SYSCALLS] = make_switch ("syscalls", _ ("System calls"),
                                           _ ("Every system call with its arguments; costs much"), FALSE);
  properties[PROP_SYSCALL_STACKS]
      = make_switch ("syscall-stacks", _ ("Stacks of system calls"),
                     _ ("Record which functions led to each system call, where they are recorded"), FALSE);
  properties[PROP_RING_SIZE]
      = g_param_spec_uint ("ring-size", _ ("Buffer"),
                           _ ("Memory of each processor for what is not yet written"), 4096, 256u << 20,
                           DEFAULT_RING_BYTES,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS);
  tb_option_set_unit (properties[PROP_RING_SIZE], "bytes");
  properties[PROP_AUTHORIZE] = g_param_spec_string (
      "authorize", _ ("Ask for authorization"),
      _ ("When to ask for the right to record more than your own processes show by themselves"), "system",
      G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS);
  tb_option_set_choices (properties[PROP_AUTHORIZE], authorize_choices);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tb_perf_collector_init (TbPerfCollector *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_COLLECTOR, TB_TYPE_PERF_COLLECTOR);
}
