/* tb-timeline-json.c: timeline to and from JSON, limited in size: short intervals of a track are
 * merged
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-json-private.h"
#include "report/timeline/tb-timeline-figure-private.h"

/* If there are too many intervals, those within one range of "merged_below_ns" are merged into one
 * for each paint, in the order in which the paints first appear. The time of each paint stays
 * exact, the order within the range is lost. No interval is dropped, and the JSON has the length of
 * the ranges. */

typedef struct
{
  GArray *start;
  GArray *end;
  GArray *paint;
  GArray *label;
} Columns;

typedef struct
{
  TbTimelineFigure *figure;
  GHashTable *ids; /* text → index + 1 */
  GPtrArray *texts;
} Labels;

static Columns
columns_new (void)
{
  return (Columns) {
    .start = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .end = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .paint = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .label = g_array_new (FALSE, FALSE, sizeof (gint64)),
  };
}

static void
columns_clear (Columns *self)
{
  g_array_unref (self->start);
  g_array_unref (self->end);
  g_array_unref (self->paint);
  g_array_unref (self->label);
}

static void
columns_add (Columns *self, gint64 start, gint64 end, gint64 paint, gint64 label)
{
  if (!self)
    return;
  g_array_append_val (self->start, start);
  g_array_append_val (self->end, end);
  g_array_append_val (self->paint, paint);
  g_array_append_val (self->label, label);
}

/* The index of the text of an interval, -1: none. */
static gint64
get_label (Labels *labels, guint track, gsize interval)
{
  g_autofree char *text = NULL;
  gpointer id;

  if (!labels)
    return -1;
  text = tb_timeline_figure_make_label (labels->figure, track, interval, TRUE);
  if (!text || !*text || !g_utf8_validate (text, -1, NULL))
    return -1;
  id = g_hash_table_lookup (labels->ids, text);
  if (!id)
    {
      if (labels->texts->len >= TB_TIMELINE_JSON_LABELS)
        return -1;
      g_ptr_array_add (labels->texts, g_strdup (text));
      id = GUINT_TO_POINTER (labels->texts->len);
      g_hash_table_insert (labels->ids, g_ptr_array_index (labels->texts, labels->texts->len - 1),
                           id);
    }
  return (gint64) GPOINTER_TO_UINT (id) - 1;
}

/* Merges the intervals [first, end) of a track into one for each paint. */
static guint
merge_stretch (const TbTimelineTrack *track, gsize first, gsize end, Columns *out)
{
  gint64 ns[TB_N_PAINTS] = { 0 };
  guint8 order[TB_N_PAINTS];
  gint64 cursor = track->start[first];
  guint32 present = 0;
  guint n = 0;

  for (gsize i = first; i < end; i++)
    {
      ns[track->paint[i]] += track->end[i] - track->start[i];
      if (!(present & 1u << track->paint[i]))
        order[n++] = track->paint[i];
      present |= 1u << track->paint[i];
    }
  for (guint i = 0; out && i < n; i++)
    {
      columns_add (out, cursor, cursor + ns[order[i]], order[i], -1);
      cursor += ns[order[i]];
    }
  return n;
}

/* Writes a track, merged below some length, into out (nullable: only counts). Returns the resulting
 * number of intervals. */
static guint64
merge_track (const TbTimelineTrack *track,
             guint index,
             gint64 threshold,
             Labels *labels,
             Columns *out)
{
  guint64 n = 0;

  for (gsize first = 0, end; first < track->n; first = end)
    {
      gint64 stretch = threshold ? track->start[first] / threshold : 0;
      guint8 paints_seen = 0;
      guint32 present = 0;

      end = first;
      while (threshold && end < track->n && track->start[end] / threshold == stretch
             && track->end[end] / threshold == stretch)
        {
          paints_seen += !(present & 1u << track->paint[end]);
          present |= 1u << track->paint[end++];
        }
      if (end - first > paints_seen)
        n += merge_stretch (track, first, end, out);
      else
        {
          end = MAX (end, first + 1);
          n += end - first;
          for (gsize i = first; out && i < end; i++)
            columns_add (out, track->start[i], track->end[i], track->paint[i],
                         get_label (labels, index, i));
        }
    }
  return n;
}

