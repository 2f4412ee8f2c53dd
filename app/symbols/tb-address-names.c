/* tb-address-names.c: function names by address, read from kallsyms or perf maps; names of a kernel
 * moved to another load address
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/tb-address-names-private.h"
#include "symbols/tb-address-ranges-private.h"
#include "symbols/tb-demangle-private.h"

/* A JIT compiler that ran for hours writes some tens of megabytes; kallsyms is about ten. */
#define MAX_FILE_SIZE (512 * 1024 * 1024)
#define READ_SIZE 65536

/* Kernels generate code nearer than this to their own, in reach of its calls. */
#define FAR (G_GUINT64_CONSTANT (1) << 32)

struct _TbAddressNames
{
  char *text;
  GArray *ranges;      /* of TbAddressRange, sorted by start, not overlapping */
  guint64 kernel_text; /* addresses of _text and _stext in kallsyms, 0 if not listed */
  guint64 kernel_stext;
};

static inline int
get_digit (char digit)
{
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  digit |= 'a' - 'A';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Parses a number with or without "0x". kallsyms has two hundred thousand of them. */
static inline gboolean
parse_hex (char **at, guint64 *value)
{
  char *start = *at, *end;
  int digit;

  if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X') && get_digit (start[2]) >= 0)
    start += 2;
  *value = 0;
  for (end = start; (digit = get_digit (*end)) >= 0; end++)
    *value = *value << 4 | (guint64) digit;
  *at = end;
  return end != start && end - start <= 16;
}

/* Reads to the end of the file, whatever its stated size (files of /proc have size 0). */
static char *
read_file (const char *path, guint owner, gsize *length, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  ssize_t n;

  if (fd < 0 || fstat (fd, &status) < 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path,
                   g_strerror (code));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  /* A file of this name in /tmp that belongs to another user must not be used. */
  if (!S_ISREG (status.st_mode)
      || (owner != G_MAXUINT && status.st_uid != owner && status.st_uid != 0))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   "%s is not used: it does not belong to the user of its process", path);
      close (fd);
      return NULL;
    }

  do
    {
      guint used = bytes->len;

      g_byte_array_set_size (bytes, used + READ_SIZE);
      n = read (fd, bytes->data + used, READ_SIZE);
      g_byte_array_set_size (bytes, used + (guint) MAX (n, 0));
    }
  while (n > 0 && bytes->len < MAX_FILE_SIZE);
  close (fd);
  *length = bytes->len;
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  return (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const TbAddressRange *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts what follows the longest part that is in order and before all the rest. kallsyms has the
 * kernel in order, then its modules. */
static void
sort_ranges (GArray *ranges)
{
  TbAddressRange *all = (TbAddressRange *) (void *) ranges->data, *least;
  guint sorted = 1;

  while (sorted < ranges->len && compare_ranges (&all[sorted - 1], &all[sorted]) <= 0)
    sorted++;
  if (sorted >= ranges->len)
    return;
  least = &all[sorted];
  for (guint i = sorted + 1; i < ranges->len; i++)
    if (compare_ranges (&all[i], least) < 0)
      least = &all[i];
  while (sorted > 0 && compare_ranges (&all[sorted - 1], least) > 0)
    sorted--;
  qsort (&all[sorted], ranges->len - sorted, sizeof *all, compare_ranges);
}

/* Functions of the kernel have no size: each ends at the next one. Of several with the same start
 * the last in the file is used. */
static void
end_at_next (GArray *ranges)
{
  guint kept = 0;

  sort_ranges (ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      TbAddressRange *range = &g_array_index (ranges, TbAddressRange, i);

      if (kept > 0)
        {
          TbAddressRange *last = &g_array_index (ranges, TbAddressRange, kept - 1);

          if (last->start == range->start)
            kept--;
          else if (last->end > range->start)
            last->end = range->start;
        }
      g_array_index (ranges, TbAddressRange, kept++) = *range;
    }
  g_array_set_size (ranges, kept);
}

/* Whether a symbol of the kernel marks the end of code. The addresses after it, up to the next
 * symbol, belong to no function. */
static gboolean
is_end_of_code (const char *name)
{
  return strcmp (name, "_etext") == 0 || strcmp (name, "_einittext") == 0;
}

static void
note_kernel_start (TbAddressNames *self, const char *name, guint64 address)
{
  if (strcmp (name, "_text") == 0)
    self->kernel_text = address;
  else if (strcmp (name, "_stext") == 0)
    self->kernel_stext = address;
}

/* Ends the name of a symbol of the kernel, and notes what follows it. */
static void
end_symbol (char *name, TbAddressRange *range)
{
  gboolean has_dot = FALSE;
  char *end;

  for (end = name; *end != '\0' && *end != ' ' && *end != '\t'; end++)
    has_dot |= *end == '.';
  if (*end != '\0')
    {
      range->is_module = strchr (end, '[') != NULL;
      range->is_generated = strstr (end, "[bpf]") != NULL || strstr (end, "[__builtin") != NULL;
      *end = '\0';
    }
  /* A part or clone of a function that the compiler produced has the name of the function, as in
   * ELF files. */
  if (has_dot)
    name[tb_demangle_get_length (name)] = '\0';
}

/* Parses "start type name [module]" or "start size name"; the name of the latter extends to the end
 * of the line. Other lines are skipped. */
static void
parse_line (TbAddressNames *self, char *line, gboolean kallsyms)
{
  TbAddressRange range = { .order = self->ranges->len };
  char *at = line;
  guint64 size = 0;

  if (!parse_hex (&at, &range.start) || *at++ != ' ')
    return;
  if (kallsyms)
    {
      char type = *at | ('a' - 'A');

      if ((type != 't' && type != 'w') || at[1] != ' ')
        return;
      at += 2;
      end_symbol (at, &range);
      if (*at == '_')
        note_kernel_start (self, at, range.start);
      range.end = G_MAXUINT64;
    }
  else
    {
      if (!parse_hex (&at, &size) || *at++ != ' ' || size == 0 || size > G_MAXUINT64 - range.start)
        return;
      range.end = range.start + size;
    }
  if (*at == '\0')
    return;
  if (kallsyms && *at == '_' && is_end_of_code (at))
    *at = '\0';
  range.name = at - self->text;
  g_array_append_val (self->ranges, range);
}

static TbAddressNames *
load (const char *path, gboolean kallsyms, guint owner, GError **error)
{
  g_autoptr (TbAddressNames) self = g_new0 (TbAddressNames, 1);
  gsize length;

  self->ranges = g_array_new (FALSE, FALSE, sizeof (TbAddressRange));
  self->text = read_file (path, owner, &length, error);
  if (self->text == NULL)
    return NULL;

  for (char *line = self->text, *next; line < self->text + length; line = next)
    {
      char *end = memchr (line, '\n', self->text + length - line);

      if (end == NULL)
        end = self->text + length;
      *end = '\0';
      next = end + 1;
      parse_line (self, line, kallsyms);
    }
  if (kallsyms)
    end_at_next (self->ranges);
  else
    tb_address_ranges_resolve (self->ranges, self->text);
  return g_steal_pointer (&self);
}

TbAddressNames *
tb_address_names_load_kallsyms (const char *path, GError **error)
{
  g_autoptr (TbAddressNames) self = load (path, TRUE, G_MAXUINT, error);

  if (self == NULL)
    return NULL;
  /* With kptr_restrict, unprivileged readers see every address as 0. */
  if (self->ranges->len < 2)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   "%s hides kernel addresses from this user: kernel functions have no names; run "
                   "as root, or set kernel.kptr_restrict to 0",
                   path);
      return NULL;
    }
  return g_steal_pointer (&self);
}

