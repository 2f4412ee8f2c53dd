/* tb-threads-marks.c: table of the marks that programs emitted, by thread: counts, and total and
 * longest time of phases and busy waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/table/tb-table-figure.h"
#include "tb-threads-marks.h"
#include "trace/tb-trace-lock-origins.h"

#define ROWS_MAX 1000
#define PHASE_BEGIN "phase_begin"
#define PHASE_END "phase_end"

typedef enum
{
  ROW_NOTE,
  ROW_PHASE,
  ROW_SPIN,
  ROW_FALSE_WAKEUP,
} RowKind;

/* All marks of a thread with the same kind and name. */
typedef struct
{
  guint32 thread;
  guint32 name; /* string */
  RowKind row_kind;
  guint depth; /* beginnings without an end; only the outermost one counts */
  gint64 since;
  guint64 count;
  gint64 ns;
  gint64 longest;
} Row;

typedef struct
{
  TbThreadsSummary *summary;
  GHashTable *rows; /* set of Row */
  GBytes *bytes[5];
  gsize n;
  const gint64 *time;
  const guint8 *kind;
  const guint32 *thread;
  const guint32 *name;
  const guint32 *value;
} Marks;

static void
marks_clear (Marks *self)
{
  g_clear_pointer (&self->rows, g_hash_table_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Marks, marks_clear)

static guint
hash_row (gconstpointer data)
{
  const Row *row = data;

  return (row->thread * 0x9e3779b9u ^ row->name) * 4 + row->row_kind;
}

static gboolean
rows_are_equal (gconstpointer a, gconstpointer b)
{
  const Row *x = a, *y = b;

  return x->thread == y->thread && x->name == y->name && x->row_kind == y->row_kind;
}

static gboolean
marks_load (Marks *self, GError **error)
{
  static const TbMarkColumn columns[]
      = { TB_MARK_TIME, TB_MARK_KIND, TB_MARK_THREAD, TB_MARK_NAME, TB_MARK_VALUE };
  TbTable *table
      = tb_session_get_table (tb_trace_get_session (self->summary->trace), TB_TABLE_MARK);

  self->n = (gsize) tb_table_get_n_rows (table);
  for (guint i = 0; i < G_N_ELEMENTS (columns) && self->n > 0; i++)
    {
      self->bytes[i] = tb_table_get_column (table, columns[i], error);
      if (self->bytes[i] == NULL)
        return FALSE;
    }
  if (self->n == 0)
    return TRUE;
  self->time = g_bytes_get_data (self->bytes[0], NULL);
  self->kind = g_bytes_get_data (self->bytes[1], NULL);
  self->thread = g_bytes_get_data (self->bytes[2], NULL);
  self->name = g_bytes_get_data (self->bytes[3], NULL);
  self->value = g_bytes_get_data (self->bytes[4], NULL);
  return TRUE;
}

static Row *
get_row (Marks *self, guint32 thread, RowKind row_kind, guint32 name)
{
  Row key = { .thread = thread, .name = name, .row_kind = row_kind }, *row;

  row = g_hash_table_lookup (self->rows, &key);
  if (row == NULL)
    {
      row = g_memdup2 (&key, sizeof key);
      g_hash_table_add (self->rows, row);
    }
  return row;
}

static void
begin (Row *row, gint64 time)
{
  if (row->depth++ == 0)
    row->since = time;
}

/* Ends a row's current period, clipped to the range. */
static void
end (Row *row, gint64 time, const TbThreadsSummary *summary)
{
  gint64 from = MAX (row->since, summary->from), to = MIN (time, summary->to);

  /* The beginning was not recorded. */
  if (row->depth == 0 || --row->depth > 0 || to <= from)
    return;
  row->count++;
  row->ns += to - from;
  row->longest = MAX (row->longest, to - from);
}

static guint64
get_units (const char *name, const char *value)
{
  guint64 units;

  if (!g_str_has_prefix (name, "work") || (name[4] != '\0' && name[4] != ':')
      || !g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT32, &units, NULL))
    return 1;
  return units;
}

static void
add_note (Marks *self, gsize i)
{
  TbSession *session = tb_trace_get_session (self->summary->trace);
  const char *name = tb_session_get_string (session, self->name[i]);
  const char *value = tb_session_get_string (session, self->value[i]);

  if (tb_mark_is_of_lock (name))
    return;
  if (strcmp (name, PHASE_BEGIN) == 0)
    begin (get_row (self, self->thread[i], ROW_PHASE, self->value[i]), self->time[i]);
  else if (strcmp (name, PHASE_END) == 0)
    end (get_row (self, self->thread[i], ROW_PHASE, self->value[i]), self->time[i], self->summary);
  else if (self->time[i] >= self->summary->from && self->time[i] < self->summary->to)
    get_row (self, self->thread[i], ROW_NOTE, self->name[i])->count += get_units (name, value);
}

