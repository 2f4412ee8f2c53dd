/* tb-latency-drill.c: live drill-down from a peak of one function's latencies to its root causes:
 * probes of the function itself, dispatch of the agent's records, histogram and choice of the peak,
 * expected cost as text; tb-latency-levels.c searches below the peak
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "extend/options/tb-option.h"
#include "agent-client/client/tb-agent-status.h"
#include "tb-latency-drill-private.h"

#define MAX_SLICES 1200

TbLatencyDrill *
tb_latency_drill_new (const TbLatencyOptions *options, TbLatencySend send, gpointer data)
{
  TbLatencyDrill *self = g_new0 (TbLatencyDrill, 1);

  self->options = *options;
  self->send = send;
  self->send_data = data;
  self->call = TB_CAPTURE_NO_CALL;
  self->saved.distance = -1;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  tb_peaks_bins_init (&self->bins, options->resolution);
  self->histogram = tb_peaks_histogram_new (&self->bins);
  self->slices = g_array_new (FALSE, FALSE, sizeof (TbLatencySlice));
  self->tree = tb_latency_tree_new ();
  self->functions = g_ptr_array_new ();
  self->images = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_latency_image_unref);
  self->phase.marks = g_array_new (FALSE, FALSE, sizeof (TbLatencyPhaseMark));
  self->clients.path = g_array_new (FALSE, FALSE, sizeof (TbLatencyClient));
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  g_queue_init (&self->probes.pending_groups);
  return self;
}

void
tb_latency_drill_free (TbLatencyDrill *self)
{
  for (guint i = 0; i < self->functions->len; i++)
    {
      TbLatencyFunction *function = g_ptr_array_index (self->functions, i);

      g_free (function->chosen);
      g_clear_pointer (&function->code, tb_latency_code_free);
      g_clear_pointer (&function->image, tb_latency_image_unref);
      g_free (function);
    }
  g_ptr_array_unref (self->functions);
  g_ptr_array_unref (self->images);
  g_ptr_array_unref (self->warnings);
  for (guint i = 0; i < self->slices->len; i++)
    g_free (g_array_index (self->slices, TbLatencySlice, i).counts);
  g_array_unref (self->slices);
  for (guint i = 0; i < G_N_ELEMENTS (self->sources); i++)
    g_free (self->sources[i].name);
  g_clear_pointer (&self->ranges, g_array_unref);
  tb_peaks_histogram_free (self->histogram);
  tb_latency_tree_free (self->tree);
  g_queue_clear (&self->probes.pending_groups);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_clear_pointer (&self->saved.state, json_object_unref);
  g_free (self->saved.counts);
  g_free (self->counts_at_choice);
  g_clear_pointer (&self->saved.candidates, g_hash_table_unref);
  g_free (self->phase.name);
  g_array_unref (self->phase.marks);
  g_array_unref (self->clients.path);
  g_free (self->clients.operation);
  g_free (self->clients.path_text);
  g_free (self->probes.refusal);
  g_free (self->operation);
  g_free (self->kernel.name);
  g_free (self->kernel.probe_kind);
  g_free (self->kernel.probe_reason);
  g_free (self);
}

void
tb_latency_drill_set_function (TbLatencyDrill *self,
                               TbLatencyImage *image,
                               const TbLatencySymbol *symbol)
{
  TbLatencyNode *node;

  g_ptr_array_add (self->images, tb_latency_image_ref (image));
  self->operation
      = g_strdup_printf ("function:%s@%s", symbol->name, tb_latency_image_get_name (image));
  node = tb_latency_tree_add (self->tree, tb_latency_tree_reserve (self->tree, 1), G_MAXUINT32,
                              TB_LATENCY_FUNCTION, symbol->name);
  node->function = tb_latency_drill_get_function (self, image, symbol);
}

void
tb_latency_drill_set_call (TbLatencyDrill *self, guint32 number, const char *name)
{
  TbLatencyNode *node;

  self->call = number;
  self->operation = g_strdup_printf ("syscall:%s", name);
  node = tb_latency_tree_add (self->tree, tb_latency_tree_reserve (self->tree, 1), G_MAXUINT32,
                              TB_LATENCY_SYSCALL, name);
  node->key = number;
}

void
tb_latency_drill_set_request (TbLatencyDrill *self, guint32 number, const char *name)
{
  self->is_request = TRUE;
  self->request = number;
  self->operation = g_strdup_printf ("block:%s", name);
  tb_latency_tree_add (self->tree, tb_latency_tree_reserve (self->tree, 1), G_MAXUINT32,
                       TB_LATENCY_REQUEST, name);
}

void
tb_latency_drill_set_kernel_function (TbLatencyDrill *self, const char *name)
{
  self->kernel.name = g_strdup (name);
  self->operation = g_strdup_printf ("function:%s@kernel", name);
  tb_latency_tree_add (self->tree, tb_latency_tree_reserve (self->tree, 1), G_MAXUINT32,
                       TB_LATENCY_FUNCTION, name);
}

static void
note_refusal (TbLatencyDrill *self, const char *text)
{
  if (self->probes.refusal == NULL)
    self->probes.refusal = g_strdup (text);
}

static gboolean
send_start (TbLatencyDrill *self, GError **error)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_START };

  /* Calls are counted in parts of bins; whole bins decide on root causes. */
  record.latency_start
      = (TbCaptureLatencyStart) { .call = self->call,
                                  .resolution = self->bins.resolution * self->bins.parts,
                                  .merged_bins = self->bins.parts,
                                  .thread = (guint32) self->options.thread,
                                  .operation = self->is_request ? TB_CAPTURE_LATENCY_OF_REQUESTS
                                                                : TB_CAPTURE_LATENCY_OF_CALLS,
                                  .which = self->request };
  record.tail = (const guint8 *) (self->bins.parts > 1 ? self->bins.fine_edges : self->bins.edges);
  record.tail_length = (self->bins.n * self->bins.parts + 1) * 8;
  return tb_latency_drill_send (self, &record, error);
}

