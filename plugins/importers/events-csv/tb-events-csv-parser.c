/* tb-events-csv-parser.c: parser of the plain-text event format: columns of the header; time and
 * CPU of each line (other cells: tb-events-csv-cells), its event added to the recorder; state of
 * the CPUs that later lines depend on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-events-csv-parser.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#define MAX_TIME (G_GINT64_CONSTANT (1) << 62) /* 146 years */

void
tb_events_csv_parser_init (TbEventsCsvParser *self, TbRecorder *recorder)
{
  *self = (TbEventsCsvParser) { .recorder = recorder, .first = -1, .time = -1 };
  self->stacks = tb_events_csv_stacks_new (recorder);
  self->cpus = g_array_new (FALSE, TRUE, sizeof (TbEventsCsvCpu));
  self->devices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  tb_events_csv_kinds_init (self->kinds);
}

void
tb_events_csv_parser_clear (TbEventsCsvParser *self)
{
  g_clear_pointer (&self->stacks, tb_events_csv_stacks_free);
  g_clear_pointer (&self->cpus, g_array_unref);
  g_clear_pointer (&self->devices, g_hash_table_unref);
}

/* The first twelve columns come in a fixed order, followed by any of the other four. */
gboolean
tb_events_csv_parser_read_header (TbEventsCsvParser *self,
                                  const TbCsvReader *reader,
                                  GError **error)
{
  guint seen = 0;

  for (guint i = 0; i < reader->n_cells; i++)
    {
      guint column = i;

      if (i >= TB_EVENTS_CSV_N_REQUIRED)
        for (column = TB_EVENTS_CSV_N_REQUIRED; column < TB_EVENTS_CSV_N_COLUMNS; column++)
          if (tb_csv_cell_equals (&reader->cells[i], tb_events_csv_column_names[column]))
            break;
      if (column == TB_EVENTS_CSV_N_COLUMNS || (seen & (1u << column)) != 0
          || !tb_csv_cell_equals (&reader->cells[i], tb_events_csv_column_names[column]))
        {
          g_autofree char *found = tb_csv_cell_quote (&reader->cells[i]);

          tb_events_csv_set_error (
              error, _ ("expected the header %s, found %s as its column %u"),
              "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes[,text][,stack][,"
              "sector][,socket]",
              found, i + 1);
          return FALSE;
        }
      seen |= 1u << column;
      self->columns[i] = column;
    }
  if (reader->n_cells < TB_EVENTS_CSV_N_REQUIRED)
    {
      tb_events_csv_set_error (error, _ ("expected the header's column “%s”, found its end"),
                               tb_events_csv_column_names[reader->n_cells]);
      return FALSE;
    }
  self->n_columns = reader->n_cells;
  return TRUE;
}

static gboolean
parse_time (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  gint64 time = -1;

  if (!tb_events_csv_line_require (line, TB_EVENTS_CSV_CELL (TIME) | TB_EVENTS_CSV_CELL (KIND),
                                   error)
      || !tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_TIME, 0, MAX_TIME, &time, error))
    return FALSE;
  if (time < self->time)
    {
      tb_events_csv_set_error (error,
                               _ ("expected a time of at least %" PRId64 " ns, that of the "
                                  "previous line, found %" PRId64 ": times must not decrease"),
                               self->time, time);
      return FALSE;
    }
  if (self->first < 0)
    self->first = time;
  self->time = line->event.time = time;
  return TRUE;
}

static gboolean
parse_cpu (TbEventsCsvLine *line, GError **error)
{
  gint64 cpu = -1;

  if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_CPU, -1, TB_CPU_ALL - 1, &cpu, error))
    return FALSE;
  line->event.cpu = cpu < 0 ? TB_CPU_ALL : (guint16) cpu;
  return TRUE;
}

TbEventsCsvCpu *
tb_events_csv_parser_get_cpu (TbEventsCsvParser *self, guint16 cpu)
{
  if (cpu == TB_CPU_ALL)
    return NULL;
  if (cpu >= self->cpus->len)
    {
      guint old = self->cpus->len;

      g_array_set_size (self->cpus, cpu + 1u);
      for (guint i = old; i < self->cpus->len; i++)
        g_array_index (self->cpus, TbEventsCsvCpu, i).last
            = g_array_index (self->cpus, TbEventsCsvCpu, i).previous = -1;
    }
  return &g_array_index (self->cpus, TbEventsCsvCpu, cpu);
}

/* Stores the state that later lines depend on. */
static void
update_state (TbEventsCsvParser *self, const TbEventsCsvLine *line)
{
  TbEventsCsvCpu *cpu = tb_events_csv_parser_get_cpu (self, line->event.cpu);

  if (cpu == NULL || (line->kind->required & TB_EVENTS_CSV_CELL (CPU)) == 0
      || (line->event.kind == TB_EVENT_SWITCH && line->event.a == (guint64) line->event.tid))
    return;
  if (cpu->last < line->event.time)
    cpu->previous = cpu->last;
  cpu->last = line->event.time;
  switch (line->event.kind)
    {
    case TB_EVENT_IRQ_ENTRY:
    case TB_EVENT_SOFTIRQ_ENTRY:
      cpu->depth++;
      break;
    case TB_EVENT_IRQ_EXIT:
    case TB_EVENT_SOFTIRQ_EXIT:
      cpu->depth -= cpu->depth > 0;
      break;
    case TB_EVENT_SWITCH:
    case TB_EVENT_LOST:
      cpu->depth = 0;
      break;
    default:
      break;
    }
}

gboolean
tb_events_csv_parser_read (TbEventsCsvParser *self, const TbCsvReader *reader, GError **error)
{
  TbEventsCsvLine line = { .event.tid = -1, .event.pid = -1 };
  const TbCsvCell *stack = &line.cells[TB_EVENTS_CSV_STACK];

  if (reader->n_cells > self->n_columns)
    {
      tb_events_csv_set_error (error, _ ("expected at most %u cells, as the header has, found %u"),
                               self->n_columns, reader->n_cells);
      return FALSE;
    }
  for (guint i = 0; i < reader->n_cells; i++)
    line.cells[self->columns[i]] = reader->cells[i];
  if (!parse_time (self, &line, error) || !tb_events_csv_line_parse_kind (&line, self->kinds, error)
      || !parse_cpu (&line, error))
    return FALSE;
  self->unused_cells += tb_events_csv_line_count_unused (&line);
  if (stack->length > 0 && !tb_events_csv_stacks_intern (self->stacks, stack, &line.event.stack))
    {
      tb_events_csv_set_error (error, _ ("expected frames “function” or “function@module” "
                                         "separated by “;” in the cell “stack”, found an "
                                         "empty one"));
      return FALSE;
    }
  if (!tb_events_csv_parser_read_cells (self, &line, error))
    return FALSE;
  if (line.event.kind != TB_N_EVENT_KINDS)
    tb_recorder_add (self->recorder, &line.event);
  update_state (self, &line);
  return TRUE;
}
