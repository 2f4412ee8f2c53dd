/* redraws-preload.c: a preloaded library that redraws the application's windows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <dlfcn.h>

#include "redraws.h"

/* Declared as in GTK. */
__attribute__ ((visibility ("default"))) void
gtk_window_present (GtkWindow *window)
{
  void (*present) (GtkWindow *window)
      = (void (*) (GtkWindow *)) dlsym (RTLD_NEXT, "gtk_window_present");

  present (window);
  redraw_often (GTK_WIDGET (window), g_getenv ("REDRAWS"));
  g_printerr ("redraws: %s\n", g_getenv ("REDRAWS"));
}
