/* tb-code-frames.c: list of the functions of a call stack in a trace, innermost first, with their
 * modules (shown by tb-details-pane)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-code-frames.h"

/* Deeper stacks are truncated. */
#define MAX_FRAMES 256

static void
code_frame_free (gpointer data)
{
  TbCodeFrame *frame = data;

  g_free (frame->function);
  g_free (frame->module);
  g_free (frame);
}

static void
add_frame (GPtrArray *frames, TbTrace *trace, char *function, const char *module)
{
  TbCodeFrame *frame = g_new0 (TbCodeFrame, 1);
  g_autofree char *base = module[0] == '[' ? g_strdup (module) : g_path_get_basename (module);

  frame->function = function;
  frame->module = tb_trace_has_unverified_names (trace, base)
                      /* Translators: a module whose functions have names that are not certain */
                      ? g_strdup_printf (_ ("%s (unverified)"), base)
                      : g_steal_pointer (&base);
  g_ptr_array_add (frames, frame);
}

/**
 * tb_code_frames_list:
 * @trace: a trace
 * @stack: id of a stack
 *
 * Returns: (transfer full) (element-type TbCodeFrame): the frames, innermost first, with inlined
 *   functions
 */
GPtrArray *
tb_code_frames_list (TbTrace *trace, guint32 stack)
{
  TbSession *session = tb_trace_get_session (trace);
  TbTable *stack_table = tb_session_get_table (session, TB_TABLE_STACK);
  TbTable *frame_table = tb_session_get_table (session, TB_TABLE_FRAME);
  guint64 n_stacks = tb_table_get_n_rows (stack_table),
          n_frames = tb_table_get_n_rows (frame_table);
  g_autoptr (GBytes) parents = tb_trace_read_column (trace, TB_TABLE_STACK, TB_STACK_PARENT);
  g_autoptr (GBytes) frame_ids = tb_trace_read_column (trace, TB_TABLE_STACK, TB_STACK_FRAME);
  g_autoptr (GBytes) modules = tb_trace_read_column (trace, TB_TABLE_FRAME, TB_FRAME_MODULE);
  g_autoptr (GBytes) offsets = tb_trace_read_column (trace, TB_TABLE_FRAME, TB_FRAME_OFFSET);
  GPtrArray *frames = g_ptr_array_new_with_free_func (code_frame_free);
  const guint32 *parent, *frame_id, *module;
  const guint64 *offset;
  guint n_modules;
  const TbModule *infos = tb_session_get_modules (session, &n_modules);

  if (parents == NULL || frame_ids == NULL || modules == NULL || offsets == NULL)
    return frames;
  parent = g_bytes_get_data (parents, NULL);
  frame_id = g_bytes_get_data (frame_ids, NULL);
  module = g_bytes_get_data (modules, NULL);
  offset = g_bytes_get_data (offsets, NULL);

  while (stack != 0 && stack < n_stacks && frames->len < MAX_FRAMES)
    {
      guint32 id = frame_id[stack];
      guint n_names = 0;
      const TbFrameName *names
          = id < n_frames ? tb_session_get_frame_names (session, id, &n_names) : NULL;
      const TbModule *info = id < n_frames && module[id] < n_modules ? &infos[module[id]] : NULL;
      const char *path = info != NULL ? info->path : "";

      if (info != NULL && info->kind == TB_MODULE_NAMED)
        add_frame (frames, trace, g_strdup (tb_session_get_string (session, offset[id])), path);
      else if (n_names > 0 && names[0].function[0] != '\0')
        for (guint i = 0; i < n_names; i++)
          add_frame (frames, trace, g_strdup (names[i].function), path);
      else if (id < n_frames)
        add_frame (frames, trace, g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", offset[id]), path);
      if (parent[stack] >= stack)
        break; /* a parent precedes its children unless the file is damaged */
      stack = parent[stack];
    }
  return frames;
}
