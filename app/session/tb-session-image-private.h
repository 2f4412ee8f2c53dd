/* tb-session-image-private.h: puts a finished database in its place in one step
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-session-file-private.h"

G_BEGIN_DECLS

/* The path where a session for file would go (links followed). Fails where the file exists and may not be replaced, is
 * no regular file, or its folder cannot take it.
 *
 * A first commit has no name until it is whole, so that one that is killed leaves nothing. Killed while it replaces a file,
 * while a copy is saved, or where the file system knows no unnamed files, a hidden ".NAME.xxxxxxxx" may stay; this removes those
 * of the same NAME that nobody has written to for an hour. */
char *tb_session_image_prepare (GFile *file, gboolean overwrite, GError **error);
/* Writes the database to path: no reader ever sees half of it. */
gboolean tb_session_image_place (TbSessionFile *image, const char *path, gboolean overwrite, GError **error);
/* A hidden name beside path that is free, as far as can be told. */
char *tb_session_image_make_temporary_name (const char *path);
/* Moves a finished file in the same folder to path. */
gboolean tb_session_image_move (const char *name,
                                const char *path,
                                gboolean overwrite,
                                const char *display_name,
                                GError **error);
/* Removes the file with its logs. */
void tb_session_image_remove (const char *path);

G_END_DECLS
