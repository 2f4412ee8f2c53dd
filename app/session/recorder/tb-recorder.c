/* tb-recorder.c: recorder of a session file from the events of a collector or importer: checks
 * them, has them sorted (tb-recorder-event-queue) and made into rows (tb-recorder-events), saves
 * periodically; statistics, warnings about contradictory events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"
#include "session/schema/tb-schema-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/**
 * TbRecorder:
 *
 * Turns the events of a collector or importer into a session: sorts them, maps TIDs to threads,
 * pairs enter with exit events, and stores each string, stack and frame once.
 *
 * Events that contradict earlier ones are recorded all the same, counted in #TbRecorderStatistics
 * and reported in a warning of the session.
 */

G_DEFINE_FINAL_TYPE (TbRecorder, tb_recorder, G_TYPE_OBJECT)

#define COMMIT_INTERVAL_US G_USEC_PER_SEC
#define EVENTS_BETWEEN_LOOKS_AT_THE_CLOCK 8192u

/* Mismatches without a text have no consequence for any result, such as exits of threads of which
 * nothing else was recorded, or the trace reports them with the time that they make unknown, such
 * as switches from a thread that was not known to run. */
static const char *const mismatch_texts[TB_N_MISMATCHES] = {
  [TB_MISMATCH_LATE]
  = N_ ("Events that arrived too late for their time, saved with the time of arrival"),
  [TB_MISMATCH_TIME] = N_ ("Events with an impossible time, omitted"),
  [TB_MISMATCH_KIND] = N_ ("Events of an unknown kind, omitted"),
  [TB_MISMATCH_HOST] = N_ ("Events of a host or CPU that was not announced"),
  [TB_MISMATCH_THREAD]
  = N_ ("Events without their thread, missing in all results; record the IDs of threads"),
  [TB_MISMATCH_DEAD] = N_ ("Threads that ran after their end, treated as new threads"),
  [TB_MISMATCH_FORK]
  = N_ ("Threads whose end was not recorded, treated as ended when their ID was used again"),
  [TB_MISMATCH_INTERRUPT_EXIT]
  = N_ ("Interrupts whose beginning was not recorded, missing in all results"),
  [TB_MISMATCH_INTERRUPT_OPEN]
  = N_ ("Interrupts without an end, ended at the time when they must have been over"),
  [TB_MISMATCH_SYSCALL_EXIT]
  = N_ ("System calls whose beginning was not recorded, missing in all results"),
  [TB_MISMATCH_SYSCALL_OPEN]
  = N_ ("System calls without an end, ended at the next system call of the thread"),
  [TB_MISMATCH_CALL_RETURN]
  = N_ ("Function calls whose beginning was not recorded, missing in all results"),
  [TB_MISMATCH_CALL_OPEN]
  = N_ ("Function calls without a return, ended at the return of their caller"),
  [TB_MISMATCH_CALL_DEPTH] = N_ ("Function calls omitted because too many are open"),
  [TB_MISMATCH_BLOCK_COMPLETE]
  = N_ ("Block requests whose beginning was not recorded, missing in all results"),
  [TB_MISMATCH_BLOCK_OPEN] = N_ ("Block requests omitted because too many are open"),
  [TB_MISMATCH_LOST_RANGE] = N_ ("Ranges of lost events that begin later than reported"),
  [TB_MISMATCH_MAPPINGS] = N_ ("Memory mappings omitted because there are too many"),
};

