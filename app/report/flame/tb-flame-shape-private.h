/* tb-flame-shape-private.h: steps of reshaping a flame figure: merging of equal nodes, callees of
 * one function, inversion to callers; and construction of their results
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure-private.h"
#include "report/flame/tb-flame-shape.h"

G_BEGIN_DECLS

/* A figure with the properties of another one, without nodes. */
TbFlameReshapeResult *tb_flame_reshape_result_new (TbFlameFigure *source, gboolean by_name);
/* Adds a node of the new figure for a node of the old one, or adds weight to an existing node. */
guint tb_flame_reshape_result_add (TbFlameReshapeResult *self,
                                   TbFlameFigure *source,
                                   guint parent,
                                   guint node,
                                   const TbFlameNode *weights);
/* Adds a node that has no equal sibling, with names of the old figure. origin can be TB_ID_NONE. */
guint
tb_flame_reshape_result_append (TbFlameReshapeResult *self, const TbFlameNode *node, guint origin);
/* done: per mille. */
void tb_flame_shape_set_progress (const TbFlameShape *shape, double done);
gboolean tb_flame_is_function (const TbFlameNode *node, const TbFlameShape *shape);

/* The steps. Each takes the result of the step before. NULL if cancelled. */
TbFlameReshapeResult *tb_flame_merge (TbFlameFigure *source,
                                      const TbFlameShape *shape,
                                      GCancellable *cancellable,
                                      GError **error);
TbFlameReshapeResult *tb_flame_list_callees (TbFlameFigure *source,
                                             const TbFlameShape *shape,
                                             GCancellable *cancellable,
                                             GError **error);
TbFlameReshapeResult *tb_flame_invert (TbFlameFigure *source,
                                       const TbFlameShape *shape,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
