/* tb-session.c: session, a saved recording: opening (by tb-session-open and tb-session-load);
 * access to its tables, hosts, processes, threads, modules, strings, facts, warnings and time
 * range; mark of a recording that was cut short, after a check
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "session/file/tb-session-open-private.h"
#include "session/file/tb-session-private.h"

/**
 * TbSession:
 *
 * A saved recording: events in tables of typed columns, and facts about hosts, processes and other
 * entities.
 *
 * A session is one file, a SQLite database that `sqlite3` can read (see the user help). Opening it
 * reads only the entities and an index of the columns, so that large sessions open at once; a
 * column is read at its first access.
 *
 * Sessions can be used from any thread. Times are in ns of the session's clock, `CLOCK_MONOTONIC`
 * of the first host. Hosts, processes, threads, modules, devices and strings have ids, which are
 * indices in the arrays of their kind.
 *
 * Names of functions, derived tables, facts, bookmarks and reports can be added after the
 * recording. If the file or its folder is read-only, [method@Tailback.Session.is_writable] is
 * %FALSE, additions are kept in memory, and [method@Tailback.Session.save_copy] saves them.
 */
G_DEFINE_FINAL_TYPE (TbSession, tb_session, G_TYPE_OBJECT)

enum
{
  SYMBOLS_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
tb_session_finalize (GObject *object)
{
  TbSession *self = TB_SESSION (object);

  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    g_clear_object (&self->tables[kind]);
  g_clear_pointer (&self->names, tb_frame_names_free);
  g_clear_pointer (&self->store, tb_store_unref);
  g_array_unref (self->hosts);
  g_array_unref (self->processes);
  g_array_unref (self->threads);
  g_array_unref (self->thread_names);
  g_array_unref (self->modules);
  g_array_unref (self->devices);
  g_clear_pointer (&self->interfaces, g_array_unref);
  g_clear_pointer (&self->module_files, g_array_unref);
  g_clear_pointer (&self->interface_texts, g_ptr_array_unref);
  g_ptr_array_unref (self->strings);
  g_ptr_array_unref (self->warnings);
  g_hash_table_unref (self->facts);
  g_hash_table_unref (self->unsaved_facts);
  g_hash_table_unref (self->reports);
  g_clear_pointer (&self->mappings, g_array_unref);
  g_array_unref (self->bookmarks);
  g_ptr_array_unref (self->retired);
  g_string_chunk_free (self->text);
  g_mutex_clear (&self->lock);
  g_clear_object (&self->file);
  g_free (self->display_name);
  G_OBJECT_CLASS (tb_session_parent_class)->finalize (object);
}

static void
tb_session_class_init (TbSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_session_finalize;

  /**
   * TbSession::symbols-changed:
   * @self: the session
   *
   * Names of frames were published. Emitted in the main context, once for all publications since
   * the last emission.
   */
  signals[SYMBOLS_CHANGED] = g_signal_new ("symbols-changed", G_TYPE_FROM_CLASS (klass),
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tb_session_init (TbSession *self)
{
  g_mutex_init (&self->lock);
  self->text = g_string_chunk_new (16 * 1024);
  self->hosts = g_array_new (FALSE, FALSE, sizeof (TbHost));
  self->processes = g_array_new (FALSE, FALSE, sizeof (TbProcess));
  self->threads = g_array_new (FALSE, FALSE, sizeof (TbThread));
  self->thread_names = g_array_new (FALSE, FALSE, sizeof (TbThreadName));
  self->modules = g_array_new (FALSE, FALSE, sizeof (TbModule));
  self->devices = g_array_new (FALSE, FALSE, sizeof (TbDevice));
  self->strings = g_ptr_array_new ();
  self->warnings = g_ptr_array_new_null_terminated (0, NULL, TRUE);
  self->facts = g_hash_table_new (g_str_hash, g_str_equal);
  self->unsaved_facts = g_hash_table_new (g_str_hash, g_str_equal);
  self->reports = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, tb_session_free_report);
  self->bookmarks = g_array_new (FALSE, FALSE, sizeof (TbBookmark));
  self->retired = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
}

static gboolean
write_cut_short (TbSessionFile *file, gpointer data, GError **error)
{
  return tb_session_file_put_fact (file, TB_FACT_IN_PROGRESS, NULL, error)
         && tb_session_file_put_fact (file, TB_FACT_CUT_SHORT, data, error);
}

/* Marks a session as cut short if its writer did not end the recording. The whole file is checked
 * once. Damage is reported as a warning, and what is readable can be used. */
static gboolean
mark_cut_short (TbSession *self, GCancellable *cancellable, GError **error)
{
  static const char reason[] = "interrupted";
  g_autoptr (GError) problem = NULL;

  self->cut_short = TRUE;
  if (!tb_session_check (self, cancellable, &problem))
    {
      if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      g_ptr_array_add (self->warnings, g_string_chunk_insert (self->text, problem->message));
    }
  g_hash_table_remove (self->facts, TB_FACT_IN_PROGRESS);
  g_hash_table_insert (self->facts, TB_FACT_CUT_SHORT, (gpointer) reason);
  g_hash_table_add (self->unsaved_facts, TB_FACT_IN_PROGRESS);
  g_hash_table_add (self->unsaved_facts, TB_FACT_CUT_SHORT);

  /* Damage must be found again at every open, so the mark that causes the check stays. */
  if (problem == NULL && self->writable
      && tb_session_write (self, write_cut_short, (gpointer) reason, NULL))
    g_hash_table_remove_all (self->unsaved_facts);
  return TRUE;
}

static gboolean
has_events (TbSession *self)
{
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    if ((TB_TABLE_IS_EVENT (kind) || kind == TB_TABLE_LOST)
        && tb_table_get_n_rows (self->tables[kind]) > 0)
      return TRUE;
  return FALSE;
}

/* A recording that was not ended has its last part in a log beside it, which is easily forgotten
 * when the file is copied, and which a sandbox may not show. Without any event there is nothing to
 * open. */
static gboolean
report_missing_log (TbSession *self, GError **error)
{
  g_autofree char *log = g_strconcat (self->display_name, "-wal", NULL);
  g_autofree char *text = NULL;

  if (!g_hash_table_contains (self->facts, TB_FACT_IN_PROGRESS))
    return TRUE;
  if (!has_events (self))
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
                   _ ("“%s” has no events: its recording was not ended, and the log with its "
                      "events, “%s”, is not beside it. Copy both files from where it was recorded, "
                      "or open it there once, which joins them"),
                   self->display_name, log);
      return FALSE;
    }
  text = g_strdup_printf (_ ("The last part of the recording is missing: it was not ended, and the "
                             "log with that part, “%s”, is not beside it. Copy both files from "
                             "where it was recorded, or open it there once, which joins them."),
                          log);
  g_ptr_array_add (self->warnings, g_string_chunk_insert (self->text, text));
  return TRUE;
}

