/* tb-static-probes.c: static probes (USDT) of a program, read from the notes of its ELF file:
 * provider, name, file offsets of instruction and semaphore, places of the arguments (parsed by
 * tb-probe-operand)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each probe is a note in the section .note.stapsdt. It consists of the addresses of the
 * instruction, of a section that is relocated together with it, and of a semaphore, followed by the
 * strings of provider, name and arguments.
 */

#include "config.h"

#include <gelf.h>
#include <glib/gi18n-lib.h>
#include <libelf.h>
#include <string.h>

#include "symbols/tb-probe-operand-private.h"
#include "symbols/tb-static-probes.h"

#define SECTION ".note.stapsdt"
#define BASE_SECTION ".stapsdt.base"
#define OWNER "stapsdt"
#define NOTE_TYPE 3
#define MAX_SECTION ((guint64) 64 << 20)
#define MAX_SECTIONS 65536
#define MAX_PROBES 4096
#define MAX_SYMBOLS (1 << 24)
#define ADDRESS_SIZE 8

typedef struct
{
  Elf *elf;
  guint machine;
  gboolean swapped; /* the file has the other byte order */
  Elf_Scn *notes;
  guint64 base;          /* address of BASE_SECTION, 0 if there is none */
  GHashTable *variables; /* address by name; NULL until needed */
} File;

static void
file_clear (File *self)
{
  g_clear_pointer (&self->variables, g_hash_table_unref);
  if (self->elf != NULL)
    elf_end (self->elf);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (File, file_clear)

static gboolean
set_error (GError **error, const char *message)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, message);
  return FALSE;
}

/* Finds the sections. Returns TRUE without notes if the file has no probes, or is for an
 * unsupported machine. */
static gboolean
file_open (File *self, int fd, GError **error)
{
  GElf_Ehdr header;
  Elf_Scn *section = NULL;
  size_t names, n_sections;

  elf_version (EV_CURRENT);
  self->elf = elf_begin (fd, ELF_C_READ, NULL);
  if (self->elf == NULL || elf_kind (self->elf) != ELF_K_ELF
      || gelf_getehdr (self->elf, &header) == NULL)
    return set_error (error, _ ("The static probes of the file cannot be read: the file is not an "
                                "ELF file"));
  if (header.e_ident[EI_CLASS] != ELFCLASS64
      || (header.e_type != ET_EXEC && header.e_type != ET_DYN))
    return TRUE;
  self->machine = header.e_machine;
  self->swapped = (header.e_ident[EI_DATA] == ELFDATA2LSB) != (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  if (elf_getshdrnum (self->elf, &n_sections) != 0 || n_sections > MAX_SECTIONS)
    return set_error (error, _ ("The static probes of the file cannot be read: the file has too "
                                "many sections"));
  if (elf_getshdrstrndx (self->elf, &names) != 0)
    return TRUE;
  while ((section = elf_nextscn (self->elf, section)) != NULL)
    {
      GElf_Shdr shape;
      const char *name;

      if (gelf_getshdr (section, &shape) == NULL)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _ ("The static probes of the file cannot be read: %s"), elf_errmsg (-1));
          return FALSE;
        }
      name = elf_strptr (self->elf, names, shape.sh_name);
      if (name == NULL)
        continue;
      if (strcmp (name, SECTION) == 0 && shape.sh_type == SHT_NOTE && shape.sh_size <= MAX_SECTION)
        self->notes = section;
      else if (strcmp (name, BASE_SECTION) == 0)
        self->base = shape.sh_addr;
    }
  return TRUE;
}

/* Converts an address to a file offset. The segment must have the flags; PF_W selects writable
 * segments. */
static gboolean
find_offset (const File *self, guint64 address, guint32 flags, guint64 *offset)
{
  size_t n;

  if (elf_getphdrnum (self->elf, &n) != 0)
    return FALSE;
  for (size_t i = 0; i < n; i++)
    {
      GElf_Phdr segment;

      if (gelf_getphdr (self->elf, (int) i, &segment) == NULL)
        return FALSE;
      if (segment.p_type != PT_LOAD || (segment.p_flags & flags) != flags
          || address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
        continue;
      *offset = address - segment.p_vaddr + segment.p_offset;
      return *offset >= segment.p_offset;
    }
  return FALSE;
}

static void
add_symbols (File *self, Elf_Scn *section)
{
  GElf_Shdr shape;
  Elf_Data *data;

  if (gelf_getshdr (section, &shape) == NULL
      || (shape.sh_type != SHT_SYMTAB && shape.sh_type != SHT_DYNSYM)
      || (data = elf_getdata (section, NULL)) == NULL)
    return;
  for (gsize i = 0; i < data->d_size / sizeof (Elf64_Sym) && i < MAX_SYMBOLS; i++)
    {
      GElf_Sym symbol;
      const char *name;

      if (gelf_getsym (data, (int) i, &symbol) == NULL)
        return;
      name = symbol.st_shndx != SHN_UNDEF ? elf_strptr (self->elf, shape.sh_link, symbol.st_name)
                                          : NULL;
      if (name == NULL || *name == '\0' || GELF_ST_TYPE (symbol.st_info) != STT_OBJECT)
        continue;
      g_hash_table_insert (self->variables, (gpointer) name, GSIZE_TO_POINTER (symbol.st_value));
    }
}

/* Few probes have such arguments, but a program that has some may have many: all variables are read
 * once. */
static gboolean
find_symbol (const char *name, guint64 *address, gpointer data)
{
  File *self = data;
  Elf_Scn *section = NULL;
  gpointer value;

  if (self->variables == NULL)
    {
      self->variables = g_hash_table_new (g_str_hash, g_str_equal);
      while ((section = elf_nextscn (self->elf, section)) != NULL)
        add_symbols (self, section);
    }
  if (!g_hash_table_lookup_extended (self->variables, name, NULL, &value))
    return FALSE;
  *address = GPOINTER_TO_SIZE (value);
  return TRUE;
}

static guint64
read_address (const File *self, const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, sizeof value);
  return self->swapped ? GUINT64_SWAP_LE_BE (value) : value;
}

