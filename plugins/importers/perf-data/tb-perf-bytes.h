/* tb-perf-bytes.h: reading of numbers of either byte order at any alignment, and of values and
 * strings one after another from a range of bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

static inline guint16
tb_perf_u16 (const guint8 *at, gboolean swap)
{
  guint16 value;

  memcpy (&value, at, sizeof value);
  return G_UNLIKELY (swap) ? GUINT16_SWAP_LE_BE (value) : value;
}

static inline guint32
tb_perf_u32 (const guint8 *at, gboolean swap)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return G_UNLIKELY (swap) ? GUINT32_SWAP_LE_BE (value) : value;
}

static inline guint64
tb_perf_u64 (const guint8 *at, gboolean swap)
{
  guint64 value;

  memcpy (&value, at, sizeof value);
  return G_UNLIKELY (swap) ? GUINT64_SWAP_LE_BE (value) : value;
}

/* A byte range that is read from its start. Reading beyond its end fails, and then nothing is left
 * to read. */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  gboolean swap;
  gboolean failed;
} TbPerfCursor;

static inline gsize
tb_perf_cursor_get_left (const TbPerfCursor *self)
{
  return self->end - self->at;
}

static inline const guint8 *
tb_perf_cursor_take (TbPerfCursor *self, guint64 length)
{
  const guint8 *at = self->at;

  if (length > tb_perf_cursor_get_left (self))
    {
      self->failed = TRUE;
      self->at = self->end;
      return NULL;
    }
  self->at += length;
  return at;
}

static inline guint8
tb_perf_cursor_read_u8 (TbPerfCursor *self)
{
  const guint8 *at = tb_perf_cursor_take (self, 1);

  return at ? *at : 0;
}

static inline guint32
tb_perf_cursor_read_u32 (TbPerfCursor *self)
{
  const guint8 *at = tb_perf_cursor_take (self, 4);

  return at ? tb_perf_u32 (at, self->swap) : 0;
}

static inline guint64
tb_perf_cursor_read_u64 (TbPerfCursor *self)
{
  const guint8 *at = tb_perf_cursor_take (self, 8);

  return at ? tb_perf_u64 (at, self->swap) : 0;
}

/* Reads a number of values. A number that is too large for any file stays too large when it is
 * multiplied by their size. */
static inline guint64
tb_perf_cursor_read_count (TbPerfCursor *self)
{
  guint64 count = tb_perf_cursor_read_u64 (self);

  return MIN (count, G_MAXUINT32);
}

/* Reads a string that ends with a 0 byte. */
static inline const char *
tb_perf_cursor_read_text (TbPerfCursor *self)
{
  const guint8 *end = memchr (self->at, 0, tb_perf_cursor_get_left (self));

  if (end == NULL)
    {
      self->failed = TRUE;
      self->at = self->end;
      return NULL;
    }
  return (const char *) tb_perf_cursor_take (self, end + 1 - self->at);
}

/* Reads a string with a length prefix, as in feature sections; (transfer full), valid UTF-8. */
static inline char *
tb_perf_cursor_read_string (TbPerfCursor *self)
{
  guint32 length = tb_perf_cursor_read_u32 (self);
  const guint8 *at = tb_perf_cursor_take (self, length);

  return at ? g_utf8_make_valid ((const char *) at, strnlen ((const char *) at, length)) : NULL;
}

G_END_DECLS
