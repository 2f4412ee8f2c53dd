/* tb-wait-progress.h: how far a part of what is to be done is, as a share of all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct
{
  TbProgressFunc told; /* NULL: nobody asks */
  gpointer data;
  double from;
  double share; /* how much of all the part is */
} TbWaitProgress;

/* A TbProgressFunc whose data is one. */
void tb_wait_progress_tell (double share, const char *what, gpointer data);

G_END_DECLS
