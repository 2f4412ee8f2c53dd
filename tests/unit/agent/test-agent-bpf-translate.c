/* test-agent-bpf-translate.c: test of the agent's translation of BPF records from synthetic ring
 * buffers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/bpf/programs/tb-bpf-sleep-record.h"
#include "agent/bpf/tb-agent-bpf-private.h"
#include "capture/tb-capture-decoder.h"

#define START 1000000u
#define TASK 4194001
#define OTHER 4194002

typedef struct
{
  TbAgent agent;
  TbAgentBpf bpf;
  TbAgentBpfCpu cpu;
  int out;
  GArray *records;
} Fixture;

/* There are no ring buffers here. */
static int
drain (TbAgent *self)
{
  return 1;
}

static const TbAgentBackend backend = { .drain = drain };

static void
set_up (Fixture *self, gconstpointer data)
{
  TbAgent *agent = &self->agent;

  self->records = g_array_new (FALSE, FALSE, sizeof (TbCaptureRecord));
  self->out = memfd_create ("stream", MFD_CLOEXEC);
  g_assert_cmpint (self->out, >=, 0);
  agent->output = tb_agent_output_new (self->out, 1 << 20, 0);
  agent->header
      = (TbCaptureHeader) { .n_cpus = 2, .backend = TB_CAPTURE_BACKEND_BPF, .agent = "test" };
  tb_agent_output_put_header (agent->output, &agent->header);
  tb_agent_modules_init (&agent->modules, agent->output);
  agent->bpf = &self->bpf;
  agent->backend = &backend;
  agent->system_allowed = 1;
  agent->tracefs = -1;
  agent->own_pid = getpid ();
  agent->start_time = agent->flushed = START;
  agent->end_time = G_MAXUINT64;
  agent->running = 1;
  self->cpu.number = 1;
  self->cpu.shown = -1;
  tb_agent_tasks_note_existing (agent);
  tb_agent_tasks_set_announced (agent, TASK);
  tb_agent_tasks_set_announced (agent, OTHER);
}

/* Ends the stream and decodes it. It must be complete, whatever the ring buffers contained. */
static void
decode (Fixture *self)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  TbCaptureRecord record;
  TbCaptureResult result;

  tb_agent_output_close (self->agent.output);
  self->agent.output = NULL;
  g_assert_cmpint (lseek (self->out, 0, SEEK_SET), ==, 0);
  for (;;)
    {
      gssize got;
      gsize space;
      void *to;

      result = tb_capture_decoder_next (decoder, &record);
      if (result == TB_CAPTURE_DAMAGED)
        g_error ("%s", tb_capture_decoder_get_error (decoder));
      if (result == TB_CAPTURE_RECORD)
        {
          record.tail = g_memdup2 (record.tail, record.tail_length);
          g_array_append_val (self->records, record);
        }
      if (result != TB_CAPTURE_MORE)
        continue;
      to = tb_capture_decoder_get_space (decoder, &space);
      got = read (self->out, to, space);
      if (got <= 0)
        break;
      tb_capture_decoder_commit (decoder, (gsize) got);
    }
  tb_capture_decoder_free (decoder);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  TbAgent *agent = &self->agent;
  TbAgentMap *const maps[]
      = { &agent->tasks.forked,  &agent->tasks.exited,       &agent->target.outsiders,
          &agent->target.pids,   &agent->target.processes,   &agent->irq_devices,
          &agent->sockets,       &agent->tasks.new_programs, &agent->tasks.unannounced,
          &agent->block_devices, &self->bpf.unix_names,      &self->bpf.mark_texts,
          &self->bpf.mark_places };

  if (agent->output != NULL)
    decode (self);
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    tb_agent_map_clear (maps[i]);
  tb_agent_bpf_stacks_clear (&self->bpf.stacks);
  tb_agent_files_clear (&self->bpf.files);
  tb_agent_address_map_clear (&self->bpf.places);
  tb_agent_sleeps_clear (&self->bpf.sleeps);
  tb_agent_modules_clear (&agent->modules);
  free (agent->tasks.announced);
  for (guint i = 0; i < self->records->len; i++)
    g_free ((gpointer) g_array_index (self->records, TbCaptureRecord, i).tail);
  g_array_unref (self->records);
  close (self->out);
}

static const TbCaptureRecord *
find_nth (Fixture *self, guint type, guint n)
{
  for (guint i = 0; i < self->records->len; i++)
    if (g_array_index (self->records, TbCaptureRecord, i).type == type && n-- == 0)
      return &g_array_index (self->records, TbCaptureRecord, i);
  return NULL;
}

