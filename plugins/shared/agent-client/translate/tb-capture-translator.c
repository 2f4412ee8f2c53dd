/* tb-capture-translator.c: translation of the capture stream of tailback-agent (definitions,
 * events) into events of the recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/schema/tb-interface.h"
#include "tb-capture-arena.h"
#include "tb-capture-dumps.h"
#include "symbols/tb-syscall-names.h"
#include "tb-capture-translator.h"

/* Limited, because it is stored as a fact of the session. */
#define MAX_SYMBOL_TEXT (4u << 20)

/* Values are passed on unchanged. */
G_STATIC_ASSERT ((guint) TB_CAPTURE_SLEEP_LOCK == (guint) TB_SLEEP_LOCK);
G_STATIC_ASSERT ((guint) TB_CAPTURE_SLEEP_TIME == (guint) TB_SLEEP_TIMED);
G_STATIC_ASSERT ((guint) TB_CAPTURE_SLEEP_FAULT == (guint) TB_SLEEP_FAULT);
G_STATIC_ASSERT ((guint) TB_CAPTURE_N_SLEEPS == (guint) TB_N_SLEEPS);

typedef struct
{
  const guint64 *chain;
  guint n;
} Chain;

typedef struct
{
  guint32 path; /* string id of the stream; 0: no file */
  guint32 build_id_length;
  guint8 build_id[64];
} File;

typedef struct
{
  guint32 name; /* string id of the recorder */
  guint64 n_calls;
} Function;

struct _TbCaptureTranslator
{
  TbRecorder *recorder;
  guint32 host;
  gint64 latest; /* latest event time so far */
  TbCaptureArena *arena;
  TbCaptureDumps *dumps; /* NULL: there are no dumps */

  /* Index: id in the stream; value: id in the recorder */
  GArray *strings;
  GPtrArray *texts; /* texts of the same strings */
  GArray *modules;
  GArray *files; /* File, of the same modules */
  TbAnnotations *annotations;
  GPtrArray *build_ids; /* of the same modules, in hexadecimal; NULL: none */
  GArray *devices;
  GArray *chains;
  guint32 first_chain; /* stream id of the first element of chains */

  TbCaptureSleep *sleeps; /* by id modulo TB_CAPTURE_SLEEP_WINDOW */

  GString *symbols; /* kernel symbols, as lines of kallsyms */

  const char *const *syscall_names;
  guint n_syscall_names;
  GHashTable *syscalls;  /* number → string id of the recorder */
  GHashTable *functions; /* probe id → Function */
};

static void
store_facts (TbCaptureTranslator *self, const TbCaptureHeader *header)
{
  g_autofree char *realtime
      = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) (header->realtime - header->monotonic));
  g_autofree char *cpus = g_strdup_printf ("%u", header->n_cpus);
  g_autofree char *host = g_utf8_make_valid (header->host, -1);
  g_autofree char *kernel = g_utf8_make_valid (header->kernel, -1);
  g_autofree char *boot_id = g_utf8_make_valid (header->boot_id, -1);
  g_autofree char *agent = g_utf8_make_valid (header->agent, -1);

  self->host
      = tb_recorder_add_host (self->recorder, host, kernel, header->machine, header->n_cpus, 0);
  tb_recorder_set_fact (self->recorder, "collector",
                        header->backend == TB_CAPTURE_BACKEND_BPF ? "ebpf" : "perf");
  tb_recorder_set_fact (self->recorder, "clock", "monotonic");
  /* Wall-clock time at 0 of the session clock */
  tb_recorder_set_fact (self->recorder, "clock-realtime-ns", realtime);
  tb_recorder_set_fact (self->recorder, "boot-id", boot_id);
  tb_recorder_set_fact (self->recorder, "kernel", kernel);
  tb_recorder_set_fact (self->recorder, "cpus", cpus);
  tb_recorder_set_fact (self->recorder, "agent", agent);
  tb_recorder_set_fact (self->recorder, "facility",
                        header->backend == TB_CAPTURE_BACKEND_BPF    ? "bpf"
                        : header->backend == TB_CAPTURE_BACKEND_PERF ? "perf"
                                                                     : "own-processes");
}