/**
 * tb_session_open:
 * @file: a local file
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Opens a session. Reads only the entities and the index of the columns, which takes some
 * milliseconds for any size. A file that was not closed by its recorder is first recovered (in a
 * private copy if its folder is read-only) and checked once as by [method@Tailback.Session.check];
 * [method@Tailback.Session.is_cut_short] is then %TRUE.
 *
 * Files are not trusted. The error is %TB_SESSION_ERROR_FOREIGN if the file is not a session,
 * %TB_SESSION_ERROR_DAMAGED if its content is contradictory, %TB_SESSION_ERROR_VERSION if it is of
 * a newer Tailback, and %TB_SESSION_ERROR_IO if it cannot be read or is still being recorded.
 *
 * Returns: (transfer full): the session
 */
TbSession *
tb_session_open (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbSession) self = NULL;
  TbSessionFile *database;
  const char *path;
  struct timespec written;
  gboolean lacks_log = FALSE;
  guint64 size = 0;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  self = g_object_new (TB_TYPE_SESSION, NULL);
  self->file = g_object_ref (file);
  self->display_name = g_file_get_parse_name (file);
  path = g_file_peek_path (file);
  if (path == NULL)
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
                   _ ("“%s” is not on this machine; copy it to a local folder first"),
                   self->display_name);
      return NULL;
    }
  tb_session_get_modification_time (path, &written);
  database = tb_session_open_file (path, self->display_name, &self->writable, &lacks_log, &size,
                                   cancellable, error);
  if (database == NULL)
    return NULL;
  self->store = tb_store_new (database, size);
  if (!tb_session_load (self, error) || (lacks_log && !report_missing_log (self, error)))
    return NULL;
  self->names = tb_frame_names_new (self, self->store->limits.n_frames);
  self->cut_short = g_hash_table_contains (self->facts, TB_FACT_CUT_SHORT);
  if (g_hash_table_contains (self->facts, TB_FACT_IN_PROGRESS)
      && !mark_cut_short (self, cancellable, error))
    return NULL;
  if (self->writable)
    tb_session_restore_modification_time (path, &written);
  return g_steal_pointer (&self);
}

