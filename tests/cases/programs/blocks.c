/* blocks.c: a reader that processes blocks from the network, with or without read-ahead
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: blocks serve ADDRESS PORT
 *        blocks read ADDRESS PORT BLOCKS STEPS [fixed]
 *
 * The reader requests a block, waits for it and processes it. With "fixed" it requests the next
 * block before it processes one. Reports "work" (blocks) and "wall".
 */

#include "measure.h"
#include "sockets.h"

#define BLOCK_SIZE 65536

static char block[BLOCK_SIZE];

static struct sockaddr_in
make_address (char **argv)
{
  struct sockaddr_in address
      = { .sin_family = AF_INET, .sin_port = htons ((uint16_t) atoi (argv[3])) };

  inet_pton (AF_INET, argv[2], &address.sin_addr);
  return address;
}

static int
serve (const struct sockaddr_in *address)
{
  int listening = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

  setsockopt (listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind (listening, (const struct sockaddr *) address, sizeof *address) < 0
      || listen (listening, 4) < 0)
    return 1;
  for (;;)
    {
      int client = accept (listening, NULL, NULL);
      char byte;

      while (receive_all (client, &byte, 1) && send_all (client, block, sizeof block))
        ;
      close (client);
    }
}

__attribute__ ((noinline)) static void
ask_for_block (int server)
{
  if (!send_all (server, "b", 1))
    exit (1);
}

__attribute__ ((noinline)) static void
await_block (int server)
{
  if (!receive_all (server, block, sizeof block))
    exit (1);
}

static int
read_blocks (const struct sockaddr_in *address, long n_blocks, uint64_t steps, bool is_fixed)
{
  int server = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int64_t begin;

  if (connect (server, (const struct sockaddr *) address, sizeof *address) < 0)
    return 1;
  begin = wall_ns ();
  if (is_fixed)
    ask_for_block (server);
  for (long i = 0; i < n_blocks; i++)
    {
      if (!is_fixed)
        ask_for_block (server);
      await_block (server);
      if (is_fixed && i + 1 < n_blocks)
        ask_for_block (server);
      compute (steps);
    }
  report ("work", n_blocks);
  report ("wall", wall_ns () - begin);
  return 0;
}

int
main (int argc, char **argv)
{
  struct sockaddr_in address;

  if (argc < 4)
    return 2;
  address = make_address (argv);
  if (strcmp (argv[1], "serve") == 0)
    return serve (&address);
  if (argc < 6)
    return 2;
  return read_blocks (&address, atol (argv[4]), strtoull (argv[5], NULL, 10),
                      argc > 6 && strcmp (argv[6], "fixed") == 0);
}
