/* tb-perf-kernel-events.c: conversion of the records of kernel tracepoints (scheduler, interrupts,
 * block devices, system calls, probes) in a perf.data file into events; table of these tracepoints
 * with the function and fields for each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>
#include <sys/utsname.h>

#include "tb-perf-import-private.h"
#include "symbols/tb-syscall-names.h"
#include "tb-perf-polls.h"
#include "tb-perf-tracepoint.h"

/* Bits of "common_flags": the event happened inside … */
#define FLAG_HARD_INTERRUPT 0x08
#define FLAG_SOFT_INTERRUPT 0x10

#define MAX_IRQ 4096
#define MINOR_BITS 20

/* The thread that has an ID in a field, by its ID in the session. */
static inline gint32
find_thread (TbPerfImport *import, gint64 id, gint64 time)
{
  return G_LIKELY (!import->is_container)
             ? (gint32) id
             : tb_perf_namespace_find (import->namespace, (gint32) id, time);
}

/* Keeps an event as a mark if it cannot be known which threads its fields are about. */
static gboolean
keep_as_mark (const TbPerfTracepoint *self,
              TbPerfImport *import,
              const guint8 *raw,
              gsize size,
              TbEvent *event)
{
  if (G_LIKELY (!import->is_container) || tb_perf_namespace_is_joined (import->namespace))
    return FALSE;
  tb_perf_tracepoint_add_mark (self, import, raw, size, event);
  return TRUE;
}

/* Adds a name that only a tracepoint contains, if there was no name record. */
static void
add_name (TbPerfImport *import,
          const TbPerfField *field,
          const guint8 *raw,
          gsize size,
          gint32 tid,
          const TbEvent *at)
{
  TbEvent event = {
    .time = at->time, .kind = TB_EVENT_NAME, .host = at->host, .cpu = at->cpu, .tid = tid, .pid = -1
  };
  const char *name;
  gsize length;

  name = tb_perf_field_get_text (field, raw, size, import->swap, &length);
  if (length == 0 || tid < 0)
    return;
  event.text = tb_recorder_intern_string (import->recorder, name, length);
  tb_perf_import_add (import, &event);
  tb_perf_import_set_named (import, tid, TRUE);
}

enum
{
  SWITCH_PREV,
  SWITCH_STATE,
  SWITCH_NEXT,
  SWITCH_PREV_NAME,
  SWITCH_NEXT_NAME
};
static const char *const switch_fields[]
    = { "prev_pid", "prev_state", "next_pid", "prev_comm", "next_comm", NULL };

static void
decode_switch (const TbPerfTracepoint *self,
               TbPerfImport *import,
               const guint8 *raw,
               gsize size,
               TbEvent *event)
{
  gint32 next_id = TB_PERF_NUMBER (self, SWITCH_NEXT, raw, size, import->swap);
  gint32 prev = find_thread (import, TB_PERF_NUMBER (self, SWITCH_PREV, raw, size, import->swap),
                             event->time);
  gint32 next = find_thread (import, next_id, event->time);
  gboolean is_of_threads = tb_perf_switches_are_of_threads (import->switches);

  if (G_UNLIKELY (keep_as_mark (self, import, raw, size, event)))
    return;
  if (G_UNLIKELY (import->is_container))
    tb_perf_namespace_set_running (import->namespace, event->cpu, next_id);
  if (G_UNLIKELY (tb_perf_switches_are_incomplete (import->switches)))
    {
      import->n_switch_marks++;
      tb_perf_tracepoint_add_mark (self, import, raw, size, event);
      return;
    }
  if (G_UNLIKELY (!import->switches_began) && !is_of_threads)
    tb_perf_import_begin_switches (import, event->time);
  event->kind = TB_EVENT_SWITCH;
  event->code = tb_perf_states_get_letter (&self->states, TB_PERF_NUMBER (self, SWITCH_STATE, raw,
                                                                          size, import->swap));
  /* The task of an exiting thread is no longer in the sample. */
  if (event->tid != prev)
    event->pid = -1;
  event->tid = prev;
  event->a = (guint64) next;
  if (G_UNLIKELY (!tb_perf_import_is_named (import, prev)))
    add_name (import, self->fields[SWITCH_PREV_NAME], raw, size, prev, event);
  if (G_UNLIKELY (!tb_perf_import_is_named (import, next)) && !is_of_threads)
    add_name (import, self->fields[SWITCH_NEXT_NAME], raw, size, next, event);
  if (G_UNLIKELY (import->polls != NULL) && event->code == 'S')
    tb_perf_polls_add_sleep (import->polls, event);
  tb_perf_switches_add_traced (import->switches, event);
}

