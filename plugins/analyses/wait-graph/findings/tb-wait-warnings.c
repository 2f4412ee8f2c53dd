/* tb-wait-warnings.c: warnings of a wait-graph report: circular waits, waits without a known end,
 * option values that match nothing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-warnings.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "model/tb-wait-new-work.h"

static void
add_warnings_of_applied (TbReport *report, const TbWaitApplied *applied)
{
  for (guint i = 0; i < applied->unknown->len; i++)
    {
      g_autofree char *text
          = g_strdup_printf (_ ("apply: no proposed mark is named “%s”."),
                             (const char *) g_ptr_array_index (applied->unknown, i));

      tb_report_add_warning (report, text);
    }
  if (applied->n_unmatched > 0)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("%'" PRIu64 " of the applied marks has no place in the recording.",
                    "%'" PRIu64 " of the applied marks have no place in the recording.",
                    (gulong) applied->n_unmatched),
          applied->n_unmatched);

      tb_report_add_warning (report, text);
    }
}

/* unknown: edges ("edge:A>B") and functions. */
static void
add_warnings_of_new_work (TbReport *report, const GPtrArray *unknown)
{
  for (guint i = 0; i < unknown->len; i++)
    {
      const char *name = g_ptr_array_index (unknown, i);
      g_autofree char *text
          = tb_wait_is_edge_name (name)
                ? g_strdup_printf (_ ("idle-in: the analyzed time has no edge “%s”."), name)
                : g_strdup_printf (
                      _ ("idle-in: no thread waits in a function named “%s” in the analyzed time."),
                      name);

      tb_report_add_warning (report, text);
    }
}

/* From this share of the target's waiting on, waits that are missing are reported. */
#define LOST_SHARE 0.01

static void
add_lost_waits (TbReport *report, const TbWaitResult *result)
{
  gint64 ns;
  double share;
  guint64 n = tb_wait_result_count_lost (result, &ns, &share);
  g_autofree char *length = tb_format_duration (ns);
  g_autofree char *part = tb_format_share (share);
  g_autofree char *text = NULL;

  if (share < LOST_SHARE)
    return;
  text = g_strdup_printf (
      ngettext ("%'" PRIu64
                " wait of %s (%s of the waiting) has no known end: it is not part of the graph.",
                "%'" PRIu64 " waits of %s in all (%s of the waiting) have no known end: they are "
                "not part of the graph.",
                (gulong) n),
      n, length, part);
  tb_report_add_warning (report, text);
}

void
tb_wait_add_warnings (TbReport *report, const TbWaitResult *result)
{
  guint64 n_cut = tb_wait_result_count_cut (result);

  if (result->applied != NULL)
    add_warnings_of_applied (report, result->applied);
  add_warnings_of_new_work (report, result->unmatched_new_work);

  if (n_cut > 0)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext (
              "%'" PRIu64
              " wait would close a circle of threads that wait for one another at the same time, "
              "which is impossible: a recorded waker is wrong. The circle was cut there.",
              "%'" PRIu64
              " waits would close circles of threads that wait for one another at the same time, "
              "which is impossible: recorded wakers are wrong. The circles were cut there.",
              (gulong) n_cut),
          n_cut);

      tb_report_add_warning (report, text);
    }
  add_lost_waits (report, result);
}
