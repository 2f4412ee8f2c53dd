/* tb-perf-inflate.h: decompression of the zstd-compressed records of a perf.data file, and memory
 * for them until their time has passed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbPerfInflate TbPerfInflate;

TbPerfInflate *tb_perf_inflate_new (void);
void tb_perf_inflate_free (TbPerfInflate *self);

/* Begins another compressed stream. Keeps what was decompressed. */
void tb_perf_inflate_restart (TbPerfInflate *self);
/* Adds compressed bytes; they must stay valid until all of them are used. */
void tb_perf_inflate_feed (TbPerfInflate *self, const guint8 *at, gsize size);
/* Decompresses more bytes after those not consumed yet: the unconsumed bytes are [*from, *from +
 * *size). Returns FALSE if there are no more, or if the bytes are damaged (*failed). */
gboolean
tb_perf_inflate_next (TbPerfInflate *self, const guint8 **from, gsize *size, gboolean *failed);
/* Marks the first consumed bytes as complete records up to the time latest. They stay valid until
 * that time has passed. */
void tb_perf_inflate_consume (TbPerfInflate *self, gsize consumed, gint64 latest);
void tb_perf_inflate_advance (TbPerfInflate *self, gint64 time);
/* Memory in use. */
gsize tb_perf_inflate_get_size (const TbPerfInflate *self);
/* Number of bytes that are not a complete record yet. */
gsize tb_perf_inflate_get_left (const TbPerfInflate *self);

G_END_DECLS
