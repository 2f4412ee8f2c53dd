/* tb-event-columns.h: many events as columns of values, which a recorder takes at once
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"

G_BEGIN_DECLS

/**
 * TbEventColumn:
 * @TB_EVENT_COLUMN_TIME: signed 64-bit integers, ns
 * @TB_EVENT_COLUMN_KIND: bytes, TbEventKind
 * @TB_EVENT_COLUMN_CODE: bytes
 * @TB_EVENT_COLUMN_FLAGS: bytes
 * @TB_EVENT_COLUMN_HOST: bytes
 * @TB_EVENT_COLUMN_CPU: unsigned 16-bit integers
 * @TB_EVENT_COLUMN_TID: signed 32-bit integers; −1: unknown
 * @TB_EVENT_COLUMN_PID: signed 32-bit integers; −1: unknown
 * @TB_EVENT_COLUMN_STACK: unsigned 32-bit integers, stacks of the recorder
 * @TB_EVENT_COLUMN_TEXT: unsigned 32-bit integers, strings of the recorder
 * @TB_EVENT_COLUMN_TEXT2: likewise
 * @TB_EVENT_COLUMN_TEXT3: likewise
 * @TB_EVENT_COLUMN_A: unsigned 64-bit integers
 * @TB_EVENT_COLUMN_B: unsigned 64-bit integers
 * @TB_EVENT_COLUMN_C: unsigned 64-bit integers
 * @TB_EVENT_COLUMN_MODULE: unsigned 32-bit integers
 * @TB_EVENT_COLUMN_DEVICE: unsigned 32-bit integers
 * @TB_EVENT_COLUMN_ARG0: unsigned 64-bit integers, the first argument of a system call
 * @TB_EVENT_COLUMN_ARG1: likewise
 * @TB_EVENT_COLUMN_ARG2: likewise
 * @TB_EVENT_COLUMN_ARG3: likewise
 * @TB_EVENT_COLUMN_ARG4: likewise
 * @TB_EVENT_COLUMN_ARG5: likewise
 *
 * A column of events: the values of one field of [struct@Event], or of one of its arguments.
 * #TbEventKind states which fields an event of a kind uses, and for what. Of a whole system call
 * (%TB_EVENT_WHOLE_SYSCALL), a is the result and b the time of the entry.
 */
typedef enum
{
  TB_EVENT_COLUMN_TIME,
  TB_EVENT_COLUMN_KIND,
  TB_EVENT_COLUMN_CODE,
  TB_EVENT_COLUMN_FLAGS,
  TB_EVENT_COLUMN_HOST,
  TB_EVENT_COLUMN_CPU,
  TB_EVENT_COLUMN_TID,
  TB_EVENT_COLUMN_PID,
  TB_EVENT_COLUMN_STACK,
  TB_EVENT_COLUMN_TEXT,
  TB_EVENT_COLUMN_TEXT2,
  TB_EVENT_COLUMN_TEXT3,
  TB_EVENT_COLUMN_A,
  TB_EVENT_COLUMN_B,
  TB_EVENT_COLUMN_C,
  TB_EVENT_COLUMN_MODULE,
  TB_EVENT_COLUMN_DEVICE,
  TB_EVENT_COLUMN_ARG0,
  TB_EVENT_COLUMN_ARG1,
  TB_EVENT_COLUMN_ARG2,
  TB_EVENT_COLUMN_ARG3,
  TB_EVENT_COLUMN_ARG4,
  TB_EVENT_COLUMN_ARG5,
} TbEventColumn;

/**
 * TB_N_EVENT_COLUMNS:
 *
 * Number of the values of [enum@Tailback.EventColumn].
 */
#define TB_N_EVENT_COLUMNS (TB_EVENT_COLUMN_ARG5 + 1)

#define TB_TYPE_EVENT_COLUMNS (tb_event_columns_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbEventColumns, tb_event_columns, TB, EVENT_COLUMNS, GObject)

TB_EXPORT TbEventColumns *tb_event_columns_new (TbEventKind kind);
TB_EXPORT gsize tb_event_column_get_size (TbEventColumn column);
TB_EXPORT void tb_event_columns_set (TbEventColumns *self, TbEventColumn column, GBytes *values);
TB_EXPORT void
tb_event_columns_set_constant (TbEventColumns *self, TbEventColumn column, gint64 value);
TB_EXPORT void
tb_event_columns_set_chains (TbEventColumns *self, GBytes *addresses, GBytes *lengths);
TB_EXPORT gboolean tb_recorder_add_columns (TbRecorder *self,
                                            TbEventColumns *columns,
                                            GError **error);

G_END_DECLS
