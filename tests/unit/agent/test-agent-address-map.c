/* test-agent-address-map.c: test of the agent's address map, of addresses of kernel variables, and
 * of frames that the recording itself adds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-frames.h"
#include "agent/base/tb-agent-btf.h"
#include "agent/core/tb-agent-address-map.h"

/* A path with spaces, a library loaded twice, memory without a name between files, and memory
 * files. The recorder does not treat those as files, so addresses in them belong to no module. */
static const char *const maps
    = "5566a0000000-5566a0001000 r--p 00000000 fd:01 1234                       /usr/bin/a "
      "program\n"
      "5566a0001000-5566a0003000 r-xp 00001000 fd:01 1234                       /usr/bin/a "
      "program\n"
      "5566a0004000-5566a0005000 rw-p 00003000 fd:01 1234                       /usr/bin/a "
      "program\n"
      "5566a0005000-5566a0006000 rw-p 00000000 00:00 0 \n"
      "5566a1000000-5566a1021000 rw-p 00000000 00:00 0                          [heap]\n"
      "7f0000000000-7f0000001000 rw-s 00002000 00:05 77                         /dev/shm/part\n"
      "7f1000000000-7f1000001000 r--p 00000000 fd:01 99                         /lib/x.so\n"
      "7f1000001000-7f1000002000 rw-p 00001000 fd:01 99                         /lib/x.so\n"
      "7f2000000000-7f2000001000 r--p 00000000 fd:01 99                         /lib/x.so\n"
      "7f2000001000-7f2000002000 rw-p 00001000 fd:01 99                         /lib/x.so\n"
      "7f2800000000-7f2800001000 r--p 00000000 fd:01 88                         /usr/bin/by-mold\n"
      "7f2800001000-7f2800002000 r-xp 00000000 fd:01 88                         /usr/bin/by-mold\n"
      "7f2800003000-7f2800004000 r--p 00001000 fd:01 88                         /usr/bin/by-mold\n"
      "7f2800004000-7f2800005000 rw-p 00001000 fd:01 88                         /usr/bin/by-mold\n"
      "7f2800005000-7f2800006000 r--p 00000000 fd:01 88                         /usr/bin/by-mold\n"
      "7f2800006000-7f2800007000 r-xp 00000000 fd:01 88                         /usr/bin/by-mold\n"
      "7f3000000000-7f3000800000 rw-p 00000000 00:00 0 \n"
      "7f4000000000-7f4000001000 rw-p 00001000 00:01 55                         /memfd:pool "
      "(deleted)\n"
      "7f5000000000-7f5000001000 rw-p 00000000 00:06 4                          /dev/zero\n"
      "7f6000000000-7f6000200000 rw-p 00000000 00:0f 1025                       /anon_hugepage "
      "(deleted)\n"
      "7f7000000000-7f7000001000 rw-p 00000000 00:01 7                          /SYSV00000000 "
      "(deleted)\n"
      "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]\n";

typedef struct
{
  guint64 address;
  guint64 offset;
  gboolean module;
  gboolean named;
} Case;

static void
test_address_map (void)
{
  static const Case cases[] = {
    { 0x5566a0004010, 0x4010, TRUE, FALSE }, /* .data */
    { 0x5566a0005020, 0x5020, TRUE, FALSE }, /* .bss after it */
    { 0x5566a1000100, 0x100, FALSE, TRUE },  /* heap */
    { 0x7f0000000040, 0x2040, FALSE, TRUE }, /* shared: the offset in the file */
    { 0x7f1000001008, 0x1008, TRUE, FALSE },
    { 0x7f2000001008, 0x1008, TRUE, FALSE }, /* the same library again */
    { 0x7f2800004ab0, 0x4ab0, TRUE, FALSE }, /* its code begins in the first page of the file */
    { 0x7f2800006010, 0x1010, TRUE, FALSE }, /* the same program again, right after it */
    { 0x7f3000000000, 0, FALSE, FALSE },     /* its first byte; no name */
    { 0x7f30007fffff, 0x7fffff, FALSE, FALSE },
    { 0x7f4000000008, 0x1008, FALSE,
      TRUE }, /* a memory file, mapped privately: its variables belong to no module */
    { 0x7f5000000010, 0x10, FALSE, TRUE },
    { 0x7f6000000020, 0x20, FALSE, TRUE },
    { 0x7f7000000030, 0x30, FALSE, TRUE },
    { 0x7ffc00000001, 1, FALSE, TRUE },
  };
  int null = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  TbAgentOutput *output = tb_agent_output_new (null, 1 << 20, 0);
  TbAgentModules modules;
  TbAgentLocation location;

  tb_agent_modules_init (&modules, output);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (tb_agent_address_map_find_in_text (maps, &modules, output, 1, cases[i].address,
                                                        &location));
      g_assert_cmphex (location.offset, ==, cases[i].offset);
      g_assert_cmpint (location.module != 0, ==, cases[i].module);
      g_assert_cmpint (location.object != 0, ==, cases[i].named);
    }
  /* Addresses between and beyond the mappings are not found. */
  g_assert_false (
      tb_agent_address_map_find_in_text (maps, &modules, output, 1, 0x5566a0003000, &location));
  g_assert_false (
      tb_agent_address_map_find_in_text (maps, &modules, output, 1, 0x7f3000800000, &location));
  g_assert_false (tb_agent_address_map_find_in_text (maps, &modules, output, 1, 1, &location));
  g_assert_false (tb_agent_address_map_find_in_text ("", &modules, output, 1, 1, &location));
  g_assert_false (tb_agent_address_map_find_in_text ("2-1 rw-p 0 0:0 0\nnonsense\n5-", &modules,
                                                     output, 1, 1, &location));
  tb_agent_modules_clear (&modules);
  tb_agent_output_close (output);
  close (null);
}

