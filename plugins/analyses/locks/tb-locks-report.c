/* tb-locks-report.c: report on locks: table of locks and classes, histogram of the lengths of
 * waits, headline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-locks-names.h"
#include "tb-locks-report.h"

#define MAX_SERIES 8
#define FIRST_BIN 1000 /* ns; each bin is twice as wide as the one before */

/* The columns of the table. */
typedef struct
{
  guint name;
  guint group;
  guint process;
  guint wait;
  guint waits;
  guint longest;
  guint most;
  guint waiters;
  guint holders;
} Columns;

static const char *
get_group_label (TbLockGroup group)
{
  switch (group)
    {
    case TB_LOCK_GROUP_LOCK:
      return C_ ("use of a lock", "Lock");
    case TB_LOCK_GROUP_CONDITION:
      return C_ ("use of a lock", "Condition");
    case TB_LOCK_GROUP_TIMED:
      return C_ ("use of a lock", "Timeout");
    case TB_LOCK_GROUP_JOIN:
      return C_ ("use of a lock", "End of Threads");
    case TB_LOCK_GROUP_UNKNOWN:
    case TB_N_LOCK_GROUPS:
    default:
      return C_ ("use of a lock", "Unknown");
    }
}

/* parent: the row of the class; TB_ID_NONE: none */
static void
add_row (TbTableFigure *table,
         const Columns *columns,
         TbLocksSummary *summary,
         const TbLockSummary *lock,
         guint parent)
{
  g_autofree char *item = tb_locks_summary_make_item (lock);
  g_autofree char *name = tb_locks_summary_label (summary, lock);
  g_autofree char *process = tb_locks_summary_describe_process (summary, lock);
  g_autofree char *waiters = tb_locks_join_names (summary, lock->waiters);
  g_autofree char *holders = tb_locks_join_names (summary, lock->holders);
  guint row = parent != TB_ID_NONE ? tb_table_figure_add_child (table, parent, item)
                                   : tb_table_figure_add_row (table, item);

  tb_table_figure_set_text (table, row, columns->name, name);
  tb_table_figure_set_text (table, row, columns->group, get_group_label (lock->group));
  tb_table_figure_set_text (table, row, columns->process,
                            process != NULL ? process : C_ ("process of a lock", "shared"));
  tb_table_figure_set_integer (table, row, columns->wait, lock->wait_ns);
  tb_table_figure_set_integer (table, row, columns->waits, (gint64) lock->n_waits);
  tb_table_figure_set_integer (table, row, columns->longest, lock->longest_ns);
  tb_table_figure_set_integer (table, row, columns->most, lock->most);
  tb_table_figure_set_text (table, row, columns->waiters, waiters);
  if (lock->holders->len > 0)
    tb_table_figure_set_text (table, row, columns->holders, holders);
}

/* Below the row of a class are rows of its locks, as many as rows of a group are shown. */
static TbFigure *
make_table (TbLocksSummary *summary, const GPtrArray *rows, guint top)
{
  TbTableFigure *table = tb_table_figure_new ("locks", _ ("Locks"));
  Columns columns;

  columns.name = tb_table_figure_add_column (table, "name", _ ("Lock"), TB_CELL_TEXT);
  columns.group = tb_table_figure_add_column (table, "group", _ ("Use"), TB_CELL_TEXT);
  columns.process = tb_table_figure_add_column (table, "process", _ ("Process"), TB_CELL_TEXT);
  columns.wait = tb_table_figure_add_column (table, "wait", _ ("Waited"), TB_CELL_DURATION);
  columns.waits = tb_table_figure_add_column (table, "waits", _ ("Waits"), TB_CELL_COUNT);
  columns.longest = tb_table_figure_add_column (table, "longest", _ ("Longest"), TB_CELL_DURATION);
  columns.most = tb_table_figure_add_column (table, "most", _ ("Most at Once"), TB_CELL_COUNT);
  columns.waiters = tb_table_figure_add_column (table, "waiters", _ ("Waiters"), TB_CELL_TEXT);
  columns.holders = tb_table_figure_add_column (table, "holders", _ ("Ended By"), TB_CELL_TEXT);
  for (guint i = 0; i < rows->len; i++)
    add_row (table, &columns, summary, g_ptr_array_index (rows, i), TB_ID_NONE);
  for (guint i = 0; i < rows->len; i++)
    {
      const GPtrArray *members = ((TbLockSummary *) g_ptr_array_index (rows, i))->members;
      guint n = members != NULL ? members->len : 0;

      for (guint member = 0; member < (top == 0 ? n : MIN (top, n)); member++)
        add_row (table, &columns, summary, g_ptr_array_index (members, member), i);
    }
  return TB_FIGURE (table);
}

static guint
get_bin (gint64 ns)
{
  guint bin = 0;

  for (gint64 end = FIRST_BIN; ns >= end && bin < 62; end *= 2)
    bin++;
  return bin;
}

