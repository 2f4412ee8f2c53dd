/* tb-latency-image.c: symbols and machine code, in which a drill-down finds functions by name or
 * address: of a program or library, read from its file, or of kernel functions, added one by one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <libelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extend/options/tb-option.h"
#include "symbols/tb-function-finder.h"
#include "symbols/tb-plt-stubs.h"
#include "tb-latency-image.h"

#define MAX_IMAGE (G_GUINT64_CONSTANT (4) << 30)

typedef struct
{
  guint64 address;
  guint64 offset;
  guint64 size; /* in the file */
} Segment;

/* A function of the kernel */
typedef struct
{
  TbLatencySymbol symbol;
  guint8 *code;
  gsize length;
} Function;

static void
clear_symbol (gpointer data)
{
  g_free (((TbLatencySymbol *) data)->name);
}

static void
add_segments (TbLatencyImage *self, Elf *elf)
{
  size_t n = 0;

  elf_getphdrnum (elf, &n);
  for (size_t i = 0; i < n; i++)
    {
      GElf_Phdr header;
      Segment segment;

      if (gelf_getphdr (elf, (int) i, &header) == NULL || header.p_type != PT_LOAD
          || (header.p_flags & PF_X) == 0 || header.p_offset > self->size
          || header.p_filesz > self->size - header.p_offset)
        continue;
      segment = (Segment) { header.p_vaddr, header.p_offset, header.p_filesz };
      g_array_append_val (self->segments, segment);
    }
}

/* Whether the symbol's section is too small for other code, so that following code such as stubs
 * does not belong to it */
static gboolean
has_small_section (Elf *elf, const GElf_Sym *symbol)
{
  Elf_Scn *section = elf_getscn (elf, symbol->st_shndx);
  GElf_Shdr header;

  return section == NULL || gelf_getshdr (section, &header) == NULL || header.sh_size < 64;
}

static void
add_symbols_of (TbLatencyImage *self, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (section, NULL);
  gsize n = data != NULL && header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;

  for (gsize i = 0; i < n && i < G_MAXINT; i++)
    {
      GElf_Sym symbol;
      TbLatencySymbol added;
      const char *name;

      if (gelf_getsym (data, (int) i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF
          || symbol.st_value == 0 || GELF_ST_TYPE (symbol.st_info) != STT_FUNC)
        continue;
      name = elf_strptr (elf, header->sh_link, symbol.st_name);
      if (name == NULL || *name == '\0' || tb_symbol_is_plt_stub (name))
        continue;
      /* A symbol in a section of its own, such as _init, does not extend into the next section. */
      if (symbol.st_size == 0 && has_small_section (elf, &symbol))
        continue;
      added = (TbLatencySymbol) { symbol.st_value, symbol.st_size, g_utf8_make_valid (name, -1) };
      g_array_append_val (self->symbols, added);
    }
}

static int
compare_symbols (gconstpointer a, gconstpointer b)
{
  const TbLatencySymbol *left = a, *right = b;

  if (left->address != right->address)
    return left->address < right->address ? -1 : 1;
  /* Of several names the most readable one is used: without leading underscores, then the
   * shorter. */
  if ((left->name[0] == '_') != (right->name[0] == '_'))
    return left->name[0] == '_' ? 1 : -1;
  return strcmp (left->name, right->name);
}

/* Symbols from assembly code may lack a size: they end where the next one begins. */
static void
fill_sizes (TbLatencyImage *self)
{
  for (guint i = 0; i + 1 < self->symbols->len; i++)
    {
      TbLatencySymbol *symbol = &g_array_index (self->symbols, TbLatencySymbol, i);
      guint64 next = 0;

      if (symbol->size > 0)
        continue;
      for (guint j = i + 1; j < self->symbols->len && next == 0; j++)
        if (g_array_index (self->symbols, TbLatencySymbol, j).address > symbol->address)
          next = g_array_index (self->symbols, TbLatencySymbol, j).address;
      symbol->size = next != 0 ? next - symbol->address : 0;
    }
}

static void
add_symbols (TbLatencyImage *self, Elf *elf)
{
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;

      if (gelf_getshdr (section, &header) != NULL
          && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
        add_symbols_of (self, elf, section, &header);
    }
  g_array_sort (self->symbols, compare_symbols);
  fill_sizes (self);
}

static void
set_build_id (TbLatencyImage *self, int fd)
{
  g_autofree char *digits = tb_function_read_build_id (fd);

  for (gsize i = 0; digits != NULL && digits[2 * i] != '\0' && i < sizeof self->build_id; i++)
    {
      self->build_id[i] = (guint8) (g_ascii_xdigit_value (digits[2 * i]) << 4
                                    | g_ascii_xdigit_value (digits[2 * i + 1]));
      self->build_id_length = i + 1;
    }
}

static gboolean
read_elf (TbLatencyImage *self, GError **error)
{
  Elf *elf;
  GElf_Ehdr header;

  elf_version (EV_CURRENT);
  elf = elf_memory ((char *) self->data, self->size);
  if (elf == NULL || elf_kind (elf) != ELF_K_ELF || gelf_getehdr (elf, &header) == NULL)
    {
      if (elf != NULL)
        elf_end (elf);
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, _ ("“%s” is not a program"),
                   self->path);
      return FALSE;
    }
  add_segments (self, elf);
  add_symbols (self, elf);
  elf_end (elf);
  return TRUE;
}

