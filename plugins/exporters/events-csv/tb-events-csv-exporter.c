/* tb-events-csv-exporter.c: exporter of a recording to the plain-text event format: all its events
 * as lines in the order of time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-events-csv-exporter.h"

#include <glib/gi18n-lib.h>

#include "tb-csv-export-private.h"

#define WRITE_LENGTH 65536u

struct _TbEventsCsvExporter
{
  GObject parent_instance;
};

static void tb_events_csv_exporter_iface_init (TbExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbEventsCsvExporter,
                               tb_events_csv_exporter,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_EXPORTER,
                                                      tb_events_csv_exporter_iface_init))

static void
tb_events_csv_exporter_class_init (TbEventsCsvExporterClass *klass)
{
}

static void
tb_events_csv_exporter_init (TbEventsCsvExporter *self)
{
}

static const char *
get_extension (TbExporter *exporter)
{
  return "csv";
}

typedef struct
{
  GOutputStream *stream;
  TbProgressFunc progress;
  gpointer data;
  GCancellable *cancellable;
  TbCsvEvents events;
  TbSequence *sequence;
  gint64 from;
  gint64 to;
  TbCsvThreads threads;
  TbCsvLines lines;
  guint32 next_counter; /* first row of the table of counters that is not written */
  guint32 next_lock;    /* likewise, of the table of locks of files */
} Export;

/* Marks the threads that have a name line, which contains their process. */
static void
find_named_threads (Export *export)
{
  for (guint32 row = 0; row < export->events.n_rows[TB_TABLE_PROCESS]; row++)
    {
      guint8 kind = TB_CSV_VALUE (&export->events, PROCESS, KIND, guint8, row);
      guint32 thread = TB_CSV_VALUE (&export->events, PROCESS, THREAD, guint32, row);

      if ((kind == TB_PROCESS_NAME || kind == TB_PROCESS_EXISTING)
          && thread < export->threads.n_threads)
        export->threads.process_written[thread] = TRUE;
    }
}

/* Finds the wake-ups by threads. */
static guint8 *
find_wakeups_by_threads (const Export *export, TbTrace *trace)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  gsize n_wakeups = export->events.n_rows[TB_TABLE_WAKEUP];
  guint8 *by_thread = g_new0 (guint8, MAX (n_wakeups, 1));

  for (gsize i = 0; i < intervals->n; i++)
    if (intervals->wakeup[i] < n_wakeups && intervals->state[i] >= TB_STATE_INTERRUPTIBLE
        && intervals->cause_kind[i] == TB_CAUSE_THREAD)
      by_thread[intervals->wakeup[i]] = TRUE;
  return by_thread;
}

static gboolean
flush (Export *export, gsize limit, GError **error)
{
  GString *text = export->lines.text;

  if (text->len < limit)
    return TRUE;
  if (!g_output_stream_write_all (export->stream, text->str, text->len, NULL, export->cancellable,
                                  error))
    return FALSE;
  g_string_truncate (text, 0);
  return TRUE;
}

/* Adds the rows of the table of locks of files that are due before a line of that time. */
static gboolean
add_file_locks (Export *export, gint64 before, GError **error)
{
  for (; export->next_lock < export->events.n_rows[TB_TABLE_FILE_LOCK]; export->next_lock++)
    {
      if (TB_CSV_VALUE (&export->events, FILE_LOCK, TIME, gint64, export->next_lock) >= before)
        return TRUE;
      tb_csv_lines_add_file_lock (&export->lines, export->next_lock);
      if (!flush (export, WRITE_LENGTH, error))
        return FALSE;
    }
  return TRUE;
}

