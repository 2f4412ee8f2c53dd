/* tb-latency-code.h: analysis of the machine code of a function to be probed: its basic blocks, its
 * call sites, the best locations for their probes, and those for its beginning and end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-image.h"
#include "tb-latency-call-operand.h"

G_BEGIN_DECLS

/* An instruction with a probe. It ends the call before it, and may begin another. */
typedef struct
{
  guint64 address;
  guint site;        /* G_MAXUINT: it only ends one */
  gint32 height;     /* of the stack since the entry, −1: unknown */
  gboolean is_cheap; /* the kernel does not single-step it */
} TbLatencyPoint;

typedef struct
{
  GArray *sites;  /* TbLatencySite, in code order */
  GArray *points; /* TbLatencyPoint, ascending */
  GArray *ends;   /* guint64: addresses of return instructions */
  /* TbLatencyPoint: the beginning, then the ends, none of them single-stepped; may be empty */
  GArray *entry_exit;
  GArray *blocks; /* guint64: start addresses of basic blocks, ascending */
  guint n_blocks; /* blocks that contain calls */
  gboolean has_syscall;
  gboolean is_known; /* the code could be disassembled */
} TbLatencyCode;

/* Disassembles the function; never NULL. */
TbLatencyCode *tb_latency_code_new (const TbLatencyImage *image, const TbLatencySymbol *symbol);
void tb_latency_code_free (TbLatencyCode *self);
/* Where a function's entry can be probed while its return address is still on top of the stack. */
guint64 tb_latency_code_find_entry (const TbLatencyImage *image,
                                    const TbLatencySymbol *symbol,
                                    gboolean *is_cheap);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyCode, tb_latency_code_free)

G_END_DECLS
