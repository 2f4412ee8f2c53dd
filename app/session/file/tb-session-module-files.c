/* tb-session-module-files.c: files that the modules of a session were mapped from: device, inode
 * and protection, parsed from its fact "module-files" when it is opened
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "session/file/tb-session-private.h"
#include "session/schema/tb-module-file.h"

/* The fact "module-files" has a line of decimal numbers for each module of which the file is known,
 * sorted by module and separated by tabs. Written by tb-recorder-module-files.c. */
enum
{
  FIELD_MODULE,
  FIELD_MAJOR,
  FIELD_MINOR,
  FIELD_INODE,
  FIELD_PROTECTION,
  N_FIELDS,
};

typedef struct
{
  guint32 module;
  TbModuleFile file;
} Entry;

/* Parses the decimal number at the start of the text, which ends with the character end. */
static gboolean
read_number (const char **at, char end, guint64 *number)
{
  char *after;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  *number = g_ascii_strtoull (*at, &after, 10);
  if (*after != end)
    return FALSE;
  *at = after + 1;
  return TRUE;
}

static gboolean
read_line (TbSession *self, const char **at)
{
  GArray *entries = self->module_files;
  guint64 fields[N_FIELDS];
  Entry entry;

  for (guint i = 0; i < N_FIELDS; i++)
    if (!read_number (at, i + 1 < N_FIELDS ? '\t' : '\n', &fields[i])
        || (i != FIELD_INODE && fields[i] > G_MAXUINT32))
      return FALSE;
  if (fields[FIELD_MODULE] >= self->modules->len
      || (entries->len > 0
          && g_array_index (entries, Entry, entries->len - 1).module >= fields[FIELD_MODULE]))
    return FALSE;
  entry.module = (guint32) fields[FIELD_MODULE];
  entry.file = (TbModuleFile) {
    .major = (guint32) fields[FIELD_MAJOR],
    .minor = (guint32) fields[FIELD_MINOR],
    .inode = fields[FIELD_INODE],
    .protection = (guint32) fields[FIELD_PROTECTION],
  };
  g_array_append_val (entries, entry);
  return TRUE;
}

gboolean
tb_session_load_module_files (TbSession *self, GError **error)
{
  const char *at = g_hash_table_lookup (self->facts, TB_FACT_MODULE_FILES);

  if (at == NULL)
    return TRUE;
  self->module_files = g_array_new (FALSE, FALSE, sizeof (Entry));
  while (*at != '\0')
    if (!read_line (self, &at))
      {
        tb_session_set_damaged_error (self, _ ("its list of mapped files is inconsistent"), error);
        return FALSE;
      }
  return TRUE;
}

/**
 * tb_session_get_module_file:
 * @self: a session
 * @module: id of a module
 *
 * Gets the file that was mapped as the module.
 *
 * Returns: (transfer none) (nullable): the file, %NULL if nothing is known about it
 */
const TbModuleFile *
tb_session_get_module_file (TbSession *self, guint32 module)
{
  guint low = 0, high;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);

  high = self->module_files != NULL ? self->module_files->len : 0;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Entry *entry = &g_array_index (self->module_files, Entry, middle);

      if (entry->module == module)
        return &entry->file;
      if (entry->module < module)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}
