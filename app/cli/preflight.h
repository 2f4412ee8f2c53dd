/* preflight.h: printed report of one collector, or of each: event sources that work here, the
 * others with the reason, and the cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Prints the preflight of a collector, or of all collectors if id is NULL, for a scope. Returns
 * FALSE with error if nothing can be recorded. */
gboolean preflight_print (const char *id, char **options, TbScope scope, GError **error);

G_END_DECLS
