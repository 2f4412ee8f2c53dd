/* test-agent-bpf-load.c: test of loading BPF objects in parallel, and one by one if the kernel
 * rejects one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "agent/bpf/tb-agent-bpf-loader.h"
#include "agent/bpf/tb-agent-skeletons.h"

#define N_OBJECTS 5

/* A stand-in for a skeleton, which only counts its loads. */
typedef struct
{
  struct bpf_loader_ctx context;
  struct bpf_map_desc map;
  TbBpfConfig config;
  gboolean is_refused;
  gboolean is_refused_with_sleeps;
  gboolean is_refused_with_tables;
} Skeleton;

static gint n_loads, n_destroyed, n_at_once;
static gint most_at_once; /* since the last one was destroyed */

static int
open_skeleton (TbAgentBpfObject *view, gboolean is_refused, gboolean is_refused_with_sleeps)
{
  Skeleton *skeleton = g_new0 (Skeleton, 1);

  skeleton->is_refused = is_refused;
  skeleton->is_refused_with_sleeps = is_refused_with_sleeps;
  view->skeleton = skeleton;
  view->context = &skeleton->context;
  view->config = &skeleton->config;
  view->rings = view->cpus = view->targets = view->tables = view->received = &skeleton->map;
  return 0;
}

static int
open_good (TbAgentBpfObject *view)
{
  return open_skeleton (view, FALSE, FALSE);
}

static int
open_refused (TbAgentBpfObject *view)
{
  return open_skeleton (view, TRUE, FALSE);
}

static int
open_sleepless (TbAgentBpfObject *view)
{
  return open_skeleton (view, FALSE, TRUE);
}

static int
open_tableless (TbAgentBpfObject *view)
{
  int result = open_skeleton (view, FALSE, FALSE);

  ((Skeleton *) view->skeleton)->is_refused_with_tables = TRUE;
  return result;
}

static int
load_skeleton (void *data)
{
  const Skeleton *skeleton = data;
  gint now = g_atomic_int_add (&n_at_once, 1) + 1, most = g_atomic_int_get (&most_at_once);

  while (now > most && !g_atomic_int_compare_and_exchange (&most_at_once, most, now))
    most = g_atomic_int_get (&most_at_once);
  g_atomic_int_inc (&n_loads);
  g_usleep (1000);
  g_atomic_int_add (&n_at_once, -1);
  return skeleton->is_refused || (skeleton->is_refused_with_sleeps && skeleton->config.sleeps)
                 || (skeleton->is_refused_with_tables
                     && (skeleton->config.stacks & TB_CAPTURE_REPAIRED_STACKS) != 0)
             ? -ENOENT
             : 0;
}

static void
destroy_skeleton (void *data)
{
  g_atomic_int_inc (&n_destroyed);
  g_atomic_int_set (&most_at_once, 0);
  g_free (data);
}

static const TbAgentBpfObjectKind good
    = { .name = "good", .open = open_good, .load = load_skeleton, .destroy = destroy_skeleton };
static const TbAgentBpfObjectKind refused = { .name = "refused",
                                              .open = open_refused,
                                              .load = load_skeleton,
                                              .destroy = destroy_skeleton };
static const TbAgentBpfObjectKind sleepless = { .name = "sleepless",
                                                .open = open_sleepless,
                                                .load = load_skeleton,
                                                .destroy = destroy_skeleton };

static const TbAgentBpfObjectKind tableless = { .name = "tableless",
                                                .open = open_tableless,
                                                .load = load_skeleton,
                                                .destroy = destroy_skeleton };

/* Good objects, except for the middle one. */
static void
load (TbAgentBpfLoading *loadings, const TbAgentBpfObjectKind *middle)
{
  memset (loadings, 0, N_OBJECTS * sizeof *loadings);
  for (guint i = 0; i < N_OBJECTS; i++)
    loadings[i].kind = i == N_OBJECTS / 2 ? middle : &good;
  loadings[N_OBJECTS / 2].can_do_without_sleeps = middle == &sleepless;
  n_loads = n_destroyed = most_at_once = 0;
  tb_agent_bpf_load (loadings, N_OBJECTS);
}

