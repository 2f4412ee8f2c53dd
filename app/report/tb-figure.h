/* tb-figure.h: something to draw, as plain data
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "tb-export.h"

G_BEGIN_DECLS

/* Figures are built, then frozen (tb_report_add_figure() does so), then only read, from any thread. */
#define TB_REPORT_ERROR (tb_report_error_quark ())
TB_EXPORT GQuark tb_report_error_quark (void);

typedef enum
{
  TB_REPORT_ERROR_FORMAT,  /* JSON that is no report or contradicts itself; says where */
  TB_REPORT_ERROR_VERSION, /* made by a newer Tailback */
} TbReportError;

#define TB_TYPE_FIGURE (tb_figure_get_type ())
TB_EXPORT
G_DECLARE_DERIVABLE_TYPE (TbFigure, tb_figure, TB, FIGURE, GObject)

struct _TbFigureClass
{
  GObjectClass parent_class;

  const char *kind;                /* "timeline", "flame", "histogram", "graph", "table", "heatmap" */
  void (*freeze) (TbFigure *self); /* nullable: makes what reading needs, once */
  void (*write_json) (TbFigure *self, JsonBuilder *builder); /* the members besides kind, id, title */
  gboolean (*read_json) (TbFigure *self, JsonObject *object, GError **error);
  void (*render_text) (TbFigure *self, GString *text, guint width);
};

TB_EXPORT const char *tb_figure_get_kind (TbFigure *self);
TB_EXPORT const char *tb_figure_get_id (TbFigure *self);
TB_EXPORT const char *tb_figure_get_title (TbFigure *self);
TB_EXPORT void tb_figure_freeze (TbFigure *self);
/* Its items are those of another figure: what is selected in one is selected in both. Before it is frozen. */
TB_EXPORT void tb_figure_set_items_of (TbFigure *self, const char *figure);
TB_EXPORT const char *tb_figure_get_items_of (TbFigure *self);
/* Where its times are counted from for people, ns: the start of the recording; TB_TIME_NONE unknown. JSON has the times
 * themselves. tb_report_add_figure() sets that of the report. */
TB_EXPORT void tb_figure_set_origin (TbFigure *self, gint64 origin);
TB_EXPORT gint64 tb_figure_get_origin (TbFigure *self);
/* What was wrong with what it was made from, %NULL nothing. */
TB_EXPORT const char *tb_figure_get_fault (TbFigure *self);
TB_EXPORT gboolean tb_figure_is_frozen (TbFigure *self);
TB_EXPORT JsonNode *tb_figure_to_json (TbFigure *self);
TB_EXPORT TbFigure *tb_figure_from_json (JsonNode *node, GError **error);
/* The same facts as the eye gets, in lines of at most width columns (0: unlimited). */
TB_EXPORT char *tb_figure_to_text (TbFigure *self, guint width);

G_END_DECLS
