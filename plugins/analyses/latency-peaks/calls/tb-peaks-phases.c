/* tb-peaks-phases.c: times at which each process was in the phase of a given name, from its begin
 * and end marks; test whether a thread's process was in it at a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-peaks-phases.h"

typedef struct
{
  gint64 from;
  gint64 to; /* exclusive */
} Span;

typedef struct
{
  GArray *spans;   /* Span, ascending, without overlap */
  guint n_threads; /* number of threads in the phase */
} ProcessPhase;

struct _TbPeaksPhases
{
  const TbThread *threads;
  guint n_threads;
  GHashTable *of_process; /* id → ProcessPhase */
  ProcessPhase any;
};

static void
process_phase_free (gpointer data)
{
  ProcessPhase *self = data;

  g_array_unref (self->spans);
  g_free (self);
}

static void
begin (ProcessPhase *self, gint64 time)
{
  Span span = { time, G_MAXINT64 };

  if (self->n_threads++ == 0)
    g_array_append_val (self->spans, span);
}

static void
end (ProcessPhase *self, gint64 time)
{
  if (--self->n_threads == 0)
    g_array_index (self->spans, Span, self->spans->len - 1).to = time;
}

static ProcessPhase *
get_process_phase (TbPeaksPhases *self, guint32 thread)
{
  gpointer process
      = GUINT_TO_POINTER (thread < self->n_threads ? self->threads[thread].process : TB_ID_NONE);
  ProcessPhase *process_phase = g_hash_table_lookup (self->of_process, process);

  if (process_phase == NULL)
    {
      process_phase = g_new0 (ProcessPhase, 1);
      process_phase->spans = g_array_new (FALSE, FALSE, sizeof (Span));
      g_hash_table_insert (self->of_process, process, process_phase);
    }
  return process_phase;
}

/* Marks are in the order of time. An end mark may be missing, because probes of marks are attached
 * one after the other; a second begin of a thread is then ignored. */
static gboolean
read_marks (TbPeaksPhases *self, TbSession *session, const char *phase, GError **error)
{
  static const TbMarkColumn columns[]
      = { TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_NAME, TB_MARK_VALUE };
  TbTable *table = tb_session_get_table (session, TB_TABLE_MARK);
  gsize n = (gsize) tb_table_get_n_rows (table);
  g_autoptr (GPtrArray) loaded = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  const guint32 *of[G_N_ELEMENTS (columns)] = { NULL };
  g_autoptr (GHashTable) inside = g_hash_table_new (NULL, NULL); /* threads */
  const gint64 *time;

  for (guint i = 0; i < G_N_ELEMENTS (columns) && n > 0; i++)
    {
      GBytes *column = tb_table_get_column (table, columns[i], error);

      if (column == NULL)
        return FALSE;
      g_ptr_array_add (loaded, column);
      of[i] = g_bytes_get_data (column, NULL);
    }
  time = (const gint64 *) (const void *) of[0];
  for (gsize i = 0; i < n; i++)
    {
      const char *name = tb_session_get_string (session, of[2][i]);
      ProcessPhase *process_phase;

      if (g_strcmp0 (tb_session_get_string (session, of[3][i]), phase) != 0)
        continue;
      process_phase = get_process_phase (self, of[1][i]);
      if (g_strcmp0 (name, "phase_begin") == 0
          && g_hash_table_add (inside, GUINT_TO_POINTER (of[1][i])))
        {
          begin (process_phase, time[i]);
          begin (&self->any, time[i]);
        }
      else if (g_strcmp0 (name, "phase_end") == 0
               && g_hash_table_remove (inside, GUINT_TO_POINTER (of[1][i])))
        {
          end (process_phase, time[i]);
          end (&self->any, time[i]);
        }
    }
  return TRUE;
}

TbPeaksPhases *
tb_peaks_phases_new (TbTrace *trace, const char *name, GError **error)
{
  g_autoptr (TbPeaksPhases) self = g_new0 (TbPeaksPhases, 1);

  self->threads = tb_session_get_threads (tb_trace_get_session (trace), &self->n_threads);
  self->of_process = g_hash_table_new_full (NULL, NULL, NULL, process_phase_free);
  self->any.spans = g_array_new (FALSE, FALSE, sizeof (Span));
  if (!read_marks (self, tb_trace_get_session (trace), name, error))
    return NULL;
  if (self->any.spans->len > 0)
    return g_steal_pointer (&self);
  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
      _ ("unknown phase “%s”: no phase of that name begins in the recording; programs mark phases "
         "with tailback-annotate.h"),
      name);
  return NULL;
}

void
tb_peaks_phases_free (TbPeaksPhases *self)
{
  g_clear_pointer (&self->of_process, g_hash_table_unref);
  g_clear_pointer (&self->any.spans, g_array_unref);
  g_free (self);
}

gboolean
tb_peaks_phases_has (const TbPeaksPhases *self, guint32 thread, gint64 time)
{
  const ProcessPhase *process_phase
      = thread < self->n_threads
            ? g_hash_table_lookup (self->of_process,
                                   GUINT_TO_POINTER (self->threads[thread].process))
            : &self->any;
  guint low = 0, high = process_phase != NULL ? process_phase->spans->len : 0;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (process_phase->spans, Span, middle).from <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && time < g_array_index (process_phase->spans, Span, low - 1).to;
}
