/* tb-graph-label-places.h: places of the names of vertices and frames, and of edge labels, in a
 * graph that is drawn small, with text larger than the graph's scale
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/graph/tb-graph-scene.h"

G_BEGIN_DECLS

/**
 * TbGraphText:
 * @box: box in the scene, at the scale of the text
 * @is_placed: whether there is room for it
 * @is_short: a name without its second line
 *
 * The place of a text.
 */
typedef struct
{
  TbGraphBox box;
  gboolean is_placed;
  gboolean is_short;
} TbGraphText;

/**
 * TbGraphTexts:
 * @size: scale of all texts relative to their measured size
 * @names: by node
 * @labels: by arc
 * @frames: by group
 *
 * The places of texts.
 */
typedef struct
{
  double size;
  TbGraphText *names;
  TbGraphText *labels;
  TbGraphText *frames;
} TbGraphTexts;

TB_EXPORT TbGraphTexts *tb_graph_texts_new (const TbGraphScene *scene, double size);
TB_EXPORT void tb_graph_texts_free (TbGraphTexts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbGraphTexts, tb_graph_texts_free)

G_END_DECLS
