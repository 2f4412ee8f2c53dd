/* tb-latency-collector.c: collector plug-in for the latencies of one function, with a live
 * drill-down: its options, start, live report, storing of the result with warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>
#include <libpeas.h>
#include <string.h>

#include "extend/plugins/tb-live-collector.h"
#include "extend/options/tb-option.h"
#include "tb-latency-collector.h"
#include "tb-latency-live-report.h"
#include "tb-latency-target.h"

#define FACT "latency"
/* The analysis that shows the result */
#define ANALYSIS "latency-peaks"

struct _TbLatencyCollector
{
  TbAgentCollector parent_instance;

  char *function;
  char *returns;
  char *resume;
  char *phase;
  TbLatencyOptions options;
  TbLatencyDrill *drill;
  int is_found; /* atomic: drill may be used by other threads */
  TbRecorder *recorder;
  gint64 begin_time;
};

static void live_iface_init (TbLiveCollectorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbLatencyCollector,
                               tb_latency_collector,
                               TB_TYPE_AGENT_COLLECTOR,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_LIVE_COLLECTOR, live_iface_init))

static gboolean
send (const TbCaptureRecord *record, gpointer data, GError **error)
{
  return tb_agent_collector_send (data, record, error);
}

/* (transfer full): creates a drill-down from the options; NULL with error */
static TbLatencyDrill *
find (TbLatencyCollector *self, const TbTarget *target, GError **error)
{
  TbLatencyOptions options = self->options;
  g_autoptr (TbLatencyDrill) drill = NULL;

  if (*self->function == '\0')
    {
      g_set_error_literal (
          error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
          _ ("missing function: give the function to examine, such as serve, libc:fsync, "
             "syscall:read or block:read"));
      return NULL;
    }
  options.returns_by_instruction = g_strcmp0 (self->returns, "instructions") == 0;
  options.returns_by_stack = g_strcmp0 (self->returns, "stack") == 0;
  if (!tb_latency_target_has_thread (target, options.thread, error))
    return NULL;
  drill = tb_latency_drill_new (&options, send, self);
  if (!tb_latency_target_find (drill, self->function, self->returns, target, error))
    return NULL;
  return g_steal_pointer (&drill);
}

static gboolean
prepare (TbAgentCollector *collector,
         const TbTarget *target,
         TbRecorder *recorder,
         TbCaptureStart *start,
         GError **error)
{
  TbLatencyCollector *self = TB_LATENCY_COLLECTOR (collector);
  g_autofree char *estimate = NULL;

  g_atomic_int_set (&self->is_found, FALSE);
  g_clear_pointer (&self->drill, tb_latency_drill_free);
  self->drill = find (self, target, error);
  if (self->drill == NULL)
    return FALSE;
  if (*self->phase != '\0')
    {
      g_autoptr (GPtrArray) files = tb_latency_target_list_files (target);

      if (!tb_latency_drill_set_phase (self->drill, self->phase, files, error))
        return FALSE;
    }
  if (*self->resume != '\0' && !tb_latency_drill_resume (self->drill, self->resume, error))
    return FALSE;
  estimate = tb_latency_drill_estimate (self->drill);
  g_set_object (&self->recorder, recorder);
  tb_recorder_set_fact (recorder, "latency-estimate", estimate);
  g_atomic_int_set (&self->is_found, TRUE);
  start->sources |= 1u << TB_CAPTURE_SOURCE_LATENCY;
  return TRUE;
}

static gboolean
begin (TbAgentCollector *collector, GCancellable *cancellable, GError **error)
{
  TbLatencyCollector *self = TB_LATENCY_COLLECTOR (collector);

  self->begin_time = g_get_monotonic_time () * 1000;
  return tb_latency_drill_begin (self->drill, cancellable, error);
}

static gboolean
take (TbAgentCollector *collector, const TbCaptureRecord *record)
{
  return tb_latency_drill_take (TB_LATENCY_COLLECTOR (collector)->drill, record);
}

/* Live report */

static TbReport *
make_live_report (TbLiveCollector *collector)
{
  TbLatencyCollector *self = TB_LATENCY_COLLECTOR (collector);

  return g_atomic_int_get (&self->is_found) ? tb_latency_live_report_new (self->drill) : NULL;
}

