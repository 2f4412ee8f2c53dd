/* test-plugin-changes.c: test of plug-ins in Python whose file is changed while the program runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <utime.h>

#include "recording.h"
#include "small-session.h"

#define HEAD                                                                                       \
  "import gi\ngi.require_version('Tailback', '1')\n"                                               \
  "from gi.repository import GObject, Tailback\n"                                                  \
  "import changing_helper\n"                                                                       \
  "class Changing(GObject.Object, Tailback.Analysis):\n"                                           \
  "    __gtype_name__ = 'ChangingAnalysis'\n"
#define REPORT                                                                                     \
  "        report = self.new_report('Changing', trace, *selection.get_range())\n"                  \
  "        report.set_headline(changing_helper.TEXT)\n"                                            \
  "        return report\n"
#define RUN "    def do_run(self, trace, selection, progress, cancellable):\n"

static TbTrace *trace;
static char *folder;

static void
write_file (const char *name, const char *text)
{
  static time_t time = 1000000; /* files are changed faster than times of some file systems */
  g_autofree char *path = g_build_filename (folder, "analyses", "changing", name, NULL);
  struct utimbuf times = { time, time };
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  time++;
  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
write_module (const char *body)
{
  g_autofree char *text = g_strconcat (HEAD, body, NULL);

  write_file ("changing.py", text);
}

static TbAnalysis *
create (GError **error)
{
  return tb_engine_create_analysis (tb_engine_get_default (), "changing", error);
}

/* The headline, or NULL and an error. */
static char *
run (TbAnalysis *analysis, GError **error)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) report
      = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, error);

  return report != NULL ? g_strdup (tb_report_get_headline (report)) : NULL;
}

static void
assert_headline (const char *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis = create (&error);
  g_autofree char *headline = analysis != NULL ? run (analysis, &error) : NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (headline, ==, wanted);
}

static void
assert_not_created (const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis = create (&error);

  g_assert_null (analysis);
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED);
  if (!strstr (error->message, reason))
    g_error ("\"%s\" does not have \"%s\"", error->message, reason);
}

static void
test_broken_at_first (void)
{
  GPtrArray *list;

  write_file ("changing_helper.py", "TEXT = 'one'\n");
  write_module ("    def (\n");
  assert_not_created ("SyntaxError");
  write_module (RUN REPORT);
  assert_headline ("one");
  list = tb_engine_list (tb_engine_get_default ());
  for (guint i = 0; i < list->len; i++)
    g_assert_null (((const TbPluginInfo *) g_ptr_array_index (list, i))->error);
  g_ptr_array_unref (list);
}

static void
test_changed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) old = create (&error);
  g_autoptr (TbAnalysis) failing = NULL;
  g_autofree char *headline = NULL;

  g_assert_no_error (error);
  write_module (RUN "        raise ValueError('an accident')\n");
  failing = create (&error);
  g_assert_no_error (error);
  g_assert_null (run (failing, &error));
  g_assert_cmpstr (error->message, ==, "changing: ValueError: an accident (changing.py, line 8)");
  g_clear_error (&error);
  write_module (RUN "        changing_helper.TEXT += '!'\n" REPORT);
  assert_headline ("one!");
  assert_headline ("one!!"); /* it is not imported again without a change */
  write_file ("changing_helper.py", "TEXT = 'another'\n");
  assert_headline ("another!");
  /* An object of before is what it was. */
  headline = run (old, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (headline, ==, "one");
}

static void
test_broken_again (void)
{
  write_module ("    def (\n");
  assert_not_created ("SyntaxError");
  assert_not_created ("SyntaxError");
  write_file ("changing.py", "CHANGING = None\n");
  assert_not_created ("does not register an object of the type TbAnalysis");
  write_module (RUN REPORT);
  assert_headline ("another");
}

#define OPTIONS(type, options)                                                                     \
  "    least = GObject.Property(type=int, default=1, minimum=0, maximum=" type ")\n"               \
  "    text = GObject.Property(type=str, default='')\n"                                            \
  "    def do_get_options(self):\n        return [" options "]\n"

/* Options keep their values where the changed plug-in permits them. */
static void
test_options (void)
{
  const char *const names[] = { "least", "text", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) old = NULL;
  g_autoptr (TbAnalysis) new = NULL;
  g_autofree char *text = NULL;
  int least;

  write_module (OPTIONS ("100", "'least', 'text'") RUN REPORT);
  old = create (&error);
  g_assert_no_error (error);
  g_object_set (old, "least", 50, "text", "kept", NULL);
  write_module (OPTIONS ("10", "'text', 'least'") RUN REPORT);
  new = create (&error);
  g_assert_no_error (error);
  g_assert_true (G_OBJECT_TYPE (old) != G_OBJECT_TYPE (new));
  tb_option_copy (G_OBJECT (old), G_OBJECT (new), names);
  g_object_get (new, "least", &least, "text", &text, NULL);
  g_assert_cmpint (least, ==, 1);
  g_assert_cmpstr (text, ==, "kept");
}

static void
make_folder (void)
{
  g_autofree char *path = NULL;

  folder = recording_make_path ("changing");
  path = g_build_filename (folder, "analyses", "changing", NULL);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  write_file ("changing.plugin", "[Plugin]\nModule=changing\nLoader=python\nName=Changing\n"
                                 "X-Tailback-API=1\n");
  g_setenv ("TAILBACK_PLUGIN_PATH", folder, TRUE);
}

int
main (int argc, char **argv)
{
  int status;

  /* The engine finds the typelib beside the library. */
  g_unsetenv ("GI_TYPELIB_PATH");
  g_test_init (&argc, &argv, NULL);
  trace = small_session_open ();
  make_folder ();
  g_test_add_func ("/extend/plugin-changes/broken-at-first", test_broken_at_first);
  g_test_add_func ("/extend/plugin-changes/changed", test_changed);
  g_test_add_func ("/extend/plugin-changes/broken-again", test_broken_again);
  g_test_add_func ("/extend/plugin-changes/options", test_options);
  /* libpeas warns of a plug-in that is broken at first. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  status = recording_run_tests ();
  g_object_unref (trace);
  g_free (folder);
  return status;
}
