/* test-events-csv.c: test of import and export in the plain-text format
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "recording.h"

#define HEADER                                                                                     \
  "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket\n"

static TbSession *
import_text (const char *text)
{
  g_autofree char *csv_path = recording_make_path ("input.csv");
  g_autoptr (GFile) csv = g_file_new_for_path (csv_path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbImporter) importer = NULL;
  TbRecorder *recorder = recording_new ("imported");
  TbSession *session;

  g_assert_true (g_file_set_contents (csv_path, text, -1, NULL));
  importer = tb_engine_find_importer (tb_engine_get_default (), csv, &error);
  g_assert_no_error (error);
  tb_importer_import_file (importer, csv, recorder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  session = recording_open_session (recorder);
  tb_session_check (session, NULL, &error);
  g_assert_no_error (error);
  return session;
}

static char *
export_text (TbTrace *trace)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbExporter) exporter
      = tb_engine_create_exporter (tb_engine_get_default (), "events-csv", &error);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  g_assert_no_error (error);
  g_assert_cmpstr (tb_exporter_get_extension (exporter), ==, "csv");
  tb_exporter_export_trace (exporter, trace, stream, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

/* Contents of a column. */
typedef enum
{
  PLAIN,
  THREAD,
  STRING,
  DEVICE,
  STACK,
} Meaning;

static const char meanings[TB_N_TABLES][16] = {
  [TB_TABLE_SWITCH] = "ppttpk",
  [TB_TABLE_WAKEUP] = "ppttpk",
  [TB_TABLE_PROCESS] = "ppptt"
                       "sk",
  [TB_TABLE_SAMPLE] = "pptpk",
  [TB_TABLE_SYSCALL] = "pptspppppppk",
  [TB_TABLE_BLOCK] = "pppdpp"
                     "stpsk",
  [TB_TABLE_INTERRUPT] = "pppppsdt",
  [TB_TABLE_NETWORK] = "ppptp"
                       "ssspk",
  [TB_TABLE_CALL] = "pptspk",
  [TB_TABLE_MARK] = "ppptt"
                    "ssk",
  [TB_TABLE_LOST] = "pppp",
  [TB_TABLE_COUNTER] = "ppptspk",
  [TB_TABLE_FILE_LOCK] = "ptpppsppp",
};

static gconstpointer
get_column (TbSession *session, TbTableKind kind, guint column, GPtrArray *keep)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = tb_table_get_column (tb_session_get_table (session, kind), column, &error);

  g_assert_no_error (error);
  g_ptr_array_add (keep, bytes);
  return g_bytes_get_data (bytes, NULL);
}

static void
append_thread (TbSession *session, guint32 thread, GString *text)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);

  if (thread == TB_ID_NONE)
    {
      g_string_append (text, "none");
      return;
    }
  g_string_append_printf (text, "%d(%s %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, threads[thread].tid,
                          threads[thread].name, threads[thread].start, threads[thread].end);
  if (threads[thread].process != TB_ID_NONE)
    g_string_append_printf (text, " %d %s", processes[threads[thread].process].pid,
                            processes[threads[thread].process].name);
  g_string_append_c (text, ')');
}

