/* tb-contexts-json-members.c: functions that add a member to a JSON object that is being written:
 * integer, number or text, null if it is unknown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-contexts-json-members.h"

void
tb_contexts_json_add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

void
tb_contexts_json_add_double (JsonBuilder *builder, const char *member, double value)
{
  json_builder_set_member_name (builder, member);
  if (isnan (value))
    json_builder_add_null_value (builder);
  else
    json_builder_add_double_value (builder, value);
}

void
tb_contexts_json_add_string (JsonBuilder *builder, const char *member, const char *value)
{
  json_builder_set_member_name (builder, member);
  if (value != NULL && *value != '\0')
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
tb_contexts_json_add_null (JsonBuilder *builder, const char *member)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_null_value (builder);
}
