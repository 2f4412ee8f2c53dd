/* tb-normalization.c: by what recordings of different length are made alike
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "extend/tb-normalization.h"
#include "extend/tb-option.h"

#define WORK "work"

typedef enum
{
  NONE,
  DURATION,
  MARK,
  SYSCALL,
  FUNCTION,
  N_KINDS,
} Kind;

/* Where what is counted stands. */
typedef struct
{
  const char *prefix;
  TbTableKind table;
  guint time;
  guint thread;
  guint name;
  guint extra; /* how many units a mark stands for, G_MAXUINT none */
} Source;

static const Source sources[N_KINDS] = {
  [NONE] = { "none" },
  [DURATION] = { "duration" },
  [MARK] = { "mark:", TB_TABLE_MARK, TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_NAME, TB_MARK_VALUE },
  [SYSCALL]
  = { "syscall:", TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER, G_MAXUINT },
  [FUNCTION] = { "function:", TB_TABLE_CALL, TB_CALL_EXIT, TB_CALL_THREAD, TB_CALL_FUNCTION, G_MAXUINT },
};

static gboolean
parse (const char *by, Kind *kind, const char **name, GError **error)
{
  *name = "";
  if (g_str_equal (by, WORK))
    {
      *kind = MARK;
      *name = WORK;
      return TRUE;
    }
  for (*kind = NONE; *kind < N_KINDS; ++*kind)
    {
      gboolean is_named = *kind >= MARK;

      if (!is_named && g_str_equal (by, sources[*kind].prefix))
        return TRUE;
      if (is_named && g_str_has_prefix (by, sources[*kind].prefix)
          && by[strlen (sources[*kind].prefix)] != '\0')
        {
          *name = by + strlen (sources[*kind].prefix);
          return TRUE;
        }
    }
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("\"%s\" is nothing that recordings are made alike by: none, duration, work, mark:NAME, "
                  "syscall:NAME or function:NAME was expected"),
               by);
  return FALSE;
}

/**
 * tb_normalization_check:
 * @by: (nullable): what numbers are to be made alike by
 * @error: return location
 *
 * Returns: whether it is one of the forms, which it is also where it is %NULL or empty
 */
gboolean
tb_normalization_check (const char *by, GError **error)
{
  const char *name;
  Kind kind;

  return by == NULL || *by == '\0' || parse (by, &kind, &name, error);
}

/**
 * tb_normalization_get_name:
 * @by: what numbers are made alike by, not ""
 *
 * Returns: as reports name it: "recorded_ns" of "duration", "" of "none", else itself
 */
const char *
tb_normalization_get_name (const char *by)
{
  g_return_val_if_fail (by != NULL, "");

  if (g_str_equal (by, sources[DURATION].prefix))
    return "recorded_ns";
  return g_str_equal (by, sources[NONE].prefix) ? "" : by;
}

typedef struct
{
  GBytes *bytes[4];
  const gint64 *time;
  const guint32 *thread;
  const guint32 *name;
  const guint32 *extra;
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
load (Columns *self, TbTrace *trace, Kind kind, GError **error)
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

/* "work" stands for "work:reads", too. */
static gboolean
has_name (TbSession *session, Kind kind, guint32 string, const char *name)
{
  const char *text = tb_session_get_string (session, string);
  gsize length = strlen (name);

  return kind == MARK ? strncmp (text, name, length) == 0 && (text[length] == '\0' || text[length] == ':')
                      : g_str_equal (text, name);
}

static double
count (const Columns *columns, TbTrace *trace, TbSelection *selection, Kind kind, const char *name)
{
  TbSession *session = tb_trace_get_session (trace);
  guint n_strings = tb_session_get_n_strings (session);
  g_autofree guint8 *known = g_malloc0 (n_strings + 1); /* 1: another name, 2: it */
  gint64 from, to;
  double amount = 0;
  guint n_threads;

  tb_session_get_threads (session, &n_threads);
  tb_selection_get_range (selection, &from, &to);
  for (gsize i = 0; i < columns->n; i++)
    {
      guint32 string = columns->name[i];
      guint64 units = 1;

      if (columns->time[i] < from || columns->time[i] > to || string > n_strings)
        continue;
      if (known[string] == 0)
        known[string] = has_name (session, kind, string, name) ? 2 : 1;
      if (known[string] == 1
          || (columns->thread[i] < n_threads && !tb_selection_has_thread (selection, columns->thread[i])))
        continue;
      if (columns->extra != NULL)
        g_ascii_string_to_unsigned (tb_session_get_string (session, columns->extra[i]), 10, 0, G_MAXUINT32,
                                    &units, NULL);
      amount += (double) units;
    }
  return amount;
}

/**
 * tb_normalization_measure:
 * @by: what is measured
 * @trace: a recording
 * @selection: the part of it that is asked about
 * @amount: (out): how much of it there is in that part: ns, or how many
 * @error: return location
 *
 * Returns: whether it could be measured; that there is none of it is no failure
 */
gboolean
tb_normalization_measure (const char *by,
                          TbTrace *trace,
                          TbSelection *selection,
                          double *amount,
                          GError **error)
{
  g_auto (Columns) columns = { 0 };
  const char *name;
  gint64 from, to;
  Kind kind;

  g_return_val_if_fail (by != NULL && TB_IS_TRACE (trace) && TB_IS_SELECTION (selection), FALSE);

  if (!parse (by, &kind, &name, error))
    return FALSE;
  tb_selection_get_range (selection, &from, &to);
  *amount = kind == NONE ? 1 : (double) (to - from);
  if (kind < MARK)
    return TRUE;
  if (!load (&columns, trace, kind, error))
    return FALSE;
  *amount = count (&columns, trace, selection, kind, name);
  return TRUE;
}

/**
 * tb_normalization_get_scale:
 * @by: what numbers are made alike by
 * @base: a recording
 * @base_selection: the part of it that is asked about
 * @other: another recording
 * @other_selection: the part of that one
 * @scale: (out): what numbers of @other are to be multiplied by
 * @error: return location
 *
 * Returns: whether both have any of it; that one has not is an error which says which
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
                   _ ("the recordings cannot be made alike by \"%s\": %s has none of it. Choose what both "
                      "have, or \"none\"."),
                   by, of_base <= 0 ? _ ("the base recording") : _ ("the other recording"));
      return FALSE;
    }
  *scale = of_base / of_other;
  return TRUE;
}

/* --- what there is --- */

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
add_candidates (GPtrArray *all, TbTrace *trace, Kind kind, GError **error)
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
    if (counts[i] > 0 && *tb_session_get_string (session, i) != '\0')
      {
        Candidate *candidate = g_new0 (Candidate, 1);

        candidate->id = g_strconcat (sources[kind].prefix, tb_session_get_string (session, i), NULL);
        candidate->count = counts[i];
        g_ptr_array_add (all, candidate);
      }
  return TRUE;
}

/**
 * tb_normalization_list:
 * @trace: a recording
 * @most: of each kind, at most so many
 * @error: return location
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): what numbers of the recording could be made alike by, marks
 *   first, those that occur most often first; %NULL where it could not be read
 */
char **
tb_normalization_list (TbTrace *trace, guint most, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  for (Kind kind = MARK; kind < N_KINDS; kind++)
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
