/* tb-paths-tables.c: tables of a control-paths report: time by category, processes that took part
 * (contributors), paths, and awaited work that is on another path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/table/tb-table-figure.h"
#include "tb-paths-awaited-activity.h"
#include "tb-paths-tables.h"
#include "tb-paths-trie.h"

#define MAX_PATHS 1000
#define MAX_ACTIVITIES 100

static double
share_of (gint64 part, gint64 whole)
{
  return whole > 0 ? (double) part / (double) whole : 0;
}

/* The table of the RSP paper. The last column is its curve: the share explained so far, from best
 * to least understood. Waits on another path count as explained there. */
static TbFigure *
make_explanation (TbPathsSummary *summary)
{
  TbTableFigure *table = tb_table_figure_new ("explanation", _ ("Explanation"));
  guint category = tb_table_figure_add_column (table, "category", _ ("Category"), TB_CELL_TEXT);
  guint time = tb_table_figure_add_column (table, "time", _ ("Time"), TB_CELL_DURATION);
  guint share = tb_table_figure_add_column (table, "share", _ ("Share of Total"), TB_CELL_SHARE);
  guint so_far = tb_table_figure_add_column (table, "cumulative", _ ("Cumulative"), TB_CELL_SHARE);
  guint base = tb_table_figure_add_column (table, "base", _ ("In Base Path"), TB_CELL_DURATION);
  gint64 sum = 0;

  tb_table_figure_set_bar (table, time);
  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    {
      guint row = tb_table_figure_add_row (table, tb_paths_category_get_id (i));

      sum += summary->categories[i];
      tb_table_figure_set_text (table, row, category, tb_paths_category_get_label (i));
      tb_table_figure_set_integer (table, row, time, summary->categories[i]);
      tb_table_figure_set_double (table, row, share,
                                  share_of (summary->categories[i], summary->total_ns));
      tb_table_figure_set_double (table, row, so_far, share_of (sum, summary->total_ns));
      tb_table_figure_set_integer (table, row, base, summary->base_categories[i]);
      tb_table_figure_set_paint (table, row, tb_paths_category_get_paint (i));
    }
  return TB_FIGURE (table);
}

/* Files or, where there are none, peers. */
static char *
join_objects (TbPathsSummary *summary, const TbPathsContributor *of)
{
  gboolean has_files = of->files->len > 0;
  const GArray *objects = has_files ? of->files : of->peers;
  guint n_more = objects->len - MIN (objects->len, 3);
  TbSession *session = tb_trace_get_session (summary->paths->trace);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < objects->len && i < 3; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? ", " : "",
        tb_session_get_string (session, g_array_index (objects, TbPathsObject, i).string));
  if (n_more > 0)
    g_string_append_printf (text,
                            has_files
                                ? ngettext (" and %'u more file", " and %'u more files", n_more)
                                : ngettext (" and %'u more peer", " and %'u more peers", n_more),
                            n_more);
  return g_string_free (text, FALSE);
}

static TbFigure *
make_contributors (TbPathsSummary *summary)
{
  TbTableFigure *table = tb_table_figure_new ("contributors", _ ("Contributors"));
  guint process = tb_table_figure_add_column (table, "process", _ ("Process"), TB_CELL_TEXT);
  guint share
      = tb_table_figure_add_column (table, "share", _ ("Share of Wall Time"), TB_CELL_SHARE);
  guint running = tb_table_figure_add_column (table, "running", _ ("Running"), TB_CELL_DURATION);
  guint io = tb_table_figure_add_column (table, "io", _ ("Disk"), TB_CELL_DURATION);
  guint network = tb_table_figure_add_column (table, "network", _ ("Network"), TB_CELL_DURATION);
  guint waiting
      = tb_table_figure_add_column (table, "waiting", _ ("Other Waits"), TB_CELL_DURATION);
  guint parallel
      = tb_table_figure_add_column (table, "parallel", _ ("In Parallel"), TB_CELL_DURATION);
  guint through = tb_table_figure_add_column (table, "through", _ ("Called Through"), TB_CELL_TEXT);
  guint objects
      = tb_table_figure_add_column (table, "objects", _ ("Files and Peers"), TB_CELL_TEXT);

  for (guint i = 0; i < summary->contributors->len; i++)
    {
      const TbPathsContributor *of = g_ptr_array_index (summary->contributors, i);
      g_auto (GStrv) chain = tb_paths_summary_get_called_through (summary, of);
      g_autofree char *chain_text = g_strjoinv (" → ", chain);
      g_autofree char *item = g_strdup_printf ("%u", of->program);
      g_autofree char *objects_text = join_objects (summary, of);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, process,
                                tb_paths_events_get_program_name (summary->paths->events,
                                                                  of->program));
      tb_table_figure_set_double (table, row, share, share_of (of->own_ns, summary->wall_ns));
      tb_table_figure_set_integer (table, row, running, of->running_ns);
      tb_table_figure_set_integer (table, row, io, of->io_ns);
      tb_table_figure_set_integer (table, row, network, of->network_ns);
      tb_table_figure_set_integer (table, row, waiting, of->waiting_ns);
      tb_table_figure_set_integer (table, row, parallel, of->parallel_ns);
      tb_table_figure_set_text (table, row, through, chain_text);
      if (objects_text[0] != '\0')
        tb_table_figure_set_text (table, row, objects, objects_text);
    }
  return TB_FIGURE (table);
}

