/* tb-preview-timeline.c: figure that previews a recording while it loads: timeline of its threads,
 * sorted as in the analysis of threads, from the overview that the session has, and its lost
 * events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-preview-timeline.h"

static const guint8 paints[TB_OVERVIEW_N_STATES] = {
  [TB_OVERVIEW_UNKNOWN] = TB_PAINT_UNKNOWN,
  [TB_OVERVIEW_RUNNING] = TB_PAINT_RUNNING,
  [TB_OVERVIEW_RUNNABLE] = TB_PAINT_RUNNABLE,
  [TB_OVERVIEW_INTERRUPTIBLE] = TB_PAINT_WAITING,
  [TB_OVERVIEW_UNINTERRUPTIBLE] = TB_PAINT_UNINTERRUPTIBLE,
  [TB_OVERVIEW_STOPPED] = TB_PAINT_STOPPED,
  [TB_OVERVIEW_DISK] = TB_PAINT_DISK,
  [TB_OVERVIEW_NETWORK] = TB_PAINT_NETWORK,
};

/* Sort key of a thread. */
typedef struct
{
  const TbOverviewThread *entry;
  guint32 process;   /* TB_ID_NONE: kernel thread */
  gint64 process_ns; /* on-CPU time of all threads of the process */
} ThreadKey;

/* Sorts like the analysis of threads, so that the report replaces the preview without a jump:
 * processes and their threads by on-CPU time, kernel threads last. */
static int
compare_keys (gconstpointer a, gconstpointer b)
{
  const ThreadKey *left = a, *right = b;
  gint64 left_ns = left->entry->ns[TB_OVERVIEW_RUNNING],
         right_ns = right->entry->ns[TB_OVERVIEW_RUNNING];

  if (left->process != right->process)
    {
      if (left->entry->is_kernel != right->entry->is_kernel)
        return left->entry->is_kernel ? 1 : -1;
      if (left->process_ns != right->process_ns)
        return left->process_ns > right->process_ns ? -1 : 1;
      return left->process < right->process ? -1 : 1;
    }
  if (left_ns != right_ns)
    return left_ns > right_ns ? -1 : 1;
  return left->entry->thread < right->entry->thread ? -1
                                                    : left->entry->thread > right->entry->thread;
}

static ThreadKey *
sort_threads (TbSession *session, const TbOverview *overview)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  g_autofree gint64 *process_ns = NULL;
  ThreadKey *keys = g_new0 (ThreadKey, overview->n_threads);

  tb_session_get_processes (session, &n_processes);
  process_ns = g_new0 (gint64, (gsize) n_processes + 1);
  for (guint i = 0; i < overview->n_threads; i++)
    {
      const TbOverviewThread *entry = &overview->threads[i];

      keys[i].entry = entry;
      keys[i].process = entry->is_kernel ? TB_ID_NONE : threads[entry->thread].process;
      process_ns[MIN (keys[i].process, n_processes)] += entry->ns[TB_OVERVIEW_RUNNING];
    }
  for (guint i = 0; i < overview->n_threads; i++)
    keys[i].process_ns = process_ns[MIN (keys[i].process, n_processes)];
  qsort (keys, overview->n_threads, sizeof *keys, compare_keys);
  return keys;
}

static void
add_thread (TbTimelineFigure *figure,
            TbSession *session,
            const TbOverview *overview,
            GBytes *paint,
            const ThreadKey *key)
{
  guint n_processes;
  gsize first = key->entry->first, n = key->entry->n;
  g_autoptr (GBytes) start = g_bytes_new_from_bytes (overview->columns[TB_OVERVIEW_START],
                                                     first * sizeof (gint64), n * sizeof (gint64));
  g_autoptr (GBytes) end = g_bytes_new_from_bytes (overview->columns[TB_OVERVIEW_END],
                                                   first * sizeof (gint64), n * sizeof (gint64));
  g_autoptr (GBytes) part = g_bytes_new_from_bytes (paint, first, n);
  g_autofree char *id = g_strdup_printf ("%u", key->entry->thread);
  const char *name = tb_session_get_shown_thread_name (session, key->entry->thread);
  g_autofree char *heading = NULL;
  guint track;

  tb_session_get_processes (session, &n_processes);
  if (key->entry->is_kernel)
    heading = g_strdup (_ ("kernel"));
  else if (key->process < n_processes)
    heading = tb_session_describe_process (session, key->process, TRUE);
  track = tb_timeline_figure_add_track (figure, id, name, heading, key->entry->thread);
  tb_timeline_figure_set_intervals (figure, track, n, start, end, part);
}

