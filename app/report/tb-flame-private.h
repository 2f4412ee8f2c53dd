/* tb-flame-private.h: the parts of a flame figure that lie in several files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-flame-figure.h"
#include "session/tb-schema.h"

G_BEGIN_DECLS

/* The JSON of one figure holds at most so many nodes; what is lighter is written as one node beside its siblings. */
#define TB_FLAME_JSON_NODES 40000
#define TB_FLAME_NODES_MAX 2000000

const char *tb_flame_paint_get_name (TbFlamePaint paint);
void tb_flame_figure_set_unit (TbFlameFigure *self, const char *unit);
void tb_flame_figure_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_flame_figure_read_json (TbFigure *figure, JsonObject *object, GError **error);
void tb_flame_figure_render_text (TbFigure *figure, GString *text, guint width);

G_END_DECLS