/* All rows of a table as text that does not depend on the numbering of IDs. */
static char *
describe_table (TbSession *session, TbTableKind kind)
{
  g_autoptr (GPtrArray) keep = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  const guint32 *parents = get_column (session, TB_TABLE_STACK, TB_STACK_PARENT, keep);
  const guint32 *nodes = get_column (session, TB_TABLE_STACK, TB_STACK_FRAME, keep);
  const guint8 *flags = get_column (session, TB_TABLE_STACK, TB_STACK_FLAGS, keep);
  const guint32 *modules = get_column (session, TB_TABLE_FRAME, TB_FRAME_MODULE, keep);
  const guint64 *offsets = get_column (session, TB_TABLE_FRAME, TB_FRAME_OFFSET, keep);
  const TbTableInfo *info = tb_table_kind_get_info (kind);
  guint64 n_rows = tb_table_get_n_rows (tb_session_get_table (session, kind));
  GString *text = g_string_new (NULL);
  gconstpointer columns[16];
  guint n_devices, n_modules;
  const TbDevice *devices = tb_session_get_devices (session, &n_devices);
  const TbModule *known = tb_session_get_modules (session, &n_modules);

  g_assert_cmpuint (strlen (meanings[kind]), ==, info->n_columns);
  for (guint i = 0; i < info->n_columns; i++)
    columns[i] = get_column (session, kind, i, keep);
  for (guint64 row = 0; row < n_rows; row++)
    {
      for (guint i = 0; i < info->n_columns; i++)
        {
          gsize size = tb_column_type_get_size (info->columns[i].type);
          guint64 value = size == 1   ? ((const guint8 *) columns[i])[row]
                          : size == 2 ? ((const guint16 *) columns[i])[row]
                          : size == 4 ? ((const guint32 *) columns[i])[row]
                                      : ((const guint64 *) columns[i])[row];

          g_string_append (text, i > 0 ? ", " : "");
          switch (meanings[kind][i])
            {
            case 't':
              append_thread (session, (guint32) value, text);
              break;
            case 's':
              g_string_append (text, tb_session_get_string (session, (guint32) value));
              break;
            case 'd':
              g_string_append (text, value < n_devices ? devices[value].name : "none");
              break;
            case 'k':
              for (guint32 stack = (guint32) value; stack != TB_STACK_NONE; stack = parents[stack])
                g_string_append_printf (text, "%s@%s/%u;",
                                        tb_session_get_string (session,
                                                               (guint32) offsets[nodes[stack]]),
                                        known[modules[nodes[stack]]].path, flags[stack]);
              break;
            default:
              g_string_append_printf (text, "%" G_GINT64_FORMAT, (gint64) value);
              break;
            }
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
assert_same_text (const char *what, const char *a, const char *b)
{
  g_auto (GStrv) lines_a = NULL;
  g_auto (GStrv) lines_b = NULL;

  if (strcmp (a, b) == 0)
    return;
  lines_a = g_strsplit (a, "\n", -1);
  lines_b = g_strsplit (b, "\n", -1);
  for (guint i = 0; lines_a[i] != NULL && lines_b[i] != NULL; i++)
    if (strcmp (lines_a[i], lines_b[i]) != 0)
      {
        g_test_message ("%s, row %u:\n%s\n%s", what, i, lines_a[i], lines_b[i]);
        break;
      }
  g_error ("%s differs", what);
}

/* All times of each thread, in an order that does not depend on IDs. */
static char *
describe_states (TbTrace *trace)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  TbSession *session = tb_trace_get_session (trace);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  guint n_threads;

  tb_session_get_threads (session, &n_threads);
  for (guint32 thread = 1; thread < n_threads; thread++)
    {
      GString *line = g_string_new (NULL);
      gint64 sums[TB_N_STATES] = { 0 };
      gsize first, n;

      append_thread (session, thread, line);
      tb_trace_get_thread_intervals (trace, thread, &first, &n);
      for (gsize i = first; i < first + n; i++)
        sums[intervals->state[i]] += intervals->end[i] - intervals->start[i];
      for (guint state = 0; state < TB_N_STATES; state++)
        g_string_append_printf (line, " %" G_GINT64_FORMAT, sums[state]);
      if (n > 0)
        g_ptr_array_add (lines, g_string_free (line, FALSE));
      else
        g_string_free (line, TRUE);
    }
  g_ptr_array_sort_values (lines, (GCompareFunc) strcmp);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

/* Removes counts made while reading: the second reading may count more or less. */
static char *
drop_warnings (const char *text)
{
  g_autoptr (GRegex) warning = g_regex_new ("^# warning: .*\n", G_REGEX_MULTILINE, 0, NULL);

  return g_regex_replace_literal (warning, text, -1, 0, "", 0, NULL);
}

/* Exported text must import to the same tables, and export to the same text again. */
static void
assert_round_trip (const char *text)
{
  g_autoptr (TbSession) first = import_text (text);
  g_autoptr (TbTrace) first_trace = recording_open_trace (first);
  g_autofree char *first_text = export_text (first_trace);
  g_autoptr (TbSession) second = import_text (first_text);
  g_autoptr (TbTrace) second_trace = recording_open_trace (second);
  g_autofree char *second_text = export_text (second_trace);
  g_autofree char *first_states = describe_states (first_trace);
  g_autofree char *second_states = describe_states (second_trace);
  g_autofree char *first_lines = drop_warnings (first_text);
  g_autofree char *second_lines = drop_warnings (second_text);
  gint64 from[2], to[2];

  if (g_getenv ("TAILBACK_TEST_VERBOSE") != NULL)
    g_print ("%s\n----\n%s\n", text, first_text);
  tb_session_get_range (first, &from[0], &to[0]);
  tb_session_get_range (second, &from[1], &to[1]);
  g_assert_cmpint (from[0], ==, from[1]);
  g_assert_cmpint (to[0], ==, to[1]);
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    {
      if (*meanings[kind] == '\0')
        continue;

      g_autofree char *a = describe_table (first, kind);
      g_autofree char *b = describe_table (second, kind);

      assert_same_text (tb_table_kind_get_info (kind)->name, a, b);
    }
  assert_same_text ("state times", first_states, second_states);
  assert_same_text ("exported text", first_lines, second_lines);
}

/* Every kind of line with all of its cells. */
static const char every_kind[]
    = HEADER "# a comment\n"
             "100,0,name,,,,10,,,12,,,\"app/work, \"\"er\"\"\",,,\n"
             "100,0,name,,,,,,,10,,,app,,,\n"
             "100,0,name,,,,,,,3,,,kworker/0:1,,,\n"
             "100,0,name,,,,,,,4,,,/odd/name,,,\n"
             "110,0,switch,0,R,10,,,,,,,,,,\n"
             "120,0,fork,,,,10,20,,,,,,main@app;clone@libc,,\n"
             "130,0,wakeup,,,,10,12,,,,,,main@app;write@libc;vfs_write@[kernel],,\n"
             "131,0,sys_enter,,,,,,,10,,,read,main@app,,\n"
             "140,0,switch,10,S,12,,,,,,,,main@app;read@libc;schedule@[kernel],,\n"
             "150,0,sample,,,,,,,12,,,,loop,,\n"
             "160,0,io_insert,,WS,,,,,12,vda,4096,/var/log/x,write,128,\n"
             "161,0,io_insert,,D,,,,,12,vda,512,,,,\n"
             "162,0,io_issue,,,,,,,12,vda,4096,,,128,\n"
             "163,0,switch,12,D,0,,,,,,,,,,\n"
             "170,0,irq_entry,,,,,,,,vda,,,,,\n"
             "171,0,io_complete,,,,,,,12,vda,4096,,,128,\n"
             "172,0,wakeup,,,,,12,,,,,,,,\n"
             "173,0,irq_exit,,,,,,,,vda,,,,,\n"
             "174,0,softirq_entry,,,,,,3,,,,,,,\n"
             "175,0,net_receive,,,,,,,-1,eth0,1448,10.0.0.1:80,,,77\n"
             "176,0,wakeup,,,,0,10,,,,,,,,\n"
             "177,0,softirq_exit,,,,,,3,,,,,,,\n"
             "178,0,irq_entry,,,,,,,,timer,,,,,\n"
             "179,0,irq_exit,,,,,,,,timer,,,,,\n"
             "180,0,switch,0,R,10,,,,,,,,,,\n"
             "181,0,sys_exit,,,,,,,10,,-11,,,,\n"
             "190,0,net_send,,,,,,,10,tcp,100,10.0.0.1:80,,,77\n"
             "191,0,net_connect,,,,,,,10,tcp,0,10.0.0.1:80,,,78\n"
             "192,0,spin_begin,,,,,,,10,,,,,,\n"
             "193,0,spin_end,,,,12,,,10,,,,,,\n"
             "194,0,spin_begin,,,,,,,10,,,,,,\n"
             "195,0,spin_end,,,,,,,10,,,,,,\n"
             "196,0,false_wakeup,,,,,,,10,,,,,,\n"
             "197,0,call,,,,,,,10,,,outer,,,\n"
             "198,0,call,,,,,,,10,,,inner,outer;inner,,\n"
             "199,0,return,,,,,,,10,,,inner,,,\n"
             "200,0,return,,,,,,,10,,,outer,,,\n"
             "201,0,mark,,,,,,,10,,,work,,,\n"
             "202,0,mark,,,,,,,10,,,queue=7,,,\n"
             "203,0,switch,10,R+,20,,,,,,,,,,\n"
             "204,0,exec,,,,,,,20,,,/bin/true,,,\n"
             "205,0,exit,,,,,,,20,,,,,,\n"
             "206,0,switch,20,X,12,,,,,,,,,,\n"
             "207,1,wakeup,,,,-1,3,,,,,,,,\n"
             "220,0,lost,,,,,,,,,12,,,,\n"
             "230,0,switch,12,T,0,,,,,,,,,,\n"
             "300,0,switch,9,R,9,,,,,,,,,,\n";

static void
test_every_kind (void)
{
  g_autoptr (TbSession) session = import_text (every_kind);
  static const guint n_rows[] = { 7, 4, 7, 1, 1, 2, 3, 3, 2, 7, 1 };
  guint n_processes;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  g_autofree char *calls = describe_table (session, TB_TABLE_CALL);
  g_autofree char *lost = describe_table (session, TB_TABLE_LOST);
  g_autofree char *blocks = describe_table (session, TB_TABLE_BLOCK);
  gboolean found = FALSE;

  for (TbTableKind kind = 0; kind < TB_TABLE_FRAME; kind++)
    {
      g_test_message ("%s", tb_table_kind_get_info (kind)->name);
      g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, kind)), ==,
                        n_rows[kind]);
    }
  for (guint i = 0; i < n_processes; i++)
    {
      found |= processes[i].pid == 10 && strcmp (processes[i].name, "app") == 0;
      g_assert_cmpint (processes[i].pid, !=, 12);
    }
  g_assert_true (found);
  g_assert_true (
      g_str_has_prefix (calls, "198, 199, 10(app -1--1 10 app), inner, 0, inner@/0;outer@/0;\n"));
  g_assert_cmpstr (lost, ==, "206, 220, 0, 12\n");
  g_assert_nonnull (strstr (blocks, "160, 162, 171, vda, 128, 4096, "));
  g_assert_nonnull (strstr (blocks, "/var/log/x"));
  assert_round_trip (every_kind);
}