static void
count_probes (TbLatencyDrill *self)
{
  guint n = 0, single = 0;

  for (guint i = 0; i < self->functions->len; i++)
    {
      const TbLatencyFunction *function = g_ptr_array_index (self->functions, i);

      if (!function->is_attached)
        continue;
      n += function->n_probes;
      single += function->n_single_stepped;
    }
  if (n > self->probes.n_most)
    {
      self->probes.n_most = n;
      self->probes.n_single_stepped = single;
    }
}

/* Bins */

/* Keeps a bounded number of slices: when they are full, two become one of twice the time. */
static void
add_slice (TbLatencyDrill *self, gint64 time)
{
  TbLatencySlice slice
      = { time, g_memdup2 (self->histogram->counts, self->bins.n * sizeof (guint64)) };

  if (self->slices->len == MAX_SLICES)
    {
      for (guint i = 0; i < MAX_SLICES / 2; i++)
        {
          g_free (g_array_index (self->slices, TbLatencySlice, 2 * i).counts);
          g_array_index (self->slices, TbLatencySlice, i)
              = g_array_index (self->slices, TbLatencySlice, 2 * i + 1);
        }
      g_array_set_size (self->slices, MAX_SLICES / 2);
    }
  g_array_append_val (self->slices, slice);
}

static void
choose (TbLatencyDrill *self, TbPeakRange range)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_PEAK,
                             .latency_peak = { range.first * self->bins.parts,
                                               (range.last + 1) * self->bins.parts - 1 } };
  guint64 calls = 0;

  for (guint bin = range.first; bin <= range.last && bin < self->bins.n; bin++)
    calls += self->histogram->counts[bin];
  /* If the range has no calls yet, its share is below that of one call in all. */
  self->peak_share = (double) MAX (calls, 1) / (double) MAX (self->histogram->calls, 1);
  self->range = range;
  self->is_peak_chosen = TRUE;
  g_free (self->counts_at_choice);
  self->counts_at_choice
      = g_memdup2 (self->histogram->counts, self->bins.n * sizeof *self->counts_at_choice);
  self->times.chosen = get_time ();
  tb_latency_drill_send (self, &record, NULL);
  tb_latency_drill_take_next_step (self, F0_NODE);
  if (get_node (self, F0_NODE)->phase == TB_LATENCY_DECIDED && !get_node (self, F0_NODE)->is_cut
      && get_node (self, F0_NODE)->disturbances == 0)
    {
      /* f0 has no callees; waits and disturbances remain. */
      tb_latency_drill_start_deciding (self, F0_NODE);
    }
}

