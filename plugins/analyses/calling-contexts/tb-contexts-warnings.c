/* tb-contexts-warnings.c: warnings of a calling-contexts report: no or broken stacks, lost events,
 * low coverage; for samples also times that are estimates and summed waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "tb-contexts-findings.h"
#include "trace/tb-trace-evidence.h"

/* A lower coverage is reported. */
#define GOOD_COVERAGE 0.5
#define BROKEN_SHARE 0.01

static gboolean
are_many_broken (const TbContextsSummary *summary)
{
  const TbContextsCounts *counts = &summary->counts;

  return counts->broken + counts->excluded > (counts->used + counts->excluded) * BROKEN_SHARE;
}

/* Without a call chain, perf records the function that ran and nothing else. */
static gboolean
has_callers (const TbContextsSummary *summary)
{
  for (guint32 i = 0; i < summary->tree.n_nodes; i++)
    if (summary->events[i] > 0 && summary->depths[i] > 1)
      return TRUE;
  return FALSE;
}

/* What completes stacks that end in the C library of a recording by this program. */
static char *
describe_repairable (TbTrace *trace, const TbContextsCounts *counts)
{
  const char *collector = tb_session_get_fact (tb_trace_get_session (trace), "collector");

  if (g_strcmp0 (collector, "perf") == 0)
    return g_strdup_printf (
        _ ("%'" PRIu64 " of %'" PRIu64 " stacks do not reach the start of their thread; %'" PRIu64
           " of these were left out, the others are contexts of their own: record with the "
           "collector ebpf, which finds the callers of the C library, or with the option "
           "dump-stacks."),
        counts->broken + counts->excluded, counts->used + counts->excluded, counts->excluded);
  return g_strdup_printf (
      _ ("%'" PRIu64 " of %'" PRIu64 " stacks do not reach the start of their thread; %'" PRIu64
         " of these were left out, the others are contexts of their own: record with the option "
         "repair-stacks for the callers of the C library, or dump-stacks for whole stacks."),
      counts->broken + counts->excluded, counts->used + counts->excluded, counts->excluded);
}

/* No broken stack was left out. */
static char *
describe_kept (const TbContextsSummary *summary)
{
  const TbContextsCounts *counts = &summary->counts;

  return g_strdup_printf (
      tb_trace_may_miss_callers (summary->trace)
          ? _ ("%'" PRIu64 " of %'" PRIu64 " stacks do not reach the start of their thread and are "
               "contexts of their own: record with the option repair-stacks for the callers of the "
               "C library, or dump-stacks for whole stacks.")
          : _ ("%'" PRIu64 " of %'" PRIu64 " stacks do not reach the start of their thread and are "
               "contexts of their own: use programs with frame pointers, or record stack memory, "
               "for whole stacks."),
      counts->broken, counts->used);
}

static char *
describe_broken (const TbContextsSummary *summary)
{
  const TbContextsCounts *counts = &summary->counts;

  if (counts->excluded == 0)
    return describe_kept (summary);
  if (tb_trace_may_miss_callers (summary->trace))
    return describe_repairable (summary->trace, counts);
  return g_strdup_printf (
      _ ("%'" PRIu64 " of %'" PRIu64 " stacks do not reach the start of their thread; %'" PRIu64
         " of these were left out, the others are contexts of their own: use programs "
         "with frame pointers, or record stack memory, for whole stacks."),
      counts->broken + counts->excluded, counts->used + counts->excluded, counts->excluded);
}