static void
add_series (TbHistogramFigure *figure,
            TbLocksSummary *summary,
            const TbLockSummary *lock,
            guint n_bins)
{
  g_autofree char *id = tb_locks_summary_make_item (lock);
  g_autofree char *name = tb_locks_summary_label (summary, lock);
  g_autofree guint64 *counts = g_new0 (guint64, n_bins);
  g_autofree guint64 *totals = g_new0 (guint64, n_bins);
  guint series = tb_histogram_figure_add_series (figure, id, name);

  for (guint i = 0; i < lock->waits->len; i++)
    {
      const TbLockWait *wait = &g_array_index (lock->waits, TbLockWait, i);
      guint bin = get_bin (wait->to - wait->from);

      counts[bin]++;
      totals[bin] += (guint64) (wait->to - wait->from);
    }
  for (guint bin = 0; bin < n_bins; bin++)
    tb_histogram_figure_set_count (figure, series, bin, counts[bin], totals[bin]);
}

static TbFigure *
make_histogram (TbLocksSummary *summary, const GPtrArray *rows)
{
  TbHistogramFigure *figure
      = tb_histogram_figure_new ("wait-lengths", _ ("Lengths of Waits"), "ns");
  gint64 longest = 0, from = 0, to = FIRST_BIN;
  guint n = MIN (rows->len, MAX_SERIES), n_bins;

  for (guint i = 0; i < n; i++)
    longest = MAX (longest, ((TbLockSummary *) g_ptr_array_index (rows, i))->longest_ns);
  n_bins = get_bin (longest) + 1;
  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint bin = 0; bin < n_bins; bin++)
    {
      tb_histogram_figure_add_bin (figure, from, to);
      from = to;
      to *= 2;
    }
  for (guint i = 0; i < n; i++)
    add_series (figure, summary, g_ptr_array_index (rows, i), n_bins);
  return TB_FIGURE (figure);
}

void
tb_locks_add_figures (TbReport *report, TbLocksSummary *summary, guint top)
{
  g_autoptr (GPtrArray) rows = tb_locks_summary_list (summary, top);

  if (rows->len == 0)
    return;
  tb_report_add_figure (report, make_table (summary, rows, top));
  tb_report_add_figure (report, make_histogram (summary, rows));
}

/* The time that was not waited for locks, by what it was waited for. */
static char *
describe_other_groups (const gint64 *ns)
{
  g_autofree char *signalled = tb_format_duration (ns[TB_LOCK_GROUP_CONDITION]);
  g_autofree char *timed = tb_format_duration (ns[TB_LOCK_GROUP_TIMED]);
  g_autofree char *joined = tb_format_duration (ns[TB_LOCK_GROUP_JOIN]);
  g_autofree char *unknown = tb_format_duration (ns[TB_LOCK_GROUP_UNKNOWN]);
  GString *text = g_string_new (NULL);

  if (ns[TB_LOCK_GROUP_UNKNOWN] > 0)
    g_string_append_printf (text, _ (" Waited for words of unknown use: %s."), unknown);
  if (ns[TB_LOCK_GROUP_CONDITION] > 0)
    g_string_append_printf (text, _ (" Waited for conditions: %s."), signalled);
  if (ns[TB_LOCK_GROUP_TIMED] > 0)
    g_string_append_printf (text, _ (" Waited until timeouts: %s."), timed);
  if (ns[TB_LOCK_GROUP_JOIN] > 0)
    g_string_append_printf (text, _ (" Joined threads: %s."), joined);
  return g_string_free (text, FALSE);
}

static char *
describe_locks (guint n, guint64 waits, gint64 ns)
{
  g_autofree char *waited = tb_format_duration (ns);
  g_autofree char *locks = g_strdup_printf (ngettext ("%u lock", "%u locks", n), n);

  return g_strdup_printf (ngettext ("Threads waited %s for %s, %'" PRIu64 " time.",
                                    "Threads waited %s for %s, %'" PRIu64 " times.", waits),
                          waited, locks, waits);
}

static char *
describe_no_lock (const TbLocksSummary *summary, gint64 unknown_ns)
{
  if (summary->n_unknown_addresses > 0)
    return g_strdup (_ ("Threads waited for locks, but it is not known for which."));
  return g_strdup (unknown_ns > 0 ? _ ("No thread is known to have waited for a lock.")
                                  : _ ("No thread waited for a lock."));
}

char *
tb_locks_make_headline (TbLocksSummary *summary)
{
  guint64 waits = 0;
  guint n = 0;
  gint64 ns[TB_N_LOCK_GROUPS] = { 0 };
  g_autofree char *locks = NULL;
  g_autofree char *others = NULL;

  if (summary->locks->len == 0 && !tb_trace_has_sleep_records (summary->trace))
    return g_strdup (_ ("The locks that threads waited for are not known: what threads sleep in "
                        "was not recorded. Record with the collector “Kernel programs” (ebpf)."));
  for (guint i = 0; i < summary->locks->len; i++)
    {
      const TbLockSummary *lock = g_ptr_array_index (summary->locks, i);

      ns[lock->group] += lock->wait_ns;
      if (lock->group != TB_LOCK_GROUP_LOCK)
        continue;
      waits += lock->n_waits;
      /* Of locks whose waiters have words of their own, it is not known how many they are. */
      n += lock->members != NULL && !tb_lock_summary_is_parked (lock) ? lock->members->len : 1;
    }
  locks = n > 0 ? describe_locks (n, waits, ns[TB_LOCK_GROUP_LOCK])
                : describe_no_lock (summary, ns[TB_LOCK_GROUP_UNKNOWN]);
  others = describe_other_groups (ns);
  return g_strconcat (locks, others, NULL);
}
