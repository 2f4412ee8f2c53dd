/* tb-function-finder.c: file offset of a function, given by its name, in a program or library, for
 * a probe; errors that explain a missing, inlined or ambiguous function
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/tb-demangle-private.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-function-finder.h"

/* If more places match, only their number is reported. */
#define MAX_LISTED 4
#define HIDDEN_VERSION 0x8000

typedef struct
{
  const char *path;
  const char *name; /* the name to search for */
  char *build_id;   /* NULL: it has none */
  Dwfl *dwfl;
  Dwfl_Module *module;
  Elf *elf;
  GElf_Addr bias;
  GArray *addresses;     /* of guint64, of functions of that name */
  gboolean has_indirect; /* one matching function is resolved at load time (IFUNC) */
  gboolean is_undefined; /* the function is called, but defined in another file */
} Search;

static int
find_debuginfo (Dwfl_Module *module,
                void **userdata,
                const char *name,
                Dwarf_Addr base,
                const char *file_name,
                const char *debuglink_file,
                GElf_Word debuglink_crc,
                char **debuginfo_file_name)
{
  const Search *self = *userdata;
  g_autofree char *found = NULL;
  int fd;

  if (self == NULL || self->build_id == NULL)
    return -1;
  fd = tb_elf_finder_open_debug (self->build_id, file_name, debuglink_file, 0, &found);
  if (fd >= 0)
    *debuginfo_file_name = strdup (found);
  return fd;
}

static const Dwfl_Callbacks callbacks = {
  .find_debuginfo = find_debuginfo,
  .section_address = dwfl_offline_section_address,
};

static void
search_clear (Search *self)
{
  g_clear_pointer (&self->dwfl, dwfl_end);
  g_clear_pointer (&self->build_id, g_free);
  g_clear_pointer (&self->addresses, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static gboolean
search_open (Search *self, int fd, GError **error)
{
  int own = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  GElf_Ehdr header;
  void **userdata;

  self->build_id = tb_elf_read_build_id (fd);
  self->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->dwfl = dwfl_begin (&callbacks);
  if (own >= 0 && self->dwfl != NULL)
    self->module = dwfl_report_elf (self->dwfl, self->path, self->path, own, 0, TRUE);
  if (self->module == NULL && own >= 0)
    close (own);
  if (self->module != NULL)
    self->elf = dwfl_module_getelf (self->module, &self->bias);
  if (self->elf == NULL || gelf_getehdr (self->elf, &header) == NULL
      || (header.e_type != ET_EXEC && header.e_type != ET_DYN))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   _ ("“%s” is neither a program nor a library, perhaps a script: give the program "
                      "that runs it"),
                   self->path);
      return FALSE;
    }
  dwfl_module_info (self->module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
  *userdata = self;
  dwfl_report_end (self->dwfl, NULL, NULL);
  return TRUE;
}

/* Length of the symbol without the default version: "name@@VERSION" is used by the linker,
 * "name@VERSION" only by older programs. */
static gsize
get_length (const char *symbol)
{
  const char *version = strstr (symbol, "@@");

  return version != NULL ? (gsize) (version - symbol) : strlen (symbol);
}

/* Whether the symbol has the name as written in the source, with or without the types of its
 * arguments. A part or clone that the compiler produced counts as the function only if clones is
 * set. */
static gboolean
is_name (const char *symbol, const char *wanted, gboolean clones)
{
  gsize length = strlen (wanted);
  g_autofree char *written = NULL;

  if (get_length (symbol) == length && strncmp (symbol, wanted, length) == 0)
    return TRUE;
  if (clones && strchr (symbol, '.') != NULL && tb_demangle_get_length (symbol) == length
      && strncmp (symbol, wanted, length) == 0)
    return TRUE;
  if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R')
      || (!clones && tb_demangle_get_length (symbol) != strlen (symbol)))
    return FALSE;
  written = tb_demangle (symbol);
  return strncmp (written, wanted, length) == 0
         && (written[length] == '\0' || written[length] == '(');
}