TbCaptureTranslator *
tb_capture_translator_new (TbRecorder *recorder, const TbCaptureHeader *header)
{
  TbCaptureTranslator *self = g_new0 (TbCaptureTranslator, 1);
  guint32 none = 0, unknown_id = TB_ID_NONE;

  self->recorder = recorder;
  self->arena = tb_capture_arena_new ();
  self->strings = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->modules = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->devices = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->chains = g_array_new (FALSE, FALSE, sizeof (Chain));
  self->first_chain = 1;
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->build_ids = g_ptr_array_new_with_free_func (g_free);
  g_array_append_val (self->strings, none);
  g_ptr_array_add (self->texts, g_strdup (""));
  g_array_append_val (self->modules, unknown_id);
  self->files = g_array_new (FALSE, TRUE, sizeof (File));
  g_array_set_size (self->files, 1);
  g_ptr_array_add (self->build_ids, NULL);
  g_array_append_val (self->devices, unknown_id);
  self->symbols = g_string_new (NULL);
  self->sleeps = g_new0 (TbCaptureSleep, TB_CAPTURE_SLEEP_WINDOW);
  self->syscalls = g_hash_table_new (NULL, NULL);
  self->functions = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->syscall_names = tb_syscall_names_get (header->machine, &self->n_syscall_names);
  store_facts (self, header);
  return self;
}

void
tb_capture_translator_free (TbCaptureTranslator *self)
{
  g_clear_pointer (&self->dumps, tb_capture_dumps_free);
  tb_capture_arena_free (self->arena);
  g_array_unref (self->strings);
  g_ptr_array_unref (self->texts);
  g_array_unref (self->modules);
  g_array_unref (self->files);
  g_ptr_array_unref (self->build_ids);
  g_array_unref (self->devices);
  g_array_unref (self->chains);
  g_free (self->sleeps);
  g_string_free (self->symbols, TRUE);
  g_hash_table_unref (self->syscalls);
  g_hash_table_unref (self->functions);
  g_free (self);
}

void
tb_capture_translator_set_annotations (TbCaptureTranslator *self, TbAnnotations *annotations)
{
  self->annotations = annotations;
}

void
tb_capture_translator_expect_dumps (TbCaptureTranslator *self, const char *machine)
{
  self->dumps = tb_capture_dumps_new (self->recorder, self->arena, machine);
  if (self->dumps == NULL)
    tb_recorder_add_warning (
        self->recorder,
        _ ("Dumped stacks of this machine (%s) cannot be unwound here: stacks are walked by frame "
           "pointers only."),
        machine);
}

void
tb_capture_translator_finish (TbCaptureTranslator *self)
{
  if (self->dumps != NULL)
    tb_capture_dumps_report (self->dumps);
  if (self->symbols->len > 0)
    tb_recorder_set_fact (self->recorder, "kernel-symbols", self->symbols->str);
}

/* The decoder has checked the ids. */
static guint32
get_string (TbCaptureTranslator *self, guint32 id)
{
  return g_array_index (self->strings, guint32, id);
}

static guint32
get_device (TbCaptureTranslator *self, guint32 id)
{
  return g_array_index (self->devices, guint32, id);
}

static void
set_stack (TbCaptureTranslator *self, TbEvent *event, guint32 id)
{
  const Chain *chain;

  if (id < self->first_chain)
    return;
  chain = &g_array_index (self->chains, Chain, id - self->first_chain);
  event->chain = chain->chain;
  event->n_chain = chain->n;
}

static void
define_string (TbCaptureTranslator *self, const TbCaptureRecord *record)
{
  char *text = g_utf8_make_valid ((const char *) record->tail, record->tail_length);
  guint32 id = tb_recorder_intern_string (self->recorder, text, -1);

  g_array_append_val (self->strings, id);
  g_ptr_array_add (self->texts, text);
}

static void
define_stack (TbCaptureTranslator *self, const TbCaptureRecord *record)
{
  Chain chain = { .n = record->tail_length / sizeof (guint64) };

  if (chain.n > 0)
    chain.chain
        = tb_capture_arena_copy (self->arena, (const guint64 *) (gconstpointer) record->tail,
                                 chain.n, G_MAXINT64);
  g_array_append_val (self->chains, chain);
}

