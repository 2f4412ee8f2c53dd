/* test-trace-stacks.c: test of stacks as functions, their labels and kinds of waits, and the
 * calling-context tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>

#include "session/recorder/tb-recorder.h"
#include "trace/tb-context-tree.h"
#include "trace/tb-trace-libc-names-private.h"
#include "trace/tb-trace-wait-functions-private.h"

typedef struct
{
  char *folder;
  TbRecorder *recorder;
  TbTrace *trace;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  self->folder = g_dir_make_tmp ("tailback-stacks-XXXXXX", NULL);
  path = g_build_filename (self->folder, "s.tailback", NULL);
  file = g_file_new_for_path (path);
  self->recorder = tb_recorder_new (file, TRUE, NULL);
  g_assert_nonnull (self->recorder);
  tb_recorder_add_host (self->recorder, "host", "", "", 1, 0);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "s.tailback", NULL);

  g_clear_object (&self->trace);
  g_clear_object (&self->recorder);
  g_unlink (path);
  g_rmdir (self->folder);
  g_free (self->folder);
}

/* "main;read;k:ksys_read": outermost first, k: marks kernel frames. */
static guint32
intern (Fixture *self, const char *text)
{
  g_auto (GStrv) names = g_strsplit (text, ";", -1);
  guint32 frames[16];
  guint8 flags[16];
  guint n = g_strv_length (names);

  for (guint i = 0; i < n; i++)
    {
      gboolean kernel = g_str_has_prefix (names[i], "k:");

      frames[i] = tb_recorder_intern_named_frame (self->recorder, names[i] + (kernel ? 2 : 0),
                                                  kernel ? "[kernel]" : "app", kernel);
      flags[i] = kernel ? TB_STACK_KERNEL : 0;
    }
  return tb_recorder_intern_stack (self->recorder, frames, flags, n);
}

