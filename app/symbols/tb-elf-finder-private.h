/* tb-elf-finder-private.h: the file that holds the code with a build-id
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An open ELF file, or -1: the first of these whose build-id is the one wanted: the path itself, below the root of process
 * pid (0: none), below the host's root as containers see it, in the
 * user's own folders, in perf's build-id cache. *found is where it was. */
int tb_elf_finder_open (const char *path, const char *build_id, gint32 pid, char **found);

/* Likewise for the file with debugging information alone, the user's own folders first; near is where the code was found. */
int tb_elf_finder_open_debug (const char *build_id,
                              const char *near,
                              const char *debuglink,
                              gint32 pid,
                              char **found);

/* perf's copy of the kallsyms of the kernel with that build-id, or NULL. */
char *tb_elf_finder_find_kallsyms (const char *build_id);

/* The build-id of an open ELF file in hexadecimal digits, NULL if it has none or is no ELF file. */
char *tb_elf_read_build_id (int fd);

/* The build-id in an ELF note section or segment (as /sys/kernel/notes shows it), NULL if none. */
char *tb_elf_parse_build_id_notes (const guint8 *notes, gsize length);

G_END_DECLS