/**
 * tb_session_get_file:
 * @self: a session
 *
 * Gets the file that the session was opened from.
 *
 * Returns: (transfer none): the file
 */
GFile *
tb_session_get_file (TbSession *self)
{
  g_return_val_if_fail (TB_IS_SESSION (self), NULL);

  return self->file;
}

/**
 * tb_session_is_writable:
 * @self: a session
 *
 * Gets whether additions are saved in the file. It becomes %FALSE when writing fails and never
 * %TRUE again.
 *
 * Returns: %FALSE if additions are kept in memory only
 */
gboolean
tb_session_is_writable (TbSession *self)
{
  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);

  return g_atomic_int_get (&self->writable);
}

/**
 * tb_session_keep_in_memory:
 * @self: a session
 *
 * Keeps all further additions in memory only, as if the file were read-only. This is for a session
 * in a temporary file, which nothing reads again: its names and intervals are not encoded and
 * written.
 */
void
tb_session_keep_in_memory (TbSession *self)
{
  g_return_if_fail (TB_IS_SESSION (self));

  g_atomic_int_set (&self->writable, FALSE);
}

/**
 * tb_session_is_cut_short:
 * @self: a session
 *
 * Gets whether the recording ended prematurely: the recorder was killed, the disk was full or the
 * imported file was truncated. The fact "cut-short" is the reason.
 *
 * Returns: whether the end of the recording is missing
 */
gboolean
tb_session_is_cut_short (TbSession *self)
{
  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);

  return self->cut_short;
}

/**
 * tb_session_set_memory_budget:
 * @self: a session
 * @bytes: limit of the memory for decoded columns, in bytes
 *
 * Sets the limit of the memory for decoded columns that are cached. Columns in use count towards
 * it, but stay as long as they are in use. The default is a quarter of the machine's memory, at
 * most 1 GiB.
 */
void
tb_session_set_memory_budget (TbSession *self, guint64 bytes)
{
  g_return_if_fail (TB_IS_SESSION (self));

  tb_store_set_budget (self->store, bytes);
}

static void
widen_by_fact (TbSession *self, const char *key, gint64 *from, gint64 *to)
{
  const char *text = tb_session_get_fact (self, key);
  gint64 time;

  if (text == NULL || !g_ascii_string_to_signed (text, 10, 0, TB_TIME_LIMIT, &time, NULL))
    return;
  *from = MIN (*from, time);
  *to = MAX (*to, time);
}

/**
 * tb_session_get_range:
 * @self: a session
 * @from: (out): its start, ns
 * @to: (out): its end
 *
 * Gets the recorded range: from the first to the last event, or the wider range that the recorder
 * set. Both are 0 if nothing was recorded.
 */
