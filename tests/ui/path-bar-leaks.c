/* path-bar-leaks.c: memory that the path bar of GTK's file dialog leaks, hidden from LeakSanitizer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GTK 4.18 (gtkpathbar.c) never releases the GFileInfo that it queries for each of its buttons, nor
 * the list of its buttons when it shows another folder. Both were allocated where no function has a
 * name: the first in a thread of GIO, the second below the main loop. A suppression would match
 * all memory of GIO or GTK, so these functions take the place of GIO's in test programs that are
 * built with sanitizers.
 */

#include "config.h"

#include <dlfcn.h>
#include <gio/gio.h>
#include <sanitizer/lsan_interface.h>

/* What only the path bar queries */
#define PATH_BAR_ATTRIBUTES "standard::display-name,standard::is-hidden,standard::is-backup"

typedef void (*QueryInfo) (GFile *,
                           const char *,
                           GFileQueryInfoFlags,
                           int,
                           GCancellable *,
                           GAsyncReadyCallback,
                           gpointer);
typedef GFileInfo *(*QueryInfoFinish) (GFile *, GAsyncResult *, GError **);

typedef struct
{
  GAsyncReadyCallback callback;
  gpointer data;
} Query;

static gboolean is_in_path_bar;

static void
on_queried (GObject *file, GAsyncResult *result, gpointer data)
{
  g_autofree Query *query = data;

  is_in_path_bar = TRUE;
  __lsan_disable ();
  query->callback (file, result, query->data);
  __lsan_enable ();
  is_in_path_bar = FALSE;
}

void
g_file_query_info_async (GFile *file,
                         const char *attributes,
                         GFileQueryInfoFlags flags,
                         int priority,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer data)
{
  QueryInfo query_info = (QueryInfo) dlsym (RTLD_NEXT, "g_file_query_info_async");

  if (callback != NULL && g_str_equal (attributes, PATH_BAR_ATTRIBUTES))
    {
      Query *query = g_new (Query, 1);

      *query = (Query) { callback, data };
      query_info (file, attributes, flags, priority, cancellable, on_queried, query);
      return;
    }
  query_info (file, attributes, flags, priority, cancellable, callback, data);
}

GFileInfo *
g_file_query_info_finish (GFile *file, GAsyncResult *result, GError **error)
{
  QueryInfoFinish finish = (QueryInfoFinish) dlsym (RTLD_NEXT, "g_file_query_info_finish");
  GFileInfo *info = finish (file, result, error);

  if (info != NULL && is_in_path_bar)
    __lsan_ignore_object (info);
  return info;
}