static const char *const random_stacks[]
    = { "", "main@app", "main@app;f@app", "main@app;f@app;sys_x@[kernel]", "a b;c@@V1@lib" };

/* Random lines that the importer accepts, even if they contradict each other. */
static char *
make_random (guint n_lines, guint step)
{
  GString *text = g_string_new (HEADER);
  g_autoptr (GHashTable) issued = g_hash_table_new (NULL, NULL);
  guint64 time = 1000;
  guint n_sectors = 0;
  static const char *const states[] = { "S", "D", "R", "R+", "X", "T" };
  static const char *const devices[] = { "vda", "vdb", "eth0", "timer", "" };

  for (guint i = 0; i < n_lines; i++)
    {
      guint cpu = g_test_rand_int_range (0, 2);
      gint32 tid = g_test_rand_int_range (1, 8);
      gint32 other = g_test_rand_int_range (1, 8);
      const char *stack = random_stacks[g_test_rand_int_range (0, G_N_ELEMENTS (random_stacks))];

      time += g_test_rand_int_range (0, step) + 1;
      switch (g_test_rand_int_range (0, 20))
        {
        case 0:
        case 1:
        case 2:
        case 3:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,switch,%d,%s,%d,,,,,,,,%s,,\n",
                                  time, cpu, tid - 1, states[g_test_rand_int_range (0, 6)],
                                  other - 1, stack);
          break;
        case 4:
        case 5:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,wakeup,,,,%d,%d,,,,,,%s,,\n",
                                  time, cpu, tid, other, stack);
          break;
        case 6:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,fork,,,,%d,%d,,,,,,%s,,\n", time,
                                  cpu, tid, other + 4, stack);
          break;
        case 7:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,name,,,,,,,%d,,,%s%u,,,\n", time,
                                  cpu, tid, g_test_rand_bit () ? "p/" : "n",
                                  g_test_rand_int_range (0, 3));
          break;
        case 8:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,irq_entry,,,,,,,,%s,,,,,\n", time,
                                  cpu, devices[g_test_rand_int_range (0, 5)]);
          break;
        case 9:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,irq_exit,,,,,,,,%s,,,,,\n", time,
                                  cpu, devices[g_test_rand_int_range (0, 5)]);
          break;
        case 10:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,softirq_%s,,,,,,%u,,,,,,,\n",
                                  time, cpu, g_test_rand_bit () ? "entry" : "exit",
                                  g_test_rand_int_range (1, 4));
          break;
        case 11:
        case 12:
          {
            guint what = g_test_rand_int_range (0, 3);
            guint sector = g_test_rand_int_range (0, n_sectors + 2);

            /* Every request has a sector of its own and is issued once, so it is always clear which
             * request ends. */
            if (what == 0
                || (what == 1
                    && (sector > n_sectors
                        || g_hash_table_contains (issued, GUINT_TO_POINTER (sector)))))
              sector = ++n_sectors;
            if (what == 1)
              g_hash_table_add (issued, GUINT_TO_POINTER (sector));
            g_string_append_printf (text,
                                    "%" G_GUINT64_FORMAT ",%u,io_%s,,,,,,,%d,vd%c,%u,file,,%u,\n",
                                    time, cpu,
                                    (const char *[]) { "insert", "issue", "complete" }[what], tid,
                                    sector % 2 ? 'a' : 'b', 512, sector);
          }
          break;
        case 13:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,sys_enter,,,,,,,%d,,,read,%s,,\n",
                                  time, cpu, tid, stack);
          break;
        case 14:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,sys_exit,,,,,,,%d,,%d,,,,\n",
                                  time, cpu, tid, g_test_rand_int_range (-4, 5));
          break;
        case 15:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,%s,,,,,,,%d,,,f%u,,,\n", time,
                                  cpu, g_test_rand_bit () ? "call" : "return", tid,
                                  g_test_rand_int_range (0, 3));
          break;
        case 16:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,exit,,,,,,,%d,,,,,,\n", time, cpu,
                                  tid);
          break;
        case 17:
          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,sample,,,,,,,%d,,,,%s,,\n", time,
                                  cpu, tid, stack);
          break;
        case 18:
          g_string_append_printf (text,
                                  "%" G_GUINT64_FORMAT ",%u,net_send,,,,,,,%d,tcp,9,h:1,,,5\n",
                                  time, cpu, tid);
          break;
        default:
          if (g_test_rand_int_range (0, 4) == 0)
            g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,lost,,,,,,,,,3,,,,\n", time,
                                    cpu);
          break;
        }
    }
  return g_string_free (text, FALSE);
}

