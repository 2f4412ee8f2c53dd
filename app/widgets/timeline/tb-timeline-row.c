/* tb-timeline-row.c: row widget of a timeline: a heading, or a track with its name, its intervals
 * as tb-timeline-tiles.c draws them, and their labels; its accessible name and selection
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-report.h"
#include "widgets/time/tb-time-axis.h"
#include "widgets/timeline/tb-timeline-tiles-private.h"
#include "widgets/tb-widgets-private.h"

#define NAME_SCALE 0.87
#define LABEL_SCALE 0.74
#define MIN_CUT_LABEL 44
#define MAX_LABELS 512

typedef struct
{
  PangoLayout *layout;
  int natural;
  int height;
  int width; /* width at which it is cut off, -1 none */
} Label;

struct _TbTimelineRow
{
  GtkWidget parent_instance;

  const TbTimelineContext *context;
  guint track; /* TB_TRACK_NONE: a heading */
  char *heading;
  gboolean with_group; /* of a track */
  gboolean can_expand; /* of a heading */
  gboolean expanded;
  guint n_tracks;
  guint position;
  gboolean selected;

  PangoLayout *name;
  int name_layout_width;

  TbTimelineTiles *tiles;
  GArray *wide;       /* gsize, while labels are drawn */
  GHashTable *labels; /* interval + 1 → Label */
};

G_DEFINE_FINAL_TYPE_WITH_CODE (TbTimelineRow,
                               tb_timeline_row,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_items_interface_init))

static void
label_free (gpointer data)
{
  Label *label = data;

  g_clear_object (&label->layout);
  g_free (label);
}

static void
scale_layout (PangoLayout *layout, double scale, gboolean bold)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
}

static Label *
get_label (TbTimelineRow *self, gsize interval)
{
  gpointer key = GSIZE_TO_POINTER (interval + 1);
  Label *label = g_hash_table_lookup (self->labels, key);
  g_autofree char *text = NULL;

  if (label != NULL)
    return label;
  if (g_hash_table_size (self->labels) >= MAX_LABELS)
    g_hash_table_remove_all (self->labels);

  label = g_new0 (Label, 1);
  label->width = -1;
  text = tb_timeline_figure_get_label (self->context->figure, self->track, interval, FALSE);
  if (text[0] != '\0')
    {
      label->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
      scale_layout (label->layout, LABEL_SCALE, FALSE);
      pango_layout_set_single_paragraph_mode (label->layout, TRUE);
      pango_layout_set_ellipsize (label->layout, PANGO_ELLIPSIZE_END);
      pango_layout_get_pixel_size (label->layout, &label->natural, &label->height);
    }
  g_hash_table_insert (self->labels, key, label);
  return label;
}

