/* cli-modules.c: parts that few commands need, with large libraries, loaded at their first use:
 * layouts of graphs by igraph, requests to debuginfod servers by libsoup
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * These libraries need thirty others. Loading them took as long as the rest of the start.
 */

#include "config.h"

#include <dlfcn.h>

#include <glib/gi18n.h>
#include <gmodule.h>

#include "cli.h"
#include "layers/tb-graph-engine.h"
#include "report/graph/tb-graph-layout.h"
#include "symbols/debuginfod/tb-debuginfod-http.h"

/* The folder of the library that this program uses: of the installed one, or of one in a build. */
static char *
find_library_folder (void)
{
  Dl_info info;

  return dladdr ((gconstpointer) tb_graph_layout_set_engine, &info) != 0 && info.dli_fname != NULL
             ? g_path_get_dirname (info.dli_fname)
             : g_strdup ("");
}

static char *
find_module (const char *file)
{
  g_autofree char *folder = find_library_folder ();
  g_autofree char *installed = g_build_filename (folder, "tailback", file, NULL);
  g_autofree char *built = g_build_filename (folder, file, NULL);

  if (g_file_test (installed, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&installed);
  if (g_file_test (built, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&built);
  return g_build_filename (TAILBACK_PLUGIN_DIR, "..", file, NULL);
}

/* Loads the module for as long as the process lives and calls its function. */
static gconstpointer
load (const char *file, const char *function, GError **error)
{
  g_autofree char *path = find_module (file);
  GModule *module = g_module_open_full (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL, error);
  union
  {
    gpointer address;
    gconstpointer (*get) (void);
  } symbol = { NULL };

  if (module == NULL)
    return NULL;
  g_module_make_resident (module);
  if (!g_module_symbol (module, function, &symbol.address) || symbol.address == NULL)
    {
      g_set_error (error, G_MODULE_ERROR, G_MODULE_ERROR_FAILED, "%s: %s", path, function);
      return NULL;
    }
  return symbol.get ();
}

/* --- layouts of graphs --- */

static gpointer
load_engine (gpointer data)
{
  g_autoptr (GError) error = NULL;
  gconstpointer engine = load ("libtailback-layers.so", "tb_graph_engine_get", &error);

  if (engine == NULL)
    cli_warn (_ ("Lines of graphs cross more often than they need to: %s. Install Tailback again."),
              error->message);
  return (gpointer) engine;
}

static const TbGraphEngine *
get_engine (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, load_engine, NULL);
}

static gboolean
find_feedback (guint n_vertices,
               guint n_arcs,
               const guint *from,
               const guint *to,
               const double *weight,
               gboolean *back)
{
  const TbGraphEngine *engine = get_engine ();

  return engine != NULL && engine->find_feedback (n_vertices, n_arcs, from, to, weight, back);
}

static gboolean
find_order (guint n_vertices,
            const guint *layer,
            guint n_arcs,
            const guint *from,
            const guint *to,
            double *position,
            GCancellable *cancellable)
{
  const TbGraphEngine *engine = get_engine ();

  return engine != NULL
         && engine->order (n_vertices, layer, n_arcs, from, to, position, cancellable);
}

/* --- requests --- */

typedef struct
{
  const TbDebuginfodTransport *transport; /* NULL: it could not be loaded */
  gpointer connection;
  GError *error;
} Connection;

static gpointer
open_connection (void)
{
  Connection *self = g_new0 (Connection, 1);

  self->transport = load ("libtailback-debuginfod-http.so", "tb_debuginfod_http_get", &self->error);
  if (self->transport != NULL)
    self->connection = self->transport->open ();
  return self;
}

static gboolean
get_file (gpointer data,
          const TbDebuginfodRequest *request,
          GCancellable *cancellable,
          GError **error)
{
  Connection *self = data;

  if (self->transport != NULL)
    return self->transport->get (self->connection, request, cancellable, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, self->error->message);
  return FALSE;
}

static void
close_connection (gpointer data)
{
  Connection *self = data;

  if (self->transport != NULL)
    self->transport->close (self->connection);
  g_clear_error (&self->error);
  g_free (self);
}

void
cli_modules_install (void)
{
  static const TbGraphEngine engine = { find_feedback, find_order };
  static const TbDebuginfodTransport transport = { open_connection, get_file, close_connection };

  tb_graph_layout_set_engine (&engine);
  tb_debuginfod_set_transport (&transport);
}
