/* tb-flame-shape-private.h: the steps of reshaping a flame
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-private.h"
#include "report/flame/tb-flame-shape.h"

G_BEGIN_DECLS

/* A figure like another, without nodes. */
TbFlameReshaped *tb_flame_reshaped_new (TbFlameFigure *of, gboolean by_name);
/* A node of the new figure, or more of one, that stands for one of the old. */
guint tb_flame_reshaped_add (TbFlameReshaped *self,
                             TbFlameFigure *of,
                             guint parent,
                             guint node,
                             const TbFlameNode *weights);
/* One that is like no other, with names of the old figure; origin may be TB_ID_NONE. */
guint tb_flame_reshaped_append (TbFlameReshaped *self, const TbFlameNode *node, guint origin);
/* Per mille. */
void tb_flame_shape_set_progress (const TbFlameShape *shape, double done);
gboolean tb_flame_is_function (const TbFlameNode *node, const TbFlameShape *shape);

/* Steps, each on what the one before made: NULL where cancelled. */
TbFlameReshaped *
tb_flame_merge (TbFlameFigure *of, const TbFlameShape *shape, GCancellable *cancellable, GError **error);
TbFlameReshaped *tb_flame_list_callees (TbFlameFigure *of,
                                        const TbFlameShape *shape,
                                        GCancellable *cancellable,
                                        GError **error);
TbFlameReshaped *
tb_flame_invert (TbFlameFigure *of, const TbFlameShape *shape, GCancellable *cancellable, GError **error);

G_END_DECLS
