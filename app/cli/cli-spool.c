/* cli-spool.c: input from a pipe, copied to a temporary file; in messages the path of the copy is
 * replaced by the path that the user gave
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "cli.h"

/* The path that sniffers, importers and error messages get, and the name that the user gave. A
 * command reads few inputs, so the names are kept until it ends. */
typedef struct
{
  char *spooled;
  char *given;
} Name;

static GArray *names;

typedef struct
{
  int from;
  int to;
} Spool;

static gboolean
spool_work (gpointer data, GCancellable *cancellable, GError **error)
{
  const Spool *spool = data;
  g_autoptr (GInputStream) input = g_unix_input_stream_new (spool->from, FALSE);
  g_autoptr (GOutputStream) output = g_unix_output_stream_new (spool->to, FALSE);

  return g_output_stream_splice (output, input, G_OUTPUT_STREAM_SPLICE_NONE, cancellable, error)
         >= 0;
}

/* Creates a file without a name, so that nothing is left over however the command ends. */
static int
create_unlinked_file (GError **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("tailback-XXXXXX", &path, error);

  if (fd >= 0)
    g_unlink (path);
  return fd;
}

static gboolean
spool (const char *path, Spool *spool, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  spool->to = create_unlinked_file (&local_error);
  /* Opening does not wait for the writer, because open() cannot be interrupted, while reading
   * can. */
  spool->from = spool->to >= 0 ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (spool->to >= 0 && spool->from < 0)
    g_set_error_literal (&local_error, G_IO_ERROR, g_io_error_from_errno (errno),
                         g_strerror (errno));
  if (local_error == NULL)
    cli_work (spool_work, spool, &local_error);
  if (spool->from >= 0)
    close (spool->from);
  if (local_error == NULL)
    return TRUE;
  if (spool->to >= 0)
    close (spool->to);
  if (local_error->domain == CLI_ERROR)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                 _ ("cannot copy “%s” to a temporary file, which is necessary because a pipe can "
                    "be read only once: %s. Save the data to a file first."),
                 path, local_error->message);
  return FALSE;
}

GFile *
cli_open_input (const char *path, GError **error)
{
  g_autofree char *spooled = NULL;
  struct stat status;
  Spool copy;
  Name name;

  if (stat (path, &status) != 0 || !S_ISFIFO (status.st_mode))
    return g_file_new_for_commandline_arg (path);
  if (!spool (path, &copy, error))
    return NULL;
  spooled = g_strdup_printf ("/proc/self/fd/%d", copy.to);
  name = (Name) { g_strdup (spooled), g_strdup (path) };
  if (names == NULL)
    names = g_array_new (FALSE, FALSE, sizeof (Name));
  g_array_append_val (names, name);
  return g_file_new_for_path (spooled);
}

char *
cli_restore_names (const char *text)
{
  GString *restored = g_string_new (text);

  for (guint i = 0; names != NULL && i < names->len; i++)
    g_string_replace (restored, g_array_index (names, Name, i).spooled,
                      g_array_index (names, Name, i).given, 0);
  return g_string_free (restored, FALSE);
}
