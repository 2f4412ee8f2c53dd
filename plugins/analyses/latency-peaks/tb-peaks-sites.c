/* tb-peaks-sites.c: where the functions of a drill-down are called from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-sites.h"

typedef struct
{
  TbSession *session;
  const guint32 *parent; /* of stacks */
  const guint32 *frame;
  gsize n_stacks;
  const guint32 *module; /* of frames */
  const guint64 *offset;
  gsize n_frames;
  GBytes *columns[4];
} Sites;

static const void *
load_column (Sites *self, guint slot, TbTableKind kind, guint column, gsize *n, GError **error)
{
  TbTable *table = tb_session_get_table (self->session, kind);

  *n = tb_table_get_n_rows (table);
  self->columns[slot] = tb_table_get_column (table, column, error);
  return self->columns[slot] != NULL ? g_bytes_get_data (self->columns[slot], NULL) : NULL;
}

static gboolean
load (Sites *self, GError **error)
{
  self->parent = load_column (self, 0, TB_TABLE_STACK, TB_STACK_PARENT, &self->n_stacks, error);
  self->frame = self->columns[0] != NULL
                    ? load_column (self, 1, TB_TABLE_STACK, TB_STACK_FRAME, &self->n_stacks, error)
                    : NULL;
  self->module = self->columns[1] != NULL
                     ? load_column (self, 2, TB_TABLE_FRAME, TB_FRAME_MODULE, &self->n_frames, error)
                     : NULL;
  self->offset = self->columns[2] != NULL
                     ? load_column (self, 3, TB_TABLE_FRAME, TB_FRAME_OFFSET, &self->n_frames, error)
                     : NULL;
  return self->columns[3] != NULL;
}

static char *
describe_frame (const Sites *self, guint32 frame, const TbFrameName *name)
{
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);
  g_autofree char *file = NULL;

  if (name != NULL && name->file != NULL && *name->file != '\0' && name->line > 0)
    {
      file = g_path_get_basename (name->file);
      return g_strdup_printf ("%s:%u", file, name->line);
    }
  /* A frame that came with a name has no address. */
  if (frame >= self->n_frames || self->module[frame] >= n_modules)
    return NULL;
  if (modules[self->module[frame]].kind == TB_MODULE_NAMED)
    return NULL;
  file = g_path_get_basename (modules[self->module[frame]].path);
  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", file, self->offset[frame]);
}

/* The caller of the function at a level of a stack, which counts inlined ones. */
static char *
describe_caller (const Sites *self, guint32 stack, guint level)
{
  guint at = 0;

  for (; stack != TB_STACK_NONE && stack < self->n_stacks; stack = self->parent[stack])
    {
      guint n_names;
      const TbFrameName *names = tb_session_get_frame_names (self->session, self->frame[stack], &n_names);
      guint n = MAX (n_names, 1);

      if (level + 1 < at + n)
        return describe_frame (self, self->frame[stack], n_names > 0 ? &names[level + 1 - at] : NULL);
      at += n;
    }
  return NULL;
}

gboolean
tb_peaks_find_call_sites (TbPeaksDrill *drill, GError **error)
{
  Sites self = { .session = tb_trace_get_session (drill->calls->trace) };
  gboolean is_good = load (&self, error);

  drill->call_sites = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint32 i = 0; is_good && i < drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (drill->tree, i);
      char *text = NULL;

      if (node->kind != TB_PEAKS_NODE_FUNCTION || node->parent == TB_ID_NONE
          || !tb_peaks_tree_node (drill->tree, node->parent)->is_root_cause)
        continue;
      if (node->site != 0)
        text = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", node->site);
      else if (node->stack != TB_STACK_NONE)
        text = describe_caller (&self, node->stack, node->level);
      if (text != NULL)
        g_hash_table_insert (drill->call_sites, GUINT_TO_POINTER (i + 1), text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (self.columns); i++)
    g_clear_pointer (&self.columns[i], g_bytes_unref);
  return is_good;
}
