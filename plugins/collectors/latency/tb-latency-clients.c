/* tb-latency-clients.c: clients of the measured function: calls of another function, in which an
 * earlier search ended with a sleep; their path, read from its saved state and probed; request to
 * the agent to count only calls of the measured function that wake a thread sleeping on that path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The saved state of the earlier search contains the path on which its calls sleep. A thread that
 * wakes another one sleeping there has served it.
 */

#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "extend/options/tb-option.h"
#include "tb-latency-drill-private.h"
#include "latency-state/tb-peaks-saved-json.h"

static JsonObject *
find_node (JsonArray *nodes, gint64 id)
{
  for (guint i = 0; i < tb_peaks_saved_get_length (nodes); i++)
    {
      JsonObject *object = tb_peaks_saved_get_element (nodes, i);

      if (object != NULL && tb_peaks_saved_get_integer (object, "id", -1) == id)
        return object;
    }
  return NULL;
}

/* The root-cause wait with the highest counter; NULL: no wait was a root cause. */
static JsonObject *
find_root_cause_wait (JsonArray *nodes)
{
  JsonObject *found = NULL;

  for (guint i = 0; i < tb_peaks_saved_get_length (nodes); i++)
    {
      JsonObject *object = tb_peaks_saved_get_element (nodes, i);

      if (object == NULL || !g_str_equal (tb_peaks_saved_get_string (object, "kind"), "wait")
          || !tb_peaks_saved_get_boolean (object, "root_cause"))
        continue;
      if (found == NULL
          || tb_peaks_saved_get_count (object, "maxcount")
                 > tb_peaks_saved_get_count (found, "maxcount"))
        found = object;
    }
  return found;
}

/* (transfer container) (element-type JsonObject): the nodes from the earlier search's function to
 * the wait; NULL: the state is damaged. */
static GPtrArray *
find_path (JsonArray *nodes, JsonObject *wait)
{
  g_autoptr (GPtrArray) path = g_ptr_array_new ();

  for (JsonObject *at = wait; at != NULL && path->len <= TB_CAPTURE_LATENCY_MAX_NODES;
       at = find_node (nodes, tb_peaks_saved_get_integer (at, "parent", -1)))
    {
      g_ptr_array_insert (path, 0, at);
      if (tb_peaks_saved_get_integer (at, "id", -1) == F0_NODE)
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* Takes ownership of the text. */
static gboolean
refuse (GError **error, char *text)
{
  g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, text);
  g_free (text);
  return FALSE;
}

/* Adds a function of a program, found by name if the file has changed since. */
static gboolean
add_function (TbLatencyDrill *self, JsonObject *object, GError **error)
{
  const char *file = tb_peaks_saved_get_string (object, "file"),
             *name = tb_peaks_saved_get_string (object, "name");
  guint64 address = (guint64) tb_peaks_saved_get_integer (object, "address", 0);
  g_autoptr (TbLatencyImage) image = tb_latency_image_open (file, error);
  const TbLatencySymbol *symbol = image != NULL ? tb_latency_image_find_at (image, address) : NULL;
  TbLatencyClient client = { .image = image };
  gboolean is_cheap;

  if (image != NULL
      && (symbol == NULL || !g_str_equal (symbol->name, name) || symbol->address != address))
    symbol = tb_latency_image_find (image, name, error);
  if (symbol == NULL)
    return FALSE;
  if (!tb_latency_image_get_offset (image, tb_latency_code_find_entry (image, symbol, &is_cheap),
                                    &client.offset))
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                   _ ("resume: “%s” has no code of %s"), file, name);
      return FALSE;
    }
  g_ptr_array_add (self->images, g_steal_pointer (&image));
  g_array_append_val (self->clients.path, client);
  return TRUE;
}

/* Kernel functions inside a system call are not needed: it is enough that the client sleeps in the
 * call. Library functions are not probed, because other programs use them too. So other calls may
 * lie between those of the path. */
