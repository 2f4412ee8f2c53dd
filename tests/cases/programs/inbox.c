/* inbox.c: a small web application that queries an IMAP server and a ledger
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: inbox ADDRESS IMAP-PORT LEDGER-ADDRESS USER PASSWORD WORD
 *
 * Serves one HTTP request per connection, behind a web server: logs in, searches all messages for a
 * word, logs out. Implements the required minimum of IMAP4rev1 (RFC 3501, no literals).
 */

#include "measure.h"
#include "sockets.h"

/* Reads up to the line that answers the command with that tag. Returns whether it is OK. */
static bool
await_tag (FILE *server, const char *tag)
{
  char line[8192];
  size_t length = strlen (tag);

  while (fgets (line, sizeof line, server))
    if (strncmp (line, tag, length) == 0)
      return strncmp (line + length, " OK", 3) == 0;
  return false;
}

static bool
ask (FILE *server, const char *tag, const char *command)
{
  char line[1024];
  int length = snprintf (line, sizeof line, "%s %s\r\n", tag, command);

  return length < (int) sizeof line && send_all (fileno (server), line, (size_t) length)
         && await_tag (server, tag);
}

__attribute__ ((noinline)) static bool
search_mailbox (const char *port, char **credentials)
{
  int fd = make_socket (port, false);
  FILE *server = fdopen (fd, "r");
  char login[256], search[256];
  bool done;

  if (!server)
    return false;
  snprintf (login, sizeof login, "LOGIN %s %s", credentials[0], credentials[1]);
  snprintf (search, sizeof search, "SEARCH BODY \"%s\"", credentials[2]);
  done = await_tag (server, "*") && ask (server, "a", login) && ask (server, "b", "EXAMINE INBOX")
         && ask (server, "c", search) && ask (server, "d", "LOGOUT");
  fclose (server);
  return done;
}

__attribute__ ((noinline)) static bool
ask_ledger (int ledger)
{
  char byte = 'b';

  return send_all (ledger, &byte, 1) && receive_all (ledger, &byte, 1);
}

__attribute__ ((noinline)) static bool
serve (int client, int ledger, char **argv)
{
  static const char page[]
      = "HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n";
  int64_t begin = wall_ns (), ledger_begin;
  char request[8192];
  bool done;

  if (recv (client, request, sizeof request, 0) <= 0)
    return false;
  done = search_mailbox (argv[2], argv + 4);
  ledger_begin = wall_ns ();
  done = done && ask_ledger (ledger);
  report ("inbox-imap", ledger_begin - begin);
  report ("inbox-ledger", wall_ns () - ledger_begin);
  return done && send_all (client, page, sizeof page - 1);
}

int
main (int argc, char **argv)
{
  int listening, ledger;

  if (argc != 7)
    return 2;
  ledger = make_socket (argv[3], false);
  listening = make_socket (argv[1], true);
  for (;;)
    {
      int client = accept (listening, NULL, NULL);

      if (client < 0 || !serve (client, ledger, argv))
        fprintf (stderr, "inbox: a request failed\n");
      close (client);
    }
}
