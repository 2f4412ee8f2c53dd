/* tb-perf-syscalls.h: names of system calls by number
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names for a machine ("x86_64", "aarch64", …); entries may be NULL. Returns NULL and 0 for an
 * unknown machine. */
const char *const *tb_perf_syscalls_get_names (const char *machine, guint *n_names);

G_END_DECLS
