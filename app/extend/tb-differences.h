/* tb-differences.h: the numbers that two recordings differ by, as every comparison tells them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/table/tb-table-figure.h"
#include "report/tb-finding.h"
#include "report/tb-report.h"

G_BEGIN_DECLS

/**
 * TbDifference:
 * @what: name of the number in JSON ("running_ns")
 * @label: the same for people
 * @id: what has it
 * @base: its value there, 0 where it is not there
 * @other: its value here
 * @low: the difference is not less than this, NaN unknown
 * @high: nor more than this
 * @within_noise: no more than recordings of the same differ by
 */
typedef struct
{
  char *what;
  const char *label;
  char *id;
  double base;
  double other;
  double low;
  double high;
  gboolean within_noise;
} TbDifference;

typedef struct _TbDifferences TbDifferences;

/**
 * tb_differences_new: (skip)
 *
 * Returns: (transfer full): none yet
 */
TB_EXPORT TbDifferences *tb_differences_new (void);
TB_EXPORT void tb_differences_free (TbDifferences *self);
/* label: kept by the caller for as long as the differences; the rest is copied. */
TB_EXPORT void tb_differences_add (TbDifferences *self, const TbDifference *difference);
/* That which is more than noise first, then by how much it is. */
TB_EXPORT void tb_differences_sort (TbDifferences *self);
TB_EXPORT guint tb_differences_get_n (const TbDifferences *self);
TB_EXPORT const TbDifference *tb_differences_get (const TbDifferences *self, guint index);
/* The array "differences". */
TB_EXPORT void tb_differences_write (const TbDifferences *self, JsonBuilder *builder);
/**
 * tb_differences_make_table:
 * @self: the differences
 *
 * Returns: (transfer full): a table "differences", whose rows are named by their ids and what they tell, see
 *   tb_difference_get_item()
 */
TB_EXPORT TbFigure *tb_differences_make_table (const TbDifferences *self);
TB_EXPORT char *tb_difference_get_item (const TbDifference *difference);
/* Lengths as durations, other numbers as they are. */
TB_EXPORT char *tb_difference_format (const TbDifference *difference, double value);
/* The same in a table that is being built, in a column of text; a value that is not finite stays unknown. */
TB_EXPORT void tb_difference_set_cell (const TbDifference *difference,
                                       TbTableFigure *table,
                                       guint row,
                                       guint column,
                                       double value);
/* "measure", and "base", "other", "delta", "low" and "high"; those of times end in "_ns". */
TB_EXPORT void tb_difference_set_values (const TbDifference *difference, TbFinding *finding);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbDifferences, tb_differences_free)

G_END_DECLS
