/* tb-threads-labels-private.h: what the timeline is told from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-labels.h"

/* The samples of each thread, in the order of time. */
typedef struct
{
  GBytes *columns[3]; /* time, thread, stack */
  const gint64 *time;
  const guint32 *stack;
  guint32 n_threads;
  guint32 *first; /* by thread, into order */
  guint32 *order;
} Samples;

struct _TbLabels
{
  TbTrace *trace;
  GArray *shown;
  GMutex mutex; /* of samples, which are sought when the first run is to be told, and of what matched */
  gboolean has_samples;
  Samples samples;
  GBytes *file; /* columns of the block table, NULL where there are none */
  GBytes *issuer;
  GBytes *bytes;
  TbFilter *filter; /* that was asked about last */
  GBytes *matched;  /* guint8 by stack */
};

/* NULL where there are none. */
const Samples *tb_labels_get_samples (TbLabels *self);
/* Where the thread's samples from a time on begin in the order. */
guint32 tb_labels_find_sample (const Samples *samples, guint32 thread, gint64 time);
