/* sample-figures.c: sample figures for inspection and tests
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "sample-figures.h"

typedef struct
{
  GArray *start;
  GArray *end;
  GArray *paint;
  GPtrArray *labels; /* nullable char* */
} Track;

typedef struct
{
  TbTimelineFigure *figure;
  GPtrArray *tracks;
  GArray *from_track;
  GArray *from_time;
  GArray *to_track;
  GArray *to_time;
} Builder;

static void
track_free (gpointer data)
{
  Track *track = data;

  g_array_unref (track->start);
  g_array_unref (track->end);
  g_array_unref (track->paint);
  g_ptr_array_unref (track->labels);
  g_free (track);
}

static Builder *
builder_new (const char *id, const char *title, gint64 from, gint64 to)
{
  Builder *builder = g_new0 (Builder, 1);

  builder->figure = tb_timeline_figure_new (id, title, from, to);
  builder->tracks = g_ptr_array_new_with_free_func (track_free);
  builder->from_track = g_array_new (FALSE, FALSE, sizeof (guint32));
  builder->from_time = g_array_new (FALSE, FALSE, sizeof (gint64));
  builder->to_track = g_array_new (FALSE, FALSE, sizeof (guint32));
  builder->to_time = g_array_new (FALSE, FALSE, sizeof (gint64));
  return builder;
}

static guint
add_track (Builder *builder, const char *name, const char *group, guint32 thread)
{
  g_autofree char *id = g_strdup_printf ("track-%u", builder->tracks->len);
  Track *track = g_new0 (Track, 1);

  track->start = g_array_new (FALSE, FALSE, sizeof (gint64));
  track->end = g_array_new (FALSE, FALSE, sizeof (gint64));
  track->paint = g_array_new (FALSE, FALSE, sizeof (guint8));
  track->labels = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (builder->tracks, track);
  return tb_timeline_figure_add_track (builder->figure, id, name, group, thread);
}

/* start and end: milliseconds from SAMPLE_START. */
static void
add (Builder *builder, guint index, double from, double to, TbPaint paint, const char *label)
{
  Track *track = g_ptr_array_index (builder->tracks, index);
  gint64 start = SAMPLE_START + (gint64) (from * SAMPLE_MS),
         end = SAMPLE_START + (gint64) (to * SAMPLE_MS);
  guint8 byte = (guint8) paint;

  g_array_append_val (track->start, start);
  g_array_append_val (track->end, end);
  g_array_append_val (track->paint, byte);
  g_ptr_array_add (track->labels, g_strdup (label));
}

static void
wake (Builder *builder, guint from_track, double from, guint to_track, double to)
{
  gint64 from_time = SAMPLE_START + (gint64) (from * SAMPLE_MS),
         to_time = SAMPLE_START + (gint64) (to * SAMPLE_MS);

  g_array_append_val (builder->from_track, from_track);
  g_array_append_val (builder->from_time, from_time);
  g_array_append_val (builder->to_track, to_track);
  g_array_append_val (builder->to_time, to_time);
}

static char *
get_label (TbTimelineFigure *figure, guint index, gsize interval, gboolean long_form, gpointer data)
{
  GPtrArray *tracks = data;
  Track *track = g_ptr_array_index (tracks, index);
  const char *label = g_ptr_array_index (track->labels, interval);

  if (label == NULL)
    return g_strdup (long_form ? tb_paint_get_label (g_array_index (track->paint, guint8, interval))
                               : "");
  return long_form ? g_strdup_printf ("in %s", label) : g_strdup (label);
}

static GBytes *
take (GArray **array)
{
  GArray *taken = g_steal_pointer (array);
  gsize size = taken->len * g_array_get_element_size (taken);

  return g_bytes_new_take (g_array_free (taken, FALSE), size);
}

static GBytes *
copy (GArray *array)
{
  return g_bytes_new (array->data, array->len * g_array_get_element_size (array));
}

