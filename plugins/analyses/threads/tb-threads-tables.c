/* tb-threads-tables.c: tables of the time of each thread in each state, and of what ended its waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/table/tb-table-figure.h"
#include "tb-threads-programs.h"
#include "tb-threads-tables.h"

/* Wakers of one thread in the table; the summary has all of them. */
#define WAKERS_OF_THREAD 8

static gboolean
has_samples (TbThreadsSummary *summary)
{
  for (guint i = 0; i < summary->threads->len; i++)
    if (((TbThreadSummary *) g_ptr_array_index (summary->threads, i))->n_samples > 0)
      return TRUE;
  return FALSE;
}

static TbFigure *
make_states_table (TbThreadsSummary *summary)
{
  TbTableFigure *table = tb_table_figure_new ("states", _ ("Threads"));
  TbSession *session = tb_trace_get_session (summary->trace);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  guint thread = tb_table_figure_add_column (table, "thread", _ ("Thread"), TB_CELL_TEXT);
  guint tid = tb_table_figure_add_column (table, "tid", _ ("TID"), TB_CELL_NUMBER);
  guint running = tb_table_figure_add_column (table, "running", _ ("Running"), TB_CELL_DURATION);
  gboolean has_ends = tb_threads_summary_has_wait_ends (summary);
  guint runnable = tb_table_figure_add_column (table, "runnable",
                                               has_ends ? _ ("Waiting for CPU")
                                                        : _ ("Waiting for CPU, at Least"),
                                               TB_CELL_DURATION);
  guint waiting = tb_table_figure_add_column (table, "waiting",
                                              has_ends ? _ ("Waiting") : _ ("Waiting, at Most"),
                                              TB_CELL_DURATION);
  guint disk = tb_table_figure_add_column (table, "disk", _ ("Disk"), TB_CELL_DURATION);
  guint unknown = tb_table_figure_add_column (table, "unknown", _ ("Unknown"), TB_CELL_DURATION);
  guint switches = tb_table_figure_add_column (table, "switches", _ ("Switches"), TB_CELL_COUNT);
  guint most_for
      = tb_table_figure_add_column (table, "most_for", _ ("Waits Most For"), TB_CELL_TEXT);
  guint most = tb_table_figure_add_column (table, "most", _ ("Time Waited"), TB_CELL_DURATION);
  gboolean shows_samples = summary->n_known < summary->threads->len && has_samples (summary);
  guint samples = shows_samples
                      ? tb_table_figure_add_column (table, "samples", _ ("Samples"), TB_CELL_COUNT)
                      : TB_ID_NONE;
  guint sampled
      = shows_samples && summary->has_sample_times
            ? tb_table_figure_add_column (table, "sampled", _ ("About Running"), TB_CELL_DURATION)
            : TB_ID_NONE;

  for (guint i = 0; i < summary->rows->len && !tb_threads_is_cancelled (); i++)
    {
      const TbThreadSummary *of = g_ptr_array_index (summary->rows, i);
      g_autofree char *id = g_strdup_printf ("%u", of->thread);
      const char *of_thread = tb_threads_get_shown_name (summary, of);
      const char *of_process = tb_threads_get_process_name (summary, of);
      g_autofree char *name = of_process[0] == '\0' || g_str_equal (of_thread, of_process)
                                  ? g_strdup (of_thread)
                                  : g_strdup_printf ("%s/%s", of_process, of_thread);
      guint row = tb_table_figure_add_row (table, id);

      tb_table_figure_set_text (table, row, thread, name);
      tb_table_figure_set_integer (table, row, tid, threads[of->thread].tid);
      tb_table_figure_set_integer (table, row, unknown, of->ns[TB_STATE_UNKNOWN]);
      if (samples != TB_ID_NONE)
        tb_table_figure_set_integer (table, row, samples, of->n_samples);
      if (sampled != TB_ID_NONE)
        tb_table_figure_set_integer (table, row, sampled, of->sampled_ns);
      if (!of->is_known)
        continue;
      tb_table_figure_set_integer (table, row, running, of->ns[TB_STATE_RUNNING]);
      tb_table_figure_set_integer (table, row, runnable, of->ns[TB_STATE_RUNNABLE]);
      tb_table_figure_set_integer (table, row, waiting, tb_thread_summary_get_waiting (of));
      tb_table_figure_set_integer (table, row, disk, of->disk_ns);
      tb_table_figure_set_integer (table, row, switches, of->switches);
      if (of->wakers->len > 0)
        {
          const TbWaker *waker = &g_array_index (of->wakers, TbWaker, 0);
          g_autofree char *waker_name = tb_threads_describe_waker (summary, waker);

          tb_table_figure_set_text (table, row, most_for, waker_name);
          tb_table_figure_set_integer (table, row, most, waker->wait_ns);
        }
    }
  if (summary->n_recorder > 0 && summary->evidence->switches == TB_SWITCHES_SYSTEM)
    {
      guint row = tb_table_figure_add_row (table, NULL);

      tb_table_figure_set_text (table, row, thread, _ ("Recording itself"));
      tb_table_figure_set_integer (table, row, running, summary->recorder_ns);
    }
  return TB_FIGURE (table);
}

static TbFigure *
make_wakers_table (TbThreadsSummary *summary)
{
  TbTableFigure *table = tb_table_figure_new ("wakers", _ ("Causes of Waits"));
  guint thread = tb_table_figure_add_column (table, "thread", _ ("Thread"), TB_CELL_TEXT);
  guint waker = tb_table_figure_add_column (table, "waker", _ ("Waits For"), TB_CELL_TEXT);
  guint kind = tb_table_figure_add_column (table, "kind", _ ("Kind"), TB_CELL_TEXT);
  guint count = tb_table_figure_add_column (table, "count", _ ("Waits"), TB_CELL_COUNT);
  guint wait = tb_table_figure_add_column (table, "wait", _ ("Waited"), TB_CELL_DURATION);
  guint longest = tb_table_figure_add_column (table, "longest", _ ("Longest"), TB_CELL_DURATION);

  for (guint i = 0; i < summary->rows->len && !tb_threads_is_cancelled (); i++)
    {
      const TbThreadSummary *of = g_ptr_array_index (summary->rows, i);
      g_autofree char *id = g_strdup_printf ("%u", of->thread);
      g_autofree char *name = tb_threads_describe (summary, of);

      for (guint k = 0; k < of->wakers->len && k < WAKERS_OF_THREAD; k++)
        {
          const TbWaker *by = &g_array_index (of->wakers, TbWaker, k);
          g_autofree char *by_name = tb_threads_describe_waker (summary, by);
          guint row = tb_table_figure_add_row (table, id);

          tb_table_figure_set_text (table, row, thread, name);
          tb_table_figure_set_text (table, row, waker, by_name);
          tb_table_figure_set_text (table, row, kind,
                                    tb_threads_get_waker_kind (summary->trace, by));
          tb_table_figure_set_integer (table, row, count, by->count);
          tb_table_figure_set_integer (table, row, wait, by->wait_ns);
          tb_table_figure_set_integer (table, row, longest, by->longest_ns);
        }
    }
  return TB_FIGURE (table);
}

void
tb_threads_add_tables (TbReport *report, TbThreadsSummary *summary)
{
  tb_report_add_figure (report, make_states_table (summary));
  tb_report_add_figure (report, make_wakers_table (summary));
}
