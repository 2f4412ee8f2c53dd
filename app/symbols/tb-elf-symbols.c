/* tb-elf-symbols.c: names at the addresses of an ELF file (found by tb-elf-finder) or of the vDSO:
 * functions and variables from its symbol tables, inlined functions and source lines from
 * tb-dwarf-functions, starts of nameless functions from tb-function-starts
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libdwfl merges the available symbol tables: .symtab, .dynsym, the compressed .gnu_debugdata and
 * those of a separate debug file. Its own look-up scans all symbols for each address, so they are
 * sorted here once.
 */

#include "config.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/tb-address-order-private.h"
#include "symbols/tb-debug-sections-private.h"
#include "symbols/tb-demangle-private.h"
#include "symbols/tb-dwarf-functions-private.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-elf-symbols-private.h"
#include "symbols/tb-function-starts-private.h"
#include "symbols/tb-name-cache-private.h"
#include "symbols/tb-plt-stubs.h"
#include "symbols/tb-supplementary-file-private.h"

/* A symbol of size 0 (assembler code) extends to the next symbol, but not over gaps larger than any
 * hand-written function. */
#define MAX_UNSIZED_LENGTH 4096
#define MAX_VDSO_SIZE 65536

typedef struct
{
  guint64 start;
  guint64 end;
  const char *name; /* mangled, in the file's mapping */
  guint8 rank;      /* of several symbols at an address the one with the highest rank is shown */
} Symbol;

typedef struct
{
  guint64 offset;
  guint64 size;
  guint64 address;
} Segment;

struct _TbElfSymbols
{
  char *build_id;
  char *path;
  gint32 pid;
  Dwfl *dwfl;
  Dwfl_Module *module;
  Elf *vdso;
  Elf *debug_elf;     /* of the debug file, if symbols are from it */
  GArray *segments;   /* of Segment */
  guint64 first_page; /* address of the lowest page; G_MAXUINT64 none */
  GArray *symbols;    /* functions, of Symbol, sorted by start */
  GArray *variables;  /* likewise; NULL until first needed */
  TbFunctionStarts starts;
  guint64 bias;       /* difference between libdwfl's addresses and those of the file */
  GStringChunk *text; /* names that are not in a file */
  GHashTable *demangled;
  TbDwarfFunctions *dwarf;         /* created at the first look-up with inlines */
  TbSupplementaryFile *supplement; /* likewise; NULL: none is needed */
  GPtrArray *sections;             /* likewise: of the files of dwfl */
  TbNameCache *cache;              /* of look-ups with inlines; NULL for files without a build ID */
  int fd;                          /* of the file until it is read, else -1 */
};

static int find_debuginfo (Dwfl_Module *module,
                           void **userdata,
                           const char *name,
                           Dwarf_Addr base,
                           const char *file_name,
                           const char *debuglink_file,
                           GElf_Word debuglink_crc,
                           char **debuginfo_file_name);

static const Dwfl_Callbacks callbacks = {
  .find_debuginfo = find_debuginfo,
  .section_address = dwfl_offline_section_address,
};

/* Callback of libdwfl that finds the separate debug file, by build ID or else by debug link, and
 * never over the network. */
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
  const TbElfSymbols *self = *userdata;
  g_autofree char *found = NULL;
  int fd;

  if (self == NULL || tb_supplementary_file_is_sought (debuglink_file, debuglink_crc))
    return -1;
  fd = self->build_id[0] != '\0'
           ? tb_elf_finder_open_debug (self->build_id, file_name, debuglink_file, self->pid, &found)
           : tb_elf_finder_open_debug_link (file_name, debuglink_file, debuglink_crc, self->pid,
                                            &found);
  if (fd >= 0)
    *debuginfo_file_name = strdup (found);
  return fd;
}

static guint8
rank_symbol (const GElf_Sym *symbol)
{
  guint8 binding = GELF_ST_BIND (symbol->st_info) == STB_GLOBAL ? 3
                   : GELF_ST_BIND (symbol->st_info) == STB_WEAK ? 2
                                                                : 1;

  return (symbol->st_size > 0 ? 8 : 0) + (GELF_ST_TYPE (symbol->st_info) != STT_NOTYPE ? 4 : 0)
         + binding;
}

