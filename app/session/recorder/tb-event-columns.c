/* tb-event-columns.c: many events as columns of values, which a recorder takes at once
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/recorder/tb-event-columns.h"
#include "session/recorder/tb-recorder-private.h"

#define ARGUMENTS (TB_EVENT_COLUMN_ARG5 - TB_EVENT_COLUMN_ARG0 + 1)

/**
 * TbEventColumns:
 *
 * Events as columns: for languages in which a call for each event takes long. The values of a
 * column stand one after the other, in the byte order of the machine. A column that is not set is 0
 * for all events, except the TID and the PID, which are −1: unknown.
 */
struct _TbEventColumns
{
  GObject parent_instance;

  GBytes *values[TB_N_EVENT_COLUMNS];
  gint64 constants[TB_N_EVENT_COLUMNS];
  gboolean has_args;
  GBytes *addresses; /* of all chains; NULL: no event has one */
  GBytes *lengths;   /* guint16 by event */
};

G_DEFINE_FINAL_TYPE (TbEventColumns, tb_event_columns, G_TYPE_OBJECT)

typedef struct
{
  const char *name;
  guint8 size;
  gboolean is_signed;
} Layout;

static const Layout layouts[TB_N_EVENT_COLUMNS] = {
  [TB_EVENT_COLUMN_TIME] = { "time", 8, TRUE },
  [TB_EVENT_COLUMN_KIND] = { "kind", 1, FALSE },
  [TB_EVENT_COLUMN_CODE] = { "code", 1, FALSE },
  [TB_EVENT_COLUMN_FLAGS] = { "flags", 1, FALSE },
  [TB_EVENT_COLUMN_HOST] = { "host", 1, FALSE },
  [TB_EVENT_COLUMN_CPU] = { "cpu", 2, FALSE },
  [TB_EVENT_COLUMN_TID] = { "tid", 4, TRUE },
  [TB_EVENT_COLUMN_PID] = { "pid", 4, TRUE },
  [TB_EVENT_COLUMN_STACK] = { "stack", 4, FALSE },
  [TB_EVENT_COLUMN_TEXT] = { "text", 4, FALSE },
  [TB_EVENT_COLUMN_TEXT2] = { "text2", 4, FALSE },
  [TB_EVENT_COLUMN_TEXT3] = { "text3", 4, FALSE },
  [TB_EVENT_COLUMN_A] = { "a", 8, FALSE },
  [TB_EVENT_COLUMN_B] = { "b", 8, FALSE },
  [TB_EVENT_COLUMN_C] = { "c", 8, FALSE },
  [TB_EVENT_COLUMN_MODULE] = { "module", 4, FALSE },
  [TB_EVENT_COLUMN_DEVICE] = { "device", 4, FALSE },
  [TB_EVENT_COLUMN_ARG0] = { "arg0", 8, FALSE },
  [TB_EVENT_COLUMN_ARG1] = { "arg1", 8, FALSE },
  [TB_EVENT_COLUMN_ARG2] = { "arg2", 8, FALSE },
  [TB_EVENT_COLUMN_ARG3] = { "arg3", 8, FALSE },
  [TB_EVENT_COLUMN_ARG4] = { "arg4", 8, FALSE },
  [TB_EVENT_COLUMN_ARG5] = { "arg5", 8, FALSE },
};

static void
tb_event_columns_finalize (GObject *object)
{
  TbEventColumns *self = TB_EVENT_COLUMNS (object);

  for (guint i = 0; i < TB_N_EVENT_COLUMNS; i++)
    g_clear_pointer (&self->values[i], g_bytes_unref);
  g_clear_pointer (&self->addresses, g_bytes_unref);
  g_clear_pointer (&self->lengths, g_bytes_unref);
  G_OBJECT_CLASS (tb_event_columns_parent_class)->finalize (object);
}

static void
tb_event_columns_class_init (TbEventColumnsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_event_columns_finalize;
}

static void
tb_event_columns_init (TbEventColumns *self)
{
  self->constants[TB_EVENT_COLUMN_TID] = -1;
  self->constants[TB_EVENT_COLUMN_PID] = -1;
}

/**
 * tb_event_columns_new:
 * @kind: kind of the events, unless %TB_EVENT_COLUMN_KIND is set
 *
 * Creates columns for many events, which a recorder takes at once.
 *
 * Returns: (transfer full): columns of no events
 */
TbEventColumns *
tb_event_columns_new (TbEventKind kind)
{
  TbEventColumns *self = g_object_new (TB_TYPE_EVENT_COLUMNS, NULL);

  self->constants[TB_EVENT_COLUMN_KIND] = kind;
  return self;
}

/**
 * tb_event_column_get_size:
 * @column: a column
 *
 * Gets the size of a value of a column.
 *
 * Returns: the size of a value in bytes
 */
gsize
tb_event_column_get_size (TbEventColumn column)
{
  g_return_val_if_fail ((guint) column < TB_N_EVENT_COLUMNS, 1);

  return layouts[column].size;
}

