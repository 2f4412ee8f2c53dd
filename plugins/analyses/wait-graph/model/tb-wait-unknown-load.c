/* tb-wait-unknown-load.c: how long each thread may have run or been runnable while its state is
 * unknown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-unknown-load.h"

#include "trace/tb-trace-evidence.h"

/* A time range in which switches are missing, on any CPU. */
typedef struct
{
  gint64 from;
  gint64 to;
} Gap;

static void
add_gap (GArray *gaps, gint64 from, gint64 to)
{
  /* A loss at one instant hides what happened there, too. */
  Gap gap = { from, MAX (to, from + 1) };

  g_array_append_val (gaps, gap);
}

static gboolean
add_losses (GArray *gaps, TbSession *session, GError **error)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_LOST);
  gsize n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) from = NULL;
  g_autoptr (GBytes) to = NULL;

  if (n == 0)
    return TRUE;
  from = tb_table_get_column (table, TB_LOST_FROM, error);
  to = from != NULL ? tb_table_get_column (table, TB_LOST_TO, error) : NULL;
  if (to == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    add_gap (gaps, ((const gint64 *) g_bytes_get_data (from, NULL))[i],
             ((const gint64 *) g_bytes_get_data (to, NULL))[i]);
  return TRUE;
}

/* --- switches that are missing without a reported loss --- */

typedef struct
{
  gsize n;
  GBytes *columns[4];
  const gint64 *time;
  const guint16 *cpu;
  const guint32 *prev;
  const guint32 *next;
} Switches;

static void
switches_clear (Switches *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Switches, switches_clear)

static gboolean
switches_load (Switches *self, TbSession *session, GError **error)
{
  static const guint wanted[] = { TB_SWITCH_TIME, TB_SWITCH_CPU, TB_SWITCH_PREV, TB_SWITCH_NEXT };
  TbTable *table = tb_session_get_table (session, TB_TABLE_SWITCH);

  self->n = MIN (tb_table_get_n_rows (table), G_MAXUINT32);
  for (guint i = 0; self->n > 0 && i < G_N_ELEMENTS (wanted); i++)
    {
      self->columns[i] = tb_table_get_column (table, wanted[i], error);
      if (self->columns[i] == NULL)
        return FALSE;
    }
  if (self->n == 0)
    return TRUE;
  self->time = g_bytes_get_data (self->columns[0], NULL);
  self->cpu = g_bytes_get_data (self->columns[1], NULL);
  self->prev = g_bytes_get_data (self->columns[2], NULL);
  self->next = g_bytes_get_data (self->columns[3], NULL);
  return TRUE;
}

