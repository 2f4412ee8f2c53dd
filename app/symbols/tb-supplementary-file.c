/* tb-supplementary-file.c: supplementary debug file (made by dwz) that several debug files share:
 * reading of its build ID from one of them, opening (found by tb-elf-finder), use by libdw; a
 * substitute if it is missing or has only strings
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dwz moves what several debug files have in common, names and inlined functions among it, to a
 * file of their package. The debug files refer to it in the section .gnu_debugaltlink: a file name
 * and a build ID. libdw would open a file of that name whatever its build ID is, and take functions
 * from wrong places in it. A file without content is used where the right one is missing.
 */

#include "config.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <unistd.h>

#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-supplementary-file-private.h"

#define MAX_BUILD_ID_BYTES 64
#define MAX_STRINGS (1u << 30)

struct _TbSupplementaryFile
{
  int fd; /* −1: the file is missing */
  Elf *elf;
  GByteArray *image; /* of the ELF file if it is not that of fd */
  Elf *image_elf;
  Dwarf *dwarf;
  char *build_id;
};

enum
{
  NO_SECTION,
  STRINGS,
  LINES,
  NAMES,
  N_SECTIONS,
};

/* Returns the build ID in hexadecimal digits, NULL if there is no reference. */
static char *
read_link (Dwarf *dwarf, const char **name)
{
  GString *digits;
  const void *bytes;
  ssize_t length = dwelf_dwarf_gnu_debugaltlink (dwarf, name, &bytes);

  if (length <= 0 || length > MAX_BUILD_ID_BYTES)
    return NULL;
  digits = g_string_sized_new (2 * (gsize) length);
  for (ssize_t i = 0; i < length; i++)
    g_string_append_printf (digits, "%02x", ((const guint8 *) bytes)[i]);
  return g_string_free_and_steal (digits);
}

char *
tb_supplementary_file_read_link (int fd, char **name)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  Dwarf *dwarf = elf != NULL ? dwarf_begin_elf (elf, DWARF_C_READ, NULL) : NULL;
  const char *linked = NULL;
  char *build_id = dwarf != NULL ? read_link (dwarf, &linked) : NULL;

  *name = build_id != NULL ? g_strdup (linked) : NULL;
  if (dwarf != NULL)
    dwarf_end (dwarf);
  if (elf != NULL)
    elf_end (elf);
  return build_id;
}

/* Debug links have a CRC. libdwfl has none for supplementary files, and passes 0. */
gboolean
tb_supplementary_file_is_sought (const char *debuglink_file, GElf_Word debuglink_crc)
{
  return debuglink_file != NULL && debuglink_crc == 0;
}

/* Makes an ELF file that has strings and no other debug information. libdw (0.192) opens no file
 * without a section such as that of lines. */
static GByteArray *
make_image (const void *strings, gsize length)
{
  static const char names[] = "\0.debug_str\0.debug_line\0.shstrtab";
  static const guint32 name_places[N_SECTIONS] = { 0, 1, 12, 24 };
  const gsize sizes[N_SECTIONS] = { 0, length, 1, sizeof names };
  const void *const contents[N_SECTIONS] = { NULL, strings, "", names };
  Elf64_Shdr sections[N_SECTIONS] = { { 0 } };
  Elf64_Ehdr header = {
    .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                 G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
    .e_type = ET_REL,
    .e_version = EV_CURRENT,
    .e_shoff = sizeof header,
    .e_ehsize = sizeof header,
    .e_shentsize = sizeof *sections,
    .e_shnum = N_SECTIONS,
    .e_shstrndx = NAMES,
  };
  GByteArray *image = g_byte_array_new ();

  for (guint i = STRINGS; i < N_SECTIONS; i++)
    sections[i] = (Elf64_Shdr) {
      .sh_name = name_places[i],
      .sh_type = i == NAMES ? SHT_STRTAB : SHT_PROGBITS,
      .sh_offset = i == STRINGS ? sizeof header + sizeof sections
                                : sections[i - 1].sh_offset + sections[i - 1].sh_size,
      .sh_size = sizes[i],
      .sh_addralign = 1,
    };
  g_byte_array_append (image, (const guint8 *) &header, sizeof header);
  g_byte_array_append (image, (const guint8 *) sections, sizeof sections);
  for (guint i = STRINGS; i < N_SECTIONS; i++)
    g_byte_array_append (image, contents[i], (guint) sizes[i]);
  return image;
}

