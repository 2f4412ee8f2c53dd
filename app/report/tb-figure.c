/* tb-figure.c: base class of figures, which are plain data to be drawn: id, title, faults in its
 * data, freezing, figure that owns its items, start of its times; JSON and text form, with contents
 * from the class of the kind
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/tb-figure-private.h"
#include "report/tb-text-private.h"
#include "report/tb-valid-text-private.h"

/**
 * TbFigure:
 *
 * Plain data to be drawn, independent of any widget. A figure is built, is frozen when it becomes
 * part of a report, and is read-only afterwards, from any thread. Every figure can be serialized to
 * JSON and back, and be rendered as text.
 */
typedef struct
{
  char *id;
  char *title;
  char *item_owner; /* NULL: the items are its own */
  char *fault;
  gint64 origin; /* ns, TB_TIME_NONE: unknown */
  gboolean is_frozen;
} TbFigurePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TbFigure, tb_figure, G_TYPE_OBJECT)

static void
tb_figure_finalize (GObject *object)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (TB_FIGURE (object));

  g_free (priv->id);
  g_free (priv->title);
  g_free (priv->item_owner);
  g_free (priv->fault);
  G_OBJECT_CLASS (tb_figure_parent_class)->finalize (object);
}

static void
tb_figure_class_init (TbFigureClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_figure_finalize;
}

static void
tb_figure_init (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  priv->id = g_strdup ("");
  priv->title = g_strdup ("");
  priv->origin = TB_TIME_NONE;
}

void
tb_figure_set_names (TbFigure *self, const char *id, const char *title)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  tb_valid_text_set (&priv->id, id ? id : "");
  tb_valid_text_set (&priv->title, title ? title : "");
}

void
tb_figure_add_fault (TbFigure *self, const char *fault)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  if (priv->fault == NULL)
    priv->fault = g_strdup (fault);
}

void
tb_figure_add_fault_at (TbFigure *self, const char *fault, const char *place, ...)
{
  g_autofree char *where = NULL;
  g_autofree char *whole = NULL;
  va_list arguments;

  va_start (arguments, place);
  where = g_strdup_vprintf (place, arguments);
  va_end (arguments);
  whole = g_strdup_printf ("%s (%s)", fault, where);
  tb_figure_add_fault (self, whole);
}

/**
 * tb_figure_get_fault:
 * @self: a figure
 *
 * Inconsistent data (intervals that overlap, an edge to a vertex that does not exist) are not added
 * to a figure. They can be the fault of a plug-in and are therefore no programming error of the
 * caller that runs it: they are reported here.
 *
 * Returns: (nullable): user-visible text of the first fault, %NULL if there was none
 */
const char *
tb_figure_get_fault (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_val_if_fail (TB_IS_FIGURE (self), NULL);

  return priv->fault;
}

/**
 * tb_figure_get_kind:
 * @self: a figure
 *
 * Gets the kind of the figure as in JSON.
 *
 * Returns: "timeline", "flame", "histogram", "graph", "table" or "heatmap"
 */
const char *
tb_figure_get_kind (TbFigure *self)
{
  g_return_val_if_fail (TB_IS_FIGURE (self), "");

  return TB_FIGURE_GET_CLASS (self)->kind;
}

/**
 * tb_figure_get_id:
 * @self: a figure
 *
 * Gets the id of the figure.
 *
 * Returns: the id that references use, unique in the report
 */
const char *
tb_figure_get_id (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_val_if_fail (TB_IS_FIGURE (self), "");

  return priv->id;
}

/**
 * tb_figure_get_title:
 * @self: a figure
 *
 * Gets the title.
 *
 * Returns: the user-visible title
 */
const char *
tb_figure_get_title (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_val_if_fail (TB_IS_FIGURE (self), "");

  return priv->title;
}

/**
 * tb_figure_freeze:
 * @self: a figure
 *
 * Ends building: computes the sums and orders that reading needs. A second call does nothing.
 */
void
tb_figure_freeze (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_if_fail (TB_IS_FIGURE (self));

  if (priv->is_frozen)
    return;
  if (TB_FIGURE_GET_CLASS (self)->freeze)
    TB_FIGURE_GET_CLASS (self)->freeze (self);
  priv->is_frozen = TRUE;
}

