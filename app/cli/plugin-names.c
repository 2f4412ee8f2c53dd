/* plugin-names.c: names of a new plug-in, derived from the one that its author chose
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "cli.h"
#include "plugin-names.h"

#define NAME_LENGTH_MAX 48

/* The names in the templates. Each of them is a plug-in that works as it is. */
#define TEMPLATE_ID "my-plugin"
#define TEMPLATE_TITLE "My Plug-In"
#define TEMPLATE_CLASS "MyPlugin"
#define TEMPLATE_LOWER "my_plugin"
#define TEMPLATE_UPPER "MY_PLUGIN"

static gboolean
is_separator (char c)
{
  return c == ' ' || c == '-' || c == '_';
}

/* Names of files, types and functions are made of it. */
static gboolean
is_valid (const char *name)
{
  gsize length = strlen (name);

  if (length == 0 || length > NAME_LENGTH_MAX || !g_ascii_isalpha (name[0])
      || is_separator (name[length - 1]))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (name[i]) && !(is_separator (name[i]) && !is_separator (name[i + 1])))
      return FALSE;
  return TRUE;
}

/* The words in lower case, joined by a character. */
static char *
join_words (const char *name, char separator)
{
  char *joined = g_ascii_strdown (name, -1);

  for (char *c = joined; *c != '\0'; c++)
    if (is_separator (*c))
      *c = separator;
  return joined;
}

/* The words with a capital each, joined by a text. */
static char *
join_capitals (const char *name, const char *separator)
{
  GString *joined = g_string_new (NULL);

  for (gsize i = 0; name[i] != '\0'; i++)
    if (is_separator (name[i]))
      g_string_append (joined, separator);
    else
      g_string_append_c (joined, i == 0 || is_separator (name[i - 1]) ? g_ascii_toupper (name[i])
                                                                      : name[i]);
  return g_string_free (joined, FALSE);
}

gboolean
plugin_names_init (PluginNames *self, const char *name, GError **error)
{
  *self = (PluginNames) { 0 };
  if (!is_valid (name))
    return cli_usage_error (
        error,
        _ ("invalid name “%s”: use at most %d letters, digits and single blanks "
           "or hyphens, a letter first, such as “Top Wakers”"),
        name, NAME_LENGTH_MAX);
  self->id = join_words (name, '-');
  self->title = join_capitals (name, " ");
  self->class_name = join_capitals (name, "");
  self->lower = join_words (name, '_');
  self->upper = g_ascii_strup (self->lower, -1);
  return TRUE;
}

void
plugin_names_clear (PluginNames *self)
{
  g_clear_pointer (&self->id, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->class_name, g_free);
  g_clear_pointer (&self->lower, g_free);
  g_clear_pointer (&self->upper, g_free);
}

char *
plugin_names_replace (const PluginNames *self, const char *text)
{
  const struct
  {
    const char *from;
    const char *to;
  } pairs[] = {
    { TEMPLATE_ID, self->id },
    { TEMPLATE_TITLE, self->title },
    { TEMPLATE_CLASS, self->class_name },
    { TEMPLATE_LOWER, self->lower },
    { TEMPLATE_UPPER, self->upper },
  };
  GString *result = g_string_new (NULL);

  /* In one pass: a name may contain one of those that are replaced. */
  while (*text != '\0')
    {
      guint i = 0;

      while (i < G_N_ELEMENTS (pairs) && !g_str_has_prefix (text, pairs[i].from))
        i++;
      if (i < G_N_ELEMENTS (pairs))
        {
          g_string_append (result, pairs[i].to);
          text += strlen (pairs[i].from);
        }
      else
        g_string_append_c (result, *text++);
    }
  return g_string_free (result, FALSE);
}
