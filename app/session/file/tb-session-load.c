/* tb-session-load.c: hosts, processes, threads, modules, strings, facts, bookmarks and chunk index
 * of a session, read and checked when it is opened, and mappings at their first use
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/file/tb-session-private.h"

#define MAX_HOSTS 256
#define MAX_CPUS 65535

/* Reader of the rows of one table. */
typedef struct
{
  TbSession *session;
  const char *table;
  sqlite3_stmt *statement;
  guint64 row;
  gboolean bad;
} Reader;

void
tb_session_set_damaged_error (TbSession *self, const char *what, GError **error)
{
  g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED, _ ("“%s” is damaged: %s"),
               self->display_name, what);
}

static gint64
get_number (Reader *reader, int column, gint64 least, gint64 most)
{
  gint64 value;

  if (sqlite3_column_type (reader->statement, column) != SQLITE_INTEGER)
    {
      reader->bad = TRUE;
      return least;
    }
  value = sqlite3_column_int64 (reader->statement, column);
  if (value < least || value > most)
    {
      reader->bad = TRUE;
      return least;
    }
  return value;
}

static guint32
get_id (Reader *reader, int column)
{
  if (sqlite3_column_type (reader->statement, column) == SQLITE_NULL)
    return TB_ID_NONE;
  return (guint32) get_number (reader, column, 0, (gint64) TB_ID_NONE - 1);
}

static gint64
get_time (Reader *reader, int column)
{
  if (sqlite3_column_type (reader->statement, column) == SQLITE_NULL)
    return TB_TIME_NONE;
  return get_number (reader, column, TB_TIME_NONE, TB_TIME_LIMIT);
}

static const char *
get_text (Reader *reader, int column)
{
  TbSession *session = reader->session;
  const char *text;
  gsize size;

  if (sqlite3_column_type (reader->statement, column) != SQLITE_TEXT)
    {
      reader->bad = TRUE;
      return "";
    }
  /* A hostile file can contain the same page many times. The total size of the texts is therefore
   * limited to the size of the file. */
  size = (gsize) sqlite3_column_bytes (reader->statement, column);
  session->text_size += size;
  if (session->text_size > session->store->file_size)
    {
      reader->bad = TRUE;
      return "";
    }
  text = (const char *) sqlite3_column_text (reader->statement, column);
  if (text == NULL || *text == '\0')
    return "";
  if (g_utf8_validate (text, -1, NULL))
    return g_string_chunk_insert (session->text, text);

  g_autofree char *valid = g_utf8_make_valid (text, -1);
  return g_string_chunk_insert (session->text, valid);
}

/* Returns an id that must equal the row number, so that references to it are array indices. */
static guint32
get_row_id (Reader *reader, int column)
{
  guint32 id = (guint32) get_number (reader, column, 0, (gint64) TB_ID_NONE - 1);

  if (id != reader->row)
    reader->bad = TRUE;
  return id;
}

typedef void (*ReadRow) (Reader *reader, TbSession *session);

static gboolean
read_table (TbSession *session,
            const char *table,
            const char *sql,
            ReadRow read_row,
            GError **error)
{
  Reader reader = { .session = session, .table = table };
  TbSessionFile *file = session->store->file;
  int code;

  if (sqlite3_prepare_v2 (file->db, sql, -1, &reader.statement, NULL) != SQLITE_OK)
    {
      tb_session_file_set_error (file, error);
      return FALSE;
    }
  while ((code = sqlite3_step (reader.statement)) == SQLITE_ROW && !reader.bad)
    {
      read_row (&reader, session);
      reader.row++;
    }
  if (reader.bad)
    {
      g_autofree char *what
          = g_strdup_printf (_ ("row %" PRIu64
                                " of table “%s” is inconsistent in itself or with other rows"),
                             reader.row, table);

      tb_session_set_damaged_error (session, what, error);
    }
  else if (code != SQLITE_DONE)
    tb_session_file_set_error (file, error);
  sqlite3_finalize (reader.statement);
  return !reader.bad && code == SQLITE_DONE;
}

