/* tb-demangle.c: demangling of a function name: suffix of the compiler left out, then by the scheme
 * of C++ (function of libstdc++), Rust (tb-demangle-rust) or D (tb-demangle-d)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/tb-demangle-private.h"

/* Longer names are not demangled: the output of the demangler can grow exponentially with its
 * input. */
#define MAX_MANGLED_LENGTH 4096
#define RUST_HASH_DIGITS 16

/* From libstdc++, Itanium C++ ABI 3.4; its header declares this for C++ only. */
extern char *
__cxa_demangle (const char *mangled_name, char *output_buffer, size_t *length, int *status);

/* A Rust name in the legacy scheme ends with the component "h" and 16 hexadecimal digits. */
static gboolean
drop_rust_hash (char *name)
{
  gsize length = strlen (name);
  char *hash;

  if (length < RUST_HASH_DIGITS + 3)
    return FALSE;
  hash = name + length - RUST_HASH_DIGITS - 3;
  if (!g_str_has_prefix (hash, "::h") || strspn (hash + 3, "0123456789abcdef") != RUST_HASH_DIGITS)
    return FALSE;
  *hash = '\0';
  return TRUE;
}

/* GCC and Clang append a suffix to the names of parts and clones of a function: foo.cold,
 * foo.constprop.0, foo.isra.1.part.2, foo.llvm.123. */
gsize
tb_demangle_get_length (const char *name)
{
  static const char *const suffixes[]
      = { ".cold", ".constprop.", ".isra.", ".part.", ".llvm.", ".lto_priv." };
  const char *end = name + strlen (name);
  const char *dot = strchr (name, '.');

  /* Most names of the kernel have none. */
  if (dot == NULL)
    return end - name;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      const char *at = strstr (dot, suffixes[i]);

      if (at != NULL && at > name && at < end)
        end = at;
    }
  return end - name;
}

char *
tb_demangle (const char *name)
{
  g_autofree char *plain = g_strndup (name, tb_demangle_get_length (name));
  char *demangled, *copy = NULL;
  int status = -1;

  if (strlen (plain) > MAX_MANGLED_LENGTH)
    return g_steal_pointer (&plain);
  if (g_str_has_prefix (plain, "_R"))
    copy = tb_demangle_rust (plain);
  else if (g_str_has_prefix (plain, "_D"))
    copy = tb_demangle_d (plain);
  if (copy != NULL)
    return copy;
  if (!g_str_has_prefix (plain, "_Z"))
    return g_steal_pointer (&plain);

  demangled = __cxa_demangle (plain, NULL, NULL, &status);
  if (demangled == NULL || status != 0)
    {
      free (demangled);
      return g_steal_pointer (&plain);
    }
  copy = drop_rust_hash (demangled) ? tb_demangle_rust_legacy (demangled) : g_strdup (demangled);
  free (demangled);
  return copy;
}
