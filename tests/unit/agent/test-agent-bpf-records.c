/* test-agent-bpf-records.c: test of the agent's handling of synthetic and invalid records of BPF
 * programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "capture/tb-capture-decoder.h"

#define START 1000
#define MAX_TID 4194304
#define TID 4194001
#define PID 4194000

typedef struct
{
  TbAgent agent;
  TbAgentBpf bpf;
  TbAgentBpfCpu cpu;
  int file;
  GPtrArray *strings;
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

  self->file = memfd_create ("records", MFD_CLOEXEC);
  self->cpu.shown = -1;
  agent->header.n_cpus = 1;
  agent->header.backend = TB_CAPTURE_BACKEND_BPF;
  agent->system_allowed = 1;
  agent->start_time = START;
  agent->end_time = G_MAXINT64;
  agent->tracefs = -1;
  agent->running = 1;
  agent->bpf = &self->bpf;
  agent->backend = &backend;
  agent->tasks.announced = g_malloc0 (MAX_TID / 8);
  self->bpf.cpus = &self->cpu;
  agent->output = tb_agent_output_new (self->file, G_MAXSIZE, 0);
  tb_agent_modules_init (&agent->modules, agent->output);
  tb_agent_output_put_header (agent->output, &agent->header);
  self->strings = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->strings, g_strdup (""));
  self->records = g_array_new (FALSE, FALSE, sizeof (TbCaptureRecord));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  TbAgentMap *const maps[]
      = { &self->agent.target.outsiders, &self->agent.sockets,  &self->agent.block_devices,
          &self->agent.irq_devices,      &self->bpf.unix_names, &self->bpf.mark_texts,
          &self->bpf.mark_places };

  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    tb_agent_map_clear (maps[i]);
  tb_agent_map_clear (&self->agent.tasks.unannounced);
  tb_agent_map_clear (&self->agent.target.processes);
  tb_agent_map_clear (&self->agent.tasks.new_programs);
  g_free (self->agent.tasks.announced);
  tb_agent_bpf_stacks_clear (&self->bpf.stacks);
  tb_agent_files_clear (&self->bpf.files);
  tb_agent_address_map_clear (&self->bpf.places);
  tb_agent_sleeps_clear (&self->bpf.sleeps);
  tb_agent_modules_clear (&self->agent.modules);
  tb_agent_stack_dumps_clear (&self->agent.dumps);
  g_ptr_array_unref (self->strings);
  g_array_unref (self->records);
  close (self->file);
}

static void
take (Fixture *self, const void *record, gsize size)
{
  g_autofree guint64 *copy = g_malloc0 (size + 8);

  memcpy (copy, record, size);
  tb_agent_bpf_translate (&self->agent, &self->cpu, (const guint8 *) copy, size);
}

/* Collects the events that were written. */
static void
finish (Fixture *self)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);

  tb_agent_output_close (self->agent.output);
  g_assert_cmpint (lseek (self->file, 0, SEEK_SET), ==, 0);
  for (;;)
    {
      TbCaptureRecord record;
      TbCaptureResult result = tb_capture_decoder_next (decoder, &record);
      gsize space;
      gssize got;
      void *to;

      if (result == TB_CAPTURE_DAMAGED)
        g_error ("%s", tb_capture_decoder_get_error (decoder));
      if (result == TB_CAPTURE_RECORD && record.type == TB_CAPTURE_STRING)
        g_ptr_array_add (self->strings, g_strndup ((const char *) record.tail, record.tail_length));
      if (result == TB_CAPTURE_RECORD && record.type >= TB_CAPTURE_SWITCH
          && record.type < TB_CAPTURE_FLUSH)
        g_array_append_val (self->records, record);
      if (result != TB_CAPTURE_MORE)
        continue;
      to = tb_capture_decoder_get_space (decoder, &space);
      got = read (self->file, to, space);
      if (got <= 0)
        break;
      tb_capture_decoder_commit (decoder, got);
    }
  g_assert_false (tb_capture_decoder_has_partial (decoder));
  tb_capture_decoder_free (decoder);
}

static const TbCaptureRecord *
get (Fixture *self, guint i)
{
  g_assert_cmpuint (i, <, self->records->len);
  return &g_array_index (self->records, TbCaptureRecord, i);
}

