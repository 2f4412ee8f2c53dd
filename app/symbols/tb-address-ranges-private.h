/* tb-address-ranges-private.h: sorting of an array of named address ranges of generated code (from
 * perf maps or jitdump files): later ones replace earlier ones that they overlap, and those that
 * several functions had one after another are marked; look-up by address
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 start;
  guint64 end; /* exclusive */
  gsize name;  /* offset of the name in a text */
  guint order; /* of ranges with the same address the one with the highest order is used */
  guint8 is_module;
  guint8 is_generated; /* code of the kernel that comes and goes */
  guint8 is_reused;    /* several functions had these addresses */
} TbAddressRange;

/* Sorts the ranges (TbAddressRange) by address and ends overlaps: each range that is left has the
 * name of the latest one. Names that are equal are one function. */
void tb_address_ranges_resolve (GArray *ranges, const char *text);

/* Returns the range that contains the address, NULL if there is none. */
const TbAddressRange *tb_address_ranges_find (const GArray *ranges, guint64 address);

G_END_DECLS