static void
finish (Fixture *self)
{
  g_autofree char *path = g_build_filename (self->folder, "s.tailback", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;

  tb_recorder_finish (self->recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  self->trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
sleep_in (Fixture *self, gint64 from, gint64 to, guint32 stack, char state)
{
  TbEvent in = { .time = from - 1, .kind = TB_EVENT_SWITCH, .code = 'R', .a = 7, .b = 7 };
  TbEvent out = {
    .time = from, .kind = TB_EVENT_SWITCH, .tid = 7, .pid = 7, .code = state, .stack = stack
  };
  TbEvent wake = { .time = to, .kind = TB_EVENT_WAKEUP, .tid = 8, .pid = 8, .a = 7 };

  tb_recorder_add (self->recorder, &in);
  tb_recorder_add (self->recorder, &out);
  tb_recorder_add (self->recorder, &wake);
}

static void
test_labels (Fixture *self, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "main;save;fsync;k:do_syscall_64;k:__x64_sys_fsync;k:io_schedule", "fsync" },
    { "main;save;__syscall_cancel_arch;k:do_syscall_64;k:ksys_read;k:vfs_read", "read" },
    { "main;save;__internal_syscall_cancel", "save" },
    { "k:kthread;k:worker_thread", "worker_thread" },
    { "_start", "_start" },
  };
  guint32 stacks[G_N_ELEMENTS (cases)];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    stacks[i] = intern (self, cases[i][0]);
  finish (self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *label = tb_trace_get_stack_label (self->trace, stacks[i]);

      g_assert_cmpstr (label, ==, cases[i][1]);
    }
  g_assert_null (tb_trace_get_stack_label (self->trace, TB_STACK_NONE));
  g_assert_null (tb_trace_get_stack_label (self->trace, 99999));
}

static void
test_libc_names (void)
{
  static const char *const cases[][3] = {
    { "__GI___libc_read", "libc.so.6", "read" },
    { "__libc_recv", "libc.so.6", "recv" },
    { "__GI___wait4", "libc-2.31.so", "wait4" },
    { "___pthread_mutex_lock", "libpthread-2.31.so", "pthread_mutex_lock" },
    { "__GI__exit", "libc.so.6", "_exit" },
    { "__libc_start_main", "libc.so.6", "__libc_start_main" },
    { "__GI___libc_", "libc.so.6", "libc_" },
    { "__GI_", "libc.so.6", "__GI_" },
    { "__libc_", "libc.so.6", "__libc_" },
    { "_IO_file_read", "libc.so.6", "_IO_file_read" },
    { "__GI___libc_read", "app", "__GI___libc_read" },
    { "main", "libc.so.6", "main" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (tb_get_libc_name (cases[i][0], cases[i][1]), ==, cases[i][2]);
  g_assert_true (tb_is_inner_libc_function ("__internal_syscall_cancel"));
  g_assert_true (tb_is_inner_libc_function ("__pthread_rwlock_rdlock_full64"));
  g_assert_false (tb_is_inner_libc_function ("pthread_mutex_lock"));
  g_assert_false (tb_is_inner_libc_function ("read"));
}

/* "main@app;read@libc.so.6" */
static guint32
intern_in_modules (Fixture *self, const char *text)
{
  g_auto (GStrv) names = g_strsplit (text, ";", -1);
  guint32 frames[16];
  guint8 flags[16] = { 0 };
  guint n = g_strv_length (names);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) parts = g_strsplit (names[i], "@", 2);

      frames[i] = tb_recorder_intern_named_frame (self->recorder, parts[0], parts[1], FALSE);
    }
  return tb_recorder_intern_stack (self->recorder, frames, flags, n);
}

/* The functions that serve a function of the C library are part of it, the function of the program
 * is found behind it, and nothing is found where there is none. */
static void
test_library (Fixture *self, gconstpointer data)
{
  guint32 nap
      = intern_in_modules (self,
                           "main@app;format_line@mod_log.so;__GI___clock_nanosleep@libc.so.6;"
                           "__internal_syscall_cancel@libc.so.6;__syscall_cancel_arch@libc.so.6");
  guint32 broken = intern_in_modules (self, "__internal_syscall_cancel@libc.so.6");
  g_autofree char *label = NULL;
  g_autofree char *program = NULL;
  g_autoptr (TbContextTree) tree = NULL;
  const char *module;
  TbContextNode node;

  finish (self);
  label = tb_trace_get_stack_label (self->trace, nap);
  g_assert_cmpstr (label, ==, "clock_nanosleep");
  program = tb_trace_find_program_function (self->trace, nap, &module);
  g_assert_cmpstr (program, ==, "format_line");
  g_assert_cmpstr (module, ==, "mod_log.so");
  g_assert_null (tb_trace_find_program_function (self->trace, broken, &module));
  tree = tb_trace_get_context_tree (self->trace);
  tb_context_tree_get_node (tree, tb_context_tree_find (tree, nap), &node);
  g_assert_cmpstr (node.function, ==, "clock_nanosleep");
  g_assert_cmpuint (node.depth, ==, 3);
  tb_context_tree_get_node (
      tree, tb_context_tree_find_program_node (tree, tb_context_tree_find (tree, nap)), &node);
  g_assert_cmpstr (node.function, ==, "format_line");
  tb_context_tree_get_node (tree, tb_context_tree_find (tree, broken), &node);
  g_assert_cmpstr (node.function, ==, "__internal_syscall_cancel");
  g_assert_cmpuint (tb_context_tree_find_program_node (tree, tb_context_tree_find (tree, broken)),
                    ==, 0);
}

static guint32
find_thread (Fixture *self, gint32 tid)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);

  for (guint32 thread = 1; thread < n_threads; thread++)
    if (threads[thread].tid == tid)
      return thread;
  g_assert_not_reached ();
}

