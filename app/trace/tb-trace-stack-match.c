/* tb-trace-stack-match.c: search for the stacks of a trace that contain a function which a
 * callback, such as that of a filter, accepts by name and module
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-stacks-private.h"

/* Result of the match of a frame. */
enum
{
  UNKNOWN,
  NO,
  YES,
};

static gboolean
match_frame (TbTrace *self,
             const TbStackColumns *stacks,
             guint32 frame,
             TbFunctionMatchFunc match,
             gpointer data)
{
  g_auto (GStrv) functions = tb_trace_name_frame (self, stacks, frame);
  g_autofree char *module = tb_trace_name_module (self, stacks, frame);

  for (guint i = 0; functions[i] != NULL; i++)
    if (match (functions[i], module, data))
      return TRUE;
  return FALSE;
}

/**
 * tb_trace_match_stacks:
 * @self: a trace
 * @match: (scope call) (closure data): whether a function matches
 * @data: for @match
 * @n_stacks: (out): number of stacks, including the empty one
 *
 * Calls @match once for each function of each distinct frame, including inlined functions, with the
 * symbol names known at present.
 *
 * Returns: (transfer full) (array length=n_stacks): by stack, 1 if any of its functions matches,
 *   else 0
 */
guint8 *
tb_trace_match_stacks (TbTrace *self, TbFunctionMatchFunc match, gpointer data, guint32 *n_stacks)
{
  g_autofree guint8 *frames = NULL;
  const TbStackColumns *stacks;
  guint8 *matched;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail (match != NULL && n_stacks != NULL, NULL);

  stacks = tb_trace_peek_stacks (self);
  *n_stacks = (guint32) stacks->n_stacks;
  matched = g_malloc0 (MAX (1, stacks->n_stacks));
  frames = g_malloc0 (MAX (1, stacks->n_frames));
  for (gsize stack = 0; stack < stacks->n_stacks; stack++)
    {
      guint32 frame = stacks->frame[stack], parent = stacks->parent[stack];

      if (stack == TB_STACK_NONE)
        continue;
      /* A parent precedes its children. */
      if (parent < stack && matched[parent])
        matched[stack] = 1;
      if (matched[stack] || frame >= stacks->n_frames)
        continue;
      if (frames[frame] == UNKNOWN)
        frames[frame] = match_frame (self, stacks, frame, match, data) ? YES : NO;
      matched[stack] = frames[frame] == YES;
    }
  return matched;
}
