/* test-agent-bpf-losses.c: test that every record lost by a full ring buffer is counted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same programs are loaded twice, with a large and with a tiny ring buffer, and see the same
 * events. The records of the large one must be the read and the lost records of the tiny one.
 */

#include "config.h"

#include <glib.h>
#include <linux/bpf.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/bpf/tb-agent-bpf-ring.h"

#define MAX_CPUS 512
#define LARGE (8u << 20)
#define ROUND_TRIPS 3000
#define N_PROCESSES 3

typedef struct
{
  TbAgentBpfObject object;
  TbAgentBpfShared shared;
  TbAgentBpfRing rings[MAX_CPUS];
  int fds[MAX_CPUS];
  guint n_cpus;
  TbBpfCpu *cpus;
  guint64 n_records;
  guint64 n_lost;
  guint64 last_time;
  guint n_dead;
  gboolean is_shown[MAX_CPUS]; /* the switch-out of the running thread will be recorded */
} Recording;

static void
count_record (const uint8_t *record, size_t size, void *data)
{
  const TbBpfHeader *header = (const TbBpfHeader *) (gconstpointer) record;
  Recording *self = data;

  g_assert_cmpuint (size, >=, sizeof *header);
  if (header->type == TB_BPF_LOST)
    {
      const TbBpfLost *lost = (const TbBpfLost *) header;

      g_assert_cmpuint (lost->count, >, 0);
      g_assert_cmpuint (lost->from, <=, header->time);
      g_assert_cmpuint (lost->from, >=, self->last_time);
      self->n_lost += lost->count;
    }
  else
    self->n_records++;
  if (header->type == TB_BPF_SWITCH)
    {
      self->n_dead += ((const TbBpfSwitch *) header)->exit_state != 0;
      self->is_shown[header->cpu]
          = (header->flags & (TB_BPF_IS_TARGET | TB_BPF_OTHER_IS_TARGET)) != 0;
    }
  self->last_time = header->time;
}

static void
drain (Recording *self)
{
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    {
      self->last_time = 0;
      g_assert_true (tb_agent_bpf_ring_drain (&self->rings[cpu], count_record, self));
    }
}

/* A dead thread leaves its CPU some time after its parent was notified, and the thread that follows
 * leaves some time after that. Until then a record may come between the detaching of the two sets
 * of programs. */
static void
drain_to_the_end (Recording *self)
{
  cpu_set_t before, cpus;
  gboolean goes_on = TRUE;

  g_assert_cmpint (sched_getaffinity (0, sizeof before, &before), ==, 0);
  /* After 200 rounds each CPU has switched often. If there is still no record, the kernel does not
   * trace the thread that runs there. */
  for (guint round = 0; goes_on && round < 5000; round++)
    {
      drain (self);
      goes_on = self->n_dead < N_PROCESSES;
      for (guint cpu = 0; cpu < self->n_cpus; cpu++)
        if (self->is_shown[cpu] && round < 200)
          {
            goes_on = TRUE;
            CPU_ZERO (&cpus);
            CPU_SET (cpu, &cpus);
            sched_setaffinity (0, sizeof cpus, &cpus);
          }
      g_usleep (1000);
    }
  g_assert_cmpint (sched_setaffinity (0, sizeof before, &before), ==, 0);
}

/* Returns NULL, and skips the test, if programs may not be loaded. */
static Recording *
recording_new (guint64 ring_bytes, gint32 target)
{
  Recording *self = g_new0 (Recording, 1);
  guint32 key = (guint32) target, one = 1;
  TbCaptureMessage why = { 0 };

  self->n_cpus = (guint) sysconf (_SC_NPROCESSORS_CONF);
  g_assert_cmpuint (self->n_cpus, <=, MAX_CPUS);
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    {
      if (tb_agent_bpf_ring_open (&self->rings[cpu], ring_bytes) != 0)
        {
          g_test_skip ("no rings for BPF programs may be made here");
          g_free (self);
          return NULL;
        }
      self->fds[cpu] = self->rings[cpu].fd;
    }
  self->shared = (TbAgentBpfShared) {
    .config = { .filter = TB_BPF_FILTER_TREE, .n_cpus = self->n_cpus, .stacks = 1, .sleeps = 1 },
    .rings = self->fds,
    .cpus = tb_agent_bpf_map_new (BPF_MAP_TYPE_ARRAY, "cpus", 4, sizeof (TbBpfCpu), self->n_cpus,
                                  BPF_F_MMAPABLE | BPF_F_INNER_MAP),
    .targets = tb_agent_bpf_map_new (BPF_MAP_TYPE_HASH, "targets", 4, 4, 1024, 0),
  };
  g_assert_cmpint (self->shared.cpus, >=, 0);
  g_assert_cmpint (tb_agent_bpf_map_put (self->shared.targets, &key, &one), ==, 0);
  self->cpus = mmap (NULL, self->n_cpus * sizeof (TbBpfCpu), PROT_READ | PROT_WRITE, MAP_SHARED,
                     self->shared.cpus, 0);
  g_assert_true (self->cpus != MAP_FAILED);
  if (tb_agent_bpf_object_load (&self->object, &tb_agent_bpf_scheduler, &self->shared, &why) != 0)
    g_error ("code %u, errno %u", why.code, why.error);
  return self;
}

