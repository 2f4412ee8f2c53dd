/* my-plugin-importer.c: importer for Tailback: a log of thread switches, wake-ups and marks
 * Each line has a time in seconds, a CPU and what happened; example.log is an example.
 *
 * SPDX-License-Identifier: MIT-0
 */

#include <string.h>

#include <libpeas.h>
#include <tailback.h>

#define FIRST_LINE "# my-plugin"
#define UNKNOWN -1 /* PID */
#define N_WORDS 6
#define CHECK_LINES 65536u

G_DECLARE_FINAL_TYPE (MyPluginImporter, my_plugin_importer, MY_PLUGIN, IMPORTER, TbOptionObject)

struct _MyPluginImporter
{
  TbOptionObject parent_instance;
};

static void importer_iface_init (TbImporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MyPluginImporter,
                               my_plugin_importer,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_IMPORTER, importer_iface_init))

static void
my_plugin_importer_class_init (MyPluginImporterClass *klass)
{
}

static void
my_plugin_importer_init (MyPluginImporter *self)
{
}

static char **
get_mime_types (TbImporter *importer)
{
  return g_strsplit ("text/x-my-plugin", " ", -1);
}

/* Returns how certain it is from the first bytes that the file is of this kind: 0…100. */
static int
sniff (TbImporter *importer, const guint8 *head, gsize length, const char *name)
{
  return length >= strlen (FIRST_LINE) && memcmp (head, FIRST_LINE, strlen (FIRST_LINE)) == 0 ? 90
                                                                                              : 0;
}

static gboolean
read_tid (const char *text, gint32 *tid)
{
  gint64 number;

  if (!g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, &number, NULL))
    return FALSE;
  *tid = (gint32) number;
  return TRUE;
}

/* Not as a double, which would round the ns of a date. */
static gboolean
read_time (const char *text, gint64 *time)
{
  gint64 seconds, unit = 1000000000;
  char *end;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  seconds = g_ascii_strtoll (text, &end, 10);
  if (seconds >= G_MAXINT64 / unit)
    return FALSE;
  *time = seconds * unit;
  if (*end == '.')
    for (end++; g_ascii_isdigit (*end); end++)
      *time += (*end - '0') * (unit /= 10);
  return *end == '\0';
}

/* words: N_WORDS of them, those missing are "" */
static gboolean
add (TbRecorder *recorder, char **words)
{
  gint64 time;
  guint64 cpu;
  gint32 tid, other;

  if (!read_time (words[0], &time) || !read_tid (words[3], &tid)
      || !g_ascii_string_to_unsigned (words[1], 10, 0, G_MAXINT16, &cpu, NULL))
    return FALSE;
  if (strcmp (words[2], "switch") == 0 && read_tid (words[4], &other)) /* TID NEXT STATE */
    tb_recorder_add_switch (recorder, time, (guint16) cpu, tid, UNKNOWN, words[5], other, UNKNOWN,
                            TB_STACK_NONE);
  else if (strcmp (words[2], "wakeup") == 0 && read_tid (words[4], &other)) /* TID WOKEN */
    tb_recorder_add_wakeup (recorder, time, (guint16) cpu, tid, UNKNOWN, other, 0, TB_STACK_NONE);
  else if (strcmp (words[2], "name") == 0) /* TID NAME */
    tb_recorder_add_name (recorder, time, tid, UNKNOWN, words[4]);
  else if (strcmp (words[2], "mark") == 0) /* TID NAME=VALUE */
    {
      g_auto (GStrv) pair = g_strsplit (words[4], "=", 2);

      tb_recorder_add_mark (recorder, time, (guint16) cpu, tid, UNKNOWN, pair[0] ? pair[0] : "",
                            pair[0] && pair[1] ? pair[1] : "", TB_STACK_NONE);
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
add_line (TbRecorder *recorder, const char *line)
{
  g_auto (GStrv) found = g_strsplit (line, " ", N_WORDS + 1);
  char *words[N_WORDS];
  guint n = g_strv_length (found);

  for (guint i = 0; i < N_WORDS; i++)
    words[i] = i < n ? found[i] : (char *) "";
  return n <= N_WORDS && add (recorder, words);
}

/* Runs in a thread of its own. */
static gboolean
import_file (TbImporter *importer,
             GFile *file,
             TbRecorder *recorder,
             TbProgressFunc progress,
             gpointer data,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) local_error = NULL;
  guint64 number = 0;
  char *line;

  if (stream == NULL)
    return FALSE;
  lines = g_data_input_stream_new (G_INPUT_STREAM (stream));
  tb_recorder_set_fact (recorder, "clock", "monotonic");
  tb_recorder_add_host (recorder, "log", "", "", 1, 0);
  while ((line = g_data_input_stream_read_line_utf8 (lines, NULL, cancellable, &local_error)))
    {
      g_autofree char *owned = g_strchomp (line);

      if (++number % CHECK_LINES == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (*line != '\0' && *line != '#' && !add_line (recorder, line))
        {
          g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                       "line %" G_GUINT64_FORMAT " cannot be read: “%.40s”", number, line);
          return FALSE;
        }
    }
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static void
importer_iface_init (TbImporterInterface *iface)
{
  iface->get_mime_types = get_mime_types;
  iface->sniff = sniff;
  iface->import_file = import_file;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_IMPORTER,
                                              my_plugin_importer_get_type ());
}