static gboolean
add_losses (TbTimelineFigure *figure, TbSession *session, const TbOverview *overview)
{
  TbTable *lost = tb_session_get_table (session, TB_TABLE_LOST);
  g_autoptr (GBytes) from_bytes = tb_table_get_column (lost, TB_LOST_FROM, NULL);
  g_autoptr (GBytes) to_bytes = tb_table_get_column (lost, TB_LOST_TO, NULL);
  g_autoptr (GBytes) count_bytes = tb_table_get_column (lost, TB_LOST_COUNT, NULL);
  const gint64 *from, *to;
  const guint64 *count;

  if (from_bytes == NULL || to_bytes == NULL || count_bytes == NULL)
    return FALSE;
  from = g_bytes_get_data (from_bytes, NULL);
  to = g_bytes_get_data (to_bytes, NULL);
  count = g_bytes_get_data (count_bytes, NULL);
  for (gsize i = 0; i < tb_table_get_n_rows (lost); i++)
    if (to[i] >= overview->from && from[i] < overview->to)
      tb_timeline_figure_add_lost (figure, TB_ID_NONE, MAX (from[i], overview->from),
                                   MIN (to[i], overview->to), count[i]);
  return TRUE;
}

/* Within a step of the overview only proportions are known, so the label must not describe a single
 * interval. */
static char *
label_interval (TbTimelineFigure *figure,
                guint track,
                gsize interval,
                gboolean long_form,
                gpointer data)
{
  TbTimelineTrack entry;

  if (!long_form)
    return g_strdup ("");
  tb_timeline_figure_get_track (figure, track, &entry);
  return g_strdup_printf (_ ("%s: %s (details are still being read)"), entry.name,
                          tb_paint_get_label (entry.paint[interval]));
}

/**
 * tb_preview_timeline_new:
 * @session: a session
 *
 * Creates a timeline of the threads from the session's overview, accurate enough to show the whole
 * recording on a screen.
 *
 * Returns: (transfer full) (nullable): a frozen figure; %NULL if the session has no overview, or if
 *   its lost events cannot be read, because there would seem to be none
 */
TbTimelineFigure *
tb_preview_timeline_new (TbSession *session)
{
  g_autoptr (TbOverview) overview = tb_overview_load (session);
  g_autoptr (TbTimelineFigure) figure = NULL;
  g_autoptr (GBytes) paint = NULL;
  g_autofree ThreadKey *keys = NULL;
  const guint8 *state;
  guint8 *paint_of;
  gsize n;

  if (overview == NULL)
    return NULL;
  state = g_bytes_get_data (overview->columns[TB_OVERVIEW_STATE], &n);
  paint_of = g_malloc (n);
  for (gsize i = 0; i < n; i++)
    paint_of[i] = paints[state[i]];
  paint = g_bytes_new_take (paint_of, n);

  figure = tb_timeline_figure_new ("timeline", _ ("Timeline"), overview->from, overview->to);
  keys = sort_threads (session, overview);
  for (guint i = 0; i < overview->n_threads; i++)
    add_thread (figure, session, overview, paint, &keys[i]);
  if (!add_losses (figure, session, overview))
    return NULL;
  tb_timeline_figure_set_label_func (figure, label_interval, NULL, NULL);
  tb_figure_freeze (TB_FIGURE (figure));
  return g_steal_pointer (&figure);
}
