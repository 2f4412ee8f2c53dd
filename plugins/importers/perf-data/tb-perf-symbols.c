/* tb-perf-symbols.c: names of functions that came with a perf.data file, from kernel symbols or
 * simpleperf's sections; placed at file offsets and stored in the session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "perf record --kcore" copies /proc/kallsyms. Android's simpleperf writes the symbols of all files
 * with samples into the perf.data file, by the address in the file's own address space, with the
 * address and, since Android 11, the file offset of the first executable segment.
 */

#include "config.h"

#include "tb-perf-symbols.h"

#include <string.h>

/* Limits the names that are stored in the session; kallsyms has about 10 MB. */
#define MAX_TEXT ((gsize) 64 << 20)
#define MAX_NAME 4096
#define NO_OFFSET G_MAXUINT64
#define KERNEL_PATH "[kernel]"

/* Kinds of files. */
enum
{
  FILE_KERNEL = 0,
  FILE_ELF = 2,
  FILE_DEX = 3,
};

/* Fields of the messages. */
enum
{
  MESSAGE_PATH = 1,
  MESSAGE_KIND = 2,
  MESSAGE_FIRST_ADDRESS = 3,
  MESSAGE_SYMBOL = 4,
  MESSAGE_ELF = 6,
  SYMBOL_ADDRESS = 1,
  SYMBOL_LENGTH = 2,
  SYMBOL_NAME = 3,
  ELF_FIRST_OFFSET = 1,
};

/* An offset in a file, of which there is only one if all agree. */
typedef struct
{
  guint64 offset;
  guint n; /* 2: there are several */
} Place;

/* The symbols of a file. */
typedef struct
{
  GString *text; /* in the format of perf maps, by the distance from the first executable segment */
  guint64 offset; /* of that segment in the file, if that is known */
  guint64 extent; /* from there to the end of the last symbol */
  Place mapping;  /* of the mappings */
  Place fitting;  /* of those that have room for all symbols */
} Symbols;

struct _TbPerfSymbols
{
  GString *kernel;   /* in the format of kallsyms */
  GHashTable *files; /* path → Symbols */
  gsize size;
};

static void
symbols_free (gpointer data)
{
  Symbols *symbols = data;

  g_string_free (symbols->text, TRUE);
  g_free (symbols);
}

TbPerfSymbols *
tb_perf_symbols_new (void)
{
  TbPerfSymbols *self = g_new0 (TbPerfSymbols, 1);

  self->kernel = g_string_new (NULL);
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, symbols_free);
  return self;
}

void
tb_perf_symbols_free (TbPerfSymbols *self)
{
  g_string_free (self->kernel, TRUE);
  g_hash_table_unref (self->files);
  g_free (self);
}

/* --- the kernel --- */

/* Whether a line "ADDRESS TYPE NAME [MODULE]" is that of a function. */
static gboolean
is_function (const char *line, gsize length)
{
  const char *space = memchr (line, ' ', length);

  return space != NULL && length - (space - line) > 3 && space[2] == ' '
         && strchr ("tTwW", space[1]) != NULL && space[1] != '\0'
         && g_utf8_validate (line, length, NULL);
}

void
tb_perf_symbols_add_kallsyms (TbPerfSymbols *self, const char *text, gsize size)
{
  const char *end = text + size;

  for (const char *line = text, *next; line < end && self->size < MAX_TEXT; line = next)
    {
      const char *stop = memchr (line, '\n', end - line);
      gsize length = (stop != NULL ? stop : end) - line;

      next = line + length + 1;
      if (!is_function (line, length))
        continue;
      g_string_append_len (self->kernel, line, length);
      g_string_append_c (self->kernel, '\n');
      self->size += length + 1;
    }
}

/* --- other files --- */

/* A file with symbols. */
typedef struct
{
  const char *path;
  gsize path_length;
  guint64 kind;
  guint64 first_address; /* of the first executable segment */
  guint64 first_offset;
  Symbols *symbols; /* NULL: they are not used */
} File;

/* Symbols of the kernel and in bytecode are by their places themselves. */
static void
begin_file (TbPerfSymbols *self, File *file)
{
  g_autofree char *path = NULL;
  Symbols *symbols;

  file->symbols = NULL;
  if (file->kind == FILE_KERNEL || file->kind == FILE_DEX)
    file->first_address = file->first_offset = 0;
  else if (file->kind != FILE_ELF)
    return;
  if (file->path_length == 0 || file->path_length > MAX_NAME
      || !g_utf8_validate (file->path, file->path_length, NULL))
    return;
  path = file->kind == FILE_KERNEL ? g_strdup (KERNEL_PATH)
                                   : g_strndup (file->path, file->path_length);
  symbols = g_hash_table_lookup (self->files, path);
  if (symbols == NULL)
    {
      symbols = g_new0 (Symbols, 1);
      symbols->text = g_string_new (NULL);
      symbols->offset = file->first_offset;
      g_hash_table_insert (self->files, g_steal_pointer (&path), symbols);
    }
  file->symbols = symbols;
}

