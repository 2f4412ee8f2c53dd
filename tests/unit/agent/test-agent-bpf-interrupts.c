/* test-agent-bpf-interrupts.c: test that interrupts between the attachments of two BPF programs do
 * not falsify the records of later interrupts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib.h>
#include <linux/bpf.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/bpf/tb-agent-bpf-ring.h"

#define MAX_CPUS 512
#define RING_BYTES (1u << 20)
#define SPIN_US 120000 /* at least twelve interrupts of the timer */

typedef struct
{
  TbAgentBpfShared shared;
  TbAgentBpfRing rings[MAX_CPUS];
  int fds[MAX_CPUS];
  guint n_cpus;
  gboolean is_counted; /* the record counts: all programs are attached */
  guint n_timer;
  guint n_without_beginning;
} Recording;

static void
count_record (const uint8_t *record, size_t size, void *data)
{
  const TbBpfInterrupt *interrupt = (const TbBpfInterrupt *) (gconstpointer) record;
  Recording *self = data;
  guint type = interrupt->header.type;

  if (!self->is_counted || (type != TB_BPF_TIMER && type != TB_BPF_IRQ))
    return;
  g_assert_cmpuint (size, >=, sizeof *interrupt);
  g_assert_cmpuint (interrupt->entered, <=, interrupt->header.time);
  self->n_timer += type == TB_BPF_TIMER;
  self->n_without_beginning += interrupt->entered == 0;
}

static void
drain (Recording *self)
{
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    g_assert_true (tb_agent_bpf_ring_drain (&self->rings[cpu], count_record, self));
}

static gboolean
make_maps (Recording *self)
{
  self->n_cpus = (guint) sysconf (_SC_NPROCESSORS_CONF);
  g_assert_cmpuint (self->n_cpus, <=, MAX_CPUS);
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    {
      if (tb_agent_bpf_ring_open (&self->rings[cpu], RING_BYTES) != 0)
        return FALSE;
      self->fds[cpu] = self->rings[cpu].fd;
    }
  self->shared = (TbAgentBpfShared) {
    .config = { .n_cpus = self->n_cpus },
    .rings = self->fds,
    .cpus = tb_agent_bpf_map_new (BPF_MAP_TYPE_ARRAY, "cpus", 4, sizeof (TbBpfCpu), self->n_cpus,
                                  BPF_F_MMAPABLE | BPF_F_INNER_MAP),
    .targets = tb_agent_bpf_map_new (BPF_MAP_TYPE_HASH, "targets", 4, 4, 1024, 0),
  };
  g_assert_cmpint (self->shared.cpus, >=, 0);
  g_assert_cmpint (self->shared.targets, >=, 0);
  return TRUE;
}

/* The timer interrupts a busy CPU only. */
static void
spin (void)
{
  gint64 end = g_get_monotonic_time () + SPIN_US;

  while (g_get_monotonic_time () < end)
    ;
}

/* Attaches the programs as tb_agent_bpf_object_attach() does, which has the order of the source
 * file, but as slowly as on a machine with many busy threads. */
static void
attach_slowly (TbAgentBpfObject *object)
{
  g_assert_cmpuint (object->n_programs, ==, object->n_links);
  for (gsize i = 0; i < object->n_programs; i++)
    {
      union bpf_attr attr;

      memset (&attr, 0, sizeof attr);
      attr.raw_tracepoint.prog_fd = (guint32) object->programs[i];
      object->links[i] = (int) syscall (SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof attr);
      g_assert_cmpint (object->links[i], >, 0);
      spin ();
    }
}

static void
stay_on_this_cpu (void)
{
  cpu_set_t cpus;

  CPU_ZERO (&cpus);
  CPU_SET (sched_getcpu (), &cpus);
  g_assert_cmpint (sched_setaffinity (0, sizeof cpus, &cpus), ==, 0);
}

/* Skips the test if the kernel refuses the programs. */
static void
test_slow_attachment (void)
{
  static const TbAgentBpfObjectKind *const kinds[]
      = { &tb_agent_bpf_interrupts, &tb_agent_bpf_timer };
  g_autofree Recording *self = g_new0 (Recording, 1);
  TbAgentBpfObject objects[G_N_ELEMENTS (kinds)] = { 0 };
  TbCaptureMessage why = { 0 };
  gboolean is_loaded = make_maps (self);

  for (guint i = 0; is_loaded && i < G_N_ELEMENTS (kinds); i++)
    is_loaded = tb_agent_bpf_object_load (&objects[i], kinds[i], &self->shared, &why) == 0;
  if (is_loaded)
    {
      stay_on_this_cpu ();
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        attach_slowly (&objects[i]);
      drain (self);
      self->is_counted = TRUE;
      spin ();
      drain (self);
      g_test_message ("%u interrupts of the timer", self->n_timer);
      g_assert_cmpuint (self->n_timer, >, 0);
      g_assert_cmpuint (self->n_without_beginning, ==, 0);
    }
  else
    g_test_skip ("the programs cannot be loaded here");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    tb_agent_bpf_object_clear (&objects[i]);
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    tb_agent_bpf_ring_close (&self->rings[cpu]);
  close (self->shared.cpus);
  close (self->shared.targets);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-bpf-interrupts/slow-attachment", test_slow_attachment);
  return g_test_run ();
}