/* Whether the symbol is an undefined one of that name, with any version. */
static gboolean
is_versioned (const char *symbol, const char *wanted)
{
  gsize length = strlen (wanted);

  return strncmp (symbol, wanted, length) == 0 && (symbol[length] == '\0' || symbol[length] == '@');
}

static void
add_address (Search *self, guint64 address)
{
  for (guint i = 0; i < self->addresses->len; i++)
    if (g_array_index (self->addresses, guint64, i) == address)
      return;
  g_array_append_val (self->addresses, address);
}

static void
collect (Search *self, gboolean clones)
{
  int n = dwfl_module_getsymtab (self->module);

  for (int i = 1; i < n; i++)
    {
      GElf_Sym symbol;
      GElf_Addr address;
      GElf_Word section;
      const char *name
          = dwfl_module_getsym_info (self->module, i, &symbol, &address, &section, NULL, NULL);
      int type = name != NULL ? GELF_ST_TYPE (symbol.st_info) : STT_OBJECT;

      if (section == SHN_UNDEF && name != NULL)
        self->is_undefined |= is_versioned (name, self->name);
      if (section == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
          || !is_name (name, self->name, clones))
        continue;
      if (type == STT_GNU_IFUNC)
        self->has_indirect = TRUE;
      else if (section != SHN_ABS)
        add_address (self, address);
    }
}

/* Returns the data of the section of that type, NULL if there is none. */
static Elf_Data *
get_table (Search *self, GElf_Word type, GElf_Shdr *header)
{
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn (self->elf, section)) != NULL)
    if (gelf_getshdr (section, header) != NULL && header->sh_type == type)
      return elf_getdata (section, NULL);
  return NULL;
}

/* If an exported function has several versions, current programs are linked with the newest
 * only. */
static void
drop_old_versions (Search *self)
{
  GElf_Shdr header, version_header;
  Elf_Data *symbols = get_table (self, SHT_DYNSYM, &header);
  Elf_Data *versions = get_table (self, SHT_GNU_versym, &version_header);
  GElf_Versym version;
  GElf_Sym symbol;

  for (int i = 1; symbols != NULL && versions != NULL && gelf_getsym (symbols, i, &symbol) != NULL;
       i++)
    {
      const char *name = elf_strptr (self->elf, header.sh_link, symbol.st_name);

      if (name == NULL || !is_name (name, self->name, FALSE)
          || gelf_getversym (versions, i, &version) == NULL || (version & HIDDEN_VERSION) == 0)
        continue;
      for (guint at = 0; at < self->addresses->len && self->addresses->len > 1; at++)
        if (g_array_index (self->addresses, guint64, at) == symbol.st_value + self->bias)
          g_array_remove_index (self->addresses, at);
    }
}

typedef struct
{
  const char *name;
  gboolean found;
} Inlined;

static int
check_inlined (Dwarf_Die *die, void *data)
{
  const char *name = dwarf_diename (die);
  Inlined *inlined = data;

  if (name == NULL || strcmp (name, inlined->name) != 0)
    return DWARF_CB_OK;
  inlined->found = TRUE;
  return DWARF_CB_ABORT;
}

/* Whether the function is in the source but was inlined everywhere. */
static gboolean
is_inlined (Search *self)
{
  const char *last = g_strrstr (self->name, "::");
  Inlined inlined = { last != NULL ? last + 2 : self->name, FALSE };
  Dwarf_Addr bias;
  Dwarf_Die *unit = NULL;

  while (!inlined.found && (unit = dwfl_module_nextcu (self->module, unit, &bias)) != NULL)
    dwarf_getfuncs (unit, check_inlined, &inlined, 0);
  return inlined.found;
}

