/* test-agent-tasks.c: test of the threads that are listed at the start of a recording, with
 * synthetic ring buffers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/perf/tb-agent-perf-private.h"
#include "capture/tb-capture-decoder.h"

#define SWITCH_ID 5
#define START 1000000
/* TIDs that no process has: /proc is the real one. */
#define DYING 4194001
#define DYING_PROCESS 4194000
#define NEWBORN 4194002
#define OTHER 4194003

typedef struct
{
  struct perf_event_header header;
  guint64 id;
  gint32 pid, tid;
  guint64 time;
  guint32 raw_size;
  struct
  {
    gint32 next;
    gint32 common_pid;
    guint8 common_flags;
    guint8 padding[7];
  } raw;
} Switch;

typedef struct
{
  struct perf_event_header header;
  gint32 pid, parent_pid, tid, parent_tid;
  guint64 time;
  gint32 trailer_pid, trailer_tid;
  guint64 trailer_time, trailer_id;
} Life;

typedef struct
{
  TbAgent agent;
  TbAgentRing rings[2];
  int out;
  GArray *records;
} Fixture;

/* Contents of the ring buffers: records for the next drain, for the one after it, and beyond the
 * part that is read. */
static Life drained[4], later, ahead;
static guint n_drained, n_later, n_ahead;
static gboolean has_lost;

static int
drain (TbAgent *self)
{
  for (guint i = 0; i < n_drained; i++)
    tb_agent_translate (self, &self->perf.rings[0], (const guint8 *) &drained[i],
                        sizeof drained[i]);
  drained[0] = later;
  n_drained = n_later;
  n_later = 0;
  if (self->tasks.listing || self->tasks.unannounced.n_used == 0)
    return 1;
  if (n_ahead > 0)
    tb_agent_translate_announcement (self, (const guint8 *) &ahead, sizeof ahead);
  tb_agent_tasks_put_unannounced (self, &self->tasks.unannounced, has_lost);
  return 1;
}

static const TbAgentBackend backend = { .drain = drain };

static void
set_up (Fixture *self, gconstpointer data)
{
  TbAgent *agent = &self->agent;
  TbAgentEventSetup *setup = &agent->perf.setup[TB_AGENT_SWITCH];

  n_drained = n_later = n_ahead = 0;
  has_lost = FALSE;
  self->records = g_array_new (FALSE, FALSE, sizeof (TbCaptureRecord));
  self->out = memfd_create ("stream", MFD_CLOEXEC);
  g_assert_cmpint (self->out, >=, 0);
  agent->output = tb_agent_output_new (self->out, 1 << 20, 0);
  agent->header
      = (TbCaptureHeader) { .n_cpus = 2, .backend = TB_CAPTURE_BACKEND_PERF, .agent = "test" };
  tb_agent_output_put_header (agent->output, &agent->header);
  tb_agent_modules_init (&agent->modules, agent->output);
  agent->backend = &backend;
  agent->system_allowed = 1;
  agent->tracefs = -1;
  agent->perf.rings = self->rings;
  agent->perf.n_rings = 2;
  self->rings[1].cpu = 1;
  agent->own_pid = getpid ();
  agent->start_time = agent->flushed = START;
  agent->end_time = G_MAXUINT64;
  agent->running = 1;
  setup->fields[2]
      = (TbAgentField) { G_STRUCT_OFFSET (Switch, raw.next) - G_STRUCT_OFFSET (Switch, raw), 4, 1,
                         0 };
  setup->common_pid
      = (TbAgentField) { G_STRUCT_OFFSET (Switch, raw.common_pid) - G_STRUCT_OFFSET (Switch, raw),
                         4, 1, 0 };
  tb_agent_map_put (&agent->perf.event_ids, SWITCH_ID + 1, TB_AGENT_SWITCH);
  tb_agent_tasks_note_existing (agent);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  TbAgent *agent = &self->agent;

  tb_agent_modules_clear (&agent->modules);
  tb_agent_map_clear (&agent->target.processes);
  tb_agent_map_clear (&agent->perf.event_ids);
  tb_agent_map_clear (&agent->tasks.unannounced);
  free (agent->tasks.announced);
  g_clear_pointer (&self->records, g_array_unref);
  close (self->out);
}

