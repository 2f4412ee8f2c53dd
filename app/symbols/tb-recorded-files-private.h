/* tb-recorded-files-private.h: data that a session recorded about mapped files without a build ID
 * (device and inode, page size, mapped ranges, host, end of the recording), collected so that
 * tb-mapped-file can recognize them on this machine
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"
#include "symbols/tb-mapped-file-private.h"

G_BEGIN_DECLS

typedef struct _TbRecordedFiles TbRecordedFiles;

TbRecordedFiles *tb_recorded_files_new (TbSession *session);
void tb_recorded_files_free (TbRecordedFiles *self);

/* The ranges are valid as long as self. */
TbMappedFile tb_recorded_files_get (TbRecordedFiles *self, guint32 module);

/* Whether the recording was made on this host, and until when (ns of the wall clock, 0 if
 * unknown). */
gboolean tb_recorded_files_is_own_host (TbSession *session);
gint64 tb_recorded_files_get_end (TbSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbRecordedFiles, tb_recorded_files_free)

G_END_DECLS