TbLatencyImage *
tb_latency_image_open (const char *path, GError **error)
{
  g_autoptr (TbLatencyImage) self = g_new0 (TbLatencyImage, 1);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  struct stat status;

  self->ref_count = 1;
  self->path = g_strdup (path);
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  self->symbols = g_array_new (FALSE, FALSE, sizeof (TbLatencySymbol));
  g_array_set_clear_func (self->symbols, clear_symbol);
  if (fd < 0 || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size <= 0
      || (guint64) status.st_size > MAX_IMAGE)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, _ ("Cannot open “%s”: %s"), path,
                   fd < 0 ? g_strerror (errno) : _ ("it is not a file, or it is too large"));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  self->size = (gsize) status.st_size;
  self->device = status.st_dev;
  self->inode = status.st_ino;
  self->data = mmap (NULL, self->size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  set_build_id (self, fd);
  close (fd);
  if (self->data == MAP_FAILED)
    {
      self->data = NULL;
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, _ ("Cannot map “%s”: %s"), path,
                   g_strerror (errno));
      return NULL;
    }
  return read_elf (self, error) ? g_steal_pointer (&self) : NULL;
}

static void
free_function (gpointer data)
{
  Function *function = data;

  g_free (function->symbol.name);
  g_free (function->code);
  g_free (function);
}

TbLatencyImage *
tb_latency_image_new_kernel (void)
{
  TbLatencyImage *self = g_new0 (TbLatencyImage, 1);

  self->ref_count = 1;
  self->path = g_strdup ("kernel");
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  self->symbols = g_array_new (FALSE, FALSE, sizeof (TbLatencySymbol));
  self->functions = g_ptr_array_new_with_free_func (free_function);
  return self;
}

gboolean
tb_latency_image_is_kernel (const TbLatencyImage *self)
{
  return self->functions != NULL;
}