void
tb_latency_drill_choose (TbLatencyDrill *self, TbPeakRange range)
{
  g_clear_pointer (&self->ranges, g_array_unref);
  self->ranges = tb_peaks_find_in_histogram (self->histogram, &self->bins);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakRange *peak = &g_array_index (self->ranges, TbPeakRange, i);

      if (peak->first == range.first && peak->last == range.last)
        self->peak = i + 1;
    }
  choose (self, range);
}

static void
find_peak (TbLatencyDrill *self)
{
  const TbLatencyOptions *options = &self->options;
  TbPeakRange drawn = { (guint) MAX (options->from_bin, 0),
                        options->to_bin >= 0 ? (guint) options->to_bin : self->bins.n - 1 };

  if (!self->is_ready || self->is_peak_chosen || self->is_over
      || self->histogram->calls < options->warmup_calls)
    return;
  if (self->saved.state != NULL)
    {
      tb_latency_drill_get_saved_range (self, &drawn);
      if (tb_latency_drill_matches_saved (self))
        choose (self, drawn);
      else
        tb_latency_drill_finish (self);
      return;
    }
  if (options->from_bin >= 0 || options->to_bin >= 0)
    {
      choose (self, drawn);
      return;
    }
  if (options->interactive)
    return;
  g_clear_pointer (&self->ranges, g_array_unref);
  self->ranges = tb_peaks_find_in_histogram (self->histogram, &self->bins);
  if (self->ranges->len == 0 || options->start_peak > self->ranges->len)
    return;
  self->peak = options->start_peak > 0 ? options->start_peak : self->ranges->len;
  choose (self, g_array_index (self->ranges, TbPeakRange, self->peak - 1));
}

static void
take_bins (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  const guint64 *words = (const guint64 *) (const void *) record->tail;

  self->histogram->calls = 0;
  self->histogram->total_ns = 0;
  memset (self->histogram->counts, 0, self->bins.n * sizeof *self->histogram->counts);
  memset (self->histogram->totals, 0, self->bins.n * sizeof *self->histogram->totals);
  for (guint32 i = 0; i + 2 < record->tail_length / 8; i += 3)
    {
      guint64 bin = words[i] / self->bins.parts;

      if (bin >= self->bins.n)
        continue;
      if (self->histogram->fine != NULL)
        self->histogram->fine[words[i]] = words[i + 1];
      self->histogram->counts[bin] += words[i + 1];
      self->histogram->totals[bin] += (gint64) words[i + 2];
      self->histogram->calls += words[i + 1];
      self->histogram->total_ns += (gint64) words[i + 2];
    }
  add_slice (self, (gint64) record->time);
  find_peak (self);
}

/* Ignores counters from before their node was restarted, and those that come after its caller was
 * decided. */
static void
take_counter (TbLatencyDrill *self, const TbCaptureLatencyCounter *counter)
{
  TbLatencyNode *node = get_node (self, MIN (counter->node, TB_CAPTURE_LATENCY_MAX_NODES - 1));
  gboolean is_counted;

  if (counter->node >= self->tree->n_nodes || !node->is_used || self->is_over
      || node->generation != counter->generation)
    return;
  is_counted = node->phase == TB_LATENCY_DECIDING
               || (node->parent != G_MAXUINT32 && node->phase == TB_LATENCY_NOT_EXAMINED
                   && get_node (self, node->parent)->phase == TB_LATENCY_DECIDING);
  if (is_counted)
    node->counter = *counter;
}

/* 0: local timer; otherwise from arch/x86/include/asm/irq_vectors.h of the kernel */
static char *
name_vector (guint32 number)
{
  switch (number)
    {
    case 0:
      return g_strdup ("timer");
    case 0xf6:
      return g_strdup ("IRQ_WORK");
    case 0xfb:
      return g_strdup ("CALL_FUNCTION_SINGLE");
    case 0xfc:
      return g_strdup ("CALL_FUNCTION");
    case 0xfd:
      return g_strdup ("RESCHEDULE");
    default:
      return g_strdup_printf ("%u", number);
    }
}

