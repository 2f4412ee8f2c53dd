/* test-recorder-stacks.c: test of callchains and address spaces in the recorder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "recorder-fixture.h"
#include "session/schema/tb-module-file.h"

/* A frame of the plain reference. */
typedef struct
{
  const char *path; /* NULL: no module */
  TbModuleKind kind;
  guint64 offset;
  guint8 flags;
} Frame;

static void
assert_stack (RecorderFixture *fixture, guint32 stack, const Frame *frames, guint n_frames)
{
  const guint32 *parents = recorder_fixture_get (fixture, TB_TABLE_STACK, TB_STACK_PARENT, NULL);
  const guint32 *nodes = recorder_fixture_get (fixture, TB_TABLE_STACK, TB_STACK_FRAME, NULL);
  const guint8 *flags = recorder_fixture_get (fixture, TB_TABLE_STACK, TB_STACK_FLAGS, NULL);
  const guint32 *modules = recorder_fixture_get (fixture, TB_TABLE_FRAME, TB_FRAME_MODULE, NULL);
  const guint64 *offsets = recorder_fixture_get (fixture, TB_TABLE_FRAME, TB_FRAME_OFFSET, NULL);
  guint n_modules;
  const TbModule *known = tb_session_get_modules (fixture->session, &n_modules);

  /* frames are innermost first, as in a walk of the tree */
  for (guint i = 0; i < n_frames; i++, stack = parents[stack])
    {
      guint32 frame;

      g_assert_cmpuint (stack, !=, TB_STACK_NONE);
      frame = nodes[stack];
      g_assert_cmpuint (offsets[frame], ==, frames[i].offset);
      g_assert_cmpuint (flags[stack], ==, frames[i].flags);
      if (frames[i].path == NULL)
        {
          g_assert_cmpuint (modules[frame], ==, TB_ID_NONE);
          continue;
        }
      g_assert_cmpuint (modules[frame], <, n_modules);
      g_assert_cmpstr (known[modules[frame]].path, ==, frames[i].path);
      g_assert_cmpuint (known[modules[frame]].kind, ==, frames[i].kind);
    }
  g_assert_cmpuint (stack, ==, TB_STACK_NONE);
}

static void
sample (RecorderFixture *fixture, gint64 time, gint32 pid, const guint64 *chain, guint n_chain)
{
  TbEvent event = { .time = time,
                    .kind = TB_EVENT_SAMPLE,
                    .tid = pid,
                    .pid = pid,
                    .a = 1,
                    .chain = chain,
                    .n_chain = n_chain };

  tb_recorder_add (fixture->recorder, &event);
}

static void
map (RecorderFixture *fixture,
     gint64 time,
     gint32 pid,
     guint64 start,
     guint64 length,
     guint64 offset,
     guint32 module)
{
  TbEvent event = { .time = time, .kind = TB_EVENT_MAPPING, .tid = pid, .pid = pid };

  event.a = start;
  event.b = length;
  event.c = offset;
  event.module = module;
  tb_recorder_add (fixture->recorder, &event);
}

