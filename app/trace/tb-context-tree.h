/* tb-context-tree.h: tree of the calling contexts of a trace: its call stacks as chains of
 * functions, including inlined ones, merged by function instead of address; look-up of the node of
 * a stack
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TB_CONTEXT_CUT:
 *
 * Name of the outermost function of stacks that were recorded up to a limit of their length: it
 * stands for their unknown callers.
 */
#define TB_CONTEXT_CUT "[cut]"

/**
 * TbContextNode:
 * @parent: the caller's node, 0 for the root
 * @function: its name; "libc.so.6+0x1f" if the name is not known
 * @module: file name of its module, "[kernel]", or "" if unknown
 * @kernel: whether it is kernel code
 * @depth: number of callers plus one: 0 for the root, 1 for the outermost function
 *
 * A function in its calling context.
 */
typedef struct
{
  guint32 parent;
  const char *function;
  const char *module;
  gboolean kernel;
  guint depth;
} TbContextNode;

#define TB_TYPE_CONTEXT_TREE (tb_context_tree_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbContextTree, tb_context_tree, TB, CONTEXT_TREE, GObject)

TB_EXPORT TbContextTree *tb_trace_get_context_tree (TbTrace *self);

TB_EXPORT guint tb_context_tree_get_n_nodes (TbContextTree *self);
TB_EXPORT void tb_context_tree_get_node (TbContextTree *self, guint32 node, TbContextNode *out);
TB_EXPORT guint32 tb_context_tree_get_function (TbContextTree *self, guint32 node);
TB_EXPORT guint tb_context_tree_get_n_functions (TbContextTree *self);
TB_EXPORT guint32 tb_context_tree_get_parent (TbContextTree *self, guint32 node);
TB_EXPORT guint32 tb_context_tree_find (TbContextTree *self, guint32 stack);
TB_EXPORT guint tb_context_tree_get_generation (TbContextTree *self);

TB_EXPORT guint32 tb_context_tree_find_program_node (TbContextTree *self, guint32 node);
TB_EXPORT gboolean tb_context_tree_has_start (TbContextTree *self, guint32 node);
TB_EXPORT gboolean tb_context_node_is_of_program (const TbContextNode *node);
TB_EXPORT gboolean tb_context_node_is_named (const TbContextNode *node);
TB_EXPORT gboolean tb_context_node_is_wrapper (const TbContextNode *node);

G_END_DECLS
