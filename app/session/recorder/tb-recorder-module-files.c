/* tb-recorder-module-files.c: mapped files of a recording: one module for each distinct file, and
 * device, inode and protection of each as a fact of the session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "session/file/tb-session-file-private.h"
#include "session/recorder/tb-recorder-private.h"

/* Set while a recording runs if the protection of one of the mappings is unknown. */
#define PROTECTION_UNKNOWN (1u << 31)

/**
 * tb_recorder_intern_file:
 * @self: a recorder
 * @path: path in the file system of its process
 * @build_id: (nullable): build ID in hexadecimal digits, %NULL or "" if unknown
 * @file: the mapped file and the protection of this mapping
 * @pid: PID of a process that maps it, -1 if unknown
 *
 * Like tb_recorder_intern_module() with %TB_MODULE_FILE. Two files without a build ID that had the
 * same path one after the other, or in two containers, are two modules.
 *
 * Returns: the id of the module, for events of kind %TB_EVENT_MAPPING
 */
guint32
tb_recorder_intern_file (TbRecorder *self,
                         const char *path,
                         const char *build_id,
                         const TbModuleFile *file,
                         gint32 pid)
{
  TbModuleRecord wanted = { .kind = TB_MODULE_FILE, .pid = -1, .process = TB_ID_NONE };
  TbModuleRecord *record;
  guint32 id;

  g_return_val_if_fail (TB_IS_RECORDER (self) && path != NULL && file != NULL, TB_ID_NONE);

  if (tb_recorder_path_is_anonymous (path))
    return tb_recorder_intern_module (self, TB_MODULE_JIT, path, build_id, pid);
  wanted.path = tb_recorder_intern_path (self, path);
  wanted.build_id = tb_recorder_intern_string (self, build_id, -1);
  wanted.file = *file;
  id = tb_recorder_find_module_record (self, &wanted);
  record = &g_array_index (self->modules.records, TbModuleRecord, id);
  record->file.protection |= file->protection != 0 ? file->protection : PROTECTION_UNKNOWN;
  return id;
}

/**
 * tb_recorder_set_module_func:
 * @self: a recorder
 * @func: (scope notified): called for each module at its first address
 * @data: for @func
 * @destroy: (nullable): frees @data
 *
 * Reports the modules that contain recorded code, each once, as soon as that is known.
 */
void
tb_recorder_set_module_func (TbRecorder *self,
                             TbRecorderModuleFunc func,
                             gpointer data,
                             GDestroyNotify destroy)
{
  g_return_if_fail (TB_IS_RECORDER (self));

  if (self->modules.destroy != NULL)
    self->modules.destroy (self->modules.data);
  self->modules.func = func;
  self->modules.data = data;
  self->modules.destroy = destroy;
}

/* Reports a module with an address, unless it has been. */
void
tb_recorder_report_module (TbRecorder *self, guint32 id)
{
  GByteArray *seen = self->modules.has_address;
  const TbModuleRecord *record;

  if (id >= self->modules.records->len)
    return;
  if (seen->len <= id)
    {
      guint old = seen->len;

      g_byte_array_set_size (seen, self->modules.records->len);
      memset (seen->data + old, 0, seen->len - old);
    }
  if (seen->data[id])
    return;
  seen->data[id] = TRUE;
  record = &g_array_index (self->modules.records, TbModuleRecord, id);
  self->modules.func (record->kind, tb_recorder_peek_string (self, record->path),
                      tb_recorder_peek_string (self, record->build_id), self->modules.data);
}

void
tb_recorder_put_module_files (TbRecorder *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->modules.records->len; i++)
    {
      const TbModuleFile *file = &g_array_index (self->modules.records, TbModuleRecord, i).file;
      guint32 protection = file->protection & PROTECTION_UNKNOWN ? 0 : file->protection;

      if (file->inode != 0 || protection != 0)
        g_string_append_printf (text, "%u\t%u\t%u\t%" G_GUINT64_FORMAT "\t%u\n", i, file->major,
                                file->minor, file->inode, protection);
    }
  if (text->len > 0)
    tb_session_writer_put_fact (self->writer, TB_FACT_MODULE_FILES, text->str);
}
