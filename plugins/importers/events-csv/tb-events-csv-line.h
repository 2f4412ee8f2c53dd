/* tb-events-csv-line.h: one line of the plain-text event format: columns, kind of the line, its
 * cells as numbers and threads, their errors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "tb-csv-cell.h"

G_BEGIN_DECLS

#define TB_EVENTS_CSV_N_SLOTS 64u

typedef enum
{
  TB_EVENTS_CSV_TIME,
  TB_EVENTS_CSV_CPU,
  TB_EVENTS_CSV_KIND,
  TB_EVENTS_CSV_PREV,
  TB_EVENTS_CSV_PREV_STATE,
  TB_EVENTS_CSV_NEXT,
  TB_EVENTS_CSV_WAKER,
  TB_EVENTS_CSV_WAKEE,
  TB_EVENTS_CSV_VEC,
  TB_EVENTS_CSV_TID,
  TB_EVENTS_CSV_DEV,
  TB_EVENTS_CSV_BYTES,
  TB_EVENTS_CSV_N_REQUIRED,
  TB_EVENTS_CSV_TEXT = TB_EVENTS_CSV_N_REQUIRED,
  TB_EVENTS_CSV_STACK,
  TB_EVENTS_CSV_SECTOR,
  TB_EVENTS_CSV_SOCKET,
  TB_EVENTS_CSV_N_COLUMNS,
} TbEventsCsvColumn;

#define TB_EVENTS_CSV_CELL(name) (1u << TB_EVENTS_CSV_##name)

typedef struct
{
  const char *name;
  TbEventKind event; /* TB_N_EVENT_KINDS: the line is no event but has data for others */
  guint required;    /* cells that must not be empty */
  guint used;        /* other cells that are used */
} TbEventsCsvKind;

typedef struct
{
  TbCsvCell cells[TB_EVENTS_CSV_N_COLUMNS];
  const TbEventsCsvKind *kind;
  TbEvent event;
} TbEventsCsvLine;

extern const char *const tb_events_csv_column_names[TB_EVENTS_CSV_N_COLUMNS];

/* Fills a hash table of the kinds by name. It is used for all lines of a file. */
void tb_events_csv_kinds_init (guint8 slots[TB_EVENTS_CSV_N_SLOTS]);
/* Finds the kind of the line and checks that its required cells are not empty. */
gboolean tb_events_csv_line_parse_kind (TbEventsCsvLine *line, const guint8 *slots, GError **error);
/* Number of cells that have a value but are not used by the line's kind. */
guint tb_events_csv_line_count_unused (const TbEventsCsvLine *line);
/* cells is a bit mask of TB_EVENTS_CSV_CELL (). Returns FALSE if any of them is empty. */
gboolean tb_events_csv_line_require (const TbEventsCsvLine *line, guint cells, GError **error);

/* Parses an integer in [minimum, maximum]. If the cell is empty, *value is unchanged. */
gboolean tb_events_csv_line_parse_number (const TbEventsCsvLine *line,
                                          TbEventsCsvColumn column,
                                          gint64 minimum,
                                          gint64 maximum,
                                          gint64 *value,
                                          GError **error);
gboolean tb_events_csv_line_parse_unsigned (const TbEventsCsvLine *line,
                                            TbEventsCsvColumn column,
                                            guint64 *value,
                                            GError **error);
/* Parses a thread id; −1 is an unknown thread. */
gboolean tb_events_csv_line_parse_thread (const TbEventsCsvLine *line,
                                          TbEventsCsvColumn column,
                                          gint64 *value,
                                          GError **error);

void tb_events_csv_set_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
