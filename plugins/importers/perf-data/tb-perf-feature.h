/* tb-perf-feature.h: parser of the feature sections of a perf.data file: tracepoint formats, build
 * IDs, host, clock, command line, descriptions of events; the more complex ones by other files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-file.h"

G_BEGIN_DECLS

#define TB_PERF_N_FEATURES 256
#define TB_PERF_FEATURE_DIRECTORY 24 /* the file belongs to a folder of several files */

/* Reads a feature section into file; unknown features are ignored. Returns FALSE if the section
 * ends too early. */
gboolean tb_perf_feature_read (TbPerfFile *file, guint feature, const guint8 *at, gsize size);
/* Returns what the section describes, NULL if nothing of it is shown. */
const char *tb_perf_feature_get_content (guint feature);
/* Reads a build ID record. */
void tb_perf_feature_read_build_id (TbPerfFile *file, const guint8 *record, gsize size);

/* Returns the build ID in hexadecimal digits; (transfer full). */
char *tb_perf_build_id_to_text (const guint8 *build_id, gsize size);

G_END_DECLS