/* Returns the string at *at and moves *at after it; NULL if it is not terminated. */
static const char *
take_string (const char **at, const char *end)
{
  const char *begin = *at;
  const char *nul = begin < end ? memchr (begin, '\0', end - begin) : NULL;

  if (nul == NULL)
    return NULL;
  *at = nul + 1;
  return begin;
}

static void
free_probe (gpointer data)
{
  TbStaticProbe *probe = data;

  g_free (probe->provider);
  g_free (probe->name);
  g_free (probe);
}

/* Parses a note; returns NULL if it is of another provider, or not in code of the file. */
static TbStaticProbe *
read_probe (File *self, const guint8 *description, gsize length, const char *wanted)
{
  const char *at = (const char *) description + 3 * ADDRESS_SIZE,
             *end = (const char *) description + length;
  const char *provider, *name, *arguments;
  guint64 instruction, base, semaphore, moved, offset, counter = 0;
  TbStaticProbe *probe;

  if (length < 3 * ADDRESS_SIZE || (provider = take_string (&at, end)) == NULL
      || (name = take_string (&at, end)) == NULL || (arguments = take_string (&at, end)) == NULL)
    return NULL;
  if ((wanted != NULL && strcmp (provider, wanted) != 0) || !g_utf8_validate (provider, -1, NULL)
      || !g_utf8_validate (name, -1, NULL))
    return NULL;
  instruction = read_address (self, description);
  base = read_address (self, description + ADDRESS_SIZE);
  semaphore = read_address (self, description + 2 * ADDRESS_SIZE);
  moved = self->base != 0 && base != 0 ? self->base - base : 0;
  if (!find_offset (self, instruction + moved, PF_X, &offset)
      || (semaphore != 0 && !find_offset (self, semaphore + moved, PF_W, &counter)))
    return NULL;
  probe = g_new0 (TbStaticProbe, 1);
  probe->provider = g_strdup (provider);
  probe->name = g_strdup (name);
  probe->offset = offset;
  probe->semaphore = counter;
  probe->n_operands = tb_probe_operands_parse (arguments, self->machine, instruction + moved,
                                               find_symbol, self, probe->operands);
  return probe;
}

/**
 * tb_static_probes_read:
 * @fd: an open file
 * @provider: (nullable): only probes of this provider, %NULL for all
 * @error: return location for an error
 *
 * Finds the static probes (USDT) of a program or library. Damaged parts of the file are skipped if
 * the rest can still be read. At most 4096 probes are returned. Source of the format: the section
 * on .note.stapsdt of the SystemTap wiki, "UserSpaceProbeImplementation".
 *
 * Returns: (transfer full) (element-type TbStaticProbe): the probes, which may be none; %NULL with
 * @error if it is not an ELF file or cannot be read
 */
GPtrArray *
tb_static_probes_read (int fd, const char *provider, GError **error)
{
  g_autoptr (GPtrArray) probes = g_ptr_array_new_with_free_func (free_probe);
  g_auto (File) file = { 0 };
  Elf_Data *data;
  gsize at = 0;

  g_return_val_if_fail (fd >= 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!file_open (&file, fd, error))
    return NULL;
  data = file.notes != NULL ? elf_getdata (file.notes, NULL) : NULL;
  while (data != NULL && probes->len < MAX_PROBES)
    {
      size_t name, description;
      TbStaticProbe *probe;
      GElf_Nhdr note;

      at = gelf_getnote (data, at, &note, &name, &description);
      if (at == 0)
        break;
      if (note.n_type != NOTE_TYPE || note.n_namesz != sizeof OWNER
          || memcmp ((const char *) data->d_buf + name, OWNER, sizeof OWNER) != 0)
        continue;
      probe
          = read_probe (&file, (const guint8 *) data->d_buf + description, note.n_descsz, provider);
      if (probe != NULL)
        g_ptr_array_add (probes, probe);
    }
  return g_steal_pointer (&probes);
}
