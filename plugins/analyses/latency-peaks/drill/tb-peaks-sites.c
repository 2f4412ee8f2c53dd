/* tb-peaks-sites.c: call sites of the functions of a drill-down: where each was called, from stacks
 * or return addresses; as identity, as text, and in a form that another recording can find
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "latency-state/tb-peaks-function-names.h"
#include "latency-state/tb-peaks-saved-site.h"
#include "tb-peaks-sites.h"

/* Kinds of sites other than the caller's frame plus one. */
#define INLINED (G_GUINT64_CONSTANT (1) << 63) /* line of the call */
/* part of an address that is equal in all processes */
#define ADDRESS (G_GUINT64_CONSTANT (1) << 62)
#define SAVED (G_GUINT64_CONSTANT (1) << 61) /* hash */
#define PAGE_OFFSET 0xfffu

/* --- stacks --- */

static const void *
load_column (TbPeaksSites *self,
             guint slot,
             TbTableKind kind,
             guint column,
             gsize *n,
             GError **error)
{
  TbTable *table = tb_session_get_table (self->session, kind);

  *n = tb_table_get_n_rows (table);
  self->columns[slot] = tb_table_get_column (table, column, error);
  return self->columns[slot] != NULL ? g_bytes_get_data (self->columns[slot], NULL) : NULL;
}

gboolean
tb_peaks_sites_init (TbPeaksSites *self, TbSession *session, GError **error)
{
  *self = (TbPeaksSites) { .session = session };
  self->parent = load_column (self, 0, TB_TABLE_STACK, TB_STACK_PARENT, &self->n_stacks, error);
  self->frame = self->columns[0] != NULL
                    ? load_column (self, 1, TB_TABLE_STACK, TB_STACK_FRAME, &self->n_stacks, error)
                    : NULL;
  self->module = self->columns[1] != NULL ? load_column (self, 2, TB_TABLE_FRAME, TB_FRAME_MODULE,
                                                         &self->n_frames, error)
                                          : NULL;
  self->offset = self->columns[2] != NULL ? load_column (self, 3, TB_TABLE_FRAME, TB_FRAME_OFFSET,
                                                         &self->n_frames, error)
                                          : NULL;
  return self->columns[3] != NULL;
}

void
tb_peaks_sites_clear (TbPeaksSites *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}

/* Missing frames are skipped, as in the context tree. */
static void
enter_frame (const TbPeaksSites *self, TbPeaksPlace *place, guint32 stack)
{
  while (stack != TB_STACK_NONE && stack < self->n_stacks && self->frame[stack] >= self->n_frames)
    stack = self->parent[stack];
  place->stack = stack < self->n_stacks ? stack : TB_STACK_NONE;
  place->name = place->n_names = 0;
  place->names
      = place->stack != TB_STACK_NONE
            ? tb_session_get_frame_names (self->session, self->frame[stack], &place->n_names)
            : NULL;
}

TbPeaksPlace
tb_peaks_sites_begin (const TbPeaksSites *self, guint32 stack)
{
  TbPeaksPlace place;

  enter_frame (self, &place, stack);
  return place;
}

guint64
tb_peaks_sites_move_to_caller (const TbPeaksSites *self, TbPeaksPlace *place)
{
  if (place->stack == TB_STACK_NONE)
    return 0;
  if (place->name + 1 < place->n_names)
    {
      guint line = place->names[++place->name].line;

      return line > 0 ? INLINED | line : 0;
    }
  enter_frame (self, place, self->parent[place->stack]);
  return place->stack != TB_STACK_NONE ? (guint64) self->frame[place->stack] + 1 : 0;
}

/* --- probed functions --- */

static gboolean
has_name (const TbPeaksPlace *place, const char *function)
{
  for (guint i = 0; i < place->n_names; i++)
    if (tb_peaks_is_same_function (place->names[i].function, function))
      return TRUE;
  return FALSE;
}

/* The caller's frame. The innermost frame is the function itself, unless the stack was taken in its
 * caller. */
static guint32
find_caller (const TbPeaksSites *self, const char *function, guint32 stack)
{
  TbPeaksPlace place = tb_peaks_sites_begin (self, stack);

  if (place.stack != TB_STACK_NONE && has_name (&place, function))
    enter_frame (self, &place, self->parent[place.stack]);
  return place.stack;
}

/* Uses the frame of the stack if possible, because the same call may also occur in other stacks. */
guint64
tb_peaks_sites_find_call (const TbPeaksSites *self,
                          const char *function,
                          guint64 address,
                          guint32 stack)
{
  TbPeaksPlace place = tb_peaks_sites_begin (self, stack);
  guint32 caller
      = place.n_names > 0 || address == 0 ? find_caller (self, function, stack) : TB_STACK_NONE;

  if (caller != TB_STACK_NONE)
    return (guint64) self->frame[caller] + 1;
  return address != 0 ? ADDRESS | (address & PAGE_OFFSET) : 0;
}

/* --- another recording --- */

