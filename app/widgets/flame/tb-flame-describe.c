/* tb-flame-describe.c: text about a box of a flame figure for tooltips and screen readers: name,
 * time, values and shares, value in a compared recording, heaviest categories
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "widgets/flame/tb-flame-private.h"

/* Largest number of categories that are named, the largest first. */
#define MAX_CATEGORIES 3

char *
tb_flame_format_value (TbFlameFigure *figure, guint64 value)
{
  const char *unit = tb_flame_figure_get_unit (figure);

  return tb_format_amount (value, unit != NULL ? unit : "");
}

static void
append_time (TbFlameFigure *figure, const TbFlameNode *info, GString *text)
{
  gint64 origin;
  g_autofree char *length = NULL;
  g_autofree char *start = NULL;

  if (!tb_flame_figure_get_chronological (figure, &origin, NULL))
    return;
  length = tb_format_duration (info->to - info->from);
  start = tb_format_time (info->from - origin, MAX ((info->to - info->from) / 100, 1));
  /* Translators: the length and the start of a box of a flame: ", for 12.5 ms from 160.2 ms". */
  g_string_append_printf (text, _ (", for %s from %s"), length, start);
}

/* The time of the node and its callees by category: "blocking I/O 113 ms, network 2 ms". */
static void
append_categories (TbFlameFigure *figure, guint node, GString *text)
{
  guint n = tb_flame_figure_get_n_categories (figure);
  g_autofree guint64 *weights = g_new (guint64, n + 1);

  if (n == 0)
    return;
  tb_flame_figure_get_breakdown (figure, node, TRUE, weights);
  for (guint named = 0; named < MAX_CATEGORIES; named++)
    {
      g_autofree char *weight = NULL;
      guint heaviest = 0;

      for (guint category = 1; category < n; category++)
        if (weights[category] > weights[heaviest])
          heaviest = category;
      if (weights[heaviest] == 0)
        return;
      weight = tb_flame_format_value (figure, weights[heaviest]);
      g_string_append_printf (text, "%s%s %s", named == 0 ? "; " : ", ",
                              tb_flame_figure_get_category (figure, heaviest)->name, weight);
      weights[heaviest] = 0;
    }
}

static void
append_base (TbFlameFigure *figure, const TbFlameNode *info, GString *text)
{
  g_autofree char *before = NULL;
  g_autofree char *share = NULL;
  guint64 whole;

  if (!tb_flame_figure_get_base (figure, &whole))
    return;
  before = tb_flame_format_value (figure, info->base_total);
  share = tb_format_share (whole > 0 ? (double) info->base_total / (double) whole : 0);
  /* Translators: the time of a function in the recording it is compared with, and its share of the
   * whole there. */
  g_string_append_printf (text,
                          tb_flame_figure_is_swapped (figure) ? _ (", other side %s, %s of all")
                                                              : _ (", base %s, %s of all"),
                          before, share);
}

char *
tb_flame_describe (TbFlameFigure *figure, guint node)
{
  const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
  guint64 whole = tb_flame_figure_get_total (figure);
  g_autofree char *total = tb_flame_format_value (figure, info->total);
  g_autofree char *share = tb_format_share (whole > 0 ? (double) info->total / (double) whole : 0);
  g_autofree char *own = tb_flame_format_value (figure, info->own);
  GString *text = g_string_new (info->name);

  if (*info->module)
    g_string_append_printf (text, " (%s)", info->module);
  if (*info->detail)
    g_string_append_printf (text, ", %s", info->detail);
  append_time (figure, info, text);
  /* Translators: a function's time including callees, its share of all, its own time. */
  g_string_append_printf (text, _ (": %s, %s of all, %s in itself"), total, share, own);
  append_base (figure, info, text);
  if (info->count > 0 && !tb_flame_figure_get_chronological (figure, NULL, NULL))
    {
      g_autofree char *count = tb_format_count (info->count);

      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE, ", %s time", ", %s times", info->count),
                              count);
    }
  /* The kind of a box is shown by its colour, which not every user can see. */
  if (info->paint != TB_FLAME_USER && info->paint != TB_FLAME_KERNEL
      && info->paint != TB_FLAME_UNKNOWN && tb_flame_figure_get_n_categories (figure) > 0)
    g_string_append_printf (text, "; %s", tb_flame_paint_get_label (info->paint));
  append_categories (figure, node, text);
  return g_string_free (text, FALSE);
}
