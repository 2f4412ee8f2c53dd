/* tb-debug-sections.c: sections with debug information, prepared for libdw: what is not needed is
 * left out, the rest is decompressed
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libdw decompresses all sections by zlib when it opens a file, which takes longer than all that
 * follows. libdeflate needs half of that time.
 */

#include "config.h"

#include <gelf.h>

#include "symbols/tb-debug-sections-private.h"
#include "symbols/tb-inflate-private.h"

GPtrArray *
tb_debug_sections_new (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

static gboolean
is_needed (const char *name)
{
  static const char *const unneeded[]
      = { ".debug_loclists", ".debug_loc", ".debug_frame", ".debug_macinfo", ".debug_macro", NULL };

  return !g_strv_contains (unneeded, name);
}

static void
drop (Elf_Scn *section, GElf_Shdr *header)
{
  header->sh_type = SHT_NOBITS;
  header->sh_flags &= ~(GElf_Xword) SHF_COMPRESSED;
  gelf_update_shdr (section, header);
}

/* What fails here is left to libdw. */
static void
inflate_section (GPtrArray *self, Elf *elf, Elf_Scn *section, GElf_Shdr *header)
{
  Elf_Data *data = elf_rawdata (section, NULL);
  gsize at = gelf_fsize (elf, ELF_T_CHDR, 1, EV_CURRENT);
  GElf_Chdr compressed;
  guint8 *content;

  if (data == NULL || data->d_buf == NULL || gelf_getchdr (section, &compressed) == NULL
      || compressed.ch_type != ELFCOMPRESS_ZLIB || compressed.ch_size > G_MAXSIZE / 2
      || data->d_size < at)
    return;
  content = tb_inflate ((const guint8 *) data->d_buf + at, data->d_size - at, compressed.ch_size);
  if (content == NULL)
    return;
  g_ptr_array_add (self, content);
  header->sh_flags &= ~(GElf_Xword) SHF_COMPRESSED;
  header->sh_size = compressed.ch_size;
  header->sh_addralign = compressed.ch_addralign;
  gelf_update_shdr (section, header);
  data->d_buf = content;
  data->d_size = compressed.ch_size;
  data->d_align = compressed.ch_addralign;
}

void
tb_debug_sections_prepare (GPtrArray *self, Elf *elf)
{
  Elf_Scn *section = NULL;
  size_t names;

  if (elf == NULL || elf_getshdrstrndx (elf, &names) != 0)
    return;
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;
      const char *name = gelf_getshdr (section, &header) != NULL
                             ? elf_strptr (elf, names, header.sh_name)
                             : NULL;

      if (name == NULL || (header.sh_flags & SHF_COMPRESSED) == 0)
        continue;
      if (!is_needed (name))
        drop (section, &header);
      else if (g_str_has_prefix (name, ".debug_"))
        inflate_section (self, elf, section, &header);
    }
}
