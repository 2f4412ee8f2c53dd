/* tb-module-file.h: device, inode and protection of the file that was mapped as a module, which
 * identify it without a build ID; functions to record them and to get them from a session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "session/file/tb-session.h"

G_BEGIN_DECLS

/**
 * TbModuleFile:
 * @major: device number, as the kernel shows it in the mappings of a process
 * @minor: device number
 * @inode: inode number, 0 if unknown
 * @protection: union of the protections (`PROT_READ`, …) of the recorded mappings of the file, 0 if
 * unknown: then the mappings may include some that are not executable; `PROT_EXEC` alone if only
 * that is known
 *
 * The file that was mapped. It identifies a file that was recorded without a build ID.
 */
typedef struct
{
  guint32 major;
  guint32 minor;
  guint64 inode;
  guint32 protection;
} TbModuleFile;

/* NULL if nothing is known about the file of the module. */
TB_EXPORT const TbModuleFile *tb_session_get_module_file (TbSession *self, guint32 module);
/* Like tb_recorder_intern_module(), for a file. */
TB_EXPORT guint32 tb_recorder_intern_file (TbRecorder *self,
                                           const char *path,
                                           const char *build_id,
                                           const TbModuleFile *file,
                                           gint32 pid);

G_END_DECLS