static gboolean
explain_missing (Search *self, GError **error)
{
  GElf_Shdr header;

  if (self->has_indirect)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("“%s” in “%s” is resolved to one of several functions when a program starts: "
                    "give the name of that function"),
                 self->name, self->path);
  else if (self->is_undefined)
    g_set_error (
        error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        _ ("“%s” is called by “%s”, but is in a library: give the library too (LIBRARY:%s)"),
        self->name, self->path, self->name);
  else if (is_inlined (self))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("“%s” has no code of its own in “%s”, because it is inlined where it is "
                    "called: give a function that calls it"),
                 self->name, self->path);
  else if (get_table (self, SHT_SYMTAB, &header) == NULL
           && dwfl_module_getdwarf (self->module, &self->bias) == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 _ ("“%s” is not a function that “%s” exports, and names of other functions were "
                    "stripped: install its debugging symbols, or give an address (0x…)"),
                 self->name, self->path);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("unknown function “%s” in “%s”"),
                 self->name, self->path);
  return FALSE;
}

static gboolean
explain_several (Search *self, GError **error)
{
  g_autoptr (GString) places = g_string_new (NULL);

  for (guint i = 0; i < self->addresses->len && i < MAX_LISTED; i++)
    g_string_append_printf (places, "%s0x%" G_GINT64_MODIFIER "x", i > 0 ? ", " : "",
                            g_array_index (self->addresses, guint64, i) - self->bias);
  if (self->addresses->len > MAX_LISTED)
    g_string_append (places, ", …");
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("%u functions have the name “%s” in “%s”: give the address of one instead of the "
                  "name (%s)"),
               self->addresses->len, self->name, self->path, places->str);
  return FALSE;
}

static gboolean
find_address (Search *self, guint64 *address, GError **error)
{
  if (g_str_has_prefix (self->name, "0x"))
    {
      if (!g_ascii_string_to_unsigned (self->name + 2, 16, 0, G_MAXUINT64, address, NULL))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("invalid address “%s”"),
                       self->name);
          return FALSE;
        }
      return TRUE;
    }
  collect (self, FALSE);
  if (self->addresses->len == 0 && !self->has_indirect)
    collect (self, TRUE);
  if (self->addresses->len > 1)
    drop_old_versions (self);
  if (self->addresses->len == 0)
    return explain_missing (self, error);
  if (self->addresses->len > 1)
    return explain_several (self, error);
  *address = g_array_index (self->addresses, guint64, 0) - self->bias;
  return TRUE;
}

/* Finds a function by its address as used in the file. */
static gboolean
find_offset (Search *self, guint64 address, guint64 *offset, GError **error)
{
  size_t n = 0;

  elf_getphdrnum (self->elf, &n);
  for (size_t i = 0; i < n; i++)
    {
      GElf_Phdr segment;

      if (gelf_getphdr (self->elf, (int) i, &segment) == NULL || segment.p_type != PT_LOAD
          || (segment.p_flags & PF_X) == 0 || address < segment.p_vaddr
          || address - segment.p_vaddr >= segment.p_filesz)
        continue;
      *offset = address - segment.p_vaddr + segment.p_offset;
      return TRUE;
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("no code at address %s in “%s”"),
               self->name, self->path);
  return FALSE;
}

/**
 * tb_function_find:
 * @fd: a program or library, open for reading
 * @path: its name in error messages
 * @name: name of a function as in the source (in C++ with its classes, and with or without the
 * types of its arguments) or as in the symbol table, or its address in the file, "0x1234"
 * @offset: (out): offset of its first instruction in the file
 * @error: return location for an error, which describes why there is no or more than one match, and
 * what to do
 *
 * Finds a function by its name, also in installed separate debug files.
 *
 * Returns: whether there is exactly one match
 */
gboolean
tb_function_find (int fd, const char *path, const char *name, guint64 *offset, GError **error)
{
  g_auto (Search) search = { .path = path, .name = name };
  guint64 address;

  g_return_val_if_fail (fd >= 0 && name != NULL && *name != '\0', FALSE);

  return search_open (&search, fd, error) && find_address (&search, &address, error)
         && find_offset (&search, address, offset, error);
}

/**
 * tb_function_read_build_id:
 * @fd: a program or library, open for reading
 *
 * Reads the build ID of a program or library.
 *
 * Returns: (transfer full) (nullable): its build ID in hexadecimal digits, %NULL if it has none
 */
char *
tb_function_read_build_id (int fd)
{
  return tb_elf_read_build_id (fd);
}