static void
append_label (TbTimelineRow *self,
              GtkSnapshot *snapshot,
              const TbTimelineTrack *track,
              gsize interval,
              double bar_y)
{
  const TbTimelineContext *context = self->context;
  double left = MAX (tb_timeline_context_get_x (context, track->start[interval]), context->plot_x);
  double right = MIN (tb_timeline_context_get_x (context, track->end[interval]),
                      context->plot_x + context->plot_width);
  int room = (int) (right - left) - 8, bar = context->bar_height;
  guint paint = MIN (track->paint[interval], TB_N_PAINTS - 1);
  const GdkRGBA *color = &context->palette->text_on_paint[paint];
  Label *label;
  double y;

  if (room < TB_TIMELINE_MIN_LABEL - 8)
    return;
  label = get_label (self, interval);
  /* Less than a few letters of a name are useless. */
  if (label->layout == NULL || (label->natural > room && room < MIN_CUT_LABEL))
    return;
  if (label->natural <= room)
    {
      if (label->width != -1)
        pango_layout_set_width (label->layout, label->width = -1);
    }
  else
    {
      /* In steps, so that a label at the edge does not need a new layout in every frame of a
       * pan. */
      int width = MAX (16, room / 8 * 8);

      if (label->width != width)
        pango_layout_set_width (label->layout, (label->width = width) * PANGO_SCALE);
    }

  switch (tb_timeline_get_paint_height (track->thread != TB_ID_NONE, paint))
    {
    case TB_PAINT_HEIGHT_FULL:
      y = bar_y + (bar - label->height) / 2.;
      break;
    case TB_PAINT_HEIGHT_MIDDLE:
      y = bar_y + bar / 3. + (bar * 2. / 3. - label->height) / 2.;
      break;
    case TB_PAINT_HEIGHT_THIN:
    case TB_PAINT_HEIGHT_NONE:
    default:
      /* Above the band, in the free space. */
      y = bar_y + (bar * 2. / 3. - label->height) / 2.;
      color = &context->palette->text;
      break;
    }
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float) floor (left + 4), (float) floor (y + .5)));
  gtk_snapshot_append_layout (snapshot, label->layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
append_plot (TbTimelineRow *self, GtkSnapshot *snapshot, int height)
{
  const TbTimelineContext *context = self->context;
  int bar_y = (height - context->bar_height) / 2;
  TbTimelineTrack track;

  /* The canvas draws outdated tiles again when there is time for it. */
  if (!tb_timeline_tiles_are_old (self->tiles) || !tb_timeline_tiles_can_wait (self->tiles))
    tb_timeline_tiles_refresh (self->tiles);
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (context->plot_x, 0, context->plot_width, height));
  tb_timeline_tiles_append (self->tiles, snapshot, (float) bar_y);
  tb_timeline_figure_get_track (context->figure, self->track, &track);
  g_array_set_size (self->wide, 0);
  tb_timeline_tiles_get_wide (self->tiles, self->wide);
  for (guint i = 0; i < self->wide->len; i++)
    append_label (self, snapshot, &track, g_array_index (self->wide, gsize, i), bar_y);
  gtk_snapshot_pop (snapshot);
}

/* Whether its drawing is from another zoom. */
gboolean
tb_timeline_row_is_old (TbTimelineRow *self)
{
  return self->track != TB_TRACK_NONE && tb_timeline_tiles_are_old (self->tiles);
}

/* Called just before it is drawn. */
void
tb_timeline_row_refresh (TbTimelineRow *self)
{
  tb_timeline_tiles_refresh (self->tiles);
}

static void
append_triangle (TbTimelineRow *self, GtkSnapshot *snapshot, float x, float y, gboolean mirrored)
{
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  g_autoptr (GskPath) path = NULL;
  float side = mirrored ? -1 : 1;

  if (self->expanded)
    {
      gsk_path_builder_move_to (builder, x - 3.5f, y - 2);
      gsk_path_builder_line_to (builder, x + 3.5f, y - 2);
      gsk_path_builder_line_to (builder, x, y + 3);
    }
  else
    {
      gsk_path_builder_move_to (builder, x - 2 * side, y - 3.5f);
      gsk_path_builder_line_to (builder, x - 2 * side, y + 3.5f);
      gsk_path_builder_line_to (builder, x + 3 * side, y);
    }
  gsk_path_builder_close (builder);
  path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
  gtk_snapshot_append_fill (snapshot, path, GSK_FILL_RULE_WINDING, &self->context->palette->text);
}

static char *
get_name (TbTimelineRow *self)
{
  TbTimelineTrack track;

  if (self->track == TB_TRACK_NONE)
    return g_utf8_make_valid (self->heading, -1);
  tb_timeline_figure_get_track (self->context->figure, self->track, &track);
  if (self->with_group && track.group[0] != '\0')
    {
      g_autofree char *both = g_strdup_printf ("%s · %s", track.name, track.group);

      return g_utf8_make_valid (both, -1);
    }
  return g_utf8_make_valid (track.name, -1);
}

