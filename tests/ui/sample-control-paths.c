/* sample-control-paths.c: sample control paths of a request through five processes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "sample-figures.h"

/* Tenths of a millisecond are precise enough for a sample. */
#define AT(tenths) (SAMPLE_START + (gint64) ((tenths) * SAMPLE_MS / 10))

static const struct
{
  const char *id;
  const char *name;
  TbFlamePaint paint;
} categories[] = {
  { "understood_functions", "understood functions", TB_FLAME_USER },
  { "inferred_functions", "inferred functions", TB_FLAME_INFERRED },
  { "blocking_io", "blocking I/O", TB_FLAME_DISK },
  { "network", "network", TB_FLAME_NETWORK },
  { "not_sampled", "running, not sampled", TB_FLAME_UNSAMPLED },
  { "io_queue", "I/O queue", TB_FLAME_QUEUED },
  { "scheduler", "scheduler", TB_FLAME_RUNNABLE },
  { "hardware", "hardware", TB_FLAME_INTERRUPT },
  { "involuntary", "involuntary", TB_FLAME_PREEMPTED },
  { "kernel_block", "kernel blocks", TB_FLAME_KERNEL_BLOCK },
  { "deliberate_sleep", "deliberate sleep", TB_FLAME_SLEEPING },
  { "timed_out", "timed out", TB_FLAME_TIMED_OUT },
  { "other_path", "other path", TB_FLAME_OTHER_PATH },
  { "unaccounted", "unaccounted", TB_FLAME_LOST },
};

static guint
get_category (TbFlamePaint paint)
{
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    if (categories[i].paint == paint)
      return i;
  return G_N_ELEMENTS (categories);
}

static void
add_categories (TbFlameFigure *figure)
{
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    tb_flame_figure_add_category (figure, categories[i].id, categories[i].name,
                                  categories[i].paint);
}

static guint
add_box (TbFlameFigure *figure,
         guint parent,
         const char *name,
         const char *module,
         TbFlamePaint paint,
         double from,
         double to,
         double own)
{
  guint box = tb_flame_figure_add_box (figure, parent, name, module, paint, AT (from), AT (to),
                                       (guint64) (own * SAMPLE_MS / 10));
  guint category = get_category (paint);

  if (own > 0)
    tb_flame_figure_add_to_category (figure, box,
                                     category < G_N_ELEMENTS (categories) ? category : 11,
                                     (guint64) (own * SAMPLE_MS / 10));
  return box;
}

/* auth checks a password and writes a log, which takes most of the time. */
static void
add_auth (TbFlameFigure *figure, guint parent, const char *host)
{
  guint auth = add_box (figure, parent, "auth (1168)", host, TB_FLAME_PROCESS, 290, 2330, 0);
  guint input = add_box (figure, auth, "worker_input", "auth", TB_FLAME_BOTH, 290, 2330, 20);
  guint verify = add_box (figure, input, "pam_verify", "libpam", TB_FLAME_USER, 300, 1180, 0);
  guint commit, sync;

  add_box (figure, verify, "sha512_rounds", "libcrypt", TB_FLAME_USER, 300, 1100, 800);
  add_box (figure, verify, "pam_log", "libpam", TB_FLAME_INFERRED, 1100, 1150, 50);
  add_box (figure, verify, "not sampled", "", TB_FLAME_UNSAMPLED, 1150, 1180, 30);
  commit = add_box (figure, input, "rdb_commit", "auth", TB_FLAME_WAITING, 1190, 2320, 0);
  sync = add_box (figure, commit, "fsync", "libc.so.6", TB_FLAME_WAITING, 1190, 2320, 60);
  for (guint i = 0; i < 8; i++)
    {
      double from = 1195 + 140 * i;
      guint disk = add_box (figure, sync, i % 3 == 2 ? "rdb.journal" : "login.log", "vda",
                            TB_FLAME_DISK, from + 12, from + 112, 100);

      tb_flame_figure_set_detail (figure, disk,
                                  i % 3 == 2 ? "/var/lib/auth/rdb.journal" : "/var/log/login.log");
      add_box (figure, sync, "vda queue", "", TB_FLAME_QUEUED, from, from + 12, 12);
    }
}