static void
test_kinds (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *stack;
    char state;
    TbWaitKind kind;
  } cases[] = {
    { "main;read;k:ksys_read;k:pipe_read;k:schedule", 'S', TB_WAIT_PIPE },
    { "main;poll;k:do_sys_poll;k:poll_schedule_timeout.constprop.0;k:schedule", 'S', TB_WAIT_POLL },
    { "main;lock;k:do_futex;k:futex_wait_queue", 'S', TB_WAIT_LOCK },
    { "main;nap;k:hrtimer_nanosleep;k:do_nanosleep", 'S', TB_WAIT_SLEEP },
    { "main;read;k:vfs_read;k:folio_wait_bit_common;k:io_schedule", 'D', TB_WAIT_BLOCK_IO },
    { "main;touch;k:asm_exc_page_fault;k:filemap_fault;k:io_schedule", 'D', TB_WAIT_PAGE_FAULT },
    { "main;waitpid;k:kernel_wait4;k:do_wait", 'S', TB_WAIT_CHILD },
    { "main;recv", 'S', TB_WAIT_SOCKET },
    { "main;nap;__GI___clock_nanosleep", 'S', TB_WAIT_SLEEP },
    { "main;__libc_recv;k:wait_woken;k:sk_wait_data;k:tcp_recvmsg_locked;k:schedule_timeout", 'S',
      TB_WAIT_SOCKET },
    { "main;spawn;k:__x64_sys_vfork;k:kernel_clone;k:wait_for_completion_state", 'D',
      TB_WAIT_CHILD },
    { "main;save;k:__x64_sys_fsync;k:new_filesystem_sync", 'D', TB_WAIT_BLOCK_IO },
    { "main;work;k:__x64_sys_write;k:new_filesystem_write", 'D', TB_WAIT_UNKNOWN },
    { "main;read;k:ksys_read;k:eventfd_read", 'S', TB_WAIT_OTHER },
    { "main;read;k:ksys_read;k:timerfd_read_iter", 'S', TB_WAIT_SLEEP },
    { "main;compute", 'S', TB_WAIT_UNKNOWN },
  };
  guint32 thread;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    sleep_in (self, 1000 + 1000000 * (gint64) i, 500000 + 1000000 * (gint64) i,
              intern (self, cases[i].stack), cases[i].state);
  finish (self);
  thread = find_thread (self, 7);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gssize row = tb_trace_find_interval (self->trace, thread, 2000 + 1000000 * (gint64) i);

      g_assert_cmpint (row, >=, 0);
      g_assert_cmpint (tb_trace_get_wait_kind (self->trace, row), ==, cases[i].kind);
    }
}

/* Without a recorded timeout, the timer that ends a wait shows that it timed out, unless it
 * delivered an event or a signal. */
static void
test_timeouts (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *stack;
    const char *wakeup;
    gboolean by_timer;
    gboolean is_timed_out;
  } cases[] = {
    { "main;poll;k:do_sys_poll", NULL, TRUE, TRUE },
    { "main;poll;k:do_sys_poll", "k:hrtimer_interrupt;k:hrtimer_wakeup", TRUE, TRUE },
    { "main;poll;k:do_sys_poll", "k:hrtimer_interrupt;k:timerfd_tmrproc", TRUE, FALSE },
    { "main;poll;k:do_sys_poll", "k:hrtimer_interrupt;k:it_real_fn;k:send_signal", TRUE, FALSE },
    { "main;poll;k:do_sys_poll", NULL, FALSE, FALSE },
    { "main;lock;k:futex_wait", NULL, TRUE, TRUE },
    { "main;recv;k:sk_wait_data", NULL, TRUE, TRUE },
    { "main;nap;k:hrtimer_nanosleep", NULL, TRUE, FALSE }, /* a deliberate sleep */
    { "main;read;k:pipe_read", NULL, TRUE, FALSE },
    { "main;work", NULL, TRUE, FALSE },
  };
  gint64 step = 1000000;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 from = 1000 + step * i, to = 500000 + step * i;
      TbEvent in = { .time = from - 1, .kind = TB_EVENT_SWITCH, .code = 'R', .a = 7, .b = 7 };
      TbEvent out = { .time = from,
                      .kind = TB_EVENT_SWITCH,
                      .tid = 7,
                      .pid = 7,
                      .code = 'S',
                      .stack = intern (self, cases[i].stack) };
      TbEvent enter = { .time = to - 10,
                        .kind = TB_EVENT_IRQ_ENTRY,
                        .code = TB_INTERRUPT_TIMER,
                        .device = TB_ID_NONE };
      TbEvent wake = { .time = to, .kind = TB_EVENT_WAKEUP, .tid = 8, .pid = 8, .a = 7 };
      TbEvent leave = enter;

      leave.kind = TB_EVENT_IRQ_EXIT;
      leave.time = to + 10;
      wake.stack = cases[i].wakeup != NULL ? intern (self, cases[i].wakeup) : TB_STACK_NONE;
      tb_recorder_add (self->recorder, &in);
      tb_recorder_add (self->recorder, &out);
      if (cases[i].by_timer)
        tb_recorder_add (self->recorder, &enter);
      tb_recorder_add (self->recorder, &wake);
      if (cases[i].by_timer)
        tb_recorder_add (self->recorder, &leave);
    }
  finish (self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gssize row = tb_trace_find_interval (self->trace, find_thread (self, 7), 2000 + step * i);
      g_autofree char *wait = NULL;

      g_assert_cmpint (row, >=, 0);
      wait = tb_trace_describe_wait (self->trace, row);
      g_assert_cmpint (tb_trace_is_timed_out (self->trace, row), ==, cases[i].is_timed_out);
      g_assert_cmpint (g_str_has_suffix (wait, ", timed out"), ==, cases[i].is_timed_out);
    }
}

