/* tb-latency-code.h: the machine code of a function: where it calls others, and where that is best seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-image.h"

G_BEGIN_DECLS

/* A call, or a jump to another function. */
typedef struct
{
  guint64 address;
  guint64 target;  /* of a direct call; 0: read what the operand says when it is reached */
  guint32 operand; /* TB_CAPTURE_OPERAND */
  guint64 value;
  gboolean is_tail;
  guint length; /* of the instruction: behind it a call returns to */
  guint block;  /* the basic block that it lies in */
  guint64 end;  /* the point by which it is over, 0: where its function returns */
} TbLatencySite;

/* An instruction that gets a probe: it ends the call before it, and may begin another. */
typedef struct
{
  guint64 address;
  guint site;        /* G_MAXUINT: it only ends one */
  gint32 height;     /* of the stack since the entry, −1 not known */
  gboolean is_cheap; /* the kernel need not single-step it */
} TbLatencyPoint;

typedef struct
{
  GArray *sites;  /* TbLatencySite, in the order of the code */
  GArray *points; /* TbLatencyPoint, ascending */
  GArray *ends;   /* guint64: instructions by which it returns */
  GArray *
      edges; /* TbLatencyPoint: where it is seen to begin, then where to end, without single-stepping; none there are none */
  GArray *blocks; /* guint64: where basic blocks begin, ascending */
  guint n_blocks; /* that have calls */
  gboolean has_syscall;
  gboolean is_known; /* the machine's code could be read */
} TbLatencyCode;

/* Reads it; never NULL. */
TbLatencyCode *tb_latency_code_new (const TbLatencyImage *image, const TbLatencySymbol *symbol);
void tb_latency_code_free (TbLatencyCode *self);
/* Where a function is entered and its return address still is on top of the stack. */
guint64
tb_latency_code_find_entry (const TbLatencyImage *image, const TbLatencySymbol *symbol, gboolean *is_cheap);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyCode, tb_latency_code_free)

G_END_DECLS