static guint64
count_merged (TbTimelineFigure *self, gint64 threshold)
{
  guint64 n = 0;

  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (self); i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (self, i, &track);
      n += merge_track (&track, i, threshold, NULL, NULL);
    }
  return n;
}

/* The length below which intervals are merged: the smallest power-of-two multiple of 1/2²⁰ of the
 * range that makes the figure small enough. */
static gint64
choose_threshold (TbTimelineFigure *self)
{
  gint64 from;
  gint64 to;
  gint64 threshold;

  if (count_merged (self, 0) <= TB_TIMELINE_JSON_INTERVALS)
    return tb_timeline_figure_get_merge_threshold (self);
  tb_timeline_figure_get_range (self, &from, &to);
  threshold = MAX ((to - from) >> 20, MAX (tb_timeline_figure_get_merge_threshold (self), 1));
  while (threshold < to - from && count_merged (self, threshold) > TB_TIMELINE_JSON_INTERVALS)
    threshold *= 2;
  return threshold;
}

static void
write_integers (JsonBuilder *builder, const char *name, const GArray *values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < values->len; i++)
    json_builder_add_int_value (builder, g_array_index (values, gint64, i));
  json_builder_end_array (builder);
}

static void
write_coverage (TbTimelineFigure *self, guint track, JsonBuilder *builder)
{
  TbTimelineCoverage coverage;
  gint64 from;
  gint64 to;

  tb_timeline_figure_get_range (self, &from, &to);
  tb_timeline_figure_get_coverage (self, track, from, to, &coverage);
  json_builder_set_member_name (builder, "coverage_ns");
  json_builder_begin_object (builder);
  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    if (coverage.present & 1u << paint)
      {
        json_builder_set_member_name (builder, tb_paint_get_name (paint));
        json_builder_add_int_value (builder, coverage.ns[paint]);
      }
  json_builder_end_object (builder);
}

static void
write_track (TbTimelineFigure *self,
             guint index,
             gint64 threshold,
             Labels *labels,
             JsonBuilder *builder)
{
  Columns columns = columns_new ();
  TbTimelineTrack track;

  tb_timeline_figure_get_track (self, index, &track);
  merge_track (&track, index, threshold, labels, &columns);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "id");
  json_builder_add_string_value (builder, track.id);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, track.name);
  json_builder_set_member_name (builder, "group");
  json_builder_add_string_value (builder, track.group);
  if (track.host[0] != '\0')
    {
      json_builder_set_member_name (builder, "host");
      json_builder_add_string_value (builder, track.host);
    }
  json_builder_set_member_name (builder, "thread");
  if (track.thread == TB_ID_NONE)
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, track.thread);
  json_builder_set_member_name (builder, "intervals");
  json_builder_add_int_value (builder, track.n);
  write_coverage (self, index, builder);
  write_integers (builder, "start_ns", columns.start);
  write_integers (builder, "end_ns", columns.end);
  write_integers (builder, "paint", columns.paint);
  if (labels)
    write_integers (builder, "label", columns.label);
  json_builder_end_object (builder);
  columns_clear (&columns);
}

static void
write_arrows (TbTimelineFigure *self, JsonBuilder *builder)
{
  const guint32 *from_track;
  const gint64 *from_time;
  const guint32 *to_track;
  const gint64 *to_time;
  gsize n = tb_timeline_figure_get_arrows (self, &from_track, &from_time, &to_track, &to_time);
  gsize step = n / TB_TIMELINE_JSON_ARROWS + (n % TB_TIMELINE_JSON_ARROWS != 0);
  gsize written = 0;

  json_builder_set_member_name (builder, "arrows");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < n; i += step, written++)
    {
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, from_track[i]);
      json_builder_add_int_value (builder, from_time[i]);
      json_builder_add_int_value (builder, to_track[i]);
      json_builder_add_int_value (builder, to_time[i]);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "arrows_omitted");
  json_builder_add_int_value (builder, n - written);
}

