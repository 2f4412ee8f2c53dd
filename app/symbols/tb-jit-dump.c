/* tb-jit-dump.c: conversion of the dump file of a just-in-time compiler (jitdump) into lines of a
 * perf map with its functions
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include "symbols/tb-jit-dump-private.h"

#define MAGIC 0x4a695444u /* "JiTD" */
#define HEADER_SIZE 40
#define HEADER_SIZE_AT 8
#define HEADER_PID_AT 20
#define RECORD_HEADER_SIZE 16
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
#define MAX_LINES_LENGTH (256u << 20)

typedef struct
{
  GString *lines;
  GHashTable *names; /* code index -> name, for moves */
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

/* A name is one line of a perf map. */
static void
add_line (Reader *self, guint64 address, guint64 size, const char *name)
{
  g_string_append_printf (self->lines, "%" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %s\n",
                          address, size, name);
}

static void
read_load (Reader *self, const guint8 *record, guint32 size)
{
  const char *name = (const char *) record + LOAD_NAME_AT;
  guint64 *index;
  char *text;

  if (size <= LOAD_NAME_AT)
    return;
  text = g_strndup (name, strnlen (name, size - LOAD_NAME_AT));
  g_strdelimit (text, "\r\n", ' ');
  add_line (self, get_u64 (record + LOAD_ADDRESS_AT), get_u64 (record + LOAD_SIZE_AT), text);
  index = g_new (guint64, 1);
  *index = get_u64 (record + LOAD_INDEX_AT);
  g_hash_table_replace (self->names, index, text);
}

static void
read_move (Reader *self, const guint8 *record, guint32 size)
{
  guint64 index;
  const char *name;

  if (size < MOVE_SIZE)
    return;
  index = get_u64 (record + MOVE_INDEX_AT);
  name = g_hash_table_lookup (self->names, &index);
  if (name != NULL)
    add_line (self, get_u64 (record + MOVE_ADDRESS_AT), get_u64 (record + MOVE_LENGTH_AT), name);
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

      if (size < RECORD_HEADER_SIZE || self->lines->len > MAX_LINES_LENGTH)
        break;
      if (kind == RECORD_LOAD)
        read_load (self, record, (guint32) MIN (size, (gsize) n));
      else if (kind == RECORD_MOVE)
        read_move (self, record, (guint32) MIN (size, (gsize) n));
      at += size;
    }
}

char *
tb_jit_dump_read (int fd, gint32 pid)
{
  guint8 header[HEADER_SIZE];
  Reader self = { NULL };
  guint32 header_size;

  if (pread (fd, header, sizeof header, 0) != sizeof header || get_u32 (header) != MAGIC
      || (gint32) get_u32 (header + HEADER_PID_AT) != pid)
    return NULL;
  header_size = get_u32 (header + HEADER_SIZE_AT);
  if (header_size < HEADER_SIZE)
    return NULL;
  self.lines = g_string_new (NULL);
  self.names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  read_records (&self, fd, header_size);
  g_hash_table_unref (self.names);
  return g_string_free_and_steal (self.lines);
}
