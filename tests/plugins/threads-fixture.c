/* threads-fixture.c: invariants of "threads" reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "threads-fixture.h"

static void
check_sums (JsonObject *summary)
{
  static const char *const members[] = { "running_ns",         "runnable_ns", "interruptible_ns",
                                         "uninterruptible_ns", "stopped_ns",  "unknown_ns" };
  gint64 before = G_MAXINT64;

  g_assert_cmpuint (summary_count (summary, "threads"), >, 0);
  for (guint i = 0; i < summary_count (summary, "threads"); i++)
    {
      JsonObject *thread = summary_get_element (summary, "threads", i);
      gint64 sum = 0;

      for (guint k = 0; k < G_N_ELEMENTS (members); k++)
        sum += summary_get_int (thread, members[k]);
      g_assert_cmpint (sum, ==,
                       summary_get_int (thread, "last_ns") - summary_get_int (thread, "first_ns"));
      g_assert_cmpint (summary_get_int (thread, "running_ns"), <=, before);
      before = summary_get_int (thread, "running_ns");
      g_assert_cmpint (summary_get_int (thread, "tid"), !=, 0);
    }
}

JsonObject *
threads_get_summary (TbReport *report)
{
  JsonObject *summary = report_get_summary (report);

  check_sums (summary);
  return summary;
}
