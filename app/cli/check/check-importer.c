/* check-importer.c: checks of an importer: foreign files, examples of its author, whole, cut and
 * damaged, options at their limits, cancelling
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "check/check.h"

#define SNIFF_LENGTH 65536u
#define SNIFF_CLAIM 50
#define N_CUTS 8u
#define N_DAMAGES 24u
#define DAMAGED_BYTES 4u

/* Files that no importer of another format recognizes. */
typedef struct
{
  const char *name;
  const char *unit; /* repeated */
  gsize unit_length;
  guint n;
} Foreign;

static const Foreign foreign[] = {
  { "empty", "", 0, 0 },
  { "zeros", "\0\0\0\0", 4, 1024 },
  { "text", "What is this?\n", 14, 100 },
  { "long-line", "x", 1, 200000 },
  { "binary", "\xff\x01\x00\x80\x7f\xfe", 6, 1000 },
  { "sqlite", "SQLite format 3", 16, 1 },
};

static GBytes *
make_foreign (const Foreign *file)
{
  GByteArray *bytes = g_byte_array_new ();

  for (guint i = 0; i < file->n; i++)
    g_byte_array_append (bytes, (const guint8 *) file->unit, (guint) file->unit_length);
  return g_byte_array_free_to_bytes (bytes);
}

static int
sniff (TbImporter *importer, GBytes *bytes, const char *name)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  return tb_importer_sniff (importer, data, MIN (length, SNIFF_LENGTH), name);
}

static gboolean
check_session (GFile *file, GError **error)
{
  g_autoptr (TbSession) session = tb_session_open (file, NULL, error);
  g_autoptr (TbTrace) trace
      = session != NULL ? tb_trace_new (session, NULL, NULL, NULL, error) : NULL;

  return trace != NULL && tb_session_check (session, NULL, error);
}

/* Imports a file into a session and reads that. */
static gboolean
import_file (const CheckSubject *subject,
             const char *option,
             GFile *input,
             GCancellable *cancellable,
             GError **error)
{
  static guint n_made;
  g_autoptr (TbImporter) importer = TB_IMPORTER (check_create (subject, error));
  TbTemporaryFolder *folder = check_get_folder (error);
  g_autofree char *name = g_strdup_printf ("imported-%u.tailback", n_made++);
  char *options[] = { (char *) option, NULL };
  g_autoptr (GFile) output = NULL;
  g_autoptr (TbRecorder) recorder = NULL;
  gboolean imported;

  if (importer == NULL || folder == NULL
      || (option != NULL && !cli_set_options (importer, options, error)))
    return FALSE;
  output = g_file_new_build_filename (tb_temporary_folder_get_path (folder), name, NULL);
  recorder = tb_recorder_new (output, FALSE, error);
  if (recorder == NULL)
    return FALSE;
  tb_recorder_set_temporary (recorder);
  imported = tb_importer_import_file (importer, input, recorder, NULL, NULL, cancellable, error)
             && tb_recorder_finish (recorder, error);
  if (!imported)
    tb_recorder_abandon (recorder);
  return imported && check_session (output, error);
}

/* Writes the bytes to a file of the temporary folder. Its name ends like that of a session, so that
 * it is removed with it. */
static GFile *
write_input (GBytes *bytes, GError **error)
{
  static guint n_made;
  TbTemporaryFolder *folder = check_get_folder (error);
  g_autofree char *name = g_strdup_printf ("input-%u.tailback", n_made++);
  g_autofree char *path = folder != NULL
                              ? g_build_filename (tb_temporary_folder_get_path (folder), name, NULL)
                              : NULL;

  return path != NULL
                 && g_file_set_contents (path, g_bytes_get_data (bytes, NULL),
                                         (gssize) g_bytes_get_size (bytes), error)
             ? g_file_new_for_path (path)
             : NULL;
}

/* Any error is right for a file that cannot be read; what is imported must be a session. */
static gboolean
import_bytes (const CheckSubject *subject, GBytes *bytes, GError **error)
{
  g_autoptr (GFile) input = write_input (bytes, error);
  g_autoptr (GError) local_error = NULL;

  if (input == NULL)
    return FALSE;
  if (!import_file (subject, NULL, input, NULL, &local_error)
      && strchr (local_error->message, '\n'))
    return check_fail (error, _ ("its error message is not one line: “%s”"), local_error->message);
  return TRUE;
}

