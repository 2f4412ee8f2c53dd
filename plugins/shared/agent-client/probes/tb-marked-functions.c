/* tb-marked-functions.c: functions whose calls act as marks (spinning, releasing, work, false
 * wake-ups, phases, creation of locks), parsed from the option's texts and found in files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "tb-marked-functions.h"

static const char *const meanings[TB_N_FUNCTION_MEANINGS + 1] = {
  [TB_FUNCTION_SPINS] = "spin",   [TB_FUNCTION_RELEASES] = "release",
  [TB_FUNCTION_WORKS] = "work",   [TB_FUNCTION_FALSE_WAKEUPS] = "false-wakeup",
  [TB_FUNCTION_PHASES] = "phase", [TB_FUNCTION_CREATES] = "create",
};

/* Parses the meaning and returns the rest of the text; NULL if it is none. */
static const char *
parse_meaning (const char *text, TbFunctionMeaning *meaning)
{
  for (*meaning = 0; *meaning < TB_N_FUNCTION_MEANINGS; ++*meaning)
    {
      gsize length = strlen (meanings[*meaning]);

      if (strncmp (text, meanings[*meaning], length) == 0 && text[length] == ':'
          && text[length + 1] != '\0' && text[length + 1] != ':')
        return text + length + 1;
    }
  return NULL;
}

void
tb_marked_functions_free (TbMarkedFunctions *self)
{
  g_clear_pointer (&self->functions, g_ptr_array_unref);
  g_array_unref (self->marked);
  g_free (self);
}

/* The part after the last colon that is not part of a C++ "::" */
static const char *
get_bare_name (const char *name)
{
  const char *bare = name;

  for (const char *at = name; (at = strchr (at, ':')) != NULL; at++)
    {
      if (at[1] != ':')
        return at + 1;
      at++;
    }
  return bare;
}

TbMarkedFunctions *
tb_marked_functions_find (const char *const *wanted, const TbTarget *target, GError **error)
{
  g_autoptr (TbMarkedFunctions) self = g_new0 (TbMarkedFunctions, 1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  self->marked = g_array_new (FALSE, FALSE, sizeof (TbMarkedFunction));
  for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
    {
      TbMarkedFunction marked = { 0 };
      const char *name = parse_meaning (wanted[i], &marked.meaning);

      if (name == NULL || strchr (name, '>') != NULL)
        {
          g_autofree char *choices = g_strjoinv (", ", (char **) meanings);

          g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                       _ ("invalid mark “%2$s”: use MEANING:[LIBRARY-OR-PROGRAM:]FUNCTION, where "
                          "MEANING is one of %1$s, such as spin:mariadbd:ut_delay"),
                       choices, wanted[i]);
          return NULL;
        }
      g_strv_builder_add (builder, name);
      g_array_append_val (self->marked, marked);
    }
  names = g_strv_builder_end (builder);
  self->functions = tb_agent_functions_find ((const char *const *) names, target, error);
  if (self->functions == NULL)
    return NULL;
  for (guint i = 0; i < self->marked->len; i++)
    {
      TbMarkedFunction *marked = &g_array_index (self->marked, TbMarkedFunction, i);

      marked->function = g_ptr_array_index (self->functions, i);
      marked->name = get_bare_name (marked->function->name);
    }
  return g_steal_pointer (&self);
}
