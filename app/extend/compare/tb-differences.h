/* tb-differences.h: list of differences of numbers between two recordings: sorted, as a table, as
 * values of a finding and in JSON, alike in all comparisons
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
 * @label: name of the number for display
 * @id: id of the item that has the number
 * @base: value in the base recording, 0 if the item is absent there
 * @other: value in the other recording, 0 if the item is absent there
 * @low: lower bound of the difference, NaN if unknown
 * @high: upper bound of the difference, NaN if unknown
 * @within_noise: whether repeated recordings of the same work differ as much
 *
 * The difference of one number of two recordings.
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

/**
 * TbDifferences:
 *
 * A list of differences.
 */
typedef struct _TbDifferences TbDifferences;

TB_EXPORT TbDifferences *tb_differences_new (void);
TB_EXPORT void tb_differences_free (TbDifferences *self);
TB_EXPORT void tb_differences_add (TbDifferences *self, const TbDifference *difference);
TB_EXPORT void tb_differences_sort (TbDifferences *self);
TB_EXPORT guint tb_differences_get_n (const TbDifferences *self);
TB_EXPORT const TbDifference *tb_differences_get (const TbDifferences *self, guint index);
TB_EXPORT void tb_differences_write (const TbDifferences *self, JsonBuilder *builder);
TB_EXPORT TbFigure *tb_differences_make_table (const TbDifferences *self);
TB_EXPORT char *tb_difference_get_item (const TbDifference *difference);
TB_EXPORT char *tb_difference_format (const TbDifference *difference, double value);
TB_EXPORT void tb_difference_set_cell (const TbDifference *difference,
                                       TbTableFigure *table,
                                       guint row,
                                       guint column,
                                       double value);
TB_EXPORT void tb_difference_set_values (const TbDifference *difference, TbFinding *finding);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbDifferences, tb_differences_free)

G_END_DECLS
