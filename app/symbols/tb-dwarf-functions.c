/* tb-dwarf-functions.c: functions, inlined functions and source lines at an address, from the DWARF
 * debug information of an ELF file, also where that is split (.dwo, .dwp); each compilation unit is
 * read at its first look-up
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The tree of a compilation unit is walked once, at the first look-up of an address in it, and
 * entries with code are stored as ranges. (dwarf_getscopes() of libdw walks the tree again for each
 * address.) Entries nest properly in DWARF, so the ranges that contain an address are found from
 * the innermost outwards by parent links.
 *
 * With -gsplit-dwarf, the file has a skeleton of each unit: its addresses and source lines. The
 * functions are in a .dwo or .dwp file, which libdw opens if it has the unit's id.
 */

#include "config.h"

#include <dwarf.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/tb-demangle-private.h"
#include "symbols/tb-dwarf-functions-private.h"

/* No compiler produces deeper trees. */
#define MAX_DEPTH 256

typedef struct
{
  Dwarf_Off die;    /* in the unit's Dwarf */
  guint parent;     /* index of the enclosing function, G_MAXUINT at the top */
  const char *name; /* NULL until needed */
  gboolean is_inline;
} Function;

typedef struct
{
  guint64 start;
  guint64 end;
  guint function;
} Range;

typedef struct
{
  Dwarf *dwarf;
  Dwarf_Die die;     /* with the functions: that of the split unit, if there is one */
  GArray *functions; /* of Function */
  GArray *ranges;    /* of Range, sorted by start, the wider first */
  guint64 bias;
} Unit;

struct _TbDwarfFunctions
{
  Dwfl_Module *module;
  GHashTable *units; /* Dwarf_Off of the unit's entry -> Unit */
  GStringChunk *strings;
  gboolean uses_other_files;
};

static void
unit_free (gpointer data)
{
  Unit *unit = data;

  g_array_unref (unit->functions);
  g_array_unref (unit->ranges);
  g_free (unit);
}

TbDwarfFunctions *
tb_dwarf_functions_new (Dwfl_Module *module)
{
  TbDwarfFunctions *self = g_new0 (TbDwarfFunctions, 1);

  self->module = module;
  self->units = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, unit_free);
  self->strings = g_string_chunk_new (4096);
  return self;
}