static void
test_parts (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 program = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE,
                                               "/bin/program (deleted)", "12ab", 7);
  guint32 jit = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "//anon", NULL, 7);
  guint64 whole[] = { TB_CHAIN_KERNEL, 0xffffffff81000010, 0xffffffff81000020,
                      TB_CHAIN_USER,   0x401000,           0x402000,
                      0x403000 };
  guint64 bare[] = { 0xffffffff81000010, 0x401000, 0x700010 };
  guint64 single[] = { TB_CHAIN_USER, 0x401000 };
  guint64 broken_chain[] = { TB_CHAIN_USER, 0x401000, 0x402000, 0x12345678 };
  guint64 kernel_only[] = { TB_CHAIN_KERNEL, 0xffffffff81000010 };
  guint64 vsyscall[] = { TB_CHAIN_USER, 0xffffffffff600400, 0x402000 };
  static const Frame expected_whole[] = {
    { "[kernel]", TB_MODULE_KERNEL, 0xffffffff81000010, TB_STACK_KERNEL },
    { "[kernel]", TB_MODULE_KERNEL, 0xffffffff8100001f, TB_STACK_KERNEL },
    { "/bin/program", TB_MODULE_FILE, 0x1000 + 0x5000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x1fff + 0x5000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x2fff + 0x5000, 0 },
  };
  static const Frame expected_bare[] = {
    { "[kernel]", TB_MODULE_KERNEL, 0xffffffff81000010, TB_STACK_KERNEL },
    { "/bin/program", TB_MODULE_FILE, 0xfff + 0x5000, 0 },
    { "[anonymous]", TB_MODULE_JIT, 0x70000f, 0 },
  };
  static const Frame expected_single[]
      = { { "/bin/program", TB_MODULE_FILE, 0x6000, TB_STACK_BROKEN } };
  static const Frame expected_broken_chain[] = {
    { "/bin/program", TB_MODULE_FILE, 0x6000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x6fff, TB_STACK_BROKEN },
  };
  static const Frame expected_kernel[]
      = { { "[kernel]", TB_MODULE_KERNEL, 0xffffffff81000010, TB_STACK_KERNEL } };
  static const Frame expected_vsyscall[] = {
    { "[vsyscall]", TB_MODULE_FILE, 0x400, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x6fff, 0 },
  };

  map (fixture, 1, 7, 0x400000, 0x10000, 0x5000, program);
  map (fixture, 1, 7, 0x700000, 0x1000, 0, jit);
  sample (fixture, 2, 7, whole, G_N_ELEMENTS (whole));
  sample (fixture, 3, 7, bare, G_N_ELEMENTS (bare));
  sample (fixture, 4, 7, single, G_N_ELEMENTS (single));
  sample (fixture, 5, 7, broken_chain, G_N_ELEMENTS (broken_chain));
  sample (fixture, 6, 7, kernel_only, G_N_ELEMENTS (kernel_only));
  sample (fixture, 7, 7, vsyscall, G_N_ELEMENTS (vsyscall));
  sample (fixture, 8, 7, whole, G_N_ELEMENTS (whole));
  recorder_fixture_finish (fixture);
  assert_stack (fixture, U32 (SAMPLE, STACK, 0), expected_whole, G_N_ELEMENTS (expected_whole));
  assert_stack (fixture, U32 (SAMPLE, STACK, 1), expected_bare, G_N_ELEMENTS (expected_bare));
  assert_stack (fixture, U32 (SAMPLE, STACK, 2), expected_single, G_N_ELEMENTS (expected_single));
  assert_stack (fixture, U32 (SAMPLE, STACK, 3), expected_broken_chain,
                G_N_ELEMENTS (expected_broken_chain));
  assert_stack (fixture, U32 (SAMPLE, STACK, 4), expected_kernel, G_N_ELEMENTS (expected_kernel));
  assert_stack (fixture, U32 (SAMPLE, STACK, 5), expected_vsyscall,
                G_N_ELEMENTS (expected_vsyscall));
  g_assert_cmpuint (U32 (SAMPLE, STACK, 6), ==, U32 (SAMPLE, STACK, 0));
}

/* A word that was mistaken for a caller may look like an address of the kernel. What was found
 * before it still belongs to the program. */
static void
test_kernel_like_caller (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 program
      = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/program", NULL, 7);
  guint64 chain[] = { TB_CHAIN_USER, 0x401000, 0x402000, 0x894938ec83485354 };
  static const Frame expected[] = {
    { "/bin/program", TB_MODULE_FILE, 0x1000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x1fff, TB_STACK_BROKEN },
  };

  map (fixture, 1, 7, 0x400000, 0x10000, 0, program);
  sample (fixture, 2, 7, chain, G_N_ELEMENTS (chain));
  recorder_fixture_finish (fixture);
  assert_stack (fixture, U32 (SAMPLE, STACK, 0), expected, G_N_ELEMENTS (expected));
}

/* A stack ends before a caller that is not mapped, whatever follows. An interrupted function that
 * is not mapped remains. */
