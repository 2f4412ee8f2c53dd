/* tb-normalization.c: normalization of numbers of recordings by duration or by units of work: check
 * of its text, count of the units in a selected part, factor between two recordings, list of units
 * of work in a recording
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "extend/compare/tb-normalization.h"
#include "extend/selection/tb-work-scope.h"
#include "extend/tb-extend-error.h"
#include "trace/tb-trace-lock-origins.h"

/* Table and columns of a kind of work. */
typedef struct
{
  TbTableKind table;
  guint time;
  guint thread;
  guint name;
  guint extra; /* number of units of a mark, or kind of a message; G_MAXUINT: no such column */
} Source;

static const Source sources[TB_N_WORK_KINDS] = {
  [TB_WORK_MARK] = { TB_TABLE_MARK, TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_NAME, TB_MARK_VALUE },
  [TB_WORK_SYSCALL]
  = { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER, G_MAXUINT },
  [TB_WORK_FUNCTION] = { TB_TABLE_CALL, TB_CALL_EXIT, TB_CALL_THREAD, TB_CALL_FUNCTION, G_MAXUINT },
  [TB_WORK_SEND]
  = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_PROTOCOL, TB_NETWORK_KIND },
  [TB_WORK_RECEIVE]
  = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_PROTOCOL, TB_NETWORK_KIND },
};

static gboolean
parse (const char *by, TbWorkKind *kind, const char **name, GError **error)
{
  if (tb_work_unit_parse (by, kind, name))
    return TRUE;
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("invalid normalization “%s”: use none, duration, work, mark:NAME, syscall:NAME "
                  "or function:NAME, each with or without @PROCESS at its end, send:PROCESS or "
                  "receive:PROCESS"),
               by);
  return FALSE;
}

/**
 * tb_normalization_check:
 * @by: (nullable): a normalization
 * @error: return location
 *
 * Checks a normalization. The forms are: "", each analysis normalizes by its own rule; "none";
 * "duration"; units of work: "work" (marks of that name), "mark:NAME"; numbers of operations:
 * "syscall:NAME", "function:NAME", "send:PROCESS".
 *
 * Returns: whether it has one of the permitted forms; %NULL and the empty text are permitted
 */
gboolean
tb_normalization_check (const char *by, GError **error)
{
  const char *name;
  TbWorkKind kind;

  return by == NULL || *by == '\0' || parse (by, &kind, &name, error);
}

/**
 * tb_normalization_get_name:
 * @by: a normalization, not ""
 *
 * Gets the name of a normalization in reports.
 *
 * Returns: its name in reports: "recorded_ns" for "duration", "" for "none", else @by itself
 */
const char *
tb_normalization_get_name (const char *by)
{
  g_return_val_if_fail (by != NULL, "");

  if (g_str_equal (by, tb_work_kind_get_prefix (TB_WORK_DURATION)))
    return "recorded_ns";
  return g_str_equal (by, tb_work_kind_get_prefix (TB_WORK_NONE)) ? "" : by;
}

typedef struct
{
  GBytes *bytes[4];
  const gint64 *time;
  const guint32 *thread;
  const guint32 *name;
  gconstpointer extra; /* u32 for a mark, u8 for a message */
  gsize n;
} Columns;

static void
columns_clear (Columns *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Columns, columns_clear)

static gconstpointer
load_column (Columns *self, guint i, TbTable *table, guint column, GError **error)
{
  self->bytes[i] = tb_table_get_column (table, column, error);
  return self->bytes[i] != NULL ? g_bytes_get_data (self->bytes[i], NULL) : NULL;
}

static gboolean
load (Columns *self, TbTrace *trace, TbWorkKind kind, GError **error)
{
  const Source *source = &sources[kind];
  TbTable *table = tb_session_get_table (tb_trace_get_session (trace), source->table);

  self->n = tb_table_get_n_rows (table);
  if (self->n == 0)
    return TRUE;
  self->time = load_column (self, 0, table, source->time, error);
  self->thread = self->time != NULL ? load_column (self, 1, table, source->thread, error) : NULL;
  self->name = self->thread != NULL ? load_column (self, 2, table, source->name, error) : NULL;
  if (self->name == NULL)
    return FALSE;
  if (source->extra != G_MAXUINT)
    self->extra = load_column (self, 3, table, source->extra, error);
  return source->extra == G_MAXUINT || self->extra != NULL;
}

