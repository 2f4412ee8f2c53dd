/* tb-address-names-private.h: function names by address, read from kallsyms or perf maps; names of
 * a kernel moved to another load address
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _TbAddressNames TbAddressNames;

/* Names of address ranges from a text file with lines of the form "ADDRESS TYPE NAME [MODULE]"
 * (kallsyms) or "ADDRESS SIZE NAME" (perf map). Both functions fail with a one-line error that
 * contains the file name. */
TbAddressNames *tb_address_names_load_kallsyms (const char *path, GError **error);
TbAddressNames *tb_address_names_load_perf_map (const char *path, guint owner, GError **error);
/* Likewise from a text in one of the two formats. */
TbAddressNames *tb_address_names_load_text (const char *text, gboolean kallsyms);
void tb_address_names_free (TbAddressNames *self);

/* Returns NULL if no range contains the address. The string is valid as long as self. */
const char *tb_address_names_find (TbAddressNames *self, guint64 address);

/* Whether the list has several functions for the address: memory was used again. The name is that
 * of the last. */
gboolean tb_address_names_is_reused (TbAddressNames *self, guint64 address);

/* Likewise, in name. Returns FALSE if the address is, or may later be, that of code that the kernel
 * generates while it runs. */
gboolean
tb_address_names_find_lasting (const TbAddressNames *self, guint64 address, const char **name);

/* Address of the start of the kernel's code according to kallsyms; symbol: "_text" or "_stext". 0
 * if it is not listed. */
guint64 tb_address_names_get_kernel_start (const TbAddressNames *self, const char *symbol);
/* Sets those of _text and _stext. */
void tb_address_names_set_kernel_start (TbAddressNames *self, guint64 text, guint64 stext);
/* Moves the kernel's names by a distance, for a kernel that was loaded elsewhere in another boot.
 * The places of its modules in that boot are unknown: they lose their names. */
void tb_address_names_relocate_kernel (TbAddressNames *self, guint64 distance);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAddressNames, tb_address_names_free)

G_END_DECLS
