/* tb-unwind-files-private.h: mapping of a process: structure, and opening of its file for the
 * unwinder, found by tb-elf-finder by build ID, or else by what was recorded of all mappings of
 * that file
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-mapped-file-private.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 start;
  guint64 length;
  guint64 offset;
  char *path;
  char *build_id;    /* NULL: unknown */
  TbModuleFile file; /* of a file without a build ID */
} TbUnwindMapping;

/* Opens the file of a mapping (index in mappings, of TbUnwindMapping). Returns −1 if it is not
 * found or contradicts what was recorded. recording: host, end and page size of the recording.
 * is_unverified: nothing but its code shows that it is the recorded file. */
int tb_unwind_files_open (const GArray *mappings,
                          guint index,
                          gint32 pid,
                          const TbMappedFile *recording,
                          gboolean *is_unverified,
                          char **found);

G_END_DECLS
