/* tb-ebpf-collector.c: records with tailback-agent's BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libpeas.h>

#include "tb-agent-recording.h"
#include "tb-ebpf-collector.h"
#include "tb-ebpf-start.h"

#define DEFAULT_FREQUENCY 999
#define DEFAULT_RING_BYTES (4u << 20)
#define MAX_TIME (G_GINT64_CONSTANT (3600) * 1000000000)

struct _TbEbpfCollector
{
  GObject parent_instance;

  /* By number of the property, as their types say. */
  gboolean switches[32];
  guint64 numbers[32];
  char *texts[32];
  TbAgentRecording *recording;
};

enum
{
  PROP_SAMPLES = 1,
  PROP_FREQUENCY,
  PROP_STACKS,
  PROP_KERNEL_STACKS,
  PROP_WAKING_KERNEL_STACKS,
  PROP_REPAIR_STACKS,
  PROP_INTERRUPTS,
  PROP_BLOCK,
  PROP_NETWORK,
  PROP_SYSCALLS,
  PROP_SYSCALL_STACKS,
  PROP_SYSCALL_MIN,
  PROP_SYSCALL_STACK_INTERVAL,
  PROP_CGROUP,
  PROP_KEEP,
  PROP_KEEP_SIZE,
  PROP_SAVE_WHEN,
  PROP_RING_SIZE,
  PROP_AUTHORIZE,
  N_PROPS,
};
G_STATIC_ASSERT (N_PROPS <= 32);

static const char *const authorize_choices[] = { "system", "always", "never", NULL };

static GParamSpec *properties[N_PROPS];

static void collector_iface_init (TbCollectorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbEbpfCollector,
                               tb_ebpf_collector,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_COLLECTOR, collector_iface_init))

static char **
tb_ebpf_collector_get_options (TbCollector *collector)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 1; i < N_PROPS; i++)
    g_strv_builder_add (builder, g_param_spec_get_name (properties[i]));
  return g_strv_builder_end (builder);
}

static guint32
get_sources (TbEbpfCollector *self)
{
  static const struct
  {
    guint property;
    TbCaptureSource source;
  } optional[] = {
    { PROP_SAMPLES, TB_CAPTURE_SOURCE_SAMPLES },   { PROP_INTERRUPTS, TB_CAPTURE_SOURCE_INTERRUPTS },
    { PROP_BLOCK, TB_CAPTURE_SOURCE_BLOCK },       { PROP_NETWORK, TB_CAPTURE_SOURCE_NETWORK },
    { PROP_SYSCALLS, TB_CAPTURE_SOURCE_SYSCALLS },
  };
  guint32 sources = 1u << TB_CAPTURE_SOURCE_SCHEDULER | 1u << TB_CAPTURE_SOURCE_TASKS;

  for (guint i = 0; i < G_N_ELEMENTS (optional); i++)
    if (self->switches[optional[i].property])
      sources |= 1u << optional[i].source;
  return sources;
}

static guint16
get_stacks (TbEbpfCollector *self)
{
  static const struct
  {
    guint property;
    guint16 flag;
  } optional[] = {
    { PROP_STACKS, TB_CAPTURE_USER_STACKS },
    { PROP_KERNEL_STACKS, TB_CAPTURE_KERNEL_STACKS },
    { PROP_WAKING_KERNEL_STACKS, TB_CAPTURE_WAKING_KERNEL_STACKS },
    { PROP_REPAIR_STACKS, TB_CAPTURE_REPAIRED_STACKS },
    { PROP_SYSCALL_STACKS, TB_CAPTURE_SYSCALL_STACKS },
  };
  guint16 stacks = 0;

  for (guint i = 0; i < G_N_ELEMENTS (optional) && self->switches[PROP_STACKS]; i++)
    if (self->switches[optional[i].property])
      stacks |= optional[i].flag;
  return stacks;
}

static gboolean
make_start (TbEbpfCollector *self, TbCaptureStart *start, GError **error)
{
  *start = (TbCaptureStart) {
    .sources = get_sources (self),
    .stacks = get_stacks (self),
    .ring_bytes = self->numbers[PROP_RING_SIZE],
    .frequency = self->numbers[PROP_FREQUENCY],
    .keep_ns = self->numbers[PROP_KEEP],
    .keep_bytes = self->numbers[PROP_KEEP_SIZE],
    .thin_interval = self->numbers[PROP_SYSCALL_STACK_INTERVAL] / 1000,
    .thin_longer = self->numbers[PROP_SYSCALL_MIN],
  };
  if (!tb_ebpf_start_parse_condition (start, self->texts[PROP_SAVE_WHEN], error)
      || !tb_ebpf_start_find_cgroup (start, self->texts[PROP_CGROUP], error))
    return FALSE;
  if (start->save_longer > 0 && start->keep_ns == 0 && start->keep_bytes == 0)
    {
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                           _ ("save-when goes with keep or keep-size: how much is kept until then"));
      return FALSE;
    }
  /* What it waits for has to be seen; no more than that, unless more was asked for. */
  if (start->save_longer > 0 && start->save_call != TB_CAPTURE_NO_CALL && !self->switches[PROP_SYSCALLS])
    {
      start->sources |= 1u << TB_CAPTURE_SOURCE_SYSCALLS;
      start->thin_longer = start->save_longer;
    }
  return TRUE;
}

