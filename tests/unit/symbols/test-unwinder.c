/* test-unwinder.c: test of unwinding a dump of this program's own stack
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-unwinder.h"

#define DUMP_SIZE 16384
#define MAX_ADDRESSES 64
/* Kernel numbers of ax bx cx dx si di bp sp ip and r8…r15. */
#define X86_MASK 0xff01ffull

void dump_here (void);
void middle_function (int n);
void outer_most (int n);

static guint8 stack_bytes[DUMP_SIZE];
static gsize stack_size;
static guint64 registers[17];

/* Copies all of the stack, including the red zones between variables, which AddressSanitizer
 * forbids memcpy() to read. */
__attribute__ ((no_sanitize_address)) static void
copy_stack (const volatile guint8 *stack)
{
  for (gsize i = 0; i < stack_size; i++)
    stack_bytes[i] = stack[i];
}

__attribute__ ((noinline)) void
dump_here (void)
{
#ifdef __x86_64__
  static const int order[]
      = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
          REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
  ucontext_t context;
  pthread_attr_t attributes;
  void *lowest;
  gsize whole;

  pthread_getattr_np (pthread_self (), &attributes);
  pthread_attr_getstack (&attributes, &lowest, &whole);
  pthread_attr_destroy (&attributes);
  getcontext (&context);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    registers[i] = (guint64) context.uc_mcontext.gregs[order[i]];
  stack_size = MIN (DUMP_SIZE, (guint64) lowest + whole - registers[7]);
  copy_stack ((const volatile guint8 *) registers[7]);
#endif
}

__attribute__ ((noinline)) void
middle_function (int n)
{
  volatile char room[2000] G_GNUC_UNUSED;

  room[n] = 1;
  dump_here ();
  room[n + 1] = 2;
}

__attribute__ ((noinline)) void
outer_most (int n)
{
  volatile char room[100] G_GNUC_UNUSED;

  room[n] = 1;
  middle_function (n);
  room[n + 1] = 2;
}

static void
add_own_mappings (TbUnwinder *unwinder)
{
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      unsigned long start, end, offset;
      char access[8], path[4096] = "";
      g_autofree char *build_id = NULL;
      int fd;

      if (sscanf (lines[i], "%lx-%lx %7s %lx %*s %*s %4095s", &start, &end, access, &offset, path)
              < 5
          || access[2] != 'x' || path[0] != '/')
        continue;
      fd = open (path, O_RDONLY | O_CLOEXEC);
      build_id = tb_elf_read_build_id (fd);
      close (fd);
      tb_unwinder_add_mapping (unwinder, getpid (), start, end - start, offset, path, build_id,
                               NULL);
    }
}

static gboolean
lies_in (guint64 address, gconstpointer function)
{
  return address >= (guint64) function && address < (guint64) function + 512;
}

static void
check_stack (TbUnwinder *unwinder, gint32 pid)
{
  TbStackDump dump = { X86_MASK, registers, stack_bytes, stack_size, 0 };
  guint64 addresses[MAX_ADDRESSES];
  guint n = tb_unwinder_unwind (unwinder, pid, &dump, addresses, MAX_ADDRESSES, NULL);

  g_assert_cmpuint (n, >=, 4);
  g_assert_true (lies_in (addresses[0], (gconstpointer) dump_here));
  g_assert_true (lies_in (addresses[1], (gconstpointer) middle_function));
  g_assert_true (lies_in (addresses[2], (gconstpointer) outer_most));
}

static void
test_own_stack (void)
{
  g_autoptr (TbUnwinder) unwinder = tb_unwinder_new (TB_MACHINE_X86_64);

  add_own_mappings (unwinder);
  outer_most (0);
  check_stack (unwinder, getpid ());
  tb_unwinder_fork_process (unwinder, getpid (), 999999);
  check_stack (unwinder, 999999);
}

