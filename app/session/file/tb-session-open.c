/* tb-session-open.c: opening of a session file that may be damaged or hostile: checks of its header
 * and schema, restricted SQLite, recovery after a crash, in a private copy if necessary;
 * modification time kept
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include "session/file/tb-session-open-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "session/file/tb-session-error.h"
#include "session/file/tb-temporary-folder.h"

#define HEADER_SIZE 100 /* https://www.sqlite.org/fileformat2.html#the_database_header */
#define TEXT_MAX (256 << 20)

/* State of the file and its folder before SQLite opens the file. */
typedef struct
{
  guint64 size;
  gboolean has_log;        /* a transaction in the log is not in the file yet */
  gboolean is_write_ahead; /* its writer did not close it cleanly */
  gboolean lacks_log;      /* nor is there the log that such a writer leaves */
  gboolean is_writable;
} FileState;

static void
set_foreign_error (GError **error, const char *display_name, const char *why)
{
  g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_FOREIGN,
               _ ("“%s” is not a Tailback session: %s"), display_name, why);
}

static guint32
get_big_endian (const guint8 *at)
{
  return (guint32) at[0] << 24 | (guint32) at[1] << 16 | (guint32) at[2] << 8 | at[3];
}

static gboolean
is_nonempty_file (const char *path, const char *suffix)
{
  g_autofree char *name = g_strconcat (path, suffix, NULL);
  struct stat status;

  return lstat (name, &status) == 0 && status.st_size > 0;
}

static gboolean
is_file (const char *path, const char *suffix)
{
  g_autofree char *name = g_strconcat (path, suffix, NULL);
  struct stat status;

  return lstat (name, &status) == 0;
}

static gboolean
check_header (const guint8 *header,
              gssize n,
              FileState *state,
              const char *display_name,
              GError **error)
{
  guint32 version, page_size, n_pages;

  if (n == 0)
    {
      set_foreign_error (error, display_name, C_ ("file", "it is empty"));
      return FALSE;
    }
  if (n < HEADER_SIZE || memcmp (header, "SQLite format 3", 16) != 0
      || get_big_endian (header + 68) != TB_SESSION_APPLICATION_ID)
    {
      set_foreign_error (error, display_name, _ ("it has another format"));
      return FALSE;
    }
  version = get_big_endian (header + 60);
  if (version > TB_SESSION_FORMAT_VERSION)
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_VERSION,
                   _ ("“%s” has format version %u, this Tailback reads up to version %u; open it "
                      "with a newer Tailback"),
                   display_name, version, TB_SESSION_FORMAT_VERSION);
      return FALSE;
    }
  page_size = (guint32) header[16] << 8 | header[17];
  n_pages = get_big_endian (header + 28);
  state->is_write_ahead = header[18] == 2;
  /* If there is a log, the file may be shorter than its header states. */
  if (page_size == TB_SESSION_PAGE_SIZE && !state->has_log
      && state->size < (guint64) n_pages * page_size)
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
                   _ ("“%s” is truncated: it has %" PRIu64 " of %" PRIu64
                      " bytes; copy it again from its source"),
                   display_name, state->size, (guint64) n_pages * page_size);
      return FALSE;
    }
  if (page_size != TB_SESSION_PAGE_SIZE || version == 0)
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
                   _ ("“%s” is damaged and cannot be read: its header is invalid"), display_name);
      return FALSE;
    }
  return TRUE;
}

/* Recovery writes the log into the file; parts of the log are written again. */
static gboolean
has_room_to_recover (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  struct statvfs disk;
  struct stat status;

  if (stat (log, &status) != 0 || statvfs (path, &disk) != 0)
    return TRUE;
  return (guint64) disk.f_bavail * disk.f_frsize >= (guint64) status.st_size + TB_SESSION_PAGE_SIZE;
}

static gboolean
inspect_file (const char *path, const char *display_name, FileState *state, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  guint8 header[HEADER_SIZE];
  struct stat status;
  gssize n;

  if (fd < 0 || fstat (fd, &status) != 0)
    {
      tb_session_set_errno_error (error, display_name, errno);
      return FALSE;
    }
  if (!S_ISREG (status.st_mode))
    {
      set_foreign_error (error, display_name,
                         S_ISDIR (status.st_mode) ? _ ("it is a folder")
                                                  : _ ("it is not a regular file"));
      return FALSE;
    }
  n = read (fd, header, sizeof header);
  if (n < 0)
    {
      tb_session_set_errno_error (error, display_name, errno);
      return FALSE;
    }
  state->size = (guint64) status.st_size;
  state->has_log = is_nonempty_file (path, "-wal") || is_nonempty_file (path, "-journal");
  state->is_writable = access (path, W_OK) == 0 && access (folder, W_OK | X_OK) == 0
                       && (!state->has_log || has_room_to_recover (path));
  if (!check_header (header, n, state, display_name, error))
    return FALSE;
  /* Opening it for writing would take the missing log for an empty one, for good. */
  state->lacks_log = state->is_write_ahead && !is_file (path, "-wal");
  if (state->lacks_log)
    state->is_writable = FALSE;
  return TRUE;
}

