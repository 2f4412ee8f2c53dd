/* tb-csv-export-events.c: the rows of all tables as events in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-export-private.h"

#include <glib/gi18n-lib.h>

#include "extend/tb-option.h"

static gboolean
read_columns (TbCsvEvents *self, TbSession *session, GError **error)
{
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    {
      TbTable *table = tb_session_get_table (session, kind);
      const TbTableInfo *info = tb_table_kind_get_info (kind);

      if (!TB_TABLE_IS_EVENT (kind) && kind != TB_TABLE_LOST)
        continue;
      self->n_rows[kind] = tb_table_get_n_rows (table);
      if (self->n_rows[kind] >= G_MAXUINT32)
        {
          g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                       _ ("The table “%s” is too long to be exported"), info->name);
          return FALSE;
        }
      for (guint column = 0; column < info->n_columns; column++)
        if ((self->columns[kind][column] = tb_table_get_column (table, column, error)) == NULL)
          return FALSE;
    }
  return TRUE;
}

static int
compare_times (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 row_a = *(const guint32 *) a;
  guint32 row_b = *(const guint32 *) b;
  const gint64 *times = data;

  if (times[row_a] != times[row_b])
    return times[row_a] < times[row_b] ? -1 : 1;
  return row_a < row_b ? -1 : row_a > row_b;
}

static const gint64 *
get_times (TbCsvEvents *self, TbTableKind kind, guint column)
{
  return g_bytes_get_data (self->columns[kind][column], NULL);
}

/* Rows in the order of a time column by which they are not sorted; those without that time are left out. */
static void
add_sorted_source (TbCsvEvents *self, TbCsvSource source, TbTableKind kind, guint column)
{
  const gint64 *times = get_times (self, kind, column);
  guint32 *rows = g_new (guint32, self->n_rows[kind] + 1);
  gsize n = 0;
  gboolean sorted = TRUE;

  for (gsize i = 0; i < self->n_rows[kind]; i++)
    if (times[i] != TB_TIME_NONE)
      {
        sorted &= n == 0 || times[rows[n - 1]] <= times[i];
        rows[n++] = i;
      }
  if (!sorted)
    g_sort_array (rows, n, sizeof (guint32), compare_times, (gpointer) times);
  self->sources[source].times = times;
  self->sources[source].rows = rows;
  self->sources[source].n = n;
  self->n_events += n;
}

static void
add_source (TbCsvEvents *self, TbCsvSource source, TbTableKind kind, guint column)
{
  const gint64 *times = get_times (self, kind, column);
  gsize n = self->n_rows[kind];

  while (n > 0 && times[n - 1] == TB_TIME_NONE)
    n--;
  self->sources[source].times = times;
  self->sources[source].n = n;
  self->n_events += n;
}

/* Who is listed as existing lived from the start of the recording on, whenever the listing came. */
static void
add_process_sources (TbCsvEvents *self)
{
  const guint8 *kinds = g_bytes_get_data (self->columns[TB_TABLE_PROCESS][TB_PROCESS_KIND], NULL);
  gsize n_rows = self->n_rows[TB_TABLE_PROCESS];

  for (TbCsvSource source = TB_CSV_EXISTING; source <= TB_CSV_PROCESS; source++)
    {
      guint32 *rows = g_new (guint32, n_rows + 1);
      gsize n = 0;

      for (gsize i = 0; i < n_rows; i++)
        if ((kinds[i] == TB_PROCESS_EXISTING) == (source == TB_CSV_EXISTING))
          rows[n++] = i;
      self->sources[source].times
          = source == TB_CSV_PROCESS ? get_times (self, TB_TABLE_PROCESS, TB_PROCESS_TIME) : NULL;
      self->sources[source].rows = rows;
      self->sources[source].n = n;
      self->n_events += n;
    }
}

