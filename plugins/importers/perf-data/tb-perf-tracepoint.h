/* tb-perf-tracepoint.h: what a tracepoint's record means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-event.h"
#include "tb-perf-format.h"
#include "tb-perf-import.h"

G_BEGIN_DECLS

#define TB_PERF_MAX_FIELDS 9

typedef struct _TbPerfTracepoint TbPerfTracepoint;

/* Completes the event (its time, cpu, task and chain are set) and adds it, if there is something to add. */
typedef void (*TbPerfHandler) (const TbPerfTracepoint *self,
                               TbPerfImport *import,
                               const guint8 *raw,
                               gsize size,
                               TbEvent *event);

/**
 * TbPerfTracepoint:
 * @fields: in the order in which the handler's description names them; %NULL where this kernel has no such field
 * @text: string of the recorder: interrupt, system call, function or mark
 *
 * A tracepoint whose fields were looked up once.
 */
struct _TbPerfTracepoint
{
  const TbPerfFormat *format;
  TbPerfHandler handler;
  const TbPerfField *fields[TB_PERF_MAX_FIELDS];
  const TbPerfField *irq_flags;
  TbPerfStates states;
  guint32 text;
  guint8 kind; /* TbEventKind */
  guint8 code;
};

/* An interrupt line and its handler's name. */
typedef struct
{
  char name[24];
  guint8 length;
  guint8 code; /* TbInterruptKind */
  guint32 text;
  guint32 device;
} TbPerfIrq;

/* Finds the meaning of every tracepoint of the file. */
void tb_perf_tracepoints_prepare (TbPerfImport *import);

static inline void
tb_perf_tracepoint_decode (const TbPerfTracepoint *self,
                           TbPerfImport *import,
                           const guint8 *raw,
                           gsize size,
                           TbEvent *event)
{
  self->handler (self, import, raw, size, event);
}

/* Of a field by its number in the handler's description. */
#define TB_PERF_NUMBER(tracepoint, field, raw, size, swap)                                                   \
  tb_perf_field_get_number ((tracepoint)->fields[field], raw, size, swap)

/* tb-perf-tracepoint-text.c: all fields as text, "pid=12 comm=sh"; kept until the next call. */
const char *tb_perf_tracepoint_format_fields (const TbPerfTracepoint *self,
                                              GString *text,
                                              const guint8 *raw,
                                              gsize size,
                                              gboolean swap);

/* tb-perf-kernel-events.c: scheduler, interrupts, block devices, system calls, probes. NULL if it is none of them. */
TbPerfTracepoint *tb_perf_tracepoint_new_known (TbPerfImport *import, const TbPerfFormat *format);

/* Fills in the fields that names (NULL-terminated, or TB_PERF_MAX_FIELDS of them) lists. */
TbPerfTracepoint *tb_perf_tracepoint_new (const TbPerfFormat *format,
                                          TbPerfHandler handler,
                                          const char *const *names,
                                          guint8 kind,
                                          guint8 code);

G_END_DECLS
