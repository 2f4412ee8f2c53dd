/* threads-fixture.h: small recordings and their "threads" reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Runs the tests in a temporary folder, which is removed afterwards. */
int threads_run_tests (void);
/* Path of the session of the trace that was opened last. */
char *threads_make_session_path (void);
TbRecorder *threads_new_recorder (void);
/* Finishes a recording and opens its trace. */
TbTrace *threads_finish_trace (TbRecorder *recorder);
/* Imports a fixture (or text) and opens its trace. */
TbTrace *threads_open_trace (const char *name, const char *text);

TbReport *
threads_analyze (TbTrace *trace, TbSelection *selection, const char *option, const char *value);
/* Returns the summary, after a check of the sums of every thread. */
JsonObject *threads_get_summary (TbReport *report);

G_END_DECLS
