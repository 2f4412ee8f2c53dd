/* tb-events-csv-line.h: one line of the plain-text event format: its kind, its cells, and what is wrong with them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-csv-cell.h"
#include "tb-events-csv-lines.h"

G_BEGIN_DECLS

#define TB_EVENTS_CSV_CELL(name) (1u << TB_EVENTS_CSV_##name)

typedef struct
{
  const char *name;
  TbEventKind event; /* TB_N_EVENT_KINDS: what only says more of others */
  guint required;    /* cells without which the line means nothing */
  guint used;        /* other cells that mean something */
} TbEventsCsvKind;

typedef struct
{
  TbCsvCell cells[TB_EVENTS_CSV_N_COLUMNS];
  const TbEventsCsvKind *kind;
  TbEvent event;
} TbEventsCsvLine;

extern const char *const tb_events_csv_column_names[TB_EVENTS_CSV_N_COLUMNS];

/* By the hash of their names; each once for all lines that are read with it. */
void tb_events_csv_kinds_init (guint8 slots[TB_EVENTS_CSV_N_SLOTS]);
/* Finds what the line tells of and sees that the cells it needs are there. */
gboolean tb_events_csv_line_parse_kind (TbEventsCsvLine *line, const guint8 *slots, GError **error);
/* Cells with a value that means nothing for the line's kind. */
guint tb_events_csv_line_count_unused (const TbEventsCsvLine *line);
/* cells: bits of TB_EVENTS_CSV_CELL () that must not be empty. */
gboolean tb_events_csv_line_require (const TbEventsCsvLine *line, guint cells, GError **error);

/* A whole number in [minimum, maximum]; where the cell is empty, *value stays as it is. */
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
/* A thread id; -1 says that the thread is not known. */
gboolean tb_events_csv_line_parse_thread (const TbEventsCsvLine *line,
                                          TbEventsCsvColumn column,
                                          gint64 *value,
                                          GError **error);

void tb_events_csv_set_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* What the line's kind makes of its cells. */
gboolean tb_events_csv_lines_read_cells (TbEventsCsvLines *self, TbEventsCsvLine *line, GError **error);
/* NULL for that of all cpus. */
TbEventsCsvCpu *tb_events_csv_lines_get_cpu (TbEventsCsvLines *self, guint16 cpu);

G_END_DECLS
