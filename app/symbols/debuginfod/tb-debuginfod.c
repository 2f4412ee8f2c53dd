/* tb-debuginfod.c: client of debuginfod servers, which have debug files by build ID: list of
 * servers, files to receive (by tb-debuginfod-run), limit of size, counts, problems as sentences
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/debuginfod/tb-debuginfod-cache-private.h"
#include "symbols/debuginfod/tb-debuginfod-private.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-supplementary-file-private.h"

/* Each server is asked for each file that the others do not have. */
#define MAX_SERVERS 16
/* Names in the line about files that are on no server. */
#define MAX_NAMES 3

/**
 * TbDebuginfod:
 *
 * Receives the debug files that a recording needs for the names of its functions, from the servers
 * of `$DEBUGINFOD_URLS` or other ones. The servers see the build IDs of the recording's programs:
 * an object of this class is made only when the user has allowed that. Files are requested in the
 * order in which they were added, several at a time, and stored in the cache that elfutils' client
 * has too. The symbolizer finds them there.
 */
G_DEFINE_FINAL_TYPE (TbDebuginfod, tb_debuginfod, G_TYPE_OBJECT)

/**
 * tb_debuginfod_tls_error_quark:
 *
 * Gets the error domain of encrypted connections.
 *
 * Returns: the domain
 */
G_DEFINE_QUARK (tb-debuginfod-tls-error-quark, tb_debuginfod_tls_error)

static const TbDebuginfodTransport *transport;

/**
 * tb_debuginfod_set_transport:
 * @transport: functions, which must stay valid until the program ends
 *
 * Sets the transport. Called once, when a program starts, before any other thread uses debuginfod.
 * Without it nothing is received.
 */
void
tb_debuginfod_set_transport (const TbDebuginfodTransport *new_transport)
{
  transport = new_transport;
}

const TbDebuginfodTransport *
tb_debuginfod_get_transport (void)
{
  return transport;
}

static void
server_free (gpointer data)
{
  TbDebuginfodServer *server = data;

  g_free (server->url);
  g_free (server->problem);
  g_free (server);
}

static void
file_free (gpointer data)
{
  TbDebuginfodFile *file = data;

  g_free (file->build_id);
  g_free (file->name);
  g_free (file);
}

static void
tb_debuginfod_finalize (GObject *object)
{
  TbDebuginfod *self = TB_DEBUGINFOD (object);

  g_ptr_array_unref (self->servers);
  g_ptr_array_unref (self->files);
  g_hash_table_unref (self->known);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (tb_debuginfod_parent_class)->finalize (object);
}

static void
tb_debuginfod_class_init (TbDebuginfodClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_debuginfod_finalize;
}

static void
tb_debuginfod_init (TbDebuginfod *self)
{
  self->servers = g_ptr_array_new_with_free_func (server_free);
  self->files = g_ptr_array_new_with_free_func (file_free);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->limit = TB_DEBUGINFOD_LIMIT;
  g_mutex_init (&self->lock);
}

static gboolean
is_http (const char *address)
{
  return g_ascii_strncasecmp (address, "http://", 7) == 0
         || g_ascii_strncasecmp (address, "https://", 8) == 0;
}

/**
 * tb_debuginfod_list_servers:
 * @text: (nullable): addresses separated by white space; %NULL: those of `$DEBUGINFOD_URLS`
 *
 * Gets the servers of a list as elfutils' client takes it. Words that are not addresses with http
 * or https, such as `ima:enforcing`, are left out.
 *
 * Returns: (transfer full) (array zero-terminated=1): the addresses without a slash at the end,
 * each once, at most 16
 */
char **
tb_debuginfod_list_servers (const char *text)
{
  const char *list = text != NULL ? text : g_getenv ("DEBUGINFOD_URLS");
  g_auto (GStrv) words = g_strsplit_set (list != NULL ? list : "", " \t\r\n", -1);
  g_autoptr (GPtrArray) servers = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL && servers->len < MAX_SERVERS; i++)
    {
      gsize length = strlen (words[i]);

      while (length > 0 && words[i][length - 1] == '/')
        words[i][--length] = '\0';
      if (is_http (words[i])
          && !g_ptr_array_find_with_equal_func (servers, words[i], g_str_equal, NULL))
        g_ptr_array_add (servers, g_strdup (words[i]));
    }
  g_ptr_array_add (servers, NULL);
  return (char **) g_ptr_array_steal (servers, NULL);
}

/**
 * tb_debuginfod_new:
 * @servers: (nullable) (array zero-terminated=1): addresses of tb_debuginfod_list_servers(), asked
 *   in this order; %NULL: those of `$DEBUGINFOD_URLS`
 *
 * Creates a client of debuginfod servers.
 *
 * Returns: (transfer full): a client that has no files to receive
 */
TbDebuginfod *
tb_debuginfod_new (const char *const *servers)
{
  TbDebuginfod *self = g_object_new (TB_TYPE_DEBUGINFOD, NULL);
  g_auto (GStrv) usual = servers == NULL ? tb_debuginfod_list_servers (NULL) : NULL;
  const char *const *list = servers != NULL ? servers : (const char *const *) usual;

  for (guint i = 0; list[i] != NULL; i++)
    {
      TbDebuginfodServer *server = g_new0 (TbDebuginfodServer, 1);

      server->url = g_strdup (list[i]);
      g_ptr_array_add (self->servers, server);
    }
  return self;
}

/**
 * tb_debuginfod_has_servers:
 * @self: a client
 *
 * Gets whether files can be requested.
 *
 * Returns: whether there is a server to ask
 */
gboolean
tb_debuginfod_has_servers (TbDebuginfod *self)
{
  g_return_val_if_fail (TB_IS_DEBUGINFOD (self), FALSE);
  return self->servers->len > 0;
}