static void
append_name (TbTimelineRow *self, GtkSnapshot *snapshot, int height)
{
  const TbTimelineContext *context = self->context;
  gboolean heading = self->track == TB_TRACK_NONE;
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  int indent = heading ? 22 : 28;
  int width = MAX (10, (heading ? context->width : context->name_width) - indent - 6);
  int layout_width, layout_height;
  double x;

  if (self->name == NULL)
    {
      g_autofree char *name = get_name (self);

      self->name = gtk_widget_create_pango_layout (GTK_WIDGET (self), name);
      scale_layout (self->name, NAME_SCALE, heading);
      pango_layout_set_single_paragraph_mode (self->name, TRUE);
      /* All names are aligned at the start of the window, whatever their script. */
      pango_layout_set_auto_dir (self->name, FALSE);
      /* Threads of a pool differ in the ends of their names. */
      pango_layout_set_ellipsize (self->name, PANGO_ELLIPSIZE_MIDDLE);
      self->name_layout_width = -1;
    }
  if (self->name_layout_width != width)
    {
      self->name_layout_width = width;
      pango_layout_set_width (self->name, width * PANGO_SCALE);
    }
  pango_layout_set_alignment (self->name, mirrored ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  pango_layout_get_pixel_size (self->name, &layout_width, &layout_height);
  if (heading && self->can_expand)
    append_triangle (self, snapshot, mirrored ? (float) context->width - 13 : 13,
                     (float) height / 2, mirrored);
  x = mirrored ? context->width - indent - width : indent;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float) x, (float) ((height - layout_height) / 2)));
  gtk_snapshot_append_layout (snapshot, self->name, &context->palette->text);
  gtk_snapshot_restore (snapshot);
}

static void
tb_timeline_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (widget);
  const TbTimelineContext *context = self->context;
  int height = gtk_widget_get_height (widget);

  if (self->track == TB_TRACK_NONE && self->heading == NULL)
    return;
  if (self->track != TB_TRACK_NONE)
    {
      if (self->selected)
        {
          GdkRGBA tint = context->palette->range;

          tint.alpha *= .6f;
          gtk_snapshot_append_color (snapshot, &tint,
                                     &GRAPHENE_RECT_INIT (context->name_x, 0, context->name_width,
                                                          height));
        }
      gtk_snapshot_append_color (snapshot, &context->palette->grid,
                                 &GRAPHENE_RECT_INIT (0, height - 1, context->width, 1));
      append_plot (self, snapshot, height);
    }
  append_name (self, snapshot, height);
}

static void
tb_timeline_row_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (widget);

  GTK_WIDGET_CLASS (tb_timeline_row_parent_class)->css_changed (widget, change);
  g_clear_object (&self->name);
  g_hash_table_remove_all (self->labels);
}

static void
tb_timeline_row_dispose (GObject *object)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (object);

  g_clear_object (&self->name);

  G_OBJECT_CLASS (tb_timeline_row_parent_class)->dispose (object);
}

static void
tb_timeline_row_finalize (GObject *object)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (object);

  g_clear_pointer (&self->tiles, tb_timeline_tiles_free);
  g_array_unref (self->wide);
  g_hash_table_unref (self->labels);
  g_free (self->heading);

  G_OBJECT_CLASS (tb_timeline_row_parent_class)->finalize (object);
}

static void
tb_timeline_row_class_init (TbTimelineRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_timeline_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = tb_timeline_row_finalize;
  widget_class->snapshot = tb_timeline_row_snapshot;
  widget_class->css_changed = tb_timeline_row_css_changed;
  gtk_widget_class_set_css_name (widget_class, "tb-track");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ROW);
}

static void
tb_timeline_row_init (TbTimelineRow *self)
{
  self->track = TB_TRACK_NONE;
  self->wide = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->labels = g_hash_table_new_full (NULL, NULL, NULL, label_free);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  tb_accessible_items_attach (GTK_WIDGET (self), &tb_timeline_accessible_items);
}

TbTimelineRow *
tb_timeline_row_new (const TbTimelineContext *context)
{
  TbTimelineRow *self = g_object_new (TB_TYPE_TIMELINE_ROW, NULL);

  self->context = context;
  self->tiles = tb_timeline_tiles_new (context);
  return self;
}

static gboolean
is_selected (TbTimelineRow *self, const TbTimelineTrack *track)
{
  return self->context->selected_track == self->track
         || tb_focus_has_thread (self->context->focus, track->thread);
}

