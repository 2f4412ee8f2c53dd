/* tb-running-kernel-private.h: function names of the kernel that runs on this machine, for given
 * addresses: from a cache of names looked up earlier since it was booted (tb-name-cache), else from
 * /proc/kallsyms, and then kept in that cache
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-address-names-private.h"

G_BEGIN_DECLS

#define TB_RUNNING_KERNEL_PATH "/proc/kallsyms"

/* Returns the names of all functions, or only those of these addresses if all of them were found
 * earlier. start: the recorded start of the kernel's code, "_text ffffffff81000000", or NULL. */
TbAddressNames *
tb_running_kernel_load_names (const guint64 *addresses, gsize n, const char *start, GError **error);

G_END_DECLS
