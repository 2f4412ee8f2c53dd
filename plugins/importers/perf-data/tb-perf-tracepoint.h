/* tb-perf-tracepoint.h: set-up of each tracepoint of a perf.data file: function that converts its
 * records (from tb-perf-kernel-events, tb-perf-network or tb-perf-file-locks) and fields that it
 * reads; records of all others become marks with their fields as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/schema/tb-event.h"
#include "tb-perf-tracepoint-format.h"
#include "tb-perf-import.h"

G_BEGIN_DECLS

#define TB_PERF_MAX_FIELDS 9

typedef struct _TbPerfTracepoint TbPerfTracepoint;

/* Completes the event and adds it if appropriate. Its time, CPU, task and chain are already set. */
typedef void (*TbPerfHandler) (const TbPerfTracepoint *self,
                               TbPerfImport *import,
                               const guint8 *raw,
                               gsize size,
                               TbEvent *event);

/**
 * TbPerfTracepoint:
 * @fields: fields in the order of the handler's list of names; %NULL if this kernel has no such
 * field
 * @task: the ID on the host of the thread
 * @text: string of the recorder: interrupt, system call, function or mark
 *
 * A tracepoint and its fields, which are looked up once.
 */
struct _TbPerfTracepoint
{
  const TbPerfFormat *format;
  TbPerfHandler handler;
  const TbPerfField *fields[TB_PERF_MAX_FIELDS];
  const TbPerfField *irq_flags;
  const TbPerfField *task;
  TbPerfStates states;
  guint32 text;
  guint8 kind; /* TbEventKind */
  guint8 code;
  gboolean is_switch;
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

/* Handler of tracepoints that no table has columns for: adds a mark. */
void tb_perf_tracepoint_add_mark (const TbPerfTracepoint *self,
                                  TbPerfImport *import,
                                  const guint8 *raw,
                                  gsize size,
                                  TbEvent *event);

/* Finds the handlers of all tracepoints of the file. */
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

/* Number in a field; field is its index in the handler's list of names. */
#define TB_PERF_NUMBER(tracepoint, field, raw, size, swap)                                         \
  tb_perf_field_get_number ((tracepoint)->fields[field], raw, size, swap)

/* Formats all fields as text, "pid=12 comm=sh", in the given string; valid until the next call. */
const char *tb_perf_tracepoint_format_fields (const TbPerfTracepoint *self,
                                              GString *text,
                                              const guint8 *raw,
                                              gsize size,
                                              gboolean swap);

/* tb-perf-kernel-events.c: scheduler, interrupts, block devices, system calls, probes. Returns NULL
 * for other tracepoints. */
TbPerfTracepoint *tb_perf_tracepoint_new_known (TbPerfImport *import, const TbPerfFormat *format);

/* Stores that the recording has the returns of a probed function, if it is a probe at them. */
void tb_perf_tracepoint_note_return (TbPerfImport *import, const TbPerfFormat *format);

/* Reads the ID on the host of the thread that the CPU switches to, and whether the other one ends.
 * Returns FALSE for other tracepoints than sched_switch. */
gboolean tb_perf_tracepoint_read_switch (const TbPerfTracepoint *self,
                                         TbPerfImport *import,
                                         const guint8 *raw,
                                         gsize size,
                                         gint32 *next,
                                         gboolean *ends);

/* Looks up the fields in names (NULL-terminated, or TB_PERF_MAX_FIELDS of them). */
TbPerfTracepoint *tb_perf_tracepoint_new (const TbPerfFormat *format,
                                          TbPerfHandler handler,
                                          const char *const *names,
                                          guint8 kind,
                                          guint8 code);

G_END_DECLS
