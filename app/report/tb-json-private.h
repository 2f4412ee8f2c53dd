/* tb-json-private.h: checked reading of members from untrusted JSON, and writing of optional
 * members
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Each function fails with TB_REPORT_ERROR_FORMAT and a message with the member and the expected
 * type. Strings and arrays are owned by the object. */
gboolean tb_json_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean tb_json_get_object (JsonNode *node, const char *what, JsonObject **object, GError **error);
gboolean
tb_json_get_string (JsonObject *object, const char *name, const char **text, GError **error);
/* A member that is absent or null gives NULL. */
gboolean tb_json_get_optional_string (JsonObject *object,
                                      const char *name,
                                      const char **text,
                                      GError **error);
gboolean tb_json_get_integer (JsonObject *object,
                              const char *name,
                              gint64 least,
                              gint64 greatest,
                              gint64 *value,
                              GError **error);
/* A member that is absent or null gives the default value. */
gboolean tb_json_get_optional_integer (JsonObject *object,
                                       const char *name,
                                       gint64 least,
                                       gint64 greatest,
                                       gint64 default_value,
                                       gint64 *value,
                                       GError **error);
/* A member that is absent or null gives NaN. */
gboolean
tb_json_get_optional_double (JsonObject *object, const char *name, double *value, GError **error);
gboolean
tb_json_get_boolean (JsonObject *object, const char *name, gboolean *value, GError **error);
gboolean tb_json_get_array (JsonObject *object,
                            const char *name,
                            guint greatest_length,
                            JsonArray **array,
                            GError **error);
/* An array of exactly n integers, copied into a new array. */
gint64 *tb_json_get_integers (JsonObject *object,
                              const char *name,
                              guint n,
                              gint64 least,
                              gint64 greatest,
                              GError **error);
/* An array of strings. Free with g_strfreev(). */
char **
tb_json_get_strings (JsonObject *object, const char *name, guint greatest_length, GError **error);
gboolean tb_json_node_get_integer (JsonNode *node, gint64 *value);
const char *tb_json_node_get_string (JsonNode *node);

/* JSON integers are signed 64-bit: a larger value is written as the largest of them. */
void tb_json_add_unsigned (JsonBuilder *builder, guint64 value);
/* null if the value is NULL, not finite, or TB_TIME_NONE */
void tb_json_add_string_or_null (JsonBuilder *builder, const char *text);
void tb_json_add_double_or_null (JsonBuilder *builder, double value);
void tb_json_add_time_or_null (JsonBuilder *builder, gint64 time);
void tb_json_add_strings (JsonBuilder *builder, const char *const *texts);

G_END_DECLS
