/* tb-paths-rivals.c: which programs used the CPU that a thread waited for;
 * why a program that could run did not, in words and values
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU is that on which a preempted thread ran last, or for which one was woken. The thread may
 * run on another in the end: what kept it waiting until then is the same.
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-paths-rivals.h"
#include "tb-paths-throttling.h"
#include "trace/tb-track.h"

void
tb_paths_find_rivals (const TbPathsModel *model,
                      const TbPathsEvents *events,
                      guint32 row,
                      gint64 from,
                      gint64 to,
                      GArray *rivals)
{
  const TbIntervals *rows = model->rows;
  const TbTrack *track;
  const gint64 *start, *end;
  const guint32 *item;

  if (model->trace == NULL || rows->state[row] != TB_STATE_RUNNABLE
      || rows->flags[row] & TB_INTERVAL_UNCERTAIN || rows->cpu[row] == TB_CPU_ALL)
    return;
  track = tb_trace_get_cpu_track (model->trace, rows->cpu[row]);
  if (track->n == 0)
    return;
  start = g_bytes_get_data (track->start, NULL);
  end = g_bytes_get_data (track->end, NULL);
  item = g_bytes_get_data (track->item, NULL);
  for (gsize run = tb_paths_find_cpu_run (end, track->n, from); run < track->n && start[run] < to;
       run++)
    {
      TbPathsObject rival
          = { tb_paths_events_find_program (events, rows->thread[item[run]], start[run]),
              MIN (end[run], to) - MAX (start[run], from) };

      g_array_append_val (rivals, rival);
    }
}

/* The programs of one name that had most of that CPU time. */
typedef struct
{
  guint32 program;  /* the first of them */
  const char *name; /* NULL: no name had half of the time of the category */
  guint n;          /* number of programs */
  gint64 ns;
} MainRival;

/* category: TB_PATHS_INVOLUNTARY or TB_PATHS_SCHEDULER */
static MainRival
find_main_rival (TbPathsEvents *events, const TbPathsContributor *of, TbPathsCategory category)
{
  const GArray *rivals = category == TB_PATHS_SCHEDULER ? of->ready_rivals : of->rivals;
  g_autoptr (GHashTable) indices = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (MainRival));
  MainRival most = { .program = TB_ID_NONE };

  for (guint i = 0; i < rivals->len; i++)
    {
      const TbPathsObject *rival = &g_array_index (rivals, TbPathsObject, i);
      MainRival named
          = { rival->string, tb_paths_events_get_program_name (events, rival->string), 0, 0 };
      MainRival *known;
      gpointer index;

      if (!g_hash_table_lookup_extended (indices, named.name, NULL, &index))
        {
          index = GUINT_TO_POINTER (names->len);
          g_hash_table_insert (indices, (gpointer) named.name, index);
          g_array_append_val (names, named);
        }
      known = &g_array_index (names, MainRival, GPOINTER_TO_UINT (index));
      known->n++;
      known->ns += rival->ns;
      if (known->ns > most.ns)
        most = *known;
    }
  if (most.program == TB_ID_NONE || 2 * most.ns < of->categories[category])
    most.name = NULL;
  return most;
}

/* "busy", "2 programs named busy"; NULL: no name had most of the CPU time that it lacked */
static char *
describe_rival (TbPathsEvents *events, const TbPathsContributor *of, TbPathsCategory category)
{
  MainRival rival = find_main_rival (events, of, category);

  if (rival.name != NULL && rival.program == TB_PATHS_RECORDER)
    return g_strdup (_ ("the recording itself"));
  if (rival.name == NULL || rival.n == 1)
    return g_strdup (rival.name);
  /* Translators: a number, a name */
  return g_strdup_printf (ngettext ("%'u program named %s", "%'u programs named %s", rival.n),
                          rival.n, rival.name);
}

gboolean
tb_paths_is_throttled (const TbPathsContributor *of)
{
  return of->throttled_ns > of->categories[TB_PATHS_INVOLUNTARY] / 2;
}

char *
tb_paths_describe_lack (TbPathsEvents *events,
                        const TbPathsContributor *of,
                        TbPathsCategory category)
{
  g_autofree char *rival = NULL;

  if (category == TB_PATHS_INVOLUNTARY && tb_paths_is_throttled (of))
    return g_strdup (_ ("kept off an idle CPU by a limit of its CPU time, such as the quota of its "
                        "control group"));
  rival = describe_rival (events, of, category);
  if (category == TB_PATHS_SCHEDULER)
    return rival == NULL
               ? g_strdup (_ ("ready to run and waiting for a CPU"))
               /* Translators: a program, or “2 programs named sh” */
               : g_strdup_printf (_ ("ready to run and waiting for a CPU, used mostly by %s"),
                                  rival);
  return rival == NULL ? g_strdup (_ ("kept off the CPU by other threads and by interrupts"))
                       /* Translators: a program, or “2 programs named sh” */
                       : g_strdup_printf (_ ("kept off the CPU, used mostly by %s"), rival);
}

void
tb_paths_set_rival (TbPathsEvents *events, TbFinding *finding, const TbPathsContributor *of)
{
  gboolean is_ready = of->categories[TB_PATHS_SCHEDULER] > of->categories[TB_PATHS_INVOLUNTARY];
  MainRival rival
      = find_main_rival (events, of, is_ready ? TB_PATHS_SCHEDULER : TB_PATHS_INVOLUNTARY);

  tb_finding_set_string (finding, "rival", rival.name);
  tb_finding_set_integer (finding, "rivals", rival.name != NULL ? rival.n : 0);
  tb_finding_set_time (finding, "rival_ns", rival.name != NULL ? rival.ns : TB_TIME_NONE);
}
