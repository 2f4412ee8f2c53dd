/* tb-demangle-private.h: function names as their programmers wrote them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* C++ and Rust (legacy mangling) names demangled, others as they are; a compiler's clone suffix (".constprop.0") dropped. */
char *tb_demangle (const char *name);
/* Of a name without such a suffix. */
gsize tb_demangle_get_length (const char *name);

G_END_DECLS
