/* tb-trace-lock-callers.c: user or creator of a lock by its stack: the innermost function outside
 * the kernel and the libraries that create or take locks for their callers; caller of the
 * innermost function, and whether it is in such a library
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-lock-callers-private.h"
#include "trace/tb-trace-stacks-private.h"

/* Maximum depth at which a stack is searched. */
#define MAX_DEPTH 64

/* Libraries whose functions lock on behalf of their callers. */
static gboolean
is_locking_library (const char *module)
{
  static const char *const prefixes[]
      = { "[kernel]",    "[vdso]",      "libc.",      "libc-",  "libpthread",
          "ld-linux",    "libjvm.",     "libstdc++",  "libc++", "libglib-2.",
          "libjemalloc", "libtcmalloc", "libmimalloc" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (module, prefixes[i]))
      return TRUE;
  return g_str_equal (module, "libc");
}

char *
tb_trace_find_lock_caller (TbTrace *self, guint32 stack)
{
  const TbStackColumns *stacks = tb_trace_peek_stacks (self);

  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++)
    {
      guint32 frame = stacks->frame[stack];
      g_autofree char *module = frame < stacks->n_frames
                                    ? tb_trace_name_module (self, stacks, frame)
                                    : g_strdup ("[kernel]");

      if (!is_locking_library (module))
        {
          g_auto (GStrv) functions = tb_trace_name_frame (self, stacks, frame);

          return g_strdup (functions[g_strv_length (functions) - 1]);
        }
      stack = stacks->parent[stack];
    }
  return NULL;
}

guint32
tb_stack_get_caller (const TbStackColumns *stacks, guint32 stack)
{
  return stack != TB_STACK_NONE && stack < stacks->n_stacks ? stacks->parent[stack] : TB_STACK_NONE;
}

gboolean
tb_trace_is_called_by_library (TbTrace *self, const TbStackColumns *stacks, guint32 stack)
{
  guint32 caller = tb_stack_get_caller (stacks, stack);
  g_autofree char *module = NULL;

  if (caller == TB_STACK_NONE || caller >= stacks->n_stacks
      || stacks->frame[caller] >= stacks->n_frames)
    return FALSE;
  module = tb_trace_name_module (self, stacks, stacks->frame[caller]);
  return is_locking_library (module);
}
