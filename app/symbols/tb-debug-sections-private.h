/* tb-debug-sections-private.h: sections with debug information, prepared for libdw: what is not
 * needed is left out, the rest is decompressed
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <libelf.h>

G_BEGIN_DECLS

/* Returns what the sections of files refer to: free it after the files, by g_ptr_array_unref(). */
GPtrArray *tb_debug_sections_new (void);

/* Prepares the sections of a file, in memory only, before libdw reads them. elf may be NULL. */
void tb_debug_sections_prepare (GPtrArray *self, Elf *elf);

G_END_DECLS