static gboolean
add_path (TbLatencyDrill *self,
          GPtrArray *path,
          const char *operation,
          GString *text,
          GError **error)
{
  const char *first = tb_peaks_saved_get_string (g_ptr_array_index (path, 0), "file");

  for (guint i = 0; i + 1 < path->len && self->clients.request.call == TB_CAPTURE_NO_CALL; i++)
    {
      JsonObject *object = g_ptr_array_index (path, i);
      const char *kind = tb_peaks_saved_get_string (object, "kind"),
                 *file = tb_peaks_saved_get_string (object, "file");

      if (!g_str_equal (kind, "syscall") && !g_str_equal (file, first))
        continue;
      if (text->len > 0)
        g_string_append (text, " → ");
      g_string_append (text, i > 0 ? tb_peaks_saved_get_string (object, "name") : operation);
      if (g_str_equal (kind, "syscall"))
        self->clients.request.call = (guint32) (tb_peaks_saved_get_integer (object, "key", 0)
                                                & ~TB_CAPTURE_LATENCY_SYSCALL);
      else if (i == 0 && *file == '\0')
        return refuse (error, g_strdup_printf (_ ("resume: the state is of another function, %s, "
                                                  "and does not have its file"),
                                               operation));
      else if (!add_function (self, object, error))
        return FALSE;
    }
  if (self->clients.path->len > TB_CAPTURE_LATENCY_MAX_CLIENTS)
    return refuse (error, g_strdup_printf (_ ("resume: the state is of another function, %s, with "
                                              "too many functions on its path"),
                                           operation));
  self->clients.request.n = self->clients.path->len;
  return TRUE;
}

gboolean
tb_latency_drill_set_clients (TbLatencyDrill *self, JsonObject *state, GError **error)
{
  const char *operation = tb_peaks_saved_get_string (state, "operation");
  gint64 resolution = tb_peaks_saved_get_integer (state, "resolution", 0);
  gint64 from = tb_peaks_saved_get_integer (state, "from_bin", -1),
         to = tb_peaks_saved_get_integer (state, "to_bin", -1);
  JsonArray *nodes = tb_peaks_saved_get_array (state, "nodes");
  JsonObject *wait = find_root_cause_wait (nodes);
  g_autoptr (GPtrArray) path = wait != NULL ? find_path (nodes, wait) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  TbPeaksBins bins;

  if (path == NULL)
    return refuse (error, g_strdup_printf (_ ("resume: the state is of another function, %s, and "
                                              "its calls wait for no thread that could serve them"),
                                           operation));
  if (resolution < 1 || resolution > TB_PEAKS_MAX_RESOLUTION)
    return refuse (
        error, g_strdup_printf (_ ("resume: the state is of another function, %s, and has no bins"),
                                operation));
  tb_peaks_bins_init (&bins, (guint) resolution);
  if (from < 0 || to < from || to >= bins.n)
    return refuse (
        error,
        g_strdup_printf (_ ("resume: the state is of another function, %s, and has no chosen peak"),
                         operation));
  self->clients.request = (TbCaptureLatencyClients) {
    .from = (guint64) bins.edges[from],
    .to = (guint64) bins.edges[to + 1],
    .call = TB_CAPTURE_NO_CALL,
    .state = (guint32) (tb_peaks_saved_get_integer (wait, "key", 0) & 0xff),
  };
  if (!add_path (self, path, operation, text, error))
    return FALSE;
  self->clients.operation = g_strdup (operation);
  self->clients.path_text = g_string_free (g_steal_pointer (&text), FALSE);
  self->clients.from_bin = (guint) from;
  self->clients.to_bin = (guint) to;
  self->clients.resolution = (guint) resolution;
  return TRUE;
}

/* The site numbers are below those of the marks of phases, which are the highest. */
void
tb_latency_drill_send_clients (TbLatencyDrill *self)
{
  TbCaptureRecord request
      = { .type = TB_CAPTURE_LATENCY_CLIENTS, .latency_clients = self->clients.request };

  if (self->clients.path_text == NULL)
    return;
  tb_latency_drill_send (self, &request, NULL);
  for (guint i = 0; i < self->clients.path->len; i++)
    {
      const TbLatencyClient *client = &g_array_index (self->clients.path, TbLatencyClient, i);
      TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_PROBE,
                                 .tail = client->image->build_id,
                                 .tail_length = (guint32) client->image->build_id_length,
                                 .latency_probe = { .device = client->image->device,
                                                    .inode = client->image->inode,
                                                    .offset = client->offset,
                                                    .group = TB_CAPTURE_LATENCY_CLIENTS_GROUP,
                                                    .site = TB_CAPTURE_LATENCY_MAX_SITES - 1
                                                            - self->phase.marks->len - i,
                                                    .index = i,
                                                    .pid = getpid (),
                                                    .kind = TB_CAPTURE_LATENCY_SITE,
                                                    .flags = TB_CAPTURE_LATENCY_OF_CLIENTS } };

      tb_latency_drill_send (self, &record, NULL);
    }
  if (self->clients.path->len > 0)
    tb_latency_drill_request_attach (self, TB_CAPTURE_LATENCY_CLIENTS_GROUP);
}