static void
define_module (TbCaptureTranslator *self, const TbCaptureRecord *record)
{
  char build_id[2 * 64 + 1];
  gboolean is_file = record->module.kind == TB_CAPTURE_MODULE_FILE;
  File file = { is_file ? record->module.path : 0, record->tail_length, { 0 } };
  guint32 id;

  for (guint i = 0; i < record->tail_length; i++)
    g_snprintf (build_id + 2 * i, 3, "%02x", record->tail[i]);
  build_id[2 * record->tail_length] = '\0';
  id = tb_recorder_intern_module (self->recorder,
                                  record->module.kind == TB_CAPTURE_MODULE_ANONYMOUS
                                      ? TB_MODULE_JIT
                                      : TB_MODULE_FILE,
                                  g_ptr_array_index (self->texts, record->module.path), build_id,
                                  record->module.pid);
  g_array_append_val (self->modules, id);
  memcpy (file.build_id, record->tail, record->tail_length);
  g_array_append_val (self->files, file);
  /* Only files can be searched. */
  g_ptr_array_add (self->build_ids,
                   record->module.kind == TB_CAPTURE_MODULE_FILE && record->tail_length > 0
                       ? g_strdup (build_id)
                       : NULL);
}

/* The file may contain compiled-in marks. */
static void
note_mapping (TbCaptureTranslator *self, const TbCaptureMapping *mapping)
{
  const File *file = &g_array_index (self->files, File, mapping->module);

  if (self->annotations != NULL && file->path != 0)
    tb_annotations_note_mapping (self->annotations, mapping->module,
                                 g_ptr_array_index (self->texts, file->path), file->build_id,
                                 file->build_id_length, mapping->pid);
}

static void
define_device (TbCaptureTranslator *self, const TbCaptureRecord *record)
{
  gboolean block = record->device.kind == TB_CAPTURE_DEVICE_BLOCK;
  g_autofree char *number
      = block ? g_strdup_printf ("%u:%u", record->device.major, record->device.minor) : NULL;
  guint32 id = tb_recorder_intern_device (self->recorder, self->host,
                                          g_ptr_array_index (self->texts, record->device.name),
                                          block ? "block" : "network", block ? number : "");

  g_array_append_val (self->devices, id);
}

static void
define_interface (TbCaptureTranslator *self, const TbCaptureRecord *record)
{
  const TbCaptureInterface *from = &record->interface;
  guint n = record->tail_length / TB_CAPTURE_ADDRESS_SIZE;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) addresses = NULL;
  TbInterface interface = { .host = self->host, .index = from->index, .speed = from->speed };

  for (guint i = 0; i < n; i++)
    {
      char text[INET6_ADDRSTRLEN] = "";
      struct in6_addr address;

      memcpy (&address, record->tail + (gsize) i * sizeof address, sizeof address);
      /* In the format of socket addresses */
      if (IN6_IS_ADDR_V4MAPPED (&address))
        inet_ntop (AF_INET, address.s6_addr + 12, text, sizeof text);
      else
        inet_ntop (AF_INET6, &address, text, sizeof text);
      g_strv_builder_add (builder, text);
    }
  addresses = g_strv_builder_end (builder);
  interface.name = g_ptr_array_index (self->texts, from->name);
  interface.n_omitted = from->n_omitted;
  interface.addresses = (const char *const *) addresses;
  tb_recorder_add_interface (self->recorder, &interface);
}

static guint32
get_syscall (TbCaptureTranslator *self, guint32 number)
{
  guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (self->syscalls, GUINT_TO_POINTER (number)));
  g_autofree char *digits = NULL;
  const char *name = NULL;

  if (id != 0)
    return id;
  if (number < self->n_syscall_names)
    name = self->syscall_names[number];
  if (name == NULL)
    name = digits = g_strdup_printf ("%d", (gint32) number);
  id = tb_recorder_intern_string (self->recorder, name, -1);
  g_hash_table_insert (self->syscalls, GUINT_TO_POINTER (number), GUINT_TO_POINTER (id));
  return id;
}

/* Creates the event for the sleep of the thread that leaves the CPU. It precedes the switch, which
 * refers to it. */