/* The unit of work to count, and the process to count it in. */
typedef struct
{
  TbWorkKind kind;
  char *name;
  TbSelection *process; /* NULL: all processes */
} Unit;

static void
unit_clear (Unit *self)
{
  g_free (self->name);
  g_clear_object (&self->process);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Unit, unit_clear)

static gboolean
has_name (TbSession *session, const Unit *unit, guint32 string)
{
  const char *text = tb_session_get_string (session, string);

  return unit->kind == TB_WORK_MARK ? tb_work_unit_matches (unit->name, text)
                                    : g_str_equal (text, unit->name);
}

/* Number of units of work in a row. */
static guint64
count_row (const Columns *columns, TbSession *session, TbWorkKind kind, gsize i)
{
  guint64 units = 1;

  switch (kind)
    {
    case TB_WORK_MARK:
      g_ascii_string_to_unsigned (tb_session_get_string (session,
                                                         ((const guint32 *) columns->extra)[i]),
                                  10, 0, G_MAXUINT32, &units, NULL);
      return units;
    case TB_WORK_SEND:
      return ((const guint8 *) columns->extra)[i] == TB_NETWORK_SEND;
    case TB_WORK_RECEIVE:
      return ((const guint8 *) columns->extra)[i] == TB_NETWORK_RECEIVE;
    default:
      return units;
    }
}

/* A row without a known thread counts for the whole recording, but for no process. */
static gboolean
is_counted (const Unit *unit, TbSelection *selection, guint32 thread, guint n_threads)
{
  if (thread >= n_threads)
    return unit->process == NULL;
  return tb_selection_has_thread (selection, thread)
         && (unit->process == NULL || tb_selection_has_thread (unit->process, thread));
}

static double
count (const Columns *columns, TbTrace *trace, TbSelection *selection, const Unit *unit)
{
  TbSession *session = tb_trace_get_session (trace);
  guint n_strings = tb_session_get_n_strings (session);
  /* by string: 1: another name, 2: the wanted name, 0: not compared yet */
  g_autofree guint8 *known = g_malloc0 (n_strings + 1);
  gboolean is_message = unit->kind >= TB_WORK_SEND;
  gint64 from, to;
  double amount = 0;
  guint n_threads;

  tb_session_get_threads (session, &n_threads);
  tb_selection_get_range (selection, &from, &to);
  for (gsize i = 0; i < columns->n; i++)
    {
      guint32 string = MIN (columns->name[i], n_strings);

      if (columns->time[i] < from || columns->time[i] > to)
        continue;
      if (known[string] == 0)
        known[string]
            = is_message || (string < n_strings && has_name (session, unit, string)) ? 2 : 1;
      if (known[string] == 2 && is_counted (unit, selection, columns->thread[i], n_threads))
        amount += (double) count_row (columns, session, unit->kind, i);
    }
  return amount;
}

/**
 * tb_normalization_measure:
 * @by: a normalization
 * @trace: a recording
 * @selection: the selected part of it
 * @amount: (out): the amount in that part: ns, or a number of units
 * @error: return location
 *
 * Measures how much of a quantity a part of a recording has.
 *
 * Returns: whether it could be measured; an amount of 0 is no failure
 */
gboolean
tb_normalization_measure (const char *by,
                          TbTrace *trace,
                          TbSelection *selection,
                          double *amount,
                          GError **error)
{
  g_auto (Columns) columns = { 0 };
  g_auto (Unit) unit = { 0 };
  const char *name;
  gint64 from, to;

  g_return_val_if_fail (by != NULL && TB_IS_TRACE (trace) && TB_IS_SELECTION (selection), FALSE);

  if (!parse (by, &unit.kind, &name, error))
    return FALSE;
  tb_selection_get_range (selection, &from, &to);
  *amount = unit.kind == TB_WORK_NONE ? 1 : (double) (to - from);
  if (unit.kind < TB_WORK_MARK)
    return TRUE;
  if (!tb_work_scope_find (trace, unit.kind, name, &unit.name, &unit.process, error)
      || !load (&columns, trace, unit.kind, error))
    return FALSE;
  *amount = count (&columns, trace, selection, &unit);
  return TRUE;
}

