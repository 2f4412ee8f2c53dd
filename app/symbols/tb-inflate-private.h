/* tb-inflate-private.h: decompression of zlib's format into memory
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the decompressed content, size bytes; NULL if it has another size, is damaged, or cannot
 * be decompressed here. */
guint8 *tb_inflate (const guint8 *compressed, gsize compressed_size, gsize size);

G_END_DECLS
