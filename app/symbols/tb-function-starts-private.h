/* tb-function-starts-private.h: where the functions of an ELF file begin that have no names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <libelf.h>

G_BEGIN_DECLS

/* A look into the file's own image: nothing to free, valid as long as that. */
typedef struct
{
  Elf *elf;
  const guint8 *image;
  gsize size;
  const guint8
      *table; /* pairs of a function's start and its unwind entry, sorted, relative to the base; NULL none */
  guint64 base;
  guint32 n;
} TbFunctionStarts;

/* By the index of the unwind table, which programs without symbols have as well: they need it to throw and to clean up. */
void tb_function_starts_init (TbFunctionStarts *self, Elf *elf);

/* The start of the function that an address is in; addresses are those of the program headers. FALSE if none is known. */
gboolean tb_function_starts_find (const TbFunctionStarts *self, guint64 address, guint64 *start);

G_END_DECLS
