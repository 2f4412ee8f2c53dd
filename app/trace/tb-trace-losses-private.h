/* tb-trace-losses-private.h: shares of the time of a trace that are unknown because events were
 * lost or not reported
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* From this share of the time on, what is lost or was not reported is a warning; below, a remark.
 */
#define TB_LOSS_SHARE 0.01

/* Sums over the threads of which results are shown at first, that ran and whose switches were
 * recorded. */
typedef struct
{
  gint64 life_ns;        /* the time of these threads */
  gint64 unknown_ns;     /* of it: their state is unknown because an event is missing */
  gint64 no_cause_ns;    /* of it: they wait, and what ended the wait was not reported */
  guint64 n_waits;       /* of these threads, as are the next two */
  guint64 n_no_cause;    /* waits of no_cause_ns */
  guint64 n_unknown;     /* parts of unknown_ns: at least one switch is missing in each */
  double lost_share;     /* of the recorded time in which events were lost */
  double unknown_share;  /* of life_ns */
  double no_cause_share; /* of life_ns */
} TbLosses;

void tb_trace_measure_losses (TbTrace *self, TbLosses *losses);

G_END_DECLS