static gboolean
choose (TbLiveCollector *collector, const char *figure, const char *item, GError **error)
{
  TbLatencyCollector *self = TB_LATENCY_COLLECTOR (collector);

  if (g_atomic_int_get (&self->is_found))
    return tb_latency_live_report_choose (self->drill, figure, item, error);
  g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                       _ ("Nothing is recorded yet."));
  return FALSE;
}

static char **
suggest (TbLiveCollector *collector,
         const char *option,
         const TbTarget *target,
         GCancellable *cancellable,
         GError **error)
{
  if (g_str_equal (option, "function"))
    return tb_latency_target_list (target, cancellable, error);
  return g_new0 (char *, 1);
}

static char *
estimate (TbLiveCollector *collector, const TbTarget *target, GError **error)
{
  g_autoptr (TbLatencyDrill) drill = find (TB_LATENCY_COLLECTOR (collector), target, error);

  return drill != NULL ? tb_latency_drill_estimate (drill) : NULL;
}

static void
live_iface_init (TbLiveCollectorInterface *iface)
{
  iface->get_report = make_live_report;
  iface->choose = choose;
  iface->suggest = suggest;
  iface->estimate = estimate;
}

/* The search ended before its last decision. */
static void
warn_of_stop (TbLatencyCollector *self)
{
  TbLatencyDrill *drill = self->drill;
  g_autofree char *stop = tb_latency_drill_describe_stop (drill);

  tb_recorder_add_warning (
      self->recorder,
      _ ("The search for what makes %s slow is not complete: the peak had %'" PRIu64 " calls, each "
         "level needs %'u. %s"),
      drill->operation, drill->state.calls, drill->options.decision_calls,
      stop != NULL ? stop : _ ("Continue with resume."));
}

/* Adds the warnings of a drill-down, also those of one without a result. */
static void
add_warnings (TbLatencyCollector *self)
{
  const TbLatencyDrill *drill = self->drill;
  g_autofree char *resumed = tb_latency_drill_describe_resumed (self->drill);

  for (guint i = 0; i < drill->warnings->len; i++)
    tb_recorder_add_warning (self->recorder, "%s",
                             (const char *) g_ptr_array_index (drill->warnings, i));
  if (resumed != NULL)
    tb_recorder_add_warning (self->recorder, "%s", resumed);
  if (drill->histogram->calls == 0 && drill->state.abandoned > 0)
    tb_recorder_add_warning (self->recorder,
                             ngettext ("%s never returned: %'" PRIu64
                                       " call of it was left by longjmp, an "
                                       "exception or its thread's end; there are no latencies.",
                                       "%s never returned: %'" PRIu64
                                       " calls of it were left by longjmp, an "
                                       "exception or their thread's end; there are no latencies.",
                                       drill->state.abandoned),
                             drill->operation, drill->state.abandoned);
  else if (drill->histogram->calls == 0 && drill->phase.name != NULL)
    tb_recorder_add_warning (
        self->recorder,
        _ ("%s was not called in a phase “%s”, or no such phase began during the recording: its "
           "latencies are not known."),
        drill->operation, drill->phase.name);
  else if (drill->histogram->calls == 0)
    tb_recorder_add_warning (
        self->recorder,
        _ ("%s was not called: its latencies are not known. It may be inlined into its callers, or "
           "another copy of its file may be in use."),
        drill->operation);
  else if (!drill->is_peak_chosen && drill->options.interactive)
    tb_recorder_add_warning (self->recorder,
                             _ ("No peak of %s was chosen: why calls are slow was not examined."),
                             drill->operation);
  else if (!drill->is_peak_chosen && drill->histogram->calls < drill->options.warmup_calls)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("%s was called only %'" PRIu64 " time of the %'u that are needed to choose a "
                  "peak: set a smaller warmup-calls, or record longer.",
                  "%s was called only %'" PRIu64 " times of the %'u that are needed to choose a "
                  "peak: set a smaller warmup-calls, or record longer.",
                  drill->histogram->calls),
        drill->operation, drill->histogram->calls, drill->options.warmup_calls);
  else if (!drill->is_peak_chosen && drill->options.start_peak == 0)
    tb_recorder_add_warning (self->recorder,
                             _ ("%s has no peak in %'" PRIu64 " calls: record longer, or select "
                                "bins with from-bin and to-bin."),
                             drill->operation, drill->histogram->calls);
  else if (!drill->is_peak_chosen)
    tb_recorder_add_warning (self->recorder,
                             _ ("There is no peak %u: %s has %u in %'" PRIu64
                                " calls. Choose another with start-peak, "
                                "or select bins with from-bin and to-bin."),
                             drill->options.start_peak, drill->operation,
                             drill->ranges != NULL ? drill->ranges->len : 0,
                             drill->histogram->calls);
  else if (!drill->is_over)
    warn_of_stop (self);
  if (drill->state.full > 0)
    tb_recorder_add_warning (self->recorder,
                             ngettext ("%'" PRIu64 " call was not examined for lack of memory.",
                                       "%'" PRIu64 " calls were not examined for lack of memory.",
                                       drill->state.full),
                             drill->state.full);
}