/* Sorts the symbols by their starts. Of several with the same start the best name is kept. */
static GArray *
sort_symbols (const GArray *symbols)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (Symbol), symbols->len);
  g_autofree guint64 *starts = g_new (guint64, MAX (symbols->len, 1));
  g_autofree guint32 *order = NULL;

  for (guint i = 0; i < symbols->len; i++)
    starts[i] = g_array_index (symbols, Symbol, i).start;
  order = tb_address_order (starts, symbols->len);
  for (guint i = 0; i < symbols->len; i++)
    {
      const Symbol *symbol = &g_array_index (symbols, Symbol, order[i]);
      Symbol *last = sorted->len > 0 ? &g_array_index (sorted, Symbol, sorted->len - 1) : NULL;

      if (last == NULL || last->start != symbol->start)
        g_array_append_val (sorted, *symbol);
      else if (symbol->rank > last->rank)
        *last = *symbol;
    }
  return sorted;
}

/* Symbols without a size get an end. */
static void
end_symbols (GArray *symbols)
{
  for (guint i = 0; i < symbols->len; i++)
    {
      Symbol *symbol = &g_array_index (symbols, Symbol, i);

      if (symbol->end > symbol->start)
        continue;
      symbol->end = symbol->start > G_MAXUINT64 - MAX_UNSIZED_LENGTH
                        ? G_MAXUINT64
                        : symbol->start + MAX_UNSIZED_LENGTH;
      if (i + 1 < symbols->len)
        symbol->end = MIN (symbol->end, g_array_index (symbols, Symbol, i + 1).start);
    }
}

static gboolean
is_function (const GElf_Sym *symbol, const char *name)
{
  int type = GELF_ST_TYPE (symbol->st_info);

  return (type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && name[0] != '$'))
         && !tb_symbol_is_plt_stub (name);
}

/* Linkers mark places in the file with symbols of no type, which must not name functions: mold puts
 * __ehdr_start and __executable_start before the constants. */
static gboolean
is_in_code (Elf *elf, GElf_Word section)
{
  Elf_Scn *scn = elf_getscn (elf, section);
  GElf_Shdr header;

  if (section == (GElf_Word) -1) /* libdwfl's value for sections that are not loaded */
    return FALSE;
  return scn == NULL || gelf_getshdr (scn, &header) == NULL
         || (header.sh_flags & SHF_EXECINSTR) != 0;
}

/* Without a size, the end of a variable is unknown. */
static gboolean
is_variable (const GElf_Sym *symbol, const char *name)
{
  int type = GELF_ST_TYPE (symbol->st_info);

  return (type == STT_OBJECT || type == STT_COMMON) && symbol->st_size > 0;
}

static GArray *
read_symbols (TbElfSymbols *self, gboolean (*filter) (const GElf_Sym *symbol, const char *name))
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  int n = dwfl_module_getsymtab (self->module);
  GElf_Addr bias;
  Elf *main_elf = dwfl_module_getelf (self->module, &bias);
  GArray *sorted;

  for (int i = 1; i < n; i++)
    {
      GElf_Sym symbol;
      GElf_Addr address;
      GElf_Word section;
      Elf *elf = NULL;
      const char *name
          = dwfl_module_getsym_info (self->module, i, &symbol, &address, &section, &elf, NULL);
      Symbol entry;

      if (name == NULL || name[0] == '\0' || section == SHN_UNDEF || section == SHN_ABS
          || !filter (&symbol, name)
          || (GELF_ST_TYPE (symbol.st_info) == STT_NOTYPE && !is_in_code (elf, section)))
        continue;
      if (elf != main_elf)
        self->debug_elf = elf;
      entry = (Symbol) { address, address, name, rank_symbol (&symbol) };
      if (symbol.st_size < G_MAXUINT64 - address)
        entry.end += symbol.st_size;
      g_array_append_val (symbols, entry);
    }
  sorted = sort_symbols (symbols);
  end_symbols (sorted);
  return sorted;
}

static void
read_segments (TbElfSymbols *self)
{
  GElf_Addr bias;
  Elf *elf = dwfl_module_getelf (self->module, &bias);
  size_t n = 0;

  if (elf == NULL || elf_getphdrnum (elf, &n) != 0)
    return;
  tb_function_starts_init (&self->starts, elf);
  self->bias = bias;
  for (size_t i = 0; i < n; i++)
    {
      GElf_Phdr header;

      if (gelf_getphdr (elf, i, &header) != NULL && header.p_type == PT_LOAD)
        {
          Segment segment = { header.p_offset, header.p_filesz, header.p_vaddr + bias };

          g_array_append_val (self->segments, segment);
          self->first_page
              = MIN (self->first_page, segment.address & ~(MAX (header.p_align, 1) - 1));
        }
    }
}