static void
clear (TbAgentBpfLoading *loadings)
{
  for (guint i = 0; i < N_OBJECTS; i++)
    tb_agent_bpf_object_clear (&loadings[i].object);
}

static void
test_together (void)
{
  TbAgentBpfLoading loadings[N_OBJECTS];

  load (loadings, &good);
  for (guint i = 0; i < N_OBJECTS; i++)
    g_assert_cmpint (loadings[i].result, ==, 0);
  g_assert_cmpint (n_loads, ==, N_OBJECTS);
  g_assert_cmpint (n_destroyed, ==, 0);
  clear (loadings);
  g_assert_cmpint (n_destroyed, ==, N_OBJECTS);
}

/* A rejected object may have closed a file of an object loaded in parallel, so it is loaded again
 * alone. */
static void
test_refused (void)
{
  TbAgentBpfLoading loadings[N_OBJECTS];

  load (loadings, &refused);
  for (guint i = 0; i < N_OBJECTS; i++)
    {
      g_assert_cmpint (loadings[i].result, ==, i == N_OBJECTS / 2 ? -1 : 0);
      g_assert_cmpint (loadings[i].object.skeleton != NULL, ==, i != N_OBJECTS / 2);
    }
  g_assert_cmpuint (loadings[N_OBJECTS / 2].why.code, ==, TB_CAPTURE_CODE_NOT_IN_KERNEL);
  g_assert_cmpint (n_loads, ==, 2 * N_OBJECTS);
  g_assert_cmpint (n_destroyed, ==, N_OBJECTS - 1 + 2);
  g_assert_cmpint (most_at_once, ==, 1);
  clear (loadings);
  g_assert_cmpint (n_destroyed, ==, n_loads);
}

static void
test_without_sleeps (void)
{
  TbAgentBpfLoading loadings[N_OBJECTS];

  load (loadings, &sleepless);
  for (guint i = 0; i < N_OBJECTS; i++)
    g_assert_cmpint (loadings[i].result, ==, 0);
  g_assert_cmpint (loadings[N_OBJECTS / 2].shared.config.sleeps, ==, 0);
  g_assert_cmpint (n_loads, ==, 2 * N_OBJECTS + 1);
  clear (loadings);
  g_assert_cmpint (n_destroyed, ==, n_loads);
}

/* A kernel that refuses the use of unwind tables takes the rest. */
static void
test_without_tables (void)
{
  TbAgentBpfLoading loading = { .kind = &tableless };

  loading.shared.config.stacks = TB_CAPTURE_USER_STACKS | TB_CAPTURE_REPAIRED_STACKS;
  n_loads = n_destroyed = 0;
  tb_agent_bpf_load (&loading, 1);
  g_assert_cmpint (loading.result, ==, 0);
  g_assert_cmpuint (loading.shared.config.stacks, ==, TB_CAPTURE_USER_STACKS);
  tb_agent_bpf_object_clear (&loading.object);
  g_assert_cmpint (n_destroyed, ==, n_loads);
}

static void
test_alone (void)
{
  TbAgentBpfLoading loading = { .kind = &good };

  n_loads = most_at_once = 0;
  tb_agent_bpf_load (&loading, 1);
  g_assert_cmpint (loading.result, ==, 0);
  g_assert_cmpint (n_loads, ==, 1);
  g_assert_cmpint (most_at_once, ==, 1);
  tb_agent_bpf_object_clear (&loading.object);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-bpf-load/together", test_together);
  g_test_add_func ("/agent-bpf-load/refused", test_refused);
  g_test_add_func ("/agent-bpf-load/without-sleeps", test_without_sleeps);
  g_test_add_func ("/agent-bpf-load/without-tables", test_without_tables);
  g_test_add_func ("/agent-bpf-load/alone", test_alone);
  return g_test_run ();
}
