/* tb-trace-libc-names-private.h: names of functions of the C library as programs call them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether the module (a file name) is the C library or its dynamic linker. */
gboolean tb_is_libc (const char *module);
/* Whether the module has no functions of a program: C library, linker, vDSO, kernel. */
gboolean tb_is_system_module (const char *module);
/* "read" of "__GI___libc_read" in the C library: a part of the name; else the name. */
const char *tb_get_libc_name (const char *function, const char *module);
/* Whether it is a function of the C library that only serves another one, by its name there. */
gboolean tb_is_inner_libc_function (const char *function);

G_END_DECLS
