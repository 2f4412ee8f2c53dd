/* tb-wait-work.c: units of work counted in a recording, from marks, calls or messages: their times,
 * threads, rate and number over time; check of a unit's text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-work.h"

#include <glib/gi18n.h>

#include "extend/selection/tb-work-scope.h"

#define STANDARD_MARK "work"

void
tb_wait_work_free (TbWaitWork *self)
{
  g_free (self->unit);
  g_array_unref (self->done);
  g_free (self);
}

static gboolean
parse_unit (const char *unit, TbWorkKind *kind, const char **name, GError **error)
{
  if (tb_work_unit_parse (unit, kind, name) && *kind != TB_WORK_DURATION)
    return TRUE;
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("invalid unit of work “%s”: use mark:NAME, syscall:NAME or function:NAME, each "
                  "with or without @PROCESS behind it, send:PROCESS, receive:PROCESS or none"),
               unit);
  return FALSE;
}

gboolean
tb_wait_work_check (const char *unit, GError **error)
{
  TbWorkKind kind;
  const char *name;

  return unit == NULL || *unit == '\0' || parse_unit (unit, &kind, &name, error);
}

gboolean
tb_wait_work_check_in (const char *unit, TbTrace *trace, GError **error)
{
  g_autoptr (TbSelection) process = NULL;
  g_autofree char *name = NULL;
  TbWorkKind kind;
  const char *given;

  if (!parse_unit (unit, &kind, &given, error))
    return FALSE;
  return kind == TB_WORK_NONE || tb_work_scope_find (trace, kind, given, &name, &process, error);
}

/* The columns for time, thread and name, and a further one that the kind needs. */
typedef struct
{
  TbTableKind table;
  guint time;
  guint thread;
  guint name;
  guint extra; /* value of a mark, result of a call, kind of a message */
} Source;

static const Source sources[] = {
  [TB_WORK_MARK] = { TB_TABLE_MARK, TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_NAME, TB_MARK_VALUE },
  [TB_WORK_SYSCALL]
  = { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER, TB_SYSCALL_RESULT },
  [TB_WORK_FUNCTION]
  = { TB_TABLE_CALL, TB_CALL_EXIT, TB_CALL_THREAD, TB_CALL_FUNCTION, TB_CALL_FUNCTION },
  [TB_WORK_SEND]
  = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_PROTOCOL, TB_NETWORK_KIND },
  [TB_WORK_RECEIVE]
  = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_PROTOCOL, TB_NETWORK_KIND },
};

