/* tb-threads-samples.h: samples of the selected threads in a range, linked by thread; count of
 * them, running time estimated with its 95 % range, and waits summed during the recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-summary.h"

G_BEGIN_DECLS

typedef struct
{
  GBytes *columns[TB_SAMPLE_N_COLUMNS];
  guint64 first;
  guint64 n;
  const gint64 *time;
  const guint32 *thread;
  const guint64 *weight;
  const guint32 *stack;
  guint32 *head; /* by row: its first sample; next continues the list */
  guint32 *next;
  gboolean are_times;
} TbThreadsSamples;

gboolean
tb_threads_samples_load (TbThreadsSamples *samples, TbThreadsSummary *summary, GError **error);
void tb_threads_samples_clear (TbThreadsSamples *samples);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbThreadsSamples, tb_threads_samples_clear)

gboolean tb_threads_samples_count (TbThreadsSummary *summary, GError **error);
void tb_threads_samples_get_range (const TbThreadSummary *thread, gint64 *low, gint64 *high);

G_END_DECLS
