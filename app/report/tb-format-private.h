/* tb-format-private.h: grouping of the digits of a count, exported for its unit test
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* grouping: as in struct lconv, see localeconv(). */
char *tb_format_grouped (guint64 count, const char *separator, const char *grouping);

G_END_DECLS