static const char *
get_text (Fixture *self, guint32 id)
{
  g_assert_cmpuint (id, <, self->strings->len);
  return g_ptr_array_index (self->strings, id);
}

static TbBpfHeader
make_header (guint type)
{
  return (TbBpfHeader) {
    .time = START + 5, .type = type, .flags = TB_BPF_IS_TARGET, .tid = TID, .pid = PID
  };
}

/* --- paths of files --- */

static const char mountinfo[] = "22 27 0:21 / /proc rw - proc proc rw\n"
                                "27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                                "30 27 8:1 /srv/data /data rw - ext4 /dev/sda1 rw\n"
                                "31 27 8:2 / /mnt/a\\040disk rw - ext4 /dev/sda2 rw\n"
                                "32 27 8:3 /inside /only rw - ext4 /dev/sda3 rw\n"
                                "nonsense\n"
                                "33 27 8:x / /bad rw\n"
                                "34 27 8:4";

static void
test_locate (void)
{
  static const struct
  {
    guint device;
    const char *path;
    const char *place;
  } cases[] = {
    { 8 << 20 | 1, "/etc/passwd", "/etc/passwd" },
    { 8 << 20 | 1, "/srv/data/x", "/data/x" },
    { 8 << 20 | 1, "/srv/data", "/data" },
    { 8 << 20 | 1, "/srv/database", "/srv/database" },
    { 8 << 20 | 2, "/f", "/mnt/a disk/f" },
    { 8 << 20 | 3, "/inside/f", "/only/f" },
    { 8 << 20 | 3, "/outside/f", NULL },
    { 8 << 20 | 4, "/f", NULL },
    { 9 << 20 | 9, "/f", NULL },
  };
  char place[8192];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      place[0] = '\0';
      if (cases[i].place == NULL)
        g_assert_false (
            tb_agent_files_locate (mountinfo, cases[i].device, cases[i].path, place, sizeof place));
      else
        {
          g_assert_true (tb_agent_files_locate (mountinfo, cases[i].device, cases[i].path, place,
                                                sizeof place));
          g_assert_cmpstr (place, ==, cases[i].place);
        }
    }
}

/* Device of the tests' root file system; FALSE if it is unknown. */
static gboolean
find_root_device (guint *device)
{
  g_autofree char *text = NULL;
  char place[8192];

  if (!g_file_get_contents ("/proc/self/mountinfo", &text, NULL, NULL))
    return FALSE;
  for (guint major = 0; major < 512; major++)
    for (guint minor = 0; minor < 512; minor++)
      if (tb_agent_files_locate (text, major << 20 | minor, "/b/a", place, sizeof place))
        {
          *device = major << 20 | minor;
          return TRUE;
        }
  return FALSE;
}

static void
add_file (Fixture *self,
          guint64 inode,
          guint device,
          const char *names,
          gsize length,
          guint32 given_length)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  TbBpfFile file = { .header = make_header (TB_BPF_FILE),
                     .file = { inode, device, 3 },
                     .length = given_length };

  g_byte_array_append (bytes, (const guint8 *) &file, sizeof file);
  g_byte_array_append (bytes, (const guint8 *) names, length);
  take (self, bytes->data, bytes->len);
}

static void
add_request (Fixture *self,
             guint type,
             guint64 inode,
             guint device,
             guint operation,
             guint io_flags,
             guint bytes)
{
  TbBpfIo io = { .header = make_header (type),
                 .sector = 77,
                 .bytes = bytes,
                 .device = 8 << 20 | 1,
                 .operation = operation,
                 .io_flags = io_flags,
                 .file = { inode, device, 3 } };

  take (self, &io, sizeof io);
}

