/* tb-timeline-filter.c: what a search in a timeline means
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "widgets/tb-timeline-private.h"

/* "12.5ms", "3s", "800" (ns) */
gboolean
tb_parse_duration (const char *text, gint64 *ns)
{
  static const struct
  {
    const char *name;
    double factor;
  } units[] = { { "", 1 },     { "ns", 1 },   { "us", 1e3 }, { "µs", 1e3 },
                { "μs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },  { "min", 6e10 } };
  char *end;
  double value = g_ascii_strtod (text, &end);

  if (end == text || !isfinite (value) || value < 0)
    return FALSE;
  while (*end == ' ')
    end++;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (end, units[i].name) == 0 && value * units[i].factor < 9e18)
      {
        *ns = (gint64) (value * units[i].factor);
        return TRUE;
      }
  return FALSE;
}

static guint32
paints_named (const char *name)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);
  guint32 paints = 0;

  for (guint paint = TB_PAINT_NONE + 1; paint < TB_N_PAINTS; paint++)
    {
      g_autofree char *stable = g_utf8_casefold (tb_paint_get_name (paint), -1);
      g_autofree char *label = g_utf8_casefold (tb_paint_get_label (paint), -1);

      if (g_str_has_prefix (stable, folded) || g_str_has_prefix (label, folded))
        paints |= 1u << paint;
    }
  return paints;
}

/**
 * tb_timeline_filter_parse: (skip)
 * @search: words; `process:`, `thread:`, `longer:`, `state:` before a word limit where it is looked for
 *
 * What is not understood (`longer:soon`) is looked for as a word, so that nothing that is typed goes unheeded.
 */
TbTimelineFilter *
tb_timeline_filter_parse (const char *search)
{
  TbTimelineFilter *self = g_new0 (TbTimelineFilter, 1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) processes = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) threads = g_strv_builder_new ();
  g_auto (GStrv) terms = g_strsplit_set (search != NULL ? search : "", " \t", -1);

  self->longer = -1;
  for (guint i = 0; terms[i] != NULL; i++)
    {
      g_autofree char *term = g_utf8_make_valid (terms[i], -1);
      g_autofree char *folded = g_utf8_casefold (term, -1);
      const char *value = strchr (folded, ':');
      gint64 ns;
      guint32 paints = 0;

      value = value != NULL ? value + 1 : "";
      if (folded[0] == '\0')
        continue;
      if (g_str_has_prefix (folded, "process:"))
        g_strv_builder_add (processes, value);
      else if (g_str_has_prefix (folded, "thread:"))
        g_strv_builder_add (threads, value);
      else if (g_str_has_prefix (folded, "longer:") && (value[0] == '\0' || tb_parse_duration (value, &ns)))
        self->longer = value[0] == '\0' ? self->longer : ns;
      else if (g_str_has_prefix (folded, "state:")
               && (value[0] == '\0' || (paints = paints_named (value)) != 0))
        self->paints |= paints;
      else
        g_strv_builder_add (words, folded);
    }
  self->words = g_strv_builder_end (words);
  self->processes = g_strv_builder_end (processes);
  self->threads = g_strv_builder_end (threads);
  return self;
}

void
tb_timeline_filter_free (TbTimelineFilter *self)
{
  g_strfreev (self->words);
  g_strfreev (self->processes);
  g_strfreev (self->threads);
  g_free (self);
}

gboolean
tb_timeline_filter_is_empty (const TbTimelineFilter *self)
{
  return self->words[0] == NULL && self->processes[0] == NULL && self->threads[0] == NULL && self->longer < 0
         && self->paints == 0;
}

static char *
fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_utf8_casefold (valid, -1);
}

gboolean
tb_timeline_filter_match (const TbTimelineFilter *self,
                          TbTimelineFigure *figure,
                          guint index,
                          const gint64 *longest)
{
  g_autofree char *name = NULL;
  g_autofree char *group = NULL;
  TbTimelineTrack track;

  tb_timeline_figure_get_track (figure, index, &track);
  name = fold (track.name);
  group = fold (track.group);
  for (guint i = 0; self->words[i] != NULL; i++)
    if (strstr (name, self->words[i]) == NULL && strstr (group, self->words[i]) == NULL)
      return FALSE;
  for (guint i = 0; self->processes[i] != NULL; i++)
    if (strstr (group, self->processes[i]) == NULL)
      return FALSE;
  for (guint i = 0; self->threads[i] != NULL; i++)
    if (strstr (name, self->threads[i]) == NULL)
      return FALSE;
  if (self->paints != 0)
    {
      TbTimelineCoverage coverage;

      tb_timeline_figure_get_coverage (figure, index, G_MININT64 / 4, G_MAXINT64 / 4, &coverage);
      if ((coverage.present & self->paints) == 0)
        return FALSE;
    }
  return self->longer < 0 || longest == NULL || longest[index] >= self->longer;
}
