/* tb-agent-collector.c: base class of the collectors that record with tailback-agent: options as
 * properties, conversion of them into a start record, preflight, start and stop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "tb-agent-collector.h"
#include "agent-client/probes/tb-agent-functions.h"
#include "tb-agent-preflight.h"
#include "tb-agent-recording.h"
#include "tb-agent-start-options.h"
#include "agent-client/probes/tb-marked-functions.h"

/* Values by option number; for options that a collector lacks: off, 0, NULL. */
typedef struct
{
  gint64 numbers[TB_AGENT_N_OPTIONS]; /* and switches */
  char *texts[TB_AGENT_N_OPTIONS];
  char **lists[TB_AGENT_N_OPTIONS];
  TbAgentRecording *recording;
} TbAgentCollectorPrivate;

static void collector_iface_init (TbCollectorInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (TbAgentCollector,
                                  tb_agent_collector,
                                  TB_TYPE_OPTION_OBJECT,
                                  G_ADD_PRIVATE (TbAgentCollector)
                                      G_IMPLEMENT_INTERFACE (TB_TYPE_COLLECTOR,
                                                             collector_iface_init))

static TbAgentCollectorPrivate *
get_private (gpointer collector)
{
  return tb_agent_collector_get_instance_private (TB_AGENT_COLLECTOR (collector));
}

static gboolean
has_option (const TbAgentCollectorKind *kind, TbAgentOption option)
{
  for (const TbAgentOption *lacking = kind->lacking; lacking != NULL && *lacking != 0; lacking++)
    if (*lacking == option)
      return FALSE;
  return TRUE;
}

static char **
tb_agent_collector_get_options (TbCollector *collector)
{
  g_autofree GParamSpec **properties
      = g_object_class_list_properties (G_OBJECT_GET_CLASS (collector), NULL);
  const char *names[TB_AGENT_N_OPTIONS] = { NULL };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  /* The collector's own options come first. */
  for (guint i = 0; properties[i] != NULL; i++)
    if (properties[i]->param_id < TB_AGENT_N_OPTIONS)
      names[properties[i]->param_id] = g_param_spec_get_name (properties[i]);
    else
      g_strv_builder_add (builder, g_param_spec_get_name (properties[i]));
  for (guint i = 1; i < TB_AGENT_N_OPTIONS; i++)
    if (names[i] != NULL)
      g_strv_builder_add (builder, names[i]);
  return g_strv_builder_end (builder);
}

static guint32
get_sources (const TbAgentCollectorPrivate *private)
{
  static const struct
  {
    TbAgentOption option;
    TbCaptureSource source;
  } optional[] = {
    { TB_AGENT_OPTION_SAMPLES, TB_CAPTURE_SOURCE_SAMPLES },
    { TB_AGENT_OPTION_INTERRUPTS, TB_CAPTURE_SOURCE_INTERRUPTS },
    { TB_AGENT_OPTION_BLOCK, TB_CAPTURE_SOURCE_BLOCK },
    { TB_AGENT_OPTION_NETWORK, TB_CAPTURE_SOURCE_NETWORK },
    { TB_AGENT_OPTION_SYSCALLS, TB_CAPTURE_SOURCE_SYSCALLS },
    { TB_AGENT_OPTION_ANNOTATIONS, TB_CAPTURE_SOURCE_MARKS },
  };
  guint32 sources = 1u << TB_CAPTURE_SOURCE_SCHEDULER | 1u << TB_CAPTURE_SOURCE_TASKS;

  for (guint i = 0; i < G_N_ELEMENTS (optional); i++)
    if (private->numbers[optional[i].option])
      sources |= 1u << optional[i].source;
  return sources;
}

static guint16
get_stacks (const TbAgentCollectorPrivate *private)
{
  static const struct
  {
    TbAgentOption option;
    guint16 flag;
  } optional[] = {
    { TB_AGENT_OPTION_STACKS, TB_CAPTURE_USER_STACKS },
    { TB_AGENT_OPTION_KERNEL_STACKS, TB_CAPTURE_KERNEL_STACKS },
    { TB_AGENT_OPTION_WAKING_KERNEL_STACKS, TB_CAPTURE_WAKING_KERNEL_STACKS },
    { TB_AGENT_OPTION_REPAIR_STACKS, TB_CAPTURE_REPAIRED_STACKS },
    { TB_AGENT_OPTION_SYSCALL_STACKS, TB_CAPTURE_SYSCALL_STACKS },
  };
  guint16 stacks = 0;

  for (guint i = 0; i < G_N_ELEMENTS (optional) && private->numbers[TB_AGENT_OPTION_STACKS]; i++)
    if (private->numbers[optional[i].option])
      stacks |= optional[i].flag;
  return stacks;
}

static gboolean
has_list (const TbAgentCollectorPrivate *private, TbAgentOption option)
{
  char **list = private->lists[option];

  return list != NULL && list[0] != NULL;
}

static gboolean
has_probes (const TbAgentCollectorPrivate *private)
{
  return has_list (private, TB_AGENT_OPTION_PROBE);
}

static gboolean
make_start (const TbAgentCollectorPrivate *private, TbCaptureStart *start, GError **error)
{
  *start = (TbCaptureStart) {
    .sources = get_sources (private),
    .stacks = get_stacks (private),
    .ring_bytes = (guint32) private->numbers[TB_AGENT_OPTION_RING_SIZE],
    .frequency = (guint32) private->numbers[TB_AGENT_OPTION_FREQUENCY],
    .flight_recorder_ns = (guint64) private->numbers[TB_AGENT_OPTION_FLIGHT_RECORDER],
    .flight_recorder_bytes = (guint64) private->numbers[TB_AGENT_OPTION_FLIGHT_RECORDER_SIZE],
    .stack_interval = (guint32) (private->numbers[TB_AGENT_OPTION_SYSCALL_STACK_INTERVAL] / 1000),
    .min_syscall_ns = (guint64) private->numbers[TB_AGENT_OPTION_SYSCALL_MIN],
  };
  if (!tb_agent_start_parse_condition (start, private->texts[TB_AGENT_OPTION_TRIGGER], error)
      || !tb_agent_start_find_cgroup (start, private->texts[TB_AGENT_OPTION_CGROUP], error))
    return FALSE;
  if (start->trigger_ns > 0 && start->flight_recorder_ns == 0 && start->flight_recorder_bytes == 0)
    {
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                           _ ("trigger needs flight-recorder or flight-recorder-size: how much is "
                              "kept until then"));
      return FALSE;
    }
  if (start->trigger_ns > 0 && start->trigger_call == TB_CAPTURE_NO_CALL && !has_probes (private))
    {
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                           _ ("trigger=function… needs probe: which functions are measured"));
      return FALSE;
    }
  if (has_probes (private))
    start->sources |= 1u << TB_CAPTURE_SOURCE_PROBES;
  if (has_list (private, TB_AGENT_OPTION_MARK))
    start->sources |= 1u << TB_CAPTURE_SOURCE_MARKS;
  /* The trigger's own system calls must be recorded, but no others unless requested. */
  if (start->trigger_ns > 0 && start->trigger_call != TB_CAPTURE_NO_CALL
      && !private->numbers[TB_AGENT_OPTION_SYSCALLS])
    {
      start->sources |= 1u << TB_CAPTURE_SOURCE_SYSCALLS;
      start->min_syscall_ns = start->trigger_ns;
    }
  return TRUE;
}