enum
{
  WAKEUP_TID,
  WAKEUP_NAME
};
static const char *const wakeup_fields[] = { "pid", "comm", NULL };

static void
decode_wakeup (const TbPerfTracepoint *self,
               TbPerfImport *import,
               const guint8 *raw,
               gsize size,
               TbEvent *event)
{
  gint32 wakee = find_thread (import, TB_PERF_NUMBER (self, WAKEUP_TID, raw, size, import->swap),
                              event->time);
  guint64 context = tb_perf_field_get_number (self->irq_flags, raw, size, import->swap);

  if (G_UNLIKELY (keep_as_mark (self, import, raw, size, event)))
    return;
  event->kind = TB_EVENT_WAKEUP;
  event->a = (guint64) wakee;
  event->flags = self->code;
  if (context & FLAG_HARD_INTERRUPT)
    event->flags |= TB_WAKEUP_HARDIRQ;
  if (context & FLAG_SOFT_INTERRUPT)
    event->flags |= TB_WAKEUP_SOFTIRQ;
  if (G_UNLIKELY (!tb_perf_import_is_named (import, wakee)))
    add_name (import, self->fields[WAKEUP_NAME], raw, size, wakee, event);
  tb_perf_import_add (import, event);
}

/* The kernel's fork and exit records also contain the process, so the tracepoints are used only if
 * there are no such records. */
enum
{
  FORK_PARENT,
  FORK_CHILD
};
static const char *const fork_fields[] = { "parent_pid", "child_pid", NULL };
static const char *const exit_fields[] = { "pid", NULL };
static const char *const exec_fields[] = { "filename", NULL };

static void
decode_fork (const TbPerfTracepoint *self,
             TbPerfImport *import,
             const guint8 *raw,
             gsize size,
             TbEvent *event)
{
  gint32 parent = find_thread (import, TB_PERF_NUMBER (self, FORK_PARENT, raw, size, import->swap),
                               event->time);
  gint64 child = TB_PERF_NUMBER (self, FORK_CHILD, raw, size, import->swap);

  if (G_UNLIKELY (keep_as_mark (self, import, raw, size, event)))
    return;
  event->kind = TB_EVENT_FORK;
  if (event->tid != parent)
    event->pid = -1;
  event->tid = parent;
  event->a = (guint64) find_thread (import, child, event->time);
  tb_perf_import_add (import, event);
}

static void
decode_exit (const TbPerfTracepoint *self,
             TbPerfImport *import,
             const guint8 *raw,
             gsize size,
             TbEvent *event)
{
  gint32 tid = find_thread (import, TB_PERF_NUMBER (self, 0, raw, size, import->swap), event->time);

  if (G_UNLIKELY (keep_as_mark (self, import, raw, size, event)))
    return;
  event->kind = TB_EVENT_EXIT;
  if (event->tid != tid)
    event->pid = -1;
  event->tid = tid;
  tb_perf_import_add (import, event);
}

static void
decode_exec (const TbPerfTracepoint *self,
             TbPerfImport *import,
             const guint8 *raw,
             gsize size,
             TbEvent *event)
{
  const char *path;
  gsize length;

  path = tb_perf_field_get_text (self->fields[0], raw, size, import->swap, &length);
  event->kind = TB_EVENT_EXEC;
  event->text = tb_recorder_intern_string (import->recorder, length > 0 ? path : NULL, length);
  if (import->polls != NULL)
    tb_perf_polls_forget_process (import->polls, event->pid);
  tb_perf_import_add (import, event);
}

static void
decode_nothing (const TbPerfTracepoint *self,
                TbPerfImport *import,
                const guint8 *raw,
                gsize size,
                TbEvent *event)
{
}

enum
{
  IRQ_NUMBER,
  IRQ_NAME
};
static const char *const irq_fields[] = { "irq", "name", NULL };
static const char *const vector_fields[] = { "vector", "reason", NULL };
static const char *const softirq_fields[] = { "vec", NULL };

