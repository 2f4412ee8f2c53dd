/* tb-trace-libc-names.c: names of functions of the C library as programs call them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "trace/tb-trace-libc-names-private.h"

gboolean
tb_is_libc (const char *module)
{
  static const char *const prefixes[]
      = { "libc.so", "libc-2.", "libpthread.so", "libpthread-2.", "ld-linux", "ld-2.", "ld-musl-" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (module, prefixes[i]))
      return TRUE;
  return FALSE;
}

gboolean
tb_is_system_module (const char *module)
{
  return g_str_equal (module, "[kernel]") || g_str_equal (module, "[vdso]")
         || g_str_equal (module, "[uprobes]") || tb_is_libc (module);
}

/* Prefixes of names that programs call, behind the underscores of the library's own aliases. */
static gboolean
is_public (const char *name)
{
  return g_str_has_prefix (name, "pthread_") || g_str_has_prefix (name, "sem_")
         || g_str_has_prefix (name, "poll") || g_str_has_prefix (name, "select")
         || g_str_has_prefix (name, "clock_nanosleep") || g_str_equal (name, "nanosleep")
         || g_str_equal (name, "read") || g_str_equal (name, "write") || g_str_equal (name, "open")
         || g_str_equal (name, "open64") || g_str_equal (name, "close")
         || g_str_equal (name, "wait4") || g_str_equal (name, "waitpid")
         || g_str_equal (name, "connect") || g_str_equal (name, "send")
         || g_str_equal (name, "recv") || g_str_equal (name, "fork");
}

const char *
tb_get_libc_name (const char *function, const char *module)
{
  const char *name = function, *plain;
  gboolean is_alias = g_str_has_prefix (name, "__GI_");

  if (name[0] != '_' || !tb_is_libc (module))
    return function;
  if (is_alias)
    name += strlen ("__GI_");
  if (g_str_has_prefix (name, "__libc_") && !g_str_has_prefix (name, "__libc_start")
      && name[strlen ("__libc_")] != '\0')
    return name + strlen ("__libc_");
  plain = name + strspn (name, "_");
  if (plain - name >= 2 && plain[0] != '\0' && (is_alias || is_public (plain)))
    return plain;
  return name[0] != '\0' ? name : function;
}

gboolean
tb_is_inner_libc_function (const char *function)
{
  static const char *const prefixes[] = { "__syscall_cancel",
                                          "__internal_syscall_cancel",
                                          "__futex_",
                                          "futex_",
                                          "__lll_lock",
                                          "lll_",
                                          "do_futex_wait",
                                          "__do_futex_wait",
                                          "__new_sem_wait_slow",
                                          "__clock_nanosleep_time64",
                                          "clock_nanosleep",
                                          "pthread_clockjoin_ex",
                                          "__pthread_clockjoin_ex" };
  const char *end;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (function, prefixes[i]))
      return TRUE;
  /* Of sleep() and usleep(), as is clock_nanosleep() */
  if (g_str_equal (function, "nanosleep"))
    return TRUE;
  /* "__pthread_rwlock_rdlock_full64", "pthread_cond_wait_common" */
  end = g_strrstr (function, "_full");
  if (end != NULL && (end[5] == '\0' || g_str_equal (end + 5, "64")))
    return TRUE;
  return g_str_has_suffix (function, "_wait_common");
}
