/* tb-elf-symbols-private.h: the functions and variables of one ELF file
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/tb-entities.h"

G_BEGIN_DECLS

typedef struct _TbElfSymbols TbElfSymbols;

/* Opens the file with that build-id (see tb-elf-finder) and what separate debug file there is for it. Fails with one
 * clear line. */
TbElfSymbols *tb_elf_symbols_open (const char *path, const char *build_id, gint32 pid, GError **error);
/* The vdso of this process, if it is the one with that build-id: it is in no file. Recordings seldom know its build-id; that
 * they were made since this boot is as good. */
TbElfSymbols *tb_elf_symbols_open_vdso (const char *build_id, gboolean same_boot, GError **error);
void tb_elf_symbols_free (TbElfSymbols *self);

/* Appends the functions at an offset of the file, innermost first, to names (of TbFrameName; strings live as long as self).
 * Without inlines: the symbol alone. Of a function without a name where it begins. FALSE if nothing is known of it. */
gboolean tb_elf_symbols_find (TbElfSymbols *self, guint64 offset, gboolean inlines, GArray *names);

/* Likewise the variable that lies so far from where the file's first page is mapped: its name, with "+0x8" where it begins
 * before. */
gboolean tb_elf_symbols_find_variable (TbElfSymbols *self, guint64 distance, GArray *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbElfSymbols, tb_elf_symbols_free)

G_END_DECLS
