/* tb-sequence.c: events of all tables of a session in one order, for the construction of a trace
 * and for export: beginnings and ends as separate events, merged by time; those of the same time
 * returned together, in an order (tb-sequence-order)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/sequence/tb-sequence-private.h"

G_STATIC_ASSERT (TB_SEQUENCE_EXISTING == TB_N_ORDERS);
G_STATIC_ASSERT (TB_SEQUENCE_N_KINDS == TB_N_ORDERS + 1);

#include <glib/gi18n-lib.h>

/* Columns that the sources and the ordering need. */
static const struct
{
  guint8 table;
  guint8 column;
  gboolean all; /* needed only for a sequence of all events */
} needed_columns[] = {
  { TB_TABLE_PROCESS, TB_PROCESS_TIME, FALSE },
  { TB_TABLE_PROCESS, TB_PROCESS_KIND, FALSE },
  { TB_TABLE_SWITCH, TB_SWITCH_TIME, FALSE },
  { TB_TABLE_SWITCH, TB_SWITCH_CPU, FALSE },
  { TB_TABLE_SWITCH, TB_SWITCH_NEXT, FALSE },
  { TB_TABLE_WAKEUP, TB_WAKEUP_TIME, FALSE },
  { TB_TABLE_WAKEUP, TB_WAKEUP_CPU, FALSE },
  { TB_TABLE_WAKEUP, TB_WAKEUP_FLAGS, FALSE },
  { TB_TABLE_NETWORK, TB_NETWORK_TIME, FALSE },
  { TB_TABLE_NETWORK, TB_NETWORK_CPU, FALSE },
  { TB_TABLE_NETWORK, TB_NETWORK_THREAD, FALSE },
  { TB_TABLE_MARK, TB_MARK_TIME, FALSE },
  { TB_TABLE_LOST, TB_LOST_TO, FALSE },
  { TB_TABLE_LOST, TB_LOST_CPU, FALSE },
  { TB_TABLE_INTERRUPT, TB_INTERRUPT_ENTER, FALSE },
  { TB_TABLE_INTERRUPT, TB_INTERRUPT_EXIT, FALSE },
  { TB_TABLE_INTERRUPT, TB_INTERRUPT_CPU, FALSE },
  { TB_TABLE_INTERRUPT, TB_INTERRUPT_KIND, FALSE },
  { TB_TABLE_INTERRUPT, TB_INTERRUPT_THREAD, FALSE },
  { TB_TABLE_BLOCK, TB_BLOCK_INSERT, FALSE },
  { TB_TABLE_BLOCK, TB_BLOCK_ISSUE, FALSE },
  { TB_TABLE_BLOCK, TB_BLOCK_COMPLETE, FALSE },
  { TB_TABLE_SAMPLE, TB_SAMPLE_TIME, TRUE },
  { TB_TABLE_SLEEP, TB_SLEEP_TIME, TRUE },
  { TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, TRUE },
  { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TRUE },
  { TB_TABLE_CALL, TB_CALL_ENTER, TRUE },
  { TB_TABLE_CALL, TB_CALL_EXIT, TRUE },
};

static const struct
{
  guint8 kind;
  guint8 table;
  guint8 column;
  gboolean unsorted;
} sources[] = {
  { TB_ORDER_SWITCH, TB_TABLE_SWITCH, TB_SWITCH_TIME, FALSE },
  { TB_ORDER_WAKEUP, TB_TABLE_WAKEUP, TB_WAKEUP_TIME, FALSE },
  { TB_ORDER_SAMPLE, TB_TABLE_SAMPLE, TB_SAMPLE_TIME, FALSE },
  { TB_ORDER_NETWORK, TB_TABLE_NETWORK, TB_NETWORK_TIME, FALSE },
  { TB_ORDER_MARK, TB_TABLE_MARK, TB_MARK_TIME, FALSE },
  { TB_ORDER_SLEEP, TB_TABLE_SLEEP, TB_SLEEP_TIME, FALSE },
  { TB_ORDER_LOST, TB_TABLE_LOST, TB_LOST_TO, TRUE },
  { TB_ORDER_INTERRUPT_ENTER, TB_TABLE_INTERRUPT, TB_INTERRUPT_ENTER, TRUE },
  { TB_ORDER_INTERRUPT_EXIT, TB_TABLE_INTERRUPT, TB_INTERRUPT_EXIT, FALSE },
  { TB_ORDER_SYSCALL_ENTER, TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, TRUE },
  { TB_ORDER_SYSCALL_EXIT, TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, FALSE },
  { TB_ORDER_CALL_ENTER, TB_TABLE_CALL, TB_CALL_ENTER, TRUE },
  { TB_ORDER_CALL_EXIT, TB_TABLE_CALL, TB_CALL_EXIT, FALSE },
  { TB_ORDER_BLOCK_INSERT, TB_TABLE_BLOCK, TB_BLOCK_INSERT, TRUE },
  { TB_ORDER_BLOCK_ISSUE, TB_TABLE_BLOCK, TB_BLOCK_ISSUE, TRUE },
  { TB_ORDER_BLOCK_COMPLETE, TB_TABLE_BLOCK, TB_BLOCK_COMPLETE, FALSE },
};

