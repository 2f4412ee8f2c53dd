/* tb-function-starts-private.h: start of the function at an address for which an ELF file has no
 * symbol, from its unwind table
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <libelf.h>

G_BEGIN_DECLS

/* A view of the file's image: nothing has to be freed, and it is valid as long as the image. */
typedef struct
{
  Elf *elf;
  const guint8 *image;
  gsize size;
  /* sorted pairs of function start and unwind entry, relative to the base; NULL: none */
  const guint8 *table;
  guint64 base;
  guint32 n;
} TbFunctionStarts;

/* Uses the index of the unwind table. Programs without symbols have it too, because exceptions and
 * cleanups need it. */
void tb_function_starts_init (TbFunctionStarts *self, Elf *elf);

/* Finds the start of the function that contains the address; addresses are those of the program
 * headers. Returns FALSE if it is unknown. */
gboolean tb_function_starts_find (const TbFunctionStarts *self, guint64 address, guint64 *start);

G_END_DECLS