static void
take_source (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  /* include/linux/interrupt.h of the kernel */
  static const char *const softirqs[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                          "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };
  const TbCaptureLatencySource *source = &record->latency_source;

  if (source->index >= G_N_ELEMENTS (self->sources))
    return;
  self->sources[source->index].kind = source->kind;
  self->sources[source->index].number = source->number;
  self->sources[source->index].gap = source->gap;
  g_free (self->sources[source->index].name);
  self->sources[source->index].name
      = source->kind == 2 && source->number < G_N_ELEMENTS (softirqs)
            ? g_strdup (softirqs[source->number])
        : source->kind == 3 ? name_vector (source->number)
                            : g_utf8_make_valid ((const char *) record->tail, record->tail_length);
}

static void
note_kernel_probe_kind (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  g_free (self->kernel.probe_kind);
  g_free (self->kernel.probe_reason);
  self->kernel.probe_kind = tb_agent_status_describe_part (record, 0);
  self->kernel.probe_reason = tb_agent_status_describe_part (record, 1);
}

/* Handles the answer to the oldest request to attach. */
static void
take_answer (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  gboolean refused = record->status.kind == TB_CAPTURE_STATUS_REFUSED;
  g_autofree char *text = tb_agent_status_describe (record);
  guint32 group = GPOINTER_TO_UINT (g_queue_pop_head (&self->probes.pending_groups));
  TbLatencyFunction *function;

  if (refused)
    note_refusal (self, text);
  if (record->status.code == TB_CAPTURE_CODE_KERNEL_PROBE
      || record->status.code == TB_CAPTURE_CODE_KERNEL_PROBE_FALLBACK)
    note_kernel_probe_kind (self, record);
  if (group <= 1 || group == TB_CAPTURE_LATENCY_CLIENTS_GROUP + 1
      || group - 2 >= self->functions->len)
    return;
  function = g_ptr_array_index (self->functions, group - 2);
  if (refused)
    {
      g_autofree char *warning
          = g_strdup_printf (_ ("%s cannot be examined: %s"), function->symbol->name, text);

      g_ptr_array_add (self->warnings, g_steal_pointer (&warning));
      function->is_refused = !function->is_attached;
    }
  else
    function->is_attached = TRUE;
  count_probes (self);
  for (guint32 i = 0, n = self->tree->n_nodes; i < n; i++)
    {
      TbLatencyNode *node = get_node (self, i);

      if (!node->is_used || node->function != function || node->phase != TB_LATENCY_ATTACHING)
        continue;
      if (refused && node->kind == TB_LATENCY_SYSCALL)
        node->function = NULL;
      /* For a system call, waits are measured in any case. */
      if (!refused || node->kind == TB_LATENCY_SYSCALL)
        tb_latency_drill_start_deciding (self, i);
      else
        {
          node->phase = TB_LATENCY_DECIDED;
          node->is_cut = TRUE;
        }
    }
}

gboolean
tb_latency_drill_take (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  gboolean is_over;

  g_mutex_lock (&self->lock);
  switch (record->type)
    {
    case TB_CAPTURE_LATENCY_BINS:
      take_bins (self, record);
      break;
    case TB_CAPTURE_LATENCY_COUNTER:
      take_counter (self, &record->latency_counter);
      break;
    case TB_CAPTURE_LATENCY_CALLEE:
      if (!self->is_over)
        tb_latency_drill_take_callee (self, &record->latency_callee);
      break;
    case TB_CAPTURE_LATENCY_SOURCE:
      take_source (self, record);
      break;
    case TB_CAPTURE_LATENCY_STATE:
      self->state = record->latency_state;
      break;
    case TB_CAPTURE_LATENCY_COST:
      self->probes.cost = record->latency_cost;
      break;
    case TB_CAPTURE_LATENCY_ADDRESS:
      tb_latency_drill_take_place (self, &record->latency_address);
      break;
    case TB_CAPTURE_LATENCY_SLOW:
      tb_latency_drill_take_slow (self, record);
      break;
    case TB_CAPTURE_LATENCY_CODE:
      tb_latency_drill_take_code (self, record);
      break;
    default:
      take_answer (self, record);
      break;
    }
  if (!self->is_over
      && (record->type == TB_CAPTURE_LATENCY_STATE || record->type == TB_CAPTURE_STATUS))
    tb_latency_drill_evaluate_counters (self);
  is_over = self->is_over;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return is_over;
}

/* Start */

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  TbLatencyDrill *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Waits until all requests are answered. */
static gboolean
wait_for_answers (TbLatencyDrill *self, GCancellable *cancellable, GError **error)
{
  gulong handler = cancellable != NULL
                       ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL)
                       : 0;
  gboolean good;

  g_mutex_lock (&self->lock);
  while (!g_queue_is_empty (&self->probes.pending_groups) && self->probes.refusal == NULL
         && !g_cancellable_is_cancelled (cancellable))
    {
      gint64 soon = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

      if (!g_cond_wait_until (&self->changed, &self->lock, soon))
        note_refusal (self, _ ("the agent does not answer"));
    }
  good = self->probes.refusal == NULL;
  self->is_ready = good;
  if (!good)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, _ ("%s cannot be examined: %s"),
                 self->operation, self->probes.refusal);
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (cancellable, handler);
  return good && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static void