static void
translate_switch (Fixture *self, guint cpu, gint32 tid, gint32 pid, gint32 next, guint64 time)
{
  Switch record = {
    .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof record },
    .id = SWITCH_ID,
    .pid = pid,
    .tid = pid < 0 ? -1 : tid, /* of a thread that has already lost its TID */
    .time = time,
    .raw_size = sizeof record.raw,
    .raw = { .next = next, .common_pid = tid },
  };

  tb_agent_translate (&self->agent, &self->rings[cpu], (const guint8 *) &record, sizeof record);
}

static Life
make_life (guint type, gint32 tid, guint64 time)
{
  return (Life) { .header = { .type = type, .size = sizeof (Life) },
                  .pid = tid,
                  .parent_pid = 1,
                  .tid = tid,
                  .parent_tid = 1,
                  .time = time,
                  .trailer_time = time };
}

/* Ends the stream and reads it. */
static void
finish (Fixture *self)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  TbCaptureRecord record;
  TbCaptureResult result;
  gssize got = 1;

  tb_agent_output_close (self->agent.output);
  g_assert_cmpint (lseek (self->out, 0, SEEK_SET), ==, 0);
  while (got > 0)
    {
      gsize space;
      gpointer to;

      while ((result = tb_capture_decoder_next (decoder, &record)) != TB_CAPTURE_MORE)
        {
          g_assert_cmpint (result, !=, TB_CAPTURE_DAMAGED);
          if (result == TB_CAPTURE_RECORD)
            g_array_append_val (self->records, record);
        }
      to = tb_capture_decoder_get_space (decoder, &space);
      got = read (self->out, to, space);
      g_assert_cmpint (got, >=, 0);
      tb_capture_decoder_commit (decoder, got);
    }
  g_assert_false (tb_capture_decoder_has_partial (decoder));
  tb_capture_decoder_free (decoder);
}

/* Number of records that list a thread as existing at the start. *pid is set to its process. */
static guint
count_tasks (Fixture *self, gint32 tid, gint32 *pid)
{
  guint n = 0;

  for (guint i = 0; i < self->records->len; i++)
    {
      const TbCaptureRecord *record = &g_array_index (self->records, TbCaptureRecord, i);

      if (record->type != TB_CAPTURE_TASK || record->task.tid != tid)
        continue;
      g_assert_cmpuint (record->time, >=, START);
      if (pid != NULL)
        *pid = record->task.pid;
      n++;
    }
  return n;
}

static guint
count_forks (Fixture *self, gint32 tid)
{
  guint n = 0;

  for (guint i = 0; i < self->records->len; i++)
    n += g_array_index (self->records, TbCaptureRecord, i).type == TB_CAPTURE_FORK
         && g_array_index (self->records, TbCaptureRecord, i).fork.new_tid == tid;
  return n;
}

/* Returns how many COMMAND records of a process there are. */
static guint
count_commands (Fixture *self, gint32 pid)
{
  guint n = 0;

  for (guint i = 0; i < self->records->len; i++)
    n += g_array_index (self->records, TbCaptureRecord, i).type == TB_CAPTURE_COMMAND
         && g_array_index (self->records, TbCaptureRecord, i).command.pid == pid;
  return n;
}

/* The thread exits just before the start, so it is not listed; its last switch-out comes after the
 * start. */
static void
test_dying (Fixture *self, gconstpointer data)
{
  gint32 pid = 0;

  translate_switch (self, 0, DYING, DYING_PROCESS, 0, START + 10);
  drain (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, DYING, &pid), ==, 1);
  g_assert_cmpint (pid, ==, DYING_PROCESS);
}

/* The thread is switched to in one drain, and its switch-out comes in the next one: only then is
 * its process known. */
static void
test_dying_later (Fixture *self, gconstpointer data)
{
  gint32 pid = 0;

  translate_switch (self, 0, 0, 0, DYING, START + 10);
  drain (&self->agent);
  translate_switch (self, 0, DYING, DYING_PROCESS, 0, START + 20);
  drain (&self->agent);
  translate_switch (self, 0, DYING, DYING_PROCESS, 0, START + 30);
  drain (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, DYING, &pid), ==, 1);
  g_assert_cmpint (pid, ==, DYING_PROCESS);
}

