/* tb-peaks-source-lines.c: source lines at which root causes ran or waited, with their time: from
 * stacks (rather in the program's own code than in libc or the kernel) or added from a live search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-source-lines.h"

/* Maximum for one function; further lines count as unknown. */
#define MAX_LINES 64

/* Lines of one function, either for its running time or for its waits. */
typedef struct
{
  GArray *lines; /* TbPeaksLine */
  gint64 ns;     /* time of all stacks, including those without a line */
} Lines;

typedef struct
{
  TbSession *session;
  const guint32 *parent; /* by stack, as the next */
  const guint32 *frame;
  gsize n;
  const guint32 *module; /* by frame, as the next */
  gsize n_frames;
  guint8 *is_runtime; /* by module */
  guint n_modules;
  GBytes *columns[3];
} Stacks;

static void
line_clear (gpointer data)
{
  g_free (((TbPeaksLine *) data)->place);
}

static void
lines_free (gpointer data)
{
  g_array_unref (((Lines *) data)->lines);
  g_free (data);
}

static gpointer
make_key (guint32 node, gboolean is_waiting)
{
  return GSIZE_TO_POINTER ((gsize) node * 2 + is_waiting + 1);
}

static Lines *
get_lines (TbPeaksDrill *drill, guint32 node, gboolean is_waiting)
{
  Lines *lines = g_hash_table_lookup (drill->lines, make_key (node, is_waiting));

  if (lines != NULL)
    return lines;
  lines = g_new0 (Lines, 1);
  lines->lines = g_array_new (FALSE, FALSE, sizeof (TbPeaksLine));
  g_array_set_clear_func (lines->lines, line_clear);
  g_hash_table_insert (drill->lines, make_key (node, is_waiting), lines);
  return lines;
}

/* Takes ownership of place. */
static void
add_place (Lines *lines, const char *function, char *place, gint64 ns)
{
  TbPeaksLine line = { function, place, ns };

  for (guint i = 0; i < lines->lines->len; i++)
    {
      TbPeaksLine *other = &g_array_index (lines->lines, TbPeaksLine, i);

      if (!g_str_equal (other->place, line.place) || !g_str_equal (other->function, line.function))
        continue;
      other->ns += ns;
      g_free (line.place);
      return;
    }
  if (lines->lines->len < MAX_LINES)
    g_array_append_val (lines->lines, line);
  else
    g_free (line.place);
}

static void
add_line (Lines *lines, const TbFrameName *name, gint64 ns)
{
  g_autofree char *file = g_path_get_basename (name->file);

  add_place (lines, name->function, g_strdup_printf ("%s:%u", file, name->line), ns);
}

/* Whether the module is a general-purpose library: the line of its caller is informative, lines
 * within it are not. */
static gboolean
is_runtime (const TbModule *module)
{
  static const char *const prefixes[]
      = { "libc.", "libc-", "libpthread", "ld-linux", "ld-musl", "[" };
  g_autofree char *name = g_path_get_basename (module->path);

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;
  return module->kind == TB_MODULE_KERNEL;
}

static void
load_modules (Stacks *self)
{
  const TbModule *modules = tb_session_get_modules (self->session, &self->n_modules);

  self->is_runtime = g_malloc0 (self->n_modules + 1);
  for (guint i = 0; i < self->n_modules; i++)
    self->is_runtime[i] = is_runtime (&modules[i]);
}

static gboolean
load (Stacks *self, GError **error)
{
  TbTable *stacks = tb_session_get_table (self->session, TB_TABLE_STACK);
  TbTable *frames = tb_session_get_table (self->session, TB_TABLE_FRAME);

  self->n = tb_table_get_n_rows (stacks);
  self->n_frames = tb_table_get_n_rows (frames);
  self->columns[0] = tb_table_get_column (stacks, TB_STACK_PARENT, error);
  self->columns[1]
      = self->columns[0] != NULL ? tb_table_get_column (stacks, TB_STACK_FRAME, error) : NULL;
  self->columns[2]
      = self->columns[1] != NULL ? tb_table_get_column (frames, TB_FRAME_MODULE, error) : NULL;
  if (self->columns[2] == NULL)
    return FALSE;
  self->parent = g_bytes_get_data (self->columns[0], NULL);
  self->frame = g_bytes_get_data (self->columns[1], NULL);
  self->module = g_bytes_get_data (self->columns[2], NULL);
  load_modules (self);
  return TRUE;
}

