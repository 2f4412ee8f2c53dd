/* test-sandbox.c: test of what the description of a Flatpak states
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/tb-sandbox.h"

#define APP_PATH "/var/lib/flatpak/app/org.tailback.Tailback/x86_64/stable/0123/files"

/* Files that are installed with the program, as the computer sees them. */
static void
test_host_path (void)
{
  g_autofree char *page = tb_sandbox_get_host_path ("/app/share/help/C/tailback/index.page");

  g_assert_true (tb_sandbox_is_active ());
  g_assert_cmpstr (page, ==, APP_PATH "/share/help/C/tailback/index.page");
  g_assert_null (tb_sandbox_get_host_path ("/usr/share/help/C/tailback"));
  g_assert_null (tb_sandbox_get_host_path ("/application/share"));
}

static void
test_may_talk (void)
{
  g_assert_true (tb_sandbox_may_talk ("org.example.Talked"));
  g_assert_true (tb_sandbox_may_talk ("org.example.Owned"));
  g_assert_false (tb_sandbox_may_talk ("org.example.Seen"));
  g_assert_false (tb_sandbox_may_talk ("org.example.Other"));
}

/* The description is read once in a process. */
static void
test_outside (void)
{
  if (!g_test_subprocess ())
    {
      g_autofree char *before = g_strdup (g_getenv ("TAILBACK_FLATPAK_INFO"));

      g_setenv ("TAILBACK_FLATPAK_INFO", "/nonexistent", TRUE);
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_setenv ("TAILBACK_FLATPAK_INFO", before, TRUE);
      g_test_trap_assert_passed ();
      return;
    }
  g_assert_false (tb_sandbox_is_active ());
  g_assert_null (tb_sandbox_get_host_path ("/app/share/help/C/tailback"));
  g_assert_false (tb_sandbox_may_talk ("org.example.Talked"));
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  if (!g_test_subprocess ())
    {
      path = g_build_filename (g_get_tmp_dir (), "tailback-flatpak-info-XXXXXX", NULL);
      g_close (g_mkstemp (path), NULL);
      g_assert_true (g_file_set_contents (path,
                                          "[Instance]\napp-path=" APP_PATH "\n"
                                          "[Session Bus Policy]\norg.example.Talked=talk\n"
                                          "org.example.Owned=own\norg.example.Seen=see\n",
                                          -1, NULL));
      g_setenv ("TAILBACK_FLATPAK_INFO", path, TRUE);
    }
  g_test_add_func ("/sandbox/host-path", test_host_path);
  g_test_add_func ("/sandbox/may-talk", test_may_talk);
  g_test_add_func ("/sandbox/outside", test_outside);
  status = g_test_run ();
  if (path != NULL)
    g_remove (path);
  return status;
}