static void
test_unmapped_caller (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 program
      = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/program", NULL, 7);
  guint64 chain[] = { TB_CHAIN_USER, 0x401000, 0x402000, 0x7ffdbeec2950, 0x403000, 0x404000 };
  guint64 other[] = { TB_CHAIN_USER, 0x401000, 0x402000, 0x2a5040d0 };
  guint64 unknown[] = { TB_CHAIN_USER, 0x7ffdbeec294f, 0x402000, 0x403000 };
  guint64 first[] = { TB_CHAIN_KERNEL, 0xffffffff81000010, TB_CHAIN_USER, 0x401000, 0x301000000 };
  static const Frame expected[] = {
    { "/bin/program", TB_MODULE_FILE, 0x1000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x1fff, TB_STACK_BROKEN },
  };
  static const Frame expected_unknown[] = {
    { NULL, 0, 0x7ffdbeec294f, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x1fff, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x2fff, 0 },
  };
  static const Frame expected_first[] = {
    { "[kernel]", TB_MODULE_KERNEL, 0xffffffff81000010, TB_STACK_KERNEL },
    { "/bin/program", TB_MODULE_FILE, 0x1000, TB_STACK_BROKEN },
  };
  static const Frame expected_mapped[] = {
    { "/bin/program", TB_MODULE_FILE, 0x1000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x1fff, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x40cf, 0 },
  };

  map (fixture, 1, 7, 0x400000, 0x10000, 0, program);
  sample (fixture, 2, 7, chain, G_N_ELEMENTS (chain));
  sample (fixture, 3, 7, other, G_N_ELEMENTS (other));
  sample (fixture, 4, 7, unknown, G_N_ELEMENTS (unknown));
  sample (fixture, 5, 7, chain, G_N_ELEMENTS (chain));
  sample (fixture, 6, 7, first, G_N_ELEMENTS (first));
  map (fixture, 7, 7, 0x2a504000, 0x1000, 0x4000, program);
  sample (fixture, 8, 7, other, G_N_ELEMENTS (other));
  recorder_fixture_finish (fixture);
  assert_stack (fixture, U32 (SAMPLE, STACK, 0), expected, G_N_ELEMENTS (expected));
  g_assert_cmpuint (U32 (SAMPLE, STACK, 1), ==, U32 (SAMPLE, STACK, 0));
  assert_stack (fixture, U32 (SAMPLE, STACK, 2), expected_unknown, G_N_ELEMENTS (expected_unknown));
  g_assert_cmpuint (U32 (SAMPLE, STACK, 3), ==, U32 (SAMPLE, STACK, 0));
  assert_stack (fixture, U32 (SAMPLE, STACK, 4), expected_first, G_N_ELEMENTS (expected_first));
  assert_stack (fixture, U32 (SAMPLE, STACK, 5), expected_mapped, G_N_ELEMENTS (expected_mapped));
}

/* A stack that was cut is another one than a whole stack of the same frames. The number after the
 * marker of a separate user part is no address, nor is any marker. */
static void
test_markers (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 program
      = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/program", NULL, 7);
  guint64 whole[] = { TB_CHAIN_USER, 0x401000, 0x402000 };
  guint64 cut[] = { TB_CHAIN_USER, 0x401000, 0x402000, TB_CHAIN_CUT };
  guint64 deferred[] = { TB_CHAIN_KERNEL, 0xffffffff81000010, TB_CHAIN_USER_DEFERRED, 0x7000 };
  guint64 markers[] = { (guint64) -32,   TB_CHAIN_KERNEL, (guint64) -2048, (guint64) -2176,
                        (guint64) -2560, TB_CHAIN_USER,   TB_CHAIN_CUT };
  static const Frame expected_whole[] = {
    { "/bin/program", TB_MODULE_FILE, 0x1000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x1fff, 0 },
  };
  static const Frame expected_cut[] = {
    { "/bin/program", TB_MODULE_FILE, 0x1000, 0 },
    { "/bin/program", TB_MODULE_FILE, 0x1fff, TB_STACK_BROKEN | TB_STACK_CUT },
  };
  static const Frame expected_kernel[]
      = { { "[kernel]", TB_MODULE_KERNEL, 0xffffffff81000010, TB_STACK_KERNEL } };

  map (fixture, 1, 7, 0x400000, 0x10000, 0, program);
  sample (fixture, 2, 7, whole, G_N_ELEMENTS (whole));
  sample (fixture, 3, 7, cut, G_N_ELEMENTS (cut));
  sample (fixture, 4, 7, deferred, G_N_ELEMENTS (deferred));
  sample (fixture, 5, 7, markers, G_N_ELEMENTS (markers));
  sample (fixture, 6, 7, cut, G_N_ELEMENTS (cut));
  recorder_fixture_finish (fixture);
  assert_stack (fixture, U32 (SAMPLE, STACK, 0), expected_whole, G_N_ELEMENTS (expected_whole));
  assert_stack (fixture, U32 (SAMPLE, STACK, 1), expected_cut, G_N_ELEMENTS (expected_cut));
  assert_stack (fixture, U32 (SAMPLE, STACK, 2), expected_kernel, G_N_ELEMENTS (expected_kernel));
  g_assert_cmpuint (U32 (SAMPLE, STACK, 3), ==, TB_STACK_NONE);
  g_assert_cmpuint (U32 (SAMPLE, STACK, 4), ==, U32 (SAMPLE, STACK, 1));
}