send_edge (TbLatencyDrill *self, TbCaptureLatencyProbeKind kind, guint64 address, gint32 height)
{
  TbCaptureRecord record
      = tb_latency_make_probe (get_node (self, F0_NODE)->function, F0_GROUP, kind, address);

  record.latency_probe.height = (guint32) height;
  tb_latency_drill_send (self, &record, NULL);
}

/* Whether f0 is probed at locations that need no single-stepping; is_cheap: its first instruction
 * needs none. A return probe is possible only at the first instruction. */
static gboolean
uses_edges (TbLatencyDrill *self, const TbLatencyCode *code, gboolean is_cheap)
{
  return code->entry_exit->len > 0 && !self->options.returns_by_stack
         && (!is_cheap || self->options.returns_by_instruction);
}

static void
probe_function (TbLatencyDrill *self)
{
  TbLatencyFunction *function = get_node (self, F0_NODE)->function;
  const TbLatencyCode *code = tb_latency_function_get_code (function);
  gboolean is_cheap;
  guint64 entry = tb_latency_code_find_entry (function->image, function->symbol, &is_cheap);

  if (uses_edges (self, code, is_cheap))
    for (guint i = 0; i < code->entry_exit->len; i++)
      {
        const TbLatencyPoint *edge = &g_array_index (code->entry_exit, TbLatencyPoint, i);

        send_edge (self, i == 0 ? TB_CAPTURE_LATENCY_ENTRY : TB_CAPTURE_LATENCY_LAST, edge->address,
                   edge->height);
      }
  else
    {
      send_edge (self, TB_CAPTURE_LATENCY_ENTRY, entry, 0);
      if (!self->options.returns_by_instruction)
        send_edge (self, TB_CAPTURE_LATENCY_RETURN, entry, 0);
      for (guint i = 0; self->options.returns_by_instruction && i < code->ends->len; i++)
        send_edge (self, TB_CAPTURE_LATENCY_LAST, g_array_index (code->ends, guint64, i), 0);
    }
  tb_latency_drill_request_attach (self, F0_GROUP);
}

/* To be called first: the agent loads programs for that function. */
static void
probe_kernel (TbLatencyDrill *self)
{
  TbCaptureRecord record
      = { .type = TB_CAPTURE_LATENCY_PROBE,
          .latency_probe
          = { .group = F0_GROUP, .pid = getpid (), .kind = TB_CAPTURE_LATENCY_KERNEL } };

  record.tail = (const guint8 *) self->kernel.name;
  record.tail_length = (guint32) MIN (strlen (self->kernel.name), 127);
  tb_latency_drill_send (self, &record, NULL);
  tb_latency_drill_read_kernel (self, self->kernel.name);
}

