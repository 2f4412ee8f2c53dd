/* tb-debuginfod-session.c: files that functions of a session without a name need and that are not
 * on this machine, most used ones first, added to a debuginfod client
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/debuginfod/tb-debuginfod-private.h"
#include "symbols/tb-elf-finder-private.h"

typedef struct
{
  guint32 module;
  guint64 uses;   /* stack nodes with an address of it that has no name */
  gboolean first; /* the caller wants it before others */
} Need;

static int
compare_needs (gconstpointer a, gconstpointer b)
{
  const Need *x = a, *y = b;

  if (x->first != y->first)
    return x->first ? -1 : 1;
  if (x->uses != y->uses)
    return x->uses > y->uses ? -1 : 1;
  return x->module < y->module ? -1 : x->module > y->module;
}

static gboolean
has_no_name (TbSession *session, guint32 frame)
{
  guint n;
  const TbFrameName *names = tb_session_get_frame_names (session, frame, &n);

  return n == 0 || (n == 1 && names->function[0] == '\0');
}

/* Adds the uses of each module's addresses without names. */
static gboolean
count_uses (TbSession *session, Need *needs, guint n_modules, GError **error)
{
  g_autoptr (GBytes) modules = tb_table_get_column (tb_session_get_table (session, TB_TABLE_FRAME),
                                                    TB_FRAME_MODULE, error);
  g_autoptr (GBytes) nodes = NULL;
  g_autofree guint8 *nameless = NULL;
  const guint32 *of_frame, *of_node;
  gsize n_frames, n_nodes;

  if (modules == NULL)
    return FALSE;
  nodes
      = tb_table_get_column (tb_session_get_table (session, TB_TABLE_STACK), TB_STACK_FRAME, error);
  if (nodes == NULL)
    return FALSE;
  of_frame = g_bytes_get_data (modules, &n_frames);
  of_node = g_bytes_get_data (nodes, &n_nodes);
  n_frames /= sizeof (guint32);
  n_nodes /= sizeof (guint32);
  nameless = g_new0 (guint8, n_frames + 1);
  for (gsize i = 0; i < n_frames; i++)
    nameless[i] = of_frame[i] < n_modules && has_no_name (session, (guint32) i);
  for (gsize i = 0; i < n_nodes; i++)
    if (of_node[i] < n_frames && nameless[of_node[i]])
      needs[of_frame[of_node[i]]].uses++;
  return TRUE;
}

/* Returns TRUE if the file has debug information itself. *debuglink gets a copy of the name of its
 * debug file, NULL if it has none. */
static gboolean
has_debug_information (int fd, char **debuglink)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  GElf_Word crc;
  size_t names = 0;
  gboolean found = FALSE;

  *debuglink = NULL;
  if (elf == NULL)
    return FALSE;
  *debuglink = g_strdup (dwelf_elf_gnu_debuglink (elf, &crc));
  if (elf_getshdrstrndx (elf, &names) == 0)
    for (Elf_Scn *section = NULL; !found && (section = elf_nextscn (elf, section)) != NULL;)
      {
        GElf_Shdr header;
        const char *name = gelf_getshdr (section, &header) != NULL
                               ? elf_strptr (elf, names, header.sh_name)
                               : NULL;

        found = name != NULL && header.sh_type != SHT_NOBITS
                && (strcmp (name, ".debug_info") == 0 || strcmp (name, ".zdebug_info") == 0);
      }
  elf_end (elf);
  return found;
}

/* Adds what is not on this machine of the two files of a module. */
static void
add_module (TbDebuginfod *self, const TbModule *module, gint32 pid)
{
  g_autofree char *debuglink = NULL, *code_path = NULL, *debug_path = NULL;
  int code = tb_elf_finder_open (module->path, module->build_id, pid, &code_path);
  int debug = -1;
  gboolean complete = FALSE;

  if (code >= 0)
    {
      complete = has_debug_information (code, &debuglink);
      if (complete)
        tb_debuginfod_add_supplement (self, code, code_path, module->path, self->files->len);
      close (code);
    }
  else
    tb_debuginfod_add_file (self, module->build_id, TB_DEBUGINFOD_EXECUTABLE, module->path);
  if (complete)
    return;
  debug = tb_elf_finder_open_debug (module->build_id, module->path, debuglink, pid, &debug_path);
  if (debug >= 0)
    {
      tb_debuginfod_add_supplement (self, debug, debug_path, module->path, self->files->len);
      close (debug);
    }
  else
    tb_debuginfod_add_file (self, module->build_id, TB_DEBUGINFOD_DEBUGINFO, module->path);
}

/* Returns a process in whose root the module's file may be, 0 if it is not of this boot. */
static gint32
find_process (TbSession *session, const TbModule *module)
{
  const char *recorded = tb_session_get_fact (session, "boot-id");
  g_autofree char *boot = NULL;
  guint n;
  const TbProcess *processes = tb_session_get_processes (session, &n);

  if (recorded == NULL || module->process >= n
      || !g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL)
      || strcmp (g_strstrip (boot), recorded) != 0)
    return 0;
  return processes[module->process].pid;
}

/**
 * tb_debuginfod_add_session:
 * @self: a client
 * @session: a session
 * @first_modules: (nullable) (array length=n_first): modules to begin with, such as those of the
 * functions that are on the screen
 * @n_first: their number
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Adds the files that functions of @session without a name need and that are not on this machine,
 * those of the most frequent functions first. The kernel is left out: its symbols are those of its
 * running copy. Reads files of this machine, so call it in a thread.
 *
 * Returns: %FALSE on an error of the session's file, or if cancelled
 */
gboolean
tb_debuginfod_add_session (TbDebuginfod *self,
                           TbSession *session,
                           const guint32 *first_modules,
                           guint n_first,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autofree Need *needs = NULL;
  const TbModule *modules;
  guint n;

  g_return_val_if_fail (TB_IS_DEBUGINFOD (self) && TB_IS_SESSION (session), FALSE);

  modules = tb_session_get_modules (session, &n);
  needs = g_new0 (Need, n + 1);
  for (guint i = 0; i < n; i++)
    needs[i].module = i;
  for (guint i = 0; i < n_first; i++)
    if (first_modules[i] < n)
      needs[first_modules[i]].first = TRUE;
  if (!count_uses (session, needs, n, error))
    return FALSE;
  qsort (needs, n, sizeof *needs, compare_needs);
  for (guint i = 0; i < n; i++)
    {
      const TbModule *module = &modules[needs[i].module];

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (needs[i].uses > 0 && module->kind == TB_MODULE_FILE && module->build_id[0] != '\0'
          && module->path[0] == '/')
        add_module (self, module, find_process (session, module));
    }
  return TRUE;
}