/* A known stack is not unwound again, unless it differs in relevant words. */
static void
test_repeated (void)
{
  g_autoptr (TbUnwinder) unwinder = tb_unwinder_new (TB_MACHINE_X86_64);
  TbStackDump dump = { X86_MASK, registers, stack_bytes, 0, 0 };
  guint64 first[MAX_ADDRESSES], again[MAX_ADDRESSES];
  TbUnwindStatistics statistics;
  gboolean complete, complete_again;
  guint64 word;
  guint n;

  add_own_mappings (unwinder);
  outer_most (0);
  dump.stack_size = stack_size;
  n = tb_unwinder_unwind (unwinder, getpid (), &dump, first, MAX_ADDRESSES, &complete);
  g_assert_cmpuint (n, >=, 4);
  g_assert_cmpuint (tb_unwinder_unwind (unwinder, getpid (), &dump, again, MAX_ADDRESSES,
                                        &complete_again),
                    ==, n);
  g_assert_cmpmem (first, n * sizeof *first, again, n * sizeof *again);
  g_assert_cmpint (complete, ==, complete_again);
  tb_unwinder_get_statistics (unwinder, &statistics);
  g_assert_cmpuint (statistics.n_dumps, ==, 2);
  g_assert_cmpuint (statistics.n_repeated, ==, 1);
  g_assert_cmpuint (statistics.n_bytes, ==, 2 * stack_size);
  g_assert_cmpuint (statistics.n_incomplete, ==, complete ? 0 : 2);

  /* The return address into outer_most() now points elsewhere. */
  for (gsize i = 0; i + 8 <= stack_size; i += 8)
    {
      memcpy (&word, stack_bytes + i, 8);
      if (word != first[2])
        continue;
      word = (guint64) outer_most;
      memcpy (stack_bytes + i, &word, 8);
    }
  n = tb_unwinder_unwind (unwinder, getpid (), &dump, again, MAX_ADDRESSES, NULL);
  g_assert_cmpuint (n, >=, 3);
  g_assert_cmpuint (again[2], ==, (guint64) outer_most);
  /* A new mapping invalidates earlier results. */
  add_own_mappings (unwinder);
  tb_unwinder_unwind (unwinder, getpid (), &dump, again, MAX_ADDRESSES, NULL);
  tb_unwinder_get_statistics (unwinder, &statistics);
  g_assert_cmpuint (statistics.n_dumps, ==, 4);
  g_assert_cmpuint (statistics.n_repeated, ==, 1);
}

static void
test_chain (void)
{
  g_autoptr (TbUnwinder) unwinder = tb_unwinder_new (TB_MACHINE_X86_64);
  TbStackDump dump = { X86_MASK, registers, stack_bytes, 0, 0 };
  guint64 chain[]
      = { TB_CHAIN_KERNEL, 0xffffffff81000000, 0xffffffff81000100, TB_CHAIN_USER, 0x1234 };
  guint64 joined[MAX_ADDRESSES];
  guint n;

  add_own_mappings (unwinder);
  outer_most (0);
  dump.stack_size = stack_size;
  n = tb_unwinder_unwind_chain (unwinder, getpid (), &dump, chain, G_N_ELEMENTS (chain), joined,
                                MAX_ADDRESSES);
  g_assert_cmpuint (n, >=, 8);
  g_assert_cmpmem (joined, 4 * sizeof *joined, chain, 4 * sizeof *chain);
  g_assert_true (lies_in (joined[4], (gconstpointer) dump_here));
  g_assert_true (lies_in (joined[6], (gconstpointer) outer_most));
  n = tb_unwinder_unwind_chain (unwinder, getpid (), &dump, NULL, 0, joined, MAX_ADDRESSES);
  g_assert_cmpuint (joined[0], ==, TB_CHAIN_USER);
  g_assert_true (lies_in (joined[1], (gconstpointer) dump_here));
  /* No room: the chain is unchanged. */
  g_assert_cmpuint (tb_unwinder_unwind_chain (unwinder, getpid (), &dump, chain, 5, joined, 3), ==,
                    0);
}

static void
test_cut_dump (void)
{
  g_autoptr (TbUnwinder) unwinder = tb_unwinder_new (TB_MACHINE_X86_64);
  TbStackDump dump = { X86_MASK, registers, stack_bytes, 0, 0 };
  guint64 addresses[MAX_ADDRESSES];
  guint last = 0;
  gboolean complete;

  add_own_mappings (unwinder);
  outer_most (0);
  /* A longer dump never gives fewer frames, and a dump that ends within the stack is not
   * complete. */
  for (dump.stack_size = 0; dump.stack_size < 6000; dump.stack_size += 256)
    {
      guint n
          = tb_unwinder_unwind (unwinder, getpid (), &dump, addresses, MAX_ADDRESSES, &complete);

      g_assert_cmpuint (n, >=, MAX (last, 1));
      if (dump.stack_size < 1024)
        g_assert_false (complete);
      last = n;
    }
  g_assert_cmpuint (last, >=, 4);
}