/* Samples of counters keep their names, kinds and weights. */
static void
test_counters (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint64 chain[] = { TB_CHAIN_KERNEL, 0xffffffff81000010 };
  TbEvent event = { .time = 5,
                    .kind = TB_EVENT_COUNTER,
                    .code = TB_COUNTER_WAIT_SUM,
                    .tid = 7,
                    .pid = 7,
                    .a = 1234,
                    .chain = chain,
                    .n_chain = G_N_ELEMENTS (chain) };
  const guint8 *kinds;

  event.text = tb_recorder_intern_string (fixture->recorder, "offcpu-time", -1);
  tb_recorder_add (fixture->recorder, &event);
  event.code = 99;
  event.text = 12345;
  tb_recorder_add (fixture->recorder, &event);
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (recorder_fixture_get_n_rows (fixture, TB_TABLE_COUNTER), ==, 2);
  g_assert_cmpuint (recorder_fixture_get_n_rows (fixture, TB_TABLE_SAMPLE), ==, 0);
  kinds = recorder_fixture_get (fixture, TB_TABLE_COUNTER, TB_COUNTER_KIND, NULL);
  g_assert_cmpuint (kinds[0], ==, TB_COUNTER_WAIT_SUM);
  g_assert_cmpuint (kinds[1], ==, TB_COUNTER_EVENTS);
  g_assert_cmpint (I64 (COUNTER, WEIGHT, 0), ==, 1234);
  g_assert_cmpuint (U32 (COUNTER, NAME, 0), !=, TB_STRING_NONE);
  g_assert_cmpuint (U32 (COUNTER, NAME, 1), ==, TB_STRING_NONE);
  g_assert_cmpuint (U32 (COUNTER, STACK, 0), !=, TB_STACK_NONE);
}

static void
exec (RecorderFixture *fixture, gint64 time, gint32 pid, const char *program)
{
  TbEvent event = {
    .time = time,
    .kind = TB_EVENT_EXEC,
    .tid = pid,
    .pid = pid,
    .text = tb_recorder_intern_string (fixture->recorder, program, -1),
  };

  tb_recorder_add (fixture->recorder, &event);
}