static void
finish (TbAgentCollector *collector)
{
  TbLatencyCollector *self = TB_LATENCY_COLLECTOR (collector);
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (self->drill->sources); i++)
    if (self->drill->sources[i].name != NULL)
      self->drill->sources[i].string
          = tb_recorder_intern_string (self->recorder, self->drill->sources[i].name, -1);
  text = tb_latency_drill_describe (self->drill, self->begin_time, g_get_monotonic_time () * 1000);

  tb_recorder_set_fact (self->recorder, FACT, text);
  tb_recorder_set_fact (self->recorder, "analysis", ANALYSIS);
  add_warnings (self);
  g_clear_object (&self->recorder);
}

static void
tb_latency_collector_finalize (GObject *object)
{
  TbLatencyCollector *self = TB_LATENCY_COLLECTOR (object);
  g_autoptr (TbLatencyDrill) drill = g_steal_pointer (&self->drill);

  g_clear_object (&self->recorder);
  /* The parent's finalizer ends the thread that reads for the drill-down. */
  G_OBJECT_CLASS (tb_latency_collector_parent_class)->finalize (object);
}

static void
install_options (TbOptionObjectClass *class)
{
  static const char *const ways[] = { "auto", "stack", "instructions", NULL };
  const char *const way_labels[]
      = { _ ("As libraries require"), _ ("By the stack"), _ ("By the last instructions"), NULL };
  GParamSpec *returns;

  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, function),
      g_param_spec_string (
          "function", _ ("Function"),
          _ ("Function to examine: [LIBRARY-OR-PROGRAM:]FUNCTION, syscall:NAME or block:read"), "",
          TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, options.warmup_calls),
      g_param_spec_uint ("warmup-calls", _ ("Warm-up calls"),
                         _ ("Calls that are measured before their peaks are determined"), 1,
                         G_MAXINT, 100, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, options.start_peak),
      g_param_spec_uint ("start-peak", _ ("Peak"),
                         _ ("Peak to explain, counted from the fastest; 0: the slowest"), 0,
                         TB_PEAKS_MAX_BINS, 0, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLatencyCollector, options.from_bin),
                              g_param_spec_int ("from-bin", _ ("First bin"),
                                                _ ("First bin to explain instead of a peak; -1: "
                                                   "none"),
                                                -1, TB_PEAKS_MAX_BINS, -1, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLatencyCollector, options.to_bin),
                              g_param_spec_int ("to-bin", _ ("Last bin"),
                                                _ ("Last bin to explain, inclusive; -1: the last "
                                                   "of all"),
                                                -1, TB_PEAKS_MAX_BINS, -1, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLatencyCollector, options.resolution),
                              g_param_spec_uint ("resolution", _ ("Resolution"),
                                                 _ ("Bins for each doubling of the latency"), 1,
                                                 TB_PEAKS_MAX_RESOLUTION, 1, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLatencyCollector, options.decision_calls),
                              g_param_spec_uint ("decision-calls", _ ("Calls for a decision"),
                                                 _ ("Calls of the peak that each level needs"), 1,
                                                 G_MAXINT, 20, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, options.root_cause_threshold),
      g_param_spec_double (
          "root-cause-threshold", _ ("Threshold of root causes"),
          _ ("Least counter of a root cause (calls in which it was the largest part), as a share "
             "of the highest counter"),
          0, 1, 0.8, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLatencyCollector, options.max_depth),
                              g_param_spec_uint ("max-depth", _ ("Depth"),
                                                 _ ("How many levels of calls are "
                                                    "followed"),
                                                 1, 64, 32, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, options.max_probes),
      g_param_spec_uint ("max-probes", _ ("Probes of a function"),
                         _ ("With more call sites than this, basic blocks are probed first"), 1,
                         TB_CAPTURE_LATENCY_MAX_SITES, 16, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, options.blocks_first),
      g_param_spec_boolean (
          "blocks-first", _ ("Blocks first"),
          _ ("Probe basic blocks before the calls in them, also with few call sites"), FALSE,
          TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, resume),
      g_param_spec_string ("resume", _ ("Resume from"),
                           _ ("Report of latency-peaks as JSON, or the state in it: its decisions "
                              "are kept"),
                           "", TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, phase),
      g_param_spec_string (
          "phase", _ ("Phase"),
          _ ("Only calls that begin while a thread of their process is in the phase of that name, "
             "which the program marks with tailback-annotate.h; empty: all"),
          "", TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, options.thread),
      g_param_spec_int ("thread", _ ("Thread"),
                        _ ("Only calls of the thread with this TID; 0: of all"), 0, G_MAXINT, 0,
                        TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLatencyCollector, options.interactive),
      g_param_spec_boolean (
          "interactive", _ ("Choose during the recording"),
          _ ("The peak is chosen in the histogram of the window while it fills; otherwise by "
             "warmup-calls and start-peak"),
          FALSE, TB_OPTION_FLAGS));
  returns = g_param_spec_string (
      "return-probe", _ ("Probes of returns"),
      _ ("By the stack of the program (cheap), by the last instructions of the function (safe "
         "where exceptions pass through it), or as its libraries require"),
      "auto", TB_OPTION_FLAGS);
  tb_option_set_choices (returns, ways);
  tb_option_set_choice_labels (returns, way_labels);
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLatencyCollector, returns), returns);
}

