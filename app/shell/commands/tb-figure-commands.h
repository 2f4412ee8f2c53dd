/* tb-figure-commands.h: table of the commands that figures have: action, keys, title; tests whether
 * a figure has the command and whether it is enabled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * TbFigureCommand:
 * @action: detailed action name, for example "timeline.sort::name"
 * @keys: (nullable): key in the figure, in GTK's accelerator syntax
 * @title: untranslated title; %NULL if the entry is not a command itself: it opens a menu, or is
 *   listed once per target
 */
typedef struct
{
  const char *action;
  const char *keys;
  const char *title;
  /*< private >*/
  gboolean (*is_possible) (GtkWidget *view);
} TbFigureCommand;

const TbFigureCommand *tb_figure_commands_get (guint *n);
/* The translated title for a menu of the figure itself: without the kind of figure that it begins
 * with. */
const char *tb_figure_command_get_label (const TbFigureCommand *self);
/* Whether a view (nullable) has such an action, and whether the action is possible now. */
gboolean tb_figure_command_applies_to (const TbFigureCommand *self, GtkWidget *view);
gboolean tb_figure_command_is_enabled (const TbFigureCommand *self, GtkWidget *view);

G_END_DECLS