/* The tables are searched by bisection. Every name must be found, so the tables must be sorted. */
static void
test_names (void)
{
  static const char *const kernel[] = {
    "__futex_wait", "worker_thread", "ep_poll",        "do_wait",     "io_schedule",
    "pipe_write",   "mutex_lock",    "exc_page_fault", "unix_accept", "sigsuspend",
    "sk_wait_data", "kthreadd",      "anon_pipe_read", "down_read",   "jbd2_log_wait_commit"
  };
  static const char *const user[]
      = { "__lll_lock_wait", "waitpid",           "accept", "sem_wait", "poll", "fsync",
          "usleep",          "pthread_cond_wait", "recvmsg" };

  for (guint i = 0; i < G_N_ELEMENTS (kernel); i++)
    g_assert_cmpint (tb_wait_kind_from_function (kernel[i], TRUE), !=, TB_WAIT_UNKNOWN);
  for (guint i = 0; i < G_N_ELEMENTS (user); i++)
    g_assert_cmpint (tb_wait_kind_from_function (user[i], FALSE), !=, TB_WAIT_UNKNOWN);
  g_assert_cmpint (tb_wait_kind_from_function ("futex_wait.isra.0", TRUE), ==, TB_WAIT_LOCK);
  g_assert_cmpint (tb_wait_kind_from_function ("poll@@GLIBC_2.2.5", FALSE), ==, TB_WAIT_POLL);
  g_assert_cmpint (tb_wait_kind_from_function ("___pthread_cond_wait", FALSE), ==, TB_WAIT_LOCK);
  g_assert_cmpint (tb_wait_kind_from_function ("ep_poll", FALSE), ==, TB_WAIT_UNKNOWN);
  g_assert_cmpint (tb_wait_kind_from_function ("", TRUE), ==, TB_WAIT_UNKNOWN);
}

static void
test_context_tree (Fixture *self, gconstpointer data)
{
  guint32 a = intern (self, "main;work;read"), b = intern (self, "main;work;write"),
          c = intern (self, "main;work");
  guint32 d = intern (self, "main;read"), kernel = intern (self, "main;work;k:read");
  g_autoptr (TbContextTree) tree = NULL;
  g_autoptr (TbContextTree) again = NULL;
  TbContextNode node;
  guint32 node_a, node_b, node_c;

  finish (self);
  tree = tb_trace_get_context_tree (self->trace);
  again = tb_trace_get_context_tree (self->trace);
  g_assert_true (tree == again);
  node_a = tb_context_tree_find (tree, a);
  node_b = tb_context_tree_find (tree, b);
  node_c = tb_context_tree_find (tree, c);
  g_assert_cmpuint (tb_context_tree_get_parent (tree, node_a), ==, node_c);
  g_assert_cmpuint (tb_context_tree_get_parent (tree, node_b), ==, node_c);
  g_assert_cmpuint (node_a, !=, tb_context_tree_find (tree, kernel));
  g_assert_cmpuint (node_a, !=, tb_context_tree_find (tree, d));
  g_assert_cmpuint (node_c, <, node_a);
  tb_context_tree_get_node (tree, node_a, &node);
  g_assert_cmpstr (node.function, ==, "read");
  g_assert_cmpstr (node.module, ==, "app");
  g_assert_cmpuint (node.depth, ==, 3);
  g_assert_false (node.kernel);
  /* root, main, work, read, write, main's read, and the kernel's one */
  g_assert_cmpuint (tb_context_tree_get_n_nodes (tree), ==, 7);
  g_assert_cmpuint (tb_context_tree_find (tree, TB_STACK_NONE), ==, 0);
  g_assert_cmpuint (tb_context_tree_find (tree, 12345), ==, 0);
}