gboolean
tb_latency_drill_begin (TbLatencyDrill *self, GCancellable *cancellable, GError **error)
{
  g_mutex_lock (&self->lock);
  self->times.begun = get_time ();
  g_queue_push_tail (&self->probes.pending_groups, GUINT_TO_POINTER (F0_GROUP + 1));
  if (!send_start (self, error))
    {
      g_mutex_unlock (&self->lock);
      return FALSE;
    }
  if (self->kernel.name != NULL)
    probe_kernel (self);
  tb_latency_drill_send_phase (self);
  tb_latency_drill_send_clients (self);
  if (self->is_request || self->kernel.name != NULL)
    tb_latency_drill_request_attach (self, F0_GROUP);
  else if (self->call == TB_CAPTURE_NO_CALL)
    probe_function (self);
  else
    {
      /* Nothing has to be attached, but the answer comes after the function has been read. */
      tb_latency_drill_read_handler (self, self->call);
      tb_latency_drill_request_attach (self, F0_GROUP);
    }
  g_mutex_unlock (&self->lock);
  return wait_for_answers (self, cancellable, error);
}

static TbFinding *
make_estimate (const TbLatencyDrill *self, const char *code, const char *text)
{
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_code (finding, code);
  tb_finding_set_string (finding, "operation", self->operation);
  return finding;
}

/* The estimate for a kernel function, by the kind of probe that the agent chose */
static TbFinding *
make_kernel_estimate (const TbLatencyDrill *self)
{
  g_autofree char *text
      = self->kernel.probe_reason != NULL
            ? g_strdup_printf (_ ("%s is probed by %s of the kernel (%s)"), self->operation,
                               self->kernel.probe_kind, self->kernel.probe_reason)
            : g_strdup_printf (_ ("%s is probed by %s of the kernel"), self->operation,
                               self->kernel.probe_kind);
  TbFinding *finding = make_estimate (self, "kernel-probe", text);

  tb_finding_set_string (finding, "probe", self->kernel.probe_kind);
  tb_finding_set_string (finding, "cause", self->kernel.probe_reason);
  return finding;
}

static TbFinding *
make_function_estimate (TbLatencyDrill *self, TbLatencyFunction *function)
{
  const TbLatencyCode *code = tb_latency_function_get_code (function);
  gboolean is_cheap;
  guint n_stepped = 0;
  g_autofree char *text = NULL;
  TbFinding *finding;

  tb_latency_code_find_entry (function->image, function->symbol, &is_cheap);
  is_cheap = is_cheap || uses_edges (self, code, is_cheap);
  for (guint i = 0; i < code->points->len; i++)
    n_stepped += !g_array_index (code->points, TbLatencyPoint, i).is_cheap;
  text = g_strdup_printf (
      is_cheap ? _ ("%s: its entry is cheap to probe; call sites: %'u; probes that they need: %'u, "
                    "of which single-stepped, at ten times the cost of the others: %'u")
               : _ ("%s: its entry is single-stepped; call sites: %'u; probes that they need: %'u, "
                    "of which single-stepped, at ten times the cost of the others: %'u"),
      self->operation, code->sites->len, code->points->len, n_stepped);
  finding = make_estimate (self, "function-probes", text);
  tb_finding_set_string (finding, "entry", is_cheap ? "cheap" : "single-stepped");
  tb_finding_set_integer (finding, "call_sites", code->sites->len);
  tb_finding_set_integer (finding, "probes", code->points->len);
  tb_finding_set_integer (finding, "single_stepped_probes", n_stepped);
  return finding;
}

TbFinding *
tb_latency_drill_make_estimate (TbLatencyDrill *self)
{
  TbLatencyFunction *function = get_node (self, F0_NODE)->function;
  g_autofree char *text = NULL;

  if (self->kernel.probe_kind != NULL)
    return make_kernel_estimate (self);
  if (self->kernel.name == NULL && function != NULL)
    return make_function_estimate (self, function);
  if (self->kernel.name == NULL)
    {
      text = g_strdup_printf (_ ("%s is recorded by the kernel's own events: well below 1 µs a "
                                 "call"),
                              self->operation);
      return make_estimate (self, "kernel-events", text);
    }
  text = g_strdup_printf (
      _ ("%s gets two probes of the kernel, of the first kind that is available: fentry, fprobe or "
         "kprobe"),
      self->operation);
  return make_estimate (self, "kernel-probe-pending", text);
}

char *
tb_latency_drill_estimate (TbLatencyDrill *self)
{
  g_autoptr (TbFinding) estimate = tb_latency_drill_make_estimate (self);

  return g_strdup (tb_finding_get_text (estimate));
}
