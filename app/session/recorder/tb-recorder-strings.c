/* tb-recorder-strings.c: strings, modules and devices of a recording: each is stored once under an
 * id, and passed to the session writer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

#include <string.h>

/* Limit of the distinct text in a recording. Without it, a source with ever new texts (a mark with
 * a counter in its name) would fill the memory. */
#define STRINGS_MAX_BYTES ((gsize) 256 << 20)
#define STRINGS_MAX_LENGTH ((gsize) 1 << 20)

void
tb_recorder_init_strings (TbRecorder *self)
{
  gsize zero = 0;

  self->strings.offsets = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->modules.records = g_array_new (FALSE, FALSE, sizeof (TbModuleRecord));
  self->devices.records = g_array_new (FALSE, FALSE, sizeof (TbDeviceRecord));
  g_array_append_val (self->strings.offsets, zero);
  tb_recorder_intern_string (self, "", 0);
}

const char *
tb_recorder_peek_string (TbRecorder *self, guint32 id)
{
  if (id + 1 >= self->strings.offsets->len)
    return "";
  return self->strings.text + g_array_index (self->strings.offsets, gsize, id);
}

/* Ids come from plug-ins; an invalid id must not reach the file. */
guint32
tb_recorder_check_string (TbRecorder *self, guint32 id)
{
  if (G_LIKELY (id < self->strings.offsets->len - 1))
    return id;
  tb_recorder_count_mismatch (self, TB_MISMATCH_REFERENCE);
  return TB_STRING_NONE;
}

guint32
tb_recorder_check_device (TbRecorder *self, guint32 id)
{
  if (G_LIKELY (id < self->devices.records->len || id == TB_ID_NONE))
    return id;
  tb_recorder_count_mismatch (self, TB_MISMATCH_REFERENCE);
  return TB_ID_NONE;
}

static guint32
add_string (TbRecorder *self, const char *text, gsize length, guint32 hash)
{
  guint32 id = self->strings.offsets->len - 1;
  gsize end;

  while (self->strings.length + length + 1 > self->strings.capacity)
    {
      self->strings.capacity = MAX (self->strings.capacity * 2, 4096);
      self->strings.text = g_realloc (self->strings.text, self->strings.capacity);
    }
  memcpy (self->strings.text + self->strings.length, text, length);
  self->strings.text[self->strings.length + length] = '\0';
  end = self->strings.length + length + 1;
  tb_slots_insert (&self->strings.by_text, hash, id);
  tb_session_writer_put_string (self->writer, id, self->strings.text + self->strings.length);
  self->strings.length = end;
  g_array_append_val (self->strings.offsets, end);
  return id;
}

static guint32
intern_bytes (TbRecorder *self, const char *text, gsize length)
{
  guint32 hash = (guint32) tb_hash_bytes (text, length);
  TbSlotCursor cursor = tb_slots_find (&self->strings.by_text, hash);
  guint32 id;

  while (tb_slot_cursor_next (&cursor, &id))
    {
      gsize offset = g_array_index (self->strings.offsets, gsize, id);

      if (g_array_index (self->strings.offsets, gsize, id + 1) - offset == length + 1
          && memcmp (self->strings.text + offset, text, length) == 0)
        return id;
    }
  if (self->strings.length + length + 1 > STRINGS_MAX_BYTES)
    {
      self->strings.n_dropped++;
      return TB_STRING_NONE;
    }
  return add_string (self, text, length, hash);
}

/**
 * tb_recorder_intern_string:
 * @self: a recorder
 * @text: (nullable): text; invalid UTF-8 is replaced, and the text ends at a NUL
 * @length: length in bytes, -1 if it ends at the NUL
 *
 * Gets the id of a text, and adds the text at the first call.
 *
 * Returns: the id of the text in the session, %TB_STRING_NONE for the empty one
 */
guint32
tb_recorder_intern_string (TbRecorder *self, const char *text, gssize length)
{
  g_autofree char *valid = NULL;
  const char *nul;

  g_return_val_if_fail (TB_IS_RECORDER (self), TB_STRING_NONE);

  if (text == NULL)
    text = "", length = 0;
  if (length < 0)
    length = strlen (text);
  else if ((nul = memchr (text, '\0', length)) != NULL)
    length = nul - text;
  if ((gsize) length > STRINGS_MAX_LENGTH)
    length = STRINGS_MAX_LENGTH;
  if (G_UNLIKELY (!g_utf8_validate_len (text, length, NULL)))
    {
      valid = g_utf8_make_valid (text, length);
      text = valid;
      length = strlen (valid);
    }
  return intern_bytes (self, text, length);
}

