/* tb-latency-source-line.c: source line of an address of a program or library, read from the debug
 * information that its file has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <elfutils/libdw.h>

#include "tb-latency-source-line.h"

static char *
find_line_in (Dwarf *dwarf, guint64 address)
{
  Dwarf_Off at = 0, next;
  size_t header;

  for (; dwarf_nextcu (dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next)
    {
      Dwarf_Die unit;
      Dwarf_Line *line;
      int number = 0;
      const char *file;
      g_autofree char *name = NULL;

      if (dwarf_offdie (dwarf, at + header, &unit) == NULL || dwarf_haspc (&unit, address) != 1)
        continue;
      line = dwarf_getsrc_die (&unit, address);
      file = line != NULL ? dwarf_linesrc (line, NULL, NULL) : NULL;
      if (file == NULL || dwarf_lineno (line, &number) != 0 || number <= 0)
        return NULL;
      name = g_path_get_basename (file);
      return g_strdup_printf ("%s:%d", name, number);
    }
  return NULL;
}

char *
tb_latency_find_line (const TbLatencyImage *image, guint64 address)
{
  Elf *elf = image->data != NULL ? elf_memory ((char *) image->data, image->size) : NULL;
  Dwarf *dwarf = elf != NULL ? dwarf_begin_elf (elf, DWARF_C_READ, NULL) : NULL;
  char *line = dwarf != NULL ? find_line_in (dwarf, address) : NULL;

  if (dwarf != NULL)
    dwarf_end (dwarf);
  if (elf != NULL)
    elf_end (elf);
  return line;
}