void
tb_dwarf_functions_free (TbDwarfFunctions *self)
{
  g_hash_table_unref (self->units);
  g_string_chunk_free (self->strings);
  g_free (self);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end > y->end ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

static void
add_ranges (Unit *unit, Dwarf_Die *die, guint function)
{
  Dwarf_Addr base, start, end;
  ptrdiff_t at = 0;

  while ((at = dwarf_ranges (die, at, &base, &start, &end)) > 0)
    if (start < end)
      {
        Range range = { start, end, function };

        g_array_append_val (unit->ranges, range);
      }
}

/* Blocks, namespaces and classes can contain functions; types and variables cannot. */
static gboolean
may_hold_functions (int tag)
{
  switch (tag)
    {
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Stores the entry if it is a function with code. Returns the index of the function that contains
 * its children. */
static guint
visit (Unit *unit, Dwarf_Die *die, int tag, guint parent)
{
  Function function = { .die = dwarf_dieoffset (die), .parent = parent };
  guint ranges = unit->ranges->len, index = unit->functions->len;

  if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
    return parent;
  function.is_inline = tag == DW_TAG_inlined_subroutine;
  add_ranges (unit, die, index);
  if (unit->ranges->len == ranges)
    return parent;
  g_array_append_val (unit->functions, function);
  return index;
}

/* libdw would wait for a writer if the name is that of a FIFO. */
static gboolean
is_missing_or_regular (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct stat status;

  return stat (path, &status) != 0 || S_ISREG (status.st_mode);
}

/* Gets the split unit of a skeleton. */
static gboolean
find_split_unit (TbDwarfFunctions *self, Dwarf_Die *unit_die, Dwarf_Die *split)
{
  Dwfl_Module *module = self->module;
  Dwarf_Attribute memory;
  Dwarf_Attribute *attribute = dwarf_attr (unit_die, DW_AT_dwo_name, &memory);
  const char *name, *folder, *main_file = NULL, *debug_file = NULL;

  if (attribute == NULL)
    attribute = dwarf_attr (unit_die, DW_AT_GNU_dwo_name, &memory);
  name = attribute != NULL ? dwarf_formstring (attribute) : NULL;
  if (name == NULL)
    return FALSE;
  self->uses_other_files = TRUE;
  folder = dwarf_formstring (dwarf_attr (unit_die, DW_AT_comp_dir, &memory));
  dwfl_module_info (module, NULL, NULL, NULL, NULL, NULL, &main_file, &debug_file);
  for (guint i = 0; i < 2; i++)
    {
      const char *path = i == 0 ? main_file : debug_file;
      g_autofree char *parent = path != NULL ? g_path_get_dirname (path) : NULL;
      g_autofree char *package = path != NULL ? g_strconcat (path, ".dwp", NULL) : NULL;

      if (path != NULL
          && (!is_missing_or_regular (parent, name) || !is_missing_or_regular ("", package)))
        return FALSE;
    }
  if (!is_missing_or_regular (g_path_is_absolute (name) || folder == NULL ? "" : folder, name))
    return FALSE;
  return dwarf_cu_info (unit_die->cu, NULL, NULL, NULL, split, NULL, NULL, NULL) == 0
         && split->cu != NULL;
}

static Unit *
read_unit (TbDwarfFunctions *self, Dwarf_Die *unit_die, guint64 bias)
{
  struct
  {
    Dwarf_Die die;
    guint parent;
  } path[MAX_DEPTH];
  Unit *unit = g_new0 (Unit, 1);
  guint depth = 0;

  if (!find_split_unit (self, unit_die, &unit->die))
    unit->die = *unit_die;
  unit->dwarf = dwarf_cu_getdwarf (unit->die.cu);
  unit->bias = bias;
  unit->functions = g_array_new (FALSE, FALSE, sizeof (Function));
  unit->ranges = g_array_new (FALSE, FALSE, sizeof (Range));

  if (dwarf_child (&unit->die, &path[0].die) != 0)
    return unit;
  path[0].parent = G_MAXUINT;
  for (;;)
    {
      Dwarf_Die *die = &path[depth].die;
      int tag = dwarf_tag (die);
      guint parent = visit (unit, die, tag, path[depth].parent);

      if (may_hold_functions (tag) && depth + 1 < MAX_DEPTH
          && dwarf_child (die, &path[depth + 1].die) == 0)
        {
          depth++;
          path[depth].parent = parent;
          continue;
        }
      while (dwarf_siblingof (&path[depth].die, &path[depth].die) != 0)
        if (depth-- == 0)
          {
            g_array_sort (unit->ranges, compare_ranges);
            return unit;
          }
    }
}

static Unit *
find_unit (TbDwarfFunctions *self, Dwarf_Die *die, guint64 bias)
{
  gint64 key = (gint64) dwarf_dieoffset (die);
  Unit *unit = g_hash_table_lookup (self->units, &key);

  if (unit == NULL)
    {
      unit = read_unit (self, die, bias);
      g_hash_table_insert (self->units, g_memdup2 (&key, sizeof key), unit);
    }
  return unit;
}

/* Returns the innermost function with code at the address. Ranges nest: of those that start at or
 * before the address, the last that extends beyond it is the innermost. Those after it are inlined
 * code that ends before the address. */
static guint
find_innermost (Unit *unit, guint64 address)
{
  gsize low = 0, high = unit->ranges->len;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (g_array_index (unit->ranges, Range, middle).start <= address)
        low = middle + 1;
      else
        high = middle;
    }
  while (low-- > 0)
    {
      const Range *range = &g_array_index (unit->ranges, Range, low);
      guint top;

      if (address < range->end)
        return range->function;
      /* A function at the top level ends before the address. Nothing further left can contain the
       * address, unless that function is split into parts. */
      for (top = range->function;
           g_array_index (unit->functions, Function, top).parent != G_MAXUINT;)
        top = g_array_index (unit->functions, Function, top).parent;
      if (top == range->function && !g_array_index (unit->functions, Function, top).is_inline)
        return G_MAXUINT;
    }
  return G_MAXUINT;
}

static const char *
get_function_name (TbDwarfFunctions *self, Unit *unit, Function *function)
{
  Dwarf_Attribute memory, *attribute;
  Dwarf_Die die;
  const char *name = NULL;

  if (function->name != NULL)
    return function->name;

  if (dwarf_offdie (unit->dwarf, function->die, &die) != NULL)
    {
      attribute = dwarf_attr_integrate (&die, DW_AT_linkage_name, &memory);
      if (attribute == NULL)
        attribute = dwarf_attr_integrate (&die, DW_AT_MIPS_linkage_name, &memory);
      name = attribute != NULL ? dwarf_formstring (attribute) : NULL;
      if (name == NULL)
        name = dwarf_diename (&die);
    }
  if (name != NULL)
    {
      g_autofree char *demangled = tb_demangle (name);

      function->name = g_string_chunk_insert_const (self->strings, demangled);
    }
  else
    function->name = "";
  return function->name;
}

/* Reads the call site of an inlined function in its caller. */
static void
read_call_site (Unit *unit, Function *function, const char **file, guint *line)
{
  Dwarf_Attribute memory;
  Dwarf_Word index = 0, number = 0;
  Dwarf_Files *files;
  Dwarf_Die die;
  size_t n_files;

  *file = "";
  *line = 0;
  if (dwarf_offdie (unit->dwarf, function->die, &die) == NULL)
    return;
  if (dwarf_formudata (dwarf_attr (&die, DW_AT_call_line, &memory), &number) == 0
      && number <= G_MAXUINT)
    *line = (guint) number;
  if (dwarf_formudata (dwarf_attr (&die, DW_AT_call_file, &memory), &index) == 0
      && dwarf_getsrcfiles (&unit->die, &files, &n_files) == 0 && index < n_files)
    {
      const char *name = dwarf_filesrc (files, index, NULL, NULL);

      *file = name != NULL ? name : "";
    }
}

static void
find_source_line (Dwarf_Die *unit_die, guint64 address, const char **file, guint *line)
{
  Dwarf_Line *entry = dwarf_getsrc_die (unit_die, address);
  const char *name = entry != NULL ? dwarf_linesrc (entry, NULL, NULL) : NULL;
  int number = 0;

  *file = name != NULL ? name : "";
  *line = entry != NULL && dwarf_lineno (entry, &number) == 0 && number > 0 ? (guint) number : 0;
}

gboolean
tb_dwarf_functions_use_other_files (TbDwarfFunctions *self)
{
  return self->uses_other_files;
}

gboolean
tb_dwarf_functions_find (TbDwarfFunctions *self, guint64 address, GArray *names)
{
  guint first = names->len, index, line;
  const char *file;
  Dwarf_Addr bias;
  Dwarf_Die *unit_die = dwfl_module_addrdie (self->module, address, &bias);
  Unit *unit;

  if (unit_die == NULL)
    return FALSE;
  unit = find_unit (self, unit_die, bias);
  index = find_innermost (unit, address - bias);
  if (index == G_MAXUINT)
    return FALSE;

  find_source_line (unit_die, address - bias, &file, &line);
  while (index != G_MAXUINT)
    {
      Function *function = &g_array_index (unit->functions, Function, index);
      TbFrameName name
          = { get_function_name (self, unit, function),
              g_string_chunk_insert_const (self->strings, file), line, function->is_inline };

      if (name.function[0] == '\0')
        {
          g_array_set_size (names, first);
          return FALSE;
        }
      g_array_append_val (names, name);
      if (!function->is_inline)
        break;
      read_call_site (unit, function, &file, &line);
      index = function->parent;
    }
  g_array_index (names, TbFrameName, names->len - 1).is_inline = FALSE;
  return TRUE;
}
