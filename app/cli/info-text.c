/* info-text.c: description of a recording as text: facts, costs, events, losses, stacks, missing
 * names, probed functions, interfaces, table of processes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <glib/gi18n.h>

#include "info.h"
#include "session/schema/tb-interface.h"

static void
append_fact (GString *text, TbSession *session, const char *label, const char *key)
{
  const char *value = tb_session_get_fact (session, key);

  if (value && *value)
    g_string_append_printf (text, "%s: %s\n", label, value);
}

static void
append_cost (GString *text, TbSession *session)
{
  for (guint i = 0; i < INFO_N_COSTS; i++)
    {
      gint64 ns = info_get_cost (session, i);
      g_autofree char *time = tb_format_duration (ns);

      if (ns > 0)
        g_string_append_printf (text, "%s: %s\n", _ (info_costs[i].label), time);
    }
}

static void
append_dumps (GString *text, TbSession *session)
{
  g_autofree char *size = NULL;
  g_autofree char *time = NULL;
  InfoDumps dumps;

  if (!info_read_dumps (session, &dumps))
    return;
  size = g_format_size (dumps.bytes);
  time = tb_format_duration ((gint64) dumps.time_ns);
  g_string_append_printf (text,
                          _ ("Dumped stacks: %'" PRIu64 " (%s), %'" PRIu64
                             " not unwound to their start, %'" PRIu64
                             " not unwound at all; unwinding took %s\n"),
                          dumps.n, size, dumps.incomplete, dumps.failed, time);
}

/* For example "Interface eth0: 1,000 Mbit/s, 192.0.2.1". */
static void
append_interfaces (GString *text, TbSession *session)
{
  guint n;
  const TbInterface *interfaces = tb_session_get_interfaces (session, &n);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, _ ("Interface %s: "), interfaces[i].name);
      if (interfaces[i].speed > 0)
        g_string_append_printf (text, _ ("%'.6g Mbit/s"), (double) interfaces[i].speed / 1e6);
      else
        g_string_append (text, _ ("speed unknown"));
      for (const char *const *address = interfaces[i].addresses; *address != NULL; address++)
        g_string_append_printf (text, ", %s", *address);
      if (interfaces[i].n_omitted > 0)
        g_string_append_printf (text,
                                ngettext (" and %'u more", " and %'u more",
                                          interfaces[i].n_omitted),
                                interfaces[i].n_omitted);
      g_string_append_c (text, '\n');
    }
}

static char *
make_process_table (TbSession *session, guint width)
{
  g_autoptr (TbTableFigure) table = tb_table_figure_new ("processes", _ ("Processes"));
  g_auto (InfoProcessThreads) grouped = { 0 };
  guint n;
  const TbProcess *processes = tb_session_get_processes (session, &n);

  info_group_threads (session, &grouped);
  tb_table_figure_add_column (table, "id", _ ("ID"), TB_CELL_NUMBER);
  tb_table_figure_add_column (table, "pid", _ ("PID"), TB_CELL_NUMBER);
  tb_table_figure_add_column (table, "name", _ ("Name"), TB_CELL_TEXT);
  tb_table_figure_add_column (table, "threads", _ ("Threads"), TB_CELL_COUNT);
  tb_table_figure_add_column (table, "command", _ ("Command"), TB_CELL_TEXT);
  for (guint i = 0; i < n; i++)
    {
      guint row = tb_table_figure_add_row (table, NULL);

      tb_table_figure_set_integer (table, row, 0, i);
      tb_table_figure_set_integer (table, row, 1, processes[i].pid);
      if (processes[i].name[0] != '\0')
        tb_table_figure_set_text (table, row, 2, processes[i].name);
      tb_table_figure_set_integer (table, row, 3, grouped.first[i + 1] - grouped.first[i]);
      tb_table_figure_set_text (table, row, 4, processes[i].command);
    }
  tb_figure_freeze (TB_FIGURE (table));
  return tb_figure_to_text (TB_FIGURE (table), width);
}

static void
append_events (GString *text, TbSession *session)
{
  g_string_append_printf (text, "%s:", _ ("Events"));
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    {
      guint64 n = tb_table_get_n_rows (tb_session_get_table (session, kind));

      if (n > 0 && TB_TABLE_IS_EVENT (kind))
        g_string_append_printf (text, " %s %'" G_GUINT64_FORMAT,
                                tb_table_kind_get_info (kind)->name, n);
    }
  g_string_append_c (text, '\n');
}

