/* tb-option-check.c: declarations of an option by its plug-in: check function, which is also called
 * here; separator of elements that are tried together as scenarios; fact of the recording that
 * stores the value
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/options/tb-option-private.h"

static G_DEFINE_QUARK (tb-option-check, check);
static G_DEFINE_QUARK (tb-option-fact, fact);
static G_DEFINE_QUARK (tb-option-scenario-separator, scenario_separator);

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
