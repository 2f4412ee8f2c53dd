/* preflight.h: what could be recorded, and at what cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Prints what a collector, or each (id NULL), says of a scope. FALSE with error if nothing could be recorded. */
gboolean preflight_print (const char *id, char **options, TbScope scope, GError **error);

G_END_DECLS