static gboolean
check_foreign (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  const Foreign *file = &foreign[parameter->number];
  g_autoptr (GBytes) bytes = make_foreign (file);
  g_autoptr (TbImporter) importer = TB_IMPORTER (check_create (subject, error));
  int certainty = importer != NULL ? sniff (importer, bytes, file->name) : 0;

  if (importer == NULL)
    return FALSE;
  if (certainty < 0 || certainty > 100)
    return check_fail (error, _ ("its certainty of %d is not between 0 and 100"), certainty);
  if (certainty >= SNIFF_CLAIM)
    return check_fail (error, _ ("it claims a file of another kind, with a certainty of %d %%"),
                       certainty);
  return import_bytes (subject, bytes, error);
}

static GBytes *
read_example (const CheckParameter *parameter, GError **error)
{
  char *text;
  gsize length;

  return g_file_get_contents (parameter->file, &text, &length, error)
             ? g_bytes_new_take (text, length)
             : NULL;
}

static gboolean
check_example (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (GBytes) bytes = read_example (parameter, error);
  g_autoptr (TbImporter) importer
      = bytes != NULL ? TB_IMPORTER (check_create (subject, error)) : NULL;
  g_autofree char *name = g_path_get_basename (parameter->file);
  g_autoptr (GFile) file = g_file_new_for_path (parameter->file);

  if (importer == NULL)
    return FALSE;
  if (sniff (importer, bytes, name) <= 0)
    return check_fail (error, _ ("it does not recognize the file"));
  return import_file (subject, parameter->option, file, NULL, error);
}

/* The option may be one that does not fit the example. */
static gboolean
check_option (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (subject->files[0]);
  g_autoptr (GError) local_error = NULL;

  return import_file (subject, parameter->option, file, NULL, &local_error)
         || check_accept_refusal (g_steal_pointer (&local_error), error);
}

static gboolean
check_cuts (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (GBytes) bytes = read_example (parameter, error);

  for (guint i = 0; bytes != NULL && i < N_CUTS; i++)
    {
      g_autoptr (GBytes) part
          = g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) * i / N_CUTS);

      if (!import_bytes (subject, part, error))
        return FALSE;
    }
  return bytes != NULL;
}

static gboolean
check_damages (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (GBytes) bytes = read_example (parameter, error);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gsize length = bytes != NULL ? g_bytes_get_size (bytes) : 0;

  for (guint i = 0; length > 0 && i < N_DAMAGES; i++)
    {
      guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), length);
      g_autoptr (GBytes) damaged = NULL;

      for (guint k = 0; k < DAMAGED_BYTES; k++)
        copy[(gsize) (g_rand_double (random) * (double) length)]
            = (guint8) g_rand_int_range (random, 0, 256);
      damaged = g_bytes_new_take (copy, length);
      if (!import_bytes (subject, damaged, error))
        return FALSE;
    }
  return bytes != NULL;
}

static gboolean
check_cancelling (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (parameter->file);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gint64 start = g_get_monotonic_time ();

  g_cancellable_cancel (cancellable);
  import_file (subject, NULL, file, cancellable, NULL);
  if (g_get_monotonic_time () - start > G_USEC_PER_SEC)
    return check_fail (error, _ ("a cancelled run goes on: look at the cancellable at least every "
                                 "65536 rows"));
  return TRUE;
}

static gboolean
check_types (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbImporter) importer = TB_IMPORTER (check_create (subject, error));
  g_auto (GStrv) types = importer != NULL ? tb_importer_get_mime_types (importer) : NULL;

  if (importer == NULL)
    return FALSE;
  for (guint i = 0; types != NULL && types[i] != NULL; i++)
    if (!strchr (types[i], '/') || strpbrk (types[i], " \t\n"))
      return check_fail (error, _ ("its MIME type “%s” is invalid"), types[i]);
  return TRUE;
}

static void
add_example_checks (GPtrArray *list, const char *path)
{
  CheckParameter example = { .file = path };

  check_list_add (list, check_example, example, "file %s", path);
  check_list_add (list, check_cuts, example, "cut %s", path);
  check_list_add (list, check_damages, example, "damaged %s", path);
  check_list_add (list, check_cancelling, example, "cancelling %s", path);
}

void
check_add_importer (GPtrArray *list, const CheckSubject *subject)
{
  check_list_add (list, check_types, (CheckParameter) { 0 }, "mime-types");
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++)
    check_list_add (list, check_foreign, (CheckParameter) { .number = i }, "foreign %s",
                    foreign[i].name);
  for (guint i = 0; subject->files != NULL && subject->files[i] != NULL; i++)
    add_example_checks (list, subject->files[i]);
  if (subject->files != NULL && subject->files[0] != NULL)
    check_add_options (list, subject, check_option);
}