/* Likewise, of the table of counters. Lines of earlier times come first. */
static gboolean
add_unordered (Export *export, gint64 before, GError **error)
{
  for (; export->next_counter < export->events.n_rows[TB_TABLE_COUNTER]; export->next_counter++)
    {
      if (TB_CSV_VALUE (&export->events, COUNTER, TIME, gint64, export->next_counter) >= before)
        break;
      if (!add_file_locks (export,
                           TB_CSV_VALUE (&export->events, COUNTER, TIME, gint64,
                                         export->next_counter),
                           error))
        return FALSE;
      tb_csv_lines_add_counter (&export->lines, export->next_counter);
      if (!flush (export, WRITE_LENGTH, error))
        return FALSE;
    }
  return add_file_locks (export, before, error);
}

static gboolean
write_lines (Export *export, GError **error)
{
  const TbSequenceEvent *events;
  gint64 last = export->from;
  gsize n_events = tb_sequence_get_length (export->sequence), n_done = 0, next_progress = 0;
  guint n;

  tb_csv_lines_add_header (&export->lines);
  tb_csv_lines_add_warnings (&export->lines);
  tb_csv_lines_add_facts (&export->lines);
  if (n_events > 0 || export->to > export->from)
    {
      tb_csv_lines_add_time (&export->lines, export->from);
      tb_csv_lines_add_devices (&export->lines, export->from);
    }
  while ((events = tb_sequence_next (export->sequence, &n)) != NULL)
    {
      if (!add_unordered (export, events[0].time, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        tb_csv_lines_add (&export->lines, &events[i]);
      last = events[0].time;
      n_done += n;
      if (n_done >= next_progress)
        {
          next_progress = n_done + n_events / 200 + 1;
          if (export->progress != NULL)
            export->progress ((double) n_done / n_events, _ ("Writing events"), export->data);
          if (g_cancellable_set_error_if_cancelled (export->cancellable, error))
            return FALSE;
        }
      if (!flush (export, WRITE_LENGTH, error))
        return FALSE;
    }
  if (!add_unordered (export, export->to, error))
    return FALSE;
  if (export->to > last)
    tb_csv_lines_add_time (&export->lines, export->to);
  return add_unordered (export, G_MAXINT64, error) && flush (export, 0, error);
}

static gboolean
export_trace (TbExporter *exporter,
              TbTrace *trace,
              GOutputStream *stream,
              TbProgressFunc progress,
              gpointer data,
              GCancellable *cancellable,
              GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  Export export
      = { .stream = stream, .progress = progress, .data = data, .cancellable = cancellable };
  TbCsvStacks *stacks = tb_csv_stacks_new (session, error);
  gboolean written;

  if (stacks == NULL)
    return FALSE;
  export.sequence = tb_sequence_new (session, TRUE, error);
  if (export.sequence == NULL || !tb_csv_events_init (&export.events, session, error))
    {
      g_clear_pointer (&export.sequence, tb_sequence_free);
      tb_csv_stacks_free (stacks);
      return FALSE;
    }
  tb_session_get_range (session, &export.from, &export.to);
  tb_csv_threads_init (&export.threads, session);
  find_named_threads (&export);
  export.lines = (TbCsvLines) {
    .session = session,
    .events = &export.events,
    .threads = &export.threads,
    .stacks = stacks,
    .text = g_string_sized_new (2 * WRITE_LENGTH),
    .name = g_string_new (NULL),
  };
  export.lines.woken_by_thread = find_wakeups_by_threads (&export, trace);
  export.lines.devices = tb_session_get_devices (session, &export.lines.n_devices);
  written = write_lines (&export, error);
  g_free (export.lines.woken_by_thread);
  g_string_free (export.lines.text, TRUE);
  g_string_free (export.lines.name, TRUE);
  tb_csv_threads_clear (&export.threads);
  tb_csv_events_clear (&export.events);
  tb_sequence_free (export.sequence);
  tb_csv_stacks_free (stacks);
  return written;
}

static void
tb_events_csv_exporter_iface_init (TbExporterInterface *iface)
{
  iface->get_extension = get_extension;
  iface->export_trace = export_trace;
}