/* On some machines the local timer of a CPU is an interrupt line. */
static gboolean
is_local_timer (const char *name, gsize length)
{
  static const char *const timers[] = { "arch_timer", "arch_sys_timer", "riscv-timer", "timer" };

  for (guint i = 0; i < G_N_ELEMENTS (timers); i++)
    if (strlen (timers[i]) == length && memcmp (timers[i], name, length) == 0)
      return TRUE;
  return FALSE;
}

static TbPerfIrq *
get_irq (TbPerfImport *import, guint64 number)
{
  if (number >= MAX_IRQ)
    return NULL;
  if (number >= import->irqs->len)
    g_array_set_size (import->irqs, number + 1);
  return &g_array_index (import->irqs, TbPerfIrq, number);
}

static void
decode_irq_entry (const TbPerfTracepoint *self,
                  TbPerfImport *import,
                  const guint8 *raw,
                  gsize size,
                  TbEvent *event)
{
  guint64 number = TB_PERF_NUMBER (self, IRQ_NUMBER, raw, size, import->swap);
  TbPerfIrq *irq = get_irq (import, number);
  gsize length;
  const char *name
      = tb_perf_field_get_text (self->fields[IRQ_NAME], raw, size, import->swap, &length);
  TbPerfIrq fresh = { 0 };

  if (irq == NULL)
    irq = &fresh;
  if (length > 0
      && (irq->text == TB_STRING_NONE || irq->length != MIN (length, sizeof irq->name)
          || memcmp (irq->name, name, irq->length) != 0))
    {
      g_autofree char *own = g_strndup (name, length);

      irq->length = MIN (length, sizeof irq->name);
      memcpy (irq->name, name, irq->length);
      irq->text = tb_recorder_intern_string (import->recorder, name, length);
      irq->code = is_local_timer (name, length) ? TB_INTERRUPT_TIMER : TB_INTERRUPT_HARD;
      irq->device = tb_recorder_intern_device (import->recorder, import->host, own, "irq", NULL);
    }
  event->kind = TB_EVENT_IRQ_ENTRY;
  event->code = irq->code;
  event->a = number;
  event->text = irq->text;
  event->device = length > 0 ? irq->device : TB_ID_NONE;
  tb_perf_import_add (import, event);
}

static void
decode_irq_exit (const TbPerfTracepoint *self,
                 TbPerfImport *import,
                 const guint8 *raw,
                 gsize size,
                 TbEvent *event)
{
  guint64 number = TB_PERF_NUMBER (self, IRQ_NUMBER, raw, size, import->swap);
  TbPerfIrq *irq = get_irq (import, number);

  event->kind = TB_EVENT_IRQ_EXIT;
  event->code = irq != NULL ? irq->code : TB_INTERRUPT_HARD;
  event->a = number;
  event->device = irq != NULL && irq->text != TB_STRING_NONE ? irq->device : TB_ID_NONE;
  tb_perf_import_add (import, event);
}

/* Interrupts without a line: the local timer and inter-processor interrupts. */
static void
decode_vector (const TbPerfTracepoint *self,
               TbPerfImport *import,
               const guint8 *raw,
               gsize size,
               TbEvent *event)
{
  event->kind = self->kind;
  event->code = self->code;
  event->a = TB_PERF_NUMBER (self, 0, raw, size, import->swap);
  event->text = self->text;
  event->device = TB_ID_NONE;
  tb_perf_import_add (import, event);
}

static void
decode_softirq (const TbPerfTracepoint *self,
                TbPerfImport *import,
                const guint8 *raw,
                gsize size,
                TbEvent *event)
{
  event->kind = self->kind;
  event->a = TB_PERF_NUMBER (self, 0, raw, size, import->swap);
  event->device = TB_ID_NONE;
  tb_perf_import_add (import, event);
}

enum
{
  BLOCK_DEVICE,
  BLOCK_SECTOR,
  BLOCK_SECTORS,
  BLOCK_BYTES,
  BLOCK_OPERATION
};
static const char *const block_fields[] = { "dev", "sector", "nr_sector", "bytes", "rwbs", NULL };

/* The file has only device numbers. If it was recorded on this machine, their names can be
 * found. */
