/* tb-events-csv-line.c: one line of the plain-text event format: table of the kinds of lines and
 * their cells, parsing of cells as numbers and threads, errors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-events-csv-line.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "extend/options/tb-option.h"

const char *const tb_events_csv_column_names[TB_EVENTS_CSV_N_COLUMNS] = {
  "time_ns", "cpu", "kind", "prev",  "prev_state", "next",  "waker",  "wakee",
  "vec",     "tid", "dev",  "bytes", "text",       "stack", "sector", "socket",
};

#define CELL(name) TB_EVENTS_CSV_CELL (name)

static const TbEventsCsvKind kinds[] = {
  { "call", TB_EVENT_CALL, CELL (TID) | CELL (TEXT), 0 },
  { "counter", TB_EVENT_COUNTER, CELL (PREV_STATE) | CELL (BYTES) | CELL (TEXT), CELL (TID) },
  { "device", TB_N_EVENT_KINDS, CELL (DEV) | CELL (TEXT), 0 },
  { "exec", TB_EVENT_EXEC, CELL (TID) | CELL (TEXT), 0 },
  { "exit", TB_EVENT_EXIT, CELL (TID), 0 },
  { "false_wakeup", TB_EVENT_FALSE_WAKEUP, CELL (TID), 0 },
  { "file_lock", TB_EVENT_FILE_LOCK, CELL (TID) | CELL (PREV_STATE) | CELL (TEXT),
    CELL (DEV) | CELL (SECTOR) | CELL (SOCKET) },
  { "fork", TB_EVENT_FORK, CELL (WAKER) | CELL (WAKEE), CELL (TID) },
  { "io_complete", TB_EVENT_IO_COMPLETE, CELL (DEV),
    CELL (TID) | CELL (BYTES) | CELL (SECTOR) | CELL (TEXT) | CELL (PREV_STATE) },
  { "io_insert", TB_EVENT_IO_INSERT, CELL (TID) | CELL (DEV) | CELL (BYTES),
    CELL (SECTOR) | CELL (TEXT) | CELL (PREV_STATE) },
  { "io_issue", TB_EVENT_IO_ISSUE, CELL (DEV),
    CELL (TID) | CELL (BYTES) | CELL (SECTOR) | CELL (TEXT) | CELL (PREV_STATE) },
  { "irq_entry", TB_EVENT_IRQ_ENTRY, CELL (CPU), CELL (DEV) | CELL (VEC) | CELL (TEXT) },
  { "irq_exit", TB_EVENT_IRQ_EXIT, CELL (CPU), CELL (DEV) | CELL (VEC) | CELL (TEXT) },
  { "lost", TB_EVENT_LOST, CELL (CPU) | CELL (BYTES), 0 },
  { "mark", TB_EVENT_MARK, CELL (TID) | CELL (TEXT), 0 },
  { "name", TB_EVENT_NAME, CELL (TID) | CELL (TEXT), CELL (WAKER) },
  { "net_accept", TB_EVENT_NET_ACCEPT, CELL (TID),
    CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "net_connect", TB_EVENT_NET_CONNECT, CELL (TID),
    CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "net_receive", TB_EVENT_NET_RECEIVE, CELL (TID),
    CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "net_send", TB_EVENT_NET_SEND, CELL (TID),
    CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "return", TB_EVENT_RETURN, CELL (TID) | CELL (TEXT), 0 },
  { "sample", TB_EVENT_SAMPLE, CELL (TID), CELL (BYTES) },
  { "sleep", TB_EVENT_SLEEP, CELL (TID) | CELL (PREV_STATE),
    CELL (DEV) | CELL (BYTES) | CELL (TEXT) | CELL (SECTOR) | CELL (SOCKET) | CELL (VEC) },
  { "softirq_entry", TB_EVENT_SOFTIRQ_ENTRY, CELL (CPU) | CELL (VEC), CELL (DEV) },
  { "softirq_exit", TB_EVENT_SOFTIRQ_EXIT, CELL (CPU) | CELL (VEC), CELL (DEV) },
  { "spin_begin", TB_EVENT_SPIN_BEGIN, CELL (TID), CELL (TEXT) },
  { "spin_end", TB_EVENT_SPIN_END, CELL (TID), CELL (WAKER) | CELL (TEXT) },
  { "switch", TB_EVENT_SWITCH, CELL (CPU) | CELL (PREV) | CELL (NEXT), CELL (PREV_STATE) },
  { "sys_enter", TB_EVENT_SYS_ENTER, CELL (TID) | CELL (TEXT), 0 },
  { "sys_exit", TB_EVENT_SYS_EXIT, CELL (TID), CELL (BYTES) | CELL (TEXT) },
  { "wakeup", TB_EVENT_WAKEUP, CELL (CPU) | CELL (WAKEE), CELL (WAKER) | CELL (TEXT) },
};

#define ALWAYS_USED (CELL (TIME) | CELL (CPU) | CELL (KIND) | CELL (STACK))

void
tb_events_csv_set_error (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT, format, arguments);
  va_end (arguments);
}

static guint
hash_kind (const char *name, guint length)
{
  return ((guint8) name[0] * 5u + (guint8) name[length - 1] * 3u + (guint8) name[length / 2]
          + length * 7u)
         % TB_EVENTS_CSV_N_SLOTS;
}

void
tb_events_csv_kinds_init (guint8 slots[TB_EVENTS_CSV_N_SLOTS])
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      guint slot = hash_kind (kinds[i].name, strlen (kinds[i].name));

      while (slots[slot] != 0)
        slot = (slot + 1) % TB_EVENTS_CSV_N_SLOTS;
      slots[slot] = i + 1;
    }
}

static const TbEventsCsvKind *
find_kind (const guint8 *slots, const TbCsvCell *cell)
{
  if (cell->length == 0)
    return NULL;
  for (guint slot = hash_kind (cell->text, cell->length); slots[slot] != 0;
       slot = (slot + 1) % TB_EVENTS_CSV_N_SLOTS)
    if (tb_csv_cell_equals (cell, kinds[slots[slot] - 1].name))
      return &kinds[slots[slot] - 1];
  return NULL;
}

gboolean
tb_events_csv_line_parse_kind (TbEventsCsvLine *line, const guint8 *slots, GError **error)
{
  line->kind = find_kind (slots, &line->cells[TB_EVENTS_CSV_KIND]);
  if (line->kind == NULL)
    {
      g_autofree char *found = tb_csv_cell_quote (&line->cells[TB_EVENTS_CSV_KIND]);
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", kinds[i].name);
      tb_events_csv_set_error (error, _ ("expected a kind of event (%s), found %s"), names->str,
                               found);
      return FALSE;
    }
  line->event.kind = line->kind->event;
  return tb_events_csv_line_require (line, line->kind->required, error);
}

guint
tb_events_csv_line_count_unused (const TbEventsCsvLine *line)
{
  guint known = line->kind->required | line->kind->used | ALWAYS_USED, unused = 0;

  for (guint column = 0; column < TB_EVENTS_CSV_N_COLUMNS; column++)
    unused += line->cells[column].length > 0 && (known & (1u << column)) == 0;
  return unused;
}

gboolean
tb_events_csv_line_parse_number (const TbEventsCsvLine *line,
                                 TbEventsCsvColumn column,
                                 gint64 minimum,
                                 gint64 maximum,
                                 gint64 *value,
                                 GError **error)
{
  const TbCsvCell *cell = &line->cells[column];
  gboolean negative = cell->length > 0 && cell->text[0] == '-';
  guint64 number;
  gint64 result;

  if (cell->length == 0)
    return TRUE;
  if (tb_csv_cell_parse (&(TbCsvCell) { cell->text + negative, cell->length - negative }, &number)
      && number <= (guint64) G_MAXINT64 + (negative ? 1 : 0))
    {
      result = negative ? (gint64) (0 - number) : (gint64) number;
      if (result >= minimum && result <= maximum)
        {
          *value = result;
          return TRUE;
        }
    }

  g_autofree char *found = tb_csv_cell_quote (cell);

  tb_events_csv_set_error (error,
                           _ ("expected a whole number from %" PRId64 " to %" PRId64
                              " in the cell “%s”, found %s"),
                           minimum, maximum, tb_events_csv_column_names[column], found);
  return FALSE;
}

gboolean
tb_events_csv_line_parse_unsigned (const TbEventsCsvLine *line,
                                   TbEventsCsvColumn column,
                                   guint64 *value,
                                   GError **error)
{
  const TbCsvCell *cell = &line->cells[column];

  if (cell->length == 0 || tb_csv_cell_parse (cell, value))
    return TRUE;

  g_autofree char *found = tb_csv_cell_quote (cell);

  tb_events_csv_set_error (
      error,
      _ ("expected a whole number from 0 to 18446744073709551615 in the cell “%s”, found %s"),
      tb_events_csv_column_names[column], found);
  return FALSE;
}

gboolean
tb_events_csv_line_parse_thread (const TbEventsCsvLine *line,
                                 TbEventsCsvColumn column,
                                 gint64 *value,
                                 GError **error)
{
  return tb_events_csv_line_parse_number (line, column, -1, G_MAXINT32, value, error);
}

gboolean
tb_events_csv_line_require (const TbEventsCsvLine *line, guint cells, GError **error)
{
  for (guint column = 0; column < TB_EVENTS_CSV_N_COLUMNS; column++)
    if ((cells & (1u << column)) != 0 && line->cells[column].length == 0)
      {
        if (line->kind != NULL)
          tb_events_csv_set_error (error, _ ("expected a value in the cell “%s”, which “%s” needs"),
                                   tb_events_csv_column_names[column], line->kind->name);
        else
          tb_events_csv_set_error (error,
                                   _ ("expected a value in the cell “%s”, which every line needs"),
                                   tb_events_csv_column_names[column]);
        return FALSE;
      }
  return TRUE;
}
