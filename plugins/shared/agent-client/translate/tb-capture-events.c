/* tb-capture-events.c: translation of each event of the capture stream (switch, wake-up, fork,
 * mapping, interrupt, I/O, message, system call, probed call, sample, …) into an event of the
 * recorder, added or held for its stack dump
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <string.h>

#include "tb-capture-arena.h"
#include "tb-capture-dumps.h"
#include "tb-capture-translator-private.h"

/* Values are passed on unchanged. */
G_STATIC_ASSERT ((guint) TB_CAPTURE_SLEEP_LOCK == (guint) TB_SLEEP_LOCK);
G_STATIC_ASSERT ((guint) TB_CAPTURE_SLEEP_TIME == (guint) TB_SLEEP_TIMED);
G_STATIC_ASSERT ((guint) TB_CAPTURE_SLEEP_FAULT == (guint) TB_SLEEP_FAULT);
G_STATIC_ASSERT ((guint) TB_CAPTURE_N_SLEEPS == (guint) TB_N_SLEEPS);

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
  const TbCaptureChain *chain;

  if (id < self->first_chain)
    return;
  chain = &g_array_index (self->chains, TbCaptureChain, id - self->first_chain);
  event->chain = chain->chain;
  event->n_chain = chain->n;
}

/* The file may contain compiled-in marks. */
static void
note_mapping (TbCaptureTranslator *self, const TbCaptureMapping *mapping)
{
  const TbCaptureFile *file = &g_array_index (self->files, TbCaptureFile, mapping->module);

  if (self->annotations != NULL && file->path != 0)
    tb_annotations_note_mapping (self->annotations, mapping->module,
                                 g_ptr_array_index (self->texts, file->path), file->build_id,
                                 file->build_id_length, mapping->pid);
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
  event.device = sleep->operation;
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

static TbCaptureFunction *
get_function (TbCaptureTranslator *self, guint32 probe)
{
  TbCaptureFunction *function = g_hash_table_lookup (self->functions, GUINT_TO_POINTER (probe));
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
  TbCaptureFunction *function = g_new0 (TbCaptureFunction, 1);

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
  TbCaptureFunction *function = get_function (self, record->call.probe);

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
                           g_array_index (self->files, TbCaptureFile, record->mapping.module).path),
        g_ptr_array_index (self->build_ids, record->mapping.module));
  else if (self->dumps != NULL && (event->kind == TB_EVENT_FORK || event->kind == TB_EVENT_EXIT))
    tb_capture_dumps_note_process (self->dumps, event);
  add (self, event, NULL);
}

static gboolean
fill_file_lock (TbCaptureTranslator *self, TbEvent *event, const TbCaptureFileLock *from)
{
  if (from->call >= TB_CAPTURE_N_LOCK_CALLS || from->mode >= TB_CAPTURE_N_LOCK_MODES
      || from->result >= TB_CAPTURE_N_LOCK_RESULTS)
    return FALSE;
  event->kind = TB_EVENT_FILE_LOCK;
  event->tid = from->tid;
  event->pid = from->pid;
  event->code = (guint8) from->call;
  event->flags = (guint8) TB_FILE_LOCK_FLAGS (from->mode, from->result);
  event->text2 = get_string (self, from->file);
  event->a = from->owner;
  event->b = from->from;
  event->c = from->to;
  return TRUE;
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
    case TB_CAPTURE_FILE_LOCK:
      return fill_file_lock (self, event, &record->file_lock);
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

void
tb_capture_translator_translate_event (TbCaptureTranslator *self, const TbCaptureRecord *record)
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
