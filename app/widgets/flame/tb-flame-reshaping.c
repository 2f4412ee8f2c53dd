/* tb-flame-reshaping.c: form of a flame view as chosen by menu (inverted, merged, by name, around
 * a function, without modules): has the figure reshaped (tb_flame_figure_reshape()), large ones in
 * a thread with progress bar and cancel button, and shows the result
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/flame/tb-flame-view-private.h"

/* Up to this number of nodes the figure is reshaped at once, not in a thread. */
#define MAX_IMMEDIATE_NODES 20000
/* Interval of progress updates. */
#define PROGRESS_MS 100

void
tb_flame_form_clear (TbFlameForm *form)
{
  g_clear_pointer (&form->function, g_free);
  g_clear_pointer (&form->module, g_free);
  g_clear_pointer (&form->hidden, g_ptr_array_unref);
  *form = (TbFlameForm) { .merged = FALSE };
}

void
tb_flame_form_copy (TbFlameForm *form, const TbFlameForm *from)
{
  tb_flame_form_clear (form);
  *form = *from;
  form->function = g_strdup (from->function);
  form->module = g_strdup (from->module);
  form->hidden
      = from->hidden != NULL ? g_ptr_array_copy (from->hidden, (GCopyFunc) g_strdup, NULL) : NULL;
  if (form->hidden != NULL)
    g_ptr_array_set_free_func (form->hidden, g_free);
}

/* Whether the figure is shown in its original form. */
gboolean
tb_flame_form_is_plain (TbFlameView *self)
{
  const TbFlameForm *form = &self->form;

  return !form->merged && !form->inverted && !form->by_name && !form->collapse_recursion
         && !form->swapped && form->function == NULL
         && (form->hidden == NULL || form->hidden->len == 0);
}

/* The input and output of a worker thread. */
typedef struct
{
  TbFlameFigure *figure;
  TbFlameForm form;
  TbFlameReshapeResult *made[TB_FLAME_PANES];
  gint progress[TB_FLAME_PANES]; /* per mille */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->figure);
  tb_flame_form_clear (&job->form);
  for (guint i = 0; i < TB_FLAME_PANES; i++)
    g_clear_pointer (&job->made[i], tb_flame_reshape_result_free);
  g_free (job);
}

static gboolean
reshape (Job *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (GStrvBuilder) hidden = g_strv_builder_new ();
  g_auto (GStrv) modules = NULL;
  TbFlameShape shape = {
    .inverted = job->form.inverted || job->form.sandwich,
    .function = job->form.function,
    .module = job->form.module,
    .collapse_recursion = job->form.collapse_recursion,
    .by_name = job->form.by_name,
    .swapped = job->form.swapped,
    .progress = &job->progress[0],
  };

  for (guint i = 0; job->form.hidden != NULL && i < job->form.hidden->len; i++)
    g_strv_builder_add (hidden, g_ptr_array_index (job->form.hidden, i));
  modules = g_strv_builder_end (hidden);
  shape.hidden = (const char *const *) modules;
  job->made[0] = tb_flame_figure_reshape (job->figure, &shape, cancellable, error);
  if (job->made[0] == NULL || !job->form.sandwich)
    return job->made[0] != NULL;
  g_atomic_int_set (&job->progress[0], 1000);
  shape.inverted = FALSE;
  shape.progress = &job->progress[1];
  job->made[1] = tb_flame_figure_reshape (job->figure, &shape, cancellable, error);
  return job->made[1] != NULL;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (reshape (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
show (TbFlameView *self, Job *job)
{
  tb_flame_form_copy (&self->shown, &job->form);
  tb_flame_view_show_panes (self, g_steal_pointer (&job->made[0]), g_steal_pointer (&job->made[1]));
}

/* data: (transfer full): weak reference to the view, which may no longer exist */
static void
done (GObject *object, GAsyncResult *result, gpointer data)
{
  GWeakRef *reference = data;
  g_autoptr (TbFlameView) self = g_weak_ref_get (reference);
  Job *job = g_task_get_task_data (G_TASK (result));

  g_weak_ref_clear (reference);
  g_free (reference);
  /* It fails only when it was cancelled: another form was chosen, or the view was closed. */
  if (!g_task_propagate_boolean (G_TASK (result), NULL) || self == NULL)
    return;
  tb_flame_view_stop (self);
  show (self, job);
}

static Job *
job_new (TbFlameView *self)
{
  Job *job = g_new0 (Job, 1);

  job->figure = g_object_ref (self->figure);
  tb_flame_form_copy (&job->form, &self->form);
  return job;
}

static gboolean
on_progress (gpointer data)
{
  TbFlameView *self = data;
  Job *job = g_task_get_task_data (self->task);
  int done = g_atomic_int_get (&job->progress[0]) + g_atomic_int_get (&job->progress[1]);

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 done / (job->form.sandwich ? 2000. : 1000.));
  return G_SOURCE_CONTINUE;
}

/* The form in progress is done or no longer needed. */
void
tb_flame_view_stop (TbFlameView *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->task);
  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  gtk_widget_set_visible (self->busy, FALSE);
}

/* Returns to the form that is still visible. */
static void
on_cancel (TbFlameView *self)
{
  tb_flame_view_stop (self);
  tb_flame_form_copy (&self->form, &self->shown);
  tb_flame_view_notify_form (self);
  tb_flame_view_update_chips (self);
  tb_flame_view_update_actions (self);
  gtk_widget_grab_focus (self->panes_box);
}

GtkWidget *
tb_flame_view_make_busy (TbFlameView *self)
{
  GtkWidget *busy = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *label = gtk_label_new (_ ("Laying out the boxes…"));
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_size_request (self->progress, 200, -1);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->progress),
                                  GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
  gtk_widget_set_halign (cancel, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (busy, "tb-busy");
  gtk_widget_add_css_class (busy, "card");
  gtk_widget_set_halign (busy, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (busy, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (busy, FALSE);
  gtk_box_append (GTK_BOX (busy), label);
  gtk_box_append (GTK_BOX (busy), self->progress);
  gtk_box_append (GTK_BOX (busy), cancel);
  g_signal_connect_object (cancel, "clicked", G_CALLBACK (on_cancel), self, G_CONNECT_SWAPPED);
  return busy;
}

/* The task has only a weak reference to the view, so that closing the view ends the work. */
static void
start_job (TbFlameView *self, Job *job)
{
  GWeakRef *reference = g_new0 (GWeakRef, 1);

  g_weak_ref_init (reference, self);
  self->cancellable = g_cancellable_new ();
  self->task = g_task_new (NULL, self->cancellable, done, reference);
  g_task_set_source_tag (self->task, tb_flame_view_update_form);
  g_task_set_task_data (self->task, job, job_free);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  gtk_widget_set_visible (self->busy, TRUE);
  self->progress_timeout = g_timeout_add (PROGRESS_MS, on_progress, self);
  g_task_run_in_thread (self->task, run);
}

void
tb_flame_view_update_form (TbFlameView *self)
{
  Job *job;

  tb_flame_view_stop (self);
  tb_flame_view_update_chips (self);
  job = job_new (self);
  if (tb_flame_form_is_plain (self))
    show (self, job);
  else if (tb_flame_figure_get_n_nodes (self->figure) <= MAX_IMMEDIATE_NODES)
    {
      reshape (job, NULL, NULL);
      show (self, job);
    }
  else
    {
      start_job (self, job);
      return;
    }
  job_free (job);
}
