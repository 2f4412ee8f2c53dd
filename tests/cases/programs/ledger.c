/* ledger.c: the last server of a chain: computes, then writes and syncs a file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: ledger ADDRESS FILE STEPS
 *
 * Answers each byte of its only client with a byte. Nearly all of the chain's time is spent here,
 * though neither the name nor the command line shows it.
 */

#include "measure.h"
#include "sockets.h"

__attribute__ ((noinline)) static bool
book_entry (int file, uint64_t value)
{
  char entry[64];
  int length = snprintf (entry, sizeof entry, "%016llx\n", (unsigned long long) value);

  return write (file, entry, (size_t) length) == length;
}

__attribute__ ((noinline)) static bool
sync_entries (int file)
{
  return fsync (file) == 0;
}

__attribute__ ((noinline)) static bool
answer (int client, int file, uint64_t steps)
{
  int64_t begin, begin_cpu, synced;
  bool done;
  char byte;

  if (!receive_all (client, &byte, 1))
    return false;
  begin = wall_ns ();
  begin_cpu = cpu_ns ();
  done = book_entry (file, compute (steps));
  synced = wall_ns ();
  done = done && sync_entries (file);
  report ("ledger-sync", wall_ns () - synced);
  report ("ledger-cpu", cpu_ns () - begin_cpu);
  report ("ledger-service", wall_ns () - begin);
  return done && send_all (client, &byte, 1);
}

int
main (int argc, char **argv)
{
  int listening, file;

  if (argc != 4)
    return 2;
  listening = make_socket (argv[1], true);
  file = open (argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0)
    return 1;
  for (;;)
    {
      int client = accept (listening, NULL, NULL);

      while (client >= 0 && answer (client, file, strtoull (argv[3], NULL, 10)))
        ;
      close (client);
    }
}
