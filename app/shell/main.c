/* main.c: tailback, the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "shell/tb-application.h"

int
main (int argc, char **argv)
{
  g_autoptr (TbApplication) application = NULL;
  int status;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, TAILBACK_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  application = tb_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status != 0 ? status : tb_application_get_status (application);
}