static void
append_cut (GString *text, const InfoStacks *stacks)
{
  if (stacks->n_cut > 0 && stacks->limit != NULL)
    g_string_append_printf (text,
                            /* Translators: a number of frames, or a range, and numbers of stacks */
                            _ ("Stacks cut at %s frames: %'" PRIu64 " of %'" PRIu64 "\n"),
                            stacks->limit, stacks->n_cut, stacks->n_with);
  else if (stacks->n_cut > 0)
    g_string_append_printf (text, _ ("Stacks cut at a limit: %'" PRIu64 " of %'" PRIu64 "\n"),
                            stacks->n_cut, stacks->n_with);
}

static gboolean
append_functions (GString *text, TbSession *session, GError **error)
{
  g_autoptr (GArray) functions = info_list_functions (session, error);

  for (guint i = 0; functions && i < functions->len; i++)
    {
      const InfoFunction *function = &g_array_index (functions, InfoFunction, i);
      g_autofree char *total = tb_format_duration (function->total);
      g_autofree char *longest = tb_format_duration (function->longest);

      g_string_append_printf (text,
                              ngettext ("Function %s: %'" PRIu64 " call, %s in total, longest %s\n",
                                        "Function %s: %'" PRIu64
                                        " calls, %s in total, longest %s\n",
                                        MIN (function->calls, G_MAXULONG)),
                              function->name, function->calls, total, longest);
    }
  return functions != NULL;
}

static void
append_lost (GString *text, const InfoLost *lost)
{
  guint64 n = info_count_lost (lost);
  g_autofree char *events = g_strdup_printf (ngettext ("%'" PRIu64 " event", "%'" PRIu64 " events",
                                                       MIN (n, G_MAXULONG)),
                                             n);
  g_autofree char *stretches = g_strdup_printf (ngettext ("%'" PRIu64 " gap", "%'" PRIu64 " gaps",
                                                          MIN (lost->n, G_MAXULONG)),
                                                lost->n);

  /* Translators: number of lost events, number of time ranges. */
  g_string_append_printf (text, _ ("Lost: %s in %s\n"), events, stretches);
}

char *
info_to_text (TbTrace *trace, guint width, GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *length = NULL;
  g_autofree char *broken = NULL;
  g_autofree char *symbolized = NULL;
  g_autofree char *processes = NULL;
  g_auto (InfoLost) lost = { 0 };
  const char *const *remarks = tb_trace_get_remarks (trace);
  InfoStacks stacks;
  gint64 from;
  gint64 to;

  if (!info_read_lost (session, &lost, error) || !info_measure_stacks (session, &stacks, error))
    return NULL;
  tb_session_get_range (session, &from, &to);
  length = tb_format_duration (MAX (to - from, 0));
  broken = tb_format_share (stacks.broken);
  symbolized = tb_format_share (stacks.symbolized);
  g_string_append_printf (text, _ ("Duration: %s, from %" PRId64 " to %" PRId64 " ns\n"), length,
                          from, to);
  append_fact (text, session, _ ("Clock"), "clock");
  append_fact (text, session, _ ("Collector"), "collector");
  append_fact (text, session, _ ("Command"), "command");
  append_fact (text, session, _ ("Command status"), "command-status");
  if (tb_session_is_cut_short (session))
    g_string_append (text, _ ("The recording was cut short.\n"));
  append_events (text, session);
  append_lost (text, &lost);
  for (guint i = 0; remarks[i] != NULL; i++)
    g_string_append_printf (text, _ ("Note: %s\n"), remarks[i]);
  append_fact (text, session, _ ("Counted, not recorded"), "omitted");
  append_cost (text, session);
  append_fact (text, session, _ ("Kernel functions"), "kernel-functions");
  g_string_append_printf (text,
                          _ ("Stacks: %'" PRIu64 " distinct, %'" PRIu64
                             " frames, %s with names; %s of the events have a broken stack\n"),
                          stacks.distinct, stacks.frames, symbolized, broken);
  append_cut (text, &stacks);
  if (stacks.is_repaired)
    g_string_append_printf (text,
                            _ ("Stacks with callers found by unwind tables: %'" PRIu64
                               "; with code that has no table: %'" PRIu64 "\n"),
                            stacks.n_repaired, stacks.n_unrepaired);
  if (!info_append_symbols (text, session, error) || !append_functions (text, session, error))
    return NULL;
  append_dumps (text, session);
  append_interfaces (text, session);
  g_string_append_c (text, '\n');
  processes = make_process_table (session, width);
  g_string_append (text, processes);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
