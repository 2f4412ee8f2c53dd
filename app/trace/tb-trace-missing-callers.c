/* tb-trace-missing-callers.c: whether the caller of a function of the C library is missing in a
 * stack, and the option of the recorder with which it is recorded
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "trace/tb-context-tree.h"
#include "trace/tb-trace.h"

/* Whether all that is known of a stack is the C library, the dynamic linker, the vDSO and the
 * kernel, although it does not begin there. Beyond them, a walk by frame pointers may have found
 * functions that are no callers. */
static gboolean
has_no_caller (TbTrace *trace, TbContextTree *tree, guint32 node)
{
  gboolean has_library = FALSE;

  if (tb_context_tree_has_start (tree, node))
    return FALSE;
  for (; node != 0; node = tb_context_tree_get_parent (tree, node))
    {
      TbContextNode context;

      tb_context_tree_get_node (tree, node, &context);
      /* What called the outermost function that was recorded was cut off. */
      if (g_str_equal (context.function, TB_CONTEXT_CUT))
        return FALSE;
      if (context.kernel)
        continue;
      if (tb_context_node_is_of_program (&context))
        return has_library && tb_trace_may_miss_callers (trace);
      has_library = TRUE;
    }
  return has_library;
}

/**
 * tb_trace_get_caller_option:
 * @self: a trace
 * @node: a node of its context tree, see [method@Tailback.Trace.get_context_tree]
 *
 * Gets the option with which the recorder would have recorded the caller that is missing in a
 * stack: that of a function of the C library, which most often has no frame pointers.
 *
 * Returns: (nullable): the option, as it is named by the recorder: "repair-stacks", "dump-stacks"
 *   or "--call-graph dwarf"; %NULL if no caller is missing, or it is not known how the recording
 *   was made
 */
const char *
tb_trace_get_caller_option (TbTrace *self, guint32 node)
{
  g_autoptr (TbContextTree) tree = NULL;
  const char *collector;
  TbSession *session;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  session = tb_trace_get_session (self);
  collector = tb_session_get_fact (session, "collector");
  tree = tb_trace_get_context_tree (self);
  if (collector == NULL || node == 0 || !has_no_caller (self, tree, node))
    return NULL;
  if (g_str_equal (collector, "ebpf"))
    return tb_session_get_fact (session, TB_FACT_REPAIRED_STACKS) == NULL ? "repair-stacks"
                                                                          : "dump-stacks";
  if (g_str_equal (collector, "perf"))
    return "dump-stacks";
  return g_str_equal (collector, "perf-data")
                 && g_strcmp0 (tb_session_get_fact (session, TB_FACT_USER_STACKS),
                               TB_USER_STACKS_BY_FRAME_POINTERS)
                        == 0
             ? "--call-graph dwarf"
             : NULL;
}

/**
 * tb_trace_describe_caller_option:
 * @self: a trace
 * @node: a node of its context tree, see [method@Tailback.Trace.get_context_tree]
 *
 * Describes how to record the caller that is missing in a stack, see
 * [method@Tailback.Trace.get_caller_option].
 *
 * Returns: (transfer full) (nullable): a clause, such as "its caller is recorded with the option
 *   repair-stacks"; %NULL if no caller is missing, or it is not known how to record it
 */
char *
tb_trace_describe_caller_option (TbTrace *self, guint32 node)
{
  const char *option = tb_trace_get_caller_option (self, node);

  if (option == NULL)
    return NULL;
  return g_str_has_prefix (option, "--")
             ? g_strdup_printf (_ ("its caller is recorded by perf record %s"), option)
             : g_strdup_printf (_ ("its caller is recorded with the option %s"), option);
}
