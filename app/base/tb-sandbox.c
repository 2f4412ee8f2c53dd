/* tb-sandbox.c: whether this process runs in the sandbox of a Flatpak, and what that permits
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "base/tb-sandbox.h"

/* Flatpak describes each sandbox by this file in it. */
#define INFO_PATH "/.flatpak-info"

static GKeyFile *
get_info (void)
{
  static GKeyFile *info;
  static gsize done;

  if (g_once_init_enter (&done))
    {
      /* The variable is for tests. */
      const char *path = g_getenv ("TAILBACK_FLATPAK_INFO");
      g_autoptr (GKeyFile) file = g_key_file_new ();

      if (g_key_file_load_from_file (file, path != NULL ? path : INFO_PATH, G_KEY_FILE_NONE, NULL))
        info = g_steal_pointer (&file);
      g_once_init_leave (&done, 1);
    }
  return info;
}

/**
 * tb_sandbox_is_active: (skip)
 *
 * In a sandbox the processes of the computer are not visible, its files are those of a runtime, and
 * nothing of it can be recorded without its own agent.
 *
 * Returns: whether this process runs in a Flatpak
 */
gboolean
tb_sandbox_is_active (void)
{
  return get_info () != NULL;
}

/**
 * tb_sandbox_may_talk: (skip)
 * @name: a name on the session bus
 *
 * Gets whether the sandbox permits a call by D-Bus.
 *
 * Returns: whether this process runs in a sandbox that permits it to call that name; portals, which
 *   every sandbox may call, are not listed
 */
gboolean
tb_sandbox_may_talk (const char *name)
{
  g_autofree char *policy = NULL;

  g_return_val_if_fail (name != NULL, FALSE);

  if (get_info () == NULL)
    return FALSE;
  policy = g_key_file_get_string (get_info (), "Session Bus Policy", name, NULL);
  return g_strcmp0 (policy, "talk") == 0 || g_strcmp0 (policy, "own") == 0;
}

/**
 * tb_sandbox_get_host_path: (skip)
 * @path: absolute path of a file that is installed with this program
 *
 * Gets the path by which other programs find a file of this program.
 *
 * Returns: (transfer full) (nullable): the path by which the computer finds it, for programs
 *   outside the sandbox; %NULL if this process is in none, or the file is not of the program
 */
char *
tb_sandbox_get_host_path (const char *path)
{
  g_autofree char *folder = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (get_info () == NULL || !g_str_has_prefix (path, "/app/"))
    return NULL;
  folder = g_key_file_get_string (get_info (), "Instance", "app-path", NULL);
  return folder != NULL ? g_build_filename (folder, path + strlen ("/app/"), NULL) : NULL;
}

/**
 * tb_sandbox_is_document: (skip)
 * @path: absolute path of a file
 *
 * A portal shows a sandbox the one file that the user chose, without those beside it.
 *
 * Returns: whether the file is in the folder of the document portal
 */
gboolean
tb_sandbox_is_document (const char *path)
{
  g_autofree char *folder = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  folder = g_build_filename (g_get_user_runtime_dir (), "doc", "", NULL);
  return g_str_has_prefix (path, folder) || g_str_has_prefix (path, "/run/flatpak/doc/");
}
