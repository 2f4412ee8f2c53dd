/* tb-finding-values.h: validation of the code of a finding and of the names of its values, and
 * checked copy of its values from untrusted JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

gboolean tb_finding_code_is_valid (const char *code);
gboolean tb_finding_value_name_is_valid (const char *name);
/* (transfer full): the values as parsed from JSON; NULL with TB_REPORT_ERROR_FORMAT. */
JsonObject *tb_finding_values_read (JsonObject *values, GError **error);

G_END_DECLS
