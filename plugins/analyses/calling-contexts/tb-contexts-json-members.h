/* tb-contexts-json-members.h: functions that add a member to a JSON object that is being written:
 * integer, number or text, null if it is unknown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

void tb_contexts_json_add_integer (JsonBuilder *builder, const char *member, gint64 value);
/* NaN is written as null. */
void tb_contexts_json_add_double (JsonBuilder *builder, const char *member, double value);
/* "" and NULL are written as null. */
void tb_contexts_json_add_string (JsonBuilder *builder, const char *member, const char *value);
void tb_contexts_json_add_null (JsonBuilder *builder, const char *member);

G_END_DECLS
