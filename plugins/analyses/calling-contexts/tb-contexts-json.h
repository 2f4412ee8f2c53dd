/* tb-contexts-json.h: parts that the JSON summaries of one recording and of a comparison have in
 * common: counts, frames, facts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-json-members.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* Adds a number of calls as "count", which is unknown where samples are counted, and a number of
 * samples as "samples". Both are unknown without is_known. */
void tb_contexts_json_add_counts (JsonBuilder *builder,
                                  gboolean by_samples,
                                  gboolean is_known,
                                  guint64 count);

/* Adds an element to the frames of a path. */
void tb_contexts_json_add_frame (JsonBuilder *builder,
                                 const TbContextsSummary *self,
                                 guint32 node,
                                 gboolean hot);
/* Adds the amounts of data and their coverage. */
void tb_contexts_json_add_facts (JsonBuilder *builder, const TbContextsSummary *self);

G_END_DECLS
