/* tb-peaks-evaluation.c: making of the result for one operation: choice of its peaks, a drawn range
 * or a single call; drill-down, periods, attributes, layers; use of an earlier drill-down, also of
 * clients
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "stats/tb-peaks-over-time.h"
#include "calls/tb-peaks-layers.h"
#include "tb-peaks-result.h"
#include "tb-peaks-server-calls.h"
#include "live/tb-peaks-state.h"

static gboolean
choose_ranges (TbPeaksResult *self, GError **error)
{
  const TbPeaksOptions *options = &self->options;

  /* A continued drill-down keeps the range that was chosen for it. */
  if (self->resumed != NULL)
    {
      TbPeakRange range = tb_peaks_state_get_range (self->resumed);

      self->is_drawn = TRUE;
      self->ranges = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));
      g_array_append_val (self->ranges, range);
      return TRUE;
    }
  self->is_drawn = options->from_bin >= 0 || options->to_bin >= 0;
  if (self->is_drawn)
    {
      TbPeakRange range
          = { (guint) MAX (options->from_bin, 0),
              options->to_bin >= 0 ? (guint) options->to_bin : self->calls->bins.n - 1 };

      if (range.first > range.last || range.last >= self->calls->bins.n)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       _ ("invalid bins %u to %u: use 0 to %u at this resolution"), range.first,
                       range.last, self->calls->bins.n - 1);
          return FALSE;
        }
      self->ranges = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));
      g_array_append_val (self->ranges, range);
      return TRUE;
    }
  self->ranges = tb_peaks_calls_find_peaks (self->calls, self->operation);
  if (options->peak > self->ranges->len)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   ngettext ("unknown peak %u: %s has %u peak", "unknown peak %u: %s has %u peaks",
                             self->ranges->len),
                   options->peak, self->operation->id, self->ranges->len);
      return FALSE;
    }
  return TRUE;
}

/* Among the calls that ran at the time, the one that began last; TB_ID_NONE if there is none. */
static guint32
find_call (const TbPeaksResult *self)
{
  const TbPeaksTable *table = &self->calls->tables[self->operation->kind];
  guint32 found = TB_ID_NONE;

  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i);

      if (table->enter[row] <= self->options.call && self->options.call <= table->exit[row]
          && (found == TB_ID_NONE || table->enter[row] > table->enter[found]))
        found = row;
    }
  return found;
}

/* Replaces the peaks by one call and the fastest peak. (transfer full): rows of both; NULL with
 * error. */
static GArray *
choose_call (TbPeaksResult *self, GError **error)
{
  const TbPeaksTable *table = &self->calls->tables[self->operation->kind];
  guint32 row = find_call (self);
  TbPeakRange range, fastest;
  GArray *rows;

  if (row == TB_ID_NONE || self->resumed != NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("call: no call of %s ran at that time"), self->operation->id);
      return NULL;
    }
  range.first = range.last = range.top
      = tb_peaks_bins_find (&self->calls->bins, tb_peaks_table_get_latency (table, row));
  g_clear_pointer (&self->ranges, g_array_unref);
  self->ranges = tb_peaks_calls_find_peaks (self->calls, self->operation);
  self->is_drawn = FALSE;
  if (self->ranges->len == 0 || range.first <= g_array_index (self->ranges, TbPeakRange, 0).last)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("call: %s has no peak of faster calls with which this one could be compared"),
                   self->operation->id);
      return NULL;
    }
  g_array_set_size (self->ranges, 1);
  fastest = g_array_index (self->ranges, TbPeakRange, 0);
  g_array_append_val (self->ranges, range);
  rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 other = g_array_index (self->rows, guint32, i);
      guint bin
          = tb_peaks_bins_find (&self->calls->bins, tb_peaks_table_get_latency (table, other));

      if (other == row || (bin >= fastest.first && bin <= fastest.last))
        g_array_append_val (rows, other);
    }
  return rows;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

/* --- further properties of peaks --- */

/* Start times of the calls of a range, in order; only the first ones if there are very many. */
#define MAX_TIMES 262144

static GArray *
list_times (const TbPeaksResult *self, const TbPeakRange *range)
{
  const TbPeaksTable *table = &self->calls->tables[self->operation->kind];
  GArray *times = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean is_sorted = TRUE;

  for (guint i = 0; i < self->rows->len && times->len < MAX_TIMES; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i);
      guint bin = tb_peaks_bins_find (&self->calls->bins, tb_peaks_table_get_latency (table, row));

      if (range != NULL && (bin < range->first || bin > range->last))
        continue;
      if (times->len > 0 && table->enter[row] < g_array_index (times, gint64, times->len - 1))
        is_sorted = FALSE;
      g_array_append_val (times, table->enter[row]);
    }
  if (!is_sorted)
    g_array_sort (times, compare_times);
  return times;
}

/* A period that all calls of the operation show as well is not a property of the peak. */
static void
find_periodicities (TbPeaksResult *self)
{
  g_autoptr (GArray) all = NULL;

  self->periodicities = g_array_new (FALSE, TRUE, sizeof (TbPeakPeriodicity));
  for (guint i = 0; i < self->ranges->len; i++)
    {
      TbPeakPeriodicity periodicity = { 0 };
      g_autoptr (GArray) times = NULL;

      if (tb_peaks_result_is_requested (self, i))
        {
          times = list_times (self, &g_array_index (self->ranges, TbPeakRange, i));
          periodicity.period = tb_peaks_find_period ((const gint64 *) times->data, times->len);
        }
      if (periodicity.period.period_ns > 0)
        {
          if (all == NULL)
            all = list_times (self, NULL);
          periodicity.strength_of_all
              = tb_peaks_get_period_strength ((const gint64 *) all->data, all->len,
                                              periodicity.period.period_ns);
        }
      g_array_append_val (self->periodicities, periodicity);
    }
}

