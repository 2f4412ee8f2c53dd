/* tb-wait-network-links.c: network links (interfaces) that messages between two addresses take,
 * their speed, and the bytes that they carried
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-network-links.h"

#include <string.h>

#include "session/schema/tb-interface.h"

typedef struct
{
  double sent;
  double received;
} Traffic;

/* The owner of an address. */
typedef enum
{
  OWNER_UNKNOWN, /* no known interface */
  OWNER_SEVERAL,
  OWNER_FIRST, /* the first interface, and so on */
} Owner;

struct _TbWaitNetworkLinks
{
  TbSession *session;
  const TbInterface *interfaces;
  guint n_interfaces;
  Traffic *traffic;             /* by interface */
  GHashTable *owner_of_address; /* text → Owner */
  GHashTable *owner_of_string;  /* string of the session → Owner + 1 */
};

/* The canonical form of an address; NULL: it is not an address. */
static char *
normalize (const char *address)
{
  g_autoptr (GInetAddress) parsed = g_inet_address_new_from_string (address);

  return parsed != NULL ? g_inet_address_to_string (parsed) : NULL;
}

static void
add_address (TbWaitNetworkLinks *self, const char *address, guint interface)
{
  char *key = normalize (address);
  guint owner = OWNER_FIRST + interface;

  if (key == NULL)
    return;
  if (g_hash_table_contains (self->owner_of_address, key))
    owner = OWNER_SEVERAL;
  g_hash_table_insert (self->owner_of_address, key, GUINT_TO_POINTER (owner));
}

TbWaitNetworkLinks *
tb_wait_network_links_new (TbSession *session)
{
  guint n;
  const TbInterface *interfaces = tb_session_get_interfaces (session, &n);
  gboolean is_known = FALSE;
  TbWaitNetworkLinks *self;

  for (guint i = 0; i < n; i++)
    is_known |= interfaces[i].speed > 0;
  if (!is_known)
    return NULL;
  self = g_new0 (TbWaitNetworkLinks, 1);
  self->session = g_object_ref (session);
  self->interfaces = interfaces;
  self->n_interfaces = n;
  self->traffic = g_new0 (Traffic, n);
  self->owner_of_address = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->owner_of_string = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n; i++)
    for (const char *const *address = interfaces[i].addresses; *address != NULL; address++)
      add_address (self, *address, i);
  return self;
}

void
tb_wait_network_links_free (TbWaitNetworkLinks *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->owner_of_address);
  g_hash_table_unref (self->owner_of_string);
  g_free (self->traffic);
  g_object_unref (self->session);
  g_free (self);
}

/* text: "192.0.2.1:80" or "[2001:db8::1]:80". */
static guint
find_owner (TbWaitNetworkLinks *self, const char *text)
{
  const char *end = strrchr (text, ':');
  g_autofree char *address = NULL;
  g_autofree char *key = NULL;

  if (end == NULL)
    return OWNER_UNKNOWN;
  if (*text == '[' && end > text + 1 && end[-1] == ']')
    address = g_strndup (text + 1, (gsize) (end - text) - 2);
  else
    address = g_strndup (text, (gsize) (end - text));
  key = normalize (address);
  return key != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->owner_of_address, key))
                     : OWNER_UNKNOWN;
}

static guint
get_owner (TbWaitNetworkLinks *self, guint32 string)
{
  guint known
      = GPOINTER_TO_UINT (g_hash_table_lookup (self->owner_of_string, GUINT_TO_POINTER (string)));

  if (known == 0)
    {
      known = find_owner (self, tb_session_get_string (self->session, string)) + 1;
      g_hash_table_insert (self->owner_of_string, GUINT_TO_POINTER (string),
                           GUINT_TO_POINTER (known));
    }
  return known - 1;
}

guint32
tb_wait_network_links_find (TbWaitNetworkLinks *self, guint32 local, guint32 remote)
{
  guint here = get_owner (self, local), there = get_owner (self, remote);

  if (here < OWNER_FIRST || there == OWNER_SEVERAL)
    return TB_ID_NONE;
  /* Messages to the machine's own address take no link, whichever interface has the address. */
  if (there >= OWNER_FIRST
      && self->interfaces[there - OWNER_FIRST].host == self->interfaces[here - OWNER_FIRST].host)
    return TB_ID_NONE;
  return here - OWNER_FIRST;
}

void
tb_wait_network_links_add_message (TbWaitNetworkLinks *self,
                                   guint32 interface,
                                   guint8 kind,
                                   guint64 bytes)
{
  Traffic *traffic;

  g_return_if_fail (interface < self->n_interfaces);

  traffic = &self->traffic[interface];
  if (kind == TB_NETWORK_SEND)
    traffic->sent += (double) bytes;
  else if (kind == TB_NETWORK_RECEIVE)
    traffic->received += (double) bytes;
}

const char *
tb_wait_network_links_get_name (const TbWaitNetworkLinks *self, guint32 interface)
{
  return self->interfaces[interface].name;
}

double
tb_wait_network_links_get_speed (const TbWaitNetworkLinks *self, guint32 interface)
{
  return (double) self->interfaces[interface].speed / 8;
}

double
tb_wait_network_links_get_bytes (const TbWaitNetworkLinks *self, guint32 interface)
{
  return MAX (self->traffic[interface].sent, self->traffic[interface].received);
}
