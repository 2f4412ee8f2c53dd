/* tb-peaks-spans.h: calls, interrupt handlers and samples indexed by thread and time, input for the
 * attribution of the time of calls; callers before callees, nested handlers subtracted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-tables.h"

G_BEGIN_DECLS

/* Rows of a table, sorted by thread, then in row order. */
typedef struct
{
  gsize *first; /* first index of each thread, and one past the last */
  guint32 *rows;
} TbPeaksIndex;

/* rows: guint32, NULL: all; wanted: by thread, NULL: all. Rows without a thread are left out. */
void tb_peaks_index_init (TbPeaksIndex *self,
                          const guint32 *threads,
                          const GArray *rows,
                          gsize n_rows,
                          const guint8 *wanted,
                          guint n_threads);
void tb_peaks_index_clear (TbPeaksIndex *self);

/* Sorts rows of a thread so that callers come before their callees. */
void tb_peaks_sort_rows (const TbPeaksTable *table, guint32 *rows, gsize n);

/* A call below another call. */
typedef struct
{
  gint64 enter;
  gint64 exit;
  guint32 row;
  guint32 key;
  TbPeaksKind kind;
} TbPeaksCallee;

/* Replaces the list of callees by the calls of a thread in the rows of an index, sorted so that
 * callers come before their callees. */
void tb_peaks_add_callees (GArray *callees,
                           const TbPeaksTable *table,
                           const TbPeaksIndex *index,
                           guint32 thread);
void tb_peaks_sort_callees (GArray *callees);

/* Interrupt handlers, sorted by thread and exit. */
typedef struct
{
  TbPeaksIndex index;
  const gint64 *enter;
  const gint64 *exit;
  const guint32 *thread;
  gint64 *own;  /* by row: duration without the handlers that interrupted it */
  guint64 *key; /* by row: name, vector and kind; see tb_peaks_get_interrupt() */
  GBytes *columns[6];
} TbPeaksInterrupts;

gboolean tb_peaks_interrupts_init (TbPeaksInterrupts *self,
                                   TbSession *session,
                                   const guint8 *wanted,
                                   guint n_threads,
                                   GError **error);
void tb_peaks_interrupts_clear (TbPeaksInterrupts *self);

/* Samples, sorted by thread and time. */
typedef struct
{
  TbPeaksIndex index;
  const gint64 *time;
  const guint32 *stack;
  GBytes *columns[3];
} TbPeaksSamples;

gboolean tb_peaks_samples_init (TbPeaksSamples *self,
                                TbSession *session,
                                const guint8 *wanted,
                                guint n_threads,
                                GError **error);
void tb_peaks_samples_clear (TbPeaksSamples *self);

G_END_DECLS
