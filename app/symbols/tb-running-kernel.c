/* tb-running-kernel.c: function names of the kernel that runs on this machine, for given addresses:
 * from a cache of names looked up earlier since it was booted (tb-name-cache), else from
 * /proc/kallsyms, and then kept in that cache
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel formats a line for each of its functions, which takes longer than everything else that
 * is needed to name it. Its functions keep their addresses until it is started again, those of its
 * modules until these are loaded again. Code that it generates (BPF programs, trampolines) comes
 * and goes at any time: its names are never kept.
 */

#include "config.h"

#include "symbols/tb-running-kernel-private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-name-cache-private.h"

#define CACHE_ID "running-kernel"

/* The entry with the addresses of _text and _stext; no function is there. */
#define START_ENTRY 0
#define START_FORMAT "%016" PRIx64 " %016" PRIx64

/* Appends name and address of each module. Between them are numbers of users, which change. */
static void
add_modules (GString *key)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/modules", &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *space = strchr (lines[i], ' '), *address = strstr (lines[i], " 0x");

      if (space != NULL && address != NULL)
        g_string_append_printf (key, "%.*s%.19s\n", (int) (space - lines[i]), lines[i], address);
    }
}

/* Returns NULL if it is unknown when the kernel was started. */
static char *
make_key (void)
{
  g_autoptr (GString) key = g_string_new (NULL);
  g_autofree char *boot_id = NULL;
  g_autofree char *digest = NULL;

  if (!g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot_id, NULL, NULL))
    return NULL;
  add_modules (key);
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key->str, -1);
  return g_strdup_printf ("%s %s", g_strstrip (boot_id), digest);
}

/* Whether the recorded kernel was loaded where this one is. */
static gboolean
is_at (const TbAddressNames *names, const char *start)
{
  const char *space = start != NULL ? strchr (start, ' ') : NULL;
  g_autofree char *symbol = space != NULL ? g_strndup (start, space - start) : NULL;

  return symbol == NULL
         || tb_address_names_get_kernel_start (names, symbol)
                == g_ascii_strtoull (space + 1, NULL, 16);
}

/* Returns NULL if an address was not looked up earlier. */
static TbAddressNames *
load_known (TbNameCache *cache, const guint64 *addresses, gsize n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  TbAddressNames *names;
  guint64 start[2];

  if (!tb_name_cache_find (cache, START_ENTRY, found) || found->len != 1
      || sscanf (g_array_index (found, TbFrameName, 0).function, "%" SCNx64 " %" SCNx64, &start[0],
                 &start[1])
             != 2)
    return NULL;
  for (gsize i = 0; i < n; i++)
    {
      g_array_set_size (found, 0);
      if (!tb_name_cache_find (cache, addresses[i], found))
        return NULL;
      if (found->len == 1)
        g_string_append_printf (text, "%" PRIx64 " 1 %s\n", addresses[i],
                                g_array_index (found, TbFrameName, 0).function);
    }
  names = tb_address_names_load_text (text->str, FALSE);
  if (names != NULL)
    tb_address_names_set_kernel_start (names, start[0], start[1]);
  return names;
}

/* Stores the names in the cache, which must be closed while the names exist. */
static void
keep (TbNameCache *cache, TbAddressNames *names, const guint64 *addresses, gsize n)
{
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  g_autofree char *start
      = g_strdup_printf (START_FORMAT, tb_address_names_get_kernel_start (names, "_text"),
                         tb_address_names_get_kernel_start (names, "_stext"));
  TbFrameName name = { start, "", 0, FALSE };

  if (!tb_name_cache_find (cache, START_ENTRY, known))
    tb_name_cache_add (cache, START_ENTRY, &name, 1);
  for (gsize i = 0; i < n; i++)
    if (addresses[i] != START_ENTRY && !tb_name_cache_find (cache, addresses[i], known)
        && tb_address_names_find_lasting (names, addresses[i], &name.function))
      tb_name_cache_add (cache, addresses[i], &name, name.function != NULL);
  tb_name_cache_close (cache);
}

gboolean
tb_running_kernel_has_build_id (const char *build_id)
{
  g_autofree char *notes = NULL;
  g_autofree char *own = NULL;
  gsize length;

  if (build_id[0] == '\0' || !g_file_get_contents ("/sys/kernel/notes", &notes, &length, NULL))
    return FALSE;
  own = tb_elf_parse_build_id_notes ((const guint8 *) notes, length);
  return g_strcmp0 (own, build_id) == 0;
}

TbAddressNames *
tb_running_kernel_prefetch (const char *build_id)
{
  g_autofree char *key = make_key ();
  g_autoptr (TbNameCache) cache = key != NULL ? tb_name_cache_open (CACHE_ID, key) : NULL;

  if (!tb_running_kernel_has_build_id (build_id)
      || (cache != NULL && !tb_name_cache_is_empty (cache)))
    return NULL;
  return tb_address_names_load_kallsyms (TB_RUNNING_KERNEL_PATH, NULL);
}

TbAddressNames *
tb_running_kernel_load_names (const guint64 *addresses,
                              gsize n,
                              const char *start,
                              TbAddressNames *all,
                              GError **error)
{
  g_autoptr (TbAddressNames) read = all;
  g_autofree char *key = make_key ();
  g_autoptr (TbNameCache) cache = key != NULL ? tb_name_cache_open (CACHE_ID, key) : NULL;
  TbAddressNames *names = cache != NULL ? load_known (cache, addresses, n) : NULL;

  if (names != NULL && is_at (names, start))
    return names;
  g_clear_pointer (&names, tb_address_names_free);
  names = g_steal_pointer (&read);
  if (names == NULL)
    names = tb_address_names_load_kallsyms (TB_RUNNING_KERNEL_PATH, error);
  if (names != NULL && cache != NULL && is_at (names, start))
    keep (g_steal_pointer (&cache), names, addresses, n);
  return names;
}
