/* tb-perf-feature.h: the feature sections of a perf.data file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-file.h"

G_BEGIN_DECLS

#define TB_PERF_N_FEATURES 256

/* Takes over what a feature's bytes tell; unknown ones are ignored. FALSE if they end too early. */
gboolean tb_perf_feature_read (TbPerfFile *file, guint feature, const guint8 *at, gsize size);
/* Likewise of one build-id record. */
void tb_perf_feature_read_build_id (TbPerfFile *file, const guint8 *record, gsize size);

/* In hexadecimal digits; (transfer full). */
char *tb_perf_build_id_to_text (const guint8 *build_id, gsize size);

G_END_DECLS