static void
add_symbol (TbPerfSymbols *self,
            const File *file,
            guint64 address,
            guint64 length,
            const char *name,
            gsize name_length)
{
  Symbols *symbols = file->symbols;
  guint64 distance = address - file->first_address;
  gsize before;

  if (symbols == NULL || length == 0 || length > G_MAXUINT64 - address
      || address < file->first_address || name_length == 0 || name_length > MAX_NAME
      || self->size >= MAX_TEXT || !g_utf8_validate (name, name_length, NULL)
      || memchr (name, '\n', name_length) != NULL)
    return;
  before = symbols->text->len;
  g_string_append_printf (symbols->text, "%" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x ",
                          distance, length);
  g_string_append_len (symbols->text, name, name_length);
  g_string_append_c (symbols->text, '\n');
  symbols->extent = MAX (symbols->extent, distance + length);
  self->size += symbols->text->len - before;
}

/* --- the old format --- */

/* Reads the symbols of a file, and adds them if it is given. */
static void
read_symbols (TbPerfSymbols *self, TbPerfCursor *cursor, guint32 n, const File *file)
{
  for (guint32 i = 0; i < n && !cursor->failed; i++)
    {
      guint64 address = tb_perf_cursor_read_u64 (cursor);
      guint32 length = tb_perf_cursor_read_u32 (cursor);
      const char *name = tb_perf_cursor_read_text (cursor);

      if (name != NULL && file != NULL)
        add_symbol (self, file, address, length, name, strlen (name));
    }
}

static gboolean
read_file (TbPerfSymbols *self, TbPerfCursor *cursor)
{
  File file = { .first_offset = NO_OFFSET };
  TbPerfCursor symbols;
  guint32 n;

  file.path = tb_perf_cursor_read_text (cursor);
  file.kind = tb_perf_cursor_read_u32 (cursor);
  file.first_address = tb_perf_cursor_read_u64 (cursor);
  n = tb_perf_cursor_read_u32 (cursor);
  if (file.path == NULL || cursor->failed)
    return FALSE;
  file.path_length = strlen (file.path);
  symbols = *cursor;
  read_symbols (self, cursor, n, NULL);
  if (file.kind == FILE_ELF && tb_perf_cursor_get_left (cursor) >= 8)
    file.first_offset = tb_perf_cursor_read_u64 (cursor);
  begin_file (self, &file);
  read_symbols (self, &symbols, n, &file);
  return !symbols.failed;
}

gboolean
tb_perf_symbols_read_files (TbPerfSymbols *self, TbPerfCursor *cursor)
{
  while (tb_perf_cursor_get_left (cursor) > 0)
    {
      guint32 size = tb_perf_cursor_read_u32 (cursor);
      const guint8 *at = tb_perf_cursor_take (cursor, size);
      TbPerfCursor part = { .at = at, .swap = cursor->swap };

      if (at == NULL)
        return FALSE;
      part.end = at + size;
      if (!read_file (self, &part))
        return FALSE;
    }
  return TRUE;
}

/* --- protocol buffers --- */

/* A field of a message: a number, or the place and the length of bytes. */
typedef struct
{
  guint64 id;
  guint64 number;
  const guint8 *bytes; /* NULL for numbers */
  gsize size;
} Field;

static guint64
read_varint (TbPerfCursor *cursor)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 64; shift += 7)
    {
      guint8 byte = tb_perf_cursor_read_u8 (cursor);

      value |= (guint64) (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        return value;
    }
  cursor->failed = TRUE;
  cursor->at = cursor->end;
  return 0;
}

/* Returns FALSE at the end of the message, and if it is damaged. */
static gboolean
read_field (TbPerfCursor *cursor, Field *field)
{
  guint64 tag;

  *field = (Field) { 0 };
  if (tb_perf_cursor_get_left (cursor) == 0)
    return FALSE;
  tag = read_varint (cursor);
  field->id = tag >> 3;
  switch (tag & 7)
    {
    case 0:
      field->number = read_varint (cursor);
      break;
    case 1:
      field->number = tb_perf_cursor_read_u64 (cursor);
      break;
    case 2:
      field->size = read_varint (cursor);
      field->bytes = tb_perf_cursor_take (cursor, field->size);
      break;
    case 5:
      field->number = tb_perf_cursor_read_u32 (cursor);
      break;
    default:
      cursor->failed = TRUE;
    }
  return !cursor->failed;
}

static TbPerfCursor
open_field (const Field *field)
{
  return (TbPerfCursor) { .at = field->bytes,
                          .end = field->bytes + field->size,
                          .swap = G_BYTE_ORDER != G_LITTLE_ENDIAN };
}

