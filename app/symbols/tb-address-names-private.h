/* tb-address-names-private.h: names of addresses from text files: kallsyms and perf maps
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _TbAddressNames TbAddressNames;

/* Names of ranges of addresses, from text with a line "ADDRESS TYPE NAME [MODULE]" each (kallsyms) or "ADDRESS SIZE NAME"
 * (perf map). Both fail with one clear line naming the file. */
TbAddressNames *tb_address_names_load_kallsyms (const char *path, GError **error);
TbAddressNames *tb_address_names_load_perf_map (const char *path, guint owner, GError **error);
void tb_address_names_free (TbAddressNames *self);

/* NULL where no range covers the address. Lives as long as the names. */
const char *tb_address_names_find (TbAddressNames *self, guint64 address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAddressNames, tb_address_names_free)

G_END_DECLS