/* dumped: the names of the threads whose stacks are dumped; NULL: none */
static gboolean
choose_dumped (const TbAgentCollectorPrivate *private,
               TbCaptureStart *start,
               char ***dumped,
               GError **error)
{
  GError *local_error = NULL;

  *dumped = tb_agent_start_parse_dumped (private->texts[TB_AGENT_OPTION_DUMP_STACKS], &local_error);
  if (*dumped != NULL && !private->numbers[TB_AGENT_OPTION_STACKS])
    g_set_error_literal (&local_error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                         _ ("the option “dump-stacks” needs the option “stacks”, which is off"));
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (*dumped != NULL)
    start->dump_bytes = (guint32) private->numbers[TB_AGENT_OPTION_DUMP_BYTES];
  return TRUE;
}

static TbAgentRequirements
make_requirements (TbCollector *collector)
{
  const TbAgentCollectorKind *kind = &TB_AGENT_COLLECTOR_GET_CLASS (collector)->kind;

  return (TbAgentRequirements) {
    .backend = kind->backend,
    .required = kind->required,
    .authorize = get_private (collector)->texts[TB_AGENT_OPTION_AUTHORIZE],
    .locks = get_private (collector)->numbers[TB_AGENT_OPTION_LOCKS] != 0
             && get_private (collector)->numbers[TB_AGENT_OPTION_STACKS] != 0,
    .memory = get_private (collector)->numbers[TB_AGENT_OPTION_LOCK_ALLOCATIONS] != 0
              && get_private (collector)->numbers[TB_AGENT_OPTION_STACKS] != 0,
    .measured = get_private (collector)->numbers[TB_AGENT_OPTION_MEASURE] != 0,
    /* A collector that cannot record annotations still looks for them, to
                          * report that. */
    .annotations = !has_option (kind, TB_AGENT_OPTION_ANNOTATIONS)
                   || get_private (collector)->numbers[TB_AGENT_OPTION_ANNOTATIONS]
  };
}