/* Two addresses in one function are one node. Inlined functions are nodes in between. */
static void
test_context_tree_folds (Fixture *self, gconstpointer data)
{
  guint32 module = tb_recorder_intern_module (self->recorder, TB_MODULE_KERNEL, "[kernel]", "", -1);
  guint64 first[] = { TB_CHAIN_KERNEL, 0xffffffff81000100, 0xffffffff81000010 };
  guint64 second[] = { TB_CHAIN_KERNEL, 0xffffffff81000104, 0xffffffff81000010 };
  TbEvent sample = {
    .time = 1000, .kind = TB_EVENT_SAMPLE, .tid = 7, .pid = 7, .a = 1, .chain = first, .n_chain = 3
  };
  TbEvent other = {
    .time = 2000, .kind = TB_EVENT_SAMPLE, .tid = 7, .pid = 7, .a = 1, .chain = second, .n_chain = 3
  };
  g_autoptr (TbContextTree) before = NULL;
  g_autoptr (TbContextTree) after = NULL;
  TbSession *session;
  guint n_nodes_before;
  guint64 n_frames;

  (void) module;
  tb_recorder_add (self->recorder, &sample);
  tb_recorder_add (self->recorder, &other);
  finish (self);
  session = tb_trace_get_session (self->trace);
  before = tb_trace_get_context_tree (self->trace);
  n_nodes_before = tb_context_tree_get_n_nodes (before);
  g_assert_cmpuint (n_nodes_before, ==, 4); /* three addresses */

  n_frames = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_FRAME));
  for (guint32 frame = 0; frame < n_frames; frame++)
    {
      g_autoptr (GBytes) offsets
          = tb_table_get_column (tb_session_get_table (session, TB_TABLE_FRAME), TB_FRAME_OFFSET,
                                 NULL);
      guint64 offset = ((const guint64 *) g_bytes_get_data (offsets, NULL))[frame];
      const TbFrameName outer[] = { { .function = "entry", .file = "" } };
      const TbFrameName inner[] = { { .function = "small", .file = "", .is_inline = TRUE },
                                    { .function = "large", .file = "" } };
      /* a return address may be resolved as the call before it */
      gboolean is_outer = (offset & 0xfff) < 0x100;
      guint n = is_outer ? 1 : 2;

      g_assert_true (
          tb_session_add_frame_names (session, &frame, &n, 1, is_outer ? outer : inner, NULL));
    }
  after = tb_trace_get_context_tree (self->trace);
  g_assert_true (before != after);
  g_assert_cmpuint (tb_context_tree_get_n_nodes (after), ==, 4); /* root, entry, large, small */
  for (guint32 stack = 1;
       stack < tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_STACK)); stack++)
    {
      g_auto (GStrv) functions = tb_trace_get_stack_functions (self->trace, stack);

      g_assert_cmpstr (functions[0], ==, "entry");
      if (g_strv_length (functions) > 1)
        {
          g_assert_cmpstr (functions[1], ==, "large");
          g_assert_cmpstr (functions[2], ==, "small");
        }
    }
}

