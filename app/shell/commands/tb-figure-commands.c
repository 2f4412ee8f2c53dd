/* tb-figure-commands.c: table of the commands that figures have: action, keys, title; tests whether
 * a figure has the command and whether it is enabled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "report/flame/tb-flame-figure.h"
#include "session/schema/tb-schema.h"
#include "shell/commands/tb-figure-commands.h"
#include "widgets/tailback-gtk.h"

static gboolean
has_frame (GtkWidget *view)
{
  return tb_flame_view_get_selected (TB_FLAME_VIEW (view)) != TB_ID_NONE;
}

static gboolean
has_module (GtkWidget *view)
{
  guint node = tb_flame_view_get_selected (TB_FLAME_VIEW (view));
  TbFlameFigure *figure = TB_FLAME_FIGURE (tb_figure_view_get_figure (TB_FIGURE_VIEW (view)));

  return node != TB_ID_NONE && *tb_flame_figure_get_node (figure, node)->module != '\0';
}

static gboolean
is_over_time (GtkWidget *view)
{
  return tb_flame_figure_get_chronological (TB_FLAME_FIGURE (
                                                tb_figure_view_get_figure (TB_FIGURE_VIEW (view))),
                                            NULL, NULL);
}

static gboolean
has_base (GtkWidget *view)
{
  return tb_flame_figure_get_base (TB_FLAME_FIGURE (
                                       tb_figure_view_get_figure (TB_FIGURE_VIEW (view))),
                                   NULL);
}

static gboolean
has_thread (GtkWidget *view)
{
  return tb_focus_get_thread (tb_figure_view_get_focus (TB_FIGURE_VIEW (view))) != TB_ID_NONE;
}

/* Every action of a figure view has an entry here, which a test checks. A title begins with the
 * kind of figure, a colon and a space, in translations too: a menu of the figure shows the rest. */
static const TbFigureCommand commands[] = {
  { "flame.merged", "e", N_ ("Flame: Merge Equal Calls or Show Them Over Time"), is_over_time },
  { "flame.inverted", "i", N_ ("Flame: Invert, Show Callers of Each Function") },
  { "flame.icicle", "t", N_ ("Flame: Put Callers on Top or at the Bottom") },
  { "flame.by-name", "n", N_ ("Flame: Sort by Name or by Weight") },
  { "flame.collapse-recursion", "r", N_ ("Flame: Collapse Recursion") },
  { "flame.swapped", NULL, N_ ("Flame: Use Widths of the Base or of the Other Side"), has_base },
  { "flame.sandwich", "x", N_ ("Flame: Show Callers and Callees of the Selected Function"),
    has_frame },
  { "flame.focus-function", "o", N_ ("Flame: Show Only What the Selected Function Calls"),
    has_frame },
  { "flame.hide-module", "h", N_ ("Flame: Hide the Module of the Selected Function"), has_module },
  { "flame.reset", "<Shift>r", N_ ("Flame: Restore the Original View") },
  { "flame.menu", NULL, NULL },
  { "timeline.sort", NULL, NULL },
  { "timeline.sort::recorded", NULL, N_ ("Timeline: Sort as Recorded") },
  { "timeline.sort::name", NULL, N_ ("Timeline: Sort by Name") },
  { "timeline.sort::running", NULL, N_ ("Timeline: Sort by Time Running") },
  { "timeline.sort::waiting", NULL, N_ ("Timeline: Sort by Time Waiting") },
  { "timeline.sort::longest-wait", NULL, N_ ("Timeline: Sort by Longest Wait") },
  { "timeline.pin", "p", N_ ("Timeline: Pin or Unpin the Selected Track"), has_thread },
  { "timeline.unpin-all", NULL, N_ ("Timeline: Unpin All") },
  { "timeline.expand-all", NULL, N_ ("Timeline: Open All Groups") },
  { "timeline.collapse-all", NULL, N_ ("Timeline: Close All Groups") },
  { "table.copy", "<Control>c", N_ ("Table: Copy the Selected Rows") },
  { "table.copy-csv", "<Control><Alt>c", N_ ("Table: Copy the Selected Rows as Values (CSV)") },
  { "table.menu", NULL, NULL },
};

const TbFigureCommand *
tb_figure_commands_get (guint *n)
{
  *n = G_N_ELEMENTS (commands);
  return commands;
}

const char *
tb_figure_command_get_label (const TbFigureCommand *self)
{
  const char *title = _ (self->title), *colon = strstr (title, ": ");

  return colon != NULL ? colon + strlen (": ") : title;
}

gboolean
tb_figure_command_applies_to (const TbFigureCommand *self, GtkWidget *view)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  const GVariantType *type;
  const char *class_action, *property;
  GType owner;

  if (view == NULL || !g_action_parse_detailed_name (self->action, &name, &target, NULL))
    return FALSE;
  for (guint i = 0; gtk_widget_class_query_action (GTK_WIDGET_GET_CLASS (view), i, &owner,
                                                   &class_action, &type, &property);
       i++)
    if (g_str_equal (class_action, name))
      return TRUE;
  return FALSE;
}

gboolean
tb_figure_command_is_enabled (const TbFigureCommand *self, GtkWidget *view)
{
  return self->is_possible == NULL || self->is_possible (view);
}