static TbFigure *
make_paths (TbPathsSummary *summary)
{
  TbTableFigure *table = tb_table_figure_new ("paths", _ ("Paths"));
  guint path = tb_table_figure_add_column (table, "path", _ ("Path"), TB_CELL_TEXT);
  guint kind = tb_table_figure_add_column (table, "kind", _ ("Kind"), TB_CELL_TEXT);
  guint from = tb_table_figure_add_column (table, "from", C_ ("range", "From"), TB_CELL_TIME);
  guint wall = tb_table_figure_add_column (table, "wall", _ ("Length"), TB_CELL_DURATION);
  guint running = tb_table_figure_add_column (table, "running", _ ("Running"), TB_CELL_DURATION);

  for (guint i = 0; i < summary->paths->paths->len && i < MAX_PATHS; i++)
    {
      const TbPath *of = &g_array_index (summary->paths->paths, TbPath, i);
      g_autofree char *item = g_strdup_printf ("%u", i);
      g_autofree char *name = tb_trace_describe_thread (summary->paths->trace, of->thread);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, path, name);
      tb_table_figure_set_text (table, row, kind,
                                of->base           ? _ ("base")
                                : of->asynchronous ? _ ("asynchronous")
                                                   : _ ("parallel"));
      tb_table_figure_set_integer (table, row, from, of->from);
      tb_table_figure_set_integer (table, row, wall, summary->path_sums[i].wall_ns);
      tb_table_figure_set_integer (table, row, running, summary->path_sums[i].running_ns);
    }
  return TB_FIGURE (table);
}

/* NULL where there are no such waits. */
static TbFigure *
make_awaited_activity (TbPathsSummary *summary)
{
  TbTrace *trace = summary->paths->trace;
  g_autoptr (GArray) activities = tb_paths_find_awaited_activity (summary->paths);
  TbTableFigure *table;
  guint waiter, awaited, what, time, share, count;

  if (activities->len == 0)
    return NULL;
  table = tb_table_figure_new ("other-paths", _ ("Awaited Work on Other Paths"));
  waiter = tb_table_figure_add_column (table, "waiter", _ ("Waiter"), TB_CELL_TEXT);
  awaited = tb_table_figure_add_column (table, "awaited", _ ("Awaited"), TB_CELL_TEXT);
  what = tb_table_figure_add_column (table, "category", _ ("Category"), TB_CELL_TEXT);
  time = tb_table_figure_add_column (table, "time", _ ("Time"), TB_CELL_DURATION);
  share = tb_table_figure_add_column (table, "share", _ ("Share of Total"), TB_CELL_SHARE);
  count = tb_table_figure_add_column (table, "count", _ ("Count"), TB_CELL_COUNT);
  tb_table_figure_set_bar (table, time);
  for (guint i = 0; i < activities->len && i < MAX_ACTIVITIES; i++)
    {
      const TbPathsAwaitedActivity *of = &g_array_index (activities, TbPathsAwaitedActivity, i);
      g_autofree char *item = g_strdup_printf ("%u-%u-%s", of->waiter, of->awaited,
                                               tb_paths_category_get_id (of->category));
      g_autofree char *waiter_name = tb_trace_describe_thread (trace, of->waiter);
      g_autofree char *awaited_name = of->awaited != TB_ID_NONE
                                          ? tb_trace_describe_thread (trace, of->awaited)
                                          : g_strdup ("—");
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, waiter, waiter_name);
      tb_table_figure_set_text (table, row, awaited, awaited_name);
      tb_table_figure_set_text (table, row, what, tb_paths_category_get_label (of->category));
      tb_table_figure_set_integer (table, row, time, of->ns);
      tb_table_figure_set_double (table, row, share, share_of (of->ns, summary->total_ns));
      tb_table_figure_set_integer (table, row, count, of->count);
      tb_table_figure_set_paint (table, row, tb_paths_category_get_paint (of->category));
    }
  return TB_FIGURE (table);
}

void
tb_paths_add_tables (TbReport *report, TbPathsSummary *summary)
{
  TbFigure *activities = make_awaited_activity (summary);

  tb_report_add_figure (report, make_explanation (summary));
  if (activities != NULL)
    tb_report_add_figure (report, activities);
  tb_report_add_figure (report, make_contributors (summary));
  tb_report_add_figure (report, make_paths (summary));
}