static char *
find_device_name (TbPerfImport *import, const char *major_minor)
{
  g_autofree char *path = g_strdup_printf ("/sys/dev/block/%s", major_minor);
  g_autofree char *target = import->is_own_host ? g_file_read_link (path, NULL) : NULL;

  return target != NULL ? g_path_get_basename (target) : g_strdup (major_minor);
}

static guint32
get_device (TbPerfImport *import, guint32 number)
{
  gpointer known = g_hash_table_lookup (import->devices, GUINT_TO_POINTER (number));
  g_autofree char *major_minor = NULL;
  g_autofree char *name = NULL;
  guint32 device;

  if (G_LIKELY (known != NULL))
    return GPOINTER_TO_UINT (known) - 1;
  major_minor = g_strdup_printf ("%u:%u", number >> MINOR_BITS, number & ((1u << MINOR_BITS) - 1));
  name = find_device_name (import, major_minor);
  device = tb_recorder_intern_device (import->recorder, import->host, name, "block", major_minor);
  g_hash_table_insert (import->devices, GUINT_TO_POINTER (number), GUINT_TO_POINTER (device + 1));
  return device;
}

/* A flush is issued for sector 0 and completes for sector -1. The request that caused the flush, if
 * it had no data to write, then completes without ever having been queued. Returns FALSE for such a
 * completion. */
static gboolean
normalize_flush (TbEvent *event, const char *operation, gsize length)
{
  if (event->b != 0)
    return TRUE;
  if (length > 0 && operation[0] == 'F')
    {
      event->a = 0;
      return TRUE;
    }
  return event->kind != TB_EVENT_IO_COMPLETE;
}

static void
decode_block (const TbPerfTracepoint *self,
              TbPerfImport *import,
              const guint8 *raw,
              gsize size,
              TbEvent *event)
{
  const char *operation;
  gsize length;

  operation
      = tb_perf_field_get_text (self->fields[BLOCK_OPERATION], raw, size, import->swap, &length);
  event->kind = self->kind;
  event->device = get_device (import, TB_PERF_NUMBER (self, BLOCK_DEVICE, raw, size, import->swap));
  event->a = TB_PERF_NUMBER (self, BLOCK_SECTOR, raw, size, import->swap);
  /* Completions have the number of sectors only. */
  event->b = self->fields[BLOCK_BYTES] != NULL
                 ? (guint64) TB_PERF_NUMBER (self, BLOCK_BYTES, raw, size, import->swap)
                 : 0;
  if (event->b == 0)
    event->b = 512 * (guint64) TB_PERF_NUMBER (self, BLOCK_SECTORS, raw, size, import->swap);
  if (!normalize_flush (event, operation, length))
    return;
  event->text = tb_recorder_intern_string (import->recorder, length > 0 ? operation : NULL, length);
  tb_perf_import_add (import, event);
}

enum
{
  RAW_SYSCALL_NUMBER,
  RAW_SYSCALL_ARGS
};
static const char *const sys_enter_fields[] = { "id", "args", NULL };
enum
{
  SYS_EXIT_NUMBER,
  SYS_EXIT_RESULT
};
static const char *const sys_exit_fields[] = { "id", "ret", NULL };
static const char *const sys_exit_named_fields[] = { "__syscall_nr", "ret", NULL };

static guint32
get_syscall_text (TbPerfImport *import, gint64 number)
{
  char digits[24];

  if (number < 0 || number >= import->n_syscall_names || import->syscall_names[number] == NULL)
    {
      g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, number);
      return tb_recorder_intern_string (import->recorder, digits, -1);
    }
  if (import->syscall_texts[number] == TB_STRING_NONE)
    import->syscall_texts[number]
        = tb_recorder_intern_string (import->recorder, import->syscall_names[number], -1);
  return import->syscall_texts[number];
}

/* The number of a call for the sets of descriptors, 0: it does not matter. */
static guint8
get_poll_call (TbPerfImport *import, gint64 number)
{
  return number >= 0 && number < import->n_syscall_names ? import->poll_calls[number] : 0;
}

