/* tb-wait-work.c: units of work, and how many were done when
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-work.h"

#include <glib/gi18n.h>
#include <string.h>

#define STANDARD_MARK "work"

/* "work" and "work:NAME" are marks of that whole name. */
static const struct
{
  const char *prefix;
  TbWaitWorkKind kind;
} forms[] = {
  { "none", TB_WAIT_WORK_NONE },         { "mark", TB_WAIT_WORK_MARK },
  { STANDARD_MARK, TB_WAIT_WORK_MARK },  { "syscall", TB_WAIT_WORK_SYSCALL },
  { "function", TB_WAIT_WORK_FUNCTION }, { "call", TB_WAIT_WORK_FUNCTION },
  { "send", TB_WAIT_WORK_SEND },         { "receive", TB_WAIT_WORK_RECEIVE },
};

void
tb_wait_work_free (TbWaitWork *self)
{
  g_free (self->unit);
  g_array_unref (self->done);
  g_free (self);
}

static gboolean
parse_unit (const char *unit, TbWaitWorkKind *kind, const char **name, GError **error)
{
  gsize length = strcspn (unit, ":@");
  const char *rest = unit[length] == ':' ? unit + length + 1 : "";

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (strlen (forms[i].prefix) == length && strncmp (unit, forms[i].prefix, length) == 0)
      {
        gboolean is_whole = g_str_equal (forms[i].prefix, STANDARD_MARK);

        *kind = forms[i].kind;
        *name = is_whole ? unit : rest;
        if (forms[i].kind == TB_WAIT_WORK_NONE ? unit[length] == '\0'
                                               : *rest != '\0' || (is_whole && unit[length] != ':'))
          return TRUE;
      }
  g_set_error (
      error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
      _ ("\"%s\" is no unit of work: mark:NAME, syscall:NAME or function:NAME, with @PROCESS behind it or "
         "not, send:PROCESS, receive:PROCESS or none was expected"),
      unit);
  return FALSE;
}

gboolean
tb_wait_work_check (const char *unit, GError **error)
{
  TbWaitWorkKind kind;
  const char *name;

  return unit == NULL || *unit == '\0' || parse_unit (unit, &kind, &name, error);
}

/* "work" stands for "work:reads", too. */
static gboolean
matches (const char *text, const char *name)
{
  gsize length = strlen (name);

  return strncmp (text, name, length) == 0 && (text[length] == '\0' || text[length] == ':');
}

static gboolean
is_in (TbSession *session, const char *name)
{
  for (guint i = 0; i < tb_session_get_n_strings (session); i++)
    if (matches (tb_session_get_string (session, i), name))
      return TRUE;
  return FALSE;
}

/* Whose work alone counts: that of the process of a message, or that behind an "@", unless something has just that name.
 * process: NULL not that of one alone. */
static gboolean
find_process (TbTrace *trace, TbWaitWorkKind kind, char **name, TbSelection **process, GError **error)
{
  char *at = strrchr (*name, '@');
  const char *of = *name;

  if (kind != TB_WAIT_WORK_SEND && kind != TB_WAIT_WORK_RECEIVE)
    {
      if (at == NULL || is_in (tb_trace_get_session (trace), *name))
        return TRUE;
      *at = '\0';
      of = at + 1;
    }
  *process = tb_selection_new (trace);
  return tb_selection_add_process_by_name (*process, of, error);
}

gboolean
tb_wait_work_check_in (const char *unit, TbTrace *trace, GError **error)
{
  g_autoptr (TbSelection) process = NULL;
  g_autofree char *name = NULL;
  TbWaitWorkKind kind;
  const char *given;

  if (!parse_unit (unit, &kind, &given, error))
    return FALSE;
  name = g_strdup (given);
  return find_process (trace, kind, &name, &process, error);
}

/* The columns that tell when, who, and which; and what else is needed. */
typedef struct
{
  TbTableKind table;
  guint time;
  guint thread;
  guint name;
  guint extra; /* value of a mark, result of a call, kind of a message */
} Source;

static const Source sources[] = {
  [TB_WAIT_WORK_MARK] = { TB_TABLE_MARK, TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_NAME, TB_MARK_VALUE },
  [TB_WAIT_WORK_SYSCALL]
  = { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER, TB_SYSCALL_RESULT },
  [TB_WAIT_WORK_FUNCTION]
  = { TB_TABLE_CALL, TB_CALL_EXIT, TB_CALL_THREAD, TB_CALL_FUNCTION, TB_CALL_FUNCTION },
  [TB_WAIT_WORK_SEND]
  = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_PROTOCOL, TB_NETWORK_KIND },
  [TB_WAIT_WORK_RECEIVE]
  = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_PROTOCOL, TB_NETWORK_KIND },
};

