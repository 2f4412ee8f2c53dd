/* tb-demangle-private.h: demangling of function names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the name with C++ and Rust (legacy) mangling undone. Other names are unchanged. A clone
 * suffix of the compiler (".constprop.0") is removed. */
char *tb_demangle (const char *name);
/* Length of the name without such a suffix. */
gsize tb_demangle_get_length (const char *name);

G_END_DECLS