static void
decode_raw_sys_enter (const TbPerfTracepoint *self,
                      TbPerfImport *import,
                      const guint8 *raw,
                      gsize size,
                      TbEvent *event)
{
  gsize length;
  const guint8 *args
      = tb_perf_field_get_bytes (self->fields[RAW_SYSCALL_ARGS], raw, size, import->swap, &length);
  guint element
      = self->fields[RAW_SYSCALL_ARGS] != NULL ? self->fields[RAW_SYSCALL_ARGS]->element : 8;
  gint64 number = TB_PERF_NUMBER (self, RAW_SYSCALL_NUMBER, raw, size, import->swap);
  guint64 *copy = tb_perf_arena_take (&import->arena, 6, event->time);

  for (guint i = 0; i < 6; i++)
    copy[i] = args == NULL || (i + 1) * element > length ? 0
              : element == 4                             ? tb_perf_u32 (args + i * 4, import->swap)
                                                         : tb_perf_u64 (args + i * 8, import->swap);
  event->kind = TB_EVENT_SYS_ENTER;
  event->text = get_syscall_text (import, number);
  event->args = copy;
  tb_perf_polls_enter (import->polls, get_poll_call (import, number), event);
  tb_perf_import_add (import, event);
}

static void
decode_named_sys_enter (const TbPerfTracepoint *self,
                        TbPerfImport *import,
                        const guint8 *raw,
                        gsize size,
                        TbEvent *event)
{
  guint64 *copy = tb_perf_arena_take (&import->arena, 6, event->time);

  for (guint i = 0; i < 6; i++)
    copy[i] = TB_PERF_NUMBER (self, i, raw, size, import->swap);
  event->kind = TB_EVENT_SYS_ENTER;
  event->text = self->text;
  event->args = copy;
  tb_perf_polls_enter (import->polls, self->code, event);
  tb_perf_import_add (import, event);
}

static void
decode_sys_exit (const TbPerfTracepoint *self,
                 TbPerfImport *import,
                 const guint8 *raw,
                 gsize size,
                 TbEvent *event)
{
  gboolean is_named = self->text != TB_STRING_NONE;
  gint64 number = TB_PERF_NUMBER (self, SYS_EXIT_NUMBER, raw, size, import->swap);

  event->kind = TB_EVENT_SYS_EXIT;
  event->text = is_named ? self->text : get_syscall_text (import, number);
  event->a = (guint64) TB_PERF_NUMBER (self, SYS_EXIT_RESULT, raw, size, import->swap);
  tb_perf_polls_leave (import->polls, is_named ? self->code : get_poll_call (import, number),
                       event);
  tb_perf_import_add (import, event);
}

static void
decode_probe (const TbPerfTracepoint *self,
              TbPerfImport *import,
              const guint8 *raw,
              gsize size,
              TbEvent *event)
{
  event->kind = self->kind;
  event->text = self->text;
  event->a = TB_PERF_NUMBER (self, 0, raw, size, import->swap);
  tb_perf_import_add (import, event);
}

static void
use_polls (TbPerfImport *import)
{
  if (import->polls == NULL)
    import->polls = tb_perf_polls_new (import->recorder);
}

static void
use_syscall_table (TbPerfImport *import, gboolean has_leaves)
{
  use_polls (import);
  if (has_leaves)
    tb_perf_polls_set_has_all_leaves (import->polls);
  if (import->syscall_texts != NULL)
    return;
  import->syscall_names = tb_syscall_names_get (import->file->arch, &import->n_syscall_names);
  import->syscall_texts = g_new0 (guint32, MAX (import->n_syscall_names, 1));
  import->poll_calls = g_new0 (guint8, MAX (import->n_syscall_names, 1));
  for (guint i = 0; i < import->n_syscall_names; i++)
    if (import->syscall_names[i] != NULL)
      import->poll_calls[i] = tb_perf_polls_find_call (import->syscall_names[i]);
}

