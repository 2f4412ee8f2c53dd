/* tb-flame-figure.h: flame figure, a tree of boxes as wide as their weight or time: building,
 * lanes, categories, base weights of a comparison, access, and search for boxes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

/**
 * TbFlamePaint:
 * @TB_FLAME_USER: runs in user mode
 * @TB_FLAME_KERNEL: runs in the kernel
 * @TB_FLAME_WAITING: waits or sleeps
 * @TB_FLAME_PROCESS: name of a process or thread; drawn as a boundary. Its module is the host if
 *   there are several
 * @TB_FLAME_DISK: a device serves a request; its name is the file if known, its module is the
 *   device
 * @TB_FLAME_NETWORK: waits for a peer; its name is host:port if known
 * @TB_FLAME_UNKNOWN: nothing is known
 * @TB_FLAME_BOTH: runs at times, waits at times
 * @TB_FLAME_INFERRED: ran; that it ran here is inferred. Hatched
 * @TB_FLAME_UNSAMPLED: ran without a sample
 * @TB_FLAME_QUEUED: an I/O request waits for its device
 * @TB_FLAME_RUNNABLE: waits for a CPU
 * @TB_FLAME_PREEMPTED: was preempted or interrupted
 * @TB_FLAME_INTERRUPT: waits for a hardware interrupt
 * @TB_FLAME_KERNEL_BLOCK: waits for work in the kernel without a traced cause
 * @TB_FLAME_SLEEPING: sleeps deliberately
 * @TB_FLAME_TIMED_OUT: waited until a timeout
 * @TB_FLAME_OTHER_PATH: waits for work of another path
 * @TB_FLAME_LOST: events were lost. Hatched
 *
 * The kind of a box, which determines its look. The names in JSON are stable, the numbers are not.
 */
typedef enum
{
  TB_FLAME_USER,
  TB_FLAME_KERNEL,
  TB_FLAME_WAITING,
  TB_FLAME_PROCESS,
  TB_FLAME_DISK,
  TB_FLAME_NETWORK,
  TB_FLAME_UNKNOWN,
  TB_FLAME_BOTH,
  TB_FLAME_INFERRED,
  TB_FLAME_UNSAMPLED,
  TB_FLAME_QUEUED,
  TB_FLAME_RUNNABLE,
  TB_FLAME_PREEMPTED,
  TB_FLAME_INTERRUPT,
  TB_FLAME_KERNEL_BLOCK,
  TB_FLAME_SLEEPING,
  TB_FLAME_TIMED_OUT,
  TB_FLAME_OTHER_PATH,
  TB_FLAME_LOST,
} TbFlamePaint;

/**
 * TB_N_FLAME_PAINTS:
 *
 * Number of the values of [enum@Tailback.FlamePaint]. A literal: the introspection of arrays of
 * this size does not evaluate enumerators.
 */
#define TB_N_FLAME_PAINTS 19

TB_EXPORT const char *tb_flame_paint_get_name (TbFlamePaint paint);  /* stable, for JSON */
TB_EXPORT TbFlamePaint tb_flame_paint_find (const char *name);       /* UNKNOWN if there is none */
TB_EXPORT const char *tb_flame_paint_get_label (TbFlamePaint paint); /* translated */

#define TB_TYPE_FLAME_FIGURE (tb_flame_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbFlameFigure, tb_flame_figure, TB, FLAME_FIGURE, TbFigure)

TB_EXPORT TbFlameFigure *tb_flame_figure_new (const char *id, const char *title, const char *unit);
TB_EXPORT guint tb_flame_figure_add_node (TbFlameFigure *self,
                                          guint parent,
                                          const char *name,
                                          const char *module,
                                          TbFlamePaint paint,
                                          guint64 own,
                                          guint64 count);

/* Makes the figure chronological: boxes stand at their times (ns of the session's clock). They are
 * added with add_box() instead of add_node(), equal boxes stay separate, the time between them
 * stays empty. Call before a node is added. */
TB_EXPORT void tb_flame_figure_set_chronological (TbFlameFigure *self, gint64 from, gint64 to);
TB_EXPORT guint tb_flame_figure_add_box (TbFlameFigure *self,
                                         guint parent,
                                         const char *name,
                                         const char *module,
                                         TbFlamePaint paint,
                                         gint64 from,
                                         gint64 to,
                                         guint64 own);
/* Roots that are added from now on stand in this lane, such as a control path, above those of
 * earlier lanes. */
TB_EXPORT guint tb_flame_figure_begin_lane (TbFlameFigure *self, const char *id, const char *name);
TB_EXPORT void tb_flame_figure_set_detail (TbFlameFigure *self, guint node, const char *detail);
TB_EXPORT void tb_flame_figure_set_note (TbFlameFigure *self, guint node, const char *note);
TB_EXPORT void tb_flame_figure_set_thread (TbFlameFigure *self, guint node, guint32 thread);
TB_EXPORT void tb_flame_figure_add_overhang (TbFlameFigure *self, guint node, guint64 weight);
TB_EXPORT void tb_flame_figure_add_base (TbFlameFigure *self, guint node, guint64 own);
TB_EXPORT TbFlameFigure *tb_flame_figure_new_compared (const char *id,
                                                       const char *title,
                                                       TbFlameFigure *base,
                                                       TbFlameFigure *other,
                                                       double scale);
