/* tb-normalization.h: normalization of numbers of recordings by duration or by units of work: check
 * of its text, count of the units in a selected part, factor between two recordings, list of units
 * of work in a recording
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"

G_BEGIN_DECLS

TB_EXPORT gboolean tb_normalization_check (const char *by, GError **error);
TB_EXPORT const char *tb_normalization_get_name (const char *by);
TB_EXPORT gboolean tb_normalization_measure (const char *by,
                                             TbTrace *trace,
                                             TbSelection *selection,
                                             double *amount,
                                             GError **error);
TB_EXPORT gboolean tb_normalization_get_scale (const char *by,
                                               TbTrace *base,
                                               TbSelection *base_selection,
                                               TbTrace *other,
                                               TbSelection *other_selection,
                                               double *scale,
                                               GError **error);
TB_EXPORT char **tb_normalization_list (TbTrace *trace, guint most, GError **error);

G_END_DECLS
