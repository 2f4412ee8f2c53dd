/* tb-flame-shape-private.h: steps of reshaping a flame
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-private.h"
#include "report/flame/tb-flame-shape.h"

G_BEGIN_DECLS

/* A figure with the properties of another one, without nodes. */
TbFlameReshaped *tb_flame_reshaped_new (TbFlameFigure *of, gboolean by_name);
/* Adds a node of the new figure for a node of the old one, or adds weight to an existing node. */
guint tb_flame_reshaped_add (TbFlameReshaped *self,
                             TbFlameFigure *of,
                             guint parent,
                             guint node,
                             const TbFlameNode *weights);
/* Adds a node that has no equal sibling, with names of the old figure. origin can be TB_ID_NONE. */
guint tb_flame_reshaped_append (TbFlameReshaped *self, const TbFlameNode *node, guint origin);
/* done: per mille. */
void tb_flame_shape_set_progress (const TbFlameShape *shape, double done);
gboolean tb_flame_is_function (const TbFlameNode *node, const TbFlameShape *shape);

/* The steps. Each takes the result of the step before. NULL if cancelled. */
TbFlameReshaped *
tb_flame_merge (TbFlameFigure *of, const TbFlameShape *shape, GCancellable *cancellable, GError **error);
TbFlameReshaped *tb_flame_list_callees (TbFlameFigure *of,
                                        const TbFlameShape *shape,
                                        GCancellable *cancellable,
                                        GError **error);
TbFlameReshaped *
tb_flame_invert (TbFlameFigure *of, const TbFlameShape *shape, GCancellable *cancellable, GError **error);

G_END_DECLS
