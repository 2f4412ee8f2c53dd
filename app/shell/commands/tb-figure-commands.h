/* tb-figure-commands.h: what can be done in figures, by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * TbFigureCommand:
 * @action: a detailed name, "timeline.sort::name"
 * @keys: (nullable): in the figure, as GTK writes them
 * @title: not translated; %NULL where it is no command of its own, but among those with a target, or opens a menu
 */
typedef struct
{
  const char *action;
  const char *keys;
  const char *title;
  /*< private >*/
  gboolean (*can) (GtkWidget *view);
} TbFigureCommand;

const TbFigureCommand *tb_figure_commands_get (guint *n);
/* Whether a view (nullable) has such an action; whether that can do anything now. */
gboolean tb_figure_command_is_for (const TbFigureCommand *self, GtkWidget *view);
gboolean tb_figure_command_is_enabled (const TbFigureCommand *self, GtkWidget *view);

G_END_DECLS
