/* tb-wait-shown-names.h: parts of names as the report shows them: without "×8" or "(812)", and
 * without a number at the end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The length of a name without the number at its end. */
gsize tb_wait_get_stem_length (const char *name);
/* The name of the threads of a vertex that is shown as "worker ×8", or of the thread that is shown
 * as "worker (812)"; NULL: the name has no such end. */
char *tb_wait_strip_shown_name (const char *name);

G_END_DECLS