/* syscalls:sys_enter_NAME: the arguments are the fields after the number. */
static TbPerfTracepoint *
new_named_syscall (TbPerfImport *import, const TbPerfFormat *format)
{
  gboolean enters = g_str_has_prefix (format->name, "sys_enter_");
  const char *name = format->name + strlen (enters ? "sys_enter_" : "sys_exit_");
  TbPerfTracepoint *self;
  guint8 call;
  guint n = 0;

  if (!enters && !g_str_has_prefix (format->name, "sys_exit_"))
    return NULL;
  use_polls (import);
  call = tb_perf_polls_find_call (name);
  if (!enters)
    tb_perf_polls_set_has_leave (import->polls, call);
  self = tb_perf_tracepoint_new (format, enters ? decode_named_sys_enter : decode_sys_exit,
                                 enters ? NULL : sys_exit_named_fields, 0, call);
  if (import->has_raw_syscalls)
    self->handler = decode_nothing;
  self->text = tb_recorder_intern_string (import->recorder, name, -1);
  for (guint i = 0; enters && i < format->fields->len && n < 6; i++)
    {
      const TbPerfField *field = &g_array_index (format->fields, TbPerfField, i);

      if (!g_str_has_prefix (field->name, "common_") && !g_str_equal (field->name, "__syscall_nr")
          && !g_str_equal (field->name, "nr") && field->kind == TB_PERF_FIELD_NUMBER)
        self->fields[n++] = field;
    }
  return self;
}

/* irq_vectors:NAME_entry and NAME_exit, ipi:ipi_entry and ipi_exit. */
static TbPerfTracepoint *
new_vector (TbPerfImport *import, const TbPerfFormat *format)
{
  gboolean enters = g_str_has_suffix (format->name, "_entry");
  gboolean timer = g_str_has_prefix (format->name, "local_timer_");
  g_autofree char *name = NULL;
  TbPerfTracepoint *self;

  if (!enters && !g_str_has_suffix (format->name, "_exit"))
    return NULL;
  self = tb_perf_tracepoint_new (format, decode_vector, vector_fields,
                                 enters ? TB_EVENT_IRQ_ENTRY : TB_EVENT_IRQ_EXIT,
                                 timer ? TB_INTERRUPT_TIMER : TB_INTERRUPT_HARD);
  name = g_strndup (format->name, strlen (format->name) - strlen (enters ? "_entry" : "_exit"));
  self->text = tb_recorder_intern_string (import->recorder, name, -1);
  return self;
}

/* Length of a probe's name without the suffix of return probes. */
static gsize
get_function_length (const char *name, gboolean *returns)
{
  gsize length = strlen (name);
  const char *suffix = g_strrstr (name, "__return");

  *returns = TRUE;
  /* perf adds a number to duplicate names of probes: malloc__return_1. */
  if (suffix != NULL && suffix > name
      && (suffix[8] == 0 || (suffix[8] == '_' && g_ascii_isdigit (suffix[9]))))
    return suffix - name;
  if (length > 4 && g_str_has_suffix (name, "_ret"))
    return length - 4;
  *returns = FALSE;
  return length;
}

static char *
make_probe_key (const TbPerfFormat *format, gsize length)
{
  return g_strdup_printf ("%s:%.*s", format->system, (int) length, format->name);
}

void
tb_perf_tracepoint_note_return (TbPerfImport *import, const TbPerfFormat *format)
{
  gboolean named_return;
  gsize length = get_function_length (format->name, &named_return);

  if (!named_return && tb_perf_format_find (format, "__probe_func") == NULL)
    return;
  if (import->returning == NULL)
    import->returning = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (import->returning, make_probe_key (format, length));
}

/* Without a probe at the returns of a function, nothing shows how long its calls take. */
static gboolean
has_returns (TbPerfImport *import, const TbPerfFormat *format, gsize length)
{
  g_autofree char *key = make_probe_key (format, length);

  return import->returning != NULL && g_hash_table_contains (import->returning, key);
}

/* Probes that were set by a user have their address in the format. Probes at static markers in
 * programs (groups sdt_…) are marks, as are those at the entries of functions only. */
static TbPerfTracepoint *
new_probe (TbPerfImport *import, const TbPerfFormat *format)
{
  static const char *const entry_fields[] = { "", NULL };
  static const char *const return_fields[] = { "__probe_ret_ip", NULL };
  gboolean at_return = tb_perf_format_find (format, "__probe_func") != NULL;
  gboolean named_return;
  TbPerfTracepoint *self;
  gsize length;

  if ((!at_return && tb_perf_format_find (format, "__probe_ip") == NULL)
      || g_str_has_prefix (format->system, "sdt_"))
    return NULL;
  length = get_function_length (format->name, &named_return);
  at_return |= named_return;
  if (!at_return && !has_returns (import, format, length))
    return NULL;
  self = tb_perf_tracepoint_new (format, decode_probe, at_return ? return_fields : entry_fields,
                                 at_return ? TB_EVENT_RETURN : TB_EVENT_CALL, 0);
  self->text = tb_recorder_intern_string (import->recorder, format->name, length);
  return self;
}

