/* tb-events-csv-parser.h: parser of the plain-text event format: columns of the header; time and
 * CPU of each line (other cells: tb-events-csv-cells), its event added to the recorder; state of
 * the CPUs that later lines depend on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "tb-csv-reader.h"
#include "tb-events-csv-line.h"
#include "tb-events-csv-stacks.h"

G_BEGIN_DECLS

/* State of a CPU after the lines so far. */
typedef struct
{
  gint64 last;     /* time of its last line, -1 if none */
  gint64 previous; /* time of its last line before that time, -1 if none */
  guint depth;     /* number of open interrupts */
} TbEventsCsvCpu;

typedef struct
{
  TbRecorder *recorder;
  TbEventsCsvStacks *stacks;
  int columns[TB_CSV_MAX_CELLS]; /* TbEventsCsvColumn of each cell */
  guint n_columns;
  /* hash table from a kind's name to its position in the list, 0 if none */
  guint8 kinds[TB_EVENTS_CSV_N_SLOTS];
  gint64 first;
  gint64 time;  /* of the last line, -1 if none yet */
  GArray *cpus; /* TbEventsCsvCpu */
  GHashTable *devices;
  gboolean has_thread_switches;
  gboolean forks_have_process; /* a fork line contained the process */
  guint64 unused_cells;
} TbEventsCsvParser;

void tb_events_csv_parser_init (TbEventsCsvParser *self, TbRecorder *recorder);
void tb_events_csv_parser_clear (TbEventsCsvParser *self);
gboolean tb_events_csv_parser_read_header (TbEventsCsvParser *self,
                                           const TbCsvReader *reader,
                                           GError **error);
/* Adds the events of the record to the recorder. Errors contain what was expected, but not the line
 * number. */
gboolean
tb_events_csv_parser_read (TbEventsCsvParser *self, const TbCsvReader *reader, GError **error);
/* Converts the cells of the line according to its kind. */
gboolean
tb_events_csv_parser_read_cells (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error);
/* Returns NULL for TB_CPU_ALL. */
TbEventsCsvCpu *tb_events_csv_parser_get_cpu (TbEventsCsvParser *self, guint16 cpu);

G_END_DECLS
