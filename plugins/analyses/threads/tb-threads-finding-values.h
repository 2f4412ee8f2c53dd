/* tb-threads-finding-values.h: values of findings about threads, for programs that read the report:
 * the thread, its waits, what kept it from a CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-finding.h"
#include "tb-threads-finding-details.h"

G_BEGIN_DECLS

/* Threads of the same name as a reported one, by what the finding is about. */
typedef struct
{
  const char *name;
  guint n;
  gint64 ns;
  gint64 least;
  gint64 most;
} TbNamesakes;

/* Sets the thread, its lifetime and its running time. */
void tb_threads_set_thread (TbFinding *finding,
                            TbThreadsSummary *summary,
                            const TbThreadSummary *thread);
/* Sets the number and time of the further threads of that name. */
void tb_threads_set_namesakes (TbFinding *finding, const TbNamesakes *of);
/* Sets how long the thread waited, for what, and where. */
void tb_threads_set_wait (TbFinding *finding,
                          TbThreadsSummary *summary,
                          const TbThreadSummary *thread,
                          const TbProgramContext *place);
/* holder: NULL: there is no main one. */
void
tb_threads_set_holder (TbFinding *finding, TbThreadsSummary *summary, const TbCpuHolder *holder);

G_END_DECLS
