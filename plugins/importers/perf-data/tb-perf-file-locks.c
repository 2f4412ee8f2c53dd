/* tb-perf-file-locks.c: conversion of tracepoint records of file locks in a perf.data file into
 * requests for locks, with the path of the file where a mapping in the same recording has it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tracepoints have the device and the inode of the file only. A file without a known path is
 * named by these numbers, as when Tailback records. A file keeps its first name: locks are matched
 * by it.
 */

#include "config.h"

#include "tb-perf-file-locks.h"

#include <string.h>

#include "tb-perf-import-private.h"

#define MINOR_BITS 20
#define MAX_FILES 65536
/* The kernel's result of a request that has to wait */
#define DEFERRED 1
/* -EAGAIN in Linux, but for Alpha */
#define REFUSED -11

typedef struct
{
  guint64 device;
  guint64 inode;
  guint32 text;
} File;

struct _TbPerfFileLocks
{
  GHashTable *files; /* set of File */
};

static guint
hash_file (gconstpointer data)
{
  const File *file = data;

  return (guint) (file->inode * 31 + file->device) ^ (guint) (file->inode >> 32);
}

static gboolean
equal_files (gconstpointer a, gconstpointer b)
{
  const File *one = a, *two = b;

  return one->inode == two->inode && one->device == two->device;
}

void
tb_perf_file_locks_free (TbPerfFileLocks *self)
{
  g_hash_table_unref (self->files);
  g_free (self);
}

static TbPerfFileLocks *
tb_perf_file_locks_new (void)
{
  TbPerfFileLocks *self = g_new0 (TbPerfFileLocks, 1);

  self->files = g_hash_table_new_full (hash_file, equal_files, g_free, NULL);
  return self;
}

static void
add_file (TbPerfFileLocks *self, guint64 device, guint64 inode, guint32 text)
{
  File *file = g_new (File, 1);

  *file = (File) { .device = device, .inode = inode, .text = text };
  if (g_hash_table_size (self->files) >= MAX_FILES)
    g_hash_table_remove_all (self->files);
  g_hash_table_add (self->files, file);
}

void
tb_perf_file_locks_add_path (TbPerfImport *import,
                             guint32 major,
                             guint32 minor,
                             guint64 inode,
                             const char *path)
{
  guint64 device = (guint64) major << MINOR_BITS | minor;
  File key = { .device = device, .inode = inode };

  if (G_LIKELY (import->file_locks == NULL) || inode == 0 || path[0] != '/'
      || g_hash_table_contains (import->file_locks->files, &key))
    return;
  add_file (import->file_locks, device, inode,
            tb_recorder_intern_string (import->recorder, path, -1));
}

static guint32
get_file (TbPerfImport *import, guint64 device, guint64 inode)
{
  File key = { .device = device, .inode = inode };
  const File *known = g_hash_table_lookup (import->file_locks->files, &key);
  char text[64];
  guint32 string;

  if (G_LIKELY (known != NULL))
    return known->text;
  g_snprintf (text, sizeof text,
              "file:[%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT "]",
              device >> MINOR_BITS, device & ((1u << MINOR_BITS) - 1), inode);
  string = tb_recorder_intern_string (import->recorder, text, -1);
  add_file (import->file_locks, device, inode, string);
  return string;
}

enum
{
  LOCK_DEVICE,
  LOCK_INODE,
  LOCK_OWNER,
  LOCK_TYPE,
  LOCK_FROM,
  LOCK_TO,
  LOCK_RESULT
};
static const char *const lock_fields[]
    = { "s_dev", "i_ino", "owner", "type", "fl_start", "fl_end", "ret", NULL };
/* Before Linux 6.9 */
static const char *const old_lock_fields[]
    = { "s_dev", "i_ino", "fl_owner", "fl_type", "fl_start", "fl_end", "ret", NULL };

static void
decode_lock (const TbPerfTracepoint *self,
             TbPerfImport *import,
             const guint8 *raw,
             gsize size,
             TbEvent *event)
{
  guint64 mode = (guint64) TB_PERF_NUMBER (self, LOCK_TYPE, raw, size, import->swap);
  gint32 result = (gint32) TB_PERF_NUMBER (self, LOCK_RESULT, raw, size, import->swap);
  guint64 inode = (guint64) TB_PERF_NUMBER (self, LOCK_INODE, raw, size, import->swap);

  /* An event without a lock: the request failed before it was made. */
  if (mode > TB_FILE_LOCK_RELEASE || inode == 0)
    return;
  event->kind = TB_EVENT_FILE_LOCK;
  event->code = self->code;
  event->flags = TB_FILE_LOCK_FLAGS (mode, result == 0          ? TB_FILE_LOCK_DONE
                                           : result == DEFERRED ? TB_FILE_LOCK_WAITS
                                           : result == REFUSED  ? TB_FILE_LOCK_REFUSED
                                                                : TB_FILE_LOCK_FAILED);
  event->text2
      = get_file (import, (guint32) TB_PERF_NUMBER (self, LOCK_DEVICE, raw, size, import->swap),
                  inode);
  event->a = (guint64) TB_PERF_NUMBER (self, LOCK_OWNER, raw, size, import->swap);
  event->b = (guint64) TB_PERF_NUMBER (self, LOCK_FROM, raw, size, import->swap);
  event->c = (guint64) TB_PERF_NUMBER (self, LOCK_TO, raw, size, import->swap);
  tb_perf_import_add (import, event);
}

static void
decode_repeated (const TbPerfTracepoint *self,
                 TbPerfImport *import,
                 const guint8 *raw,
                 gsize size,
                 TbEvent *event)
{
}

/* On these architectures the numbers of locks and releases are other ones. */
static gboolean
has_other_numbers (const char *arch)
{
  return arch != NULL
         && (g_str_has_prefix (arch, "alpha") || g_str_has_prefix (arch, "parisc")
             || g_str_has_prefix (arch, "sparc"));
}

static gboolean
is_of_locks (const TbPerfFormat *format, const char *name)
{
  return g_str_equal (format->system, "filelock") && g_str_equal (format->name, name);
}

void
tb_perf_file_locks_set_presence (TbPerfImport *import, const TbPerfFormat *format)
{
  import->has_range_locks |= is_of_locks (format, "posix_lock_inode");
}

/* fcntl() and the close of a file report what posix_lock_inode reported too. Without that one, they
 * have the results only, not when a thread began to wait. */
TbPerfTracepoint *
tb_perf_tracepoint_new_file_lock (TbPerfImport *import, const TbPerfFormat *format)
{
  gboolean is_flock = is_of_locks (format, "flock_lock_inode");
  gboolean is_summary
      = is_of_locks (format, "fcntl_setlk") || is_of_locks (format, "locks_remove_posix");
  gboolean is_old = tb_perf_format_find (format, "fl_type") != NULL;

  if ((!is_flock && !is_summary && !is_of_locks (format, "posix_lock_inode"))
      || has_other_numbers (import->file->arch))
    return NULL;
  if (import->file_locks == NULL)
    import->file_locks = tb_perf_file_locks_new ();
  return tb_perf_tracepoint_new (format,
                                 is_summary && import->has_range_locks ? decode_repeated
                                                                       : decode_lock,
                                 is_old ? old_lock_fields : lock_fields, TB_EVENT_FILE_LOCK,
                                 is_flock ? TB_FILE_LOCK_FLOCK : TB_FILE_LOCK_FCNTL);
}