static TbEvent
make_sleep (TbCaptureTranslator *self, const TbEvent *before, const TbCaptureSwitch *from)
{
  const TbCaptureSleep *sleep = &self->sleeps[from->sleep % TB_CAPTURE_SLEEP_WINDOW];
  TbEvent event
      = { .time = before->time, .host = self->host, .cpu = before->cpu, .kind = TB_EVENT_SLEEP };

  event.tid = from->tid;
  event.pid = from->pid;
  event.code = (guint8) sleep->kind;
  event.text
      = sleep->number != TB_CAPTURE_NO_CALL ? get_syscall (self, sleep->number) : TB_STRING_NONE;
  event.text2 = get_string (self, sleep->object);
  event.a = sleep->address;
  event.b = sleep->timeout == TB_CAPTURE_TIMEOUT_NONE ? (guint64) TB_TIMEOUT_NONE
            : sleep->timeout > G_MAXINT64             ? (guint64) TB_TIMEOUT_UNKNOWN
                                                      : sleep->timeout;
  event.c = sleep->offset;
  event.module = g_array_index (self->modules, guint32, sleep->module);
  return event;
}

/* Adds an event, or holds it until its stack is unwound. */
static void
add (TbCaptureTranslator *self, const TbEvent *event, const TbEvent *sleep)
{
  self->latest = MAX (self->latest, event->time);
  if (self->dumps != NULL && tb_capture_dumps_hold (self->dumps, event, sleep))
    return;
  if (sleep != NULL)
    tb_recorder_add (self->recorder, sleep);
  tb_recorder_add (self->recorder, event);
}

static void
fill_switch (TbCaptureTranslator *self, TbEvent *event, const TbCaptureSwitch *from)
{
  event->kind = TB_EVENT_SWITCH;
  /* A thread that is not recorded counts as an idle CPU. */
  event->tid = MAX (from->tid, 0);
  event->pid = MAX (from->pid, 0);
  event->a = (guint64) MAX (from->next, 0);
  /* Without privileges the kernel reports that a thread blocks, but not how. */
  event->code = from->state == '?' ? 'S' : (guint8) from->state;
  set_stack (self, event, from->stack);
}

static void
fill_wakeup (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  event->kind = TB_EVENT_WAKEUP;
  event->tid = record->wakeup.tid;
  event->pid = record->wakeup.pid;
  event->a = (guint64) MAX (record->wakeup.wakee, 0);
  event->flags = ((record->flags & TB_CAPTURE_IN_HARDIRQ) ? TB_WAKEUP_HARDIRQ : 0)
                 | ((record->flags & TB_CAPTURE_IN_SOFTIRQ) ? TB_WAKEUP_SOFTIRQ : 0)
                 | ((record->flags & TB_CAPTURE_WAKEUP_NEW) ? TB_WAKEUP_NEW : 0)
                 | ((record->flags & TB_CAPTURE_WAKEUP_LATE) ? TB_WAKEUP_LATE : 0);
  set_stack (self, event, record->wakeup.stack);
}

static void
fill_task_event (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  switch (record->type)
    {
    case TB_CAPTURE_TASK:
      event->kind = TB_EVENT_EXISTING;
      event->tid = record->task.tid;
      event->pid = record->task.pid;
      event->a = (guint64) MAX (record->task.parent, 0);
      event->text = get_string (self, record->task.name);
      break;
    case TB_CAPTURE_COMMAND:
      event->kind = TB_EVENT_COMMAND;
      event->tid = event->pid = record->command.pid;
      event->text = get_string (self, record->command.text);
      break;
    case TB_CAPTURE_MAPPING:
      note_mapping (self, &record->mapping);
      event->kind = TB_EVENT_MAPPING;
      event->tid = event->pid = record->mapping.pid;
      event->a = record->mapping.start;
      event->b = record->mapping.size;
      event->c = record->mapping.offset;
      event->module = g_array_index (self->modules, guint32, record->mapping.module);
      break;
    case TB_CAPTURE_FORK:
      event->kind = TB_EVENT_FORK;
      event->tid = record->fork.tid;
      event->pid = record->fork.pid;
      event->a = (guint64) MAX (record->fork.new_tid, 0);
      event->b = (guint64) MAX (record->fork.new_pid, 0);
      break;
    case TB_CAPTURE_EXIT:
      event->kind = TB_EVENT_EXIT;
      event->tid = record->exit.tid;
      event->pid = record->exit.pid;
      break;
    case TB_CAPTURE_NAME:
      event->kind = TB_EVENT_NAME;
      event->tid = record->name.tid;
      event->pid = record->name.pid;
      event->text = get_string (self, record->name.name);
      break;
    default:
      event->kind = TB_EVENT_EXEC;
      event->tid = record->exec.tid;
      event->pid = record->exec.pid;
      event->text = get_string (self, record->exec.program);
      break;
    }
}

