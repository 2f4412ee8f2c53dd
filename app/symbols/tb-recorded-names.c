/* tb-recorded-names.c: function names that the facts of a recording have, of its files or its
 * kernel: loaded into a table by address (tb-address-names) and demangled; those of the kernel are
 * checked by tb-kernel-names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "symbols/tb-demangle-private.h"
#include "symbols/tb-kernel-names-private.h"
#include "symbols/tb-recorded-names-private.h"

/* Appends a line with its name, which follows the second space, demangled. */
static void
append_demangled (GString *text, const char *line, gsize length)
{
  const char *space = memchr (line, ' ', length);
  g_autofree char *name = NULL;
  g_autofree char *demangled = NULL;

  if (space != NULL)
    space = memchr (space + 1, ' ', length - (space + 1 - line));
  if (space == NULL)
    return;
  name = g_strndup (space + 1, length - (space + 1 - line));
  demangled = tb_demangle (name);
  g_string_append_len (text, line, space + 1 - line);
  g_string_append (text, demangled);
  g_string_append_c (text, '\n');
}

TbAddressNames *
tb_recorded_names_load (TbSession *session, const char *path)
{
  g_autofree char *fact = g_strconcat ("symbols-of:", path, NULL);
  const char *recorded = tb_session_get_fact (session, fact);
  g_autoptr (GString) text = NULL;

  if (recorded == NULL)
    return NULL;
  text = g_string_sized_new (strlen (recorded));
  for (const char *line = recorded; *line != '\0';)
    {
      gsize length = strcspn (line, "\n");

      append_demangled (text, line, length);
      line += length + (line[length] != '\0');
    }
  return tb_address_names_load_text (text->str, FALSE);
}

TbAddressNames *
tb_recorded_names_load_kernel (TbSession *session, GError **error)
{
  const char *copied = tb_session_get_fact (session, "kernel-symbols-copied");
  g_autoptr (TbAddressNames) names = NULL;

  names = copied != NULL ? tb_address_names_load_text (copied, TRUE)
                         : tb_recorded_names_load (session, "[kernel]");
  if (names == NULL
      || !tb_kernel_names_fit (names, session, _ ("The list of kernel functions in the recording"),
                               error))
    return NULL;
  return g_steal_pointer (&names);
}
