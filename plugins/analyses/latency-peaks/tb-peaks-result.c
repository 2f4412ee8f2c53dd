/* tb-peaks-result.c: the peaks of one operation and what makes their calls slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-peaks-result.h"

static TbPeaksNode *
get_node (const TbPeaksResult *self, guint32 node)
{
  return tb_peaks_tree_node (self->drill->tree, node);
}

static gboolean
choose_ranges (TbPeaksResult *self, GError **error)
{
  const TbPeaksOptions *options = &self->options;

  self->is_drawn = options->from_bin >= 0 || options->to_bin >= 0;
  if (self->is_drawn)
    {
      TbPeakRange range = { (guint) MAX (options->from_bin, 0),
                            options->to_bin >= 0 ? (guint) options->to_bin : self->calls->bins.n - 1 };

      if (range.first > range.last || range.last >= self->calls->bins.n)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       _ ("No bins from %u to %u: at this resolution they go from 0 to %u"), range.first,
                       range.last, self->calls->bins.n - 1);
          return FALSE;
        }
      self->ranges = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));
      g_array_append_val (self->ranges, range);
      return TRUE;
    }
  self->ranges = tb_peaks_find_in_histogram (self->operation->histogram, &self->calls->bins);
  if (options->peak > self->ranges->len)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   ngettext ("There is no peak %u: %s has %u peak", "There is no peak %u: %s has %u peaks",
                             self->ranges->len),
                   options->peak, self->operation->id, self->ranges->len);
      return FALSE;
    }
  return TRUE;
}

/* A slice is an equal part of the range; a call is in the one in which it ended. */
static void
fill_slices (TbPeaksResult *self)
{
  const TbPeaksCalls *calls = self->calls;
  const TbPeaksTable *table = &calls->tables[self->operation->kind];
  g_autoptr (GArray) rows = tb_peaks_calls_list (calls, self->operation);
  guint n_bins = self->last - self->first + 1;
  double width = (double) MAX (calls->to - calls->from, 1) / TB_PEAKS_SLICES;

  self->slices = g_new0 (guint64, (gsize) TB_PEAKS_SLICES * n_bins);
  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      guint slice = (guint) MIN ((double) (table->exit[row] - calls->from) / width, TB_PEAKS_SLICES - 1);
      guint bin = tb_peaks_bins_find (&calls->bins, MAX (table->exit[row] - table->enter[row], 0));

      self->slices[(gsize) slice * n_bins + bin - self->first]++;
    }
}

/* What makes calls slow and calls nothing that does. */
static gboolean
is_cause (const TbPeaksNode *node)
{
  switch (node->kind)
    {
    case TB_PEAKS_NODE_FUNCTION:
    case TB_PEAKS_NODE_WAIT:
      return node->is_self_cause;
    case TB_PEAKS_NODE_ALIAS:
      return FALSE;
    default:
      return node->is_root_cause;
    }
}

static int
compare_causes (gconstpointer a, gconstpointer b)
{
  const TbPeakCause *left = a, *right = b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  return left->node < right->node ? -1 : left->node > right->node;
}

static guint
find_peak_of (const TbPeaksResult *self, guint32 node)
{
  while (get_node (self, node)->parent != TB_ID_NONE)
    node = get_node (self, node)->parent;
  return (guint) get_node (self, node)->key;
}

void
tb_peaks_result_gather_causes (TbPeaksResult *self)
{
  g_autofree gint64 *drilled_ns = g_new0 (gint64, self->ranges->len + 1);

  self->causes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakDrill *peak = &g_array_index (self->drill->peaks, TbPeakDrill, i);

      drilled_ns[i] = peak->root != TB_ID_NONE ? get_node (self, peak->root)->total_ns : 0;
      g_ptr_array_add (self->causes, g_array_new (FALSE, FALSE, sizeof (TbPeakCause)));
    }
  for (guint32 i = 0; i < self->drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = get_node (self, i);
      TbPeakCause cause = { .node = i };
      guint peak;

      if (!is_cause (node))
        continue;
      peak = find_peak_of (self, i);
      cause.ns = tb_peaks_node_is_disturbance (node)    ? node->disturbed_ns
                 : node->kind == TB_PEAKS_NODE_FUNCTION ? node->self_ns
                                                        : node->own_ns;
      cause.share = (double) cause.ns / (double) MAX (drilled_ns[peak], 1);
      g_array_append_val ((GArray *) g_ptr_array_index (self->causes, peak), cause);
    }
  for (guint i = 0; i < self->causes->len; i++)
    g_array_sort (g_ptr_array_index (self->causes, i), compare_causes);
}

