/* tb-capture-definitions.c: definitions of the capture stream (strings, stacks, modules, sleeps,
 * devices, interfaces, kernel symbols), kept by their ids or passed to the recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <arpa/inet.h>
#include <string.h>

#include "session/schema/tb-interface.h"
#include "tb-capture-arena.h"
#include "tb-capture-translator-private.h"

/* Limited, because it is stored as a fact of the session. */
#define MAX_SYMBOL_TEXT (4u << 20)

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
  TbCaptureChain chain = { .n = record->tail_length / sizeof (guint64) };

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
  TbCaptureFile file = { is_file ? record->module.path : 0, record->tail_length, { 0 } };
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

static void
define_symbol (TbCaptureTranslator *self, const TbCaptureRecord *record)
{
  if (self->symbols->len < MAX_SYMBOL_TEXT)
    g_string_append_printf (self->symbols, "%016" G_GINT64_MODIFIER "x t %s\n",
                            record->symbol.address,
                            (const char *) g_ptr_array_index (self->texts, record->symbol.name));
}

gboolean
tb_capture_translator_define (TbCaptureTranslator *self, const TbCaptureRecord *record)
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
      define_symbol (self, record);
      return TRUE;
    default:
      return FALSE;
    }
}
