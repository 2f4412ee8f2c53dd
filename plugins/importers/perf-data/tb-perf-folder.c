/* tb-perf-folder.c: folders that "perf record --threads" and "--kcore" write: recognition, search
 * for the main file; opening of the further files of records, warnings of missing ones; reading of
 * kernel symbols
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "data" has the header and the tasks and mappings that existed before. With --threads each thread
 * of perf writes the records of one buffer into a file "data.N", which has no header. With --kcore
 * "data" has all records.
 */

#include "config.h"

#include "tb-perf-folder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "tb-perf-symbols.h"

#define MAIN_NAME "data"
#define KALLSYMS_NAME "kcore_dir/kallsyms"
#define MAX_PARTS 16384
#define MAGIC_SIZE 16

/* Returns the number of a file "data.N", -1 for other names. */
static gint64
parse_part_name (const char *name)
{
  const char *digits;
  guint64 number;

  if (name == NULL || !g_str_has_prefix (name, MAIN_NAME "."))
    return -1;
  digits = name + strlen (MAIN_NAME ".");
  if (!g_ascii_string_to_unsigned (digits, 10, 0, MAX_PARTS - 1, &number, NULL)
      || (digits[0] == '0' && digits[1] != '\0'))
    return -1;
  return number;
}

static gboolean
has_magic (GFile *file)
{
  g_autoptr (GFileInputStream) stream = NULL;
  guint8 head[MAGIC_SIZE];
  gsize length = 0;

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    return FALSE;
  stream = g_file_read (file, NULL, NULL);
  return stream != NULL
         && g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head, &length, NULL,
                                     NULL)
         && tb_perf_file_sniff (head, length) > 0;
}

int
tb_perf_folder_sniff (GFile *folder)
{
  g_autoptr (GFile) main_file = g_file_get_child (folder, MAIN_NAME);

  return has_magic (main_file) ? 100 : 0;
}

int
tb_perf_folder_sniff_part (const guint8 *head, gsize length, const char *name)
{
  guint16 size;

  if (parse_part_name (name) < 0 || length < TB_PERF_HEADER_SIZE)
    return 0;
  size = tb_perf_u16 (head + 6, FALSE);
  return tb_perf_u32 (head, FALSE) < TB_PERF_N_RECORDS && size >= TB_PERF_HEADER_SIZE
                 && size % 8 == 0
             ? 10
             : 0;
}

GFile *
tb_perf_folder_find_main (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (parse_part_name (name) >= 0 && !has_magic (file))
    {
      g_autoptr (GFile) folder = g_file_get_parent (file);

      if (folder != NULL && tb_perf_folder_sniff (folder) > 0)
        return g_file_get_child (folder, MAIN_NAME);
    }
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY)
    return g_file_get_child (file, MAIN_NAME);
  return g_object_ref (file);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return *(const guint *) a < *(const guint *) b ? -1 : *(const guint *) a > *(const guint *) b;
}

/* Returns the numbers of all files "data.N". */
static GArray *
list_parts (GFile *folder, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GFileEnumerator) children
      = g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME, G_FILE_QUERY_INFO_NONE,
                                   cancellable, error);

  if (children == NULL)
    return NULL;
  while (TRUE)
    {
      GFileInfo *info;
      guint number;

      if (!g_file_enumerator_iterate (children, &info, NULL, cancellable, error))
        return NULL;
      if (info == NULL)
        break;
      if (parse_part_name (g_file_info_get_name (info)) < 0)
        continue;
      number = parse_part_name (g_file_info_get_name (info));
      g_array_append_val (numbers, number);
    }
  g_array_sort (numbers, compare_numbers);
  return g_steal_pointer (&numbers);
}

static gboolean
open_part (TbPerfFile *self, GFile *folder, guint number, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = g_strdup_printf (MAIN_NAME ".%u", number);
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  TbPerfInput map;

  if (!tb_perf_input_open (&map, file, cancellable, error))
    return FALSE;
  tb_perf_file_add_part (self, g_file_get_parse_name (file), map);
  return TRUE;
}

static void
warn_of_missing (TbPerfFile *self, const GArray *numbers)
{
  guint n = numbers->len;
  guint n_missing = n > 0 ? g_array_index (numbers, guint, n - 1) + 1 - n : 0;

  if (n == 0)
    g_ptr_array_add (self->warnings,
                     g_strdup (_ ("The file is from a folder that perf record --threads wrote, and "
                                  "the files beside it (data.0, data.1 …), which have all events, "
                                  "are missing: copy the whole folder.")));
  if (n_missing > 0)
    g_ptr_array_add (
        self->warnings,
        g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                      "%'u of the files data.0 to data.%u is missing in the "
                                      "folder: the events of a CPU are missing in all results. "
                                      "Copy the whole folder again.",
                                      "%'u of the files data.0 to data.%u are missing in the "
                                      "folder: the events of some CPUs are missing in all results. "
                                      "Copy the whole folder again.",
                                      n_missing),
                         n_missing, n + n_missing - 1));
  self->cut_short |= n == 0 || n_missing > 0;
}

gboolean
tb_perf_folder_open_parts (TbPerfFile *self,
                           GFile *main_file,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autofree char *name = g_file_get_basename (main_file);
  g_autoptr (GFile) folder = g_file_get_parent (main_file);
  g_autoptr (GArray) numbers = NULL;

  if (!self->has_parts)
    return TRUE;
  if (g_strcmp0 (name, MAIN_NAME) == 0 && folder != NULL)
    numbers = list_parts (folder, cancellable, error);
  else
    numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  if (numbers == NULL)
    return FALSE;
  for (guint i = 0; i < numbers->len; i++)
    if (!open_part (self, folder, g_array_index (numbers, guint, i), cancellable, error))
      return FALSE;
  warn_of_missing (self, numbers);
  return TRUE;
}

void
tb_perf_folder_read_kallsyms (TbPerfFile *self, GFile *main_file, GCancellable *cancellable)
{
  g_autofree char *name = g_file_get_basename (main_file);
  g_autoptr (GFile) folder = g_file_get_parent (main_file);
  g_autoptr (GFile) file = NULL;
  TbPerfInput input;

  if (g_strcmp0 (name, MAIN_NAME) != 0 || folder == NULL)
    return;
  file = g_file_resolve_relative_path (folder, KALLSYMS_NAME);
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) != G_FILE_TYPE_REGULAR
      || !tb_perf_input_open (&input, file, cancellable, NULL))
    return;
  tb_perf_symbols_add_kallsyms (self->symbols, (const char *) input.bytes, input.size);
  tb_perf_input_clear (&input);
}