TbPeaksResult *
tb_peaks_result_new (TbPeaksCalls *calls,
                     const TbPeaksOperation *operation,
                     const TbPeaksOptions *options,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbPeaksResult) self = g_new0 (TbPeaksResult, 1);

  self->calls = calls;
  self->operation = operation;
  self->options = *options;
  if (!choose_ranges (self, error))
    return NULL;
  self->drill = tb_peaks_drill_new (calls, operation, self->ranges, options->max_depth,
                                    options->maxcount_percentage, cancellable, error);
  if (self->drill == NULL)
    return NULL;
  self->has_bins
      = tb_peaks_histogram_get_extent (operation->histogram, &calls->bins, &self->first, &self->last);
  if (self->has_bins)
    fill_slices (self);
  tb_peaks_result_gather_causes (self);
  return g_steal_pointer (&self);
}

void
tb_peaks_result_free (TbPeaksResult *self)
{
  g_clear_pointer (&self->causes, g_ptr_array_unref);
  g_clear_pointer (&self->drill, tb_peaks_drill_free);
  g_clear_pointer (&self->ranges, g_array_unref);
  g_clear_pointer (&self->calls, tb_peaks_calls_free);
  g_clear_pointer (&self->state, json_node_unref);
  g_free (self->live_status);
  g_free (self->slices);
  g_free (self);
}

/* --- words --- */

const char *
tb_peaks_result_get_status (const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = &g_array_index (self->drill->peaks, TbPeakDrill, peak);

  if (self->live_status != NULL)
    return peak == self->live_peak ? self->live_status : "in-progress";
  if (drill->drilled < self->options.decision_ops)
    return "in-progress";
  for (guint32 i = 0; i < self->drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = get_node (self, i);

      if (node->kind == TB_PEAKS_NODE_FUNCTION && node->is_cut && node->is_root_cause
          && find_peak_of (self, i) == peak)
        return "depth-reached";
    }
  return "found";
}

const char *
tb_peaks_result_get_cause_kind (const TbPeaksResult *self, guint32 node)
{
  const TbPeaksNode *of = get_node (self, node);

  switch (of->kind)
    {
    case TB_PEAKS_NODE_WAIT:
      return "wait";
    case TB_PEAKS_NODE_SERVED:
      switch ((TbCauseKind) (of->key >> 32))
        {
        case TB_CAUSE_DEVICE:
        case TB_CAUSE_NETWORK:
          return "asynchronous";
        case TB_CAUSE_THREAD:
          return get_node (self, of->parent)->key == TB_WAIT_LOCK ? "wait" : "asynchronous";
        default:
          return "wait";
        }
    case TB_PEAKS_NODE_QUEUE:
    case TB_PEAKS_NODE_SERVICE:
      return "asynchronous";
    case TB_PEAKS_NODE_PREEMPTED:
    case TB_PEAKS_NODE_RUN_QUEUE:
      return "preemption";
    case TB_PEAKS_NODE_INTERRUPT:
      return "interrupt";
    default:
      return "function";
    }
}

static char *
describe_interrupt (const TbPeaksResult *self, const TbPeaksNode *node)
{
  guint32 vector, string;
  TbInterruptKind kind = tb_peaks_get_interrupt (node, &vector, &string);
  const char *name = tb_session_get_string (tb_trace_get_session (self->calls->trace), string);
  g_autofree char *in_brackets = *name != '\0' ? g_strdup_printf (" (%s)", name) : g_strdup ("");

  switch (kind)
    {
    case TB_INTERRUPT_SOFT:
      return g_strdup_printf (_ ("soft interrupt %u%s"), vector, in_brackets);
    case TB_INTERRUPT_TIMER:
      return g_strdup_printf (_ ("timer interrupt%s"), g_str_equal (name, "timer") ? "" : in_brackets);
    case TB_INTERRUPT_NMI:
      return g_strdup_printf (_ ("non-maskable interrupt%s"), in_brackets);
    default:
      return g_strdup_printf (_ ("interrupt %u%s"), vector, in_brackets);
    }
}

