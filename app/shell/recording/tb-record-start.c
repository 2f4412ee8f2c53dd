/* tb-record-start.c: last step of the recording assistant: choice of the file, check of the target,
 * recording object passed to the window for its start, choices stored in the settings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "base/tb-sandbox.h"
#include "extend/plugins/tb-command.h"
#include "shell/recording/tb-record-dialog-private.h"
#include "shell/tb-banner.h"
#include "shell/tb-temporary-files.h"

/* File */

static void
file_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file != NULL)
    tb_record_dialog_set_file (self, file);
}

void
tb_record_dialog_choose_file (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _ ("Save the Recording To"));
  gtk_file_dialog_set_initial_name (dialog, "recording.tailback");
  gtk_file_dialog_save (dialog, GTK_WINDOW (gtk_widget_get_root (widget)), NULL, file_chosen,
                        g_object_ref (self));
}

/* Start */

static GFile *
make_file (TbRecordDialog *self, char **argv, GError **error)
{
  g_autofree char *base = NULL;

  if (self->file != NULL)
    {
      /* The file dialog has confirmed overwriting; the recorder never overwrites by default. */
      g_file_delete (self->file, NULL, NULL);
      return g_object_ref (self->file);
    }
  if (tb_record_dialog_get_scope (self) == TB_SCOPE_SYSTEM && argv == NULL)
    return tb_recordings_new_file (_ ("system"), error);
  base = argv != NULL ? g_path_get_basename (argv[0])
                      : g_strdup (adw_action_row_get_subtitle (self->process_row));
  return tb_recordings_new_file (base, error);
}

/* Checks what may change until the start: the program and the process. (transfer full)
 * (nullable) */
static char *
check_target (TbRecordDialog *self, char **argv)
{
  g_autofree char *program = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (argv != NULL && (program = tb_command_find_program (argv[0], &error)) == NULL)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->command_row), "error");
      gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
      return g_strdup (error->message);
    }
  /* The agent refuses a process of the host that has ended. */
  if (tb_record_dialog_get_scope (self) != TB_SCOPE_PROCESS || tb_sandbox_is_active ())
    return NULL;
  path = g_strdup_printf ("/proc/%d", self->pid);
  return g_file_test (path, G_FILE_TEST_EXISTS)
             ? NULL
             : g_strdup_printf (_ ("Process %d has ended. Choose another one."), self->pid);
}

void
tb_record_dialog_start (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_auto (GStrv) argv = NULL;
  g_autofree char *problem = tb_record_dialog_find_problem (self, &argv);
  g_autoptr (TbRecording) recording = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;

  if (problem == NULL && self->survey_results == NULL)
    {
      /* The collectors that work here are not known yet. */
      self->start_pending = TRUE;
      tb_record_dialog_update (self);
      return;
    }
  if (problem == NULL)
    problem = check_target (self, argv);
  if (problem == NULL)
    {
      file = make_file (self, argv, &error);
      if (file == NULL)
        problem = g_strdup (error->message);
    }
  if (problem != NULL)
    {
      tb_banner_set_text (self->problem_banner, problem);
      return;
    }

  recording = tb_recording_new (tb_record_dialog_get_choice (self)->collector,
                                tb_record_dialog_get_choice (self)->id, file);
  if (tb_record_dialog_get_scope (self) == TB_SCOPE_COMMAND)
    tb_recording_set_command (recording, (const char *const *) argv);
  else if (tb_record_dialog_get_scope (self) == TB_SCOPE_PROCESS)
    tb_recording_set_process (recording, self->pid);
  else if (argv != NULL)
    tb_recording_set_system_command (recording, (const char *const *) argv);

  tb_record_dialog_save_collector (self);
  g_settings_set_string (self->settings, "scope",
                         tb_record_scope_names[tb_record_dialog_get_scope (self)]);
  if (tb_record_dialog_get_scope (self) != TB_SCOPE_PROCESS)
    g_settings_set_string (self->settings, "command",
                           gtk_editable_get_text (GTK_EDITABLE (self->command_row)));
  g_signal_emit_by_name (self, "record", recording);
  adw_dialog_close (ADW_DIALOG (self));
}
