/* sockets.h: socket functions shared by the programs of the cases
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* An address is a port on this machine, or a path that contains a slash. */
static inline int
make_socket (const char *address, bool listens)
{
  struct sockaddr_un local = { .sun_family = AF_UNIX };
  struct sockaddr_in remote = { .sin_family = AF_INET, .sin_addr = { htonl (INADDR_LOOPBACK) } };
  bool is_path = strchr (address, '/') != NULL;
  struct sockaddr *where = is_path ? (struct sockaddr *) &local : (struct sockaddr *) &remote;
  socklen_t size = is_path ? sizeof local : sizeof remote;
  int fd = socket (is_path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

  strncpy (local.sun_path, address, sizeof local.sun_path - 1);
  remote.sin_port = htons ((uint16_t) atoi (address));
  if (!is_path)
    {
      setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    }
  if (listens ? bind (fd, where, size) < 0 || listen (fd, 16) < 0 : connect (fd, where, size) < 0)
    {
      perror (address);
      exit (1);
    }
  if (listens && is_path)
    chmod (address, 0666);
  return fd;
}

static inline bool
send_all (int fd, const void *data, size_t length)
{
  for (const char *at = data; length > 0;)
    {
      ssize_t sent = send (fd, at, length, MSG_NOSIGNAL);

      if (sent <= 0)
        return false;
      at += sent;
      length -= (size_t) sent;
    }
  return true;
}

static inline bool
receive_all (int fd, void *data, size_t length)
{
  for (char *at = data; length > 0;)
    {
      ssize_t got = recv (fd, at, length, 0);

      if (got <= 0)
        return false;
      at += got;
      length -= (size_t) got;
    }
  return true;
}
