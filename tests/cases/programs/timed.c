/* timed.c: run a command and tell how long it took, from the outside
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: timed COMMAND…
 */

#include <sys/wait.h>

#include "measure.h"

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pid_t pid = argc > 1 ? fork () : -1;
  int status = 1;

  if (pid == 0)
    {
      execvp (argv[1], argv + 1);
      _exit (127);
    }
  if (pid < 0 || waitpid (pid, &status, 0) < 0)
    return 2;
  tell ("wall", wall_ns () - begin);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
