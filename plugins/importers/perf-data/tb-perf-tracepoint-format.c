/* tb-perf-tracepoint-format.c: formats of the tracepoints of a recording, found by ID: fields,
 * parsed from the recorded descriptions, and their values in a record; letters of thread states
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-tracepoint-format.h"

/* Limit for hostile files, far above that of any kernel. */
#define MAX_FIELDS 512
#define MAX_FORMAT_TEXT (1u << 20)

static void
field_clear (gpointer data)
{
  TbPerfField *field = data;

  g_free (field->name);
  g_free (field->label);
}

void
tb_perf_format_free (TbPerfFormat *self)
{
  g_free (self->system);
  g_free (self->name);
  g_free (self->print);
  g_array_unref (self->fields);
  g_free (self);
}

static gboolean
read_attribute (const char *line, const char *key, guint32 *value)
{
  const char *at = strstr (line, key);
  guint64 number;

  if (at == NULL)
    return FALSE;
  number = g_ascii_strtoull (at + strlen (key), NULL, 10);
  *value = (guint32) MIN (number, G_MAXUINT32);
  return TRUE;
}

static guint8
get_element_size (const char *declaration, guint32 size, guint32 n)
{
  if (strstr (declaration, "char") != NULL || strstr (declaration, "u8") != NULL
      || strstr (declaration, "s8") != NULL)
    return 1;
  if (n > 0 && size >= n && size % n == 0 && size / n <= 8)
    return size / n;
  if (strstr (declaration, "short") != NULL || strstr (declaration, "16") != NULL)
    return 2;
  if (strstr (declaration, "long") != NULL || strstr (declaration, "64") != NULL
      || strchr (declaration, '*') != NULL)
    return 8;
  return 4;
}

/* declaration is the text between "field:" and the first semicolon, such as "__data_loc char[]
 * name". */
static gboolean
parse_declaration (char *declaration, TbPerfField *field)
{
  gboolean located = g_str_has_prefix (declaration, "__data_loc ")
                     || g_str_has_prefix (declaration, "__rel_loc ");
  char *bracket, *name;
  guint32 n = 0;
  gboolean array = FALSE;

  field->is_relative = g_str_has_prefix (declaration, "__rel_loc ");
  g_strchomp (declaration);
  bracket = strrchr (declaration, '[');
  if (bracket != NULL && declaration[strlen (declaration) - 1] == ']')
    {
      n = g_ascii_strtoull (bracket + 1, NULL, 10);
      *bracket = 0;
      g_strchomp (declaration);
      array = TRUE;
    }
  name = strrchr (declaration, ' ');
  if (name == NULL || name[1] == 0)
    return FALSE;
  *name++ = 0;
  while (*name == '*')
    name++;
  field->name = g_strdup (name);
  if (!g_str_has_prefix (name, "common_"))
    field->label = g_strconcat (name, "=", NULL);
  field->is_pointer = strchr (declaration, '*') != NULL || name[-1] == '*';
  field->element = get_element_size (declaration, field->size, n);
  if (located)
    {
      if (field->size != 4)
        return FALSE;
      field->kind
          = strstr (declaration, "char") ? TB_PERF_FIELD_LOCATED_TEXT : TB_PERF_FIELD_LOCATED_ARRAY;
    }
  else if (array)
    field->kind = strstr (declaration, "char") ? TB_PERF_FIELD_TEXT : TB_PERF_FIELD_ARRAY;
  else
    field->kind = TB_PERF_FIELD_NUMBER;
  return TRUE;
}

static void
parse_field (TbPerfFormat *self, char *line)
{
  TbPerfField field = { 0 };
  guint32 is_signed = 0;
  char *end = strchr (line, ';');

  if (end == NULL || self->fields->len >= MAX_FIELDS)
    return;
  *end = 0;
  if (!read_attribute (end + 1, "offset:", &field.offset)
      || !read_attribute (end + 1, "size:", &field.size))
    return;
  read_attribute (end + 1, "signed:", &is_signed);
  field.is_signed = is_signed != 0;
  if (parse_declaration (line, &field))
    g_array_append_val (self->fields, field);
  else
    field_clear (&field);
}

