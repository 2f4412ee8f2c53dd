/* tb-debuginfod-run.c: receiving of files from debuginfod servers by several threads: requests (by
 * the installed transport), limits of size, check of build ID and completeness, storage by
 * tb-debuginfod-cache; servers that fail are left out
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <gelf.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/debuginfod/tb-debuginfod-cache-private.h"
#include "symbols/debuginfod/tb-debuginfod-private.h"
#include "symbols/tb-elf-finder-private.h"

/* Most of the time goes into answers that a file is absent. */
#define MAX_THREADS 4
/* Failures of other kinds than those of a connection, after which a server is not asked again. */
#define MAX_FAILURES 3
/* elfutils' value. */
#define DEFAULT_STALL_SECONDS 90

typedef struct
{
  TbDebuginfod *client;
  TbDebuginfodProgress progress;
  gpointer data;
  GCancellable *cancellable;
  guint stall_seconds;
  guint max_seconds;
  guint64 max_size; /* of a file */

  /* protected by the client's lock */
  guint next;
  guint n_done;
  GError *error; /* that ends the run: the cache cannot be written */
} Run;

typedef struct
{
  Run *run;
  TbDebuginfodFile *file;
  TbDebuginfodCacheEntry entry;
  guint64 size;     /* that the server gave, 0: none */
  guint64 reserved; /* part of the client's bytes */
  guint64 written;
  gint64 modified;
  gboolean is_large;
  gboolean has_local_error;
} Transfer;

static void
report_progress (Run *run)
{
  if (run->progress != NULL)
    run->progress (run->n_done, run->client->files->len, run->client->bytes, run->data);
}

/* Reserves room for a transfer of size bytes. Returns FALSE if that exceeds a limit. */
static gboolean
reserve (Transfer *transfer, guint64 size)
{
  TbDebuginfod *client = transfer->run->client;
  gboolean fits = TRUE;

  g_mutex_lock (&client->lock);
  if (size > transfer->reserved)
    {
      guint64 more = size - transfer->reserved;

      fits = size <= transfer->run->max_size && client->bytes <= client->limit
             && more <= client->limit - client->bytes;
      if (fits)
        {
          client->bytes += more;
          transfer->reserved = size;
        }
    }
  g_mutex_unlock (&client->lock);
  transfer->is_large = !fits;
  return fits;
}

static void
release (Transfer *transfer)
{
  TbDebuginfod *client = transfer->run->client;

  g_mutex_lock (&client->lock);
  client->bytes -= transfer->reserved;
  g_mutex_unlock (&client->lock);
}

static gboolean
set_large_error (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE, "the file is too large");
  return FALSE;
}

static gboolean
begin (guint64 size, gint64 modified, gpointer data, GError **error)
{
  Transfer *transfer = data;

  transfer->size = size;
  transfer->modified = modified;
  if (!reserve (transfer, size))
    return set_large_error (error);
  if (tb_debuginfod_cache_entry_open (&transfer->entry, transfer->file->build_id,
                                      transfer->file->kind, error))
    return TRUE;
  transfer->has_local_error = TRUE;
  return FALSE;
}

static gboolean
write_bytes (const guint8 *bytes, gsize length, gpointer data, GError **error)
{
  Transfer *transfer = data;

  if (!reserve (transfer, transfer->written + length))
    return set_large_error (error);
  if (!tb_debuginfod_cache_entry_write (&transfer->entry, bytes, length, error))
    {
      transfer->has_local_error = TRUE;
      return FALSE;
    }
  transfer->written += length;
  g_mutex_lock (&transfer->run->client->lock);
  report_progress (transfer->run);
  g_mutex_unlock (&transfer->run->client->lock);
  return TRUE;
}

/* A file that was cut can have its build ID, which is near the start. */
static gboolean
has_section_headers (int fd)
{
  struct stat status;
  GElf_Ehdr header;
  Elf *elf;
  gboolean complete;

  if (fstat (fd, &status) != 0 || (elf = elf_begin (fd, ELF_C_READ, NULL)) == NULL)
    return FALSE;
  complete = gelf_getehdr (elf, &header) != NULL && header.e_shoff <= (guint64) status.st_size
             && (guint64) header.e_shnum * header.e_shentsize
                    <= (guint64) status.st_size - header.e_shoff;
  elf_end (elf);
  return complete;
}

static gboolean
is_wanted_file (int fd, const char *build_id)
{
  g_autofree char *actual = tb_elf_read_build_id (fd);

  return g_strcmp0 (actual, build_id) == 0 && has_section_headers (fd);
}

/* Keeps a received file if it is what was requested: servers are not trusted, and other programs
 * use the same cache. */
static gboolean
keep (Transfer *transfer, GError **error)
{
  if (transfer->size > 0 && transfer->written != transfer->size)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT,
                   _ ("the file for %s does not have the announced size"), transfer->file->name);
      return FALSE;
    }
  if (!is_wanted_file (transfer->entry.fd, transfer->file->build_id))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   _ ("the file for %s is not the one with build ID %s"), transfer->file->name,
                   transfer->file->build_id);
      return FALSE;
    }
  if (tb_debuginfod_cache_entry_keep (&transfer->entry, transfer->modified, error))
    return TRUE;
  transfer->has_local_error = TRUE;
  return FALSE;
}

