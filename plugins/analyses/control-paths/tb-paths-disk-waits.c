/* tb-paths-disk-waits.c: waits for the disk, with what kernel threads do for them meanwhile
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel gives parts of a request to threads of its own: they submit it, and complete the
 * journal or the file's data behind it. A thread in fsync() is blocked until they are done. So what
 * they do, also their waits for a CPU, is a part of its wait for the disk.
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/tb-format.h"
#include "tb-paths-disk-waits.h"

/* Least share of a wait for the disk at which the part of kernel threads is reported. */
#define MIN_WORK_SHARE 0.05

guint32
tb_paths_find_disk_wait (const TbPathsCategorizer *categorizer, gsize box)
{
  const TbPathsModel *model = categorizer->model;
  guint32 row = categorizer->boxes->row[box];

  if (categorizer->disk_wait[box] != TB_ID_NONE)
    return categorizer->disk_wait[box];
  return model->rows->state[row] >= TB_STATE_INTERRUPTIBLE
                 && tb_paths_model_waits_for_disk (model, row)
                 && !tb_paths_model_is_kernel_thread (model, model->rows->thread[row])
             ? (guint32) box
             : TB_ID_NONE;
}

TbPathsCategory
tb_paths_get_disk_wait_category (TbPathsCategory category, gboolean is_work)
{
  switch (category)
    {
    case TB_PATHS_SCHEDULER: /* a kernel thread that was woken does not run yet */
      return TB_PATHS_BLOCKING_IO;
    case TB_PATHS_UNDERSTOOD:
    case TB_PATHS_INFERRED:
    case TB_PATHS_NOT_SAMPLED:
    case TB_PATHS_INVOLUNTARY:
      return is_work ? TB_PATHS_BLOCKING_IO : category;
    default:
      return category;
    }
}

/* The same system call, whatever made it; else the same stack. */
static gboolean
is_same_place (const TbPathsCategorizer *categorizer, guint32 a, guint32 b)
{
  TbTrace *trace = categorizer->events->trace;
  const guint32 *stacks = categorizer->model->rows->stack;
  const char *call = tb_trace_get_wait_call (trace, a);

  return stacks[a] == stacks[b]
         || (call != NULL && g_strcmp0 (call, tb_trace_get_wait_call (trace, b)) == 0);
}

/* Majority vote by time: no table of places is needed to find one that has most of it. */
static void
add_disk_place (TbPathsContributor *contributor,
                const TbPathsCategorizer *categorizer,
                guint32 row,
                gint64 ns)
{
  contributor->disk_ns += ns;
  if (contributor->disk_place_ns > 0 && is_same_place (categorizer, contributor->disk_place, row))
    contributor->disk_place_ns += ns;
  else if (contributor->disk_place_ns >= ns)
    contributor->disk_place_ns -= ns;
  else
    {
      contributor->disk_place = row;
      contributor->disk_place_ns = ns - contributor->disk_place_ns;
    }
}

void
tb_paths_add_disk_wait (TbPathsContributor *contributor,
                        const TbPathsCategorizer *categorizer,
                        guint32 wait,
                        gsize box,
                        const TbPathsSegment *segment)
{
  const TbPathsBoxes *boxes = categorizer->boxes;
  gint64 ns = segment->to - segment->from;
  TbPathsCategory counted = tb_paths_get_disk_wait_category (segment->category, wait != box);
  /* While the thread is ready to run again, the row before shows what it slept for. */
  guint32 row = tb_paths_find_sleeping_row (categorizer->model, boxes->row[wait]);

  if (row == TB_ID_NONE)
    row = boxes->row[wait];
  if ((counted == TB_PATHS_BLOCKING_IO || counted == TB_PATHS_IO_QUEUE)
      && tb_trace_is_memory_fault (categorizer->events->trace, row))
    contributor->swap_ns += ns;
  add_disk_place (contributor, categorizer, row, ns);
  switch (segment->category)
    {
    case TB_PATHS_UNDERSTOOD:
    case TB_PATHS_INFERRED:
    case TB_PATHS_NOT_SAMPLED:
      contributor->disk_running_ns += ns;
      break;
    case TB_PATHS_SCHEDULER:
      contributor->disk_runnable_ns += ns;
      break;
    case TB_PATHS_INVOLUNTARY:
      /* Interrupts of a run take a CPU that it has. */
      if (tb_paths_is_run (categorizer->model, boxes->row[box]))
        contributor->disk_running_ns += ns;
      else
        contributor->disk_runnable_ns += ns;
      break;
    default:
      break;
    }
}