static TbBpfHeader
make_header (guint type, guint32 flags)
{
  static guint64 time = START;

  return (TbBpfHeader) { ++time, (u16) type, 1, flags | TB_BPF_IS_TARGET, TASK, TASK };
}

static void
translate (Fixture *self, gconstpointer record, gsize size)
{
  /* A copy of the exact size, so that a sanitizer detects a read beyond it. */
  guint64 *copy = g_memdup2 (record, size);

  tb_agent_bpf_translate (&self->agent, &self->cpu, (const uint8_t *) copy, size);
  g_free (copy);
}

static void
test_states (void)
{
  g_assert_cmpint (tb_agent_bpf_translate_state (0, 0, 0), ==, 'R');
  g_assert_cmpint (tb_agent_bpf_translate_state (0, 0, 1), ==, '+');
  g_assert_cmpint (tb_agent_bpf_translate_state (1, 0, 0), ==, 'S');
  g_assert_cmpint (tb_agent_bpf_translate_state (1, 0, 1), ==, '+');
  g_assert_cmpint (tb_agent_bpf_translate_state (2, 0, 0), ==, 'D');
  g_assert_cmpint (tb_agent_bpf_translate_state (0x402, 0, 0), ==, 'I');
  g_assert_cmpint (tb_agent_bpf_translate_state (0x102, 0, 0), ==, 'D');
  g_assert_cmpint (tb_agent_bpf_translate_state (0x2001, 0, 0), ==, 'S');
  g_assert_cmpint (tb_agent_bpf_translate_state (4, 0, 0), ==, 'T');
  g_assert_cmpint (tb_agent_bpf_translate_state (8, 0, 0), ==, 't');
  g_assert_cmpint (tb_agent_bpf_translate_state (0x80, 0x10, 0), ==, 'X');
  g_assert_cmpint (tb_agent_bpf_translate_state (0x80, 0x20, 0), ==, 'Z');
  g_assert_cmpint (tb_agent_bpf_translate_state (0x40, 0, 0), ==, 'P');
  g_assert_cmpint (tb_agent_bpf_translate_state (0x1000, 0, 0), ==, 'D');
}

/* The words of a stack are sent once. Then its ID is used, from any CPU. An ID that was never
 * defined is counted. */
static void
test_stacks (Fixture *self, gconstpointer data)
{
  struct
  {
    TbBpfSwitch record;
    guint64 words[3];
  } with = { .record = { make_header (TB_BPF_SWITCH, 0), OTHER, OTHER, 1, 0, { 17, 3, 0 } },
             .words = { TB_BPF_CONTEXT_USER, 0x1000, 0x2000 } };
  TbBpfSwitch without = { make_header (TB_BPF_SWITCH, 0), OTHER, OTHER, 1, 0, { 17, 0, 0 } };
  TbBpfSwitch unknown = { make_header (TB_BPF_SWITCH, 0), OTHER, OTHER, 1, 0, { 18, 0, 0 } };
  const TbCaptureRecord *first, *second, *third;

  translate (self, &with, sizeof with);
  translate (self, &without, sizeof without);
  translate (self, &unknown, sizeof unknown);
  g_assert_cmpuint (self->bpf.stacks.n_unknown, ==, 1);
  decode (self);
  first = find_nth (self, TB_CAPTURE_SWITCH, 0);
  second = find_nth (self, TB_CAPTURE_SWITCH, 1);
  third = find_nth (self, TB_CAPTURE_SWITCH, 2);
  g_assert_true (first != NULL && second != NULL && third != NULL);
  g_assert_cmpuint (first->sched_switch.stack, !=, 0);
  g_assert_cmpuint (first->sched_switch.stack, ==, second->sched_switch.stack);
  g_assert_cmpuint (third->sched_switch.stack, ==, 0);
  g_assert_cmpuint (first->cpu, ==, 1);
  g_assert_cmpint (first->sched_switch.tid, ==, TASK);
  g_assert_cmpint (first->sched_switch.next, ==, OTHER);
  g_assert_cmpint (first->sched_switch.state, ==, 'S');
  g_assert_null (find_nth (self, TB_CAPTURE_STACK, 1));
  g_assert_cmpuint (find_nth (self, TB_CAPTURE_STACK, 0)->tail_length, ==, sizeof with.words);
}

/* After a turn the programs use new IDs. Records still in the ring buffers have IDs from before it,
 * which are known until the next turn. */
