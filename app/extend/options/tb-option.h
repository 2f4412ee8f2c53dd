/* tb-option.h: options of plug-ins, which are GObject properties: declared choices, units, groups,
 * checks and facts; setting from text, value as text and as JSON, description for display, copying;
 * text of a list or a duration
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "base/tb-export.h"
#include "extend/tb-extend-error.h"

G_BEGIN_DECLS

TB_EXPORT gboolean tb_option_set_from_text (GObject *plugin,
                                            const char *name,
                                            const char *text,
                                            GError **error);
TB_EXPORT char *tb_option_get_as_text (GObject *plugin, const char *name);
/* Splits a comma-separated list of names. Names may have commas within brackets; a backslash makes
 * the next comma or bracket literal. */
TB_EXPORT char **tb_option_split_list (const char *text);
TB_EXPORT char *tb_option_join_list (const char *const *elements);
TB_EXPORT void tb_option_copy (GObject *from, GObject *to, const char *const *names);
/* The value of an option of a plug-in object; property names as its interface's get_options() lists
 * them. */
TB_EXPORT JsonNode *tb_option_get_as_json (GObject *plugin, const char *name);
TB_EXPORT char *tb_option_describe (GObject *plugin,
                                    const char *name); /* "threshold  0…1, default 0.2: …" */
TB_EXPORT const char *const *tb_option_get_choices (GParamSpec *option);
TB_EXPORT void tb_option_set_choices (GParamSpec *option, const char *const *choices);
TB_EXPORT const char *const *tb_option_get_choice_labels (GParamSpec *option);
TB_EXPORT void tb_option_set_choice_labels (GParamSpec *option, const char *const *labels);
TB_EXPORT const char *tb_option_get_unit (GParamSpec *option);
TB_EXPORT void tb_option_set_unit (GParamSpec *option, const char *unit);
TB_EXPORT const char *tb_option_get_group (GParamSpec *option);
TB_EXPORT void tb_option_set_group (GParamSpec *option, const char *group);

/* Each element of the list can be tried by itself: items of figures offer such elements
 * (TbReportAction), and the report shows their effect (TbScenarioOutcome). separator: the text
 * between elements that are tried together. NULL: the option has no scenarios. */
TB_EXPORT void tb_option_set_scenario_separator (GParamSpec *option, const char *separator);
TB_EXPORT const char *tb_option_get_scenario_separator (GParamSpec *option);

/**
 * TbOptionCheck:
 * @text: a value, or one element of a list
 * @error: return location for an error
 *
 * Checks a value of an option. The error explains which values are accepted.
 *
 * Returns: whether the value is accepted
 */
typedef gboolean (*TbOptionCheck) (const char *text, GError **error);
TB_EXPORT void tb_option_set_check (GParamSpec *option, TbOptionCheck check);

/* The session fact that stores the option's value, so that a value chosen once belongs to the
 * recording. NULL: the value is not stored. */
TB_EXPORT void tb_option_set_fact (GParamSpec *option, const char *fact);
TB_EXPORT const char *tb_option_get_fact (GParamSpec *option);

TB_EXPORT gboolean tb_parse_duration (const char *text, gint64 *ns, GError **error);

G_END_DECLS
