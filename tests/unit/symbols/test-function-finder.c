/* test-function-finder.c: test of finding the start of a function by name, or an error of one line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "symbols/tb-function-finder.h"

int call_other_namesake (int x);
int whole_function (int x);
int chosen_function (int x);

__attribute__ ((noinline, noclone)) int
whole_function (int x)
{
  return x + getpid ();
}

static __attribute__ ((noinline, noclone)) int
namesake (int x)
{
  return getpid () - x;
}

static inline __attribute__ ((always_inline)) int
inlined_function (int x)
{
  return x * getpid ();
}

/* In C++: oven::Baker::bake(int) */
__asm__ (".pushsection .text\n"
         ".globl _ZN4oven5Baker4bakeEi\n"
         ".type _ZN4oven5Baker4bakeEi, @function\n"
         "_ZN4oven5Baker4bakeEi: .byte 0x90, 0x90\n"
         ".size _ZN4oven5Baker4bakeEi, 2\n"
         ".globl indirect_function\n"
         ".type indirect_function, @gnu_indirect_function\n"
         "indirect_function: .byte 0x90, 0x90\n"
         ".size indirect_function, 2\n"
         ".popsection\n");
extern const char baker_bake[] __asm__ ("_ZN4oven5Baker4bakeEi");

typedef struct
{
  guint64 address;
  guint64 offset;
  guint64 base;
  char *path;
} FoundFunction;

static int
find_segment (struct dl_phdr_info *info, size_t size, void *data)
{
  FoundFunction *place = data;

  for (guint i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      guint64 begins = info->dlpi_addr + header->p_vaddr;

      if (header->p_type != PT_LOAD || place->address < begins
          || place->address >= begins + header->p_memsz)
        continue;
      place->offset = place->address - begins + header->p_offset;
      place->base = info->dlpi_addr;
      place->path = g_strdup (info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe");
      return 1;
    }
  return 0;
}

static FoundFunction
locate (gconstpointer function)
{
  FoundFunction place = { .address = (guint64) (guintptr) function };

  g_assert_cmpint (dl_iterate_phdr (find_segment, &place), ==, 1);
  return place;
}

static gboolean
find (const char *path, const char *name, guint64 *offset, GError **error)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gboolean found;

  g_assert_cmpint (fd, >=, 0);
  found = tb_function_find (fd, path, name, offset, error);
  close (fd);
  g_assert_true (found == (error == NULL || *error == NULL));
  return found;
}

static void
assert_at (const char *name, gconstpointer function)
{
  FoundFunction place = locate (function);
  g_autoptr (GError) error = NULL;
  guint64 offset = 0;

  find (place.path, name, &offset, &error);
  g_assert_no_error (error);
  g_assert_cmphex (offset, ==, place.offset);
  g_free (place.path);
}

static void
assert_refused (const char *path, const char *name, const char *cause)
{
  g_autoptr (GError) error = NULL;
  guint64 offset;

  g_assert_false (find (path, name, &offset, &error));
  g_test_message ("%s", error->message);
  if (strstr (error->message, cause) == NULL)
    g_error ("“%s” does not say “%s”", error->message, cause);
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_found (void)
{
  FoundFunction place = locate (whole_function);
  g_autofree char *address
      = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", place.address - place.base);

  g_assert_cmpint (whole_function (1) + namesake (2) + inlined_function (3)
                       + call_other_namesake (4),
                   !=, 0);
  assert_at ("whole_function", whole_function);
  assert_at (address, whole_function);
  assert_at ("_ZN4oven5Baker4bakeEi", baker_bake);
  assert_at ("oven::Baker::bake", baker_bake);
  assert_at ("oven::Baker::bake(int)", baker_bake);
  g_free (place.path);
}

/* Of two exported versions, the default one is found; the dynamic symbols are enough. */
static void
test_versions (void)
{
  gpointer function = dlsym (RTLD_DEFAULT, "pthread_cond_wait");

  if (function == NULL)
    g_test_skip ("the C library has it not");
  else
    assert_at ("pthread_cond_wait", function);
}

static void
test_refused (void)
{
  g_autofree char *script = g_build_filename (g_get_tmp_dir (), "function-finder-XXXXXX", NULL);
  int fd = g_mkstemp (script);

  assert_refused ("/proc/self/exe", "no_such_function", "unknown function “no_such_function”");
  assert_refused ("/proc/self/exe", "namesake", "2 functions have the name “namesake”");
  assert_refused ("/proc/self/exe", "inlined_function", "inlined where it is called");
  assert_refused ("/proc/self/exe", "indirect_function", "is resolved to one of several");
  assert_refused ("/proc/self/exe", "dl_iterate_phdr", "LIBRARY:dl_iterate_phdr");
  assert_refused ("/proc/self/exe", "0x1", "no code at address 0x1");
  assert_refused ("/proc/self/exe", "0xhello", "invalid address");
  assert_refused ("/proc/self/exe", "bake", "unknown function");
  g_assert_cmpint (write (fd, "#!/bin/sh\n", 10), ==, 10);
  close (fd);
  assert_refused (script, "main", "perhaps a script");
  g_assert_cmpint (g_unlink (script), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/function-finder/found", test_found);
  g_test_add_func ("/function-finder/versions", test_versions);
  g_test_add_func ("/function-finder/refused", test_refused);
  return g_test_run ();
}