static void
test_stack_generations (Fixture *self, gconstpointer data)
{
  static const guint64 words[] = { TB_BPF_CONTEXT_USER, 0x1000 };
  TbAgentBpfStacks *stacks = &self->bpf.stacks;
  guint32 id;

  tb_agent_bpf_stacks_add (stacks, 5, words, 2);
  id = tb_agent_bpf_stacks_intern (stacks, self->agent.output, 5);
  g_assert_cmpuint (id, !=, 0);
  tb_agent_bpf_stacks_rotate (stacks);
  g_assert_cmpuint (tb_agent_bpf_stacks_intern (stacks, self->agent.output, 5), ==, id);
  tb_agent_bpf_stacks_rotate (stacks);
  g_assert_cmpuint (tb_agent_bpf_stacks_intern (stacks, self->agent.output, 5), ==, 0);
  g_assert_cmpuint (stacks->n_unknown, ==, 1);
}

static void
test_lost (Fixture *self, gconstpointer data)
{
  TbBpfLost lost = { make_header (TB_BPF_LOST, 0), START - 10, 42 };
  const TbCaptureRecord *decoded_record;

  translate (self, &lost, sizeof lost);
  g_assert_cmpuint (self->agent.n_lost, ==, 42);
  decode (self);
  decoded_record = find_nth (self, TB_CAPTURE_LOST, 0);
  g_assert_nonnull (decoded_record);
  g_assert_cmpuint (decoded_record->lost.count, ==, 42);
  g_assert_cmpuint (decoded_record->lost.from, ==, START);
}

static void
lose (Fixture *self, guint64 from, guint64 to, guint64 count)
{
  TbBpfLost lost = { make_header (TB_BPF_LOST, 0), from, count };

  lost.header.time = to;
  translate (self, &lost, sizeof lost);
}

/* Only losses during the recording count, also those that are only partly in it. */
static void
test_lost_outside (Fixture *self, gconstpointer data)
{
  const guint64 end = START + 1000;
  const TbCaptureRecord *decoded_record;

  lose (self, START - 20, START - 10, 1);
  self->agent.end_time = end;
  lose (self, end + 1, end + 50, 2);
  g_assert_cmpuint (self->agent.n_lost, ==, 0);
  lose (self, START - 20, START, 4);
  lose (self, end, end + 50, 8);
  g_assert_cmpuint (self->agent.n_lost, ==, 12);
  decode (self);
  decoded_record = find_nth (self, TB_CAPTURE_LOST, 1);
  g_assert_nonnull (decoded_record);
  g_assert_cmpuint (decoded_record->lost.count, ==, 8);
  g_assert_cmpuint (decoded_record->time, ==, end);
  g_assert_null (find_nth (self, TB_CAPTURE_LOST, 2));
}

/* Only the time since they were counted last is unknown. */
static void
test_skipped_runs (Fixture *self, gconstpointer data)
{
  static const guint64 counts[] = { 0, 2, 2, 5 };
  const TbCaptureRecord *first, *second;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    tb_agent_bpf_note_skipped (&self->agent, counts[i], START + 100 * (i + 1));
  g_assert_cmpuint (self->agent.n_lost, ==, 5);
  decode (self);
  first = find_nth (self, TB_CAPTURE_LOST, 0);
  second = find_nth (self, TB_CAPTURE_LOST, 1);
  g_assert_true (first != NULL && second != NULL);
  g_assert_cmpuint (first->cpu, ==, TB_CAPTURE_CPU_NONE);
  g_assert_cmpuint (first->lost.count, ==, 2);
  g_assert_cmpuint (first->lost.from, ==, START + 100);
  g_assert_cmpuint (first->time, ==, START + 200);
  g_assert_cmpuint (second->lost.count, ==, 3);
  g_assert_cmpuint (second->lost.from, ==, START + 300);
  g_assert_cmpuint (second->time, ==, START + 400);
  g_assert_null (find_nth (self, TB_CAPTURE_LOST, 2));
}

/* Registers and stack are sent as one piece with as many bytes as were read. An invalid dump is
 * dropped. */