/**
 * tb_debuginfod_set_limit:
 * @bytes: bytes that all runs together may receive
 *
 * Sets how much is received. A file that would exceed the limit is %TB_DEBUGINFOD_LARGE; the next
 * run requests it again. The initial limit is %TB_DEBUGINFOD_LIMIT.
 */
void
tb_debuginfod_set_limit (TbDebuginfod *self, guint64 bytes)
{
  g_return_if_fail (TB_IS_DEBUGINFOD (self));
  self->limit = bytes;
}

/* Inserts a file, unless it was added before. */
static void
insert_file (TbDebuginfod *self,
             const char *build_id,
             TbDebuginfodKind kind,
             const char *name,
             guint index)
{
  g_autofree char *key = g_strdup_printf ("%d/%s", kind, build_id);
  TbDebuginfodFile *file;

  if (!g_hash_table_add (self->known, g_steal_pointer (&key)))
    return;
  file = g_new0 (TbDebuginfodFile, 1);
  file->build_id = g_strdup (build_id);
  file->kind = kind;
  file->name = g_strdup (name);
  g_ptr_array_insert (self->files, (int) index, file);
}

void
tb_debuginfod_add_supplement (TbDebuginfod *self,
                              int fd,
                              const char *path,
                              const char *name,
                              guint index)
{
  g_autofree char *linked = NULL;
  g_autofree char *build_id = tb_supplementary_file_read_link (fd, &linked);
  int there;

  if (build_id == NULL || !tb_debuginfod_is_build_id (build_id))
    return;
  there = tb_elf_finder_open_supplement (build_id, linked, path, 0, NULL);
  if (there >= 0)
    close (there);
  else
    insert_file (self, build_id, TB_DEBUGINFOD_DEBUGINFO, name, index);
}

/**
 * tb_debuginfod_add_file:
 * @build_id: build ID in lower-case hexadecimal digits
 * @kind: which of its files
 * @name: path of the program or library, for messages
 *
 * Adds a file after those that were added before, unless it was added already. Not while a run is
 * in progress.
 *
 * Returns: whether servers can have a file with this build ID
 */
gboolean
tb_debuginfod_add_file (TbDebuginfod *self,
                        const char *build_id,
                        TbDebuginfodKind kind,
                        const char *name)
{
  g_return_val_if_fail (TB_IS_DEBUGINFOD (self), FALSE);

  if (!tb_debuginfod_is_build_id (build_id))
    return FALSE;
  insert_file (self, build_id, kind, name, self->files->len);
  return TRUE;
}

/**
 * tb_debuginfod_get_file:
 * @self: a client
 * @i: index in the order of requests
 *
 * Gets a requested file and its state.
 *
 * Returns: (transfer none) (nullable): a file; its state changes during a run only
 */
const TbDebuginfodFile *
tb_debuginfod_get_file (TbDebuginfod *self, guint i)
{
  g_return_val_if_fail (TB_IS_DEBUGINFOD (self), NULL);
  return i < self->files->len ? g_ptr_array_index (self->files, i) : NULL;
}

/**
 * tb_debuginfod_count:
 * @state: a state
 *
 * Can be called during a run, but not by its progress function.
 *
 * Returns: how many files are in that state
 */
guint
tb_debuginfod_count (TbDebuginfod *self, TbDebuginfodState state)
{
  guint n = 0;

  g_return_val_if_fail (TB_IS_DEBUGINFOD (self), 0);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->files->len; i++)
    n += ((TbDebuginfodFile *) g_ptr_array_index (self->files, i))->state == state;
  g_mutex_unlock (&self->lock);
  return n;
}

/* Appends a line about the files that are on no server, each program once. */
static void
append_absent (TbDebuginfod *self, GStrvBuilder *lines)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *line = NULL;
  guint n;

  for (guint i = 0; i < self->files->len; i++)
    {
      const TbDebuginfodFile *file = g_ptr_array_index (self->files, i);

      if (file->state != TB_DEBUGINFOD_ABSENT || !g_hash_table_add (seen, file->name))
        continue;
      if (g_hash_table_size (seen) <= MAX_NAMES)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", file->name);
    }
  n = g_hash_table_size (seen);
  if (n == 0)
    return;
  if (n > MAX_NAMES)
    g_string_append (names, ", …");
  line = g_strdup_printf (
      ngettext ("no debuginfod server has the debug file of %u program or library (%s); functions "
                "in it can lack names; add a folder with its symbols",
                "no debuginfod server has the debug files of %u programs and libraries (%s); "
                "functions in them can lack names; add a folder with their symbols",
                n),
      n, names->str);
  g_strv_builder_add (lines, line);
}

/**
 * tb_debuginfod_list_problems:
 *
 * Gets what went wrong in the runs, except for files that exceed the limit.
 *
 * Returns: (transfer full) (array zero-terminated=1): sentences for the user: one for each server
 * that failed, one for files that no server has
 */
char **
tb_debuginfod_list_problems (TbDebuginfod *self)
{
  g_autoptr (GStrvBuilder) lines = NULL;

  g_return_val_if_fail (TB_IS_DEBUGINFOD (self), NULL);

  lines = g_strv_builder_new ();
  for (guint i = 0; i < self->servers->len; i++)
    {
      const TbDebuginfodServer *server = g_ptr_array_index (self->servers, i);
      g_autofree char *line = NULL;

      if (server->problem == NULL)
        continue;
      /* Translators: address of a server, what failed, what can be done */
      line = g_strdup_printf (_ ("debuginfod server %s: %s; functions can lack names; %s"),
                              server->url, server->problem, server->remedy);
      g_strv_builder_add (lines, line);
    }
  append_absent (self, lines);
  return g_strv_builder_end (lines);
}
