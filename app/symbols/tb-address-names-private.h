/* tb-address-names-private.h: function names by address, read from kallsyms or perf maps
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
void tb_address_names_free (TbAddressNames *self);

/* Returns NULL if no range contains the address. The string is valid as long as self. */
const char *tb_address_names_find (TbAddressNames *self, guint64 address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAddressNames, tb_address_names_free)

G_END_DECLS