static void
warn_of_calls (const TbContextsSummary *summary, GPtrArray *warnings)
{
  const TbContextsCounts *counts = &summary->counts;
  double wall = tb_contexts_summary_get_wall_share (summary);

  if (are_many_broken (summary))
    g_ptr_array_add (warnings, describe_broken (summary));
  if (counts->closed_by_loss > 0)
    g_ptr_array_add (warnings,
                     g_strdup_printf (ngettext ("Lost events cut off %'" PRIu64
                                                " call of a function; its time is too short.",
                                                "Lost events cut off %'" PRIu64
                                                " calls of functions; their times are too short.",
                                                counts->closed_by_loss),
                                      counts->closed_by_loss));
  if (!isnan (wall) && wall < GOOD_COVERAGE)
    {
      g_autofree char *share = tb_format_share (wall);

      g_ptr_array_add (
          warnings,
          g_strdup_printf (_ ("Stacks show where threads were for %s of their time only: record "
                              "more kinds of events with stacks, or samples."),
                           share));
    }
}

static void
warn_of_waits (const TbContextsSummary *summary, GPtrArray *warnings)
{
  /* Without thread switches the warning about the recording has the same. */
  if (summary->counter.n_sums > 0
      && tb_trace_get_evidence (summary->trace)->switches != TB_SWITCHES_NONE)
    g_ptr_array_add (
        warnings,
        g_strdup (_ ("Waits were summed while they were recorded: how long threads waited is "
                     "known, when and how often is not. To record that: tailback-cli record.")));
  if (summary->n_left_out_sums > 0)
    g_ptr_array_add (
        warnings,
        g_strdup_printf (ngettext ("%'" PRIu64 " sum of waits is of the whole recording and was "
                                   "left out of this part of it: choose the whole recording.",
                                   "%'" PRIu64 " sums of waits are of the whole recording and were "
                                   "left out of this part of it: choose the whole recording.",
                                   summary->n_left_out_sums),
                         summary->n_left_out_sums));
}

static void
warn_of_samples (const TbContextsSummary *summary, GPtrArray *warnings)
{
  const TbContextsCounts *counts = &summary->counts;

  if (summary->sample_time == TB_CONTEXTS_SAMPLE_DISTANCE)
    g_ptr_array_add (
        warnings,
        g_strdup (_ ("The recording does not contain the time that a sample stands for: times are "
                     "estimates by how far samples lie apart, only the shares are measured.")));
  if (summary->sample_time == TB_CONTEXTS_SAMPLE_UNKNOWN)
    g_ptr_array_add (
        warnings,
        g_strdup (_ ("The time that a sample stands for is unknown: each is shown as 1 ns, only "
                     "the shares are measured.")));
  if (counts->without_stack > 0)
    g_ptr_array_add (warnings,
                     g_strdup_printf (ngettext ("%'" PRIu64 " of %'" PRIu64
                                                " samples has no stack: shares are of the others.",
                                                "%'" PRIu64 " of %'" PRIu64
                                                " samples have no stack: shares are of the "
                                                "others.",
                                                counts->without_stack),
                                      counts->without_stack, summary->n_samples));
  if (summary->counter.kind == TB_CONTEXTS_COUNTER_WAITS)
    warn_of_waits (summary, warnings);
  if (!has_callers (summary))
    g_ptr_array_add (warnings,
                     g_strdup (_ ("No sample has a caller: only the function that ran is known. To "
                                  "record callers: tailback-cli record, or perf record -g.")));
  else if (are_many_broken (summary))
    g_ptr_array_add (warnings, describe_kept (summary));
  if (summary->has_unused_options)
    g_ptr_array_add (warnings,
                     g_strdup (_ ("Samples do not show calls: the mean call as cost, and a time "
                                  "between stacks, were not used.")));
}

GPtrArray *
tb_contexts_list_warnings (TbContextsSummary *summary)
{
  GPtrArray *warnings = g_ptr_array_new_with_free_func (g_free);

  if (summary->by_samples && summary->n_samples == 0)
    g_ptr_array_add (warnings, g_strdup (_ ("No sample was taken of these threads in this time.")));
  else if (summary->counts.used + summary->counts.excluded == 0)
    g_ptr_array_add (warnings,
                     g_strdup (
                         _ ("No event has a stack, so no function is known: record with stacks.")));
  else if (summary->by_samples)
    warn_of_samples (summary, warnings);
  else
    warn_of_calls (summary, warnings);
  return warnings;
}
