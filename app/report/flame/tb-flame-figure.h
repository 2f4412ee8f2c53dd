/* tb-flame-figure.h: a tree of boxes, wider = more
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

/**
 * TbFlamePaint:
 * @TB_FLAME_USER: runs, in a program
 * @TB_FLAME_KERNEL: runs, in the kernel
 * @TB_FLAME_WAITING: waits, sleeps
 * @TB_FLAME_PROCESS: the name of a process or thread; drawn as a boundary. Its module is the host, where there are several
 * @TB_FLAME_DISK: a device serves a request; named after the file where known, its module is the device
 * @TB_FLAME_NETWORK: a peer is waited for; named host:port where known
 * @TB_FLAME_UNKNOWN: nothing is known
 * @TB_FLAME_BOTH: runs at times, waits at times
 * @TB_FLAME_INFERRED: ran; that it was here is inferred. Hatched
 * @TB_FLAME_UNSAMPLED: ran; where nobody saw
 * @TB_FLAME_QUEUED: a request waits for its device
 * @TB_FLAME_RUNNABLE: could run, waits for a cpu
 * @TB_FLAME_PREEMPTED: would run, was preempted or interrupted
 * @TB_FLAME_INTERRUPT: waits for an interrupt of the hardware
 * @TB_FLAME_KERNEL_BLOCK: waits for work in the kernel without a traced cause
 * @TB_FLAME_SLEEPING: sleeps deliberately
 * @TB_FLAME_TIMED_OUT: waited for what did not come in time
 * @TB_FLAME_OTHER_PATH: waits for what another path does
 * @TB_FLAME_LOST: events were lost. Hatched
 * @TB_N_FLAME_PAINTS: how many there are
 *
 * What a box stands for, which decides how it is drawn. Their names in JSON are stable, their numbers are not.
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
  TB_N_FLAME_PAINTS,
} TbFlamePaint;

TB_EXPORT const char *tb_flame_paint_get_name (TbFlamePaint paint);  /* stable, for JSON */
TB_EXPORT TbFlamePaint tb_flame_paint_find (const char *name);       /* UNKNOWN where there is none */
TB_EXPORT const char *tb_flame_paint_get_label (TbFlamePaint paint); /* translated, for the legend */

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

/* A figure whose boxes stand where they were in time (ns of the session's clock): boxes are added with add_box() instead of
 * add_node(), equal ones stay apart, what lies between them stays empty. To be called before any is added. */
TB_EXPORT void tb_flame_figure_set_chronological (TbFlameFigure *self, gint64 from, gint64 to);
TB_EXPORT guint tb_flame_figure_add_box (TbFlameFigure *self,
                                         guint parent,
                                         const char *name,
                                         const char *module,
                                         TbFlamePaint paint,
                                         gint64 from,
                                         gint64 to,
                                         guint64 own);
/* Roots added from now on stand in this lane (as a control path of its own), above those of the lanes before. */
TB_EXPORT guint tb_flame_figure_begin_lane (TbFlameFigure *self, const char *id, const char *name);
TB_EXPORT void tb_flame_figure_set_detail (TbFlameFigure *self, guint node, const char *detail);
TB_EXPORT void tb_flame_figure_set_note (TbFlameFigure *self, guint node, const char *note);
TB_EXPORT void tb_flame_figure_set_thread (TbFlameFigure *self, guint node, guint32 thread);
TB_EXPORT void tb_flame_figure_add_beyond (TbFlameFigure *self, guint node, guint64 weight);
/* What the node's own weight is compared with: the same in an earlier recording. */
TB_EXPORT void tb_flame_figure_add_base (TbFlameFigure *self, guint node, guint64 own);
/* Two that are not chronological as one, with a base. */
TB_EXPORT TbFlameFigure *tb_flame_figure_new_compared (const char *id,
                                                       const char *title,
                                                       TbFlameFigure *base,
                                                       TbFlameFigure *other,
                                                       double scale);
/* Categories that the nodes' own weight falls into, in the order in which a legend lists them. */
TB_EXPORT guint tb_flame_figure_add_category (TbFlameFigure *self,
                                              const char *id,
                                              const char *name,
                                              TbFlamePaint paint);
