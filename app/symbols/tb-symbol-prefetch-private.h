/* tb-symbol-prefetch-private.h: what was read while a recording was imported, taken by the
 * symbolizer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-address-names-private.h"
#include "symbols/tb-elf-symbols-private.h"
#include "symbols/tb-symbol-prefetch.h"

G_BEGIN_DECLS

/* Returns the symbols of the file, waiting for them if it is being read; NULL if it was not read
 * or has been taken. */
TbElfSymbols *
tb_symbol_prefetch_take_file (TbSymbolPrefetch *self, const char *path, const char *build_id);
/* Likewise the names of the kernel that runs here, if it is the one with that build ID. */
TbAddressNames *
tb_symbol_prefetch_take_kernel (TbSymbolPrefetch *self, const char *path, const char *build_id);
/* Waits until all files are read, or as many as may be open. */
void tb_symbol_prefetch_wait (TbSymbolPrefetch *self);

G_END_DECLS
