/* tb-elf-symbols-private.h: functions, inlined ones with source lines too, and variables at the
 * addresses of an ELF file or of the vDSO, from its symbol tables, DWARF and unwind table
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/schema/tb-entities.h"
#include "symbols/tb-mapped-file-private.h"

G_BEGIN_DECLS

typedef struct _TbElfSymbols TbElfSymbols;

/* Opens the file with that build ID (see tb-elf-finder) and its separate debug file, if there is
 * one. Fails with a one-line error. */
TbElfSymbols *
tb_elf_symbols_open (const char *path, const char *build_id, gint32 pid, GError **error);
/* Likewise for a file that was recorded without a build ID. match is the best result of a
 * comparison with the files that were found; the names are certain only with
 * TB_FILE_MATCH_VERIFIED. */
TbElfSymbols *tb_elf_symbols_open_mapped (const char *path,
                                          const TbMappedFile *mapped,
                                          gint32 pid,
                                          TbFileMatch *match,
                                          GError **error);
/* Returns the path of the file. */
const char *tb_elf_symbols_get_path (TbElfSymbols *self);
/* Returns the build ID of the supplementary debug file if that is needed and missing, else NULL.
 * Known after the first look-up with inlined functions. */
const char *tb_elf_symbols_get_missing_supplement (TbElfSymbols *self);
/* Opens the vDSO of this process, which is in no file, if it has that build ID. Recordings seldom
 * have its build ID; a recording from the current boot (same_boot) is accepted instead. */
TbElfSymbols *tb_elf_symbols_open_vdso (const char *build_id, gboolean same_boot, GError **error);
/* Reads what every look-up needs, unless names are known from earlier look-ups, which may suffice.
 * It would otherwise be read at the first look-up. Returns whether it was read. */
gboolean tb_elf_symbols_prepare (TbElfSymbols *self, gboolean inlines);
void tb_elf_symbols_free (TbElfSymbols *self);

/* Appends the functions at an offset of the file to names, innermost first (TbFrameName; the
 * strings are valid as long as self). Without inlines only the symbol is appended. For a function
 * without a name, only its start is known. Returns FALSE if nothing is known. */
gboolean tb_elf_symbols_find (TbElfSymbols *self, guint64 offset, gboolean inlines, GArray *names);

/* Likewise for a variable. distance is the distance from where the file's first page is mapped. The
 * name has a suffix like "+0x8" if the variable begins before that. */
gboolean tb_elf_symbols_find_variable (TbElfSymbols *self, guint64 distance, GArray *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbElfSymbols, tb_elf_symbols_free)

G_END_DECLS
