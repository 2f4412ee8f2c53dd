/* tb-debuginfod-cache.c: cache of debuginfod, shared with elfutils: its folder, look-up of a
 * received file, writing of one that is being received, and a record for some time of those that no
 * server has
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * elfutils does not document the layout of its cache, but has not changed it since its first
 * client: FOLDER/BUILD-ID/debuginfo, and an empty file in its place if no server had it. Control
 * files in FOLDER have one decimal number each; those about cleaning are left to elfutils.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/debuginfod/tb-debuginfod-cache-private.h"

#define DEFAULT_MISS_SECONDS 600
#define MIN_BUILD_ID_DIGITS 8
#define MAX_BUILD_ID_DIGITS 128

const char *
tb_debuginfod_kind_get_name (TbDebuginfodKind kind)
{
  return kind == TB_DEBUGINFOD_EXECUTABLE ? "executable" : "debuginfo";
}

gboolean
tb_debuginfod_is_build_id (const char *build_id)
{
  gsize length = build_id != NULL ? strlen (build_id) : 0;

  return length >= MIN_BUILD_ID_DIGITS && length <= MAX_BUILD_ID_DIGITS && length % 2 == 0
         && strspn (build_id, "0123456789abcdef") == length;
}

/* Returns the folder of elfutils' client, found by its rules. */
static char *
get_folder (void)
{
  const char *chosen = g_getenv ("DEBUGINFOD_CACHE_PATH");
  g_autofree char *earlier = NULL;

  if (chosen != NULL && chosen[0] != '\0')
    return g_strdup (chosen);
  earlier = g_build_filename (g_get_home_dir (), ".debuginfod_client_cache", NULL);
  if (g_file_test (earlier, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&earlier);
  return g_build_filename (g_get_user_cache_dir (), "debuginfod_client", NULL);
}

static char *
make_path (const char *build_id, TbDebuginfodKind kind)
{
  g_autofree char *folder = get_folder ();

  return g_build_filename (folder, build_id, tb_debuginfod_kind_get_name (kind), NULL);
}

char *
tb_debuginfod_cache_find (const char *build_id, TbDebuginfodKind kind)
{
  g_autofree char *path = NULL;
  struct stat status;

  if (!tb_debuginfod_is_build_id (build_id))
    return NULL;
  path = make_path (build_id, kind);
  return stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0
             ? g_steal_pointer (&path)
             : NULL;
}

/* Returns how long the cache remembers that a file is on no server. */
static gint64
read_miss_seconds (void)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *path = g_build_filename (folder, "cache_miss_s", NULL);
  g_autofree char *text = NULL;
  gint64 seconds;

  if (!g_file_get_contents (path, &text, NULL, NULL)
      || !g_ascii_string_to_signed (g_strstrip (text), 10, 0, G_MAXINT32, &seconds, NULL))
    return DEFAULT_MISS_SECONDS;
  return seconds;
}

gboolean
tb_debuginfod_cache_is_miss (const char *build_id, TbDebuginfodKind kind)
{
  g_autofree char *path = NULL;
  struct stat status;
  gint64 age;

  if (!tb_debuginfod_is_build_id (build_id))
    return TRUE;
  path = make_path (build_id, kind);
  /* Clients before 0.188 made it with mode 0: it is never opened. */
  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size > 0)
    return FALSE;
  age = g_get_real_time () / G_USEC_PER_SEC - status.st_mtime;
  if (age >= 0 && age <= read_miss_seconds ())
    return TRUE;
  g_unlink (path);
  return FALSE;
}

void
tb_debuginfod_cache_add_miss (const char *build_id, TbDebuginfodKind kind)
{
  g_autofree char *path = make_path (build_id, kind);
  g_autofree char *folder = g_path_get_dirname (path);
  int fd;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return;
  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0)
    close (fd);
}

static gboolean
set_write_error (const char *path, int error_number, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (error_number),
               _ ("cannot write “%s”: %s; debug files cannot be kept; choose another folder with "
                  "DEBUGINFOD_CACHE_PATH"),
               path, g_strerror (error_number));
  return FALSE;
}

gboolean
tb_debuginfod_cache_entry_open (TbDebuginfodCacheEntry *entry,
                                const char *build_id,
                                TbDebuginfodKind kind,
                                GError **error)
{
  g_autofree char *folder = NULL;

  *entry = (TbDebuginfodCacheEntry) { .fd = -1, .path = make_path (build_id, kind) };
  folder = g_path_get_dirname (entry->path);
  /* elfutils may remove the empty folder in between while it cleans the cache. */
  for (guint attempt = 0; attempt < 2 && entry->fd < 0; attempt++)
    {
      g_free (entry->temporary);
      entry->temporary = g_strconcat (entry->path, ".XXXXXX", NULL);
      if (g_mkdir_with_parents (folder, 0700) != 0)
        return set_write_error (folder, errno, error);
      entry->fd = g_mkstemp_full (entry->temporary, O_RDWR | O_CLOEXEC, 0600);
    }
  return entry->fd >= 0 || set_write_error (entry->path, errno, error);
}

gboolean
tb_debuginfod_cache_entry_write (TbDebuginfodCacheEntry *entry,
                                 const guint8 *bytes,
                                 gsize length,
                                 GError **error)
{
  while (length > 0)
    {
      gssize written = write (entry->fd, bytes, length);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return set_write_error (entry->path, errno, error);
      bytes += written;
      length -= (gsize) written;
    }
  return TRUE;
}

gboolean
tb_debuginfod_cache_entry_keep (TbDebuginfodCacheEntry *entry, gint64 modified, GError **error)
{
  struct timespec times[] = { { .tv_nsec = UTIME_NOW },
                              { .tv_sec = modified, .tv_nsec = modified > 0 ? 0 : UTIME_NOW } };

  /* As elfutils leaves its files; the time of access is when its cleaning counts from. */
  futimens (entry->fd, times);
  fchmod (entry->fd, 0400);
  if (g_rename (entry->temporary, entry->path) != 0)
    return set_write_error (entry->path, errno, error);
  g_clear_pointer (&entry->temporary, g_free);
  return TRUE;
}

void
tb_debuginfod_cache_entry_clear (TbDebuginfodCacheEntry *entry)
{
  if (entry->fd >= 0 && entry->path != NULL)
    close (entry->fd);
  if (entry->temporary != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (entry->path);

      g_unlink (entry->temporary);
      g_rmdir (folder); /* fails if it has other files */
    }
  g_clear_pointer (&entry->temporary, g_free);
  g_clear_pointer (&entry->path, g_free);
  entry->fd = -1;
}
