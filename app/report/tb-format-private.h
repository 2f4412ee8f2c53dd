/* tb-format-private.h: what of writing numbers is tested by itself
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* grouping: as localeconv() tells it. */
char *tb_format_grouped (guint64 count, const char *separator, const char *grouping);

G_END_DECLS