typedef struct
{
  TbWaitWorkKind kind;
  const char *name;
  TbSession *session;
  TbSelection *threads;
  gboolean is_of_process; /* what nobody is known to have done does not count */
  GHashTable *matches;    /* string → whether it is the name */
} Filter;

static gboolean
has_name (Filter *self, guint32 string)
{
  gpointer known = g_hash_table_lookup (self->matches, GUINT_TO_POINTER (string));

  if (known == NULL)
    {
      known = GUINT_TO_POINTER (matches (tb_session_get_string (self->session, string), self->name) ? 2 : 1);
      g_hash_table_insert (self->matches, GUINT_TO_POINTER (string), known);
    }
  return GPOINTER_TO_UINT (known) == 2;
}

/* How many units a row stands for. */
static guint64
count_row (Filter *self, guint32 thread, guint32 name, gconstpointer extra, gsize row)
{
  guint64 count = 1;

  if (thread == TB_ID_NONE ? self->is_of_process
                           : self->threads != NULL && !tb_selection_has_thread (self->threads, thread))
    return 0;
  switch (self->kind)
    {
    case TB_WAIT_WORK_MARK:
      if (!has_name (self, name))
        return 0;
      g_ascii_string_to_unsigned (tb_session_get_string (self->session, ((const guint32 *) extra)[row]), 10,
                                  0, G_MAXUINT32, &count, NULL);
      return count;
    case TB_WAIT_WORK_SYSCALL:
      return has_name (self, name) && ((const gint64 *) extra)[row] >= 0;
    case TB_WAIT_WORK_FUNCTION:
      return has_name (self, name);
    case TB_WAIT_WORK_SEND:
      return ((const guint8 *) extra)[row] == TB_NETWORK_SEND;
    case TB_WAIT_WORK_RECEIVE:
      return ((const guint8 *) extra)[row] == TB_NETWORK_RECEIVE;
    default:
      return 0;
    }
}

static gboolean
count (TbWaitWork *self, Filter *filter, gint64 from, gint64 to, GError **error)
{
  const Source *source = &sources[filter->kind];
  TbTable *table = tb_session_get_table (filter->session, source->table);
  g_autoptr (GBytes) times = NULL;
  g_autoptr (GBytes) threads = NULL;
  g_autoptr (GBytes) names = NULL;
  g_autoptr (GBytes) extras = NULL;
  gint64 length = MAX (to - from, 1);

  if (tb_table_get_n_rows (table) == 0)
    return TRUE;
  times = tb_table_get_column (table, source->time, error);
  threads = times != NULL ? tb_table_get_column (table, source->thread, error) : NULL;
  names = threads != NULL ? tb_table_get_column (table, source->name, error) : NULL;
  extras = names != NULL ? tb_table_get_column (table, source->extra, error) : NULL;
  if (extras == NULL)
    return FALSE;
  for (gsize i = 0; i < tb_table_get_n_rows (table); i++)
    {
      gint64 time = ((const gint64 *) g_bytes_get_data (times, NULL))[i];
      guint64 n;

      if (time < from || time > to)
        continue;
      n = count_row (filter, ((const guint32 *) g_bytes_get_data (threads, NULL))[i],
                     ((const guint32 *) g_bytes_get_data (names, NULL))[i], g_bytes_get_data (extras, NULL),
                     i);
      self->count += n;
      if (n > 0)
        g_array_append_vals (self->done,
                             &(TbWaitDone) { time, ((const guint32 *) g_bytes_get_data (threads, NULL))[i],
                                             (guint32) MIN (n, G_MAXUINT32) },
                             1);
      self->slices[MIN ((time - from) / (length / TB_WAIT_WORK_SLICES + 1), TB_WAIT_WORK_SLICES - 1)] += n;
    }
  self->per_second = (double) self->count * 1e9 / (double) length;
  return TRUE;
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
  gboolean is_standard = unit == NULL || *unit == '\0';
  Filter filter = { .session = tb_trace_get_session (trace), .threads = threads };
  g_autofree char *name = NULL;
  const char *given;
  gboolean is_good;

  self->done = g_array_new (FALSE, FALSE, sizeof (TbWaitDone));
  self->unit = g_strdup (is_standard ? "mark:" STANDARD_MARK : unit);
  if (!parse_unit (self->unit, &filter.kind, &given, error) || filter.kind == TB_WAIT_WORK_NONE)
    return NULL;
  filter.name = name = g_strdup (given);
  if (!find_process (trace, filter.kind, &name, &process, error))
    return NULL;
  if (process != NULL)
    {
      filter.threads = process;
      filter.is_of_process = TRUE;
    }
  filter.matches = g_hash_table_new (NULL, NULL);
  is_good = count (self, &filter, from, to, error);
  g_hash_table_unref (filter.matches);
  return is_good && (self->count > 0 || !is_standard) ? g_steal_pointer (&self) : NULL;
}