static const char *const anonymous_prefixes[] = {
  "//anon", "/anon_hugepage", "/dev/zero", "/memfd:",     "/SYSV",
  "[anon",  "[heap]",         "[stack",    "anon_inode:",
};

/* Executable memory without a file is JIT code, whatever name the kernel gives it. The agent has
 * the same list of names. */
gboolean
tb_recorder_path_is_anonymous (const char *path)
{
  if (*path == '\0')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (anonymous_prefixes); i++)
    if (g_str_has_prefix (path, anonymous_prefixes[i]))
      return TRUE;
  return FALSE;
}

guint32
tb_recorder_intern_path (TbRecorder *self, const char *path)
{
  static const char deleted[] = " (deleted)";
  gsize length = strlen (path);

  if (g_str_has_suffix (path, deleted))
    length -= strlen (deleted);
  return tb_recorder_intern_string (self, path, (gssize) length);
}

void
tb_recorder_put_module (TbRecorder *self, guint32 id)
{
  const TbModuleRecord *record = &g_array_index (self->modules.records, TbModuleRecord, id);
  TbModule module = {
    .id = id,
    .kind = record->kind,
    .path = tb_recorder_peek_string (self, record->path),
    .build_id = tb_recorder_peek_string (self, record->build_id),
    .process = record->process,
  };

  tb_session_writer_put_module (self->writer, &module);
}

/* A file is the same module in every process. Anonymous memory is one module per process. If it is
 * interned before its process is known, it belongs to the PID, and is bound to the first process
 * with that PID that maps it. */
guint32
tb_recorder_find_module (TbRecorder *self,
                         TbModuleKind kind,
                         guint32 path,
                         guint32 build_id,
                         gint32 pid,
                         guint32 process)
{
  return tb_recorder_find_module_record (self,
                                         &(TbModuleRecord) { kind, path, build_id, pid, process });
}

/* Whether two modules with the same kind, path and build ID are one. */
static gboolean
is_same_module (const TbModuleRecord *old, const TbModuleRecord *wanted)
{
  if (wanted->kind == TB_MODULE_JIT)
    return old->pid == wanted->pid
           && (wanted->process == TB_ID_NONE || old->process == wanted->process);
  return wanted->build_id != TB_STRING_NONE
         || (old->file.inode == wanted->file.inode && old->file.major == wanted->file.major
             && old->file.minor == wanted->file.minor);
}

guint32
tb_recorder_find_module_record (TbRecorder *self, const TbModuleRecord *wanted)
{
  guint64 owner = wanted->kind != TB_MODULE_JIT
                      ? (wanted->build_id == TB_STRING_NONE ? wanted->file.inode : 0)
                  : wanted->process != TB_ID_NONE ? wanted->process
                                                  : (guint64) (guint32) wanted->pid | 1ull << 32;
  guint32 hash
      = tb_hash_pair ((guint64) wanted->path << 32 | wanted->build_id, owner << 3 | wanted->kind);
  TbSlotCursor cursor = tb_slots_find (&self->modules.by_key, hash);
  guint32 id;

  while (tb_slot_cursor_next (&cursor, &id))
    {
      const TbModuleRecord *old = &g_array_index (self->modules.records, TbModuleRecord, id);

      if (old->kind == wanted->kind && old->path == wanted->path
          && old->build_id == wanted->build_id && is_same_module (old, wanted))
        return id;
    }
  id = self->modules.records->len;
  g_array_append_val (self->modules.records, *wanted);
  tb_slots_insert (&self->modules.by_key, hash, id);
  tb_recorder_put_module (self, id);
  return id;
}

/**
 * tb_recorder_intern_module:
 * @self: a recorder
 * @kind: its kind; a %TB_MODULE_FILE with a path that is not a file (`//anon`, `[heap]`, …) becomes
 *   %TB_MODULE_JIT
 * @path: path in the file system of its process; the kernel's suffix ` (deleted)` is removed
 * @build_id: (nullable): build ID in hexadecimal digits, %NULL or "" if unknown
 * @pid: PID of a process that maps it, -1 if unknown
 *
 * Gets the id of a module, and adds the module at the first call.
 *
 * Returns: the id of the module, for events of kind %TB_EVENT_MAPPING
 */