static void
read_fact (Reader *reader, TbSession *session)
{
  const char *name = get_text (reader, 0), *value = get_text (reader, 1);

  if (g_hash_table_contains (session->facts, name))
    reader->bad = TRUE;
  g_hash_table_insert (session->facts, (gpointer) name, (gpointer) value);
}

static void
read_warning (Reader *reader, TbSession *session)
{
  if (get_number (reader, 0, 0, G_MAXINT64) != (gint64) reader->row + 1)
    reader->bad = TRUE;
  g_ptr_array_add (session->warnings, (gpointer) get_text (reader, 1));
}

static void
read_host (Reader *reader, TbSession *session)
{
  TbHost host = {
    .id = get_row_id (reader, 0),
    .name = get_text (reader, 1),
    .kernel = get_text (reader, 2),
    .machine = get_text (reader, 3),
    .n_cpus = (guint) get_number (reader, 4, 0, MAX_CPUS),
    .first_cpu = (guint) get_number (reader, 5, 0, MAX_CPUS),
    .clock_bound_ns = get_number (reader, 6, 0, TB_TIME_LIMIT),
  };

  if (host.id >= MAX_HOSTS)
    reader->bad = TRUE;
  g_array_append_val (session->hosts, host);
}

static void
read_process (Reader *reader, TbSession *session)
{
  TbProcess process = {
    .id = get_row_id (reader, 0),
    .host = get_id (reader, 1),
    .pid = (gint32) get_number (reader, 2, G_MININT32, G_MAXINT32),
    .parent = get_id (reader, 3),
    .start = get_time (reader, 4),
    .end = get_time (reader, 5),
    .name = get_text (reader, 6),
    .command = get_text (reader, 7),
  };

  if (process.host >= session->hosts->len)
    reader->bad = TRUE;
  g_array_append_val (session->processes, process);
}

static void
read_thread (Reader *reader, TbSession *session)
{
  TbThread thread = {
    .id = get_row_id (reader, 0),
    .process = get_id (reader, 1),
    .tid = (gint32) get_number (reader, 2, G_MININT32, G_MAXINT32),
    .start = get_time (reader, 3),
    .end = get_time (reader, 4),
    .name = get_text (reader, 5),
  };

  if (thread.process != TB_ID_NONE && thread.process >= session->processes->len)
    reader->bad = TRUE;
  g_array_append_val (session->threads, thread);
}

static void
read_thread_name (Reader *reader, TbSession *session)
{
  GArray *names = session->thread_names;
  TbThreadName name = {
    .thread = get_id (reader, 0),
    .time = get_time (reader, 1),
    .name = get_text (reader, 2),
  };

  if (name.thread >= session->threads->len)
    reader->bad = TRUE;
  if (names->len > 0)
    {
      const TbThreadName *before = &g_array_index (names, TbThreadName, names->len - 1);

      if (before->thread > name.thread
          || (before->thread == name.thread && before->time >= name.time))
        reader->bad = TRUE;
    }
  g_array_append_val (names, name);
}

static void
read_module (Reader *reader, TbSession *session)
{
  TbModule module = { .id = get_row_id (reader, 0), .process = get_id (reader, 4) };
  int kind = tb_module_kind_from_name (get_text (reader, 1));

  module.kind = (TbModuleKind) MAX (kind, 0);
  module.path = get_text (reader, 2);
  module.build_id = get_text (reader, 3);
  if (kind < 0 || (module.process != TB_ID_NONE && module.process >= session->processes->len))
    reader->bad = TRUE;
  g_array_append_val (session->modules, module);
}

static void
read_device (Reader *reader, TbSession *session)
{
  TbDevice device = {
    .id = get_row_id (reader, 0),
    .host = get_id (reader, 1),
    .name = get_text (reader, 2),
    .kind = get_text (reader, 3),
    .major_minor = get_text (reader, 4),
  };

  if (device.host >= session->hosts->len)
    reader->bad = TRUE;
  g_array_append_val (session->devices, device);
}

