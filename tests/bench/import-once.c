/* import-once.c: import of one perf.data file without symbols, with its cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "session/recorder/tb-recorder.h"
#include "tb-perf-data-importer.h"

static guint64 peak_kib;

/* Anonymous memory in use, in KiB. */
static guint64
get_anonymous (void)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return 0;
  at = strstr (text, "RssAnon:");
  return at ? g_ascii_strtoull (at + strlen ("RssAnon:"), NULL, 10) : 0;
}

static void
watch_memory (double share, const char *what, gpointer data)
{
  peak_kib = MAX (peak_kib, get_anonymous ());
}

static double
get_cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
         + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int
main (int argc, char **argv)
{
  gboolean memory = argc > 3 && strcmp (argv[3], "--memory") == 0;
  g_autoptr (TbImporter) importer = g_object_new (TB_TYPE_PERF_DATA_IMPORTER, NULL);
  g_autoptr (TbRecorder) recorder = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) input = NULL;
  g_autoptr (GFile) output = NULL;
  TbRecorderStatistics statistics;
  gint64 start, imported;
  double cpu;

  if (argc < 3)
    {
      fprintf (stderr, "usage: import-once PERF.DATA SESSION [--memory]\n");
      return 2;
    }
  input = g_file_new_for_commandline_arg (argv[1]);
  output = g_file_new_for_commandline_arg (argv[2]);
  start = g_get_monotonic_time ();
  cpu = get_cpu_seconds ();
  recorder = tb_recorder_new (output, TRUE, &error);
  if (recorder == NULL
      || !tb_importer_import_file (importer, input, recorder, memory ? watch_memory : NULL, NULL,
                                   NULL, &error))
    {
      fprintf (stderr, "import-once: %s\n", error->message);
      return 1;
    }
  imported = g_get_monotonic_time ();
  tb_recorder_get_statistics (recorder, &statistics);
  if (!tb_recorder_finish (recorder, &error))
    {
      fprintf (stderr, "import-once: %s\n", error->message);
      return 1;
    }
  watch_memory (1, NULL, NULL);
  printf ("seconds %.6f import %.6f cpu %.6f events %" G_GUINT64_FORMAT
          " mismatched %" G_GUINT64_FORMAT " anonymous_kib %" G_GUINT64_FORMAT "\n",
          (g_get_monotonic_time () - start) / 1e6, (imported - start) / 1e6,
          get_cpu_seconds () - cpu, statistics.events, statistics.mismatched, peak_kib);
  return 0;
}
