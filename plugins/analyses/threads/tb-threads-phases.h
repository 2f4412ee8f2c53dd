/* tb-threads-phases.h: phases and marks of each thread over time, as intervals for the timeline,
 * from the marks that programs emitted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-summary.h"

/* Intervals of one thread, in ascending order and without overlap. */
typedef struct
{
  GArray *start; /* gint64 */
  GArray *end;   /* gint64 */
  GArray *name;  /* guint32 string */
} TbAnnotationIntervals;

typedef struct
{
  TbAnnotationIntervals phases; /* the innermost phase at each time */
  TbAnnotationIntervals marks;  /* each as short as possible */
} TbThreadAnnotations;

/* TbThreadAnnotations by thread, without threads that have neither phases nor marks in the range.
 * NULL on failure. */
GHashTable *tb_threads_find_annotations (TbThreadsSummary *summary, GError **error);
