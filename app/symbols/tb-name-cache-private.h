/* tb-name-cache-private.h: cache of the function names at addresses of a file, kept in the user's
 * cache folder: checked and mapped when it is opened, look-up, writing of a new file with added
 * names, removal of old files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <sys/stat.h>

#include "session/schema/tb-entities.h"

G_BEGIN_DECLS

typedef struct _TbNameCache TbNameCache;

/* id: file name of the cache, a build ID. key: everything else that the names depend on, besides
 * this code; names of another key are dropped. Never NULL: a cache that cannot be read is empty. */
TbNameCache *tb_name_cache_open (const char *id, const char *key);
/* Appends what changes when the file is replaced. */
void tb_name_cache_add_file_to_key (GString *key, const char *path, const struct stat *status);
/* Saves what was added, and frees the cache. A failure is ignored. */
void tb_name_cache_close (TbNameCache *self);

/* Appends the names of an address to names (TbFrameName; valid as long as self). Returns whether
 * the address is known; it may be known to have no names. */
gboolean tb_name_cache_find (TbNameCache *self, guint64 address, GArray *names);
/* The names stay owned by the caller, and must be valid until tb_name_cache_close(). */
void tb_name_cache_add (TbNameCache *self, guint64 address, const TbFrameName *names, guint n);
/* Nothing is saved any more: the names depend on more than the key. */
void tb_name_cache_discard (TbNameCache *self);
gboolean tb_name_cache_is_empty (const TbNameCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbNameCache, tb_name_cache_close)

G_END_DECLS