TB_EXPORT void
tb_flame_figure_add_to_category (TbFlameFigure *self, guint node, guint category, guint64 weight);

/**
 * TbFlameNode:
 * @detail: what more there is to say: a command line, a whole path; "" nothing
 * @note: a figure or a few words that stand behind the name where there is room; "" nothing
 * @lane: index of the lane that its root stands in
 * @thread: id in the session of the thread that it is of, or TB_ID_NONE
 * @own: weight of the node itself
 * @total: with its descendants
 * @base_own: what @own is compared with, where the figure has a base
 * @base_total: what @total is
 * @n_children: how many stand on it
 * @beyond: how much of its children's total does not lie within the node: it is drawn that much narrower than its total
 * @from: when, in ns of the session's clock; TB_TIME_NONE where the figure is not chronological
 * @first_child: index or TB_ID_NONE; children are sorted by total, largest first, in a chronological figure by time
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
  guint64 beyond;
  guint64 count;
  guint64 base_own;
  guint64 base_total;
  guint n_children;
  gint64 from;
  gint64 to;
} TbFlameNode;

/**
 * TbFlameCategory:
 * @own: weight of all nodes that falls into it
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
/* Whether its weights are compared with others, and how much these are in all. */
TB_EXPORT gboolean tb_flame_figure_get_base (TbFlameFigure *self, guint64 *total);
/* Whether it was reshaped so that its weights are what others are compared with, and those its base. */
TB_EXPORT gboolean tb_flame_figure_is_swapped (TbFlameFigure *self);
/* How much more a node's share of all is than it was: −1…1, of the greater of both. */
TB_EXPORT double tb_flame_figure_get_difference (TbFlameFigure *self, guint node);
/* Whether siblings stand in the order of their names; else the heaviest first, or by time. */
TB_EXPORT gboolean tb_flame_figure_is_by_name (TbFlameFigure *self);
TB_EXPORT guint tb_flame_figure_get_first_root (TbFlameFigure *self);
TB_EXPORT const TbFlameNode *tb_flame_figure_get_node (TbFlameFigure *self, guint node);
TB_EXPORT const TbFlameNode *tb_flame_figure_get_nodes (TbFlameFigure *self, guint *n_nodes);
/* The node a reference means by its item, or TB_ID_NONE. */
TB_EXPORT guint tb_flame_figure_find_item (TbFlameFigure *self, const char *item);
TB_EXPORT char *tb_flame_figure_get_item (TbFlameFigure *self, guint node);
/* The box of a thread that most of a time lies in; innermost: what stands on it in that time too, up to the next process. */
TB_EXPORT guint
tb_flame_figure_find_box (TbFlameFigure *self, guint32 thread, gint64 from, gint64 to, gboolean innermost);
/* The node that stands on the same as a node of another figure. */
TB_EXPORT guint tb_flame_figure_find_same (TbFlameFigure *self, TbFlameFigure *other, guint node);
TB_EXPORT gboolean tb_flame_figure_get_chronological (TbFlameFigure *self, gint64 *from, gint64 *to);
TB_EXPORT guint tb_flame_figure_get_n_lanes (TbFlameFigure *self);
TB_EXPORT const char *tb_flame_figure_get_lane_id (TbFlameFigure *self, guint lane);
TB_EXPORT const char *tb_flame_figure_get_lane_name (TbFlameFigure *self, guint lane);
TB_EXPORT guint tb_flame_figure_get_lane_depth (TbFlameFigure *self, guint lane);
TB_EXPORT const guint *
tb_flame_figure_get_row (TbFlameFigure *self, guint lane, guint depth, guint *n_nodes, const gint64 **reach);
TB_EXPORT guint tb_flame_figure_get_n_categories (TbFlameFigure *self);
TB_EXPORT const TbFlameCategory *tb_flame_figure_get_category (TbFlameFigure *self, guint category);
TB_EXPORT void
tb_flame_figure_get_breakdown (TbFlameFigure *self, guint node, gboolean whole, guint64 *weights);

G_END_DECLS