/* The kernel reports an exec after the mappings of the new program, other sources before. */
static void
test_exec (void)
{
  static const guint64 old_chain[] = { 0x401000, 0x402000 };
  static const guint64 new_chain[] = { 0x901000, 0x902000 };
  static const Frame unmapped[] = { { NULL, 0, 0x401000, 0 }, { NULL, 0, 0x401fff, 0 } };
  static const Frame broken[] = { { NULL, 0, 0x401000, TB_STACK_BROKEN } };
  static const Frame known[]
      = { { "/bin/new", TB_MODULE_FILE, 0x1000, 0 }, { "/bin/new", TB_MODULE_FILE, 0x1fff, 0 } };
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 old_module
      = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/old", NULL, -1);
  guint32 new_module
      = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/new", NULL, -1);
  TbEvent name = { .time = 20,
                   .kind = TB_EVENT_NAME,
                   .tid = 7,
                   .pid = 7,
                   .text = tb_recorder_intern_string (fixture->recorder, "new", -1) };

  /* name, mappings, exec */
  map (fixture, 1, 7, 0x400000, 0x10000, 0, old_module);
  tb_recorder_add (fixture->recorder, &name);
  map (fixture, 21, 7, 0x900000, 0x10000, 0, new_module);
  exec (fixture, 22, 7, "/bin/new");
  sample (fixture, 23, 7, old_chain, 2);
  sample (fixture, 24, 7, new_chain, 2);
  /* exec, mappings */
  map (fixture, 1, 8, 0x400000, 0x10000, 0, old_module);
  exec (fixture, 30, 8, "/bin/new");
  sample (fixture, 31, 8, old_chain, 2);
  map (fixture, 32, 8, 0x900000, 0x10000, 0, new_module);
  sample (fixture, 33, 8, new_chain, 2);
  /* exec by name, mappings, exec by path */
  map (fixture, 1, 9, 0x400000, 0x10000, 0, old_module);
  exec (fixture, 40, 9, "new");
  map (fixture, 41, 9, 0x900000, 0x10000, 0, new_module);
  exec (fixture, 42, 9, "/bin/new");
  sample (fixture, 43, 9, old_chain, 2);
  sample (fixture, 44, 9, new_chain, 2);
  recorder_fixture_finish (fixture);
  assert_stack (fixture, U32 (SAMPLE, STACK, 0), broken, 1);
  assert_stack (fixture, U32 (SAMPLE, STACK, 1), known, 2);
  assert_stack (fixture, U32 (SAMPLE, STACK, 2), unmapped, 2);
  assert_stack (fixture, U32 (SAMPLE, STACK, 3), known, 2);
  assert_stack (fixture, U32 (SAMPLE, STACK, 4), broken, 1);
  assert_stack (fixture, U32 (SAMPLE, STACK, 5), known, 2);
  g_assert_cmpuint (recorder_fixture_get_n_rows (fixture, TB_TABLE_PROCESS), ==, 4);
}

/* Anonymous memory is one module for each process, also if the PID is reused. */
static void
test_jit (void)
{
  static const guint64 chain[] = { 0x701000, 0x702000 };
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint n_modules;
  const TbModule *modules;
  guint32 first, second;
  TbEvent fork = { .time = 10, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 7, .b = 7 };
  TbEvent exit = { .time = 15, .kind = TB_EVENT_EXIT, .tid = 7, .pid = 7 };

  tb_recorder_add (fixture->recorder, &fork);
  map (fixture, 11, 7, 0x700000, 0x10000, 0,
       tb_recorder_intern_module (fixture->recorder, TB_MODULE_JIT, "//anon", NULL, 7));
  sample (fixture, 12, 7, chain, 2);
  tb_recorder_add (fixture->recorder, &exit);
  fork.time = 20;
  tb_recorder_add (fixture->recorder, &fork);
  map (fixture, 21, 7, 0x700000, 0x10000, 0,
       tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/memfd:jit (deleted)", NULL,
                                  7));
  sample (fixture, 22, 7, chain, 2);
  recorder_fixture_finish (fixture);
  modules = tb_session_get_modules (fixture->session, &n_modules);
  first = U32 (FRAME, MODULE, U32 (STACK, FRAME, U32 (SAMPLE, STACK, 0)));
  second = U32 (FRAME, MODULE, U32 (STACK, FRAME, U32 (SAMPLE, STACK, 1)));
  g_assert_cmpuint (first, !=, second);
  g_assert_cmpuint (modules[first].kind, ==, TB_MODULE_JIT);
  g_assert_cmpuint (modules[first].process, ==,
                    recorder_fixture_get_thread (fixture, U32 (SAMPLE, THREAD, 0))->process);
  g_assert_cmpuint (modules[second].process, ==,
                    recorder_fixture_get_thread (fixture, U32 (SAMPLE, THREAD, 1))->process);
}

