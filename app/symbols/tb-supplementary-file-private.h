/* tb-supplementary-file-private.h: supplementary debug file (made by dwz) that several debug files
 * share: reading of its build ID from one of them, opening (found by tb-elf-finder), use by libdw;
 * a substitute if it is missing or has only strings
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <elfutils/libdwfl.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbSupplementaryFile TbSupplementaryFile;

/* Finds the supplementary file to which the module's debug information refers, and lets libdw use
 * it. Returns NULL if the module refers to none. To be freed after the module's Dwfl. */
TbSupplementaryFile *tb_supplementary_file_attach (Dwfl_Module *module, gint32 pid);
void tb_supplementary_file_free (TbSupplementaryFile *self);

/* Returns the build ID if no file has it, else NULL. */
const char *tb_supplementary_file_get_missing (const TbSupplementaryFile *self);

/* Reads the reference of an ELF file to its supplementary file: the build ID (NULL: it has none),
 * and the file's name, which can be relative to the folder of the ELF file. */
char *tb_supplementary_file_read_link (int fd, char **name);

/* Whether the callback of libdwfl that finds debug files is called for a supplementary file. */
gboolean tb_supplementary_file_is_sought (const char *debuglink_file, GElf_Word debuglink_crc);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSupplementaryFile, tb_supplementary_file_free)

G_END_DECLS
