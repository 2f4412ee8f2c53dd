/* tb-session-interfaces.c: the interfaces of the network that a recording tells of, read and checked at open
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/tb-interface.h"
#include "session/tb-session-private.h"

/* One line each, sorted by host and index, of fields with a tab between them: host, the kernel's number, bits a second (0
 * unknown), how many addresses were left out, name, then the addresses. tb-recorder-interfaces.c writes it. */
enum
{
  FIELD_HOST,
  FIELD_INDEX,
  FIELD_SPEED,
  FIELD_OMITTED,
  FIELD_NAME,
  N_FIELDS, /* the first address */
};

/* What takes many times as much in memory is bounded. */
#define MAX_TEXT (64u << 20)

static gboolean
read_number (const char *text, guint64 least, guint64 most, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, least, most, number, NULL);
}

static gboolean
read_fields (const char *const *fields, guint n_hosts, TbInterface *interface)
{
  guint64 host, index, omitted;

  if (g_strv_length ((char **) fields) < N_FIELDS || n_hosts == 0
      || !read_number (fields[FIELD_HOST], 0, n_hosts - 1, &host)
      || !read_number (fields[FIELD_INDEX], 1, G_MAXINT32, &index)
      || !read_number (fields[FIELD_SPEED], 0, G_MAXINT64, &interface->speed)
      || !read_number (fields[FIELD_OMITTED], 0, G_MAXUINT32, &omitted) || *fields[FIELD_NAME] == '\0')
    return FALSE;
  for (const char *const *address = fields + N_FIELDS; *address != NULL; address++)
    if (!g_hostname_is_ip_address (*address))
      return FALSE;
  interface->host = (guint32) host;
  interface->index = (guint32) index;
  interface->omitted = (guint) omitted;
  interface->name = fields[FIELD_NAME];
  interface->addresses = fields + N_FIELDS;
  return TRUE;
}

static gboolean
read_line (TbSession *self, const char *line)
{
  char **fields = g_strsplit (line, "\t", -1);
  TbInterface interface = { 0 };

  g_ptr_array_add (self->interface_texts, fields);
  if (!read_fields ((const char *const *) fields, self->hosts->len, &interface))
    return FALSE;
  if (self->interfaces->len > 0)
    {
      const TbInterface *before = &g_array_index (self->interfaces, TbInterface, self->interfaces->len - 1);

      if (before->host > interface.host
          || (before->host == interface.host && before->index >= interface.index))
        return FALSE;
    }
  g_array_append_val (self->interfaces, interface);
  return TRUE;
}

gboolean
tb_session_load_interfaces (TbSession *self, GError **error)
{
  const char *text = g_hash_table_lookup (self->facts, TB_FACT_INTERFACES);
  g_auto (GStrv) lines = NULL;
  gboolean ok;

  if (text == NULL)
    return TRUE;
  self->interfaces = g_array_new (FALSE, FALSE, sizeof (TbInterface));
  self->interface_texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  ok = strnlen (text, MAX_TEXT) < MAX_TEXT;
  if (ok)
    lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; ok && lines[i] != NULL; i++)
    ok = *lines[i] == '\0' || read_line (self, lines[i]);
  if (!ok)
    tb_session_set_damaged_error (self, _ ("what it says of the network's interfaces contradicts itself"),
                                  error);
  return ok;
}

/**
 * tb_session_get_interfaces:
 * @self: a session
 * @n_interfaces: (out): how many
 *
 * Gets the interfaces of the network that the recording tells of: those of the network namespaces that were recorded in. Their
 * host is in range.
 *
 * Returns: (array length=n_interfaces) (transfer none) (nullable): the interfaces by host and index, %NULL where the
 *   recording tells nothing of them
 */
const TbInterface *
tb_session_get_interfaces (TbSession *self, guint *n_interfaces)
{
  g_return_val_if_fail (TB_IS_SESSION (self) && n_interfaces != NULL, NULL);

  *n_interfaces = 0;
  if (self->interfaces == NULL)
    return NULL;
  *n_interfaces = self->interfaces->len;
  return (const TbInterface *) (gconstpointer) self->interfaces->data;
}
