/* tb-perf-inflate.c: decompression of the zstd-compressed records of a perf.data file, and memory
 * for them until their time has passed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-inflate.h"

#include <string.h>
#include <zstd.h>

/* The compressed records are parts of one zstd stream. Its content is split at any position, also
 * inside records. It is decompressed into large blocks; only a record that spans two blocks is
 * copied. */

#define BLOCK_SIZE ((gsize) 1 << 20)
#define LARGEST_RECORD ((gsize) 1 << 16)

typedef struct _Block Block;

struct _Block
{
  Block *next;
  gint64 latest;
  gsize filled;
  gsize consumed;
  guint8 *bytes; /* aligned as by malloc */
};

struct _TbPerfInflate
{
  ZSTD_DCtx *context;
  ZSTD_inBuffer input;
  Block *first;
  Block *last;
  gsize n_blocks;
};

static void
block_free (Block *block)
{
  g_free (block->bytes);
  g_free (block);
}

TbPerfInflate *
tb_perf_inflate_new (void)
{
  TbPerfInflate *self = g_new0 (TbPerfInflate, 1);

  self->context = ZSTD_createDCtx ();
  return self;
}

void
tb_perf_inflate_free (TbPerfInflate *self)
{
  while (self->first != NULL)
    {
      Block *block = self->first;

      self->first = block->next;
      block_free (block);
    }
  ZSTD_freeDCtx (self->context);
  g_free (self);
}

void
tb_perf_inflate_restart (TbPerfInflate *self)
{
  ZSTD_DCtx_reset (self->context, ZSTD_reset_session_only);
  if (self->last != NULL)
    self->last->consumed = self->last->filled;
}

void
tb_perf_inflate_feed (TbPerfInflate *self, const guint8 *at, gsize size)
{
  self->input = (ZSTD_inBuffer) { at, size, 0 };
}

static Block *
add_block (TbPerfInflate *self)
{
  Block *before = self->last;
  Block *block = g_new0 (Block, 1);

  block->bytes = g_malloc (BLOCK_SIZE);
  block->latest = G_MININT64;
  if (before != NULL)
    {
      block->filled = before->filled - before->consumed;
      memcpy (block->bytes, before->bytes + before->consumed, block->filled);
      before->next = block;
    }
  else
    self->first = block;
  self->last = block;
  self->n_blocks++;
  return block;
}

gboolean
tb_perf_inflate_next (TbPerfInflate *self, const guint8 **from, gsize *size, gboolean *failed)
{
  Block *block = self->last;
  ZSTD_outBuffer output;
  gsize status, filled, used;

  *failed = FALSE;
  if (block == NULL || BLOCK_SIZE - block->filled < LARGEST_RECORD)
    block = add_block (self);
  output = (ZSTD_outBuffer) { block->bytes, BLOCK_SIZE, block->filled };
  filled = block->filled;
  used = self->input.pos;
  status = ZSTD_decompressStream (self->context, &output, &self->input);
  if (ZSTD_isError (status))
    {
      *failed = TRUE;
      ZSTD_DCtx_reset (self->context, ZSTD_reset_session_only);
      self->input.pos = self->input.size;
      return FALSE;
    }
  block->filled = output.pos;
  if (block->filled == filled && (self->input.pos == self->input.size || self->input.pos == used))
    return FALSE;
  *from = block->bytes + block->consumed;
  *size = block->filled - block->consumed;
  return TRUE;
}

void
tb_perf_inflate_consume (TbPerfInflate *self, gsize consumed, gint64 latest)
{
  self->last->consumed += consumed;
  self->last->latest = MAX (self->last->latest, latest);
}

void
tb_perf_inflate_advance (TbPerfInflate *self, gint64 time)
{
  while (self->first != self->last && self->first->latest < time)
    {
      Block *block = self->first;

      self->first = block->next;
      self->n_blocks--;
      block_free (block);
    }
}

gsize
tb_perf_inflate_get_size (const TbPerfInflate *self)
{
  return self->n_blocks * BLOCK_SIZE;
}

gsize
tb_perf_inflate_get_left (const TbPerfInflate *self)
{
  return self->last ? self->last->filled - self->last->consumed : 0;
}
