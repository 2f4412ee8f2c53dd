/* tb-module-file.h: device, inode and protection of the file that was mapped as a module, which
 * identify it without a build ID
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

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

G_END_DECLS
