/* tb-unwind-files.c: opening of the file of one mapping of a process for the unwinder, found by
 * tb-elf-finder by build ID, or else by what was recorded of all mappings of that file, which are
 * collected here
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A file without a build ID has to fit its mappings, by the rules of function names: unwound with
 * the tables of another file, stacks have wrong callers.
 */

#include "config.h"

#include <string.h>

#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-unwind-files-private.h"

static gboolean
are_of_one_file (const TbUnwindMapping *a, const TbUnwindMapping *b)
{
  return a->build_id == NULL && b->build_id == NULL && a->file.inode == b->file.inode
         && a->file.major == b->file.major && a->file.minor == b->file.minor
         && strcmp (a->path, b->path) == 0;
}

/* Collects the parts of the file that the process has mapped as executable. */
static GArray *
collect_ranges (const GArray *mappings, const TbUnwindMapping *wanted, guint32 *protection)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (TbFileRange));
  gboolean is_known = TRUE;

  *protection = 0;
  for (guint i = 0; i < mappings->len; i++)
    {
      const TbUnwindMapping *mapping = &g_array_index (mappings, TbUnwindMapping, i);
      TbFileRange range = { mapping->offset, mapping->offset + mapping->length };

      if (!are_of_one_file (mapping, wanted) || range.end <= range.start)
        continue;
      *protection |= mapping->file.protection;
      is_known = is_known && mapping->file.protection != 0;
      g_array_append_val (ranges, range);
    }
  if (!is_known)
    *protection = 0;
  tb_file_ranges_join (ranges);
  return ranges;
}

int
tb_unwind_files_open (const GArray *mappings,
                      guint index,
                      gint32 pid,
                      const TbMappedFile *recording,
                      gboolean *is_unverified,
                      char **found)
{
  const TbUnwindMapping *mapping = &g_array_index (mappings, TbUnwindMapping, index);
  g_autoptr (GArray) ranges = NULL;
  TbMappedFile mapped = *recording;
  TbFileMatch match;
  int fd;

  *is_unverified = FALSE;
  if (mapping->build_id != NULL)
    return tb_elf_finder_open (mapping->path, mapping->build_id, pid, found);
  if (mapping->path[0] != '/' || mapping->path[1] == '/')
    return -1;
  mapped.file = mapping->file;
  ranges = collect_ranges (mappings, mapping, &mapped.file.protection);
  mapped.ranges = (const TbFileRange *) (gconstpointer) ranges->data;
  mapped.n_ranges = ranges->len;
  fd = tb_elf_finder_open_mapped (mapping->path, &mapped, pid, &match, found);
  *is_unverified = fd >= 0 && match != TB_FILE_MATCH_VERIFIED;
  return fd;
}
