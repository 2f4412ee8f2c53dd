/* perf-data-checks.h: import of written perf.data files and checks of the result
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "perf-data-scenario.h"
#include "recorder-log.h"

G_BEGIN_DECLS

/* Returns NULL if the import was refused. */
TbRecorder *import_bytes (const guint8 *bytes, gsize size, GError **error);
/* Imports a file that must not be refused. */
TbRecorder *import_writer (Writer *writer);
void assert_contains (const char *text, const char *part);
void assert_lacks (const char *text, const char *part);

G_END_DECLS
