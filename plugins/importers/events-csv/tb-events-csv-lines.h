/* tb-events-csv-lines.h: lines of the plain-text event format to events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-recorder.h"
#include "tb-csv-reader.h"
#include "tb-events-csv-stacks.h"

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

/* What the file has told of a cpu so far. */
typedef struct
{
  gint64 last;    /* its last line */
  gint64 earlier; /* its last line at an earlier time than that; -1 none, like last */
  guint depth;    /* interrupts that are open */
} TbEventsCsvCpu;

typedef struct
{
  TbRecorder *recorder;
  TbEventsCsvStacks *stacks;
  int columns[TB_CSV_MAX_CELLS]; /* which TbEventsCsvColumn a cell is */
  guint n_columns;
  guint8 kinds[TB_EVENTS_CSV_N_SLOTS]; /* hash of a kind's name to its place in the list, 0 none */
  gint64 first;
  gint64 time;  /* of the last line, -1 none yet */
  GArray *cpus; /* TbEventsCsvCpu */
  GHashTable *devices;
  gboolean forks_tell; /* a fork's line named the process */
  guint64 unused_cells;
} TbEventsCsvLines;

void tb_events_csv_lines_init (TbEventsCsvLines *self, TbRecorder *recorder);
void tb_events_csv_lines_clear (TbEventsCsvLines *self);
gboolean tb_events_csv_lines_read_header (TbEventsCsvLines *self, const TbCsvReader *reader, GError **error);
/* Hands the events of the record to the recorder. Errors say what was expected, not where. */
gboolean tb_events_csv_lines_read (TbEventsCsvLines *self, const TbCsvReader *reader, GError **error);

G_END_DECLS