static void
test_random (void)
{
  for (guint round = 0; round < 10; round++)
    {
      g_autofree char *text = make_random (g_test_rand_int_range (1, 2000), 5);

      assert_round_trip (text);
    }
}

/* A consistent machine: CPUs switch, threads sleep and are woken, also from interrupt handlers.
 * Nothing contradicts, not even simultaneous events. */
static char *
make_consistent (guint n_steps)
{
  enum
  {
    N_CPUS = 2,
    N_THREADS = 6
  };
  GString *text = g_string_new (HEADER);
  guint running[N_CPUS] = { 0 };
  gboolean runnable[N_THREADS + 1] = { FALSE };
  guint64 time = 5000;

  for (guint thread = 1; thread <= N_THREADS; thread++)
    {
      g_string_append_printf (text, "%" G_GUINT64_FORMAT ",0,name,,,,%u,,,%u,,,proc/t%u,,,\n", time,
                              thread & ~1u, thread, thread);
      runnable[thread] = TRUE;
    }
  for (guint i = 0; i < n_steps; i++)
    {
      guint cpu = g_test_rand_int_range (0, N_CPUS);
      guint thread = g_test_rand_int_range (1, N_THREADS + 1);
      gboolean on_cpu = FALSE;

      for (guint k = 0; k < N_CPUS; k++)
        on_cpu |= running[k] == thread;
      time += g_test_rand_int_range (0, 3);
      if (!runnable[thread] && !on_cpu)
        {
          if (g_test_rand_bit ())
            g_string_append_printf (text,
                                    "%" G_GUINT64_FORMAT
                                    ",%u,softirq_entry,,,,,,1,,,,,,,\n%" G_GUINT64_FORMAT
                                    ",%u,wakeup,,,,%u,%u,,,,,,,,\n%" G_GUINT64_FORMAT
                                    ",%u,softirq_exit,,,,,,1,,,,,,,\n",
                                    time, cpu, time, cpu, running[cpu], thread, time, cpu);
          else if (running[cpu] != 0)
            g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,wakeup,,,,%u,%u,,,,,,,,\n",
                                    time, cpu, running[cpu], thread);
          else
            continue;
          runnable[thread] = TRUE;
        }
      else if (runnable[thread] && !on_cpu)
        {
          gboolean sleeps = g_test_rand_bit ();

          g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%u,switch,%u,%s,%u,,,,,,,,,,\n",
                                  time, cpu, running[cpu], running[cpu] == 0 || !sleeps ? "R" : "S",
                                  thread);
          runnable[running[cpu]] = !sleeps;
          runnable[thread] = FALSE;
          running[cpu] = thread;
        }
    }
  return g_string_free (text, FALSE);
}