static TbTimelineFigure *
finish (Builder *builder)
{
  TbTimelineFigure *figure = builder->figure;
  gsize n_arrows = builder->from_track->len;

  for (guint i = 0; i < builder->tracks->len; i++)
    {
      Track *track = g_ptr_array_index (builder->tracks, i);
      g_autoptr (GBytes) start = copy (track->start);
      g_autoptr (GBytes) end = copy (track->end);
      g_autoptr (GBytes) paint = copy (track->paint);

      tb_timeline_figure_set_intervals (figure, i, track->start->len, start, end, paint);
    }
  {
    g_autoptr (GBytes) from_track = take (&builder->from_track);
    g_autoptr (GBytes) from_time = take (&builder->from_time);
    g_autoptr (GBytes) to_track = take (&builder->to_track);
    g_autoptr (GBytes) to_time = take (&builder->to_time);

    tb_timeline_figure_set_arrows (figure, n_arrows, from_track, from_time, to_track, to_time);
  }
  tb_timeline_figure_set_label_func (figure, get_label, builder->tracks,
                                     (GDestroyNotify) g_ptr_array_unref);
  tb_figure_freeze (TB_FIGURE (figure));
  g_free (builder);
  return figure;
}

static void
add_programs (Builder *builder)
{
  guint curl = add_track (builder, "curl", "curl 1160", 10);
  guint resolver = add_track (builder, "resolver", "curl 1160", 11);
  guint nginx = add_track (builder, "nginx", "nginx 812", 12);
  guint php = add_track (builder, "php-cgi", "php-cgi 934", 13);
  guint login = add_track (builder, "imap-login", "dovecot 702", 14);
  guint auth = add_track (builder, "auth", "dovecot 702", 15);
  guint worker = add_track (builder, "auth-worker", "dovecot 702", 16);

  add (builder, curl, 0, 8.8, TB_PAINT_RUNNING, "main");
  add (builder, curl, 8.8, 13.8, TB_PAINT_WAITING, "poll");
  add (builder, curl, 13.8, 15, TB_PAINT_RUNNING, NULL);
  add (builder, curl, 15, 262, TB_PAINT_WAITING, "curl_multi_poll → 127.0.0.1:80");
  add (builder, curl, 262, 265, TB_PAINT_RUNNING, NULL);
  add (builder, resolver, 1, 7.8, TB_PAINT_RUNNING, NULL);
  add (builder, resolver, 8, 9, TB_PAINT_RUNNABLE, NULL);
  add (builder, nginx, 0, 15, TB_PAINT_WAITING, NULL);
  add (builder, nginx, 15, 17, TB_PAINT_RUNNING, NULL);
  add (builder, nginx, 17, 260, TB_PAINT_WAITING, "epoll_wait → unix:php.sock");
  add (builder, nginx, 260, 262, TB_PAINT_RUNNING, NULL);
  add (builder, php, 0, 17, TB_PAINT_WAITING, NULL);
  add (builder, php, 17, 22, TB_PAINT_RUNNING, NULL);
  add (builder, php, 22, 240, TB_PAINT_WAITING, "imap_open → 127.0.0.1:143");
  add (builder, php, 240, 260, TB_PAINT_RUNNING, "php_execute");
  add (builder, login, 0, 23, TB_PAINT_WAITING, NULL);
  add (builder, login, 23, 28, TB_PAINT_RUNNING, NULL);
  add (builder, login, 28, 234, TB_PAINT_WAITING, "auth_request → unix:login");
  add (builder, login, 234, 239, TB_PAINT_RUNNING, NULL);
  add (builder, login, 239, 265, TB_PAINT_WAITING, NULL);
  add (builder, auth, 0, 29, TB_PAINT_WAITING, NULL);
  add (builder, auth, 29, 30, TB_PAINT_RUNNABLE, NULL);
  add (builder, auth, 30, 118, TB_PAINT_RUNNING, "sha512_rounds");
  for (guint i = 0; i < 11; i++)
    {
      double at = 118 + i * 10.4;

      add (builder, auth, at, at + 9.6, TB_PAINT_DISK, "fsync");
      add (builder, auth, at + 9.6, at + 10.4, TB_PAINT_RUNNING, NULL);
    }
  add (builder, auth, 118 + 11 * 10.4, 265, TB_PAINT_WAITING, NULL);
  add (builder, worker, 0, 265, TB_PAINT_WAITING, "futex: pool_lock (held by auth-worker 1170)");

  wake (builder, curl, 15, nginx, 15);
  wake (builder, nginx, 17, php, 17);
  wake (builder, php, 22, login, 23);
  wake (builder, login, 28, auth, 29);
  wake (builder, auth, 232, login, 234);
  wake (builder, login, 239, php, 240);
  wake (builder, php, 260, nginx, 260);
  wake (builder, nginx, 262, curl, 262);
}

