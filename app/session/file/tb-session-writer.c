/* tb-session-writer.c: writer of a session file during a recording: takes rows and facts, encodes
 * and commits them in a thread of its own
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-session-writer-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/schema/tb-schema-private.h"
#include "session/file/tb-session-facts-private.h"
#include "session/file/tb-session-image-private.h"
#include "session/file/tb-session.h"

#define CHECKPOINT_INTERVAL (10 * G_USEC_PER_SEC)
#define CHECKPOINT_BYTES (64u << 20) /* limits the size of the log during a fast import */
/* appending waits for the disk beyond this, which limits the memory */
#define MAX_QUEUED_CHUNKS 6

/* Rows that do not fill a chunk yet. */
typedef struct
{
  guint8 *columns[TB_MAX_COLUMNS];
  guint capacity;
  guint n_rows;
  guint n_committed; /* how many of n_rows are committed */
  guint32 chunk;
} OpenChunk;

typedef enum
{
  JOB_PREPARE, /* of a temporary session; no thread waits for it */
  JOB_CHUNK,
  JOB_COMMIT,
  JOB_CLOSE,
  JOB_ABANDON,
  JOB_STOP,
} JobKind;

typedef struct
{
  JobKind kind;
  TbTableKind table;
  OpenChunk rows;    /* JOB_CHUNK: full, owned */
  TbFactList *facts; /* owned; NULL: none. JOB_CHUNK: only if there is a file */
} Job;

/* An encoded chunk that was produced before the file exists. */
typedef struct
{
  TbChunkEntry entry;
  GBytes *bytes;
} PendingChunk;

struct _TbSessionWriter
{
  char *path;
  char *display_name;
  gboolean overwrite;
  gboolean is_temporary;

  /* used by the caller's thread */
  OpenChunk open[TB_N_TABLES];
  TbFactList *facts;
  gboolean has_file;

  GThread *thread;
  GAsyncQueue *jobs;

  GMutex lock;
  GCond changed;
  guint n_queued;
  guint n_finished; /* finished jobs that were waited for */
  GError *failure;  /* the first failure; nothing is written after it */

  guint64 bytes; /* protected by lock */

  /* used by the worker thread */
  TbSessionFile *file;
  TbChunkCodec *codec;
  GArray *pending;
  gboolean in_transaction;
  gboolean placed;
  gint64 last_checkpoint;
  guint64 bytes_since_checkpoint;
};

/* ---- worker ---- */

static void
clear_pending (gpointer data)
{
  g_bytes_unref (((PendingChunk *) data)->bytes);
}

static gboolean
has_failed (TbSessionWriter *self)
{
  gboolean failed;

  g_mutex_lock (&self->lock);
  failed = self->failure != NULL;
  g_mutex_unlock (&self->lock);
  return failed;
}

static void
fail (TbSessionWriter *self, GError *error)
{
  if (self->file != NULL)
    tb_session_file_rollback (self->file);
  self->in_transaction = FALSE;
  g_array_set_size (self->pending, 0);

  g_mutex_lock (&self->lock);
  if (self->failure == NULL)
    self->failure = error;
  else
    g_error_free (error);
  g_mutex_unlock (&self->lock);
}

static gboolean
ensure_transaction (TbSessionWriter *self, GError **error)
{
  if (!self->in_transaction && !tb_session_file_begin (self->file, error))
    return FALSE;
  self->in_transaction = TRUE;
  return TRUE;
}

