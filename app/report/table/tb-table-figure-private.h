/* tb-table-figure-private.h: struct of a table, its columns, cells and measures, access to them,
 * and its JSON and text forms
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure-private.h"
#include "report/table/tb-table-figure.h"
#include "base/tb-base.h"

G_BEGIN_DECLS

#define TB_TABLE_COLUMNS_MAX 1000
#define TB_TABLE_ROWS_MAX 2000000
#define TB_TABLE_CELLS_MAX 8000000

typedef struct
{
  char *id;
  char *title;
  TbCellType type;
  guint measures; /* bits: types of the numbers that its texts stand for */
} TbTableColumn;

typedef struct
{
  guint8 is_known;
  guint8 measure;         /* TbCellType of the number that a text stands for, TB_CELL_TEXT: none */
  guint32 measured_index; /* index of that number */
  union
  {
    const char *text;
    gint64 integer;
    double number;
  };
} TbTableCell;

/* The number, or the range, that a text stands for. */
typedef struct
{
  double low;
  double high;
} TbTableMeasure;

/* The thread and the time of a row. */
typedef struct
{
  guint row;
  guint32 thread;
  gint64 from;
  gint64 to;
} TbTablePlace;

struct _TbTableFigure
{
  TbFigure parent_instance;

  GArray *columns;        /* TbTableColumn */
  GPtrArray *items;       /* of the rows, then of the child rows */
  guint n_rows;           /* without child rows */
  GArray *parents;        /* guint: row by child row, ascending; NULL: none */
  GArray *places;         /* TbTablePlace, ascending by row; NULL: none */
  GByteArray *paints;     /* TbFlamePaint by row, TB_N_FLAME_PAINTS: none */
  guint bar;              /* column or TB_ID_NONE */
  double whole;           /* total of the bar, when frozen */
  guint histogram_column; /* column or TB_ID_NONE */
  char *histogram_id;     /* id of a histogram */
  TbHistogramFigure *histogram;
  GArray *cells;    /* TbTableCell, row by row */
  GArray *measured; /* TbTableMeasure */
  GStringChunk *strings;
};

#define TB_N_CELL_TYPES (TB_CELL_NUMBER + 1)

extern const char *const tb_cell_type_names[TB_N_CELL_TYPES];

static inline const TbTableColumn *
tb_table_get_column (TbTableFigure *self, guint column)
{
  return &g_array_index (self->columns, TbTableColumn, column);
}

static inline TbTableCell *
tb_table_get_cell (TbTableFigure *self, guint row, guint column)
{
  return &g_array_index (self->cells, TbTableCell, (gsize) row * self->columns->len + column);
}

/* Records invalid data that were passed for a cell. */
void tb_table_add_fault (TbTableFigure *self, guint row, guint column, const char *fault);

#define TB_TABLE_TYPE(type) (1u << (type))

/* The cell of a table that is being built, if its column has one of the types, TB_TABLE_TYPE().
 * Else records a fault, which is not translated yet, and returns NULL. */
TbTableCell *
tb_table_find_cell (TbTableFigure *self, guint row, guint column, guint types, const char *fault);

/* Called for each figure of the same report. Keeps the figure if it is the histogram that the table
 * is linked to. */
void tb_table_figure_link (TbTableFigure *self, TbFigure *other);
void tb_table_figure_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_table_figure_read_json (TbFigure *figure, JsonObject *object, GError **error);
void tb_table_figure_render_text (TbFigure *figure, GString *text, guint width);

G_END_DECLS
