/* tb-flame-layout.c: where the boxes of a flame figure are
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/tb-report.h"
#include "widgets/tb-flame-private.h"

typedef struct
{
  guint first; /* of siblings */
  guint parent;
  guint depth;
  double x;
  double scale; /* pixels of one unit of weight */
} Level;

/* Lays siblings out, largest first; those that would be too narrow share one box. */
static void
lay_siblings (TbFlameFigure *figure, const Level *level, double least, GArray *boxes, GArray *pending)
{
  double x = level->x;
  guint node;

  for (node = level->first; node != TB_ID_NONE;)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
      double width = (double) info->total * level->scale;
      TbFlameBox box = { .node = node, .depth = level->depth, .total = info->total, .x = x, .width = width };
      Level below = { info->first_child, node, level->depth + 1, x, level->scale };

      /* One alone that is too narrow needs as much room merged as not. */
      if (width < least && info->next_sibling != TB_ID_NONE)
        break;
      if (width < least)
        box.width = MAX (width, 1);
      g_array_append_val (boxes, box);
      if (info->first_child != TB_ID_NONE && width >= least)
        g_array_append_val (pending, below);
      x += width;
      node = info->next_sibling;
    }
  if (node != TB_ID_NONE)
    {
      TbFlameBox rest = { .node = level->parent, .depth = level->depth, .first_merged = node, .x = x };

      for (; node != TB_ID_NONE; node = tb_flame_figure_get_node (figure, node)->next_sibling)
        {
          rest.n_merged++;
          rest.total += tb_flame_figure_get_node (figure, node)->total;
        }
      rest.width = MAX ((double) rest.total * level->scale, 1);
      g_array_append_val (boxes, rest);
    }
}

GArray *
tb_flame_layout (TbFlameFigure *figure, guint zoomed, double width, double least, guint *depth)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (TbFlameBox));
  g_autoptr (GArray) pending = g_array_new (FALSE, FALSE, sizeof (Level));
  guint64 total = tb_flame_figure_get_total (figure);
  guint lowest = 0;

  *depth = 0;
  if (zoomed != TB_ID_NONE)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, zoomed);

      total = info->total;
      lowest = info->depth;
      /* Its callers, each a whole line. */
      for (guint node = zoomed, at = lowest;; at--)
        {
          const TbFlameNode *caller = tb_flame_figure_get_node (figure, node);
          TbFlameBox box = { .node = node, .depth = at, .total = caller->total, .width = width };

          g_array_append_val (boxes, box);
          if (caller->parent == TB_ID_NONE || at == 0)
            break;
          node = caller->parent;
        }
      if (total > 0 && info->first_child != TB_ID_NONE)
        g_array_append_val (pending,
                            ((Level) { info->first_child, zoomed, lowest + 1, 0, width / (double) total }));
    }
  else if (total > 0)
    g_array_append_val (pending, ((Level) { tb_flame_figure_get_first_root (figure), TB_ID_NONE, 0, 0,
                                            width / (double) total }));

  /* First come first served, so that boxes are in order of depth. */
  for (guint i = 0; i < pending->len; i++)
    {
      Level level = g_array_index (pending, Level, i);

      lay_siblings (figure, &level, least, boxes, pending);
    }
  for (guint i = 0; i < boxes->len; i++)
    *depth = MAX (*depth, g_array_index (boxes, TbFlameBox, i).depth + 1);
  return boxes;
}

char *
tb_flame_format_value (TbFlameFigure *figure, guint64 value)
{
  const char *unit = tb_flame_figure_get_unit (figure);

  if (g_strcmp0 (unit, "ns") == 0)
    return tb_format_duration ((gint64) MIN (value, G_MAXINT64));
  if (g_strcmp0 (unit, "bytes") == 0)
    return tb_format_bytes (value);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", value, unit != NULL ? unit : "");
}

/* One line about a node: what a tooltip and a screen reader say. */
char *
tb_flame_describe (TbFlameFigure *figure, guint node)
{
  const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
  guint64 whole = tb_flame_figure_get_total (figure);
  g_autofree char *total = tb_flame_format_value (figure, info->total);
  g_autofree char *share = tb_format_share (whole > 0 ? (double) info->total / (double) whole : 0);
  g_autofree char *own = tb_flame_format_value (figure, info->own);
  GString *text = g_string_new (info->name);

  if (info->module != NULL && info->module[0] != '\0')
    g_string_append_printf (text, " (%s)", info->module);
  /* Translators: of a function: time with what it calls, its share of all, time in itself. */
  g_string_append_printf (text, _ (": %s, %s of all, %s in itself"), total, share, own);
  if (info->count > 0)
    g_string_append_printf (text,
                            g_dngettext (GETTEXT_PACKAGE, ", %" G_GUINT64_FORMAT " time",
                                         ", %" G_GUINT64_FORMAT " times", info->count),
                            info->count);
  return g_string_free (text, FALSE);
}

static gboolean
contains (GHashTable *known, const char *name, const char *folded_search)
{
  gpointer value;
  gboolean found;

  /* A function is called from many places: its name is looked at once. */
  if (g_hash_table_lookup_extended (known, name, NULL, &value))
    return GPOINTER_TO_INT (value);
  {
    g_autofree char *valid = g_utf8_make_valid (name, -1);
    g_autofree char *folded = g_utf8_casefold (valid, -1);

    found = strstr (folded, folded_search) != NULL;
  }
  g_hash_table_insert (known, (gpointer) name, GINT_TO_POINTER (found));
  return found;
}

TbFlameMatch *
tb_flame_match (TbFlameFigure *figure, const char *search)
{
  guint n = tb_flame_figure_get_n_nodes (figure);
  TbFlameMatch *self = g_new0 (TbFlameMatch, 1);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *folded = g_utf8_casefold (search, -1);
  g_autofree guint8 *inside = g_new0 (guint8, MAX (1, n));

  self->matched = g_new0 (guint8, MAX (1, n));
  for (guint node = 0; node < n; node++)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);

      inside[node] = info->parent != TB_ID_NONE && (inside[info->parent] || self->matched[info->parent] & 1);
      if (!contains (known, info->name, folded))
        continue;
      self->matched[node] = 1;
      self->n++;
      if (!inside[node])
        self->total += info->total;
    }
  /* A parent has a smaller index than its children. */
  for (guint node = n; node-- > 0;)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);

      if (self->matched[node] != 0 && info->parent != TB_ID_NONE)
        self->matched[info->parent] |= 2;
    }
  return self;
}

void
tb_flame_match_free (TbFlameMatch *self)
{
  g_free (self->matched);
  g_free (self);
}