static gboolean
write_chunk (TbSessionWriter *self, TbTableKind kind, const OpenChunk *rows, GError **error)
{
  const TbTableInfo *info = tb_table_kind_get_info (kind);

  for (guint i = 0; i < info->n_columns; i++)
    {
      TbChunkEntry entry = { kind, i, rows->chunk, rows->n_rows, G_MAXINT64, G_MININT64 };
      gsize size;
      gconstpointer data = tb_chunk_codec_encode (self->codec, info->columns[i].type,
                                                  rows->columns[i], rows->n_rows, &size);

      if (tb_column_role_is_time (tb_table_kind_get_role (kind, i)))
        tb_times_get_range ((const gint64 *) rows->columns[i], rows->n_rows, &entry.minimum,
                            &entry.maximum);
      if (self->file != NULL)
        {
          if (!ensure_transaction (self, error)
              || !tb_session_file_put_chunk (self->file, &entry, data, size, error))
            return FALSE;
        }
      else
        {
          PendingChunk pending = { entry, g_bytes_new (data, size) };

          g_array_append_val (self->pending, pending);
        }
      self->bytes_since_checkpoint += size;
      g_mutex_lock (&self->lock);
      self->bytes += size;
      g_mutex_unlock (&self->lock);
    }
  return TRUE;
}

static gboolean
write_tails (TbSessionWriter *self, GError **error)
{
  /* the caller waits, so its open chunks do not change */
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    if (self->open[kind].n_rows > self->open[kind].n_committed)
      if (!write_chunk (self, kind, &self->open[kind], error))
        return FALSE;
  return TRUE;
}

/* Exclusive locking: there is no shared-memory file, and no other process mistakes a running
 * recording for one that was cut short. A temporary file ends with its process, so that no log has
 * to outlive it, from which everything would be copied into the file in the end. */
static gboolean
set_up_file (TbSessionWriter *self, GError **error)
{
  return tb_session_file_execute (self->file,
                                  "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -4096",
                                  error)
         && tb_session_file_execute (self->file,
                                     self->is_temporary
                                         ? "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"
                                         : "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = "
                                           "0; PRAGMA synchronous = NORMAL",
                                     error);
}

/* The first commit creates a complete database in memory and places it atomically. Before it there
 * is no file; after it there is one with its schema. */
static gboolean
place_file (TbSessionWriter *self, TbFactList *facts, gboolean closing, GError **error)
{
  g_autoptr (TbSessionFile) image
      = tb_session_file_open (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              self->display_name, error);

  if (image == NULL || !tb_session_file_create_schema (image, error)
      || !tb_session_file_begin (image, error) || !tb_fact_list_write (facts, image, error)
      || (!closing && !tb_session_file_put_fact (image, TB_FACT_IN_PROGRESS, "1", error)))
    return FALSE;
  for (guint i = 0; i < self->pending->len; i++)
    {
      const PendingChunk *pending = &g_array_index (self->pending, PendingChunk, i);
      gsize size;
      gconstpointer data = g_bytes_get_data (pending->bytes, &size);

      if (!tb_session_file_put_chunk (image, &pending->entry, data, size, error))
        return FALSE;
    }
  g_array_set_size (self->pending, 0);
  if (!tb_session_file_commit (image, error)
      || !tb_session_image_place (image, self->path, self->overwrite, !self->is_temporary, error))
    return FALSE;
  self->placed = TRUE;
  if (closing)
    return TRUE;

  self->file = tb_session_file_open (self->path, SQLITE_OPEN_READWRITE, self->display_name, error);
  self->last_checkpoint = g_get_monotonic_time ();
  return self->file != NULL && set_up_file (self, error) && ensure_transaction (self, error);
}

static gboolean
checkpoint_if_due (TbSessionWriter *self, GError **error)
{
  gint64 now = g_get_monotonic_time ();

  if (self->file == NULL || self->is_temporary
      || (now - self->last_checkpoint < CHECKPOINT_INTERVAL
          && self->bytes_since_checkpoint < CHECKPOINT_BYTES))
    return TRUE;
  self->last_checkpoint = now;
  self->bytes_since_checkpoint = 0;
  return tb_session_file_execute (self->file, "PRAGMA wal_checkpoint (PASSIVE)", error);
}

