/* tb-graph-text-layouts.c: Pango layouts of the vertex names and edge labels of a graph, and their
 * GSK render nodes, kept between frames; tb-graph-label-places.c finds the places of the text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/graph/tb-graph-private.h"

#define NAME_SCALE .92
#define DETAIL_SCALE .8
#define EDGE_SCALE .8
/* Characters per line, and lines of a name and of a detail. */
#define MAX_LINE_CHARS 18
#define MAX_EDGE_LINE_CHARS 24
#define MAX_LINES 2
/* Text does not become smaller with the graph below this scale. */
#define MIN_TEXT_SCALE .82

/* Removes control characters, which would break lines at least. */
static char *
remove_controls (const char *text)
{
  char *flat = g_utf8_make_valid (text, -1);

  for (char *c = flat; *c != '\0'; c++)
    if ((guchar) *c < 0x20)
      *c = ' ';
  return flat;
}

/* Text is drawn at any scale. Hinted for one scale, it would be cut off at another. */
static PangoLayout *
make_layout (TbGraphCanvas *self, const char *text)
{
  PangoContext *context = gtk_widget_create_pango_context (GTK_WIDGET (self));
  cairo_font_options_t *options = cairo_font_options_create ();
  PangoLayout *layout;

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
  layout = pango_layout_new (context);
  pango_layout_set_text (layout, text, -1);
  g_object_unref (context);
  return layout;
}

static PangoAttribute *
set_span (PangoAttribute *attribute, gsize from, gsize to)
{
  attribute->start_index = (guint) from;
  attribute->end_index = (guint) to;
  return attribute;
}

/* Width of a number of characters at the current text size, in Pango units. */
static int
get_line_width (PangoLayout *layout, int n_characters)
{
  PangoContext *context = pango_layout_get_context (layout);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int width = n_characters * pango_font_metrics_get_approximate_char_width (metrics);

  pango_font_metrics_unref (metrics);
  return width;
}

/* Sets a width no larger than needed, because the text is centred in it. */
static void
set_width (PangoLayout *layout, int most)
{
  int width;

  pango_layout_set_width (layout, most);
  pango_layout_get_size (layout, &width, NULL);
  pango_layout_set_width (layout, MIN (width + PANGO_SCALE, most));
}

/* A name in bold above the detail. A long text is broken into lines and cut off where it is too
 * long. */
PangoLayout *
tb_graph_canvas_get_name_layout (TbGraphCanvas *self, const char *name, const char *detail)
{
  g_autofree char *first = remove_controls (name);
  g_autofree char *second = remove_controls (detail);
  g_autofree char *text = *second ? g_strdup_printf ("%s\n%s", first, second) : g_strdup (first);
  PangoLayout *layout = g_hash_table_lookup (self->labels, text);
  g_autoptr (PangoAttrList) attributes = NULL;
  gsize end = strlen (first), all = strlen (text);

  if (layout != NULL)
    return layout;
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, set_span (pango_attr_weight_new (PANGO_WEIGHT_BOLD), 0, end));
  pango_attr_list_insert (attributes, set_span (pango_attr_scale_new (NAME_SCALE), 0, end));
  pango_attr_list_insert (attributes, set_span (pango_attr_scale_new (DETAIL_SCALE), end, all));
  pango_attr_list_insert (attributes,
                          set_span (pango_attr_foreground_alpha_new (G_MAXUINT16 / 10 * 7), end,
                                    all));
  layout = make_layout (self, text);
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_height (layout, -MAX_LINES);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  set_width (layout, get_line_width (layout, MAX_LINE_CHARS));
  g_hash_table_insert (self->labels, g_steal_pointer (&text), layout);
  return layout;
}

PangoLayout *
tb_graph_canvas_get_edge_layout (TbGraphCanvas *self, const char *text)
{
  g_autofree char *flat = remove_controls (text);
  g_autofree char *key = g_strdup_printf ("\n%s", flat);
  PangoLayout *layout = g_hash_table_lookup (self->labels, key);
  g_autoptr (PangoAttrList) attributes = NULL;

  if (layout != NULL)
    return layout;
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_scale_new (EDGE_SCALE));
  pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_SEMIBOLD));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  layout = make_layout (self, flat);
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  set_width (layout, get_line_width (layout, MAX_EDGE_LINE_CHARS));
  g_hash_table_insert (self->labels, g_steal_pointer (&key), layout);
  return layout;
}

/* A text in a colour, drawn at its measured size. Zooming only moves it. */
typedef struct
{
  GdkRGBA color;
  PangoAlignment alignment;
  int width;
  GskRenderNode *node; /* NULL: it is invisible */
} TextNode;

static void
text_node_free (gpointer data)
{
  TextNode *written = data;

  g_clear_pointer (&written->node, gsk_render_node_unref);
  g_free (written);
}

GskRenderNode *
tb_graph_canvas_get_text_node (PangoLayout *layout, const GdkRGBA *color, PangoAlignment alignment)
{
  static const char key[] = "tb-written";
  TextNode *written = g_object_get_data (G_OBJECT (layout), key);
  g_autoptr (GtkSnapshot) snapshot = NULL;

  if (written != NULL && gdk_rgba_equal (&written->color, color) && written->alignment == alignment
      && written->width == pango_layout_get_width (layout))
    return written->node;
  written = g_new0 (TextNode, 1);
  written->color = *color;
  written->alignment = alignment;
  written->width = pango_layout_get_width (layout);
  pango_layout_set_alignment (layout, alignment);
  snapshot = gtk_snapshot_new ();
  gtk_snapshot_append_layout (snapshot, layout, color);
  written->node = gtk_snapshot_to_node (snapshot);
  g_object_set_data_full (G_OBJECT (layout), key, written, text_node_free);
  return written->node;
}

/* The positions of all text at the current scale. */
const TbGraphTexts *
tb_graph_canvas_get_texts (TbGraphCanvas *self)
{
  double size = MAX (1, MIN_TEXT_SCALE / self->scale);

  if (self->texts == NULL || self->texts->size != size)
    {
      g_clear_pointer (&self->texts, tb_graph_texts_free);
      self->texts = tb_graph_texts_new (self->scene, size);
    }
  return self->texts;
}