static void
read_symbol_message (TbPerfSymbols *self, const Field *message, const File *file)
{
  TbPerfCursor cursor = open_field (message);
  guint64 address = 0, length = 0;
  Field field, name = { 0 };

  while (read_field (&cursor, &field))
    if (field.id == SYMBOL_ADDRESS)
      address = field.number;
    else if (field.id == SYMBOL_LENGTH)
      length = field.number;
    else if (field.id == SYMBOL_NAME)
      name = field;
  if (!cursor.failed && name.bytes != NULL)
    add_symbol (self, file, address, length, (const char *) name.bytes,
                strnlen ((const char *) name.bytes, name.size));
}

/* A message without a number has the value 0 there. */
static guint64
read_first_offset (const Field *message)
{
  TbPerfCursor cursor = open_field (message);
  guint64 offset = 0;
  Field field;

  while (read_field (&cursor, &field))
    if (field.id == ELF_FIRST_OFFSET)
      offset = field.number;
  return offset;
}

static gboolean
read_file_message (TbPerfSymbols *self, const Field *message)
{
  TbPerfCursor cursor = open_field (message);
  File file = { .first_offset = NO_OFFSET };
  Field field;

  while (read_field (&cursor, &field))
    if (field.id == MESSAGE_PATH && field.bytes != NULL)
      {
        file.path = (const char *) field.bytes;
        file.path_length = strnlen (file.path, field.size);
      }
    else if (field.id == MESSAGE_KIND)
      file.kind = field.number;
    else if (field.id == MESSAGE_FIRST_ADDRESS)
      file.first_address = field.number;
    else if (field.id == MESSAGE_ELF && field.bytes != NULL)
      file.first_offset = read_first_offset (&field);
  if (cursor.failed)
    return FALSE;
  begin_file (self, &file);
  cursor = open_field (message);
  while (read_field (&cursor, &field))
    if (field.id == MESSAGE_SYMBOL && field.bytes != NULL)
      read_symbol_message (self, &field, &file);
  return TRUE;
}

gboolean
tb_perf_symbols_read_messages (TbPerfSymbols *self, TbPerfCursor *cursor)
{
  while (tb_perf_cursor_get_left (cursor) > 0)
    {
      Field message = { .size = tb_perf_cursor_read_u32 (cursor) };

      message.bytes = tb_perf_cursor_take (cursor, message.size);
      if (message.bytes == NULL || !read_file_message (self, &message))
        return FALSE;
    }
  return TRUE;
}

static void
add_place (Place *place, guint64 offset)
{
  if (place->n == 0)
    *place = (Place) { offset, 1 };
  else if (place->offset != offset)
    place->n = 2;
}

void
tb_perf_symbols_add_mapping (TbPerfSymbols *self, const char *path, guint64 offset, guint64 length)
{
  Symbols *symbols = g_hash_table_lookup (self->files, path);

  if (symbols == NULL)
    return;
  add_place (&symbols->mapping, offset);
  if (symbols->extent <= length)
    add_place (&symbols->fitting, offset);
}

/* simpleperf also records mappings that are not executable. */
static guint64
find_offset (const Symbols *symbols)
{
  if (symbols->offset != NO_OFFSET)
    return symbols->offset;
  if (symbols->fitting.n == 1)
    return symbols->fitting.offset;
  return symbols->mapping.n == 1 ? symbols->mapping.offset : NO_OFFSET;
}

/* Returns the lines with their addresses moved to the file's offsets. */
static char *
move_lines (const Symbols *symbols, guint64 offset)
{
  GString *text = g_string_sized_new (symbols->text->len);

  for (const char *line = symbols->text->str; *line != '\0';)
    {
      gsize length = strcspn (line, "\n") + 1;
      char *end;
      guint64 address = g_ascii_strtoull (line, &end, 16);

      g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", address + offset);
      g_string_append_len (text, end, line + length - end);
      line += length;
    }
  return g_string_free (text, FALSE);
}

void
tb_perf_symbols_set_facts (const TbPerfSymbols *self, TbRecorder *recorder)
{
  GHashTableIter iter;
  gpointer path, value;

  if (self->kernel->len > 0)
    tb_recorder_set_fact (recorder, "kernel-symbols-copied", self->kernel->str);
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &path, &value))
    {
      const Symbols *symbols = value;
      guint64 offset = find_offset (symbols);
      g_autofree char *fact = g_strconcat ("symbols-of:", path, NULL);
      g_autofree char *text = NULL;

      if (symbols->text->len == 0 || offset == NO_OFFSET)
        continue;
      text = move_lines (symbols, offset);
      tb_recorder_set_fact (recorder, fact, text);
    }
}