static GPtrArray *
tb_agent_collector_preflight (TbCollector *collector,
                              TbScope scope,
                              GCancellable *cancellable,
                              GError **error)
{
  TbAgentRequirements requirements = make_requirements (collector);

  return tb_agent_preflight (&requirements, get_stacks (get_private (collector)), scope,
                             cancellable, error);
}

/* Stores one line per function: its name as requested and the name of its calls, separated by a
 * tab. */
static void
store_functions (TbRecorder *recorder, const GPtrArray *functions)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < functions->len; i++)
    {
      const TbAgentFunction *function = g_ptr_array_index (functions, i);

      g_string_append_printf (text, "%s\t%s\n", function->name, function->id);
    }
  if (functions->len > 0)
    tb_recorder_set_fact (recorder, "probed-functions", text->str);
}

static gboolean
take (const TbCaptureRecord *record, gpointer collector)
{
  return TB_AGENT_COLLECTOR_GET_CLASS (collector)->take (collector, record);
}

gboolean
tb_agent_collector_send (TbAgentCollector *self, const TbCaptureRecord *record, GError **error)
{
  return tb_agent_recording_send (get_private (self)->recording, record, error);
}

static gboolean
tb_agent_collector_start (TbCollector *collector,
                          const TbTarget *target,
                          TbRecorder *recorder,
                          GCancellable *cancellable,
                          GError **error)
{
  TbAgentCollectorClass *class = TB_AGENT_COLLECTOR_GET_CLASS (collector);
  TbAgentCollectorPrivate *private = get_private (collector);
  g_autoptr (GPtrArray) functions = NULL;
  g_autoptr (TbMarkedFunctions) marked = NULL;
  TbAgentRequirements requirements = make_requirements (collector);
  g_auto (GStrv) dumped = NULL;
  TbCaptureStart start;

  if (!make_start (private, &start, error) || !choose_dumped (private, &start, &dumped, error))
    return FALSE;
  requirements.dumped = (const char *const *) dumped;
  if (class->prepare != NULL
      && !class->prepare (TB_AGENT_COLLECTOR (collector), target, recorder, &start, error))
    return FALSE;
  functions = tb_agent_functions_find ((const char *const *) private->lists[TB_AGENT_OPTION_PROBE],
                                       target, error);
  if (functions == NULL)
    return FALSE;
  store_functions (recorder, functions);
  marked = tb_marked_functions_find ((const char *const *) private->lists[TB_AGENT_OPTION_MARK],
                                     target, error);
  if (marked == NULL)
    return FALSE;
  if (class->take != NULL)
    tb_agent_recording_set_listener (private->recording, take, collector);
  if (!tb_agent_recording_start (private->recording, &requirements, &start, functions,
                                 g_steal_pointer (&marked), target, recorder, cancellable, error))
    return FALSE;
  if (class->begin == NULL || class->begin (TB_AGENT_COLLECTOR (collector), cancellable, error))
    return TRUE;
  tb_agent_recording_stop (private->recording, NULL);
  return FALSE;
}