TbPerfFormat *
tb_perf_format_parse (const char *system, const char *text, gsize length)
{
  g_autofree char *copy = g_strndup (text, MIN (length, MAX_FORMAT_TEXT));
  g_autoptr (TbPerfFormat) self = g_new0 (TbPerfFormat, 1);
  gboolean has_id = FALSE;
  char *line, *rest = copy;

  self->system = g_utf8_make_valid (system, -1);
  self->fields = g_array_new (FALSE, FALSE, sizeof (TbPerfField));
  g_array_set_clear_func (self->fields, field_clear);
  while ((line = strsep (&rest, "\n")) != NULL)
    {
      g_strchug (line);
      if (g_str_has_prefix (line, "field:"))
        parse_field (self, line + strlen ("field:"));
      else if (g_str_has_prefix (line, "name: ") && self->name == NULL)
        self->name = g_utf8_make_valid (line + strlen ("name: "), -1);
      else if (g_str_has_prefix (line, "ID: "))
        has_id = read_attribute (line, "ID: ", &self->id);
      else if (g_str_has_prefix (line, "print fmt: ") && self->print == NULL)
        self->print = g_strdup (line + strlen ("print fmt: "));
    }
  if (self->name == NULL || !has_id)
    return NULL;
  return g_steal_pointer (&self);
}

const TbPerfField *
tb_perf_format_find (const TbPerfFormat *self, const char *name)
{
  for (guint i = 0; i < self->fields->len; i++)
    {
      const TbPerfField *field = &g_array_index (self->fields, TbPerfField, i);

      if (g_str_equal (field->name, name))
        return field;
    }
  return NULL;
}

static gint64
get_number (const guint8 *at, guint size, gboolean is_signed, gboolean swap)
{
  switch (size)
    {
    case 1:
      return is_signed ? (gint64) (gint8) *at : *at;
    case 2:
      return is_signed ? (gint64) (gint16) tb_perf_u16 (at, swap) : tb_perf_u16 (at, swap);
    case 4:
      return is_signed ? (gint64) (gint32) tb_perf_u32 (at, swap) : tb_perf_u32 (at, swap);
    case 8:
      return (gint64) tb_perf_u64 (at, swap);
    default:
      return 0;
    }
}

gint64
tb_perf_field_get_number (const TbPerfField *self, const guint8 *raw, gsize size, gboolean swap)
{
  if (G_UNLIKELY (self == NULL || (guint64) self->offset + self->size > size))
    return 0;
  return get_number (raw + self->offset, self->size, self->is_signed, swap);
}

const guint8 *
tb_perf_field_get_bytes (const TbPerfField *self,
                         const guint8 *raw,
                         gsize size,
                         gboolean swap,
                         gsize *length)
{
  guint64 from, n;

  *length = 0;
  if (self == NULL || (guint64) self->offset + self->size > size)
    return NULL;
  if (self->kind == TB_PERF_FIELD_LOCATED_TEXT || self->kind == TB_PERF_FIELD_LOCATED_ARRAY)
    {
      guint32 place = tb_perf_u32 (raw + self->offset, swap);

      from = place & 0xffff;
      n = place >> 16;
      if (self->is_relative)
        from += (guint64) self->offset + self->size;
    }
  else
    {
      from = self->offset;
      n = self->size;
    }
  if (from + n > size)
    return NULL;
  *length = n;
  return raw + from;
}

const char *
tb_perf_field_get_text (const TbPerfField *self,
                        const guint8 *raw,
                        gsize size,
                        gboolean swap,
                        gsize *length)
{
  const guint8 *at = tb_perf_field_get_bytes (self, raw, size, swap, length);

  if (at != NULL)
    *length = strnlen ((const char *) at, *length);
  return (const char *) at;
}

