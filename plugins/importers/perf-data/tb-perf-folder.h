/* tb-perf-folder.h: folders in which "perf record --threads" and "--kcore" write their files:
 * recognition, main file, further files of records, kernel symbols
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-file.h"

G_BEGIN_DECLS

/* Returns 0…100: the confidence that perf wrote this folder. */
int tb_perf_folder_sniff (GFile *folder);
/* Likewise for the first bytes of a file of records in such a folder. */
int tb_perf_folder_sniff_part (const guint8 *head, gsize length, const char *name);

/* Returns the file that has the header: that of the folder, also if the given file is another one
 * of the same folder; otherwise the given file. */
GFile *tb_perf_folder_find_main (GFile *file);

/* Opens the files of records beside the main file, if its header belongs to a folder. */
gboolean tb_perf_folder_open_parts (TbPerfFile *self,
                                    GFile *main_file,
                                    GCancellable *cancellable,
                                    GError **error);

/* Reads the names of the recorded kernel, which "perf record --kcore" copies. A folder without them
 * is no error. */
void tb_perf_folder_read_kallsyms (TbPerfFile *self, GFile *main_file, GCancellable *cancellable);

G_END_DECLS
