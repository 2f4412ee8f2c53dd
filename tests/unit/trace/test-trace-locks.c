/* test-trace-locks.c: test of the identity and names of locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include "session/recorder/tb-recorder.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-symbolizer.h"
#include "trace/tb-trace.h"

/* Variables of this program, looked up in its file. */
struct
{
  int count;
  pthread_mutex_t mutex;
} work_queue = { 1, PTHREAD_MUTEX_INITIALIZER }; /* .data: in the file */
pthread_mutex_t idle_mutex;                      /* .bss: not in the file */

#define N_SLEEPS 15

typedef struct
{
  char *path;
  TbRecorder *recorder;
  guint32 module;
  gint64 time;
  guint32 stack; /* stack of the next sleeps */
} Fixture;

static int
find_first_page (struct dl_phdr_info *info, size_t size, void *data)
{
  guint64 lowest = G_MAXUINT64;

  for (guint i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      lowest = MIN (lowest, info->dlpi_phdr[i].p_vaddr & ~(guint64) 4095);
  *(guint64 *) data = info->dlpi_addr + lowest;
  return 1;
}

static guint64
get_distance (gconstpointer variable)
{
  guint64 first_page = 0;

  dl_iterate_phdr (find_first_page, &first_page);
  return (guint64) (gsize) variable - first_page;
}

/* Outermost first, "function@module". */
static guint32
make_stack (Fixture *self, const char *first, const char *second, const char *third)
{
  const char *const names[] = { first, second, third };
  guint32 frames[3];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_auto (GStrv) parts = g_strsplit (names[i], "@", 2);

      frames[i] = tb_recorder_intern_named_frame (self->recorder, parts[0], parts[1], FALSE);
    }
  return tb_recorder_intern_stack (self->recorder, frames, NULL, G_N_ELEMENTS (frames));
}

/* The main thread of process pid sleeps on the lock for a while. */
static void
sleep_on (Fixture *self, gint32 pid, TbEvent event)
{
  TbEvent change
      = { .time = self->time, .kind = TB_EVENT_SWITCH, .tid = pid, .pid = pid, .code = 'S' };

  change.stack = self->stack;
  event.time = self->time;
  event.kind = TB_EVENT_SLEEP;
  event.tid = event.pid = pid;
  event.text = tb_recorder_intern_string (self->recorder, "futex", -1);
  event.b = (guint64) TB_TIMEOUT_NONE;
  tb_recorder_add (self->recorder, &event);
  tb_recorder_add (self->recorder, &change);
  change.time += 10;
  change.tid = change.pid = 0;
  change.code = 'R';
  change.stack = TB_STACK_NONE;
  change.a = change.b = (guint64) pid;
  tb_recorder_add (self->recorder, &change);
  self->time += 20;
}

static TbSession *
record (Fixture *self)
{
  g_autofree char *own_path = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autofree char *build_id = NULL;
  int fd = g_file_open_tmp ("tailback-locks-XXXXXX", &self->path, NULL);
  guint32 heap, ring;

  close (fd);
  file = g_file_new_for_path (self->path);
  self->recorder = tb_recorder_new (file, TRUE, &error);
  g_assert_no_error (error);
  self->time = 100;
  self->stack = TB_STACK_NONE;
  tb_recorder_add_host (self->recorder, "host", "", "", 1, 0);
  fd = g_open (own_path, O_RDONLY | O_CLOEXEC);
  build_id = tb_elf_read_build_id (fd);
  close (fd);
  self->module = tb_recorder_intern_module (self->recorder, TB_MODULE_FILE, own_path, build_id, 10);
  heap = tb_recorder_intern_string (self->recorder, "[heap]", -1);
  ring = tb_recorder_intern_string (self->recorder, "/dev/shm/ring", -1);