gboolean
tb_csv_events_init (TbCsvEvents *self, TbSession *session, GError **error)
{
  *self = (TbCsvEvents) { 0 };
  self->group = g_array_new (FALSE, FALSE, sizeof (TbCsvEvent));
  self->ordered = g_array_new (FALSE, FALSE, sizeof (TbCsvEvent));
  self->cpus = g_new0 (TbCsvCpu, TB_CPU_ALL + 1);
  for (guint cpu = 0; cpu <= TB_CPU_ALL; cpu++)
    self->cpus[cpu].current = TB_ID_NONE;
  tb_session_get_range (session, &self->from, &self->to);
  if (!read_columns (self, session, error))
    {
      tb_csv_events_clear (self);
      return FALSE;
    }
  add_process_sources (self);
  add_source (self, TB_CSV_SWITCH, TB_TABLE_SWITCH, TB_SWITCH_TIME);
  add_source (self, TB_CSV_WAKEUP, TB_TABLE_WAKEUP, TB_WAKEUP_TIME);
  add_source (self, TB_CSV_SAMPLE, TB_TABLE_SAMPLE, TB_SAMPLE_TIME);
  add_source (self, TB_CSV_NETWORK, TB_TABLE_NETWORK, TB_NETWORK_TIME);
  add_source (self, TB_CSV_MARK, TB_TABLE_MARK, TB_MARK_TIME);
  add_source (self, TB_CSV_SLEEP, TB_TABLE_SLEEP, TB_SLEEP_TIME);
  add_sorted_source (self, TB_CSV_LOST, TB_TABLE_LOST, TB_LOST_TO);
  add_sorted_source (self, TB_CSV_IRQ_ENTER, TB_TABLE_INTERRUPT, TB_INTERRUPT_ENTER);
  add_source (self, TB_CSV_IRQ_EXIT, TB_TABLE_INTERRUPT, TB_INTERRUPT_EXIT);
  add_sorted_source (self, TB_CSV_SYS_ENTER, TB_TABLE_SYSCALL, TB_SYSCALL_ENTER);
  add_source (self, TB_CSV_SYS_EXIT, TB_TABLE_SYSCALL, TB_SYSCALL_EXIT);
  add_sorted_source (self, TB_CSV_CALL_ENTER, TB_TABLE_CALL, TB_CALL_ENTER);
  add_source (self, TB_CSV_CALL_EXIT, TB_TABLE_CALL, TB_CALL_EXIT);
  add_sorted_source (self, TB_CSV_IO_INSERT, TB_TABLE_BLOCK, TB_BLOCK_INSERT);
  add_sorted_source (self, TB_CSV_IO_ISSUE, TB_TABLE_BLOCK, TB_BLOCK_ISSUE);
  add_source (self, TB_CSV_IO_COMPLETE, TB_TABLE_BLOCK, TB_BLOCK_COMPLETE);
  return TRUE;
}

void
tb_csv_events_clear (TbCsvEvents *self)
{
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    for (guint column = 0; column < G_N_ELEMENTS (self->columns[kind]); column++)
      g_clear_pointer (&self->columns[kind][column], g_bytes_unref);
  for (TbCsvSource source = 0; source < TB_CSV_N_SOURCES; source++)
    g_clear_pointer (&self->sources[source].rows, g_free);
  g_clear_pointer (&self->group, g_array_unref);
  g_clear_pointer (&self->ordered, g_array_unref);
  g_clear_pointer (&self->cpus, g_free);
}

static gint64
get_head_time (TbCsvEvents *self, TbCsvSource source)
{
  gsize next = self->sources[source].next;

  if (next >= self->sources[source].n)
    return G_MAXINT64;
  if (self->sources[source].times == NULL)
    return self->from;
  return self->sources[source]
      .times[self->sources[source].rows != NULL ? self->sources[source].rows[next] : next];
}

/* Takes all events of the earliest time. */
static gboolean
gather (TbCsvEvents *self)
{
  gint64 time = G_MAXINT64;

  g_array_set_size (self->group, 0);
  for (TbCsvSource source = 0; source < TB_CSV_N_SOURCES; source++)
    time = MIN (time, get_head_time (self, source));
  if (time == G_MAXINT64)
    return FALSE;
  for (TbCsvSource source = 0; source < TB_CSV_N_SOURCES; source++)
    {
      self->group_start[source] = self->group->len;
      while (get_head_time (self, source) == time)
        {
          gsize next = self->sources[source].next++;
          guint32 row = self->sources[source].rows != NULL ? self->sources[source].rows[next] : next;
          TbCsvEvent event = { .time = time, .source = source, .row = row };

          g_array_append_val (self->group, event);
        }
    }
  self->group_start[TB_CSV_N_SOURCES] = self->group->len;
  return TRUE;
}

const TbCsvEvent *
tb_csv_events_next (TbCsvEvents *self, guint *n_events)
{
  if (!gather (self))
    return NULL;
  tb_csv_events_order (self);
  *n_events = self->ordered->len;
  return &g_array_index (self->ordered, TbCsvEvent, 0);
}
