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

/* Whether the kernel that runs here has that build ID. */
gboolean tb_running_kernel_has_build_id (const char *build_id);

/* Returns the names of all functions of the kernel if it has that build ID and none of its names
 * are known from earlier, else NULL. */
TbAddressNames *tb_running_kernel_prefetch (const char *build_id);

/* Returns the names of all functions, or only those of these addresses if all of them were found
 * earlier. start: the recorded start of the kernel's code, "_text ffffffff81000000", or NULL.
 * all (transfer full): the names of all functions if they were read before, or NULL. */
TbAddressNames *tb_running_kernel_load_names (const guint64 *addresses,
                                              gsize n,
                                              const char *start,
                                              TbAddressNames *all,
                                              GError **error);

G_END_DECLS