static void
tb_recorder_finalize (GObject *object)
{
  TbRecorder *self = TB_RECORDER (object);

  if (self->stacks != NULL)
    {
      tb_recorder_free_stacks (self);
      tb_recorder_free_block (self);
      tb_recorder_clear_marks (self);
      tb_recorder_clear_pairing (self);
      tb_recorder_clear_identity (self);
    }
  tb_recorder_free_rows (self);
  tb_event_queue_clear (&self->queue);
  tb_recorder_free_words (self, G_MAXINT64);
  g_clear_pointer (&self->typed.chain, g_array_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_clear_pointer (&self->modules.records, g_array_unref);
  g_clear_pointer (&self->modules.has_address, g_byte_array_unref);
  if (self->modules.destroy != NULL)
    self->modules.destroy (self->modules.data);
  g_clear_pointer (&self->devices.records, g_array_unref);
  g_clear_pointer (&self->interfaces.records, g_array_unref);
  g_clear_pointer (&self->lost.rows, g_array_unref);
  g_clear_pointer (&self->order.entries, g_array_unref);
  g_clear_pointer (&self->strings.offsets, g_array_unref);
  g_free (self->strings.text);
  tb_slots_clear (&self->strings.by_text);
  tb_slots_clear (&self->modules.by_key);
  tb_slots_clear (&self->devices.by_name);
  g_clear_pointer (&self->writer, tb_session_writer_free);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (tb_recorder_parent_class)->finalize (object);
}

static void
tb_recorder_class_init (TbRecorderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_recorder_finalize;
  tb_hash_init ();
}

static void
tb_recorder_init (TbRecorder *self)
{
  g_mutex_init (&self->mutex);
  self->modules.has_address = g_byte_array_new ();
  self->range.from = self->range.to = TB_TIME_NONE;
  self->statistics.first_time = self->statistics.last_time = TB_TIME_NONE;
  self->published = self->statistics;
}

/**
 * tb_recorder_new:
 * @file: the file of the new session
 * @overwrite: whether an existing file may be replaced, which happens at the first commit
 * @error: return location
 *
 * Creates a session file for a recording. One thread at a time may use the recorder; only its
 * statistics may be read from any thread. Nothing is written before the first tb_recorder_advance()
 * that has events to write.
 *
 * Returns: (transfer full): a recorder, or %NULL with an error of %TB_SESSION_ERROR
 */
TbRecorder *
tb_recorder_new (GFile *file, gboolean overwrite, GError **error)
{
  g_autoptr (TbRecorder) self = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  self = g_object_new (TB_TYPE_RECORDER, NULL);
  self->writer = tb_session_writer_new (file, overwrite, error);
  if (self->writer == NULL)
    return NULL;
  self->lost.rows = g_array_new (FALSE, FALSE, sizeof (TbLostRow));
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  tb_recorder_init_strings (self);
  tb_recorder_init_identity (self);
  tb_recorder_init_stacks (self);
  tb_recorder_init_marks (self);
  tb_recorder_init_pairing (self);
  tb_recorder_init_block (self);
  return g_steal_pointer (&self);
}

/**
 * tb_recorder_set_temporary:
 * @self: a recorder without any event
 *
 * Writes the session faster, for one that is of no use after a crash: the file is made at once, it
 * is hardly compressed and committed at the end only, and the disk is not waited for.
 */
void
tb_recorder_set_temporary (TbRecorder *self)
{
  g_return_if_fail (TB_IS_RECORDER (self));

  self->is_temporary = TRUE;
  tb_session_writer_set_temporary (self->writer);
}

/**
 * tb_recorder_set_fact:
 * @self: a recorder
 * @key: name of the fact, see tb_session_get_fact()
 * @value: (nullable): its value, %NULL removes it
 *
 * Sets a fact about the recording as a whole.
 */
void
tb_recorder_set_fact (TbRecorder *self, const char *key, const char *value)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (key != NULL);

  tb_session_writer_put_fact (self->writer, key, value);
}

/**
 * tb_recorder_add_host:
 * @self: a recorder
 * @name: its name
 * @kernel: (nullable): release and version of its kernel
 * @machine: (nullable): its architecture
 * @n_cpus: number of CPUs, 0 if unknown
 * @clock_bound_ns: upper bound of its clock's offset from that of the first host
 *
 * Adds a host; must be called before its first event. The session CPUs of the next host follow
 * those of this one.
 *
 * Returns: its id, for @host of #TbEvent; the maximum is 256 hosts
 */
guint32
tb_recorder_add_host (TbRecorder *self,
                      const char *name,
                      const char *kernel,
                      const char *machine,
                      guint n_cpus,
                      gint64 clock_bound_ns)
{
  TbHostRecord *host;
  guint first_cpu = 0;

  g_return_val_if_fail (TB_IS_RECORDER (self), 0);

  if (self->n_hosts == G_N_ELEMENTS (self->hosts))
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_HOST);
      return self->n_hosts - 1;
    }
  if (self->n_hosts > 0)
    {
      const TbHostRecord *previous = &self->hosts[self->n_hosts - 1];

      first_cpu
          = MIN (previous->first_cpu + MAX (previous->n_cpus, previous->seen_cpus), TB_CPU_ALL);
    }
  host = &self->hosts[self->n_hosts];
  *host = (TbHostRecord) {
    .name = g_utf8_make_valid (name != NULL ? name : "", -1),
    .kernel = g_utf8_make_valid (kernel != NULL ? kernel : "", -1),
    .machine = g_utf8_make_valid (machine != NULL ? machine : "", -1),
    .n_cpus = MIN (n_cpus, TB_CPU_ALL),
    .first_cpu = first_cpu,
    .clock_bound_ns = clock_bound_ns,
  };
  host->realtime
      = strstr (host->kernel, "PREEMPT_RT") != NULL || strstr (host->kernel, "-rt") != NULL;
  return self->n_hosts++;
}

