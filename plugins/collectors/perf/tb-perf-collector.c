/* tb-perf-collector.c: records with tailback-agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libpeas.h>

#include "tb-agent-recording.h"
#include "tb-perf-collector.h"

#define DEFAULT_FREQUENCY 999
#define DEFAULT_RING_BYTES (4u << 20)

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

  TbAgentRecording *recording;
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

static TbCaptureStart
make_start (TbPerfCollector *self)
{
  TbCaptureStart start
      = { .sources = get_sources (self), .ring_bytes = self->ring_size, .frequency = self->frequency };

  if (self->stacks)
    start.stacks = TB_CAPTURE_USER_STACKS | (self->kernel_stacks ? TB_CAPTURE_KERNEL_STACKS : 0)
                   | (self->waking_kernel_stacks ? TB_CAPTURE_WAKING_KERNEL_STACKS : 0)
                   | (self->syscall_stacks ? TB_CAPTURE_SYSCALL_STACKS : 0);
  return start;
}

static TbAgentWish
make_wish (TbPerfCollector *self)
{
  return (TbAgentWish) { .facility = TB_CAPTURE_FACILITY_PERF, .authorize = self->authorize };
}

static GPtrArray *
tb_perf_collector_preflight (TbCollector *collector, TbScope scope, GCancellable *cancellable, GError **error)
{
  TbAgentWish wish = make_wish (TB_PERF_COLLECTOR (collector));

  return tb_agent_recording_preflight (&wish, scope, cancellable, error);
}

static gboolean
tb_perf_collector_start (TbCollector *collector,
                         const TbTarget *target,
                         TbRecorder *recorder,
                         GCancellable *cancellable,
                         GError **error)
{
  TbPerfCollector *self = TB_PERF_COLLECTOR (collector);
  TbCaptureStart start = make_start (self);
  TbAgentWish wish = make_wish (self);

  return tb_agent_recording_start (self->recording, &wish, &start, target, recorder, cancellable, error);
}

static gboolean
tb_perf_collector_stop (TbCollector *collector, GError **error)
{
  return tb_agent_recording_stop (TB_PERF_COLLECTOR (collector)->recording, error);
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

  tb_agent_recording_free (self->recording);
  g_free (self->authorize);

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
  self->recording = tb_agent_recording_new (TB_COLLECTOR (self));
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_COLLECTOR, TB_TYPE_PERF_COLLECTOR);
}