static gboolean
repeats_itself (const GError *error)
{
  return !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED)
         && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)
         && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
}

/* What can be done about a failed request, as a part of a sentence. */
static const char *
get_remedy (const GError *error)
{
  if (error->domain != TB_DEBUGINFOD_TLS_ERROR)
    return _ ("check its address, or try again later");
  switch ((TbDebuginfodTlsError) error->code)
    {
    case TB_DEBUGINFOD_TLS_ERROR_UNKNOWN_AUTHORITY:
      return _ ("add the certificate of the authority to those of the system, or to a file that "
                "SSL_CERT_FILE names");
    case TB_DEBUGINFOD_TLS_ERROR_OTHER_HOST:
      return _ ("use the host name of the certificate in its address");
    case TB_DEBUGINFOD_TLS_ERROR_EXPIRED:
      return _ ("check the clock of this machine, or have the certificate of the server renewed");
    case TB_DEBUGINFOD_TLS_ERROR_FILE:
      return _ ("set SSL_CERT_FILE to a file with certificates in PEM format, or unset it");
    case TB_DEBUGINFOD_TLS_ERROR_UNAVAILABLE:
      return _ ("install glib-networking");
    case TB_DEBUGINFOD_TLS_ERROR_INVALID:
    default:
      return _ ("have the certificate of the server renewed");
    }
}

/* Takes the error of a request. A server that does not answer is not asked for further files. */
static TbDebuginfodState
take_failure (Run *run, TbDebuginfodServer *server, Transfer *transfer, GError *error)
{
  if (transfer->is_large)
    {
      transfer->file->size = transfer->size;
      g_error_free (error);
      return TB_DEBUGINFOD_LARGE;
    }
  if (!transfer->has_local_error
      && (g_cancellable_is_cancelled (run->cancellable)
          || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)))
    {
      g_error_free (error);
      return TB_DEBUGINFOD_ABSENT;
    }
  g_mutex_lock (&run->client->lock);
  if (transfer->has_local_error && run->error == NULL)
    run->error = g_error_copy (error);
  else if (!transfer->has_local_error)
    {
      if (server->problem == NULL)
        {
          server->problem = g_strdup (error->message);
          server->remedy = get_remedy (error);
        }
      if (++server->n_failures >= MAX_FAILURES || repeats_itself (error))
        server->is_skipped = TRUE;
    }
  g_mutex_unlock (&run->client->lock);
  g_error_free (error);
  return TB_DEBUGINFOD_FAILED;
}

static TbDebuginfodState
ask_server (Run *run, gpointer connection, TbDebuginfodServer *server, TbDebuginfodFile *file)
{
  const TbDebuginfodTransport *transport = tb_debuginfod_get_transport ();
  g_autofree char *url = g_strdup_printf ("%s/buildid/%s/%s", server->url, file->build_id,
                                          tb_debuginfod_kind_get_name (file->kind));
  Transfer transfer = { .run = run, .file = file, .entry = { .fd = -1 } };
  TbDebuginfodRequest request = {
    .url = url,
    .stall_seconds = run->stall_seconds,
    .max_seconds = run->max_seconds,
    .begin = begin,
    .write = write_bytes,
    .data = &transfer,
  };
  TbDebuginfodState state = TB_DEBUGINFOD_RECEIVED;
  GError *error = NULL;

  if (!transport->get (connection, &request, run->cancellable, &error) || !keep (&transfer, &error))
    {
      release (&transfer);
      state = take_failure (run, server, &transfer, error);
    }
  else
    file->size = transfer.written;
  tb_debuginfod_cache_entry_clear (&transfer.entry);
  return state;
}

/* Returns TRUE if the cache has the file. One that is damaged is received again. */
static gboolean
is_cached (const TbDebuginfodFile *file)
{
  g_autofree char *path = tb_debuginfod_cache_find (file->build_id, file->kind);
  int fd = path != NULL ? g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  gboolean good = fd >= 0 && is_wanted_file (fd, file->build_id);

  if (fd >= 0)
    close (fd);
  return good;
}

static gboolean
is_skipped (Run *run, const TbDebuginfodServer *server)
{
  gboolean skipped;

  g_mutex_lock (&run->client->lock);
  skipped = server->is_skipped || run->error != NULL;
  g_mutex_unlock (&run->client->lock);
  return skipped;
}