void
tb_wait_work_rows_clear (TbWaitWorkRows *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

gboolean
tb_wait_work_rows_load (TbWaitWorkRows *self, TbTrace *trace, TbWorkKind kind, GError **error)
{
  const Source *source = &sources[kind];
  const guint columns[] = { source->time, source->thread, source->name, source->extra };
  gconstpointer data[G_N_ELEMENTS (columns)];
  TbTable *table;

  self->session = tb_trace_get_session (trace);
  self->kind = kind;
  table = tb_session_get_table (self->session, source->table);
  self->n = tb_table_get_n_rows (table);
  for (guint i = 0; self->n > 0 && i < G_N_ELEMENTS (columns); i++)
    {
      self->bytes[i] = tb_table_get_column (table, columns[i], error);
      if (self->bytes[i] == NULL)
        return FALSE;
      data[i] = g_bytes_get_data (self->bytes[i], NULL);
    }
  if (self->n == 0)
    return TRUE;
  self->time = data[0];
  self->thread = data[1];
  self->name = data[2];
  self->extra = data[3];
  return TRUE;
}

guint64
tb_wait_work_rows_count (const TbWaitWorkRows *self, gsize row)
{
  guint64 count = 1;

  switch (self->kind)
    {
    case TB_WORK_MARK:
      g_ascii_string_to_unsigned (tb_session_get_string (self->session,
                                                         ((const guint32 *) self->extra)[row]),
                                  10, 0, G_MAXUINT32, &count, NULL);
      return count;
    case TB_WORK_SYSCALL:
      return ((const gint64 *) self->extra)[row] >= 0;
    case TB_WORK_SEND:
      return ((const guint8 *) self->extra)[row] == TB_NETWORK_SEND;
    case TB_WORK_RECEIVE:
      return ((const guint8 *) self->extra)[row] == TB_NETWORK_RECEIVE;
    default:
      return count;
    }
}

typedef struct
{
  const TbWaitWorkRows *rows;
  const char *name;
  TbSelection *threads;
  gboolean is_of_process; /* work of unknown threads does not count */
  GHashTable *matches;    /* string → whether it is the name */
} Filter;

static gboolean
has_name (Filter *self, guint32 string)
{
  gpointer known = g_hash_table_lookup (self->matches, GUINT_TO_POINTER (string));

  if (known == NULL)
    {
      const char *text = tb_session_get_string (self->rows->session, string);

      known = GUINT_TO_POINTER (tb_work_unit_matches (self->name, text) ? 2 : 1);
      g_hash_table_insert (self->matches, GUINT_TO_POINTER (string), known);
    }
  return GPOINTER_TO_UINT (known) == 2;
}

/* The number of units that a row stands for. */
static guint64
count_row (Filter *self, gsize row)
{
  guint32 thread = self->rows->thread[row];

  if (thread == TB_ID_NONE
          ? self->is_of_process
          : self->threads != NULL && !tb_selection_has_thread (self->threads, thread))
    return 0;
  if (self->rows->kind < TB_WORK_SEND && !has_name (self, self->rows->name[row]))
    return 0;
  return tb_wait_work_rows_count (self->rows, row);
}

/* The end of the range belongs to the last slice. */
static guint
find_slice (gint64 from, gint64 length, gint64 time)
{
  double slice = (double) (time - from) * TB_WAIT_WORK_SLICES / (double) length;

  return (guint) MIN (slice, TB_WAIT_WORK_SLICES - 1);
}

static void
count (TbWaitWork *self, Filter *filter, gint64 from, gint64 to)
{
  gint64 length = MAX (to - from, 1);

  for (gsize i = 0; i < filter->rows->n; i++)
    {
      gint64 time = filter->rows->time[i];
      guint64 n;

      if (time < from || time > to)
        continue;
      n = count_row (filter, i);
      self->count += n;
      if (n > 0)
        g_array_append_vals (self->done,
                             &(TbWaitWorkEvent) { time, filter->rows->thread[i],
                                                  (guint32) MIN (n, G_MAXUINT32) },
                             1);
      self->slices[find_slice (from, length, time)] += n;
    }
  self->per_second = (double) self->count * 1e9 / (double) length;
}

TbWaitWork *
tb_wait_work_new (TbTrace *trace,
                  const char *unit,
                  TbSelection *threads,
                  gint64 from,
                  gint64 to,
                  GError **error)
{
  g_autoptr (TbWaitWork) self = g_new0 (TbWaitWork, 1);
  g_autoptr (TbSelection) process = NULL;
  g_autoptr (GHashTable) matches = NULL;
  g_auto (TbWaitWorkRows) rows = { 0 };
  gboolean is_standard = unit == NULL || *unit == '\0';
  g_autofree char *name = NULL;
  const char *given;
  TbWorkKind kind;

  self->done = g_array_new (FALSE, FALSE, sizeof (TbWaitWorkEvent));
  self->unit = g_strdup (is_standard ? "mark:" STANDARD_MARK : unit);
  if (!parse_unit (self->unit, &kind, &given, error) || kind == TB_WORK_NONE)
    return NULL;
  if (!tb_work_scope_find (trace, kind, given, &name, &process, error)
      || !tb_wait_work_rows_load (&rows, trace, kind, error))
    return NULL;
  matches = g_hash_table_new (NULL, NULL);
  count (self,
         &(Filter) { &rows, name, process != NULL ? process : threads, process != NULL, matches },
         from, to);
  return self->count > 0 || !is_standard ? g_steal_pointer (&self) : NULL;
}