static void
add_request (TbFlameFigure *figure, const char *host, const char *other_host)
{
  guint curl = add_box (figure, TB_ID_NONE, "curl (1160)", host, TB_FLAME_PROCESS, 0, 2650, 0);
  guint perform, poll, nginx, events, php, open, login, request;

  tb_flame_figure_set_detail (figure, curl, "curl -s imap://127.0.0.1/INBOX");
  tb_flame_figure_set_thread (figure, curl, 10);
  perform = add_box (figure, curl, "main", "curl", TB_FLAME_BOTH, 0, 2650, 0);
  perform
      = add_box (figure, perform, "curl_easy_perform", "libcurl.so.4", TB_FLAME_BOTH, 0, 2650, 30);
  add_box (figure, perform, "ssl_init", "libssl", TB_FLAME_USER, 0, 90, 90);
  add_box (figure, perform, "Curl_resolver_wait", "libcurl.so.4", TB_FLAME_TIMED_OUT, 90, 138, 48);
  poll = add_box (figure, perform, "curl_multi_poll → 127.0.0.1:80", "libcurl.so.4",
                  TB_FLAME_WAITING, 140, 2620, 15);
  nginx = add_box (figure, poll, "nginx (812)", host, TB_FLAME_PROCESS, 150, 2610, 0);
  events = add_box (figure, nginx, "ngx_epoll_process_events → unix:php.sock", "nginx",
                    TB_FLAME_WAITING, 150, 2610, 20);
  php = add_box (figure, events, "php-cgi (934)", other_host, TB_FLAME_PROCESS, 170, 2600, 0);
  add_box (figure, php, "php_execute", "php-cgi", TB_FLAME_USER, 170, 215, 45);
  open = add_box (figure, php, "imap_open → 127.0.0.1:143", "php-cgi", TB_FLAME_WAITING, 218, 2400,
                  18);
  add_box (figure, php, "php_execute_scripts_with_a_rather_long_name_that_no_box_has_room_for",
           "php-cgi", TB_FLAME_USER, 2403, 2600, 197);
  login = add_box (figure, open, "imap-login (1165)", other_host, TB_FLAME_PROCESS, 230, 2390, 0);
  add_box (figure, login, "login", "", TB_FLAME_USER, 230, 278, 48);
  request = add_box (figure, login, "auth_request → unix:login", "imap-login", TB_FLAME_WAITING,
                     280, 2340, 16);
  add_box (figure, login, "login", "", TB_FLAME_USER, 2342, 2390, 48);
  add_auth (figure, request, other_host);
}

