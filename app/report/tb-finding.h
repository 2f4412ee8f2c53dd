/* tb-finding.h: finding of a report: a sentence with severity, code, named values, weight, time
 * range, threads, stack and items of figures; to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "base/tb-base.h"

G_BEGIN_DECLS

/**
 * TbSeverity:
 * @TB_SEVERITY_INFO: a fact, without a fault
 * @TB_SEVERITY_LOW: of little effect
 * @TB_SEVERITY_MEDIUM: worth a look
 * @TB_SEVERITY_HIGH: the main thing to look at
 *
 * How important a finding is for the user.
 */
typedef enum
{
  TB_SEVERITY_INFO,
  TB_SEVERITY_LOW,
  TB_SEVERITY_MEDIUM,
  TB_SEVERITY_HIGH,
} TbSeverity;

#define TB_TYPE_FINDING (tb_finding_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbFinding, tb_finding, TB, FINDING, GObject)

TB_EXPORT TbFinding *
tb_finding_new (TbSeverity severity, const char *text, gint64 weight_ns, double share);
TB_EXPORT void tb_finding_set_code (TbFinding *self, const char *code);
/* The numbers and names of the sentence; times end in "_ns". */
TB_EXPORT void tb_finding_set_integer (TbFinding *self, const char *name, gint64 value);
/* TB_TIME_NONE: unknown. */
TB_EXPORT void tb_finding_set_time (TbFinding *self, const char *name, gint64 ns);
TB_EXPORT void tb_finding_set_number (TbFinding *self, const char *name, double value);
TB_EXPORT void tb_finding_set_string (TbFinding *self, const char *name, const char *value);
TB_EXPORT void tb_finding_set_strings (TbFinding *self, const char *name, const char *const *value);
TB_EXPORT void tb_finding_set_range (TbFinding *self, gint64 from, gint64 to);
TB_EXPORT void tb_finding_add_thread (TbFinding *self, guint32 thread);
TB_EXPORT void tb_finding_set_stack (TbFinding *self, const char *const *functions);
TB_EXPORT void tb_finding_set_place (TbFinding *self, const char *figure, const char *item);
TB_EXPORT void tb_finding_add_place (TbFinding *self, const char *figure, const char *item);

/* The first fault in the data that were set, NULL if there was none. */
TB_EXPORT const char *tb_finding_get_fault (TbFinding *self);
TB_EXPORT TbSeverity tb_finding_get_severity (TbFinding *self);
TB_EXPORT const char *tb_finding_get_code (TbFinding *self);
TB_EXPORT JsonObject *tb_finding_get_values (TbFinding *self);
TB_EXPORT const char *tb_finding_get_text (TbFinding *self);
TB_EXPORT gint64 tb_finding_get_weight (TbFinding *self);
TB_EXPORT double tb_finding_get_share (TbFinding *self);
TB_EXPORT gboolean tb_finding_get_range (TbFinding *self, gint64 *from, gint64 *to);
TB_EXPORT const guint32 *tb_finding_get_threads (TbFinding *self, guint *n_threads);
TB_EXPORT const char *const *tb_finding_get_stack (TbFinding *self);
TB_EXPORT const char *tb_finding_get_figure (TbFinding *self);
TB_EXPORT const char *tb_finding_get_item (TbFinding *self);
TB_EXPORT guint tb_finding_get_n_places (TbFinding *self);
TB_EXPORT const char *tb_finding_get_place (TbFinding *self, guint index, const char **item);
TB_EXPORT const char *tb_finding_find_item (TbFinding *self, const char *figure);

TB_EXPORT const char *tb_severity_get_name (TbSeverity severity);
TB_EXPORT JsonNode *tb_finding_to_json (TbFinding *self);
TB_EXPORT TbFinding *tb_finding_from_json (JsonNode *node, GError **error);

G_END_DECLS
