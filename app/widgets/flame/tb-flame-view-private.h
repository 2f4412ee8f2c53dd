/* tb-flame-view-private.h: a flame view, for the files that make it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-shape.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/flame/tb-flame-pane-private.h"
#include "widgets/flame/tb-flame-view.h"

G_BEGIN_DECLS

/* What of a flame is looked at, and how. */
typedef struct
{
  gboolean merged; /* a chronological figure: not over time */
  gboolean inverted;
  gboolean by_name;
  gboolean collapse_recursion;
  gboolean swapped;
  gboolean sandwich; /* callers of the function above, what it calls below */
  char *function;    /* NULL: all */
  char *module;
  GPtrArray *hidden; /* modules; NULL-terminated when it is used */
} TbFlameForm;

#define TB_FLAME_PANES 2

struct _TbFlameView
{
  TbFigureView parent_instance;

  TbFlameFigure *figure;
  TbFocus *lens; /* what is seen of a chronological figure, else NULL */
  TbFlameForm form;
  TbFlameForm shown;         /* that of what is there while another one is made */
  GCancellable *cancellable; /* of what is being reshaped */
  GTask *task;               /* that makes it */
  guint progress_timeout;

  TbFlamePane *panes[TB_FLAME_PANES];        /* the second: of a sandwich, else NULL */
  TbFlameReshaped *reshaped[TB_FLAME_PANES]; /* what they show; NULL: the figure itself */
  TbFlamePane *current;                      /* that the keyboard was in last */
  gboolean icicle;

  GtkWidget *box;
  GtkWidget *chips; /* what is left out, each with a button that brings it back */
  GtkWidget *overlay;
  GtkWidget *busy;
  GtkWidget *progress;
  GtkWidget *panes_box;
  GtkWidget *status;
  GtkWidget *menu_button;
};

/* The form has changed: shows the figure so, at once or when that is made. */
void tb_flame_view_reform (TbFlameView *self);
/* Replaces what is shown; reshaped: (transfer full) (nullable) each. */
void tb_flame_view_show_panes (TbFlameView *self, TbFlameReshaped *first, TbFlameReshaped *second);
void tb_flame_view_update_status (TbFlameView *self);
/* A node of the figure itself that is selected, or TB_ID_NONE. */
guint tb_flame_view_find_origin (TbFlameView *self, TbFlamePane *pane, guint node);
guint tb_flame_view_find_place (TbFlameView *self, TbFlamePane *pane, guint node);

void tb_flame_view_notify_form (TbFlameView *self);
/* What is to be seen while a form is made: how far that is, and a way out. */
GtkWidget *tb_flame_view_make_busy (TbFlameView *self);
void tb_flame_view_stop (TbFlameView *self);

/* tb-flame-selection.c */
void tb_flame_view_make_lens (TbFlameView *self);
void tb_flame_view_on_selected (TbFlameView *self, TbFlamePane *pane);
void tb_flame_view_select_origin (TbFlameView *self, guint selected);
void tb_flame_view_show_selection (TbFigureView *view);
/* Whether what is selected in the document is an item of this figure. */
gboolean tb_flame_view_is_source (TbFlameView *self);

void tb_flame_form_clear (TbFlameForm *form);
void tb_flame_form_copy (TbFlameForm *form, const TbFlameForm *from);
gboolean tb_flame_form_is_plain (TbFlameView *self);

/* tb-flame-menu.c */
void tb_flame_view_select_at (TbFigureView *view, double x, double y);
void tb_flame_view_class_add_actions (GtkWidgetClass *widget_class);
GtkWidget *tb_flame_view_make_menu_button (TbFlameView *self);
void tb_flame_view_update_actions (TbFlameView *self);
void tb_flame_view_update_chips (TbFlameView *self);
void tb_flame_view_add_context_menu (TbFlameView *self);

G_END_DECLS
