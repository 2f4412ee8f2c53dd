/* developer-files.h: where authors of plug-ins find the templates, the guide and the worked example
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder of the templates. (transfer full) */
char *developer_files_find_templates (void);
/* Where the guide and the worked example are: lines, without an end of the last one.
 * (transfer full) */
char *developer_files_describe (void);

G_END_DECLS
