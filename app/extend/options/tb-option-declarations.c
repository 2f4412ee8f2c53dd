/* tb-option-declarations.c: declarations of an option by its plug-in: choices with labels, group,
 * unit, separator of scenarios, fact of the recording that stores the value, check function
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/options/tb-option-private.h"

static G_DEFINE_QUARK (tb-option-choices, choices);
static G_DEFINE_QUARK (tb-option-choice-labels, choice_labels);
static G_DEFINE_QUARK (tb-option-group, group);
static G_DEFINE_QUARK (tb-option-unit, unit);
static G_DEFINE_QUARK (tb-option-check, check);
static G_DEFINE_QUARK (tb-option-fact, fact);
static G_DEFINE_QUARK (tb-option-scenario-separator, scenario_separator);

/**
 * tb_option_set_choices:
 * @option: a property of type string or string array
 * @choices: (array zero-terminated=1): the permitted values
 *
 * Declares the values that a property accepts. To be called before the first object of its class is
 * created.
 */
void
tb_option_set_choices (GParamSpec *option, const char *const *choices)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));

  g_param_spec_set_qdata_full (option, choices_quark (), g_strdupv ((char **) choices),
                               (GDestroyNotify) g_strfreev);
}

/**
 * tb_option_get_choices:
 * @option: a property
 *
 * Gets the values that [func@Tailback.option_set_choices] declared.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the permitted values, %NULL if
 *   they are not declared
 */
const char *const *
tb_option_get_choices (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, choices_quark ());
}

guint
tb_option_count_choices (GParamSpec *option)
{
  const char *const *choices = tb_option_get_choices (option);

  if (G_IS_PARAM_SPEC_ENUM (option))
    return G_PARAM_SPEC_ENUM (option)->enum_class->n_values;
  if (G_IS_PARAM_SPEC_FLAGS (option))
    return G_PARAM_SPEC_FLAGS (option)->flags_class->n_values;
  return choices != NULL ? g_strv_length ((char **) choices) : 0;
}

/**
 * tb_option_set_choice_labels:
 * @option: a property whose choices are declared, or one of an enumeration or of flags
 * @labels: (array zero-terminated=1): a label for each choice, in the order of the choices or of
 *   the values; an empty label for a choice that stands for others and need not be shown
 *
 * Declares translated labels that are shown in place of the choices, written like the label of a
 * button. The choices themselves remain the values of the option: on the command line, in files and
 * for other programs. To be called after [func@option_set_choices] and before the first object of
 * its class is created.
 */
void
tb_option_set_choice_labels (GParamSpec *option, const char *const *labels)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));
  g_return_if_fail (labels != NULL
                    && g_strv_length ((char **) labels) == tb_option_count_choices (option));

  g_param_spec_set_qdata_full (option, choice_labels_quark (), g_strdupv ((char **) labels),
                               (GDestroyNotify) g_strfreev);
}

/**
 * tb_option_get_choice_labels:
 * @option: a property
 *
 * Gets the labels of the choices.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): a label for each choice, in their
 *   order; %NULL if the choices are shown themselves
 */
const char *const *
tb_option_get_choice_labels (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, choice_labels_quark ());
}

/**
 * tb_option_set_group:
 * @option: a property
 * @group: the heading that it is shown under with others, for display
 *
 * Declares which options are shown together, under one heading. To be called before the first
 * object of its class is created.
 */
void
tb_option_set_group (GParamSpec *option, const char *group)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));

  g_param_spec_set_qdata (option, group_quark (), (gpointer) g_intern_string (group));
}

/**
 * tb_option_get_group:
 * @option: a property
 *
 * Gets the heading under which the option is shown with others.
 *
 * Returns: (nullable): the heading that it is shown under, %NULL if it has none
 */
const char *
tb_option_get_group (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, group_quark ());
}

/**
 * tb_option_set_unit:
 * @option: a property
 * @unit: "ns", "bytes", "share", "hz"…
 *
 * Declares the unit of a property's values; "ns" is read with the suffixes of
 * [func@parse_duration], "share" with "%", "bytes" with k, M and G.
 */
void
tb_option_set_unit (GParamSpec *option, const char *unit)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));

  g_param_spec_set_qdata (option, unit_quark (), (gpointer) g_intern_string (unit));
}

/**
 * tb_option_get_unit:
 * @option: a property
 *
 * Gets the unit that [func@Tailback.option_set_unit] declared.
 *
 * Returns: (nullable): the unit of its values
 */
const char *
tb_option_get_unit (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, unit_quark ());
}

/**
 * tb_option_set_scenario_separator:
 * @option: a property that is a string array
 * @separator: the text between elements that are tried together
 *
 * Declares that each element of the list can be tried: the user adds elements that items of figures
 * offer, and the report shows the effect of each and of all together.
 */
void
tb_option_set_scenario_separator (GParamSpec *option, const char *separator)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option) && G_PARAM_SPEC_VALUE_TYPE (option) == G_TYPE_STRV);
  g_return_if_fail (separator != NULL && *separator != '\0');

  g_param_spec_set_qdata (option, scenario_separator_quark (),
                          (gpointer) g_intern_string (separator));
}

/**
 * tb_option_get_scenario_separator:
 * @option: a property
 *
 * Gets the separator of elements of a list that are tried together.
 *
 * Returns: (nullable): the text between elements that are tried together, %NULL if the option has
 *   no scenarios
 */
const char *
tb_option_get_scenario_separator (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, scenario_separator_quark ());
}

/**
 * tb_option_set_fact:
 * @option: a property of type string
 * @fact: name of the fact, which begins with the plug-in's name and "-"
 *
 * Declares that its value is stored with the recording, see [method@Session.set_fact]. Programs in
 * which the user chooses the value store it there and read it from there; if the option is not set,
 * the plug-in has to read it too. To be called before the first object of its class is created.
 */
void
tb_option_set_fact (GParamSpec *option, const char *fact)
{
  g_return_if_fail (G_IS_PARAM_SPEC_STRING (option));
  g_return_if_fail (fact != NULL && *fact != '\0');

  g_param_spec_set_qdata (option, fact_quark (), (gpointer) g_intern_string (fact));
}

/**
 * tb_option_get_fact:
 * @option: a property
 *
 * Gets in which fact of the recording the value is stored, so that a value chosen once belongs to
 * the recording.
 *
 * Returns: (nullable): the name of the fact that stores its value in the recording, %NULL if it is
 *   not stored
 */
const char *
tb_option_get_fact (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, fact_quark ());
}

/**
 * tb_option_set_check: (skip)
 * @option: a property of type string or string array
 * @check: (scope forever): checks a text
 *
 * Declares which values a property accepts, if a list of choices cannot describe them.
 * tb_option_set_from_text() calls the check, so that an error is reported where the value is typed.
 */
void
tb_option_set_check (GParamSpec *option, TbOptionCheck check)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option) && check != NULL);

  g_param_spec_set_qdata (option, check_quark (), (gpointer) check);
}

gboolean
tb_option_check (GParamSpec *option, const GValue *value, GError **error)
{
  TbOptionCheck check = (TbOptionCheck) g_param_spec_get_qdata (option, check_quark ());
  char *const *items;

  if (check == NULL)
    return TRUE;
  if (G_VALUE_HOLDS_STRING (value))
    return check (g_value_get_string (value), error);
  items = g_value_get_boxed (value);
  for (guint i = 0; items != NULL && items[i] != NULL; i++)
    if (!check (items[i], error))
      return FALSE;
  return TRUE;
}