static void
recording_free (Recording *self)
{
  tb_agent_bpf_object_clear (&self->object);
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    tb_agent_bpf_ring_close (&self->rings[cpu]);
  munmap (self->cpus, self->n_cpus * sizeof (TbBpfCpu));
  close (self->shared.cpus);
  close (self->shared.targets);
  g_free (self);
}

/* Lost records that were counted but not yet reported. */
static guint64
count_unreported (const Recording *self)
{
  guint64 unreported = 0;

  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    unreported += self->cpus[cpu].lost;
  return unreported;
}

static void
exchange_bytes (int from, int to, gboolean first)
{
  char ball = 0;

  for (guint i = 0; i < ROUND_TRIPS; i++)
    if ((first && write (to, &ball, 1) != 1) || read (from, &ball, 1) != 1
        || (!first && write (to, &ball, 1) != 1))
      _exit (1);
}

/* Forks a process that waits to be released and then exchanges bytes with a child. It writes the
 * numbers of switches of both, as the kernel counts them, to result. */
static pid_t
fork_ping_pong (int go, int result)
{
  pid_t pid = fork ();
  int there[2], back[2];
  cpu_set_t cpus;
  char byte;

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;
  CPU_ZERO (&cpus);
  CPU_SET (0, &cpus);
  sched_setaffinity (0, sizeof cpus, &cpus);
  if (read (go, &byte, 1) != 1 || pipe (there) != 0 || pipe (back) != 0)
    _exit (2);
  if (fork () == 0)
    {
      exchange_bytes (there[0], back[1], FALSE);
      _exit (0);
    }
  exchange_bytes (back[0], there[1], TRUE);
  wait (NULL);
  /* After half of the round trips. */
  if (write (result, "x", 1) != 1 || read (go, &byte, 1) != 1)
    _exit (3);
  if (fork () == 0)
    {
      exchange_bytes (there[0], back[1], FALSE);
      _exit (0);
    }
  exchange_bytes (back[0], there[1], TRUE);
  wait (NULL);
  _exit (0);
}

/* Waits until the process sleeps, which it first does in its read. */
static void
await_read (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);

  for (gboolean sleeps = FALSE; !sleeps;)
    {
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      sleeps = strstr (text, ") S ") != NULL;
      if (!sleeps)
        g_usleep (1000);
    }
}

static void
attach (Recording *self)
{
  TbCaptureMessage why = { 0 };

  if (tb_agent_bpf_object_attach (&self->object, &why) != 0)
    g_error ("code %u, errno %u", why.code, why.error);
}

static void
test_accounted_for (void)
{
  int go[2], result[2], status;
  Recording *large, *tiny;
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe (go), ==, 0);
  g_assert_cmpint (pipe (result), ==, 0);
  pid = fork_ping_pong (go[0], result[1]);
  large = recording_new (LARGE, pid);
  tiny = large != NULL ? recording_new ((guint64) sysconf (_SC_PAGESIZE), pid) : NULL;
  if (large == NULL)
    {
      kill (pid, SIGKILL);
      waitpid (pid, &status, 0);
      return;
    }
  await_read (pid);
  attach (large);
  attach (tiny);
  /* There was no event of the process since it waits. */
  drain (large);
  drain (tiny);
  g_assert_cmpint (write (go[1], "x", 1), ==, 1);
  g_assert_cmpint (read (result[0], &byte, 1), ==, 1);
  /* Space is available again: the next record reports the loss. */
  drain (tiny);
  g_assert_cmpint (write (go[1], "x", 1), ==, 1);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  drain_to_the_end (large);
  tb_agent_bpf_object_detach (&large->object);
  tb_agent_bpf_object_detach (&tiny->object);
  drain (large);
  drain (tiny);

  g_assert_cmpuint (tb_agent_bpf_object_count_missed (&large->object), ==, 0);
  g_assert_cmpuint (tb_agent_bpf_object_count_missed (&tiny->object), ==, 0);
  g_assert_cmpuint (large->n_lost + count_unreported (large), ==, 0);
  /* Two switches a round trip, in twice ROUND_TRIPS trips. A reader that finds its byte already
   * there is not woken. */
  g_assert_cmpuint (large->n_records, >=, 2 * 2 * ROUND_TRIPS);
  g_assert_cmpuint (tiny->n_lost, >, 0);
  g_assert_cmpuint (count_unreported (tiny), >, 0);
  g_test_message ("%" G_GUINT64_FORMAT " records; %" G_GUINT64_FORMAT
                  " in the tiny ring, %" G_GUINT64_FORMAT " lost and told, %" G_GUINT64_FORMAT
                  " lost at the end",
                  large->n_records, tiny->n_records, tiny->n_lost, count_unreported (tiny));
  g_assert_cmpuint (tiny->n_records + tiny->n_lost + count_unreported (tiny), ==, large->n_records);
  recording_free (large);
  recording_free (tiny);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-bpf-losses/accounted-for", test_accounted_for);
  return g_test_run ();
}