static gboolean
commit_job (TbSessionWriter *self, TbFactList *facts, gboolean closing, GError **error)
{
  if (!write_tails (self, error))
    return FALSE;
  if (self->file == NULL)
    return place_file (self, facts, closing, error);
  if (!ensure_transaction (self, error) || !tb_fact_list_write (facts, self->file, error)
      || (closing && !tb_session_file_put_fact (self->file, TB_FACT_IN_PROGRESS, NULL, error))
      || !tb_session_file_commit (self->file, error))
    return FALSE;
  self->in_transaction = FALSE;
  if (!closing)
    return TRUE;

  /* Leaving write-ahead mode moves the log into the file and removes it. */
  if (!self->is_temporary
      && !tb_session_file_execute (self->file,
                                   "PRAGMA wal_checkpoint (TRUNCATE); PRAGMA journal_mode = DELETE",
                                   error))
    return FALSE;
  g_clear_pointer (&self->file, tb_session_file_free);
  return TRUE;
}

static void
abandon_job (TbSessionWriter *self)
{
  if (self->file != NULL)
    tb_session_file_rollback (self->file);
  g_clear_pointer (&self->file, tb_session_file_free);
  if (self->placed)
    tb_session_image_remove (self->path);
}

static void
run_job (TbSessionWriter *self, Job *job)
{
  g_autoptr (GError) error = NULL;
  gboolean failed = has_failed (self);

  switch (job->kind)
    {
    case JOB_PREPARE:
      if (!failed && !place_file (self, job->facts, FALSE, &error))
        fail (self, g_steal_pointer (&error));
      break;
    case JOB_CHUNK:
      if (!failed
          && (!write_chunk (self, job->table, &job->rows, &error)
              || (job->facts != NULL && !tb_fact_list_write (job->facts, self->file, &error))))
        fail (self, g_steal_pointer (&error));
      break;
    case JOB_COMMIT:
    case JOB_CLOSE:
      if (!failed && !commit_job (self, job->facts, job->kind == JOB_CLOSE, &error))
        fail (self, g_steal_pointer (&error));
      break;
    case JOB_ABANDON:
      abandon_job (self);
      break;
    case JOB_STOP:
      /* Leaves no file that seems to lack its log; if that fails, the log stays. */
      if (self->file != NULL)
        tb_session_file_rollback (self->file);
      if (self->file != NULL && !self->is_temporary)
        tb_session_file_execute (self->file, "PRAGMA journal_mode = DELETE", NULL);
      g_clear_pointer (&self->file, tb_session_file_free);
      break;
    }
}

static void
free_job (Job *job)
{
  for (guint i = 0; i < TB_MAX_COLUMNS; i++)
    g_free (job->rows.columns[i]);
  tb_fact_list_free (job->facts);
  g_free (job);
}

static gpointer
run_worker (gpointer data)
{
  TbSessionWriter *self = data;
  gboolean stop = FALSE;

  while (!stop)
    {
      Job *job = g_async_queue_pop (self->jobs);
      JobKind kind = job->kind;

      run_job (self, job);
      free_job (job);

      g_mutex_lock (&self->lock);
      if (kind == JOB_CHUNK)
        self->n_queued--;
      else if (kind != JOB_PREPARE)
        self->n_finished++;
      g_cond_broadcast (&self->changed);
      g_mutex_unlock (&self->lock);

      /* done after the caller continues, because it flushes the disk */
      if (kind == JOB_COMMIT && !has_failed (self))
        {
          GError *error = NULL;

          if (!checkpoint_if_due (self, &error))
            fail (self, error);
        }
      stop = kind == JOB_STOP;
    }
  return NULL;
}

/* ---- caller ---- */

static gboolean
check_failure (TbSessionWriter *self, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = self->failure == NULL;
  if (!ok && error != NULL)
    *error = g_error_copy (self->failure);
  g_mutex_unlock (&self->lock);
  return ok;
}

