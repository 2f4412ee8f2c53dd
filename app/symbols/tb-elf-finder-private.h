/* tb-elf-finder-private.h: search on this machine for an ELF file, its debug file or kallsyms, by
 * build ID, or without one by comparison: at its path, in containers, symbol folders and caches;
 * reading of build IDs
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-mapped-file-private.h"

G_BEGIN_DECLS

/* Returns an open ELF file, or −1. Searches these places for a file with the build ID, in this
 * order: the path itself; the path below the root of process pid (0: none); below the root of the
 * host, for containers; the user's symbol folders; perf's build ID cache; what debuginfod received.
 * *found is its path. */
int tb_elf_finder_open (const char *path, const char *build_id, gint32 pid, char **found);

/* Likewise for a file that was recorded without a build ID, of which only the properties in mapped
 * are known. match is the best result of a comparison. */
int tb_elf_finder_open_mapped (const char *path,
                               const TbMappedFile *mapped,
                               gint32 pid,
                               TbFileMatch *match,
                               char **found);

/* Returns the reason why the file at the path is not the one with the build ID. */
TbFileMatch tb_elf_finder_compare_build (const char *path, const char *build_id);

/* Likewise for a separate debug file, with the user's symbol folders first. code_path is the path
 * of the file with the code. */
int tb_elf_finder_open_debug (const char *build_id,
                              const char *code_path,
                              const char *debuglink,
                              gint32 pid,
                              char **found);

/* Opens the separate debug file of a file without a build ID: the file that its debug link names,
 * if it has the link's CRC. */
int tb_elf_finder_open_debug_link (const char *code_path,
                                   const char *debuglink,
                                   guint32 crc,
                                   gint32 pid,
                                   char **found);

/* Opens the supplementary debug file with that build ID, which several debug files share. name is
 * its file name in the debug file that refers to it, and can be relative to the folder of that. */
int tb_elf_finder_open_supplement (const char *build_id,
                                   const char *name,
                                   const char *debug_path,
                                   gint32 pid,
                                   char **found);

/* Returns the path of perf's copy of kallsyms of the kernel with that build ID, or NULL. */
char *tb_elf_finder_find_kallsyms (const char *build_id);

/* Returns the build ID of an open ELF file in hexadecimal digits, NULL if it has none or is not an
 * ELF file. */
char *tb_elf_read_build_id (int fd);

/* Returns the build ID in an ELF note section or segment (format of /sys/kernel/notes), NULL if
 * there is none. */
char *tb_elf_parse_build_id_notes (const guint8 *notes, gsize length);

G_END_DECLS
