/* tb-flame-form.c: shows a flame in other forms
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-view-private.h"

/* So many nodes are reshaped at once rather than in a thread. */
#define QUICK 20000

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
  form->hidden = from->hidden != NULL ? g_ptr_array_copy (from->hidden, (GCopyFunc) g_strdup, NULL) : NULL;
  if (form->hidden != NULL)
    g_ptr_array_set_free_func (form->hidden, g_free);
}

/* Whether the figure is shown as it is. */
gboolean
tb_flame_form_is_plain (TbFlameView *self)
{
  const TbFlameForm *form = &self->form;

  return !form->merged && !form->inverted && !form->by_name && !form->collapse_recursion && !form->swapped
         && form->function == NULL && (form->hidden == NULL || form->hidden->len == 0);
}

/* What a thread works on. */
typedef struct
{
  TbFlameFigure *figure;
  TbFlameForm form;
  TbFlameReshaped *made[TB_FLAME_PANES];
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->figure);
  tb_flame_form_clear (&job->form);
  for (guint i = 0; i < TB_FLAME_PANES; i++)
    g_clear_pointer (&job->made[i], tb_flame_reshaped_free);
  g_free (job);
}

static gboolean
work (Job *job, GCancellable *cancellable, GError **error)
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
  };

  for (guint i = 0; job->form.hidden != NULL && i < job->form.hidden->len; i++)
    g_strv_builder_add (hidden, g_ptr_array_index (job->form.hidden, i));
  modules = g_strv_builder_end (hidden);
  shape.hidden = (const char *const *) modules;
  job->made[0] = tb_flame_figure_reshape (job->figure, &shape, cancellable, error);
  if (job->made[0] == NULL || !job->form.sandwich)
    return job->made[0] != NULL;
  shape.inverted = FALSE;
  job->made[1] = tb_flame_figure_reshape (job->figure, &shape, cancellable, error);
  return job->made[1] != NULL;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (work (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
done (GObject *object, GAsyncResult *result, gpointer data)
{
  TbFlameView *self = TB_FLAME_VIEW (object);
  Job *job = g_task_get_task_data (G_TASK (result));

  /* It fails when cancelled only: then another form is wanted, or nobody looks any more. */
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  g_clear_object (&self->cancellable);
  gtk_widget_set_visible (self->busy, FALSE);
  tb_flame_view_show_panes (self, g_steal_pointer (&job->made[0]), g_steal_pointer (&job->made[1]));
}

static Job *
job_new (TbFlameView *self)
{
  Job *job = g_new0 (Job, 1);

  job->figure = g_object_ref (self->figure);
  tb_flame_form_copy (&job->form, &self->form);
  return job;
}

void
tb_flame_view_reform (TbFlameView *self)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_widget_set_visible (self->busy, FALSE);
  tb_flame_view_update_chips (self);
  if (tb_flame_form_is_plain (self))
    {
      tb_flame_view_show_panes (self, NULL, NULL);
      return;
    }
  job = job_new (self);
  if (tb_flame_figure_get_n_nodes (self->figure) <= QUICK)
    {
      work (job, NULL, NULL);
      tb_flame_view_show_panes (self, g_steal_pointer (&job->made[0]), g_steal_pointer (&job->made[1]));
      job_free (job);
      return;
    }
  self->cancellable = g_cancellable_new ();
  gtk_widget_set_visible (self->busy, TRUE);
  task = g_task_new (self, self->cancellable, done, NULL);
  g_task_set_source_tag (task, tb_flame_view_reform);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run);
}