static TbElfSymbols *
symbols_new (const char *build_id, gint32 pid)
{
  TbElfSymbols *self = g_new0 (TbElfSymbols, 1);

  self->build_id = g_strdup (build_id);
  self->pid = pid;
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  self->first_page = G_MAXUINT64;
  self->text = g_string_chunk_new (256);
  self->demangled = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->fd = -1;
  return self;
}

/* Takes the module and reads its symbols. Returns FALSE if module is NULL. */
static gboolean
take_module (TbElfSymbols *self, Dwfl_Module *module)
{
  void **userdata;

  if (module == NULL)
    return FALSE;
  self->module = module;
  dwfl_module_info (module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
  *userdata = self;
  dwfl_report_end (self->dwfl, NULL, NULL);
  read_segments (self);
  self->symbols = read_symbols (self, is_function);
  return TRUE;
}

/* Reads the file, if that has not been done. */
static gboolean
read_module (TbElfSymbols *self)
{
  int fd = self->fd;

  if (self->module != NULL)
    return TRUE;
  if (fd < 0)
    return FALSE;
  self->fd = -1;
  self->dwfl = dwfl_begin (&callbacks);
  if (take_module (self, dwfl_report_elf (self->dwfl, self->path, self->path, fd, 0, TRUE)))
    return TRUE;
  close (fd);
  return FALSE;
}

/* --- names found earlier --- */

static void
add_file_to_key (GString *key, const char *path, int fd)
{
  struct stat status;

  if (fstat (fd, &status) == 0)
    tb_name_cache_add_file_to_key (key, path, &status);
}

/* Whether a third file has a part of the debug information. */
static gboolean
has_supplement (Elf *elf)
{
  Elf_Scn *section = NULL;
  gboolean found = FALSE;
  size_t names;

  if (elf != NULL && elf_getshdrstrndx (elf, &names) == 0)
    while (!found && (section = elf_nextscn (elf, section)) != NULL)
      {
        GElf_Shdr header;
        const char *name = gelf_getshdr (section, &header) != NULL
                               ? elf_strptr (elf, names, header.sh_name)
                               : NULL;

        found = g_strcmp0 (name, ".gnu_debugaltlink") == 0 || g_strcmp0 (name, ".debug_sup") == 0;
      }
  return found;
}

/* Likewise; link: gets the name in the debug link, if there is one. Headers and names of sections
 * are read, not mapped: mapping and unmapping the file takes several times as long. */
static gboolean
inspect_sections (int fd, char **link)
{
  Elf *elf = elf_begin (fd, ELF_C_READ, NULL);
  gboolean found = has_supplement (elf);
  GElf_Word crc;

  if (elf != NULL && link != NULL)
    *link = g_strdup (dwelf_elf_gnu_debuglink (elf, &crc));
  elf_end (elf);
  return found;
}

/* Opens the cache of the names of this build, unless they depend on a third file. They depend on
 * the file and on its debug file, which may be installed, replaced or removed. */
static TbNameCache *
open_cache (TbElfSymbols *self)
{
  g_autoptr (GString) key = g_string_new (NULL);
  g_autofree char *link = NULL;
  g_autofree char *found = NULL;
  gboolean is_supplemented = inspect_sections (self->fd, &link);
  int debug = tb_elf_finder_open_debug (self->build_id, self->path, link, self->pid, &found);

  is_supplemented = is_supplemented || (debug >= 0 && inspect_sections (debug, NULL));

  add_file_to_key (key, self->path, self->fd);
  if (debug >= 0)
    {
      add_file_to_key (key, found, debug);
      close (debug);
    }
  return is_supplemented ? NULL : tb_name_cache_open (self->build_id, key->str);
}

/* Takes ownership of found and fd. A file of which names are known is read when another address is
 * looked up. */
static TbElfSymbols *
open_module (TbElfSymbols *symbols, char *found, int fd, GError **error)
{
  g_autoptr (TbElfSymbols) self = symbols;

  self->path = found;
  self->fd = fd;
  if (self->build_id[0] != '\0')
    self->cache = open_cache (self);
  if ((self->cache != NULL && !tb_name_cache_is_empty (self->cache)) || read_module (self))
    return g_steal_pointer (&self);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s; its functions have no names",
               found, dwfl_errmsg (-1));
  return NULL;
}