/**
 * tb_recorder_add_warning:
 * @self: a recorder
 * @format: format of one line: what happened, what follows from it, what to do
 * @...: its arguments
 *
 * Adds a warning, which is shown when the session is opened.
 */
void
tb_recorder_add_warning (TbRecorder *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (format != NULL);

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  tb_session_writer_put_warning (self->writer, text);
  g_ptr_array_add (self->warnings, g_steal_pointer (&text));
}

/**
 * tb_recorder_add_warning_text: (rename-to tb_recorder_add_warning)
 * @self: a recorder
 * @text: one line: what happened, what follows from it, what to do
 *
 * Adds a warning, which is shown when the session is opened.
 */
void
tb_recorder_add_warning_text (TbRecorder *self, const char *text)
{
  g_return_if_fail (text != NULL);

  tb_recorder_add_warning (self, "%s", text);
}

/**
 * tb_recorder_add:
 * @self: a recorder
 * @event: the event; it is copied, but its chain and arguments are not
 *
 * Adds an event. It is processed by the tb_recorder_advance() that passes its time. Events may come
 * in any order, as long as none is earlier than the last advance.
 */
void
tb_recorder_add (TbRecorder *self, const TbEvent *event)
{
  TbEvent changed;

  g_return_if_fail (event != NULL);

  if (G_UNLIKELY (self->error != NULL || self->closed))
    return;
  if (G_UNLIKELY (self->n_hosts == 0))
    tb_recorder_add_host (self, "", NULL, NULL, 0, 0);
  if (G_UNLIKELY (event->kind >= TB_N_EVENT_KINDS || event->time < 0
                  || event->time > TB_TIME_LIMIT))
    {
      tb_recorder_count_mismatch (self, event->kind >= TB_N_EVENT_KINDS ? TB_MISMATCH_KIND
                                                                        : TB_MISMATCH_TIME);
      return;
    }
  if (G_UNLIKELY (event->host >= self->n_hosts || event->time < self->advanced))
    {
      changed = *event;
      if (event->host >= self->n_hosts)
        {
          tb_recorder_count_mismatch (self, TB_MISMATCH_HOST);
          changed.host = 0;
        }
      if (event->time < self->advanced)
        {
          tb_recorder_count_mismatch (self, TB_MISMATCH_LATE);
          changed.time = self->advanced;
        }
      event = &changed;
    }
  if (G_UNLIKELY (!tb_event_queue_add (&self->queue, event)))
    self->error = g_error_new_literal (
        G_IO_ERROR, G_IO_ERROR_NO_SPACE,
        _ ("Too many events wait to be sorted: the time of the source does not advance"));
}

/* Events that only list the initial state do not extend the recording. */
static inline gboolean
is_listing (guint8 kind)
{
  return kind == TB_EVENT_EXISTING || kind == TB_EVENT_COMMAND || kind == TB_EVENT_MAPPING
         || kind == TB_EVENT_PROCESS_NAME;
}

static void
put_number (TbRecorder *self, const char *key, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  tb_session_writer_put_fact (self->writer, key, text);
}

static void
put_range (TbRecorder *self)
{
  gint64 from = self->range.from;
  gint64 to = self->range.to;

  if (self->statistics.first_time != TB_TIME_NONE)
    {
      from = from == TB_TIME_NONE ? self->statistics.first_time
                                  : MIN (from, self->statistics.first_time);
      to = MAX (to, self->statistics.last_time);
    }
  if (from == TB_TIME_NONE)
    return;
  put_number (self, TB_FACT_RANGE_FROM, from);
  put_number (self, TB_FACT_RANGE_TO, to);
}

static gboolean
flush (TbRecorder *self, gboolean finish)
{
  tb_recorder_write_lost (self, finish);
  tb_recorder_put_identity (self, finish);
  tb_recorder_put_interfaces (self);
  if (finish)
    tb_recorder_put_module_files (self);
  put_range (self);
  if (self->statistics.mismatched > 0)
    put_number (self, "mismatched-events", (gint64) MIN (self->statistics.mismatched, G_MAXINT64));
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    if (!tb_table_kind_get_info (kind)->derived)
      tb_recorder_flush_rows (self, kind);
  return self->error == NULL;
}