static char *
describe_wait (const TbPeaksNode *node)
{
  return g_strdup_printf (_ ("waits (%s)"), tb_wait_kind_get_name ((TbWaitKind) node->key));
}

char *
tb_peaks_result_describe_node (const TbPeaksResult *self, guint32 node)
{
  const TbPeaksNode *of = get_node (self, node);
  g_autofree char *wait = NULL;
  g_autofree char *by = NULL;

  switch (of->kind)
    {
    case TB_PEAKS_NODE_WAIT:
      return describe_wait (of);
    case TB_PEAKS_NODE_SERVED:
      wait = describe_wait (get_node (self, of->parent));
      by = tb_trace_describe_cause (self->calls->trace, (TbCauseKind) (of->key >> 32), (guint32) of->key);
      return g_strdup_printf (_ ("%s, ended by %s"), wait, by != NULL ? by : _ ("unknown"));
    case TB_PEAKS_NODE_QUEUE:
      return g_strdup (_ ("waits in the queue of the device"));
    case TB_PEAKS_NODE_SERVICE:
      return g_strdup (_ ("is worked on by the device"));
    case TB_PEAKS_NODE_PREEMPTED:
      return g_strdup (_ ("is preempted"));
    case TB_PEAKS_NODE_RUN_QUEUE:
      return g_strdup (_ ("waits for a cpu after it was woken"));
    case TB_PEAKS_NODE_INTERRUPT:
      return describe_interrupt (self, of);
    case TB_PEAKS_NODE_FUNCTION:
      /* Mostly not its own running: by the rule that of what is called again and again only the longest counts. */
      return of->self_ns > 2 * of->own_ns ? g_strdup (_ ("itself, in several shorter waits or calls")) : NULL;
    default:
      return NULL;
    }
}

char *
tb_peaks_result_get_label (const TbPeaksResult *self, guint32 node)
{
  const TbPeaksNode *of = get_node (self, node);
  g_autofree char *text = NULL;

  if (of->parent == TB_ID_NONE)
    return g_strdup (self->operation->id);
  if (of->kind == TB_PEAKS_NODE_FUNCTION)
    return g_strdup ((const char *) (gsize) of->key);
  if (of->kind == TB_PEAKS_NODE_SERVED)
    {
      text = tb_trace_describe_cause (self->calls->trace, (TbCauseKind) (of->key >> 32), (guint32) of->key);
      return g_strdup_printf ("[%s]", text != NULL ? text : _ ("unknown"));
    }
  text = tb_peaks_result_describe_node (self, node);
  return g_strdup_printf ("[%s]", text);
}

char **
tb_peaks_result_get_path (const TbPeaksResult *self, guint32 node)
{
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  char **names;

  for (; node != TB_ID_NONE; node = get_node (self, node)->parent)
    if (get_node (self, node)->kind == TB_PEAKS_NODE_FUNCTION)
      g_ptr_array_add (path, tb_peaks_result_get_label (self, node));
  names = g_new0 (char *, path->len + 1);
  for (guint i = 0; i < path->len; i++)
    names[i] = g_ptr_array_index (path, path->len - 1 - i);
  return names;
}

char *
tb_peaks_result_describe_range (const TbPeaksResult *self, guint peak)
{
  const TbPeakRange *range = &g_array_index (self->ranges, TbPeakRange, peak);
  g_autofree char *from = tb_format_duration (self->calls->bins.edges[range->first]);
  g_autofree char *to = tb_format_duration (self->calls->bins.edges[range->last + 1]);

  return g_strdup_printf ("%s–%s", from, to);
}