TbElfSymbols *
tb_elf_symbols_open (const char *path, const char *build_id, gint32 pid, GError **error)
{
  g_autoptr (TbElfSymbols) self = symbols_new (build_id, pid);
  g_autofree char *found = NULL;
  int fd = tb_elf_finder_open (path, build_id, pid, &found);

  /* The debug file alone has the names of functions too, if its program headers are complete. */
  if (fd < 0 && build_id[0] != '\0')
    fd = tb_elf_finder_open_debug (build_id, path, NULL, pid, &found);
  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   build_id[0] != '\0'
                       ? "%s: no file with build ID %s was found; its functions have no names"
                       : "%s: recorded without a build ID%s; its functions have no names",
                   path, build_id);
      return NULL;
    }

  return open_module (g_steal_pointer (&self), g_steal_pointer (&found), fd, error);
}

TbElfSymbols *
tb_elf_symbols_open_mapped (const char *path,
                            const TbMappedFile *mapped,
                            gint32 pid,
                            TbFileMatch *match,
                            GError **error)
{
  char *found = NULL;
  int fd = tb_elf_finder_open_mapped (path, mapped, pid, match, &found);
  g_autofree char *build_id = fd >= 0 ? tb_elf_read_build_id (fd) : NULL;

  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   "%s: the recorded file was not found; its functions have no names", path);
      return NULL;
    }
  return open_module (symbols_new (build_id != NULL ? build_id : "", pid), found, fd, error);
}

const char *
tb_elf_symbols_get_path (TbElfSymbols *self)
{
  return self->path;
}

const char *
tb_elf_symbols_get_missing_supplement (TbElfSymbols *self)
{
  return self->supplement != NULL ? tb_supplementary_file_get_missing (self->supplement) : NULL;
}

/* Returns a copy of the vDSO in a file, which libdwfl requires; −1 if there is none. */
static int
copy_vdso (void)
{
  const guint8 *image = (const guint8 *) getauxval (AT_SYSINFO_EHDR);
  const Elf64_Ehdr *header = (const Elf64_Ehdr *) image;
  guint64 size;
  int fd;

  if (image == NULL || memcmp (header->e_ident, ELFMAG, SELFMAG) != 0
      || header->e_ident[EI_CLASS] != ELFCLASS64)
    return -1;
  size = header->e_shoff + (guint64) header->e_shnum * header->e_shentsize;
  if (size > MAX_VDSO_SIZE)
    return -1;
  fd = memfd_create ("vdso", MFD_CLOEXEC);
  if (fd >= 0 && write (fd, image, size) != (ssize_t) size)
    {
      close (fd);
      return -1;
    }
  return fd;
}

TbElfSymbols *
tb_elf_symbols_open_vdso (const char *build_id, gboolean same_boot, GError **error)
{
  g_autoptr (TbElfSymbols) self = symbols_new (build_id, 0);
  int fd = copy_vdso ();
  g_autofree char *own_build_id = fd >= 0 ? tb_elf_read_build_id (fd) : NULL;

  self->dwfl = dwfl_begin (&callbacks);
  if (fd >= 0 && (build_id[0] == '\0' ? same_boot : g_strcmp0 (own_build_id, build_id) == 0)
      && take_module (self, dwfl_report_elf (self->dwfl, "[vdso]", "[vdso]", fd, 0, TRUE)))
    return g_steal_pointer (&self);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               "[vdso]: recorded on another kernel; its functions have no names");
  if (fd >= 0)
    close (fd);
  return NULL;
}

void
tb_elf_symbols_free (TbElfSymbols *self)
{
  g_clear_pointer (&self->cache, tb_name_cache_close);
  g_clear_pointer (&self->dwarf, tb_dwarf_functions_free);
  g_clear_pointer (&self->dwfl, dwfl_end);
  g_clear_pointer (&self->sections, g_ptr_array_unref);
  g_clear_pointer (&self->supplement, tb_supplementary_file_free);
  if (self->fd >= 0)
    close (self->fd);
  g_array_unref (self->segments);
  g_clear_pointer (&self->symbols, g_array_unref);
  g_clear_pointer (&self->variables, g_array_unref);
  g_string_chunk_free (self->text);
  g_hash_table_unref (self->demangled);
  g_free (self->build_id);
  g_free (self->path);
  g_free (self);
}

static gboolean
get_address (TbElfSymbols *self, guint64 offset, guint64 *address)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);

      if (offset >= segment->offset && offset - segment->offset < segment->size)
        {
          *address = segment->address + (offset - segment->offset);
          return TRUE;
        }
    }
  return FALSE;
}