static void
read_string (Reader *reader, TbSession *session)
{
  get_row_id (reader, 0);
  g_ptr_array_add (session->strings, (gpointer) get_text (reader, 1));
}

static void
read_bookmark (Reader *reader, TbSession *session)
{
  GArray *bookmarks = session->bookmarks;
  TbBookmark bookmark = {
    .id = get_number (reader, 0, 1, G_MAXINT64),
    .name = get_text (reader, 1),
    .from = get_number (reader, 2, -TB_TIME_LIMIT, TB_TIME_LIMIT),
    .to = get_number (reader, 3, -TB_TIME_LIMIT, TB_TIME_LIMIT),
    .thread = get_id (reader, 4),
  };

  if ((bookmark.thread != TB_ID_NONE && bookmark.thread >= session->threads->len)
      || (bookmarks->len > 0
          && g_array_index (bookmarks, TbBookmark, bookmarks->len - 1).id >= bookmark.id))
    reader->bad = TRUE;
  g_array_append_val (bookmarks, bookmark);
}

static void
read_mapping (Reader *reader, TbSession *session)
{
  TbMapping mapping = {
    .process = get_id (reader, 1),
    .module = get_id (reader, 6),
    .time = get_time (reader, 2),
    .start = (guint64) get_number (reader, 3, G_MININT64, G_MAXINT64),
    .length = (guint64) get_number (reader, 4, G_MININT64, G_MAXINT64),
    .offset = (guint64) get_number (reader, 5, G_MININT64, G_MAXINT64),
  };

  if (get_number (reader, 0, 0, G_MAXINT64) != (gint64) reader->row + 1
      || mapping.process >= session->processes->len
      || (mapping.module != TB_ID_NONE && mapping.module >= session->modules->len))
    reader->bad = TRUE;
  g_array_append_val (session->mappings, mapping);
}

gboolean
tb_session_load_mappings (TbSession *self, GError **error)
{
  return read_table (
      self, "mapping",
      "SELECT id, process, time_ns, start, length, offset, module FROM mapping ORDER BY id",
      read_mapping, error);
}