static void
add_machine (Builder *builder)
{
  guint kworker = add_track (builder, "kworker/1:1H", "kernel", 20);
  guint vda = add_track (builder, "vda", "devices", TB_ID_NONE);
  guint irq = add_track (builder, "irq 36 virtio1", "devices", TB_ID_NONE);
  guint cpus[2];

  for (guint i = 0; i < 22; i++)
    {
      double at = 119 + i * 5.2;

      add (builder, kworker, at, at + .2, TB_PAINT_RUNNING, NULL);
      add (builder, vda, at + .3, at + 4, TB_PAINT_DISK, i % 3 == 0 ? NULL : "write");
      add (builder, irq, at + 4, at + 4.05, TB_PAINT_INTERRUPT, NULL);
    }
  for (guint cpu = 0; cpu < 2; cpu++)
    {
      g_autofree char *name = g_strdup_printf ("cpu %u", cpu);
      g_autoptr (GRand) random = g_rand_new_with_seed (cpu + 7);
      double at = 0;

      cpus[cpu] = add_track (builder, name, "devices", TB_ID_NONE);
      while (at < 258)
        {
          double length = g_rand_double_range (random, 1, 9);

          if (g_rand_boolean (random))
            add (builder, cpus[cpu], at, MIN (at + length, 265), TB_PAINT_RUNNING,
                 length > 6 ? "curl" : NULL);
          at += length + (g_rand_boolean (random) ? 0 : 2);
        }
    }
  tb_timeline_figure_add_lost (builder->figure, vda, SAMPLE_START + 60 * SAMPLE_MS,
                               SAMPLE_START + 72 * SAMPLE_MS, 17);
}

TbTimelineFigure *
sample_timeline (void)
{
  Builder *builder
      = builder_new ("threads", "Timeline", SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);

  add_programs (builder);
  add_machine (builder);
  return finish (builder);
}

TbTimelineFigure *
sample_timeline_long_names (void)
{
  static const char *const names[] = {
    "a-thread-with-quite-a-long-name-that-does-not-fit",
    "Übersetzungsspeicheraktualisierungsfaden",
    "ワーカースレッド・プール・マネージャー",
    "خيط العمل الرئيسي في البرنامج",
    "x",
  };
  Builder *builder
      = builder_new ("threads", "Timeline", SAMPLE_START, SAMPLE_START + 100 * SAMPLE_MS);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint track
          = add_track (builder, names[i],
                       i < 3 ? "org.example.ApplicationWithAVeryLongName.Service.Worker 123456"
                             : "x 1",
                       i);

      add (builder, track, 0, 10. * (i + 1), TB_PAINT_RUNNING,
           "std::_Function_handler<void (std::unique_ptr<Request>), "
           "Server::dispatch()::lambda>::_M_invoke");
      add (builder, track, 10. * (i + 1), 100, TB_PAINT_WAITING,
           "__futex_abstimed_wait_common64 → lock of std::condition_variable in "
           "ThreadPool::wait_for_work(unsigned long)");
    }
  return finish (builder);
}

