/* tb-session-image-private.h: placing of a finished session file under its name in one atomic step,
 * from a database in memory or from a temporary file; check of the target before; removal of
 * leftover temporary files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session-file-private.h"

G_BEGIN_DECLS

/* Returns the path of a new session at file, with links resolved. Fails if the file exists and may
 * not be replaced, if it is not a regular file, or if its folder is not writable.
 *
 * The file of a first commit has no name until it is complete, so that a process that is killed
 * leaves nothing behind. A hidden file ".NAME.xxxxxxxx" can remain if the process is killed while
 * it replaces a file or saves a copy, or if the file system has no unnamed files. This function
 * removes such files of the same NAME if they have not been written to for an hour. */
char *tb_session_image_prepare (GFile *file, gboolean overwrite, GError **error);
/* Writes the database to path atomically: no reader ever sees a part of it. With synchronize, it is
 * on the disk when this returns. */
gboolean tb_session_image_place (TbSessionFile *image,
                                 const char *path,
                                 gboolean overwrite,
                                 gboolean synchronize,
                                 GError **error);
/* Returns a hidden name next to path that is probably not in use. */
char *tb_session_image_make_temporary_name (const char *path);
/* Moves a finished file to path in the same folder. */
gboolean tb_session_image_move (const char *name,
                                const char *path,
                                gboolean overwrite,
                                const char *display_name,
                                GError **error);
/* Removes the file and its logs. */
void tb_session_image_remove (const char *path);

G_END_DECLS