static gboolean
commit_if_due (TbRecorder *self)
{
  gint64 now = g_get_monotonic_time ();

  if (self->error != NULL)
    return FALSE;
  if (self->is_temporary || (self->committed && now - self->last_commit < COMMIT_INTERVAL_US))
    return TRUE;
  self->last_commit = now;
  self->committed = TRUE;
  return flush (self, FALSE) && tb_session_writer_commit (self->writer, &self->error);
}

static void
publish_statistics (TbRecorder *self)
{
  g_mutex_lock (&self->mutex);
  self->published = self->statistics;
  g_mutex_unlock (&self->mutex);
}

static gboolean
fail (TbRecorder *self, GError **error)
{
  if (self->error == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED,
                         _ ("The recording has been finished"));
  else if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}

/* Number of events by which prefetching is ahead of processing. */
#define EVENTS_AHEAD 16u

typedef struct
{
  const TbEvent *event;
  guint64 chain_hash[2];
} Prepared;

static void
record_prepared (TbRecorder *self, const Prepared *prepared)
{
  const TbEvent *event = prepared->event;

  if (!is_listing (event->kind))
    {
      if (self->statistics.first_time == TB_TIME_NONE)
        self->statistics.first_time = event->time;
      self->statistics.last_time = event->time;
    }
  self->statistics.events++;
  self->chain_hash[0] = prepared->chain_hash[0];
  self->chain_hash[1] = prepared->chain_hash[1];
  tb_recorder_record (self, event);
}

/* Records the events before the limit until there is none left or one fails. */
static void
drain (TbRecorder *self, gint64 limit)
{
  Prepared ahead[EVENTS_AHEAD];
  guint64 n_prepared = 0, n_recorded = 0;
  const TbEvent *events;
  guint n;

  while (self->error == NULL && (events = tb_event_queue_take (&self->queue, limit, &n)) != NULL)
    for (guint i = 0; i < n; i++)
      {
        Prepared *next = &ahead[n_prepared % EVENTS_AHEAD];

        if (n_prepared - n_recorded == EVENTS_AHEAD)
          {
            record_prepared (self, next);
            if (++n_recorded % EVENTS_BETWEEN_LOOKS_AT_THE_CLOCK == 0)
              {
                publish_statistics (self);
                commit_if_due (self);
              }
          }
        next->event = &events[i];
        tb_recorder_prepare_stack (self, next->event, next->chain_hash);
        n_prepared++;
      }
  while (n_recorded < n_prepared)
    record_prepared (self, &ahead[n_recorded++ % EVENTS_AHEAD]);
  tb_event_queue_trim (&self->queue);
}

/**
 * tb_recorder_advance:
 * @self: a recorder
 * @time: no event before it will follow
 * @error: return location
 *
 * Records the events before @time: sorts them stably, pairs beginnings with ends and writes the
 * rows, and commits the file at least once a second. The memory used is proportional to the number
 * of waiting events, so call this often: every few thousand events, or whenever all buffers of the
 * source have been drained once.
 *
 * Returns: %FALSE after a failure of the file; what was committed stays, and every later call fails
 * at once
 */
gboolean
tb_recorder_advance (TbRecorder *self, gint64 time, GError **error)
{
  g_return_val_if_fail (TB_IS_RECORDER (self), FALSE);

  if (self->error != NULL || self->closed)
    return fail (self, error);
  if (time > self->advanced)
    {
      drain (self, time);
      self->advanced = time;
      tb_recorder_free_words (self, time);
    }
  publish_statistics (self);
  if (!commit_if_due (self))
    return fail (self, error);
  return TRUE;
}

/**
 * tb_recorder_set_range:
 * @self: a recorder
 * @from: start of the recording
 * @to: end of the recording
 *
 * Sets the recorded range; events outside it widen it.
 */
void
tb_recorder_set_range (TbRecorder *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (from >= 0 && to >= from);

  self->range.from = from;
  self->range.to = to;
}

/**
 * tb_recorder_get_statistics:
 * @self: a recorder
 * @statistics: (out caller-allocates): the statistics
 *
 * Gets the current statistics. May be called from any thread.
 */
void
tb_recorder_get_statistics (TbRecorder *self, TbRecorderStatistics *statistics)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (statistics != NULL);

  g_mutex_lock (&self->mutex);
  *statistics = self->published;
  g_mutex_unlock (&self->mutex);
  statistics->bytes = tb_session_writer_get_bytes (self->writer);
}

/* Whether there is such a warning already, with at least this count. A source that was converted
 * from another recording has the warnings of that one, and some of its events contradict each other
 * here again. */
