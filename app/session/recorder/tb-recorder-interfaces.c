/* tb-recorder-interfaces.c: network interfaces, stored as a fact of the session: host, index,
 * speed, name, addresses
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/schema/tb-interface.h"
#include "session/recorder/tb-recorder-private.h"
#include "session/file/tb-session-file-private.h"

typedef struct
{
  guint32 host;
  guint32 index;
  char *line; /* format: see tb-session-interfaces.c */
} TbInterfaceRecord;

static void
record_clear (gpointer data)
{
  g_free (((TbInterfaceRecord *) data)->line);
}

static int
compare_records (gconstpointer a, gconstpointer b)
{
  const TbInterfaceRecord *left = a, *right = b;

  if (left->host != right->host)
    return left->host < right->host ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

/* The name comes from a stream or a file and may contain control characters, which would be read as
 * the end of the name. */
static char *
clean_name (const char *name)
{
  char *clean = g_utf8_make_valid (name != NULL && *name != '\0' ? name : "?", -1);

  for (char *at = clean; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = '?';
  return clean;
}

static char *
make_line (const TbInterface *interface, guint32 host)
{
  g_autofree char *name = clean_name (interface->name);
  GString *line = g_string_new (NULL);
  g_autoptr (GString) addresses = g_string_new (NULL);
  guint64 n_omitted = interface->n_omitted;

  for (guint i = 0; interface->addresses != NULL && interface->addresses[i] != NULL; i++)
    if (g_hostname_is_ip_address (interface->addresses[i]))
      g_string_append_printf (addresses, "\t%s", interface->addresses[i]);
    else
      n_omitted++;
  g_string_append_printf (line, "%u\t%u\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%s%s\n",
                          host, interface->index, MIN (interface->speed, (guint64) G_MAXINT64),
                          MIN (n_omitted, (guint64) G_MAXUINT32), name, addresses->str);
  return g_string_free (line, FALSE);
}

/**
 * tb_recorder_add_interface:
 * @self: a recorder
 * @interface: an interface of a host that was added; invalid addresses are counted in @n_omitted
 *
 * Adds a network interface in its state at the start of the recording. If an interface is added
 * again, the last one counts.
 */
void
tb_recorder_add_interface (TbRecorder *self, const TbInterface *interface)
{
  TbInterfaceRecord record;

  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (interface != NULL && interface->index > 0 && interface->index <= G_MAXINT32);

  self->interfaces.changed = TRUE;
  if (self->interfaces.records == NULL)
    {
      self->interfaces.records = g_array_new (FALSE, FALSE, sizeof (TbInterfaceRecord));
      g_array_set_clear_func (self->interfaces.records, record_clear);
    }
  record.host = interface->host < self->n_hosts ? interface->host : 0;
  record.index = interface->index;
  record.line = make_line (interface, record.host);
  g_array_append_val (self->interfaces.records, record);
}

void
tb_recorder_put_interfaces (TbRecorder *self)
{
  g_autoptr (GString) text = NULL;

  if (!self->interfaces.changed || self->n_hosts == 0)
    return;
  self->interfaces.changed = FALSE;
  text = g_string_new (NULL);
  /* The sort is stable. */
  g_array_sort (self->interfaces.records, compare_records);
  for (guint i = 0; i < self->interfaces.records->len; i++)
    {
      const TbInterfaceRecord *record
          = &g_array_index (self->interfaces.records, TbInterfaceRecord, i);

      if (i + 1 == self->interfaces.records->len || compare_records (record, record + 1) != 0)
        g_string_append (text, record->line);
    }
  tb_session_writer_put_fact (self->writer, TB_FACT_INTERFACES, text->str);
}