static void
fill_interrupt (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  if (record->type == TB_CAPTURE_SOFTIRQ_ENTRY || record->type == TB_CAPTURE_SOFTIRQ_EXIT)
    {
      event->kind = record->type == TB_CAPTURE_SOFTIRQ_ENTRY ? TB_EVENT_SOFTIRQ_ENTRY
                                                             : TB_EVENT_SOFTIRQ_EXIT;
      event->a = record->softirq.vector;
      event->b = record->type == TB_CAPTURE_SOFTIRQ_EXIT ? record->softirq.entered : 0;
      event->device = TB_ID_NONE;
      return;
    }
  event->kind = record->type == TB_CAPTURE_IRQ_ENTRY ? TB_EVENT_IRQ_ENTRY : TB_EVENT_IRQ_EXIT;
  event->a = record->irq.irq;
  event->b = record->type == TB_CAPTURE_IRQ_EXIT ? record->irq.entered : 0;
  event->text = get_string (self, record->irq.name);
  event->device = get_device (self, record->irq.device);
  event->code = record->irq.kind == TB_CAPTURE_IRQ_TIMER ? TB_INTERRUPT_TIMER : TB_INTERRUPT_HARD;
}

static void
fill_io (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  event->kind = TB_EVENT_IO_INSERT + (record->type - TB_CAPTURE_IO_INSERT);
  event->tid = record->io.tid;
  event->pid = record->io.pid;
  event->a = record->io.sector;
  event->b = record->io.bytes;
  event->device = get_device (self, record->io.device);
  event->text = get_string (self, record->io.operation);
  event->text2 = get_string (self, record->io.file);
  set_stack (self, event, record->io.stack);
}

static gboolean
fill_network (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  gboolean interrupted = (record->flags & (TB_CAPTURE_IN_HARDIRQ | TB_CAPTURE_IN_SOFTIRQ)) != 0;

  if (record->network.kind > TB_CAPTURE_NET_ACCEPT)
    return FALSE;
  event->kind = TB_EVENT_NET_SEND + record->network.kind;
  /* The interrupted thread is not related to the message. */
  event->tid = interrupted ? -1 : record->network.tid;
  event->pid = interrupted ? -1 : record->network.pid;
  event->a = record->network.socket;
  event->b = record->network.bytes;
  event->text = get_string (self, record->network.protocol);
  event->text2 = get_string (self, record->network.remote);
  event->text3 = get_string (self, record->network.local);
  set_stack (self, event, record->network.stack);
  return TRUE;
}

static void
fill_syscall (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  if (record->type == TB_CAPTURE_SYS_ENTER)
    {
      event->kind = TB_EVENT_SYS_ENTER;
      event->tid = record->sys_enter.tid;
      event->pid = record->sys_enter.pid;
      event->text = get_syscall (self, record->sys_enter.number);
      event->args = tb_capture_arena_copy (self->arena, record->sys_enter.args, 6, event->time);
      event->b = record->sys_enter.entered;
      set_stack (self, event, record->sys_enter.stack);
      return;
    }
  event->kind = TB_EVENT_SYS_EXIT;
  event->tid = record->sys_exit.tid;
  event->pid = record->sys_exit.pid;
  /* After a signal handler the call number is unknown. */
  event->text = record->sys_exit.number != TB_CAPTURE_NO_CALL
                    ? get_syscall (self, record->sys_exit.number)
                    : TB_STRING_NONE;
  event->a = record->sys_exit.result;
}

