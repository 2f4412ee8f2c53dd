/* tb-peaks-function-names.c: names of functions, as users request them and as operations have them:
 * split, compared, found in a session; names of softirqs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-peaks-function-names.h"

#define PREFIX "function:"

/* The colon between a file and its function, which is not part of a "::" of C++; NULL if there is
 * none. */
static const char *
find_separator (const char *name)
{
  for (const char *at = name; (at = strchr (at, ':')) != NULL; at++)
    {
      if (at[1] != ':')
        return at;
      at++;
    }
  return NULL;
}

char *
tb_peaks_split_function (const char *name, char **module)
{
  const char *separator = find_separator (name), *at = strrchr (name, '@');

  *module = NULL;
  if (separator != NULL && separator > name)
    {
      g_autofree char *file = g_strndup (name, (gsize) (separator - name));

      *module = g_path_get_basename (file);
      return g_strdup (separator + 1);
    }
  if (at == NULL || at == name)
    return g_strdup (name);
  *module = g_strdup (at + 1);
  return g_strndup (name, (gsize) (at - name));
}

/* "libc" is short for "libc.so.6". */
static gboolean
is_short_for (const char *name, const char *module)
{
  gsize length = strlen (name);

  return strncmp (module, name, length) == 0
         && (module[length] == '\0' || g_str_has_prefix (module + length, ".so"));
}

gboolean
tb_peaks_is_same_function (const char *one, const char *other)
{
  g_autofree char *one_module = NULL, *other_module = NULL;
  g_autofree char *one_name = tb_peaks_split_function (one, &one_module);
  g_autofree char *other_name = tb_peaks_split_function (other, &other_module);

  return g_str_equal (one_name, other_name)
         && (one_module == NULL || other_module == NULL || is_short_for (one_module, other_module)
             || is_short_for (other_module, one_module));
}

gboolean
tb_peaks_is_same_operation (const char *one, const char *other)
{
  if (!g_str_has_prefix (one, PREFIX) || !g_str_has_prefix (other, PREFIX))
    return g_str_equal (one, other);
  return tb_peaks_is_same_function (one + strlen (PREFIX), other + strlen (PREFIX));
}

/* Each line has the requested name, a tab, and the name of the function. */
GHashTable *
tb_peaks_read_probed (TbSession *session)
{
  GHashTable *probed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const char *fact = tb_session_get_fact (session, "probed-functions");
  g_auto (GStrv) lines = g_strsplit (fact != NULL ? fact : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *tab = strchr (lines[i], '\t');

      if (tab != NULL && tab > lines[i] && tab[1] != '\0')
        g_hash_table_replace (probed, g_strndup (lines[i], (gsize) (tab - lines[i])),
                              g_strdup (tab + 1));
    }
  return probed;
}

char *
tb_peaks_name_function (GHashTable *probed, const char *name)
{
  const char *known = g_hash_table_lookup (probed, name);
  g_autofree char *module = NULL;
  g_autofree char *function = NULL;

  if (known != NULL)
    return g_strdup (known);
  if (*name != '/')
    return g_strdup (name);
  function = tb_peaks_split_function (name, &module);
  return module != NULL ? g_strdup_printf ("%s@%s", function, module) : g_strdup (name);
}

const char *
tb_peaks_get_softirq_name (guint32 number)
{
  static const char *const names[] = {
    [TB_SOFTIRQ_HI] = "HI",           [TB_SOFTIRQ_TIMER] = "TIMER",
    [TB_SOFTIRQ_NET_TX] = "NET_TX",   [TB_SOFTIRQ_NET_RX] = "NET_RX",
    [TB_SOFTIRQ_BLOCK] = "BLOCK",     [TB_SOFTIRQ_IRQ_POLL] = "IRQ_POLL",
    [TB_SOFTIRQ_TASKLET] = "TASKLET", [TB_SOFTIRQ_SCHED] = "SCHED",
    [TB_SOFTIRQ_HRTIMER] = "HRTIMER", [TB_SOFTIRQ_RCU] = "RCU",
  };

  return number < G_N_ELEMENTS (names) ? names[number] : "";
}