static gboolean
read_columns (TbSequence *self, TbSession *session, gboolean all, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (needed_columns); i++)
    {
      TbTable *table = tb_session_get_table (session, needed_columns[i].table);

      if (needed_columns[i].all && !all)
        continue;
      if (tb_table_get_n_rows (table) >= G_MAXUINT32)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       _ ("The table “%s” is too long to be sorted"),
                       tb_table_get_info (table)->name);
          return FALSE;
        }
      self->columns[needed_columns[i].table][needed_columns[i].column]
          = tb_table_get_column (table, needed_columns[i].column, error);
      if (self->columns[needed_columns[i].table][needed_columns[i].column] == NULL)
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

/* Sorts the rows by the time of the source. Rows without that time are omitted. */
static void
sort_source (TbSequenceSource *source, gsize n_rows)
{
  guint32 *rows = g_new (guint32, n_rows + 1);
  gboolean sorted = TRUE;

  for (gsize i = 0; i < n_rows; i++)
    if (source->times[i] != TB_TIME_NONE)
      {
        sorted &= source->n == 0 || source->times[rows[source->n - 1]] <= source->times[i];
        rows[source->n++] = i;
      }
  if (!sorted)
    g_sort_array (rows, source->n, sizeof (guint32), compare_times, (gpointer) source->times);
  source->rows = rows;
}

static void
add_source (TbSequence *self, guint index)
{
  GBytes *bytes = self->columns[sources[index].table][sources[index].column];
  TbSequenceSource *source = &self->sources[sources[index].kind];
  gsize n_rows;

  if (bytes == NULL)
    return;
  source->times = g_bytes_get_data (bytes, &n_rows);
  n_rows /= sizeof (gint64);
  if (sources[index].unsorted)
    sort_source (source, n_rows);
  else
    while (n_rows > 0 && source->times[n_rows - 1] == TB_TIME_NONE)
      n_rows--;
  if (!sources[index].unsorted)
    source->n = n_rows;
  self->n_events += source->n;
}

static void
add_process_sources (TbSequence *self)
{
  gsize n_rows;
  const guint8 *kinds
      = g_bytes_get_data (self->columns[TB_TABLE_PROCESS][TB_PROCESS_KIND], &n_rows);
  TbSequenceSource *existing = &self->sources[TB_SEQUENCE_EXISTING];
  TbSequenceSource *process_source = &self->sources[TB_ORDER_PROCESS];

  existing->rows = g_new (guint32, n_rows + 1);
  process_source->rows = g_new (guint32, n_rows + 1);
  process_source->times = n_rows > 0 ? &TB_SEQUENCE_VALUE (self, PROCESS, TIME, gint64, 0) : NULL;
  for (gsize i = 0; i < n_rows; i++)
    if (kinds[i] == TB_PROCESS_EXISTING)
      existing->rows[existing->n++] = i;
    else
      process_source->rows[process_source->n++] = i;
  self->n_events += n_rows;
}

static void
find_head (TbSequence *self, guint kind)
{
  const TbSequenceSource *source = &self->sources[kind];

  if (source->next >= source->n)
    self->heads[kind] = G_MAXINT64;
  else if (source->times == NULL)
    self->heads[kind] = self->from;
  else
    self->heads[kind]
        = source->times[source->rows != NULL ? source->rows[source->next] : source->next];
}

/**
 * tb_sequence_new: (skip)
 * @session: a session
 * @all: whether to include samples, system calls, calls and sleeps
 * @error: return location
 *
 * Loads the times of all events.
 *
 * Returns: (transfer full): the sequence, before its first event; %NULL if a chunk is damaged or a
 * table has more than 2³² rows
 */