static void
add_mark (Marks *self, gsize i)
{
  guint32 thread = self->thread[i];

  if (thread >= self->summary->n_ids || self->summary->by_id[thread] == NULL)
    return;
  switch (self->kind[i])
    {
    case TB_MARK_SPIN_BEGIN:
    case TB_MARK_SPIN_END:
      {
        Row *row = get_row (self, thread, ROW_SPIN, TB_STRING_NONE);

        if (self->kind[i] == TB_MARK_SPIN_END)
          end (row, self->time[i], self->summary);
        else if (row->depth == 0)
          begin (row, self->time[i]);
      }
      break;
    case TB_MARK_FALSE_WAKEUP:
      if (self->time[i] >= self->summary->from && self->time[i] < self->summary->to)
        get_row (self, thread, ROW_FALSE_WAKEUP, TB_STRING_NONE)->count++;
      break;
    default:
      add_note (self, i);
      break;
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const Row *x = *(Row *const *) a, *y = *(Row *const *) b;

  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->row_kind != y->row_kind)
    return x->row_kind < y->row_kind ? -1 : 1;
  return x->name < y->name ? -1 : x->name > y->name;
}

/* Periods that are still open last to the end of the range. */
static GPtrArray *
sort_rows (Marks *self)
{
  GPtrArray *sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->rows);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      Row *row = key;

      if (row->depth > 0)
        {
          row->depth = 1;
          end (row, self->summary->to, self->summary);
        }
      if (row->count > 0)
        g_ptr_array_add (sorted, row);
    }
  g_ptr_array_sort (sorted, compare_rows);
  return sorted;
}

static char *
describe_row (const Row *row, TbSession *session)
{
  const char *name = tb_session_get_string (session, row->name);

  switch (row->row_kind)
    {
    case ROW_PHASE:
      return g_strdup_printf (_ ("phase “%s”"), name);
    case ROW_SPIN:
      return g_strdup (_ ("spinning"));
    case ROW_FALSE_WAKEUP:
      return g_strdup (_ ("woken in vain"));
    case ROW_NOTE:
    default:
      return g_strdup (name);
    }
}

static TbFigure *
make_table (Marks *self, GPtrArray *rows)
{
  TbTableFigure *table = tb_table_figure_new ("marks", _ ("Marks of Programs"));
  TbTrace *trace = self->summary->trace;
  guint thread = tb_table_figure_add_column (table, "thread", _ ("Thread"), TB_CELL_TEXT);
  guint mark = tb_table_figure_add_column (table, "mark", _ ("Mark"), TB_CELL_TEXT);
  guint count = tb_table_figure_add_column (table, "count", _ ("Count"), TB_CELL_COUNT);
  guint total = tb_table_figure_add_column (table, "total", _ ("Total"), TB_CELL_DURATION);
  guint longest = tb_table_figure_add_column (table, "longest", _ ("Longest"), TB_CELL_DURATION);

  for (guint i = 0; i < rows->len && i < ROWS_MAX; i++)
    {
      const Row *of = g_ptr_array_index (rows, i);
      g_autofree char *id = g_strdup_printf ("%u", of->thread);
      g_autofree char *name = tb_trace_describe_thread (trace, of->thread);
      g_autofree char *what = describe_row (of, tb_trace_get_session (trace));
      guint row = tb_table_figure_add_row (table, id);

      tb_table_figure_set_text (table, row, thread, name);
      tb_table_figure_set_text (table, row, mark, what);
      tb_table_figure_set_integer (table, row, count, (gint64) of->count);
      if (of->row_kind == ROW_PHASE || of->row_kind == ROW_SPIN)
        {
          tb_table_figure_set_integer (table, row, total, of->ns);
          tb_table_figure_set_integer (table, row, longest, of->longest);
        }
    }
  if (rows->len > ROWS_MAX)
    {
      g_autofree char *more = g_strdup_printf (_ ("… %u more"), rows->len - ROWS_MAX);

      tb_table_figure_set_text (table, tb_table_figure_add_row (table, ""), mark, more);
    }
  return TB_FIGURE (table);
}

gboolean
tb_threads_add_marks (TbReport *report, TbThreadsSummary *summary, GError **error)
{
  g_auto (Marks) self = { .summary = summary };
  g_autoptr (GPtrArray) rows = NULL;

  if (!marks_load (&self, error))
    return FALSE;
  self.rows = g_hash_table_new_full (hash_row, rows_are_equal, g_free, NULL);
  for (gsize i = 0; i < self.n && self.time[i] < summary->to; i++)
    add_mark (&self, i);
  rows = sort_rows (&self);
  if (rows->len > 0)
    tb_report_add_figure (report, make_table (&self, rows));
  return TRUE;
}