  /* 0: the same variable in two processes */
  sleep_on (self, 10,
            (TbEvent) { .code = TB_SLEEP_LOCK,
                        .a = 0x1000,
                        .c = get_distance (&idle_mutex),
                        .module = self->module });
  sleep_on (self, 11,
            (TbEvent) { .code = TB_SLEEP_LOCK,
                        .a = 0x1000,
                        .c = get_distance (&idle_mutex),
                        .module = self->module });
  /* 2: inside a larger variable */
  sleep_on (self, 10,
            (TbEvent) { .code = TB_SLEEP_LOCK,
                        .a = 0x2000,
                        .c = get_distance (&work_queue.mutex),
                        .module = self->module });
  /* 3: no variable at that address of the module */
  sleep_on (self, 10,
            (TbEvent) { .code = TB_SLEEP_LOCK, .a = 0x3000, .c = 0, .module = self->module });
  /* 4: in the heap, twice */
  sleep_on (self, 10,
            (TbEvent) {
                .code = TB_SLEEP_LOCK, .a = 0x55aa00, .text2 = heap, .module = TB_ID_NONE });
  sleep_on (self, 10,
            (TbEvent) {
                .code = TB_SLEEP_LOCK, .a = 0x55aa00, .text2 = heap, .module = TB_ID_NONE });
  /* 5: shared, at different addresses */
  sleep_on (self, 10,
            (TbEvent) { .code = TB_SLEEP_SHARED_LOCK,
                        .a = 0x7000,
                        .c = 0x40,
                        .text2 = ring,
                        .module = TB_ID_NONE });
  sleep_on (self, 11,
            (TbEvent) { .code = TB_SLEEP_SHARED_LOCK,
                        .a = 0x9000,
                        .c = 0x40,
                        .text2 = ring,
                        .module = TB_ID_NONE });
  /* 6: shared, in an unknown mapping */
  sleep_on (self, 11,
            (TbEvent) { .code = TB_SLEEP_SHARED_LOCK, .a = 0x55aa00, .module = TB_ID_NONE });
  /* not a lock */
  sleep_on (self, 11,
            (TbEvent) {
                .code = TB_SLEEP_PIPE, .a = 0x55aa00, .text2 = ring, .module = TB_ID_NONE });
  /* 7: in the heap; one function sleeps twice on it, others once */
  self->stack = make_stack (self, "main@app", "push@app", "pthread_mutex_lock@libc.so.6");
  sleep_on (self, 12,
            (TbEvent) {
                .code = TB_SLEEP_LOCK, .a = 0x66bb00, .text2 = heap, .module = TB_ID_NONE });
  self->stack = make_stack (self, "main@app", "pop@app", "pthread_mutex_lock@libc.so.6");
  sleep_on (self, 12,
            (TbEvent) {
                .code = TB_SLEEP_LOCK, .a = 0x66bb00, .text2 = heap, .module = TB_ID_NONE });
  sleep_on (self, 12,
            (TbEvent) {
                .code = TB_SLEEP_LOCK, .a = 0x66bb00, .text2 = heap, .module = TB_ID_NONE });
  /* 8: shared, in a file that does not exist; 9: a variable */
  sleep_on (self, 12,
            (TbEvent) { .code = TB_SLEEP_SHARED_LOCK,
                        .a = 0x8800,
                        .c = 0x2b8,
                        .text2
                        = tb_recorder_intern_string (self->recorder, "/dev/zero (deleted)", -1),
                        .module = TB_ID_NONE });
  sleep_on (self, 12,
            (TbEvent) { .code = TB_SLEEP_LOCK,
                        .a = 0x1000,
                        .c = get_distance (&idle_mutex),
                        .module = self->module });
  tb_recorder_finish (self->recorder, &error);
  g_assert_no_error (error);
  g_clear_object (&self->recorder);
  return tb_session_open (file, NULL, &error);
}

static void
assert_lock (TbTrace *trace, guint lock, guint32 process, const char *name)
{
  guint n_locks;
  const TbLock *locks = tb_trace_get_locks (trace, &n_locks);
  g_autofree char *description = tb_trace_describe_lock (trace, lock);

  g_assert_cmpuint (lock, <, n_locks);
  if (process == TB_ID_NONE)
    g_assert_cmpuint (locks[lock].process, ==, TB_ID_NONE);
  else
    g_assert_cmpuint (locks[lock].process, !=, TB_ID_NONE);
  g_assert_cmpstr (description, ==, name);
}

