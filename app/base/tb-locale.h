/* tb-locale.h: selection of the user's language and of the translated messages at the start of a
 * program
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

/* Selects the user's language. To be called first in main(). TAILBACK_LOCALE_PATH is for programs
 * that run from the build folder, as TAILBACK_PLUGIN_PATH is. */
static inline void
tb_locale_init (void)
{
  const char *folder = g_getenv ("TAILBACK_LOCALE_PATH");

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, folder != NULL ? folder : TAILBACK_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