static void
test_io (Fixture *self, gconstpointer data)
{
  guint device;

  if (!find_root_device (&device))
    {
      g_test_skip ("No file system is mounted here");
      finish (self);
      return;
    }
  add_file (self, 10, device, "a\0b", 4, 4);
  add_file (self, 11, device, "a\0b", 4, 3);      /* its end is missing */
  add_file (self, 12, device, "a\0\0b", 5, 5);    /* one component without a name */
  add_file (self, 13, device, "a/x\0b", 6, 6);    /* two components in one */
  add_file (self, 14, device, "a\0b", 4, 4096);   /* more than there is */
  add_file (self, 15, 4095u << 20, "a\0b", 4, 4); /* no such mount */
  for (guint inode = 9; inode <= 15; inode++)
    add_request (self, TB_BPF_IO_ISSUE, inode, inode == 15 ? 4095u << 20 : device, 1,
                 TB_BPF_IO_SYNC, 4096);
  add_request (self, TB_BPF_IO_INSERT, 0, 0, 0, TB_BPF_IO_AHEAD | TB_BPF_IO_META, 4096);
  add_request (self, TB_BPF_IO_COMPLETE, 0, 0, 1, TB_BPF_IO_PREFLUSH | TB_BPF_IO_FUA, 0);
  add_request (self, TB_BPF_IO_COMPLETE, 0, 0, 1, 0, 0); /* only waited for a flush */
  add_request (self, TB_BPF_IO_ISSUE, 0, 0, 34, 0, 36);
  finish (self);

  g_assert_cmpuint (self->records->len, ==, 7 + 3);
  for (guint i = 0; i < 7; i++)
    {
      const TbCaptureRecord *record = get (self, i);

      g_assert_cmpuint (record->type, ==, TB_CAPTURE_IO_ISSUE);
      g_assert_cmpint (record->io.tid, ==, TID);
      g_assert_cmpint (record->io.pid, ==, PID);
      g_assert_cmpuint (record->io.sector, ==, 77);
      g_assert_cmpuint (record->io.bytes, ==, 4096);
      g_assert_cmpstr (get_text (self, record->io.operation), ==, "WS");
      if (i == 1)
        g_assert_true (g_str_has_suffix (get_text (self, record->io.file), "/b/a"));
      else
        g_assert_cmpuint (record->io.file, ==, 0);
    }
  g_assert_cmpstr (get_text (self, get (self, 7)->io.operation), ==, "RAM");
  g_assert_cmpstr (get_text (self, get (self, 8)->io.operation), ==, "FWF");
  g_assert_cmpstr (get_text (self, get (self, 9)->io.operation), ==, "N");
  g_assert_cmpuint (get (self, 9)->io.sector, ==, 0);
}

/* --- locks of files --- */

static void
test_file_locks (Fixture *self, gconstpointer data)
{
  TbBpfFileLock lock = { .header = make_header (TB_BPF_FILE_LOCK),
                         .file = { 10, 8u << 20 | 1, 3 },
                         .owner = 77,
                         .from = 1,
                         .to = G_MAXINT64,
                         .mode = TB_CAPTURE_LOCK_EXCLUSIVE,
                         .call = TB_BPF_LOCK_FCNTL,
                         .result = TB_BPF_LOCK_REFUSED };
  const TbCaptureFileLock *found;

  take (self, &lock, sizeof lock);
  take (self, &lock, sizeof lock - 8);
  lock.mode = TB_CAPTURE_N_LOCK_MODES;
  take (self, &lock, sizeof lock);
  lock.mode = TB_CAPTURE_LOCK_RELEASE;
  lock.result = TB_BPF_LOCK_FAILED + 1;
  take (self, &lock, sizeof lock);
  lock.result = TB_BPF_LOCK_DONE;
  lock.call = TB_BPF_LOCK_FCNTL + 1;
  take (self, &lock, sizeof lock);
  lock.call = TB_BPF_LOCK_FLOCK;
  lock.file.inode = 0;
  take (self, &lock, sizeof lock);
  finish (self);

  g_assert_cmpuint (self->records->len, ==, 2);
  found = &get (self, 0)->file_lock;
  g_assert_cmpuint (get (self, 0)->type, ==, TB_CAPTURE_FILE_LOCK);
  g_assert_cmpint (found->tid, ==, TID);
  g_assert_cmpint (found->pid, ==, PID);
  g_assert_cmpuint (found->owner, ==, 77);
  g_assert_cmpuint (found->from, ==, 1);
  g_assert_cmpuint (found->to, ==, G_MAXINT64);
  g_assert_cmpuint (found->mode, ==, TB_CAPTURE_LOCK_EXCLUSIVE);
  g_assert_cmpuint (found->call, ==, TB_CAPTURE_LOCK_FCNTL);
  g_assert_cmpuint (found->result, ==, TB_CAPTURE_LOCK_REFUSED);
  g_assert_cmpstr (get_text (self, found->file), ==, "file:[8:1:10]");
  found = &get (self, 1)->file_lock;
  g_assert_cmpuint (found->mode, ==, TB_CAPTURE_LOCK_RELEASE);
  g_assert_cmpuint (found->call, ==, TB_CAPTURE_LOCK_FLOCK);
  g_assert_cmpuint (found->result, ==, TB_CAPTURE_LOCK_DONE);
  g_assert_cmpuint (found->file, ==, 0);
}

