/* tb-screenshot.c: screenshot of an open window as a PNG file, taken when the document in it is
 * complete and the requested analysis and figure are shown; parser of the window size
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option.h"
#include "shell/export/tb-screenshot.h"
#include "widgets/tb-widget-snapshot.h"

#define MAX_SIZE 8192

/**
 * tb_screenshot_parse_size:
 * @text: for example "1280x800"
 * @width: (out): in px
 * @height: (out): in px
 * @error: return location
 *
 * Returns: whether it is a valid window size
 */
gboolean
tb_screenshot_parse_size (const char *text, int *width, int *height, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "x", 3);
  guint64 values[2];

  for (guint i = 0; i < 2; i++)
    if (g_strv_length (parts) != 2
        || !g_ascii_string_to_unsigned (parts[i], 10, 100, MAX_SIZE, &values[i], NULL))
      {
        g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                     _ ("invalid size “%s”: use WIDTHxHEIGHT, each 100 to %d"), text, MAX_SIZE);
        return FALSE;
      }
  *width = values[0];
  *height = values[1];
  return TRUE;
}

typedef struct
{
  char *file;
  char *page;
  char *figure;
  gulong settled;
} Screenshot;

static void
screenshot_free (gpointer data)
{
  Screenshot *screenshot = data;

  g_free (screenshot->file);
  g_free (screenshot->page);
  g_free (screenshot->figure);
  g_free (screenshot);
}

static void
written (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (tb_widget_snapshot_to_png_finish (GTK_WIDGET (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
take_screenshot (GTask *task)
{
  Screenshot *screenshot = g_task_get_task_data (task);

  tb_widget_snapshot_to_png (g_task_get_source_object (task), screenshot->file, NULL, written,
                             task);
}

static void
settled (TbDocument *document, GTask *task)
{
  Screenshot *screenshot = g_task_get_task_data (task);
  TbDocumentPage *page = tb_window_get_document_page (g_task_get_source_object (task));

  /* The requested analysis must run before the document is settled. */
  if (screenshot->page != NULL && tb_document_get_state (document) == TB_DOCUMENT_READY)
    {
      g_autofree char *id = g_steal_pointer (&screenshot->page);

      if (tb_document_page_show_analysis (page, id) && !tb_document_is_settled (document))
        return;
    }
  g_clear_signal_handler (&screenshot->settled, document);
  if (screenshot->figure != NULL)
    tb_document_page_show_figure (page, screenshot->figure);
  take_screenshot (task);
}

static void
state_changed (TbDocument *document, GParamSpec *pspec, GTask *task)
{
  if (tb_document_get_state (document) == TB_DOCUMENT_FAILED)
    settled (document, task);
}

/**
 * tb_screenshot_take_async:
 * @window: a window, with or without a recording
 * @options: what the screenshot shows
 *
 * Writes a screenshot of the window when its recording is loaded, its first analysis is complete
 * and drawn, and its functions are symbolized. If the recording cannot be loaded, the screenshot
 * shows the error page.
 */
void
tb_screenshot_take_async (TbWindow *window,
                          const TbScreenshotOptions *options,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  GTask *task = g_task_new (window, NULL, callback, data);
  TbDocumentPage *page = tb_window_get_document_page (window);
  Screenshot *screenshot = g_new0 (Screenshot, 1);
  TbDocument *document;

  g_task_set_source_tag (task, tb_screenshot_take_async);
  g_task_set_task_data (task, screenshot, screenshot_free);
  screenshot->file = g_strdup (options->file);
  screenshot->page = g_strdup (options->page);
  screenshot->figure = g_strdup (options->figure);
  if (page == NULL)
    {
      take_screenshot (task);
      return;
    }
  document = tb_document_page_get_document (page);
  screenshot->settled
      = g_signal_connect_object (document, "settled", G_CALLBACK (settled), task, 0);
  g_signal_connect_object (document, "notify::state", G_CALLBACK (state_changed), task, 0);
}

gboolean
tb_screenshot_take_finish (TbWindow *window, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, window), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
