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
 * Returns: (transfer full): an empty list of differences
 */
TB_EXPORT TbDifferences *tb_differences_new (void);
TB_EXPORT void tb_differences_free (TbDifferences *self);
/* The caller keeps label alive as long as the differences; the other fields are copied. */
TB_EXPORT void tb_differences_add (TbDifferences *self, const TbDifference *difference);
/* Sorts significant differences before noise, then larger ones before smaller ones. */
TB_EXPORT void tb_differences_sort (TbDifferences *self);
TB_EXPORT guint tb_differences_get_n (const TbDifferences *self);
TB_EXPORT const TbDifference *tb_differences_get (const TbDifferences *self, guint index);
/* Writes the array "differences". */
TB_EXPORT void tb_differences_write (const TbDifferences *self, JsonBuilder *builder);
/**
 * tb_differences_make_table:
 * @self: the differences
 *
 * Returns: (transfer full): a table "differences", whose rows are named by item id and number, see
 *   tb_difference_get_item()
 */
TB_EXPORT TbFigure *tb_differences_make_table (const TbDifferences *self);
TB_EXPORT char *tb_difference_get_item (const TbDifference *difference);
/* Times are formatted as durations, other numbers as they are. */
TB_EXPORT char *tb_difference_format (const TbDifference *difference, double value);
/* Formats a value into a text cell of a table that is being built; a value that is not finite stays
 * unknown. */
TB_EXPORT void tb_difference_set_cell (const TbDifference *difference,
                                       TbTableFigure *table,
                                       guint row,
                                       guint column,
                                       double value);
/* Sets "measure", "base", "other", "delta", "low" and "high"; the names of times end in "_ns". */
TB_EXPORT void tb_difference_set_values (const TbDifference *difference, TbFinding *finding);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbDifferences, tb_differences_free)

G_END_DECLS