/* A missing word is either not needed or ends the unwinding: no caller is invented. */
static void
test_hole (void)
{
  g_autoptr (TbUnwinder) unwinder = tb_unwinder_new (TB_MACHINE_X86_64);
  TbStackDump dump = { X86_MASK, registers, stack_bytes, 0, 0 };
  guint64 whole[MAX_ADDRESSES], addresses[MAX_ADDRESSES], word;
  gsize caller = 0;
  gboolean complete, complete_whole;
  guint n;

  add_own_mappings (unwinder);
  outer_most (0);
  dump.stack_size = stack_size;
  n = tb_unwinder_unwind (unwinder, getpid (), &dump, whole, MAX_ADDRESSES, &complete_whole);
  g_assert_cmpuint (n, >=, 4);
  for (word = 0; word != whole[1]; caller += 8)
    {
      g_assert_cmpuint (caller, <, 4096);
      memcpy (&word, stack_bytes + caller, sizeof word);
    }
  /* Now after the return address; up to eight registers are saved before it. */
  g_assert_cmpuint (caller, >, 256);
  for (gsize skipped = 64; skipped <= caller - 9 * 8; skipped += 64)
    {
      dump.stack = stack_bytes + skipped;
      dump.stack_size = stack_size - skipped;
      dump.skipped = skipped;
      g_assert_cmpuint (tb_unwinder_unwind (unwinder, getpid (), &dump, addresses, MAX_ADDRESSES,
                                            &complete),
                        ==, n);
      g_assert_cmpmem (addresses, n * sizeof *addresses, whole, n * sizeof *whole);
      g_assert_cmpint (complete, ==, complete_whole);
    }
  dump.stack = stack_bytes + caller;
  dump.stack_size = stack_size - caller;
  for (dump.skipped = caller;; dump.skipped = G_MAXSIZE)
    {
      g_assert_cmpuint (tb_unwinder_unwind (unwinder, getpid (), &dump, addresses, MAX_ADDRESSES,
                                            &complete),
                        ==, 1);
      g_assert_cmpuint (addresses[0], ==, whole[0]);
      g_assert_false (complete);
      if (dump.skipped == G_MAXSIZE)
        break;
    }
}

/* Of the same length as the dump before, with other bytes of the same stack: its earlier result
 * must not be used. */
static void
test_other_hole (void)
{
  g_autoptr (TbUnwinder) unwinder = tb_unwinder_new (TB_MACHINE_X86_64);
  TbStackDump dump = { X86_MASK, registers, stack_bytes, 0, 0 };
  guint64 addresses[MAX_ADDRESSES];
  TbUnwindStatistics statistics;

  add_own_mappings (unwinder);
  outer_most (0);
  dump.stack_size = stack_size;
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (tb_unwinder_unwind (unwinder, getpid (), &dump, addresses, MAX_ADDRESSES,
                                          NULL),
                      >=, 4);
  dump.skipped = 65536;
  g_assert_cmpuint (tb_unwinder_unwind (unwinder, getpid (), &dump, addresses, MAX_ADDRESSES, NULL),
                    ==, 1);
  tb_unwinder_get_statistics (unwinder, &statistics);
  g_assert_cmpuint (statistics.n_repeated, ==, 1);
}

static void
test_nothing_known (void)
{
  g_autoptr (TbUnwinder) unwinder = tb_unwinder_new (TB_MACHINE_X86_64);
  TbStackDump dump = { 0, NULL, NULL, 0, 0 };
  guint64 addresses[MAX_ADDRESSES];

  g_assert_cmpuint (tb_unwinder_unwind (unwinder, 1, &dump, addresses, MAX_ADDRESSES, NULL), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#ifdef __x86_64__
  g_test_add_func ("/symbols/unwinder/own-stack", test_own_stack);
  g_test_add_func ("/symbols/unwinder/cut-dump", test_cut_dump);
  g_test_add_func ("/symbols/unwinder/repeated", test_repeated);
  g_test_add_func ("/symbols/unwinder/chain", test_chain);
  g_test_add_func ("/symbols/unwinder/hole", test_hole);
  g_test_add_func ("/symbols/unwinder/other-hole", test_other_hole);
#endif
  g_test_add_func ("/symbols/unwinder/nothing-known", test_nothing_known);
  return g_test_run ();
}