void
tb_session_get_range (TbSession *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_SESSION (self));
  g_return_if_fail (from != NULL && to != NULL);

  *from = G_MAXINT64;
  *to = G_MININT64;
  widen_by_fact (self, TB_FACT_RANGE_FROM, from, to);
  widen_by_fact (self, TB_FACT_RANGE_TO, from, to);
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    {
      gint64 first, last;

      if ((!TB_TABLE_IS_EVENT (kind) && kind != TB_TABLE_LOST)
          || !tb_table_get_time_range (self->tables[kind], &first, &last))
        continue;
      *from = MIN (*from, first);
      *to = MAX (*to, last);
    }
  if (*from > *to)
    *from = *to = 0;
}

/**
 * tb_session_get_fact:
 * @self: a session
 * @key: name of a fact
 *
 * Gets a fact: "clock" ("monotonic"), "collector", "command", "command-status",
 * "start-realtime-ns", "cut-short" and others.
 *
 * Returns: (transfer none) (nullable): its value, valid as long as the session
 */
const char *
tb_session_get_fact (TbSession *self, const char *key)
{
  const char *value;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  g_mutex_lock (&self->lock);
  value = g_hash_table_lookup (self->facts, key);
  g_mutex_unlock (&self->lock);
  return value;
}

static gboolean
has_rows (TbSession *self, TbTableKind kind)
{
  return tb_table_get_n_rows (self->tables[kind]) > 0;
}

/**
 * tb_session_get_first_analysis:
 * @self: a session
 *
 * Gets the analysis to begin with: the one that the recording was made for; else, if a command was
 * recorded, "control-paths", because the question then is where that command's time went; else
 * "threads".
 *
 * Returns: (transfer none): the ID of an analysis, which need not be installed
 */
const char *
tb_session_get_first_analysis (TbSession *self)
{
  const char *made_for = tb_session_get_fact (self, "analysis");

  if (made_for != NULL)
    return made_for;
  /* Without both of these it is not known what the command waited for. */
  if (tb_session_get_fact (self, "command-pid") != NULL && has_rows (self, TB_TABLE_SWITCH)
      && has_rows (self, TB_TABLE_WAKEUP))
    return "control-paths";
  return "threads";
}

/**
 * tb_session_get_warnings:
 * @self: a session
 *
 * Gets the warnings of the recorder or importer about the quality of the data. Each is a sentence.
 *
 * Returns: (transfer none) (array zero-terminated=1): the warnings
 */
const char *const *
tb_session_get_warnings (TbSession *self)
{
  static const char *const none[] = { NULL };

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);

  return self->warnings->len > 0 ? (const char *const *) self->warnings->pdata : none;
}

/**
 * tb_session_get_table:
 * @self: a session
 * @kind: kind of the table
 *
 * Gets a table. Every session has all of them, with or without rows.
 *
 * Returns: (transfer none): the table
 */
TbTable *
tb_session_get_table (TbSession *self, TbTableKind kind)
{
  g_return_val_if_fail (TB_IS_SESSION (self), NULL);
  g_return_val_if_fail ((guint) kind < TB_N_TABLES, NULL);

  return self->tables[kind];
}

static gconstpointer
get_array (const GArray *array, guint *n)
{
  *n = array->len;
  return array->data;
}

/**
 * tb_session_get_hosts:
 * @self: a session
 * @n_hosts: (out): number of hosts
 *
 * Gets the machines that were recorded.
 *
 * Returns: (array length=n_hosts) (transfer none): the hosts by id
 */
const TbHost *
tb_session_get_hosts (TbSession *self, guint *n_hosts)
{
  g_return_val_if_fail (TB_IS_SESSION (self) && n_hosts != NULL, NULL);

  return get_array (self->hosts, n_hosts);
}

/**
 * tb_session_get_processes:
 * @self: a session
 * @n_processes: (out): number of processes
 *
 * Gets the processes. Their host is in range, their parent in range or %TB_ID_NONE.
 *
 * Returns: (array length=n_processes) (transfer none): the processes by id
 */
const TbProcess *
tb_session_get_processes (TbSession *self, guint *n_processes)
{
  g_return_val_if_fail (TB_IS_SESSION (self) && n_processes != NULL, NULL);

  return get_array (self->processes, n_processes);
}

