/* tb-debuginfod-cache-private.h: cache of debuginfod, shared with elfutils: its folder, look-up of
 * a received file, writing of one that is being received, and a record for some time of those that
 * no server has
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "symbols/debuginfod/tb-debuginfod-kind.h"

G_BEGIN_DECLS

/* Returns the last part of the path of files of a kind, in the cache and on servers. */
const char *tb_debuginfod_kind_get_name (TbDebuginfodKind kind);
/* Returns TRUE for a build ID that servers accept: lower-case digits, an even number. */
gboolean tb_debuginfod_is_build_id (const char *build_id);

/* Returns the path of a received file with that build ID, NULL if there is none. The caller checks
 * the contents. Does not use the network. */
char *tb_debuginfod_cache_find (const char *build_id, TbDebuginfodKind kind);

/* Returns TRUE if no server had the file a short time ago, as the cache remembers it. */
gboolean tb_debuginfod_cache_is_miss (const char *build_id, TbDebuginfodKind kind);
/* Remembers that no server has the file. Failures are ignored: the servers are asked again. */
void tb_debuginfod_cache_add_miss (const char *build_id, TbDebuginfodKind kind);

/* A file that is being received. It gets its name only when it is complete. */
typedef struct
{
  int fd;
  char *path;
  char *temporary;
} TbDebuginfodCacheEntry;

gboolean tb_debuginfod_cache_entry_open (TbDebuginfodCacheEntry *entry,
                                         const char *build_id,
                                         TbDebuginfodKind kind,
                                         GError **error);
gboolean tb_debuginfod_cache_entry_write (TbDebuginfodCacheEntry *entry,
                                          const guint8 *bytes,
                                          gsize length,
                                          GError **error);
/* Gives the file its name. modified: seconds since the epoch, 0 if unknown. */
gboolean
tb_debuginfod_cache_entry_keep (TbDebuginfodCacheEntry *entry, gint64 modified, GError **error);
/* Removes the file unless it was kept. */
void tb_debuginfod_cache_entry_clear (TbDebuginfodCacheEntry *entry);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbDebuginfodCacheEntry, tb_debuginfod_cache_entry_clear)

G_END_DECLS