static void
tb_latency_collector_class_init (TbLatencyCollectorClass *klass)
{
  static const TbAgentOption lacking[] = {
    TB_AGENT_OPTION_DUMP_STACKS,
    TB_AGENT_OPTION_DUMP_BYTES,
    TB_AGENT_OPTION_REPAIR_STACKS,
    TB_AGENT_OPTION_SYSCALL_MIN,
    TB_AGENT_OPTION_LOCKS,
    TB_AGENT_OPTION_LOCK_ALLOCATIONS,
    TB_AGENT_OPTION_MARK,
    TB_AGENT_OPTION_PROBE,
    TB_AGENT_OPTION_SYSCALL_STACK_INTERVAL,
    TB_AGENT_OPTION_FLIGHT_RECORDER,
    TB_AGENT_OPTION_FLIGHT_RECORDER_SIZE,
    TB_AGENT_OPTION_TRIGGER,
    TB_AGENT_OPTION_WAKING_KERNEL_STACKS,
    TB_AGENT_OPTION_SYSCALL_STACKS,
    TB_AGENT_OPTION_SYSCALLS,
    TB_AGENT_OPTION_FREQUENCY,
    TB_AGENT_OPTION_SAMPLES,
    TB_AGENT_OPTION_NETWORK,
    TB_AGENT_OPTION_ANNOTATIONS,
    0,
  };
  static const TbAgentCollectorKind kind
      = { .backend = TB_CAPTURE_BACKEND_BPF, .required = TRUE, .lacking = lacking };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TbAgentCollectorClass *agent_class = TB_AGENT_COLLECTOR_CLASS (klass);

  tb_agent_collector_class_install (agent_class, &kind);
  object_class->finalize = tb_latency_collector_finalize;
  agent_class->prepare = prepare;
  agent_class->begin = begin;
  agent_class->take = take;
  agent_class->finish = finish;
  install_options (TB_OPTION_OBJECT_CLASS (klass));
}

static void
tb_latency_collector_init (TbLatencyCollector *self)
{
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_COLLECTOR, TB_TYPE_LATENCY_COLLECTOR);
}
