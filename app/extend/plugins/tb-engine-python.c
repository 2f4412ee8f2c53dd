/* tb-engine-python.c: preparation of the loader of plug-ins in Python: where it finds the typelib
 * of this library, our module that reports exceptions; last line of the traceback of a failed
 * import
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

#include "extend/plugins/tb-engine-private.h"

#define TYPELIB "Tailback-1.typelib"
#define TYPELIB_PATH "GI_TYPELIB_PATH"
#define NO_BYTECODE "PYTHONDONTWRITEBYTECODE"
#define SUPPORT_MODULE "tailback_python"
#define PLACE "  File \""

/* The folder of this library, which is not the configured one if the installation was moved, or in
 * a build folder. */
static char *
get_library_folder (void)
{
  Dl_info info;

  return dladdr ((gpointer) tb_engine_get_default, &info) != 0 && info.dli_fname != NULL
             ? g_path_get_dirname (info.dli_fname)
             : g_strdup (TAILBACK_LIB_DIR);
}

/* The first of the folders that has the file. (transfer full) (nullable) */
static char *
find_folder (char **folders, const char *file)
{
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folders[i], file, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_strdup (folders[i]);
    }
  return NULL;
}

/* Loads our module as if it were a plug-in: this starts the loader, too. */
static void
load_support (TbEngine *self, const char *library)
{
  g_auto (GStrv) folders = g_new0 (char *, 4);
  g_autofree char *folder = NULL;
  g_autofree char *message = NULL;
  PeasPluginInfo *info;

  folders[0] = g_build_filename (library, "tailback", "python", NULL);
  folders[1] = g_build_filename (library, "extend", "python", NULL);
  folders[2] = g_strdup (TAILBACK_PYTHON_DIR);
  folder = find_folder (folders, SUPPORT_MODULE ".plugin");
  if (folder == NULL)
    return;
  peas_engine_add_search_path (self->peas, folder, folder);
  info = peas_engine_get_plugin_info (self->peas, SUPPORT_MODULE);
  if (info != NULL && !tb_engine_load_python (self, info, &message) && message != NULL)
    g_info ("%s: %s", SUPPORT_MODULE, message);
}

/* The folder with the typelib of this library. (transfer full) (nullable) */
static char *
find_typelib (const char *library)
{
  g_auto (GStrv) folders = g_new0 (char *, 4);

  folders[0] = g_build_filename (library, "girepository-1.0", NULL);
  folders[1] = g_strdup (library); /* a build folder */
  folders[2] = g_build_filename (TAILBACK_LIB_DIR, "girepository-1.0", NULL);
  return find_folder (folders, TYPELIB);
}

static void
restore_variable (const char *name, const char *before)
{
  if (before != NULL)
    g_setenv (name, before, TRUE);
  else
    g_unsetenv (name);
}

/* Typelibs are searched in the folders of the environment when PyGObject starts. There are two
 * generations of the library for typelibs, and PyGObject loads its own: calling a function of one
 * of them could mean two in one process. Python must not leave files in the folders of plug-ins,
 * which a package manager would not remove. Programs that are started later do not see these
 * changes. */
void
tb_engine_prepare_python (TbEngine *self)
{
  g_autofree char *library = NULL;
  g_autofree char *typelibs = NULL;
  g_autofree char *before = NULL;
  g_autofree char *bytecode = NULL;
  g_autofree char *path = NULL;

  if (self->has_python)
    return;
  self->has_python = TRUE;
  library = get_library_folder ();
  typelibs = find_typelib (library);
  before = g_strdup (g_getenv (TYPELIB_PATH));
  path = before != NULL && typelibs != NULL
             ? g_strjoin (G_SEARCHPATH_SEPARATOR_S, typelibs, before, NULL)
             : g_strdup (typelibs);
  if (path != NULL)
    g_setenv (TYPELIB_PATH, path, TRUE);
  bytecode = g_strdup (g_getenv (NO_BYTECODE));
  g_setenv (NO_BYTECODE, "1", FALSE);
  peas_engine_enable_loader (self->peas, "python");
  load_support (self, library);
  restore_variable (TYPELIB_PATH, before);
  restore_variable (NO_BYTECODE, bytecode);
}

/* ---- errors of an import ---- */

/* Adds "(FILE, line N)" to an error; place is 'PATH", line N…' */
static char *
add_place (const char *error, const char *place)
{
  const char *end = strstr (place, "\", line ");
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;

  if (end == NULL)
    return g_strdup (error);
  path = g_strndup (place, (gsize) (end - place));
  name = g_path_get_basename (path);
  return g_strdup_printf (_ ("%s (%s, line %u)"), error, name,
                          (guint) g_ascii_strtoull (end + strlen ("\", line "), NULL, 10));
}

/* The last line, and the last place in the folder, of what the loader prints: a traceback, or one
 * sentence. */
static char *
summarize (const char *text, const char *folder)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) lines = g_strsplit (valid, "\n", -1);
  const char *last = NULL, *place = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], PLACE)
          && g_str_has_prefix (lines[i] + strlen (PLACE), folder))
        place = lines[i] + strlen (PLACE);
      if (*g_strstrip (lines[i]) != '\0')
        last = lines[i];
    }
  if (last == NULL)
    return NULL;
  return place != NULL ? add_place (last, place) : g_strdup (last);
}

/* What is missing, by a part of the message. */
static const struct
{
  const char *part;
  const char *advice;
} missing[] = {
  { "Namespace Tailback not available", N_ ("%s; install the introspection data of Tailback, in "
                                            "Debian the package gir1.2-tailback-1") },
  { "cannot import name Tailback", N_ ("%s; install the introspection data of Tailback, in Debian "
                                       "the package gir1.2-tailback-1") },
  { "Namespace Json not available",
    N_ ("%s; install the introspection data of JSON-GLib, in Debian the package gir1.2-json-1.0") },
  { "No module named 'gi'",
    N_ ("%s; install PyGObject, in Debian the package python3-gi, in Fedora python3-gobject") },
  { "No module named 'numpy'", N_ ("%s; install NumPy, in Debian and Fedora the package "
                                   "python3-numpy") },
};

/* Adds what to install. (transfer full) (nullable) */
static char *
add_advice (char *message)
{
  g_autofree char *owned = message;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  for (guint i = 0; owned != NULL && i < G_N_ELEMENTS (missing); i++)
    if (strstr (owned, missing[i].part) != NULL)
      return g_strdup_printf (_ (missing[i].advice), owned);
#pragma GCC diagnostic pop
  return g_steal_pointer (&owned);
}

char *
tb_engine_describe_missing_python (void)
{
  return g_strdup (_ ("Python cannot be started with PyGObject; install it, in Debian the package "
                      "python3-gi, in Fedora python3-gobject"));
}

/* The loader logs without a domain; one that is compiled otherwise may have that of its library. */
gboolean
tb_engine_load_python (TbEngine *self, PeasPluginInfo *info, char **message)
{
  static const char *const domains[] = { NULL, "libpeas" };
  g_autofree char *text = NULL;
  gboolean loaded = tb_engine_load_and_listen (self, info, domains, G_N_ELEMENTS (domains), &text);

  if (!loaded && text != NULL)
    {
      g_info ("%s", text);
      *message = add_advice (summarize (text, peas_plugin_info_get_module_dir (info)));
    }
  return loaded;
}