/**
 * tb_session_get_threads:
 * @self: a session
 * @n_threads: (out): number of threads
 *
 * Gets the threads. Their process is in range or %TB_ID_NONE.
 *
 * Returns: (array length=n_threads) (transfer none): the threads by id
 */
const TbThread *
tb_session_get_threads (TbSession *self, guint *n_threads)
{
  g_return_val_if_fail (TB_IS_SESSION (self) && n_threads != NULL, NULL);

  return get_array (self->threads, n_threads);
}

/**
 * tb_session_get_thread_names:
 * @self: a session
 * @n_names: (out): number of names
 *
 * Gets all names that the threads had.
 *
 * Returns: (array length=n_names) (transfer none): the names, sorted by thread and time
 */
const TbThreadName *
tb_session_get_thread_names (TbSession *self, guint *n_names)
{
  g_return_val_if_fail (TB_IS_SESSION (self) && n_names != NULL, NULL);

  return get_array (self->thread_names, n_names);
}

/**
 * tb_session_get_modules:
 * @self: a session
 * @n_modules: (out): number of modules
 *
 * Gets the files and other memory that contain code. Their process is in range or %TB_ID_NONE.
 *
 * Returns: (array length=n_modules) (transfer none): the modules by id
 */
const TbModule *
tb_session_get_modules (TbSession *self, guint *n_modules)
{
  g_return_val_if_fail (TB_IS_SESSION (self) && n_modules != NULL, NULL);

  return get_array (self->modules, n_modules);
}

/**
 * tb_session_get_mappings:
 * @self: a session
 * @n_mappings: (out): number of mappings
 *
 * Gets the executable mappings of the processes, in the order in which they were recorded. They are
 * read at the first call. Process and module are in range; the module may be %TB_ID_NONE.
 *
 * Returns: (array length=n_mappings) (transfer none): the mappings
 */
const TbMapping *
tb_session_get_mappings (TbSession *self, guint *n_mappings)
{
  gconstpointer mappings;

  g_return_val_if_fail (TB_IS_SESSION (self) && n_mappings != NULL, NULL);

  g_mutex_lock (&self->lock);
  if (self->mappings == NULL)
    {
      g_autoptr (GError) error = NULL;

      self->mappings = g_array_new (FALSE, FALSE, sizeof (TbMapping));
      g_mutex_lock (&self->store->lock);
      if (!tb_session_load_mappings (self, &error))
        {
          g_message ("%s", error->message);
          g_array_set_size (self->mappings, 0);
        }
      g_mutex_unlock (&self->store->lock);
    }
  mappings = get_array (self->mappings, n_mappings);
  g_mutex_unlock (&self->lock);
  return mappings;
}

/**
 * tb_session_get_devices:
 * @self: a session
 * @n_devices: (out): number of devices
 *
 * Gets the devices. Their host is in range.
 *
 * Returns: (array length=n_devices) (transfer none): the devices by id
 */
const TbDevice *
tb_session_get_devices (TbSession *self, guint *n_devices)
{
  g_return_val_if_fail (TB_IS_SESSION (self) && n_devices != NULL, NULL);

  return get_array (self->devices, n_devices);
}

/**
 * tb_session_get_string:
 * @self: a session
 * @string: id of a string
 *
 * Gets a string by its id.
 *
 * Returns: (transfer none): the string; "" for ids out of range
 */
const char *
tb_session_get_string (TbSession *self, guint32 string)
{
  g_return_val_if_fail (TB_IS_SESSION (self), "");

  return string < self->strings->len ? g_ptr_array_index (self->strings, string) : "";
}

/**
 * tb_session_get_n_strings:
 * @self: a session
 *
 * Gets the number of strings.
 *
 * Returns: one more than the largest id
 */
guint
tb_session_get_n_strings (TbSession *self)
{
  g_return_val_if_fail (TB_IS_SESSION (self), 0);

  return self->strings->len;
}
