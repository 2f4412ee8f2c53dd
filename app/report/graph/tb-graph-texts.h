/* tb-graph-texts.h: what is written in a graph that is looked at from afar
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/graph/tb-graph-scene.h"

G_BEGIN_DECLS

/**
 * TbGraphText:
 * @box: where it stands in the scene, as large as it is written
 * @is_written: whether there is room for it
 * @is_short: a name without its second line
 */
typedef struct
{
  TbGraphBox box;
  gboolean is_written;
  gboolean is_short;
} TbGraphText;

/**
 * TbGraphTexts:
 * @size: how much larger than it was measured all of it is written
 * @names: by node
 * @labels: by arc
 * @frames: by group
 *
 * What is written where.
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