TbTimelineFigure *
sample_timeline_estimated (void)
{
  enum
  {
    N = 9
  };
  static const char *const names[] = { "worker", "reader", "main" };
  TbTimelineFigure *figure = tb_timeline_figure_new ("timeline", "Timeline", SAMPLE_START,
                                                     SAMPLE_START + 260 * SAMPLE_MS);

  for (guint track = 0; track < G_N_ELEMENTS (names); track++)
    {
      gint64 start[N], end[N];
      guint8 paint[N];
      g_autoptr (GBytes) starts = NULL;
      g_autoptr (GBytes) ends = NULL;
      g_autoptr (GBytes) paints = NULL;

      for (guint i = 0; i < N; i++)
        {
          start[i] = i == 0 ? SAMPLE_START : end[i - 1];
          end[i] = i == N - 1 ? SAMPLE_START + 260 * SAMPLE_MS
                              : start[i] + (i * (track + 3) % 5 + 1) * 6 * SAMPLE_MS;
          paint[i] = i % 2 == 0 ? TB_PAINT_UNKNOWN : TB_PAINT_ESTIMATED;
          if (track == 2)
            paint[i] = i % 2 == 0 ? TB_PAINT_WAITING : TB_PAINT_RUNNING;
        }
      starts = g_bytes_new (start, sizeof start);
      ends = g_bytes_new (end, sizeof end);
      paints = g_bytes_new (paint, sizeof paint);
      tb_timeline_figure_add_track (figure, names[track], names[track], "server 812", track + 1);
      tb_timeline_figure_set_intervals (figure, track, N, starts, ends, paints);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbTimelineFigure *
sample_timeline_empty (void)
{
  return finish (builder_new ("threads", "Timeline", SAMPLE_START, SAMPLE_START + SAMPLE_MS));
}

/* A fast generator with a fixed sequence. */
static guint64
next_random (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void
fill_random_track (TbTimelineFigure *figure, guint track, gsize n, gint64 length, guint64 *state)
{
  static const guint8 waits[]
      = { TB_PAINT_WAITING, TB_PAINT_WAITING, TB_PAINT_WAITING, TB_PAINT_DISK,
          TB_PAINT_NETWORK, TB_PAINT_WAITING, TB_PAINT_WAITING, TB_PAINT_UNINTERRUPTIBLE };
  gint64 *start = g_new (gint64, MAX (1, n)), *end = g_new (gint64, MAX (1, n));
  guint8 *paint = g_new (guint8, MAX (1, n));
  double mean = (double) length / (double) MAX (1, n);
  g_autoptr (GBytes) starts = NULL;
  g_autoptr (GBytes) ends = NULL;
  g_autoptr (GBytes) paints = NULL;
  gint64 at = SAMPLE_START;

  for (gsize i = 0; i < n; i++)
    {
      guint64 random = next_random (state);
      /* Mostly short, occasionally long. */
      double part
          = (random % 64 == 0 ? 12. : .82) * (double) (random >> 40) / (double) (1 << 24) * 2;

      start[i] = at;
      at += MAX (1, (gint64) (mean * part));
      end[i] = at;
      paint[i] = i % 3 == 0   ? TB_PAINT_RUNNING
                 : i % 3 == 1 ? waits[random >> 20 & 7]
                              : TB_PAINT_RUNNABLE;
    }
  starts = g_bytes_new_take (start, n * sizeof (gint64));
  ends = g_bytes_new_take (end, n * sizeof (gint64));
  paints = g_bytes_new_take (paint, n);
  tb_timeline_figure_set_intervals (figure, track, n, starts, ends, paints);
}

static char *
get_random_label (TbTimelineFigure *figure,
                  guint track,
                  gsize interval,
                  gboolean long_form,
                  gpointer data)
{
  return g_strdup_printf ("call_%zu_of_%u", interval, track);
}

TbTimelineFigure *
sample_timeline_random (guint n_tracks, gsize n_intervals)
{
  gint64 length = 60000 * SAMPLE_MS;
  TbTimelineFigure *figure
      = tb_timeline_figure_new ("threads", "Timeline", SAMPLE_START, SAMPLE_START + length);
  guint64 state = 88172645463325252u;

  for (guint i = 0; i < n_tracks; i++)
    {
      g_autofree char *id = g_strdup_printf ("track-%u", i);
      g_autofree char *name = g_strdup_printf ("thread %u", i);
      g_autofree char *group = g_strdup_printf ("process %u", 1000 + i / 10);

      tb_timeline_figure_add_track (figure, id, name, group, i + 1);
      fill_random_track (figure, i, n_intervals / n_tracks, length, &state);
    }
  tb_timeline_figure_set_label_func (figure, get_random_label, NULL, NULL);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbFlameFigure *
sample_flame (void)
{
  TbFlameFigure *figure = tb_flame_figure_new ("off-cpu", "Off-CPU flame", "ns");
  guint process, main_, perform, multi, poll, php, sha, verify, fsync_;

  process
      = tb_flame_figure_add_node (figure, TB_ID_NONE, "curl (1160)", NULL, TB_FLAME_PROCESS, 0, 1);
  main_ = tb_flame_figure_add_node (figure, process, "main", "curl", TB_FLAME_USER, 0, 1);
  perform = tb_flame_figure_add_node (figure, main_, "curl_easy_perform", "libcurl.so.4",
                                      TB_FLAME_USER, 2 * SAMPLE_MS, 1);
  multi = tb_flame_figure_add_node (figure, perform, "curl_multi_poll → 127.0.0.1:80",
                                    "libcurl.so.4", TB_FLAME_WAITING, 4 * SAMPLE_MS, 3);
  poll = tb_flame_figure_add_node (figure, multi, "poll", "libc.so.6", TB_FLAME_WAITING, 0, 3);
  tb_flame_figure_add_node (figure, poll, "do_sys_poll", "[kernel]", TB_FLAME_KERNEL,
                            40 * SAMPLE_MS, 3);
  php = tb_flame_figure_add_node (figure, multi, "ngx_epoll_process_events → unix:php.sock",
                                  "nginx", TB_FLAME_WAITING, 9 * SAMPLE_MS, 2);
  verify = tb_flame_figure_add_node (figure, php, "pam_verify", "libpam.so.0", TB_FLAME_USER,
                                     3 * SAMPLE_MS, 1);
  sha = tb_flame_figure_add_node (figure, verify, "sha512_rounds", "libcrypt.so.1", TB_FLAME_USER,
                                  84 * SAMPLE_MS, 1);
  fsync_ = tb_flame_figure_add_node (figure, php, "fsync", "libc.so.6", TB_FLAME_WAITING,
                                     1 * SAMPLE_MS, 11);
  tb_flame_figure_add_node (figure, fsync_, "login.log", NULL, TB_FLAME_DISK, 112 * SAMPLE_MS, 11);
  tb_flame_figure_add_node (figure, perform, "Curl_resolver_wait", "libcurl.so.4", TB_FLAME_NETWORK,
                            12 * SAMPLE_MS, 1);
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *name = g_strdup_printf ("small_helper_%u", i);

      tb_flame_figure_add_node (figure, perform, name, "libcurl.so.4", TB_FLAME_USER,
                                (40 - i) * SAMPLE_MS / 60, 1);
    }
  (void) sha;
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbFlameFigure *
sample_flame_random (guint n_nodes)
{
  TbFlameFigure *figure = tb_flame_figure_new ("on-cpu", "On-CPU flame", "samples");
  guint64 state = 4101842887655102017u;
  guint last = TB_ID_NONE;

  for (guint i = 0; i < n_nodes; i++)
    {
      g_autofree char *name
          = g_strdup_printf ("function_%u", (guint) (next_random (&state) % 5000));
      guint n = tb_flame_figure_get_n_nodes (figure);
      guint parent = n == 0 ? TB_ID_NONE : (guint) (next_random (&state) % n);

      if (i > 0 && next_random (&state) % 2 == 0)
        parent = last;
      last = tb_flame_figure_add_node (figure, parent, name, i % 3 ? "program" : "libc.so.6",
                                       i % 5 == 0 ? TB_FLAME_KERNEL : TB_FLAME_USER,
                                       next_random (&state) % 50, 1);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbFlameFigure *
sample_flame_differences (void)
{
  static const struct
  {
    int parent;
    const char *name;
    const char *module;
    guint now;
    guint before;
  } nodes[] = {
    { -1, "worker (812)", "", 0, 0 },      { 0, "main", "server", 2, 2 },
    { 1, "serve", "server", 4, 4 },        { 2, "parse", "libparse.so.2", 10, 40 },
    { 2, "lookup", "server", 30, 20 },     { 4, "hash", "libc.so.6", 25, 5 },
    { 4, "memcmp", "libc.so.6", 9, 9 },    { 3, "parse", "libparse.so.2", 12, 12 },
    { 7, "parse", "libparse.so.2", 8, 8 }, { 2, "compress", "libz.so.1", 22, 0 },
    { 2, "log", "server", 0, 15 },         { 8, "memcmp", "libc.so.6", 6, 7 },
  };
  TbFlameFigure *figure = tb_flame_figure_new ("flame", "Before and after", "ns");

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      guint node = tb_flame_figure_add_node (
          figure, nodes[i].parent < 0 ? TB_ID_NONE : (guint) nodes[i].parent, nodes[i].name,
          nodes[i].module, i == 0 ? TB_FLAME_PROCESS : TB_FLAME_USER, nodes[i].now * SAMPLE_MS, 1);

      tb_flame_figure_add_base (figure, node, nodes[i].before * SAMPLE_MS);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbFlameFigure *
sample_flame_empty (void)
{
  TbFlameFigure *figure = tb_flame_figure_new ("on-cpu", "On-CPU flame", "ns");

  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static TbTableFigure *
new_table (void)
{
  TbTableFigure *figure = tb_table_figure_new ("states", "Table");

  tb_table_figure_add_column (figure, "process", "Process", TB_CELL_TEXT);
  tb_table_figure_add_column (figure, "thread", "Thread", TB_CELL_TEXT);
  tb_table_figure_add_column (figure, "running", "Running", TB_CELL_DURATION);
  tb_table_figure_add_column (figure, "waiting", "Waiting", TB_CELL_DURATION);
  tb_table_figure_add_column (figure, "share", "Share", TB_CELL_SHARE);
  tb_table_figure_add_column (figure, "switches", "Switches", TB_CELL_COUNT);
  tb_table_figure_add_column (figure, "bytes", "Written", TB_CELL_BYTES);
  return figure;
}

static void
add_row (TbTableFigure *figure,
         guint32 thread,
         const char *process,
         const char *name,
         gint64 running,
         gint64 waiting,
         gint64 switches,
         gint64 bytes)
{
  g_autofree char *item = g_strdup_printf ("%u", thread);
  guint row = tb_table_figure_add_row (figure, item);

  tb_table_figure_set_text (figure, row, 0, process);
  tb_table_figure_set_text (figure, row, 1, name);
  tb_table_figure_set_integer (figure, row, 2, running);
  if (waiting >= 0)
    tb_table_figure_set_integer (figure, row, 3, waiting);
  if (waiting >= 0)
    tb_table_figure_set_double (figure, row, 4,
                                (double) running / (double) MAX (1, running + waiting));
  tb_table_figure_set_integer (figure, row, 5, switches);
  if (bytes >= 0)
    tb_table_figure_set_integer (figure, row, 6, bytes);
}

TbTableFigure *
sample_table (void)
{
  TbTableFigure *figure = new_table ();

  add_row (figure, 10, "curl 1160", "curl", 13 * SAMPLE_MS, 252 * SAMPLE_MS, 4, -1);
  add_row (figure, 11, "curl 1160", "resolver", 7 * SAMPLE_MS, 1 * SAMPLE_MS, 2, -1);
  add_row (figure, 12, "nginx 812", "nginx", 4 * SAMPLE_MS, 261 * SAMPLE_MS, 3, 2048);
  add_row (figure, 13, "php-cgi 934", "php-cgi", 25 * SAMPLE_MS, 240 * SAMPLE_MS, 3, 512);
  add_row (figure, 14, "dovecot 702", "imap-login", 10 * SAMPLE_MS, 255 * SAMPLE_MS, 5, 96);
  add_row (figure, 15, "dovecot 702", "auth", 97 * SAMPLE_MS, 168 * SAMPLE_MS, 25, 45056);
  add_row (figure, 16, "dovecot 702", "auth-worker with a name that is too long for its column", 0,
           -1, 0, -1);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbTableFigure *
sample_table_random (guint n_rows)
{
  TbTableFigure *figure = new_table ();
  guint64 state = 88172645463325252u;

  for (guint i = 0; i < n_rows; i++)
    {
      g_autofree char *process = g_strdup_printf ("process %u", 1000 + i / 10);
      g_autofree char *name = g_strdup_printf ("thread %u", i);

      add_row (figure, i + 1, process, name, (gint64) (next_random (&state) % 1000000000),
               (gint64) (next_random (&state) % 1000000000), (gint64) (next_random (&state) % 1000),
               (gint64) (next_random (&state) % 100000));
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbTableFigure *
sample_table_empty (void)
{
  TbTableFigure *figure = new_table ();

  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}