/* Sets the name of the line, and the selected part of it. */
void
tb_timeline_row_update_accessible (TbTimelineRow *self)
{
  g_autofree char *text = NULL;
  TbTimelineTrack track;

  if (self->track == TB_TRACK_NONE)
    {
      text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'u track", "%'u tracks",
                                           self->n_tracks),
                              self->n_tracks);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      self->heading != NULL ? self->heading : "",
                                      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
      if (self->can_expand)
        gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED,
                                     self->expanded, -1);
      else
        gtk_accessible_reset_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED);
      gtk_accessible_reset_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED);
      return;
    }

  tb_timeline_figure_get_track (self->context->figure, self->track, &track);
  if (self->context->selected_track == self->track && self->context->selected_interval < track.n)
    text = tb_timeline_row_describe_interval (self, self->context->selected_interval);
  else
    /* Translators: the group that a track of a timeline belongs to: "in nginx 812". */
    text = track.group != NULL && track.group[0] != '\0'
               ? g_strdup_printf (_ ("in %s"), track.group)
               : g_strdup ("");
  gtk_accessible_reset_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, track.name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  self->selected = is_selected (self, &track);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, self->selected,
                               -1);
  tb_accessible_items_selection_changed (GTK_WIDGET (self));
  if (self->context->selected_track == self->track && gtk_widget_is_focus (GTK_WIDGET (self)))
    tb_widgets_announce (GTK_WIDGET (self), text);
}

void
tb_timeline_row_show_selected (TbTimelineRow *self)
{
  TbTimelineTrack track;
  gboolean selected;

  if (self->track == TB_TRACK_NONE)
    return;
  tb_timeline_figure_get_track (self->context->figure, self->track, &track);
  selected = is_selected (self, &track);
  if (selected == self->selected)
    return;
  self->selected = selected;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
tb_timeline_row_show_track (TbTimelineRow *self, guint track, gboolean with_group)
{
  if (self->track == track && self->with_group == with_group)
    return;
  self->track = track;
  self->with_group = with_group;
  tb_timeline_row_forget (self);
  g_clear_pointer (&self->heading, g_free);
  tb_timeline_row_update_accessible (self);
}

void
tb_timeline_row_show_heading (TbTimelineRow *self,
                              const char *name,
                              gboolean can_expand,
                              gboolean expanded,
                              guint n_tracks)
{
  if (self->track == TB_TRACK_NONE && g_strcmp0 (self->heading, name) == 0
      && self->can_expand == can_expand && self->expanded == expanded && self->n_tracks == n_tracks)
    return;
  self->can_expand = can_expand;
  self->track = TB_TRACK_NONE;
  tb_timeline_row_forget (self);
  self->expanded = expanded;
  self->n_tracks = n_tracks;
  g_set_str (&self->heading, name);
  tb_timeline_row_update_accessible (self);
}

void
tb_timeline_row_set_position (TbTimelineRow *self, guint index, guint n_rows)
{
  if (self->position == index + 1)
    return;
  self->position = index + 1;
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_ROW_INDEX,
                                  (int) index + 1, -1);
}

/* Discards the whole drawing. */
void
tb_timeline_row_forget (TbTimelineRow *self)
{
  tb_timeline_tiles_set_track (self->tiles, self->track);
  tb_accessible_items_invalidate (GTK_WIDGET (self));
  g_hash_table_remove_all (self->labels);
  g_clear_object (&self->name);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The name of the track and the labels of its intervals may have changed. */
void
tb_timeline_row_forget_labels (TbTimelineRow *self)
{
  tb_accessible_items_invalidate (GTK_WIDGET (self));
  g_hash_table_remove_all (self->labels);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  tb_timeline_row_update_accessible (self);
}

gboolean
tb_timeline_row_is_heading (TbTimelineRow *self)
{
  return self->track == TB_TRACK_NONE;
}

guint
tb_timeline_row_get_track (TbTimelineRow *self)
{
  return self->track;
}

const TbTimelineContext *
tb_timeline_row_get_context (TbTimelineRow *self)
{
  return self->context;
}
