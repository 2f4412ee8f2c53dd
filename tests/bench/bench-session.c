/* bench-session.c: benchmark of sessions, relative to plain files of the same columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-session [MILLION-ROWS [FOLDER]]
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "session/file/tb-session-writer-private.h"
#include "session/file/tb-session.h"

#define BATCH 8192u
#define N_COLUMNS TB_SAMPLE_N_COLUMNS

static const gsize sizes[N_COLUMNS] = { 8, 2, 4, 8, 4 };

typedef struct
{
  gint64 time[BATCH];
  guint16 cpu[BATCH];
  guint32 thread[BATCH];
  guint64 weight[BATCH];
  guint32 stack[BATCH];
} Batch;

static double
now (void)
{
  return (double) g_get_monotonic_time () / 1e6;
}

static double
cpu_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Samples as in a real recording: time steps of some µs, runs of threads on 8 CPUs, recurring
 * stacks. */
static void
fill (Batch *batch, guint64 first)
{
  static guint64 state = 88172645463325252u;
  static gint64 time = 1000000000;

  for (guint i = 0; i < BATCH; i++)
    {
      guint64 r;

      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      r = state;
      time += (gint64) (r % 3000);
      batch->time[i] = time;
      batch->cpu[i] = (guint16) (r >> 20) % 8;
      batch->thread[i] = 1 + (guint32) ((r >> 24) % 8 + (first + i) / 100000 % 50);
      batch->weight[i] = 1000000;
      batch->stack[i] = (guint32) ((r >> 30) % ((r >> 50) % 4 ? 64 : 4096));
    }
}

static void
write_facts (TbSessionWriter *writer)
{
  TbHost host = { 0, "bench", "", "", 8, 0, 0 };
  guint32 parents[4096], frames[4096];
  guint64 offsets[4096];
  guint32 modules[4096];
  guint8 flags[4096] = { 0 };

  tb_session_writer_put_host (writer, &host);
  for (guint i = 0; i < 100; i++)
    {
      TbThread thread = { i, TB_ID_NONE, (gint32) i, TB_TIME_NONE, TB_TIME_NONE, "thread" };

      tb_session_writer_put_thread (writer, &thread);
    }
  for (guint i = 0; i < 4096; i++)
    {
      parents[i] = i / 2;
      frames[i] = i;
      offsets[i] = i * 64;
      modules[i] = TB_ID_NONE;
    }
  tb_session_writer_append (writer, TB_TABLE_FRAME, (gconstpointer[]) { modules, offsets }, 4096,
                            NULL);
  tb_session_writer_append (writer, TB_TABLE_STACK, (gconstpointer[]) { parents, frames, flags },
                            4096, NULL);
}

int
main (int argc, char **argv)
{
  guint64 n_rows = (argc > 1 ? strtoull (argv[1], NULL, 10) : 10) * 1000000 / BATCH * BATCH;
  g_autofree char *folder
      = g_build_filename (argc > 2 ? argv[2] : g_get_tmp_dir (), "tailback-bench-XXXXXX", NULL);
  g_autofree Batch *batch = g_new (Batch, 1);
  g_autofree char *path = NULL, *plain_path = NULL;
  g_autofree guint8 *buffer = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  double start, cpu, fill_time, write_time, close_time, plain_write_time, open_time, read_time,
      read_cpu, plain_read;
  gconstpointer columns[N_COLUMNS];
  guint64 bytes;
  int fd;

  if (g_mkdtemp (folder) == NULL)
    g_error ("cannot write to the folder");
  path = g_build_filename (folder, "a.tailback", NULL);
  plain_path = g_build_filename (folder, "plain", NULL);
  file = g_file_new_for_path (path);
  columns[TB_SAMPLE_TIME] = batch->time;
  columns[TB_SAMPLE_CPU] = batch->cpu;
  columns[TB_SAMPLE_THREAD] = batch->thread;
  columns[TB_SAMPLE_WEIGHT] = batch->weight;
  columns[TB_SAMPLE_STACK] = batch->stack;

  start = now ();
  for (guint64 row = 0; row < n_rows; row += BATCH)
    fill (batch, row);
  fill_time = now () - start;

  start = now ();
  {
    g_autoptr (TbSessionWriter) writer = tb_session_writer_new (file, FALSE, &error);
    double last_commit = start;

    g_assert_no_error (error);
    write_facts (writer);
    for (guint64 row = 0; row < n_rows; row += BATCH)
      {
        fill (batch, row);
        if (!tb_session_writer_append (writer, TB_TABLE_SAMPLE, columns, BATCH, &error))
          g_error ("%s", error->message);
        if (row == 0 || now () - last_commit > 0.5)
          {
            tb_session_writer_commit (writer, &error);
            last_commit = now ();
          }
      }
    write_time = now () - start - fill_time;
    tb_session_writer_close (writer, &error);
    g_assert_no_error (error);
    close_time = now () - start - fill_time;
    bytes = tb_session_writer_get_bytes (writer);
  }

  fd = open (plain_path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  start = now ();
  for (guint64 row = 0; row < n_rows; row += BATCH)
    {
      fill (batch, row);
      for (guint i = 0; i < N_COLUMNS; i++)
        if (write (fd, columns[i], BATCH * sizes[i]) < 0)
          g_error ("write");
    }
  plain_write_time = now () - start - fill_time;
  close (fd);

  start = now ();
  {
    g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);
    gint64 from, to;

    g_assert_no_error (error);
    tb_session_get_range (session, &from, &to);
    open_time = now () - start;
    start = now ();
    cpu = cpu_time ();
    for (guint i = 0; i < N_COLUMNS; i++)
      {
        g_autoptr (GBytes) column
            = tb_table_get_column (tb_session_get_table (session, TB_TABLE_SAMPLE), i, &error);

        g_assert_no_error (error);
        g_assert_cmpuint (g_bytes_get_size (column), ==, n_rows * sizes[i]);
      }
    read_time = now () - start;
    read_cpu = cpu_time () - cpu;
  }

  buffer = g_malloc (n_rows * 26);
  fd = open (plain_path, O_RDONLY | O_CLOEXEC);
  start = now ();
  for (guint64 at = 0; at < n_rows * 26;)
    {
      gssize n = read (fd, buffer + at, n_rows * 26 - at);

      if (n <= 0)
        g_error ("read");
      at += (guint64) n;
    }
  plain_read = now () - start;
  close (fd);

  g_print ("rows                %.1f million of %u columns\n", (double) n_rows / 1e6, N_COLUMNS);
  g_print (
      "written             %.1f million rows a second, %.1f with the last commit and checkpoint\n",
      (double) n_rows / 1e6 / write_time, (double) n_rows / 1e6 / close_time);
  g_print ("                    %.1f million rows a second with the making of the rows\n",
           (double) n_rows / 1e6 / (close_time + fill_time));
  g_print ("size                %.2f bytes a row (plain: 26)\n", (double) bytes / (double) n_rows);
  g_print ("opened              %.2f ms\n", open_time * 1e3);
  g_print ("read                %.3f s, %.3f s of cpu\n", read_time, read_cpu);
  g_print ("ratio write/plain   %.2f\n", close_time / plain_write_time);
  g_print ("ratio read/plain    %.2f\n", read_time / plain_read);
  g_print ("ratio open/write    %.5f\n", open_time / close_time);
  g_unlink (path);
  g_unlink (plain_path);
  g_rmdir (folder);
  return 0;
}
