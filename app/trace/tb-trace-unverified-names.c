/* tb-trace-unverified-names.c: check whether functions of a module, given by file name, have
 * unverified names (of a file that may not be the recorded one, which had no build ID), by a list
 * in the session from tb-module-symbols
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-private.h"

/* Written by app/symbols/tb-module-symbols.c: ids of modules, each between spaces. */
#define UNVERIFIED_FACT "symbols-unverified"

/**
 * tb_trace_has_unverified_names:
 * @self: a trace
 * @module: file name of a module
 *
 * Functions of a file that was recorded without a build ID have the names of a file that has its
 * code in the same places, if nothing shows that it is the recorded file.
 *
 * Returns: whether names of functions of the module are unverified
 */
gboolean
tb_trace_has_unverified_names (TbTrace *self, const char *module)
{
  TbSession *session;
  const char *fact;
  const TbModule *modules;
  guint n_modules;

  g_return_val_if_fail (TB_IS_TRACE (self) && module != NULL, FALSE);

  session = tb_trace_get_session (self);
  fact = tb_session_get_fact (session, UNVERIFIED_FACT);
  modules = tb_session_get_modules (session, &n_modules);
  for (const char *at = fact; at != NULL && *at != '\0';)
    {
      char *end;
      guint64 id = g_ascii_strtoull (at, &end, 10);

      if (end == at)
        return FALSE;
      if (id < n_modules)
        {
          const char *base = strrchr (modules[id].path, '/');

          if (strcmp (base != NULL ? base + 1 : modules[id].path, module) == 0)
            return TRUE;
        }
      for (at = end; *at == ' ';)
        at++;
    }
  return FALSE;
}
