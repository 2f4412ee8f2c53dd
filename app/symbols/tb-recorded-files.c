/* tb-recorded-files.c: data that a session recorded about mapped files without a build ID (device
 * and inode, page size, mapped ranges, host, end of the recording), collected so that
 * tb-mapped-file can recognize them on this machine
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>
#include <sys/utsname.h>

#include "symbols/tb-recorded-files-private.h"

struct _TbRecordedFiles
{
  TbSession *session;
  GArray **ranges; /* TbFileRange by module, NULL: not needed or none */
  guint n_modules;
  guint64 page_size;
  gboolean is_own_host;
  gint64 end;
};

static gint64
get_number (TbSession *session, const char *fact)
{
  const char *text = tb_session_get_fact (session, fact);
  gint64 number = 0;

  return text != NULL && g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &number, NULL) ? number
                                                                                           : 0;
}

gboolean
tb_recorded_files_is_own_host (TbSession *session)
{
  guint n_hosts;
  const TbHost *hosts = tb_session_get_hosts (session, &n_hosts);
  g_autofree char *boot_id = NULL;
  const char *recorded = tb_session_get_fact (session, "boot-id");
  struct utsname own;

  if (n_hosts != 1)
    return FALSE;
  if (recorded != NULL && *recorded != '\0'
      && g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot_id, NULL, NULL)
      && strcmp (g_strstrip (boot_id), recorded) == 0)
    return TRUE;
  return uname (&own) == 0 && hosts[0].name[0] != '\0' && strcmp (hosts[0].name, own.nodename) == 0
         && strcmp (hosts[0].kernel, own.release) == 0
         && strcmp (hosts[0].machine, own.machine) == 0;
}

gint64
tb_recorded_files_get_end (TbSession *session)
{
  gint64 clock = get_number (session, "clock-realtime-ns");
  gint64 written = get_number (session, "written-realtime-ns");
  gint64 from, to, end;

  tb_session_get_range (session, &from, &to);
  if (clock == 0 || to <= 0 || __builtin_add_overflow (clock, to, &end))
    return written;
  return written > 0 ? MIN (written, end) : end;
}

/* Collects the ranges of the files that have no build ID. */
static void
load_ranges (TbRecordedFiles *self)
{
  guint n_mappings;
  const TbModule *modules = tb_session_get_modules (self->session, &self->n_modules);
  const TbMapping *mappings = tb_session_get_mappings (self->session, &n_mappings);

  self->ranges = g_new0 (GArray *, self->n_modules + 1);
  for (guint i = 0; i < n_mappings; i++)
    {
      const TbMapping *mapping = &mappings[i];
      TbFileRange range = { mapping->offset, mapping->offset + mapping->length };
      GArray **ranges;

      if (mapping->module >= self->n_modules || modules[mapping->module].kind != TB_MODULE_FILE
          || modules[mapping->module].build_id[0] != '\0' || range.end <= range.start)
        continue;
      ranges = &self->ranges[mapping->module];
      if (*ranges == NULL)
        *ranges = g_array_new (FALSE, FALSE, sizeof (TbFileRange));
      g_array_append_val (*ranges, range);
    }
  for (guint i = 0; i < self->n_modules; i++)
    if (self->ranges[i] != NULL)
      tb_file_ranges_join (self->ranges[i]);
}

/* Returns 0 if the machine can have pages of several sizes, or is unknown. */
static guint64
find_page_size (TbSession *session)
{
  guint n_hosts;
  const TbHost *hosts = tb_session_get_hosts (session, &n_hosts);

  return n_hosts == 1
                 && (g_str_equal (hosts[0].machine, "x86_64")
                     || g_str_has_suffix (hosts[0].machine, "86"))
             ? 4096
             : 0;
}

TbRecordedFiles *
tb_recorded_files_new (TbSession *session)
{
  TbRecordedFiles *self = g_new0 (TbRecordedFiles, 1);

  self->session = g_object_ref (session);
  self->page_size = find_page_size (session);
  self->is_own_host = tb_recorded_files_is_own_host (session);
  self->end = tb_recorded_files_get_end (session);
  load_ranges (self);
  return self;
}

void
tb_recorded_files_free (TbRecordedFiles *self)
{
  for (guint i = 0; i < self->n_modules; i++)
    g_clear_pointer (&self->ranges[i], g_array_unref);
  g_free (self->ranges);
  g_object_unref (self->session);
  g_free (self);
}

TbMappedFile
tb_recorded_files_get (TbRecordedFiles *self, guint32 module)
{
  const TbModuleFile *file = tb_session_get_module_file (self->session, module);
  const GArray *ranges = module < self->n_modules ? self->ranges[module] : NULL;
  TbMappedFile mapped = {
    .page_size = self->page_size,
    .is_own_host = self->is_own_host,
    .recorded_until = self->end,
  };

  if (file != NULL)
    mapped.file = *file;
  if (ranges != NULL)
    {
      mapped.ranges = (const TbFileRange *) (gconstpointer) ranges->data;
      mapped.n_ranges = ranges->len;
    }
  return mapped;
}
