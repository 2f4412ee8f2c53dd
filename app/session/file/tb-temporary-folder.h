/* tb-temporary-folder.h: temporary folder for session files, removed at the end of its process or,
 * after a crash, by a later one
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/* A folder that only this user can read, with a lock file that its process holds. If the lock can
 * be taken, the folder was left by a process that ended before it removed the folder; the next
 * sweep removes it. The folder may contain files named NAME.tailback, their logs and the hidden
 * temporary files of a session writer. */
typedef struct _TbTemporaryFolder TbTemporaryFolder;

/* TB_TEMPORARY_TMP: in $TMPDIR, else /tmp.
 * TB_TEMPORARY_CACHE: in the cache folder of the user, for files that may be larger than memory. */
typedef enum
{
  TB_TEMPORARY_TMP,
  TB_TEMPORARY_CACHE,
} TbTemporaryPlace;

/* Fails with G_IO_ERROR if there is no room. The folder belongs to the process and is never freed,
 * so that tb_temporary_folder_remove_all() can access it at any time. */
TB_EXPORT TbTemporaryFolder *tb_temporary_folder_new (TbTemporaryPlace place, GError **error);
TB_EXPORT const char *tb_temporary_folder_get_path (const TbTemporaryFolder *self);
/* Removes the folder and the sessions in it. Other files stay, and then the folder stays too. */
TB_EXPORT void tb_temporary_folder_remove (TbTemporaryFolder *self);
/* Removes all remaining folders of this process. May be called in a signal handler. */
TB_EXPORT void tb_temporary_folder_remove_all (void);
/* Removes the folders that processes of this user left in both places. Cheap if there are none. */
TB_EXPORT void tb_temporary_folder_sweep (void);

G_END_DECLS
