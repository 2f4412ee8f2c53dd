/* tb-plt-stubs.h: test for the symbols of PLT stubs, through which a program calls libraries: they
 * are no functions of it
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