/* Runs a job in the worker thread and waits for it. */
static gboolean
run_in_worker (TbSessionWriter *self, JobKind kind, GError **error)
{
  Job *job = g_new0 (Job, 1);
  guint before;

  job->kind = kind;
  if (kind == JOB_COMMIT || kind == JOB_CLOSE)
    {
      job->facts = self->facts;
      self->facts = tb_fact_list_new ();
    }

  g_mutex_lock (&self->lock);
  before = self->n_finished;
  g_async_queue_push (self->jobs, job);
  while (self->n_finished == before)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  return check_failure (self, error);
}

TbSessionWriter *
tb_session_writer_new (GFile *file, gboolean overwrite, GError **error)
{
  TbSessionWriter *self;
  g_autofree char *path = tb_session_image_prepare (file, overwrite, error);

  if (path == NULL)
    return NULL;

  self = g_new0 (TbSessionWriter, 1);
  self->display_name = g_file_get_parse_name (file);
  self->path = g_steal_pointer (&path);
  self->overwrite = overwrite;
  self->facts = tb_fact_list_new ();
  self->jobs = g_async_queue_new ();
  self->codec = tb_chunk_codec_new ();
  self->pending = g_array_new (FALSE, FALSE, sizeof (PendingChunk));
  g_array_set_clear_func (self->pending, clear_pending);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("session-writer", run_worker, self);
  return self;
}

void
tb_session_writer_set_temporary (TbSessionWriter *self)
{
  Job *job = g_new0 (Job, 1);

  self->is_temporary = TRUE;
  tb_chunk_codec_set_fast (self->codec);
  /* The file is there before the first event, so that nothing has to wait for it later. */
  job->kind = JOB_PREPARE;
  job->facts = tb_fact_list_new ();
  self->has_file = TRUE;
  g_async_queue_push (self->jobs, job);
}

static void
stop_worker (TbSessionWriter *self)
{
  if (self->thread == NULL)
    return;
  run_in_worker (self, JOB_STOP, NULL);
  g_thread_join (g_steal_pointer (&self->thread));
}

void
tb_session_writer_free (TbSessionWriter *self)
{
  if (self == NULL)
    return;
  stop_worker (self);
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    for (guint i = 0; i < TB_MAX_COLUMNS; i++)
      g_free (self->open[kind].columns[i]);
  tb_fact_list_free (self->facts);
  g_async_queue_unref (self->jobs);
  tb_chunk_codec_free (self->codec);
  g_array_unref (self->pending);
  g_clear_error (&self->failure);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self->display_name);
  g_free (self->path);
  g_free (self);
}

static void
grow (OpenChunk *open, const TbTableInfo *info, guint n_rows)
{
  guint capacity = MAX (open->capacity, 1024);

  while (capacity < n_rows)
    capacity *= 2;
  if (capacity == open->capacity)
    return;
  open->capacity = capacity;
  for (guint i = 0; i < info->n_columns; i++)
    open->columns[i]
        = g_realloc_n (open->columns[i], capacity, tb_column_type_get_size (info->columns[i].type));
}

static void
queue_chunk (TbSessionWriter *self, TbTableKind kind)
{
  OpenChunk *open = &self->open[kind];
  Job *job = g_new0 (Job, 1);

  job->kind = JOB_CHUNK;
  job->table = kind;
  job->rows = *open;
  /* What is written now is not left to the end of an import. */
  if (self->has_file && self->is_temporary)
    {
      job->facts = self->facts;
      self->facts = tb_fact_list_new ();
    }
  *open = (OpenChunk) { .chunk = open->chunk + 1 };

  g_mutex_lock (&self->lock);
  while (self->n_queued >= MAX_QUEUED_CHUNKS)
    g_cond_wait (&self->changed, &self->lock);
  self->n_queued++;
  g_mutex_unlock (&self->lock);
  g_async_queue_push (self->jobs, job);
}