void
tb_paths_add_disk_overlap (TbPathsContributor *contributor,
                           const TbPathsCategorizer *categorizer,
                           gsize box,
                           const TbPathsSegment *segment)
{
  const TbIntervals *rows = categorizer->model->rows;
  const TbPathsStretches *service = &categorizer->events->service;
  guint32 row = categorizer->boxes->row[box], next = row + 1, i, end;

  if (next >= rows->n || rows->thread[next] != rows->thread[row]
      || rows->state[next] < TB_STATE_INTERRUPTIBLE
      || !tb_paths_model_waits_for_disk (categorizer->model, next))
    return;
  i = tb_paths_stretches_find (service, rows->thread[row], rows->start[next], &end);
  if (i < end && service->from[i] < MIN (segment->to, rows->start[next]))
    contributor->disk_overlap_ns += segment->to - MAX (segment->from, service->from[i]);
}

gboolean
tb_paths_is_swapping (const TbPathsContributor *of)
{
  return of->swap_ns * 2 > of->categories[TB_PATHS_BLOCKING_IO] + of->categories[TB_PATHS_IO_QUEUE];
}

/* --- texts --- */

static char *
describe_files (TbSession *session, const TbPathsContributor *of)
{
  const char *file
      = tb_session_get_string (session, g_array_index (of->files, TbPathsObject, 0).string);
  guint n_more = of->files->len - 1;

  if (n_more == 0)
    return g_strdup (file);
  /* Translators: a file, a number of files */
  return g_strdup_printf (ngettext ("%s and %'u more", "%s and %'u more", n_more), file, n_more);
}

char *
tb_paths_describe_disk_wait (TbSession *session, const TbPathsContributor *of, const char *function)
{
  g_autofree char *files = NULL;

  if (tb_paths_is_swapping (of))
    return g_strdup (_ ("waiting for the disk in page faults, for memory that was swapped out"));
  if (of->files->len > 0)
    files = describe_files (session, of);
  if (files == NULL && function == NULL)
    return g_strdup (_ ("waiting for the disk"));
  if (files == NULL)
    /* Translators: a function, such as “fsync” */
    return g_strdup_printf (_ ("waiting for the disk in %s"), function);
  if (function == NULL)
    /* Translators: files */
    return g_strdup_printf (_ ("waiting for the disk, for %s"), files);
  /* Translators: a function, such as “fsync”; files */
  return g_strdup_printf (_ ("waiting for the disk in %s, for %s"), function, files);
}

static char *
describe_kernel_threads (const TbPathsContributor *of, gint64 wait)
{
  gboolean runs = (double) of->disk_running_ns >= MIN_WORK_SHARE * (double) wait;
  gboolean waits = (double) of->disk_runnable_ns >= MIN_WORK_SHARE * (double) wait;
  g_autofree char *running = tb_format_duration (of->disk_running_ns);
  g_autofree char *runnable = tb_format_duration (of->disk_runnable_ns);

  if (wait <= 0 || (!runs && !waits))
    return NULL;
  if (!runs)
    /* Translators: a duration, which is a part of the wait before it */
    return g_strdup_printf (_ ("for %s of that, kernel threads waited for a CPU"), runnable);
  if (!waits)
    /* Translators: a duration, which is a part of the wait before it */
    return g_strdup_printf (_ ("for %s of that, kernel threads ran"), running);
  /* Translators: two durations, which are parts of the wait before them */
  return g_strdup_printf (_ ("for %s of that, kernel threads ran, for %s they waited for a CPU"),
                          running, runnable);
}

gint64
tb_paths_get_disk_overlap (const TbPathsContributor *of)
{
  gint64 wait = of->categories[TB_PATHS_BLOCKING_IO] + of->categories[TB_PATHS_IO_QUEUE];

  return (double) of->disk_overlap_ns >= MIN_WORK_SHARE * (double) wait ? of->disk_overlap_ns : 0;
}

char *
tb_paths_describe_disk_work (const TbPathsContributor *of)
{
  gint64 wait = of->categories[TB_PATHS_BLOCKING_IO] + of->categories[TB_PATHS_IO_QUEUE];
  gint64 ns = tb_paths_get_disk_overlap (of);
  g_autofree char *threads = describe_kernel_threads (of, wait);
  g_autofree char *overlap = tb_format_duration (ns);
  g_autofree char *text = NULL;

  if (ns == 0)
    return g_steal_pointer (&threads);
  /* Translators: a duration, behind that of a wait for the disk */
  text = g_strdup_printf (_ ("it ran for %s more while the disk worked for it"), overlap);
  return threads != NULL ? g_strdup_printf ("%s; %s", threads, text) : g_steal_pointer (&text);
}
