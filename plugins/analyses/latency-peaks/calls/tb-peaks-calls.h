/* tb-peaks-calls.h: operations of a recording (system calls, functions, requests, locks …): their
 * calls loaded, filtered by threads, time, phase and path, counted in histograms; search for an
 * operation by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-tables.h"

G_BEGIN_DECLS

/* Conditions that calls must meet; "": no condition. */
typedef struct
{
  const char *phase;     /* phase in which they begin */
  const char *call_path; /* call path that leads to them */
} TbPeaksFilter;

/* Counts calls that ended in the range of the selection, made by its threads. kinds: bits of the
 * kinds to count. Other kinds can be counted later; the columns of system calls and functions are
 * loaded in any case. */
TbPeaksCalls *tb_peaks_calls_new (TbTrace *trace,
                                  TbSelection *selection,
                                  guint resolution,
                                  guint kinds,
                                  GCancellable *cancellable,
                                  GError **error);
/* The same, restricted to calls that pass a filter. */
TbPeaksCalls *tb_peaks_calls_new_filtered (TbTrace *trace,
                                           TbSelection *selection,
                                           const TbPeaksFilter *filter,
                                           guint resolution,
                                           guint kinds,
                                           GCancellable *cancellable,
                                           GError **error);
gboolean
tb_peaks_calls_count (TbPeaksCalls *self, guint kinds, GCancellable *cancellable, GError **error);
void tb_peaks_calls_free (TbPeaksCalls *self);

/* The kinds that an operation with this name can have: "lock:queue" is a lock. */
guint tb_peaks_get_kinds (const char *name);
/* Finds an operation by id or by name alone; earlier kinds are preferred. Kinds that are not
 * counted yet are counted. */
const TbPeaksOperation *tb_peaks_calls_find (TbPeaksCalls *self,
                                             const char *name,
                                             GCancellable *cancellable,
                                             GError **error);
/* Makes an operation of the same name from some rows of an operation's table. (transfer none) */
const TbPeaksOperation *
tb_peaks_calls_add_part (TbPeaksCalls *self, const TbPeaksOperation *operation, const GArray *rows);
/* Adds an operation without any calls. */
const TbPeaksOperation *tb_peaks_calls_add_empty (TbPeaksCalls *self, const char *id);
/* The rows of the calls in the operation's table, ascending: guint32. */
GArray *tb_peaks_calls_list (const TbPeaksCalls *self, const TbPeaksOperation *operation);
/* The peaks of an operation; bins in which most calls are missing have none. (element-type
 * TbPeakRange) */
GArray *tb_peaks_calls_find_peaks (const TbPeaksCalls *self, const TbPeaksOperation *operation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksCalls, tb_peaks_calls_free)

G_END_DECLS
