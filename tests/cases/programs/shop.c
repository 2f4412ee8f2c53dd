/* shop.c: a small web application that queries a PostgreSQL server and a ledger
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: shop ADDRESS DATABASE-PORT LEDGER-ADDRESS QUERY
 *
 * Serves one HTTP request per connection, behind a web server. Implements the required minimum of
 * PostgreSQL's protocol (version 3, no password, simple queries).
 */

#include "measure.h"
#include "sockets.h"

/* Reads messages up to "ready for query". Returns whether one of them was an error. */
static bool
await_ready (int database)
{
  struct
  {
    char type;
    uint32_t length;
  } __attribute__ ((packed)) head;
  static char body[65536];
  bool failed = false;

  do
    {
      uint32_t length;

      if (!receive_all (database, &head, sizeof head))
        return false;
      length = ntohl (head.length) - 4;
      if (length > sizeof body || !receive_all (database, body, length))
        return false;
      failed = failed || head.type == 'E';
    }
  while (head.type != 'Z');
  return !failed;
}

static int
open_database (const char *port)
{
  static const char parameters[] = "\0\0\0\0\0\3\0\0user\0postgres\0database\0postgres\0";
  char message[sizeof parameters];
  int database = make_socket (port, false);

  memcpy (message, parameters, sizeof parameters);
  memcpy (message, &(uint32_t) { htonl (sizeof parameters) }, 4);
  if (!send_all (database, message, sizeof message) || !await_ready (database))
    {
      fprintf (stderr, "shop: no database at %s\n", port);
      exit (1);
    }
  return database;
}

__attribute__ ((noinline)) static bool
ask_database (int database, const char *query)
{
  char message[1024] = "Q";
  size_t length = strlen (query) + 1;

  if (length > sizeof message - 5)
    return false;
  memcpy (message + 1, &(uint32_t) { htonl ((uint32_t) length + 4) }, 4);
  memcpy (message + 5, query, length);
  return send_all (database, message, 5 + length) && await_ready (database);
}

__attribute__ ((noinline)) static bool
ask_ledger (int ledger)
{
  char byte = 'b';

  return send_all (ledger, &byte, 1) && receive_all (ledger, &byte, 1);
}

__attribute__ ((noinline)) static bool
serve (int client, int database, const char *query, int ledger)
{
  static const char page[]
      = "HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n";
  int64_t begin = wall_ns (), ledger_begin;
  char request[8192];
  bool done;

  if (recv (client, request, sizeof request, 0) <= 0)
    return false;
  done = ask_database (database, query);
  ledger_begin = wall_ns ();
  done = done && ask_ledger (ledger);
  report ("shop-database", ledger_begin - begin);
  report ("shop-ledger", wall_ns () - ledger_begin);
  return done && send_all (client, page, sizeof page - 1);
}

int
main (int argc, char **argv)
{
  int listening, database, ledger;

  if (argc != 5)
    return 2;
  ledger = make_socket (argv[3], false);
  database = open_database (argv[2]);
  listening = make_socket (argv[1], true);
  for (;;)
    {
      int client = accept (listening, NULL, NULL);

      if (client < 0 || !serve (client, database, argv[4], ledger))
        fprintf (stderr, "shop: a request failed\n");
      close (client);
    }
}
