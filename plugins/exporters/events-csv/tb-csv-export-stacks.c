/* tb-csv-export-stacks.c: call stacks of a session as text, outermost frame first, and names of
 * variables, for the export
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-export-private.h"

#include <string.h>

#define N_CACHED 8192u
#define MAX_FRAMES 4096u

struct _TbCsvStacks
{
  TbSession *session;
  GBytes *columns[5];
  const guint32 *parents;
  const guint32 *nodes;
  const guint8 *flags;
  gsize n_stacks;
  const guint32 *modules;
  const guint64 *offsets;
  gsize n_frames;
  const TbModule *session_modules;
  guint n_modules;
  struct
  {
    guint32 stack;
    char *text;
  } cached[N_CACHED];
};

static gconstpointer
get_column (TbCsvStacks *self, guint place, TbTableKind kind, guint column, GError **error)
{
  self->columns[place]
      = tb_table_get_column (tb_session_get_table (self->session, kind), column, error);
  return self->columns[place] != NULL ? g_bytes_get_data (self->columns[place], NULL) : NULL;
}

TbCsvStacks *
tb_csv_stacks_new (TbSession *session, GError **error)
{
  TbCsvStacks *self = g_new0 (TbCsvStacks, 1);

  self->session = session;
  self->n_stacks = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_STACK));
  self->n_frames = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_FRAME));
  self->parents = get_column (self, 0, TB_TABLE_STACK, TB_STACK_PARENT, error);
  self->nodes = self->columns[0] != NULL
                    ? get_column (self, 1, TB_TABLE_STACK, TB_STACK_FRAME, error)
                    : NULL;
  self->modules = self->columns[1] != NULL
                      ? get_column (self, 2, TB_TABLE_FRAME, TB_FRAME_MODULE, error)
                      : NULL;
  self->offsets = self->columns[2] != NULL
                      ? get_column (self, 3, TB_TABLE_FRAME, TB_FRAME_OFFSET, error)
                      : NULL;
  self->flags = self->columns[3] != NULL
                    ? get_column (self, 4, TB_TABLE_STACK, TB_STACK_FLAGS, error)
                    : NULL;
  self->session_modules = tb_session_get_modules (session, &self->n_modules);
  if (self->columns[4] != NULL)
    return self;
  tb_csv_stacks_free (self);
  return NULL;
}

void
tb_csv_stacks_free (TbCsvStacks *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  for (guint i = 0; i < N_CACHED; i++)
    g_free (self->cached[i].text);
  g_free (self);
}

/* Separators are replaced in names. */
static void
append_name (GString *text, const char *name, char separator)
{
  for (; *name != '\0'; name++)
    g_string_append_c (text, *name == ';' ? ':' : *name == separator ? '_' : *name);
}

static void
append_frame (GString *text, const char *function, const TbModule *module)
{
  const char *path = module == NULL                     ? ""
                     : module->kind == TB_MODULE_KERNEL ? "[kernel]"
                     : module->kind == TB_MODULE_FILE   ? module->path
                                                        : module->path;
  const char *slash = module != NULL && module->kind == TB_MODULE_FILE ? strrchr (path, '/') : NULL;

  if (text->len > 0)
    g_string_append_c (text, ';');
  append_name (text, function, '\0');
  path = slash != NULL ? slash + 1 : path;
  /* The last @ separates function and module, so a function with an @ in its name needs another one
   * after it. */
  if (*path == '\0' && strchr (function, '@') == NULL)
    return;
  g_string_append_c (text, '@');
  append_name (text, path, '@');
}

/* Frames in a function without a name are identified by the start of the function. */
static guint64
get_name_offset (const TbFrameName *names, guint n_names, guint64 offset)
{
  return n_names == 1 && *names[0].function == '\0' && names[0].line != 0 ? names[0].line : offset;
}

/* Returns the name of an address without symbols: "libfoo.so+0x4040". */
static char *
name_by_module (const TbModule *module, guint64 offset)
{
  g_autofree char *file = module != NULL ? g_path_get_basename (module->path) : NULL;

  return file != NULL && *module->path != '\0'
             ? g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", file, offset)
             : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", offset);
}

/* Appends the functions at the address, including inlined ones, outermost first. */
static void
append_functions (TbCsvStacks *self, GString *text, guint32 frame)
{
  const TbModule *module = NULL;
  const TbFrameName *names;
  g_autofree char *name = NULL;
  guint n_names;

  if (self->modules[frame] < self->n_modules)
    module = &self->session_modules[self->modules[frame]];
  if (module != NULL && module->kind == TB_MODULE_NAMED)
    {
      const char *function = tb_session_get_string (self->session, (guint32) self->offsets[frame]);

      append_frame (text, *function != '\0' ? function : "?", module);
      return;
    }
  names = tb_session_get_frame_names (self->session, frame, &n_names);
  if (n_names > 0 && *names[n_names - 1].function != '\0')
    {
      for (guint i = n_names; i-- > 0;)
        append_frame (text, *names[i].function != '\0' ? names[i].function : "?", module);
      return;
    }
  name = name_by_module (module, get_name_offset (names, n_names, self->offsets[frame]));
  append_frame (text, name, module);
}

static char *
describe (TbCsvStacks *self, guint32 stack)
{
  GString *text = g_string_new (NULL);
  guint32 path[MAX_FRAMES];
  guint8 flags = 0; /* of the outermost node */
  guint n = 0;

  for (; stack != TB_STACK_NONE && n < MAX_FRAMES; stack = self->parents[stack])
    {
      path[n++] = self->nodes[stack];
      flags = self->flags[stack];
    }
  if ((flags & TB_STACK_BROKEN) != 0)
    g_string_append (text, "[broken]");
  else if ((flags & TB_STACK_CUT) != 0)
    g_string_append (text, "[cut]");
  while (n-- > 0)
    if (path[n] < self->n_frames)
      append_functions (self, text, path[n]);
  return g_string_free (text, FALSE);
}

const char *
tb_csv_stacks_get_text (TbCsvStacks *self, guint32 stack)
{
  guint place = stack % N_CACHED;

  if (stack == TB_STACK_NONE || stack >= self->n_stacks)
    return "";
  if (self->cached[place].stack != stack)
    {
      g_free (self->cached[place].text);
      self->cached[place].text = describe (self, stack);
      self->cached[place].stack = stack;
    }
  return self->cached[place].text;
}

void
tb_csv_stacks_name_data (TbCsvStacks *self, guint32 frame, guint64 place, GString *text)
{
  g_autofree char *by_module = NULL;
  const TbModule *module;
  const TbFrameName *names;
  guint n_names;

  g_string_truncate (text, 0);
  if (frame >= self->n_frames || self->modules[frame] >= self->n_modules)
    return;
  module = &self->session_modules[self->modules[frame]];
  names = tb_session_get_frame_names (self->session, frame, &n_names);
  if (module->kind == TB_MODULE_NAMED)
    g_string_append (text, tb_session_get_string (self->session, (guint32) self->offsets[frame]));
  else if (n_names > 0 && *names[0].function != '\0')
    g_string_append (text, names[0].function);
  else
    {
      by_module = name_by_module (module, place);
      g_string_append (text, by_module);
    }
}
