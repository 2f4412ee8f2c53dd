/* tb-jit-dump.c: reader of the dump file of a just-in-time compiler (jitdump): functions that it
 * generated, with addresses and times; which of them share addresses with others; conversion to
 * lines of a perf map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include "symbols/tb-address-ranges-private.h"
#include "symbols/tb-jit-dump.h"

#define MAGIC 0x4a695444u /* "JiTD" */
#define HEADER_SIZE 40
#define HEADER_SIZE_AT 8
#define HEADER_PID_AT 20
#define HEADER_FLAGS_AT 32
#define FLAG_CPU_COUNTER 1 /* times are those of a counter of the CPU */
#define RECORD_HEADER_SIZE 16
#define RECORD_TIME_AT 8
#define RECORD_LOAD 0
#define RECORD_MOVE 1
/* The name follows these fields: pid, tid, vma, code address, code size, code index. */
#define LOAD_NAME_AT (RECORD_HEADER_SIZE + 40)
#define LOAD_ADDRESS_AT (RECORD_HEADER_SIZE + 16)
#define LOAD_SIZE_AT (RECORD_HEADER_SIZE + 24)
#define LOAD_INDEX_AT (RECORD_HEADER_SIZE + 32)
/* pid, tid, vma, old address, new address, size, code index */
#define MOVE_SIZE (RECORD_HEADER_SIZE + 48)
#define MOVE_ADDRESS_AT (RECORD_HEADER_SIZE + 24)
#define MOVE_LENGTH_AT (RECORD_HEADER_SIZE + 32)
#define MOVE_INDEX_AT (RECORD_HEADER_SIZE + 40)
/* Longer names are cut. */
#define MAX_RECORD 4096
#define MAX_TEXT_LENGTH (256u << 20)

struct _TbJitDump
{
  GArray *code;  /* of TbJitCode */
  GString *text; /* names, each with a NUL */
  gboolean has_clock;
};

typedef struct
{
  TbJitDump *dump;
  GHashTable *names; /* code index -> offset of the name, for moves */
} Reader;

static guint32
get_u32 (const guint8 *at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return value;
}

static guint64
get_u64 (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, sizeof value);
  return value;
}

static void
add_code (Reader *self, const guint8 *record, guint64 address, guint64 size, gsize name)
{
  TbJitCode code = { get_u64 (record + RECORD_TIME_AT), address, size, name, FALSE };

  if (size > 0 && size <= G_MAXUINT64 - address && self->dump->text->str[name] != '\0')
    g_array_append_val (self->dump->code, code);
}

static void
read_load (Reader *self, const guint8 *record, guint32 size)
{
  GString *text = self->dump->text;
  const char *name = (const char *) record + LOAD_NAME_AT;
  gsize place = text->len;
  gint64 *index;

  if (size <= LOAD_NAME_AT)
    return;
  g_string_append_len (text, name, (gssize) strnlen (name, size - LOAD_NAME_AT));
  g_strdelimit (text->str + place, "\r\n", ' ');
  g_string_append_c (text, '\0');
  add_code (self, record, get_u64 (record + LOAD_ADDRESS_AT), get_u64 (record + LOAD_SIZE_AT),
            place);
  index = g_new (gint64, 1);
  *index = (gint64) get_u64 (record + LOAD_INDEX_AT);
  g_hash_table_replace (self->names, index, GSIZE_TO_POINTER (place));
}

static void
read_move (Reader *self, const guint8 *record, guint32 size)
{
  guint64 index;
  gpointer name;

  if (size < MOVE_SIZE)
    return;
  index = get_u64 (record + MOVE_INDEX_AT);
  if (g_hash_table_lookup_extended (self->names, &index, NULL, &name))
    add_code (self, record, get_u64 (record + MOVE_ADDRESS_AT), get_u64 (record + MOVE_LENGTH_AT),
              GPOINTER_TO_SIZE (name));
}

/* The last record may be cut short while the process runs. Of a record only its fields and its name
 * are read, not the code. */
static void
read_records (Reader *self, int fd, guint64 at)
{
  guint8 record[MAX_RECORD];
  ssize_t n;

  while ((n = pread (fd, record, sizeof record, (off_t) at)) >= RECORD_HEADER_SIZE)
    {
      guint32 kind = get_u32 (record), size = get_u32 (record + 4);

      if (size < RECORD_HEADER_SIZE || self->dump->text->len > MAX_TEXT_LENGTH)
        break;
      if (kind == RECORD_LOAD)
        read_load (self, record, (guint32) MIN (size, (gsize) n));
      else if (kind == RECORD_MOVE)
        read_move (self, record, (guint32) MIN (size, (gsize) n));
      at += size;
    }
}

/* Whether one of the ranges with code of several functions has an address of the code. The ranges
 * are sorted and do not overlap. */
