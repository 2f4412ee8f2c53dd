/* tb-plt-stubs.h: test whether a symbol is a PLT stub, through which a program calls libraries, by
 * the suffix that the linker mold gives it ($plt): such symbols are no functions of the program
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* mold gives names to the PLT stubs through which a program calls libraries; other linkers do
 * not. */
static inline gboolean
tb_symbol_is_plt_stub (const char *name)
{
  return g_str_has_suffix (name, "$plt") || g_str_has_suffix (name, "$pltgot");
}

G_END_DECLS