static const Symbol *
find_symbol (const GArray *symbols, guint64 address)
{
  gsize low = 0, high = symbols->len;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (g_array_index (symbols, Symbol, middle).start <= address)
        low = middle + 1;
      else
        high = middle;
    }
  /* A symbol with a size may contain smaller ones that end before the address, so some earlier
   * symbols are checked. */
  for (guint back = 0; back < 8 && low > 0; back++)
    {
      const Symbol *symbol = &g_array_index (symbols, Symbol, --low);

      if (address < symbol->end)
        return symbol;
    }
  return NULL;
}

static const char *
get_demangled_name (TbElfSymbols *self, const Symbol *symbol)
{
  char *name = g_hash_table_lookup (self->demangled, symbol->name);

  if (name == NULL)
    {
      name = tb_demangle (symbol->name);
      g_hash_table_insert (self->demangled, (gpointer) symbol->name, name);
    }
  return name;
}

/* Appends an entry for a function without a name, of which only the start is known. */
static gboolean
find_start (TbElfSymbols *self, guint64 address, GArray *names)
{
  TbFrameName name = { .function = "", .file = "" };
  guint64 start;

  if (!tb_function_starts_find (&self->starts, address - self->bias, &start))
    return FALSE;
  for (guint i = 0; i < self->segments->len && name.line == 0; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);
      guint64 distance = start + self->bias - segment->address;

      if (distance < segment->size && segment->offset + distance <= G_MAXUINT32)
        name.line = (guint) (segment->offset + distance);
    }
  if (name.line != 0)
    g_array_append_val (names, name);
  return name.line != 0;
}

static void
open_dwarf (TbElfSymbols *self)
{
  GElf_Addr bias;

  self->sections = tb_debug_sections_new ();
  tb_debug_sections_prepare (self->sections, dwfl_module_getelf (self->module, &bias));
  tb_debug_sections_prepare (self->sections, self->debug_elf);
  self->supplement = tb_supplementary_file_attach (self->module, self->pid);
  self->dwarf = tb_dwarf_functions_new (self->module);
}

gboolean
tb_elf_symbols_prepare (TbElfSymbols *self, gboolean inlines)
{
  if (self->cache != NULL && !tb_name_cache_is_empty (self->cache))
    return FALSE;
  if (read_module (self) && inlines && self->dwarf == NULL)
    open_dwarf (self);
  return TRUE;
}

/* Finds the functions in the file. */
static gboolean
find_functions (TbElfSymbols *self, guint64 offset, gboolean inlines, GArray *names)
{
  const Symbol *symbol;
  TbFrameName name = { .file = "" };
  guint64 address;

  if (!read_module (self) || !get_address (self, offset, &address))
    return FALSE;
  if (inlines && self->dwarf == NULL)
    open_dwarf (self);
  if (inlines && tb_dwarf_functions_find (self->dwarf, address, names))
    return TRUE;

  symbol = find_symbol (self->symbols, address);
  if (symbol == NULL)
    return find_start (self, address, names);
  name.function = get_demangled_name (self, symbol);
  g_array_append_val (names, name);
  return TRUE;
}

gboolean
tb_elf_symbols_find (TbElfSymbols *self, guint64 offset, gboolean inlines, GArray *names)
{
  guint first = names->len;

  if (!inlines || self->cache == NULL)
    return find_functions (self, offset, inlines, names);
  if (!tb_name_cache_find (self->cache, offset, names))
    {
      find_functions (self, offset, TRUE, names);
      /* The functions of split units are in files that may come and go. */
      if (self->dwarf != NULL && tb_dwarf_functions_use_other_files (self->dwarf))
        tb_name_cache_discard (self->cache);
      if (self->module != NULL)
        tb_name_cache_add (self->cache, offset, (const TbFrameName *) names->data + first,
                           names->len - first);
    }
  return names->len > first;
}

gboolean
tb_elf_symbols_find_variable (TbElfSymbols *self, guint64 distance, GArray *names)
{
  TbFrameName name = { .file = "" };
  const Symbol *symbol;
  guint64 address;

  if (!read_module (self) || self->first_page == G_MAXUINT64
      || distance >= G_MAXUINT64 - self->first_page)
    return FALSE;
  address = self->first_page + distance;
  if (self->variables == NULL)
    self->variables = read_symbols (self, is_variable);
  symbol = find_symbol (self->variables, address);
  if (symbol == NULL)
    return FALSE;
  name.function = get_demangled_name (self, symbol);
  if (address > symbol->start)
    {
      g_autofree char *inside = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", name.function,
                                                 address - symbol->start);

      name.function = g_string_chunk_insert_const (self->text, inside);
    }
  g_array_append_val (names, name);
  return TRUE;
}
