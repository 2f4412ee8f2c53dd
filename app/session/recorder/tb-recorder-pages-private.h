/* tb-recorder-pages-private.h: zeroed memory for large hash tables, all of it present
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Never NULL. */
gpointer tb_pages_new (gsize size);
void tb_pages_free (gpointer pages, gsize size);

G_END_DECLS
