/* tb-help-uri.h: address of the help for the help viewer, which is not in our sandbox
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the address of the help that is installed in data_dir, such as /usr/share; (transfer
 * full). */
char *tb_help_uri_make (const char *data_dir);

G_END_DECLS