static void
test_dump (Fixture *self, gconstpointer data)
{
  struct
  {
    TbBpfDump dump;
    guint64 words[4];
  } in
      = { .dump = { .header = make_header (TB_BPF_DUMP, 0), .size = 24 }, .words = { 1, 2, 3, 4 } };
  const TbCaptureRecord *decoded_record;

  in.dump.registers[7] = 0x7000;
  translate (self, &in, sizeof in);
  in.dump.size = 33;
  translate (self, &in, sizeof in);
  g_assert_cmpuint (self->bpf.n_invalid, ==, 1);
  in.dump.size = 8;
  in.dump.skipped = TB_BPF_MAX_HOLE + 1;
  translate (self, &in, sizeof in);
  g_assert_cmpuint (self->bpf.n_invalid, ==, 2);
  in.dump.skipped = 4088;
  translate (self, &in, sizeof in);
  in.dump.header.pid = self->agent.own_pid;
  translate (self, &in, sizeof in);
  decode (self);
  decoded_record = find_nth (self, TB_CAPTURE_DUMP, 1);
  g_assert_nonnull (decoded_record);
  g_assert_cmpuint (decoded_record->dump.skipped, ==, 4088);
  g_assert_cmpuint (decoded_record->tail_length, ==, sizeof in.dump.registers + 8);
  decoded_record = find_nth (self, TB_CAPTURE_DUMP, 0);
  g_assert_nonnull (decoded_record);
  g_assert_cmpuint (decoded_record->dump.skipped, ==, 0);
  g_assert_null (find_nth (self, TB_CAPTURE_DUMP, 2));
  g_assert_cmpuint (decoded_record->dump.registers, ==, TB_BPF_DUMP_MASK);
  g_assert_cmpint (decoded_record->dump.tid, ==, TASK);
  g_assert_cmpuint (decoded_record->tail_length, ==, sizeof in.dump.registers + 24);
  g_assert_cmpmem (decoded_record->tail, decoded_record->tail_length, in.dump.registers,
                   sizeof in.dump.registers + 24);
}

static void
test_sleep (Fixture *self, gconstpointer data)
{
  TbBpfSleepSwitch record
      = { .base = { make_header (TB_BPF_SWITCH, TB_BPF_HAS_SLEEP), OTHER, OTHER, 1, 0, { 0 } } };
  const TbCaptureRecord *first, *second;

  record.sleep = (TbBpfSleep) { .args = { 3, 0 },
                                .number = SYS_read,
                                .object_kind = TB_BPF_OBJECT_SOCKET,
                                .mode = S_IFSOCK,
                                .family = AF_INET,
                                .known = TB_BPF_NET_HAS_REMOTE,
                                .remote_port = 5432,
                                .remote = { 10, 0, 0, 7 } };
  translate (self, &record, sizeof record);
  translate (self, &record, sizeof record);
  record.sleep = (TbBpfSleep) { .args = { 0x7000, FUTEX_WAIT },
                                .number = SYS_futex,
                                .timeout_state = TB_BPF_TIMEOUT_GIVEN,
                                .timeout = 1500 };
  translate (self, &record, sizeof record);
  decode (self);
  first = find_nth (self, TB_CAPTURE_SLEEP, 0);
  second = find_nth (self, TB_CAPTURE_SLEEP, 1);
  g_assert_true (first != NULL && second != NULL && find_nth (self, TB_CAPTURE_SLEEP, 2) == NULL);
  g_assert_cmpuint (first->sleep.kind, ==, TB_CAPTURE_SLEEP_SOCKET);
  g_assert_cmpuint (first->sleep.number, ==, SYS_read);
  g_assert_cmpuint (first->sleep.timeout, ==, TB_CAPTURE_TIMEOUT_NONE);
  g_assert_cmpmem (find_nth (self, TB_CAPTURE_STRING, first->sleep.object - 1)->tail,
                   find_nth (self, TB_CAPTURE_STRING, first->sleep.object - 1)->tail_length,
                   "10.0.0.7:5432", 13);
  g_assert_cmpuint (second->sleep.kind, ==, TB_CAPTURE_SLEEP_SHARED_LOCK);
  g_assert_cmpuint (second->sleep.address, ==, 0x7000);
  g_assert_cmpuint (second->sleep.timeout, ==, 1500);
  g_assert_cmpuint (first->sleep.operation, ==, 0);
  g_assert_cmpuint (second->sleep.operation, ==, 1 + FUTEX_WAIT);
  g_assert_cmpuint (find_nth (self, TB_CAPTURE_SWITCH, 1)->sched_switch.sleep, ==, first->sleep.id);
  g_assert_cmpuint (find_nth (self, TB_CAPTURE_SWITCH, 2)->sched_switch.sleep, ==,
                    second->sleep.id);
}