/* Adds a category for the own weight of nodes. Categories are in the order of the legend. */
TB_EXPORT guint tb_flame_figure_add_category (TbFlameFigure *self,
                                              const char *id,
                                              const char *name,
                                              TbFlamePaint paint);
TB_EXPORT void
tb_flame_figure_add_to_category (TbFlameFigure *self, guint node, guint category, guint64 weight);

/**
 * TbFlameNode:
 * @name: name of the function, thread, …
 * @module: file name of the module of a function, "": none
 * @detail: further text: a command line, a full path; "": none
 * @note: a number or a few words, shown after the name if there is room; "": none
 * @paint: kind of the box
 * @parent: index of the parent, %TB_ID_NONE: a root
 * @first_child: index or TB_ID_NONE; children are sorted by total, largest first, or in a
 *   chronological figure by time
 * @next_sibling: index or %TB_ID_NONE
 * @depth: number of ancestors
 * @lane: index of the lane of its root
 * @thread: id of its thread in the session, or TB_ID_NONE
 * @own: weight of the node itself
 * @total: weight including that of its descendants
 * @overhang: part of its children's total that does not lie within the node: the node is drawn that
 *   much narrower than its total
 * @count: number of occurrences, 0: unknown
 * @base_own: base of @own, if the figure has a base
 * @base_total: base of @total
 * @n_children: number of children
 * @from: start, ns of the session's clock; TB_TIME_NONE if the figure is not chronological
 * @to: end, ns; %TB_TIME_NONE if the figure is not chronological
 *
 * A node of a flame figure, drawn as a box. Texts are owned by the figure.
 */
typedef struct
{
  const char *name;
  const char *module;
  const char *detail;
  const char *note;
  TbFlamePaint paint;
  guint parent;
  guint first_child;
  guint next_sibling;
  guint depth;
  guint lane;
  guint32 thread;
  guint64 own;
  guint64 total;
  guint64 overhang;
  guint64 count;
  guint64 base_own;
  guint64 base_total;
  guint n_children;
  gint64 from;
  gint64 to;
} TbFlameNode;

/**
 * TbFlameCategory:
 * @id: name in JSON
 * @name: user-visible name
 * @paint: look in the legend
 * @own: sum of the own weight of all nodes in this category
 *
 * A category of the own weight of nodes.
 */
typedef struct
{
  const char *id;
  const char *name;
  TbFlamePaint paint;
  guint64 own;
} TbFlameCategory;

TB_EXPORT const char *tb_flame_figure_get_unit (TbFlameFigure *self);
TB_EXPORT guint tb_flame_figure_get_n_nodes (TbFlameFigure *self);
TB_EXPORT guint tb_flame_figure_get_depth (TbFlameFigure *self);
TB_EXPORT guint64 tb_flame_figure_get_total (TbFlameFigure *self);
/* Whether the figure is a comparison, and the total weight of the base. */
TB_EXPORT gboolean tb_flame_figure_get_base (TbFlameFigure *self, guint64 *total);
TB_EXPORT gboolean tb_flame_figure_is_swapped (TbFlameFigure *self);
TB_EXPORT double tb_flame_figure_get_difference (TbFlameFigure *self, guint node);
/* Whether siblings are sorted by name. If not, they are sorted by weight, the heaviest first, or by
 * time. */
TB_EXPORT gboolean tb_flame_figure_is_sorted_by_name (TbFlameFigure *self);
TB_EXPORT guint tb_flame_figure_get_first_root (TbFlameFigure *self);
TB_EXPORT const TbFlameNode *tb_flame_figure_get_node (TbFlameFigure *self, guint node);
TB_EXPORT const TbFlameNode *tb_flame_figure_get_nodes (TbFlameFigure *self, guint *n_nodes);
TB_EXPORT guint tb_flame_figure_find_item (TbFlameFigure *self, const char *item);
TB_EXPORT char *tb_flame_figure_get_item (TbFlameFigure *self, guint node);
TB_EXPORT guint tb_flame_figure_find_box (TbFlameFigure *self,
                                          guint32 thread,
                                          gint64 from,
                                          gint64 to,
                                          gboolean innermost);
/* The node with the same path from the root as a node of another figure. */
TB_EXPORT guint tb_flame_figure_match_node (TbFlameFigure *self, TbFlameFigure *other, guint node);
TB_EXPORT gboolean tb_flame_figure_get_chronological (TbFlameFigure *self,
                                                      gint64 *from,
                                                      gint64 *to);
TB_EXPORT guint tb_flame_figure_get_n_lanes (TbFlameFigure *self);
TB_EXPORT const char *tb_flame_figure_get_lane_id (TbFlameFigure *self, guint lane);
TB_EXPORT const char *tb_flame_figure_get_lane_name (TbFlameFigure *self, guint lane);
TB_EXPORT guint tb_flame_figure_get_lane_depth (TbFlameFigure *self, guint lane);
TB_EXPORT const guint *tb_flame_figure_get_row (TbFlameFigure *self,
                                                guint lane,
                                                guint depth,
                                                guint *n_nodes,
                                                const gint64 **reach);
TB_EXPORT guint tb_flame_figure_get_n_categories (TbFlameFigure *self);
TB_EXPORT const TbFlameCategory *tb_flame_figure_get_category (TbFlameFigure *self, guint category);
TB_EXPORT void
tb_flame_figure_get_breakdown (TbFlameFigure *self, guint node, gboolean whole, guint64 *weights);

G_END_DECLS
