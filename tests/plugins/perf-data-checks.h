/* perf-data-checks.h: imports written recordings and looks at what came of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "perf-data-scenario.h"
#include "recorder-log.h"

G_BEGIN_DECLS

/* NULL if it was refused. */
TbRecorder *import_bytes (const guint8 *bytes, gsize size, GError **error);
/* It must not be refused. */
TbRecorder *import_writer (Writer *writer);
void assert_contains (const char *text, const char *part);
void assert_lacks (const char *text, const char *part);

G_END_DECLS