guint32
tb_recorder_intern_module (TbRecorder *self,
                           TbModuleKind kind,
                           const char *path,
                           const char *build_id,
                           gint32 pid)
{
  g_return_val_if_fail (TB_IS_RECORDER (self), TB_ID_NONE);

  path = path != NULL ? path : "";
  if (kind == TB_MODULE_FILE && tb_recorder_path_is_anonymous (path))
    kind = TB_MODULE_JIT;
  if (kind == TB_MODULE_JIT)
    return tb_recorder_find_module (self, kind, tb_recorder_intern_string (self, "[anonymous]", -1),
                                    TB_STRING_NONE, pid, TB_ID_NONE);
  return tb_recorder_find_module (self, kind, tb_recorder_intern_path (self, path),
                                  tb_recorder_intern_string (self, build_id, -1), -1, TB_ID_NONE);
}

static void
put_device (TbRecorder *self, guint32 id)
{
  const TbDeviceRecord *record = &g_array_index (self->devices.records, TbDeviceRecord, id);
  TbDevice device = {
    .id = id,
    .host = record->host,
    .name = tb_recorder_peek_string (self, record->name),
    .kind = tb_recorder_peek_string (self, record->kind),
    .major_minor = tb_recorder_peek_string (self, record->major_minor),
  };

  tb_session_writer_put_device (self->writer, &device);
}

/* The device of an interrupt may later turn out to be a disk: the more specific kind is kept. */
static void
refine_device (TbRecorder *self, guint32 id, guint32 kind, guint32 major_minor)
{
  TbDeviceRecord *record = &g_array_index (self->devices.records, TbDeviceRecord, id);
  const char *old_kind = tb_recorder_peek_string (self, record->kind);
  gboolean vague = *old_kind == '\0' || strcmp (old_kind, "irq") == 0;
  gboolean changed = FALSE;

  if (vague && kind != TB_STRING_NONE && kind != record->kind)
    {
      record->kind = kind;
      changed = TRUE;
    }
  if (record->major_minor == TB_STRING_NONE && major_minor != TB_STRING_NONE)
    {
      record->major_minor = major_minor;
      changed = TRUE;
    }
  if (changed)
    put_device (self, id);
}

/**
 * tb_recorder_intern_device:
 * @self: a recorder
 * @host: its host
 * @name: the kernel's name
 * @kind: (nullable): "block", "network", "irq", …; a device may first be interned as an "irq" and
 *   later with its real kind
 * @major_minor: (nullable): "254:0", %NULL or "" if unknown
 *
 * Gets the id of a device, and adds the device if there is none of this host, name and number.
 *
 * Returns: the id of the device of this name (and number, if both are known)
 */
guint32
tb_recorder_intern_device (TbRecorder *self,
                           guint32 host,
                           const char *name,
                           const char *kind,
                           const char *major_minor)
{
  TbDeviceRecord record;
  TbSlotCursor cursor;
  guint32 hash, id;

  g_return_val_if_fail (TB_IS_RECORDER (self), TB_ID_NONE);

  record.host = host < self->n_hosts ? host : 0;
  host = record.host;
  record.name = tb_recorder_intern_string (self, name, -1);
  record.kind = tb_recorder_intern_string (self, kind, -1);
  record.major_minor = tb_recorder_intern_string (self, major_minor, -1);
  hash = tb_hash_pair (record.name, host);
  cursor = tb_slots_find (&self->devices.by_name, hash);
  while (tb_slot_cursor_next (&cursor, &id))
    {
      const TbDeviceRecord *old = &g_array_index (self->devices.records, TbDeviceRecord, id);

      if (old->host != host || old->name != record.name
          || (old->major_minor != record.major_minor && old->major_minor != TB_STRING_NONE
              && record.major_minor != TB_STRING_NONE))
        continue;
      refine_device (self, id, record.kind, record.major_minor);
      return id;
    }
  id = self->devices.records->len;
  g_array_append_val (self->devices.records, record);
  tb_slots_insert (&self->devices.by_name, hash, id);
  put_device (self, id);
  return id;
}
