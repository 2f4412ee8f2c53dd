/* tb-perf-sample-times.h: CPU time that a sample of a perf.data file stands for, where perf chose
 * its periods for a frequency
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"

G_BEGIN_DECLS

typedef struct _TbPerfSampleTimes TbPerfSampleTimes;

/* from: time of the first record. */
TbPerfSampleTimes *tb_perf_sample_times_new (guint64 frequency, gint64 from);
void tb_perf_sample_times_free (TbPerfSampleTimes *self);
/* Samples of a CPU, or, if that is not known, of a thread are in order of time. */
void tb_perf_sample_times_add (TbPerfSampleTimes *self, const TbEvent *sample);
/* Sets the time as a fact, unless it follows from the frequency. */
void tb_perf_sample_times_set_fact (const TbPerfSampleTimes *self, TbRecorder *recorder);

G_END_DECLS
