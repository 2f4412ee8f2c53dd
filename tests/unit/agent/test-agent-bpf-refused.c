/* test-agent-bpf-refused.c: test that the verifier's real reason for rejecting a program is
 * reported in one line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <glib.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/bpf/tb-agent-skeletons.h"
#include "capture/tb-capture-format.h"

typedef struct
{
  struct bpf_loader_ctx context;
  struct bpf_map_desc map;
  TbBpfConfig config;
  int programs[1];
  int links[1];
} Skeleton;

static Skeleton skeleton;
static int n_loads, last_error;

static int
open_object (TbAgentBpfObject *view)
{
  memset (&skeleton, 0, sizeof skeleton);
  view->skeleton = &skeleton;
  view->context = &skeleton.context;
  view->config = &skeleton.config;
  view->rings = view->cpus = view->targets = view->tables = &skeleton.map;
  view->programs = skeleton.programs;
  view->n_programs = 1;
  view->links = skeleton.links;
  view->n_links = 1;
  return 0;
}

/* Loads a program that reads through a register without a valid pointer. */
static int
load_object (void *data)
{
  static const struct bpf_insn program[] = {
    { .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_0, .src_reg = BPF_REG_3, .off = 8 },
    { .code = BPF_JMP | BPF_EXIT },
  };
  Skeleton *self = data;
  union bpf_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.prog_type = BPF_PROG_TYPE_TRACEPOINT;
  attr.insns = (uint64_t) (uintptr_t) program;
  attr.insn_cnt = G_N_ELEMENTS (program);
  attr.license = (uint64_t) (uintptr_t) "GPL";
  attr.log_level = self->context.log_level;
  attr.log_size = self->context.log_size;
  attr.log_buf = self->context.log_buf;
  n_loads++;
  self->programs[0] = (int) syscall (SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr);
  last_error = self->programs[0] < 0 ? errno : 0;
  return self->programs[0] < 0 ? -last_error : 0;
}

static void
destroy_object (void *data)
{
}

static const TbAgentBpfObjectKind wrong = { .name = "wrong",
                                            .source = TB_CAPTURE_SOURCE_SCHEDULER,
                                            .open = open_object,
                                            .load = load_object,
                                            .destroy = destroy_object };

static void
test_verifier (void)
{
  TbAgentBpfShared shared = { .config = { .n_cpus = 1 } };
  TbAgentBpfObject object;
  TbCaptureMessage why = { 0 };
  const char *complaint;

  g_assert_cmpint (tb_agent_bpf_object_load (&object, &wrong, &shared, &why), ==, -1);
  if (last_error == EPERM || last_error == ENOSYS)
    {
      g_test_skip_printf ("programs cannot be loaded: %s", g_strerror (last_error));
      return;
    }
  /* First without the verifier's log, which takes time, then with it. */
  g_assert_cmpint (n_loads, ==, 2);
  g_assert_cmpuint (why.code, ==, TB_CAPTURE_CODE_PROGRAM_REFUSED);
  g_assert_cmpuint (why.error, ==, last_error);
  g_assert_cmpuint (why.n_arguments, ==, 1);
  complaint = tb_capture_message_get (&why, 0);
  g_test_message ("%s", complaint);
  g_assert_nonnull (strstr (complaint, "R3 !read_ok"));
  g_assert_null (strchr (complaint, '\n'));
  g_assert_null (object.skeleton);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-bpf-refused/verifier", test_verifier);
  return g_test_run ();
}