/**
 * tb_event_columns_set:
 * @self: columns
 * @column: a column
 * @values: its values, one for each event
 *
 * Sets the values of a column; no copy is made.
 */
void
tb_event_columns_set (TbEventColumns *self, TbEventColumn column, GBytes *values)
{
  g_return_if_fail (TB_IS_EVENT_COLUMNS (self));
  g_return_if_fail ((guint) column < TB_N_EVENT_COLUMNS);
  g_return_if_fail (values != NULL);

  g_bytes_ref (values);
  g_clear_pointer (&self->values[column], g_bytes_unref);
  self->values[column] = values;
  self->has_args |= column >= TB_EVENT_COLUMN_ARG0;
}

/**
 * tb_event_columns_set_constant:
 * @self: columns
 * @column: a column
 * @value: the value of all events
 *
 * Sets a column in which all values are the same.
 */
void
tb_event_columns_set_constant (TbEventColumns *self, TbEventColumn column, gint64 value)
{
  g_return_if_fail (TB_IS_EVENT_COLUMNS (self));
  g_return_if_fail ((guint) column < TB_N_EVENT_COLUMNS);

  g_clear_pointer (&self->values[column], g_bytes_unref);
  self->constants[column] = value;
  self->has_args |= column >= TB_EVENT_COLUMN_ARG0;
}

/**
 * tb_event_columns_set_chains:
 * @self: columns
 * @addresses: the call chains of all events, one after the other: unsigned 64-bit integers in the
 *   format of the kernel, innermost first
 * @lengths: the length of the chain of each event, at most 4096: unsigned 16-bit integers
 *
 * Gives the events call chains of addresses, instead of their stacks. An event with a chain of
 * length 0 has its stack.
 */
void
tb_event_columns_set_chains (TbEventColumns *self, GBytes *addresses, GBytes *lengths)
{
  g_return_if_fail (TB_IS_EVENT_COLUMNS (self));
  g_return_if_fail (addresses != NULL && lengths != NULL);

  g_bytes_ref (addresses);
  g_bytes_ref (lengths);
  g_clear_pointer (&self->addresses, g_bytes_unref);
  g_clear_pointer (&self->lengths, g_bytes_unref);
  self->addresses = addresses;
  self->lengths = lengths;
}

static guint16
get_length (const guint8 *lengths, gsize i)
{
  guint16 length;

  memcpy (&length, lengths + i * sizeof length, sizeof length);
  return length;
}

static gboolean
check_chains (TbEventColumns *self, gsize n, GError **error)
{
  gsize n_lengths, n_addresses, sum = 0;
  const guint8 *lengths;
  gboolean fit;

  if (self->lengths == NULL)
    return TRUE;
  lengths = g_bytes_get_data (self->lengths, &n_lengths);
  n_addresses = g_bytes_get_size (self->addresses);
  fit = n_lengths == n * sizeof (guint16);
  for (gsize i = 0; fit && i < n; i++)
    {
      sum += get_length (lengths, i);
      fit = get_length (lengths, i) <= TB_RECORDER_CHAIN_MAX;
    }
  if (fit && n_addresses == sum * sizeof (guint64))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("The call chains have %zu bytes of lengths and %zu bytes of addresses, but %zu "
                  "times need a length of 2 bytes each, at most %u, and all addresses of 8 bytes"),
               n_lengths, n_addresses, n, TB_RECORDER_CHAIN_MAX);
  return FALSE;
}

/* All columns have one value for each time. */
static gboolean
check_lengths (TbEventColumns *self, gsize *n, GError **error)
{
  GBytes *times = self->values[TB_EVENT_COLUMN_TIME];

  *n = times != NULL ? g_bytes_get_size (times) / layouts[TB_EVENT_COLUMN_TIME].size : 0;
  for (guint i = 0; i < TB_N_EVENT_COLUMNS; i++)
    if (self->values[i] != NULL && g_bytes_get_size (self->values[i]) != *n * layouts[i].size)
      {
        g_set_error (
            error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
            _ ("The column “%s” has %zu bytes, but %zu times need %zu bytes of values with "
               "%u bytes each"),
            layouts[i].name, g_bytes_get_size (self->values[i]), *n, *n * layouts[i].size,
            layouts[i].size);
        return FALSE;
      }
  return TRUE;
}

/* Values need not be aligned. */
static inline gint64
get_value (const guint8 *values, gsize i, Layout layout)
{
  union
  {
    guint8 u8;
    guint16 u16;
    guint32 u32;
    gint32 i32;
    gint64 i64;
  } value;

  memcpy (&value, values + i * layout.size, layout.size);
  switch (layout.size)
    {
    case 1:
      return value.u8;
    case 2:
      return value.u16;
    case 4:
      return layout.is_signed ? value.i32 : (gint64) value.u32;
    default:
      return value.i64;
    }
}

typedef struct
{
  const guint8 *values[TB_N_EVENT_COLUMNS];
  gint64 row[TB_N_EVENT_COLUMNS]; /* constants, and values of the current event */
  const guint8 *addresses;        /* of the current event and all later ones */
  const guint8 *lengths;          /* NULL: no event has a chain */
} Reader;

