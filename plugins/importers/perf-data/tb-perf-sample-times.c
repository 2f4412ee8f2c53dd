/* tb-perf-sample-times.c: CPU time that a sample of a perf.data file stands for, where perf chose
 * its periods for a frequency
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel begins with the shortest period, for each CPU and each new thread, and lengthens it
 * until the frequency is reached. These first samples follow one another quickly. Together they
 * stand for no more time than passed.
 */

#include "config.h"

#include "tb-perf-sample-times.h"

#include <inttypes.h>

#define SECOND 1000000000
#define MAX_SOURCES (1u << 20)

struct _TbPerfSampleTimes
{
  gint64 period; /* that follows from the frequency */
  gint64 from;
  GHashTable *latest; /* CPU, or -1 - thread → gint64 * */
  double sum;
  guint64 n;
};

TbPerfSampleTimes *
tb_perf_sample_times_new (guint64 frequency, gint64 from)
{
  TbPerfSampleTimes *self = g_new0 (TbPerfSampleTimes, 1);

  self->period = SECOND / (gint64) CLAMP (frequency, 1, SECOND);
  self->from = from;
  self->latest = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
tb_perf_sample_times_free (TbPerfSampleTimes *self)
{
  g_hash_table_unref (self->latest);
  g_free (self);
}

static gint64 *
get_latest (TbPerfSampleTimes *self, const TbEvent *sample)
{
  gint32 source = sample->cpu != TB_CPU_ALL ? (gint32) sample->cpu : -1 - sample->tid;
  gint64 *latest = g_hash_table_lookup (self->latest, GINT_TO_POINTER (source));

  if (latest != NULL)
    return latest;
  if (g_hash_table_size (self->latest) >= MAX_SOURCES)
    g_hash_table_remove_all (self->latest);
  latest = g_new (gint64, 1);
  *latest = self->from;
  g_hash_table_insert (self->latest, GINT_TO_POINTER (source), latest);
  return latest;
}

void
tb_perf_sample_times_add (TbPerfSampleTimes *self, const TbEvent *sample)
{
  gint64 *latest = get_latest (self, sample);
  gint64 gap = MAX (sample->time - *latest, 0);

  *latest = sample->time;
  if (sample->tid == 0) /* idle */
    return;
  /* Around the frequency, periods are longer and shorter ones: their mean is right. */
  self->sum += (double) (gap < self->period / 2 ? gap : self->period);
  self->n++;
}

void
tb_perf_sample_times_set_fact (const TbPerfSampleTimes *self, TbRecorder *recorder)
{
  gint64 mean = self->n > 0 ? (gint64) (self->sum / (double) self->n) : self->period;
  char text[24];

  if (mean >= self->period)
    return;
  g_snprintf (text, sizeof text, "%" PRId64, MAX (mean, 1));
  tb_recorder_set_fact (recorder, "sample-period-ns", text);
}
