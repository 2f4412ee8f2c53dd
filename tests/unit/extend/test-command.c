/* test-command.c: test that held commands start only when released
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "extend/plugins/tb-command.h"

typedef struct
{
  gboolean done;
  int wait_status;
  GError *error;
} Waited;

static void
on_waited (GObject *object, GAsyncResult *result, gpointer data)
{
  Waited *waited = data;

  tb_command_wait_finish (TB_COMMAND (object), result, &waited->wait_status, &waited->error);
  waited->done = TRUE;
}

static void
wait_for (TbCommand *command, GCancellable *cancellable, Waited *waited)
{
  tb_command_wait_async (command, cancellable, on_waited, waited);
  while (!waited->done)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
on_timeout (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_held_until_released (void)
{
  g_autofree char *directory = g_dir_make_tmp ("tailback-command-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "ran", NULL);
  const char *argv[] = { "/bin/sh", "-c", "echo $$ > \"$0\"; exit 7", path, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbCommand) command = tb_command_new (argv, &error);
  g_autofree char *contents = NULL;
  g_autofree char *description = NULL;
  Waited waited = { 0 };
  gboolean late = FALSE;

  g_assert_no_error (error);
  g_assert_cmpint (tb_command_get_pid (command), >, 0);
  g_timeout_add (50, on_timeout, &late);
  while (!late)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (tb_command_has_ended (command, NULL));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  g_assert_true (tb_command_release (command, &error));
  g_assert_no_error (error);
  wait_for (command, NULL, &waited);
  g_assert_no_error (waited.error);
  g_assert_true (tb_command_has_ended (command, NULL));
  description = tb_command_describe_status (waited.wait_status);
  g_assert_cmpstr (description, ==, "exited with status 7");
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpint (g_ascii_strtoll (contents, NULL, 10), ==, tb_command_get_pid (command));

  /* Waiting for an ended process returns, too. */
  waited = (Waited) { 0 };
  wait_for (command, NULL, &waited);
  g_assert_cmpint (WEXITSTATUS (waited.wait_status), ==, 7);

  g_unlink (path);
  g_rmdir (directory);
}

static void
test_not_found (void)
{
  const char *unknown[] = { "no-such-program-at-all", NULL };
  const char *folder[] = { "/usr", NULL };
  const char *no_program[] = { "/etc/passwd", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (tb_command_new (unknown, &error));
  g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
  g_assert_nonnull (strstr (error->message, "no-such-program-at-all"));
  g_clear_error (&error);
  g_assert_null (tb_command_new (folder, &error));
  g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES);
  g_clear_error (&error);
  g_assert_null (tb_command_new (no_program, &error));
  g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES);
}

static void
test_exec_fails (void)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("tailback-command-XXXXXX", &path, NULL);
  const char *argv[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbCommand) command = NULL;
  Waited waited = { 0 };

  g_assert_cmpint (write (fd, "\177ELFnonsense", 12), ==, 12);
  close (fd);
  g_chmod (path, 0755);
  command = tb_command_new (argv, &error);
  g_assert_no_error (error);
  g_assert_false (tb_command_release (command, &error));
  g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOEXEC);
  wait_for (command, NULL, &waited);
  g_assert_cmpint (WEXITSTATUS (waited.wait_status), ==, 127);
  g_unlink (path);
}

static void
test_killed_while_held (void)
{
  const char *argv[] = { "/bin/true", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbCommand) command = tb_command_new (argv, &error);
  g_autofree char *description = NULL;
  Waited waited = { 0 };

  g_assert_no_error (error);
  tb_command_send_signal (command, SIGKILL);
  wait_for (command, NULL, &waited);
  description = tb_command_describe_status (waited.wait_status);
  g_assert_cmpstr (description, ==, "killed by signal 9 (Killed)");
  g_assert_false (tb_command_release (command, &error));
  g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED);
}

static void
test_dropped_while_held (void)
{
  const char *argv[] = { "/bin/true", NULL };
  TbCommand *command = tb_command_new (argv, NULL);
  GPid pid = tb_command_get_pid (command);

  g_object_unref (command);
  while (kill (pid, 0) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (errno, ==, ESRCH);
}

static void
test_cancelled (void)
{
  const char *argv[] = { "/bin/true", NULL };
  g_autoptr (TbCommand) command = tb_command_new (argv, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Waited waited = { 0 };

  g_idle_add_once ((GSourceOnceFunc) g_cancellable_cancel, cancellable);
  wait_for (command, cancellable, &waited);
  g_assert_error (waited.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&waited.error);
  g_assert_false (tb_command_has_ended (command, NULL));
}

static void
test_text (void)
{
  const char *argv[] = { "sh", "-c", "a b", "", "it's", NULL };
  g_autoptr (TbCommand) command = tb_command_new (argv, NULL);

  g_assert_cmpstr (tb_command_get_text (command), ==, "sh -c 'a b' '' 'it'\\''s'");
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/command/held-until-released", test_held_until_released);
  g_test_add_func ("/command/not-found", test_not_found);
  g_test_add_func ("/command/exec-fails", test_exec_fails);
  g_test_add_func ("/command/killed-while-held", test_killed_while_held);
  g_test_add_func ("/command/dropped-while-held", test_dropped_while_held);
  g_test_add_func ("/command/cancelled", test_cancelled);
  g_test_add_func ("/command/text", test_text);
  return g_test_run ();
}