static gboolean
check_parents (TbSession *self, GError **error)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      const TbProcess *process = &g_array_index (self->processes, TbProcess, i);

      if (process->parent != TB_ID_NONE && process->parent >= self->processes->len)
        {
          tb_session_set_damaged_error (self, _ ("the parent of a process is missing"), error);
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- the chunk index ---- */

/* The number of columns that an earlier version of a table had; those that were added since are 0.
 * 0: there is no such version. */
static guint
get_earlier_columns (TbTableKind kind, guint version)
{
  return kind == TB_TABLE_SLEEP && version == 1 ? TB_SLEEP_OPERATION : 0;
}

static gboolean
read_versions (TbSession *self, guint *versions, GError **error)
{
  TbSessionFile *file = self->store->file;
  sqlite3_stmt *statement = NULL;
  gboolean ok = TRUE;
  int code;

  if (sqlite3_prepare_v2 (file->db, "SELECT id, name, version FROM event_table ORDER BY id", -1,
                          &statement, NULL)
      != SQLITE_OK)
    {
      tb_session_file_set_error (file, error);
      return FALSE;
    }
  for (guint kind = 0; (code = sqlite3_step (statement)) == SQLITE_ROW && ok; kind++)
    {
      const char *name = (const char *) sqlite3_column_text (statement, 1);

      ok = kind < TB_N_TABLES && sqlite3_column_int64 (statement, 0) == kind
           && g_strcmp0 (name, tb_table_kind_get_info (kind)->name) == 0;
      if (ok)
        versions[kind] = (guint) CLAMP (sqlite3_column_int64 (statement, 2), 0, G_MAXINT32);
    }
  if (!ok)
    tb_session_set_damaged_error (self, _ ("its list of event tables is not that of a session"),
                                  error);
  else if (code != SQLITE_DONE)
    tb_session_file_set_error (file, error);
  sqlite3_finalize (statement);
  return ok && code == SQLITE_DONE;
}

static gboolean
check_versions (TbSession *self, const guint *versions, GError **error)
{
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    {
      const TbTableInfo *info = tb_table_kind_get_info (kind);

      if (info->derived || versions[kind] == info->version)
        continue;
      /* The first version of the format did not have this table: it is empty. */
      if ((versions[kind] == 0 && kind >= TB_TABLE_SLEEP)
          || get_earlier_columns (kind, versions[kind]) > 0)
        continue;
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_VERSION,
                   _ ("“%s” has version %u of table “%s”, this Tailback reads version %u; open it "
                      "with the Tailback version that created it"),
                   self->display_name, versions[kind], info->name, info->version);
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_entry (sqlite3_stmt *statement, TbChunkEntry *entry)
{
  gint64 kind = sqlite3_column_int64 (statement, 0), column = sqlite3_column_int64 (statement, 1);
  gint64 chunk = sqlite3_column_int64 (statement, 2), n_rows = sqlite3_column_int64 (statement, 3);

  for (int i = 0; i < 4; i++)
    if (sqlite3_column_type (statement, i) != SQLITE_INTEGER)
      return FALSE;
  if (kind < 0 || kind >= TB_N_TABLES || column < 0
      || column >= tb_table_kind_get_info (kind)->n_columns || chunk < 0
      || chunk > (gint64) (TB_MAX_ROWS / TB_CHUNK_ROWS) || n_rows < 1 || n_rows > TB_CHUNK_ROWS)
    return FALSE;
  *entry = (TbChunkEntry) { (TbTableKind) kind, (guint) column, (guint32) chunk,
                            (guint32) n_rows,   G_MAXINT64,     G_MININT64 };
  if (sqlite3_column_type (statement, 4) == SQLITE_INTEGER
      && sqlite3_column_type (statement, 5) == SQLITE_INTEGER)
    {
      entry->minimum = sqlite3_column_int64 (statement, 4);
      entry->maximum = sqlite3_column_int64 (statement, 5);
    }
  return TRUE;
}

/* Whether the row belongs to a derived table that was built by other rules, or to a table without a
 * version. Its columns may differ, so it is not read. */
static gboolean
is_outdated (sqlite3_stmt *statement, const guint *versions)
{
  gint64 kind = sqlite3_column_int64 (statement, 0);

  return sqlite3_column_type (statement, 0) == SQLITE_INTEGER && kind >= 0 && kind < TB_N_TABLES
         && versions[kind] != tb_table_kind_get_info ((TbTableKind) kind)->version
         && get_earlier_columns ((TbTableKind) kind, versions[kind]) == 0;
}

static gboolean
read_index (TbSession *self, const guint *versions, TbTableIndex **indexes, GError **error)
{
  TbSessionFile *file = self->store->file;
  sqlite3_stmt *statement = NULL;
  gboolean ok = TRUE;
  guint last_kind = 0;
  int code;

  if (sqlite3_prepare_v2 (
          file->db,
          "SELECT event_table, event_column, chunk, rows, minimum, maximum FROM chunk "
          "ORDER BY event_table, event_column, chunk",
          -1, &statement, NULL)
      != SQLITE_OK)
    {
      tb_session_file_set_error (file, error);
      return FALSE;
    }
  while ((code = sqlite3_step (statement)) == SQLITE_ROW && ok)
    {
      TbChunkEntry entry;

      if (is_outdated (statement, versions))
        continue;
      ok = read_entry (statement, &entry) && (guint) entry.kind >= last_kind
           && tb_table_index_add (indexes[entry.kind], &entry);
      if (ok)
        last_kind = entry.kind;
    }
  for (guint kind = 0; kind < TB_N_TABLES && ok; kind++)
    ok = tb_table_index_finish (indexes[kind]);
  if (!ok)
    tb_session_set_damaged_error (self, _ ("its chunk index is inconsistent"), error);
  else if (code != SQLITE_DONE)
    tb_session_file_set_error (file, error);
  sqlite3_finalize (statement);
  return ok && code == SQLITE_DONE;
}

/* A small file that claims to have many rows would cause excessive memory use. */
static gboolean
check_row_counts (TbSession *self, TbTableIndex **indexes, GError **error)
{
  guint64 most
      = (G_GUINT64_CONSTANT (4) << 20) + 256 * MIN (self->store->file_size, G_MAXUINT64 / 512);

  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    if (tb_table_index_get_n_rows (indexes[kind]) > most)
      {
        tb_session_set_damaged_error (
            self, _ ("it has more rows in its index than a file of its size can hold"), error);
        return FALSE;
      }
  return TRUE;
}

static gboolean
load_tables (TbSession *self, GError **error)
{
  TbTableIndex *indexes[TB_N_TABLES];
  guint versions[TB_N_TABLES] = { 0 };
  TbIdLimits *limits = &self->store->limits;
  gboolean ok;

  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    indexes[kind] = tb_table_index_new (kind);
  ok = read_versions (self, versions, error) && check_versions (self, versions, error);
  for (guint kind = 0; kind < TB_N_TABLES && ok; kind++)
    if (get_earlier_columns (kind, versions[kind]) > 0)
      indexes[kind]->n_columns = get_earlier_columns (kind, versions[kind]);
  ok = ok && read_index (self, versions, indexes, error) && check_row_counts (self, indexes, error);

  if (ok)
    {
      limits->n_threads = self->threads->len;
      limits->n_devices = self->devices->len;
      limits->n_modules = self->modules->len;
      limits->n_strings = self->strings->len;
      limits->n_stacks = tb_table_index_get_n_rows (indexes[TB_TABLE_STACK]);
      limits->n_frames = tb_table_index_get_n_rows (indexes[TB_TABLE_FRAME]);
      limits->n_wakeups = tb_table_index_get_n_rows (indexes[TB_TABLE_WAKEUP]);
      limits->n_sleeps = tb_table_index_get_n_rows (indexes[TB_TABLE_SLEEP]);
    }
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    {
      if (ok)
        self->tables[kind] = tb_table_new (self->store, indexes[kind]);
      tb_table_index_unref (indexes[kind]);
    }
  return ok;
}

gboolean
tb_session_load (TbSession *self, GError **error)
{
  static const struct
  {
    const char *table;
    const char *sql;
    ReadRow read_row;
  } reads[] = {
    { "fact", "SELECT name, value FROM fact", read_fact },
    { "warning", "SELECT id, text FROM warning ORDER BY id", read_warning },
    { "host",
      "SELECT id, name, kernel, machine, cpus, first_cpu, clock_bound_ns FROM host ORDER BY id",
      read_host },
    { "process",
      "SELECT id, host, pid, parent, start_ns, end_ns, name, command FROM process ORDER BY id",
      read_process },
    { "thread", "SELECT id, process, tid, start_ns, end_ns, name FROM thread ORDER BY id",
      read_thread },
    { "thread_name", "SELECT thread, time_ns, name FROM thread_name ORDER BY thread, time_ns",
      read_thread_name },
    { "module", "SELECT id, kind, path, build_id, process FROM module ORDER BY id", read_module },
    { "device", "SELECT id, host, name, kind, major_minor FROM device ORDER BY id", read_device },
    { "string", "SELECT id, text FROM string ORDER BY id", read_string },
    { "bookmark", "SELECT id, name, from_ns, to_ns, thread FROM bookmark ORDER BY id",
      read_bookmark },
  };

  for (guint i = 0; i < G_N_ELEMENTS (reads); i++)
    if (!read_table (self, reads[i].table, reads[i].sql, reads[i].read_row, error))
      return FALSE;
  return check_parents (self, error) && tb_session_load_interfaces (self, error)
         && tb_session_load_module_files (self, error) && load_tables (self, error);
}
