/* pass.c: the paper's toy program: two processes that pass work back and forth over pipes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: pass ROUNDS STEPS-OF-PING STEPS-OF-PONG
 */

#include <sys/prctl.h>
#include <sys/wait.h>

#include "measure.h"

__attribute__ ((noinline)) static int
hand_over (int to)
{
  char byte = 0;

  return write (to, &byte, 1) == 1;
}

__attribute__ ((noinline)) static int
await_turn (int from)
{
  char byte;

  return read (from, &byte, 1) == 1;
}

__attribute__ ((noinline)) static void
play_ping (int from, int to, long rounds, uint64_t steps)
{
  while (rounds-- > 0)
    {
      compute (steps);
      if (!hand_over (to) || !await_turn (from))
        _exit (1);
    }
}

__attribute__ ((noinline)) static void
play_pong (int from, int to, long rounds, uint64_t steps)
{
  while (rounds-- > 0)
    {
      if (!await_turn (from))
        _exit (1);
      compute (steps);
      if (!hand_over (to))
        _exit (1);
    }
}

static pid_t
start (const char *name,
       void (*play) (int, int, long, uint64_t),
       int from,
       int to,
       long rounds,
       uint64_t steps)
{
  pid_t pid = fork ();

  if (pid != 0)
    return pid;
  char measure[32];
  int64_t begin = wall_ns ();

  prctl (PR_SET_NAME, name);
  play (from, to, rounds, steps);
  snprintf (measure, sizeof measure, "%s-cpu", name);
  report (measure, cpu_ns ());
  snprintf (measure, sizeof measure, "%s-wall", name);
  report (measure, wall_ns () - begin);
  _exit (0);
}

int
main (int argc, char **argv)
{
  int there[2], back[2];
  long rounds;

  if (argc != 4 || pipe2 (there, O_CLOEXEC) < 0 || pipe2 (back, O_CLOEXEC) < 0)
    return 2;
  rounds = atol (argv[1]);
  start ("pong", play_pong, there[0], back[1], rounds, strtoull (argv[3], NULL, 10));
  start ("ping", play_ping, back[0], there[1], rounds, strtoull (argv[2], NULL, 10));
  for (int i = 0; i < 2; i++)
    {
      int status = 1;

      if (wait (&status) < 0 || status != 0)
        return 1;
    }
  return 0;
}
