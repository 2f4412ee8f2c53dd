/* tb-threads-labels-private.h: data from which labels of the timeline are made: samples by thread,
 * columns of requests, and the last filter with its matches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-labels.h"

/* The samples of each thread, in order of time. */
typedef struct
{
  GBytes *columns[3]; /* time, thread, stack */
  const gint64 *time;
  const guint32 *stack;
  guint32 n_threads;
  guint32 *first; /* by thread: position of its first sample in order */
  guint32 *order;
} Samples;

struct _TbLabels
{
  TbTrace *trace;
  GArray *shown;
  GMutex mutex; /* protects the samples, which are loaded on first use, and the last match */
  gboolean has_samples;
  Samples samples;
  GBytes *file; /* columns of the block table; NULL: there are none */
  GBytes *issuer;
  GBytes *bytes;
  TbFilter *filter; /* filter of the last match */
  GBytes *matched;  /* guint8 by stack: result of the last match */
};

/* NULL: there are none. */
const Samples *tb_labels_get_samples (TbLabels *self);
/* The number of samples of a thread in a time, and the first of them in order. */
guint32 tb_labels_count_samples (const Samples *samples,
                                 guint32 thread,
                                 gint64 from,
                                 gint64 to,
                                 guint32 *first);
/* The position in order of the thread's first sample at or after a time. */
guint32 tb_labels_find_sample (const Samples *samples, guint32 thread, gint64 time);