static void
write_lost (TbTimelineFigure *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "lost");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tb_timeline_figure_get_n_lost (self); i++)
    {
      guint32 track;
      gint64 from;
      gint64 to;
      guint64 count;

      tb_timeline_figure_get_lost (self, i, &track, &from, &to, &count);
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "track");
      if (track == TB_ID_NONE)
        json_builder_add_null_value (builder);
      else
        json_builder_add_int_value (builder, track);
      json_builder_set_member_name (builder, "from_ns");
      json_builder_add_int_value (builder, from);
      json_builder_set_member_name (builder, "to_ns");
      json_builder_add_int_value (builder, to);
      json_builder_set_member_name (builder, "count");
      tb_json_add_unsigned (builder, count);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

void
tb_timeline_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  TbTimelineFigure *self = TB_TIMELINE_FIGURE (figure);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Labels labels = { .figure = self, .ids = ids, .texts = texts };
  gint64 threshold = choose_threshold (self);
  gint64 from;
  gint64 to;

  tb_timeline_figure_get_range (self, &from, &to);
  json_builder_set_member_name (builder, "from_ns");
  json_builder_add_int_value (builder, from);
  json_builder_set_member_name (builder, "to_ns");
  json_builder_add_int_value (builder, to);
  json_builder_set_member_name (builder, "merged_below_ns");
  json_builder_add_int_value (builder, threshold);
  json_builder_set_member_name (builder, "paints");
  json_builder_begin_array (builder);
  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    json_builder_add_string_value (builder, tb_paint_get_name (paint));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "tracks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (self); i++)
    write_track (self, i, threshold, tb_timeline_figure_has_labels (self) ? &labels : NULL,
                 builder);
  json_builder_end_array (builder);
  if (tb_timeline_figure_has_labels (self))
    {
      json_builder_set_member_name (builder, "labels");
      json_builder_begin_array (builder);
      for (guint i = 0; i < texts->len; i++)
        json_builder_add_string_value (builder, g_ptr_array_index (texts, i));
      json_builder_end_array (builder);
    }
  write_arrows (self, builder);
  write_lost (self, builder);
}

/* The texts of a figure from JSON: by track, an index for each interval. */
typedef struct
{
  char **texts;
  GPtrArray *indices; /* gint64 *, nullable */
} ReadLabels;

static void
read_labels_free (ReadLabels *self)
{
  g_strfreev (self->texts);
  g_ptr_array_unref (self->indices);
  g_free (self);
}

static char *
get_read_label (TbTimelineFigure *self,
                guint track,
                gsize interval,
                gboolean long_form,
                gpointer data)
{
  const ReadLabels *labels = data;
  const gint64 *indices
      = track < labels->indices->len ? g_ptr_array_index (labels->indices, track) : NULL;

  if (!indices || indices[interval] < 0)
    return NULL;
  return g_strdup (labels->texts[indices[interval]]);
}

/* Maps the paint numbers of a file to those of this version. An unknown name (of a newer Tailback)
 * becomes the unknown paint. */
static gboolean
read_paints (JsonObject *object, GArray *paints, GError **error)
{
  g_auto (GStrv) names = tb_json_get_strings (object, "paints", 255, error);

  if (!names)
    return FALSE;
  for (guint i = 0; names[i]; i++)
    {
      guint8 paint = TB_PAINT_UNKNOWN;

      for (guint known = 0; known < TB_N_PAINTS; known++)
        if (strcmp (names[i], tb_paint_get_name (known)) == 0)
          paint = known;
      g_array_append_val (paints, paint);
    }
  return TRUE;
}

static gboolean
check_intervals (guint n, const gint64 *start, const gint64 *end, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (end[i] < start[i] || (i > 0 && start[i] < end[i - 1]))
      return tb_json_fail (error,
                           _ ("interval %u overlaps the one before or ends before it starts"), i);
  return TRUE;
}

