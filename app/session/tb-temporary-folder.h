/* tb-temporary-folder.h: folder of sessions that live no longer than their process
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-export.h"

G_BEGIN_DECLS

/* A folder that only this user can read, with a lock file that its process holds. A folder whose
 * lock can be taken was left by a process that ended before it removed it, and is removed by the
 * next sweep. What may be in it: files named NAME.tailback, with the logs and the hidden parts
 * that a session writer makes. */
typedef struct _TbTemporaryFolder TbTemporaryFolder;

/* Where it is:
 * TB_TEMPORARY_TMP: in $TMPDIR, else /tmp
 * TB_TEMPORARY_CACHE: in the cache folder of the user, for what may be larger than memory */
typedef enum
{
  TB_TEMPORARY_TMP,
  TB_TEMPORARY_CACHE,
} TbTemporaryPlace;

/* Fails with G_IO_ERROR where there is no room. It belongs to the process and is never freed, so
 * that tb_temporary_folder_remove_all() can look at it at any time. */
TB_EXPORT TbTemporaryFolder *tb_temporary_folder_new (TbTemporaryPlace place, GError **error);
TB_EXPORT const char *tb_temporary_folder_get_path (const TbTemporaryFolder *self);
/* Removes the folder and the sessions in it; other files stay, and the folder with them. */
TB_EXPORT void tb_temporary_folder_remove (TbTemporaryFolder *self);
/* Removes all folders of this process that are left. May be called in a signal handler. */
TB_EXPORT void tb_temporary_folder_remove_all (void);
/* Removes the folders in both places that processes of this user left. Cheap where there is
 * nothing. */
TB_EXPORT void tb_temporary_folder_sweep (void);

G_END_DECLS