static gboolean
tb_agent_collector_stop (TbCollector *collector, GError **error)
{
  TbAgentCollectorClass *class = TB_AGENT_COLLECTOR_GET_CLASS (collector);
  gboolean complete = tb_agent_recording_stop (get_private (collector)->recording, error);

  if (class->finish != NULL)
    class->finish (TB_AGENT_COLLECTOR (collector));
  return complete;
}

static void
collector_iface_init (TbCollectorInterface *iface)
{
  iface->get_options = tb_agent_collector_get_options;
  iface->preflight = tb_agent_collector_preflight;
  iface->start = tb_agent_collector_start;
  iface->stop = tb_agent_collector_stop;
}

static void
tb_agent_collector_get_property (GObject *object,
                                 guint property_id,
                                 GValue *value,
                                 GParamSpec *pspec)
{
  TbAgentCollectorPrivate *private = get_private (object);

  if (property_id >= TB_AGENT_N_OPTIONS)
    G_OBJECT_CLASS (tb_agent_collector_parent_class)
        ->get_property (object, property_id, value, pspec);
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    g_value_set_boolean (value, private->numbers[property_id] != 0);
  else if (G_IS_PARAM_SPEC_STRING (pspec))
    g_value_set_string (value, private->texts[property_id]);
  else if (G_IS_PARAM_SPEC_BOXED (pspec))
    g_value_set_boxed (value, private->lists[property_id]);
  else if (G_IS_PARAM_SPEC_UINT (pspec))
    g_value_set_uint (value, (guint) private->numbers[property_id]);
  else
    g_value_set_int64 (value, private->numbers[property_id]);
}

static void
tb_agent_collector_set_property (GObject *object,
                                 guint property_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  TbAgentCollectorPrivate *private = get_private (object);

  if (property_id >= TB_AGENT_N_OPTIONS)
    G_OBJECT_CLASS (tb_agent_collector_parent_class)
        ->set_property (object, property_id, value, pspec);
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
  private->numbers[property_id] = g_value_get_boolean (value);
  else if (G_IS_PARAM_SPEC_STRING (pspec))
      g_set_str (&private->texts[property_id], g_value_get_string (value));
  else if (G_IS_PARAM_SPEC_BOXED (pspec))
  {
    g_strfreev (private->lists[property_id]);
    private->lists[property_id] = g_value_dup_boxed (value);
  }
  else if (G_IS_PARAM_SPEC_UINT (pspec)) private->numbers[property_id] = g_value_get_uint (value);
  else private->numbers[property_id] = g_value_get_int64 (value);
}

static void
tb_agent_collector_finalize (GObject *object)
{
  TbAgentCollectorPrivate *private = get_private (object);

  tb_agent_recording_free (private->recording);
  for (guint i = 0; i < TB_AGENT_N_OPTIONS; i++)
    {
      g_free (private->texts[i]);
      g_strfreev (private->lists[i]);
    }

  G_OBJECT_CLASS (tb_agent_collector_parent_class)->finalize (object);
}

void
tb_agent_collector_class_install (TbAgentCollectorClass *klass, const TbAgentCollectorKind *kind)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  /* A class that installs properties must serve them, so these two functions are not inherited. */
  object_class->get_property = tb_agent_collector_get_property;
  object_class->set_property = tb_agent_collector_set_property;
  klass->kind = *kind;
  /* A collector's additional options are properties of its own class. */
  TB_OPTION_OBJECT_CLASS (klass)->n_options = TB_AGENT_N_OPTIONS;
  for (guint i = 1; i < TB_AGENT_N_OPTIONS; i++)
    {
      const TbAgentOptionChange *change = kind->changes;

      while (change != NULL && change->option != 0 && change->option != i)
        change++;
      if (has_option (kind, i))
        g_object_class_install_property (
            G_OBJECT_CLASS (klass), i,
            tb_agent_option_make (i, change != NULL && change->option != 0 ? change : NULL));
    }
}

static void
tb_agent_collector_class_init (TbAgentCollectorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_agent_collector_finalize;
}

static void
tb_agent_collector_init (TbAgentCollector *self)
{
  get_private (self)->recording = tb_agent_recording_new (TB_COLLECTOR (self));
}