static void
set_limits (sqlite3 *db)
{
  static const struct
  {
    int limit;
    int value;
  } limits[] = {
    { SQLITE_LIMIT_LENGTH, TEXT_MAX },    { SQLITE_LIMIT_SQL_LENGTH, 16384 },
    { SQLITE_LIMIT_COLUMN, 64 },          { SQLITE_LIMIT_EXPR_DEPTH, 50 },
    { SQLITE_LIMIT_COMPOUND_SELECT, 4 },  { SQLITE_LIMIT_VDBE_OP, 10000 },
    { SQLITE_LIMIT_FUNCTION_ARG, 8 },     { SQLITE_LIMIT_ATTACHED, 0 },
    { SQLITE_LIMIT_VARIABLE_NUMBER, 32 }, { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
    { SQLITE_LIMIT_WORKER_THREADS, 0 },   { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    sqlite3_limit (db, limits[i].limit, limits[i].value);
}

/* Must be called before the first statement: the file is not trusted. */
static gboolean
harden (TbSessionFile *file, GError **error)
{
  set_limits (file->db);
  sqlite3_db_config (file->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (file->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (file->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (file->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config (file->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_db_config (file->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  return tb_session_file_execute (
      file,
      "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; "
      "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096",
      error);
}

static gboolean
is_expected (const char *type, const char *name, const char *sql, guint64 *seen)
{
  if (type == NULL || name == NULL)
    return FALSE;
  /* indexes of the keys of our own tables, which follow from the text of those */
  if (sql == NULL)
    return g_str_equal (type, "index") && g_str_has_prefix (name, "sqlite_autoindex_");
  for (guint i = 0; i < tb_session_n_schema; i++)
    if (g_str_equal (name, tb_session_schema[i].name) && !(*seen & (G_GUINT64_CONSTANT (1) << i)))
      {
        *seen |= G_GUINT64_CONSTANT (1) << i;
        return g_str_equal (type, tb_session_schema[i].type)
               && g_str_equal (sql, tb_session_schema[i].sql);
      }
  return FALSE;
}

static gboolean
check_schema (TbSessionFile *file, GError **error)
{
  sqlite3_stmt *statement = NULL;
  guint64 seen = 0;
  guint n_rows = 0;
  int code;

  if (sqlite3_prepare_v2 (file->db, "SELECT type, name, sql FROM sqlite_schema", -1, &statement,
                          NULL)
      != SQLITE_OK)
    {
      tb_session_file_set_error (file, error);
      return FALSE;
    }
  while ((code = sqlite3_step (statement)) == SQLITE_ROW && n_rows++ < 2 * tb_session_n_schema)
    {
      const char *name = (const char *) sqlite3_column_text (statement, 1);

      if (!is_expected ((const char *) sqlite3_column_text (statement, 0), name,
                        (const char *) sqlite3_column_text (statement, 2), &seen))
        {
          g_autofree char *clean = g_utf8_make_valid (name != NULL ? name : "?", -1);

          g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
                       _ ("“%s” is not opened: its table or view “%.60s” is not that of a session"),
                       file->display_name, clean);
          sqlite3_finalize (statement);
          return FALSE;
        }
    }
  if (code != SQLITE_DONE && code != SQLITE_ROW)
    tb_session_file_set_error (file, error);
  else if (seen != (G_GUINT64_CONSTANT (1) << tb_session_n_schema) - 1)
    g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
                 _ ("“%s” is damaged: tables are missing"), file->display_name);
  else
    code = SQLITE_OK;
  sqlite3_finalize (statement);
  return code == SQLITE_OK;
}

/* Moves the log into the file, which then has the same state as a file that its writer closed. */
static gboolean
recover (TbSessionFile *file, GError **error)
{
  /* Exclusive, so that no shared memory is needed; journal_mode can change only while no other
   * process has the file open. */
  return tb_session_file_execute (
             file, "PRAGMA locking_mode = EXCLUSIVE; SELECT count (*) FROM sqlite_schema", error)
         && check_schema (file, error)
         && tb_session_file_execute (
             file,
             "PRAGMA wal_checkpoint (TRUNCATE); PRAGMA journal_mode = DELETE; "
             "PRAGMA locking_mode = NORMAL; SELECT count (*) FROM sqlite_schema",
             error);
}

static TbSessionFile *
open_writable (const char *path, const char *display_name, gboolean needs_recovery, GError **error)
{
  g_autoptr (TbSessionFile) file
      = tb_session_file_open (path, SQLITE_OPEN_READWRITE, display_name, error);

  if (file == NULL || !harden (file, error) || (needs_recovery && !recover (file, error)))
    return NULL;
  return g_steal_pointer (&file);
}

static TbSessionFile *
open_immutable (const char *path, const char *display_name, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);
  g_autofree char *uri = g_strdup_printf ("file:%s?immutable=1", escaped);
  g_autoptr (TbSessionFile) file
      = tb_session_file_open (uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, display_name, error);

  if (file == NULL || !harden (file, error))
    return NULL;
  return g_steal_pointer (&file);
}

static gboolean
copy_file (const char *from,
           const char *to,
           const char *suffix,
           GCancellable *cancellable,
           GError **error)
{
  g_autofree char *from_name = g_strconcat (from, suffix, NULL);
  g_autofree char *to_name = g_strconcat (to, suffix, NULL);
  g_autoptr (GFile) source = g_file_new_for_path (from_name);
  g_autoptr (GFile) target = g_file_new_for_path (to_name);

  if (*suffix != '\0' && !g_file_test (from_name, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  return g_file_copy (source, target, G_FILE_COPY_TARGET_DEFAULT_PERMS, cancellable, NULL, NULL,
                      error);
}

/* The cache folder is tried first: the folder of temporary files may be in memory and have less
 * room. */
static TbTemporaryFolder *
make_folder_for_copy (GError **error)
{
  TbTemporaryFolder *folder = tb_temporary_folder_new (TB_TEMPORARY_CACHE, NULL);

  return folder != NULL ? folder : tb_temporary_folder_new (TB_TEMPORARY_TMP, error);
}

/* Recovers a copy of a file that has a log in a read-only folder or on a full disk, where SQLite
 * could not recover it. */
static TbSessionFile *
open_private_copy (const char *path,
                   const char *display_name,
                   guint64 *size,
                   GCancellable *cancellable,
                   GError **error)
{
  TbTemporaryFolder *folder = make_folder_for_copy (error);
  g_autofree char *copy = NULL;
  TbSessionFile *file = NULL;
  struct stat status;

  if (folder == NULL)
    return NULL;
  copy = g_build_filename (tb_temporary_folder_get_path (folder), "copy.tailback", NULL);
  if (copy_file (path, copy, "", cancellable, error)
      && copy_file (path, copy, "-wal", cancellable, error)
      && copy_file (path, copy, "-journal", cancellable, error)
      && (file = open_writable (copy, display_name, TRUE, error)) != NULL)
    {
      tb_session_file_free (file);
      *size = stat (copy, &status) == 0 ? (guint64) status.st_size : *size;
      file = open_immutable (copy, display_name, error);
      if (file != NULL
          && !tb_session_file_execute (file, "SELECT count (*) FROM sqlite_schema", error))
        g_clear_pointer (&file, tb_session_file_free);
    }
  /* the connection keeps the removed file open; nothing is left behind even after a crash */
  tb_temporary_folder_remove (folder);
  return file;
}

void
tb_session_get_modification_time (const char *path, struct timespec *time)
{
  /* If the writer was killed, the log is newer than the file. */
  static const char *const suffixes[] = { "", "-wal" };

  *time = (struct timespec) { .tv_nsec = UTIME_OMIT };
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat (path, suffixes[i], NULL);
      struct stat status;

      if (stat (name, &status) == 0
          && (time->tv_nsec == UTIME_OMIT || status.st_mtim.tv_sec > time->tv_sec
              || (status.st_mtim.tv_sec == time->tv_sec && status.st_mtim.tv_nsec > time->tv_nsec)))
        *time = status.st_mtim;
    }
}

void
tb_session_restore_modification_time (const char *path, const struct timespec *time)
{
  struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, *time };
  struct stat status;

  if (stat (path, &status) == 0 && status.st_mtim.tv_sec == time->tv_sec
      && status.st_mtim.tv_nsec == time->tv_nsec)
    return;
  if (utimensat (AT_FDCWD, path, times, 0) != 0)
    g_debug ("The modification time of “%s” could not be restored: %s", path, g_strerror (errno));
}

TbSessionFile *
tb_session_open_file (const char *path,
                      const char *display_name,
                      gboolean *writable,
                      gboolean *lacks_log,
                      guint64 *size,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TbSessionFile) file = NULL;
  FileState state = { 0 };
  struct stat status;

  if (!inspect_file (path, display_name, &state, error))
    return NULL;

  *size = state.size;
  *writable = state.is_writable;
  *lacks_log = state.lacks_log;
  if (state.is_writable)
    file = open_writable (path, display_name, state.is_write_ahead || state.has_log, error);
  else if (state.has_log)
    file = open_private_copy (path, display_name, size, cancellable, error);
  else
    file = open_immutable (path, display_name, error);
  if (file == NULL || !check_schema (file, error))
    return NULL;
  if (state.is_writable && stat (path, &status) == 0)
    *size = (guint64) status.st_size;
  return g_steal_pointer (&file);
}