/* A system call of which only one complete record was emitted at its end */
static void
fill_whole_syscall (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  const TbCaptureSysCall *call = &record->sys_call;
  guint64 args[TB_WHOLE_SYSCALL_WORDS] = { 0 };

  memcpy (args, call->args, sizeof call->args);
  args[TB_WHOLE_SYSCALL_ENTER] = call->entered;
  args[TB_WHOLE_SYSCALL_RESULT] = call->result;
  event->kind = TB_EVENT_WHOLE_SYSCALL;
  event->tid = call->tid;
  event->pid = call->pid;
  event->text = get_syscall (self, call->number);
  event->args = tb_capture_arena_copy (self->arena, args, G_N_ELEMENTS (args), event->time);
  set_stack (self, event, call->stack);
}

static Function *
get_function (TbCaptureTranslator *self, guint32 probe)
{
  Function *function = g_hash_table_lookup (self->functions, GUINT_TO_POINTER (probe));
  g_autofree char *name = NULL;

  if (function == NULL)
    {
      name = g_strdup_printf ("probe %u", probe);
      tb_capture_translator_set_function (self, probe, name);
      function = g_hash_table_lookup (self->functions, GUINT_TO_POINTER (probe));
    }
  return function;
}

void
tb_capture_translator_set_function (TbCaptureTranslator *self, guint32 probe, const char *name)
{
  Function *function = g_new0 (Function, 1);

  function->name = tb_recorder_intern_string (self->recorder, name, -1);
  g_hash_table_replace (self->functions, GUINT_TO_POINTER (probe), function);
}

guint64
tb_capture_translator_count_calls (TbCaptureTranslator *self, guint32 probe)
{
  return get_function (self, probe)->n_calls;
}

static void
fill_call (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  Function *function = get_function (self, record->call.probe);

  event->kind = record->type == TB_CAPTURE_CALL ? TB_EVENT_CALL : TB_EVENT_RETURN;
  event->tid = record->call.tid;
  event->pid = record->call.pid;
  event->text = function->name;
  function->n_calls++;
  event->a = record->call.site;
  if (record->type == TB_CAPTURE_RETURN)
    event->b = record->call.entered;
  set_stack (self, event, record->call.stack);
}

static void
translate_switch (TbCaptureTranslator *self, TbEvent *event, const TbCaptureSwitch *from)
{
  TbEvent sleep;

  fill_switch (self, event, from);
  if (from->sleep != 0 && from->tid > 0)
    {
      sleep = make_sleep (self, event, from);
      add (self, event, &sleep);
    }
  else
    add (self, event, NULL);
}

static void
fill_sample (TbCaptureTranslator *self, TbEvent *event, const TbCaptureSample *from)
{
  event->kind = TB_EVENT_SAMPLE;
  event->tid = from->tid;
  event->pid = from->pid;
  event->a = from->weight;
  set_stack (self, event, from->stack);
}

/* Task events and mappings, which unwinding of dumps also needs */
static void
translate_task_event (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  fill_task_event (self, event, record);
  if (self->dumps != NULL && record->type == TB_CAPTURE_MAPPING)
    tb_capture_dumps_note_mapping (
        self->dumps, event,
        g_ptr_array_index (self->texts,
                           g_array_index (self->files, File, record->mapping.module).path),
        g_ptr_array_index (self->build_ids, record->mapping.module));
  else if (self->dumps != NULL && (event->kind == TB_EVENT_FORK || event->kind == TB_EVENT_EXIT))
    tb_capture_dumps_note_process (self->dumps, event);
  add (self, event, NULL);
}

/* Events of devices and of the system. FALSE if the type is unknown. */
static gboolean
fill_other (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  switch (record->type)
    {
    case TB_CAPTURE_IRQ_ENTRY:
    case TB_CAPTURE_IRQ_EXIT:
    case TB_CAPTURE_SOFTIRQ_ENTRY:
    case TB_CAPTURE_SOFTIRQ_EXIT:
      fill_interrupt (self, event, record);
      return TRUE;
    case TB_CAPTURE_IO_INSERT:
    case TB_CAPTURE_IO_ISSUE:
    case TB_CAPTURE_IO_COMPLETE:
      fill_io (self, event, record);
      return TRUE;
    case TB_CAPTURE_NETWORK:
      return fill_network (self, event, record);
    case TB_CAPTURE_LOST:
      event->kind = TB_EVENT_LOST;
      event->a = record->lost.count;
      event->b = record->lost.from;
      return TRUE;
    default:
      return FALSE;
    }
}