/* The map of a process is read and stored, and read again after a new mapping. */
static void
test_process (void)
{
  int null = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  TbAgentOutput *output = tb_agent_output_new (null, 1 << 20, 0);
  static guint32 variable;
  TbAgentAddressMap address_map = { 0 };
  TbAgentModules modules;
  TbAgentLocation first, second;
  gpointer memory;

  tb_agent_modules_init (&modules, output);
  g_assert_true (tb_agent_address_map_find (&address_map, &modules, output, getpid (),
                                            (gsize) &variable, &first));
  g_assert_cmpuint (first.module, !=, 0);
  g_assert_true (tb_agent_address_map_find (&address_map, &modules, output, getpid (),
                                            (gsize) &variable + 1, &second));
  g_assert_cmpuint (second.module, ==, first.module);
  g_assert_cmpuint (second.offset, ==, first.offset + 1);
  memory = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  tb_agent_address_map_forget (&address_map, getpid ());
  g_assert_true (tb_agent_address_map_find (&address_map, &modules, output, getpid (),
                                            (gsize) memory + 8, &first));
  g_assert_cmpuint (first.module, ==, 0);
  g_assert_cmpuint (first.offset, ==, 8);
  g_assert_false (tb_agent_address_map_find (&address_map, &modules, output, 0, 1, &first));
  munmap (memory, 4096);
  tb_agent_address_map_clear (&address_map);
  tb_agent_modules_clear (&modules);
  tb_agent_output_close (output);
  close (null);
}

static void
test_types (void)
{
  static const char *const names[] = { "runqueues", "__preempt_count" };
  static const char *const absent[] = { "runqueues", "nothing" };
  g_autofree char *path
      = g_test_build_filename (G_TEST_DIST, "fuzz", "corpus", "agent-files", "types", NULL);
  g_autofree char *types = NULL;
  guint32 address_map[2], member = 0;
  gsize size;

  g_assert_true (g_file_get_contents (path, &types, &size, NULL));
  g_assert_true (tb_agent_btf_find_cpu_variables ((guint8 *) types, size, names, address_map, 2));
  g_assert_cmpuint (address_map[0], ==, 4096);
  g_assert_cmpuint (address_map[1], ==, 64);
  g_assert_false (tb_agent_btf_find_cpu_variables ((guint8 *) types, size, absent, address_map, 2));
  g_assert_true (
      tb_agent_btf_find_member ((guint8 *) types, size, "pcpu_hot", "preempt_count", &member));
  g_assert_cmpuint (member, ==, 8);
  g_assert_false (tb_agent_btf_find_member ((guint8 *) types, size, "pcpu_hot", "other", &member));
  /* A truncated input is either rejected or has fewer variables. */
  for (gsize length = 0; length < size; length++)
    {
      g_autofree guint8 *part = g_memdup2 (types, length);

      g_assert_false (tb_agent_btf_find_cpu_variables (part, length, names, address_map, 2));
    }
}

static void
test_frames (void)
{
  static char text[] = "bpf_trace_run4\0__schedule\0__traceiter_sched_switch\0schedule\0last";
  static TbAgentSymbol list[]
      = { { 0x1000, 0 }, { 0x2000, 15 }, { 0x3000, 26 }, { 0x4000, 51 }, { 0x5000, 60 } };
  const TbAgentSymbols symbols = { text, list, G_N_ELEMENTS (list) };
  const guint64 whole[] = { 0x9000, 0x1010, 0x3010, 0x2010, 0x4010 };
  const guint64 none[] = { 0x2010, 0x4010 };
  TbAgentBpfFrames frames = { 0 };

  g_assert_cmpuint (tb_agent_bpf_frames_count_own (&frames, whole, 5), ==, 0);
  tb_agent_bpf_frames_load (&frames, &symbols);
  g_assert_cmpuint (frames.n_ranges, ==, 2);
  g_assert_cmpuint (tb_agent_bpf_frames_count_own (&frames, whole, 5), ==, 3);
  g_assert_cmpuint (tb_agent_bpf_frames_count_own (&frames, whole, 2), ==, 2);
  g_assert_cmpuint (tb_agent_bpf_frames_count_own (&frames, none, 2), ==, 0);
  g_assert_cmpuint (tb_agent_bpf_frames_count_own (&frames, none, 0), ==, 0);
  tb_agent_bpf_frames_clear (&frames);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-places/places", test_address_map);
  g_test_add_func ("/agent-places/process", test_process);
  g_test_add_func ("/agent-places/types", test_types);
  g_test_add_func ("/agent-places/frames", test_frames);
  return g_test_run ();
}