/* The recording ends before its process is known. */
static void
test_dying_unknown (Fixture *self, gconstpointer data)
{
  translate_switch (self, 0, 0, 0, DYING, START + 10);
  translate_switch (self, 0, DYING, -1, 0, START + 20);
  drain (&self->agent);
  self->agent.running = 0;
  drain (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, DYING, NULL), ==, 1);
}

/* The fork is in another ring buffer, beyond the part read so far. */
static void
test_newborn (Fixture *self, gconstpointer data)
{
  translate_switch (self, 0, OTHER, OTHER, NEWBORN, START + 20);
  ahead = make_life (PERF_RECORD_FORK, NEWBORN, START + 15);
  n_ahead = 1;
  drain (&self->agent);
  drained[n_drained++] = ahead;
  n_ahead = 0;
  drain (&self->agent);
  translate_switch (self, 0, NEWBORN, NEWBORN, 0, START + 30);
  drain (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, NEWBORN, NULL), ==, 0);
  g_assert_cmpuint (count_forks (self, NEWBORN), ==, 1);
}

/* With lost events the fork may be among them. */
static void
test_lost (Fixture *self, gconstpointer data)
{
  has_lost = TRUE;
  translate_switch (self, 0, NEWBORN, NEWBORN, 0, START + 10);
  drain (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, NEWBORN, NULL), ==, 0);
}

/* While the threads are listed, one is forked and exits, on two CPUs. The ring buffer with the exit
 * is read first. */
static void
test_short_life (Fixture *self, gconstpointer data)
{
  drained[n_drained++] = make_life (PERF_RECORD_EXIT, NEWBORN, START + 20);
  drained[n_drained++] = make_life (PERF_RECORD_FORK, NEWBORN, START + 10);
  drained[n_drained++] = make_life (PERF_RECORD_EXIT, OTHER, START + 30);
  tb_agent_tasks_put_existing (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, NEWBORN, NULL), ==, 0);
  g_assert_cmpuint (count_forks (self, NEWBORN), ==, 1);
  g_assert_cmpuint (count_tasks (self, OTHER, NULL), ==, 1);
  g_assert_cmpuint (count_tasks (self, getpid (), NULL), ==, 1);
  g_assert_cmpuint (count_commands (self, getpid ()), ==, 1);
}

/* A listed process (the test's own) was forked after the start, so neither the process nor its
 * command is sent for the start. */
static void
test_forked_while_listed (Fixture *self, gconstpointer data)
{
  drained[n_drained++] = make_life (PERF_RECORD_FORK, getpid (), START + 10);
  tb_agent_tasks_put_existing (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, getpid (), NULL), ==, 0);
  g_assert_cmpuint (count_forks (self, getpid ()), ==, 1);
  g_assert_cmpuint (count_commands (self, getpid ()), ==, 0);
  g_assert_cmpuint (count_commands (self, 1), ==, 1);
}

/* The ring buffer with the fork was read just before the fork. */
static void
test_short_life_other_ring (Fixture *self, gconstpointer data)
{
  drained[n_drained++] = make_life (PERF_RECORD_EXIT, NEWBORN, START + 20);
  drained[n_drained++] = make_life (PERF_RECORD_EXIT, OTHER, START + 30);
  later = make_life (PERF_RECORD_FORK, NEWBORN, START + 10);
  n_later = 1;
  tb_agent_tasks_put_existing (&self->agent);
  finish (self);
  g_assert_cmpuint (count_tasks (self, NEWBORN, NULL), ==, 0);
  g_assert_cmpuint (count_forks (self, NEWBORN), ==, 1);
  g_assert_cmpuint (count_tasks (self, OTHER, NULL), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/agent/tasks/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("dying", test_dying);
  ADD ("dying-later", test_dying_later);
  ADD ("dying-unknown", test_dying_unknown);
  ADD ("newborn", test_newborn);
  ADD ("lost", test_lost);
  ADD ("short-life", test_short_life);
  ADD ("forked-while-listed", test_forked_while_listed);
  ADD ("short-life-apart", test_short_life_other_ring);
  return g_test_run ();
}