TbSequence *
tb_sequence_new (TbSession *session, gboolean all, GError **error)
{
  g_autoptr (TbSequence) self = NULL;
  gint64 to;

  g_return_val_if_fail (TB_IS_SESSION (session), NULL);

  self = g_new0 (TbSequence, 1);
  self->group = g_array_new (FALSE, FALSE, sizeof (TbSequenceEvent));
  self->ordered = g_array_new (FALSE, FALSE, sizeof (TbSequenceEvent));
  self->entered = g_byte_array_new ();
  self->cpus = g_new0 (TbSequenceCpu, TB_CPU_ALL + 1);
  for (guint cpu = 0; cpu <= TB_CPU_ALL; cpu++)
    self->cpus[cpu].current = TB_ID_NONE;
  tb_session_get_range (session, &self->from, &to);
  if (!read_columns (self, session, all, error))
    return NULL;
  self->recorded = tb_sequence_find_recorded (session, error);
  if (self->recorded == NULL)
    return NULL;
  add_process_sources (self);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    add_source (self, i);
  for (guint kind = 0; kind < TB_SEQUENCE_N_KINDS; kind++)
    {
      find_head (self, kind);
      if (self->sources[kind].n > 0)
        self->active[self->n_active++] = kind;
    }
  return g_steal_pointer (&self);
}

/**
 * tb_sequence_free: (skip)
 * @self: (transfer full): a sequence
 *
 * Frees a sequence.
 */
void
tb_sequence_free (TbSequence *self)
{
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    for (guint column = 0; column < G_N_ELEMENTS (self->columns[kind]); column++)
      g_clear_pointer (&self->columns[kind][column], g_bytes_unref);
  for (guint kind = 0; kind < TB_SEQUENCE_N_KINDS; kind++)
    g_clear_pointer (&self->sources[kind].rows, g_free);
  g_clear_pointer (&self->group, g_array_unref);
  g_clear_pointer (&self->ordered, g_array_unref);
  g_clear_pointer (&self->entered, g_byte_array_unref);
  g_clear_pointer (&self->recorded, g_array_unref);
  g_free (self->cpus);
  g_free (self);
}

/**
 * tb_sequence_get_length: (skip)
 * @self: a sequence
 *
 * Gets the total number of events.
 *
 * Returns: the total number of its events
 */
gsize
tb_sequence_get_length (const TbSequence *self)
{
  return self->n_events;
}

/* Takes the earliest event if no other has the same time, which is the usual case. Otherwise
 * returns FALSE and the earliest time, G_MAXINT64 if there is none. */
static gboolean
take_single (TbSequence *self, gint64 *earliest)
{
  gint64 time = G_MAXINT64;
  guint least = 0;
  gboolean shared = FALSE;
  TbSequenceSource *source;

  for (guint i = 0; i < self->n_active; i++)
    {
      gint64 head = self->heads[self->active[i]];

      shared = head == time || (shared && head > time);
      if (head < time)
        {
          time = head;
          least = self->active[i];
        }
    }
  *earliest = time;
  if (shared || time == G_MAXINT64)
    return FALSE;
  source = &self->sources[least];
  self->single
      = (TbSequenceEvent) { .time = time,
                            .row = source->rows != NULL ? source->rows[source->next] : source->next,
                            .kind = least };
  source->next++;
  find_head (self, least);
  if (self->heads[least] != time)
    return TRUE;
  source->next--;
  return FALSE;
}

/* Takes all events of the earliest time. */
static void
gather (TbSequence *self, gint64 time)
{
  g_array_set_size (self->group, 0);
  for (guint kind = 0; kind < TB_SEQUENCE_N_KINDS; kind++)
    {
      TbSequenceSource *source = &self->sources[kind];

      self->group_start[kind] = self->group->len;
      while (self->heads[kind] == time)
        {
          guint32 row = source->rows != NULL ? source->rows[source->next] : source->next;
          TbSequenceEvent event = { .time = time, .row = row, .kind = kind };

          g_array_append_val (self->group, event);
          source->next++;
          find_head (self, kind);
        }
    }
  self->group_start[TB_SEQUENCE_N_KINDS] = self->group->len;
}

/**
 * tb_sequence_next: (skip)
 * @self: a sequence
 * @n_events: (out): number of events
 *
 * Advances to the next time that has events. Processes that existed before the recording come
 * first. If the order of simultaneous events was not recorded (%TB_TABLE_ORDER), an order is
 * computed. It is always the same for the same rows, and a recorder that receives the events in
 * this order makes the same rows of them again.
 *
 * Returns: (transfer none) (nullable): all events of that time in order, until the next call; %NULL
 * at the end
 */
const TbSequenceEvent *
tb_sequence_next (TbSequence *self, guint *n_events)
{
  gint64 time;

  if (take_single (self, &time))
    {
      tb_sequence_update (self, &self->single);
      *n_events = 1;
      return &self->single;
    }
  if (time == G_MAXINT64)
    return NULL;
  gather (self, time);
  tb_sequence_order (self);
  *n_events = self->ordered->len;
  return &g_array_index (self->ordered, TbSequenceEvent, 0);
}