/* NULL if the frame was recorded by name, or has no module. */
static const TbModule *
find_module (const TbPeaksSites *self, guint32 frame)
{
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);

  return frame < self->n_frames && self->module[frame] < n_modules
                 && modules[self->module[frame]].kind != TB_MODULE_NAMED
             ? &modules[self->module[frame]]
             : NULL;
}

static char *
describe_address (const TbPeaksSites *self, guint32 frame)
{
  const TbModule *module = find_module (self, frame);

  return module != NULL ? tb_peaks_saved_format_site (module->path, self->offset[frame]) : NULL;
}

const char *
tb_peaks_sites_get_build (const TbPeaksSites *self, guint64 site)
{
  const TbModule *module
      = site != 0 && site <= G_MAXUINT32 ? find_module (self, (guint32) site - 1) : NULL;

  return module != NULL && module->build_id != NULL ? module->build_id : "";
}

char *
tb_peaks_sites_format (const TbPeaksSites *self, guint64 site)
{
  if (site & INLINED)
    return g_strdup_printf ("line %u", (guint) site);
  if (site & ADDRESS)
    return g_strdup_printf ("page+0x%x", (guint) site & PAGE_OFFSET);
  return site != 0 && site <= G_MAXUINT32 ? describe_address (self, (guint32) site - 1) : NULL;
}

guint64
tb_peaks_sites_hash (const char *saved)
{
  return SAVED | g_str_hash (saved);
}

/* --- text --- */

static char *
describe_frame (const TbPeaksSites *self, guint32 frame, const TbFrameName *name)
{
  g_autofree char *file = NULL;

  if (name == NULL || name->file == NULL || *name->file == '\0' || name->line == 0)
    return describe_address (self, frame);
  file = g_path_get_basename (name->file);
  return g_strdup_printf ("%s:%u", file, name->line);
}

/* The caller of the function at a level of a stack; levels include inlined functions. */
static char *
describe_caller (const TbPeaksSites *self, guint32 stack, guint level)
{
  TbPeaksPlace place = tb_peaks_sites_begin (self, stack);

  for (guint i = 0; i <= level; i++)
    tb_peaks_sites_move_to_caller (self, &place);
  return place.stack != TB_STACK_NONE
             ? describe_frame (self, self->frame[place.stack],
                               place.n_names > 0 ? &place.names[place.name] : NULL)
             : NULL;
}

static char *
describe_site (const TbPeaksSites *self, const TbPeaksNode *node)
{
  char *text = NULL;

  if (node->saved_site != NULL)
    return *node->saved_site != '\0' ? g_strdup (node->saved_site) : NULL;
  if (node->stack == TB_STACK_NONE)
    text = NULL;
  else if (node->is_probed)
    {
      guint32 caller = find_caller (self, (const char *) (gsize) node->key, node->stack);
      TbPeaksPlace place = tb_peaks_sites_begin (self, caller);

      if (caller != TB_STACK_NONE)
        text = describe_frame (self, self->frame[caller], place.names);
    }
  else
    text = describe_caller (self, node->stack, node->level);
  if (text == NULL && node->address != 0)
    text = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", node->address);
  return text;
}

static int
compare_calls (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbPeaksNode *left = tb_peaks_tree_node (data, *(const guint32 *) a);
  const TbPeaksNode *right = tb_peaks_tree_node (data, *(const guint32 *) b);

  if (left->parent != right->parent)
    return left->parent < right->parent ? -1 : 1;
  return left->key != right->key
             ? strcmp ((const char *) (gsize) left->key, (const char *) (gsize) right->key)
             : 0;
}

void
tb_peaks_mark_repeated_callees (TbPeaksTree *tree)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < tree->nodes->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (tree, i);

      if (node->kind == TB_PEAKS_NODE_FUNCTION && node->parent != TB_ID_NONE)
        g_array_append_val (calls, i);
    }
  g_array_sort_with_data (calls, compare_calls, tree);
  for (guint i = 1; i < calls->len; i++)
    {
      const guint32 *pair = &g_array_index (calls, guint32, i - 1);

      if (compare_calls (&pair[0], &pair[1], tree) == 0)
        tb_peaks_tree_node (tree, pair[0])->is_repeated
            = tb_peaks_tree_node (tree, pair[1])->is_repeated = TRUE;
    }
}

gboolean
tb_peaks_find_call_sites (TbPeaksDrill *drill, GError **error)
{
  TbPeaksSites self;
  gboolean is_good = tb_peaks_sites_init (&self, tb_trace_get_session (drill->calls->trace), error);

  tb_peaks_mark_repeated_callees (drill->tree);
  drill->call_sites = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint32 i = 0; is_good && i < drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (drill->tree, i);
      char *text = NULL;

      if (node->kind == TB_PEAKS_NODE_FUNCTION && node->parent != TB_ID_NONE
          && (node->is_repeated || tb_peaks_tree_node (drill->tree, node->parent)->is_root_cause))
        text = describe_site (&self, node);
      if (text != NULL)
        g_hash_table_insert (drill->call_sites, GUINT_TO_POINTER (i + 1), text);
    }
  tb_peaks_sites_clear (&self);
  return is_good;
}
