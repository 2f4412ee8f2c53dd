/* become.c: launcher that runs a program as another user without any privilege
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: become UID COMMAND…
 */

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  uid_t uid = argc > 2 ? (uid_t) atoi (argv[1]) : 0;

  if (uid == 0)
    return 2;
  if (setgroups (0, NULL) < 0 || setgid (uid) < 0 || setuid (uid) < 0)
    {
      perror ("become");
      return 1;
    }
  execvp (argv[2], argv + 2);
  perror (argv[2]);
  return 127;
}
