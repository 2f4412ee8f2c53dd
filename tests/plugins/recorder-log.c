/* recorder-log.c: stand-in for the recorder that logs its events as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "recorder-log.h"

#include <string.h>

struct _TbRecorder
{
  GObject parent_instance;

  GString *text;
  GString *facts;
  GPtrArray *strings;
  GPtrArray *modules;
  GPtrArray *devices;
  GArray *waiting; /* TbEvent */
  GArray *times;
  guint counts[TB_N_EVENT_KINDS];
  guint n_late;
  gint64 advanced;
};

G_DEFINE_FINAL_TYPE (TbRecorder, tb_recorder, G_TYPE_OBJECT)

static const char *const kind_names[] = {
  "switch",   "wakeup",        "fork",          "exit",       "name",         "process-name",
  "existing", "command",       "exec",          "mapping",    "sample",       "irq-entry",
  "irq-exit", "softirq-entry", "softirq-exit",  "io-insert",  "io-issue",     "io-complete",
  "net-send", "net-receive",   "net-connect",   "net-accept", "sys-enter",    "sys-exit",
  "call",     "return",        "spin-begin",    "spin-end",   "false-wakeup", "mark",
  "lost",     "sleep",         "whole-syscall", "counter",    "file-lock",
};
G_STATIC_ASSERT (G_N_ELEMENTS (kind_names) == TB_N_EVENT_KINDS);

static void
tb_recorder_finalize (GObject *object)
{
  TbRecorder *self = TB_RECORDER (object);

  g_string_free (self->text, TRUE);
  g_string_free (self->facts, TRUE);
  g_ptr_array_unref (self->strings);
  g_ptr_array_unref (self->modules);
  g_ptr_array_unref (self->devices);
  g_array_unref (self->waiting);
  g_array_unref (self->times);

  G_OBJECT_CLASS (tb_recorder_parent_class)->finalize (object);
}

static void
tb_recorder_class_init (TbRecorderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_recorder_finalize;
}

static void
tb_recorder_init (TbRecorder *self)
{
  self->text = g_string_new (NULL);
  self->facts = g_string_new (NULL);
  self->strings = g_ptr_array_new_with_free_func (g_free);
  self->modules = g_ptr_array_new_with_free_func (g_free);
  self->devices = g_ptr_array_new_with_free_func (g_free);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (TbEvent));
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_ptr_array_add (self->strings, g_strdup (""));
}

TbRecorder *
recorder_log_new (void)
{
  return g_object_new (TB_TYPE_RECORDER, NULL);
}

const char *
recorder_log_get_text (TbRecorder *self)
{
  return self->text->str;
}

const char *
recorder_log_get_facts (TbRecorder *self)
{
  return self->facts->str;
}

guint
recorder_log_count (TbRecorder *self, TbEventKind kind)
{
  return self->counts[kind];
}

guint
recorder_log_get_n_late (TbRecorder *self)
{
  return self->n_late;
}

guint
recorder_log_get_n_waiting (TbRecorder *self)
{
  return self->waiting->len;
}

GArray *
recorder_log_get_times (TbRecorder *self)
{
  return self->times;
}

static guint32
intern (GPtrArray *array, const char *text)
{
  for (guint i = 0; i < array->len; i++)
    if (g_str_equal (g_ptr_array_index (array, i), text))
      return i;
  g_ptr_array_add (array, g_strdup (text));
  return array->len - 1;
}

void
tb_recorder_set_fact (TbRecorder *self, const char *key, const char *value)
{
  g_string_append_printf (self->facts, "fact %s=%s\n", key, value);
}

guint32
tb_recorder_add_host (TbRecorder *self,
                      const char *name,
                      const char *kernel,
                      const char *machine,
                      guint n_cpus,
                      gint64 clock_bound_ns)
{
  g_string_append_printf (self->facts, "host %s %s %s %u\n", name, kernel, machine, n_cpus);
  return 0;
}

guint32
tb_recorder_intern_string (TbRecorder *self, const char *text, gssize length)
{
  g_autofree char *own = text == NULL ? g_strdup ("")
                         : length < 0 ? g_strdup (text)
                                      : g_strndup (text, length);

  return intern (self->strings, own);
}

guint32
tb_recorder_intern_module (TbRecorder *self,
                           TbModuleKind kind,
                           const char *path,
                           const char *build_id,
                           gint32 pid)
{
  g_autofree char *text = g_strdup_printf ("%s[%s]", path, build_id != NULL ? build_id : "");

  return intern (self->modules, text);
}