static TbDebuginfodState
receive (Run *run, gpointer connection, TbDebuginfodFile *file)
{
  gboolean failed = FALSE;

  if (is_cached (file))
    return TB_DEBUGINFOD_RECEIVED;
  if (tb_debuginfod_cache_is_miss (file->build_id, file->kind))
    return TB_DEBUGINFOD_ABSENT;
  for (guint i = 0; i < run->client->servers->len; i++)
    {
      TbDebuginfodServer *server = g_ptr_array_index (run->client->servers, i);
      TbDebuginfodState state = is_skipped (run, server)
                                    ? TB_DEBUGINFOD_FAILED
                                    : ask_server (run, connection, server, file);

      if (g_cancellable_is_cancelled (run->cancellable) && state != TB_DEBUGINFOD_RECEIVED)
        return TB_DEBUGINFOD_WANTED;
      if (state == TB_DEBUGINFOD_RECEIVED || state == TB_DEBUGINFOD_LARGE)
        return state;
      failed |= state == TB_DEBUGINFOD_FAILED;
    }
  if (failed)
    return TB_DEBUGINFOD_FAILED;
  tb_debuginfod_cache_add_miss (file->build_id, file->kind);
  return TB_DEBUGINFOD_ABSENT;
}

/* Returns the next file to receive, NULL at the end. */
static TbDebuginfodFile *
take_next (Run *run)
{
  TbDebuginfodFile *found = NULL;

  g_mutex_lock (&run->client->lock);
  while (found == NULL && run->next < run->client->files->len && run->error == NULL
         && !g_cancellable_is_cancelled (run->cancellable))
    {
      TbDebuginfodFile *file = g_ptr_array_index (run->client->files, run->next++);

      if (file->state == TB_DEBUGINFOD_WANTED || file->state == TB_DEBUGINFOD_LARGE)
        found = file;
      else
        run->n_done++;
    }
  g_mutex_unlock (&run->client->lock);
  return found;
}

/* A debug file can refer to one that others share, which is requested next. */
static void
add_supplement (Run *run, const TbDebuginfodFile *file)
{
  g_autofree char *path = tb_debuginfod_cache_find (file->build_id, file->kind);
  int fd = path != NULL ? g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

  if (fd < 0)
    return;
  tb_debuginfod_add_supplement (run->client, fd, path, file->name, run->next);
  close (fd);
}

static gpointer
work (gpointer data)
{
  const TbDebuginfodTransport *transport = tb_debuginfod_get_transport ();
  Run *run = data;
  gpointer connection = transport->open ();
  TbDebuginfodFile *file;

  while ((file = take_next (run)) != NULL)
    {
      TbDebuginfodState state = receive (run, connection, file);

      g_mutex_lock (&run->client->lock);
      file->state = state;
      run->n_done++;
      if (state == TB_DEBUGINFOD_RECEIVED)
        add_supplement (run, file);
      report_progress (run);
      g_mutex_unlock (&run->client->lock);
    }
  transport->close (connection);
  return NULL;
}

/* Reads a number of an environment variable as elfutils does: values below zero are zero. */
static guint64
read_number (const char *variable, guint64 otherwise)
{
  const char *text = g_getenv (variable);
  gint64 value
      = text != NULL && text[0] != '\0' ? g_ascii_strtoll (text, NULL, 10) : (gint64) otherwise;

  return (guint64) MAX (value, 0);
}

/**
 * tb_debuginfod_run:
 * @self: a client
 * @progress: (nullable) (scope call) (closure data): called when the state or the size changes
 * @data: for @progress
 * @cancellable: (nullable): a cancellable; files that are complete stay in the cache
 * @error: return location
 *
 * Receives the files that were added and are not in the cache, in the calling thread and others.
 * `$DEBUGINFOD_TIMEOUT`, `$DEBUGINFOD_MAXTIME` and `$DEBUGINFOD_MAXSIZE` are followed. Servers that
 * fail and files that no server has are not an error: see tb_debuginfod_list_problems().
 *
 * Returns: %FALSE if cancelled, if there is no server to ask, or if the cache cannot be written
 */
gboolean
tb_debuginfod_run (TbDebuginfod *self,
                   TbDebuginfodProgress progress,
                   gpointer data,
                   GCancellable *cancellable,
                   GError **error)
{
  GThread *threads[MAX_THREADS - 1];
  Run run = { .client = self, .progress = progress, .data = data, .cancellable = cancellable };
  guint n_threads;

  g_return_val_if_fail (TB_IS_DEBUGINFOD (self), FALSE);

  if (tb_debuginfod_get_transport () == NULL || self->servers->len == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                           _ ("no debuginfod server is given; debug files cannot be received; set "
                              "DEBUGINFOD_URLS"));
      return FALSE;
    }
  run.stall_seconds
      = (guint) MIN (read_number ("DEBUGINFOD_TIMEOUT", DEFAULT_STALL_SECONDS), G_MAXINT32);
  run.max_seconds = (guint) MIN (read_number ("DEBUGINFOD_MAXTIME", 0), G_MAXINT32);
  run.max_size = read_number ("DEBUGINFOD_MAXSIZE", 0);
  if (run.max_size == 0)
    run.max_size = G_MAXUINT64;
  n_threads = MIN (self->files->len, MAX_THREADS);
  for (guint i = 1; i < n_threads; i++)
    threads[i - 1] = g_thread_new ("debuginfod", work, &run);
  if (n_threads > 0)
    work (&run);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i - 1]);
  if (run.error != NULL)
    {
      g_propagate_error (error, run.error);
      return FALSE;
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