/* --- network --- */

static void
test_network (Fixture *self, gconstpointer data)
{
  TbBpfNetwork message = { .header = make_header (TB_BPF_NETWORK),
                           .socket = 0x1234,
                           .bytes = 99,
                           .local = { 10, 0, 0, 1 },
                           .remote = { 192, 168, 1, 2 },
                           .local_port = 80,
                           .remote_port = 4711,
                           .family = AF_INET,
                           .protocol = 6,
                           .kind = TB_CAPTURE_NET_RECEIVE,
                           .known = TB_BPF_NET_HAS_LOCAL };
  TbBpfUnixNames names = {
    .header = make_header (TB_BPF_UNIX_NAMES), .socket = 0x99, .local_length = 4, .remote_length = 9
  };

  take (self, &message, sizeof message);
  message.known = TB_BPF_NET_HAS_LOCAL | TB_BPF_NET_HAS_REMOTE;
  message.protocol = 17;
  message.header.flags |= TB_BPF_IN_SOFTIRQ;
  take (self, &message, sizeof message);
  message.family = AF_INET6;
  memset (message.local, 0, 16);
  message.local[15] = 1;
  memset (message.remote, 0, 16);
  memcpy (message.remote + 10, "\xff\xff\x0a\x00\x00\x07", 6);
  take (self, &message, sizeof message);
  message.kind = 4; /* no such kind */
  take (self, &message, sizeof message);
  message.kind = TB_CAPTURE_NET_SEND;
  take (self, &message, sizeof message - 8); /* truncated */
  memcpy (names.local, "\0abc", 4);
  memcpy (names.remote, "/run/x\0zz", 9);
  take (self, &names, sizeof names);
  message.family = AF_UNIX;
  message.socket = 0x99;
  take (self, &message, sizeof message);
  names.local_length = names.remote_length = 4000;
  take (self, &names, sizeof names);
  take (self, &message, sizeof message);
  message.header.time = START - 1; /* before the recording */
  take (self, &message, sizeof message);
  finish (self);

  g_assert_cmpuint (self->records->len, ==, 5);
  g_assert_cmpstr (get_text (self, get (self, 0)->network.local), ==, "10.0.0.1:80");
  g_assert_cmpuint (get (self, 0)->network.remote, ==, 0);
  g_assert_cmpstr (get_text (self, get (self, 0)->network.protocol), ==, "tcp");
  g_assert_cmpuint (get (self, 0)->flags, ==, 0);
  g_assert_cmpstr (get_text (self, get (self, 1)->network.remote), ==, "192.168.1.2:4711");
  g_assert_cmpstr (get_text (self, get (self, 1)->network.protocol), ==, "udp");
  g_assert_cmpuint (get (self, 1)->flags, ==, TB_CAPTURE_IN_SOFTIRQ);
  g_assert_cmpstr (get_text (self, get (self, 2)->network.local), ==, "[::1]:80");
  g_assert_cmpstr (get_text (self, get (self, 2)->network.remote), ==, "10.0.0.7:4711");
  g_assert_cmpstr (get_text (self, get (self, 3)->network.protocol), ==, "unix");
  g_assert_cmpstr (get_text (self, get (self, 3)->network.local), ==, "@abc");
  g_assert_cmpstr (get_text (self, get (self, 3)->network.remote), ==, "/run/x");
  g_assert_cmpuint (get (self, 4)->network.local, ==, 0);
}

