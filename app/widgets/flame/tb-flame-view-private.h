/* tb-flame-view-private.h: structure of a flame view and of the form in which it shows its figure,
 * for the files that implement it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-shape.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/flame/tb-flame-pane-private.h"
#include "widgets/flame/tb-flame-view.h"

G_BEGIN_DECLS

/* The form in which a flame is shown. */
typedef struct
{
  gboolean merged; /* a chronological figure that is not shown over time */
  gboolean inverted;
  gboolean by_name;
  gboolean collapse_recursion;
  gboolean swapped;
  gboolean sandwich; /* callers of the function above, callees below */
  char *function;    /* NULL: all */
  char *module;
  GPtrArray *hidden; /* names of modules; NULL-terminated for use */
} TbFlameForm;

#define TB_FLAME_PANES 2

struct _TbFlameView
{
  TbFigureView parent_instance;

  TbFlameFigure *figure;
  TbFocus *lens; /* the visible part of a chronological figure, else NULL */
  TbFlameForm form;
  TbFlameForm shown;         /* the visible form, while another one is being made */
  GCancellable *cancellable; /* of the reshaping */
  GTask *task;               /* the reshaping */
  guint progress_timeout;

  TbFlamePane *panes[TB_FLAME_PANES]; /* the second one exists in a sandwich only */
  TbFlameReshapeResult
      *reshaped[TB_FLAME_PANES]; /* the figures that they show; NULL: the original */
  TbFlamePane *current;          /* the last one with the keyboard focus */
  gboolean icicle;

  GtkWidget *box;
  GtkWidget *chips; /* buttons for the parts that are left out, which bring them back */
  GtkWidget *overlay;
  GtkWidget *busy;
  GtkWidget *progress;
  GtkWidget *panes_box;
  GtkWidget *status;
  GtkWidget *menu_button;
};

/* Shows the figure in the current form, at once or when it is ready. */
void tb_flame_view_update_form (TbFlameView *self);
/* Replaces the panes. reshaped: (transfer full) (nullable) */
void tb_flame_view_show_panes (TbFlameView *self,
                               TbFlameReshapeResult *first,
                               TbFlameReshapeResult *second);
void tb_flame_view_update_status (TbFlameView *self);
/* A selected node of the original figure, or TB_ID_NONE. */
guint tb_flame_view_find_origin (TbFlameView *self, TbFlamePane *pane, guint node);
guint tb_flame_view_find_place (TbFlameView *self, TbFlamePane *pane, guint node);

void tb_flame_view_notify_form (TbFlameView *self);
/* The widget shown while a form is being made: its progress and a cancel button. */
GtkWidget *tb_flame_view_make_busy (TbFlameView *self);
void tb_flame_view_stop (TbFlameView *self);

/* tb-flame-selection.c */
void tb_flame_view_make_lens (TbFlameView *self);
void tb_flame_view_on_selected (TbFlameView *self, TbFlamePane *pane);
void tb_flame_view_select_origin (TbFlameView *self, guint selected);
void tb_flame_view_show_selection (TbFigureView *view);
/* Whether the selection of the document is an item of this figure. */
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