/* Returns the strings of a file in which debug files share nothing else. */
static Elf_Data *
find_strings (Elf *elf)
{
  size_t names;

  if (elf_getshdrstrndx (elf, &names) != 0)
    return NULL;
  for (Elf_Scn *section = NULL; (section = elf_nextscn (elf, section)) != NULL;)
    {
      GElf_Shdr header;
      const char *name = gelf_getshdr (section, &header) != NULL
                             ? elf_strptr (elf, names, header.sh_name)
                             : NULL;

      if (g_strcmp0 (name, ".debug_str") != 0
          || ((header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress (section, 0, 0) < 0))
        continue;
      return elf_getdata (section, NULL);
    }
  return NULL;
}

static gboolean
open_image (TbSupplementaryFile *self, const void *strings, gsize length)
{
  if (length > MAX_STRINGS)
    return FALSE;
  self->image = make_image (strings, length);
  self->image_elf = elf_memory ((char *) self->image->data, self->image->len);
  if (self->image_elf != NULL)
    self->dwarf = dwarf_begin_elf (self->image_elf, DWARF_C_READ, NULL);
  return self->dwarf != NULL;
}

static gboolean
open_dwarf (TbSupplementaryFile *self)
{
  Elf_Data *strings;

  self->elf = elf_begin (self->fd, ELF_C_READ_MMAP, NULL);
  if (self->elf == NULL)
    return FALSE;
  self->dwarf = dwarf_begin_elf (self->elf, DWARF_C_READ, NULL);
  if (self->dwarf != NULL)
    return TRUE;
  strings = find_strings (self->elf);
  return strings != NULL && strings->d_buf != NULL
         && open_image (self, strings->d_buf, strings->d_size);
}

static void
close_dwarf (TbSupplementaryFile *self)
{
  g_clear_pointer (&self->dwarf, dwarf_end);
  g_clear_pointer (&self->image_elf, elf_end);
  g_clear_pointer (&self->image, g_byte_array_unref);
  g_clear_pointer (&self->elf, elf_end);
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

TbSupplementaryFile *
tb_supplementary_file_attach (Dwfl_Module *module, gint32 pid)
{
  g_autoptr (TbSupplementaryFile) self = NULL;
  const char *name, *main_file = NULL, *debug_file = NULL;
  Dwarf_Addr bias;
  Dwarf *dwarf = dwfl_module_getdwarf (module, &bias);
  char *build_id = dwarf != NULL ? read_link (dwarf, &name) : NULL;

  if (build_id == NULL)
    return NULL;
  dwfl_module_info (module, NULL, NULL, NULL, NULL, NULL, &main_file, &debug_file);
  self = g_new0 (TbSupplementaryFile, 1);
  self->build_id = build_id;
  self->fd = tb_elf_finder_open_supplement (build_id, name,
                                            debug_file != NULL ? debug_file : main_file, pid, NULL);
  if (self->fd >= 0 && !open_dwarf (self))
    close_dwarf (self);
  if (self->fd < 0 && !open_image (self, "", 1))
    return NULL;
  dwarf_setalt (dwarf, self->dwarf);
  return g_steal_pointer (&self);
}

void
tb_supplementary_file_free (TbSupplementaryFile *self)
{
  close_dwarf (self);
  g_free (self->build_id);
  g_free (self);
}

const char *
tb_supplementary_file_get_missing (const TbSupplementaryFile *self)
{
  return self->fd < 0 ? self->build_id : NULL;
}