/**
 * tb_normalization_get_scale:
 * @by: a normalization
 * @base: a recording
 * @base_selection: the selected part of @base
 * @other: another recording
 * @other_selection: the selected part of @other
 * @scale: (out): the factor for the numbers of @other
 * @error: return location
 *
 * Computes the factor that makes the numbers of a recording comparable with those of a base.
 *
 * Returns: whether both have a positive amount; otherwise the error names the recording that has
 *   none
 */
gboolean
tb_normalization_get_scale (const char *by,
                            TbTrace *base,
                            TbSelection *base_selection,
                            TbTrace *other,
                            TbSelection *other_selection,
                            double *scale,
                            GError **error)
{
  double of_base, of_other;

  if (!tb_normalization_measure (by, base, base_selection, &of_base, error)
      || !tb_normalization_measure (by, other, other_selection, &of_other, error))
    return FALSE;
  if (of_base <= 0 || of_other <= 0)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                   of_base <= 0
                       ? _ ("cannot normalize the recordings by “%s”: the base recording has none "
                            "of it. Choose a quantity that both recordings have, or “none”.")
                       : _ ("cannot normalize the recordings by “%s”: the other recording has none "
                            "of it. Choose a quantity that both recordings have, or “none”."),
                   by);
      return FALSE;
    }
  *scale = of_base / of_other;
  return TRUE;
}

/* --- units of work in a recording --- */

typedef struct
{
  char *id;
  guint64 count;
} Candidate;

static void
candidate_free (gpointer data)
{
  Candidate *candidate = data;

  g_free (candidate->id);
  g_free (candidate);
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *left = *(Candidate *const *) a, *right = *(Candidate *const *) b;

  if (left->count != right->count)
    return left->count > right->count ? -1 : 1;
  return strcmp (left->id, right->id);
}

static gboolean
add_candidates (GPtrArray *all, TbTrace *trace, TbWorkKind kind, GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  guint n_strings = tb_session_get_n_strings (session);
  g_autofree guint64 *counts = g_new0 (guint64, n_strings + 1);
  g_auto (Columns) columns = { 0 };

  if (!load (&columns, trace, kind, error))
    return FALSE;
  for (gsize i = 0; i < columns.n; i++)
    counts[MIN (columns.name[i], n_strings)]++;
  for (guint i = 0; i < n_strings; i++)
    if (counts[i] > 0 && *tb_session_get_string (session, i) != '\0'
        && !(kind == TB_WORK_MARK && tb_mark_is_of_lock (tb_session_get_string (session, i))))
      {
        Candidate *candidate = g_new0 (Candidate, 1);

        candidate->id = g_strconcat (tb_work_kind_get_prefix (kind), ":",
                                     tb_session_get_string (session, i), NULL);
        candidate->count = counts[i];
        g_ptr_array_add (all, candidate);
      }
  return TRUE;
}

/**
 * tb_normalization_list:
 * @trace: a recording
 * @most: maximum number of each kind
 * @error: return location
 *
 * Lists the units of work of a recording.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): the units of work that could
 *   normalize the recording, marks first, the most frequent first; %NULL if the recording could not
 *   be read
 */
char **
tb_normalization_list (TbTrace *trace, guint most, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  for (TbWorkKind kind = TB_WORK_MARK; kind <= TB_WORK_FUNCTION; kind++)
    {
      g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (candidate_free);

      if (!add_candidates (all, trace, kind, error))
        return NULL;
      g_ptr_array_sort (all, compare_candidates);
      for (guint i = 0; i < all->len && i < most; i++)
        g_strv_builder_add (builder, ((Candidate *) g_ptr_array_index (all, i))->id);
    }
  return g_strv_builder_end (builder);
}
