/* main.c: main function of tailback, the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "base/tb-locale.h"
#include "shell/tb-application.h"

int
main (int argc, char **argv)
{
  g_autoptr (TbApplication) application = NULL;
  int status;

  tb_locale_init ();

  application = tb_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status != 0 ? status : tb_application_get_status (application);
}
