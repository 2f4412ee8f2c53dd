/* tb-table-decode-private.h: chunks of a column, read, decoded and checked into one array by up to
 * two threads
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-store-private.h"
#include "session/file/tb-table-index-private.h"

G_BEGIN_DECLS

/* Reads, decodes and checks a chunk. values has room for all its rows. */
gboolean tb_table_decode_chunk (TbStore *store,
                                TbTableIndex *index,
                                guint column,
                                guint chunk,
                                gpointer values,
                                GError **error);
/* Decodes all chunks of the column, with a second thread if that is faster. */
gboolean tb_table_decode_column (TbStore *store,
                                 TbTableIndex *index,
                                 guint column,
                                 gpointer values,
                                 GError **error);

G_END_DECLS