/* --- interrupts --- */

static void
test_interrupts (Fixture *self, gconstpointer data)
{
  TbBpfIrq irq
      = { .interrupt = { .header = make_header (TB_BPF_IRQ), .entered = START + 1, .number = 33 },
          .name = "virtio9-input" };
  TbBpfInterrupt soft
      = { .header = make_header (TB_BPF_SOFTIRQ), .entered = START - 5, .number = 3 };
  TbBpfInterrupt timer = { .header = make_header (TB_BPF_TIMER), .entered = 0, .number = 236 };

  take (self, &irq, sizeof irq);
  take (self, &soft, sizeof soft);   /* began before the recording */
  take (self, &timer, sizeof timer); /* this one too, at an unknown time */
  soft.entered = G_MAXUINT64;        /* after its end */
  take (self, &soft, sizeof soft);
  take (self, &soft, sizeof soft - 8);
  memset (irq.name, 'x', sizeof irq.name); /* no terminator */
  take (self, &irq, sizeof irq);
  take (self, &irq, sizeof irq.interrupt); /* no name at all */
  finish (self);

  g_assert_cmpuint (self->records->len, ==, 6);
  g_assert_cmpuint (get (self, 0)->type, ==, TB_CAPTURE_IRQ_EXIT);
  g_assert_cmpuint (get (self, 0)->irq.irq, ==, 33);
  g_assert_cmpuint (get (self, 0)->irq.kind, ==, TB_CAPTURE_IRQ_HARD);
  g_assert_cmpuint (get (self, 0)->irq.entered, ==, START + 1);
  g_assert_cmpstr (get_text (self, get (self, 0)->irq.name), ==, "virtio9-input");
  g_assert_cmpuint (get (self, 1)->type, ==, TB_CAPTURE_SOFTIRQ_EXIT);
  g_assert_cmpuint (get (self, 1)->softirq.vector, ==, 3);
  g_assert_cmpuint (get (self, 1)->softirq.entered, ==, START);
  g_assert_cmpuint (get (self, 2)->irq.kind, ==, TB_CAPTURE_IRQ_TIMER);
  g_assert_cmpuint (get (self, 2)->irq.entered, ==, 0);
  g_assert_cmpuint (get (self, 3)->softirq.entered, ==, get (self, 3)->time);
  g_assert_cmpuint (strlen (get_text (self, get (self, 4)->irq.name)), ==, sizeof irq.name);
  g_assert_cmpuint (get (self, 5)->irq.name, ==, 0);
  g_assert_cmpuint (self->bpf.n_invalid, ==, 1);
}

static gboolean
has_arguments (const char *stream, gsize length, const char *const *arguments)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint i = 0; arguments[i] != NULL; i++)
    g_byte_array_append (bytes, (const guint8 *) arguments[i], strlen (arguments[i]) + 1);
  return memmem (stream, length, bytes->data, bytes->len) != NULL;
}

/* Counters without events are reported for each CPU that has any. */
static void
test_counters (Fixture *self, gconstpointer data)
{
  g_autofree TbBpfCpu *cpus = g_new0 (TbBpfCpu, 2);
  g_autofree char *written = NULL;
  /* The CPU, the threshold for short interrupts, then each vector with its count and total time. */
  static const char *const softirqs[]
      = { "1", "20000", "3", "1234", "5600000", "15", "1", "1000", NULL };
  static const char *const arrivals[] = { "1", "77", NULL };
  static const char *const of_other_cpu[] = { "0", "20000", NULL };
  gsize length;

  self->agent.header.n_cpus = 2;
  self->bpf.kernel_cpus = cpus;
  self->bpf.shared.config.short_softirq = 20000;
  cpus[1].softirq_counters[3] = (TbBpfCounter) { 1234, 5600000 };
  cpus[1].softirq_counters[15] = (TbBpfCounter) { 1, 1000 };
  cpus[1].n_lone_arrivals = 77;
  tb_agent_bpf_report_counters (&self->agent);
  finish (self);
  length = (gsize) lseek (self->file, 0, SEEK_END);
  written = g_malloc (length);
  g_assert_cmpint (pread (self->file, written, length, 0), ==, length);
  self->bpf.kernel_cpus = NULL;

  g_assert_false (has_arguments (written, length, of_other_cpu));
  g_assert_true (has_arguments (written, length, softirqs));
  g_assert_true (has_arguments (written, length, arrivals));
}