/* Calls and marks of threads. FALSE if the record is something else. */
static gboolean
fill_any_call (TbCaptureTranslator *self, TbEvent *event, const TbCaptureRecord *record)
{
  switch (record->type)
    {
    case TB_CAPTURE_SYS_ENTER:
    case TB_CAPTURE_SYS_EXIT:
      fill_syscall (self, event, record);
      return TRUE;
    case TB_CAPTURE_SYS_CALL:
      fill_whole_syscall (self, event, record);
      return TRUE;
    case TB_CAPTURE_CALL:
    case TB_CAPTURE_RETURN:
      fill_call (self, event, record);
      return TRUE;
    case TB_CAPTURE_MARK:
      if (self->annotations == NULL
          || !tb_annotations_fill (self->annotations, &record->mark,
                                   g_ptr_array_index (self->texts, record->mark.text), event))
        return FALSE;
      set_stack (self, event, record->mark.stack);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
translate_event (TbCaptureTranslator *self, const TbCaptureRecord *record)
{
  TbEvent event = {
    .time = (gint64) record->time, .host = self->host, .cpu = record->cpu, .tid = -1, .pid = -1
  };

  switch (record->type)
    {
    case TB_CAPTURE_SWITCH:
      translate_switch (self, &event, &record->sched_switch);
      break;
    case TB_CAPTURE_WAKEUP:
      fill_wakeup (self, &event, record);
      add (self, &event, NULL);
      break;
    case TB_CAPTURE_SAMPLE:
      fill_sample (self, &event, &record->sample);
      add (self, &event, NULL);
      break;
    case TB_CAPTURE_TASK:
    case TB_CAPTURE_COMMAND:
    case TB_CAPTURE_MAPPING:
    case TB_CAPTURE_FORK:
    case TB_CAPTURE_EXIT:
    case TB_CAPTURE_NAME:
    case TB_CAPTURE_EXEC:
      translate_task_event (self, &event, record);
      break;
    default:
      if (fill_any_call (self, &event, record) || fill_other (self, &event, record))
        add (self, &event, NULL);
      break;
    }
}

static gboolean
advance (TbCaptureTranslator *self, gint64 time, GError **error)
{
  if (self->dumps != NULL)
    tb_capture_dumps_advance (self->dumps, time);
  if (!tb_recorder_advance (self->recorder, time, error))
    return FALSE;
  tb_capture_arena_release (self->arena, time);
  return TRUE;
}

gboolean
tb_capture_translator_take (TbCaptureTranslator *self,
                            const TbCaptureRecord *record,
                            GError **error)
{
  switch (record->type)
    {
    case TB_CAPTURE_STRING:
      define_string (self, record);
      return TRUE;
    case TB_CAPTURE_STACK:
      define_stack (self, record);
      return TRUE;
    case TB_CAPTURE_MODULE:
      define_module (self, record);
      return TRUE;
    case TB_CAPTURE_SLEEP:
      self->sleeps[record->sleep.id % TB_CAPTURE_SLEEP_WINDOW] = record->sleep;
      return TRUE;
    case TB_CAPTURE_DEVICE:
      define_device (self, record);
      return TRUE;
    case TB_CAPTURE_INTERFACE:
      define_interface (self, record);
      return TRUE;
    case TB_CAPTURE_SYMBOL:
      if (self->symbols->len < MAX_SYMBOL_TEXT)
        g_string_append_printf (self->symbols, "%016" G_GINT64_MODIFIER "x t %s\n",
                                record->symbol.address,
                                (const char *) g_ptr_array_index (self->texts,
                                                                  record->symbol.name));
      return TRUE;
    case TB_CAPTURE_DUMP:
      if (self->dumps != NULL)
        tb_capture_dumps_take (self->dumps, record);
      return TRUE;
    case TB_CAPTURE_RESET:
      self->first_chain += self->chains->len;
      g_array_set_size (self->chains, 0);
      tb_capture_arena_retire (self->arena, self->latest);
      return TRUE;
    case TB_CAPTURE_FLUSH:
      return advance (self, (gint64) record->time, error);
    default:
      translate_event (self, record);
      return TRUE;
    }
}
