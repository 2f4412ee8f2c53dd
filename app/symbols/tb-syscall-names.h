/* tb-syscall-names.h: names of system calls, as one array by number for each supported machine
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT const char *const *tb_syscall_names_get (const char *machine, guint *n_names);

G_END_DECLS