static void
read_event (Reader *reader, gsize i, TbEvent *event)
{
  gint64 *row = reader->row;

  for (guint column = 0; column < TB_N_EVENT_COLUMNS; column++)
    if (reader->values[column] != NULL)
      row[column] = get_value (reader->values[column], i, layouts[column]);
  event->time = row[TB_EVENT_COLUMN_TIME];
  event->kind = (guint8) row[TB_EVENT_COLUMN_KIND];
  event->code = (guint8) row[TB_EVENT_COLUMN_CODE];
  event->flags = (guint8) row[TB_EVENT_COLUMN_FLAGS];
  event->host = (guint8) row[TB_EVENT_COLUMN_HOST];
  event->cpu = (guint16) row[TB_EVENT_COLUMN_CPU];
  event->tid = (gint32) row[TB_EVENT_COLUMN_TID];
  event->pid = (gint32) row[TB_EVENT_COLUMN_PID];
  event->stack = (guint32) row[TB_EVENT_COLUMN_STACK];
  event->text = (guint32) row[TB_EVENT_COLUMN_TEXT];
  event->text2 = (guint32) row[TB_EVENT_COLUMN_TEXT2];
  event->text3 = (guint32) row[TB_EVENT_COLUMN_TEXT3];
  event->a = (guint64) row[TB_EVENT_COLUMN_A];
  event->b = (guint64) row[TB_EVENT_COLUMN_B];
  event->c = (guint64) row[TB_EVENT_COLUMN_C];
  event->module = (guint32) row[TB_EVENT_COLUMN_MODULE];
  event->device = (guint32) row[TB_EVENT_COLUMN_DEVICE];
}

/* A whole system call has its times and its result in the array of the arguments. */
static void
add_args (TbRecorder *self, const Reader *reader, TbEvent *event)
{
  gboolean whole = event->kind == TB_EVENT_WHOLE_SYSCALL;
  guint64 *args
      = tb_recorder_keep_words (self, event->time, whole ? TB_WHOLE_SYSCALL_WORDS : ARGUMENTS);

  for (guint i = 0; i < ARGUMENTS; i++)
    args[i] = (guint64) reader->row[TB_EVENT_COLUMN_ARG0 + i];
  if (whole)
    {
      args[TB_WHOLE_SYSCALL_ENTER] = event->b;
      args[TB_WHOLE_SYSCALL_RESULT] = event->a;
    }
  event->args = args;
}

static void
add_chain (TbRecorder *self, Reader *reader, gsize i, TbEvent *event)
{
  guint16 length = get_length (reader->lengths, i);
  guint64 *chain;

  if (length == 0)
    return;
  chain = tb_recorder_keep_words (self, event->time, length);
  memcpy (chain, reader->addresses, length * sizeof *chain);
  reader->addresses += length * sizeof *chain;
  event->chain = chain;
  event->n_chain = length;
}

static void
start_reader (TbEventColumns *columns, Reader *reader)
{
  for (guint i = 0; i < TB_N_EVENT_COLUMNS; i++)
    {
      reader->row[i] = columns->constants[i];
      if (columns->values[i] != NULL)
        reader->values[i] = g_bytes_get_data (columns->values[i], NULL);
    }
  if (columns->lengths != NULL)
    {
      reader->lengths = g_bytes_get_data (columns->lengths, NULL);
      reader->addresses = g_bytes_get_data (columns->addresses, NULL);
    }
}

/* Without the column, all calls would begin at time 0. */
static gboolean
check_kind (TbEventColumns *self, const TbEvent *event, GError **error)
{
  if (event->kind != TB_EVENT_WHOLE_SYSCALL || self->values[TB_EVENT_COLUMN_B] != NULL
      || self->constants[TB_EVENT_COLUMN_B] != 0)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       _ ("Whole system calls need the column “b”: the times of their entries"));
  return FALSE;
}

/**
 * tb_recorder_add_columns:
 * @self: a recorder
 * @columns: events
 * @error: return location
 *
 * Adds events as [method@Recorder.add] does, in their order.
 *
 * Returns: %TRUE; %FALSE if the columns have different numbers of values, or a column is missing
 */
gboolean
tb_recorder_add_columns (TbRecorder *self, TbEventColumns *columns, GError **error)
{
  Reader reader = { 0 };
  gsize n;

  g_return_val_if_fail (TB_IS_RECORDER (self), FALSE);
  g_return_val_if_fail (TB_IS_EVENT_COLUMNS (columns), FALSE);

  if (!check_lengths (columns, &n, error) || !check_chains (columns, n, error))
    return FALSE;
  start_reader (columns, &reader);
  for (gsize i = 0; i < n; i++)
    {
      TbEvent event = { 0 };

      read_event (&reader, i, &event);
      if (!check_kind (columns, &event, error))
        return FALSE;
      if (columns->has_args || event.kind == TB_EVENT_WHOLE_SYSCALL)
        add_args (self, &reader, &event);
      if (reader.lengths != NULL)
        add_chain (self, &reader, i, &event);
      tb_recorder_add (self, &event);
    }
  return TRUE;
}