static gboolean
read_intervals (TbTimelineFigure *self,
                guint track,
                JsonObject *object,
                const GArray *paints,
                guint n,
                GError **error)
{
  g_autofree gint64 *start
      = tb_json_get_integers (object, "start_ns", n, G_MININT64 / 4, G_MAXINT64 / 4, error);
  g_autofree gint64 *end = NULL;
  g_autofree gint64 *paint = NULL;
  g_autofree guint8 *looks = g_new (guint8, n + 1);
  g_autoptr (GBytes) start_bytes = NULL;
  g_autoptr (GBytes) end_bytes = NULL;
  g_autoptr (GBytes) paint_bytes = NULL;

  if (!start
      || !(end = tb_json_get_integers (object, "end_ns", n, G_MININT64 / 4, G_MAXINT64 / 4, error))
      || !(paint = tb_json_get_integers (object, "paint", n, 0, (gint64) paints->len - 1, error))
      || !check_intervals (n, start, end, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    looks[i] = g_array_index (paints, guint8, paint[i]);
  start_bytes = g_bytes_new_take (g_steal_pointer (&start), n * sizeof (gint64));
  end_bytes = g_bytes_new_take (g_steal_pointer (&end), n * sizeof (gint64));
  paint_bytes = g_bytes_new_take (g_steal_pointer (&looks), n);
  tb_timeline_figure_set_intervals (self, track, n, start_bytes, end_bytes, paint_bytes);
  return TRUE;
}

static gboolean
read_track (TbTimelineFigure *self,
            JsonNode *node,
            const GArray *paints,
            ReadLabels *labels,
            guint64 *n_left,
            GError **error)
{
  JsonObject *object;
  JsonArray *starts;
  const char *id;
  const char *name;
  const char *group;
  const char *host;
  gint64 thread;
  gint64 *indices = NULL;
  guint track;
  guint n;

  if (!tb_json_get_object (node, "track", &object, error)
      || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_string (object, "name", &name, error)
      || !tb_json_get_optional_string (object, "group", &group, error)
      || !tb_json_get_optional_string (object, "host", &host, error)
      || !tb_json_get_optional_integer (object, "thread", 0, G_MAXUINT32, TB_ID_NONE, &thread,
                                        error)
      || !tb_json_get_array (object, "start_ns", *n_left, &starts, error))
    return FALSE;
  n = json_array_get_length (starts);
  *n_left -= n;
  track = tb_timeline_figure_add_track (self, id, name, group, thread);
  tb_timeline_figure_set_track_host (self, track, host);
  if (!read_intervals (self, track, object, paints, n, error))
    return FALSE;
  if (labels && json_object_has_member (object, "label")
      && !(indices = tb_json_get_integers (object, "label", n, -1,
                                           (gint64) g_strv_length (labels->texts) - 1, error)))
    return FALSE;
  if (labels)
    g_ptr_array_add (labels->indices, indices);
  return TRUE;
}

static gboolean
read_arrow (JsonNode *node, gint64 n_tracks, gint64 *value)
{
  JsonArray *arrow = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (!arrow || json_array_get_length (arrow) != 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if (!tb_json_node_get_integer (json_array_get_element (arrow, i), &value[i])
        || (i % 2 == 0 && (value[i] < 0 || value[i] >= n_tracks)))
      return FALSE;
  return TRUE;
}

static gboolean
read_arrows (TbTimelineFigure *self, JsonObject *object, GError **error)
{
  g_autofree guint32 *tracks = NULL;
  g_autofree gint64 *times = NULL;
  g_autoptr (GBytes) track_bytes = NULL;
  g_autoptr (GBytes) time_bytes = NULL;
  g_autoptr (GBytes) from_track = NULL;
  g_autoptr (GBytes) from_time = NULL;
  g_autoptr (GBytes) to_track = NULL;
  g_autoptr (GBytes) to_time = NULL;
  JsonArray *arrows;
  guint n;

  if (!tb_json_get_array (object, "arrows", TB_TIMELINE_INTERVALS_MAX, &arrows, error))
    return FALSE;
  n = json_array_get_length (arrows);
  tracks = g_new (guint32, 2 * (gsize) n + 1);
  times = g_new (gint64, 2 * (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    {
      gint64 value[4];

      if (!read_arrow (json_array_get_element (arrows, i), tb_timeline_figure_get_n_tracks (self),
                       value))
        return tb_json_fail (error, _ ("arrow %u is invalid"), i);
      tracks[i] = value[0];
      times[i] = value[1];
      tracks[n + i] = value[2];
      times[n + i] = value[3];
      if (i > 0 && times[n + i] < times[n + i - 1])
        return tb_json_fail (error, _ ("arrow %u is earlier than the one before it"), i);
    }
  track_bytes = g_bytes_new_take (g_steal_pointer (&tracks), 2 * (gsize) n * sizeof (guint32));
  time_bytes = g_bytes_new_take (g_steal_pointer (&times), 2 * (gsize) n * sizeof (gint64));
  from_track = g_bytes_new_from_bytes (track_bytes, 0, n * sizeof (guint32));
  from_time = g_bytes_new_from_bytes (time_bytes, 0, n * sizeof (gint64));
  to_track = g_bytes_new_from_bytes (track_bytes, n * sizeof (guint32), n * sizeof (guint32));
  to_time = g_bytes_new_from_bytes (time_bytes, n * sizeof (gint64), n * sizeof (gint64));
  tb_timeline_figure_set_arrows (self, n, from_track, from_time, to_track, to_time);
  return TRUE;
}

static gboolean
read_lost (TbTimelineFigure *self, JsonObject *object, GError **error)
{
  JsonArray *array;

  if (!tb_json_get_array (object, "lost", TB_TIMELINE_LOST_MAX, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *lost;
      gint64 track;
      gint64 from;
      gint64 to;
      gint64 count;

      if (!tb_json_get_object (json_array_get_element (array, i), "lost", &lost, error)
          || !tb_json_get_optional_integer (lost, "track", 0,
                                            (gint64) tb_timeline_figure_get_n_tracks (self) - 1,
                                            TB_ID_NONE, &track, error)
          || !tb_json_get_integer (lost, "from_ns", G_MININT64 / 4, G_MAXINT64 / 4, &from, error)
          || !tb_json_get_integer (lost, "to_ns", from, G_MAXINT64 / 4, &to, error)
          || !tb_json_get_integer (lost, "count", 0, G_MAXINT64, &count, error))
        return FALSE;
      tb_timeline_figure_add_lost (self, track, from, to, count);
    }
  return TRUE;
}

gboolean
tb_timeline_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbTimelineFigure *self = TB_TIMELINE_FIGURE (figure);
  g_autoptr (GArray) paints = g_array_new (FALSE, FALSE, 1);
  guint64 n_left = TB_TIMELINE_INTERVALS_MAX;
  ReadLabels *labels = NULL;
  JsonArray *tracks;
  gint64 from;
  gint64 to;
  gint64 threshold;

  if (!tb_json_get_integer (object, "from_ns", G_MININT64 / 4, G_MAXINT64 / 4, &from, error)
      || !tb_json_get_integer (object, "to_ns", from, G_MAXINT64 / 4, &to, error)
      || !tb_json_get_optional_integer (object, "merged_below_ns", 0, G_MAXINT64 / 4, 0, &threshold,
                                        error)
      || !read_paints (object, paints, error)
      || !tb_json_get_array (object, "tracks", TB_TIMELINE_TRACKS_MAX, &tracks, error))
    return FALSE;
  tb_timeline_figure_set_range (self, from, to);
  tb_timeline_figure_set_merge_threshold (self, threshold);
  if (json_object_has_member (object, "labels"))
    {
      char **texts = tb_json_get_strings (object, "labels", TB_TIMELINE_INTERVALS_MAX, error);

      if (!texts)
        return FALSE;
      labels = g_new0 (ReadLabels, 1);
      labels->texts = texts;
      labels->indices = g_ptr_array_new_with_free_func (g_free);
      tb_timeline_figure_set_label_func (self, get_read_label, labels,
                                         (GDestroyNotify) read_labels_free);
    }
  for (guint i = 0; i < json_array_get_length (tracks); i++)
    if (!read_track (self, json_array_get_element (tracks, i), paints, labels, &n_left, error))
      {
        g_prefix_error (error, _ ("track %u: "), i);
        return FALSE;
      }
  return read_arrows (self, object, error) && read_lost (self, object, error);
}