static gboolean
has_warning (TbRecorder *self, const char *text, guint64 count)
{
  gsize length = strlen (text);

  for (guint i = 0; i < self->warnings->len; i++)
    {
      const char *warning = g_ptr_array_index (self->warnings, i);

      if (strncmp (warning, text, length) == 0 && strncmp (warning + length, ": ", 2) == 0
          && g_ascii_strtoull (warning + length + 2, NULL, 10) >= count)
        return TRUE;
    }
  return FALSE;
}

/* Contradictions up to this share of the events are remarks. */
#define REMARK_SHARE 0.01

/* remarks: collects what is not important enough for a warning */
static void
put_count (TbRecorder *self, const char *text, guint64 count, GString *remarks)
{
  if (count == 0 || has_warning (self, text, count))
    return;
  if ((double) count > REMARK_SHARE * (double) self->statistics.events)
    tb_recorder_add_warning (self, "%s: %" G_GUINT64_FORMAT, text, count);
  else
    g_string_append_printf (remarks, "%s: %" G_GUINT64_FORMAT "\n", text, count);
}

static void put_sentence (TbRecorder *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Adds a warning that is not there already: see has_warning(). */
static void
put_sentence (TbRecorder *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (!g_ptr_array_find_with_equal_func (self->warnings, text, g_str_equal, NULL))
    tb_recorder_add_warning (self, "%s", text);
}

/* Mismatches that need a sentence of their own. */
static void
put_reference_warnings (TbRecorder *self)
{
  guint64 n_invalid = self->mismatches[TB_MISMATCH_REFERENCE];
  guint64 n_unowned = self->mismatches[TB_MISMATCH_ADDRESS_SPACE];

  if (n_invalid > 0)
    put_sentence (
        self,
        ngettext ("%'" PRIu64 " name, device or stack is shown as unknown because the plug-in that "
                  "read the events did not describe it. Report this to the plug-in's author.",
                  "%'" PRIu64 " names, devices or stacks are shown as unknown because the plug-in "
                  "that read the events did not describe them. Report this to the plug-in's "
                  "author.",
                  MIN (n_invalid, G_MAXINT)),
        n_invalid);
  if (n_unowned > 0)
    put_sentence (
        self,
        ngettext ("%'" PRIu64 " mapped file belongs to a process that the recording does not "
                  "describe, as in recordings made inside a container: functions in it may have "
                  "no names. Record outside of the container.",
                  "%'" PRIu64 " mapped files belong to processes that the recording does not "
                  "describe, as in recordings made inside a container: functions in them may have "
                  "no names. Record outside of the container.",
                  MIN (n_unowned, G_MAXINT)),
        n_unowned);
}

static void
put_mismatch_warnings (TbRecorder *self)
{
  g_autoptr (GString) remarks = g_string_new (NULL);

  for (guint i = 0; i < TB_N_MISMATCHES; i++)
    if (mismatch_texts[i] != NULL)
      put_count (self, _ (mismatch_texts[i]), self->mismatches[i], remarks);
  put_reference_warnings (self);
  put_count (self, _ ("Texts omitted because the recording has too many different ones"),
             self->strings.n_dropped, remarks);
  if (remarks->len > 0)
    tb_session_writer_put_fact (self->writer, TB_FACT_REMARKS, remarks->str);
}

/**
 * tb_recorder_finish:
 * @self: a recorder
 * @error: return location
 *
 * Records the waiting events, appends the open operations and closes the session into one file. The
 * recorder accepts nothing afterwards.
 *
 * Returns: whether the whole recording is in the file
 */
gboolean
tb_recorder_finish (TbRecorder *self, GError **error)
{
  g_return_val_if_fail (TB_IS_RECORDER (self), FALSE);

  if (self->error != NULL || self->closed)
    return fail (self, error);
  if (self->n_hosts == 0)
    tb_recorder_add_host (self, "", NULL, NULL, 0, 0);
  drain (self, G_MAXINT64);
  tb_recorder_finish_pairing (self);
  tb_recorder_finish_block (self);
  tb_recorder_write_order (self);
  put_mismatch_warnings (self);
  publish_statistics (self);
  if (!flush (self, TRUE) || !tb_session_writer_close (self->writer, &self->error))
    return fail (self, error);
  self->closed = TRUE;
  return TRUE;
}

/**
 * tb_recorder_abandon:
 * @self: a recorder
 *
 * Cancels the recording: removes the file if this recording created it. The recorder accepts
 * nothing afterwards.
 */
void
tb_recorder_abandon (TbRecorder *self)
{
  g_return_if_fail (TB_IS_RECORDER (self));

  if (self->closed)
    return;
  self->closed = TRUE;
  tb_session_writer_abandon (self->writer);
}