gboolean
tb_session_writer_append (TbSessionWriter *self,
                          TbTableKind kind,
                          gconstpointer const *columns,
                          gsize n_rows,
                          GError **error)
{
  const TbTableInfo *info = tb_table_kind_get_info (kind);
  OpenChunk *open = &self->open[kind];

  if (!check_failure (self, error))
    return FALSE;
  if (n_rows > TB_MAX_ROWS - 1 - tb_session_writer_get_n_rows (self, kind))
    {
      g_set_error (
          error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
          _ ("“%s” cannot hold more than 4 billion rows of “%s”; record for a shorter time"),
          self->display_name, info->name);
      return FALSE;
    }

  for (gsize done = 0; done < n_rows;)
    {
      guint n = (guint) MIN (n_rows - done, TB_CHUNK_ROWS - open->n_rows);

      grow (open, info, open->n_rows + n);
      for (guint i = 0; i < info->n_columns; i++)
        {
          gsize size = tb_column_type_get_size (info->columns[i].type);

          memcpy (open->columns[i] + open->n_rows * size, (const guint8 *) columns[i] + done * size,
                  n * size);
        }
      open->n_rows += n;
      done += n;
      if (open->n_rows == TB_CHUNK_ROWS)
        queue_chunk (self, kind);
    }
  return TRUE;
}

guint64
tb_session_writer_get_n_rows (TbSessionWriter *self, TbTableKind kind)
{
  return (guint64) self->open[kind].chunk * TB_CHUNK_ROWS + self->open[kind].n_rows;
}

gboolean
tb_session_writer_commit (TbSessionWriter *self, GError **error)
{
  if (!run_in_worker (self, JOB_COMMIT, error))
    return FALSE;
  self->has_file = TRUE;
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    self->open[kind].n_committed = self->open[kind].n_rows;
  return TRUE;
}

gboolean
tb_session_writer_close (TbSessionWriter *self, GError **error)
{
  gboolean ok;

  ok = run_in_worker (self, JOB_CLOSE, error);
  stop_worker (self);
  return ok;
}

void
tb_session_writer_abandon (TbSessionWriter *self)
{
  if (self->thread != NULL)
    run_in_worker (self, JOB_ABANDON, NULL);
  stop_worker (self);
}

guint64
tb_session_writer_get_bytes (TbSessionWriter *self)
{
  guint64 bytes;

  g_mutex_lock (&self->lock);
  bytes = self->bytes;
  g_mutex_unlock (&self->lock);
  return bytes;
}

void
tb_session_writer_put_host (TbSessionWriter *self, const TbHost *host)
{
  tb_fact_list_add_host (self->facts, host);
}

void
tb_session_writer_put_process (TbSessionWriter *self, const TbProcess *process)
{
  tb_fact_list_add_process (self->facts, process);
}

void
tb_session_writer_put_thread (TbSessionWriter *self, const TbThread *thread)
{
  tb_fact_list_add_thread (self->facts, thread);
}

void
tb_session_writer_put_thread_name (TbSessionWriter *self, const TbThreadName *name)
{
  tb_fact_list_add_thread_name (self->facts, name);
}

void
tb_session_writer_put_module (TbSessionWriter *self, const TbModule *module)
{
  tb_fact_list_add_module (self->facts, module);
}

void
tb_session_writer_put_device (TbSessionWriter *self, const TbDevice *device)
{
  tb_fact_list_add_device (self->facts, device);
}

void
tb_session_writer_put_string (TbSessionWriter *self, guint32 id, const char *text)
{
  tb_fact_list_add_string (self->facts, id, text);
}

void
tb_session_writer_put_mapping (TbSessionWriter *self,
                               guint32 process,
                               gint64 time,
                               guint64 start,
                               guint64 length,
                               guint64 offset,
                               guint32 module)
{
  TbMapping mapping = { process, module, time, start, length, offset };

  tb_fact_list_add_mapping (self->facts, &mapping);
}

void
tb_session_writer_put_fact (TbSessionWriter *self, const char *key, const char *value)
{
  tb_fact_list_add_fact (self->facts, key, value);
}

void
tb_session_writer_put_warning (TbSessionWriter *self, const char *text)
{
  tb_fact_list_add_warning (self->facts, text);
}