/* Addresses in one function are merged, even if the function has no name. */
static void
test_nameless_functions (Fixture *self, gconstpointer data)
{
  guint64 chains[2][3] = { { TB_CHAIN_KERNEL, 0xffffffff81000100, 0xffffffff81000010 },
                           { TB_CHAIN_KERNEL, 0xffffffff81000104, 0xffffffff81000010 } };
  const TbFrameName names[] = { { .function = "", .file = "", .line = 0x70 } };
  g_autoptr (TbContextTree) tree = NULL;
  g_autoptr (GBytes) offsets = NULL;
  g_auto (GStrv) functions = NULL;
  TbSession *session;
  TbTable *frames;
  guint n = 1;

  tb_recorder_intern_module (self->recorder, TB_MODULE_KERNEL, "[kernel]", "", -1);
  for (guint i = 0; i < 2; i++)
    {
      TbEvent sample = { .time = 1000 * (i + 1),
                         .kind = TB_EVENT_SAMPLE,
                         .tid = 7,
                         .pid = 7,
                         .a = 1,
                         .chain = chains[i],
                         .n_chain = 3 };

      tb_recorder_add (self->recorder, &sample);
    }
  finish (self);
  session = tb_trace_get_session (self->trace);
  frames = tb_session_get_table (session, TB_TABLE_FRAME);
  offsets = tb_table_get_column (frames, TB_FRAME_OFFSET, NULL);
  for (guint32 frame = 0; frame < tb_table_get_n_rows (frames); frame++)
    if ((((const guint64 *) g_bytes_get_data (offsets, NULL))[frame] & 0xfff) >= 0x80)
      g_assert_true (tb_session_add_frame_names (session, &frame, &n, 1, names, NULL));
  tree = tb_trace_get_context_tree (self->trace);
  g_assert_cmpuint (tb_context_tree_get_n_nodes (tree), ==, 3); /* root, outer address, function */
  functions = tb_trace_get_stack_functions (
      self->trace, tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_STACK)) - 1);
  g_assert_cmpstr (functions[1], ==, "[kernel]+0x70");
}

static gboolean
contains (const char *function, const char *module, gpointer data)
{
  return strstr (function, data) != NULL;
}

/* Against a search of each stack. */
static void
test_match (Fixture *self, gconstpointer data)
{
  static const char *const sought[] = { "read", "r", "no such function", "work", "" };

  intern (self, "main;work;read");
  intern (self, "main;work;write");
  intern (self, "main;work");
  intern (self, "main;work;k:read");
  intern (self, "start;idle");
  finish (self);
  for (guint i = 0; i < G_N_ELEMENTS (sought); i++)
    {
      guint32 n = 0;
      g_autofree guint8 *matched
          = tb_trace_match_stacks (self->trace, contains, (gpointer) sought[i], &n);

      g_assert_cmpuint (n, ==,
                        tb_table_get_n_rows (
                            tb_session_get_table (tb_trace_get_session (self->trace),
                                                  TB_TABLE_STACK)));
      for (guint32 stack = 0; stack < n; stack++)
        {
          g_auto (GStrv) functions = tb_trace_get_stack_functions (self->trace, stack);
          gboolean expected = FALSE;

          for (guint k = 0; functions[k] != NULL; k++)
            expected |= strstr (functions[k], sought[i]) != NULL;
          g_assert_true ((matched[stack] != 0) == expected);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/trace/stacks/labels", Fixture, NULL, set_up, test_labels, tear_down);
  g_test_add_func ("/trace/stacks/libc-names", test_libc_names);
  g_test_add ("/trace/stacks/library", Fixture, NULL, set_up, test_library, tear_down);
  g_test_add ("/trace/stacks/kinds", Fixture, NULL, set_up, test_kinds, tear_down);
  g_test_add ("/trace/stacks/timeouts", Fixture, NULL, set_up, test_timeouts, tear_down);
  g_test_add ("/trace/stacks/match", Fixture, NULL, set_up, test_match, tear_down);
  g_test_add_func ("/trace/stacks/names", test_names);
  g_test_add ("/trace/stacks/context-tree", Fixture, NULL, set_up, test_context_tree, tear_down);
  g_test_add ("/trace/stacks/context-tree-folds", Fixture, NULL, set_up, test_context_tree_folds,
              tear_down);
  g_test_add ("/trace/stacks/nameless", Fixture, NULL, set_up, test_nameless_functions, tear_down);

  return g_test_run ();
}
