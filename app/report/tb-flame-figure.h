/* tb-flame-figure.h: a tree of boxes, wider = more
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

typedef enum
{
  TB_FLAME_USER,
  TB_FLAME_KERNEL,
  TB_FLAME_WAITING,
  TB_FLAME_PROCESS, /* a process or thread name */
  TB_FLAME_DISK,
  TB_FLAME_NETWORK,
  TB_FLAME_UNKNOWN,
  TB_N_FLAME_PAINTS,
} TbFlamePaint;

#define TB_TYPE_FLAME_FIGURE (tb_flame_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbFlameFigure, tb_flame_figure, TB, FLAME_FIGURE, TbFigure)

/* unit: "ns", "samples", … */
TB_EXPORT TbFlameFigure *tb_flame_figure_new (const char *id, const char *title, const char *unit);
/* A node below parent (TB_ID_NONE: a root); own is its weight without children's. Siblings of one name may be added more
 * than once. Returns its index; a parent has a smaller one than its children. */
TB_EXPORT guint tb_flame_figure_add_node (TbFlameFigure *self,
                                          guint parent,
                                          const char *name,
                                          const char *module,
                                          TbFlamePaint paint,
                                          guint64 own,
                                          guint64 count);

/**
 * TbFlameNode:
 * @own: weight of the node itself
 * @total: with its descendants
 * @first_child: index or TB_ID_NONE; children are sorted by total, largest first
 */
typedef struct
{
  const char *name;
  const char *module;
  TbFlamePaint paint;
  guint parent;
  guint first_child;
  guint next_sibling;
  guint depth;
  guint64 own;
  guint64 total;
  guint64 count;
} TbFlameNode;

TB_EXPORT const char *tb_flame_figure_get_unit (TbFlameFigure *self);
TB_EXPORT guint tb_flame_figure_get_n_nodes (TbFlameFigure *self);
TB_EXPORT guint tb_flame_figure_get_depth (TbFlameFigure *self);
TB_EXPORT guint64 tb_flame_figure_get_total (TbFlameFigure *self);
TB_EXPORT guint tb_flame_figure_get_first_root (TbFlameFigure *self);
TB_EXPORT const TbFlameNode *tb_flame_figure_get_node (TbFlameFigure *self, guint node);

G_END_DECLS
