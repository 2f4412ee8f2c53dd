/* tb-option.h: an option of a plug-in, as its GObject property tells it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "tb-export.h"

G_BEGIN_DECLS

#define TB_EXTEND_ERROR (tb_extend_error_quark ())
TB_EXPORT GQuark tb_extend_error_quark (void);

typedef enum
{
  TB_EXTEND_ERROR_USAGE,       /* unknown option, value out of range: names what is permitted */
  TB_EXTEND_ERROR_UNAVAILABLE, /* this machine or file lacks what is needed */
  TB_EXTEND_ERROR_FAILED,
  TB_EXTEND_ERROR_INPUT, /* the input is damaged or foreign: names file, place, and what was expected */
} TbExtendError;

/* Sets the property name (either of - and _) of a plug-in object from text: booleans, integers, doubles (a property whose
 * unit is time takes 10us, 1.5ms, 2s), strings with choices, comma-separated lists, enums by nick. On failure
 * TB_EXTEND_ERROR_USAGE naming the permitted keys or values. */
TB_EXPORT gboolean tb_option_set_from_text (GObject *plugin,
                                            const char *name,
                                            const char *text,
                                            GError **error);
/* A comma-separated list of names, which may have commas within brackets; a backslash takes from a comma or a bracket what it means. */
TB_EXPORT char **tb_option_split_list (const char *text);
TB_EXPORT char *tb_option_join_list (const char *const *elements);
/* Sets the named properties of one plug-in object to those of another of its class (names NULL: none). */
TB_EXPORT void tb_option_copy (GObject *from, GObject *to, const char *const *names);
/* The options of a plug-in object: property names from its interface's get_options(). */
TB_EXPORT JsonNode *tb_option_get_as_json (GObject *plugin, const char *name);
TB_EXPORT char *tb_option_describe (GObject *plugin,
                                    const char *name); /* "threshold=SHARE  0…1, default 0.2: …" */
/* Choices that a string property declared with tb_option_set_choices(), else NULL; and its unit ("ns", "share", …). */
TB_EXPORT const char *const *tb_option_get_choices (GParamSpec *option);
TB_EXPORT void tb_option_set_choices (GParamSpec *option, const char *const *choices);
/* What people read in their place, in the same order; NULL where they stand for themselves. */
TB_EXPORT const char *const *tb_option_get_choice_labels (GParamSpec *option);
TB_EXPORT void tb_option_set_choice_labels (GParamSpec *option, const char *const *labels);
TB_EXPORT const char *tb_option_get_unit (GParamSpec *option);
TB_EXPORT void tb_option_set_unit (GParamSpec *option, const char *unit);
/* What it is shown under, together with others, for people; NULL where it stands for itself. */
TB_EXPORT const char *tb_option_get_group (GParamSpec *option);
TB_EXPORT void tb_option_set_group (GParamSpec *option, const char *group);

/* Each element of the list can be tried by itself: items of figures offer such elements (TbOffer), and the report tells what
 * would come of them (TbOutcome). separator: what stands between those that are tried together. NULL: no such option. */
TB_EXPORT void tb_option_set_trial_separator (GParamSpec *option, const char *separator);
TB_EXPORT const char *tb_option_get_trial_separator (GParamSpec *option);

/* Whether a string, or one element of a list, can be understood; else an error that says what can. */
typedef gboolean (*TbOptionCheck) (const char *text, GError **error);
/* Is asked by tb_option_set_from_text(), so that what is wrong is told where it is typed. */
TB_EXPORT void tb_option_set_check (GParamSpec *option, TbOptionCheck check);

/* Under which fact of a session its value is kept: chosen once, it is that of the recording. NULL: with nothing. */
TB_EXPORT void tb_option_set_fact (GParamSpec *option, const char *fact);
TB_EXPORT const char *tb_option_get_fact (GParamSpec *option);

/* Time suffixes: "250us" → 250000. Plain integers are ns. */
TB_EXPORT gboolean tb_parse_duration (const char *text, gint64 *ns, GError **error);

G_END_DECLS