/* Only the commands of fcntl() that wait for a lock are waits for one. */
static void
test_file_locks (Fixture *self, gconstpointer data)
{
  static const struct
  {
    guint32 number;
    guint32 operation;
    guint kind;
  } cases[] = {
    { SYS_fcntl, F_SETLKW, TB_CAPTURE_SLEEP_FILE_LOCK },
    { SYS_fcntl, 38 /* F_OFD_SETLKW */, TB_CAPTURE_SLEEP_FILE_LOCK },
    { SYS_fcntl, F_SETLK, TB_CAPTURE_SLEEP_FILE },
    { SYS_fcntl, F_SETLEASE, TB_CAPTURE_SLEEP_FILE },
    { SYS_flock, LOCK_EX, TB_CAPTURE_SLEEP_FILE_LOCK },
  };
  TbBpfSleepSwitch record
      = { .base = { make_header (TB_BPF_SWITCH, TB_BPF_HAS_SLEEP), OTHER, OTHER, 1, 0, { 0 } } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      record.sleep = (TbBpfSleep) { .args = { 3, cases[i].operation },
                                    .number = cases[i].number,
                                    .object_kind = TB_BPF_OBJECT_FILE,
                                    .mode = S_IFREG };
      translate (self, &record, sizeof record);
    }
  decode (self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TbCaptureRecord *found = find_nth (self, TB_CAPTURE_SLEEP, i);

      g_assert_nonnull (found);
      g_assert_cmpuint (found->sleep.kind, ==, cases[i].kind);
      g_assert_cmpuint (found->sleep.operation, ==, 1 + cases[i].operation);
    }
}

/* A poll of no descriptors is a sleep. If it has no timeout either, only a signal ends it. */
static void
test_empty_sets (Fixture *self, gconstpointer data)
{
  static const struct
  {
    guint32 number;
    guint64 set;
    guint8 timeout;
    guint kind;
    guint64 address;
  } cases[] = {
    { SYS_pselect6, TB_BPF_EMPTY_SET, TB_BPF_TIMEOUT_GIVEN, TB_CAPTURE_SLEEP_TIME, 0 },
    { SYS_ppoll, TB_BPF_EMPTY_SET, TB_BPF_TIMEOUT_UNREADABLE, TB_CAPTURE_SLEEP_TIME, 0 },
    { SYS_ppoll, TB_BPF_EMPTY_SET, TB_BPF_TIMEOUT_NONE, TB_CAPTURE_SLEEP_SIGNAL, 0 },
    { SYS_pselect6, 0 /* unknown */, TB_BPF_TIMEOUT_GIVEN, TB_CAPTURE_SLEEP_POLL, 0 },
    { SYS_pselect6, 4711, TB_BPF_TIMEOUT_GIVEN, TB_CAPTURE_SLEEP_POLL, 4711 },
    /* an operation of another call with that value */
    { SYS_futex, TB_BPF_EMPTY_SET, TB_BPF_TIMEOUT_GIVEN, TB_CAPTURE_SLEEP_SHARED_LOCK, 1 },
  };
  TbBpfSleepSwitch record
      = { .base = { make_header (TB_BPF_SWITCH, TB_BPF_HAS_SLEEP), OTHER, OTHER, 1, 0, { 0 } } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      record.sleep = (TbBpfSleep) { .args = { cases[i].set, FUTEX_WAIT },
                                    .number = cases[i].number,
                                    .timeout_state = cases[i].timeout,
                                    .timeout = 1000 + i };
      translate (self, &record, sizeof record);
    }
  decode (self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TbCaptureRecord *found = find_nth (self, TB_CAPTURE_SLEEP, i);

      g_test_message ("%u", i);
      g_assert_nonnull (found);
      g_assert_cmpuint (found->sleep.kind, ==, cases[i].kind);
      g_assert_cmpuint (found->sleep.address, ==, cases[i].address);
    }
}

/* Random bytes of any length: nothing beyond them is read, and the stream stays valid. */
static void
test_hostile (Fixture *self, gconstpointer data)
{
  for (guint round = 0; round < 20000; round++)
    {
      guint64 record[96];
      gsize size = (gsize) g_test_rand_int_range (0, sizeof record + 1);
      TbBpfHeader *header = (TbBpfHeader *) (gpointer) record;
      gboolean sparse = g_test_rand_bit ();

      for (guint i = 0; i < G_N_ELEMENTS (record); i++)
        {
          guint64 word
              = (guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

          /* Small numbers are more often valid lengths and kinds. */
          record[i] = sparse ? word & 0x0000000700000007 : word;
        }
      header->time = START + 1 + round;
      header->type = (u16) g_test_rand_int_range (0, 32);
      translate (self, record, size);
    }
  decode (self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-bpf-translate/states", test_states);
#define ADD(name)                                                                                  \
  g_test_add ("/agent-bpf-translate/" #name, Fixture, NULL, set_up, test_##name, tear_down)
  ADD (stacks);
  ADD (stack_generations);
  ADD (lost);
  ADD (lost_outside);
  ADD (skipped_runs);
  ADD (dump);
  ADD (sleep);
  ADD (empty_sets);
  ADD (file_locks);
  ADD (hostile);
  return g_test_run ();
}