static void
test_consistent (void)
{
  for (guint round = 0; round < 8; round++)
    {
      g_autofree char *text = make_consistent (1500);
      g_autoptr (TbSession) session = import_text (text);

      g_assert_cmpuint (g_strv_length ((char **) tb_session_get_warnings (session)), ==, 0);
      assert_round_trip (text);
    }
}

/* How the events were recorded, rows of counters and marks of cut stacks are exchanged, too. */
static void
test_evidence (void)
{
  static const char text[] = HEADER
      "# fact: samples-without-time=1\n# fact: sampled=cache-misses\n# fact: command=/bin/true\n"
      "100,0,sample,,,,,,,12,,,,[cut];deep;loop,,\n"
      "110,1,counter,,events,,,,,12,,4096,branches,main@app;[odd],,\n"
      "110,1,counter,,cpu-time,,,,,12,,7,task-clock,,,\n"
      "120,0,sample,,,,,,,12,,,,[broken];deep;loop,,\n"
      "130,,counter,,wait,,,,,-1,,9,offcpu-time,,,\n"
      "140,,counter,,wait-sum,,,,,12,,18446744073,offcpu-time,[cut];main@app,,\n"
      "140,,file_lock,,done,,,,,12,/var/t.db,,fcntl=exclusive-7,,1073741824,1073741825\n"
      "150,,file_lock,,refused,,,,,12,/var/t.db,,flock=shared-9223372036854775807,,,\n"
      "160,,file_lock,,done,,,,,12,,,fcntl=release-7,,0,9223372036854775807\n";
  g_autoptr (TbSession) session = import_text (text);
  g_autoptr (TbTrace) trace = recording_open_trace (session);
  g_autofree char *exported = export_text (trace);
  g_autoptr (TbSession) again = import_text (exported);
  g_autofree char *counters = describe_table (session, TB_TABLE_COUNTER);
  g_autofree char *samples = describe_table (session, TB_TABLE_SAMPLE);
  g_autofree char *locks = describe_table (session, TB_TABLE_FILE_LOCK);

  assert_round_trip (text);
  g_assert_nonnull (strstr (locks, ", 1, 1, 0, /var/t.db, 7, 1073741824, 1073741825\n"));
  g_assert_nonnull (strstr (locks, ", 0, 0, 1, /var/t.db, 9223372036854775807, 0, 0\n"));
  g_assert_nonnull (strstr (locks, ", 1, 2, 0, , 7, 0, 9223372036854775807\n"));
  g_assert_nonnull (strstr (counters, ", branches, 4096, [odd]@/0;main@app/0;\n"));
  g_assert_nonnull (strstr (counters, "130, 65535, 2, none, offcpu-time, 9, \n"));
  g_assert_nonnull (strstr (samples, "loop@/0;deep@/4;"));
  g_assert_nonnull (strstr (samples, "loop@/0;deep@/2;"));
  for (guint i = 0; i < 2; i++)
    {
      TbSession *one = i == 0 ? session : again;

      g_assert_cmpstr (tb_session_get_fact (one, "samples-without-time"), ==, "1");
      g_assert_cmpstr (tb_session_get_fact (one, "sampled"), ==, "cache-misses");
      g_assert_null (tb_session_get_fact (one, "command"));
    }
  g_assert_cmpint (tb_trace_get_evidence (trace)->samples, ==, TB_SAMPLES_NO_TIME);
  g_assert_true (tb_trace_get_evidence (trace)->has_summed_waits);
}