guint32
tb_recorder_intern_file (TbRecorder *self,
                         const char *path,
                         const char *build_id,
                         const TbModuleFile *file,
                         gint32 pid)
{
  return tb_recorder_intern_module (self, TB_MODULE_FILE, path, build_id, pid);
}

guint32
tb_recorder_intern_device (TbRecorder *self,
                           guint32 host,
                           const char *name,
                           const char *kind,
                           const char *major_minor)
{
  g_autofree char *text = g_strdup_printf ("%s(%s)", name, kind);

  return intern (self->devices, text);
}

/* Ids of frames are those of their names, and stacks have one frame. */
guint32
tb_recorder_intern_named_frame (TbRecorder *self,
                                const char *function,
                                const char *module,
                                gboolean kernel)
{
  return intern (self->strings, function);
}

guint32
tb_recorder_intern_stack (TbRecorder *self,
                          const guint32 *frames,
                          const guint8 *flags,
                          guint n_frames)
{
  g_assert_cmpuint (n_frames, ==, 1);
  return frames[0];
}

void
tb_recorder_add_warning (TbRecorder *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append (self->facts, "warning ");
  g_string_append_vprintf (self->facts, format, arguments);
  g_string_append_c (self->facts, '\n');
  va_end (arguments);
}

void
tb_recorder_add (TbRecorder *self, const TbEvent *event)
{
  g_assert_cmpuint (event->kind, <, TB_N_EVENT_KINDS);
  if (event->time < self->advanced)
    {
      self->n_late++;
      return;
    }
  g_array_append_val (self->waiting, *event);
}

static const char *
get_string (GPtrArray *array, guint32 id)
{
  return id < array->len ? g_ptr_array_index (array, id) : "?";
}

static void
write_event (TbRecorder *self, const TbEvent *event)
{
  gboolean interrupt = event->kind == TB_EVENT_IRQ_ENTRY || event->kind == TB_EVENT_IRQ_EXIT;
  gboolean block = event->kind >= TB_EVENT_IO_INSERT && event->kind <= TB_EVENT_IO_COMPLETE;

  g_array_append_val (self->times, event->time);
  self->counts[event->kind]++;
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT " %d %d/%d %s", event->time,
                          event->cpu == TB_CPU_ALL ? -1 : event->cpu, event->pid, event->tid,
                          kind_names[event->kind]);
  if (event->code > 32)
    g_string_append_printf (self->text, " %c", event->code);
  else if (event->code != 0)
    g_string_append_printf (self->text, " code=%d", event->code);
  if (event->flags != 0)
    g_string_append_printf (self->text, " flags=%d", event->flags);
  if (event->kind == TB_EVENT_SYS_ENTER)
    for (guint i = 0; i < 6; i++)
      g_string_append_printf (self->text, "%s%" G_GINT64_MODIFIER "x", i == 0 ? " args=" : ",",
                              event->args[i]);
  else
    g_string_append_printf (self->text,
                            " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                            event->a, event->b, event->c);
  if (event->text != 0)
    g_string_append_printf (self->text, " '%s'", get_string (self->strings, event->text));
  if (event->text2 != 0)
    g_string_append_printf (self->text, " '%s'", get_string (self->strings, event->text2));
  if (event->text3 != 0)
    g_string_append_printf (self->text, " '%s'", get_string (self->strings, event->text3));
  if (event->kind == TB_EVENT_MAPPING)
    g_string_append_printf (self->text, " %s", get_string (self->modules, event->module));
  if ((interrupt || block) && event->device != TB_ID_NONE)
    g_string_append_printf (self->text, " %s", get_string (self->devices, event->device));
  if (event->stack != TB_STACK_NONE)
    g_string_append_printf (self->text, " <%s>", get_string (self->strings, event->stack));
  for (guint i = 0; i < event->n_chain; i++)
    g_string_append_printf (self->text, "%s%" G_GINT64_MODIFIER "x", i == 0 ? " <" : " ",
                            event->chain[i]);
  g_string_append (self->text, event->n_chain > 0 ? ">\n" : "\n");
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const TbEvent *one = a, *other = b;

  return one->time < other->time ? -1 : one->time > other->time;
}

gboolean
tb_recorder_advance (TbRecorder *self, gint64 time, GError **error)
{
  guint n = 0;

  g_assert_cmpint (time, >=, self->advanced);
  self->advanced = time;
  /* g_array_sort() is stable. */
  g_array_sort (self->waiting, compare_times);
  while (n < self->waiting->len && g_array_index (self->waiting, TbEvent, n).time < time)
    write_event (self, &g_array_index (self->waiting, TbEvent, n++));
  if (n > 0)
    g_array_remove_range (self->waiting, 0, n);
  return TRUE;
}
