/* tb-flame-text.c: flame figures as text: an indented tree with shares and weights, and the
 * categories
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-figure-private.h"
#include "report/tb-report.h"
#include "report/tb-text-private.h"

#define SHARE_MIN 0.01
#define LINES_MAX 300
#define INDENT_MAX 40

static char *
format_weight (TbFlameFigure *self, guint64 weight)
{
  return tb_format_amount (weight, tb_flame_figure_get_unit (self));
}

/* The only child of a node that has no own weight. Such chains take one line. */
static guint
get_only_child (TbFlameFigure *self, const TbFlameNode *node)
{
  const TbFlameNode *child;

  if (node->first_child == TB_ID_NONE)
    return TB_ID_NONE;
  child = tb_flame_figure_get_node (self, node->first_child);
  if (child->next_sibling != TB_ID_NONE || child->from != node->from || child->to != node->to)
    return TB_ID_NONE;
  return child->total == node->total && child->paint == node->paint ? node->first_child
                                                                    : TB_ID_NONE;
}

static void
append_name (GString *line, const TbFlameNode *node)
{
  g_string_append (line, node->name);
  if (*node->module)
    g_string_append_printf (line, " [%s]", node->module);
}

/* The numbers before a node: its share, or its start time, and its weight. */
static void
append_figures (TbFlameFigure *self, const TbFlameNode *node, GString *line)
{
  guint64 total = tb_flame_figure_get_total (self);
  g_autofree char *weight = NULL;
  g_autofree char *place = NULL;
  gint64 from;

  if (tb_flame_figure_get_chronological (self, &from, NULL))
    {
      place = tb_format_duration (MAX (node->from - from, 0));
      weight = tb_format_duration (node->to - node->from);
      tb_text_append_padded (line, place, 10, TRUE);
    }
  else
    {
      place = tb_format_share (total ? (double) node->total / total : 0);
      weight = format_weight (self, node->total);
      tb_text_append_padded (line, place, 7, TRUE);
    }
  g_string_append_c (line, ' ');
  tb_text_append_padded (line, weight, 10, TRUE);
}

/* Writes a line with a node and the nodes that are joined to it. Returns the last of these. */
static guint
render_node (TbFlameFigure *self, guint index, guint indent, guint width, GString *text)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const TbFlameNode *node = tb_flame_figure_get_node (self, index);
  guint n_joined = 0;
  guint next;

  append_figures (self, node, line);
  g_string_append_printf (line, "  %*s", (int) MIN (2 * indent, INDENT_MAX), "");
  append_name (line, node);
  while (n_joined < 3 && (next = get_only_child (self, node)) != TB_ID_NONE)
    {
      index = next;
      node = tb_flame_figure_get_node (self, index);
      g_string_append (line, " → ");
      append_name (line, node);
      n_joined++;
    }
  if (*node->detail)
    g_string_append_printf (line, " (%s)", node->detail);
  tb_text_append_cut (text, line->str, width ? width : G_MAXUINT);
  g_string_append_c (text, '\n');
  return index;
}

static void
render_tree (TbFlameFigure *self, guint width, GString *text, guint *n_lines, guint *n_light)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, 2 * sizeof (guint));
  double least = SHARE_MIN * tb_flame_figure_get_total (self);
  guint place[2] = { tb_flame_figure_get_first_root (self), 0 };
  guint lane = TB_ID_NONE;

  g_array_append_val (stack, place);
  while (stack->len > 0 && *n_lines < LINES_MAX)
    {
      const TbFlameNode *node;
      guint index;
      guint last;

      memcpy (place, &((guint (*)[2]) (gpointer) stack->data)[stack->len - 1], sizeof place);
      g_array_set_size (stack, stack->len - 1);
      if (place[0] == TB_ID_NONE)
        continue;
      index = place[0];
      node = tb_flame_figure_get_node (self, index);
      place[0] = node->next_sibling;
      g_array_append_val (stack, place);
      if (node->total < least || node->total == 0)
        {
          (*n_light)++;
          continue;
        }
      if (node->lane != lane && *tb_flame_figure_get_lane_name (self, node->lane))
        tb_text_append_wrapped (text, tb_flame_figure_get_lane_name (self, node->lane), width, 2);
      lane = node->lane;
      last = render_node (self, index, place[1], width, text);
      (*n_lines)++;
      place[0] = tb_flame_figure_get_node (self, last)->first_child;
      place[1]++;
      g_array_append_val (stack, place);
    }
}

static void
render_categories (TbFlameFigure *self, guint width, GString *text)
{
  guint64 total = tb_flame_figure_get_total (self);

  if (tb_flame_figure_get_n_categories (self) > 0)
    tb_text_append_wrapped (text, _ ("Total by category"), width, 2);
  for (guint i = 0; i < tb_flame_figure_get_n_categories (self); i++)
    {
      const TbFlameCategory *category = tb_flame_figure_get_category (self, i);
      g_autofree char *share = tb_format_share (total ? (double) category->own / total : 0);
      g_autofree char *weight = format_weight (self, category->own);
      g_autoptr (GString) line = g_string_new (NULL);

      if (category->own == 0)
        continue;
      tb_text_append_padded (line, share, 7, TRUE);
      g_string_append_c (line, ' ');
      tb_text_append_padded (line, weight, 10, TRUE);
      g_string_append_printf (line, "  %s", category->name);
      tb_text_append_cut (text, line->str, width ? width : G_MAXUINT);
      g_string_append_c (text, '\n');
    }
}

void
tb_flame_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbFlameFigure *self = TB_FLAME_FIGURE (figure);
  g_autofree char *weight = format_weight (self, tb_flame_figure_get_total (self));
  g_autofree char *total = g_strdup_printf (_ ("%s in total"), weight);
  guint n_lines = 0;
  guint n_light = 0;

  tb_text_append_wrapped (text, total, width, 2);
  render_tree (self, width, text, &n_lines, &n_light);
  if (n_light > 0)
    {
      g_autofree char *share = tb_format_share (SHARE_MIN);
      g_autofree char *line = g_strdup_printf (_ ("Branches under %s are not shown."), share);

      tb_text_append_wrapped (text, line, width, 2);
    }
  if (n_lines == LINES_MAX)
    tb_text_append_wrapped (text, _ ("No more lines are shown; the JSON has the whole tree."),
                            width, 2);
  render_categories (self, width, text);
}