/* The cause of a thread's first wait. */
static TbCauseKind
get_first_cause (TbTrace *trace, gint32 tid)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

  for (gsize i = 0; i < intervals->n; i++)
    if (threads[intervals->thread[i]].tid == tid && intervals->state[i] == TB_STATE_INTERRUPTIBLE)
      return intervals->cause_kind[i];
  g_assert_not_reached ();
}

/* A soft interrupt that was not recorded ran in ksoftirqd, and another one interrupted a thread. */
static void
test_softirq_of_thread (void)
{
  static const struct
  {
    gint64 time;
    TbEventKind kind;
    gint32 tid;
    gint64 a;
    guint8 code;
    guint8 flags;
  } events[] = {
    { 0, TB_EVENT_SWITCH, 0, 7, 'R', 0 },    { 100, TB_EVENT_SWITCH, 7, 8, 'S', 0 },
    { 200, TB_EVENT_SWITCH, 8, 14, 'S', 0 }, { 300, TB_EVENT_WAKEUP, 14, 7, 0, TB_WAKEUP_SOFTIRQ },
    { 400, TB_EVENT_SWITCH, 14, 7, 'S', 0 }, { 500, TB_EVENT_WAKEUP, 7, 8, 0, TB_WAKEUP_SOFTIRQ },
    { 600, TB_EVENT_SWITCH, 7, 8, 'S', 0 },  { 700, TB_EVENT_SWITCH, 8, 0, 'S', 0 },
  };
  TbRecorder *recorder = recording_new ("softirq");
  TbEvent name = { .kind = TB_EVENT_NAME, .tid = 14, .pid = 14 };
  g_autoptr (TbSession) session = NULL, again = NULL;
  g_autoptr (TbTrace) trace = NULL, trace_again = NULL;
  g_autofree char *text = NULL;

  name.text = tb_recorder_intern_string (recorder, "ksoftirqd/0", -1);
  tb_recorder_add (recorder, &name);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      TbEvent event = { .time = events[i].time,
                        .kind = events[i].kind,
                        .tid = events[i].tid,
                        .pid = -1,
                        .a = (guint64) events[i].a,
                        .code = events[i].code,
                        .flags = events[i].flags };

      tb_recorder_add (recorder, &event);
    }
  session = recording_open_session (recorder);
  trace = recording_open_trace (session);
  text = export_text (trace);
  again = import_text (text);
  trace_again = recording_open_trace (again);
  g_assert_cmpint (get_first_cause (trace, 7), ==, TB_CAUSE_THREAD);
  g_assert_cmpint (get_first_cause (trace_again, 7), ==, TB_CAUSE_THREAD);
  g_assert_cmpint (get_first_cause (trace, 8), !=, TB_CAUSE_THREAD);
  g_assert_cmpint (get_first_cause (trace_again, 8), ==, get_first_cause (trace, 8));
}

