/* tb-agent-interfaces.c: network interfaces with their link speeds and addresses, read from the
 * kernel and sent as INTERFACE records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/core/tb-agent-interfaces.h"

#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "agent/core/tb-agent-private.h"

typedef struct
{
  char name[IF_NAMESIZE];
  unsigned index;
} Link;

typedef struct
{
  unsigned index;
  uint8_t bytes[TB_CAPTURE_ADDRESS_SIZE];
} Address;

typedef struct
{
  Link *links;
  size_t n_links;
  Address *addresses;
  size_t n_addresses;
} Interfaces;

static int
read_number (const char *folder, const char *name, const char *file, long long *number)
{
  char path[PATH_MAX], text[32] = "", *end;
  FILE *from;
  int got;

  if ((size_t) snprintf (path, sizeof path, "%s/%s/%s", folder, name, file) >= sizeof path)
    return 0;
  from = fopen (path, "re");
  if (from == NULL)
    return 0;
  got = fgets (text, sizeof text, from) != NULL;
  fclose (from);
  errno = 0;
  *number = strtoll (text, &end, 10);
  return got && errno == 0 && end != text && (*end == '\0' || *end == '\n');
}

uint64_t
tb_agent_interfaces_read_speed (const char *folder, const char *name, unsigned index)
{
  long long number, megabits;

  if (!read_number (folder, name, "ifindex", &number) || number != (long long) index)
    return 0;
  /* -1 means unknown; older kernels write it as 4294967295. Virtual interfaces return an error. */
  if (!read_number (folder, name, "speed", &megabits) || megabits <= 0 || megabits > INT32_MAX)
    return 0;
  return (uint64_t) megabits * 1000000;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (((const Link *) a)->name, ((const Link *) b)->name);
}

static int
compare_indices (const void *a, const void *b)
{
  unsigned left = ((const Link *) a)->index, right = ((const Link *) b)->index;

  return left < right ? -1 : left > right;
}

static int
compare_addresses (const void *a, const void *b)
{
  const Address *left = a, *right = b;

  if (left->index != right->index)
    return left->index < right->index ? -1 : 1;
  return memcmp (left->bytes, right->bytes, sizeof left->bytes);
}

static void
add_link (Interfaces *self, const struct ifaddrs *from)
{
  const struct sockaddr_ll *address = (const struct sockaddr_ll *) (const void *) from->ifa_addr;
  Link *link = &self->links[self->n_links];

  if (address->sll_ifindex <= 0)
    return;
  snprintf (link->name, sizeof link->name, "%s", from->ifa_name);
  link->index = (unsigned) address->sll_ifindex;
  self->n_links++;
}

/* The name may be an address label such as "eth0:1" instead of the interface's name. */
static void
add_address (Interfaces *self, const struct ifaddrs *from)
{
  Address *address = &self->addresses[self->n_addresses];
  const Link *link;
  Link key = { 0 };

  snprintf (key.name, sizeof key.name, "%s", from->ifa_name);
  key.name[strcspn (key.name, ":")] = '\0';
  link = bsearch (&key, self->links, self->n_links, sizeof key, compare_names);
  if (link == NULL)
    return;
  address->index = link->index;
  if (from->ifa_addr->sa_family == AF_INET6)
    memcpy (address->bytes,
            &((const struct sockaddr_in6 *) (const void *) from->ifa_addr)->sin6_addr,
            sizeof address->bytes);
  else
    {
      memset (address->bytes, 0, 10);
      memset (address->bytes + 10, 0xff, 2);
      memcpy (address->bytes + 12,
              &((const struct sockaddr_in *) (const void *) from->ifa_addr)->sin_addr, 4);
    }
  self->n_addresses++;
}

/* getifaddrs() queries the kernel for the network namespace of the agent. */
static int
list (Interfaces *self)
{
  struct ifaddrs *all, *one;
  size_t n = 0;

  if (getifaddrs (&all) != 0)
    return -1;
  for (one = all; one != NULL; one = one->ifa_next)
    n++;
  self->links = tb_agent_allocate (NULL, (n + 1) * sizeof *self->links);
  self->addresses = tb_agent_allocate (NULL, (n + 1) * sizeof *self->addresses);
  for (one = all; one != NULL; one = one->ifa_next)
    if (one->ifa_addr != NULL && one->ifa_addr->sa_family == AF_PACKET)
      add_link (self, one);
  qsort (self->links, self->n_links, sizeof *self->links, compare_names);
  for (one = all; one != NULL; one = one->ifa_next)
    if (one->ifa_addr != NULL
        && (one->ifa_addr->sa_family == AF_INET || one->ifa_addr->sa_family == AF_INET6))
      add_address (self, one);
  freeifaddrs (all);
  qsort (self->links, self->n_links, sizeof *self->links, compare_indices);
  qsort (self->addresses, self->n_addresses, sizeof *self->addresses, compare_addresses);
  return 0;
}

/* The link's addresses begin at first. Returns the index behind them. */
static size_t
put_interface (TbAgentOutput *output, const Interfaces *self, const Link *link, size_t first)
{
  uint8_t tail[TB_CAPTURE_MAX_ADDRESSES * TB_CAPTURE_ADDRESS_SIZE];
  TbCaptureRecord record
      = { .type = TB_CAPTURE_INTERFACE, .cpu = TB_CAPTURE_CPU_NONE, .tail = tail };

  record.interface.name = tb_agent_output_intern_string (output, link->name, strlen (link->name));
  record.interface.index = link->index;
  record.interface.speed
      = tb_agent_interfaces_read_speed ("/sys/class/net", link->name, link->index);
  for (; first < self->n_addresses && self->addresses[first].index == link->index; first++)
    if (record.tail_length + TB_CAPTURE_ADDRESS_SIZE > sizeof tail)
      record.interface.n_omitted++;
    else
      {
        memcpy (tail + record.tail_length, self->addresses[first].bytes, TB_CAPTURE_ADDRESS_SIZE);
        record.tail_length += TB_CAPTURE_ADDRESS_SIZE;
      }
  if (record.interface.name != 0)
    tb_agent_output_put (output, &record);
  return first;
}

void
tb_agent_interfaces_put (TbAgentOutput *output)
{
  Interfaces self = { 0 };
  size_t next = 0;

  if (list (&self) != 0)
    {
      tb_agent_output_put_status (output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_NETWORK,
                                  TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_INTERFACES_NOT_LISTED,
                                                      errno));
      return;
    }
  for (size_t i = 0; i < self.n_links && i < TB_CAPTURE_MAX_INTERFACES; i++)
    /* An interface that changes during the listing may occur twice. */
    if (i == 0 || self.links[i].index != self.links[i - 1].index)
      next = put_interface (output, &self, &self.links[i], next);
  if (self.n_links > TB_CAPTURE_MAX_INTERFACES)
    tb_agent_output_put_status (output, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_NETWORK,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_TOO_MANY_INTERFACES, 0,
                                                    TB_CAPTURE_NUMBER (TB_CAPTURE_MAX_INTERFACES),
                                                    TB_CAPTURE_NUMBER (self.n_links)));
  free (self.links);
  free (self.addresses);
}
