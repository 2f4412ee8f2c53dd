/* tb-contexts-json.h: members of summaries that run and compare both write
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-summary.h"

G_BEGIN_DECLS

void tb_contexts_json_add_integer (JsonBuilder *builder, const char *member, gint64 value);
/* NaN: null */
void tb_contexts_json_add_double (JsonBuilder *builder, const char *member, double value);
/* "" and NULL: null */
void tb_contexts_json_add_string (JsonBuilder *builder, const char *member, const char *value);
void tb_contexts_json_add_null (JsonBuilder *builder, const char *member);

/* An element of the frames of a path. */
void
tb_contexts_json_add_frame (JsonBuilder *builder, const TbContextsSummary *self, guint32 node, gboolean hot);
/* How much there is, and how far to trust it. */
void tb_contexts_json_add_facts (JsonBuilder *builder, const TbContextsSummary *self);

G_END_DECLS