static TbAgentWish
make_wish (TbEbpfCollector *self)
{
  return (TbAgentWish) { .facility = TB_CAPTURE_FACILITY_BPF,
                         .required = TRUE,
                         .authorize = self->texts[PROP_AUTHORIZE] };
}

static GPtrArray *
tb_ebpf_collector_preflight (TbCollector *collector, TbScope scope, GCancellable *cancellable, GError **error)
{
  TbAgentWish wish = make_wish (TB_EBPF_COLLECTOR (collector));

  return tb_agent_recording_preflight (&wish, scope, cancellable, error);
}

static gboolean
tb_ebpf_collector_start (TbCollector *collector,
                         const TbTarget *target,
                         TbRecorder *recorder,
                         GCancellable *cancellable,
                         GError **error)
{
  TbEbpfCollector *self = TB_EBPF_COLLECTOR (collector);
  TbAgentWish wish = make_wish (self);
  TbCaptureStart start;

  return make_start (self, &start, error)
         && tb_agent_recording_start (self->recording, &wish, &start, target, recorder, cancellable, error);
}

static gboolean
tb_ebpf_collector_stop (TbCollector *collector, GError **error)
{
  return tb_agent_recording_stop (TB_EBPF_COLLECTOR (collector)->recording, error);
}

static void
collector_iface_init (TbCollectorInterface *iface)
{
  iface->get_options = tb_ebpf_collector_get_options;
  iface->preflight = tb_ebpf_collector_preflight;
  iface->start = tb_ebpf_collector_start;
  iface->stop = tb_ebpf_collector_stop;
}

static void
tb_ebpf_collector_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbEbpfCollector *self = TB_EBPF_COLLECTOR (object);

  if (property_id == 0 || property_id >= N_PROPS)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    g_value_set_boolean (value, self->switches[property_id]);
  else if (G_IS_PARAM_SPEC_STRING (pspec))
    g_value_set_string (value, self->texts[property_id]);
  else if (G_IS_PARAM_SPEC_UINT (pspec))
    g_value_set_uint (value, (guint) self->numbers[property_id]);
  else
    g_value_set_int64 (value, (gint64) self->numbers[property_id]);
}

static void
tb_ebpf_collector_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  TbEbpfCollector *self = TB_EBPF_COLLECTOR (object);

  if (property_id == 0 || property_id >= N_PROPS)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    self->switches[property_id] = g_value_get_boolean (value);
  else if (G_IS_PARAM_SPEC_STRING (pspec))
    g_set_str (&self->texts[property_id], g_value_get_string (value));
  else if (G_IS_PARAM_SPEC_UINT (pspec))
    self->numbers[property_id] = g_value_get_uint (value);
  else
    self->numbers[property_id] = (guint64) g_value_get_int64 (value);
}

static void
tb_ebpf_collector_finalize (GObject *object)
{
  TbEbpfCollector *self = TB_EBPF_COLLECTOR (object);

  tb_agent_recording_free (self->recording);
  for (guint i = 0; i < N_PROPS; i++)
    g_free (self->texts[i]);

  G_OBJECT_CLASS (tb_ebpf_collector_parent_class)->finalize (object);
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS)

static GParamSpec *
make_switch (const char *name, const char *nick, const char *blurb, gboolean initial)
{
  return g_param_spec_boolean (name, nick, blurb, initial, FLAGS);
}

static GParamSpec *
make_number (const char *name, const char *nick, const char *blurb, gint64 most, const char *unit)
{
  GParamSpec *property = g_param_spec_int64 (name, nick, blurb, 0, most, 0, FLAGS);

  tb_option_set_unit (property, unit);
  return property;
}

