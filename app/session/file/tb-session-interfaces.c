/* tb-session-interfaces.c: network interfaces of a session, parsed from its fact "interfaces" and
 * checked when it is opened
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/schema/tb-interface.h"
#include "session/file/tb-session-private.h"

/* The text has one line per interface, sorted by host and index. The fields are separated by tabs:
 * host, the kernel's interface index, link speed in bits per second (0 unknown), number of omitted
 * addresses, name, then the addresses. Written by tb-recorder-interfaces.c. */
enum
{
  FIELD_HOST,
  FIELD_INDEX,
  FIELD_SPEED,
  FIELD_OMITTED,
  FIELD_NAME,
  N_FIELDS, /* the first address */
};

/* The parsed data take many times as much memory as the text, so the text is limited. */
#define MAX_TEXT (64u << 20)

static gboolean
read_number (const char *text, guint64 least, guint64 most, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, least, most, number, NULL);
}

static gboolean
read_fields (const char *const *fields, guint n_hosts, TbInterface *interface)
{
  guint64 host, index, n_omitted;

  if (g_strv_length ((char **) fields) < N_FIELDS || n_hosts == 0
      || !read_number (fields[FIELD_HOST], 0, n_hosts - 1, &host)
      || !read_number (fields[FIELD_INDEX], 1, G_MAXINT32, &index)
      || !read_number (fields[FIELD_SPEED], 0, G_MAXINT64, &interface->speed)
      || !read_number (fields[FIELD_OMITTED], 0, G_MAXUINT32, &n_omitted)
      || *fields[FIELD_NAME] == '\0')
    return FALSE;
  for (const char *const *address = fields + N_FIELDS; *address != NULL; address++)
    if (!g_hostname_is_ip_address (*address))
      return FALSE;
  interface->host = (guint32) host;
  interface->index = (guint32) index;
  interface->n_omitted = (guint) n_omitted;
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
      const TbInterface *before
          = &g_array_index (self->interfaces, TbInterface, self->interfaces->len - 1);

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
    tb_session_set_damaged_error (self, _ ("its list of network interfaces is inconsistent"),
                                  error);
  return ok;
}

/**
 * tb_session_get_interfaces:
 * @self: a session
 * @n_interfaces: (out): number of interfaces
 *
 * Gets the recorded network interfaces: those of the network namespaces in which the recording ran.
 * Their host is in range.
 *
 * Returns: (array length=n_interfaces) (transfer none) (nullable): the interfaces sorted by host
 * and index, %NULL if none were recorded
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
