/* tb-latency-target.c: the function that is meant, by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/utsname.h>

#include "extend/tb-option.h"
#include "tb-agent-functions.h"
#include "tb-latency-target.h"
#include "tb-perf-syscalls.h"

static gboolean
find_call (TbLatencyDrill *drill, const char *name, GError **error)
{
  struct utsname here;
  const char *const *names;
  guint n = 0;

  names = uname (&here) == 0 ? tb_perf_syscalls_get_names (here.machine, &n) : NULL;
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (names[i], name) == 0)
      {
        tb_latency_drill_set_call (drill, i, name);
        return TRUE;
      }
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ ("“%s” is no system call of this machine"),
               name);
  return FALSE;
}

/* Exceptions are thrown through a function only where the library that does it is there; return addresses that are changed would
 * stop them. */
static gboolean
may_throw (const TbLatencyImage *image, const TbTarget *target)
{
  static const char *const libraries[] = { "libgcc_s.so", "libunwind.so", "libstdc++.so", "libc++abi.so" };
  g_autofree char *path = g_strdup_printf ("/proc/%d/maps", target->pid);
  g_autofree char *maps = NULL;

  if (target->scope == TB_SCOPE_PROCESS && g_file_get_contents (path, &maps, NULL, NULL))
    for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
      if (strstr (maps, libraries[i]) != NULL)
        return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    if (memmem (image->data, image->size, libraries[i], strlen (libraries[i])) != NULL)
      return TRUE;
  return memmem (image->data, image->size, "_Unwind_RaiseException", 22) != NULL;
}

gboolean
tb_latency_target_find (TbLatencyDrill *drill,
                        const char *name,
                        const char *returns,
                        const TbTarget *target,
                        GError **error)
{
  g_autofree char *path = NULL, *function = NULL;
  g_autoptr (TbLatencyImage) image = NULL;
  const TbLatencySymbol *symbol;

  if (g_str_has_prefix (name, "syscall:"))
    return find_call (drill, name + strlen ("syscall:"), error);
  if (!tb_agent_functions_locate (name, target, &path, &function, error))
    return FALSE;
  image = tb_latency_image_open (path, error);
  symbol = image != NULL ? tb_latency_image_find (image, function, error) : NULL;
  if (symbol == NULL)
    return FALSE;
  drill->pid = target->pid;
  tb_latency_drill_set_function (drill, image, symbol);
  if (g_strcmp0 (returns, "auto") == 0 && may_throw (image, target))
    drill->options.returns_by_instruction = TRUE;
  return TRUE;
}