static void
test_empty (void)
{
  assert_round_trip (HEADER);
}

/* Names the frames at least 0x80 after the start of the kernel's first function. */
static void
name_far_frames (TbSession *session, const TbFrameName *name)
{
  TbTable *frames = tb_session_get_table (session, TB_TABLE_FRAME);
  g_autoptr (GBytes) column = tb_table_get_column (frames, TB_FRAME_OFFSET, NULL);
  const guint64 *offsets = g_bytes_get_data (column, NULL);
  guint n = 1, n_named = 0;

  for (guint32 frame = 0; frame < tb_table_get_n_rows (frames); frame++)
    if ((offsets[frame] & 0xfff) >= 0x80)
      {
        g_assert_true (tb_session_add_frame_names (session, &frame, &n, 1, name, NULL));
        n_named++;
      }
  g_assert_cmpuint (n_named, ==, 2);
}

/* Two addresses in one function without a name but with a known start. In the exported text they
 * are in one function, too. */
static void
test_nameless_function (void)
{
  const TbFrameName name = { .function = "", .file = "", .line = 0x70 };
  guint64 chains[][3] = { { TB_CHAIN_KERNEL, 0xffffffff81000100, 0xffffffff81000010 },
                          { TB_CHAIN_KERNEL, 0xffffffff81000104, 0xffffffff81000010 } };
  TbRecorder *recorder = recording_new ("nameless");
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTrace) trace = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;

  tb_recorder_add_host (recorder, "host", "", "", 1, 0);
  tb_recorder_intern_module (recorder, TB_MODULE_KERNEL, "[kernel]", "", -1);
  for (guint i = 0; i < 2; i++)
    {
      TbEvent sample
          = { .time = 1000 * (i + 1), .kind = TB_EVENT_SAMPLE, .tid = 7, .pid = 7, .a = 1 };

      sample.chain = chains[i];
      sample.n_chain = G_N_ELEMENTS (chains[i]);
      tb_recorder_add (recorder, &sample);
    }
  session = recording_open_session (recorder);
  name_far_frames (session, &name);
  trace = recording_open_trace (session);
  text = export_text (trace);
  parts = g_strsplit (text, ";[kernel]+0x70@[kernel]", -1);
  g_assert_cmpuint (g_strv_length (parts), ==, 3);
}

