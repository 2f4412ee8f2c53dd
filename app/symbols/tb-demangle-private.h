/* tb-demangle-private.h: demangling of C++, Rust and D function names, without the suffixes of
 * compilers
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the name with C++, Rust and D mangling undone. Other names are unchanged. A clone
 * suffix of the compiler (".constprop.0") is removed. */
char *tb_demangle (const char *name);
/* Length of the name without such a suffix. */
gsize tb_demangle_get_length (const char *name);

/* Demangles a name of Rust's scheme "v0". Returns NULL if it is not one. */
char *tb_demangle_rust (const char *name);
/* Returns the name with the escapes of Rust's legacy scheme replaced, after C++ demangling. */
char *tb_demangle_rust_legacy (const char *demangled);
/* Demangles a name of the language D: without types, and without the arguments of templates.
 * Returns NULL if it is not one. */
char *tb_demangle_d (const char *name);

G_END_DECLS