static void
test_named (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 frames[] = {
    tb_recorder_intern_named_frame (fixture->recorder, "main", "program", FALSE),
    tb_recorder_intern_named_frame (fixture->recorder, "read", "libc.so.6", FALSE),
    tb_recorder_intern_named_frame (fixture->recorder, "vfs_read", NULL, TRUE),
  };
  guint8 flags[] = { 0, 0, TB_STACK_KERNEL };
  guint32 stack = tb_recorder_intern_stack (fixture->recorder, frames, flags, 3);
  TbEvent event = { .time = 1, .kind = TB_EVENT_SAMPLE, .tid = 7, .stack = stack };
  Frame expected[] = {
    { "[kernel]", TB_MODULE_NAMED, tb_recorder_intern_string (fixture->recorder, "vfs_read", -1),
      TB_STACK_KERNEL },
    { "libc.so.6", TB_MODULE_NAMED, tb_recorder_intern_string (fixture->recorder, "read", -1), 0 },
    { "program", TB_MODULE_NAMED, tb_recorder_intern_string (fixture->recorder, "main", -1), 0 },
  };

  g_assert_cmpuint (tb_recorder_intern_stack (fixture->recorder, frames, flags, 3), ==, stack);
  tb_recorder_add (fixture->recorder, &event);
  recorder_fixture_finish (fixture);
  assert_stack (fixture, U32 (SAMPLE, STACK, 0), expected, 3);
}

/* The plain reference: all mappings of a process ever made; the latest one that covers an address
 * counts. */
#define N_PROCESSES 6
#define N_SAMPLES 6000
#define MAX_CHAIN 12

typedef struct
{
  guint64 start, end, offset;
  const char *path;
} NaiveMapping;

static const char *const paths[] = { "/bin/a", "/lib/b", "/lib/c", "//anon" };

/* A caller at an address that cannot be code ends the stack. */
static guint
naive_frames (GArray *mappings, const guint64 *chain, guint n_chain, Frame *frames)
{
  gboolean exact = TRUE, caller;
  guint n = 0, n_user = 0;

  for (guint i = 0; i < n_chain; i++)
    {
      guint64 address = chain[i];

      if (address >= TB_CHAIN_MARKER_MIN)
        {
          exact = TRUE;
          continue;
        }
      caller = !exact;
      address -= caller;
      exact = FALSE;
      if (address >> 63)
        {
          frames[n++] = (Frame) { "[kernel]", TB_MODULE_KERNEL, address, TB_STACK_KERNEL };
          continue;
        }
      n_user++;
      frames[n++] = (Frame) { NULL, 0, address, 0 };
      for (guint m = mappings->len; m-- > 0;)
        {
          const NaiveMapping *mapping = &g_array_index (mappings, NaiveMapping, m);

          if (address < mapping->start || address >= mapping->end)
            continue;
          if (mapping->path == paths[3])
            frames[n - 1] = (Frame) { "[anonymous]", TB_MODULE_JIT, address, 0 };
          else
            frames[n - 1] = (Frame) { mapping->path, TB_MODULE_FILE,
                                      mapping->offset + address - mapping->start, 0 };
          break;
        }
      if (caller && address < 0x10000 && frames[n - 1].path == NULL)
        {
          frames[n - 2].flags |= TB_STACK_BROKEN;
          return n - 1;
        }
    }
  if (mappings->len > 0 && (n_user == 1 || (n_user > 1 && frames[n - 1].path == NULL)))
    frames[n - 1].flags |= TB_STACK_BROKEN;
  return n;
}

static guint
random_chain (guint64 *chain)
{
  guint n_kernel = g_test_rand_int_range (0, 3);
  guint n_user = g_test_rand_int_range (0, 6);
  guint n = 0;

  if (n_kernel > 0)
    chain[n++] = TB_CHAIN_KERNEL;
  for (guint i = 0; i < n_kernel; i++)
    chain[n++] = 0xffffffff81000000 + g_test_rand_int_range (1, 4);
  if (n_user > 0)
    chain[n++] = TB_CHAIN_USER;
  for (guint i = 0; i < n_user; i++)
    chain[n++] = 0x1000 + g_test_rand_int_range (0, 8) * 0x800;
  return n;
}