static void
test_names (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = record (&fixture);
  g_autoptr (TbTrace) trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_autoptr (TbSymbolizer) symbolizer = tb_symbolizer_new (session, TB_SYMBOLIZER_INLINES);
  g_autofree char *own_path = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *file = g_path_get_basename (own_path);
  g_autofree char *before = NULL, *unnamed = NULL, *inside = NULL;
  guint n_locks;

  g_assert_no_error (error);
  tb_trace_get_locks (trace, &n_locks);
  g_assert_cmpuint (n_locks, ==, 10);
  before = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", file, get_distance (&idle_mutex));
  assert_lock (trace, 0, 0, before);
  tb_symbolizer_run (symbolizer, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_lock (trace, 0, 0, "idle_mutex");
  assert_lock (trace, 1, 0, "idle_mutex");
  inside = g_strdup_printf ("work_queue+0x%x",
                            (guint) ((char *) &work_queue.mutex - (char *) &work_queue));
  assert_lock (trace, 2, 0, inside);
  unnamed = g_strdup_printf ("%s+0x0", file);
  assert_lock (trace, 3, 0, unnamed);
  assert_lock (trace, 4, 0, "heap 0x55aa00");
  assert_lock (trace, 5, TB_ID_NONE, "/dev/shm/ring+0x40");
  assert_lock (trace, 6, 0, "0x55aa00");
  assert_lock (trace, 7, 0, "heap 0x66bb00 (pop)");
  assert_lock (trace, 8, TB_ID_NONE, "/dev/zero (deleted)+0x2b8 (pop)");
  assert_lock (trace, 9, 0, "idle_mutex");
  g_unlink (fixture.path);
  g_free (fixture.path);
}

/* Sleeps on one lock have one object, those on two locks have two. The name of a pipe is
 * unchanged. */
static void
test_objects (void)
{
  static const guint of_sleep[N_SLEEPS] = { 0, 1, 2, 3, 4, 4, 5, 5, 6, TB_ID_NONE, 7, 7, 7, 8, 9 };
  Fixture fixture = { 0 };
  g_autoptr (TbSession) session = record (&fixture);
  g_autoptr (TbTrace) trace = tb_trace_new (session, NULL, NULL, NULL, NULL);
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  guint n_locks = 0, n_other = 0;

  for (gsize i = 0; i < intervals->n; i++)
    {
      guint32 object = tb_trace_get_object (trace, i);
      guint32 lock = tb_trace_get_lock (trace, i);
      g_autofree char *name = tb_trace_describe_object (trace, object);

      if (intervals->sleep[i] == TB_ID_NONE)
        {
          g_assert_cmpuint (lock, ==, TB_ID_NONE);
          g_assert_cmpuint (object, ==, TB_STRING_NONE);
          g_assert_cmpstr (name, ==, "");
        }
      else if (of_sleep[intervals->sleep[i]] != TB_ID_NONE)
        {
          g_autofree char *expected = tb_trace_describe_lock (trace, lock);

          g_assert_cmpuint (lock, ==, of_sleep[intervals->sleep[i]]);
          g_assert_cmpuint (object, >=, tb_session_get_n_strings (session));
          g_assert_cmpstr (name, ==, expected);
          n_locks++;
        }
      else
        {
          g_assert_cmpuint (lock, ==, TB_ID_NONE);
          g_assert_cmpstr (name, ==, "/dev/shm/ring");
          n_other++;
        }
    }
  g_assert_cmpuint (n_locks, ==, N_SLEEPS - 1);
  g_assert_cmpuint (n_other, ==, 1);
  g_unlink (fixture.path);
  g_free (fixture.path);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  pthread_mutex_init (&idle_mutex, NULL);
  g_test_add_func ("/trace/locks/names", test_names);
  g_test_add_func ("/trace/locks/objects", test_objects);
  return g_test_run ();
}