TbAddressNames *
tb_address_names_load_perf_map (const char *path, guint owner, GError **error)
{
  return load (path, FALSE, owner, error);
}

TbAddressNames *
tb_address_names_load_text (const char *text, gboolean kallsyms)
{
  g_autofree char *path = NULL;
  TbAddressNames *names = NULL;
  gsize length = strlen (text);
  int fd = memfd_create ("symbols", MFD_CLOEXEC);

  if (fd < 0)
    return NULL;
  path = g_strdup_printf ("/proc/self/fd/%d", fd);
  if (write (fd, text, length) == (gssize) length)
    names = kallsyms ? tb_address_names_load_kallsyms (path, NULL)
                     : tb_address_names_load_perf_map (path, G_MAXUINT, NULL);
  close (fd);
  return names;
}

void
tb_address_names_free (TbAddressNames *self)
{
  g_array_unref (self->ranges);
  g_free (self->text);
  g_free (self);
}

const char *
tb_address_names_find (TbAddressNames *self, guint64 address)
{
  const TbAddressRange *range = tb_address_ranges_find (self->ranges, address);

  return range != NULL && self->text[range->name] != '\0' ? self->text + range->name : NULL;
}

gboolean
tb_address_names_is_reused (TbAddressNames *self, guint64 address)
{
  const TbAddressRange *range = tb_address_ranges_find (self->ranges, address);

  return range != NULL && range->is_reused;
}

/* Code is generated anywhere after the last function of the kernel or a module: only what is
 * followed by another one of the same kind is certain to last. No code is far before the kernel:
 * such an address was mistaken for one. */
gboolean
tb_address_names_find_lasting (const TbAddressNames *self, guint64 address, const char **name)
{
  const TbAddressRange *range = tb_address_ranges_find (self->ranges, address);
  const TbAddressRange *end = &g_array_index (self->ranges, TbAddressRange, self->ranges->len);

  *name = NULL;
  if (range == NULL && end > (const TbAddressRange *) (void *) self->ranges->data)
    return g_array_index (self->ranges, TbAddressRange, 0).start - address > FAR;
  if (range == NULL || range + 1 == end || range->is_generated || range[1].is_generated
      || range->is_module != range[1].is_module)
    return FALSE;
  *name = self->text[range->name] != '\0' ? self->text + range->name : NULL;
  return TRUE;
}

guint64
tb_address_names_get_kernel_start (const TbAddressNames *self, const char *symbol)
{
  if (strcmp (symbol, "_text") == 0)
    return self->kernel_text;
  return strcmp (symbol, "_stext") == 0 ? self->kernel_stext : 0;
}

void
tb_address_names_set_kernel_start (TbAddressNames *self, guint64 text, guint64 stext)
{
  self->kernel_text = text;
  self->kernel_stext = stext;
}

void
tb_address_names_relocate_kernel (TbAddressNames *self, guint64 distance)
{
  for (guint i = 0; i < self->ranges->len; i++)
    {
      TbAddressRange *range = &g_array_index (self->ranges, TbAddressRange, i);

      if (range->is_module)
        {
          self->text[range->name] = '\0';
          continue;
        }
      range->start += distance;
      if (range->end != G_MAXUINT64)
        range->end += distance;
    }
  if (self->kernel_text != 0)
    self->kernel_text += distance;
  if (self->kernel_stext != 0)
    self->kernel_stext += distance;
  end_at_next (self->ranges);
}
