/* tb-function-table-private.h: distinct functions of a trace by name, module and whether they are
 * kernel code, numbered in the order in which they are added
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *name;
  const char *module;
  gboolean kernel;
} TbFunction;

typedef struct _TbFunctionTable TbFunctionTable;

TbFunctionTable *tb_function_table_new (void);
void tb_function_table_free (TbFunctionTable *self);

/* Returns the text that stands for a module: one pointer for each distinct name. */
const char *tb_function_table_intern_module (TbFunctionTable *self, const char *module);
/* Returns the number of the function. module is from tb_function_table_intern_module(); name is
 * copied if it is new. */
guint32 tb_function_table_intern (TbFunctionTable *self,
                                  const char *name,
                                  const char *module,
                                  gboolean kernel);
const TbFunction *tb_function_table_get (const TbFunctionTable *self, guint32 function);
guint tb_function_table_get_n (const TbFunctionTable *self);

G_END_DECLS
