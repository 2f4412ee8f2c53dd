/* tb-flame-shape.h: reshaped copy of a flame figure: equal nodes merged, functions inverted to
 * their callers, limited to one function, or sorted by name; and the node that each node stands for
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/flame/tb-flame-figure.h"

G_BEGIN_DECLS

/**
 * TbFlameShape:
 * @inverted: from each function to its callers, else from callers to callees
 * @function: (nullable): show only the callees of this function, or inverted its callers
 * @module: (nullable): the module of @function
 * @collapse_recursion: merge a function with its recursive calls, direct or indirect
 * @hidden: (nullable) (array zero-terminated=1): modules whose functions are left out: their weight
 *   is added to that of their callers
 * @by_name: sort siblings by name, else by weight, the heaviest first
 * @swapped: swap the weights with those of the base
 * @progress: (nullable): progress, per mille: set atomically while the figure is made
 *
 * Options of reshaping a flame. A chronological figure is always merged.
 */
typedef struct
{
  gboolean inverted;
  const char *function;
  const char *module;
  gboolean collapse_recursion;
  const char *const *hidden;
  gboolean by_name;
  gboolean swapped;
  gint *progress;
} TbFlameShape;

/**
 * TbFlameReshapeResult:
 * @figure: a frozen figure; its items are not those of other figures
 * @origin: by node of @figure: the node of the original figure that it stands for, the heaviest of
 *   several, or %TB_ID_NONE
 * @place: by node of the original figure: its node in @figure, or %TB_ID_NONE
 *
 * Result of [method@Tailback.FlameFigure.reshape].
 */
typedef struct
{
  TbFlameFigure *figure;
  guint *origin;
  guint *place;
} TbFlameReshapeResult;

TB_EXPORT TbFlameReshapeResult *tb_flame_figure_reshape (TbFlameFigure *self,
                                                         const TbFlameShape *shape,
                                                         GCancellable *cancellable,
                                                         GError **error);
TB_EXPORT void tb_flame_reshape_result_free (TbFlameReshapeResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFlameReshapeResult, tb_flame_reshape_result_free)

G_END_DECLS
