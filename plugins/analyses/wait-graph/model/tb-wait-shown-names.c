/* tb-wait-shown-names.c: parts of names as the report shows them: without "×8" or "(812)", and
 * without a number at the end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-shown-names.h"

#include <string.h>

#define TIMES " \303\227" /* " ×" */

/* The number that a text ends with, with what closes it; NULL: there is none. */
static const char *
find_number_end (const char *text, char closing)
{
  const char *at = text;

  while (g_ascii_isdigit (*at))
    at++;
  if (at == text || *at != closing || (closing != '\0' && at[1] != '\0'))
    return NULL;
  return at;
}

gsize
tb_wait_get_stem_length (const char *name)
{
  gsize length = strlen (name);

  while (length > 0 && !g_ascii_isalpha (name[length - 1]) && (guchar) name[length - 1] < 128)
    length--;
  return length;
}

char *
tb_wait_strip_shown_name (const char *name)
{
  const char *times = g_strrstr (name, TIMES), *bracket = g_strrstr (name, " (");

  if (times != NULL && times > name && find_number_end (times + strlen (TIMES), '\0') != NULL)
    return g_strndup (name, (gsize) (times - name));
  if (bracket != NULL && bracket > name && find_number_end (bracket + 2, ')') != NULL)
    return g_strndup (name, (gsize) (bracket - name));
  return NULL;
}
