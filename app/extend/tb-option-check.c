/* tb-option-check.c: options whose texts have a grammar, those of which each text can be tried, and those that are kept
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/tb-extend-private.h"
#include "extend/tb-option.h"

static G_DEFINE_QUARK (tb-option-check, check);
static G_DEFINE_QUARK (tb-option-fact, fact);
static G_DEFINE_QUARK (tb-option-trial-separator, trial_separator);

/**
 * tb_option_set_trial_separator:
 * @option: a property that is a string array
 * @separator: what stands between elements that are tried together
 *
 * Declares that each element of the list is something to try: a person puts it together from what items of figures offer, one
 * by one, and sees what would come of each and of all together.
 */
void
tb_option_set_trial_separator (GParamSpec *option, const char *separator)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option) && G_PARAM_SPEC_VALUE_TYPE (option) == G_TYPE_STRV);
  g_return_if_fail (separator != NULL && *separator != '\0');

  g_param_spec_set_qdata (option, trial_separator_quark (), (gpointer) g_intern_string (separator));
}

/**
 * tb_option_get_trial_separator:
 * @option: a property
 *
 * Returns: (nullable): what stands between elements that are tried together, %NULL where nothing is tried with it
 */
const char *
tb_option_get_trial_separator (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, trial_separator_quark ());
}

/**
 * tb_option_set_fact:
 * @option: a property of type string
 * @fact: under which name, beginning with that of the plug-in and "-"
 *
 * Declares that its value is kept with the recording, see [method@Session.set_fact]: programs in which it is chosen keep it there
 * and take it from there, and the plug-in, where it is not set, has to as well. To be called before the first object of its class
 * is made.
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
 * Returns: (nullable): under which name its value is kept with the recording, %NULL where it is not
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
 * @check: (scope forever): whether a text can be understood
 *
 * Declares what a property takes where no list of choices can say it.
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
