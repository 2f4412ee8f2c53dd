/* tb-perf-simpleperf.h: what Android's simpleperf adds to the format of perf.data files:
 * recognition, version, records with event IDs, tracepoint formats and kernel symbols
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-file.h"

G_BEGIN_DECLS

/* First type of simpleperf's own records. Sizes of these records are stored in 32 bits: the upper
 * half is in the place of the flags. */
#define TB_PERF_SIMPLEPERF_FIRST 32768
#define TB_PERF_SIMPLEPERF_END (TB_PERF_SIMPLEPERF_FIRST + 64)

/* Returns whether simpleperf wrote the file, by the features in its header. */
gboolean tb_perf_simpleperf_find (const TbPerfFile *file, const guint8 *feature_bits);
/* Reads names and values about the recording, such as its Android version. */
gboolean tb_perf_simpleperf_read_meta_info (TbPerfFile *file, TbPerfCursor *cursor);
/* Reads the IDs of events and the fields of tracepoints, which are among the records. */
void tb_perf_simpleperf_read_records (TbPerfFile *file);

static inline gboolean
tb_perf_simpleperf_is_record (guint32 type)
{
  return type >= TB_PERF_SIMPLEPERF_FIRST && type < TB_PERF_SIMPLEPERF_END;
}

static inline gsize
tb_perf_simpleperf_get_size (const guint8 *record, gboolean swap)
{
  return (gsize) tb_perf_u16 (record + 4, swap) << 16 | tb_perf_u16 (record + 6, swap);
}

G_END_DECLS