static gboolean
is_reused (const GArray *ranges, const TbJitCode *code)
{
  const TbAddressRange *all = (const TbAddressRange *) (gconstpointer) ranges->data;
  guint low = 0, high = ranges->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].end <= code->address)
        low = middle + 1;
      else
        high = middle;
    }
  return low < ranges->len && all[low].start < code->address + code->size;
}

static void
find_reused (TbJitDump *self)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (TbAddressRange));
  guint kept = 0;

  for (guint i = 0; i < self->code->len; i++)
    {
      const TbJitCode *code = &g_array_index (self->code, TbJitCode, i);
      TbAddressRange range
          = { .start = code->address, .end = code->address + code->size, .name = code->name };

      range.order = i;
      g_array_append_val (ranges, range);
    }
  tb_address_ranges_resolve (ranges, self->text->str);
  for (guint i = 0; i < ranges->len; i++)
    if (g_array_index (ranges, TbAddressRange, i).is_reused)
      g_array_index (ranges, TbAddressRange, kept++) = g_array_index (ranges, TbAddressRange, i);
  g_array_set_size (ranges, kept);
  for (guint i = 0; i < self->code->len; i++)
    {
      TbJitCode *code = &g_array_index (self->code, TbJitCode, i);

      code->is_reused = is_reused (ranges, code);
    }
}

/**
 * tb_jit_dump_read: (skip)
 * @fd: a file, open for reading
 * @pid: the process of which the dump must be
 *
 * Reads a dump file. What was cut at its end is left out.
 *
 * Returns: (transfer full) (nullable): the dump, %NULL if the file is not a dump of this process
 */
TbJitDump *
tb_jit_dump_read (int fd, gint32 pid)
{
  guint8 header[HEADER_SIZE];
  Reader reader = { NULL };
  guint32 header_size;

  if (pread (fd, header, sizeof header, 0) != sizeof header || get_u32 (header) != MAGIC
      || (gint32) get_u32 (header + HEADER_PID_AT) != pid)
    return NULL;
  header_size = get_u32 (header + HEADER_SIZE_AT);
  if (header_size < HEADER_SIZE)
    return NULL;
  reader.dump = g_new0 (TbJitDump, 1);
  reader.dump->code = g_array_new (FALSE, FALSE, sizeof (TbJitCode));
  reader.dump->text = g_string_new (NULL);
  reader.dump->has_clock = (get_u64 (header + HEADER_FLAGS_AT) & FLAG_CPU_COUNTER) == 0;
  reader.names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  read_records (&reader, fd, header_size);
  g_hash_table_unref (reader.names);
  find_reused (reader.dump);
  return reader.dump;
}

/**
 * tb_jit_dump_free:
 * @self: a dump
 *
 * Frees a dump.
 */
void
tb_jit_dump_free (TbJitDump *self)
{
  g_array_unref (self->code);
  g_string_free (self->text, TRUE);
  g_free (self);
}

/**
 * tb_jit_dump_has_clock:
 * @self: a dump
 *
 * Gets whether the times of the dump are those of the monotonic clock, rather than of a counter of
 * the CPU.
 *
 * Returns: whether the times can be compared with those of a recording
 */
gboolean
tb_jit_dump_has_clock (const TbJitDump *self)
{
  return self->has_clock;
}

/**
 * tb_jit_dump_get_code:
 * @self: a dump
 * @n: (out): number of codes
 *
 * Gets the code in the order of the file.
 *
 * Returns: (transfer none) (array length=n): the code
 */
const TbJitCode *
tb_jit_dump_get_code (const TbJitDump *self, guint *n)
{
  *n = self->code->len;
  return (const TbJitCode *) (gconstpointer) self->code->data;
}

/**
 * tb_jit_dump_get_name:
 * @self: a dump
 * @code: a code of the dump
 *
 * Gets the name of a function, without line breaks.
 *
 * Returns: (transfer none): the name
 */
const char *
tb_jit_dump_get_name (const TbJitDump *self, const TbJitCode *code)
{
  return self->text->str + code->name;
}

/**
 * tb_jit_dump_to_perf_map:
 * @self: a dump
 *
 * Writes the code as lines of a perf map: address and length in hexadecimal digits, and the name.
 *
 * Returns: (transfer full): the lines
 */
char *
tb_jit_dump_to_perf_map (const TbJitDump *self)
{
  GString *lines = g_string_new (NULL);

  for (guint i = 0; i < self->code->len; i++)
    {
      const TbJitCode *code = &g_array_index (self->code, TbJitCode, i);

      g_string_append_printf (lines, "%" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %s\n",
                              code->address, code->size, tb_jit_dump_get_name (self, code));
    }
  return g_string_free_and_steal (lines);
}