static void
add_sources (void)
{
  properties[PROP_SAMPLES]
      = make_switch ("samples", _ ("Samples"),
                     _ ("Look regularly at what running threads execute, by cycles or the clock"), TRUE);
  properties[PROP_FREQUENCY]
      = g_param_spec_uint ("frequency", _ ("Sampling rate"), _ ("How often to look, on each processor"), 1,
                           20000, DEFAULT_FREQUENCY, FLAGS);
  tb_option_set_unit (properties[PROP_FREQUENCY], "hz");
  properties[PROP_INTERRUPTS]
      = make_switch ("interrupts", _ ("Interrupts"),
                     _ ("Needed to tell wake-ups by devices from those by threads"), TRUE);
  properties[PROP_BLOCK]
      = make_switch ("block", _ ("Disks"), _ ("Requests to disks, with their files"), TRUE);
  properties[PROP_NETWORK] = make_switch ("network", _ ("Network"), _ ("Messages and connections"), TRUE);
  properties[PROP_SYSCALLS]
      = make_switch ("syscalls", _ ("System calls"),
                     _ ("Every system call with its arguments; what threads sleep in is known without"),
                     FALSE);
  properties[PROP_SYSCALL_MIN] = make_number ("syscall-min", _ ("Shortest system call"),
                                              _ ("Leave out system calls that took less"), MAX_TIME, "ns");
}

static void
add_stacks (void)
{
  properties[PROP_STACKS]
      = make_switch ("stacks", _ ("Stacks"),
                     _ ("Record which functions led to a sleep, a wake-up or a request (by frame pointers)"),
                     TRUE);
  properties[PROP_KERNEL_STACKS] = make_switch (
      "kernel-stacks", _ ("Kernel part of stacks"),
      _ ("Also record the kernel's functions where threads sleep; several times the cost of the rest"),
      FALSE);
  properties[PROP_WAKING_KERNEL_STACKS]
      = make_switch ("waking-kernel-stacks", _ ("Kernel part of wakers' stacks"),
                     _ ("Also record the kernel's functions where threads are woken; costs most"), FALSE);
  properties[PROP_REPAIR_STACKS]
      = make_switch ("repair-stacks", _ ("Repair stacks"),
                     _ ("Probe the C library, which often has no frame pointers, where it calls the kernel"),
                     FALSE);
  properties[PROP_SYSCALL_STACKS]
      = make_switch ("syscall-stacks", _ ("Stacks of system calls"),
                     _ ("Record which functions led to each system call, where they are recorded"), FALSE);
  properties[PROP_SYSCALL_STACK_INTERVAL]
      = make_number ("syscall-stack-interval", _ ("Time between stacks of system calls"),
                     _ ("At most one stack of each thread in it; 0: every one"), 1000 * 1000000, "ns");
}

static void
add_limits (void)
{
  properties[PROP_CGROUP] = g_param_spec_string (
      "cgroup", _ ("Control group"),
      _ ("Record only what is in this control group, such as system.slice/nginx.service"), "", FLAGS);
  properties[PROP_KEEP] = make_number (
      "keep", _ ("Flight recorder"),
      _ ("Keep only the last moments, so long, and save them when the recording ends; 0: keep all"), MAX_TIME,
      "ns");
  properties[PROP_KEEP_SIZE]
      = make_number ("keep-size", _ ("Flight recorder's memory"),
                     _ ("Keep at most so much; 0: the agent's choice"), G_GINT64_CONSTANT (1) << 36, "bytes");
  properties[PROP_SAVE_WHEN] = g_param_spec_string (
      "save-when", _ ("Save when"),
      _ ("End when a call took longer: fsync>20ms, any>1s (any system call), function>5ms (a probed one)"),
      "", FLAGS);
  properties[PROP_RING_SIZE] = g_param_spec_uint ("ring-size", _ ("Buffer"),
                                                  _ ("Memory of each processor for what is not yet written"),
                                                  4096, 256u << 20, DEFAULT_RING_BYTES, FLAGS);
  tb_option_set_unit (properties[PROP_RING_SIZE], "bytes");
  properties[PROP_AUTHORIZE] = g_param_spec_string (
      "authorize", _ ("Ask for authorization"),
      _ ("When to ask for the right to record more than your own processes show by themselves"), "system",
      FLAGS);
  tb_option_set_choices (properties[PROP_AUTHORIZE], authorize_choices);
}

static void
tb_ebpf_collector_class_init (TbEbpfCollectorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tb_ebpf_collector_get_property;
  object_class->set_property = tb_ebpf_collector_set_property;
  object_class->finalize = tb_ebpf_collector_finalize;

  add_sources ();
  add_stacks ();
  add_limits ();
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tb_ebpf_collector_init (TbEbpfCollector *self)
{
  self->recording = tb_agent_recording_new (TB_COLLECTOR (self));
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_COLLECTOR, TB_TYPE_EBPF_COLLECTOR);
}
