/* tb-wait-progress.h: progress of one step of the analysis, as a share of the progress of the whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct
{
  TbProgressFunc func; /* NULL: progress is not reported */
  gpointer data;
  double from;
  double share; /* share of the part in the whole */
} TbWaitProgress;

/* A TbProgressFunc; data: TbWaitProgress. */
void tb_wait_progress_report (double share, const char *what, gpointer data);

G_END_DECLS