static void
clear (Stacks *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_free (self->is_runtime);
}

static const TbFrameName *
find_name_of_frame (const Stacks *self, guint32 frame)
{
  guint n;
  const TbFrameName *names = tb_session_get_frame_names (self->session, frame, &n);

  for (guint i = 0; i < n; i++)
    if (*names[i].function != '\0' && names[i].file != NULL && *names[i].file != '\0'
        && names[i].line > 0)
      return &names[i];
  return NULL;
}

/* The innermost frame name of a stack that has a line, preferably in the program and its own
 * libraries; NULL if there is none. */
static const TbFrameName *
find_name (const Stacks *self, guint32 stack)
{
  const TbFrameName *innermost = NULL;

  for (; stack != TB_STACK_NONE && stack < self->n; stack = self->parent[stack])
    {
      guint32 frame = self->frame[stack];
      const TbFrameName *name = find_name_of_frame (self, frame);
      guint32 module = frame < self->n_frames ? self->module[frame] : TB_ID_NONE;

      if (name == NULL)
        continue;
      if (module >= self->n_modules || !self->is_runtime[module])
        return name;
      if (innermost == NULL)
        innermost = name;
    }
  return innermost;
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const TbPeaksLine *left = a, *right = b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  return strcmp (left->place, right->place);
}

static void
sort_lines (gpointer key, gpointer value, gpointer data)
{
  g_array_sort (((Lines *) value)->lines, compare_lines);
}

static void
add_stack (TbPeaksDrill *drill, const TbPeaksNode *alias, const TbFrameName *name)
{
  const gint64 ns[] = { alias->self_ns, alias->waited_ns };

  for (guint i = 0; i < G_N_ELEMENTS (ns); i++)
    {
      Lines *lines = ns[i] > 0 ? get_lines (drill, alias->target, i > 0) : NULL;

      if (lines == NULL)
        continue;
      lines->ns += ns[i];
      if (name != NULL)
        add_line (lines, name, ns[i]);
    }
}

gboolean
tb_peaks_find_lines (TbPeaksDrill *drill, GError **error)
{
  Stacks stacks = { .session = tb_trace_get_session (drill->calls->trace) };
  gboolean is_good = load (&stacks, error);

  drill->lines = g_hash_table_new_full (NULL, NULL, NULL, lines_free);
  for (guint32 i = 0; is_good && i < drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *alias = tb_peaks_tree_node (drill->tree, i);

      if (alias->kind == TB_PEAKS_NODE_ALIAS && !alias->is_cut
          && tb_peaks_tree_node (drill->tree, alias->target)->is_root_cause)
        add_stack (drill, alias, find_name (&stacks, (guint32) alias->key));
    }
  g_hash_table_foreach (drill->lines, sort_lines, NULL);
  clear (&stacks);
  return is_good;
}

void
tb_peaks_add_line (TbPeaksDrill *drill,
                   guint32 node,
                   const char *function,
                   const char *place,
                   gint64 ns)
{
  Lines *lines;

  if (drill->lines == NULL)
    drill->lines = g_hash_table_new_full (NULL, NULL, NULL, lines_free);
  lines = get_lines (drill, node, FALSE);
  lines->ns += ns;
  add_place (lines, g_string_chunk_insert_const (drill->names, function), g_strdup (place), ns);
  g_array_sort (lines->lines, compare_lines);
}

/* A wait and all nodes below it belong to its function. */
const GArray *
tb_peaks_get_lines (const TbPeaksDrill *drill, guint32 node, gint64 *ns)
{
  gboolean is_waiting = FALSE;
  const Lines *lines;

  for (;
       node != TB_ID_NONE && tb_peaks_tree_node (drill->tree, node)->kind != TB_PEAKS_NODE_FUNCTION;
       node = tb_peaks_tree_node (drill->tree, node)->parent)
    if (tb_peaks_node_is_disturbance (tb_peaks_tree_node (drill->tree, node)))
      return NULL;
    else
      is_waiting = TRUE;
  lines = drill->lines != NULL && node != TB_ID_NONE
              ? g_hash_table_lookup (drill->lines, make_key (node, is_waiting))
              : NULL;
  if (lines == NULL || lines->lines->len == 0)
    return NULL;
  *ns = lines->ns;
  return lines->lines;
}