void
tb_perf_format_read_states (const TbPerfFormat *self, TbPerfStates *states)
{
  static const char today[] = "SDTtXZPI"; /* Linux 4.14 and later */
  const char *at = self->print ? strstr (self->print, "__print_flags(REC->prev_state") : NULL;
  guint64 highest = 0;

  memset (states, 0, sizeof *states);
  /* Pairs such as { 0x00000001, "S" }; the list ends at the parenthesis after the last pair. */
  while (at != NULL && (at = strchr (at, '{')) != NULL)
    {
      char *end;
      guint64 bit = g_ascii_strtoull (at + 1, &end, 0);
      const char *close = strchr (end, '}');

      end += strspn (end, ", ");
      if (close == NULL || bit == 0 || (bit & (bit - 1)) != 0 || bit >> 32 != 0 || end[0] != '"')
        break;
      states->letters[__builtin_ctzll (bit)] = end[1];
      highest = MAX (highest, bit);
      at = close + 1 + strspn (close + 1, ", ");
      if (*at != '{')
        break;
    }
  if (highest == 0)
    {
      memcpy (states->letters, today, sizeof today - 1);
      highest = 1u << (sizeof today - 2);
    }
  /* Every kernel that reports preemption uses the bit above its highest state for it. */
  if (self->print == NULL || strstr (self->print, "\"+\"") != NULL)
    states->preempted = highest << 1;
}

TbPerfFormats *
tb_perf_formats_new (void)
{
  TbPerfFormats *self = g_new0 (TbPerfFormats, 1);

  self->formats = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_perf_format_free);
  self->by_id = g_hash_table_new (NULL, NULL);
  return self;
}

void
tb_perf_formats_free (TbPerfFormats *self)
{
  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->formats);
  g_free (self);
}

static void
read_format (TbPerfFormats *self, TbPerfCursor *cursor, const char *system)
{
  guint64 length = tb_perf_cursor_read_u64 (cursor);
  const guint8 *text = tb_perf_cursor_take (cursor, length);
  TbPerfFormat *format;

  if (text == NULL)
    return;
  format = tb_perf_format_parse (system, (const char *) text, length);
  if (format == NULL)
    return;
  g_ptr_array_add (self->formats, format);
  g_hash_table_insert (self->by_id, GUINT_TO_POINTER (format->id), format);
}

/* Layout of the section: magic, version as text, byte order, size of a long, page size, two
 * descriptions of ring buffer pages, the formats of ftrace's own events, the formats of every
 * system. The rest is not used. */
gboolean
tb_perf_formats_read (TbPerfFormats *self, const guint8 *at, gsize size)
{
  static const guint8 magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
  TbPerfCursor cursor = { .at = at, .end = at + size };
  const guint8 *start = tb_perf_cursor_take (&cursor, sizeof magic);
  guint32 n_formats, n_systems;

  if (start == NULL || memcmp (start, magic, sizeof magic) != 0)
    return FALSE;
  tb_perf_cursor_read_text (&cursor);
  cursor.swap = tb_perf_cursor_read_u8 (&cursor) != (G_BYTE_ORDER == G_BIG_ENDIAN);
  tb_perf_cursor_read_u8 (&cursor);
  tb_perf_cursor_read_u32 (&cursor);
  for (guint i = 0; i < 2; i++)
    {
      tb_perf_cursor_read_text (&cursor);
      tb_perf_cursor_take (&cursor, tb_perf_cursor_read_u64 (&cursor));
    }
  n_formats = tb_perf_cursor_read_u32 (&cursor);
  for (guint32 i = 0; i < n_formats && !cursor.failed; i++)
    read_format (self, &cursor, "ftrace");
  n_systems = tb_perf_cursor_read_u32 (&cursor);
  for (guint32 i = 0; i < n_systems && !cursor.failed; i++)
    {
      const char *system = tb_perf_cursor_read_text (&cursor);
      guint32 n = tb_perf_cursor_read_u32 (&cursor);

      for (guint32 j = 0; j < n && !cursor.failed; j++)
        read_format (self, &cursor, system);
    }
  return !cursor.failed;
}

const TbPerfFormat *
tb_perf_formats_find (TbPerfFormats *self, guint64 id)
{
  return id <= G_MAXUINT32 ? g_hash_table_lookup (self->by_id, GUINT_TO_POINTER ((guint) id))
                           : NULL;
}
