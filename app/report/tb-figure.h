/* tb-figure.h: base class of figures, which are plain data to be drawn: id, title, faults in its
 * data, freezing, figure that owns its items, JSON and text form
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "base/tb-base.h"
#include "report/tb-report-error.h"

G_BEGIN_DECLS

/* A figure is built, then frozen (by tb_report_add_figure()), then read-only, from any thread. */
#define TB_TYPE_FIGURE (tb_figure_get_type ())
TB_EXPORT
G_DECLARE_DERIVABLE_TYPE (TbFigure, tb_figure, TB, FIGURE, GObject)

/**
 * TbFigureClass:
 * @parent_class: the parent class
 * @kind: "timeline", "flame", "histogram", "graph", "table" or "heatmap"
 * @freeze: (nullable): prepares for reading, called once
 * @write_json: writes the members in addition to kind, id and title
 * @read_json: reads the members that @write_json writes; the data are not trusted
 * @render_text: appends the facts that the drawn figure shows, in lines of at most a width
 *
 * The class of a kind of figure. Other programs and views know these kinds: plug-ins use them and
 * do not derive others.
 */
struct _TbFigureClass
{
  GObjectClass parent_class;

  const char *kind;
  void (*freeze) (TbFigure *self);
  void (*write_json) (TbFigure *self, JsonBuilder *builder);
  gboolean (*read_json) (TbFigure *self, JsonObject *object, GError **error);
  void (*render_text) (TbFigure *self, GString *text, guint width);
};

TB_EXPORT const char *tb_figure_get_kind (TbFigure *self);
TB_EXPORT const char *tb_figure_get_id (TbFigure *self);
TB_EXPORT const char *tb_figure_get_title (TbFigure *self);
TB_EXPORT void tb_figure_freeze (TbFigure *self);
/* Shares the items of another figure: an item is selected in both. Call before it is frozen. */
TB_EXPORT void tb_figure_set_item_owner (TbFigure *self, const char *figure);
TB_EXPORT const char *tb_figure_get_item_owner (TbFigure *self);
/* The start of the recording, ns, from which user-visible times are counted; TB_TIME_NONE: unknown.
 * JSON has the original times. tb_report_add_figure() sets the origin of the report. */
TB_EXPORT void tb_figure_set_origin (TbFigure *self, gint64 origin);
TB_EXPORT gint64 tb_figure_get_origin (TbFigure *self);
/* The first fault in the data that were added, NULL if there was none. */
TB_EXPORT const char *tb_figure_get_fault (TbFigure *self);
TB_EXPORT gboolean tb_figure_is_frozen (TbFigure *self);
TB_EXPORT JsonNode *tb_figure_to_json (TbFigure *self);
TB_EXPORT TbFigure *tb_figure_from_json (JsonNode *node, GError **error);
TB_EXPORT char *tb_figure_to_text (TbFigure *self, guint width);

G_END_DECLS