/* The number of kernel functions that begin at or before an address */
static guint
count_functions (const TbLatencyImage *self, guint64 address)
{
  guint low = 0, high = self->functions->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Function *function = g_ptr_array_index (self->functions, middle);

      if (function->symbol.address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
tb_latency_image_add_function (TbLatencyImage *self,
                               const char *name,
                               guint64 address,
                               guint64 size,
                               const guint8 *code,
                               gsize length)
{
  Function *function = g_new0 (Function, 1);

  g_return_if_fail (tb_latency_image_is_kernel (self));
  function->symbol = (TbLatencySymbol) { address, size, g_strdup (name) };
  function->code = g_memdup2 (code, length);
  function->length = length;
  g_ptr_array_insert (self->functions, (int) count_functions (self, address), function);
}

static const Function *
find_function (const TbLatencyImage *self, guint64 address)
{
  guint n = count_functions (self, address);
  const Function *function = n > 0 ? g_ptr_array_index (self->functions, n - 1) : NULL;

  return function != NULL && address - function->symbol.address < function->symbol.size ? function
                                                                                        : NULL;
}

static const TbLatencySymbol *
find_named (const TbLatencyImage *self, const char *name)
{
  for (guint i = 0; i < self->functions->len; i++)
    {
      const Function *function = g_ptr_array_index (self->functions, i);

      if (strcmp (function->symbol.name, name) == 0)
        return &function->symbol;
    }
  return NULL;
}

TbLatencyImage *
tb_latency_image_ref (TbLatencyImage *self)
{
  self->ref_count++;
  return self;
}

void
tb_latency_image_unref (TbLatencyImage *self)
{
  if (--self->ref_count > 0)
    return;
  if (self->data != NULL)
    munmap (self->data, self->size);
  g_array_unref (self->segments);
  g_array_unref (self->symbols);
  g_clear_pointer (&self->functions, g_ptr_array_unref);
  g_free (self->path);
  g_free (self);
}

/* Finds a function by its demangled C++ or Rust name. */
static const TbLatencySymbol *
find_demangled (const TbLatencyImage *self, const char *name)
{
  int fd = g_open (self->path, O_RDONLY | O_CLOEXEC, 0);
  guint64 offset, address;
  gboolean found = fd >= 0 && tb_function_find (fd, self->path, name, &offset, NULL);

  if (fd >= 0)
    close (fd);
  return found && tb_latency_image_get_address (self, offset, &address)
             ? tb_latency_image_find_at (self, address)
             : NULL;
}

const TbLatencySymbol *
tb_latency_image_find (const TbLatencyImage *self, const char *name, GError **error)
{
  const TbLatencySymbol *found = self->functions != NULL ? find_named (self, name) : NULL;

  for (guint i = 0; i < self->symbols->len; i++)
    {
      const TbLatencySymbol *symbol = &g_array_index (self->symbols, TbLatencySymbol, i);

      if (strcmp (symbol->name, name) != 0 || (found != NULL && found->address == symbol->address))
        continue;
      if (found != NULL)
        {
          g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                       _ ("%s has several functions %s: rename all but the one to examine"),
                       self->path, name);
          return NULL;
        }
      found = symbol;
    }
  if (found == NULL && self->functions == NULL)
    found = find_demangled (self, name);
  if (found == NULL && self->symbols->len == 0)
    g_set_error (
        error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
        _ ("%s has no symbols, so that %s cannot be found: use a build that is not stripped"),
        self->path, name);
  else if (found == NULL)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                 _ ("%s has no function %s: it may be in a library (LIBRARY:%s), or inlined into "
                    "its callers"),
                 self->path, name, name);
  return found;
}

const TbLatencySymbol *
tb_latency_image_find_at (const TbLatencyImage *self, guint64 address)
{
  guint low = 0, high = self->symbols->len;
  const TbLatencySymbol *found = NULL;

  if (self->functions != NULL)
    {
      const Function *function = find_function (self, address);

      return function != NULL ? &function->symbol : NULL;
    }
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->symbols, TbLatencySymbol, middle).address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  /* The first of the symbols that begin at the last address before it */
  while (low > 0)
    {
      const TbLatencySymbol *symbol = &g_array_index (self->symbols, TbLatencySymbol, --low);

      if (found != NULL && symbol->address != found->address)
        break;
      found = symbol;
    }
  return found != NULL && address - found->address < MAX (found->size, 1) ? found : NULL;
}

static const Segment *
find_segment (const TbLatencyImage *self, guint64 address)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);

      if (address >= segment->address && address - segment->address < segment->size)
        return segment;
    }
  return NULL;
}

const guint8 *
tb_latency_image_get_code (const TbLatencyImage *self, guint64 address, gsize *length)
{
  const Function *function = self->functions != NULL ? find_function (self, address) : NULL;
  const Segment *segment = find_segment (self, address);

  if (function != NULL && address - function->symbol.address < function->length)
    {
      *length = function->length - (address - function->symbol.address);
      return function->code + (address - function->symbol.address);
    }
  if (segment == NULL)
    return NULL;
  *length = segment->size - (address - segment->address);
  return self->data + segment->offset + (address - segment->address);
}

gboolean
tb_latency_image_get_offset (const TbLatencyImage *self, guint64 address, guint64 *offset)
{
  const Segment *segment = find_segment (self, address);

  if (self->functions != NULL)
    {
      *offset = address;
      return TRUE;
    }
  if (segment != NULL)
    *offset = segment->offset + (address - segment->address);
  return segment != NULL;
}

gboolean
tb_latency_image_get_address (const TbLatencyImage *self, guint64 offset, guint64 *address)
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

const char *
tb_latency_image_get_name (const TbLatencyImage *self)
{
  const char *slash = strrchr (self->path, '/');

  return slash != NULL ? slash + 1 : self->path;
}
