/* tb-screenshot.h: screenshot of an open window as a PNG file, taken when the document in it is
 * complete and the requested analysis and figure are shown; parser of the window size
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/window/tb-window.h"

G_BEGIN_DECLS

/**
 * TbScreenshotOptions:
 * @file: (type filename): path of the PNG file
 * @width: width of the window
 * @height: height of the window
 * @dark: whether the dark style is used
 * @page: (nullable): the analysis to show
 * @figure: (nullable): the figure of the analysis to show
 */
typedef struct
{
  char *file;
  int width;
  int height;
  gboolean dark;
  char *page;
  char *figure;
} TbScreenshotOptions;

gboolean tb_screenshot_parse_size (const char *text, int *width, int *height, GError **error);
void tb_screenshot_take_async (TbWindow *window,
                               const TbScreenshotOptions *options,
                               GAsyncReadyCallback callback,
                               gpointer data);
gboolean tb_screenshot_take_finish (TbWindow *window, GAsyncResult *result, GError **error);

G_END_DECLS