/**
 * tb_figure_is_frozen:
 * @self: a figure
 *
 * Gets whether the figure can be read. Before that it is being built, by one thread.
 *
 * Returns: whether the figure is complete and can be read from any thread
 */
gboolean
tb_figure_is_frozen (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_val_if_fail (TB_IS_FIGURE (self), FALSE);

  return priv->is_frozen;
}

/**
 * tb_figure_set_item_owner:
 * @self: a figure that is being built
 * @figure: (nullable): id of the figure whose items this one shows too; %NULL: its items are its
 *   own
 *
 * Links a figure to another one of the same report, such as a table of edges to their graph. An
 * item id then means the same thing in both figures and is selected in both.
 */
void
tb_figure_set_item_owner (TbFigure *self, const char *figure)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_if_fail (TB_IS_FIGURE (self));
  g_return_if_fail (!priv->is_frozen);

  tb_valid_text_set (&priv->item_owner, figure);
}

/**
 * tb_figure_get_item_owner:
 * @self: a figure
 *
 * Gets which figure has the items that this one shows: an item that is selected in one of them is
 * selected in both.
 *
 * Returns: the id of the figure whose items it shows, its own id if the items are its own
 */
const char *
tb_figure_get_item_owner (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_val_if_fail (TB_IS_FIGURE (self), "");

  return priv->item_owner != NULL ? priv->item_owner : priv->id;
}

/**
 * tb_figure_set_origin:
 * @self: a figure that is not yet shared with another thread
 * @origin: start of the recording, ns; %TB_TIME_NONE: unknown
 *
 * Sets the time from which user-visible times are counted. JSON and CSV keep the times of the
 * recording's clock.
 */
void
tb_figure_set_origin (TbFigure *self, gint64 origin)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_if_fail (TB_IS_FIGURE (self));

  priv->origin = origin;
}

/**
 * tb_figure_get_origin:
 * @self: a figure
 *
 * Gets the time from which user-visible times of the figure are counted.
 *
 * Returns: start of the recording, ns; %TB_TIME_NONE: unknown
 */
gint64
tb_figure_get_origin (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);

  g_return_val_if_fail (TB_IS_FIGURE (self), TB_TIME_NONE);

  return priv->origin;
}

/**
 * tb_figure_to_json:
 * @self: a frozen figure
 *
 * Writes the figure as JSON. The result is immutable.
 *
 * Returns: (transfer full): an object with "kind", "id", "title" and the members of the kind
 */
JsonNode *
tb_figure_to_json (TbFigure *self)
{
  TbFigurePrivate *priv = tb_figure_get_instance_private (self);
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();

  g_return_val_if_fail (TB_IS_FIGURE (self), NULL);
  g_return_val_if_fail (tb_figure_is_frozen (self), NULL);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "kind");
  json_builder_add_string_value (builder, tb_figure_get_kind (self));
  json_builder_set_member_name (builder, "id");
  json_builder_add_string_value (builder, tb_figure_get_id (self));
  json_builder_set_member_name (builder, "title");
  json_builder_add_string_value (builder, tb_figure_get_title (self));
  if (priv->item_owner != NULL)
    {
      json_builder_set_member_name (builder, "items_of");
      json_builder_add_string_value (builder, priv->item_owner);
    }
  TB_FIGURE_GET_CLASS (self)->write_json (self, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/**
 * tb_figure_to_text:
 * @self: a frozen figure
 * @width: maximum number of columns of a line, 0: unlimited
 *
 * The facts that the drawn figure shows, as lines of text. If items are left out, the text has
 * their number.
 *
 * Returns: (transfer full): text that ends with a newline
 */
char *
tb_figure_to_text (TbFigure *self, guint width)
{
  GString *text;

  g_return_val_if_fail (TB_IS_FIGURE (self), NULL);
  g_return_val_if_fail (tb_figure_is_frozen (self), NULL);

  text = g_string_new (NULL);
  if (*tb_figure_get_title (self))
    {
      tb_text_append_wrapped (text, tb_figure_get_title (self), width, 0);
      tb_text_append_repeated (text, "─",
                               MIN (tb_text_get_width (tb_figure_get_title (self)),
                                    width ? width : G_MAXUINT));
      g_string_append_c (text, '\n');
    }
  TB_FIGURE_GET_CLASS (self)->render_text (self, text, width);
  return g_string_free (text, FALSE);
}
