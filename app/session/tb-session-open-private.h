/* tb-session-open-private.h: the connection to a file that is not trusted
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <time.h>

#include "session/tb-session-file-private.h"

G_BEGIN_DECLS

/* Opens the session at path, recovering what a crash left; checks that it is one and of which layout. *writable: whether
 * more can be added to it. *size: how large it is, in bytes. */
TbSessionFile *tb_session_open_file (const char *path,
                                     const char *display_name,
                                     gboolean *writable,
                                     guint64 *size,
                                     GCancellable *cancellable,
                                     GError **error);

/* Looking at a recording is no news in it: when its file or its log was written last, and to have the file say so again after it
 * was recovered. */
void tb_session_note_written (const char *path, struct timespec *time);
void tb_session_keep_written (const char *path, const struct timespec *time);

G_END_DECLS
