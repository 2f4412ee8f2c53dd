/* threads-fixture.h: small recordings, and what the analysis "threads" says of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* In a folder of its own, which is gone after the tests. */
int threads_run_tests (void);
/* The session that the trace opened last is of. */
char *threads_make_session_path (void);
TbRecorder *threads_new_recorder (void);
/* Of what was told to the recorder. */
TbTrace *threads_finish_trace (TbRecorder *recorder);
/* Imports a fixture (or text) and opens what came of it. */
TbTrace *threads_open_trace (const char *name, const char *text);

TbReport *threads_analyze (TbTrace *trace, TbSelection *selection, const char *option, const char *value);
/* After the sums of every thread were checked. */
JsonObject *threads_get_summary (TbReport *report);

G_END_DECLS
