/* tb-threads-phases.c: phases and marks of each thread over time, as intervals for the timeline,
 * from the marks that programs emitted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-threads-phases.h"
#include "trace/tb-trace-lock-origins.h"

#define PHASE_BEGIN "phase_begin"
#define PHASE_END "phase_end"
/* Phases end in the reverse order of their beginnings, or nearly so. The phase to end is sought
 * among so many of the innermost ones. */
#define NESTING_SOUGHT 64

typedef struct
{
  TbThreadAnnotations annotations; /* must be first, because it is what is returned */
  GArray *open;                    /* guint32: nested phases */
  gint64 since;                    /* when the current innermost phase became that */
} ThreadPhases;

static void
intervals_init (TbAnnotationIntervals *self)
{
  self->start = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->end = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->name = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
intervals_clear (TbAnnotationIntervals *self)
{
  g_array_unref (self->start);
  g_array_unref (self->end);
  g_array_unref (self->name);
}

static void
thread_phases_free (gpointer data)
{
  ThreadPhases *self = data;

  intervals_clear (&self->annotations.phases);
  intervals_clear (&self->annotations.marks);
  g_array_unref (self->open);
  g_free (self);
}

static ThreadPhases *
get_thread_phases (GHashTable *by_thread, guint32 thread)
{
  ThreadPhases *self = g_hash_table_lookup (by_thread, GUINT_TO_POINTER (thread));

  if (self != NULL)
    return self;
  self = g_new0 (ThreadPhases, 1);
  intervals_init (&self->annotations.phases);
  intervals_init (&self->annotations.marks);
  self->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_hash_table_insert (by_thread, GUINT_TO_POINTER (thread), self);
  return self;
}

/* Adds an interval, clipped to the range and to the end of the previous interval. */
static void
add_interval (TbAnnotationIntervals *self,
              const TbThreadsSummary *summary,
              gint64 from,
              gint64 to,
              guint32 name)
{
  gint64 start = MAX (from, summary->from), end = MIN (to, summary->to);

  if (self->end->len > 0)
    start = MAX (start, g_array_index (self->end, gint64, self->end->len - 1));
  if (start >= end)
    return;
  g_array_append_val (self->start, start);
  g_array_append_val (self->end, end);
  g_array_append_val (self->name, name);
}

static void
close_innermost (ThreadPhases *self, const TbThreadsSummary *summary, gint64 time)
{
  if (self->open->len > 0)
    add_interval (&self->annotations.phases, summary, self->since, time,
                  g_array_index (self->open, guint32, self->open->len - 1));
  self->since = time;
}

static void
begin_phase (ThreadPhases *self, const TbThreadsSummary *summary, gint64 time, guint32 name)
{
  close_innermost (self, summary, time);
  g_array_append_val (self->open, name);
}

/* The end of a phase is ignored if its beginning was not recorded. */
static void
end_phase (ThreadPhases *self, const TbThreadsSummary *summary, gint64 time, guint32 name)
{
  guint n = self->open->len;

  for (guint i = n; i > 0 && n - i < NESTING_SOUGHT; i--)
    if (g_array_index (self->open, guint32, i - 1) == name)
      {
        close_innermost (self, summary, time);
        g_array_remove_index (self->open, i - 1);
        return;
      }
}

typedef struct
{
  GBytes *bytes[4];
  const gint64 *time;
  const guint32 *thread;
  const guint32 *name;
  const guint32 *value;
  gsize n;
} Marks;

static void
marks_clear (Marks *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Marks, marks_clear)

static gboolean
marks_load (Marks *self, TbSession *session, GError **error)
{
  static const TbMarkColumn columns[]
      = { TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_NAME, TB_MARK_VALUE };
  TbTable *table = tb_session_get_table (session, TB_TABLE_MARK);

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
  self->thread = g_bytes_get_data (self->bytes[1], NULL);
  self->name = g_bytes_get_data (self->bytes[2], NULL);
  self->value = g_bytes_get_data (self->bytes[3], NULL);
  return TRUE;
}

static gboolean
is_empty (gpointer thread, gpointer phases_of_thread, gpointer data)
{
  const TbThreadAnnotations *annotations = phases_of_thread;

  return annotations->phases.name->len == 0 && annotations->marks.name->len == 0;
}

GHashTable *
tb_threads_find_annotations (TbThreadsSummary *summary, GError **error)
{
  TbSession *session = tb_trace_get_session (summary->trace);
  g_autoptr (GHashTable) by_thread = g_hash_table_new_full (NULL, NULL, NULL, thread_phases_free);
  g_auto (Marks) marks = { { NULL } };
  GHashTableIter iter;
  gpointer phases_of_thread;

  if (!marks_load (&marks, session, error))
    return NULL;
  for (gsize i = 0; i < marks.n; i++)
    {
      const char *name = tb_session_get_string (session, marks.name[i]);
      ThreadPhases *of = get_thread_phases (by_thread, marks.thread[i]);

      if (g_strcmp0 (name, PHASE_BEGIN) == 0)
        begin_phase (of, summary, marks.time[i], marks.value[i]);
      else if (g_strcmp0 (name, PHASE_END) == 0)
        end_phase (of, summary, marks.time[i], marks.value[i]);
      else if (name != NULL && *name != '\0' && !tb_mark_is_of_lock (name))
        add_interval (&of->annotations.marks, summary, marks.time[i], marks.time[i] + 1,
                      marks.name[i]);
    }
  g_hash_table_iter_init (&iter, by_thread);
  while (g_hash_table_iter_next (&iter, NULL, &phases_of_thread))
    close_innermost (phases_of_thread, summary, summary->to);
  g_hash_table_foreach_remove (by_thread, is_empty, NULL);
  return g_steal_pointer (&by_thread);
}