static void
test_random (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  g_autofree guint64 *chains = g_new (guint64, N_SAMPLES * MAX_CHAIN);
  g_autofree Frame *expected = g_new (Frame, N_SAMPLES * MAX_CHAIN);
  g_autofree guint *n_expected = g_new0 (guint, N_SAMPLES);
  GArray *spaces[N_PROCESSES];
  guint n_samples = 0;
  gint64 time = 10;

  for (guint i = 0; i < N_PROCESSES; i++)
    spaces[i] = g_array_new (FALSE, FALSE, sizeof (NaiveMapping));
  while (n_samples < N_SAMPLES)
    {
      guint process = g_test_rand_int_range (0, N_PROCESSES);
      gint32 pid = 100 + process;
      guint what = g_test_rand_int_range (0, 100);

      time += 1 + g_test_rand_int_range (0, 3);
      if (what < 3)
        {
          const char *path = paths[g_test_rand_int_range (0, G_N_ELEMENTS (paths))];
          NaiveMapping mapping
              = { .start = 0x1000 + g_test_rand_int_range (0, 12) * 0x400, .path = path };

          mapping.end = mapping.start + g_test_rand_int_range (1, 8) * 0x400;
          mapping.offset = g_test_rand_int_range (0, 4) * 0x1000;
          g_array_append_val (spaces[process], mapping);
          map (fixture, time, pid, mapping.start, mapping.end - mapping.start, mapping.offset,
               tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, path, NULL, pid));
        }
      else if (what == 3)
        {
          guint child = g_test_rand_int_range (0, N_PROCESSES);
          TbEvent event = { .time = time,
                            .kind = TB_EVENT_FORK,
                            .tid = pid,
                            .pid = pid,
                            .a = 100 + child,
                            .b = 100 + child };
          TbEvent exit
              = { .time = time, .kind = TB_EVENT_EXIT, .tid = 100 + child, .pid = 100 + child };

          if (child == process)
            continue;
          tb_recorder_add (fixture->recorder, &exit);
          tb_recorder_add (fixture->recorder, &event);
          g_array_set_size (spaces[child], 0);
          g_array_append_vals (spaces[child], spaces[process]->data, spaces[process]->len);
        }
      else if (what == 4)
        {
          exec (fixture, time, pid, "/bin/x");
          g_array_set_size (spaces[process], 0);
        }
      else
        {
          guint64 *chain = &chains[n_samples * MAX_CHAIN];
          guint n_chain = random_chain (chain);

          sample (fixture, time, pid, chain, n_chain);
          n_expected[n_samples]
              = naive_frames (spaces[process], chain, n_chain, &expected[n_samples * MAX_CHAIN]);
          n_samples++;
        }
    }
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (recorder_fixture_get_n_rows (fixture, TB_TABLE_SAMPLE), ==, N_SAMPLES);
  for (guint i = 0; i < N_SAMPLES; i++)
    assert_stack (fixture, U32 (SAMPLE, STACK, i), &expected[i * MAX_CHAIN], n_expected[i]);
  for (guint i = 0; i < N_PROCESSES; i++)
    g_array_unref (spaces[i]);
}

/* Equal paths have equal IDs, unequal paths different ones: the tree has as many nodes as there are
 * distinct paths. */
static void
test_tree (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  g_autoptr (GHashTable) paths_seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint32 frames[5];

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", i);

      frames[i] = tb_recorder_intern_named_frame (fixture->recorder, name, "m", FALSE);
    }
  for (guint i = 0; i < 5000; i++)
    {
      g_autoptr (GString) key = g_string_new (NULL);
      guint32 path[6];
      guint n = g_test_rand_int_range (0, 7);
      guint32 stack;

      for (guint k = 0; k < n; k++)
        path[k] = frames[g_test_rand_int_range (0, G_N_ELEMENTS (frames))];
      for (guint k = 0; k < n; k++)
        {
          gpointer known;

          g_string_append_printf (key, "/%u", path[k]);
          stack = tb_recorder_intern_stack (fixture->recorder, path, NULL, k + 1);
          if (g_hash_table_lookup_extended (paths_seen, key->str, NULL, &known))
            g_assert_cmpuint (stack, ==, GPOINTER_TO_UINT (known));
          else
            g_hash_table_insert (paths_seen, g_strdup (key->str), GUINT_TO_POINTER (stack));
        }
    }
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (recorder_fixture_get_n_rows (fixture, TB_TABLE_STACK), ==,
                    g_hash_table_size (paths_seen) + 1);
}