static int
compare_times (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *time = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  if (time[left] != time[right])
    return time[left] < time[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

/* NULL: the rows are in the order of time. */
static guint32 *
find_order (const Switches *self)
{
  gsize sorted = 1;
  guint32 *order;

  while (sorted < self->n && self->time[sorted - 1] <= self->time[sorted])
    sorted++;
  if (sorted >= self->n)
    return NULL;
  order = g_new (guint32, self->n);
  for (gsize i = 0; i < self->n; i++)
    order[i] = (guint32) i;
  g_sort_array (order, self->n, sizeof *order, compare_times, (gpointer) self->time);
  return order;
}

typedef struct
{
  gint64 since;
  guint32 current;
  gboolean is_known;
} Cpu;

/* Where another thread leaves a CPU than came to it, switches in between are missing. Until the
 * first switch of all, none was recorded. */
static void
add_missing (GArray *gaps, const Switches *switches, gint64 recorded_from)
{
  g_autofree guint32 *order = find_order (switches);
  g_autofree Cpu *cpus = g_new0 (Cpu, (gsize) TB_CPU_ALL + 1);
  gboolean any = FALSE;

  for (gsize i = 0; i < switches->n; i++)
    {
      guint32 row = order != NULL ? order[i] : (guint32) i;
      Cpu *cpu = &cpus[switches->cpu[row]];

      if (switches->time[row] < 0)
        continue;
      if (!any && switches->time[row] > recorded_from)
        add_gap (gaps, recorded_from, switches->time[row]);
      any = TRUE;
      if (switches->cpu[row] == TB_CPU_ALL)
        continue;
      if (cpu->is_known && cpu->current != switches->prev[row])
        add_gap (gaps, cpu->since, switches->time[row]);
      *cpu = (Cpu) { switches->time[row], switches->next[row], TRUE };
    }
}

/* --- all gaps --- */

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  const Gap *left = a, *right = b;

  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  return left->to < right->to ? -1 : left->to > right->to;
}

static GArray *
find_gaps (TbWaitModel *model, GError **error)
{
  TbSession *session = tb_trace_get_session (model->trace);
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_auto (Switches) switches = { 0 };
  gint64 from, to;
  guint n = 0;

  tb_trace_get_range (model->trace, &from, &to);
  if (!add_losses (gaps, session, error) || !switches_load (&switches, session, error))
    return NULL;
  add_missing (gaps, &switches, from);
  g_array_sort (gaps, compare_gaps);
  for (guint i = 0; i < gaps->len; i++)
    {
      const Gap *gap = &g_array_index (gaps, Gap, i);
      Gap *last = n > 0 ? &g_array_index (gaps, Gap, n - 1) : NULL;

      if (last != NULL && gap->from <= last->to)
        last->to = MAX (last->to, gap->to);
      else
        g_array_index (gaps, Gap, n++) = *gap;
    }
  g_array_set_size (gaps, n);
  return g_steal_pointer (&gaps);
}

/* The end of the last gap that begins before to, at most to; from if it ends before that. */
static gint64
find_last_gap (const GArray *gaps, gint64 from, gint64 to)
{
  guint low = 0, high = gaps->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (gaps, Gap, middle).from < to)
        low = middle + 1;
      else
        high = middle;
    }
  return low == 0 ? from : CLAMP (g_array_index (gaps, Gap, low - 1).to, from, to);
}

/* --- threads --- */

/* Whether a wake-up shows that the thread was asleep at the end of an unknown state. One that is on
 * its way to sleep is woken while it still runs. So what follows must be known, too: that the
 * thread was runnable until it came to a CPU, or still is at the end. */
static gboolean
is_woken (const TbIntervals *rows, gsize row, gsize end)
{
  gsize next = row + 1;

  if (rows->wakeup[row] == TB_ID_NONE)
    return FALSE;
  if (next < end && rows->state[next] == TB_STATE_RUNNABLE
      && (rows->flags[next] & TB_INTERVAL_PREEMPTED) == 0)
    next++;
  return next >= end || rows->state[next] == TB_STATE_RUNNING;
}

static gint64
measure_thread (const TbWaitModel *model,
                const TbIntervals *rows,
                const GArray *gaps,
                const TbWaitNode *node)
{
  gint64 possible = 0;
  gsize first, n;

  tb_trace_get_thread_intervals (model->trace, node->id, &first, &n);
  for (gsize i = first; i < first + n && rows->start[i] < node->last; i++)
    {
      gint64 until = rows->end[i];

      if (rows->state[i] != TB_STATE_UNKNOWN || until <= node->first)
        continue;
      if (is_woken (rows, i, first + n))
        until = find_last_gap (gaps, rows->start[i], until);
      possible += MAX (MIN (until, node->last) - MAX (rows->start[i], node->first), 0);
    }
  return possible;
}

gboolean
tb_wait_find_possible_load (TbWaitModel *model, GError **error)
{
  const TbIntervals *rows = tb_trace_get_intervals (model->trace);
  gboolean is_system = tb_trace_get_evidence (model->trace)->switches == TB_SWITCHES_SYSTEM;
  g_autoptr (GArray) gaps = is_system ? find_gaps (model, error) : NULL;

  if (is_system && gaps == NULL)
    return FALSE;
  for (guint32 i = TB_THREAD_IDLE + 1; i < model->nodes->len; i++)
    {
      TbWaitNode *node = tb_wait_model_get_node (model, i);

      if (node->kind == TB_WAIT_NODE_THREAD && node->unknown > 0)
        node->possible = is_system ? measure_thread (model, rows, gaps, node) : node->unknown;
    }
  return TRUE;
}
