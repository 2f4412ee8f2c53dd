/* tb-temporary-folder.c: temporary folder for session files, removed at the end of its process or,
 * after a crash, by a later one
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-temporary-folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_NAME "lock"
#define SESSION_SUFFIX ".tailback"
/* A sweep may remove a new folder before its lock is held, so another one is tried. */
#define MAX_TRIES 16
#define RANDOM_LETTERS 10
/* Age after which an empty folder without a lock is not one that is being created. */
#define EMPTY_AGE_S 3600
#define PART_DIGITS 8

struct _TbTemporaryFolder
{
  TbTemporaryFolder *next;
  pid_t owner; /* a forked process has the list too */
  atomic_bool exists;
  int lock;
  char *path;
  /* Its name during the removal: no file can be created in it under its old name then. */
  char *removed_path;
};

/* The list only grows, and nothing in it is freed, because a signal handler reads it. */
static _Atomic (TbTemporaryFolder *) folders;

static const char *const prefixes[] = {
  [TB_TEMPORARY_TMP] = "tailback-run-",
  [TB_TEMPORARY_CACHE] = "run-",
};

static char *
get_parent (TbTemporaryPlace place)
{
  return place == TB_TEMPORARY_TMP ? g_strdup (g_get_tmp_dir ())
                                   : g_build_filename (g_get_user_cache_dir (), "tailback", NULL);
}

/* ---- removal: async-signal-safe functions only ---- */

/* Whether only this user can have created the folder or files in it. */
static gboolean
is_own_folder (int folder)
{
  struct stat status;

  return fstat (folder, &status) == 0 && status.st_uid == geteuid ()
         && (status.st_mode & 0077) == 0;
}

static gboolean
ends_with (const char *name, size_t length, const char *suffix)
{
  size_t suffix_length = strlen (suffix);

  return length > suffix_length
         && memcmp (name + length - suffix_length, suffix, suffix_length) == 0;
}

/* NAME.tailback, its logs, and .NAME.tailback.01234567 */
static gboolean
is_session_name (const char *name)
{
  static const char *const logs[] = { "-wal", "-shm", "-journal" };
  size_t length = strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (logs); i++)
    if (ends_with (name, length, logs[i]))
      {
        length -= strlen (logs[i]);
        break;
      }
  if (ends_with (name, length, SESSION_SUFFIX))
    return TRUE;
  return name[0] == '.' && length > PART_DIGITS + 1 && name[length - PART_DIGITS - 1] == '.'
         && strspn (name + length - PART_DIGITS, "0123456789abcdef") == PART_DIGITS
         && ends_with (name, length - PART_DIGITS - 1, SESSION_SUFFIX);
}

/* Returns the number of removed files. A file system may skip entries while others are removed. */
static guint
remove_sessions_once (int folder)
{
  _Alignas (struct dirent64) char entries[4096];
  guint n_removed = 0;
  ssize_t size;

  lseek (folder, 0, SEEK_SET);
  while ((size = getdents64 (folder, entries, sizeof entries)) > 0)
    for (ssize_t at = 0; at < size;)
      {
        const struct dirent64 *entry = (const struct dirent64 *) (entries + at);

        if (is_session_name (entry->d_name) && unlinkat (folder, entry->d_name, 0) == 0)
          n_removed++;
        at += entry->d_reclen;
      }
  return n_removed;
}

/* The lock is removed last: if this is interrupted, the next sweep continues the removal. */
static void
remove_folder (int parent, const char *path, int folder)
{
  while (remove_sessions_once (folder) > 0)
    ;
  unlinkat (folder, LOCK_NAME, 0);
  unlinkat (parent, path, AT_REMOVEDIR);
}

/* Can be interrupted by itself in a signal handler. */
static void
remove_own (TbTemporaryFolder *self)
{
  const char *const paths[] = { self->removed_path, self->path };

  if (self->owner != getpid () || !atomic_load (&self->exists))
    return;
  rename (self->path, self->removed_path);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      int folder = open (paths[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

      if (folder < 0)
        continue;
      if (is_own_folder (folder))
        remove_folder (AT_FDCWD, paths[i], folder);
      close (folder);
    }
  atomic_store (&self->exists, FALSE);
}

void
tb_temporary_folder_remove_all (void)
{
  int error_number = errno;

  for (TbTemporaryFolder *self = folders; self != NULL; self = self->next)
    remove_own (self);
  errno = error_number;
}

/* ---- the rest ---- */

void
tb_temporary_folder_remove (TbTemporaryFolder *self)
{
  g_return_if_fail (self != NULL);

  remove_own (self);
  if (self->owner == getpid ())
    g_clear_fd (&self->lock, NULL);
}

const char *
tb_temporary_folder_get_path (const TbTemporaryFolder *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path;
}

static gpointer
set_error (GError **error, const char *path, int error_number)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (error_number),
               _ ("Cannot create a temporary recording in “%s”: %s. Make the folder writable, or "
                  "free some space."),
               path, g_strerror (error_number));
  return NULL;
}

