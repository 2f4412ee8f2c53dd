/* page-gallery.c: pictures of every page and dialog of the application in every condition, to be looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page-gallery FOLDER [CONDITION…]: light, dark, mirrored, large, narrow; where ADW_DEBUG_HIGH_CONTRAST=1 is set before it
 * starts, contrast and contrast-dark. See the script “pictures”, which runs it for all.
 */

#include "config.h"

#include <string.h>

#include "record-fixture.h"

typedef struct
{
  const char *name;
  int width;
  int height;
  gboolean dark;
  gboolean mirrored;
  gboolean contrast;
  guint percent; /* of the usual size of text, 0: that */
} Condition;

static const Condition conditions[] = {
  { "light", 1440, 900 },
  { "dark", 1440, 900, .dark = TRUE },
  { "mirrored", 1440, 900, .mirrored = TRUE },
  { "large", 1440, 900, .percent = 150 },
  { "narrow", 400, 760 },
  { "contrast", 1440, 900, .contrast = TRUE },
  { "contrast-dark", 1440, 900, .dark = TRUE, .contrast = TRUE },
};

static const Condition *condition;

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* What is counted in threads and styles that fade: a picture for people may wait for them. */
static void
picture (TbWindow *window, const char *name)
{
  g_autofree char *file = g_strdup_printf ("%s-%s", name, condition->name);
  gboolean settled = FALSE;

  g_timeout_add (300, set_true, &settled);
  while (!settled)
    g_main_context_iteration (NULL, TRUE);
  shell_picture (window, file);
}

static void
picture_dialog (TbWindow *window, const char *name)
{
  AdwDialog *dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));

  picture (window, name);
  if (dialog != NULL)
    adw_dialog_force_close (dialog);
}

static void
picture_figures (TbWindow *window, TbReport *report, const char *id)
{
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      const char *figure = tb_figure_get_id (tb_report_get_figure (report, i));
      g_autofree char *name = g_strdup_printf ("%s-%s", id, figure);

      shell_activate (window, "show-figure", g_variant_new_string (figure));
      picture (window, name);
    }
}

static void
picture_analyses (TbWindow *window, TbDocument *document)
{
  GListModel *analyses = tb_document_get_analyses (document);

  for (guint i = 0; i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);
      const char *id = tb_analysis_item_get_id (item);

      shell_activate (window, "show-analysis", g_variant_new_string (id));
      shell_wait_settled (document);
      if (tb_analysis_item_get_report (item) != NULL)
        picture_figures (window, tb_analysis_item_get_report (item), id);
      else
        picture (window, id);
    }
}

static void
picture_document (TbWindow *window)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  guint32 curl = shell_find_thread (document, "curl");

  tb_focus_select_item (focus, "timeline", NULL, curl, 15000000, 260800000, NULL);
  picture (window, "selected");
  shell_activate (window, "explain", NULL);
  shell_wait_settled (document);
  picture_analyses (window, document);
}

static void
picture_dialogs (TbWindow *window)
{
  static const char *const actions[] = { "preferences", "shortcuts", "about" };
  TbRecordDialog *assistant = record_open_assistant (window);

  record_wait_asked (assistant);
  picture (window, "assistant");
  gtk_widget_activate_action (GTK_WIDGET (assistant), "record.choose-process", NULL);
  picture_dialog (window, "assistant-processes");
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_action_group_has_action (G_ACTION_GROUP (shell_get_application ()), actions[i]))
      {
        g_action_group_activate_action (G_ACTION_GROUP (shell_get_application ()), actions[i], NULL);
        picture_dialog (window, actions[i]);
      }
  if (shell_is_enabled (window, "options"))
    {
      shell_activate (window, "options", NULL);
      picture_dialog (window, "options");
    }
}

/* Where this machine lets us. */
static void
picture_recording (TbWindow *window)
{
  TbRecordDialog *assistant = record_open_assistant (window);
  g_autoptr (TbRecording) recording = NULL;

  tb_record_dialog_set_scope (assistant, TB_SCOPE_COMMAND);
  tb_record_dialog_set_command (assistant, "sleep 60");
  record_wait_asked (assistant);
  recording = record_start (window, assistant);
  record_wait_events (recording);
  picture (window, "recording");
  if (tb_recording_is_active (recording))
    tb_recording_discard (recording);
  record_wait_over (recording);
}

static void
set_condition (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());

  g_settings_set_string (settings, "style", condition->dark ? "dark" : "light");
  g_settings_set (settings, "window-size", "(ii)", condition->width, condition->height);
  gtk_widget_set_default_direction (condition->mirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi",
                96 * 1024 * (condition->percent > 0 ? (int) condition->percent : 100) / 100, NULL);
}

static void
draw (void)
{
  TbWindow *window;

  set_condition ();
  window = shell_new_window ();
  picture (window, "start");
  picture_document (window);
  picture_dialogs (window);
  /* Its end is told over whatever comes after it. */
  picture_recording (window);
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  const char *const *wanted = (const char *const *) argv + MIN (argc, 2);
  char *test_argv[] = { argv[0], NULL };
  char **rest = test_argv;
  int n = 1;

  if (argc < 2)
    {
      g_printerr ("usage: %s FOLDER [CONDITION…]\n", argv[0]);
      return 2;
    }
  g_mkdir_with_parents (argv[1], 0777);
  g_setenv ("TAILBACK_PICTURES", argv[1], TRUE);
  shell_init (&n, &rest);
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      condition = &conditions[i];
      if (condition->contrast != (g_strcmp0 (g_getenv ("ADW_DEBUG_HIGH_CONTRAST"), "1") == 0))
        continue;
      if (wanted[0] == NULL || g_strv_contains (wanted, condition->name))
        draw ();
    }
  return 0;
}
