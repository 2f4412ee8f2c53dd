/* tb-csv-export-threads.c: numbers and names of threads and processes in the exported file, where
 * no two threads have one number at the same time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-export-private.h"

#include <string.h>

/* Whether two threads with the same number may have lived at the same time. `later` has the higher
 * id. */
static gboolean
overlap (const TbThread *earlier, const TbThread *later)
{
  return earlier->end == TB_TIME_NONE
         || (later->start != TB_TIME_NONE && later->start < earlier->end);
}

static gboolean
is_of_first_host (const TbCsvThreads *self, const TbThread *thread)
{
  return thread->process >= self->n_processes || self->processes[thread->process].host == 0;
}

static void
number_threads (TbCsvThreads *self)
{
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL);
  gint32 next = 1;

  for (guint i = 0; i < self->n_threads; i++)
    next = MAX (next, self->threads[i].tid < G_MAXINT32 ? self->threads[i].tid + 1 : 1);
  for (guint i = 1; i < self->n_threads; i++)
    {
      const TbThread *thread = &self->threads[i];
      gpointer key = GINT_TO_POINTER (thread->tid);
      guint earlier = GPOINTER_TO_UINT (g_hash_table_lookup (last, key));

      self->tids[i] = thread->tid;
      if (thread->tid <= 0 || !is_of_first_host (self, thread)
          || (earlier != 0 && overlap (&self->threads[earlier], thread)))
        self->tids[i] = next < G_MAXINT32 ? next++ : G_MAXINT32;
      else
        g_hash_table_insert (last, key, GUINT_TO_POINTER (i));
    }
}

/* A process has the number of its main thread. */
static void
number_processes (TbCsvThreads *self)
{
  g_autofree guint8 *has_main = g_new0 (guint8, self->n_processes + 1);

  for (guint i = 0; i < self->n_processes; i++)
    {
      self->pids[i] = MAX (self->processes[i].pid, 0);
      self->named[i]
          = *self->processes[i].name != '\0' && strchr (self->processes[i].name, '/') == NULL;
    }
  for (guint i = 1; i < self->n_threads; i++)
    {
      guint32 process = self->threads[i].process;

      if (process >= self->n_processes || self->threads[i].tid != self->processes[process].pid)
        continue;
      self->pids[process] = self->tids[i];
      has_main[process] = TRUE;
      if (strcmp (self->threads[i].name, self->processes[process].name) == 0)
        self->named[process] = FALSE;
    }
  /* Without a main thread, an importer names the process after its first named thread, unless a
   * name line has another name. */
  for (guint i = 1; i < self->n_threads; i++)
    {
      guint32 process = self->threads[i].process;

      if (process < self->n_processes && !has_main[process] && *self->threads[i].name != '\0')
        {
          has_main[process] = TRUE;
          if (strcmp (self->threads[i].name, self->processes[process].name) == 0)
            self->named[process] = FALSE;
        }
    }
}

void
tb_csv_threads_init (TbCsvThreads *self, TbSession *session)
{
  *self = (TbCsvThreads) { .session = session };
  self->threads = tb_session_get_threads (session, &self->n_threads);
  self->processes = tb_session_get_processes (session, &self->n_processes);
  self->tids = g_new0 (gint32, self->n_threads + 1);
  self->pids = g_new0 (gint32, self->n_processes + 1);
  self->named = g_new0 (guint8, self->n_processes + 1);
  self->process_written = g_new0 (guint8, self->n_threads + 1);
  self->forks_have_process
      = g_strcmp0 (tb_session_get_fact (session, "collector"), "events-csv") != 0
        || tb_session_get_fact (session, "forks-tell-processes") != NULL;
  number_threads (self);
  number_processes (self);
}

void
tb_csv_threads_clear (TbCsvThreads *self)
{
  g_free (self->tids);
  g_free (self->pids);
  g_free (self->named);
  g_free (self->process_written);
}

gint32
tb_csv_threads_get_tid (const TbCsvThreads *self, guint32 thread)
{
  return thread < self->n_threads ? self->tids[thread] : -1;
}

gint32
tb_csv_threads_get_pid (const TbCsvThreads *self, guint32 thread)
{
  if (thread < self->n_threads && self->threads[thread].process < self->n_processes)
    return self->pids[self->threads[thread].process];
  return tb_csv_threads_get_tid (self, thread);
}

void
tb_csv_threads_describe (const TbCsvThreads *self, guint32 thread, const char *name, GString *text)
{
  guint32 process = thread < self->n_threads ? self->threads[thread].process : TB_ID_NONE;

  g_string_truncate (text, 0);
  if (process < self->n_processes && self->named[process])
    g_string_append_printf (text, "%s/", self->processes[process].name);
  else if (*name == '\0' || strchr (name, '/') != NULL)
    g_string_append_c (text, '/');
  g_string_append (text, name);
}