static const struct
{
  const char *system;
  const char *name;
  TbPerfHandler handler;
  const char *const *fields;
  guint8 kind;
  guint8 code;
} known[] = {
  { "sched", "sched_switch", decode_switch, switch_fields, 0, 0 },
  { "sched", "sched_waking", decode_wakeup, wakeup_fields, 0, 0 },
  { "sched", "sched_wakeup", decode_wakeup, wakeup_fields, 0, TB_WAKEUP_LATE },
  { "sched", "sched_wakeup_new", decode_wakeup, wakeup_fields, 0, TB_WAKEUP_NEW },
  { "sched", "sched_process_fork", decode_fork, fork_fields, 0, 0 },
  { "sched", "sched_process_exit", decode_exit, exit_fields, 0, 0 },
  { "sched", "sched_process_exec", decode_exec, exec_fields, 0, 0 },
  { "irq", "irq_handler_entry", decode_irq_entry, irq_fields, 0, 0 },
  { "irq", "irq_handler_exit", decode_irq_exit, irq_fields, 0, 0 },
  { "irq", "softirq_entry", decode_softirq, softirq_fields, TB_EVENT_SOFTIRQ_ENTRY, 0 },
  { "irq", "softirq_exit", decode_softirq, softirq_fields, TB_EVENT_SOFTIRQ_EXIT, 0 },
  { "block", "block_rq_insert", decode_block, block_fields, TB_EVENT_IO_INSERT, 0 },
  { "block", "block_rq_issue", decode_block, block_fields, TB_EVENT_IO_ISSUE, 0 },
  { "block", "block_rq_complete", decode_block, block_fields, TB_EVENT_IO_COMPLETE, 0 },
  { "raw_syscalls", "sys_enter", decode_raw_sys_enter, sys_enter_fields, 0, 0 },
  { "raw_syscalls", "sys_exit", decode_sys_exit, sys_exit_fields, 0, 0 },
};

gboolean
tb_perf_tracepoint_read_switch (const TbPerfTracepoint *self,
                                TbPerfImport *import,
                                const guint8 *raw,
                                gsize size,
                                gint32 *next,
                                gboolean *ends)
{
  char letter;

  if (self == NULL || !self->is_switch)
    return FALSE;
  letter = tb_perf_states_get_letter (&self->states,
                                      TB_PERF_NUMBER (self, SWITCH_STATE, raw, size, import->swap));
  *next = TB_PERF_NUMBER (self, SWITCH_NEXT, raw, size, import->swap);
  *ends = letter == 'X' || letter == 'Z' || letter == 'x';
  return TRUE;
}

/* Whether another source in the same file has the same events with more detail. */
static gboolean
is_redundant (TbPerfImport *import, TbPerfHandler handler, guint8 code)
{
  if (handler == decode_wakeup)
    return code == TB_WAKEUP_LATE && import->has_waking;
  if (handler == decode_fork || handler == decode_exit)
    return import->has_tasks;
  return handler == decode_exec && import->has_names;
}

TbPerfTracepoint *
tb_perf_tracepoint_new_known (TbPerfImport *import, const TbPerfFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (format->system, known[i].system) && g_str_equal (format->name, known[i].name))
      {
        TbPerfHandler handler = known[i].handler;
        TbPerfTracepoint *self;

        if (is_redundant (import, handler, known[i].code))
          handler = decode_nothing;
        if (handler == decode_raw_sys_enter || handler == decode_sys_exit)
          use_syscall_table (import, handler == decode_sys_exit);
        self = tb_perf_tracepoint_new (format, handler, known[i].fields, known[i].kind,
                                       known[i].code);
        self->is_switch = handler == decode_switch;
        if (self->is_switch)
          {
            tb_perf_format_read_states (format, &self->states);
            self->text = tb_recorder_intern_string (import->recorder, "sched:sched_switch", -1);
          }
        return self;
      }
  if (g_str_equal (format->system, "syscalls"))
    return new_named_syscall (import, format);
  if (g_str_equal (format->system, "irq_vectors") || g_str_equal (format->system, "ipi"))
    return new_vector (import, format);
  return new_probe (import, format);
}
