/* test-help-uri.c: test of the address of the help, also in the sandbox of a Flatpak
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../other-root.h"
#include "../test-folder.h"
#include "shell/tb-help-uri.h"

#define APP_PATH "/var/lib/flatpak/app/org.tailback.Tailback/x86_64/stable/0123/files"

/* What is asked in a root of its own, as the description of a Flatpak is read once in a process. */
typedef struct
{
  const char *languages;
  const char *data_dir;
  const char *uri;
} Question;

static void
assert_uri (gpointer data)
{
  const Question *question = data;
  g_autofree char *uri = NULL;

  g_unsetenv ("TAILBACK_FLATPAK_INFO");
  g_setenv ("LANGUAGE", question->languages, TRUE);
  uri = tb_help_uri_make (question->data_dir);
  g_assert_cmpstr (uri, ==, question->uri);
}

static void
ask (const char *folder, const char *languages, const char *data_dir, const char *uri)
{
  Question question = { languages, data_dir, uri };

  other_root_run (folder, assert_uri, &question);
}

static char *
make_root (void)
{
  char *folder = g_dir_make_tmp ("tailback-help-XXXXXX", NULL);

  g_assert_nonnull (folder);
  other_root_write (folder, "app/share/help/C/tailback/index.page", "<page/>", -1);
  other_root_write (folder, "app/share/help/de/tailback/index.page", "<page/>", -1);
  return folder;
}

/* The viewer gets the path by which the computer finds the pages, in the user's language if there
 * are such pages. */
static void
test_sandbox (void)
{
  g_autofree char *folder = make_root ();

  other_root_write (folder, ".flatpak-info", "[Instance]\napp-path=" APP_PATH "\n", -1);
  ask (folder, "fr", "/app/share", "ghelp:" APP_PATH "/share/help/C/tailback");
  ask (folder, "fr:de_AT", "/app/share", "ghelp:" APP_PATH "/share/help/de/tailback");
  ask (folder, "de", "/app/gone", "help:tailback");
  ask (folder, "de", "/usr/share", "help:tailback");
  test_folder_remove (folder);
}

static void
test_outside (void)
{
  g_autofree char *folder = make_root ();

  ask (folder, "de", "/app/share", "help:tailback");
  test_folder_remove (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help-uri/sandbox", test_sandbox);
  g_test_add_func ("/help-uri/outside", test_outside);
  return g_test_run ();
}
