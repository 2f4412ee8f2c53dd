/* other-root.h: runs a part of a test in a folder that is the root of its file system
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define OTHER_ROOT_IS_REFUSED 77

/* Calls run() in another process, which sees nothing but the folder. A check that fails ends that
 * process, and fails here. The test is skipped if the system permits no other root. */
static inline void
other_root_run (const char *folder, void (*run) (gpointer), gpointer data)
{
  pid_t child;
  int status;

  fflush (NULL);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      if (chdir (folder) != 0 || (geteuid () != 0 && unshare (CLONE_NEWUSER) != 0)
          || chroot (".") != 0)
        _exit (OTHER_ROOT_IS_REFUSED);
      dup2 (STDERR_FILENO, STDOUT_FILENO); /* the results on the output are of the other process */
      run (data);
      fflush (NULL);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (WIFEXITED (status) && WEXITSTATUS (status) == OTHER_ROOT_IS_REFUSED)
    g_test_skip ("the root of the file system cannot be another one here");
  else
    g_assert_cmpint (status, ==, 0);
}

/* Writes a file, and makes the folders in its path, which is relative to the folder. */
static inline void
other_root_write (const char *folder, const char *path, const char *bytes, gssize length)
{
  g_autofree char *full = g_build_filename (folder, path, NULL);
  g_autofree char *parent = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, bytes, length, NULL));
}