static gboolean
find_attributes (TbPeaksResult *self, GError **error)
{
  g_autofree guint8 *requested = g_new0 (guint8, self->ranges->len + 1);

  for (guint i = 0; i < self->ranges->len; i++)
    requested[i] = tb_peaks_result_is_requested (self, i) != FALSE;
  self->attributes = tb_peaks_find_attributes (self->calls, self->operation, self->rows,
                                               self->ranges, requested, error);
  return self->attributes != NULL;
}

/* Whether the calls of an operation have the same distribution as when the state was saved. */
static gboolean
compare_state (TbPeaksResult *self, const TbPeaksState *state, const TbPeaksOperation *operation)
{
  TbPeaksDistance distance = tb_peaks_state_compare (state, self->calls, operation);

  self->is_compared = TRUE;
  self->distance = distance.bins;
  self->limit = distance.limit;
  self->is_same = distance.is_same;
  return distance.is_same;
}

/* The state is of another operation: the requested operation is restricted to the calls that served
 * the calls of that operation's peak. */
static gboolean
take_clients (TbPeaksResult *self,
              const TbPeaksState *state,
              GCancellable *cancellable,
              GError **error)
{
  TbPeakRange range = tb_peaks_state_get_range (state);
  const TbPeaksOperation *clients
      = tb_peaks_calls_find (self->calls, tb_peaks_state_get_operation (state), cancellable, error);

  if (clients == NULL)
    return FALSE;
  if (!compare_state (self, state, clients))
    {
      g_set_error (
          error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
          _ ("resume: calls of %s are distributed differently from the earlier recording: which "
             "calls of %s served them is not known"),
          clients->id, self->operation->id);
      return FALSE;
    }
  self->n_all = self->rows->len;
  self->clients = clients;
  self->clients_range = range;
  self->operation = tb_peaks_find_server_calls (self->calls, self->operation, self->rows, clients,
                                                &range, error);
  return self->operation != NULL;
}

/* Uses the given state if it is of these calls; it is ignored if their distribution differs. */
static gboolean
take_state (TbPeaksResult *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbPeaksState) state = NULL;

  if (self->options.state == NULL || *self->options.state == '\0')
    return TRUE;
  state = tb_peaks_state_parse (self->options.state, error);
  if (state == NULL || !tb_peaks_state_fits (state, self->calls, error))
    return FALSE;
  if (!tb_peaks_state_is_of (state, self->operation))
    return take_clients (self, state, cancellable, error);
  if (compare_state (self, state, self->operation))
    self->resumed = g_steal_pointer (&state);
  return TRUE;
}

TbPeaksResult *
tb_peaks_result_new (TbPeaksCalls *calls,
                     const TbPeaksOperation *operation,
                     const TbPeaksOptions *options,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbPeaksResult) self = g_new0 (TbPeaksResult, 1);
  g_autoptr (GArray) rows = NULL;

  self->calls = calls;
  self->operation = operation;
  self->options = *options;
  self->live_peak = G_MAXUINT;
  self->live_stop = TB_ID_NONE;
  self->rows = tb_peaks_calls_list (calls, operation);
  if (!take_state (self, cancellable, error) || !choose_ranges (self, error))
    return NULL;
  operation = self->operation;
  rows = options->call != 0 ? choose_call (self, error) : g_array_ref (self->rows);
  if (rows == NULL)
    return NULL;
  self->drill = tb_peaks_drill_new (calls, operation, rows, self->ranges, options->max_depth,
                                    cancellable, error);
  if (self->drill == NULL)
    return NULL;
  if (self->resumed != NULL && !tb_peaks_state_add (self->resumed, self, error))
    return NULL;
  if (!tb_peaks_drill_finish (self->drill, options->root_cause_threshold, error))
    return NULL;
  self->has_bins = tb_peaks_histogram_get_extent (operation->histogram, &calls->bins, &self->first,
                                                  &self->last);
  if (self->has_bins)
    self->slices = tb_peaks_count_slices (calls, operation, self->rows, self->first, self->last);
  tb_peaks_result_gather_causes (self);
  find_periodicities (self);
  /* A single call has no discriminating attributes. */
  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || (options->call == 0 && !find_attributes (self, error)))
    return NULL;
  self->layers = tb_peaks_find_layers (self);
  if (options->correlated != NULL && *options->correlated != '\0')
    {
      self->correlated = tb_peaks_correlation_new (self, options->correlated, cancellable, error);
      if (self->correlated == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
tb_peaks_result_free (TbPeaksResult *self)
{
  g_clear_pointer (&self->correlated, tb_peaks_correlation_free);
  g_clear_pointer (&self->layers, g_ptr_array_unref);
  g_clear_pointer (&self->causes, g_ptr_array_unref);
  g_clear_pointer (&self->drill, tb_peaks_drill_free);
  g_clear_pointer (&self->ranges, g_array_unref);
  g_clear_pointer (&self->calls, tb_peaks_calls_free);
  g_clear_pointer (&self->state, json_node_unref);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->attributes, g_ptr_array_unref);
  g_clear_pointer (&self->periodicities, g_array_unref);
  g_clear_pointer (&self->resumed, tb_peaks_state_free);
  g_free (self->live_status);
  g_free (self->slices);
  g_free (self);
}