TbFlameFigure *
sample_paths (void)
{
  TbFlameFigure *figure = tb_flame_figure_new ("chronological", "Chronological", "ns");
  guint flusher;

  tb_flame_figure_set_chronological (figure, SAMPLE_START, AT (2650));
  add_categories (figure);
  tb_flame_figure_begin_lane (figure, "base", "Base path");
  add_request (figure, "red", "blue");
  tb_flame_figure_begin_lane (figure, "1", "Not waited for: kworker/u4:2");
  flusher
      = add_box (figure, TB_ID_NONE, "kworker/u4:2 (77)", "blue", TB_FLAME_PROCESS, 1400, 2500, 0);
  add_box (figure, flusher, "wb_workfn", "[kernel]", TB_FLAME_KERNEL, 1400, 1500, 100);
  add_box (figure, flusher, "events lost", "", TB_FLAME_LOST, 1500, 1700, 200);
  add_box (figure, flusher, "wb_workfn", "[kernel]", TB_FLAME_KERNEL, 1750, 2500, 750);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* The number of boxes that a long chain of runs and sleeps has. */
TbFlameFigure *
sample_paths_random (guint n_runs)
{
  TbFlameFigure *figure = tb_flame_figure_new ("chronological", "Chronological", "ns");
  guint process, main_;
  gint64 step = 2 * SAMPLE_MS / 100;

  tb_flame_figure_set_chronological (figure, SAMPLE_START, SAMPLE_START + (gint64) n_runs * step);
  process = tb_flame_figure_add_box (figure, TB_ID_NONE, "busy (1)", "", TB_FLAME_PROCESS,
                                     SAMPLE_START, SAMPLE_START + (gint64) n_runs * step, 0);
  main_ = tb_flame_figure_add_box (figure, process, "main", "busy", TB_FLAME_BOTH, SAMPLE_START,
                                   SAMPLE_START + (gint64) n_runs * step, 0);
  for (guint i = 0; i < n_runs; i++)
    {
      gint64 from = SAMPLE_START + (gint64) i * step;
      guint sleep, other;

      tb_flame_figure_add_box (figure, main_, "work", "busy", TB_FLAME_USER, from, from + step / 4,
                               (guint64) step / 4);
      sleep = tb_flame_figure_add_box (figure, main_, "read", "libc.so.6", TB_FLAME_WAITING,
                                       from + step / 4, from + step, 0);
      other = tb_flame_figure_add_box (figure, sleep, "helper (2)", "", TB_FLAME_PROCESS,
                                       from + step / 4, from + step, 0);
      tb_flame_figure_add_box (figure, other, i % 7 ? "answer" : "seek", "helper", TB_FLAME_USER,
                               from + step / 4, from + step, (guint64) step * 3 / 4);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbFlameFigure *
sample_paths_consolidated (void)
{
  TbFlameFigure *figure = tb_flame_figure_new ("consolidated", "Consolidated", "ns");
  guint curl, main_, poll, nginx, auth, sha, sync, disk;

  add_categories (figure);
  tb_flame_figure_begin_lane (figure, "base", "Base path");
  curl
      = tb_flame_figure_add_node (figure, TB_ID_NONE, "curl (1160)", "red", TB_FLAME_PROCESS, 0, 1);
  main_ = tb_flame_figure_add_node (figure, curl, "main", "curl", TB_FLAME_BOTH, 15 * SAMPLE_MS, 1);
  tb_flame_figure_add_to_category (figure, main_, 0, 15 * SAMPLE_MS);
  poll = tb_flame_figure_add_node (figure, main_, "poll", "libc.so.6", TB_FLAME_WAITING,
                                   5 * SAMPLE_MS, 3);
  tb_flame_figure_add_to_category (figure, poll, 11, 5 * SAMPLE_MS);
  nginx = tb_flame_figure_add_node (figure, poll, "nginx (812)", "red", TB_FLAME_PROCESS, 0, 1);
  auth = tb_flame_figure_add_node (figure, nginx, "auth (1168)", "blue", TB_FLAME_PROCESS, 0, 1);
  sha = tb_flame_figure_add_node (figure, auth, "sha512_rounds", "libcrypt", TB_FLAME_USER,
                                  80 * SAMPLE_MS, 1);
  tb_flame_figure_add_to_category (figure, sha, 0, 80 * SAMPLE_MS);
  sync = tb_flame_figure_add_node (figure, auth, "fsync", "libc.so.6", TB_FLAME_WAITING,
                                   10 * SAMPLE_MS, 1);
  tb_flame_figure_add_to_category (figure, sync, 9, 10 * SAMPLE_MS);
  disk = tb_flame_figure_add_node (figure, sync, "login.log", "vda", TB_FLAME_DISK, 110 * SAMPLE_MS,
                                   8);
  tb_flame_figure_add_to_category (figure, disk, 2, 110 * SAMPLE_MS);
  tb_flame_figure_set_detail (figure, disk, "/var/log/login.log");
  /* Work of curl's server after curl had its answer. */
  tb_flame_figure_add_overhang (figure, poll, 40 * SAMPLE_MS);
  tb_flame_figure_begin_lane (figure, "1", "Not waited for: kworker/u4:2");
  curl = tb_flame_figure_add_node (figure, TB_ID_NONE, "kworker/u4:2 (77)", "blue",
                                   TB_FLAME_PROCESS, 0, 1);
  main_ = tb_flame_figure_add_node (figure, curl, "wb_workfn", "[kernel]", TB_FLAME_KERNEL,
                                    85 * SAMPLE_MS, 1);
  tb_flame_figure_add_to_category (figure, main_, 0, 85 * SAMPLE_MS);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbTableFigure *
sample_explanation (void)
{
  static const gint64 tenths[G_N_ELEMENTS (categories)]
      = { 1230, 50, 800, 0, 30, 96, 12, 4, 9, 60, 0, 48, 0, 2 };
  TbTableFigure *figure = tb_table_figure_new ("explanation", "Explanation");
  gint64 total = 0;

  tb_table_figure_add_column (figure, "category", "Category", TB_CELL_TEXT);
  tb_table_figure_add_column (figure, "ns", "Time", TB_CELL_DURATION);
  tb_table_figure_add_column (figure, "share", "Share", TB_CELL_SHARE);
  tb_table_figure_set_bar (figure, 1);
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    total += tenths[i];
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    {
      guint row = tb_table_figure_add_row (figure, categories[i].id);

      tb_table_figure_set_text (figure, row, 0, categories[i].name);
      tb_table_figure_set_integer (figure, row, 1, tenths[i] * SAMPLE_MS / 10);
      tb_table_figure_set_double (figure, row, 2, (double) tenths[i] / (double) total);
      tb_table_figure_set_paint (figure, row, categories[i].paint);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}