/* --- calls --- */

static void
test_calls (Fixture *self, gconstpointer data)
{
  struct
  {
    TbBpfCall call;
    guint64 words[3];
  } probed = {
    { .header = make_header (TB_BPF_CALL), .site = 0x4000, .probe = 9, .stack = { 0x55, 3, 0 } },
    { TB_BPF_CONTEXT_USER, 0x1000, 0x4000 }
  };
  TbBpfSysCall whole
      = { .header = make_header (TB_BPF_SYS_CALL), .entered = START + 1, .number = 202 };
  TbBpfSample sample
      = { .header = make_header (TB_BPF_SAMPLE), .weight = 1001001, .stack = { 0x55, 0, 0 } };

  take (self, &probed, sizeof probed);
  take (self, &sample, sizeof sample); /* the same stack by its ID alone */
  probed.call.header.type = TB_BPF_RETURN;
  probed.call.entered = START - 500; /* before the recording */
  take (self, &probed, sizeof probed);
  probed.call.entered = START + 1000; /* after its end */
  take (self, &probed, sizeof probed);
  probed.call.entered = 0;
  probed.call.stack.n_words = 4; /* more words than there are */
  take (self, &probed, sizeof probed);
  probed.call.stack.n_words = G_MAXUINT32;
  take (self, &probed, sizeof probed);
  whole.args[5] = 6;
  whole.result = (guint64) -11;
  take (self, &whole, sizeof whole);
  whole.entered = START + 6;
  take (self, &whole, sizeof whole);
  sample.stack.id = 0x77; /* unknown stack */
  take (self, &sample, sizeof sample);
  finish (self);

  g_assert_cmpuint (self->records->len, ==, 5);
  g_assert_cmpuint (get (self, 0)->type, ==, TB_CAPTURE_CALL);
  g_assert_cmpuint (get (self, 0)->call.site, ==, 0x4000);
  g_assert_cmpuint (get (self, 0)->call.probe, ==, 9);
  g_assert_cmpuint (get (self, 0)->call.stack, ==, 1);
  g_assert_cmpuint (get (self, 1)->sample.stack, ==, 1);
  g_assert_cmpuint (get (self, 1)->sample.weight, ==, 1001001);
  g_assert_cmpuint (get (self, 2)->type, ==, TB_CAPTURE_RETURN);
  g_assert_cmpuint (get (self, 2)->call.entered, ==, START);
  g_assert_cmpuint (get (self, 3)->type, ==, TB_CAPTURE_SYS_CALL);
  g_assert_cmpuint (get (self, 3)->sys_call.entered, ==, START + 1);
  g_assert_cmpuint (get (self, 3)->sys_call.args[5], ==, 6);
  g_assert_cmpint ((gint64) get (self, 3)->sys_call.result, ==, -11);
  g_assert_cmpuint (get (self, 4)->sample.stack, ==, 0);
}

