/* tb-perf-inflate.h: records that were compressed with zstd, and the memory they live in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbPerfInflate TbPerfInflate;

TbPerfInflate *tb_perf_inflate_new (void);
void tb_perf_inflate_free (TbPerfInflate *self);

/* Hands over compressed bytes; they must stay until all of them are used. */
void tb_perf_inflate_feed (TbPerfInflate *self, const guint8 *at, gsize size);
/* Decompresses more of them behind what was not consumed yet: all of that is [*from, *from + *size). FALSE if there is
 * nothing more, or (*failed) the bytes are damaged. */
gboolean tb_perf_inflate_next (TbPerfInflate *self, const guint8 **from, gsize *size, gboolean *failed);
/* The first consumed bytes were whole records, the latest of them of this time; they stay until it has passed. */
void tb_perf_inflate_consume (TbPerfInflate *self, gsize consumed, gint64 latest);
void tb_perf_inflate_pass (TbPerfInflate *self, gint64 time);
/* Memory in use. */
gsize tb_perf_inflate_get_size (const TbPerfInflate *self);
/* Bytes that are no whole record yet. */
gsize tb_perf_inflate_get_left (const TbPerfInflate *self);

G_END_DECLS