/* Whether this process has the lock, and no sweep had it before. If a file system has no locks, no
 * sweep can take one either. */
static gboolean
take_new_lock (int lock)
{
  struct stat status;

  if (flock (lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return FALSE;
  return fstat (lock, &status) == 0 && status.st_nlink > 0;
}

/* Adds the folder to the list before it is created, because a signal may come at any time. */
static TbTemporaryFolder *
add_folder (TbTemporaryPlace place, const char *parent)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  TbTemporaryFolder *self = g_new0 (TbTemporaryFolder, 1);
  char name[RANDOM_LETTERS + 1] = "";

  for (guint i = 0; i < RANDOM_LETTERS; i++)
    name[i] = letters[g_random_int_range (0, G_N_ELEMENTS (letters) - 1)];
  self->owner = getpid ();
  self->lock = -1;
  self->path = g_strdup_printf ("%s/%s%s", parent, prefixes[place], name);
  self->removed_path = g_strconcat (self->path, "-removed", NULL);
  atomic_init (&self->exists, TRUE);
  self->next = folders;
  while (!atomic_compare_exchange_weak (&folders, &self->next, self))
    ;
  return self;
}

/* Returns 0 or an error number. EEXIST: another name may work. */
static int
make_folder (TbTemporaryFolder *self)
{
  g_autofree char *lock_path = g_build_filename (self->path, LOCK_NAME, NULL);
  int error_number;

  if (g_mkdir (self->path, 0700) != 0)
    return errno;
  self->lock = open (lock_path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (self->lock < 0)
    {
      error_number = errno;
      g_rmdir (self->path);
      return error_number;
    }
  if (take_new_lock (self->lock))
    return 0;
  g_clear_fd (&self->lock, NULL);
  return EEXIST;
}

TbTemporaryFolder *
tb_temporary_folder_new (TbTemporaryPlace place, GError **error)
{
  g_autofree char *parent = get_parent (place);
  int error_number = 0;

  if (g_mkdir_with_parents (parent, 0700) != 0)
    return set_error (error, parent, errno);
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      TbTemporaryFolder *self = add_folder (place, parent);

      error_number = make_folder (self);
      if (error_number == 0)
        return self;
      atomic_store (&self->exists, FALSE);
      if (error_number != EEXIST)
        break;
    }
  return set_error (error, parent, error_number);
}

/* Returns the lock of a leftover folder; -1 if its process is alive, or if it is not our folder. */
static int
take_stale_lock (int folder)
{
  int lock = openat (folder, LOCK_NAME, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;

  if (lock >= 0
      && (fstat (lock, &status) != 0 || !S_ISREG (status.st_mode) || status.st_uid != geteuid ()
          || status.st_size != 0 || flock (lock, LOCK_EX | LOCK_NB) != 0))
    g_clear_fd (&lock, NULL);
  return lock;
}

/* Whether the folder is a leftover: its process was killed before it created the lock, or after it
 * removed the lock. */
static gboolean
is_stale (int folder)
{
  struct stat status;

  return fstat (folder, &status) == 0
         && status.st_mtime < g_get_real_time () / G_USEC_PER_SEC - EMPTY_AGE_S;
}

static void
sweep_folder (int parent, const char *name)
{
  g_autofd int folder = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_autofd int lock = -1;

  if (folder < 0 || !is_own_folder (folder))
    return;
  lock = take_stale_lock (folder);
  if (lock >= 0)
    remove_folder (parent, name, folder);
  else if (is_stale (folder))
    unlinkat (parent, name, AT_REMOVEDIR); /* fails if it is not empty */
}

static void
sweep_place (TbTemporaryPlace place)
{
  g_autofree char *path = get_parent (place);
  g_autofd int parent = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GDir) dir = parent >= 0 ? g_dir_open (path, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefixes[place]))
      sweep_folder (parent, name);
}

void
tb_temporary_folder_sweep (void)
{
  sweep_place (TB_TEMPORARY_TMP);
  sweep_place (TB_TEMPORARY_CACHE);
}