/* A call that is recorded late, or ends after the recording, must have its real start time. */
static void
test_open_calls (Fixture *self, gconstpointer data)
{
  g_autofree TbBpfCpu *cpus = g_new0 (TbBpfCpu, 1);
  TbBpfSysEnter enter
      = { .header = make_header (TB_BPF_SYS_ENTER), .entered = START + 2, .number = 1 };
  TbBpfSysCall whole
      = { .header = make_header (TB_BPF_SYS_CALL), .entered = START + 3, .number = 2 };
  guint64 end = START + 1000;

  self->agent.end_time = end;
  enter.args[5] = 6;
  take (self, &enter, sizeof enter);
  enter.entered = enter.header.time; /* recorded at once */
  take (self, &enter, sizeof enter);
  enter.entered++; /* recorded later */
  take (self, &enter, sizeof enter);
  enter.entered = START - 1; /* before the recording */
  take (self, &enter, sizeof enter);
  enter.header.time = end + 5;
  enter.entered = end; /* recorded after it */
  take (self, &enter, sizeof enter);
  enter.entered = end + 1;
  take (self, &enter, sizeof enter);
  whole.header.time = end + 5;
  take (self, &whole, sizeof whole);
  whole.entered = end + 1;
  take (self, &whole, sizeof whole);
  cpus->open_call = (TbBpfOpenCall) { .entered = START + 4, .tid = 10, .pid = 10, .number = 3 };
  self->bpf.kernel_cpus = cpus;
  tb_agent_bpf_emit_open_calls (&self->agent);
  self->bpf.kernel_cpus = NULL;
  finish (self);

  g_assert_cmpuint (self->records->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpuint (get (self, i)->type, ==, TB_CAPTURE_SYS_ENTER);
  g_assert_cmpuint (get (self, 0)->sys_enter.entered, ==, START + 2);
  g_assert_cmpuint (get (self, 0)->sys_enter.args[5], ==, 6);
  g_assert_cmpuint (get (self, 1)->sys_enter.entered, ==, 0);
  g_assert_cmpuint (get (self, 2)->sys_enter.entered, ==, 0);
  g_assert_cmpuint (get (self, 2)->time, ==, end);
  g_assert_cmpuint (get (self, 3)->sys_enter.entered, ==, START + 3);
  g_assert_cmpuint (get (self, 3)->time, ==, end);
  g_assert_cmpuint (get (self, 4)->sys_enter.entered, ==, START + 4);
  g_assert_cmpuint (get (self, 4)->sys_enter.number, ==, 3);
  g_assert_cmpuint (get (self, 4)->time, ==, end);
}

/* Records of other users' processes are not sent to a client that may not see them. */
static void
test_other_users (Fixture *self, gconstpointer data)
{
  TbBpfNetwork message = { .header = make_header (TB_BPF_NETWORK), .family = AF_INET };
  TbBpfIo io = { .header = make_header (TB_BPF_IO_ISSUE), .file = { 10, 1, 3 }, .device = 8 << 20 };

  self->agent.target.is_filtered = 1;
  self->agent.system_allowed = 0;
  message.header.flags = io.header.flags = 0;
  take (self, &message, sizeof message);
  take (self, &io, sizeof io);
  finish (self);
  g_assert_cmpuint (self->records->len, ==, 1);
  g_assert_cmpint (get (self, 0)->io.tid, ==, -1);
  g_assert_cmpuint (get (self, 0)->io.file, ==, 0);
}

/* Random bytes: records of every type, truncated anywhere, with random members. */
static void
test_hostile (Fixture *self, gconstpointer data)
{
  guint8 record[512];

  for (guint round = 0; round < 20000; round++)
    {
      TbBpfHeader header = make_header (g_test_rand_int_range (0, TB_BPF_UNKNOWN_FILE + 2));
      gsize size = g_test_rand_int_range (0, 64) * 8;

      for (guint i = 0; i < sizeof record; i++)
        record[i] = g_test_rand_int_range (0, 3) == 0 ? g_test_rand_int () : 0;
      header.flags = g_test_rand_int ();
      memcpy (record, &header, sizeof header);
      take (self, record, size);
    }
  finish (self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/bpf-records/locate", test_locate);
  g_test_add ("/agent/bpf-records/io", Fixture, NULL, set_up, test_io, tear_down);
  g_test_add ("/agent/bpf-records/file-locks", Fixture, NULL, set_up, test_file_locks, tear_down);
  g_test_add ("/agent/bpf-records/network", Fixture, NULL, set_up, test_network, tear_down);
  g_test_add ("/agent/bpf-records/interrupts", Fixture, NULL, set_up, test_interrupts, tear_down);
  g_test_add ("/agent/bpf-records/omitted", Fixture, NULL, set_up, test_counters, tear_down);
  g_test_add ("/agent/bpf-records/calls", Fixture, NULL, set_up, test_calls, tear_down);
  g_test_add ("/agent/bpf-records/open-calls", Fixture, NULL, set_up, test_open_calls, tear_down);
  g_test_add ("/agent/bpf-records/others", Fixture, NULL, set_up, test_other_users, tear_down);
  g_test_add ("/agent/bpf-records/hostile", Fixture, NULL, set_up, test_hostile, tear_down);
  return g_test_run ();
}