static void
assert_file (TbSession *session, guint32 module, guint64 inode, guint32 protection)
{
  const TbModuleFile *file = tb_session_get_module_file (session, module);

  g_assert_nonnull (file);
  g_assert_cmpuint (file->major, ==, 8);
  g_assert_cmpuint (file->minor, ==, 1);
  g_assert_cmpuint (file->inode, ==, inode);
  g_assert_cmpuint (file->protection, ==, protection);
}

/* Two files of one path are two modules, unless they have a build ID. */
static void
test_files (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  TbModuleFile one = { 8, 1, G_MAXUINT64, 5 }, other = { 8, 1, 12, 5 };
  TbModuleFile writable = { 8, 1, 12, 7 }, unknown = { 8, 1, 13, 0 };
  guint32 first = tb_recorder_intern_file (fixture->recorder, "/bin/x", NULL, &one, 7);
  guint32 second = tb_recorder_intern_file (fixture->recorder, "/bin/x (deleted)", "", &other, 8);
  guint32 third = tb_recorder_intern_file (fixture->recorder, "/bin/x", "12ab", &other, 8);
  guint32 fourth = tb_recorder_intern_file (fixture->recorder, "/bin/y", NULL, &unknown, 8);
  guint32 plain = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/z", NULL, 7);
  guint32 jit = tb_recorder_intern_file (fixture->recorder, "//anon", NULL, &one, 7);

  g_assert_cmpuint (first, !=, second);
  g_assert_cmpuint (tb_recorder_intern_file (fixture->recorder, "/bin/x", NULL, &writable, 9), ==,
                    second);
  g_assert_cmpuint (tb_recorder_intern_file (fixture->recorder, "/bin/x", "12ab", &one, 9), ==,
                    third);
  unknown.protection = 5;
  g_assert_cmpuint (tb_recorder_intern_file (fixture->recorder, "/bin/y", NULL, &unknown, 9), ==,
                    fourth);
  recorder_fixture_finish (fixture);
  assert_file (fixture->session, first, G_MAXUINT64, 5);
  assert_file (fixture->session, second, 12, 7);
  assert_file (fixture->session, third, 12, 5);
  assert_file (fixture->session, fourth, 13, 0);
  g_assert_null (tb_session_get_module_file (fixture->session, plain));
  g_assert_null (tb_session_get_module_file (fixture->session, jit));
  g_assert_null (tb_session_get_module_file (fixture->session, TB_ID_NONE));
}

static void
test_damaged_files (void)
{
  static const char *const damaged[] = { "0\t1\t1\t1\t5",
                                         "0\t1\t1\t1\n",
                                         "1\t1\t1\t1\t5\n",
                                         "0\t1\t1\t1\t5\n0\t1\t1\t1\t5\n",
                                         "0\t-1\t1\t1\t5\n",
                                         "0\t4294967296\t1\t1\t5\n",
                                         "x" };

  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
      g_autoptr (TbSession) again = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GFile) file = NULL;

      tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/z", NULL, 7);
      recorder_fixture_finish (fixture);
      file = g_object_ref (tb_session_get_file (fixture->session));
      g_assert_true (tb_session_set_fact (fixture->session, "module-files", damaged[i], NULL));
      again = tb_session_open (file, NULL, &error);
      g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED);
      g_assert_null (again);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/stacks/parts", test_parts);
  g_test_add_func ("/recorder/stacks/kernel-like-caller", test_kernel_like_caller);
  g_test_add_func ("/recorder/stacks/unmapped-caller", test_unmapped_caller);
  g_test_add_func ("/recorder/stacks/markers", test_markers);
  g_test_add_func ("/recorder/stacks/counters", test_counters);
  g_test_add_func ("/recorder/stacks/exec", test_exec);
  g_test_add_func ("/recorder/stacks/jit", test_jit);
  g_test_add_func ("/recorder/stacks/files", test_files);
  g_test_add_func ("/recorder/stacks/damaged-files", test_damaged_files);
  g_test_add_func ("/recorder/stacks/named", test_named);
  g_test_add_func ("/recorder/stacks/tree", test_tree);
  g_test_add_func ("/recorder/stacks/random", test_random);
  return g_test_run ();
}
