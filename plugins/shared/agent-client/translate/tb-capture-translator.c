/* tb-capture-translator.c: translation of the capture stream of tailback-agent (definitions,
 * events) into events of the recorder: lifetime, facts of the host, order of time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "tb-capture-arena.h"
#include "tb-capture-dumps.h"
#include "symbols/tb-syscall-names.h"
#include "translate/tb-capture-translator-private.h"

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
  self->chains = g_array_new (FALSE, FALSE, sizeof (TbCaptureChain));
  self->first_chain = 1;
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->build_ids = g_ptr_array_new_with_free_func (g_free);
  g_array_append_val (self->strings, none);
  g_ptr_array_add (self->texts, g_strdup (""));
  g_array_append_val (self->modules, unknown_id);
  self->files = g_array_new (FALSE, TRUE, sizeof (TbCaptureFile));
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
      if (!tb_capture_translator_define (self, record))
        tb_capture_translator_translate_event (self, record);
      return TRUE;
    }
}