/* What the recorder counted without an event is exported, and appears once, even if it is counted
 * again. */
static void
test_warnings (void)
{
  static const char again[]
      = "Function calls whose beginning was not recorded, missing in all results: 2";
  TbRecorder *recorder = recording_new ("doubtful");
  g_autoptr (TbSession) first = NULL, second = NULL, many = NULL;
  g_autoptr (TbTrace) trace = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GString) long_text = g_string_new (HEADER);
  TbEvent sample
      = { .time = 1000, .kind = TB_EVENT_SAMPLE, .tid = 7, .pid = 7, .a = 1, .stack = 12345 };
  const char *const *warnings;

  tb_recorder_add_warning (recorder, "of two\nlines, a \"quote\" and 100 %%s");
  tb_recorder_add (recorder, &sample);
  first = recording_open_session (recorder);
  trace = recording_open_trace (first);
  text = export_text (trace);
  second = import_text (text);
  warnings = tb_session_get_warnings (second);
  g_assert_cmpuint (g_strv_length ((char **) warnings), ==, 2);
  g_assert_cmpstr (warnings[0], ==, "of two lines, a \"quote\" and 100 %s");
  g_assert_cmpstr (warnings[1], ==, tb_session_get_warnings (first)[1]);
  g_assert_true (g_str_has_prefix (warnings[1], "1 name, device or stack is shown as unknown"));

  g_string_append_printf (long_text, "# warning: %s\n#warning: none\n", again);
  g_string_append (long_text, "100,0,switch,0,R,0,,,,,,,,,,\n200,0,return,,,,,,,55,,,f,,,\n");
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (long_text, "# warning: the %u. of many\n", i);
  many = import_text (long_text->str);
  warnings = tb_session_get_warnings (many);
  g_assert_cmpstr (warnings[0], ==, again);
  g_assert_cmpuint (g_strv_length ((char **) warnings), ==, 65);
  g_assert_true (g_str_has_suffix (warnings[64], ": 37"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/events-csv/every-kind", test_every_kind);
  g_test_add_func ("/events-csv/evidence", test_evidence);
  g_test_add_func ("/events-csv/softirq-of-thread", test_softirq_of_thread);
  g_test_add_func ("/events-csv/empty", test_empty);
  g_test_add_func ("/events-csv/consistent", test_consistent);
  g_test_add_func ("/events-csv/random", test_random);
  g_test_add_func ("/events-csv/nameless-function", test_nameless_function);
  g_test_add_func ("/events-csv/warnings", test_warnings);
  return recording_run_tests ();
}
