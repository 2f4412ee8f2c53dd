/* tb-session-open-private.h: opening of a session file that may be damaged or hostile: checks of
 * its header and schema, restricted SQLite, recovery after a crash, in a private copy if necessary;
 * modification time kept
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <time.h>

#include "session/file/tb-session-file-private.h"

G_BEGIN_DECLS

/* Opens the session at path, after recovering it from a crash if needed. Checks that it is a
 * session and its format version. *writable: whether data can be added to it. *size: its size in
 * bytes. */
TbSessionFile *tb_session_open_file (const char *path,
                                     const char *display_name,
                                     gboolean *writable,
                                     gboolean *lacks_log,
                                     guint64 *size,
                                     GCancellable *cancellable,
                                     GError **error);

/* Opening a recording must not change its modification time. tb_session_get_modification_time()
 * gets the time at which the file or its log was last written;
 * tb_session_restore_modification_time() restores it after a recovery. */
void tb_session_get_modification_time (const char *path, struct timespec *time);
void tb_session_restore_modification_time (const char *path, const struct timespec *time);

G_END_DECLS
